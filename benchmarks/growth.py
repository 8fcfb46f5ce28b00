"""What grows with a table: nanoseconds per score, of ours beside two floors (sorting the scores, and reading them once); seconds per fit of
the rankers, with rows, columns, trees and threads; and the memory of a fit.
"""

import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

import aucbook

from .harness import turn

SIZES = (10**3, 10**4, 10**5, 10**6, 10**7)
ROUNDS = 5


def functions(n):
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(int)
    s = rng.normal(size=n) + y
    ordered = y[np.argsort(s)].astype(float)
    out = {
        "read once (sum)": s.sum,
        "numpy.sort": lambda: np.sort(s),
        "roc_auc": lambda: aucbook.roc_auc(y, s),
        "partial_auc(0, .1)": lambda: aucbook.partial_auc(y, s, max_fpr=0.1),
        "pav": lambda: aucbook.pav(ordered),
    }
    return out | ({"scikit-learn": lambda: roc_auc_score(y, s)} if n <= 10**6 else {})


def growth(sizes=SIZES):
    """A list of dicts: what, n, ns (per score; the median over alternating turns)."""
    rows = []
    for n in sizes:
        work = functions(n)
        for function in work.values():
            function()  # compiles, and touches the memory
        times = np.median(
            [[turn(function)[1] for function in work.values()] for _ in range(ROUNDS)], axis=0
        )
        rows += [
            {"what": what, "n": n, "ns": round(1e9 * t / n, 3)} for what, t in zip(work, times)
        ]
    return rows


ROWS, COLUMNS = (10**3, 10**4, 10**5, 10**6), (10, 30, 100, 300, 1000)
FEW_COLUMNS, FEW_ROWS = 20, 10**4


def rankers():
    """Name -> unfitted, as they come, one thread; LightGBM beside them, if it is there."""
    out = {
        "TreeRank": aucbook.TreeRank(),
        "TreeRankForest": aucbook.TreeRankForest(random_state=0),
        "TreeRankBoost": aucbook.TreeRankBoost(random_state=0),
        "AUCBoost": aucbook.AUCBoost(),
        "MartiRank": aucbook.MartiRank(),
        "AdditiveRanker": aucbook.AdditiveRanker(),
        "PartialAUCSVM(max_fpr=.1)": aucbook.PartialAUCSVM(max_fpr=0.1),
    }
    try:
        from lightgbm import LGBMClassifier

        return out | {"LightGBM, 100 rounds": LGBMClassifier(n_jobs=1, verbose=-1)}
    except ImportError:
        return out


def table(n, d):
    """(X, y): d normal columns, half of them noise, with a square among the others."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    logit = (X[:, : d // 2].sum(1) + X[:, 0] ** 2 - 1) / np.sqrt(d / 10)
    return X, (logit + 2 * rng.logistic(size=n) > 0).astype(int)


def seconds(fit):
    """The fewest of three runs, or of one that takes more than ten seconds."""
    fewest = np.inf
    for _ in range(3):
        start = time.perf_counter()
        fit()
        fewest = min(fewest, time.perf_counter() - start)
        if fewest > 10:
            break
    return fewest


def fits():
    """A list of dicts: ranker, rows, columns, seconds of a fit."""
    found, sizes = [], [(n, FEW_COLUMNS) for n in ROWS] + [(FEW_ROWS, d) for d in COLUMNS]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for model in rankers().values():
            model.fit(*table(500, 10))  # compiles
        for n, d in sizes:
            X, y = table(n, d)
            for name, model in rankers().items():
                found.append(
                    {
                        "ranker": name,
                        "rows": n,
                        "columns": d,
                        "seconds": seconds(partial(model.fit, X, y)),
                    }
                )
                print(f"{name:<76}{n:>10}{d:>9}{found[-1]['seconds']:>9.2f} s", flush=True)
    return found


TREES, THREADS, MANY_ROWS = (10, 30, 100, 300), (1, 2), 10**5
MEMORY_ROWS = (10**4, 10**5, 10**6)


def ensembles(n_trees, n_jobs):
    """Name -> unfitted: ours that grow many trees, and their peers, with as many trees and threads; boosted trees of ours take one thread."""
    from sklearn.ensemble import RandomForestClassifier

    size = {"n_estimators": n_trees, "n_jobs": n_jobs}
    out = {
        "TreeRankForest": aucbook.TreeRankForest(random_state=0, **size),
        "scikit-learn's forest": RandomForestClassifier(random_state=0, **size),
    }
    if n_jobs == 1:
        out["TreeRankBoost"] = aucbook.TreeRankBoost(n_estimators=n_trees, random_state=0)
    try:
        from lightgbm import LGBMClassifier

        return out | {"LightGBM": LGBMClassifier(verbose=-1, **size)}
    except ImportError:
        return out


def by_trees():
    """A list of dicts: ranker, trees, threads, rows, seconds of a fit: more trees on few rows, then more threads on many."""
    found = []
    sizes = [(n_trees, 1, FEW_ROWS) for n_trees in TREES]
    sizes += [(100, n_jobs, MANY_ROWS) for n_jobs in THREADS]
    for model in ensembles(3, 1).values():
        model.fit(*table(500, FEW_COLUMNS))  # compiles
    for n_trees, n_jobs, n in sizes:
        X, y = table(n, FEW_COLUMNS)
        for name, model in ensembles(n_trees, n_jobs).items():
            row = {"ranker": name, "trees": n_trees, "threads": n_jobs, "rows": n}
            found.append({**row, "seconds": seconds(partial(model.fit, X, y))})
            print(f"{name:<60}{n_trees:>6} trees{n_jobs:>3} threads{n:>9}", flush=True)
    return found


def memory_now(what):
    """Megabytes of this process, "VmRSS" at present or "VmHWM" at most so far, as Linux counts them."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) / 1024


def memory_of_fit(name, n):
    """(megabytes that a fit takes beside its table, megabytes of the table), in a process that has fitted a small one."""
    X, y = table(n, FEW_COLUMNS)
    model = rankers()[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X[:500], y[:500])
        before = memory_now("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
        model.fit(X, y)
    return memory_now("VmHWM") - before, X.nbytes / 2**20


def memory():
    """A list of dicts: ranker, rows, megabytes at most beside the table, megabytes of the table; none where it cannot be measured."""
    if not Path("/proc/self/clear_refs").exists():
        return []
    found = []
    for n in MEMORY_ROWS:
        for name in rankers():
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                most, table_size = pool.submit(memory_of_fit, name, n).result()
            row = {"ranker": name, "rows": n, "megabytes": round(most, 1)}
            found.append({**row, "table": round(table_size, 1)})
            print(f"{name:<60}{n:>10}{most:>10.0f} MB", flush=True)
    return found
