"""Does a limit hold in every subgroup at once, and do the intervals of what separate thresholds change?

Laws chosen to break it, a maximum false positive rate of .1 (and a minimum true positive rate of .8) at level .95, and 1000 samples of
each (300 with groups). A method fails in a sample if the true rate of any subgroup is beyond the limit; true rates are known, or counted on 200 000 further
cases of each subgroup. "TPR" is the true positive rate at the thresholds, the mean over subgroups by their positives.

Methods: "separate" and "strictest" are those of `subgroup_thresholds`; "each at 95 %" has a guarantee for each subgroup by itself,
"quantile" takes the empirical quantile of each, and "common" is one threshold with its guarantee for all cases. Some two minutes.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr
from tqdm.auto import tqdm

from aucbook.thresholds import FprGuarantee, subgroup_thresholds

from .store import store

MAX_FPR = 0.1
MIN_TPR = 0.8
LEVEL = 0.95
SAMPLES = 1000
SAMPLES_WITH_GROUPS = 300
WORLD = 200_000
METHODS = ("separate", "strictest", "each at 95 %", "quantile", "common")
SEPARATION = 1.8


class Law(NamedTuple):
    """Subgroups with their negatives and positives."""

    sizes: tuple  # negatives of each subgroup; a third as many positives
    shifts: tuple
    scores: object = None  # (size, generator) -> scores of negatives without shift; None: normal
    decimals: int | None = None
    rows_of_group: int = 1
    min_tpr: bool = False
    pooled: tuple = ()  # subgroups that share a threshold

    def draw_scores(self, k, label, n, rng):
        """(n,) scores of a class of a subgroup."""
        draw = self.scores or (lambda size, rng: rng.normal(size=size))
        scores = draw(n, rng) + SEPARATION * label + self.shifts[k]
        return scores if self.decimals is None else np.round(scores, self.decimals)

    def sample(self, rng):
        """(labels, scores, subgroups, groups or None)."""
        if self.rows_of_group > 1:
            return self._sample_of_groups(rng)
        parts = []
        for k, n in enumerate(self.sizes):
            few = n if self.min_tpr else max(2, n // 3)
            for label, size in ((0, n), (1, few)):
                s = self.draw_scores(k, label, size, rng)
                parts.append((np.full(size, label), s, np.full(size, k)))
        return *map(np.concatenate, zip(*parts)), None

    def _sample_of_groups(self, rng):
        """Patients with rows in several subgroups, ICC .8."""
        n = sum(self.sizes)
        n_groups = n // self.rows_of_group
        group = np.repeat(np.arange(n_groups), self.rows_of_group)
        share = np.array(self.sizes) / n
        by = rng.choice(share.size, group.size, p=share)
        y = (rng.random(n_groups) < 0.25).astype(int)[group]
        noise = 0.8**0.5 * rng.normal(size=n_groups)[group] + 0.2**0.5 * rng.normal(size=group.size)
        return y, noise + SEPARATION * y + np.array(self.shifts)[by], by, group


def student(size, rng):
    """Scores with infinite variance."""
    return rng.standard_t(2, size)


def fewest(n_subgroups):
    """Negatives at which the guarantee can just be given, with none of them flagged."""
    return int(np.ceil(FprGuarantee(MAX_FPR, 1 - (1 - LEVEL) / n_subgroups).min_negatives()))


LAWS = {
    "shifted": Law((900, 300, 150, 80), (0.0, 0.8, -0.5, 0.3)),
    "not shifted": Law((900, 300, 150, 80), (0.0,) * 4),
    "as few as possible": Law((fewest(5),) * 5, (0.0, 0.5, -0.5, 0.2, 1.0)),
    "twenty subgroups": Law((1000,) + (60,) * 19, tuple(np.linspace(-0.5, 0.5, 20))),
    "few values": Law((600, 300, 150), (0.0, 0.5, -0.5), decimals=0),
    "heavy tails": Law((600, 300, 150), (0.0, 0.5, -0.5), scores=student),
    "patients in several subgroups": Law((800, 600, 600), (0.0, 0.5, -0.5), rows_of_group=5),
    "minimum TPR, shifted": Law((400, 200, 80), (0.0, 0.5, -0.5), min_tpr=True),
    "two pooled, together": Law((600, 25, 25), (0.0, 0.8, -0.8), pooled=(1, 2)),
    "two pooled, each alone": Law((600, 25, 25), (0.0, 0.8, -0.8), pooled=(1, 2)),
}


def worlds(law):
    """[sorted scores of very many (negatives, positives)] by subgroup."""
    rng = np.random.default_rng(99)
    return [
        [np.sort(law.draw_scores(k, label, WORLD, rng)) for label in (0, 1)]
        for k in range(len(law.sizes))
    ]


def rates_at(law, world, k, threshold):
    """(FPR, TPR) of a subgroup at a threshold."""
    if law.scores is None and law.decimals is None:
        return tuple(
            float(ndtr(law.shifts[k] + SEPARATION * label - threshold)) for label in (0, 1)
        )
    return tuple(1 - np.searchsorted(s, threshold) / s.size for s in world[k])


def thresholds_of(law, sample):
    """{method: thresholds by subgroup} of a sample."""
    y, s, by, groups = sample
    limit = {"min_tpr": MIN_TPR} if law.min_tpr else {"max_fpr": MAX_FPR}
    settings = {"too_small": "pool", "groups": groups} | limit
    result = subgroup_thresholds(y, s, by, **settings)
    n = len(law.sizes)
    by_method = {
        "separate": [result.thresholds[str(k)] for k in range(n)],
        "strictest": [result.strictest] * n,
        "common": [result.common] * n,
        "each at 95 %": [],
        "quantile": [],
    }
    for k in range(n):
        here = np.isin(by, law.pooled) if k in law.pooled else by == k
        one = np.zeros(int(here.sum()))
        ones = {"groups": None if groups is None else groups[here]} | limit
        by_method["each at 95 %"].append(subgroup_thresholds(y[here], s[here], one, **ones).common)
        scores = s[here & (y == int(law.min_tpr))]
        share = 1 - MIN_TPR if law.min_tpr else 1 - MAX_FPR
        side = "lower" if law.min_tpr else "higher"
        value = np.quantile(scores, share, method=side)
        by_method["quantile"].append(value if law.min_tpr else np.nextafter(value, np.inf))
    return by_method


def limits():
    """One row of results for each law and method."""
    out = []
    for name, law in tqdm(LAWS.items()):
        world = worlds(law)
        positives = np.array(law.sizes, float)
        alone = name.endswith("alone")
        beyond = dict.fromkeys(METHODS, 0)
        tpr = dict.fromkeys(METHODS, 0.0)
        rng = np.random.default_rng(1)
        samples = SAMPLES if law.rows_of_group == 1 else SAMPLES_WITH_GROUPS
        for _ in tqdm(range(samples), leave=False, mininterval=5):
            for method, thresholds in thresholds_of(law, law.sample(rng)).items():
                rates = np.array([rates_at(law, world, k, t) for k, t in enumerate(thresholds)])
                fpr, true_positives = rates.T
                tpr[method] += np.average(true_positives, weights=positives) / samples
                if law.min_tpr:
                    beyond[method] += bool((true_positives < MIN_TPR).any())
                    continue
                if law.pooled and not alone:
                    weight = np.array(law.sizes)[list(law.pooled)]
                    pooled = np.average(fpr[list(law.pooled)], weights=weight)
                    fpr = np.r_[np.delete(fpr, law.pooled), pooled]
                beyond[method] += bool((fpr > MAX_FPR).any())
        for method in METHODS:
            row = {"law": name, "method": method, "samples": samples}
            out.append(row | {"beyond": beyond[method], "TPR": round(float(tpr[method]), 4)})
    return out


def changes():
    """{law: {measure: share of samples in which the intervals of all subgroups contain the true change}}."""
    out = {}
    for name, n_rows in (("shifted", 1), ("twenty subgroups", 1), ("as few as possible", 4)):
        law = LAWS[name]
        sizes = np.array([n_rows * n for n in law.sizes])
        large = law._replace(sizes=tuple(sizes.tolist()))
        rng = np.random.default_rng(2)
        result = subgroup_thresholds(*law.sample(rng)[:3], max_fpr=MAX_FPR)
        at = [result.thresholds[str(k)] for k in range(sizes.size)]
        separate = np.array([rates_at(law, None, k, t) for k, t in enumerate(at)])
        one = np.array([rates_at(law, None, k, result.common) for k in range(sizes.size)])
        fpr_change, tpr_change = (separate - one).T
        # the same number of positives in each sample
        n_positives = np.maximum(2, sizes // 3)
        share = n_positives / (n_positives + sizes)
        truth = {
            "TPR": tpr_change,
            "FPR": fpr_change,
            "alarms per 1000": 1000 * (share * tpr_change + (1 - share) * fpr_change),
            "cost per case": -10 * share * tpr_change + (1 - share) * fpr_change,
        }
        covered = dict.fromkeys(truth, 0)
        for _ in tqdm(range(SAMPLES), leave=False, mininterval=5):
            y, s, by, _ = large.sample(rng)
            effects = result.evaluate(y, s, by, miss_cost=10, alarm_cost=1)
            good = dict.fromkeys(truth, True)
            for row in effects.rows:
                if row["change"] is None or row["subgroup"] == "all cases":
                    continue
                true = truth[row["measure"]][int(row["subgroup"])]
                good[row["measure"]] &= bool(row["change"].low <= true <= row["change"].high)
            for measure, is_good in good.items():
                covered[measure] += is_good
        out[name] = {measure: count / (SAMPLES) for measure, count in covered.items()}
    return out


def run():
    store(
        "subgroup_thresholds",
        {
            "methods": list(METHODS),
            "samples": SAMPLES,
            "limits": limits(),
            "changes": changes(),
            "max_fpr": MAX_FPR,
            "min_tpr": MIN_TPR,
            "confidence_level": LEVEL,
        },
        seeds=[1, 2, 99],
    )
