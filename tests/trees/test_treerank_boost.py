"""TreeRankBoost: weights, the bound of the pairwise update, the paper's duels; what it shares with the forest is in test_forest."""

import os

import numpy as np
import pytest
from labelled_rows import tied_clustered_rows as data
from sklearn.datasets import make_classification

from aucbook import TreeRankBoost, roc_auc
from aucbook.trees.treerank_boost import duel_scores

pytestmark = pytest.mark.kernel  # small enough to run uncompiled

SMALL = 3 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 10


@pytest.mark.parametrize("update", ["pairwise", "literal"])
def test_boosting_weights_are_repetitions(update):
    X, y = data(100)
    w = np.random.default_rng(0).integers(0, 3, y.size)
    a = TreeRankBoost(3, update=update, min_samples_leaf=1).fit(X, y, sample_weight=w)
    b = TreeRankBoost(3, update=update, min_samples_leaf=1).fit(np.repeat(X, w, 0), np.repeat(y, w))
    np.testing.assert_allclose(
        a.decision_function(X), b.decision_function(X), atol=1e-9
    )  # the same sums in another order


def test_the_pairwise_bound_holds_and_falls():
    X, y = data()
    model = TreeRankBoost(SMALL, update="pairwise").fit(X, y)
    bound = model.history_["bound"]
    assert (np.diff(bound) < 0).all() and len(bound) == len(model.trees_)
    for b, s in zip(bound, model.staged_decision_function(X)):
        assert 1 - roc_auc(y, s) <= b
    assert (model.feature_importances_ >= 0).all()


def test_a_duel_is_the_papers_signed_vote():
    rng = np.random.default_rng(0)
    S = rng.integers(0, 3, (9, 3)) / 2
    R = rng.integers(0, 3, (5, 3)) / 2
    a = np.array([0.5, 1.0, 0.25])
    out = np.empty(9)
    duel_scores(S, R, np.full(5, 0.2), a, out)
    expected = [np.mean([np.sign(sum(a * np.sign(s - r))) for r in R]) for s in S]
    np.testing.assert_allclose(out, expected)


def printed_tree(X, y, omega, D):
    """Paper 4, section IV-A on weighted rows, written as a recursion: place 2^D - k of each row."""
    place = np.zeros(len(y))

    def halve(rows, d, k):
        if d == D:
            place[rows] = 2**D - k
            return
        m, n = omega[rows & (y == 1)].sum(), omega[rows & (y == 0)].sum()
        candidates = []
        for x in X.T:
            for v in np.unique(x[rows])[1:]:
                up = rows & (x >= v)
                for C in (up, rows & ~up):
                    gain = n * omega[C & (y == 1)].sum() - m * omega[C & (y == 0)].sum()
                    if gain > 1e-12 * m * n:
                        candidates.append((round(gain, 12), round(omega[C].sum(), 12), C))
        half = (
            max(candidates, key=lambda f: f[:2])[2] if candidates else rows
        )  # Remark 10: else all to the left
        halve(half, d + 1, 2 * k)
        halve(rows & ~half, d + 1, 2 * k + 1)

    halve(np.ones(len(y), bool), 0, 0)
    return place


@pytest.mark.parametrize(
    "depth, weighted, coarse", [(1, False, False), (2, True, False), (3, False, False), (3, 0, 1)]
)
def test_literal_is_the_printed_algorithm(depth, weighted, coarse):
    X, y = data(40)
    X = (X[:, :1] > 0) * 1.0 if coarse else X  # coarse: one cut, and yet places from 2^3 on
    w = np.random.default_rng(1).random(40) if weighted else np.ones(40)
    model = TreeRankBoost(4, update="literal", max_depth=depth).fit(X, y, w)
    omega, vote = w / np.where(y == 1, w[y == 1].sum(), w[y == 0].sum()), 0
    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    for m, staged in enumerate(model.staged_decision_function(X)):
        s = printed_tree(X, y, omega, depth)
        L = sum(omega[i] * omega[j] for i in pos for j in neg if s[i] < s[j])
        a = np.log((1 - L) / L)
        np.testing.assert_allclose(
            [model.history_["error"][m], model.weights_[m]], [L, a], rtol=1e-9
        )
        omega = omega * np.exp(-L * s)
        omega /= np.where(y == 1, omega[y == 1].sum(), omega[y == 0].sum())
        vote = vote + a * np.sign(s[:, None] - s[neg])
        expected = np.sign(vote) @ w[neg] / w[neg].sum()
        np.testing.assert_allclose(staged + model._zero, expected, atol=1e-9)
    assert m == 3 or coarse


def test_literal_asks_all_negatives():
    X = np.random.default_rng(0).integers(0, 9, (2300, 2)) + 0.0
    y = np.arange(2300) % 2
    X[y == 1] += 1
    model = TreeRankBoost(2, update="literal", max_depth=2).fit(X, y)
    vote = 0
    for tree, a in zip(model.trees_, model.weights_):
        place = np.argsort(tree.leaves)[np.searchsorted(np.sort(tree.leaves), tree.apply(X))]
        vote = vote + a * np.sign(place[y == 0] - place[:, None])
    expected = np.sign(vote).mean(1)
    ours = model.decision_function(X)
    np.testing.assert_allclose(ours - ours[0], expected - expected[0], atol=1e-12)


def test_literal_weights_of_deep_trees_stay_finite():
    X, y = data()
    model = TreeRankBoost(3, update="literal", max_depth=40).fit(
        X, y
    )  # factors down to exp(-2^40 L)
    assert np.isfinite(model.weights_).all() and np.isfinite(model.decision_function(X)).all()
    with pytest.raises(ValueError, match="at most 50 levels, got 51"):
        TreeRankBoost(3, update="literal", max_depth=51).fit(X, y)
    TreeRankBoost(1, update="pairwise", max_depth=51).fit(X, y)


def test_rounds_end_when_no_tree_beats_chance():
    X, y = np.array([[0.0], [1]] * 20), np.arange(40) % 2
    model = TreeRankBoost(50, update="pairwise").fit(X, y)  # a perfect column
    assert (
        len(model.trees_) == len(model.weights_) == len(model.history_["error"]) <= 50
        and (model.predict(X) == y).all()
    )
    with pytest.warns(UserWarning, match="same score"):
        flat = TreeRankBoost(50, update="pairwise").fit(
            np.ones((40, 1)), y
        )  # no cut at all: one tree, the root
    assert len(flat.trees_) == 1 and flat.trees_[0].leaves.size == 1


def test_newtons_bound_lies_above_the_pairs_in_error():
    X, y = data()
    model = TreeRankBoost(SMALL, random_state=0).fit(X, y)
    for b, s in zip(model.history_["bound"], model.staged_decision_function(X)):
        assert 1 - roc_auc(y, s) <= b
    np.testing.assert_array_equal(s, model.decision_function(X))
    assert model.history_["bound"][-1] < 0.9 and (model.weights_ == 0.1).all()


def test_newton_counts_whole_weights_as_copies_and_forgets_the_order():
    X, y = data(150)
    w = np.random.default_rng(0).integers(0, 4, y.size)
    shuffled = np.random.default_rng(1).permutation(y.size)
    model = TreeRankBoost(SMALL, random_state=0)
    plain, weighted = (model.fit(X, y, sample_weight=w).decision_function(X) for w in (None, w))
    np.testing.assert_array_equal(
        weighted, model.fit(np.repeat(X, w, axis=0), np.repeat(y, w)).decision_function(X)
    )
    np.testing.assert_array_equal(plain, model.fit(X[shuffled], y[shuffled]).decision_function(X))
    alike = np.full(y.size, 0.3)  # a common factor is nothing
    np.testing.assert_array_equal(plain, model.fit(X, y, sample_weight=alike).decision_function(X))


@pytest.mark.compiled
def test_newton_ranks_better_than_ten_pairwise_trees_where_lines_are_curved():
    X, y = make_classification(1200, 20, n_informative=8, n_clusters_per_class=4, random_state=0)
    train, test = slice(0, 600), slice(600, None)
    auc = [
        roc_auc(y[test], model.fit(X[train], y[train]).decision_function(X[test]))
        for model in (TreeRankBoost(random_state=0), TreeRankBoost(update="pairwise"))
    ]
    assert auc[0] > auc[1] + 0.02


def test_newton_with_one_positive_few_rows_or_no_cut():
    X, y = data(60)
    y[:] = np.arange(60) == 7
    assert np.isfinite(TreeRankBoost(SMALL, random_state=0).fit(X, y).decision_function(X)).all()
    few = TreeRankBoost(random_state=0).fit(
        X[:12], np.arange(12) % 2
    )  # six rows a tree: leaves of one
    assert np.ptp(few.decision_function(X)) > 0
    with pytest.warns(UserWarning, match="same score"):
        flat = TreeRankBoost(SMALL, random_state=0).fit(np.ones((40, 1)), np.arange(40) % 2)
    assert len(flat.trees_) == 1 and flat.trees_[0].leaves.size == 1


@pytest.mark.parametrize(
    "keywords",
    [
        {"learning_rate": 0},
        {"learning_rate": 1.5},
        {"subsample": 0},
        {"max_features": 7},
        {"smoothing": -1},
    ],
)
def test_newtons_parameters_are_checked(keywords):
    X, y = data(60)
    with pytest.raises(ValueError, match=next(iter(keywords))):
        TreeRankBoost(**keywords).fit(X, y)


def test_updates_know_their_usual_size():
    X, y = data(120)
    for update, rounds, depth in (("pairwise", 10, 3), ("literal", 10, 3), ("newton", 200, 8)):
        model = TreeRankBoost(update=update, random_state=0).fit(X, y)
        assert (
            len(model.trees_) <= rounds and max(tree.depth.max() for tree in model.trees_) <= depth
        )
    assert len(model.trees_) == 200
