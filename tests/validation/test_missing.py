"""aucbook._validation.missing: one definition of a missing value, for a value and for a column."""

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from aucbook._validation.missing import MISSING_WORDS, are_missing, are_missing_labels, is_missing

BLANKS = [chr(code) for code in range(0x3100) if chr(code).isspace()]
NULLS = [
    None,
    float("nan"),
    np.float32("nan"),
    complex("nan"),
    np.datetime64("NaT"),
    np.timedelta64("NaT"),
]
NULLS += [
    pd.NaT,
    pd.NA,
    np.ma.masked,
    Decimal("nan"),
    Decimal("sNaN"),
    pa.scalar(None),
    pa.scalar(float("nan")),
]
VALUES = [
    0,
    0.0,
    False,
    "0",
    "-",
    "nano",
    "nation",
    "no ne",
    "unknown",
    "\u200b",
    np.inf,
    date(2020, 1, 1),
]
VALUES += [[], [None], np.array([1, 2]), np.array([]), pa.scalar("a"), b"a", b"\xff", object()]


@pytest.mark.parametrize("word", sorted(MISSING_WORDS))
def test_words_are_missing_in_any_case_and_between_any_blanks(word):
    for variant in (
        word,
        word.upper(),
        word.title(),
        *(f"{blank}{word}{blank * 2}" for blank in BLANKS),
    ):
        assert is_missing(variant) and is_missing(np.str_(variant))
        assert are_missing(np.array([variant, "x"])).tolist() == [True, False]
    assert is_missing(word.encode())


@pytest.mark.parametrize("value", NULLS, ids=lambda value: f"{type(value).__module__}.{value!r}")
def test_nulls_of_every_library_are_missing(value):
    assert is_missing(value)
    assert are_missing([value, "x"]).tolist() == [True, False]


@pytest.mark.parametrize(
    "value",
    VALUES,
    ids=lambda value: type(value).__name__ if type(value) is object else repr(value),
)
def test_values_are_not_missing(value):
    assert is_missing(value) is False
    column = np.empty(2, object)
    column[0], column[1] = value, None
    assert are_missing(column).tolist() == [False, True]


COLUMNS = {
    "list": ["a", None, "NA", " b "],
    "mixed list": [1, np.nan, "n/a", "x"],
    "objects": np.array(["a", pd.NA, "null", "b"], object),
    "strings": np.array(["a", "", "nan", "b"]),
    "pandas": pd.Series(["a", None, "NA", "b"]),
    "pandas string": pd.Series(["a", None, "NA", "b"], dtype="string"),
    "pandas category": pd.Series(["a", None, "NA", "b"], dtype="category"),
    "pandas arrow": pd.Series(["a", None, "NA", "b"], dtype=pd.ArrowDtype(pa.string())),
    "index": pd.Index(["a", None, "NA", "b"]),
    "polars": pl.Series(["a", None, "NA", "b"]),
    "polars category": pl.Series(["a", None, "NA", "b"], dtype=pl.Categorical),
    "arrow": pa.array(["a", None, "NA", "b"]),
    "arrow chunks": pa.chunked_array([["a", None], ["NA", "b"]]),
    "arrow dictionary": pa.array(["a", None, "NA", "b"]).dictionary_encode(),
    "floats": np.array([1, np.nan, np.nan, np.inf]),
    "masked": np.ma.array([1, 2, 3, 4], mask=[0, 1, 1, 0]),
    "masked floats": np.ma.array([1, 2, np.nan, 4], mask=[0, 1, 0, 0]),
    "Int64": pd.Series([1, None, None, 4], dtype="Int64"),
    "boolean": pd.Series([True, None, None, False], dtype="boolean"),
    "polars integers": pl.Series([1, None, None, 2**60]),
    "polars floats": pl.Series([1.0, None, float("nan"), 2.0]),
    "arrow integers": pa.array([1, None, None, 4]),
    "arrow times": pa.array([date(2020, 1, 1), None, None, date(2020, 1, 2)]),
    "times": np.array(["2020-01-01", "NaT", "NaT", "2020-01-02"], "M8[D]"),
    "time zones": pd.to_datetime(
        pd.Series(["2020-01-01", None, None, "2020-01-02"])
    ).dt.tz_localize("UTC"),
}
if hasattr(np.dtypes, "StringDType"):  # from NumPy 2
    values = ["a", None, "nan", "b"]
    COLUMNS["StringDType"] = np.array(values, np.dtypes.StringDType(na_object=None))


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_every_library(name):
    assert are_missing(COLUMNS[name]).tolist() == [False, True, True, False]


def test_whole_numbers_and_bools_are_never_missing():
    for values in ([1, 2], np.array([True, False]), []):
        assert not are_missing(values).any()
    assert are_missing(np.array(None)).all()


@pytest.mark.parametrize(
    "labels, missing",
    [
        (["some", "none", "some", None], [0, 0, 0, 1]),
        (["some", "none", "", "some"], [0, 0, 1, 0]),
        (["a", "b", "NA", ""], [0, 0, 1, 1]),
        (["1", "0", "nan", "null"], [0, 0, 1, 1]),
        (["NA", "NA", "1", "1"], [1, 1, 0, 0]),
        (["none", "1", "none"], [1, 0, 1]),
        (["NA", "yes", "NA"], [1, 0, 1]),
        (["none", "none", "none"], [1, 1, 1]),
        (["nan", "1", "1", np.nan], [1, 0, 0, 1]),
        ([1.0, np.nan, 0.0, 1.0], [0, 1, 0, 0]),
        ([np.nan, 1.0, 1.0, 1.0], [1, 0, 0, 0]),
    ],
)
def test_a_word_is_a_label_where_one_class_would_be_left_without_it(labels, missing):
    column = np.array(labels, object if any(isinstance(label, str) for label in labels) else float)
    assert are_missing_labels(column).tolist() == [bool(one) for one in missing]
