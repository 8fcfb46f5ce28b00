"""Coverage of the 95 % intervals and bands, and false alarms of the paired test, where rows belong together in 30 to 300 groups.

A group has one row and a Poisson number (mean 3, or 9) more. In two designs each row is positive with probability 0.4, so that most groups
hold both classes (lesions of a patient); in the other each group is (visits of a patient who is ill or not). Scores are normal, one standard
deviation apart; half of their variance is shared by the rows of a group. The third design goes without
resampling. Some five minutes of one core.
"""

from collections import Counter

import numpy as np
from tqdm.auto import trange

from aucbook import auc_interval, auc_test, tpr_interval
from aucbook.inference import roc_band
from aucbook.theory import binormal_auc, binormal_roc

from .store import store

GROUPS = (30, 50, 100, 300)
SHARE = 0.4
SHARED = 0.5
MU = 1.0
SEED = 0
# design: rows of a group after the first, on average
DESIGNS = {"rows of both classes": 3, "rows of one class": 3, "ten rows of both classes": 9}
STUDIES, RESAMPLED, RESAMPLES = (
    4000,
    200,
    300,
)  # sums are cheap; with resampling, fewer studies and two designs only
WITHOUT = "ten rows of both classes"
RANGES = [(0.0, 1.0), (0.0, 0.1), (0.1, 0.3)]


def study(design, count, rng):
    """(labels, two scores of the same area, group of each row)."""
    group = np.repeat(np.arange(count), 1 + rng.poisson(DESIGNS[design], count))
    ill = rng.random(count)[group] if design == "rows of one class" else rng.random(group.size)
    y = (ill < SHARE).astype(int)
    both = (
        rng.normal(size=(2, count))[:, group] * SHARED**0.5
        + rng.normal(size=(2, group.size)) * (1 - SHARED) ** 0.5
    )
    return y, *(both + MU * y), group


def one(design, count, seed):
    """What of one study holds: {(what, how): bool}."""
    y, s, other, group = study(design, count, np.random.default_rng([SEED, count, seed]))
    held, together = {}, {"groups": group}
    resampling = seed < RESAMPLED and design != WITHOUT
    resampled = {**together, "n_resamples": RESAMPLES, "random_state": seed}
    for r in RANGES:
        truth = binormal_auc(MU, min_fpr=r[0], max_fpr=r[1])
        what = f"area, FPR {r[0]:g} to {r[1]:g}"
        ways = {"groups ignored": {}, "groups": together}
        if r == (0.0, 1.0):
            ways["groups, symmetric"] = {**together, "scale": "linear"}
        if resampling:
            ways["groups, bootstrap"] = {**resampled, "method": "bootstrap"}
        for how, options in ways.items():
            _, low, high, _ = auc_interval(y, s, min_fpr=r[0], max_fpr=r[1], **options)
            held[what, how] = low <= truth <= high
    for how, options in (("groups ignored", {}), ("groups", together)):
        held["paired test does not reject", how] = auc_test(y, s, other, **options).pvalue >= 0.05
    if resampling:
        point = tpr_interval(y, s, 0.1, **resampled)
        held["TPR at FPR 0.1", "groups, bootstrap"] = (
            point.low <= binormal_roc(0.1, MU) <= point.high
        )
        band = roc_band(y, s, method="bootstrap", **resampled)
        curve = binormal_roc(band.fpr, MU)
        held["whole curve", "groups, bootstrap"] = (
            (band.low <= curve) & (curve <= band.high)
        ).all()
    return held


def run():
    rows = []
    for design in DESIGNS:
        for count in GROUPS:
            hits, studies = Counter(), Counter()
            for seed in trange(STUDIES, desc=f"{design}, {count}", mininterval=2):
                held = one(design, count, seed)
                hits.update(key for key, good in held.items() if good)
                studies.update(held.keys())
            rows += [
                {
                    "design": design,
                    "groups": count,
                    "what": what,
                    "how": how,
                    "hits": hits[what, how],
                    "studies": n,
                }
                for (what, how), n in studies.items()
            ]
    about = "in how many simulated studies of a number of groups the 95 % interval or band holds the truth"
    settings = {
        "mu": MU,
        "rows": {design: f"1 + Poisson({more})" for design, more in DESIGNS.items()},
        "share of positives": SHARE,
        "shared variance": SHARED,
    }
    store("cluster_coverage", {"about": about, **settings, "rows counted": rows}, seeds=[SEED])
