"""Several rates monitored at once: how often is there a false warning or a wrong name, how soon a right one, and do the sets contain the changes?

The protocol, written down before the run: RUNS runs of each law, a hundred cases a month (three hundred where positives are rare), looks
after every month.

- False warnings in five years, every rate exactly at its bound, or as far off as the tolerance allows: three tests; three of the same cases
  whose events coincide; six at once; rates at half their bounds for two years, between two times at them; two positives in a hundred; labels
  up to half a year late in files of their own, beside the share of alarms. Then one rate breaks in the second year, and the others stay at
  their bounds: "wrong" counts runs in which one of the others is named, or any before the change.
- After two years well within the bounds something breaks, and three more years follow. "joint" and "separate" are the median months from the
  change to the first warning of `JointMonitor` and of separate monitors at (1 - LEVEL) / k; "named" to the first name; "earlier" the share
  of runs in which the joint warning is in an earlier month; "unnamed" the share in which the first warning has no name;
  "missed" the share, of runs without a false warning, in which a set misses its change.

Some three minutes of one core.
"""

from typing import NamedTuple

import numpy as np
from tqdm.auto import tqdm

from aucbook.deployment import CalibrationMonitor, JointMonitor, Monitor

from .store import store

RUNS = 200
LEVEL = 0.95
TOLERANCE = 0.05


class Month(NamedTuple):
    """What is true of the cases of a month."""

    fpr: float = 0.1
    tpr: float = 0.8
    off: float = TOLERANCE  # how much more frequent positives are than predicted


def rates(month, prevalence):
    """{rate: its true value}."""
    alarms = prevalence * month.tpr + (1 - prevalence) * month.fpr
    return {
        "fpr": month.fpr,
        "tpr": month.tpr,
        "precision": prevalence * month.tpr / alarms,
        "npv": (1 - prevalence) * (1 - month.fpr) / (1 - alarms),
        "alarm_rate": alarms,
    }


class Law(NamedTuple):
    """What is watched, and the months."""

    watched: tuple
    months: tuple
    prevalence: float = 0.3
    n: int = 100
    delay: int = 0  # labels come up to so many months late
    changed: tuple = ()  # what breaks, in month 24

    def monitors(self):
        """Monitors with the rates of a month at the bounds as bounds."""
        bounds = rates(Month(), self.prevalence)
        return [
            CalibrationMonitor(tolerance=TOLERANCE)
            if name == "calibration"
            else Monitor(name, bound=bounds[name])
            for name in self.watched
        ]

    def log(self, rng):
        """Arguments of `JointMonitor.update`."""
        month = np.repeat(np.arange(len(self.months)), self.n)
        fpr, tpr, off = (np.repeat(values, self.n) for values in np.array(self.months).T)
        spread = 0.8 * min(self.prevalence, 0.5)
        chance = self.prevalence + rng.uniform(-spread, spread, month.size)
        y = (rng.random(month.size) < chance).astype(float)
        alarms = (rng.random(month.size) < np.where(y == 1, tpr, fpr)).astype(float)
        p = np.clip(chance - off, 0, 1)
        if "calibration" not in self.watched:
            p = None
        if self.delay == 0:
            return {"labels": y, "alarms": alarms, "probabilities": p, "batches": month}
        comes = month + rng.integers(1, self.delay + 1, month.size)
        unknown = np.full(month.size, np.nan)
        keys = np.arange(month.size)
        batches = np.r_[month, comes]
        order = np.argsort(batches, kind="stable")
        out = {
            "labels": np.r_[unknown, y],
            "alarms": np.r_[alarms, unknown],
            "probabilities": None if p is None else np.r_[p, unknown],
            "keys": np.r_[keys, keys],
            "batches": batches,
        }
        return {name: None if v is None else v[order] for name, v in out.items()}


AT = Month()
GOOD = Month(fpr=0.075, tpr=0.85, off=0.0)
THREE = "fpr", "tpr", "calibration"
SAME = "fpr", "precision", "alarm_rate"
SIX = "fpr", "tpr", "precision", "npv", "alarm_rate", "calibration"
RARE = {"prevalence": 0.02, "n": 300}


def then(after, before=AT, n_before=24, n_after=36):
    """Months before and after a change."""
    return (before,) * n_before + (after,) * n_after


FALSE = {
    "three tests": Law(THREE, (AT,) * 60),
    "three of the same cases": Law(SAME, (AT,) * 60),
    "six tests": Law(SIX, (AT,) * 60),
    "down and back": Law(THREE, (AT,) * 18 + (Month(0.05, 0.9, 0.0),) * 24 + (AT,) * 18),
    "rare positives": Law(("fpr", "tpr", "precision"), (AT,) * 60, **RARE),
    "late labels": Law(("fpr", "tpr", "alarm_rate"), (AT,) * 60, delay=6),
    "FPR breaks": Law(THREE, then(Month(fpr=0.2)), changed=("fpr",)),
    "FPR breaks, late labels": Law(THREE, then(Month(fpr=0.2)), changed=("fpr",), delay=6),
    "probabilities break": Law(THREE, then(Month(off=0.15)), changed=("calibration",)),
}
BROKEN = {
    "FPR .075 to .2": Law(THREE, then(Month(0.2, 0.85, 0.0), GOOD), changed=("fpr",)),
    "FPR .075 to .14": Law(THREE, then(Month(0.14, 0.85, 0.0), GOOD), changed=("fpr",)),
    "two of six: TPR, and so the NPV": Law(
        SIX, then(Month(0.05, 0.7, 0.0), Month(0.05, 0.85, 0.0)), changed=("tpr", "npv")
    ),
    "all three, a little": Law(THREE, then(Month(0.14, 0.7, 0.1), GOOD), changed=THREE),
    "three of the same cases": Law(SAME, then(Month(0.2, 0.85, 0.0), GOOD), changed=SAME),
    "all three, late labels": Law(THREE, then(Month(0.14, 0.7, 0.1), GOOD), changed=THREE, delay=6),
    "rare positives": Law(
        ("fpr", "tpr", "precision"),
        then(Month(0.15, 0.6, 0.0), GOOD),
        changed=("fpr", "tpr", "precision"),
        **RARE,
    ),
}


def run_of(law, seed):
    """A `JointMonitor` of one run."""
    joint = JointMonitor(law.monitors(), confidence_level=LEVEL)
    return joint.update(**law.log(np.random.default_rng(seed)))


def false_warnings():
    """{law: shares}."""
    out = {}
    for number, (name, law) in enumerate(tqdm(FALSE.items())):
        n_wrong = n_separate = n_right = 0
        for seed in tqdm(range(RUNS), leave=False, mininterval=5):
            joint = run_of(law, [1, number, seed])
            others = {rate: m for rate, m in joint.monitors.items() if rate not in law.changed}
            # without a change every warning is wrong
            is_wrong = joint.raised
            if law.changed:
                early = any(change.at < 24 for change in joint.named.values())
                is_wrong = early or bool(set(joint.named) & set(others))
            n_wrong += is_wrong
            n_separate += any(monitor.raised for monitor in others.values())
            n_right += bool(set(joint.named) & set(law.changed))
        row = {"wrong": n_wrong / RUNS, "wrong, separate": n_separate / RUNS}
        out[name] = row | {"right": n_right / RUNS if law.changed else None}
    return out


def delays():
    """{law: medians and shares}."""
    out = {}
    for number, (name, law) in enumerate(tqdm(BROKEN.items())):
        rows = []
        for seed in tqdm(range(RUNS), leave=False, mininterval=5):
            joint = run_of(law, [2, number, seed])
            at = [monitor.at for monitor in joint.monitors.values() if monitor.raised]
            names = [change.at for change in joint.named.values()]
            first = {
                "joint": joint.at if joint.raised else np.inf,
                "separate": min(at, default=np.inf),
                "named": min(names, default=np.inf),
            }
            is_false = first["joint"] < 24
            missed = [
                rate not in law.changed or not change.since_low <= 24 <= change.since_high
                for rate, change in joint.named.items()
            ]
            rows.append((*first.values(), is_false, any(missed)))
        joint, separate, named, is_false, missed = np.array(rows, float).T
        right = is_false == 0
        out[name] = {
            "joint": float(np.median(joint[right])) - 23,
            "separate": float(np.median(separate[right])) - 23,
            "named": float(np.median(named[right])) - 23,
            "earlier": float(np.mean(joint[right] < separate[right])),
            "unnamed": float(np.mean(joint[right] < named[right])),
            "false": float(is_false.mean()),
            "missed": float(missed[right].mean()),
        }
    return out


def run():
    store(
        "joint_monitoring",
        {"runs": RUNS, "confidence_level": LEVEL, "false": false_warnings(), "broken": delays()},
        seeds=[1, 2],
    )
