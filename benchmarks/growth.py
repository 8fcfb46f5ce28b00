"""What grows with a table: nanoseconds per score, of ours beside two floors (sorting the scores, and reading them once), and seconds per
fit of the rankers, with rows and with columns.
"""

import time
import warnings
from functools import partial

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
