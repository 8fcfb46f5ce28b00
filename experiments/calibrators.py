"""Which calibrator, and when none: the improvement of proper scores over no calibration, on the development tables.

The protocol, written down before the first run:

- Tables: those of experiments/development.py with at most WIDEST columns (twelve of sixteen; the wide ones would take most of the time).
  Splits: SPLITS of each, stratified by class, from seed 0. A third of a table, at most
  TRAIN rows, trains the rankers; of a second third, at most the larger of SIZES, the calibration set is taken; at most TEST other rows
  judge. Calibration sets of both SIZES: the first is the beginning of the second. A table is left out of a size at which one class has
  fewer than FEWEST calibration rows.
- Rankers: naive Bayes and a random forest, whose probabilities are known to be badly calibrated (over- and underconfident); boosted trees
  (HistGradientBoosting as it comes); logistic regression, whose probabilities are nearly calibrated: the case where calibration can only
  harm; AUCBoost, which has scores and no probabilities: there is no "none" for it.
- Calibrators: none; temperature, Platt and beta on the log-odds of the probabilities (clipped to [1e-6, 1 - 1e-6], as random forests and
  naive Bayes give 0 and 1), with smoothed targets; the same three with the labels as they are ("…, labels"); isotonic regression by its
  three interpolations; Venn-Abers. For AUCBoost, Platt on its scores, isotonic regression and Venn-Abers.
- Measures on the test rows: the Brier score and the logarithmic score, the latter with all probabilities, calibrated or not, clipped to
  [1e-6, 1 - 1e-6]; how many test rows have probability 0 or 1; how many pairs of neighbours in the order of scores are tied (distinct
  values of the probability beside distinct scores).
- An improvement is the score before minus the score after, of the same rows. Its interval: Student's, over the tables, of the mean over
  splits, because tables are what could have been others.
- The default of `Decision`, isotonic regression that keeps the order ("strict"), stays unless another calibrator that keeps the order is
  better by the logarithmic score, over all rankers and both sizes, with an interval that excludes 0. Venn-Abers and the other isotonic
  fits tie scores and can replace it only if they are better by more than its own interval against the best that keeps the order.

A minute or two of one core. `python -m experiments calibrators`.
"""

import warnings

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tqdm.auto import tqdm

from aucbook import AUCBoost, PAVCalibrator
from aucbook.calibration import (
    BetaCalibrator,
    PlattCalibrator,
    TemperatureCalibrator,
    VennAbersCalibrator,
)

from .development import TABLES, table
from .store import store

SPLITS = 3
WIDEST = 100
TRAIN, TEST = 1000, 5000
SIZES = (100, 1000)
FEWEST = 5
CLIP = 1e-6


def rankers():
    """Dict name -> unfitted ranker; seeds are numbers, so that a split can be had again."""
    logistic = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000))
    return {
        "naive Bayes": GaussianNB(),
        "random forest": RandomForestClassifier(random_state=0),
        "boosted trees": HistGradientBoostingClassifier(random_state=0),
        "logistic regression": logistic,
        "AUCBoost": AUCBoost(n_estimators=50),
    }


def calibrators(has_probabilities):
    """Dict name -> unfitted calibrator."""
    ranks = {
        "isotonic, midpoint": PAVCalibrator(),
        "isotonic, linear": PAVCalibrator("linear"),
        "isotonic, strict": PAVCalibrator("strict"),
        "Venn-Abers": VennAbersCalibrator(),
    }
    if not has_probabilities:
        return {"Platt": PlattCalibrator("scores"), **ranks}
    lines = {}
    for smooth in (True, False):
        for name, cls in (
            ("temperature", TemperatureCalibrator),
            ("Platt", PlattCalibrator),
            ("beta", BetaCalibrator),
        ):
            calibrator = cls(smooth_targets=smooth, input_clip=CLIP)
            lines[name if smooth else f"{name}, labels"] = calibrator
    return lines | ranks


def parts(y):
    """(training, calibration, test rows) of every split."""
    n = y.size
    train = min(TRAIN, n // 3)
    mend = min(max(SIZES), n // 3)
    first = StratifiedShuffleSplit(
        SPLITS, train_size=train + mend, test_size=min(TEST, n - train - mend), random_state=0
    )
    for seed, (learn, test) in enumerate(first.split(y, y)):
        inner = StratifiedShuffleSplit(1, train_size=train, test_size=mend, random_state=seed)
        rows, calibration = next(inner.split(learn, y[learn]))
        yield learn[rows], learn[calibration], test


def measured(y, p):
    """Brier score, logarithmic score, rows with probability 0 or 1, distinct probabilities: four words in one string, a line of the file."""
    clipped = np.clip(p, CLIP, 1 - CLIP)
    certain = int(np.sum((p == 0) | (p == 1)))
    brier = float(np.mean((p - y) ** 2))
    return f"{brier:.6f} {log_loss(y, clipped):.6f} {certain} {np.unique(p).size}"


def judged(scores, labels, new, y):
    """Dict calibrator -> what `measured` gives; None where the calibrator refused the rows."""
    is_probability = scores.min() >= 0 and scores.max() <= 1
    results = {"none": measured(y, new)} if is_probability else {}
    for name, calibrator in calibrators(is_probability).items():
        try:
            results[name] = measured(y, calibrator.fit(scores, labels).predict_proba(new)[:, 1])
        except ValueError:
            results[name] = None
    return results


def split(X, y, rows):
    """Rows of the results for one split."""
    train, calibration, test = rows
    results = []
    for name, ranker in rankers().items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of constant columns, of fits that have not converged
            model = ranker.fit(X[train], y[train])
            if name == "AUCBoost":
                answers = [model.decision_function(X[of]) for of in (calibration, test)]
            else:
                answers = [model.predict_proba(X[of])[:, 1] for of in (calibration, test)]
        scores, new = answers
        for size in SIZES:
            labels = y[calibration[:size]]
            if np.bincount(labels, minlength=2).min() < FEWEST:
                continue
            results.append(
                {
                    "ranker": name,
                    "size": size,
                    "rows": len(labels),
                    "distinct": int(np.unique(new).size),
                    "scores": judged(scores[:size], labels, new, y[test]),
                }
            )
    return results


def run():
    rows = []
    inputs = {}
    for name in tqdm(TABLES):
        X, y, checksum = table(name)
        if X.shape[1] > WIDEST:
            continue
        inputs[name] = checksum
        for seed, split_rows in enumerate(parts(y)):
            rows += [{"table": name, "split": seed, **row} for row in split(X, y, split_rows)]
    store("calibrators", {"rows": rows}, seeds=[f"0 to {SPLITS - 1}"], inputs=inputs)
