"""`class_weight` of every ranker: a parameter where it changes the model, a sentence where not."""

import inspect

import numpy as np
import pytest
from discovery import SMALL_DATA, all_rankers, small
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import compute_sample_weight

from aucbook import AdditiveRanker, TreeRank

RANKERS = all_rankers()
WEIGHED = [n for n, cls in RANKERS.items() if "class_weight" in inspect.signature(cls).parameters]
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def light(name, **parameters):
    """A quick ranker; an ensemble has two members that are quick, too."""
    if name == "RankingEnsemble":
        parameters["rankers"] = {"tree": TreeRank(3), "bayes": GaussianNB()}
    return small(name, **parameters)


def unbalanced():
    """(X, y, w): counts, a third of the rows positive, and weights."""
    X, y = SMALL_DATA
    rows = np.flatnonzero((y == 0) | (np.arange(y.size) % 4 == 1))
    w = np.random.default_rng(1).integers(1, 4, rows.size) * 1.0
    return X[rows], y[rows], w


@pytest.mark.parametrize("name", WEIGHED)
def test_class_weights_are_factors_of_the_weights(name):
    X, y, w = unbalanced()
    words = np.where(y == 1, "sick", "healthy")
    factors = {"healthy": 1.0, "sick": 3.0}
    model = light(name, class_weight=factors).fit(X, words, w)
    weighted = light(name).fit(X, words, w * np.where(y == 1, 3.0, 1.0))
    np.testing.assert_allclose(
        model.decision_function(X), weighted.decision_function(X), rtol=1e-9, atol=1e-9
    )
    assert not np.allclose(
        model.decision_function(X), light(name).fit(X, words, w).decision_function(X)
    )


@pytest.mark.parametrize("name", WEIGHED)
def test_balanced_without_weights_is_scikit_learns(name):
    X, y, _ = unbalanced()
    model = light(name, class_weight="balanced").fit(X, y)
    weighted = light(name).fit(X, y, compute_sample_weight("balanced", y))
    np.testing.assert_allclose(
        model.decision_function(X), weighted.decision_function(X), rtol=1e-9, atol=1e-9
    )


def test_balanced_counts_rows_by_their_weights():
    X, y, w = unbalanced()
    rows = np.repeat(np.arange(y.size), w.astype(int))
    weighted = TreeRank(3, class_weight="balanced").fit(X, y, w)
    repeated = TreeRank(3, class_weight="balanced").fit(X[rows], y[rows])
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))


@pytest.mark.parametrize("name", [n for n in RANKERS if n not in WEIGHED])
def test_without_the_parameter_the_docstring_says_that_classes_weigh_the_same(name):
    words = " ".join(RANKERS[name].__doc__.split())
    assert "Both classes have equal weight in the objective" in words and "`class_weight`" in words


@pytest.mark.parametrize("name", ["AUCBoost", "PartialAUCSVM", "FeatureRanker", "Cmass"])
def test_where_classes_weigh_the_same_their_weights_change_no_rank(name):
    X, y, _ = unbalanced()
    plain = light(name).fit(X, y).decision_function(X)
    weighted = light(name).fit(X, y, np.where(y == 1, 2.0, 1.0)).decision_function(X)
    np.testing.assert_array_equal(plain.argsort(kind="stable"), weighted.argsort(kind="stable"))


@pytest.mark.parametrize(
    "class_weight, message",
    [
        ({5: 1, 7: 3}, "The classes, .0, 1., are not in class_weight"),
        ("heavy", "class_weight"),
        (3, "class_weight"),
        ({0: -1, 1: 1}, "must not be negative or infinite"),
        ({0: 1, 1: np.inf}, "must not be negative or infinite"),
        ({0: 0, 1: 1}, "only one class with weight"),
    ],
)
def test_bad_class_weights_are_named(class_weight, message):
    X, y = SMALL_DATA
    with pytest.raises(ValueError, match=message):
        AdditiveRanker(class_weight=class_weight).fit(X, y)
