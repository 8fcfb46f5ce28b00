"""Coverage of the 95 % intervals of numbers about the top of a list, beside that of quantiles of the same resamples.

Normal scores with equal spread, from few rows of each class to some hundred. What is to be held is the number in a population with the
same share of positives. Some ten minutes of one core.
"""

import warnings
from math import ceil

import numpy as np
from scipy.stats import norm
from tqdm.auto import tqdm

from aucbook import top_interval
from aucbook.resampling import bootstrap
from aucbook.top import MEASURES
from aucbook.toys import make_binormal

from .store import store

SIZES, SHIFTS, SHARE, SEED = ((10, 10), (50, 50), (5, 500), (10, 200), (40, 400)), (0.5, 1.0, 2.5), 0.1, 0
STUDIES, RESAMPLES = 200, 300
SETTINGS = {
    "average_precision": {},
    "precision_at_k": {"k": SHARE},
    "bedroc": {"alpha": 20.0},
    "log_auc": {"min_fpr": 0.01},
}


def values_of(measure, rows):
    "The settings of a measure in a list with so many rows (1: of shares), as its function wants them"
    if measure == "precision_at_k":
        return (SHARE if rows == 1 else ceil(SHARE * rows - 1e-9),)
    return {"average_precision": (), "bedroc": (20.0,), "log_auc": (0.01, 1.0)}[measure]


def truth(measure, m, n, mu):
    "The number in the population: the walk down a fine list of thresholds"
    at = np.linspace(mu + 9, -9, 200_001)
    tp, fp = (np.r_[0, norm.sf(at - shift), 1] * size / (m + n) for shift, size in ((mu, m), (0, n)))
    return MEASURES[measure][0](tp, fp, *values_of(measure, 1))


def quantiles(measure, y, s, seed):
    "The middle 95 % of what resamples of the rows say"
    function, settings = MEASURES[measure][0], values_of(measure, y.size)

    def kernel(pos, neg, groups, drawn_pos, drawn_neg, out):
        for r in range(len(out)):
            counts = (np.bincount(g[0][d[r]], minlength=groups) for g, d in ((pos, drawn_pos), (neg, drawn_neg)))
            out[r, 0] = function(*(np.r_[0.0, np.cumsum(count)] for count in counts), *settings)

    return np.quantile(bootstrap(y, [s], RESAMPLES, seed, 0, kernel, 1)[:, 0], (0.025, 0.975))


def run():
    rows = []
    for m, n in tqdm(SIZES, desc="top", mininterval=2):
        for mu in SHIFTS:
            for measure, options in SETTINGS.items():
                found = []
                for seed in range(SEED, SEED + STUDIES):
                    y, s = make_binormal(m, n, mu, random_state=seed)
                    with warnings.catch_warnings(record=True) as told:
                        warnings.simplefilter("always")
                        interval = top_interval(y, s, measure, **options, n_resamples=RESAMPLES, random_state=seed)
                    found.append([*interval[1:], *quantiles(measure, y, s, seed)])
                value, (low, high, left, right) = truth(measure, m, n, mu), np.transpose(found)
                held = {"interval": (low <= value) & (value <= high), "quantiles": (left <= value) & (value <= right)}
                width = {"interval": high - low, "quantiles": right - left}
                rows.append(
                    {
                        "positives": m,
                        "negatives": n,
                        "mu": mu,
                        "measure": measure,
                        "truth": round(float(value), 3),
                        "warned": bool(told),
                        "held": {way: int(hits.sum()) for way, hits in held.items()},
                        "width": {way: round(float(found.mean()), 3) for way, found in width.items()},
                        "without width": int((right - left < 1e-9).sum()),
                    }
                )
    about = "in how many simulated studies the 95 % interval, or the middle 95 % of the resamples, holds the population's number"
    settings = {"studies": STUDIES, "resamples": RESAMPLES, "settings": SETTINGS}
    store("top_coverage", {"about": about, **settings, "rows": rows}, seeds=[range(SEED, SEED + STUDIES)])
