"""Does the loss of a range's pairs rank the range better than the log loss, and where?

The protocol, written down before the runs:

- LightGBM with 400 small steps, whatever the objective. Its settings were fixed beforehand.
- Four objectives on the first five FINAL splits of the development tables: the log loss, and the pairs of positives with the highest
  third, the highest tenth, and all of the negatives.
- Two repairs on the TUNING splits, since the pairs alone gained nothing there: the sum of half the log loss and half the pairs, so that the
  rows outside the range keep the scores apart; and half of the steps with the log loss, the other half with the pairs from these scores on.
  Both had been tried there once when this was written; the stored run repeats it. A repair that gains more than two standard errors over
  the tables is judged on the FINAL splits; another is not.
- Where it gains: gains of the FINAL splits, table by table, beside the share of positives. That is a look at sixteen tables afterwards,
  and no test.
- What that look suggests is tested by an intervention: of the four largest tables with more than a fifth of positives, most positives of the
  training rows are left out, so that RARE of them are positive; the test rows stay. If rare positives are what makes the difference, the
  objective that lost on these tables gains now.

Some twenty minutes of one core.
"""

import warnings

import numpy as np
from scipy.special import expit
from tqdm.auto import tqdm

from aucbook.pauc import pauc_objective

from .development import FINAL, MEASURES, TABLES, TUNING, judged, splits, table
from .store import store

PACKAGES = ("lightgbm",)
SPLITS = (FINAL[0], 5)
STEPS = 400
RARE = 0.03
MANY_POSITIVES = "spambase", "magic_gamma", "credit_default", "a9a"
SETTINGS = {
    "n_estimators": STEPS,
    "learning_rate": 0.03,
    "num_leaves": 15,
    "min_child_samples": 10,
    "subsample": 0.8,
    "subsample_freq": 1,
    "colsample_bytree": 0.5,
    "reg_lambda": 5.0,
    "random_state": 0,
    "n_jobs": 1,
    "verbose": -1,
}
TO_THE_ROOT = pauc_objective(max_fpr=0.1)
TO_THE_END = pauc_objective(max_fpr=0.1, train_max_fpr=0.1)


def half_log_loss(y, score):
    """Gradient and curvature of half the log loss and half the loss of the range's pairs."""
    p = expit(score)
    slope, curvature = TO_THE_ROOT(y, score)
    return (p - y + slope) / 2, (p * (1 - p) + curvature) / 2


def scored(objective):
    """A function (X, y, X_test) -> scores, all steps with one objective."""
    from lightgbm import LGBMClassifier

    def fit_and_score(X, y, X_test):
        model = LGBMClassifier(objective=objective, **SETTINGS).fit(X, y)
        return model.predict(X_test, raw_score=True)

    return fit_and_score


def log_loss_first(X, y, X_test):
    """Scores of half the steps with the log loss, and of the other half with the pairs."""
    from lightgbm import LGBMClassifier

    half = SETTINGS | {"n_estimators": STEPS // 2}
    first = LGBMClassifier(**half).fit(X, y)
    start = first.predict(X, raw_score=True)
    second = LGBMClassifier(objective=TO_THE_ROOT, **half).fit(X, y, init_score=start)
    return first.predict(X_test, raw_score=True) + second.predict(X_test, raw_score=True)


def thinned(rows, y):
    """The rows without most of the positives, so that RARE of them are positive."""
    positives = rows[y[rows] == 1]
    negatives = rows[y[rows] == 0]
    n_positives = round(negatives.size * RARE / (1 - RARE))
    return np.r_[negatives, positives[:n_positives]]  # in random order already


def measure(ways, X, y, which, rare=False):
    """Dict name -> measures of every split."""
    measures = {name: [] for name in ways}
    for train, test in splits(y, which):
        train = thinned(train, y) if rare else train
        for name, fit_and_score in ways.items():
            numbers = judged(y[test], fit_and_score(X[train], y[train], X[test]))
            measures[name].append([round(float(number), 4) for number in numbers])
    return measures


def parts_of_result():
    """Dict name -> (ways, splits, tables, whether positives are left out)."""
    objectives = {
        "log loss": scored(None),
        "top negatives, to the root of beta": scored(TO_THE_ROOT),
        "top negatives, to beta": scored(TO_THE_END),
        "all pairs": scored(pauc_objective(max_fpr=0.1, train_max_fpr=1)),
    }
    repairs = {
        "log loss": scored(None),
        "top negatives, to the root of beta": scored(TO_THE_ROOT),
        "half log loss": scored(half_log_loss),
        "log loss first": log_loss_first,
    }
    return {
        "tables": (objectives, SPLITS, TABLES, False),
        "tuning": (repairs, TUNING, TABLES, False),
        "thinned": (objectives, SPLITS, MANY_POSITIVES, True),
    }


def run(*parts):
    """All, or only the parts named: tables, tuning, thinned."""
    warnings.simplefilter("ignore")
    for name, (ways, which, tables, rare) in parts_of_result().items():
        if parts and name not in parts:
            continue
        measures = {}
        inputs = {}
        for data in tqdm(tables, desc=name):
            X, y, inputs[data] = table(data)
            measures[data] = measure(ways, X, y, which, rare)
        store(
            "pauc_objective",
            {"measures": list(MEASURES), "settings": SETTINGS, name: measures},
            seeds=[which[0]],
            inputs=inputs,
            packages=PACKAGES,
            keep=True,
        )
