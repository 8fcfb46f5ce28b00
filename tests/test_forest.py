"""TreeRankForest and TreeRankBoost: scikit-learn's checks, the same answer for any n_jobs, out-of-bag scores, weights, bad input."""
import os
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from aucbook import roc_auc
from aucbook import forest
from aucbook.bagging import bootstrap_counts, drawn_rows, leaf_worth, rows_by_class
from aucbook.forest import count_columns, TreeRankForest
from aucbook.treerank_boost import duel_scores, TreeRankBoost
from aucbook.binning import Bins
from aucbook.treegrowing import axis_tree

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning",      # 64-bit random numbers wrap on purpose;
                                        "ignore:No row of one class:UserWarning")          # NumPy says so where numba is off
interpreted = bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0")))
compiled = pytest.mark.skipif(interpreted, reason="slow without compilation")
SMALL = 3 if interpreted else 10


@compiled
@parametrize_with_checks([TreeRankForest(n_estimators=10, random_state=0), TreeRankForest(n_estimators=3, smoothing=None, max_features=None, min_samples_leaf=5),
                          TreeRankBoost(n_estimators=3), TreeRankBoost(n_estimators=3, update="literal")])
def test_scikit_learn_conformance(estimator, check):
    check(estimator)


def data(n=300, seed=0, d=6):
    X, y = make_classification(n, d, n_informative=4, flip_y=0.1, random_state=seed)
    return np.round(X, 1), y                              # ties


@pytest.mark.parametrize("missing", [False, True])
def test_the_same_answer_for_any_number_of_threads(missing):
    X, y = data(120 if interpreted else 300)
    if missing:
        X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    models = [TreeRankForest(5, n_jobs=j, random_state=1).fit(X, y) for j in (None, 2, 3, -1)]
    for m in models[1:]:
        np.testing.assert_array_equal(m.oob_decision_function_, models[0].oob_decision_function_)
        np.testing.assert_array_equal(m.decision_function(X), models[0].decision_function(X))
        assert m.oob_score_ == models[0].oob_score_
    assert (models[0].decision_function(X) != TreeRankForest(5, random_state=2).fit(X, y).decision_function(X)).any()


def sample(y, seed, below=None, mine=None):
    counts, rows = np.empty(y.size, np.uint16), np.empty(y.size, np.int32)
    bootstrap_counts(y, np.argsort(y == 0, kind="stable").astype(np.int32) if mine is None else mine, below, seed, counts)
    return counts, rows[:drawn_rows(counts, rows)]


def test_a_bootstrap_keeps_the_classes_and_names_its_rows():
    y = np.r_[1, 0, 1, np.zeros(200)].astype(np.uint8)
    for seed in range(5):
        counts, rows = sample(y, seed)
        assert counts[y == 1].sum() == 2 and counts[y == 0].sum() == 201
        np.testing.assert_array_equal(rows, np.flatnonzero(counts))
    assert abs(np.mean([(sample(y, s)[0] == 0).mean() for s in range(10)]) - np.exp(-1)) < 0.06       # five standard errors of 2030 draws


@pytest.mark.kernel
def test_weights_are_chances_of_being_drawn():
    y = np.r_[np.ones(3), np.zeros(3)].astype(np.uint8)
    w = np.array([1, 2, 1, 5, 0, 5.0])
    below = np.r_[w[:3].cumsum(), w[3:].cumsum()]
    total = sum(sample(y, s, below)[0].astype(int) for s in range(400))
    assert total[4] == 0
    np.testing.assert_allclose(total / 1200, [0.25, 0.5, 0.25, 0.5, 0, 0.5], atol=0.06)          # four standard errors


def test_counts_are_repeated_rows():
    X, y = data()
    y = y.astype(np.uint8)
    fitted = Bins(X, layout="rows", max_rows=25_000); edges = fitted.edges
    bins, (counts, rows) = fitted.encode(X), sample(y, 7)
    repeated = np.repeat(np.arange(y.size, dtype=np.int32), counts)
    a = axis_tree(bins, edges, y, counts, rows.copy(), 5, 1, 6, 0)
    b = axis_tree(bins, edges, y, None, repeated, 5, 1, 6, 0)
    np.testing.assert_array_equal(np.sort(a.rates[a.leaves], 0), np.sort(b.rates[b.leaves], 0))
    assert a.curve.auc() == pytest.approx(b.curve.auc(), abs=1e-12)


@pytest.mark.parametrize("smoothing", [None, 0, 12.5, "oob"])
def test_out_of_bag_scores_are_those_of_the_trees_that_did_not_see_the_row(smoothing):
    X, y = data(150)
    model = TreeRankForest(SMALL, smoothing=smoothing, random_state=0).fit(X, y)
    seeds = np.random.RandomState(0).randint(2**31 - 1, size=(SMALL, 2))
    total, votes, mine = np.zeros(y.size), np.zeros(y.size), rows_by_class(Bins(X, layout="rows").encode(X), y)
    for tree, (seed, _) in zip(model.trees_, seeds):
        out = sample(y.astype(np.uint8), seed, mine=mine)[0] == 0
        total[out] += leaf_worth(tree, model.smoothing_)[tree.apply(X)][out]
        votes[out] += 1
    with np.errstate(invalid="ignore"):
        expected = total / votes - model._zero
    np.testing.assert_allclose(model.oob_decision_function_, expected, atol=2**-24)           # what rounding a score may cost
    seen = votes > 0
    assert model.oob_score_ == pytest.approx(roc_auc(y[seen], expected[seen]), abs=1e-3)      # rounding may tie or part neighbours
    assert model.oob_curve_.auc() == model.oob_score_


def test_the_score_is_the_mean_over_the_trees():
    X, y = data(150)
    for smoothing, value in ((None, "fpr"), (0, None)):
        model = TreeRankForest(SMALL, min_samples_leaf=3, smoothing=smoothing, random_state=0).fit(X, y)
        share = lambda t: t.rates[:, 0] / t.rates.sum(1)                       # no imaginary rows: the plain share
        expected = np.mean([(t.scores(value) if value else share(t))[t.apply(X)] for t in model.trees_], 0)
        np.testing.assert_allclose(model.decision_function(X) + model._zero, expected, atol=2**-24)
        assert model.feature_importances_.sum() == pytest.approx(np.mean([tree.gains.sum() / 2 for tree in model.trees_]))


def test_the_out_of_bag_auc_chooses_the_smoothing():
    X, y = data(200)
    model = TreeRankForest(SMALL, random_state=0).fit(X, y)
    aucs = {m: TreeRankForest(SMALL, smoothing=m, random_state=0).fit(X, y).oob_score_ for m in (1, 5, 25, 125, 625)}
    assert aucs[model.smoothing_] == max(aucs.values()) == model.oob_score_
    np.testing.assert_array_equal(model.decision_function(X), TreeRankForest(SMALL, smoothing=model.smoothing_, random_state=0).fit(X, y).decision_function(X))


@compiled
def test_a_large_table_chooses_the_smoothing_from_some_of_its_rows():
    rng = np.random.default_rng(0)
    y = (rng.random(30_000) < 0.2).astype(int)
    model = TreeRankForest(4, n_jobs=2, random_state=0).fit(rng.normal(size=(y.size, 2)) + y[:, None], y)
    assert 0.78 < model.oob_score_ < 0.845                                     # the optimum of two unit shifts is Phi(1) = .841


def test_float32_and_column_order_change_nothing():
    X, y = data(120)
    X = X.astype(np.float32)
    models = [TreeRankForest(3, random_state=0).fit(Z, y) for Z in (X, np.asfortranarray(X), X.astype(float), pd.DataFrame(X).to_numpy()[:, ::1])]
    for model in models[1:]:
        np.testing.assert_array_equal(model.decision_function(X), models[0].decision_function(X))


def test_zero_weight_is_absence_and_scale_is_nothing():
    X, y = data()
    w = np.random.default_rng(0).integers(0, 3, y.size) / 4                # not whole: chances, not copies
    keep = w > 0
    a = TreeRankForest(SMALL, random_state=0).fit(X, y, sample_weight=w)
    b = TreeRankForest(SMALL, random_state=0).fit(X[keep], y[keep], sample_weight=w[keep] / 8)
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    assert np.isnan(a.oob_decision_function_[~keep]).all()
    np.testing.assert_array_equal(a.oob_decision_function_[keep], b.oob_decision_function_)
    one = TreeRankForest(SMALL, random_state=0).fit(X, y, sample_weight=np.full(y.size, 0.3))
    np.testing.assert_array_equal(one.decision_function(X), TreeRankForest(SMALL, random_state=0).fit(X, y).decision_function(X))


@pytest.mark.parametrize("update", ["pairwise", "literal"])
def test_boosting_weights_are_repetitions(update):
    X, y = data(100)
    w = np.random.default_rng(0).integers(0, 3, y.size)
    a = TreeRankBoost(3, update, min_samples_leaf=1).fit(X, y, sample_weight=w)
    b = TreeRankBoost(3, update, min_samples_leaf=1).fit(np.repeat(X, w, 0), np.repeat(y, w))
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-9)     # the same sums in another order


def test_the_pairwise_bound_holds_and_falls():
    X, y = data()
    model = TreeRankBoost(SMALL).fit(X, y)
    bound = model.history_["bound"]
    assert (np.diff(bound) < 0).all() and len(bound) == len(model.trees_)
    for b, s in zip(bound, model.staged_decision_function(X)):
        assert 1 - roc_auc(y, s) <= b
    assert (model.feature_importances_ >= 0).all()


@pytest.mark.kernel
def test_a_duel_is_the_papers_signed_vote():
    rng = np.random.default_rng(0)
    S, R, a = rng.integers(0, 3, (9, 3)) / 2, rng.integers(0, 3, (5, 3)) / 2, np.array([0.5, 1.0, 0.25])
    out = np.empty(9)
    duel_scores(S, R, np.full(5, 0.2), a, out)
    expected = [np.mean([np.sign(sum(a * np.sign(s - r))) for r in R]) for s in S]
    np.testing.assert_allclose(out, expected)


@pytest.mark.kernel
def test_a_perfect_column_and_a_useless_one():
    X, y = data(100)
    X[:, 2] = y
    for model in (TreeRankForest(SMALL, max_features=None, random_state=0), TreeRankBoost(3), TreeRankBoost(3, "literal")):
        model.fit(X, y)
        assert roc_auc(y, model.decision_function(X)) == 1 and (model.predict(X) == y).all()
    flat = np.c_[np.ones(100), np.full(100, np.nan)]
    for model in (TreeRankForest(3, random_state=0), TreeRankBoost(3)):
        assert np.ptp(model.fit(flat, y).decision_function(flat)) == 0
        assert (model.feature_importances_ == 0).all()


@pytest.mark.kernel
def test_one_row_of_a_class_is_never_out_of_the_bag():
    X, y = data(60)
    y[:] = 0
    y[5] = 1
    with pytest.warns(UserWarning, match="out-of-bag"):
        model = TreeRankForest(3, random_state=0).fit(X, y)
    assert np.isnan(model.oob_score_) and model.oob_curve_ is None and np.isfinite(model.decision_function(X)).all()


def test_pickle_labels_and_search():
    X, y = data(150)
    for model in (TreeRankForest(3, random_state=0), TreeRankBoost(3)):
        model.fit(X, np.where(y == 1, "sick", "healthy"))
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))
        assert list(model.classes_) == ["healthy", "sick"] and set(model.predict(X)) <= {"healthy", "sick"}
        clone(model)
    if not interpreted:
        GridSearchCV(TreeRankForest(5), {"max_features": [1, 0.5, None]}, scoring="roc_auc", cv=2).fit(X, y)


@pytest.mark.kernel
def test_other_columns_are_named():
    X, y = data(80)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    for model in (TreeRankForest(2, random_state=0), TreeRankBoost(2)):
        model.fit(frame, y)
        with pytest.raises(ValueError, match="zebra"):
            model.decision_function(frame.rename(columns={"c": "zebra"}))
        with pytest.raises(ValueError, match="5 features"):
            model.decision_function(X[:, :5])


@pytest.mark.parametrize("model", [TreeRankForest, TreeRankBoost])
@pytest.mark.parametrize("keywords, fit, word", [
    ({"n_estimators": 0}, {}, "n_estimators"), ({"n_estimators": 2.5}, {}, "n_estimators"), ({"max_depth": 0}, {}, "max_depth"), ({"min_samples_leaf": 0}, {}, "min_samples_leaf"),
    ({}, {"y": np.zeros(60)}, "1 class"), ({}, {"y": np.arange(60) % 3}, "3 class"), ({}, {"X": np.full((60, 6), np.inf)}, "infinity"),
    ({}, {"sample_weight": -np.ones(60)}, "[Nn]egative"), ({}, {"X": np.array([["red"] * 6] * 60, object)}, "encode it first"),
])
def test_bad_input_is_named(model, keywords, fit, word):
    X, y = data(60)
    with pytest.raises(ValueError, match=word):
        model(**keywords).fit(**{"X": X, "y": y, **fit})


@pytest.mark.parametrize("value", [0, 7, 0.0, 1.5, -1, "all", True, float("nan")])
def test_max_features_out_of_range(value):
    X, y = data(60)
    with pytest.raises(ValueError, match="max_features"):
        TreeRankForest(2, max_features=value).fit(X, y)


def test_max_features_in_range():
    X, y = data(60)
    for value, k in ((1, 1), (6, 6), (0.5, 3), (0.01, 1), (1.0, 6), ("sqrt", 3), (None, 6)):
        assert count_columns(value, 6) == k
    for value in (-1, "auto", float("nan")):
        with pytest.raises(ValueError, match="smoothing"):
            TreeRankForest(2, smoothing=value).fit(X, y)
    with pytest.raises(ValueError, match="update"):
        TreeRankBoost(update="both").fit(X, y)


def test_the_order_of_the_table_does_not_matter():
    X, y = data(150)
    shuffled = np.random.default_rng(0).permutation(y.size)
    a, b = TreeRankForest(SMALL, random_state=0).fit(X, y), TreeRankForest(SMALL, random_state=0).fit(X[shuffled], y[shuffled])
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))


def test_whole_weights_are_copies():
    X, y = data(120)
    w = np.random.default_rng(0).integers(0, 4, y.size)
    a = TreeRankForest(SMALL, random_state=0).fit(X, y, sample_weight=w)
    b = TreeRankForest(SMALL, random_state=0).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    assert a.oob_score_ == b.oob_score_
    assert a.oob_decision_function_.shape == y.shape and np.isnan(a.oob_decision_function_[w == 0]).all()
    start = np.r_[0, np.cumsum(w)]
    for i in np.flatnonzero(w):                           # the mean over the copies of row i that some tree did not see
        copies = b.oob_decision_function_[start[i]:start[i + 1]]
        copies = copies[~np.isnan(copies)]
        assert copies.size == 0 or a.oob_decision_function_[i] == pytest.approx(copies.mean(), abs=1e-12)


@pytest.mark.parametrize("model", [TreeRankForest(20, random_state=0), TreeRankBoost(20)])
def test_an_interrupted_fit_keeps_the_trees_done(model, monkeypatch):
    X, y = data(150)
    whole = clone(model).fit(X, y)
    calls, grow = [], forest._axis_tree

    def impatient(*arguments):
        calls.append(1)
        if len(calls) > 9:
            raise KeyboardInterrupt
        return grow(*arguments)
    monkeypatch.setattr(forest, "_axis_tree", impatient)
    with pytest.warns(UserWarning, match="interrupted"):
        model.fit(X, y)
    assert 0 < len(model.trees_) <= 9 and np.isfinite(model.decision_function(X)).all()
    np.testing.assert_array_equal(model.trees_[0].rates, whole.trees_[0].rates)


@pytest.mark.kernel
def test_interrupted_before_the_first_tree(monkeypatch):
    def impatient(*arguments):
        raise KeyboardInterrupt
    monkeypatch.setattr(forest, "_axis_tree", impatient)
    model = TreeRankForest(3)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*data(50))
    with pytest.raises(NotFittedError):
        model.decision_function(data(50)[0])
