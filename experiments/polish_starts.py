"""Where should the polish of the partial AUC SVM start: from every fit of the search, or from the best one only?

The protocol, written down after a first look at the same splits, of which this is a repetition that is kept:

- Tables and splits: the development tables, TUNING splits. Columns standardised by the training rows; constant ones left out.
- Two searches on the same folds with the grid of `PartialAUCSVMCV`: the polish starts from each of the fifteen plain fits of a fold, which
  is thirty a fold; or from the best plain setting, two a fold. The setting is chosen by the same rule.
- Measured: partial AUC over [0, .1] of the chosen setting on the test rows. Seconds are not: searches with one start each cannot pass on
  their planes.

Some ten minutes of one core.
"""

import warnings

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from aucbook import PartialAUCSVMCV, partial_auc
from aucbook.pauc.search import choose_setting

from .development import TABLES, splits, table
from .store import store

MAX_FPR = 0.1
RANGES = 1.0, float(np.sqrt(MAX_FPR)), MAX_FPR
SEARCH = PartialAUCSVMCV(max_fpr=MAX_FPR, random_state=0)


def standardised(train, test):
    """Both tables on the scale of the first one's columns."""
    varies = train.std(axis=0) > 0
    mean = train[:, varies].mean(axis=0)
    spread = train[:, varies].std(axis=0)
    return [(rows[:, varies] - mean) / spread for rows in (train, test)]


def search(**changes):
    return PartialAUCSVMCV(**SEARCH.get_params() | changes)


def from_every_fit(X, y):
    """The search whose polish starts from each fit."""
    grid = []
    columns = []
    for max_fpr in RANGES:
        for C in SEARCH.Cs:
            results = search(Cs=C, max_fprs=max_fpr).fit(X, y).cv_results_
            grid += results["params"]
            names = sorted(name for name in results if name.startswith("split"))
            columns.append(np.array([results[name] for name in names]))
    setting = grid[choose_setting(grid, np.hstack(columns))[0]]
    C, max_fpr, polish = setting.values()
    return search(Cs=C, max_fprs=max_fpr, polish=polish).fit(X, y)


def searches(X, y, X_test, y_test):
    """Dict search -> [partial AUC on the test rows, chosen C, range and width]."""
    results = {}
    for name, model in (("every fit", from_every_fit(X, y)), ("best fit", search().fit(X, y))):
        value = partial_auc(y_test, model.decision_function(X_test), max_fpr=MAX_FPR)
        results[name] = [round(float(value), 4), *model.best_params_.values()]
    return results


def run():
    tables = {}
    inputs = {}
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # large values, collapsed fits: their results say it
        for name in tqdm(TABLES, desc="polish_starts"):
            X, y, inputs[name] = table(name)
            tables[name] = []
            for train, test in splits(y):
                X_train, X_test = standardised(X[train], X[test])
                tables[name].append(searches(X_train, y[train], X_test, y[test]))
            store(
                "polish_starts",
                {"max_fpr": MAX_FPR, "tables": tables},
                seeds=[0, 1],
                inputs=inputs,
                finished=name == TABLES[-1],
            )
