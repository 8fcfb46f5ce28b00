"""What every ranker guarantees: all public rankers are tested, a new one without an entry here.

The tests of a module try its variants; here each class has quick settings and otherwise its defaults.
"""

import inspect
import re
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from contract import broken
from discovery import (
    PUBLIC,
    SMALL_DATA,
    all_calibrators,
    all_rankers,
    all_transformers,
    document_rankers,
    small,
)
from scipy.sparse import csr_array
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import aucbook
from aucbook._base.ranker import InterruptedFit
from aucbook._evaluation.folds import fit_weighted
from aucbook._evaluation.inputs import takes_sparse

each_ranker = pytest.mark.parametrize("name", all_rankers())
# a few rounds on a few rows may not converge, and say so
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


# checks that a ranker cannot pass, and why
CLASS_WEIGHTS = "check_class_weight_classifiers"
FAILED = {
    **{
        name: {CLASS_WEIGHTS: "the check has negative numbers, whatever the tags"}
        for name in document_rankers()
    },
    "LinearAdaBoostFinite": {CLASS_WEIGHTS: "a line through zero cannot give all to one class"},
    "RankingEnsemble": {
        "check_sample_weight_equivalence_on_dense_data": "the calibrator's smallest probability "
        "is about 1 / number of rows, and weights do not count as rows there"
    },
}


@each_ranker
def test_scikit_learns_contract(name):
    assert broken(small(name), FAILED.get(name, {})) == {}


@pytest.mark.parametrize("name", all_transformers())
def test_scikit_learns_contract_of_transformers(name):
    assert broken(PUBLIC[name]()) == {}


@pytest.mark.kernel  # an ensemble's kernels are its members'
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.compiled if n == "RankingEnsemble" else ())
        for n in all_rankers()
    ],
)
def test_scores_are_numbers_one_a_row(name):
    X, y = SMALL_DATA
    scores = small(name).fit(X, y).decision_function(X)
    assert scores.shape == (len(X),) and scores.dtype == np.float64 and np.isfinite(scores).all()


@each_ranker
def test_swapped_arguments_are_named(name):
    X, y = SMALL_DATA
    for labels, table in ((y, X), (y.tolist(), X.tolist())):
        with pytest.raises(ValueError, match=r"y has 3 columns: they seem to be swapped"):
            small(name).fit(labels, table)


@each_ranker
def test_the_larger_label_is_the_positive_class(name):
    X, y = SMALL_DATA
    expected = small(name).fit(X, y).decision_function(X)
    model = small(name).fit(X, np.where(y == 1, "sick", "healthy"))
    assert model.classes_.tolist() == ["healthy", "sick"]
    np.testing.assert_array_equal(model.decision_function(X), expected)


@each_ranker
def test_same_seed_same_answer_whatever_n_jobs(name):
    X, y = SMALL_DATA
    first, second = (small(name).fit(X, y).decision_function(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    if "n_jobs" in inspect.signature(all_rankers()[name]).parameters:
        np.testing.assert_array_equal(small(name, n_jobs=2).fit(X, y).decision_function(X), first)


@each_ranker
def test_a_row_scores_the_same_wherever_it_stands(name):
    """Equal rows tie, to the last bit, and a row alone scores as it does in its table: rounding must not break a tie."""
    rng = np.random.default_rng(0)
    X = rng.poisson(3, (60, 9)) * 1.0
    y = X[:, 0] + X[:, 1] + rng.normal(size=60) > 6
    model = small(name).fit(X, y)
    scores = model.decision_function(X)
    assert [model.decision_function(row[None])[0] for row in X] == scores.tolist()
    for times in (2, 3, 5, 8, 17):
        assert np.unique(model.decision_function(np.repeat(X[:3], times, axis=0))).size <= 3
    if takes_sparse(model):
        model.fit(csr_array(X), y)
        scores = model.decision_function(csr_array(X))
        assert [model.decision_function(csr_array(row[None]))[0] for row in X] == scores.tolist()
        assert np.unique(model.decision_function(csr_array(np.repeat(X[:3], 17, axis=0)))).size <= 3


@each_ranker
def test_pandas_and_numpy_agree(name):
    pd = pytest.importorskip("pandas")
    X, y = SMALL_DATA
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = small(name).fit(frame, pd.Series(y))
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    # a frame's columns lie apart in memory: products with X add up in another order, and only their last digits may differ
    np.testing.assert_allclose(
        model.decision_function(frame),
        small(name).fit(X, y).decision_function(X),
        rtol=1e-12,
        atol=1e-13,
    )


@each_ranker
def test_pipelines_and_searches(name):
    X, y = SMALL_DATA
    parameter, value = next(iter(small(name).get_params().items()), (None, None))
    pipeline = make_pipeline(FunctionTransformer(), small(name))
    grid = (
        {f"{name.lower()}__{parameter}": [value]}
        if parameter
        else {"functiontransformer__validate": [False]}
    )
    search = GridSearchCV(pipeline, grid, scoring="roc_auc", cv=2, error_score="raise").fit(X, y)
    assert 0 <= search.best_score_ <= 1


@each_ranker
@pytest.mark.parametrize("weight", [1e308, 1e200, 1e-200, 5e-324])
def test_weights_whose_sums_or_squares_leave_floating_point(name, weight):
    if "sample_weight" not in inspect.signature(all_rankers()[name].fit).parameters:
        pytest.skip("takes no weights")
    X, y = SMALL_DATA
    with pytest.raises(ValueError, match="sample_weight must have its largest value between"):
        small(name).fit(X, y, sample_weight=np.full(len(y), weight))


def interrupt(work, at=0):
    """Do `work()`, with Ctrl-C where a function of the library is entered for the `at`-th time; how many times that was."""
    home, calls = str(Path(aucbook.__file__).parent), 0
    modules = [module for name, module in sys.modules.items() if name.startswith("aucbook.")]
    # numba reports its kernels, too, and may lose what is raised there; so may Python in a generator that it closes
    kernels = {"<genexpr>"} | {
        value.py_func.__name__
        for module in modules
        for value in vars(module).values()
        if hasattr(value, "py_func")
    }

    def look(frame, event, argument):
        nonlocal calls
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(home) and code.co_name not in kernels:
            calls += 1
            if calls == at:
                raise KeyboardInterrupt

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@each_ranker
def test_an_interrupted_fit_warns_and_raises_inside_another_fit(name):
    X, y = SMALL_DATA

    def fit():
        return small(name).fit(X, y)

    fit()  # kernels are compiled, and what is looked up once is known
    calls = interrupt(fit)
    for at in range(1, calls + 1, calls // 8 + 1):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                interrupt(fit, at)
                assert any(issubclass(w.category, InterruptedFit) for w in caught), (
                    f"nothing said of Ctrl-C at call {at}"
                )
            except KeyboardInterrupt:
                pass
        with pytest.raises(KeyboardInterrupt):
            interrupt(lambda: fit_weighted(small(name), X, y), at)


@each_ranker
def test_a_fit_that_fails_leaves_what_was_there(name):
    X, y = SMALL_DATA
    model = small(name).fit(X, y)
    before = model.decision_function(X)
    with pytest.raises(ValueError, match="(?i)class"):
        model.fit(X[:, :2], np.ones(len(y)))
    np.testing.assert_array_equal(model.decision_function(X), before)


@pytest.mark.parametrize("name", all_calibrators())
def test_a_failed_fit_of_a_calibrator_changes_nothing(name):
    X, y = SMALL_DATA
    ranks_rows = name == "CalibratedRanker"  # others take one score per row
    X = X if ranks_rows else (1 + X[:, :1]) / 20
    bad_fits = [
        (X, np.ones(len(y)), None),
        (np.full(X.shape, np.nan), np.where(y, "yes", "no"), None),
        (X, np.where(y, "yes", "no"), np.full(len(y), -1.0)),
    ]
    model = PUBLIC[name]().fit(X, y)
    attributes = dict(vars(model))
    before = model.predict_proba(X)
    for rows, labels, weight in bad_fits:
        with pytest.raises(ValueError):
            model.fit(rows, labels, weight)
        assert vars(model).keys() == attributes.keys()
        assert all(vars(model)[key] is value for key, value in attributes.items())
        np.testing.assert_array_equal(model.predict_proba(X), before)
    if "inputs" in attributes:  # labels and weights are good: the rows themselves are refused
        with pytest.raises(ValueError, match="probabilities"):
            model.fit(X + 5, np.where(y, "yes", "no"))
        assert model.classes_ is attributes["classes_"]


# further arguments of `fit` that a transformer refuses
REFUSED = {
    "TableEncoder": [{"X": np.ones((9, 5))}, {"X": [[{}], [1.0], [2.0]]}],
    "PoissonVectors": [
        {"X": -np.ones((9, 5))},
        {"X": np.ones((9, 5)), "sample_weight": np.full(9, -1.0)},
    ],
}


@pytest.mark.parametrize("name", all_transformers())
def test_a_failed_fit_of_a_transformer_changes_nothing(name):
    X, _ = SMALL_DATA
    bad_fits = [{"X": np.full((9, 5), np.inf)}, {"X": np.ones((0, 5))}, *REFUSED.get(name, [])]
    model = PUBLIC[name]().fit(X)
    attributes = dict(vars(model))
    unfitted = PUBLIC[name]()
    settings = dict(vars(unfitted))
    for arguments in bad_fits:
        for estimator, before in ((model, attributes), (unfitted, settings)):
            with pytest.raises((TypeError, ValueError)):
                estimator.fit(**arguments)
            assert vars(estimator).keys() == before.keys()
            assert all(vars(estimator)[key] is value for key, value in before.items())


def mixtures_of_two_threads(name):
    """(How often an object fitted by two threads at once equalled neither fit, how often a separate object changed)."""
    rng, sick = np.random.default_rng(1), np.arange(60) % 2
    tables = [SMALL_DATA, (rng.poisson(2.0 + sick[:, None] * np.linspace(0, 1, 7)) + 0.0, sick)]

    def scores(model, table):
        return model.fit(*table).decision_function(table[0]).tolist()

    alone = [scores(small(name), table) for table in tables]
    shared = small(name)
    mixed = 0
    changed = 0
    sys.setswitchinterval(1e-5)  # as often as on a busy machine with many threads
    with warnings.catch_warnings(), ThreadPoolExecutor(2) as threads:
        warnings.simplefilter("ignore")
        for _ in range(8):
            list(threads.map(shared.fit, *zip(*tables)))
            k = [table[0].shape[1] for table in tables].index(shared.n_features_in_)
            mixed += shared.decision_function(tables[k][0]).tolist() != alone[k]
            separate = threads.map(scores, (small(name), small(name)), tables)
            changed += list(separate) != alone
    return mixed, changed


@pytest.mark.slow
@each_ranker
def test_one_object_fitted_by_two_threads(name):
    """In a process of its own: who reads another fit's columns may crash it."""
    with ProcessPoolExecutor(1) as process:
        assert process.submit(mixtures_of_two_threads, name).result() == (0, 0)


@pytest.mark.parametrize(
    "table",
    ["weights 1e9 to 1e-9", "weights 1e18 apart", "weights of all sizes", "values of 1e300"],
)
@each_ranker
def test_extremes_end_in_scores_or_in_words(name, table):
    """No ZeroDivisionError, and no warning of NumPy's about a step inside."""
    X, y = SMALL_DATA
    rows = np.arange(len(y))
    w = {
        "weights 1e9 to 1e-9": np.where(rows % 3 == 0, 1e9, 1e-9),
        "weights 1e18 apart": np.where(rows % 5 == 0, 1.0, 1e-18),
        "weights of all sizes": 10.0 ** (rows * 7 % 19 - 9),
    }.get(table)
    X = X * 1e300 if w is None else X
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("error", RuntimeWarning)
        try:
            scores = fit_weighted(small(name), X, y, w).decision_function(X)
        except ValueError as error:
            assert re.search("large|overflow|scale", str(error)), error
        else:
            assert np.isfinite(scores).all()
