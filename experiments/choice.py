"""What the default choice of a ranker gains and loses: the simplest that is not found worse, against the best of the table and each rival.

The protocol, written down before the first run:

- Tables: six of the development tables, those of the folder AUCBOOK_DATA that are dense, have at most a hundred columns, at least 3000 rows
  and at least 2 % positives (so that 300 rows have five or more): spambase, annthyroid, mammography, magic_gamma, letter_A, credit_default.
- Splits: three for each table and size, stratified by class, seed 0; 300 or 1000 training rows, tested on the others, at most TEST.
- A split: `compare` on the training rows, as it comes (five folds, partial AUC over [0, .1] first), over all default rankers but CatBoost,
  whose thousand rounds would take as long as all others together. Then each ranker, CatBoost too, is fitted to all training rows, as
  `decide` does, and judged on the test rows: partial AUC over [0, .1], AUC, and log loss.
- Probabilities, for the log loss, are those that `decide` gives: a strict PAVCalibrator of the out-of-fold scores, on the scale of the final
  model; probabilities below 1e-6 or above 1 - 1e-6 count as these. CatBoost has no out-of-fold scores here, and no log loss.
- Choices, computed from what is stored: "default", the simplest ranker that neither the corrected resampled t-test nor DeLong's test, both
  adjusted by Holm, finds worse than the best at the 5 % level; "corrected test alone", the same without DeLong's; "best", the first of the
  table. The order of simplicity is that of `aucbook.model_selection.choice`.
- What is reported: for each size and measure the mean difference of the default from "best", from "corrected test alone" and from each
  ranker on the test rows. A table is the mean of its three splits; the standard error is that of the six tables' means.
- What is decided by it: whether DeLong's test takes part in the rule. It was there before this experiment, for the sake of its power. It
  goes if without it the partial AUC is lower by no more than one standard error at both sizes, since one test is simpler to explain.

About fifteen minutes of one core. Nothing is tuned, and no table or split is left out afterwards.
"""

import time
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedShuffleSplit
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from aucbook import PAVCalibrator, compare, default_rankers, partial_auc, roc_auc
from aucbook._evaluation.folds import training_scale

from .development import TEST, table
from .shared import scores
from .store import store

PACKAGES = ("lightgbm", "xgboost", "catboost")
SETS = ("spambase", "annthyroid", "mammography", "magic_gamma", "letter_A", "credit_default")
SIZES = (300, 1000)
SPLITS = 3
MAX_FPR = 0.1
SMALLEST_PROBABILITY = 1e-6


def splits(y, size):
    """List of (training rows, test rows)."""
    test = min(TEST, y.size - size)
    shuffle = StratifiedShuffleSplit(SPLITS, train_size=size, test_size=test, random_state=0)
    return list(shuffle.split(y, y))


def calibrated_log_loss(model, X, y, out_of_fold, test_scores, y_test):
    """Log loss on test rows of probabilities as `decide` calibrates them."""
    mean, sd = training_scale(model, X)
    calibrator = PAVCalibrator("strict").fit(mean + sd * out_of_fold, y)
    p = calibrator.predict_proba(test_scores)[:, 1]
    p = np.clip(p, SMALLEST_PROBABILITY, 1 - SMALLEST_PROBABILITY)
    return log_loss(y_test, p, labels=[0, 1])


def measure(X, y, train, test, seconds):
    """Dict ranker -> what the comparison says of it, and its measures on the test rows."""
    rankers = default_rankers(max_fpr=MAX_FPR)
    compared = {name: ranker for name, ranker in rankers.items() if name != "CatBoost"}
    start = time.process_time()
    comparison = compare(X[train], y[train], compared, max_fpr=MAX_FPR)
    seconds["compare"] = seconds.get("compare", 0) + time.process_time() - start
    rows = {row["ranker"]: row for row in comparison.rows}
    measures = {}
    for name, ranker in rankers.items():
        start = time.process_time()
        model = clone(ranker).fit(X[train], y[train])
        seconds[name] = seconds.get(name, 0) + time.process_time() - start
        s = scores(model, X[test])
        about = {"pAUC": partial_auc(y[test], s, max_fpr=MAX_FPR), "AUC": roc_auc(y[test], s)}
        if name in rows:
            out_of_fold = comparison.standard_scores[name]
            about["log loss"] = calibrated_log_loss(
                model, X[train], y[train], out_of_fold, s, y[test]
            )
            about["in comparison"] = rows[name]["pAUC"]
            about["p"] = rows[name]["p"]
            about["p DeLong"] = rows[name]["p DeLong"]
        measures[name] = {
            key: value if value is None else round(float(value), 5) for key, value in about.items()
        }
    return measures


def run():
    result = {"splits": SPLITS, "max_fpr": MAX_FPR, "sets": {}, "tables": {}}
    inputs = {}
    seconds = {}
    with threadpool_limits(1):
        for name in tqdm(SETS, desc="choice"):
            X, y, inputs[name] = table(name)
            result["sets"][name] = {"n": y.size, "d": X.shape[1], "positives": int(y.sum())}
            result["tables"][name] = {}
            for size in SIZES:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # few positives; fits that do not converge
                    result["tables"][name][str(size)] = [
                        measure(X, y, train, test, seconds) for train, test in splits(y, size)
                    ]
            spent = ", ".join(f"{ranker} {value:.0f} s" for ranker, value in seconds.items())
            tqdm.write(f"{name}: {spent}")
            store(
                "choice",
                result,
                seeds=[0],
                inputs=inputs,
                packages=PACKAGES,
                finished=name == SETS[-1],
            )
