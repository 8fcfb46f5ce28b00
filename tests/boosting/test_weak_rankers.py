"""Weak rankers: Lemma 4, what a search guarantees, and two rankers as estimators."""

import pickle

import numpy as np
import pytest
from contract import broken
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import clustered_rows as data
from sklearn.base import BaseEstimator
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression

from aucbook import AUCBoost, MartiRank, PAVAdaBoost, roc_auc
from aucbook._base.ranker import FittedScores
from aucbook.boosting import FeatureRanker, ProjectionRanker
from aucbook.boosting.weak_rankers import (
    BinnedColumns,
    FoundCut,
    RefittedRanker,
    SortedColumns,
    scores_by,
    two_sided,
)


@pytest.mark.slow
def test_scikit_learns_contract():
    assert broken(FeatureRanker(n_bins=16)) == {}


@given(st.floats(0, 1), st.floats(0, 1))
def test_lemma_4_errs_equally_on_both_classes(p_plus, p_minus):
    below, above, r = two_sided(p_plus, p_minus)
    on_positives = (1 - p_plus) * above + p_plus * below  # mean answer times label +1
    on_negatives = -(p_minus * above + (1 - p_minus) * below)
    assert on_positives == pytest.approx(on_negatives, abs=1e-12) == pytest.approx(r, abs=1e-12)
    assert -1 <= below <= above <= 1 or p_plus + p_minus > 1


@pytest.mark.parametrize(
    "ranker", [FeatureRanker(), FeatureRanker(n_bins=16), ProjectionRanker(random_state=0)]
)
def test_weak_rankers_find_the_feature_that_matters(ranker):
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    X = np.column_stack([rng.normal(size=300), -3.0 * y + rng.normal(size=300)])
    ranker.fit(X, y)
    # Phi(3 / sqrt 2) = .983 along the column; some of 20 directions in the plane lies within 18 degrees of it
    assert roc_auc(y, ranker.decision_function(X)) > 0.95 and np.mean(ranker.predict(X) == y) > 0.85
    if isinstance(ranker, FeatureRanker):
        assert (ranker.column_, ranker.sign_) == (1, -1)


def test_no_advantage_of_a_weak_ranker_gives_a_warning():
    with pytest.warns(UserWarning, match="No column is better than chance"):
        ranker = FeatureRanker().fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    assert (ranker.decision_function(np.ones((3, 2))) == 0).all()


@pytest.mark.parametrize(
    "ranker, word",
    [(FeatureRanker(n_bins=1), "n_bins"), (ProjectionRanker(n_projections=0), "n_projections")],
)
def test_bad_parameters_of_weak_rankers(ranker, word):
    with pytest.raises(ValueError, match=word):
        ranker.fit(*data())


def searches(X):
    return [
        SortedColumns(X),
        BinnedColumns(X, 255),
        RefittedRanker(X, LogisticRegression(), np.random.RandomState(0)),
    ]


@pytest.mark.parametrize("seed", range(6))
def test_a_found_split_has_its_stated_rates(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3)) if seed % 2 else rng.integers(0, 4, (40, 3)) * 1.0
    y = (np.arange(40) % 3 == 0).astype(np.uint8)
    w = rng.exponential(size=40)
    signed = np.where(y == 1, w / w[y == 1].sum(), -w / w[y == 0].sum())
    for search in searches(X):
        best = search(y, signed, 0.5)
        assert isinstance(best, FoundCut)
        s = scores_by(best.ranker, X)
        tpr = signed[best.alarm & (y == 1)].sum()
        fpr = -signed[best.alarm & (y == 0)].sum()
        np.testing.assert_array_equal(s >= best.edge, best.alarm)
        np.testing.assert_allclose(
            best.rates, (tpr, fpr), atol=1e-12
        )  # sums of 40 weights in another order
        assert best.advantage == pytest.approx(
            roc_auc(y, s, sample_weight=np.abs(signed)) - 0.5, abs=1e-12
        )


def test_nothing_is_found_where_nothing_beats_chance():
    X, y = np.ones((4, 2)), np.array([0, 1, 0, 1], np.uint8)
    assert [search(y, np.where(y == 1, 0.5, -0.5), 0.5) for search in searches(X)] == [None] * 3


class Doubled(AUCBoost):
    """A booster of a user: any callable is a search."""

    def _search(self, X, rng):
        inner = SortedColumns(X)
        return lambda y, signed, share: inner(y, signed, share)


def test_any_callable_is_a_search():
    X, y = data()
    np.testing.assert_array_equal(
        Doubled(n_estimators=5).fit(X, y).decision_function(X),
        AUCBoost(n_estimators=5, n_bins=None).fit(X, y).decision_function(X),
    )


class OnlyPredicts(BaseEstimator):
    def fit(self, X, y, sample_weight=None):
        self.at_ = np.average(X[:, 0], weights=sample_weight)
        return self

    def predict(self, X):
        return X[:, 0] - self.at_


class Duck:
    """Neither a scikit-learn estimator nor one that leaves a fitted attribute."""

    def get_params(self, deep=True):
        return {}

    def fit(self, X, y, sample_weight=None):
        return self

    def decision_function(self, X):
        return X[:, 0]


def test_scores_come_from_the_best_method_there_is():
    X, y = data()
    logistic = LogisticRegression().fit(X, y)
    np.testing.assert_array_equal(FittedScores(logistic).scores(X), logistic.decision_function(X))
    line = LinearRegression().fit(X, y)
    np.testing.assert_array_equal(FittedScores(line).scores(X), line.predict(X))
    first = AUCBoost(Duck(), n_estimators=1).fit(X, y).history_["advantage"][0]
    assert first == pytest.approx(
        roc_auc(y, X[:, 0]) - 0.5, abs=1e-12
    )  # the same pairs, weighed in another order
    model = AUCBoost(OnlyPredicts(), n_estimators=2).fit(X, y)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(model)).decision_function(X), model.decision_function(X)
    )


@pytest.mark.parametrize("ranker", [FeatureRanker(), ProjectionRanker(random_state=0)])
def test_warnings_point_at_the_line_that_called(ranker):
    with pytest.warns(UserWarning, match="combines columns") as record:
        ranker.fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    assert [w.filename for w in record] == [__file__] and not np.any(
        ranker.decision_function(np.ones((3, 2)))
    )


@pytest.mark.parametrize("ranker", [AUCBoost, MartiRank, PAVAdaBoost])
@pytest.mark.parametrize("weak_ranker", ["stump", 3, LogisticRegression])
def test_a_weak_ranker_that_cannot_be_fitted_is_named(ranker, weak_ranker):
    X, y = make_classification(60, random_state=0)
    with pytest.raises(ValueError, match="weak_ranker must be None or a scikit-learn estimator"):
        ranker(weak_ranker=weak_ranker).fit(X, y)
