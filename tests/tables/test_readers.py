"""readers: a file becomes columns of strings; commas that may mean two things are left as they are."""

import csv
import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from aucbook._tables.files import (
    FileError,
    as_objects,
    atomic_file,
    parse_float,
    read_table,
    with_file_rows,
)
from aucbook.tables import describe_columns


def read(tmp_path, values, mark):
    """The column of these values, as it is read from a file where `mark` separates."""
    path = tmp_path / "t.csv"
    path.write_text(f"dose{mark}sick\n" + "".join(f'"{value}"{mark}1\n' for value in values))
    return read_table(path)["dose"]


@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
@pytest.mark.parametrize(
    "values, expected",
    [
        ("51,20 -4,5 +,5 7 1,5E-3", "51.20 -4.5 +.5 7 1.5E-3"),
        (
            "51,20 NA nan <NA> null . -",
            "51.20 NA nan <NA> null . -",
        ),  # words for missing values, ours and others
        (
            "140,30 alt <1,5 1.234,50",
            "140.30 alt <1,5 1.234,50",
        ),  # one odd word is named, not the good value before it
        ("1,234 0,125", "1.234 0.125"),  # a thousand does not begin with 0
        ("1,234 12,5", "1.234 12.5"),
    ],
)
def test_decimal_commas(tmp_path, mark, values, expected):
    assert read(tmp_path, values.split(), mark) == expected.split()


@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
@pytest.mark.parametrize(
    "values",
    [
        "950.25 1,234",
        "1,234.50 1,234",
        "1,234,567 1,5",
        "51,20 51.2",
        "1,2 1,2,3",
        "a,1 b,2",
        "1.5 2",
        "NA",
    ],
)
def test_other_commas_are_left_alone(tmp_path, mark, values):
    assert read(tmp_path, values.split(), mark) == values.split()


def test_thousands_are_not_read_as_one_and_a_bit(tmp_path):
    values = ["1,234", "950", "-12,500", "NA"]
    for mark in ",\t|":
        assert read(tmp_path, values, mark) == values
    assert read(tmp_path, values, ";") == [
        "1.234",
        "950",
        "-12.500",
        "NA",
    ]  # here commas are decimal


@pytest.mark.parametrize("mark", [";", ","])
def test_numbers_with_commas_are_not_reported_as_names(tmp_path, mark):
    numbers = [
        f"{value:.2f}".replace(".", ",") for value in np.random.default_rng(0).normal(100, 30, 60)
    ]
    rows = as_objects({"dose": read(tmp_path, ["NA", "", *numbers], mark)})
    (column,) = describe_columns(rows)
    assert (column["kind"], column["remark"], column["missing"]) == ("number", "", 2 / 62)


def test_a_blank_beside_the_number_stays(tmp_path):
    assert [float(value) for value in read(tmp_path, [" 1,5 ", "2"], ";")] == [1.5, 2.0]


def sheet():
    """The bytes of an .ods file: a zip."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    return held.getvalue()


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
# named by hand: a zip holds the time it was made, and workers that collect at another second would not agree
@pytest.mark.parametrize(
    "start", [sheet(), bytes.fromhex("d0cf11e0a1b11ae1") + bytes(512)], ids=["zip", "ole"]
)
def test_a_spreadsheet_is_refused(tmp_path, name, start):
    (tmp_path / name).write_bytes(start)
    with pytest.raises(
        FileError,
        match=rf"{name} (looks like a spreadsheet|is an OpenDocument file).*save it as .*CSV$",
    ):
        read_table(tmp_path / name)


def test_a_column_may_be_named_pk_and_gzip_is_no_spreadsheet(tmp_path):
    text = "PK,dose\n1,2\n"
    (tmp_path / "t.csv").write_text(text)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    assert (
        read_table(tmp_path / "t.csv")
        == read_table(tmp_path / "t.csv.gz")
        == {"PK": ["1"], "dose": ["2"]}
    )


def test_rows_of_the_file():
    message = "column 'row 3', row 0 (the first is 0): 'alt' is not a number"
    assert with_file_rows(ValueError(message)) == "column 'row 3', row 2: 'alt' is not a number"
    assert with_file_rows("no folds") == "no folds"


@pytest.mark.parametrize("mark", [",", ";"])
def test_a_very_wide_table(tmp_path, mark):
    names = [f"measurement_{j:05}" for j in range(12_000)]  # a header of 216 000 characters
    path, limit = tmp_path / "t.csv", csv.field_size_limit()
    path.write_text(mark.join(names) + "\n" + mark.join(["1.5"] * len(names)) + "\n")
    assert list(read_table(path)) == names and csv.field_size_limit() == limit
    path.write_text("note,sick\n" + "x" * 200_000 + ",1\n")
    assert len(read_table(path)["note"][0]) == 200_000


def test_a_number_as_python_writes_it_is_none():
    assert parse_float("-1.5e3") == -1500
    with pytest.raises(ValueError, match="'1_000' is not a number"):
        parse_float("1_000")


def test_a_file_is_whole_or_absent(tmp_path):
    path = tmp_path / "new.txt"
    with pytest.raises(OSError, match="full"), atomic_file(path) as draft:
        draft.write_text("half")
        raise OSError("full")
    assert not list(tmp_path.iterdir())
    with atomic_file(path) as draft:
        draft.write_text("all")
        assert not path.exists()
    assert path.read_text() == "all" and list(tmp_path.iterdir()) == [path]
    with atomic_file("/dev/null") as draft:  # a device stays one
        draft.write_text("gone")
    assert not Path("/dev/null").is_file()
