"""The most violated ordering against every prefix, for ranges, ties, weights and bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aucbook.pauc import most_violated_ordering, range_weights

scores = st.lists(
    st.integers(-4, 4).map(lambda v: v / 2) | st.floats(-9, 9), min_size=1, max_size=9
)


def prefix(pos, neg, w, ranks=None):
    P = np.r_[0, np.cumsum(np.add(w, np.sort(neg)[::-1]))]
    if ranks is None:
        return sum(max(P[k] - k * s for k in range(len(neg) + 1)) for s in pos)
    return sum(P[k] - k * s for k, s in zip(ranks, pos))


@given(scores, scores, st.tuples(st.floats(0, 1), st.floats(0, 1)).filter(lambda r: r[0] < r[1]))
def test_the_best_prefix_for_every_positive(pos, neg, interval):
    w = [
        max(0.0, min(j / len(neg), interval[1]) - max((j - 1) / len(neg), interval[0])) * len(neg)
        for j in range(1, len(neg) + 1)
    ]
    ranks, value = most_violated_ordering(pos, neg, min_fpr=interval[0], max_fpr=interval[1])
    best = prefix(pos, neg, w)
    assert value == pytest.approx(best, abs=1e-9) and prefix(pos, neg, w, ranks) == pytest.approx(
        best, abs=1e-9
    )


@pytest.mark.kernel
def test_any_weighting():
    rng = np.random.default_rng(0)
    pos = rng.normal(size=50)
    neg = rng.normal(size=40)
    w = rng.random(40)
    ranks, value = most_violated_ordering(pos, neg, weights=w)
    assert value == pytest.approx(prefix(pos, neg, w), abs=1e-9) == prefix(pos, neg, w, ranks)


def test_weights_of_a_range():
    np.testing.assert_allclose(range_weights(4, min_fpr=0.125, max_fpr=0.625), [0.5, 1, 0.5, 0])
    np.testing.assert_allclose(
        range_weights(4, min_fpr=0.3, max_fpr=0.31), [0, 0.04, 0, 0], atol=1e-12
    )  # thinner than one negative
    assert range_weights(7, min_fpr=0.2, max_fpr=0.9).sum() == pytest.approx(4.9)


@pytest.mark.kernel
def test_separated_scores_have_no_violation_and_zero_scores_the_full_loss():
    assert most_violated_ordering([9, 9], [-9, -9])[1] == 0
    ranks, value = most_violated_ordering(np.zeros(5), np.zeros(20), max_fpr=0.1)
    assert value == pytest.approx(5 * 20 * 0.1) and ranks.tolist() == [2] * 5


def test_many_scores():
    rng = np.random.default_rng(0)
    pos, neg = rng.normal(size=500), rng.normal(size=1500)
    ranks, value = most_violated_ordering(pos, neg, min_fpr=0.05, max_fpr=0.2)
    assert value == pytest.approx(
        prefix(pos, neg, range_weights(1500, min_fpr=0.05, max_fpr=0.2)), rel=1e-12
    )
    assert (np.diff(ranks[np.argsort(pos)]) <= 0).all()


@pytest.mark.parametrize("m", [1, 2, 31])
def test_a_class_so_large_that_a_thread_sorts_it(m):
    rng = np.random.default_rng(m)
    pos, neg = (
        rng.normal(size=m).round(2),
        rng.normal(size=150_000).round(2),
    )  # ties within and across
    ranks, value = most_violated_ordering(pos, neg, min_fpr=0.1, max_fpr=0.3)
    P = np.r_[0, np.cumsum(range_weights(neg.size, min_fpr=0.1, max_fpr=0.3) + np.sort(neg)[::-1])]
    r = np.arange(neg.size + 1)
    best = sum(np.max(P - r * s) for s in pos)
    # sums of 1.5e5 terms
    assert value == pytest.approx(best, rel=1e-10) == np.sum(P[ranks] - ranks * pos)


@pytest.mark.parametrize(
    "pos, neg, extra, word",
    [
        ([1, np.nan], [1], {}, "pos_scores contains NaN"),
        ([1], [np.inf], {}, "finite"),
        ([], [1], {}, "non-empty"),
        ([1], [1], {"min_fpr": 0.5, "max_fpr": 0.5}, "min_fpr < max_fpr"),
        ([1], [1, 2], {"weights": [1]}, "weights"),
        ([1], [1, 2], {"weights": [-1, 2]}, "weights"),
        ([1], [1], {"weights": [0]}, "weights"),
    ],
)
def test_bad_input(pos, neg, extra, word):
    with pytest.raises(ValueError, match=word):
        most_violated_ordering(pos, neg, **extra)
