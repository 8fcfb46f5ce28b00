"""Which ranker to try first: ours with the settings of their chapters and their rivals, on fifteen tables; every split is stored.

The protocol was written down before the first run. One thing changed after a look at its results, and the pages say so: when the forest and
the boosted trees had new defaults, and `AdditiveRanker` had taken the place of the curves it was made from, these three were run again on
the same rows. Their defaults come from the TUNING splits of experiments/development.py, which are other splits of these tables.

- Tables: two that come with scikit-learn, and thirteen from the folder AUCBOOK_DATA.
- Splits: ten for each table and condition, stratified by class, from seed 0. Training rows are as many as the condition says, and
  at most two thirds of the table; test rows are the others, at most 5000 of them, with their labels as they are.
- Conditions: 1500 training rows; 150 training rows; 1500 with a tenth of the training labels flipped, whichever they are. A table
  is left out of a condition in which fewer than FEWEST training rows would be of one class, since inner folds need them.
- Rankers: ours as they come or with the settings that their chapters end up with, rivals of other packages as they come. That ours were
  chosen on these tables, if on other splits, can only flatter ours. All see the same rows of a split, so that differences are paired.
- Measures: normalized partial AUC over [0, .1] and over [0, .02], and the AUC.
- The cost rule: a logistic regression is fitted to the training rows. On one half of the test rows `optimal_threshold` chooses a threshold
  for a prevalence of .1 and misses five times as dear as false alarms (as in the lesson); the other half judges it.

About twenty minutes of one core. `split` gives one split again, and tests/pages/test_results.py asks it to.
"""

import time
import warnings

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from aucbook import (
    AdditiveRanker,
    AUCBoost,
    MartiRank,
    PartialAUCSVMCV,
    PAVAdaBoost,
    TreeRank,
    TreeRankBoost,
    TreeRankForest,
    default_rankers,
    optimal_threshold,
)
from aucbook.metrics import youden_threshold
from aucbook.thresholds import net_benefit_of_rates
from aucbook.trees import cross_validated_pruning

from .development import MEASURES, TABLES, TEST, judged, table
from .shared import scores
from .store import store

PACKAGES = ("lightgbm", "xgboost")
SETS = TABLES[:-1]  # the last one joined later
CONDITIONS = {
    "1500 rows": (1500, 0.0),
    "150 rows": (150, 0.0),
    "1500 rows, a tenth of the labels wrong": (1500, 0.1),
}
SPLITS = 10
FEWEST = 5
BETA = 0.1
PREVALENCE, MISS = 0.1, 5.0
RIVALS = ("logistic regression", "random forest", "LightGBM", "XGBoost")
OURS = (
    "AUCBoost",
    "MartiRank",
    "PAV-AdaBoost",
    "additive curves",
    "pAUC SVM",
    "TreeRank",
    "TreeRank forest",
    "TreeRank boost",
)


class PrunedTreeRank(TreeRank):
    """The tree of the lesson on pruning: leaves in the order of their smoothed shares, pruned by held-out rows."""

    def fit(self, X, y):
        tree = TreeRank(max_depth=8, shake="smooth")
        return cross_validated_pruning(tree, X, y)


def rankers():
    """Dict name -> unfitted ranker; seeds are numbers, so that a split can be had again."""
    offered = default_rankers(max_fpr=BETA)
    svm = PartialAUCSVMCV(max_fpr=BETA, Cs=(1, 10, 100), polish=(0, 0.1), random_state=0)
    return {
        "AUCBoost": AUCBoost(),
        "MartiRank": MartiRank(n_estimators=40),
        "PAV-AdaBoost": PAVAdaBoost(n_estimators=30),
        "additive curves": AdditiveRanker(),
        "pAUC SVM": make_pipeline(StandardScaler(), svm),
        "TreeRank": PrunedTreeRank(),
        "TreeRank forest": TreeRankForest(random_state=0),
        "TreeRank boost": TreeRankBoost(random_state=0),
        "extra trees": ExtraTreesClassifier(random_state=0),
        **{
            name: offered[name] for name in RIVALS if name in offered
        },  # two of them only where they are installed
    }


def train_size(n, rows):
    return min(rows, 2 * n // 3)


def folds(X, y, rows):
    """The ten (training rows, test rows)."""
    train = train_size(len(y), rows)
    test = min(TEST, len(y) - train)
    return list(
        StratifiedShuffleSplit(SPLITS, train_size=train, test_size=test, random_state=0).split(X, y)
    )


def flipped(y, wrong, seed):
    return y ^ (np.random.default_rng(seed).random(y.size) < wrong)


def split(X, y, condition, seed, names=None):
    """Dict ranker -> [pAUC(0, .1), pAUC(0, .02), AUC] on the test rows of one split, and dict ranker -> seconds."""
    rows, wrong = CONDITIONS[condition]
    train, test = folds(X, y, rows)[seed]
    labels = flipped(y[train], wrong, seed)
    found = {}
    seconds = {}
    everybody = rankers()
    for name in names or everybody:
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # of constant scores, of roots alone: their results say it
            model = everybody[name].fit(X[train], labels)
            found[name] = [round(float(v), 4) for v in judged(y[test], scores(model, X[test]))]
        seconds[name] = time.process_time() - start
    return found, seconds


def alarm(X, y, seed):
    """Net benefit per 1000 people of thresholds chosen on one half of the test rows: promised, and on the other half that of three rules."""
    train, test = folds(X, y, CONDITIONS["1500 rows"][0])[seed]
    s = scores(rankers()["logistic regression"].fit(X[train], y[train]), X[test])
    y = y[test]
    choose, judge = next(StratifiedShuffleSplit(1, train_size=0.5, random_state=seed).split(s, y))

    def worth(theta):
        tpr, fpr = (np.mean(s[judge][y[judge] == c] >= theta) for c in (1, 0))
        return net_benefit_of_rates(fpr, tpr, PREVALENCE, MISS)

    found = optimal_threshold(y[choose], s[choose], prevalence=PREVALENCE, miss_cost=MISS)
    youden = youden_threshold(y[choose], s[choose])[0]
    values = [found.net_benefit, worth(found.threshold), worth(youden), worth(-np.inf)]
    return [round(1000 * float(v), 2) for v in values]


def measure(X, y, condition, seconds):
    """Dict measure -> dict ranker -> one number for each split; None where a class has too few training rows."""
    rows = train_size(len(y), CONDITIONS[condition][0])
    if min(y.mean(), 1 - y.mean()) * rows < FEWEST:
        return None
    out = {measure: {} for measure in (MEASURES if condition == "1500 rows" else [*MEASURES][:1])}
    for seed in range(SPLITS):
        found, spent = split(X, y, condition, seed)
        for ranker, values in found.items():
            seconds[ranker] = seconds.get(ranker, 0) + spent[ranker]
            for measure, value in zip(out, values, strict=False):
                out[measure].setdefault(ranker, []).append(value)
    return out


def run():
    result = {
        "splits": SPLITS,
        "beta": BETA,
        "ours": OURS,
        "sets": {},
        "alarm": {},
        "scores": {c: {} for c in CONDITIONS},
    }
    inputs, seconds = {}, {}
    with threadpool_limits(1):
        for name in tqdm(SETS, desc="choosing"):
            X, y, inputs[name] = table(name)
            size = {"n": len(y), "d": X.shape[1], "positives": int(y.sum())}
            result["sets"][name] = size | {
                "train": [train_size(len(y), rows) for rows, _ in CONDITIONS.values()]
            }
            for condition in CONDITIONS:
                if (found := measure(X, y, condition, seconds)) is not None:
                    result["scores"][condition][name] = found
            result["alarm"][name] = [alarm(X, y, seed) for seed in range(SPLITS)]
            tqdm.write(
                f"{name} "
                + ", ".join(f"{ranker} {spent:.0f} s" for ranker, spent in seconds.items())
            )
            store(
                "choosing",
                result,
                seeds=[range(SPLITS)],
                inputs=inputs,
                packages=PACKAGES,
                finished=name == SETS[-1],
            )
