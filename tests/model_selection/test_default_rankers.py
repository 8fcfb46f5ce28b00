"""default_rankers and tuned: which rankers are compared by default, and how each is tuned."""

import importlib.machinery
import os
import re
import sys
import types

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from aucbook import compare, default_rankers, partial_auc
from aucbook.model_selection import tuned
from aucbook.model_selection.rankers import TUNING_GRIDS

X, Y = make_classification(120, 4, random_state=0)
compiled = pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="slow without compiled kernels"
)


BOOK = {
    "AUCBoost",
    "MartiRank",
    "PAV-AdaBoost",
    "additive curves",
    "ensemble",
    "pAUC SVM",
    "TreeRank",
    "TreeRank forest",
    "TreeRank boost",
}


def test_default_rankers_include_the_library_and_baselines():
    assert BOOK | {"logistic regression", "random forest"} <= set(default_rankers())
    assert list(default_rankers()) == list(default_rankers(tune=True))


def test_the_documentation_lists_the_default_rankers():
    models = [
        getattr(ranker, "steps", [(None, ranker)])[-1][1] for ranker in default_rankers().values()
    ]
    ours = {
        type(model).__name__ for model in models if type(model).__module__.startswith("aucbook")
    }
    assert "None for\n        `default_rankers(" in compare.__doc__
    first_lines = default_rankers.__doc__.split("Parameters\n")[0]
    assert len(ours) == len(BOOK) and ours <= set(re.findall(r"\w+", first_lines))


def test_optional_rankers_are_included_if_installed(monkeypatch):
    class InstalledRanker(LogisticRegression):
        def __init__(self, **settings):
            super().__init__()
            self.settings = settings

    packages = {
        "lightgbm": "LGBMClassifier",
        "xgboost": "XGBClassifier",
        "catboost": "CatBoostClassifier",
    }
    for package, name in packages.items():
        module = types.ModuleType(package)
        module.__spec__ = importlib.machinery.ModuleSpec(package, None)
        setattr(module, name, InstalledRanker)
        monkeypatch.setitem(sys.modules, package, module)
    rankers = default_rankers(random_state=7)
    for name in ("LightGBM", "XGBoost", "CatBoost"):
        assert isinstance(rankers[name], InstalledRanker)
        settings = rankers[name].settings
        assert settings["random_state"] == 7
        assert settings.get("n_jobs", settings.get("thread_count")) == 1
    assert {"LightGBM", "XGBoost", "CatBoost"} <= set(TUNING_GRIDS)


def test_grids_belong_to_their_rankers():
    rankers = default_rankers()
    assert set(rankers) - set(TUNING_GRIDS) == {
        "pAUC SVM",
        "additive curves",
        "ensemble",
    }  # they choose by themselves, tuned or not
    for name in set(rankers) & set(TUNING_GRIDS):
        for parameter, values in TUNING_GRIDS[name].items():
            ranker = clone(rankers[name]).set_params(**{parameter: values[0]})
            assert ranker.get_params()[parameter] == values[0]  # CatBoost lists only what is set


def test_the_range_and_the_seed_are_passed_on():
    svm = default_rankers(min_fpr=0.1, max_fpr=0.3, random_state=7)["pAUC SVM"][-1]
    assert (svm.min_fpr, svm.max_fpr, svm.random_state) == (0.1, 0.3, 7)
    seeds = {
        name: ranker.get_params().get("random_state", 7)
        for name, ranker in default_rankers(random_state=7).items()
    }
    assert set(seeds.values()) == {7}
    search = default_rankers(min_fpr=0.1, max_fpr=0.3, random_state=7, tune=True)["TreeRank"]
    assert search.cv.random_state == 7 and search.estimator.random_state == 7


def test_default_rankers_are_unfitted_and_independent():
    one, two = default_rankers(), default_rankers()
    for name in one:
        assert one[name] is not two[name] and repr(clone(one[name])) == repr(two[name])


@compiled
def test_every_default_ranker_ranks():
    result = compare(X, Y, cv=2, max_fpr=0.5)
    assert {row["ranker"] for row in result.rows} == set(default_rankers()) and not result.failures
    assert all(
        row["pAUC"] > 0.5 for row in result.rows
    )  # chance is .25 for the normalized area below beta = .5


@compiled
def test_every_default_ranker_can_be_tuned():
    rankers = default_rankers(max_fpr=0.5, tune=True)
    for name in BOOK:  # a wrong parameter name in a grid raises
        assert rankers[name].fit(X, Y).predict(X).shape == Y.shape


def test_tuned_optimises_the_range_on_the_training_set():
    search = tuned(LogisticRegression(), {"C": [1e-3, 1.0]}, max_fpr=0.2)
    result = compare(X, Y, {"search": search, "bayes": GaussianNB()}, max_fpr=0.2, cv=3)
    assert (
        not hasattr(search, "best_params_") and not result.failures
    )  # each fold trains its own copy
    train = np.flatnonzero(result.fold != 0)
    again = search.fit(X[train], Y[train])
    np.testing.assert_array_equal(
        again.decision_function(X[result.fold == 0]), result.scores["search"][result.fold == 0]
    )
    inside = again.cv.split(X[train], Y[train])
    mean = np.mean(
        [
            partial_auc(
                Y[train][b],
                LogisticRegression(C=1e-3)
                .fit(X[train][a], Y[train][a])
                .decision_function(X[train][b]),
                min_fpr=0,
                max_fpr=0.2,
            )
            for a, b in inside
        ]
    )
    assert again.cv_results_["mean_test_score"][0] == pytest.approx(mean)
