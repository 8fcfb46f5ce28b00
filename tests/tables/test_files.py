"""files: the format of a table is detected from its rows, assumptions are reported, written tables are read back equal."""

import bz2
import csv
import gzip
import io
import lzma
import os
import subprocess
import sys
import threading
import zipfile

import numpy as np
import pytest
from command_line import LINE, compare_line, refused
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from aucbook import cli
from aucbook._tables import files
from aucbook._tables.files import FileError, atomic_folder, read_table, write_csv
from aucbook._validation.messages import shortened

ROWS = [("0", "0.1"), ("1", "0.9"), ("0", "0.3"), ("1", "0.7")]
TABLE = {"sick": [label for label, _ in ROWS], "s": [score for _, score in ROWS]}
PLAIN = "sick,s\n" + "".join(f"{label},{score}\n" for label, score in ROWS)


def read(tmp_path, content, name="t.csv", **options):
    """Columns of a file with this content, text or bytes."""
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_table(path, **options)


def separated(mark, decimal="."):
    """The table with this separator and decimal mark."""
    return PLAIN.replace(",", mark).replace(".", decimal)


@pytest.mark.parametrize(
    "content, assumed",
    [
        (PLAIN, ""),
        (PLAIN.replace("\n", "\r\n"), ""),
        (PLAIN.replace("\n", "\r"), ""),
        (PLAIN.replace(",", ", "), ""),
        (separated(";"), "separated by semicolons"),
        (separated(";", ","), "separated by semicolons; decimal commas"),
        (separated("\t"), "separated by tabs"),
        (separated("\t", ","), "separated by tabs; decimal commas"),
        (separated("|"), "separated by bars"),
        (separated(" "), "separated by blanks"),
        (separated("    "), "separated by blanks"),
        ("sep=;\n" + separated(";", ","), "separated by semicolons; decimal commas"),
        ('"sep=;"\r\n' + separated(";"), "separated by semicolons"),
        ("SEP=\t\n" + separated("\t"), "separated by tabs"),
        ("# exported by lab\n" + PLAIN, "1 comment line (#) skipped"),
        ("# a, b, c\n#\n\n# 2020; x\n" + PLAIN, "3 comment lines (#) skipped"),
        ("\n\n" + PLAIN, ""),
        (PLAIN + "   \n", ""),
        (PLAIN + "\n \n\t\n", ""),
        ("#" + PLAIN, ""),
        (PLAIN.replace("0,0.1", '0,"0.1"'), ""),
        ("'sick','s'\n" + "".join(f"'{a}','{b}'\n" for a, b in ROWS), "single quotation marks"),
    ],
)
def test_shapes_of_a_table(tmp_path, content, assumed):
    table = read(tmp_path, content)
    assert {name: [value.strip() for value in values] for name, values in table.items()} == TABLE
    assert "; ".join(table.assumed) == assumed


@pytest.mark.parametrize(
    "content, names, first",
    [
        ("sick;score, raw\n0;0.1\n1;0.9\n", ["sick", "score, raw"], ["0", "0.1"]),
        ("sick;score, raw\n0;0,1\n1;0,9\n", ["sick", "score, raw"], ["0", "0.1"]),
        ("sick;a, b, c\n0;1\n1;2\n", ["sick", "a, b, c"], ["0", "1"]),
        ("sick,score; raw\n0,0.1\n1,0.9\n", ["sick", "score; raw"], ["0", "0.1"]),
        ("sick\tage, years; months\n0\t1\n1\t2\n", ["sick", "age, years; months"], ["0", "1"]),
        ("sick|a,b;c\n0|1\n1|2\n", ["sick", "a,b;c"], ["0", "1"]),
        ("a;b;c\n0;0,1;1,5\n1;0,9;2,5\n0;0,3;1\n", ["a", "b", "c"], ["0", "0.1", "1.5"]),
        ("sick;note\n0;red, big\n1;blue, small\n", ["sick", "note"], ["0", "red, big"]),
        ("sick,note,x\n0,a; b; c,1\n1,d; e; f,2\n", ["sick", "note", "x"], ["0", "a; b; c", "1"]),
        ('sick,note\n0,"a, ""b"""\n1,"c\nd"\n', ["sick", "note"], ["0", 'a, "b"']),
        ("sick,note\n0,'a, b'\n1,'c, d'\n", ["sick", "note"], ["0", "a, b"]),
        ("sick,note\n0,it's\n1,don't\n0,'tis\n", ["sick", "note"], ["0", "it's"]),
        ('sick,note\n0,"a \\"b\\", c"\n1,"d"\n', ["sick", "note"], ["0", 'a "b", c']),
        ('sick,size\n0,5" disk\n1,3" disk\n', ["sick", "size"], ["0", '5" disk']),
        ('sick, note\n0, "a, b"\n1, "c, d"\n', ["sick", "note"], ["0", "a, b"]),
        (
            "sick,when\n0,2020-01-05 10:00:00\n1,2020-01-06 11:30:00\n",
            ["sick", "when"],
            ["0", "2020-01-05 10:00:00"],
        ),
        ("sick;codes\n0;1,2,3\n1;4,5\n0;6\n", ["sick", "codes"], ["0", "1,2,3"]),
        ("sick;a;b\n0;;1,5\n1;2;\n", ["sick", "a", "b"], ["0", "", "1.5"]),
        ('"sick" "the score"\n0 0.1\n1 0.9\n', ["sick", "the score"], ["0", "0.1"]),
        ("score\n0.1\n0.9\n", ["score"], ["0.1"]),
        ("score\n0,1\n0,9\n", ["score"], ["0.1"]),
        ("#id,sick\n1,0\n2,1\n", ["id", "sick"], ["1", "0"]),
        ("#,name\n1,bo\n2,al\n", ["#", "name"], ["1", "bo"]),
        (
            "sick,a,b\n0,\"a, b\",'c, d'\n1,\"e, f\",'it''s, ok'\n",
            ["sick", "a", "b"],
            ["0", "a, b", "c, d"],
        ),
        # digits stay as they are written
        ("id,s\n007,1e-400\n010,0.10000000000000000001\n", ["id", "s"], ["007", "1e-400"]),
    ],
)
def test_separators_are_found_from_all_rows(tmp_path, content, names, first):
    table = read(tmp_path, content)
    assert list(table) == names and [values[0] for values in table.values()] == first


@pytest.mark.parametrize(
    "mark, quoted", [(",", False), (",", True), (" ", True), (";", False), ("\t", True)]
)
def test_row_names_of_r_are_left_out(tmp_path, mark, quoted):
    """write.table leaves the header one name short."""
    quote = '"' if quoted else ""
    lines = [mark.join(f"{quote}{name}{quote}" for name in TABLE)]
    lines += [mark.join((f"{quote}{i}{quote}", *row)) for i, row in enumerate(ROWS, 1)]
    table = read(tmp_path, "\n".join(lines))
    assert table == TABLE and "row names, as R writes them" in table.assumed[-1]


def test_a_separator_at_the_end_of_rows_is_left_out(tmp_path):
    table = read(tmp_path, PLAIN.replace("\n", ",\n").replace("sick,s,", "sick,s"))
    assert table == TABLE and "end of each row" in table.assumed[0]
    table = read(tmp_path, PLAIN.replace("\n", ",\n"))
    assert table == TABLE and "without a name" in table.assumed[0]


TREC = "301 Q0 FBIS3-10082 1 9.5 run\n301 Q0 FBIS4-18182 2 8.25 run\n301 Q0 LA01-1 3 7 run\n"


@pytest.mark.parametrize(
    "content",
    [
        TREC,
        TREC.replace(" ", "\t"),
        "0,0.5\n1,0.75\n0,0.25\n",
        "1,0.5,3\n0,0.25,4\n",
        "yes;0,5\nno;0,7\nyes;0,1\n",
    ],
)
def test_a_missing_header_is_named(tmp_path, content):
    with pytest.raises(
        FileError, match="seems to have no header line: its first row .*--no-header"
    ):
        read(tmp_path, content)
    table = read(tmp_path, content, header=False)
    assert (
        list(table) == [f"column_{j + 1}" for j in range(len(table))]
        and "no header line" in table.assumed
    )
    assert len(table["column_1"]) == content.count("\n") and table.first_row == 1
    assert (
        next(iter(read(tmp_path, content, header=True))) == table["column_1"][0]
    )  # these are names


@pytest.mark.parametrize(
    "content",
    [
        "0,1,2\n5.5,6,7\n8,9,10\n",  # columns that are numbered
        "400,410,420,430\n1,2,3,4\n5,6,7,8\n",
        "class,1100,1102,1104\nyes,1,2,3\nno,4,5,6\n",  # wavelengths
        "sick,1\n0,5\n1,6\n",
        "name,city\nbo,rome\nal,paris\n",
        ",a,b\n0,1,2\n1,3,4\n",
    ],
)
def test_numbers_may_name_columns(tmp_path, content):
    assert list(read(tmp_path, content)) == content.splitlines()[0].split(",")


@pytest.mark.parametrize(
    "content, message",
    [
        (
            "sick,s\n0,1\n2\n",
            "row 3: 1 fields, but the header has 2; the file ends here: was it cut off?",
        ),
        ("sick,s\n0,1\n2\n3,4\n", "row 3: 1 fields.*a value is missing with its separator"),
        (
            "sick,s\n0,1,5\n1,2\n0,2.5\n",
            'row 2: 3 fields.*a value that holds a comma needs quotation marks, such as "1,5"',
        ),
        (
            "sick;s\n0;a;b\n1;c\n0;d\n",
            "row 2: 3 fields.*separated by semicolons; --sep says otherwise",
        ),
        ("sick,s\n0,1\n1,2,\n0,3\n", "row 3: 3 fields.*ends in more separators"),
        ("sick,s\n0,a,b,c\n1,d,e,f\n", "row 2: 4 fields.*all rows have the same number"),
        (
            "a,b,c\n0,1,2,1\n0,1,2,1\n",
            "row 2: 4 fields",
        ),  # a first column of equal values is no row names
        (
            'sick,s\n0,"a\n1,b\n0,c\n',
            "row 2: a quotation mark that opens in this row is not closed",
        ),
        ('sick,s\n0,"a"\n1,"b\n', "row 3: a quotation mark that opens in this row is not closed"),
        ("sick,s\n0,1\n# note\n1,2\n", "row 3: 1 fields.*comments only above the header"),
        ("id,s\n1,0,05\n2,0,70\n3,0,90\n", "row 2: 3 fields"),  # decimal commas, and no row names
        ("s\n1,5\n2,5\n3,5\n", "is it a decimal comma"),
        ("<!DOCTYPE html><html><body>404</body></html>", "is a web page"),
        ('[{"a": 1, "b": 2}]', "is JSON"),
        ("a,b;c\nx,y;z\nu,v;w\n", "may be separated by commas or semicolons: say which with --sep"),
        ("", "no data"),
        (" \n\n", "no data"),
        ("sick,s\n", "no data"),
        ("# only a comment\n", "no data"),
        ("a,a\n1,2\n", "two columns named 'a'"),
    ],
)
def test_unreadable_files_have_a_reason(tmp_path, content, message):
    with pytest.raises(FileError, match=message):
        read(tmp_path, content)


def test_rows_keep_the_numbers_of_their_file(tmp_path, capsys):
    path = tmp_path / "t.csv"
    for content, options, row in (
        ("# x\n# y\nsick,s\n0,1\n1,red\n", [], 5),
        ("sep=;\nsick;s\n0;1\n1;red\n", [], 4),
        ("0,1\n1,red\n0,3\n", ["--no-header"], 2),
    ):
        path.write_text(content)
        label = "column_1" if options else "sick"
        assert (
            cli.main(
                ["report", str(path), "--label", label, "--out", str(tmp_path / "o"), *options]
            )
            == 2
        )
        assert f", row {row}: the value is 'red'" in capsys.readouterr().err


# ---------------------------------------------------------------- encodings
WORDS = "sick,station\n0,Köln\n1,Málaga\n0,Århus\n1,naïve\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_encodings_are_detected(tmp_path, encoding):
    table = read(tmp_path, WORDS.encode(encoding))
    assert table["station"] == ["Köln", "Málaga", "Århus", "naïve"] and list(table) == [
        "sick",
        "station",
    ]
    assert bool(table.assumed) == (not encoding.startswith("utf-8"))


@pytest.mark.parametrize(
    "text, encoding",
    [
        ("пол,возраст\nмуж,50\nжен,60\n", "cp1251"),
        ("性別,年\n男,50\n女,60\n", "shift_jis"),
        ("φύλο,s\nα,1\n", "cp1253"),
    ],
)
def test_other_encodings_have_to_be_named(tmp_path, text, encoding):
    with pytest.raises(
        FileError,
        match="not UTF-8 from byte [13] on, in line 1; give its encoding, such as --encoding",
    ):
        read(tmp_path, text.encode(encoding))
    assert list(read(tmp_path, text.encode(encoding), encoding=encoding)) == text.splitlines()[
        0
    ].split(",")
    with pytest.raises(FileError, match="there is no encoding 'utf-9'"):
        read(tmp_path, text.encode(encoding), encoding="utf-9")
    with pytest.raises(
        FileError, match="is not ascii from byte [13] on, in line 1; give another --encoding"
    ):
        read(tmp_path, text.encode(encoding), encoding="ascii")


def test_binary_files_are_named(tmp_path):
    with pytest.raises(FileError, match="is not text"):
        read(tmp_path, bytes(range(256)) * 20)


# ---------------------------------------------------------------- kinds of files
def zipped(**members):
    """The bytes of a zip archive."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_csv", ".csv"), content)
    return held.getvalue()


@pytest.mark.parametrize("name", ["t.csv", "t.txt", "t.csv.gz", "t", "t.xlsx", "t.zip"])
@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, bz2.compress, lzma.compress, lambda raw: zipped(t_csv=raw)]
)
def test_the_content_decides_the_format(tmp_path, name, pack):
    assert read(tmp_path, pack(PLAIN.encode()), name) == TABLE


@pytest.mark.parametrize(
    "content, message",
    [
        (zipped(a_csv=PLAIN, b_csv=PLAIN), "a zip archive of 2 files .a.csv, b.csv.: unpack it"),
        (zipped(), "an empty zip archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), r"spreadsheet of the old kind \(.xls\)"),
        (zipped(mimetype="application/vnd.oasis.opendocument.spreadsheet"), "OpenDocument"),
        (b"SQLite format 3\x00" + bytes(100), "an SQLite database"),
        (b"\x93NUMPY\x01\x00", "a NumPy file"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"ARROW1\x00\x00", "Arrow"),
        (b"\x28\xb5\x2f\xfd" + bytes(20), "zstd"),
        (gzip.compress(PLAIN.encode())[:20], "cannot be read"),
        (zipped(t_csv=PLAIN)[:-10], "cannot be read"),
    ],
)
def test_files_without_a_table_are_named(tmp_path, content, message):
    with pytest.raises(FileError, match=message):
        read(tmp_path, content)


def test_a_parquet_file_under_another_name(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"sick": [0, 1], "s": ["a", None]}), tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv") == {"sick": ["0", "1"], "s": ["a", ""]}


def test_paths_that_are_no_files(tmp_path):
    for path, message in (
        ("", "name of the file is empty"),
        (tmp_path, "is a folder"),
        (tmp_path / "x.csv", "no file"),
    ):
        with pytest.raises(FileError, match=message):
            read_table(path)
    with pytest.raises(FileError, match="cannot be read"):
        read_table(tmp_path / ("x" * 300))


# ---------------------------------------------------------------- spreadsheets
@pytest.fixture
def workbook():
    return pytest.importorskip("openpyxl").Workbook()


def saved(workbook, tmp_path, name="t.xlsx"):
    """The path of a workbook."""
    workbook.save(tmp_path / name)
    return tmp_path / name


def test_a_spreadsheet_is_read_as_its_cells_show(tmp_path, workbook):
    import datetime

    sheet = workbook.active
    sheet.append(["sick", "score", "when", "at", "note", "flag"])
    day = datetime.datetime(2024, 5, 14)
    sheet.append([0, 0.1, day, datetime.datetime(2024, 5, 14, 13, 5), None, True])
    sheet.append([1.0, 1e-7, day, None, "1,5", False])
    sheet.append([None] * 6)
    path = saved(workbook, tmp_path)
    table = read_table(path)
    assert table == {
        "sick": ["0", "1"],
        "score": ["0.1", "1e-07"],
        "when": ["2024-05-14", "2024-05-14"],
        "at": ["2024-05-14 13:05:00", ""],
        "note": ["", "1.5"],
        "flag": ["True", "False"],
    }
    assert table.assumed == []
    assert read_table(path.rename(tmp_path / "t.csv")) == table


def test_sheets_are_chosen_by_name(tmp_path, workbook):
    workbook.active.title = "hidden"
    workbook.active.sheet_state = "hidden"
    for title, value in (("first", 1), ("second", 2)):
        sheet = workbook.create_sheet(title)
        sheet.append([])
        sheet.append(["", "a", "b"])
        sheet.append([None, value, "x"])
    path = saved(workbook, tmp_path)
    table = read_table(path)
    assert table == {"a": ["1"], "b": ["x"]} and "sheet 'first', the first of 3" in table.assumed[0]
    assert read_table(path, sheet="second")["a"] == ["2"]
    with pytest.raises(FileError, match="no sheet 'third'; its sheets are: hidden, first, second"):
        read_table(path, sheet="third")
    with pytest.raises(FileError, match="is not a spreadsheet: leave --sheet"):
        read(tmp_path, PLAIN, "plain.csv", sheet="first")


def test_a_formula_without_a_value_is_not_an_empty_cell(tmp_path, workbook):
    workbook.active.append(["a", "b"])
    workbook.active.append([1, "=A2*2"])
    with pytest.raises(
        FileError, match="row 2, column 2: the formula '=A2\\*2' has no stored value"
    ):
        read_table(saved(workbook, tmp_path))


def test_without_openpyxl_the_extra_is_named(tmp_path, workbook, monkeypatch):
    workbook.active.append(["a"])
    path = saved(workbook, tmp_path)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(FileError, match=r"needs openpyxl: pip install 'aucbook\[excel\]'"):
        read_table(path)


# ---------------------------------------------------------------- streams
def test_standard_input_and_a_fifo(tmp_path, monkeypatch):
    for stream in (io.TextIOWrapper(io.BytesIO(PLAIN.encode())), io.StringIO(PLAIN)):
        monkeypatch.setattr("sys.stdin", stream)
        assert read_table("-") == TABLE
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    writer = threading.Thread(
        target=lambda: fifo.write_bytes(gzip.compress(separated(";").encode()))
    )
    writer.start()
    assert read_table(fifo) == TABLE
    writer.join()


# ---------------------------------------------------------------- written and read back
CHARACTERS = st.one_of(
    st.sampled_from(list("'=+-@\t\r\n ,;\"#|!().0123456789eEabA_\\é漢＝")),
    st.characters(exclude_categories=["Cs", "Cc"]),
)
SPECIAL = [
    "-4.2",
    "+",
    "-",
    "=",
    "-A7",
    "=1+1",
    "'=1+1",
    "''=1",
    "'-1",
    "1,5",
    "1,234",
    "'a'",
    "#x",
    "sep=;",
    "",
    "NA",
]
CELLS = st.one_of(st.text(CHARACTERS, max_size=8), st.sampled_from(SPECIAL))


@settings(max_examples=300, deadline=None)
@given(st.lists(CELLS, min_size=1, max_size=6))
@example(["'-1", "-1"])
@example(["=1+1", "'=1+1", "''=1+1"])
def test_every_written_file_is_read_back_equal(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("written") / "t.csv"
    half = [0.5] * len(values)
    rows = list(range(len(values)))
    for header, columns, name in (
        (
            ["row", "case", "score", "probability", "alarm"],
            [rows, values, half, half, half],
            "case",
        ),  # scored.csv
        (
            ["row", "fold", "group", "label", "a"],
            [rows, rows, values, rows, half],
            "group",
        ),  # scores.csv
        (["row", "fold", "label", "a"], [rows, rows, values, half], "label"),
        (["ranker", "AUC", "low", "high"], [values, half, half, half], "ranker"),  # table.csv
    ):
        write_csv(path, header, columns)
        table = read_table(path)
        assert list(table) == header and table[name] == values
        assert not table.assumed


@pytest.mark.parametrize(
    "value",
    ["-4.2", "+", "-", "=", "@", "-A7", "+49 (0)30 1234", "+1-555-1234", "- pain", "a=1", "'a"],
)
def test_data_are_written_as_they_are(tmp_path, value):
    write_csv(tmp_path / "t.csv", ["case"], [[value]])
    with open(tmp_path / "t.csv", newline="") as file:
        assert list(csv.reader(file)) == [["case"], [value]]


@pytest.mark.parametrize(
    "value",
    [
        "=1+1",
        "@SUM(A1)",
        "\t=1+1",
        "\r=1",
        " =1",
        "-2+cmd|' /C calc'!A0",
        '+HYPERLINK("x")',
        "-SUM (A1)",
        "＝1+1",
    ],
)
def test_formulas_are_written_as_text(tmp_path, value):
    write_csv(tmp_path / "t.csv", [value], [[value, "x"]])
    with open(tmp_path / "t.csv", newline="") as file:
        assert list(csv.reader(file)) == [["'" + value], ["'" + value], ["x"]]


def test_quotes_that_are_data_are_kept(tmp_path):
    for values in (["'a", "a", "''a"], ["'-1", "-1"], ["'=1", "=1"], ["'=1", "=2"]):
        content = "key,x\n" + "".join(f"{value},1\n" for value in values)
        assert read(tmp_path, content)["key"] == values
    assert read(tmp_path, "key,x\n'-1,1\n'-2,1\n")["key"] == [
        "-1",
        "-2",
    ]  # as earlier versions wrote them


# ---------------------------------------------------------------- whole folders
def folder_content(folder):
    """Dict of the names and texts of the files in a folder."""
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt, ZeroDivisionError])
def test_a_folder_is_replaced_whole_or_not_at_all(tmp_path, error):
    (tmp_path / "a").write_text("old")
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(error), atomic_folder(tmp_path) as draft:
        (draft / "a").write_text("new")
        raise error
    assert folder_content(tmp_path) == {"a": "old", "mine": "mine"}
    with atomic_folder(tmp_path) as draft:
        (draft / "a").write_text("new")
        (draft / "b").write_text("new")
        assert (tmp_path / "a").read_text() == "old"
    assert folder_content(tmp_path) == {"a": "new", "b": "new", "mine": "mine"}


def test_a_move_that_fails_brings_the_old_files_back(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("old")
    (tmp_path / "b").mkdir()  # no file can take its place
    with pytest.raises(OSError, match="b is a folder"), atomic_folder(tmp_path) as draft:
        (draft / "a").write_text("new")
        (draft / "b").write_text("new")
        (draft / "c").write_text("new")
    assert (tmp_path / "a").read_text() == "old" and not (tmp_path / "c").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_ctrl_c_waits_until_all_files_have_moved(tmp_path, monkeypatch):
    import signal

    move = files.shutil.move

    def pressed(*arguments):
        signal.raise_signal(signal.SIGINT)
        return move(*arguments)

    monkeypatch.setattr(files.shutil, "move", pressed)
    with pytest.raises(KeyboardInterrupt), atomic_folder(tmp_path) as draft:
        (draft / "a").write_text("new")
        (draft / "b").write_text("new")
    assert folder_content(tmp_path) == {"a": "new", "b": "new"}


# ---------------------------------------------------------------- options and messages of the command line
def scores(path, sep=",", n=60, header=True):
    """A file of labels and scores."""
    rng = np.random.default_rng(0)
    lines = ["sick,s"] * header + [f"{i % 2},{rng.normal() + i % 2:.3f}" for i in range(n)]
    path.write_text("\n".join(lines).replace(",", sep) + "\n")
    return path


@pytest.mark.parametrize(
    "sep, word",
    [("^", "^"), ("~", "~"), ("\t", "tab"), (" ", "space"), (";", "semicolon"), (":", ":")],
)
def test_a_separator_may_be_given(tmp_path, capsys, sep, word):
    path = scores(tmp_path / "t.csv", sep)
    call = ["report", path, "--label", "sick", "--sep", word, "--out", tmp_path / "o"]
    assert cli.main(list(map(str, call))) == 0
    output = capsys.readouterr().out
    assert (
        output.splitlines()[0].startswith("t.csv was read as: separated by") and "60 rows" in output
    )


def test_invalid_options_of_reading(tmp_path, capsys):
    path = scores(tmp_path / "t.csv")
    for options, message in (
        (["--sep", "::"], "--sep must be one character"),
        (["--sep", "x"], "--sep must be one character"),
        (["--encoding", "utf-9"], "there is no encoding 'utf-9'"),
        (["--sheet", "a"], "leave --sheet a out"),
    ):
        assert message in refused(capsys, ["report", path, "--label", "sick", *options])


def test_a_file_without_a_header_from_the_shell(tmp_path, capsys):
    path = scores(tmp_path / "t.csv", header=False)
    out = tmp_path / "o"
    assert "--no-header" in refused(capsys, ["report", path, "--label", "column_1", "--out", out])
    call = ["report", path, "--no-header", "--label", "column_1", "--out", out]
    assert cli.main(list(map(str, call))) == 0
    output = capsys.readouterr().out
    assert "t.csv was read as: no header line\n" in output and "column_2" in output


def test_the_shell_reads_a_stream(tmp_path, capsys, monkeypatch):
    content = scores(tmp_path / "t.csv", ";").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    monkeypatch.setattr(
        "aucbook.cli.arguments.os.path.exists", lambda path: False
    )  # as where there is no /dev/stdin
    assert cli.main(["report", "-", "--label", "sick", "--out", str(tmp_path / "o")]) == 0
    assert "60 rows, 30 positives" in capsys.readouterr().out


@pytest.mark.parametrize(
    "values",
    [
        ["1e-400", "1e-427", "1e-414", "1e-441"],
        ["0", "0.5", "1e-400", "0.25"],
        ["1e400", "1e500", "1", "2"],
        ["-1e-330", "1", "2", "-1e-329"],
        ["0.123456789012345672", "0.5", "0.25", "0.123456789012345684"],
        ["100000000000000000000.5", "1", "2", "100000000000000000001"],
        ["9007199254740992", "1", "2", "9007199254740993"],
    ],
)
def test_scores_that_floats_tie_are_refused(tmp_path, capsys, values):
    path = tmp_path / "t.csv"
    path.write_text("sick,p\n" + "".join(f"{i % 2},{value}\n" for i, value in enumerate(values)))
    error = refused(capsys, ["report", path, "--label", "sick"])
    assert "column 'p', row " in error and "give ranks instead, or their logarithms" in error
    rows = [
        int(word.strip("):,"))
        for word in error.replace("row", " row ").split()
        if word.strip("):,").isdecimal()
    ]
    assert set(rows) & {2, 3, 4, 5}


@pytest.mark.parametrize(
    "values",
    [
        ["0.1", "0.10", "1e-1", "0.100000000000000000"],  # one number, written in several ways
        ["0", "0.0", "-0", "0e10"],
        [repr(0.1 + 0.2), repr(0.3), "0.30000000000000004", "1"],
        ["1e-300", "1e-310", "5e-324", "0"],
        ["inf", "-inf", "inf", "1e308"],
    ],
)
def test_numbers_that_floats_keep_apart_pass(values):
    from aucbook.cli.table_input import numbers

    assert numbers({"p": values})[:, 0].tolist() == [float(value) for value in values]


def test_a_huge_value_does_not_fill_the_screen(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("sick,s\n0," + "x" * 300_000 + "\n1,2\n")
    error = refused(capsys, ["report", path, "--label", "sick"])
    assert (
        len(error) < 1000
        and "column 's', row 2: the value is 'xxx" in error
        and error.endswith("; --drop removes a column\n")
    )
    path.write_text(
        ",".join(f"name_{j}" for j in range(50_000)) + "\n" + ",".join("1" * 50_000) + "\n"
    )
    assert len(refused(capsys, ["report", path, "--label", "sick"])) < 3000
    text = shortened("a 'b' " * 1000)
    assert len(text) <= 2000 and "…" in text and shortened("short") == "short"


def test_names_and_folders_that_cannot_be_written(tmp_path, capsys):
    path = scores(tmp_path / "t.csv")
    long = tmp_path / ("x" * 300)
    assert "File name too long" in refused(
        capsys, ["report", path, "--label", "sick", "--out", long]
    )
    for out in ("/proc/nowhere", tmp_path / "t.csv" / "below"):
        assert "cannot write to" in refused(
            capsys, ["report", path, "--label", "sick", "--out", out]
        )


@pytest.mark.parametrize("jobs", ["0", "-99", "-1000000"])
def test_invalid_numbers_of_processes(tmp_path, capsys, jobs):
    path = scores(tmp_path / "t.csv")
    error = refused(
        capsys, ["compare", path, "--label", "sick", "--jobs", jobs, "--out", tmp_path / "o"]
    )
    assert f"--jobs must be None or a number of processes, -1 for all cores, got {jobs}" in error


# ---------------------------------------------------------------- scores that are kept, logs, reports
@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The model of a comparison of numbers below and above 0."""
    folder = tmp_path_factory.mktemp("model")
    rng = np.random.default_rng(1)
    rows = [
        f"{i % 2},{rng.normal(-2 + 3 * (i % 2), 2):.1f},{rng.integers(30, 80)}" for i in range(240)
    ]
    path = folder / "t.csv"
    path.write_text("\n".join(["sick,excess,age", *rows]) + "\n")
    return compare_line(path, folder / "out") / "model.skops", path


def test_columns_that_are_kept_do_not_change(tmp_path, capsys, model):
    saved_model, path = model
    scored = tmp_path / "scored.csv"
    call = ["score", str(saved_model), str(path), "--keep", "excess", "age", "--out", str(scored)]
    assert cli.main(call) == 0
    with open(path, newline="") as file, open(scored, newline="") as other:
        pairs = list(zip(csv.DictReader(file), csv.DictReader(other), strict=True))
    assert all(row["excess"] == copy["excess"] and row["age"] == copy["age"] for row, copy in pairs)
    assert any(row["excess"].startswith("-") for row, _ in pairs)
    # the file that was written is read again, and gets the same scores
    again = tmp_path / "again.csv"
    renamed = scored.read_text().replace(
        "row,excess,age,score,probability,alarm", "row,excess,age,old,p,a", 1
    )
    (tmp_path / "renamed.csv").write_text(renamed)
    for source in (scored, tmp_path / "renamed.csv"):
        assert cli.main(["score", str(saved_model), str(source), "--out", str(again)]) == 0
        assert read_table(again)["score"] == read_table(scored)["score"]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(CELLS, min_size=2, max_size=5))
def test_cases_of_any_name_are_kept(tmp_path, model, values):
    """What the command reads and writes, it reads back equal."""
    saved_model, _ = model
    data, scored = tmp_path / "data.csv", tmp_path / "scored.csv"
    with open(data, "w", newline="", encoding="utf8") as file:
        writer = csv.writer(file)
        writer.writerow(["excess", "age", "case"])
        writer.writerows([["1.5", str(40 + i), value] for i, value in enumerate(values)])
    given_cases = read_table(data)["case"]
    call = ["score", str(saved_model), str(data), "--keep", "case", "--out", str(scored)]
    assert cli.main(call) == 0
    assert [as_missing(value) for value in read_table(scored)["case"]] == [
        as_missing(value) for value in given_cases
    ]


def as_missing(value):
    """The value, or nothing where it is a word for a missing one."""
    return (
        ""
        if value.strip().lower() in ("", "na", "nan", "n/a", "null", "none", "<na>", "nat")
        else value
    )


def log_of(path, names, rows):
    """A file of a log."""
    path.write_text("\n".join([",".join(names), *(",".join(row) for row in rows)]) + "\n")
    return path


def test_quotation_marks_of_cases_are_part_of_them(tmp_path, capsys, model):
    rows = [[key, "0", "0"] for key in ("'a", "a", "''a", "'=1", "=1", "''=1", "'-2", "-2")]
    path = log_of(tmp_path / "log.csv", ["case", "alarm", "label"], rows)
    assert cli.main(["monitor", str(model[0]), str(path), "--key", "case"]) == 0
    assert capsys.readouterr().out.startswith("8 cases")


def test_a_missing_label_column(tmp_path, capsys, model):
    rows = [[str(i), str(i % 2), str(i % 2)] for i in range(8)]
    log = tmp_path / "log"
    log.mkdir()
    one = log_of(log / "2026-01.csv", ["case", "alarm", "label"], rows)
    call = ["monitor", model[0], one]
    for typo in ("lable", "sick", "x"):
        assert f"2026-01.csv has no column {typo!r}" in refused(capsys, [*call, "--label", typo])
    log_of(log / "2026-02.csv", ["case", "alarm"], [[f"b{i}", "0"] for i in range(8)])
    call = ["monitor", model[0], log, "--key", "case"]
    assert "none of the 2 files in" in refused(capsys, [*call, "--label", "x"])
    assert cli.main(list(map(str, call))) == 0  # labels of the second may come later
    capsys.readouterr()
    log_of(log / "2026-03.csv", ["case", "alarm", "Labels"], rows)
    assert "2026-03.csv has no column 'label'; did you mean 'Labels'?" in refused(capsys, call)


def test_hidden_files_are_not_part_of_a_log(tmp_path, capsys, model):
    rows = [[str(i), "0", "0"] for i in range(8)]
    log_of(tmp_path / "2026-01.csv", ["case", "alarm", "label"], rows)
    for name in (".hidden.csv", "._2026-01.csv", "~$2026-02.xlsx"):
        (tmp_path / name).write_text("no table at all")
    assert cli.main(["monitor", str(model[0]), str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("8 cases")
    (tmp_path / "2026-01.csv").unlink()
    assert "there is no .csv" in refused(capsys, ["monitor", model[0], tmp_path])


def test_labelled_rows_of_another_place_in_another_shape(tmp_path, capsys, model):
    path = tmp_path / "other.csv"
    path.write_bytes(
        ("sep=;\n" + model[1].read_text().replace(",", ";").replace(".", ",")).encode("utf-16")
    )
    out = tmp_path / "o"
    assert (
        cli.main(["validate", str(model[0]), str(path), "--label", "sick", "--out", str(out)]) == 0
    )
    assert "was read as: UTF-16; separated by semicolons; decimal commas" in capsys.readouterr().out
    assert {"validation.csv", "report.html"} <= {file.name for file in out.iterdir()}


SAME = """
import os, sys
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
import aucbook
from aucbook import cli
aucbook.default_rankers = lambda *arguments, **keywords: {"bayes": GaussianNB(), "line": LogisticRegression()}
os.chdir(sys.argv[1])
call = ["--label", "sick", "--by", "ward", "--max-fpr", "0.3"]
assert cli.main(["compare", sys.argv[2], *call, "--cv", "3", "--guarantee", "0.3", "--out", "o"]) == 0
assert cli.main(["report", "o/scores.csv", "--out", "r"]) == 0
"""


@pytest.mark.slow
def test_the_same_data_and_seed_give_the_same_files(tmp_path):
    """Byte for byte: at another time, in another folder, whatever the seed of Python's hashes."""
    rng = np.random.default_rng(0)
    rows = [
        f"{i % 2},{rng.normal() + i % 2:.3f},{rng.choice(['north', 'south'])}" for i in range(150)
    ]
    runs = []
    for name, seed in (("one", "1"), ("another", "2")):
        folder = tmp_path / name
        folder.mkdir()
        data = folder / "t.csv"
        data.write_text("\n".join(["sick,dose,ward", *rows]) + "\n")
        # relative in one, absolute in the other
        path = "t.csv" if name == "one" else str(data)
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", SAME, str(folder), path], check=True, env=environment)
        files = [file for out in ("o", "r") for file in (folder / out).iterdir() if file.is_file()]
        differ = ("seconds.csv", "model.skops")
        runs.append(
            {
                str(file.relative_to(folder)): file.read_bytes()
                for file in files
                if file.name not in differ
            }
        )
    assert len(runs[0]) >= 12 and runs[0].keys() == runs[1].keys()
    assert [name for name in runs[0] if runs[0][name] != runs[1][name]] == []
    assert (tmp_path / "one/o/seconds.csv").exists() and b"seconds" not in runs[0]["o/table.csv"]


def test_figures_have_no_random_names(tmp_path):
    import matplotlib.pyplot as plt

    from aucbook._base.estimates import svg_of

    def picture():
        ax = plt.subplots()[1]
        ax.plot([0, 1], [0, 1], clip_on=True)
        ax.fill_between([0, 1], [0, 1], 2)
        return svg_of(ax.figure)

    assert picture() == picture() and b"<dc:date>" not in picture()


def test_numbers_of_processes_in_the_library():
    from aucbook import compare

    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    for jobs in (0, -99, 1.5, "x"):
        with pytest.raises(
            ValueError, match="n_jobs must be None or a number of processes, -1 for all cores, got"
        ):
            compare(X, y, {"line": LINE}, cv=2, n_jobs=jobs)


def test_a_value_of_a_megabyte_in_the_library():
    from aucbook import auc_interval, compare_scores

    with pytest.raises(ValueError) as error:
        auc_interval([0, 1, 0, 1], [1, 2, 3, 4], confidence_level="x" * 10**6)
    assert len(str(error.value)) < 2500 and str(error.value).startswith("confidence_level must be")
    with pytest.raises(ValueError) as error:
        compare_scores([0, 1, 0, 1], {"a": [1, 2, 3, 4]}, measures=["x" * 10**6])
    assert len(str(error.value)) < 3000


def test_exact_numbers_that_floats_tie_in_the_library():
    from decimal import Decimal

    from aucbook import TableEncoder, roc_auc

    y = [0, 1, 0, 1]
    for scores in (
        [Decimal("1e-400"), Decimal("1e-427"), Decimal(1), Decimal(2)],
        [2**70, 2**70 + 1, 1, 2],
        [10**400, 10**401, 1, 2],
        ["1e-400", "1e-427", "1", "2"],
        [1e300, 10**400, 10**500, 2],
    ):
        with pytest.raises(ValueError, match="are equal as floats: rank them first"):
            roc_auc(y, np.array(scores, object))
    table = np.array([["1e-400", "a"], ["1e-427", "b"], ["1", "a"], ["2", "b"]], object)
    with pytest.warns(
        UserWarning,
        match="numbers that differ and are equal as floats, such as '1e-400' and '1e-427'",
    ):
        TableEncoder().fit(table, y)


@pytest.mark.parametrize("seed", range(30))
def test_text_split_at_once_is_read_as_the_csv_module_reads_it(seed, tmp_path):
    rng = np.random.default_rng(seed)
    cells = ["1", "-2.5e-3", "", " x", "é", "nan", "a b", "0001"]
    cells += [["'", '"a"', '"b,c"', "\r"][seed % 4]] * (seed % 3 == 0)
    sep = ",;\t"[rng.integers(3)]
    end = ["\n", "\r\n"][rng.integers(2)]
    width = int(rng.integers(2, 5))
    rows = [[f"n{j}" for j in range(width)]]
    rows += [rng.choice(cells, width).tolist() for _ in range(int(rng.integers(1, 40)))]
    if seed % 5 == 1:
        rows.insert(int(rng.integers(1, len(rows))), [])
    if seed % 7 == 2:
        rows[-1] = rows[-1][:-1]
    text = end.join(sep.join(row) for row in rows) + end * int(rng.integers(3))
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())

    def read():
        try:
            columns = read_table(path, sep=sep, header=True)
        except FileError as error:
            return str(error)
        return dict(columns), columns.assumed, columns.first_row

    at_once = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "split_evenly", lambda *arguments: None)
        assert read() == at_once


def test_a_plain_table_is_split_at_once(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text('"a","b"\n' + "1,2\n" * 500)
    split, results = files.split_evenly, []

    def recorded(*arguments):
        results.append(split(*arguments))
        return results[-1]

    monkeypatch.setattr(files, "split_evenly", recorded)
    assert read_table(path) == {"a": ["1"] * 500, "b": ["2"] * 500}
    assert len(results[0]) == 501


@pytest.mark.parametrize("rows", [0, 1, 250_001])
def test_columns_are_written_as_the_csv_module_writes_them(rows, tmp_path):
    rng = np.random.default_rng(0)
    numbers = (10.0 ** rng.integers(-12, 18, rows) * rng.normal(size=rows)).tolist()
    counts = rng.integers(-9, 9, rows).tolist()
    words = rng.choice(["x", "", " y", "é"], rows).tolist()
    gaps = ["" if number < 0 else number for number in numbers]
    for columns in (
        [counts, numbers, gaps],
        [words, numbers],
        [numbers],
        [[*words[1:], "a,b"][:rows], counts],
        [[value > 0 for value in counts], [None] * rows],
    ):
        header = [f"n{j}" for j in range(len(columns))]
        write_csv(tmp_path / "t.csv", header, columns)
        expected = io.StringIO(newline="")
        csv.writer(expected).writerows([header, *zip(*columns)])
        assert (tmp_path / "t.csv").read_bytes() == expected.getvalue().encode()


def odd_numbers(n):
    """(n,) floats, among them whole, tiny, huge, infinite and missing ones."""
    rng = np.random.default_rng(0)
    x = 10.0 ** rng.integers(-12, 18, n) * rng.normal(size=n)
    x[::7] = np.rint(x[::7])
    x[::11] = rng.random(x[::11].size)
    x[:9] = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-4, 1e9, 5e-324, 1e16]
    return x


@pytest.mark.parametrize("has_pyarrow", [False, True])
@pytest.mark.parametrize("n", [9, 250_001])
def test_arrays_are_written_as_python_writes_their_numbers(n, has_pyarrow, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    if not has_pyarrow:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    x = odd_numbers(n)
    counts = np.arange(n, dtype=np.uint8)
    words = ["a", "é", ""] * (n // 3) + ["z"] * (n % 3)
    texts = ["" if value != value else repr(value) for value in x.tolist()]
    rows = [["n", "x", "word"], *zip(counts.tolist(), texts, words)]
    for last in (words, [*words[:-1], "a,b"]):
        write_csv(tmp_path / "t.csv", ["n", "x", "word"], [counts, x, last])
        expected = io.StringIO(newline="")
        csv.writer(expected).writerows([*rows[:-1], [*rows[-1][:2], last[-1]]])
        assert (tmp_path / "t.csv").read_bytes() == expected.getvalue().encode()
    with pytest.raises(ValueError, match="same length"):
        write_csv(tmp_path / "t.csv", ["n", "x"], [counts, x[1:]])


def test_words_become_the_floats_of_python():
    pytest.importorskip("pyarrow")
    x = odd_numbers(20_000)
    words = [repr(value) for value in x[np.isfinite(x)].tolist()]
    words[:4] = ["1e5", ".5", "-1.", "+07"]
    for more in ([], [" 1.5 "], ["nan"], ["inf", "1e400"], ["４"]):
        floats = files.parse_floats([*words, *more])
        np.testing.assert_array_equal(floats, [float(word) for word in [*words, *more]])
    for wrong in ("1_000", "", "nan(1)", "0x10", "1,5"):
        with pytest.raises(ValueError):
            files.parse_floats([*words, wrong])
