"""AUCBoost: scikit-learn's conformance checks, Paper 1's bounds, and bad input."""
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from aucbook import AUCBoost, roc_auc
from aucbook.aucboost import two_sided


@parametrize_with_checks([AUCBoost(n_rounds=5), AUCBoost(n_rounds=5, ranking="vote"), AUCBoost(DecisionTreeClassifier(max_depth=1), n_rounds=3)])
def test_scikit_learn_conformance(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)     # some checks fit constant data on purpose
        check(estimator)


def data(n=200, seed=0):
    return make_classification(n, 6, n_informative=3, flip_y=0.1, random_state=seed)


@given(st.floats(0, 1), st.floats(0, 1))
def test_lemma_4_errs_equally_on_both_classes(p_plus, p_minus):
    below, above, r = two_sided(p_plus, p_minus)
    on_positives = (1 - p_plus) * above + p_plus * below       # mean answer times label +1
    on_negatives = -(p_minus * above + (1 - p_minus) * below)
    assert on_positives == pytest.approx(on_negatives, abs=1e-12) == pytest.approx(r, abs=1e-12)
    assert -1 <= below <= above <= 1 or p_plus + p_minus > 1


@pytest.mark.parametrize("seed", range(5))
def test_theorem_2_bounds_the_training_auc_of_margin_and_vote(seed):
    X, y = data(seed=seed)
    model = AUCBoost(n_rounds=20).fit(X, y)
    for bound, margin in zip(model.history_["bound"], model.staged_decision_function(X)):
        assert roc_auc(y, margin) >= bound - 1e-12
        assert roc_auc(y, np.sign(margin)) >= bound - 1e-12
    assert (model.history_["error"] <= 0.5 - model.history_["advantage"] / 4 + 1e-12).all()      # Lemma 4


def test_staged_scores_end_in_the_decision_function():
    X, y = data()
    model = AUCBoost(n_rounds=7).fit(X, y)
    *_, last = model.staged_decision_function(X)
    np.testing.assert_array_equal(last, model.decision_function(X))
    assert model.n_rounds_ == len(model.weights_) == 7


def test_weights_are_repetitions():
    X, y = data()
    w = np.random.default_rng(0).integers(0, 3, len(y))
    a = AUCBoost(n_rounds=10).fit(X, y, sample_weight=w).decision_function(X)
    b = AUCBoost(n_rounds=10).fit(np.repeat(X, w, 0), np.repeat(y, w)).decision_function(X)
    np.testing.assert_allclose(a, b, atol=1e-9)      # the same sums in another order


def test_ranking_ignores_monotone_changes_of_columns():
    X, y = data()
    a, b = (AUCBoost(n_rounds=10).fit(Z, y).decision_function(Z) for Z in (X, np.exp(X)))
    np.testing.assert_allclose(a, b, atol=1e-9)


def test_a_perfect_column_ends_training():
    X, y = data()
    X[:, 2] = y
    model = AUCBoost().fit(X, y)
    assert model.n_rounds_ == 1 and roc_auc(y, model.decision_function(X)) == 1 and (model.predict(X) == y).all()


def test_any_estimator_is_a_weak_ranker_and_the_seed_decides():
    X, y = data()
    model = AUCBoost(DecisionTreeClassifier(max_depth=2, splitter="random"), n_rounds=5, random_state=3)
    a, b = (clone(model).fit(X, y).decision_function(X) for _ in range(2))
    np.testing.assert_array_equal(a, b)
    assert roc_auc(y, a) >= model.fit(X, y).history_["bound"][-1]


def test_pickle_and_label_kinds():
    X, y = data()
    model = AUCBoost(n_rounds=5).fit(X, np.where(y == 1, "sick", "healthy"))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))
    assert list(model.classes_) == ["healthy", "sick"] and set(model.predict(X)) <= {"healthy", "sick"}
    assert roc_auc(y, model.decision_function(X)) > 0.8


def test_no_advantage_is_said():
    with pytest.warns(UserWarning, match="No weak ranker beats chance"):
        model = AUCBoost().fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    assert (model.decision_function(np.ones((3, 2))) == 0).all()


@pytest.mark.parametrize("keywords, fit, word", [
    ({"ranking": "area"}, {}, "ranking"), ({"n_rounds": 0}, {}, "n_rounds"), ({}, {"y": np.zeros(200)}, "1 class"), ({}, {"y": np.arange(200) % 3}, "3 class"),
    ({}, {"sample_weight": -np.ones(200)}, "[Nn]egative"), ({}, {"X": np.full((200, 2), np.nan)}, "NaN"), ({}, {"y": [0, 1]}, "inconsistent"),
])
def test_bad_input_is_named(keywords, fit, word):
    X, y = data()
    with pytest.raises(ValueError, match=word):
        AUCBoost(**keywords).fit(**{"X": X, "y": y, **fit})


def test_weight_on_one_class_only():
    X, y = data()
    with pytest.raises(ValueError, match="one class"):
        AUCBoost().fit(X, y, sample_weight=y.astype(float))
