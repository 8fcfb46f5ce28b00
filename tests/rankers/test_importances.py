"""Importances of columns: one convention for every ranker that has them, and scikit-learn's selectors take it."""

import numpy as np
import pytest
from discovery import SMALL_DATA, all_rankers, document_rankers, small
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE, RFECV, SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from aucbook import RankingEnsemble, TreeRank
from aucbook._base.importances import importances_of, relative_importances
from aucbook._base.ranker import Ranker
from aucbook.text.documents import WeighedDocumentRanker

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def has_importances(name):
    model = small(name).fit(*SMALL_DATA)
    return hasattr(model, "feature_importances_") or hasattr(model, "coef_")


def compares_documents(name):
    return issubclass(all_rankers()[name], WeighedDocumentRanker)


# documents that are compared with each other have no columns of their own
with_columns = [name for name in all_rankers() if not compares_documents(name)]
each_ranker = pytest.mark.parametrize("name", with_columns)


def quick(name):
    """A ranker with quick settings, and rounds enough to find three columns."""
    model = small(name)
    enough = {"n_estimators": 12, "n_projections": 500}
    model.set_params(**{key: enough[key] for key in enough if key in model.get_params()})
    if name == "RankingEnsemble":
        model.set_params(rankers={"curves": small("AdditiveRanker"), "tree": TreeRank(4)})
    return model


def table(name, n=400):
    """(X, y): columns 0, 2 and 4 rise with the class, the other five are noise.

    Documents count words; coefficients can be compared where columns have one spread.
    """
    y = np.arange(n) % 2
    rise = np.array([3.0, 0, 3.0, 0, 3.0, 0, 0, 0])
    X = np.random.default_rng(0).poisson(2.0 + y[:, None] * rise) + 0.0
    return (X if name in document_rankers() else StandardScaler().fit_transform(X)), y


def test_only_rankers_of_compared_documents_have_none():
    without = [name for name in all_rankers() if not has_importances(name)]
    assert without == [name for name in all_rankers() if compares_documents(name)] != []


@each_ranker
def test_not_negative_with_sum_one_and_the_relevant_columns_first(name):
    X, y = table(name)
    model = quick(name).fit(X, y)
    shares = importances_of(model, X.shape[1])
    assert shares.shape == (X.shape[1],) and (shares >= 0).all()
    assert shares.sum() == pytest.approx(1)
    if hasattr(model, "feature_importances_"):
        assert model.feature_importances_.dtype == np.float64
        np.testing.assert_allclose(model.feature_importances_, shares, rtol=1e-12)
        assert not hasattr(model, "coef_")
    if name == "FeatureRanker":  # it has one column
        assert shares[[0, 2, 4]].max() == 1
    else:
        relevant, noise = shares[[0, 2, 4]], np.delete(shares, [0, 2, 4])
        assert relevant.sum() > 0.5 and relevant.mean() > 2 * noise.mean()


@each_ranker
def test_zero_where_nothing_is_learnt_and_a_reason_before_the_fit(name):
    model = quick(name)
    assert not hasattr(model, "feature_importances_") and not hasattr(model, "coef_")
    X, y = np.ones((60, 3)), np.arange(60) % 2
    try:
        model.fit(X, y)
    except ValueError:
        return  # nothing to learn is an error
    if hasattr(model, "feature_importances_"):
        assert model.feature_importances_.tolist() == [0.0] * 3


def test_unfitted():
    for name in with_columns:
        if isinstance(getattr(all_rankers()[name], "feature_importances_", None), property):
            with pytest.raises(NotFittedError):
                small(name).feature_importances_


@each_ranker
def test_selectors_of_scikit_learn(name):
    X, y = table(name)
    chosen = RFE(quick(name), n_features_to_select=3).fit(X, y).get_support(indices=True)
    assert len(chosen) == 3
    if name != "FeatureRanker":  # all but one of its columns have the same importance
        assert len({0, 2, 4} & set(chosen)) >= 2
    select = SelectFromModel(quick(name), threshold="mean").fit(X, y)
    assert {0, 2, 4} & set(select.get_support(indices=True))
    assert select.transform(X).shape == (len(X), select.get_support().sum())


@each_ranker
def test_rfecv(name):
    X, y = table(name, n=160)
    X = X[:, :4]
    search = RFECV(quick(name), cv=2, scoring="roc_auc", step=2).fit(X, y)
    assert 1 <= search.n_features_ <= 4 and search.support_[[0, 2]].any()


WEAK = {
    "AUCBoost": {"weak_ranker": DecisionTreeClassifier(max_depth=2)},
    "MartiRank": {"weak_ranker": LogisticRegression()},
    "PAVAdaBoost": {"weak_ranker": LogisticRegression()},
    "LinearAdaBoost": {"weak_ranker": DecisionTreeClassifier(max_depth=2)},
    "TreeRank": {"splitter": LogisticRegression()},
}


@pytest.mark.parametrize("name", WEAK)
def test_members_divide_their_rounds(name):
    X, y = table(name)
    shares = small(name, **WEAK[name]).fit(X, y).feature_importances_
    assert shares.sum() == pytest.approx(1) and (shares >= 0).all()
    assert shares[[0, 2, 4]].sum() > 0.6
    # naive Bayes does not say which columns it uses
    parameter = next(iter(WEAK[name]))
    blind = small(name).set_params(**{parameter: GaussianNB()}).fit(X, y)
    assert not hasattr(blind, "feature_importances_")
    with pytest.raises(AttributeError, match="GaussianNB has no importances"):
        blind.feature_importances_


def test_an_ensemble_needs_members_that_say_it():
    X, y = table("RankingEnsemble")
    members = {"tree": TreeRank(3), "line": make_pipeline(StandardScaler(), LogisticRegression())}
    model = RankingEnsemble(members, cv=2, combiner="mean", random_state=0).fit(X, y)
    trees, line = (
        importances_of(model.members_[name], X.shape[1]) * model.weights_[name] for name in members
    )
    np.testing.assert_allclose(model.feature_importances_, trees + line, rtol=1e-9)
    members["neighbours"] = KNeighborsClassifier()
    model = RankingEnsemble(members, cv=2, combiner="mean", random_state=0).fit(X, y)
    assert not hasattr(model, "feature_importances_")


def test_huge_and_zero():
    assert relative_importances(np.array([1e308, 1e308])).tolist() == [0.5, 0.5]
    assert relative_importances(np.zeros(2)).tolist() == [0, 0]


def test_the_base_class_has_none():
    assert not hasattr(Ranker, "feature_importances_")
