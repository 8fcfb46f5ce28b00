"""Which reader finds how a CSV file is written: shapes met in practice, and random tables written in random ways. A minute."""

import csv
import io
import tempfile
from pathlib import Path

import numpy as np

from aucbook._tables.files import FileError, read_table

from .store import store

PACKAGES = ("clevercsv", "duckdb", "pandas")
SEED = 0
TABLES = 400

SHAPES = {
    "plain": "sick,score\n0,0.1\n1,0.9\n0,0.3\n",
    "a comma in a name, semicolons": "sick;score, raw\n0;0.1\n1;0.9\n0;0.3\n",
    "commas in a name, semicolons": "sick;a, b, c\n0;1\n1;2\n0;3\n",
    "a semicolon in a name, commas": "sick,score; raw\n0,0.1\n1,0.9\n0,0.3\n",
    "Excel's line sep=;": "sep=;\nsick;score\n0;0.1\n1;0.9\n0;0.3\n",
    "tabs, commas in prose": "sick\tnote\n0\ta, b, c\n1\td, e, f\n0\tg, h, i\n",
    "semicolons, commas in prose": "sick;note\n0;red, big\n1;blue, small\n0;red, small\n",
    "bars": "sick|score\n0|0.1\n1|0.9\n0|0.3\n",
    "quoted commas": 'sick,note\n0,"a, b"\n1,"c, d; e"\n0,"f"\n',
    "quoted line breaks": 'sick,note\n0,"a\nb"\n1,"c"\n0,"d"\n',
    "single quotation marks": "sick,note\n0,'a, b'\n1,'c, d'\n0,'e, f'\n",
    "apostrophes": "sick,note\n0,it's\n1,don't\n0,'tis\n",
    "backslashes before quotes": 'sick,note\n0,"a \\"b\\", c"\n1,"d"\n0,"e"\n',
    "inch marks": 'sick,size\n0,5" disk\n1,3" disk\n0,8" disk\n',
    "blanks": "sick score\n0 0.1\n1 0.9\n0 0.3\n",
    "aligned by blanks": "sick    score\n   0      0.1\n   1     10.9\n   0      0.3\n",
    "comment lines": "# exported, by lab; x\n# 2020\nsick,score\n0,0.1\n1,0.9\n0,0.3\n",
    "a last line of blanks": "sick,score\n0,0.1\n1,0.9\n0,0.3\n   \n",
    "row names of R": '"sick","score"\n"1",0,0.1\n"2",1,0.9\n"3",0,0.3\n',
    "lists in cells": "sick;codes\n0;1,2,3\n1;4,5\n0;6\n",
    "JSON in cells": 'sick\tj\n0\t{"a": 1, "b": 2}\n1\t{"a": 3, "b": 4}\n0\t{}\n',
    "one column": "score\n0.1\n0.9\n0.3\n",
}


# how the shapes are written that are not plain CSV
DIALECTS = {
    "single quotation marks": {"quotechar": "'"},
    "backslashes before quotes": {"escapechar": "\\"},
    "bars": {"delimiter": "|"},
    "tabs, commas in prose": {"delimiter": "\t"},
    "JSON in cells": {"delimiter": "\t"},
    "a comma in a name, semicolons": {"delimiter": ";"},
    "commas in a name, semicolons": {"delimiter": ";"},
    "semicolons, commas in prose": {"delimiter": ";"},
    "Excel's line sep=;": {"delimiter": ";"},
    "lists in cells": {"delimiter": ";"},
}


def truth(name, text):
    """The rows of a shape, header first, as a reader should have them."""
    lines = [
        line for line in text.split("\n") if line.strip() and not line.startswith(("#", "sep="))
    ]
    if name in ("blanks", "aligned by blanks"):
        return [line.split() for line in lines]
    file = io.StringIO("\n".join(lines), newline="")
    rows = list(csv.reader(file, **DIALECTS.get(name, {})))
    if name == "row names of R":
        return [rows[0], *(row[1:] for row in rows[1:])]
    return rows


WORDS = [
    "north",
    "Anna",
    "red, big",
    "a;b",
    "x|y",
    "good; but late",
    "O'Brien",
    'said "yes"',
    "12:30",
    "NA",
    "",
    "k/n",
]


def random_table(rng):
    """(rows of strings with decimal points, text of the file) of one table."""
    n, d = int(rng.integers(3, 30)), int(rng.integers(2, 7))
    kinds = rng.choice(["label", "number", "word", "date", "count"], d)
    kinds[0] = "number"
    sep = str(rng.choice([",", ";", "\t", "|"]))
    decimal = "," if sep != "," and rng.random() < 0.5 else "."
    plain = [name for name in ("score, raw", "b;c", "rate") if sep not in name]
    names = [f"{rng.choice(plain)} {j}" if rng.random() < 0.3 else f"column{j}" for j in range(d)]
    make = {
        "label": lambda: str(rng.integers(2)),
        "number": lambda: f"{rng.normal():.3f}" if rng.random() > 0.1 else "",
        "word": lambda: str(rng.choice(WORDS)),
        "date": lambda: f"2024-{rng.integers(1, 13):02}-{rng.integers(1, 29):02}",
        "count": lambda: str(rng.integers(10_000)),
    }
    rows = [[make[kind]() for kind in kinds] for _ in range(n)]
    commas = [
        [v.replace(".", decimal) if k == "number" else v for k, v in zip(kinds, row)]
        for row in rows
    ]
    file = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if rng.random() < 0.2 else csv.QUOTE_MINIMAL
    csv.writer(file, delimiter=sep, quoting=quoting).writerows([names, *commas])
    return [names, *rows], file.getvalue()


def with_aucbook(path):
    columns = read_table(path)
    return [list(columns), *map(list, zip(*columns.values(), strict=True))]


def with_sniffer(path):
    text = path.read_text()
    return list(csv.reader(io.StringIO(text, newline=""), csv.Sniffer().sniff(text)))


def with_clevercsv(path):
    import clevercsv

    text = path.read_text()
    dialect = clevercsv.Sniffer().detect(text)
    return list(clevercsv.reader(io.StringIO(text, newline=""), dialect))


def with_pandas(path):
    import pandas as pd

    frame = pd.read_csv(path, sep=None, engine="python", dtype=str, keep_default_na=False)
    return [list(frame.columns), *frame.to_numpy().tolist()]


def with_duckdb(path):
    import duckdb

    found = duckdb.connect().execute(
        "select * from read_csv(?, all_varchar = true, header = true)", [str(path)]
    )
    names = [column[0] for column in found.description]
    return [names, *([value or "" for value in row] for row in found.fetchall())]


READERS = {
    "aucbook": with_aucbook,
    "csv.Sniffer": with_sniffer,
    "clevercsv": with_clevercsv,
    "pandas": with_pandas,
    "DuckDB": with_duckdb,
}


def comparable(rows):
    """Rows without what readers may do otherwise."""
    return [[str(value).strip().replace(",", ".") for value in row] for row in rows if row]


def same(found, rows):
    """Whether rows are those of a table, with points or commas as decimal marks and whatever blanks at the ends."""
    return comparable(found) == comparable(rows)


def judged(reader, path, rows):
    """right, wrong or refused."""
    try:
        found = reader(path)
    except FileError:
        return "refused"
    except Exception:  # each reader has errors of its own
        return "refused"
    return "right" if same(found, rows) else "wrong"


def run():
    rng = np.random.default_rng(SEED)
    tables = [random_table(rng) for _ in range(TABLES)]
    shapes = {name: {} for name in SHAPES}
    counts = {name: {"right": 0, "wrong": 0, "refused": 0} for name in READERS}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        for called, reader in READERS.items():
            for name, text in SHAPES.items():
                path.write_text(text, newline="")
                shapes[name][called] = judged(reader, path, truth(name, text))
            for rows, text in tables:
                path.write_text(text, newline="")
                counts[called][judged(reader, path, rows)] += 1
            print(called, counts[called], flush=True)
    store(
        "csv_shapes", {"shapes": shapes, "random tables": counts}, seeds=[SEED], packages=PACKAGES
    )
