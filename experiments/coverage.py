"""Coverage of the 95 % intervals and bands by simulation: 60 positives, 100 negatives, normal scores one standard deviation apart.
And of the intervals with few positives, or areas near 1; of the interval of a height, with heights near 1.

About two minutes of one core.
"""

import warnings

import numpy as np
from tqdm.auto import trange

from aucbook import auc_interval, tpr_interval
from aucbook.inference import roc_band
from aucbook.theory import binormal_auc, binormal_roc, make_binormal

from .store import store

M = 60
N = 100
MU = 1.0
SEED = 0
STUDIES, RESAMPLED = 5000, 1000  # DeLong is cheap; with resampling, fewer studies
COLUMNS = "symmetric", "log-odds", "score", "score, rounded scores", "bootstrap"
SIZES = ((5, 100), (10, 190), (20, 980), (50, 50), (100, 400))
FEW_MU = (0.7, 1.8, 2.6, 3.5, 4.5)
FEW_STUDIES = 1000
HEIGHTS = (
    (30, 100, 1, 0.1),
    (30, 100, 2, 0.1),
    (30, 100, 3, 0.1),
    (30, 100, 4, 0.1),
    (30, 100, 2, 0.5),
    (30, 100, 1, 0.01),
)
RANGES = [(0.0, 1.0), (0.0, 0.1), (0.1, 0.3), (0.2, 0.8)]


def tied_truth(alpha, beta, step=0.5, far=9):
    """Raw area in a range when both classes are rounded to multiples of `step`: the population's own polyline."""
    from scipy.stats import norm

    edges = np.arange(-far, far, step) + step / 2
    x, t = (np.r_[0, norm.sf(edges[::-1], loc=mu), 1] for mu in (0, MU))
    at = np.unique(np.r_[alpha, beta, x[(x > alpha) & (x < beta)]])
    return float(np.trapezoid(np.interp(at, x, t), at))


def coverage():
    table = {f"{a:g} to {b:g}": {} for a, b in RANGES}
    hits = {(r, c): [] for r in RANGES for c in COLUMNS}
    other = {"band, guaranteed": [], "band, bootstrap": [], "TPR at FPR 0.1": []}
    t = np.linspace(0, 1, 101)
    truth = {
        r: (binormal_auc(MU, min_fpr=r[0], max_fpr=r[1]) * (r[1] - r[0]), tied_truth(*r))
        for r in RANGES
    }
    for seed in trange(STUDIES, desc="coverage", mininterval=2):
        y, s = make_binormal(M, N, MU, random_state=SEED + seed)
        tied = np.round(2 * s) / 2
        for r in RANGES:
            for column, scale in (
                ("symmetric", "linear"),
                ("log-odds", "logit"),
                ("score", "score"),
            ):
                plain = auc_interval(y, s, min_fpr=r[0], max_fpr=r[1], form="raw", scale=scale)
                hits[r, column].append(plain.low <= truth[r][0] <= plain.high)
            rounded = auc_interval(y, tied, min_fpr=r[0], max_fpr=r[1], form="raw")
            hits[r, "score, rounded scores"].append(rounded.low <= truth[r][1] <= rounded.high)
            if seed < RESAMPLED:
                boot = auc_interval(
                    y,
                    s,
                    min_fpr=r[0],
                    max_fpr=r[1],
                    form="raw",
                    method="bootstrap",
                    n_resamples=1000,
                    random_state=seed,
                )
                hits[r, "bootstrap"].append(boot.low <= truth[r][0] <= boot.high)
        if seed < RESAMPLED:
            for name, method in (("band, guaranteed", "dkw"), ("band, bootstrap", "bootstrap")):
                band = roc_band(y, s, method=method, n_resamples=500, random_state=seed)
                other[name].append(
                    ((band.low <= binormal_roc(t, MU)) & (binormal_roc(t, MU) <= band.high)).all()
                )
            one = tpr_interval(y, s, 0.1, n_resamples=500, random_state=seed)
            other["TPR at FPR 0.1"].append(one.low <= binormal_roc(0.1, MU) <= one.high)
    for (r, column), h in hits.items():
        table[f"{r[0]:g} to {r[1]:g}"][column] = round(100 * float(np.mean(h)), 1)
    return table, {name: round(100 * float(np.mean(h)), 1) for name, h in other.items()}


def few():
    """Rows of (positives, negatives, area over a range, way, percentage held, mean width), also where hardly a mistake is to be seen."""
    rows = []
    for m, n in SIZES:
        for mu in FEW_MU:
            for r in ((0.0, 1.0), (0.0, 0.1)):
                truth = binormal_auc(mu, min_fpr=r[0], max_fpr=r[1])
                ends = {scale: [] for scale in ("linear", "logit", "score")}
                for seed in range(FEW_STUDIES):
                    y, s = make_binormal(m, n, mu, random_state=SEED + seed)
                    with warnings.catch_warnings():
                        warnings.simplefilter(
                            "ignore"
                        )  # of intervals without width: they are counted here
                        for scale, found in ends.items():
                            found.append(
                                auc_interval(y, s, min_fpr=r[0], max_fpr=r[1], scale=scale)[1:3]
                            )
                for scale, found in ends.items():
                    low, high = np.transpose(found)
                    held = 100 * ((low <= truth) & (truth <= high)).mean()
                    rows.append(
                        {
                            "positives": m,
                            "negatives": n,
                            "range": f"{r[0]:g} to {r[1]:g}",
                            "area": round(float(truth), 3),
                            "scale": scale,
                            "held": round(float(held), 1),
                            "width": round(float((high - low).mean()), 3),
                        }
                    )
    return rows


def heights():
    """Rows of (positives, negatives, FPR, true TPR, percentage held, mean width) of `tpr_interval`."""
    rows = []
    for m, n, mu, fpr in HEIGHTS:
        truth, ends = float(binormal_roc(fpr, mu)), []
        for seed in trange(RESAMPLED, desc="heights", mininterval=2):
            y, s = make_binormal(m, n, mu, random_state=SEED + seed)
            ends.append(tpr_interval(y, s, fpr, n_resamples=500, random_state=seed)[1:])
        low, high = np.transpose(ends)
        rows.append(
            {
                "positives": m,
                "negatives": n,
                "FPR": fpr,
                "TPR": round(truth, 3),
                "held": round(100 * float(((low <= truth) & (truth <= high)).mean()), 1),
                "width": round(float((high - low).mean()), 3),
            }
        )
    return rows


def run():
    table, other = coverage()
    store(
        "coverage",
        {
            "about": "percentage of simulated studies whose 95 % interval or band holds the truth",
            "positives": M,
            "negatives": N,
            "mu": MU,
            "studies": {"without resampling": STUDIES, "bootstrap, bands, TPR": RESAMPLED},
            "coverage": table,
            "other": other,
            "few": few(),
            "heights": heights(),
        },
        seeds=[range(SEED, SEED + STUDIES)],
    )
