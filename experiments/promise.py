"""Is a promised false positive rate kept on new rows, and do the numbers that `decide` states come true?

The protocol, written down before the run:

- Tables: six from the folder AUCBOOK_DATA with some thousand rows to test on. Splits: SPLITS of each, of 800 training rows, stratified,
  from seed 0; tested on all others, at most 20 000.
- Rankers: all that `compare` runs as it comes, those of optional packages included. Each by itself: `compare` with five folds, then
  `decide` for a rate of .1 with a chance of .95.
- Measured on the test rows by the decision's own model and threshold: false and true positive rate and precision, beside what the
  decision states of each, with its interval. A promise is kept if the false positive rate on the test rows is at most .1; a statement
  came true if the measured number lies within its interval. Of the budget is used what the rate on the test rows is of .1.

Half an hour of one core.
"""

import warnings

from sklearn.model_selection import StratifiedShuffleSplit
from tqdm.auto import tqdm

from aucbook import compare, default_rankers

from .development import table
from .store import store

PACKAGES = ("lightgbm", "xgboost")
TABLES = ("spambase", "annthyroid", "mammography", "magic_gamma", "letter_A", "credit_default")
SPLITS = 10
ROWS = 800
TEST = 20_000
MAX_FPR = 0.1
STATED = {"fpr": "false positive rate", "tpr": "true positive rate", "precision": "precision"}


def splits(y, count):
    """The (training rows, test rows) of one table."""
    return StratifiedShuffleSplit(
        count, train_size=ROWS, test_size=min(TEST, len(y) - ROWS), random_state=0
    ).split(y, y)


def told_and_found(ranker, X, y, train, test):
    """[[stated, low, high, measured] for each of STATED]; None where nothing rang."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # of constant columns, of fits that have not converged: their results say it
        result = compare(X[train], y[train], {"one": ranker}, max_fpr=MAX_FPR, cv=5)
        decision = result.decide(X[train])
    rings, t = decision.predict(X[test]) == decision.pos_label, y[test]
    measured = [
        rings[t == 0].mean(),
        rings[t == 1].mean(),
        t[rings].mean() if rings.any() else None,
    ]
    rows = [[*getattr(decision.performance, name), m] for name, m in zip(STATED, measured)]
    return [[None if v is None or v != v else round(float(v), 4) for v in row] for row in rows]


def run():
    out, inputs = {}, {}
    rankers = default_rankers(max_fpr=MAX_FPR, random_state=0)
    for name in tqdm(TABLES):
        X, y, inputs[name] = table(name)
        out[name] = {
            called: [told_and_found(ranker, X, y, *split) for split in splits(y, SPLITS)]
            for called, ranker in tqdm(rankers.items(), leave=False)
        }
    store(
        "promise",
        {"stated": list(STATED.values()), "max_fpr": MAX_FPR, "tables": out},
        seeds=[0],
        inputs=inputs,
        packages=PACKAGES,
    )
