"""Bagging: bootstrap samples, walks by arcs, votes that add up in any order, the zero of a score."""

import numpy as np
import pytest

from aucbook import TreeRank
from aucbook._numerics.binning import Bins
from aucbook.trees.bagging import (
    add_votes,
    ballot,
    bootstrap_counts,
    check_loaded_arcs,
    cumulative_weights,
    cuts_as_arcs,
    mean_of_votes,
    sum_votes,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore:overflow encountered:RuntimeWarning"
)  # 64-bit random numbers wrap on purpose; NumPy says so where numba is off


def sample(y, seed, below=None):
    counts, room = np.ones((2, y.size), np.uint16)  # what was there before is gone
    bootstrap_counts(
        np.argsort(y == 0, kind="stable").astype(np.int32), int(y.sum()), below, seed, counts, room
    )
    return counts


@pytest.mark.kernel
def test_a_bootstrap_keeps_the_classes():
    y = np.r_[1, 0, 1, np.zeros(200)].astype(np.uint8)
    for seed in range(5):
        counts = sample(y, seed)
        assert counts[y == 1].sum() == 2 and counts[y == 0].sum() == 201
    assert (
        abs(np.mean([(sample(y, s) == 0).mean() for s in range(10)]) - np.exp(-1)) < 0.06
    )  # five standard errors of 2030 draws


@pytest.mark.kernel
def test_weights_are_chances_of_being_drawn():
    y = np.r_[np.ones(3), np.zeros(3)].astype(np.uint8)
    below = cumulative_weights(np.array([1, 2, 1, 5, 0, 5.0]), np.arange(6), 3)
    total = sum(sample(y, s, below).astype(int) for s in range(400))
    assert total[4] == 0
    np.testing.assert_allclose(
        total / 1200, [0.25, 0.5, 0.25, 0.5, 0, 0.5], atol=0.06
    )  # four standard errors


@pytest.mark.parametrize("missing", [0, 0.3])
def test_arcs_lead_to_the_same_leaves_as_thresholds(missing):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 300, (150, 3)).astype(float)
    y = np.r_[0, 1, rng.integers(0, 2, 148)]
    X[rng.random(X.shape) < missing] = np.nan
    tree, bins = TreeRank(5).fit(X, y).tree_, Bins(X, layout="rows")
    total = np.zeros((150, 1))
    add_votes(
        bins.encode(X),
        np.arange(150),
        *cuts_as_arcs(tree, bins.table(np.inf), np.arange(tree.left.size, dtype=float)[:, None]),
        total,
    )
    np.testing.assert_array_equal(total[:, 0], tree.apply(X))


def test_a_split_that_leaves_one_child_empty():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    tree = TreeRank(4).fit(X, X[:, 0] > rng.normal(size=60)).tree_
    bins = Bins(X, layout="rows")
    number = np.arange(tree.left.size, dtype=float)[:, None]
    for threshold in (-np.inf, np.inf):
        tree.threshold[0] = threshold
        total = np.zeros((60, 1))
        walk = cuts_as_arcs(tree, bins.table(np.inf), number)
        check_loaded_arcs(walk, 2, "float64")
        add_votes(bins.encode(X), np.arange(60), *walk, total)
        np.testing.assert_array_equal(total[:, 0], tree.apply(X))


def test_a_word_has_room_for_a_million_columns():
    tree = TreeRank(1).fit([[0.0], [1.0]], [0, 1]).tree_
    table = np.broadcast_to(np.inf, (2**20 + 1, 255))
    with pytest.raises(ValueError, match="1048576 columns"):
        cuts_as_arcs(tree, table, np.zeros((3, 1)))


@pytest.mark.parametrize("n", [1, 5, 6, 7, 100])
def test_the_last_group_of_rows_votes_once(n):
    X = np.random.default_rng(0).normal(size=(100, 2))
    tree = TreeRank(6).fit(X, X[:, 0] > X[:, 1]).tree_
    bins = Bins(X, layout="rows")
    number = np.arange(tree.left.size, dtype=float)[:, None]
    walk = cuts_as_arcs(tree, bins.table(np.inf), number)
    total = sum_votes(bins.encode(X[:n]), [walk, walk], float)
    np.testing.assert_array_equal(total, 2 * tree.apply(X[:n]))


def test_votes_are_sums_in_any_order_and_no_votes_are_not_zero():
    X, y = np.arange(30.0)[:, None], np.arange(30) % 3 == 0
    votes = np.concatenate(
        [ballot(TreeRank(d).fit(X[d:], y[d:]).tree_, (5,))[:3, 0] for d in (1, 2, 3)]
    )
    assert (
        votes.sum() == votes[::-1].sum() and np.isnan(mean_of_votes(np.zeros(2, np.uint64))).all()
    )
    assert mean_of_votes(votes.sum(keepdims=True)) == pytest.approx(
        mean_of_votes(votes).mean(), abs=2**-24
    )
    repeated = np.full(20_001, votes[0])  # more than one piece
    assert (mean_of_votes(repeated) == mean_of_votes(votes[:1])).all()
