"""frames: a data frame has the values of the file, in types that lose nothing."""

import io
import sys

import numpy as np
import pandas as pd
import pytest

from aucbook import roc_auc
from aucbook._tables.files import INDEX_NAME, FileError
from aucbook._tables.files import read_table as read_columns
from aucbook.model_selection import CompareOptions
from aucbook.tables import TableEncoder, read_table


def read(tmp_path, content, name="t.csv", **options):
    """Data frame of a file with this content, text or bytes."""
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_table(path, **options)


def column(tmp_path, words, **options):
    """The column of a table with these words."""
    rows = "".join(f"{word},x{i}\n" for i, word in enumerate(words))
    return read(tmp_path, f"v,id\n{rows}", **options)["v"]


@pytest.mark.parametrize(
    "words, dtype, values",
    [
        (["1", "2", "-3"], "int64", [1, 2, -3]),
        (["9007199254740993", "9007199254740992"], "int64", [2**53 + 1, 2**53]),
        (["9007199254740993", "NA"], "Int64", [2**53 + 1, pd.NA]),
        (["1", "2.5"], "float64", [1.0, 2.5]),
        (["1.0", "2.0"], "float64", [1.0, 2.0]),
        (["1", "n/a", "2.5"], "float64", [1.0, np.nan, 2.5]),
        (["1e3", "inf", "-.5"], "float64", [1000.0, np.inf, -0.5]),
        (["TRUE", "false"], "bool", [True, False]),
        (["True", "", "False"], "boolean", [True, pd.NA, False]),
        (["NA", "", " null "], "float64", [np.nan] * 3),
    ],
)
def test_types_of_numbers(tmp_path, words, dtype, values):
    series = column(tmp_path, words)
    assert str(series.dtype) == dtype
    pd.testing.assert_series_equal(series, pd.Series(values, name="v", dtype=dtype))


@pytest.mark.parametrize(
    "words",
    [
        ["007", "012"],  # codes
        ["0.1234567890123456789", "0.1234567890123456788"],  # equal as floats
        ["18446744073709551616", "18446744073709551617"],  # beyond 64 bits, equal as floats
        ["1_000", "2"],
        ["١", "٢"],
        ["2020-05-14", "2020-05-15"],
        ["true", "yes"],
        ["a", " b "],
    ],
)
def test_everything_else_stays_text(tmp_path, words):
    assert column(tmp_path, words).tolist() == words


def test_missing_text_is_missing(tmp_path):
    assert column(tmp_path, ["a", " NA ", "NULL", "none"]).isna().tolist() == [
        False,
        True,
        True,
        True,
    ]
    assert column(tmp_path, ["a", "none"], label="v").tolist() == ["a", "none"]
    column_without = column(tmp_path, ["a", "unknown", "-9"], na_values=["unknown", "-9"])
    assert column_without.isna().tolist() == [False, True, True]
    assert column(tmp_path, ["1.5", "-9.0"], na_values=["-9"]).isna().tolist() == [False, True]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16", "cp1252"])
@pytest.mark.parametrize("sep", [",", ";", "\t", "|"])
def test_encodings_and_separators(tmp_path, sep, encoding):
    content = f"ward{sep}n\nKöln{sep}1\nZürich{sep}2\n".encode(encoding)
    frame = read(tmp_path, content)
    assert frame["ward"].tolist() == ["Köln", "Zürich"] and frame["n"].tolist() == [1, 2]
    stated = read(tmp_path, content, sep=sep, encoding=encoding)
    pd.testing.assert_frame_equal(frame, stated)


def test_assumptions_are_attached(tmp_path):
    assert read(tmp_path, "a;b\n1,5;2\n").attrs["assumed"] == [
        "separated by semicolons",
        "decimal commas",
    ]
    assert read(tmp_path, "a,b\n1,2\n").attrs["assumed"] == []


def test_sheets(tmp_path):
    pytest.importorskip("openpyxl")
    path = tmp_path / "t.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"a": [1]}).to_excel(book, sheet_name="one", index=False)
        pd.DataFrame({"b": [2.0, None]}).to_excel(book, sheet_name="two", index=False)
    assert list(read_table(path)) == ["a"]
    assert read_table(path).attrs["assumed"] == ["sheet 'one', the first of 2 (sheet= chooses)"]
    assert read_table(path, sheet="two")["b"].tolist() == [2]
    with pytest.raises(ValueError, match="its sheets are: one, two"):
        read_table(path, sheet="three")


def test_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {"i": [2**53 + 1, 5], "f": [0.1, np.nan], "s": ["a", None], "b": [True, False]}
    )
    frame.to_parquet(tmp_path / "t.parquet")
    pd.testing.assert_frame_equal(read_table(tmp_path / "t.parquet"), frame, check_dtype=False)


@pytest.mark.parametrize("header", ["", "Unnamed: 0"])
def test_an_index_is_the_index(tmp_path, header):
    frame = read(tmp_path, f"{header},a\n7,1\n9,2\n")
    assert list(frame) == ["a"] and frame.index.tolist() == [7, 9] and frame.index.name is None
    assert INDEX_NAME.fullmatch(header)
    alone = read(tmp_path, "Unnamed: 0\n1\n2\n")  # nothing would be left
    assert list(alone) == ["Unnamed: 0"]


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("a,b\n1,2\n"))
    assert read_table("-").iloc[0].tolist() == [1, 2]


@pytest.mark.parametrize(
    "content, options, message",
    [
        ("1,9\n3,4\n5,7\n", {}, r"say header=False .*or header=True if these are names"),
        ("a,b\n1,2\n", {"sep": "::"}, "^sep must be one character.*sep=';'"),
        ("a,b\n1,2\n", {"sheet": "x"}, "leave sheet=x out"),
        (b"a,b\n\xcf\xf0\xe8,1\n", {"encoding": "utf-8"}, "give another encoding="),
        (b"a,b\n\xcf\xf0\xe8\xe2\xe5\xf2,1\n", {}, "encoding='cp1251'"),
        ("a,b\n1,2\n", {"label": "c"}, "there is no column 'c'"),
        ("a,b\n1,2\n", {"na_values": "-9"}, r"na_values must be a list of words, such as \['-9'\]"),
        ("", {}, "has no data"),
    ],
)
def test_messages_name_parameters(tmp_path, content, options, message):
    with pytest.raises(ValueError, match=message) as refused:
        read(tmp_path, content, **options)
    assert "--" not in str(refused.value)


def test_a_file_is_asked_for(tmp_path):
    with pytest.raises(FileError, match="there is no file"):
        read_table(tmp_path / "nothing.csv")
    for wrong in (None, 3, io.StringIO("a,b")):
        with pytest.raises(TypeError, match="path must be the name of a file"):
            read_table(wrong)


def test_pandas_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="read_table needs pandas"):
        read_table(tmp_path / "t.csv")


def test_script_and_command_line_agree(tmp_path):
    """The encoder makes the same numbers of the frame as of the words of the file."""
    rng = np.random.default_rng(0)
    n = 80
    table = {
        "whole": rng.integers(-5, 5, n).astype(str),
        "real": rng.normal(size=n).round(1).astype(str),
        "level": rng.choice(["a", "b", " c "], n),
        "truth": rng.choice(["TRUE", "FALSE"], n),
        "day": rng.choice(["2020-05-14", "2021-01-01"], n),
        "code": rng.choice(["007", "012", "100"], n),
    }
    words = {k: np.where(rng.random(n) < 0.1, "NA", v).tolist() for k, v in table.items()}
    content = "\n".join(",".join(row) for row in (words, *zip(*words.values())))
    frame = read(tmp_path, content + "\n")
    columns = pd.DataFrame(dict(read_columns(tmp_path / "t.csv")), dtype=object)
    by_words = TableEncoder().fit(columns).transform(columns)
    np.testing.assert_array_equal(TableEncoder().fit(frame).transform(frame), by_words)


def test_rankers_take_the_frame(tmp_path):
    from aucbook import AdditiveRanker, compare

    rng = np.random.default_rng(1)
    age = rng.integers(20, 90, 200)
    sick = (age + rng.normal(0, 20, 200) > 60).astype(int)
    words = np.where(rng.random(200) < 0.1, "NA", age.astype(str))
    rows = "".join(f"{a},{s}\n" for a, s in zip(words, sick))
    frame = read(tmp_path, f"age,sick\n{rows}")
    assert str(frame["age"].dtype) == "Int64"
    known = frame["age"].notna()
    assert roc_auc(frame["sick"][known], frame["age"][known]) > 0.7
    X = frame[["age"]]
    result = compare(X, frame["sick"], {"curves": AdditiveRanker()}, cv=2, options=CompareOptions())
    assert result.decide(X, max_fpr=0.5).positive_scores(X).shape == (200,)
