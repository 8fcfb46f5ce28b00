"""Is a bounded risk above its maximum in at most the stated share of samples, on laws chosen to break it?

The protocol, written down before the first run:

- Laws of scores, labels and losses, of rows or of groups of rows, with SAMPLES samples of each size. The true risk of a threshold is that
  of WORLD further units. A guarantee is broken if the true risk of the returned threshold is above the maximum; a sample may be refused.
- "just above": the risk is barely above the maximum at every threshold, so that any threshold given breaks it. "rare large losses": one
  case in 300 has the largest loss, others almost none. "falls and rises": false alarms and misses, a mean loss that is not monotone and
  barely below the maximum at its best. "tied": the same with five different scores. "costs": losses of any value, by row.
- Groups: ten nearly identical rows each; "size tied to loss": the log-size has standard deviation 1.3 and a correlation of .8 with the
  group's effect on the score (intra-cluster correlation .8), as in experiments/group_thresholds.py, at most LARGEST rows; each group
  counting once, and each row.
- Beside it, on groups whose rows count: what the bound gives that ignores the groups.
- At confidence level .95 a share of broken guarantees of .05 is allowed; its standard error here is .01.
"""

import numpy as np
from scipy.special import expit
from tqdm.auto import tqdm

from aucbook.thresholds import BoundedRisk, guaranteed_thresholds

from .store import store

SAMPLES = 400
WORLD = 100_000
SIZES = (60, 400)
LARGEST = 60
MAX_RISK = 0.2


class Rows:
    """A sample: labels, scores, losses without and with an alarm (n,), and groups or None."""

    def __init__(self, y, scores, below, above, groups=None):
        self.y = y
        self.scores = scores
        self.below = below
        self.above = above
        self.groups = groups

    def loss(self, y, alarm):
        """The loss of each row, as the library calls it."""
        return np.where(alarm, self.above, self.below)


def errors(y, miss, alarm):
    """Losses without and with an alarm, of labels (n,)."""
    return miss * (y == 1), alarm * (y == 0)


def just_above(n, rng):
    scores = rng.normal(size=n)
    wrong = rng.random(n) < MAX_RISK + 0.002
    return Rows(rng.integers(0, 2, n), scores, wrong * 1.0, wrong * 1.0)


def rare_large_losses(n, rng):
    """The mean loss is just above the maximum because of one case in 300, which a small sample lacks."""
    scores = rng.normal(size=n)
    rare = rng.random(n) < 1 / 300
    loss = np.where(rare, 1.0, MAX_RISK - 0.0025)
    return Rows(rng.integers(0, 2, n), scores, loss, loss)


def falls_and_rises(n, rng):
    y = (rng.random(n) < 0.4).astype(int)
    scores = rng.normal(1.9 * y)
    return Rows(y, scores, *errors(y, 1.0, 0.9))


def tied(n, rng):
    rows = falls_and_rises(n, rng)
    rows.scores = np.clip(np.round(rows.scores), -1, 3)
    return rows


def costs(n, rng):
    """Losses of any value in [0, 1], larger for large scores."""
    y = (rng.random(n) < 0.3).astype(int)
    scores = rng.normal(1.5 * y)
    miss, alarm = errors(y, rng.beta(2, 2, n), rng.beta(1, 3, n) * expit(scores))
    return Rows(y, scores, miss, alarm)


def identical_rows(n, rng):
    y = np.repeat((rng.random(n) < 0.4).astype(int), 10)
    scores = np.repeat(rng.normal(size=n), 10) + 1.9 * y + 0.01 * rng.normal(size=10 * n)
    return Rows(y, scores, *errors(y, 1.0, 0.9), np.repeat(np.arange(n), 10))


def informative(n, rng):
    log_size = rng.normal(size=n)
    effect = 0.8 * log_size + 0.6 * rng.normal(size=n)
    sizes = np.clip(np.round(4 * np.exp(1.3 * log_size)), 1, LARGEST).astype(int)
    scores = np.sqrt(0.8) * np.repeat(effect, sizes) + np.sqrt(0.2) * rng.normal(size=sizes.sum())
    y = (rng.random(sizes.sum()) < 0.2).astype(int)
    return Rows(y, scores, np.zeros(y.size), 1.0 * (y == 0), np.repeat(np.arange(n), sizes))


LAWS = {
    "just above": (just_above, "case"),
    "rare large losses": (rare_large_losses, "case"),
    "falls and rises": (falls_and_rises, "case"),
    "tied": (tied, "case"),
    "costs": (costs, "case"),
    "nearly identical rows, per case": (identical_rows, "case"),
    "nearly identical rows, per row": (identical_rows, "row"),
    "size tied to loss, per case": (informative, "case"),
    "size tied to loss, per row": (informative, "row"),
}


def true_risks(world, per):
    """Function of a threshold: the mean loss of rows, or of groups that count once."""
    order = np.argsort(world.scores)
    weight = np.ones(world.y.size)
    if world.groups is not None and per == "case":
        weight = 1 / np.bincount(world.groups)[world.groups]
    weight = weight / weight.sum()
    scores = world.scores[order]
    below = np.r_[0.0, np.cumsum((weight * world.below)[order])]
    above = np.r_[0.0, np.cumsum((weight * world.above)[order])]

    def risk(threshold):
        k = np.searchsorted(scores, threshold, side="left")
        return below[k] + above[-1] - above[k]

    return risk


def answer(sample, per, ignored):
    """The threshold that is guaranteed; None if refused."""
    groups = None if ignored else sample.groups
    settings = {"per": "row", "max_group_size": LARGEST} if per == "row" and not ignored else {}
    try:
        return guaranteed_thresholds(
            sample.y,
            sample.scores,
            risk=BoundedRisk(sample.loss, **settings),
            max_risk=MAX_RISK,
            groups=groups,
        ).threshold
    except ValueError:
        return None


def row_of(name, n, ignored):
    """Counts for one law and size; ignored: whether groups are left out of the call."""
    law, per = LAWS[name]
    risk = true_risks(law(WORLD, np.random.default_rng(99)), per)
    risks = []
    for seed in range(SAMPLES):
        sample = law(n, np.random.default_rng([n, seed]))
        if np.unique(sample.y).size < 2:
            continue
        threshold = answer(sample, per, ignored)
        risks.append(None if threshold is None else float(risk(threshold)))
    accepted = [value for value in risks if value is not None]
    return {
        "law": name,
        "units": n,
        "groups ignored": ignored,
        "samples": len(risks),
        "refused": len(risks) - len(accepted),
        "broken": int(np.sum(np.array(accepted) > MAX_RISK)),
        "mean risk": round(float(np.mean(accepted)), 4) if accepted else None,
    }


def run():
    rows = []
    for name in tqdm(LAWS):
        for n in SIZES:
            rows.append(row_of(name, n, False))
            if name.endswith("per row"):
                rows.append(row_of(name, n, True))
    store(
        "bounded_risk",
        {"confidence_level": 0.95, "max_risk": MAX_RISK, "rows": rows},
        seeds=[f"0 to {SAMPLES - 1}", 99],
    )
