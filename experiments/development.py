"""The development tables: what defaults are chosen on, and how rankers are measured there. Not a result of its own: other experiments use it.

The protocol, written down before the first run:

- Sixteen tables, .8 to 65 % positives, 6 to 1021 columns; fourteen come from the folder AUCBOOK_DATA, two with scikit-learn.
- A default is chosen on TUNING splits (three of each table, seed 1) by the mean normalized partial AUC over [0, .1], all tables
  counting alike; of choices within one standard error of the best the simpler or faster one is taken.
- What was chosen is then judged, once, on FINAL splits (ten of each table, seed 0), beside its rivals on the same rows.
- Training rows are at most ROWS and two thirds of a table, stratified by class; test rows are the others, at most TEST of them.
"""

import time
import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit

from aucbook import load_dataset, partial_auc, roc_auc

from .shared import scores

TABLES = (
    "breast_cancer",
    "digits_8",
    "pima",
    "german_credit",
    "abalone19",
    "jgstyle_fp2",
    "dud_cdk2_fp2",
    "spambase",
    "annthyroid",
    "mammography",
    "magic_gamma",
    "letter_A",
    "credit_default",
    "a9a",
    "w8a",
    "covtype_2v4",
)
ROWS, TEST = 2000, 5000
TUNING, FINAL = (1, 3), (0, 10)  # (seed, splits)
MEASURES = {"pauc": (0, 0.1), "top": (0, 0.02), "auc": (0, 1)}  # ranges of the false positive rate


def table(name):
    """(X (n, d) of floats, y (n,) of 0 and 1, sha256 of the file)."""
    data = load_dataset(name)
    X = data.data.toarray() if issparse(data.data) else data.data
    return np.asarray(X, float), data.target.astype(np.uint8), data.sha256


def splits(y, which=TUNING, rows=ROWS):
    """The (training rows, test rows) of one table."""
    seed, count = which
    train = min(rows, 2 * len(y) // 3)
    test = min(TEST, len(y) - train)
    return StratifiedShuffleSplit(count, train_size=train, test_size=test, random_state=seed).split(
        y, y
    )


def judged(y, s):
    """One number for each of MEASURES."""
    return [
        roc_auc(y, s) if high == 1 else partial_auc(y, s, min_fpr=low, max_fpr=high)
        for low, high in MEASURES.values()
    ]


def measured(ranker, X, y, which=TUNING, rows=ROWS):
    """([pauc, top, auc] of every split, processor seconds to fit, processor seconds to score)."""
    found = []
    fit = 0.0
    score = 0.0
    for train, test in splits(y, which, rows):
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # of constant scores, of fits that have not converged: their results say it
            start = time.process_time()
            model = clone(ranker).fit(X[train], y[train])
            fit += time.process_time() - start
            start = time.process_time()
            s = scores(model, X[test])
            score += time.process_time() - start
        found.append([round(float(v), 4) for v in judged(y[test], s)])
    return found, fit, score


def measure(rankers, names=TABLES, which=TUNING, rows=ROWS, say=print):
    """Dict table -> dict ranker -> (measures of every split, seconds to fit, seconds to score), told table by table.

    rankers : dict name -> unfitted ranker
    """
    out = {}
    for name in names:
        X, y, _ = table(name)
        out[name] = {
            called: measured(ranker, X, y, which, rows) for called, ranker in rankers.items()
        }
        told = (
            f"{called} {np.mean([r[0] for r in found]):.3f} ({fit:.1f} s)"
            for called, (found, fit, _) in out[name].items()
        )
        say(f"{name}: " + ", ".join(told))
    return out


def means(out):
    """Dict ranker -> (mean of each measure over tables, seconds to fit over all tables); told as lines."""
    rankers = next(iter(out.values()))
    return {
        r: (
            np.mean([np.mean(out[t][r][0], axis=0) for t in out], axis=0).round(4),
            round(sum(out[t][r][1] for t in out), 1),
        )
        for r in rankers
    }
