"""What grows: wide and long tables, sparse ones, files of scores. Two threads on each side; both results are compared before anything is timed."""

import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier

from aucbook import (
    AdditiveRanker,
    AUCBoost,
    RankingEnsemble,
    TreeRank,
    TreeRankBoost,
    TreeRankForest,
    exact_auc,
    roc_auc,
)

from .compare import as_accurate, demand, equal
from .harness import Goal, row, turn


def lightgbm():
    from lightgbm import LGBMClassifier

    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    return LGBMClassifier(n_estimators=100, n_jobs=2, verbose=-1)


@cache
def sum_of_curves(n, d, bits):
    """(X, y) of d normal columns, of which eight say something, and so many bits, of which ten do."""
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [rng.normal(size=(n, d)), rng.random((n, bits)) < rng.uniform(0.01, 0.3, bits)]
    )
    logit = X[:, :8].sum(1) + X[:, 0] ** 2 + X[:, d : d + 10].sum(1) - 3
    return X, (logit + 2 * rng.logistic(size=n) > 0).astype(int)


def additive(n, d, bits):
    X, y = sum_of_curves(n + 50_000, d, bits)

    def ours():
        return AdditiveRanker(n_jobs=2).fit(X[:n], y[:n])

    def peer():
        return lightgbm().fit(X[:n], y[:n])

    return ours, peer, as_accurate(ours, peer, X[n:], y[n:], 0.005)


@row("AdditiveRanker(), 60 columns, 2 threads / LightGBM, 100 rounds", 1 / 3, [100_000])
def additive_normal(n):
    return additive(n, 60, 0)


@row("AdditiveRanker(), 30 columns and 49 bits, 2 threads / LightGBM, 100 rounds", 1 / 4, [150_000])
def additive_mixed(n):
    return additive(n, 30, 49)


@row("TreeRankForest(), 30 columns, 2 threads / RandomForestClassifier", 10, [10**5])
def forest(n):
    X, y = sum_of_curves(n + 50_000, 30, 0)

    def ours():
        return TreeRankForest(n_jobs=2, random_state=0).fit(X[:n], y[:n])

    def peer():
        return RandomForestClassifier(n_jobs=2, random_state=0).fit(X[:n], y[:n])

    return ours, peer, as_accurate(ours, peer, X[n:], y[n:], 0.005)


def fingerprints(n, d=1024):
    """(X, y): a CSR matrix of bits, one in twenty set, forty of which say something."""
    rng = np.random.default_rng(0)
    X = sparse.random(n, d, 0.05, "csr", random_state=0, data_rvs=np.ones)
    logit = np.asarray(X[:, :20].sum(1) - X[:, 20:40].sum(1)).ravel()
    return X, (2 * logit + rng.logistic(size=n) > 2).astype(int)


def on_bits(model, n):
    X, y = fingerprints(n)

    def fit(table):
        return model.fit(table, y).decision_function(table)

    same = equal(lambda: fit(X), lambda: fit(X.toarray()), 0.0)
    return (
        lambda: model.fit(X, y),
        lambda: lightgbm().fit(X, y),
        lambda: f"{same()}, sparse and written out",
    )


SPARSE = {
    "TreeRank()": TreeRank(),
    "TreeRankForest(n_jobs=2)": TreeRankForest(n_jobs=2, random_state=0),
    "TreeRankBoost()": TreeRankBoost(random_state=0),
    "AUCBoost()": AUCBoost(),
    "AdditiveRanker(n_jobs=2)": AdditiveRanker(n_jobs=2),
}
for name, model in SPARSE.items():
    row(f"{name}, 1024 sparse bits / LightGBM, 100 rounds", 1 / 2, [10_000])(
        lambda n, model=model: on_bits(model, n)
    )


SLOWER = (
    "the slowest member was a kernel machine that took a third of the time, and takes a twelfth"
)


@row(
    "RankingEnsemble(), scores of new rows / its slowest member",
    Goal(1 / 2, [(1 / 1.5, SLOWER)]),
    [20_000],
)
def ensemble_scores(n):
    X, y = sum_of_curves(2 * n, 30, 0)
    ensemble, new = RankingEnsemble(random_state=0).fit(X[:n], y[:n]), X[n:]

    def seconds(member):
        member.decision_function(new)  # compiled
        return turn(lambda: member.decision_function(new))[1]

    slowest = max(ensemble.members_.values(), key=seconds)
    return (
        lambda: ensemble.decision_function(new),
        lambda: slowest.decision_function(new),
        as_accurate(lambda: ensemble, lambda: slowest, new, y[n:], 0.0),
    )


def file_of_scores(folder, n):
    """A Parquet file of labels and scores, a row group for each million."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.05).astype(np.uint8)
    s = rng.normal(size=n) + 1.5 * y
    pq.write_table(
        pa.table({"label": y, "score": s}), Path(folder) / "scores.parquet", row_group_size=10**6
    )
    return str(Path(folder) / "scores.parquet"), roc_auc(y, s)


@row("exact_auc of a Parquet file by DuckDB, 2 threads / DuckDB sorts the scores", 1 / 1.5, [10**7])
def by_duckdb(n):
    import duckdb

    folder = tempfile.TemporaryDirectory()
    path, area = file_of_scores(folder.name, n)
    base = duckdb.connect(config={"threads": 2})
    base.execute("SET enable_progress_bar = false")

    def sort(kept=folder):
        for _ in (
            base.read_parquet(path).project("score").order("score DESC").to_arrow_reader(10**6)
        ):
            pass

    def ours():
        return exact_auc(base.read_parquet(path), columns=("label", "score"))

    return (
        ours,
        sort,
        lambda: demand(ours() == area, "the area of the scores in memory, to the last bit"),
    )
