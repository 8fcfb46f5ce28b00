"""Coverage of the 95 % intervals of numbers about the top of a list, beside that of quantiles of the same resamples.

Normal scores with equal spread, from few rows of each class to some hundred. What is to be held is the number in a population with the
same share of positives. Some ten minutes of one core.
"""

import warnings
from math import ceil

import numpy as np
from scipy.stats import norm
from tqdm.auto import tqdm

from aucbook import AP, BEDROC, LogAUC, Precision
from aucbook._numerics.resampling import bootstrap
from aucbook.theory import make_binormal

from .store import store

SIZES = ((10, 10), (50, 50), (5, 500), (10, 200), (40, 400))
SHIFTS = (0.5, 1.0, 2.5)
SHARE = 0.1
SEED = 0
STUDIES, RESAMPLES = 200, 300
MEASURES = {
    "average_precision": AP,
    "precision_at_k": Precision(k=SHARE),
    "bedroc": BEDROC(20.0),
    "log_auc": LogAUC(min_fpr=0.01),
}


def of_counts(measure, scores, positives, negatives):
    """The measure of a list in which so many positives and negatives have these scores."""
    return measure(
        np.repeat([1, 0], scores.size),
        np.tile(scores, 2),
        sample_weight=np.r_[positives, negatives],
    )


def truth(measure, m, n, mu):
    """The number in the population: the walk down a fine list of thresholds."""
    at = np.linspace(mu + 9, -9, 200_001)
    tp, fp = (
        np.r_[0, norm.sf(at - shift), 1] * size / (m + n) for shift, size in ((mu, m), (0, n))
    )
    return of_counts(measure, np.r_[at, -10], np.diff(tp), np.diff(fp))


def quantiles(measure, y, s, seed):
    """The middle 95 % of what resamples of the rows say."""
    if isinstance(measure, Precision):  # rows are whole, weights are not
        measure = Precision(k=ceil(SHARE * y.size - 1e-9))

    def kernel(pos, neg, groups, drawn_pos, drawn_neg, out):
        for r in range(len(out)):
            counts = [
                np.bincount(g[0][d[r]], minlength=groups)
                for g, d in ((pos, drawn_pos), (neg, drawn_neg))
            ]
            out[r, 0] = of_counts(measure, -np.arange(groups), *counts)

    resampled = bootstrap(y, [s], kernel, 1, n_resamples=RESAMPLES, random_state=seed)
    return np.quantile(resampled[:, 0], (0.025, 0.975))


def run():
    rows = []
    for m, n in tqdm(SIZES, desc="top", mininterval=2):
        for mu in SHIFTS:
            for name, measure in MEASURES.items():
                found = []
                for seed in range(SEED, SEED + STUDIES):
                    y, s = make_binormal(m, n, mu, random_state=seed)
                    with warnings.catch_warnings(record=True) as told:
                        warnings.simplefilter("always")
                        interval = measure.interval(y, s, n_resamples=RESAMPLES, random_state=seed)
                    found.append([*interval[1:], *quantiles(measure, y, s, seed)])
                value, (low, high, left, right) = truth(measure, m, n, mu), np.transpose(found)
                held = {
                    "interval": (low <= value) & (value <= high),
                    "quantiles": (left <= value) & (value <= right),
                }
                width = {"interval": high - low, "quantiles": right - left}
                rows.append(
                    {
                        "positives": m,
                        "negatives": n,
                        "mu": mu,
                        "measure": name,
                        "truth": round(float(value), 3),
                        "warned": bool(told),
                        "held": {way: int(hits.sum()) for way, hits in held.items()},
                        "width": {
                            way: round(float(found.mean()), 3) for way, found in width.items()
                        },
                        "without width": int((right - left < 1e-9).sum()),
                    }
                )
    about = "in how many simulated studies the 95 % interval, or the middle 95 % of the resamples, holds the population's number"
    settings = {
        "studies": STUDIES,
        "resamples": RESAMPLES,
        "settings": {name: m.settings for name, m in MEASURES.items()},
    }
    store(
        "top_coverage",
        {"about": about, **settings, "rows": rows},
        seeds=[range(SEED, SEED + STUDIES)],
    )
