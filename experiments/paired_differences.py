"""How often tests and intervals of a difference err: areas, strips, rates and numbers of the head of a list, of two scores.

Twenty laws, five sizes from 5 + 5 to 20 + 200, three ranges of false positive rates, several methods from the same estimates. Seventeen
laws are binormal with other areas, correlations and spreads, tied, skewed, or nearly separated; three were chosen to break the tests.
Some ten minutes of two cores.
"""

import warnings

import numpy as np
from joblib import Parallel, delayed
from numba import njit
from scipy.special import ndtr, ndtri, stdtrit
from tqdm.auto import tqdm

from aucbook import AP, BEDROC, TPR, Precision, auc_test
from aucbook._numerics.differences import (
    UNRELATED,
    difference_distance,
    difference_end,
    harmonic_mean,
    satterthwaite,
    small_sample_law,
)
from aucbook._numerics.resampling import bootstrap, relative_variance, resample_areas, tie_groups
from aucbook.inference import auc_test_unpaired
from aucbook.inference.intervals import components_by_group

from .store import store

SIZES = ((5, 5), (8, 40), (12, 150), (15, 300), (20, 200))
RANGES = (1.0, 0.2, 0.1)
SEED = 0
LEVEL = 0.95
STUDIES = 2000
WIDTHS = 200
RESAMPLED = 100
RESAMPLES = 200
GROUPS = (30, 60)
MEASURES = {
    "TPR at FPR .1": TPR(0.1),
    "AP": AP,
    "precision at .1": Precision(0.1),
    "BEDROC(10)": BEDROC(10.0),
}


def normal_pair(rng, size, correlation):
    """(2, size) normal scores with this correlation."""
    one, two = rng.normal(size=(2, size))
    return np.array([one, correlation * one + np.sqrt(1 - correlation**2) * two])


def binormal(first, second, correlation, spreads=(1.0, 1.0)):
    """Normal scores with these areas; spreads: of the positives."""
    shift = np.sqrt(1 + np.square(spreads)) * ndtri([first, second])

    def draw(rng, m, n):
        pos = normal_pair(rng, m, correlation) * np.array(spreads)[:, None] + shift[:, None]
        return pos, normal_pair(rng, n, correlation)

    return draw


def rounded(first, second, correlation, step):
    """The same, in steps: many ties."""

    def draw(rng, m, n):
        return [np.floor(part / step) for part in binormal(first, second, correlation)(rng, m, n)]

    return draw


def skewed(rng, m, n):
    """Positives lie an exponential number above the negatives: many hardly at all."""
    above = -np.log(ndtr(normal_pair(rng, m, 0.6)))
    return normal_pair(rng, m, 0.6) + above * [[1.5], [3.0]], normal_pair(rng, n, 0.6)


def lognormal(rng, m, n):
    """Positives with a long upper tail, and few of them near the negatives."""
    pos = normal_pair(rng, m, 0.5) * [[1.0], [1.3]] + [[1.6], [2.5]]
    return np.exp(pos), np.exp(normal_pair(rng, n, 0.5) / 2)


def separating(rng, m, n):
    """The second score separates the classes."""
    pos = normal_pair(rng, m, 0.5) + [[np.sqrt(2) * ndtri(0.93)], [40.0]]
    return pos, normal_pair(rng, n, 0.5)


def missed(rng, m, n):
    """The second score puts one positive of ten below everything."""
    pos = normal_pair(rng, m, 0.5) + 2.5
    pos[1, rng.random(m) < 0.1] = -9.0
    return pos, normal_pair(rng, n, 0.5)


def nearly_the_same(rng, m, n):
    """Two scores that differ in one row of twenty."""
    parts = []
    for size, shift in ((m, 2.0), (n, 0.0)):
        one = rng.normal(size=size) + shift
        parts.append(np.array([one, np.where(rng.random(size) < 0.05, rng.normal(size=size), one)]))
    return parts


def outlying(rng, m, n):
    """The first score puts three negatives of a hundred above everything."""
    neg = normal_pair(rng, n, 0.5)
    neg[0, rng.random(n) < 0.03] = 9.0
    return normal_pair(rng, m, 0.5) + 2.2, neg


LAWS = {
    "areas .92, .97, correlation .4": binormal(0.92, 0.97, 0.4),
    "areas .92, .97, correlation .5": binormal(0.92, 0.97, 0.5),
    "areas .92, .97, correlation .8": binormal(0.92, 0.97, 0.8),
    "areas .8, .9, correlation .4": binormal(0.8, 0.9, 0.4),
    "areas .8, .9, correlation .8": binormal(0.8, 0.9, 0.8),
    "areas .85, .95, correlation -.5": binormal(0.85, 0.95, -0.5),
    "equal areas .7, correlation .7": binormal(0.7, 0.7, 0.7),
    "equal areas .9, correlation .6": binormal(0.9, 0.9, 0.6),
    "equal areas .95, correlation .8": binormal(0.95, 0.95, 0.8),
    "spreads 2 and ½": binormal(0.85, 0.93, 0.6, (2.0, 0.5)),
    "spreads ½ and 2": binormal(0.85, 0.93, 0.6, (0.5, 2.0)),
    "ties, areas about .88, .95": rounded(0.92, 0.97, 0.6, 1.5),
    "ties, areas about .76, .86": rounded(0.8, 0.9, 0.5, 1.5),
    "skewed": skewed,
    "lognormal": lognormal,
    "areas .985, .995, correlation .6": binormal(0.985, 0.995, 0.6),
    "the second separates": separating,
    "one positive of ten missed": missed,
    "nearly the same score": nearly_the_same,
    "outlying negatives": outlying,
}
OURS = (
    "one positive of ten missed",
    "nearly the same score",
    "outlying negatives",
)  # chosen to break the tests


def components(draw, rng, m, n, ranges):
    """(labels, (2, m + n) scores, for each range the components of the positives (2, m) and of the negatives (2, n), normalized)."""
    pos, neg = draw(rng, m, n)
    scores, found = np.concatenate([pos, neg], axis=1), [[[], []] for _ in ranges]
    for s in scores:
        group, k = tie_groups(s)
        counts = np.bincount(group[:m], minlength=k), np.bincount(group[m:], minlength=k)
        for max_fpr, parts in zip(ranges, found):
            for part, kept, rows in zip(
                parts, components_by_group(*counts, 0.0, max_fpr), (group[:m], group[m:])
            ):
                part.append(kept[rows] / max_fpr)
    return (
        np.repeat([1, 0], (m, n)),
        scores,
        [[np.array(part) for part in parts] for parts in found],
    )


def true_differences(name):
    """Differences of the areas over the ranges, from two million rows of each class; 0 where that is known."""
    if name.startswith("equal"):
        return [0.0 for _ in RANGES]
    found = []
    for seed in range(20):
        parts = components(
            LAWS[name], np.random.default_rng([SEED, seed]), 100_000, 100_000, RANGES
        )[2]
        found.append([np.subtract(*pos.mean(axis=1)) for pos, _ in parts])
    return np.mean(found, axis=0).tolist()


def single_ends(share, spread, z):
    """Wilson's ends of shares with these relative variances."""
    rare = z * z * spread
    reach = np.sqrt(rare * share * (1 - share) + rare * rare / 4)
    return (share + rare / 2 - reach) / (1 + rare), (share + rare / 2 + reach) / (1 + rare)


def mover(areas, spreads, correlation, z):
    """Ends of the difference from those of the single score intervals, by the method of variance estimates recovery."""
    (a, b), (low, high) = areas, single_ends(areas, spreads, z)

    def length(x, y):
        return np.sqrt(np.maximum(x * x + y * y - 2 * correlation * x * y, 0.0))

    return a - b - length(a - low[0], high[1] - b), a - b + length(high[0] - a, b - low[1])


def covariances(part):
    """(variance of the first, of the second, covariance) of two means of components (2, rows)."""
    apart = part - part.mean(axis=1, keepdims=True)
    whole = apart @ apart.T / (part.shape[1] - 1) / part.shape[1]
    return whole[0, 0], whole[1, 1], whole[0, 1]


@njit(cache=False)
def distances(values, spreads, correlation, difference):
    """Signed distance of a difference from each study's two shares, in standard errors."""
    out = np.empty(correlation.size)
    for i in range(out.size):
        pair = (values[0, i], values[1, i], spreads[0, i], spreads[1, i], correlation[i])
        found = np.sqrt(difference_distance(difference, pair))
        out[i] = found if difference <= values[0, i] - values[1, i] else -found
    return out


@njit(cache=False)
def widths(values, spreads, correlation, reach):
    """Width of each study's score interval."""
    out = np.full(correlation.size, 2.0)
    for i in range(out.size):
        if np.isfinite(reach[i]):
            pair = (values[0, i], values[1, i], spreads[0, i], spreads[1, i], correlation[i])
            limit = reach[i] ** 2
            out[i] = difference_end(1.0, limit, pair) - difference_end(-1.0, limit, pair)
    return out


def areas(name, m, n, truths):
    """The rows of `counted` for all ranges, from the same studies."""
    found = np.empty((len(RANGES), STUDIES, 8))
    for seed in range(STUDIES):
        parts = components(LAWS[name], np.random.default_rng([SEED, m, n, seed]), m, n, RANGES)[2]
        for i, (pos, neg) in enumerate(parts):
            found[i, seed] = *pos.mean(axis=1), *covariances(pos), *covariances(neg)
    settings = zip(RANGES, truths, found)
    return [
        row
        for max_fpr, truth, each in settings
        for row in counted(name, m, n, max_fpr, truth, each)
    ]


def counted(name, m, n, max_fpr, truth, found):
    """Rows of counts, one for each method: how often the truth is below and above the interval, and the mean width."""
    values = found[:, :2].T
    of_pos = found[:, 2:5].T
    of_neg = found[:, 5:].T
    first, second, shared = of_pos + of_neg
    variances = np.array([first, second])
    sides = np.array([side[0] + side[1] - 2 * side[2] for side in (of_pos, of_neg)])
    freedom = np.array([satterthwaite(np.maximum(side, 0.0), [m, n]) for side in sides.T])
    laws = [small_sample_law(each, m, n) for each in freedom]
    reach = np.array([law.reach(LEVEL) for law in laws])
    z, t = ndtri((1 + LEVEL) / 2), stdtrit(np.maximum(freedom, 1), (1 + LEVEL) / 2)
    rows = harmonic_mean(m, max(1, n * max_fpr))
    spreads = np.vectorize(relative_variance)(values, variances, rows)
    both = np.sqrt(first * second)
    correlation = np.clip(np.divide(shared, both, out=np.zeros(STUDIES), where=both > 0), -1, 1)
    difference, error = values[0] - values[1], np.sqrt(np.maximum(first + second - 2 * shared, 0.0))
    bent = np.arctanh(np.clip(difference, -1 + 1e-9, 1 - 1e-9))
    slope = error / np.maximum(1 - difference**2, 1e-9)
    ends = {
        "DeLong, Wald": (difference - z * error, difference + z * error),
        "Wald, Student": (difference - t * error, difference + t * error),
        "arctanh, Student": (np.tanh(bent - t * slope), np.tanh(bent + t * slope)),
        "MOVER": mover(values, spreads, correlation, z),
        "MOVER, Student": mover(values, spreads, correlation, t),
    }
    about = {
        "law": name,
        "positives": m,
        "negatives": n,
        "max_fpr": max_fpr,
        "truth": round(truth, 5),
    }
    counts = []
    for method, (low, high) in ends.items():
        counts.append((method, truth < low - 1e-12, truth > high + 1e-12, high - low))
    capped, normal = np.minimum(spreads, 1.0), np.full(STUDIES, z)
    for method, added, limit in (
        ("score", UNRELATED, reach),
        ("score, normal law", UNRELATED, normal),
        ("score, two rows", 2, reach),
        ("score, correlation as found", 0, reach),
    ):
        shrunk = np.clip(correlation * rows / (rows + added), -0.999, 0.999)
        far = distances(values, capped, shrunk, truth)
        some = slice(0, WIDTHS)
        width = widths(values[:, some], capped[:, some], shrunk[some], limit[some])
        counts.append((method, far > limit, far < -limit, width))
    return [
        about
        | {
            "method": method,
            "studies": STUDIES,
            "below": int(below.sum()),
            "above": int(above.sum()),
        }
        | {"width": float(width.mean().round(4))}
        for method, below, above, width in counts
    ]


def quantiles(name, m, n, truth):
    """The same row for the middle 95 % of what resamples say."""
    counts, widths = [0, 0], []
    for seed in range(RESAMPLED):
        rng = np.random.default_rng([SEED, m, n, seed])
        y, scores, _ = components(LAWS[name], rng, m, n, RANGES[:1])
        drawn = bootstrap(
            y, list(scores), resample_areas, 2, 0.0, 1.0, n_resamples=RESAMPLES, random_state=seed
        )
        low, high = np.quantile(drawn[:, 0] - drawn[:, 1], ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
        counts[0] += int(truth < low)
        counts[1] += int(truth > high)
        widths.append(high - low)
    about = {
        "law": name,
        "positives": m,
        "negatives": n,
        "max_fpr": 1.0,
        "truth": round(truth, 5),
        "method": "bootstrap",
    }
    return [
        about
        | {
            "studies": RESAMPLED,
            "below": counts[0],
            "above": counts[1],
            "width": float(np.mean(widths).round(4)),
        }
    ]


def tested(about, tests, truth):
    """A row for each scale; tests(scale): (low, high) of each study."""
    rows = []
    for scale in ("score", "linear"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of separated samples: they count as well
            ends = np.array([[test.low, test.high] for test in tests(scale)])
        found = {
            "below": int((truth < ends[:, 0] - 1e-12).sum()),
            "above": int((truth > ends[:, 1] + 1e-12).sum()),
        }
        found["width"] = float((ends[:, 1] - ends[:, 0]).mean().round(4))
        rows.append(
            about | {"truth": round(truth, 5), "method": scale, "studies": len(ends)} | found
        )
    return rows


def grouped(count, one_class, truth):
    """Rows of `auc_test` with groups: areas .92 and .97, half of the variance shared by the rows of a group, four rows on average."""

    def study(seed):
        rng = np.random.default_rng([SEED, count, seed])
        group = np.repeat(np.arange(count), 1 + rng.poisson(3, count))
        ill = rng.random(count)[group] if one_class else rng.random(group.size)
        y = (ill < 0.3).astype(int)
        scores = np.sqrt(0.5) * (
            normal_pair(rng, count, 0.5)[:, group] + normal_pair(rng, group.size, 0.5)
        )
        return y, *(scores + np.sqrt(2) * ndtri([[0.92], [0.97]]) * y), group

    def tests(scale):
        for seed in range(STUDIES // 4):
            y, first, second, group = study(seed)
            if min(np.unique(group[y == c]).size for c in (0, 1)) >= 2:
                yield auc_test(y, first, second, groups=group, scale=scale)

    about = {
        "groups": count,
        "design": "rows of one class" if one_class else "rows of both classes",
    }
    return tested(about, tests, truth)


def unpaired(name, m, n, truth):
    """Rows of `auc_test_unpaired`, of two studies of the same size."""

    def tests(scale):
        for seed in range(STUDIES // 4):
            rng = np.random.default_rng([SEED, m, n, seed])
            y = np.repeat([1, 0], (m, n))
            one, other = (np.concatenate(LAWS[name](rng, m, n), axis=1) for _ in range(2))
            yield auc_test_unpaired(y, one[0], y, other[1], scale=scale)

    return tested({"law": name, "positives": m, "negatives": n}, tests, truth)


def of_measure(name, label, m, n):
    """Rows of the test of a measure, whose truth is that of a large sample with the same share of positives."""
    measure, times = MEASURES[label], 400_000 // (m + n)
    pos, neg = LAWS[name](np.random.default_rng([SEED, 1]), m * times, n * times)
    large = np.repeat([1, 0], (m * times, n * times))
    truth = float(np.subtract(*(measure(large, s) for s in np.concatenate([pos, neg], axis=1))))
    y = np.repeat([1, 0], (m, n))

    def tests(scale):
        for seed in range(RESAMPLED):
            first, second = np.concatenate(
                LAWS[name](np.random.default_rng([SEED, m, n, seed]), m, n), axis=1
            )
            yield measure.test(
                y, first, second, n_resamples=RESAMPLES // 2, random_state=seed, scale=scale
            )

    return tested({"law": name, "measure": label, "positives": m, "negatives": n}, tests, truth)


def run():
    truths = {name: true_differences(name) for name in LAWS}
    hard = (
        "areas .92, .97, correlation .5",
        "areas .92, .97, correlation .8",
        "areas .8, .9, correlation .8",
    )
    jobs = {
        "areas": [(areas, name, m, n, truths[name]) for name in LAWS for m, n in SIZES]
        + [(quantiles, name, m, n, truths[name][0]) for name in LAWS for m, n in SIZES[1::2]],
        "groups": [
            (grouped, count, kind, float(0.92 - 0.97)) for count in GROUPS for kind in (True, False)
        ],
        "unpaired": [
            (unpaired, name, m, n, truths[name][0]) for name in hard[1:] for m, n in SIZES
        ],
        "measures": [
            (of_measure, name, label, m, n)
            for name in hard[1:]
            for label in MEASURES
            for m, n in SIZES[1::2]
        ],
    }
    rows = {}
    for part, each in jobs.items():
        done = Parallel(n_jobs=2)(
            delayed(job)(*settings) for job, *settings in tqdm(each, desc=part, mininterval=2)
        )
        rows[part] = [row for found in done for row in found]
    about = (
        "in how many simulated studies the true difference lies below or above its 95 % interval"
    )
    store(
        "paired_differences", {"about": about, "chosen to break": list(OURS), **rows}, seeds=[SEED]
    )
