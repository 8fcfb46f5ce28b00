"""TreeRankBoost: weights, the bound of the pairwise update, the paper's duels; what it shares with the forest is in test_forest."""

import os

import numpy as np
import pytest
from sklearn.datasets import make_classification

from aucbook import TreeRankBoost, roc_auc
from aucbook.treerank_boost import duel_scores

pytestmark = pytest.mark.kernel  # small enough to run uncompiled

SMALL = 3 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 10


def data(n=300, seed=0, d=6):
    X, y = make_classification(n, d, n_informative=4, flip_y=0.1, random_state=seed)
    return np.round(X, 1), y  # ties


@pytest.mark.parametrize("update", ["pairwise", "literal"])
def test_boosting_weights_are_repetitions(update):
    X, y = data(100)
    w = np.random.default_rng(0).integers(0, 3, y.size)
    a = TreeRankBoost(3, update, min_samples_leaf=1).fit(X, y, sample_weight=w)
    b = TreeRankBoost(3, update, min_samples_leaf=1).fit(np.repeat(X, w, 0), np.repeat(y, w))
    np.testing.assert_allclose(
        a.decision_function(X), b.decision_function(X), atol=1e-9
    )  # the same sums in another order


def test_the_pairwise_bound_holds_and_falls():
    X, y = data()
    model = TreeRankBoost(SMALL).fit(X, y)
    bound = model.history_["bound"]
    assert (np.diff(bound) < 0).all() and len(bound) == len(model.trees_)
    for b, s in zip(bound, model.staged_decision_function(X)):
        assert 1 - roc_auc(y, s) <= b
    assert (model.feature_importances_ >= 0).all()


def test_a_duel_is_the_papers_signed_vote():
    rng = np.random.default_rng(0)
    S, R, a = rng.integers(0, 3, (9, 3)) / 2, rng.integers(0, 3, (5, 3)) / 2, np.array([0.5, 1.0, 0.25])
    out = np.empty(9)
    duel_scores(S, R, np.full(5, 0.2), a, out)
    expected = [np.mean([np.sign(sum(a * np.sign(s - r))) for r in R]) for s in S]
    np.testing.assert_allclose(out, expected)


def test_rounds_end_when_no_tree_beats_chance():
    X, y = np.array([[0.0], [1]] * 20), np.arange(40) % 2
    model = TreeRankBoost(n_rounds=50).fit(X, y)  # a perfect column
    assert (
        len(model.trees_) == len(model.weights_) == len(model.history_["error"]) <= 50 and (model.predict(X) == y).all()
    )
    with pytest.warns(UserWarning, match="same score"):
        flat = TreeRankBoost(n_rounds=50).fit(np.ones((40, 1)), y)  # no cut at all: one tree, the root
    assert len(flat.trees_) == 1 and flat.trees_[0].leaves.size == 1
