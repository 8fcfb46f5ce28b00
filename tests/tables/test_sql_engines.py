"""A query gives the model's score on every value that the model takes: row by row in SQLite, DuckDB and PostgreSQL."""

import math
import sqlite3
import subprocess

import duckdb
import numpy as np
import pandas as pd
import pytest
from postgres import Postgres
from sklearn.pipeline import make_pipeline

from aucbook import AdditiveRanker, TableEncoder, compare
from aucbook._tables.sql import BLANKS, number, quoted, quoted_table, step_term
from aucbook.deployment.surrogate import AdditiveExplanation
from aucbook.isotonic import Scorecard

pytestmark = pytest.mark.filterwarnings(
    "ignore::UserWarning"
)  # levels that no training row had are meant here
RNG = np.random.default_rng(0)
WORDS = ["NA", "na", "N/A", "NaN", "nat", "NULL", "None", "<NA>", "", " ", "\u00a0NA\t"]


# ---------------------------------------------------------------- three engines, one interface
class Sqlite:
    types = {
        "number": "REAL",
        "text": "TEXT",
        "truth": "INTEGER",
        "whole": "INTEGER",
        "four bytes": "REAL",
    }

    def __init__(self):
        self.base = sqlite3.connect(":memory:")

    def ask(self, query):
        return self.base.execute(query).fetchall()

    def fill(self, table, columns, types):
        definitions = ", ".join(f"{quoted(name)} {self.types[types[name]]}" for name in columns)
        self.base.execute(f"DROP TABLE IF EXISTS {quoted_table(table)}")
        self.base.execute(f"CREATE TABLE {quoted_table(table)} ({definitions})")
        places = ", ".join("?" * len(columns))
        self.base.executemany(
            f"INSERT INTO {quoted_table(table)} VALUES ({places})", list(zip(*columns.values()))
        )


class Duckdb(Sqlite):
    types = {
        "number": "DOUBLE",
        "text": "VARCHAR",
        "truth": "BOOLEAN",
        "whole": "BIGINT",
        "four bytes": "FLOAT",
    }

    def __init__(self):
        self.base = duckdb.connect()


class Postgresql:
    types = {
        "number": "DOUBLE PRECISION",
        "text": "TEXT",
        "truth": "BOOLEAN",
        "whole": "BIGINT",
        "four bytes": "REAL",
    }

    def __init__(self, server):
        self.server = server

    def ask(self, query):
        rows = self.server.rows(
            f'SELECT "id", "answer" FROM ({query.replace(quoted("score"), quoted("answer"))}) AS "q"'
        )
        return [(int(row), float(answer) if answer else None) for row, answer in rows]

    def fill(self, table, columns, types):
        definitions = ", ".join(f"{quoted(name)} {self.types[types[name]]}" for name in columns)

        def cell(value):
            return "" if value is None else '"' + str(value).replace('"', '""') + '"'

        lines = "\n".join(",".join(map(cell, row)) for row in zip(*columns.values()))
        name = quoted_table(table)
        self.server.script(f"DROP TABLE IF EXISTS {name};\nCREATE TABLE {name} ({definitions});")
        self.server.script(f"COPY {name} FROM STDIN (FORMAT csv);\n{lines}\n\\.\n")


@pytest.fixture(scope="module", params=["sqlite", "duckdb", "postgresql", "postgresql in bytes"])
def engine(request):
    if not request.param.startswith("postgresql"):
        yield {"sqlite": Sqlite, "duckdb": Duckdb}[request.param]()
        return
    server = Postgres()
    try:
        server.start("UTF8" if request.param == "postgresql" else "SQL_ASCII")
    except (OSError, subprocess.SubprocessError) as error:
        server.stop()
        pytest.skip(f"PostgreSQL cannot be started here: {str(error).splitlines()[0]}")
    yield Postgresql(server)
    server.stop()


def plain(values):
    """A column as Python's own values, None where it is missing in the frame."""
    return [
        None if value is None or value is pd.NA else value
        for value in pd.Series(values).astype(object).tolist()
    ]


def ask(engine, frame, types, query_of, table="rows of today"):
    """(n,) scores of the rows of a frame, as the engine gives them."""
    columns = {"id": list(range(len(frame)))} | {name: plain(frame[name]) for name in frame}
    engine.fill(table, columns, types | {"id": "whole"})
    answers = {row[0]: row[-1] for row in engine.ask(query_of(table))}
    return np.array(
        [math.nan if answers[k] is None else answers[k] for k in range(len(frame))], float
    )


# ---------------------------------------------------------------- models
LEVELS = [
    "A",
    "a",
    "b",
    "it's",
    'quo"te',
    "back\\slash",
    "100 %",
    "täglich",
    "日本",
    "é",
    "1",
    "1.5",
    "-- x",
    "a b",
    ";",
]
NAMES = {"age": "age", "flag": 'smo"ker', "ward": "sel ect", "code": "order"}


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            NAMES["age"]: np.where(rng.random(n) < 0.1, np.nan, rng.normal(40, 15, n).round(1)),
            NAMES["flag"]: rng.random(n) < 0.5,
            NAMES["ward"]: rng.choice([*LEVELS, None], n),
            NAMES["code"]: pd.Categorical(rng.choice([1, 2, 3, 40, -5], n)),
        }
    )
    ward = frame[NAMES["ward"]].map({level: k / 3 for k, level in enumerate(LEVELS)}).fillna(-1)
    code = frame[NAMES["code"]].astype(float)
    score = frame[NAMES["age"]].fillna(70) / 15 + frame[NAMES["flag"]] + ward + 0.1 * code
    return frame, (score + rng.logistic(size=n) > 7).astype(int)


@pytest.fixture(scope="module", params=["keep", "median"])
def model(request):
    frame, y = table(1500)
    return make_pipeline(TableEncoder(request.param), AdditiveRanker()).fit(frame, y)


def edges_of(model):
    """Edges of the age, and the numbers just beside them."""
    explanation = AdditiveExplanation(model)
    edges = explanation.curves.curve(explanation.sources.index("age")).values[1:]
    return np.unique(np.r_[edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])


def blank(rng, word):
    """A word between white space of all kinds."""

    def some():
        return "".join(rng.choice(list(BLANKS), rng.integers(0, 3)))

    return some() + word + some()


def hostile_text(model, n=600):
    """Rows of text, as from a file that people have typed."""
    rng = np.random.default_rng(1)
    edges = edges_of(model)
    ages = np.array([repr(value) for value in rng.choice(edges, n).tolist()], object)
    ages[::7] = rng.choice(
        ["+1", "1.", ".5", "-.5e1", "4E1", "36.60", "007", "1e-300", "-0", "12345678901234567890"],
        len(ages[::7]),
    )
    ages[::11] = rng.choice(WORDS, len(ages[::11]))
    ages[::29] = rng.choice(["true", "FALSE", "True"], len(ages[::29]))
    flags = rng.choice(["True", "false", "TRUE", "1", "0", "1.0", "0.0", *WORDS], n)
    wards = rng.choice(
        [
            *LEVELS,
            *WORDS,
            "1.0",
            "1.50",
            "01",
            "B",
            "new",
            "2.0",
            "true",
            "TRUE",
            "Täglich",
            "nan-",
            "x" * 300,
        ],
        n,
    )
    codes = rng.choice(
        [
            "1",
            "1.0",
            "01",
            "+2",
            "2.",
            "003.00",
            "40",
            "4e1",
            "-5",
            "-5.0",
            "1-2",
            "1.2.3",
            "-",
            ".",
            "7",
            "x",
            "true",
            *WORDS,
        ],
        n,
    )
    columns = dict(zip(NAMES.values(), (ages, flags, wards, codes)))
    frame = pd.DataFrame(
        {name: [blank(rng, word) for word in words] for name, words in columns.items()},
        dtype=object,
    )
    return frame.mask(rng.random(frame.shape) < 0.05, None)


def test_columns_of_text(engine, model):
    frame = hostile_text(model)
    scores = ask(engine, frame, dict.fromkeys(frame, "text"), AdditiveExplanation(model).query)
    np.testing.assert_allclose(scores, model.decision_function(frame), rtol=0, atol=1e-9)


@pytest.mark.parametrize("dialect", ["ansi", "postgresql"])
def test_columns_of_numbers_and_truth_values(engine, model, dialect):
    if dialect == "postgresql" and not isinstance(engine, Postgresql):
        pytest.skip("PostgreSQL's own text")
    rng = np.random.default_rng(2)
    edges = edges_of(model)
    ages = rng.choice(np.r_[edges, np.nan, 1e300, -1e300, 5e-324, -0.0], 600)
    frame = pd.DataFrame(
        {
            NAMES["age"]: np.where(np.isnan(ages), None, ages),
            NAMES["flag"]: rng.choice(np.array([True, False, None], object), 600),
            NAMES["ward"]: rng.choice(np.array([1.0, 1.5, 2.0, 0.1, None], object), 600),
            NAMES["code"]: rng.choice(np.array([1, 2, 3, 40, -5, 7, 0, None], object), 600),
        }
    )
    types = dict(zip(NAMES.values(), ("number", "truth", "number", "whole")))

    def query(table):
        return AdditiveExplanation(model).query(table, dialect)

    expected = model.decision_function(frame)
    np.testing.assert_allclose(ask(engine, frame, types, query), expected, rtol=0, atol=1e-9)
    # a NaN is a missing value; where all are numbers, a level may stand in a column of floats
    types[NAMES["code"]] = "number"
    frame[NAMES["age"]] = frame[NAMES["age"]].map(
        lambda value: math.nan if value is None else value
    )
    np.testing.assert_allclose(ask(engine, frame, types, query), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("dialect", ["ansi", "postgresql"])
def test_numbers_of_four_bytes(engine, model, dialect):
    if dialect == "postgresql" and not isinstance(engine, Postgresql):
        pytest.skip("PostgreSQL's own text")
    edges = edges_of(model).astype(np.float32)
    ages = np.unique(
        np.r_[edges, np.nextafter(edges, np.float32(0)), np.nextafter(edges, np.float32(999))]
    )
    frame = table(ages.size, 3)[0].assign(age=ages).astype({NAMES["code"]: int})
    types = dict(zip(NAMES.values(), ("four bytes", "truth", "text", "whole")))
    as_stored = frame.assign(age=ages.astype(float).tolist())
    scores = ask(
        engine, as_stored, types, lambda table: AdditiveExplanation(model).query(table, dialect)
    )
    np.testing.assert_allclose(scores, model.decision_function(frame), rtol=0, atol=1e-9)


def test_whole_numbers_for_a_column_of_floats(engine, model):
    frame = table(100, 4)[0].assign(age=np.arange(100)).astype({NAMES["code"]: int})
    types = dict(zip(NAMES.values(), ("whole", "truth", "text", "whole")))
    scores = ask(engine, frame, types, AdditiveExplanation(model).query)
    np.testing.assert_allclose(scores, model.decision_function(frame), rtol=0, atol=1e-9)


def test_truth_values_where_the_model_has_learnt_from_numbers(engine):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"x": rng.integers(0, 2, 400), "z": rng.normal(size=400)})
    y = (frame["x"] + frame["z"] > rng.normal(size=400)).astype(int)
    model = make_pipeline(TableEncoder(), AdditiveRanker()).fit(frame, y)
    new = frame[:50].assign(x=frame["x"][:50].astype(bool))
    dialect = "postgresql" if isinstance(engine, Postgresql) else "ansi"
    scores = ask(
        engine,
        new,
        {"x": "truth", "z": "number"},
        lambda table: AdditiveExplanation(model).query(table, dialect),
    )
    np.testing.assert_allclose(scores, model.decision_function(new), rtol=0, atol=1e-9)
    if dialect == "postgresql":  # the common text is refused there, and not answered otherwise
        with pytest.raises(OSError, match="cannot cast type boolean to double precision"):
            ask(engine, new, {"x": "truth", "z": "number"}, AdditiveExplanation(model).query)


def test_categories_of_truth_values(engine):
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"x": pd.Categorical(rng.random(400) < 0.5), "z": rng.normal(size=400)})
    y = (frame["x"].astype(float) + frame["z"] > rng.normal(size=400)).astype(int)
    model = make_pipeline(TableEncoder(), AdditiveRanker()).fit(frame, y)
    new = pd.DataFrame({"x": [True, False, None], "z": 0.0})
    scores = ask(engine, new, {"x": "truth", "z": "number"}, AdditiveExplanation(model).query)
    np.testing.assert_allclose(scores, model.decision_function(new), rtol=0, atol=1e-9)
    new = pd.DataFrame({"x": ["TRUE", " false ", "1", "0.0", "", "yes", None], "z": 0.0})
    scores = ask(engine, new, {"x": "text", "z": "number"}, AdditiveExplanation(model).query)
    np.testing.assert_allclose(scores, model.decision_function(new), rtol=0, atol=1e-9)


def test_what_the_model_refuses_has_no_score(engine, model):
    frame = pd.DataFrame(
        [["old", "1", "A", "1"], ["inf", "1", "A", "1"], ["12 kg", "1", "A", "1"]],
        columns=[*NAMES.values()],
    )
    assert np.isnan(
        ask(engine, frame, dict.fromkeys(frame, "text"), AdditiveExplanation(model).query)
    ).all()
    for row in range(3):
        with pytest.raises(ValueError, match="column 'age'"):
            model.decision_function(frame[row : row + 1])


# ---------------------------------------------------------------- scorecards
@pytest.mark.parametrize("kind", ["number", "text"])
def test_points_of_a_card(engine, kind):
    edges = [
        np.array([0.1, 36.6, 40.1]),
        np.array([-np.inf, 0.0, 1.0]),
        np.array([2.5, np.inf]),
        np.array([]),
    ]
    points = [np.array([-3, 0, 4, 9]), np.array([5, 1, 2, 7]), np.array([1, 8, -8]), np.array([6])]
    card = Scorecard(["a", "b", "c", "d"], edges, points, [11, 12, 13, 14], -7, 20)
    ends = np.r_[0.1, 36.6, 40.1, 0.0, 1.0, 2.5]
    pool = np.r_[
        ends,
        np.nextafter(ends, -np.inf),
        np.nextafter(ends, np.inf),
        np.inf,
        -np.inf,
        1e300,
        np.nan,
    ]
    X = np.random.default_rng(7).choice(pool, (600, 4))
    frame = pd.DataFrame(X, columns=card.names)
    if kind == "text":
        rng = np.random.default_rng(8)

        def word(value):
            return rng.choice(WORDS) if np.isnan(value) else repr(float(value))

        frame = frame.map(lambda value: blank(rng, word(value)))

    def query(table):
        return card.sql(table, "score")

    np.testing.assert_array_equal(
        ask(engine, frame, dict.fromkeys(frame, kind), query), card.score(X)
    )


# ---------------------------------------------------------------- names, and what is refused
@pytest.mark.parametrize(
    "name", ["main.people", ("main", "people"), ("people",), 'peo"ple; --', "select", "a.b c"]
)
def test_names_of_tables(name):
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE {quoted_table(name)} (age REAL)")
    base.execute(f"INSERT INTO {quoted_table(name)} VALUES (50.0)")
    card = Scorecard(["age"], [np.array([40.0])], [np.array([-1, 2])], [0], -4, 20)
    assert base.execute(card.sql(name)).fetchall() == [(50.0, -2)]


def test_schemas(engine):
    if isinstance(engine, Postgresql):
        assert (
            len(
                ask(
                    engine,
                    table(3)[0][["age"]],
                    {"age": "number"},
                    lambda t: f'SELECT *, 0 AS "score" FROM {quoted_table(t)}',
                    "public.today",
                )
            )
            == 3
        )


def test_a_column_that_is_not_there_is_no_text():
    base = sqlite3.connect(
        ":memory:"
    )  # SQLite takes a name in double quotes for text where no column has it
    base.execute("CREATE TABLE people (years REAL)")
    card = Scorecard(["age"], [np.array([40.0])], [np.array([-1, 2])], [0], -4, 20)
    with pytest.raises(sqlite3.OperationalError, match="age"):
        base.execute(card.sql("people"))


@pytest.mark.parametrize(
    "level, why",
    [
        ("2020-01-05", "is a time"),
        ("2020-01-05 12:30", "is a time"),
        ("1234567890123456", "prints rounded"),
        ("1e-05", "prints rounded"),
        ("a\0b", "code 0"),
        ("a\ud800", "half a character"),
    ],
)
def test_levels_that_no_query_finds(level, why):
    frame = pd.DataFrame({"ward": ["a", "b", level] * 100}, dtype=object)
    y = np.tile([0, 1, 1], 100) ^ (np.arange(300) % 7 == 0)
    model = make_pipeline(TableEncoder(kinds={"ward": "category"}), AdditiveRanker()).fit(frame, y)
    with pytest.raises(ValueError, match=why):
        AdditiveExplanation(model).query("t")


def test_a_number_of_more_digits_than_four_bytes_have():
    frame = pd.DataFrame({"ward": pd.Categorical([0.1, 0.5, 2.0] * 100)})
    y = np.tile([0, 1, 1], 100) ^ (np.arange(300) % 7 == 0)
    model = make_pipeline(TableEncoder(), AdditiveRanker()).fit(frame, y)
    with pytest.raises(
        ValueError,
        match=r"column 'ward': the level '0.1' is another number in a column of four-byte floats",
    ):
        AdditiveExplanation(model).query("t")


def test_dialects_and_pairs_are_checked(model):
    with pytest.raises(
        ValueError, match="dialect must be 'ansi', 'sqlite', 'duckdb' or 'postgresql', got 'mysql'"
    ):
        AdditiveExplanation(model).query("t", "mysql")
    with pytest.raises(ValueError, match="dialect"):
        Scorecard([], [], [], [], 0, 20).sql("t", dialect="oracle")
    assert (
        AdditiveExplanation(model).query("t", "duckdb")
        == AdditiveExplanation(model).query("t", "sqlite")
        == AdditiveExplanation(model).query("t")
    )


def test_numbers_are_written_so_that_every_engine_reads_them():
    values = np.r_[
        RNG.normal(size=3000),
        RNG.lognormal(0, 20, 3000),
        0.1,
        36.6,
        5e-324,
        1.7976931348623157e308,
        -0.0,
    ]
    text = [number(value) for value in values]
    assert [float(one) for one in text] == values.tolist() and all("e" in one for one in text)
    for start in range(0, values.size, 500):
        query = "SELECT " + ", ".join(text[start : start + 500])
        expected = tuple(values[start : start + 500])
        assert sqlite3.connect(":memory:").execute(query).fetchone() == expected
        assert duckdb.connect().execute(query).fetchall() == [expected]


def test_blanks_are_those_that_python_strips():
    assert set(BLANKS) == {chr(code) for code in range(0x110000) if not chr(code).strip()}


def test_equal_steps_are_one():
    assert (
        step_term("x", [1.0, 2.0], [3, 3, 4], 0).count(" < ") == 2
    )  # of numbers, and of numbers between blanks


def test_a_decision_with_rows_of_text():
    rng = np.random.default_rng(0)
    levels = np.array(["A", "b\u00a0", "tab\there", "NA", "null", "c"], object)
    x, c = rng.normal(size=240).round(2), levels[np.arange(240) % 6]
    y = (x + 1.5 * (c == "A") - 1.5 * (c == "c") + rng.normal(size=240) > 0.5).astype(int)
    decision = compare(
        pd.DataFrame({"x": x, "c": c}), y, {"additive": AdditiveRanker()}, cv=2
    ).decide(pd.DataFrame({"x": x, "c": c}))
    new = pd.DataFrame(
        {
            "x": 0.0,
            "c": ["A", "\u00a0A", "A\n", "b\u00a0", "\ttab\there", "NA", "null", "n/a", "nan", "a"],
        }
    )
    scores = ask(Sqlite(), new, {"x": "number", "c": "text"}, decision.sql)
    np.testing.assert_allclose(scores, decision.decision_function(new), rtol=0, atol=1e-9)
