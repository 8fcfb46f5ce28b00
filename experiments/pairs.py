"""What a few tables for pairs of columns add to AdditiveRanker, and what they cost.

The protocol:

- The sixteen tables of experiments/development.py. The groups of a column, the prior, the rate and the number of pairs are chosen on its
  TUNING splits, by the mean normalized partial AUC over [0, .1], all tables alike; here each is changed alone. Of choices within one
  standard error, the one that reads more easily is taken.
- What was chosen, `interactions=CHOSEN`, is judged once on the FRESH splits beside `interactions=0`, on the same rows. Pairs become the
  default only if they gain more than two standard errors over tables there.
- The ExplainableBoostingClassifier of interpret, without interactions and with as many, as it comes but for that, on the first EBM_SPLITS
  of the FRESH splits, and only on tables of at most EBM_COLUMNS columns: it takes long. One thread each.

One thing changed after a first run, on development's FINAL splits. There pairs were chosen once for all bags, behind a bar that kept
chance out, and with chance nearly all else: five pairs gained .0031 with a standard error of .0030, all but a little of it on one table.
Now each bag chooses for itself and the rows it left out judge; that was settled on the TUNING splits. FINAL splits had been looked at, so
FRESH ones judge.

Processor seconds are those of the fits. About ten minutes of one core.
"""

import time
import warnings
from contextlib import ExitStack
from unittest import mock

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from aucbook import AdditiveRanker
from aucbook.isotonic import pairs

from . import development
from .store import store

PACKAGES = ("interpret-core",)
CHOSEN, FRESH = 5, (2, 10)  # pairs; seed and number of splits
EBM_SPLITS, EBM_COLUMNS = 2, 64
# name -> (number of pairs, (module, constant, value) or None)
VARIANTS = {
    "as chosen": (CHOSEN, None),
    "3 pairs": (3, None),
    "10 pairs": (10, None),
    "4 groups": (CHOSEN, (pairs, "GROUPS", 4)),
    "16 groups": (CHOSEN, (pairs, "GROUPS", 16)),
    "prior 4": (CHOSEN, (pairs, "PRIOR", 4.0)),
    "prior 64": (CHOSEN, (pairs, "PRIOR", 64.0)),
    "rate 0.1": (CHOSEN, (pairs, "RATE", 0.1)),
    "rate 0.5": (CHOSEN, (pairs, "RATE", 0.5)),
}


def judged(fit, X, y, train, test):
    """({'scores': [pauc, top, auc], 'seconds': of the fit}, the model)."""
    start = time.process_time()
    model = fit(X[train], y[train])
    seconds = time.process_time() - start
    scores = model.decision_function(X[test])
    return {
        "scores": [round(float(v), 4) for v in development.judged(y[test], scores)],
        "seconds": round(seconds, 3),
    }, model


def ours(X, y, which, variants):
    """Dict name -> a dict for each split: what was found, how many pairs, seconds."""
    out = {name: [] for name in variants}
    for train, test in development.splits(y, which):
        for name, (most, change) in variants.items():
            with ExitStack() as stack:
                if change:
                    module, constant, value = change
                    stack.enter_context(mock.patch.object(module, constant, value))
                found, model = judged(AdditiveRanker(interactions=most).fit, X, y, train, test)
            out[name].append({**found, "pairs": len(model.pairs_)})
    return out


def theirs(X, y):
    """As `ours`, of EBM."""
    from interpret.glassbox import ExplainableBoostingClassifier

    out = {f"EBM, interactions={most}": [] for most in (0, CHOSEN)}
    for train, test in list(development.splits(y, FRESH))[:EBM_SPLITS]:
        for most, found in zip((0, CHOSEN), out.values()):
            ebm = ExplainableBoostingClassifier(interactions=most, n_jobs=1, random_state=0)
            found.append(judged(ebm.fit, X, y, train, test)[0])
    return out


def run():
    warnings.filterwarnings("ignore")  # of flat curves and constant columns: their results say it
    result = {"chosen": CHOSEN, "EBM splits": EBM_SPLITS, "tuning": {}, "fresh": {}, "EBM": {}}
    inputs = {}
    rng = np.random.default_rng(0)
    for most in (0, 1):  # compile
        X = rng.normal(size=(200, 2))
        AdditiveRanker(interactions=most).fit(X, X[:, 0] * X[:, 1] > 0)
    judged_once = {f"interactions={most}": (most, None) for most in (0, CHOSEN)}
    with threadpool_limits(1):
        for name in tqdm(development.TABLES, desc="pairs"):
            X, y, inputs[name] = development.table(name)
            result["tuning"][name] = ours(
                X, y, development.TUNING, {"no pairs": (0, None), **VARIANTS}
            )
            result["fresh"][name] = ours(X, y, FRESH, judged_once)
            if X.shape[1] <= EBM_COLUMNS:
                result["EBM"][name] = theirs(X, y)
            store(
                "pairs",
                result,
                seeds=[0, 1, 2],
                inputs=inputs,
                packages=PACKAGES,
                finished=name == development.TABLES[-1],
            )
