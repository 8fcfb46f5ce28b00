"""What could be spared on large tables, and what it costs: the ensemble's scale and weights learnt on two of its five folds, and the ridge of
additive curves chosen on some rows.

The protocol, written down before the first run: 120,000 rows of each table train (160,000 of covtype), 100,000 others test. What is spared
stays if on no table the partial AUC over [0, .1] is lower than before by more than one standard error of the paired difference (DeLong).
One table is real and rare, one is a sum of curves, one is bits and amounts with many zeros, one has no additive structure, which only
trees see; for the ridge a fifth has many columns, of 60,000 rows and more. Some five minutes of two cores.
"""

import time
from unittest.mock import patch

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold

from aucbook import AdditiveRanker, RankingEnsemble, auc_test, load_dataset
from aucbook.isotonic import additive

from .store import store

ROWS = 120_000
OF_COVTYPE = 160_000
TEST = 100_000
SEED = 0


def curves(rng, n):
    X = rng.normal(size=(n, 20))
    return X, (X[:, :8].sum(1) + X[:, 0] ** 2 + 3 * rng.normal(size=n) > 4).astype(int)


def amounts(rng, n):
    X = np.column_stack(
        [
            rng.normal(size=(n, 7)),
            rng.random((n, 7)) < rng.uniform(0.001, 0.3, 7),
            np.where(rng.random((n, 7)) < 0.6, 0, np.exp(2 * rng.normal(size=(n, 7))).round(2)),
        ]
    )
    log_odds = (
        X[:, 0]
        + X[:, 1] ** 2 / 2
        + 2 * X[:, 7]
        - X[:, 9]
        + 0.3 * np.log1p(X[:, 14])
        + 0.3 * (X[:, 15] > 0)
    )
    return X, (rng.random(n) < 1 / (1 + np.exp(3.2 - log_odds))).astype(int)


def wide(rng, n):
    """Many columns, most of which say nothing: here fewer rows may want a stiffer ridge."""
    X = rng.normal(size=(n, 60))
    return X, (X[:, :8].sum(1) + X[:, 0] ** 2 + 3 * rng.normal(size=n) > 2).astype(int)


def clusters(rng, n):
    return make_classification(
        n,
        20,
        n_informative=10,
        n_clusters_per_class=6,
        weights=[0.9],
        flip_y=0.02,
        random_state=SEED,
    )


def covtype(rng, n):
    bunch = load_dataset("covtype_2v4")
    order = rng.permutation(bunch.target.size)
    return bunch.data[order[:n]], bunch.target[order[:n]]


def fitted(ranker, X, y):
    """(scores of the rows behind those that train, seconds of the fit, the fitted ranker)."""
    start = time.perf_counter()
    ranker.fit(X[:-TEST], y[:-TEST])
    return ranker.decision_function(X[-TEST:]), time.perf_counter() - start, ranker


def compared(spared, full, y):
    """Partial AUC of two of `fitted`, difference and standard error, and how the times compare."""
    test = auc_test(y[-TEST:], spared[0], full[0], max_fpr=0.1)
    return {
        "pAUC": test.estimates.tolist(),
        "difference": test.difference,
        "standard error": float(np.sqrt([1, -1] @ test.covariance @ [1, -1])),
        "times as fast": full[1] / spared[1],
    }


def ridge_by_some(X, y):
    """`compared`, and the ridges that some rows and all rows choose."""
    with patch.object(additive, "RIDGE_ROWS", y.size):
        every = fitted(AdditiveRanker(), X, y)
    some = fitted(AdditiveRanker(), X, y)
    return compared(some, every, y) | {"C": [some[2].C_, every[2].C_]}


def run(part=None):
    """All, or the part that is named: tables, wide."""
    found, inputs = {}, {"covtype_2v4": load_dataset("covtype_2v4").sha256}
    if part != "tables":

        def of(rows):
            return ridge_by_some(*wide(np.random.default_rng(SEED), TEST + rows))

        found["wide"] = {rows: of(rows) for rows in (60_000, 80_000, 100_000, 120_000)}
    for make in (covtype, curves, amounts, clusters) if part != "wide" else ():
        X, y = make(np.random.default_rng(SEED), TEST + (OF_COVTYPE if make is covtype else ROWS))
        folds = list(
            StratifiedKFold(5, shuffle=True, random_state=SEED).split(X[:-TEST], y[:-TEST])
        )
        five, two = (
            fitted(RankingEnsemble(cv=cv, random_state=SEED, n_jobs=2), X, y)
            for cv in (folds, folds[:2])
        )
        both = {"ensemble": compared(two, five, y), "additive": ridge_by_some(X, y)}
        found.setdefault("tables", {})[make.__name__] = {"positives": float(y.mean())} | both
        print(make.__name__, both, flush=True)
    store("large_tables", found, seeds=[SEED], inputs=inputs, keep=part is not None)
