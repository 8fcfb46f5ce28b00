"""Isotonic regression by its min-max formula, and the number of examples that its tests try."""

import numpy as np
from hypothesis import settings
from numba import config

NO_JIT = bool(config.DISABLE_JIT)  # the kernels as plain Python: the same tests, smaller
quick_examples = settings(max_examples=60 if NO_JIT else 200, deadline=None)


def minmax(sums, weights):
    """Reference, from sums: q_i = max over a <= i of min over b >= i of the mean of a..b."""
    s, w = np.r_[0.0, np.cumsum(sums)], np.r_[0.0, np.cumsum(weights)]
    n = len(sums)
    return np.array(
        [
            max(
                min((s[b] - s[a]) / (w[b] - w[a]) for b in range(i + 1, n + 1))
                for a in range(i + 1)
            )
            for i in range(n)
        ]
    )
