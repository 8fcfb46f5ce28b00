"""Hypothesis strategies: labels, scores and weights, with ties and extreme values."""

import numpy as np
from hypothesis import strategies as st

SCORES = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(allow_nan=False),
    st.sampled_from([-0.0, 0.0, np.inf, -np.inf, 1.0, np.nextafter(1.0, 2.0), 5e-324, 1e308]),
)


@st.composite
def samples(draw, weights=True):
    """(y, s, w): 2 to 25 rows of both classes; scores also in single precision; w is None or, if `weights`, an array."""
    n = draw(st.integers(2, 25))
    y = np.array([0, 1] + draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2)))
    s = np.array(draw(st.lists(SCORES, min_size=n, max_size=n)))
    if draw(st.booleans()):
        s = np.clip(s, -1e38, 1e38).astype(np.float32)
    w = (
        np.array(draw(st.lists(st.sampled_from([0.25, 0.5, 1.0, 3.0]), min_size=n, max_size=n)))
        if weights and draw(st.booleans())
        else None
    )
    return y, s, w
