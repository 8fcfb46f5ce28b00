"""Does a guaranteed false positive rate hold on new rows?

The protocol, written down before the run:

- Tables: six from the folder AUCBOOK_DATA with some thousand rows to test on. Splits: SPLITS of each, of 800 training rows, stratified,
  from seed 0; tested on all others, at most 20 000.
- Rankers: all that `compare` runs by default, those of optional packages included. Each by itself: `compare` with five folds, then
  `decide` for a maximum false positive rate of .1 with confidence 95 %.
- Measured on the test rows, with the decision's model and threshold: false and true positive rate and precision, beside the
  decision's estimates of them. The guarantee holds if the false positive rate on the test rows is at most .1. The budget used is the
  false positive rate on the test rows divided by .1. (Intervals are judged by the experiment `decisions`; those of the first run of this
  one were narrower than they are now, and are not kept.)

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


def stated_and_measured(ranker, X, y, train, test):
    """[[stated, measured] for each of STATED]; None without a positive prediction."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # of constant columns, of fits that have not converged: their results say it
        result = compare(X[train], y[train], {"one": ranker}, max_fpr=MAX_FPR, cv=5)
        decision = result.decide(X[train])
    flagged = decision.predict(X[test]) == decision.pos_label
    t = y[test]
    measured = [
        flagged[t == 0].mean(),
        flagged[t == 1].mean(),
        t[flagged].mean() if flagged.any() else None,
    ]
    rows = [[getattr(decision.performance, name).value, m] for name, m in zip(STATED, measured)]
    return [[None if v is None or v != v else round(float(v), 4) for v in row] for row in rows]


def run():
    out, inputs = {}, {}
    rankers = default_rankers(max_fpr=MAX_FPR, random_state=0)
    for name in tqdm(TABLES):
        X, y, inputs[name] = table(name)
        out[name] = {
            called: [stated_and_measured(ranker, X, y, *split) for split in splits(y, SPLITS)]
            for called, ranker in tqdm(rankers.items(), leave=False)
        }
    store(
        "guarantee",
        {"stated": list(STATED.values()), "max_fpr": MAX_FPR, "tables": out},
        seeds=[0],
        inputs=inputs,
        packages=PACKAGES,
    )
