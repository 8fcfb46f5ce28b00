"""What the four papers give together: the default members of RankingEnsemble and their rivals, out of fold, combined in all ways and with each part left out.

The protocol, written down before the first run:

- The sixteen tables of experiments/development.py, on its FINAL splits, which no default was chosen on; all rankers see the same rows.
- Every member of the ensemble, and every rival that is combined, is fitted to each of five folds and to all training rows, once. All
  combinations are made of these scores, as RankingEnsemble makes them: the same scale, the same machine. So what is left out is all that differs.
- A stack, as anybody would make it: the six rivals as they come, a logistic regression of their out-of-fold scores on top.
- Measures: normalized partial AUC over [0, .1] and over [0, .02], and the AUC. The range of the ensemble is [0, .1].
- Processor seconds of the folds, of the fit to all rows, and of scoring the test rows, by ranker.

One thing changed after a look at the first run: the forest of random cuts has pure leaves and nearly all rows, chosen on the TUNING splits.
The forest as it comes, which stood there before, is measured beside it, on the same splits.

A second change, for a better ensemble: a sixth member was looked for on the first of the TUNING splits of every table and the second of six.
Candidates: neural networks, support vector machines with a Gaussian kernel, exact or approximated by 300, 500 or 1000 rows, CatBoost, LightGBM,
extra trees of other settings. The kernel machines gained .004 to .006 and networks .005, CatBoost nothing. That a kernel machine was taken and
not a network was decided after a look at the first of the FINAL splits, where networks gained nothing. The approximation by 300 rows is the
fastest of the kernel machines, within a standard error of the best, and works with any number of rows. So the sixth member is judged without
the first split, too.

A third change: a line (a logistic regression of standardised columns) was a member until then. Without it the ensemble is better by .0008 on
the TUNING splits. It was also better on the FINAL ones, which were looked at before the line was left out. It is measured beside it as "with a
line". As these splits have thus been seen, whole and parts are judged once more on three CONFIRMING splits of each table that nothing was
looked at before: written down before their run, the question is the gain over the stack, and the worst table.

Splits come one after the other, each for all tables, so that a run that is stopped early has as many splits of every table; called again, it
goes on where it stopped. About twenty minutes of one core.
"""

import time
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from aucbook import TreeRankForest, default_rankers
from aucbook.ensemble import ensemble_members
from aucbook.ensemble.ranking_ensemble import CommonScale, MonotoneSum, WeightedMean

from . import development
from .shared import scores
from .store import read, store

PACKAGES = ("lightgbm", "xgboost")
SPLITS = development.FINAL[1]
CONFIRMING = (2, 3)  # (seed, splits), as in development.py
FOLDS = 5
ALPHA = 0.0
BETA = 0.1
MEMBERS = tuple(ensemble_members())
FOUR = ("logistic regression", "random forest", "extra trees", "LightGBM")
PLAIN = "forest as it comes"  # instead of the first member, which has settings of its own
LINE = "line"  # a member until it was left out
RIVALS = (
    "extra trees",
    "random forest",
    "gradient boosting",
    "LightGBM",
    "XGBoost",
    "logistic regression",
)
# part left out -> members that go with it
PARTS = {
    "boosted trees": ("boosted trees",),
    "curves": ("curves",),
    "forests": tuple(name for name in MEMBERS if "forest" in name),
    "kernel SVM": ("kernel SVM",),
}


def rankers():
    """Dict name -> unfitted ranker: the members, and the rivals as they come; seeds are numbers, so that a split can be had again."""
    members = {name: seeded(ranker) for name, ranker in ensemble_members().items()}
    offered = default_rankers(max_fpr=BETA)
    return {
        **members,
        PLAIN: TreeRankForest(random_state=0),
        LINE: make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000)),
        "extra trees": ExtraTreesClassifier(random_state=0),
        "random forest": RandomForestClassifier(random_state=0),
        "gradient boosting": HistGradientBoostingClassifier(random_state=0),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        **{name: offered[name] for name in ("LightGBM", "XGBoost") if name in offered},
    }


def seeded(ranker):
    seeds = [name for name in ranker.get_params() if name.rpartition("__")[2] == "random_state"]
    return ranker.set_params(**dict.fromkeys(seeds, 0))


def fitted(ranker, X, y, train, test, folds):
    """(out-of-fold scores of the training rows, scores of the test rows, [seconds of the folds, of the fit, of scoring])."""
    seconds = []
    held_out = np.zeros(train.size)
    start = time.process_time()
    for inside, outside in folds:
        model = clone(ranker).fit(X[train[inside]], y[train[inside]])
        held_out[outside] = in_place(model, X[train[inside]], X[train[outside]])
    seconds.append(time.process_time() - start)
    start = time.process_time()
    model = clone(ranker).fit(X[train], y[train])
    seconds.append(time.process_time() - start)
    start = time.process_time()
    scores(model, X[test])
    seconds.append(time.process_time() - start)
    return held_out, in_place(model, X[train], X[test]), seconds


def in_place(model, known, new):
    """Scores of new rows, in spreads from the mean of the rows the model was fitted to."""
    s = scores(model, known)
    return (scores(model, new) - s.mean()) / (s.std() or 1.0)


class Standardised:
    """In place of CommonScale: no pool, no labels."""

    def __init__(self, s, y, w):
        self.mean, self.spread = s.mean(), s.std() or 1.0

    def __call__(self, s):
        return (s - self.mean) / self.spread


def combined(found, names, y, combiner="pauc", Scale=CommonScale):
    """Scores of the test rows: the rankers `names`, put on one scale and weighed by their out-of-fold scores."""
    w = np.ones(y.size)
    scales = [Scale(found[name][0], y, w) for name in names]
    Z, new = (
        np.column_stack(
            [scale(found[name][part]) for scale, name in zip(scales, names, strict=True)]
        )
        for part in (0, 1)
    )
    if combiner == "monotone":
        return MonotoneSum(Z, y, w)(new)
    return WeightedMean(Z, y, w, combiner, ALPHA, BETA)(new)


def variants(found, y):
    """Dict name -> scores of the test rows: the ensemble, its other combiners, each part left out, and the rivals combined."""
    out = {"ensemble": combined(found, MEMBERS, y)}
    for combiner in ("monotone", "logistic", "mean"):
        out[f"combiner {combiner}"] = combined(found, MEMBERS, y, combiner)
    for part, gone in PARTS.items():
        out[f"without {part}"] = combined(found, [name for name in MEMBERS if name not in gone], y)
    out["the forest as it comes"] = combined(found, (PLAIN, *MEMBERS[1:]), y)
    out["with a line"] = combined(found, (*MEMBERS, LINE), y)
    out["without the pooled scale"] = combined(found, MEMBERS, y, Scale=Standardised)
    out["the four rivals"] = combined(found, FOUR, y)
    out["the four rivals, mean"] = combined(found, FOUR, y, "mean", Standardised)
    out["a stack of the six rivals"] = combined(found, RIVALS, y, "logistic", Standardised)
    out["ensemble and LightGBM"] = combined(found, (*MEMBERS, "LightGBM"), y)
    out["ensemble and the four"] = combined(found, (*MEMBERS, *FOUR), y)
    return out


def split(X, y, seed, names=None, which=development.FINAL):
    """(dict name -> [pAUC(0, .1), pAUC(0, .02), AUC] on the test rows of one split, dict name -> seconds); of some rankers, or of all and their combinations."""
    train, test = list(development.splits(y, which))[seed]
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(train, y[train]))
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # of constant scores, of fits that have not converged: their results say it
        found = {
            name: fitted(
                ranker, X, y, train, test, folds if name in (*MEMBERS, PLAIN, LINE, *RIVALS) else []
            )
            for name, ranker in rankers().items()
            if names is None or name in names
        }
        start = time.process_time()
        everybody = {name: s for name, (_, s, _) in found.items()}
        seconds = {name: times for name, (_, _, times) in found.items()}
        if names is None:
            combined(found, MEMBERS, y[train])
            seconds["combining"] = time.process_time() - start
            everybody |= variants(found, y[train])
    judged = {
        name: [round(float(v), 4) for v in development.judged(y[test], s)]
        for name, s in everybody.items()
    }
    return judged, {name: np.round(times, 3).tolist() for name, times in seconds.items()}


def run():
    result = read("together.partial")
    inputs = result.pop("header", {}).get("inputs", {})
    result = result or {
        "splits": 0,
        "alpha": ALPHA,
        "beta": BETA,
        "members": MEMBERS,
        "scores": {},
        "seconds": {},
    }
    result |= {"rivals": RIVALS, "four": FOUR}
    jobs = [(seed, name) for seed in range(SPLITS) for name in development.TABLES]
    checks = [(seed, name) for seed in range(CONFIRMING[1]) for name in development.TABLES]
    with threadpool_limits(1):
        for seed, name in tqdm(jobs, desc="together"):
            of = result["scores"].setdefault(name, {})
            if len(of.get("ensemble", ())) > seed:
                continue
            X, y, inputs[name] = development.table(name)
            judged, seconds = split(X, y, seed)
            for ranker, values in judged.items():
                of.setdefault(ranker, []).append(values)
            for ranker, values in seconds.items():
                result["seconds"].setdefault(name, {}).setdefault(ranker, []).append(values)
            result["splits"] = seed + (name == development.TABLES[-1])
            keep(result, inputs, finished=False)
        confirmed = result.setdefault("confirming", {})
        for seed, name in tqdm(checks, desc="together, confirming"):
            of = confirmed.setdefault(name, {})
            if len(of.get("ensemble", ())) > seed:
                continue
            X, y, inputs[name] = development.table(name)
            judged, _ = split(X, y, seed, which=CONFIRMING)
            for ranker, values in judged.items():
                of.setdefault(ranker, []).append(values)
            keep(result, inputs, finished=(seed, name) == checks[-1])


def keep(result, inputs, finished):
    """Store what there is so far."""
    store(
        "together",
        result,
        seeds=[range(SPLITS), range(CONFIRMING[1])],
        inputs=inputs,
        packages=PACKAGES,
        finished=finished,
    )
