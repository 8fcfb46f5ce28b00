"""Every engine gives the same area to the last bit; errors name their file; two engines run the SQL."""

import sqlite3
import sys
import tracemalloc
import warnings

import numpy as np
import pytest

from aucbook import exact_auc, partial_auc, roc_auc
from aucbook.metrics import BinnedCounts, auc_query, binned_counts
from aucbook.metrics import engines as module

duckdb = pytest.importorskip("duckdb")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
ds = pytest.importorskip("pyarrow.dataset")
pq = pytest.importorskip("pyarrow.parquet")

BASE = duckdb.connect()
RANGES = (0, 1), (0, 0.05), (0.2, 0.7), (0.9, 1)


def sample(n=6000, seed=0, decimals=2):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    return y, (rng.normal(size=n) + y).round(decimals), rng.integers(0, 4, n)


def written(folder, y, s, w=None, files=3, **settings):
    """Parquet files with the rows, in several row groups each."""
    columns = {"label": y, "score": s} | ({} if w is None else {"weight": w})
    for k, rows in enumerate(np.array_split(np.arange(len(y)), files)):
        pq.write_table(
            pa.table({name: np.asarray(c)[rows] for name, c in columns.items()}),
            folder / f"{k}.parquet",
            700,
            **settings,
        )
    return folder


def sources(folder):
    """The same table for every engine, and as parts."""
    table = ds.dataset(folder).to_table()
    return {
        "folder": folder,
        "pattern": f"{folder}/*.parquet",
        "duckdb": duckdb.read_parquet(f"{folder}/*.parquet"),
        "polars lazy": pl.scan_parquet(folder / "*.parquet"),
        "polars": pl.from_arrow(table),
        "arrow dataset": ds.dataset(folder),
        "arrow table": table,
        "parts": [
            tuple(np.array_split(c.to_numpy(), 5)[k] for c in table.columns) for k in range(5)
        ],
    }


def refused(error, *words):
    assert all(word in str(error.value) for word in words), error.value


# ---------------------------------------------------------------- the same answer
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int16])
@pytest.mark.parametrize("batch", [10**6, 40])
def test_every_engine_says_the_same_to_the_last_bit(tmp_path, monkeypatch, kind, batch):
    monkeypatch.setattr(module, "BATCH", batch)  # ties are cut by the ends of small batches
    y, s, w = sample(1500 if batch == 40 else 6000)
    s = (100 * s).astype(kind) if kind is np.int16 else s.astype(kind)
    for weight in (None, w):
        columns = ("label", "score") if weight is None else ("label", "score", "weight")
        by_engine = sources(written(tmp_path, y, s, weight))
        for low, high in RANGES:
            want = partial_auc(y, s, min_fpr=low, max_fpr=high, sample_weight=weight)
            got = {
                name: exact_auc(source, min_fpr=low, max_fpr=high, columns=columns)
                for name, source in by_engine.items()
            }
            assert got == dict.fromkeys(by_engine, want), (low, high, columns)


def test_distinct_scores_and_more_than_one_batch(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 7000)
    y, s, _ = sample(50_000, decimals=17)
    by_engine = sources(written(tmp_path, y, s))
    for low, high in ((0, 1), (0, 0.01)):
        assert {exact_auc(source, min_fpr=low, max_fpr=high) for source in by_engine.values()} == {
            partial_auc(y, s, min_fpr=low, max_fpr=high)
        }
    assert exact_auc(by_engine["duckdb"], max_fpr=0.1, form="mcclish") == partial_auc(
        y, s, max_fpr=0.1, form="mcclish"
    )


def test_the_worst_scores(tmp_path):
    """Infinities, two zeros, constant scores, scores that only bins of one class hold."""
    cases = [
        ([0, 1, 0, 1, 1, 0], [-np.inf, np.inf, 0.0, -0.0, -np.inf, np.inf]),
        ([0, 1, 1], [2.0, 2.0, 2.0]),
        ([1, 1, 0, 0], [4.0, 3.0, 2.0, 1.0]),
        ([0, 0, 1, 1], [4.0, 3.0, 2.0, 1.0]),
        ([0, 1, 0, 1], [0.1 + 0.2, 0.3, 5e-324, 1.7e308]),
    ]
    for y, s in cases:
        by_engine = sources(written(tmp_path, y, s, files=1))
        for low, high in RANGES:
            got = {
                name: exact_auc(source, min_fpr=low, max_fpr=high)
                for name, source in by_engine.items()
            }
            assert got == dict.fromkeys(by_engine, partial_auc(y, s, min_fpr=low, max_fpr=high)), (
                s,
                low,
                high,
            )


@pytest.mark.parametrize(
    "labels, pos_label", [(["no", "yes"], "yes"), ([False, True], True), ([2.0, 7.5], 7.5)]
)
def test_labels_of_any_kind(tmp_path, labels, pos_label):
    y, s, _ = sample(500)
    for name, source in sources(written(tmp_path, np.array(labels)[y], s)).items():
        assert exact_auc(source, pos_label=pos_label) == roc_auc(y, s), name
    words = pl.DataFrame(
        {"label": pl.Series(np.array(["no", "yes"])[y], dtype=pl.Categorical), "score": s}
    )
    assert (
        exact_auc(words, pos_label="yes")
        == exact_auc(words.to_arrow(), pos_label="yes")
        == roc_auc(y, s)
    )


def test_names_that_need_care_and_nothing_left_behind():
    y, s, _ = sample(300)
    frame = pl.DataFrame({'a "b"; DROP': y, "select y": s, "w": 1})
    relation = BASE.from_arrow(frame.to_arrow())
    for source in (frame, relation, frame.to_arrow()):
        assert exact_auc(source, columns=('a "b"; DROP', "select y")) == roc_auc(y, s)
        assert exact_auc(
            source, max_fpr=0.2, columns=('a "b"; DROP', "select y", "w")
        ) == partial_auc(y, s, max_fpr=0.2)
    assert relation.columns == frame.columns


def test_counts_beyond_floats_are_exact():
    """Of 10**9 and more rows, as counts: 64-bit floats, and 64-bit products, would round."""
    big = [
        (1, 3.0, 3 * 10**9 + 1),
        (0, 3.0, 2 * 10**9 + 3),
        (1, 2.0, 5),
        (0, 2.0, 10**9 + 7),
        (0, 1.0, 10**9 + 9),
    ]
    y, s, w = (np.array(column) for column in zip(*big))
    m, n = int(w[y == 1].sum()), int(w[y == 0].sum())
    twice = sum(
        int(a) * int(b) * (2 * int(p > q) + int(p == q))
        for c, p, a in zip(y, s, w)
        for d, q, b in zip(y, s, w)
        if c == 1 and d == 0
    )
    frame = pl.DataFrame({"label": y, "score": s, "weight": w})
    for source in (frame, frame.to_arrow(), BASE.from_arrow(frame.to_arrow()), [(y, s, w)]):
        assert exact_auc(source, columns=("label", "score", "weight")) == twice / (2 * m * n)


def test_weights_that_are_no_counts(tmp_path):
    y, s, _ = sample(2000)
    w = np.random.default_rng(1).random(2000)
    for source in sources(written(tmp_path, y, s, w)).values():
        for low, high in RANGES:
            want = partial_auc(y, s, min_fpr=low, max_fpr=high, sample_weight=w)
            got = exact_auc(source, min_fpr=low, max_fpr=high, columns=("label", "score", "weight"))
            assert got == pytest.approx(want, abs=1e-12)  # sums in another order


def test_bins_and_scans(tmp_path, monkeypatch):
    y, s, w = sample()
    by_engine, scans = sources(written(tmp_path, y, s, w)), []
    batches = module.Table.batches

    def counted(self, job, *question, how="rows"):
        scans.extend([1] * (how != "some"))
        return batches(self, job, *question, how=how)

    monkeypatch.setattr(module.Table, "batches", counted)
    edges = [-0.5, 0.0, 1.25]
    want = BinnedCounts(edges).update(y, s, w)
    for name, source in by_engine.items():
        columns = ("label", "score", "weight")
        for job, max_scans in (
            (lambda: binned_counts(source, edges, columns=columns), 1),
            (lambda: exact_auc(source), 1),
            (lambda: exact_auc(source, max_fpr=0.1), 3),
            (lambda: exact_auc(source, columns=columns), 3),
        ):
            scans.clear()
            got = job()
            assert len(scans) == (0 if name == "parts" else max_scans)
            if isinstance(got, BinnedCounts):
                assert (
                    got.positives.tolist() == want.positives.tolist()
                    and got.rows.tolist() == want.rows.tolist()
                )
    curve = binned_counts(by_engine["duckdb"]).roc_curve()
    assert curve.fpr[-1] == curve.tpr[-1] == 1


def test_a_sample_stays_small():
    from aucbook.metrics.out_of_core import thinned

    tracemalloc.start()
    thin = thinned((np.arange(k, k + 1000.0) for k in range(0, 1_000_000, 1000)), max_size=1000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 500 <= thin.size <= 1000 and abs(np.median(thin) - 500_000) < 20_000
    assert peak < 8 * 1_000_000 / 40  # bytes: not the thousand batches that it was taken from


# ---------------------------------------------------------------- what is wrong, and where
@pytest.mark.parametrize("low, high", [(0, 1), (0, 0.1)])
@pytest.mark.parametrize("name", ["folder", "pattern", "arrow dataset"])
def test_faults_name_their_file(tmp_path, name, low, high):
    y, s, _ = sample(6000)

    def fails(*words):
        with pytest.raises(ValueError) as error:
            exact_auc(source, min_fpr=low, max_fpr=high)
        refused(error, *words)

    source = sources(written(tmp_path, y, s, files=4))[name]
    bad = s[1500:3000].copy()
    bad[900] = np.nan
    pq.write_table(pa.table({"label": y[1500:3000], "score": bad}), tmp_path / "1.parquet", 700)
    fails("1.parquet, row group 1", "1 missing values", "'score'", "drop or impute")
    labels = pa.array([None, *y[1501:3000].tolist()])
    pq.write_table(pa.table({"label": labels, "score": s[1500:3000]}), tmp_path / "1.parquet", 700)
    fails("1.parquet, row group 0", "'label'", "drop or impute")
    words = [f"high {k}" for k in range(1500)]
    pq.write_table(pa.table({"label": y[1500:3000], "score": words}), tmp_path / "1.parquet")
    fails(
        "1.parquet holds (label: number, score: string), most files (label: number, score: number): write that file"
    )
    pq.write_table(pa.table({"label": y[1500:3000], "other": s[1500:3000]}), tmp_path / "1.parquet")
    fails("1.parquet holds (label: number, score: no column), most files")
    pq.write_table(
        pa.table({"label": y[1500:3000].astype(str), "score": s[1500:3000]}), tmp_path / "1.parquet"
    )
    fails("1.parquet holds (label: string, score: number), most files")
    written(tmp_path, y, s, files=4)
    content = (tmp_path / "2.parquet").read_bytes()
    (tmp_path / "2.parquet").write_bytes(content[: len(content) // 2])
    fails("2.parquet cannot be read", "copy or write that file again")
    (tmp_path / "2.parquet").write_bytes(content[:200] + bytes(3000) + content[3200:])
    fails("2.parquet, row group 0 cannot be read")


def test_files_of_a_wider_type_round_nothing(tmp_path):
    y, s, _ = sample(900)
    written(tmp_path, y, s, files=3)
    pq.write_table(
        pa.table({"label": y[:300], "score": (10 * s[:300]).astype(np.int32)}),
        tmp_path / "0.parquet",
    )
    s[:300] = (10 * s[:300]).astype(np.int32)
    assert exact_auc(tmp_path) == roc_auc(y, s)


@pytest.mark.parametrize("kind", ["polars", "arrow", "duckdb"])
def test_faults_of_tables_without_files(kind):
    def table(score, label=(0, 1, 1), **more):
        frame = pa.table({"label": list(label), "score": score, **more})
        return {"polars": pl.from_arrow, "arrow": lambda t: t, "duckdb": BASE.from_arrow}[kind](
            frame
        )

    three = ("label", "score", "weight")
    row = "column 'score', row 1 .the first is 0.: .*drop or impute that row"
    for source, named, words in (
        (table([1.0, np.nan, 2.0]), {}, row),
        (table([1.0, None, 2.0]), {}, row),
        (table([1, None, 2]), {}, row),
        (table([1.0, 2.0, 3.0], [0, None, 1]), {}, "y has 1 missing label"),
        (table([1.0, 2.0, 3.0], [0.0, np.nan, 1.0]), {}, "y has 1 missing label"),
        (table(["a", "b", "c"]), {}, "words"),
        (
            table([1.0, 2.0, 3.0], [1, 1, 1]),
            {},
            "both classes are needed: positives weigh 3, negatives 0",
        ),
        (table([1.0, 2.0, 3.0]), {"pos_label": "yes"}, "pos_label is 'yes'"),
        (table([2**60, 2**60 + 1, 3]), {}, "beyond 2\\*\\*53"),
        (table([1.0, 2.0, 3.0], weight=[1.0, -1.0, 2.0]), {"columns": three}, "non-negative"),
        (
            table([1.0, 2.0, 3.0]),
            {"columns": three},
            "columns asked for are label, score, weight: name yours",
        ),
        (table([1.0, 2.0, 3.0]), {"columns": "score"}, "columns must be the names"),
        (table([1.0, 2.0, 3.0]), {"columns": ("a",)}, "columns must be the names"),
        (table([1.0, 2.0, 3.0]), {"min_fpr": 0.5, "max_fpr": 0.2}, "min_fpr < max_fpr"),
        (table([1.0, 2.0, 3.0]), {"form": "other"}, "form must be"),
    ):
        for more in ({}, {"max_fpr": 0.5}):
            with pytest.raises(ValueError, match=words):
                exact_auc(source, **{**more, **named})
    empty = {
        "polars": lambda t: t.head(0),
        "arrow": lambda t: t.slice(0, 0),
        "duckdb": lambda t: t.limit(0),
    }[kind]
    for high in (1, 0.5):
        with pytest.raises(ValueError, match="both classes are needed"):
            exact_auc(empty(table([1.0, 2.0, 3.0])), max_fpr=high)


def test_no_file_and_no_engine(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="nothing.parquet"):
        exact_auc(tmp_path / "nothing.parquet")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ImportError, match=r"needs DuckDB: pip install 'aucbook\[engines\]'"):
        exact_auc(tmp_path)


def test_a_failure_leaves_the_connection_free(monkeypatch):
    """Also while the traceback is kept, as notebooks do."""
    monkeypatch.setattr(module, "BATCH", 100)
    frame = pa.table(
        {"label": [0, 1] * 500, "score": [*np.arange(200.0), np.nan, *np.arange(799.0)]}
    )
    base = duckdb.connect()
    relation, errors = base.from_arrow(frame), []
    for high in (1, 0.1):
        with pytest.raises(ValueError, match="NaN") as error:
            exact_auc(relation, max_fpr=high)
        errors.append(error.value)
        assert base.execute("SELECT count(*) FROM range(10)").fetchall() == [(10,)]


def test_old_polars_is_refused(monkeypatch):
    monkeypatch.setattr(pl, "__version__", "1.37.1")
    with pytest.raises(ImportError, match="before 1.38 drops errors"):
        exact_auc(pl.DataFrame({"label": [0, 1], "score": [1.0, 2.0]}))


def test_an_error_in_the_middle_is_an_error(tmp_path, monkeypatch):
    """No result is computed from the rows before the error."""
    monkeypatch.setattr(module, "BATCH", 1000)
    y, s, _ = sample(9000)
    words = np.array([*map(str, s[:-1]), "high"])
    late = (
        pl.DataFrame({"label": y, "score": words})
        .lazy()
        .with_columns(pl.col("score").cast(pl.Float64))
    )
    base = duckdb.connect()
    base.register("late", pa.table({"label": y, "score": words}))
    for source in (late, base.sql("SELECT label, CAST(score AS DOUBLE) AS score FROM late")):
        for high in (1, 0.1):
            with pytest.raises(ValueError, match="(?i)conver"):
                exact_auc(source, max_fpr=high)


def test_engines_are_loaded_when_asked_for():
    import subprocess

    code = "import sys; from aucbook import exact_auc; exact_auc([([0, 1], [0, 1])]); print({'duckdb', 'polars', 'pyarrow'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


def test_no_engine_warns(tmp_path):
    y, s, _ = sample(300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for source in sources(written(tmp_path, y, s)).values():
            exact_auc(source, max_fpr=0.5)


# ---------------------------------------------------------------- SQL
def run(engine, query, **columns):
    """(area, positives, negatives, twice_won, missing)."""
    if engine == "duckdb":
        base = duckdb.connect()
        base.register("rows", pa.table(columns))
        return base.execute(query).fetchone()
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE rows ({', '.join(columns)})")
    lines = zip(*(pa.array(c).to_pylist() for c in columns.values()))
    base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(columns))})", lines)
    return base.execute(query).fetchone()


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
@pytest.mark.parametrize("decimals", [0, 1, 15])
def test_the_query_says_the_same(engine, decimals):
    y, s, _ = sample(3000, decimals=decimals)
    for low, high in (*RANGES, (0, 1e-5), (1 / 3, 0.5)):
        query = auc_query("rows", "sick", "s", min_fpr=low, max_fpr=high)
        area, m, n, twice, missing = run(engine, query, sick=y, s=s)
        assert area == pytest.approx(
            partial_auc(y, s, min_fpr=low, max_fpr=high), abs=1e-12
        )  # sums in another order
        assert (m, n, missing) == (y.sum(), (1 - y).sum(), 0) and twice / (
            2 * int(m) * int(n)
        ) == roc_auc(y, s)


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_the_query_counts_what_is_missing(engine):
    y, s = [0, 1, None, 1, 0, 1], [0.1, 0.4, 0.9, None, 0.4, 0.3]
    area, *counts, missing = run(engine, auc_query("rows", "y", "s"), y=pa.array(y), s=pa.array(s))
    complete = [(a, b) for a, b in zip(y, s) if a is not None and b is not None]
    assert (
        area == roc_auc(*zip(*complete)) and missing == 2 and [int(c) for c in counts[:2]] == [2, 2]
    )


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_the_query_takes_words_as_labels(engine):
    y, s, _ = sample(200)
    for words, pos_label in ((["well", "it's"], "it's"), ([0.5, 2.5], 2.5), ([False, True], True)):
        label = np.array(words)[y]
        area, *_ = run(engine, auc_query("rows", "y", "s", pos_label=pos_label), y=label, s=s)
        assert area == pytest.approx(roc_auc(y, s), abs=1e-12)


@pytest.mark.parametrize(
    "named, words",
    [
        ({"table": ""}, "table, label and score must be names"),
        ({"score": 3}, "must be names as the engine writes them"),
        ({"pos_label": None}, "pos_label must be a number, text or a bool"),
        ({"pos_label": np.nan}, "pos_label must be a number"),
        ({"min_fpr": 0.5, "max_fpr": 0.5}, "min_fpr < max_fpr"),
    ],
)
def test_a_query_that_cannot_be(named, words):
    with pytest.raises(ValueError, match=words):
        auc_query(**{"table": "rows", **named})


# ---------------------------------------------------------------- labels of all parts together
def as_sources(y, s):
    """The same rows as a table of each engine, and as parts of one row or more."""
    table = pa.table({"label": y, "score": s})
    return {
        "arrow": table,
        "dataset": ds.dataset(table),
        "polars": pl.from_arrow(table),
        "lazy": pl.from_arrow(table).lazy(),
        "duckdb": BASE.from_arrow(table),
        "parts": [(y[k : k + 2], s[k : k + 2]) for k in range(0, len(y), 2)],
    }


@pytest.mark.parametrize(
    "labels",
    [
        (0, 1),
        (-1, 1),
        (1, 2),
        (2, 5),
        (0.0, 1.0),
        (0.5, 2.5),
        (False, True),
        ("no", "yes"),
        ("0", "1"),
    ],
)
@pytest.mark.parametrize("low, high", [(0, 1), (0, 0.4)])
@pytest.mark.parametrize("first", [0, 1])
def test_the_positive_class_is_that_of_roc_auc(labels, low, high, first):
    """Also where the first part, or the highest scores, hold one label alone."""
    y = [first, first, 1 - first, 0, 1, 0, 1, 1, 0, 0]
    s = [9.0, 8.0, 1.0, 2.0, 3.0, 4.0, 4.0, 6.0, 0.0, 7.0]
    words = [labels[k] for k in y]
    guessed = labels not in ((0, 1), (-1, 1), ("0", "1"))
    for pos_label in (None, *labels):
        with warnings.catch_warnings(record=True) as wanted:
            warnings.simplefilter("always")
            want = partial_auc(words, s, min_fpr=low, max_fpr=high, pos_label=pos_label)
        for name, source in as_sources(words, s).items():
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                assert exact_auc(source, min_fpr=low, max_fpr=high, pos_label=pos_label) == want, (
                    name,
                    pos_label,
                )
            assert [str(each.message) for each in caught] == [str(each.message) for each in wanted]
            assert bool(caught) == (guessed and pos_label is None)


@pytest.mark.parametrize("low, high", [(0, 1), (0, 0.4)])
@pytest.mark.parametrize(
    "labels, words",
    [
        ([0, 1, 2, 0], ["exactly two classes, got 3: 0, 1, 2"]),
        ([-1, 0, 1, 0], ["exactly two classes, got 3: -1, 0, 1"]),
        (["a", "b", "a", "c"], ["exactly two classes, got 3", "'c'"]),
        ([0, 1, None, 0], ["1 missing label", "row 2 (the first is 0)"]),
        ([0.0, 1.0, 1.0, float("nan")], ["1 missing label", "row 3 (the first is 0)"]),
        (["yes", "no", "", "no"], ["1 missing label", "row 2 (the first is 0)"]),
        (["yes", "no", "no", "NA"], ["1 missing label", "row 3 (the first is 0)"]),
        ([1, 1, 1, 1], ["both classes are needed"]),
        ([0, 0, 0, 0], ["both classes are needed"]),
    ],
)
def test_labels_that_are_no_two_classes(labels, words, low, high):
    for name, source in as_sources(labels, [4.0, 3.0, 2.0, 1.0]).items():
        if name == "parts":
            continue
        with pytest.raises(ValueError) as error:
            exact_auc(source, min_fpr=low, max_fpr=high)
        refused(error, *words)
        with pytest.raises(ValueError):
            binned_counts(source).auc()


def test_a_positive_label_that_is_not_there():
    for labels, pos_label in (
        ([0, 1], "1"),
        (["0", "1"], 1),
        ([0, 2], 1),
        (["no", "yes"], "maybe"),
    ):
        for source in as_sources(labels, [0.5, 0.7]).values():
            with pytest.raises(ValueError) as error:
                exact_auc(source, pos_label=pos_label)
            refused(error, f"pos_label is {pos_label!r}", f"the labels of y are {labels}")


# ---------------------------------------------------------------- names of columns, and paths
@pytest.mark.parametrize("names", [("Label", "label"), ("label", "Label"), ("SCORE", "score")])
def test_names_are_case_sensitive(tmp_path, names):
    y, s, _ = sample(400)
    table = pa.table({names[0]: y, names[1]: s})
    pq.write_table(table, tmp_path / "two.parquet")
    for source in (
        table,
        pl.from_arrow(table),
        ds.dataset(table),
        tmp_path,
        [tmp_path / "two.parquet"],
    ):
        assert exact_auc(source, columns=names) == roc_auc(y, s)
        assert exact_auc(source, max_fpr=0.2, columns=names) == partial_auc(y, s, max_fpr=0.2)
    with pytest.raises(ValueError, match="DuckDB ignores case in names"):
        exact_auc(BASE.from_arrow(table), columns=names)


def test_a_name_must_be_the_name_of_a_column(tmp_path):
    y, s, _ = sample(60)
    table = pa.table({"Label": y, "score": s, "other": s})
    pq.write_table(table, tmp_path / "one.parquet")
    sources = (
        table,
        pl.from_arrow(table),
        BASE.from_arrow(table),
        ds.dataset(table),
        tmp_path,
        f"{tmp_path}/*.parquet",
    )
    for source in sources:
        with pytest.raises(
            ValueError, match=r"no column 'label'; did you mean 'Label'\? .* Label, score, other"
        ):
            exact_auc(source)
        with pytest.raises(ValueError, match="no column 'weight'"):
            exact_auc(source, max_fpr=0.5, columns=("Label", "score", "weight"))
        with pytest.raises(ValueError, match="columns must name different columns"):
            exact_auc(source, columns=("score", "score"))
    twice = pa.Table.from_arrays(
        [pa.array(y), pa.array(s), pa.array(s)], names=["label", "score", "score"]
    )
    pq.write_table(twice, tmp_path / "one.parquet")
    for source in (twice, tmp_path):
        with pytest.raises(ValueError, match="2 columns named 'score'"):
            exact_auc(source)


def test_lists_of_paths_are_one_stream(tmp_path):
    y, s, w = sample(900)
    folder = written(tmp_path, y, s, w)
    files = sorted(folder.glob("*.parquet"))
    columns = ("label", "score", "weight")
    for paths in (
        files,
        [str(file) for file in files],
        tuple(files),
        [f"{folder}/0.parquet", f"{folder}/[12].parquet"],
    ):
        assert exact_auc(paths) == roc_auc(y, s)
        assert exact_auc(paths, max_fpr=0.3, columns=columns) == partial_auc(
            y, s, max_fpr=0.3, sample_weight=w
        )
        assert binned_counts(paths).rows.sum() == 900
    strange = tmp_path / "strange [1]*"
    strange.mkdir()
    pq.write_table(pa.table({"label": y, "score": s}), strange / "a[0].parquet")
    assert exact_auc(strange) == exact_auc([strange / "a[0].parquet"]) == roc_auc(y, s)
    hive = tmp_path / "hive" / "score=5"  # the name of a folder is no column
    hive.mkdir(parents=True)
    pq.write_table(pa.table({"label": y, "score": s}), hive / "a.parquet")
    assert exact_auc(tmp_path / "hive") == roc_auc(y, s)


@pytest.mark.parametrize(
    "path, words",
    [
        ("", "the path is empty"),
        ("  ", "the path is empty"),
        ([""], "the path is empty"),
        ("none.parquet", "there is no file none.parquet"),
        ("none/*.parquet", "nothing matches this pattern"),
        ("empty", "no file that ends in .parquet"),
        ("http://example.org/a.parquet", "not a path on this machine"),
        ("https://example.org/a.parquet", "not a path on this machine"),
        ("s3://bucket/*.parquet", "not a path on this machine"),
        ("hf://datasets/a/b.parquet", "not a path on this machine"),
        (["a.parquet", "s3://bucket/b.parquet"], "s3://bucket/b.parquet is not a path"),
        (["a.parquet", "./a.parquet"], "named twice"),
        (["a.parquet", ([0, 1], [0, 1])], "part 1 is not a path"),
        ("a.csv", "cannot be read"),
    ],
)
def test_paths_that_lead_nowhere(tmp_path, monkeypatch, path, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.csv").write_text("label,score\n0,1\n1,2\n")
    pq.write_table(pa.table({"label": [0, 1], "score": [1.0, 2.0]}), tmp_path / "a.parquet")
    for call in (exact_auc, binned_counts):
        with pytest.raises(ValueError, match=words):
            call(path)


def test_a_data_frame_of_pandas_is_one_part():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"label": [0, 1], "score": [0.1, 0.7]})
    with pytest.raises(ValueError, match=r"\[\(frame\['label'\], frame\['score'\]\)\]"):
        exact_auc(frame)
    assert exact_auc([(frame["label"], frame["score"])]) == 1


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_the_query_has_no_area_of_three_classes(engine):
    y, s = [0, 1, 2, 1, 0], [0.1, 0.4, 0.9, 0.2, 0.4]
    for label, pos_label in ((y, 1), ([f"c{k}" for k in y], "c1")):
        query = auc_query("rows", "y", "s", pos_label=pos_label)
        area, positives, negatives, twice, missing = run(engine, query, y=label, s=s)
        assert area is None and twice is None and (positives, negatives, missing) == (2, 3, 0)
        two = [(a, b) for a, b in zip(label, s) if a != label[2]]
        area, *_ = run(engine, query, y=[a for a, _ in two], s=[b for _, b in two])
        assert area == pytest.approx(roc_auc(*zip(*two), pos_label=pos_label))
