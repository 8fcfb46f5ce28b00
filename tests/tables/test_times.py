"""Times in one format for a whole column, or a sentence; folds whose training rows are all earlier than their test rows."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TimeSeriesSplit

from aucbook import compare
from aucbook._tables.times import describe_folds, read_times, sort_names, time_folds
from aucbook.model_selection import CompareOptions

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DAYS = st.lists(
    st.dates(datetime.date(1970, 1, 1), datetime.date(2068, 12, 31)), min_size=2, max_size=30
)
# how a day is written -> what of the day can be seen
WRITTEN = {
    "iso": (lambda d: d.isoformat(), lambda d: d),
    "iso without zeros": (lambda d: f"{d.year}-{d.month}-{d.day}", lambda d: d),
    "slashes": (lambda d: f"{d.year}/{d.month:02}/{d.day:02}", lambda d: d),
    "digits": (lambda d: f"{d:%Y%m%d}", lambda d: d),
    "day first, named": (lambda d: f"{d.day}-{MONTHS[d.month - 1]}-{d.year}", lambda d: d),
    "month first, named": (lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}", lambda d: d),
    "SAS": (lambda d: f"{d.day:02}{MONTHS[d.month - 1].upper()}{d.year}", lambda d: d),
    "time": (
        lambda d: f"{d.isoformat()} {d.day % 24}:{d.month:02}",
        lambda d: (d, d.day % 24, d.month),
    ),
    "month": (lambda d: f"{d.year}-{d.month}", lambda d: (d.year, d.month)),
    "month, named": (lambda d: f"{MONTHS[d.month - 1]}-{d.year}", lambda d: (d.year, d.month)),
    "month of a spreadsheet": (
        lambda d: f"{MONTHS[d.month - 1]}-{d.year % 100:02}",
        lambda d: (d.year, d.month),
    ),
    "quarter": (
        lambda d: f"Q{(d.month + 2) // 3} {d.year}",
        lambda d: (d.year, (d.month + 2) // 3),
    ),
    "year and quarter": (
        lambda d: f"{d.year}Q{(d.month + 2) // 3}",
        lambda d: (d.year, (d.month + 2) // 3),
    ),
    "week": (lambda d: "{}-W{}".format(*d.isocalendar()[:2]), lambda d: tuple(d.isocalendar()[:2])),
    "day of the year": (lambda d: f"{d:%Y-%j}", lambda d: d),
    "hour": (lambda d: f"{d.day % 24}:{d.month:02}", lambda d: (d.day % 24, d.month)),
    "number": (lambda d: f"{d.toordinal()}", lambda d: d),
}


@pytest.mark.parametrize("form", WRITTEN)
@given(days=DAYS)
@settings(max_examples=25)
def test_the_order_is_that_of_time_however_it_is_written(form, days):
    write, key = WRITTEN[form]
    keys = [key(day) for day in days]
    want = {value: rank for rank, value in enumerate(sorted(set(keys)))}
    assert read_times([write(day) for day in days]).rank.tolist() == [want[value] for value in keys]


@pytest.mark.parametrize("day_first", [True, False])
@given(days=DAYS)
@settings(max_examples=25)
def test_the_column_decides_which_number_is_the_day(day_first, days):
    days = [*days, datetime.date(2000, 5, 14)]
    words = [
        f"{d.day}/{d.month}/{d.year}" if day_first else f"{d.month}/{d.day}/{d.year}" for d in days
    ]
    assert read_times(words).rank.tolist() == read_times(days).rank.tolist()


@pytest.mark.parametrize(
    "column",
    [
        ["Dec-19", "Jan-20", "Apr-20", "Aug-20"],
        ["December 2019", "January 2020"],
        ["2020-2", "2020-10"],
        ["2020M2", "2020M10"],
        ["8:00", "11:00", "23:59"],
        ["8:30 AM", "11:00 AM", "1:00 PM"],
        ["12:10 AM", "12:00 PM"],
        ["2020-W2", "2020-W10"],
        ["2020W02", "2020W10"],
        ["Q4 2019", "Q1 2020"],
        ["4Q2019", "1Q2020"],
        ["H2 2019", "H1 2020"],
        ["2020-01-05T09:30+02:00", "2020-01-05T08:00Z", "2020-01-05T03:30-05:00"],
        ["2020-01-05 08:00:00.1", "2020-01-05 08:00:00.25"],
        ["20200104T0800", "20200104T1130"],
        ["13.05.2020 09:00", "13.05.2020 11:00"],
        ["Sun, 05 Jan 2020", "Mon, 06 Jan 2020"],
        ["9", "10"],
        ["1e2", "1.5e2"],
        ["9007199254740992", "9007199254740993"],
        ["31/12/1999", "01/01/2000"],
    ],
)
def test_columns_that_ascend(column):
    read = read_times(column[::-1])
    assert read.rank.tolist() == list(range(len(column)))[::-1] and read.words == column[::-1]


@pytest.mark.parametrize(
    "column, words",
    [
        (["visit 2", "visit 10"], ["row 0 ", "'visit 2'", "numbers, dates", "quarters"]),
        (["spring", "summer"], ["row 0 ", "'spring'"]),
        (["2020-01-05", "20200104"], ["row 1 ", "'20200104'", "row 0 ", "'2020-01-05'"]),
        (["2020-01-05", "2020/01/04"], ["row 1 ", "'2020/01/04'", "year/month/day"]),
        (["2020-01-05", "2020-01-04 10:00"], ["row 1 ", "and time", "row 0 "]),
        (["2020-01-05 10:00", "2020-01-05 10:00Z"], ["row 1 ", "offset"]),
        (["2020-01", "Feb-2020"], ["row 1 ", "'Feb-2020'"]),
        (["13/05/2020", "05/13/2020"], ["row 1 ", "'05/13/2020'", "row 0 "]),
        (
            ["05/04/2020", "03/04/2020"],
            ["row 0 ", "order of times like '05/04/2020'", "2020-05-04"],
        ),
        (["20/05/14", "31/12/19"], ["row 0 ", "no row decides"]),
        (["2020.2", "2020.10"], ["order of times like '2020.2'", "number or year.month"]),
        (["1.2020", "10.2019"], ["no row decides"]),
        (["05012020", "31122019"], ["no row decides"]),
        (["2020-01-05", "2020-02-30"], ["row 1 ", "'2020-02-30'"]),
        (["2020-W2", "2020-W54"], ["row 1 ", "'2020-W54'"]),
        (["Q1 2020", "Q5 2020"], ["row 1 ", "'Q5 2020'"]),
        (["8:00", "24:30"], ["row 1 ", "'24:30'"]),
        (["19-Dec", "20-Jan"], ["row 0 ", "'19-Dec'"]),
        (["1", "inf"], ["row 1 ", "'inf'"]),
        (["1", "1_000"], ["row 1 ", "'1_000'"]),
        (["true", "false"], ["row 0 ", "'true'"]),
        ([True, False], ["dtype bool"]),
        ([], ["non-empty"]),
        *[
            (["2020-01-05", word], ["row 1 ", "time is missing"])
            for word in ("", " ", "NA", "nan", "NaT", None, np.nan)
        ],
        ([1.5, np.nan], ["row 1 ", "missing"]),
        (pd.to_datetime(["2020-01-05", None]), ["row 1 ", "missing"]),
        (pd.array([1, None], dtype="Int64"), ["row 1 ", "missing"]),
    ],
)
def test_what_is_refused_names_row_value_and_the_way_on(column, words):
    with pytest.raises(ValueError) as error:
        read_times(column, "column 'when'")
    assert all(word in str(error.value) for word in ["column 'when'", *words]), str(error.value)


def test_times_of_any_type():
    later, earlier = datetime.datetime(2020, 10, 1), datetime.datetime(2020, 9, 30)
    for column in (
        [later, earlier],
        [later.date(), earlier.date()],
        pd.Series([later, earlier]),
        pd.DatetimeIndex([later, earlier]).tz_localize("Europe/Berlin"),
        np.array([later, earlier], "M8[D]"),
        pd.PeriodIndex(["2020Q4", "2020Q3"], freq="Q"),
        pd.Categorical(["2020-10", "2020-9"]),
        pd.Series(["2020-10", "2020-9"], dtype="string"),
        [datetime.time(11), datetime.time(8)],
        np.array([3.5, -1.0]),
    ):
        assert read_times(column).rank.tolist() == [1, 0], column


# ---------------------------------------------------------------- folds
@given(st.lists(st.integers(0, 9), min_size=12, max_size=80), st.integers(2, 5))
def test_no_training_row_is_as_late_as_a_test_row(values, cv):
    times = read_times(values)
    try:
        folds = time_folds(times, cv)
    except ValueError as error:
        assert "fewer folds" in str(error) or "they have no order" in str(error)
        assert len(set(values)) <= cv or "cannot be split" in str(error)
        return
    assert len(folds) == cv and len(describe_folds(times, folds)) == cv
    for (train, test), after in zip(folds, [*folds[1:], (np.arange(len(values)), None)]):
        assert times.rank[train].max() < times.rank[test].min()
        assert sorted([*train, *test]) == sorted(
            after[0]
        )  # each fold trains on all rows before its test


def test_folds_without_ties_are_those_of_scikit_learn():
    values = np.random.default_rng(0).permutation(103)
    order = np.argsort(values)
    for (train, test), (first, second) in zip(
        time_folds(read_times(values), 4), TimeSeriesSplit(4).split(values)
    ):
        np.testing.assert_array_equal(train, order[first])
        np.testing.assert_array_equal(test, order[second])


@pytest.mark.parametrize(
    "values, words",
    [
        (["2020"] * 30, "all 30 rows have the time '2020', so they have no order"),
        (
            [1, 2, 3] * 10,
            "5 folds in the order of time need at least 6 different times, and there are 3",
        ),
        ([1] * 95 + [2, 3, 4, 5, 6], "95 of 100 rows have the time '1'"),
    ],
)
def test_times_that_cannot_be_cut_into_folds(values, words):
    with pytest.raises(ValueError, match=words):
        time_folds(read_times(values), 5)


# ---------------------------------------------------------------- compare
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 240)
X = RNG.normal(size=(240, 3)) + Y[:, None]
LINE = {"line": LogisticRegression()}


def test_compare_in_the_order_of_time_whatever_the_order_of_rows(capsys):
    sorted_rows = compare(X, Y, LINE, cv=TimeSeriesSplit(4))
    order = RNG.permutation(240)
    words = [f"{2000 + k // 12}-{k % 12 + 1}" for k in range(240)]  # 2000-1, ..., 2019-12
    mixed = compare(
        X[order],
        Y[order],
        LINE,
        cv=4,
        time=np.array(words)[order],
        options=CompareOptions(verbose=1),
    )
    for name in ("AUC", "low", "high"):
        assert mixed.rows[0][name] == sorted_rows.rows[0][name]
    np.testing.assert_array_equal(mixed.scores["line"], sorted_rows.scores["line"][order])
    expected = "fold 1: trained on 48 rows from 2000-1 to 2003-12, tested on 48 rows from 2004-1 to 2007-12"
    assert expected in capsys.readouterr().out and mixed.settings[
        "fold 1"
    ] == expected.removeprefix("fold 1: ")
    assert "in order of time (year-month)" in mixed.settings["folds"]
    page = mixed.decide(X[order], max_fpr=0.3)
    assert page.ranker == "line"


@pytest.mark.parametrize(
    "named, words",
    [
        ({"time": np.arange(239)}, "time has 239 values but y has 240"),
        ({"time": np.arange(240), "repeats": 2}, "repeats is for shuffled folds"),
        ({"time": np.arange(240), "cv": TimeSeriesSplit(3)}, "cv must be the number of folds"),
        ({"time": ["visit 2", "visit 10"] * 120}, "time, row 0 .*'visit 2'"),
        ({"time": np.ones(240)}, "all 240 rows have the time"),
        ({"time": [*range(239), None]}, "time, row 239 .* missing"),
    ],
)
def test_times_that_compare_refuses(named, words):
    with pytest.raises(ValueError, match=words):
        compare(X, Y, LINE, **named)


def test_a_period_of_one_class_is_named_with_its_times():
    y = np.where(np.arange(240) > 180, 0, Y)
    with pytest.raises(ValueError, match="rows, from 2192 to 2239, have no positives"):
        compare(X, y, LINE, time=2000 + np.arange(240), cv=4)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.3, 0.5])
def test_few_folds_in_time_decide(seed, share):
    rng = np.random.default_rng(seed)
    y = rng.binomial(1, share, 240)
    x = rng.normal(size=(240, 3)) + y[:, None]
    decision = compare(x, y, LINE, cv=TimeSeriesSplit(3)).decide(x, max_fpr=0.1)
    assert 0 <= decision.performance.fpr.value <= 0.4
    fewer = slice(60)
    with pytest.raises(
        ValueError, match="needs at least 57 negatives, and there are"
    ):  # and how many there are
        compare(x[fewer], y[fewer], LINE, cv=TimeSeriesSplit(2)).decide(x[fewer], max_fpr=0.1)


# ---------------------------------------------------------------- names of files and batches
@pytest.mark.parametrize(
    "names, want",
    [
        (["2026-10", "2026-2", "2026-9"], [1, 2, 0]),
        (["Jan-26", "Dec-25"], [1, 0]),
        (["b", "a"], [1, 0]),
        (["week 02", "week 10"], [0, 1]),
        (["log 3", "log 1", "log 2"], [1, 2, 0]),
    ],
)
def test_the_order_of_names(names, want):
    assert sort_names(names, "file") == want


def test_names_without_a_known_order():
    with pytest.raises(ValueError, match="which file came first, 'log 10' or 'log 9'"):
        sort_names(["log 9", "log 10"], "file")
