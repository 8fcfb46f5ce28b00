"""Coverage of the 95 % bands of curves on laws that were chosen to break them.

Protocol, written before the run. Each law is simulated STUDIES times (SLOW_STUDIES where whole groups or folds are resampled), with
seed [SEED, study]; a band holds if it contains the true curve at all places of a dense grid. Coverage and mean width are stored, whatever
they are; no law is left out afterwards. Bands that are guaranteed ("dkw", "binomial", of reliability) must hold in 95 % of the studies
but for two simulation errors, else there is a mistake. What is only asymptotically valid is reported, and the page names where it fails.

- roc: few rows of a class, separated classes, ties; scores are normal, the positives' higher by a number of standard deviations.
- precision: random samples of a low prevalence, drawn again where a class has fewer than two rows, and a study of cases and controls.
- reliability: calibrated and miscalibrated probabilities, flat, with a jump, few distinct ones, and a rate that falls although the band
  assumes that it does not. Beside it the pointwise confidence band by resampling: how often it holds on average over places, and at the
  worst place of the middle 90 %.
- folds: directions between class means, learned in each fold from all other folds, in three dimensions. Two truths: the mean of the true
  curves of these models, and its mean over all studies. Beside the simultaneous band the pointwise t band of the displays, on average
  over places and at the worst of them. The laws "2 of a class in a fold" and "4 of a class in a fold" are refused by the library; its
  limit is lowered here, to show why it is there.
- groups: few groups, one group with half of the rows, sizes related to the score, few groups of positives, rows of a group nearly
  identical.

Some three minutes of one core; `band_coverage:roc` runs one part.
"""

import warnings

import numpy as np
from scipy.special import expit, ndtr, ndtri
from tqdm.auto import trange

from aucbook import reliability_curve, tpr_at_fpr
from aucbook._numerics.resampling import half_width_of
from aucbook.inference import (
    bands,
    mean_roc_band,
    precision_recall_band,
    reliability_band,
    roc_band,
)

from .store import store

STUDIES = 300
SLOW_STUDIES = 200
RESAMPLES = 200
SEED = 0
FPR = np.unique(np.r_[0, np.geomspace(1e-5, 0.1, 60), np.linspace(0, 1, 201)])
RECALL = np.linspace(0, 1, 201)[1:]
PLACES = np.linspace(0.01, 0.99, 99)
FOUR_LEVELS = (-0.5, 0.5, 1.5)

# law: (positives, negatives, distance of the classes, thresholds between levels of the score or None)
ROC_LAWS = {
    "60 and 100 rows": (60, 100, 1.0, None),
    "10 positives": (10, 200, 1.0, None),
    "5 positives": (5, 200, 1.0, None),
    "3 positives": (3, 200, 1.0, None),
    "4 negatives": (100, 4, 1.0, None),
    "separated, 20 and 100 rows": (20, 100, 4.0, None),
    "separated, 5 and 50 rows": (5, 50, 3.0, None),
    "four levels": (30, 100, 1.0, FOUR_LEVELS),
    "two levels, 10 positives": (10, 100, 1.5, (2.0,)),
}
# law: (rows, prevalence of the population, distance, thresholds, share of positives in the study or None)
PRECISION_LAWS = {
    "200 rows, prevalence 0.3": (200, 0.3, 1.0, None, None),
    "200 rows, prevalence 0.05": (200, 0.05, 1.0, None, None),
    "400 rows, prevalence 0.05, separated": (400, 0.05, 3.0, None, None),
    "200 rows, prevalence 0.1, four levels": (200, 0.1, 1.0, FOUR_LEVELS, None),
    "50 cases and 50 controls, prevalence 0.01": (100, 0.01, 2.0, None, 0.5),
}
# law: (rows, probabilities of that many rows, event rate at a probability)
RELIABILITY_LAWS = {
    "calibrated, 300 rows": (300, lambda rng, n: rng.random(n), lambda p: p),
    "calibrated, 20 rows": (20, lambda rng, n: rng.random(n), lambda p: p),
    "calibrated, rare, 1000 rows": (1000, lambda rng, n: rng.beta(1, 30, n), lambda p: p),
    "calibrated, five values, 300 rows": (
        300,
        lambda rng, n: rng.integers(1, 10, n) // 2 / 5,
        lambda p: p,
    ),
    "overconfident, 300 rows": (
        300,
        lambda rng, n: rng.random(n),
        lambda p: expit(0.4 * np.log(p / (1 - p))),
    ),
    "flat, 300 rows": (300, lambda rng, n: rng.random(n), lambda p: np.full(p.size, 0.3)),
    "a jump, 300 rows": (300, lambda rng, n: rng.random(n), lambda p: np.where(p < 0.5, 0.1, 0.9)),
    "falling, 300 rows": (300, lambda rng, n: rng.random(n), lambda p: 0.8 - 0.6 * p),
}
# law: (positives, negatives, folds, distance of the classes, digits of the scores or None)
FOLD_LAWS = {
    "5 folds of 50 and 50": (50, 50, 5, 1.0, None),
    "5 folds of 25 and 200": (25, 200, 5, 1.0, None),
    "10 folds of 100 and 100": (100, 100, 10, 1.0, None),
    "5 folds of 25 and 100, separated": (25, 100, 5, 3.5, None),
    "5 folds of 50 and 50, whole scores": (50, 50, 5, 1.0, 0),
    "10 folds, 4 of a class in a fold": (400, 40, 10, 2.5, None),
    "20 folds, 2 of a class in a fold": (40, 40, 20, 1.0, None),
}
# law: (groups, shared variance)
GROUP_LAWS = {
    "10 groups": (10, 0.5),
    "20 groups, one with half of the rows": (20, 0.5),
    "40 groups, sizes related to the score": (40, 0.5),
    "60 groups, 5 of them positive": (60, 0.5),
    "30 groups of ten nearly identical rows": (30, 0.99),
}


def levels(scores, thresholds):
    return scores if thresholds is None else np.searchsorted(thresholds, scores).astype(float)


def true_rates(distance, thresholds):
    """Vertices (FPR, TPR) of the true curve."""
    if thresholds is None:
        fpr = np.r_[0, np.geomspace(1e-12, 0.5, 4000)]
        fpr = np.r_[fpr, 1 - fpr[-2::-1]]
        return fpr, ndtr(distance + ndtri(fpr))
    t = np.array(thresholds)[::-1]
    return np.r_[0, ndtr(-t), 1], np.r_[0, ndtr(distance - t), 1]


def true_curve(at, distance, thresholds=None):
    if thresholds is None:
        return ndtr(distance + ndtri(at))
    return np.interp(at, *true_rates(distance, thresholds))


def true_precision(at, distance, thresholds, prevalence):
    """Precision at the highest threshold that reaches a recall."""
    if thresholds is None:
        tpr, fpr = at, ndtr(ndtri(at) - distance)
    else:
        fpr, tpr = true_rates(distance, thresholds)
        first = np.searchsorted(tpr, at - 1e-12)
        fpr, tpr = fpr[first], tpr[first]
    return prevalence * tpr / (prevalence * tpr + (1 - prevalence) * fpr)


def inside(band, truth):
    return (band.low <= truth + 1e-12) & (truth <= band.high + 1e-12)


class Tally:
    """Rows of results: how often each band held, and its mean width."""

    def __init__(self):
        self.seen = {}

    def add(self, law, band, held, width):
        self.seen.setdefault((law, band), []).append((bool(held), float(width)))

    def rows(self):
        return [
            {
                "law": law,
                "band": band,
                "held": sum(held for held, _ in outcomes),
                "studies": len(outcomes),
                "width": round(float(np.mean([width for _, width in outcomes])), 3),
            }
            for (law, band), outcomes in self.seen.items()
        ]


def normal_study(rng, y, distance, thresholds):
    return levels(rng.normal(size=y.size) + distance * y, thresholds)


def roc_study(law, study, tally):
    m, n, distance, thresholds = ROC_LAWS[law]
    rng = np.random.default_rng([SEED, study])
    y = np.repeat([1, 0], [m, n])
    s = normal_study(rng, y, distance, thresholds)
    truth = true_curve(FPR, distance, thresholds)
    for method in ("dkw", "binomial", "bootstrap"):
        band = roc_band(y, s, fpr=FPR, method=method, n_resamples=RESAMPLES, random_state=study)
        tally.add(law, method, inside(band, truth).all(), np.trapezoid(band.high - band.low, FPR))
    exact = bands.exact_binomial_limits
    bands.exact_binomial_limits = no_limits
    try:
        band = roc_band(
            y, s, fpr=FPR, method="bootstrap", n_resamples=RESAMPLES, random_state=study
        )
    finally:
        bands.exact_binomial_limits = exact
    tally.add(
        law, "resamples alone", inside(band, truth).all(), np.trapezoid(band.high - band.low, FPR)
    )


def no_limits(share, n, confidence_level):
    """Limits without width, in place of exact binomial ones."""
    return share, share


def precision_study(law, study, tally):
    size, prevalence, distance, thresholds, share = PRECISION_LAWS[law]
    rng = np.random.default_rng([SEED, study])
    y = np.zeros(size, int)
    while min(y.sum(), size - y.sum()) < 2:
        y = (rng.random(size) < prevalence).astype(int)
        if share is not None:
            y = (np.arange(size) < share * size).astype(int)
    s = normal_study(rng, y, distance, thresholds)
    truth = true_precision(RECALL, distance, thresholds, prevalence)
    known = None if share is None else prevalence
    for method in ("dkw", "binomial", "bootstrap"):
        band = precision_recall_band(
            y, s, method=method, prevalence=known, n_resamples=RESAMPLES, random_state=study
        )
        tally.add(law, method, inside(band, truth).all(), (band.high - band.low).mean())


def reliability_study(law, study, tally, middle):
    """middle: {law: list of (100,) whether the pointwise band holds at the percentiles 5 to 95}."""
    size, draw, rate = RELIABILITY_LAWS[law]
    rng = np.random.default_rng([SEED, study])
    p = draw(rng, size)
    y = rng.random(size) < rate(p)
    y[:2] = (0, 1) if y.all() or not y.any() else y[:2]
    band = reliability_band(y, p)
    truth = rate(band.probability)
    held = inside(band, truth)
    tally.add(law, "simultaneous", held.all(), (band.high - band.low).mean())
    tally.add(law, "test of calibration", not band.rejects_calibration(), 0)
    curve = reliability_curve(y, p, band="confidence", n_resamples=RESAMPLES, random_state=study)
    held = inside(curve, truth)
    tally.add(law, "resampled, everywhere", held.all(), (curve.high - curve.low).mean())
    places = np.rint(np.linspace(0.05, 0.95, 91) * (held.size - 1)).astype(int)
    middle.setdefault(law, []).append(held[places])


def fold_study(law, study):
    """(simultaneous band, (t band low, high), true mean curve), of one cross-validation."""
    m, n, count, distance, digits = FOLD_LAWS[law]
    rng = np.random.default_rng([SEED, study])
    y = np.repeat([1, 0], [m, n])
    X = rng.normal(size=(m + n, 3))
    X[:, 0] += distance * y
    folds = np.arange(m + n) % count
    scores = np.empty(m + n)
    heights, truth = [], np.zeros(PLACES.size)
    for fold in range(count):
        train, test = folds != fold, folds == fold
        w = X[train & (y == 1)].mean(axis=0) - X[train & (y == 0)].mean(axis=0)
        w /= np.linalg.norm(w)
        s = X[test] @ w
        if digits is None:
            truth += true_curve(PLACES, distance * w[0]) / count
        else:
            s = np.round(s, digits)
            truth += true_curve(PLACES, distance * w[0], np.arange(-10, 15) + 0.5) / count
        scores[test] = s + 100 * fold
        heights.append(tpr_at_fpr(y[test], s, PLACES))
    band = mean_roc_band(y, scores, folds, fpr=PLACES, n_resamples=RESAMPLES, random_state=study)
    heights = np.array(heights)
    _, reach = half_width_of(heights, count, 0.95)
    mean = heights.mean(axis=0)
    return band, np.clip([mean - reach, mean + reach], 0, 1), truth


def fold_rows():
    rows = []
    limit = bands.MIN_FOLD_ROWS
    for law in FOLD_LAWS:
        bands.MIN_FOLD_ROWS = 2 if "of a class in a fold" in law else limit
        studies = [fold_study(law, study) for study in trange(SLOW_STUDIES, desc=law)]
        bands.MIN_FOLD_ROWS = limit
        expected = np.mean([truth for *_, truth in studies], axis=0)
        held = [inside(band, truth).all() for band, _, truth in studies]
        width = np.mean([(band.high - band.low).mean() for band, *_ in studies])
        shared = {"law": law, "studies": SLOW_STUDIES}
        rows.append(
            {
                **shared,
                "band": "simultaneous",
                "held": int(sum(held)),
                "width": round(float(width), 3),
            }
        )
        width = np.mean([(high - low).mean() for _, (low, high), _ in studies])
        for target in ("these models", "all models"):
            share = np.mean(
                [
                    (low <= goal + 1e-12) & (goal <= high + 1e-12)
                    for _, (low, high), truth in studies
                    for goal in [truth if target == "these models" else expected]
                ],
                axis=0,
            )
            rows.append(
                {
                    **shared,
                    "band": f"t, pointwise, {target}",
                    "average": round(100 * float(share.mean()), 1),
                    "worst": round(100 * float(share.min()), 1),
                    "worst at": round(float(PLACES[share.argmin()]), 2),
                    "width": round(float(width), 3),
                }
            )
    return rows


def group_study(law, study, tally):
    count, shared = GROUP_LAWS[law]
    rng = np.random.default_rng([SEED, study])
    effect = rng.normal(size=count)
    sizes = 1 + rng.poisson(3, count)
    truth = true_curve(FPR, 1.0)
    if "half" in law:
        sizes = np.r_[3 * (count - 1), np.full(count - 1, 3)]
    if "related" in law:
        # of the rows, a share has the group effect of the population, and a share one that is higher by 1
        sizes = 1 + rng.poisson(3 * np.exp(effect))
        tilted = 3 * np.exp(0.5)
        t = np.linspace(-9, 11, 20001)[::-1]
        shift = np.array([0, shared**0.5])
        weight = np.array([1, tilted]) / (1 + tilted)
        fpr, tpr = (ndtr(shift + mu - t[:, None]) @ weight for mu in (0, 1))
        truth = np.interp(FPR, np.r_[0, fpr, 1], np.r_[0, tpr, 1])
    if "identical" in law:
        sizes = np.full(count, 10)
    group = np.repeat(np.arange(count), sizes)
    y = (rng.random(group.size) < 0.4).astype(int)
    if "positive" in law:
        y = (group < 5).astype(int)
    enough = all(np.unique(group[y == label]).size >= 2 for label in (0, 1))
    if not enough:
        return
    s = shared**0.5 * effect[group] + (1 - shared) ** 0.5 * rng.normal(size=y.size) + y
    band = roc_band(
        y, s, fpr=FPR, method="bootstrap", groups=group, n_resamples=RESAMPLES, random_state=study
    )
    tally.add(law, "bootstrap", inside(band, truth).all(), np.trapezoid(band.high - band.low, FPR))


def counted(name, laws, one, studies):
    tally = Tally()
    for law in laws:
        for study in trange(studies, desc=f"{name}: {law}", mininterval=2):
            one(law, study, tally)
    return tally.rows()


def reliability_rows():
    middle = {}

    def one(law, study, tally):
        reliability_study(law, study, tally, middle)

    rows = counted("reliability", RELIABILITY_LAWS, one, STUDIES)
    for law, held in middle.items():
        share = np.mean(held, axis=0)
        rows.append(
            {
                "law": law,
                "band": "resampled, pointwise",
                "studies": STUDIES,
                "average": round(100 * float(share.mean()), 1),
                "worst": round(100 * float(share.min()), 1),
            }
        )
    return rows


PARTS = {
    "roc": lambda: counted("roc", ROC_LAWS, roc_study, STUDIES),
    "precision": lambda: counted("precision", PRECISION_LAWS, precision_study, STUDIES),
    "reliability": reliability_rows,
    "folds": fold_rows,
    "groups": lambda: counted("groups", GROUP_LAWS, group_study, SLOW_STUDIES),
}


def run(*parts):
    """Each part takes less than a minute."""
    warnings.simplefilter("ignore")  # of resamples that are all equal
    about = "in how many simulated studies a 95 % band holds the truth, on laws chosen to break it"
    for name in parts or PARTS:
        results = {"about": about, "resamples": RESAMPLES, name: PARTS[name]()}
        store("band_coverage", results, seeds=[SEED], keep=True)
