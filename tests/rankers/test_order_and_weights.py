"""Order of rows and columns, and weights: all public rankers are tested, a new one without an entry here.

The order of the rows never matters. That of the columns does not either, unless the docstring says that it does. Weights count rows
(frequency weights) or not quite (importance weights), and the docstring of `fit` says which.
"""

import inspect
import pickle

import numpy as np
import pytest
import sklearn
from discovery import SMALL_DATA, all_rankers, document_rankers, small
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import aucbook
from aucbook import (
    AdditiveRanker,
    AUCBoost,
    PartialAUCSVM,
    PartialAUCSVMCV,
    RankingEnsemble,
    TreeRank,
)
from aucbook._evaluation.folds import fit_weighted
from aucbook.isotonic import PAVAdaBoostFinite

pytestmark = pytest.mark.filterwarnings("ignore")
RANKERS = all_rankers()
each_ranker = pytest.mark.parametrize("name", RANKERS)
WEIGHTED = [
    name
    for name, cls in RANKERS.items()
    if "sample_weight" in inspect.signature(cls.fit).parameters
]
ON_COLUMNS = "depends on the order of the columns"
MINIMISED = 1e-5  # an optimum that is found to a tolerance; all else differs by rounding


def table(name, n=90, seed=0):
    """(X, y) with ties and repeated rows; counts where a ranker of documents wants them."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(n) % 2
    counts = rng.poisson(2 + y[:, None] * [0.0, 0.4, 0.8, 1.2], (n, 4)) * 1.0
    if name in document_rankers():
        return counts, y
    return counts + np.round(rng.normal(size=(n, 4)), 1) * [0, 1, 0, 1], y


def scores(name, X, y, new, w=None, **settings):
    """Scores of new rows."""
    options = {} if w is None else {"sample_weight": w}
    return small(name, **settings).fit(X, y, **options).decision_function(new)


def apart(a, b):
    """The largest difference, as a share of the range of scores."""
    return np.abs(a - b).max() / max(np.ptp(a), np.ptp(b), 1e-300)


def documented(name):
    """The words of a class and of its fit."""
    cls = RANKERS[name]
    return " ".join((cls.__doc__ or "").split()), " ".join((cls.fit.__doc__ or "").split())


@each_ranker
@pytest.mark.parametrize("seed", [0, 1])
def test_the_order_of_the_rows_does_not_matter(name, seed):
    X, y = table(name, seed=seed)
    there = np.random.default_rng(seed).permutation(len(y))
    assert apart(scores(name, X, y, X), scores(name, X[there], y[there], X)) < MINIMISED


@pytest.mark.parametrize(
    "name", [name for name in RANKERS if ON_COLUMNS not in documented(name)[0]]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_order_of_the_columns_does_not_matter_unless_that_is_said(name, seed):
    X, y = table(name, seed=seed)
    across = np.random.default_rng(seed + 5).permutation(X.shape[1])
    assert apart(scores(name, X, y, X), scores(name, X[:, across], y, X[:, across])) < MINIMISED


def test_additive_models_do_not_depend_on_the_order_of_the_columns():
    additive = {
        "AdditiveRanker",
        "PAVAdaBoostFinite",
        "LinearAdaBoostFinite",
        "PartialAUCSVM",
        "PartialAUCSVMCV",
        "PAUCBoost",
    }
    assert additive <= {name for name in RANKERS if ON_COLUMNS not in documented(name)[0]}


@pytest.mark.parametrize(
    "model",
    [
        AdditiveRanker(interactions=3),
        AdditiveRanker(n_bags=1),
        AdditiveRanker(monotonic_cst=[1, 0, -1, 0, 0, 0]),
        PAVAdaBoostFinite(n_folds=3, learning_rate=0.5),
        PAVAdaBoostFinite(n_bins=8, direction="both"),
    ],
    ids=lambda model: repr(model).replace(" ", ""),
)
def test_additive_models_with_tables_and_folds_in_any_order(model):
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(300, 6)), 1)
    X[:, 4:] = rng.random((300, 2)) < 0.4  # columns of two values, which are easily confused
    y = (X[:, 0] * X[:, 1] + X[:, 2] + X[:, 4] + rng.normal(size=300) > 0.5).astype(int)
    if isinstance(model, AdditiveRanker):
        X[rng.random(X.shape) < 0.05] = np.nan
    across, there = rng.permutation(6), rng.permutation(300)
    other = sklearn.clone(model)
    if getattr(model, "monotonic_cst", None) is not None:
        other.set_params(monotonic_cst=np.array(model.monotonic_cst)[across].tolist())
    first = model.fit(X, y)
    second = other.fit(X[there][:, across], y[there])
    assert apart(first.decision_function(X), second.decision_function(X[:, across])) < 1e-12
    if getattr(first, "pairs_", []):
        assert {frozenset(pair) for pair in first.pairs_} == {
            frozenset(across[list(p)].tolist()) for p in second.pairs_
        }
        assert all(i < j for i, j in second.pairs_)


@pytest.mark.parametrize("name", WEIGHTED)
def test_fit_says_what_weights_are(name):
    words = documented(name)[1]
    assert ("Frequency weights" in words) != ("Importance weights" in words)


@pytest.mark.parametrize(
    "name", [name for name in WEIGHTED if "Frequency weights" in documented(name)[1]]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_frequency_weights_are_repeated_rows(name, seed):
    X, y = table(name, seed=seed)
    times = np.random.default_rng(seed + 9).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), times)
    assert apart(scores(name, X, y, X, times * 1.0), scores(name, X[rows], y[rows], X)) < MINIMISED


@pytest.mark.parametrize(
    "name", [name for name in WEIGHTED if "nly their ratios count" in documented(name)[1]]
)
def test_where_only_ratios_of_weights_count_seven_times_as_much_is_the_same(name):
    X, y = table(name)
    w = np.random.default_rng(1).uniform(0.2, 3, len(y))
    assert apart(scores(name, X, y, X, w), scores(name, X, y, X, 7 * w)) < MINIMISED


@pytest.mark.parametrize("name", WEIGHTED)
def test_equal_weights_of_one_are_none(name):
    X, y = table(name)
    assert apart(scores(name, X, y, X), scores(name, X, y, X, np.ones(len(y)))) < 1e-12


@pytest.mark.parametrize("combiner", ["pauc", "monotone", "logistic", "mean"])
def test_an_ensemble_of_members_that_look_at_positions(combiner):
    """A forest of scikit-learn draws rows by number, and groups stay together: the order still does not matter."""
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(4)
    group = rng.integers(0, 30, 160)
    X = np.round(rng.normal(size=(160, 4)), 1)
    y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=160) > 0.8).astype(int)
    w = rng.integers(0, 3, 160) * 1.0
    members = {
        "forest": RandomForestClassifier(20),
        "line": make_pipeline(StandardScaler(), LogisticRegression()),
    }
    model = RankingEnsemble(members, combiner=combiner, cv=3, random_state=0)
    there = rng.permutation(160)
    first = pickle.loads(pickle.dumps(model)).fit(X, y, sample_weight=w, groups=group)
    second = model.fit(X[there], y[there], sample_weight=w[there], groups=group[there])
    np.testing.assert_allclose(
        first.decision_function(X), second.decision_function(X), rtol=1e-12, atol=1e-12
    )
    for name, scored in first.out_of_fold_.items():
        np.testing.assert_allclose(scored[there], second.out_of_fold_[name], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        first.out_of_fold_decision_[there], second.out_of_fold_decision_, rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("kind", ["splitter", "list"])
def test_folds_of_your_own_name_the_rows_as_they_are_given(kind):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 2
    X[:, 0] += y
    folds = list(StratifiedKFold(3).split(X, y))
    model = RankingEnsemble(
        {"line": LogisticRegression()}, cv=StratifiedKFold(3) if kind == "splitter" else folds
    )
    scores = model.fit(X, y).out_of_fold_["line"]
    for train, test in folds:
        fold = LogisticRegression().fit(X[train], y[train])
        training_scores = fold.decision_function(X[train])
        expected = (
            fold.decision_function(X[test]) - training_scores.mean()
        ) / training_scores.std()
        np.testing.assert_allclose(scores[test], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("sparse", [False, True])
def test_searches_and_polish_by_content(sparse):
    from scipy.sparse import csr_array

    rng = np.random.default_rng(6)
    X = np.round(rng.normal(size=(150, 5)), 1)
    y = (X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=150) > 0.7).astype(int)
    there, across = rng.permutation(150), rng.permutation(5)
    form = csr_array if sparse else np.asarray
    for model in (
        PartialAUCSVMCV(max_fpr=0.2, Cs=(0.1, 1, 10), cv=4, random_state=1),
        PartialAUCSVM(max_fpr=0.2, polish=0.2, random_state=1),
    ):
        first = sklearn.clone(model).fit(form(X), y)
        second = sklearn.clone(model).fit(form(X[there][:, across]), y[there])
        assert (
            first.stage_ == second.stage_ and apart(first.coef_[0][across], second.coef_[0]) < 1e-6
        )
        if hasattr(first, "best_params_"):
            assert first.best_params_ == second.best_params_
            np.testing.assert_allclose(first.best_score_, second.best_score_, rtol=1e-9)


@pytest.mark.parametrize("routing", [False, True])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_weights_reach_every_member_with_metadata_routing_on_and_off(routing, n_jobs):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    X[rng.random(X.shape) < 0.02] = np.nan  # some members get an imputer in front
    y = (np.nan_to_num(X[:, 0]) + rng.normal(size=120) > 0).astype(int)
    w = rng.uniform(0.2, 2, 120)
    members = {
        "boost": AUCBoost(n_estimators=3),
        "tree": TreeRank(max_depth=2),
        "line": make_pipeline(StandardScaler(), LogisticRegression()),
    }
    expected = RankingEnsemble(members, cv=2, random_state=0).fit(X, y, sample_weight=w)
    with sklearn.config_context(enable_metadata_routing=routing):
        ensemble = RankingEnsemble(members, cv=2, random_state=0, n_jobs=n_jobs).fit(
            X, y, sample_weight=w
        )
        assert not ensemble.failures_ and list(ensemble.weights_) == list(members)
        np.testing.assert_array_equal(ensemble.decision_function(X), expected.decision_function(X))
        compared = aucbook.compare(
            np.nan_to_num(X), y, members, cv=2, sample_weight=w, n_jobs=n_jobs
        )
        assert {row["ranker"] for row in compared.rows} == set(members) and not compared.failures


def test_what_a_pipeline_has_requested_stands():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = (X[:, 0] + rng.normal(size=120) > 0).astype(int)
    w = rng.uniform(0.1, 3, 120)
    plain = StandardScaler().fit_transform(X)
    with sklearn.config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        line = LogisticRegression().set_fit_request(sample_weight=True)
        model = fit_weighted(make_pipeline(scaler, line), X, y, w)
        np.testing.assert_allclose(
            model.decision_function(X),
            LogisticRegression().fit(plain, y, w).decision_function(plain),
        )
        search = GridSearchCV(
            make_pipeline(StandardScaler(), LogisticRegression()), {"logisticregression__C": [1, 2]}
        )
        assert fit_weighted(search, X, y, w).best_params_["logisticregression__C"] in (1, 2)


@pytest.mark.parametrize("routing", [False, True])
def test_weights_reach_the_fits_of_a_search_with_metadata_routing_on_and_off(routing):
    X, y = SMALL_DATA
    w = np.where(X[:, 0] > np.median(X[:, 0]), 5.0, 1.0)
    svm = PartialAUCSVM(max_fpr=0.5)
    with sklearn.config_context(enable_metadata_routing=routing):
        if routing:
            svm.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        search = GridSearchCV(svm, {"C": [0.1, 1.0]}, cv=3).fit(X, y, sample_weight=w)
        weighted = PartialAUCSVM(max_fpr=0.5, **search.best_params_).fit(X, y, w)
        np.testing.assert_array_equal(search.decision_function(X), weighted.decision_function(X))


@pytest.mark.parametrize("routing", [False, True])
def test_weights_reach_the_fits_of_pauc_search_with_metadata_routing_on_and_off(routing):
    X, y = SMALL_DATA
    w = np.where(X[:, 0] > np.median(X[:, 0]), 5.0, 1.0)
    plain = PartialAUCSVMCV(max_fpr=0.5, cv=3, random_state=0).fit(X, y)
    weighted = PartialAUCSVMCV(max_fpr=0.5, cv=3, random_state=0).fit(X, y, w)
    assert not np.array_equal(plain.coef_, weighted.coef_)
    with sklearn.config_context(enable_metadata_routing=routing):
        again = PartialAUCSVMCV(max_fpr=0.5, cv=3, random_state=0).fit(X, y, sample_weight=w)
    np.testing.assert_array_equal(again.coef_, weighted.coef_)


def test_weights_that_nobody_requested_are_refused_with_metadata_routing():
    X, y = SMALL_DATA
    split = {"cv": 3, "params": {"sample_weight": np.ones(len(y))}, "error_score": "raise"}
    with sklearn.config_context(enable_metadata_routing=True):
        for model in (PartialAUCSVMCV(cv=3), AUCBoost(n_estimators=2)):
            model.set_score_request(sample_weight=False)
            with pytest.raises(UnsetMetadataPassedError, match="sample_weight.*fit"):
                cross_validate(model, X, y, **split)
            cross_validate(model.set_fit_request(sample_weight=True), X, y, **split)
