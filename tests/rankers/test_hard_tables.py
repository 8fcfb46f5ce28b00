"""Every ranker with its defaults on small, hard tables: it ranks better than chance, or warns what to do."""

import warnings

import numpy as np
import pytest
from discovery import SMALL_DATA, all_rankers, document_rankers, small
from sklearn.utils import get_tags

from aucbook import PartialAUCSVM, PartialAUCSVMCV, partial_auc, roc_auc
from aucbook.pauc import PAUCBoost

ROWS = 300
# for counts of words, not for tables of measurements
DOCUMENTS = document_rankers()
# one cut of one column or of one random direction, to be boosted
WEAK = {"FeatureRanker", "ProjectionRanker"}
# columns must be scores that rise, and it says of which one that is not so
RISING = {"PAVAdaBoostFinite", "LinearAdaBoostFinite"}


def rare(rng):
    y = (np.arange(3 * ROWS) % 20 == 0).astype(int)
    return rng.normal(size=(3 * ROWS, 4)) + y[:, None], y


def scales(rng):
    y = np.arange(ROWS) % 2
    return (rng.normal(size=(ROWS, 4)) + y[:, None]) * [1e6, 1, 1e-6, 1e3] + [1e6, 0, 0, -1e4], y


def missing(rng):
    X, y = rng.normal(size=(ROWS, 4)), np.arange(ROWS) % 2
    X += y[:, None]
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 3] = np.nan
    return X, y


def wide(rng):
    y = np.arange(150) % 2
    return rng.normal(size=(150, 200)) + y[:, None] * (np.arange(200) < 20), y


def constant(rng):
    y = np.arange(ROWS) % 2
    return np.c_[np.ones(ROWS), rng.normal(size=ROWS) + y, np.zeros(ROWS)], y


def ties(rng):
    y = np.arange(ROWS) % 2
    return rng.poisson(1 + 1.5 * y[:, None], (ROWS, 3)) + 0.0, y


TABLES = {table.__name__: table for table in (rare, scales, missing, wide, constant, ties)}
# what an error or a warning must name for the reader to know what to do
WAYS_OUT = (
    "Imputer",
    "raise tau or beta",
    "scale",
    "direction",
    "larger beta",
    "wider range",
    "CountVectorizer",
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", all_rankers())
def test_it_ranks_or_says_what_to_do(name, table):
    X, y = TABLES[table](np.random.default_rng(0))
    model, train = all_rankers()[name](), np.arange(y.size) % 3 > 0
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            scores = model.fit(X[train], y[train]).decision_function(X[~train])
    except ValueError as error:
        assert table == "missing" or name in DOCUMENTS
        assert any(way in str(error) for way in WAYS_OUT), error
        return
    assert np.isfinite(scores).all()
    warned = any(way in str(w.message) for w in caught for way in WAYS_OUT)
    if np.ptp(scores) == 0:
        assert warned, "a constant score without a warning"
    elif not warned and not (table == "wide" and name in WEAK | RISING):
        assert roc_auc(y[~train], scores) > 0.6


def test_missing_values_meet_a_way_out():
    X, y = missing(np.random.default_rng(0))
    refuse = {name for name, cls in all_rankers().items() if not fits(cls(), X, y)}
    allow_nan = {n for n, cls in all_rankers().items() if get_tags(cls()).input_tags.allow_nan}
    assert refuse == all_rankers().keys() - allow_nan
    for name in sorted(refuse):
        with pytest.raises(
            ValueError, match="takes no missing values.*SimpleImputer.*TreeRankForest"
        ):
            all_rankers()[name]().fit(X, y)


def with_column(values):
    """The small data as a data frame with one more column, `w`: of ones, and of these values."""
    pd = pytest.importorskip("pandas")
    numbers = pd.DataFrame(SMALL_DATA[0], columns=["a", "b", "c"])
    return numbers.assign(w=1.0), numbers.assign(w=values)


@pytest.mark.parametrize("form", ["pandas", "category", "objects", "strings", "polars", "lists"])
@pytest.mark.parametrize("name", all_rankers())
def test_a_column_of_words_is_named_with_a_way_out(name, form):
    _, table = with_column("v")
    y = SMALL_DATA[1]
    is_named = form in ("pandas", "category", "polars")
    if form == "category":
        table = table.astype({"w": "category"})
    elif form == "polars":
        table = pytest.importorskip("polars").DataFrame(table.to_dict("list"))
    elif form == "objects":
        table = table.to_numpy(object)
    elif form == "strings":
        table = table.to_numpy(str)
    elif form == "lists":
        table = table.to_numpy(object).tolist()
    column = "column 'w'" if is_named else "column 3"
    message = rf"{column} holds words \('v'\), and {name} takes .*TableEncoder.* in a pipeline"
    if name in DOCUMENTS:
        message = "(column ('w'|3)|X) holds (words|texts).*CountVectorizer"
    with pytest.raises(ValueError, match=message):
        small(name).fit(table, y)


@pytest.mark.filterwarnings("ignore")  # a few rounds on a few rows
@pytest.mark.parametrize("name", all_rankers())
def test_words_and_dates_are_named_in_new_rows_too(name):
    numbers, words = with_column("v")
    _, dates = with_column(np.datetime64("2020-01-31"))
    model = small(name).fit(numbers, SMALL_DATA[1])
    with pytest.raises(ValueError, match=r"column 'w' holds words \('v'\)"):
        model.decision_function(words)
    with pytest.raises(ValueError, match=r"column 'w' holds dates \('2020-01-31 00:00:00'\)"):
        model.decision_function(dates)
    with pytest.raises(ValueError, match="column 'w' holds dates"):
        small(name).fit(dates, SMALL_DATA[1])
    with pytest.raises(ValueError, match="feature names should match"):  # the first thing to mend
        model.decision_function(words[["w"]])


def fits(model, X, y):
    try:
        return model.fit(X, y)
    except ValueError:
        return None


@pytest.mark.parametrize("seed", range(3))
def test_pauc_svm_and_curves_warn_when_a_range_has_nothing_to_learn(seed):
    """One positive in twenty, overlapping classes: neither can be trained on the range [0, .1] alone."""
    rng = np.random.default_rng(seed)
    y = (np.arange(3000) % 20 == 0).astype(int)
    X = rng.normal(size=(3000, 5)) + 0.7 * y[:, None]
    with pytest.warns(UserWarning, match="larger max_fpr, such as its square root, 0.32"):
        PAUCBoost(max_fpr=0.1).fit(X, y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        svm = PartialAUCSVM(max_fpr=0.02).fit(X, y)
    constant = np.ptp(svm.decision_function(X)) <= 1e-9
    assert constant == any("train on a wider range" in str(w.message) for w in caught)
    search = PartialAUCSVMCV(max_fpr=0.02, Cs=(1, 10), polish=0, cv=3, random_state=0).fit(
        X[:1500], y[:1500]
    )
    assert partial_auc(y[1500:], search.decision_function(X[1500:]), max_fpr=0.1) > 0.2
