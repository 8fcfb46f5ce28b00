"""RankTree: the order of the leaves, both walks, shares smoothed towards the parent, trees pruned and re-ordered."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aucbook import TreeRank
from aucbook._base.ranker import resolve_feature_names
from aucbook.theory import make_gauss2d
from aucbook.trees.tree import (
    RankTree,
    ValueRule,
    column_importances,
    leaf_values,
    leaves_in_order,
    smooth_shares,
    tree_words,
)


def from_left_to_right(left, node=0):
    return (
        [node]
        if left[node] == 0
        else from_left_to_right(left, left[node]) + from_left_to_right(left, left[node] + 1)
    )


@given(st.integers(0, 10**6), st.integers(0, 40))
@settings(max_examples=40)
def test_leaves_from_left_to_right(seed, cuts):
    rng, left = np.random.default_rng(seed), [0]
    for _ in range(cuts):
        left[rng.choice(np.flatnonzero(np.equal(left, 0)))] = len(left)
        left += [0, 0]
    left = np.array(left)
    assert leaves_in_order(left).tolist() == from_left_to_right(left)


def chain():
    """Three leaves: best above 2 of column 0; then column 1 known; the rest."""
    return RankTree(
        np.array([0, -1, 1, -1, -1]),
        np.array([2, -np.inf, -np.inf, -np.inf, -np.inf]),
        np.array([True] * 5),
        np.array([False] * 5),
        np.array([1, 0, 3, 0, 0]),
        np.array([[6, 8], [3, 0], [3, 8], [2, 4], [1, 4.0]]),
        np.array([14, 3, 11, 6, 5]),
    )


def test_what_follows_from_children_and_masses():
    tree = chain()
    assert tree.leaves.tolist() == [1, 3, 4] and tree.depth.tolist() == [0, 1, 1, 2, 2]
    np.testing.assert_allclose(tree.rates[3], [1 / 3, 0.5])
    np.testing.assert_allclose(tree.gains, [0.5, 0, 1 * 1 / 3 - 0.5 * 0.5, 0, 0], atol=1e-12)
    assert tree.curve.auc() == pytest.approx(0.5 + tree.gains.sum() / 2, abs=1e-12)
    assert (
        tree.scores("rank")[[1, 3, 4]].tolist() == [4, 2, 1]
        and np.isnan(tree.scores("rank")[[0, 2]]).all()
    )
    np.testing.assert_allclose(tree.scores("fpr")[[1, 3, 4]], [1, 0.75, 0.25])
    np.testing.assert_allclose(tree.scores("posterior")[[1, 3, 4]], [1, 1 / 3, 0.2])
    scores, posterior = leaf_values(tree, "fpr")
    assert scores[1] > 0 > scores[3] and posterior[1] == 1
    np.testing.assert_allclose(column_importances(tree, 2), tree.gains[[0, 2]] / 2)


def test_walks_with_thresholds_and_with_rules():
    tree = chain()
    X = np.array([[3, 0], [2, np.nan], [1, 5], [np.nan, 5], [1, np.nan]])
    assert tree.apply(X).tolist() == [1, 1, 3, 3, 4]
    tree.rules = {2: ValueRule(1, 4.0, True, False)}  # a rule takes the place of a threshold
    assert tree.apply(np.r_[X, [[1, 3]]]).tolist() == [1, 1, 3, 3, 4, 4]


def test_folded_and_reordered_trees_are_new_ones():
    tree = chain()
    small = tree.folded(np.array([True, False, False, False, False]))
    assert (
        small.left.tolist() == [1, 0, 0]
        and small.mass.tolist() == [[6, 8], [3, 0], [3, 8]]
        and tree.left.size == 5
    )
    other = tree.with_leaves(np.array([4, 3, 1]), 7.0)
    assert (
        other.shaken
        and other.smoothing == 7
        and not tree.shaken
        and other.curve.auc() < tree.curve.auc()
    )
    assert tree.folded(tree.left > 0).left.tolist() == tree.left.tolist()


def test_shares_lean_on_the_parent():
    tree = chain()
    np.testing.assert_allclose(
        smooth_shares(tree, 0)[[1, 3, 4]], tree.rates[[1, 3, 4], 0] / tree.rates[[1, 3, 4]].sum(1)
    )
    big = smooth_shares(tree, 1e9)
    np.testing.assert_allclose(big, 0.5, atol=1e-6)
    empty = RankTree(
        *(a[:1] for a in (tree.column, tree.threshold, tree.above, tree.missing)),
        np.zeros(1, int),
        tree.mass[:1],
        tree.rows[:1],
    )
    assert smooth_shares(empty, 3).tolist() == [0.5]


def test_words():
    tree = chain()
    assert tree.words(0, ["a", "b"]) == ["a >= 2", "a < 2"]
    assert tree.words(2, ["a", "b"]) == ["b known", "b missing"]
    assert tree_words(tree, ["a", "b"])[1:3] == ["|-- a >= 2: 3 : 0   place 1", "|-- a < 2: 3 : 8"]
    model = TreeRank(1).fit(*make_gauss2d(50, random_state=0))
    assert resolve_feature_names(model, None) == ["x0", "x1"]
    with pytest.raises(ValueError, match="3 names for 2 columns"):
        resolve_feature_names(model, "abc")
