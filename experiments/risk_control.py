"""Do several guarantees hold together on new cases, whatever the scores, and what does it cost?

The protocol, written down before the run:

- Four laws of the scores of which everything is known: normal scores; ten levels; normal scores with a hundredth of the negatives
  above nearly all positives, so that precision first rises and then falls; and one chosen to break a guarantee of precision, which is
  barely violated at every threshold at once (a ROC curve that is a straight line just under the one that is asked for).
- Three sets of guarantees, from rows sampled in two ways: so many of each class, with a prevalence that is stated; or a sample of the
  cases to come. DRAWS samples each.
- Counted: samples that are refused; samples whose thresholds violate a guarantee (by name) on new cases, by the law and not by test rows.
  Summed: the true positive rate on new cases, and the share that is left to a person, of samples that are not refused.
- Beside it, where only precision is guaranteed: the lowest threshold that is precise enough on the rows (`precision_threshold`). And where
  rows are a sample of the cases to come: MAPIE's risk control with its defaults; its list of thresholds are the hundred quantiles of
  the scores' law, which is unknown in practice.

Three minutes of one core.
"""

import warnings
from importlib import import_module

import numpy as np
from scipy.special import expit, ndtr
from tqdm.auto import tqdm

from aucbook.thresholds import guaranteed_thresholds, precision_threshold

from .store import store

PACKAGES = ("mapie",)
DRAWS = 1000
SEED = 0
LEVEL = 0.95
PREVALENCE = 0.1
BY_CLASS, SAMPLE = (1000, 200), 1500
LEVELS = np.arange(10)
PMF = 0.55**LEVELS / np.sum(0.55**LEVELS)  # of negatives; that of positives is its reverse
RATIO = (1 - PREVALENCE) / PREVALENCE  # of TPR to FPR, at a precision of one half
SETS = {
    "precision": {"min_precision": 0.5},
    "precision and false alarms": {"min_precision": 0.5, "max_fpr": 0.05},
    "all five": {
        "min_precision": 0.5,
        "max_fpr": 0.05,
        "max_alarms": 0.12,
        "min_tpr": 0.9,
        "min_npv": 0.98,
    },
}


def tail(pmf, v):
    """P(level >= v)."""
    return float(pmf[np.ceil(v) <= LEVELS].sum())


LAWS = {  # name: (draw n of a class, (FPR, TPR) at or above v)
    "normal": (lambda rng, y, n: rng.normal(2 * y, 1, n), lambda v: (ndtr(-v), ndtr(2 - v))),
    "ten levels": (
        lambda rng, y, n: rng.choice(LEVELS, n, p=PMF[::-1] if y else PMF).astype(float),
        lambda v: (tail(PMF, v), tail(PMF[::-1], v)),
    ),
    "negatives on top": (
        lambda rng, y, n: np.where(
            rng.random(n) < 0.01 * (1 - y), rng.normal(5, 0.3, n), rng.normal(2 * y, 1, n)
        ),
        lambda v: (0.01 * ndtr((5 - v) / 0.3) + 0.99 * ndtr(-v), ndtr(2 - v)),
    ),
    "barely broken": (
        lambda rng, y, n: 1 - rng.random(n) / (0.999 * RATIO if y else 1),
        lambda v: (float(np.clip(1 - v, 0, 1)), float(np.clip(0.999 * RATIO * (1 - v), 0, 1))),
    ),
}


def sample(draw, rng, stated):
    """(y, scores)."""
    y = np.repeat([0, 1], BY_CLASS) if stated else (rng.random(SAMPLE) < PREVALENCE).astype(int)
    s = np.empty(y.size)
    for label in (0, 1):
        s[y == label] = draw(rng, label, np.sum(y == label))
    return y, s


def truth(at, upper, lower):
    """The guaranteed numbers on new cases, as if each were to be at most (the others' shortfall from 1), TPR and the share in between."""
    (fpr, tpr), (fpr_below, tpr_below) = at(upper), at(lower)
    alarms, missed = PREVALENCE * tpr + (1 - PREVALENCE) * fpr, 1 - tpr_below
    cleared = PREVALENCE * missed + (1 - PREVALENCE) * (1 - fpr_below)
    return {
        "max_fpr": fpr,
        "max_alarms": alarms,
        "min_precision": (1 - PREVALENCE) * fpr / alarms if alarms else 0.0,
        "min_tpr": missed,
        "min_npv": PREVALENCE * missed / cleared if cleared else 0.0,
    }, (tpr, max(0.0, 1 - alarms - cleared))


def violated(risks, wishes):
    """Names of the guarantees that do not hold."""
    limit = {k: v if k.startswith("max") else 1 - v for k, v in wishes.items()}
    return [name for name in wishes if risks[name] > limit[name] + 1e-9]


def best(at, wishes):
    """The TPR where the law is known: at the lowest threshold that satisfies the guarantees of positive predictions."""
    alarms = {k: v for k, v in wishes.items() if k not in ("min_tpr", "min_npv")}
    for v in np.linspace(-6, 9, 15_001):
        risks, (tpr, _) = truth(at, v, v)
        if tpr > 0 and not violated(risks, alarms):
            return float(tpr)
    return None


def ours(y, s, wishes, stated):
    thresholds = guaranteed_thresholds(
        y, s, **wishes, prevalence=PREVALENCE if stated else None, confidence_level=LEVEL
    )
    return thresholds.threshold, thresholds.negative_below


def plain(y, s, wishes, stated):
    theta = precision_threshold(
        y, s, wishes["min_precision"], prevalence=PREVALENCE if stated else None
    )
    return theta, theta


def mapies(grid):
    control = import_module("mapie.risk_control").BinaryClassificationController
    words = {"min_precision": "precision", "max_fpr": "fpr"}

    def thresholds(y, s, wishes, stated):
        controller = control(
            lambda x: np.c_[1 - expit(x), expit(x)],
            [words[name] for name in wishes],
            list(wishes.values()),
            confidence_level=LEVEL,
            list_predict_params=expit(grid),
        ).calibrate(s, y)
        if len(controller.valid_predict_params) == 0:
            raise ValueError("none")
        theta = float(np.min(controller.valid_predict_params))
        theta = float(grid[np.argmin(np.abs(expit(grid) - theta))])
        return theta, theta

    return thresholds


def counted(method, law, wishes, stated):
    """What became of DRAWS samples."""
    draw, at = LAWS[law]
    rng = np.random.default_rng(SEED)
    out = {
        "refused": 0,
        "failed": 0,
        "broken": dict.fromkeys(wishes, 0),
        "tpr": 0.0,
        "undecided": 0.0,
    }
    for _ in range(DRAWS):
        y, s = sample(draw, rng, stated)
        try:
            ends = method(y, s, wishes, stated)
        except ValueError:
            out["refused"] += 1
            continue
        risks, (tpr, undecided) = truth(at, *ends)
        names = violated(risks, wishes)
        out["failed"] += bool(names)
        for name in names:
            out["broken"][name] += 1
        out["tpr"] += float(tpr)
        out["undecided"] += float(undecided)
    return out | {key: round(out[key], 6) for key in ("tpr", "undecided")}


def run():
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # MAPIE warns where no threshold will do
        for law in tqdm(LAWS):
            draw, at = LAWS[law]
            rng = np.random.default_rng(SEED + 1)
            grid = np.unique(np.quantile(sample(draw, rng, False)[1], np.arange(100) / 100))
            for guarantee, wishes in SETS.items():
                top = best(at, wishes)
                for stated in (True, False):
                    methods = {"promised": ours}
                    if guarantee == "precision":
                        methods["on these rows"] = plain
                    if not stated and len(wishes) < 3:
                        methods["MAPIE"] = mapies(grid)
                    for method, does in methods.items():
                        row = {
                            "law": law,
                            "promises": guarantee,
                            "stated": stated,
                            "method": method,
                            "best": top,
                        }
                        rows.append(row | counted(does, law, wishes, stated))
    store(
        "risk_control",
        {"draws": DRAWS, "confidence_level": LEVEL, "sets": SETS, "rows": rows},
        seeds=[SEED, SEED + 1],
        packages=PACKAGES,
    )
