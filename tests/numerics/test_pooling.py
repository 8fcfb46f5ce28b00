"""aucbook._numerics.pooling: the kernels against the min-max formula, and the string below a path against its definition."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from isotonic_reference import minmax, quick_examples

from aucbook import convex_minorant
from aucbook._numerics.pooling import (
    expand_blocks,
    merge_falling_runs,
    merge_label_runs,
    pool,
    scan_blocks,
)
from aucbook._numerics.sorting import scan


@quick_examples
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=20).filter(
        lambda groups: any(w for _, w in groups)
    )
)
def test_kernels_take_groups_without_weight(groups):
    w = np.array([w for _, w in groups], float)
    s = np.array([min(p, w) for p, w in groups], float)
    weighted = w > 0
    sums = s.copy()
    weights = w.copy()
    end = np.arange(1, w.size + 1)
    k = pool(sums, weights, end, w.size)
    assert end[k - 1] == w.size and np.all(
        np.diff(sums[:k] / weights[:k]) > 0
    )  # pools are maximal: means strictly rise
    expand_blocks(sums, weights, end, k)
    np.testing.assert_array_equal(sums[weighted], minmax(s[weighted], w[weighted]))
    assert np.all(np.diff(sums) >= 0)


@quick_examples
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(-9, 9)), min_size=1, max_size=25).filter(
        lambda steps: any(dx for dx, _ in steps)
    )
)
@example([(0, -1), (0, 1), (1, 0)])  # down and up again on one vertical
def test_convex_minorant(steps):
    x, y = (np.r_[0.0, np.cumsum([step[i] for step in steps])] for i in (0, 1))
    c = convex_minorant(x, y)
    assert c[0] == 0 and c[-1] == x.size - 1 and np.all(np.diff(c) > 0)
    dx, dy = np.diff(x[c]), np.diff(y[c])
    assert np.all(dx[:-1] * dy[1:] > dy[:-1] * dx[1:])  # every corner turns
    for a, b in zip(c, c[1:]):  # and nothing lies below a piece
        assert np.all(
            (y[a : b + 1] - y[a]) * (x[b] - x[a]) >= (y[b] - y[a]) * (x[a : b + 1] - x[a])
        )


@pytest.mark.parametrize(
    "x, y, message",
    [
        ([0, 1, 2], [0, np.nan, 1], "y must be finite"),
        ([0, 1, np.inf], [0, 1, 1], "x must be finite"),
        ([0], [0], "the same length, at least 2, got 1 and 1"),
        ([0, 1], [0, 1, 2], "the same length, at least 2, got 2 and 3"),
        ([0, 2, 1], [0, 0, 1], "x must not fall: sort"),
        ([], [], "x must be a non-empty"),
    ],
)
def test_no_path(x, y, message):
    with pytest.raises(ValueError, match=message):
        convex_minorant(x, y)


def blocks(n):
    return np.empty(n), np.empty(n), np.empty(n, np.int64)


@quick_examples
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=20), st.booleans(), st.randoms())
def test_a_first_pass_merges_falling_runs_and_nothing_else(y, weighted, random):
    y = np.array(y, float)
    w = np.array([random.randint(1, 4) for _ in y], float) if weighted else None
    ones = np.ones(y.size) if w is None else w
    s, c, end = blocks(y.size)
    k, falls, size = merge_falling_runs(y, w, s, c, end)
    starts = np.r_[0, np.flatnonzero(np.diff(y) > 0) + 1]
    assert k == starts.size and end[:k].tolist() == [*starts[1:].tolist(), y.size]
    np.testing.assert_array_equal(s[:k], np.add.reduceat(y * ones, starts))
    np.testing.assert_array_equal(c[:k], np.add.reduceat(ones, starts))
    assert falls == (np.diff(y) < 0).sum() and size == np.abs(y).sum()


@quick_examples
@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=30))
def test_stretches_of_labels_are_the_same_blocks(y):
    y = np.array(y)
    s, c, end = blocks(y.size)
    fast = merge_label_runs(y, s, c, end)
    t, d, stop = blocks(y.size)
    slow = merge_falling_runs(y, None, t, d, stop)[0]
    assert fast == slow
    for ours, theirs in ((s, t), (c, d), (end, stop)):
        np.testing.assert_array_equal(ours[:fast], theirs[:slow])


@pytest.mark.parametrize(
    "y", [[0.5, 1, 0], [0, 1, 2], [1, 0, 0.5], [1, 2, 0], [0, 1, 0, np.nan], [2]]
)
def test_anything_but_labels_is_left_to_the_general_pass(y):
    assert merge_label_runs(np.array(y, float), *blocks(len(y))) == 0


@quick_examples
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=25
    )
)
def test_blocks_of_a_scan_are_its_tie_groups(rows):
    score, y, w = (np.array(column) for column in zip(*rows))
    w = w + (score == score.min())  # some weight at least
    thresholds, tp, fp = scan(y.astype(np.uint8), score.astype(float), w.astype(float))
    weigh = np.array(
        [[w[(score == t) & (y == c)].sum() for t in thresholds] for c in (1, 0)], float
    )
    keep = weigh.sum(0) > 0
    end = np.empty(tp.size, np.int64)
    k = pool(tp, fp, end, scan_blocks(tp, fp, end))
    expand_blocks(tp, fp, end, k)
    np.testing.assert_array_equal(tp[keep], minmax(-weigh[0][keep], weigh.sum(0)[keep]))
