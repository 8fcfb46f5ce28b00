"""Does a threshold for a maximum false positive rate keep it where negatives come in groups?

Laws chosen to break it, 20, 60 and 300 groups, maximum rates of .05, .1 and .2 at level .95, and 1000 samples of each. The true rate of a
threshold is counted on 200 000 further groups. A threshold fails if its true rate is above the maximum; a method may also refuse.

Rate of rows (`per="row"`), which is what four other methods bound, too, on the first 300 samples:

- "bound": `fpr_threshold`, Gaffke's bound with one group more, as large as the largest, flagged whole;
- "design effect": rows divided by an estimated design effect, with Student's quantiles (Korn and Graubard 1998);
- "ratio, Student": a ratio estimator with its cluster-robust variance, and Student's t with the effective number of groups;
- "bootstrap": the upper quantile of the rate over resampled groups;
- "betting": a test martingale, proved for groups no larger than the largest (Waudby-Smith and Ramdas 2024).

Rate of groups (`per="case"`): the binomial bound on the highest score of each group. Some fifteen minutes of one core.
"""

import numpy as np
from joblib import Parallel, delayed
from scipy.special import betaincinv, logsumexp, stdtrit
from tqdm.auto import tqdm

from aucbook.thresholds import FprGuarantee

from .store import store

GROUPS = (20, 60, 300)
RATES = (0.05, 0.1, 0.2)
LEVEL = 0.95
SAMPLES = 1000
SAMPLES_OF_OTHERS = 300
WORLD = 200_000


def with_icc(sizes, effect, icc, rng):
    """Scores of groups of such sizes, whose effects (standard normal) have the share `icc` of the variance."""
    own = rng.normal(size=sizes.sum())
    return np.sqrt(icc) * np.repeat(effect, sizes) + np.sqrt(1 - icc) * own


def equal_sizes(icc):
    """Ten rows in each group."""

    def law(count, rng):
        sizes = np.full(count, 10)
        return sizes, with_icc(sizes, rng.normal(size=count), icc, rng)

    return law


def informative(spread, typical):
    """The logarithm of the size has this spread and a correlation of .8 with the group's effect; ICC .8."""

    def law(count, rng):
        log_size = rng.normal(size=count)
        effect = 0.8 * log_size + 0.6 * rng.normal(size=count)
        sizes = np.maximum(1, np.round(typical * np.exp(spread * log_size))).astype(int)
        return sizes, with_icc(sizes, effect, 0.8, rng)

    return law


def flagged_whole(count, rng):
    """One group in eight scores far above all others."""
    sizes = 1 + rng.poisson(4, size=count)
    effect = np.where(rng.random(count) < 0.125, 3.0, 0.0) + 0.3 * rng.normal(size=count)
    return sizes, np.repeat(effect, sizes) + 0.4 * rng.normal(size=sizes.sum())


def heavy_tails(count, rng):
    """Effects with infinite variance, geometric sizes."""
    sizes = rng.geometric(0.2, size=count)
    return sizes, np.repeat(rng.standard_t(2, size=count), sizes) + 0.2 * rng.normal(
        size=sizes.sum()
    )


def large_centres(count, rng):
    """One group in twenty is ten times as large and scores higher."""
    large = rng.random(count) < 0.05
    sizes = np.where(large, 30, 3)
    effect = np.where(large, 1.5, 0.0) + rng.normal(size=count)
    return sizes, np.repeat(effect, sizes) + 0.5 * rng.normal(size=sizes.sum())


def small_groups_high(count, rng):
    """Large groups score lower."""
    log_size = rng.normal(size=count)
    sizes = 1 + rng.poisson(np.exp(1 + 0.7 * log_size))
    return sizes, np.repeat(-0.9 * log_size, sizes) + 0.5 * rng.normal(size=sizes.sum())


def tied(count, rng):
    """Sizes tied to score, and scores of one decimal."""
    sizes, scores = informative(0.5, 6)(count, rng)
    return sizes, np.round(scores, 1)


LAWS = {
    "independent rows": equal_sizes(0.0),
    "ICC .5": equal_sizes(0.5),
    "nearly identical rows": equal_sizes(0.99),
    "size tied to score, log-size sd 1.3": informative(1.3, 4),
    "size tied to score, log-size sd .5": informative(0.5, 6),
    "one in eight flagged whole": flagged_whole,
    "heavy tails": heavy_tails,
    "few large centres": large_centres,
    "small groups score high": small_groups_high,
    "tied scores": tied,
}


def counts_of(code, sizes):
    """(flagged rows k = 1 ... n - 1, their rate, the sum of squares of x_g - p n_g): code, the group of each row, highest score first."""
    n = code.size
    order = np.argsort(code, kind="stable")
    earlier = np.empty(n)
    earlier[order] = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    rate = np.arange(1, n + 1) / n
    squares = np.cumsum(2 * earlier + 1)
    products = np.cumsum(sizes[code])
    return rate, squares - 2 * rate * products + rate**2 * np.sum(sizes**2)


def first_unsafe(safe):
    """How many may be flagged: all before the first k that is not safe."""
    return int(np.argmin(safe)) if not safe.all() else safe.size


def design_effect(code, sizes, max_fpr):
    rate, squares = counts_of(code, sizes)
    n, groups = code.size, sizes.size
    variance = squares / n**2 * groups / (groups - 1)
    rows = np.clip(rate * (1 - rate) / np.maximum(variance, 1e-300), n**2 / np.sum(sizes**2), n)
    first = max(1, int(max_fpr * n / 2))
    typical = 1 / np.mean(1 / rows[first - 1 : max(first, int(2 * max_fpr * n))])
    rows = np.minimum(rows, typical) * (stdtrit(n - 1, LEVEL) / stdtrit(groups - 1, LEVEL)) ** 2
    flagged, rows = rate[:-1] * rows[:-1], rows[:-1]
    return first_unsafe(betaincinv(flagged + 1, rows - flagged, LEVEL) <= max_fpr)


def ratio_student(code, sizes, max_fpr):
    rate, squares = counts_of(code, sizes)
    groups = code.size**2 / np.sum(sizes**2)  # Kish's effective number
    error = np.sqrt(squares / code.size**2 * groups / (groups - 1))
    return first_unsafe(rate + stdtrit(groups - 1, LEVEL) * error <= max_fpr)


def bootstrap(code, sizes, max_fpr, resamples=200):
    rng = np.random.default_rng(0)
    times = rng.multinomial(sizes.size, np.full(sizes.size, 1 / sizes.size), resamples)
    flagged = np.cumsum(times[:, code], axis=1)
    rates = flagged / (times @ sizes)[:, None]
    return first_unsafe(np.quantile(rates, LEVEL, axis=0) <= max_fpr)


def betting(code, sizes, max_fpr):
    """A mixture of bets on the mean of max_fpr * n_g - x_g, which is at most 0 where the rate is too high; None if refused."""
    bets = np.linspace(0.02, 1, 50) / ((1 - max_fpr) * sizes.max()) * (1 - 1e-12)

    def safe(flagged):
        gain = max_fpr * sizes - np.bincount(code[:flagged], minlength=sizes.size)
        wealth = np.log1p(bets[:, None] * gain).sum(axis=1)
        return logsumexp(wealth) - np.log(bets.size) >= -np.log(1 - LEVEL)

    if not safe(0):
        return None
    low, high = 0, int(max_fpr * code.size) + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if safe(middle) else (low, middle)
    return low


OTHERS = {
    "design effect": design_effect,
    "ratio, Student": ratio_student,
    "bootstrap": bootstrap,
    "betting": betting,
}


def guaranteed(scores, code, max_fpr, per):
    """The threshold of the library; None if it refuses."""
    try:
        return FprGuarantee(max_fpr, LEVEL).threshold(scores, code, per).threshold
    except ValueError:
        return None


def thresholds(law, count, max_fpr, seed):
    """{method: threshold, or None if it refuses} of one sample."""
    rng = np.random.default_rng([count, int(1000 * max_fpr), seed])
    sizes, scores = LAWS[law](count, rng)
    code = np.repeat(np.arange(count), sizes)
    found = {
        "bound": guaranteed(scores, code, max_fpr, "row"),
        "per case": guaranteed(scores, code, max_fpr, "case"),
    }
    if seed < SAMPLES_OF_OTHERS:
        order = np.argsort(-scores, kind="stable")
        for name, method in OTHERS.items():
            flagged = method(code[order], sizes, max_fpr)
            found[name] = None if flagged is None else np.nextafter(scores[order[flagged]], np.inf)
    return found


def row_of(law, count, max_fpr, world):
    """One row of the results for each method; world: sorted (scores of rows, highest scores of groups) of very many groups."""
    found = [thresholds(law, count, max_fpr, seed) for seed in range(SAMPLES)]
    rows = []
    for method in found[0]:
        answers = [each[method] for each in found if method in each]
        given = np.array([theta for theta in answers if theta is not None])
        all_scores = world[method == "per case"]
        rates = 1 - np.searchsorted(all_scores, given) / all_scores.size
        rows.append(
            {
                "law": law,
                "groups": count,
                "max_fpr": max_fpr,
                "method": method,
                "samples": len(answers),
                "refused": len(answers) - given.size,
                "broken": int(np.sum(rates > max_fpr)),
                "mean rate": round(float(rates.mean()), 5) if given.size else None,
            }
        )
    return rows


def run():
    rows = []
    for law in tqdm(LAWS):
        sizes, scores = LAWS[law](WORLD, np.random.default_rng(99))
        code = np.repeat(np.arange(WORLD), sizes)
        highest = np.full(WORLD, -np.inf)
        np.maximum.at(highest, code, scores)
        world = np.sort(scores), np.sort(highest)
        jobs = (delayed(row_of)(law, count, rate, world) for count in GROUPS for rate in RATES)
        for found in Parallel(n_jobs=1)(jobs):
            rows += found
    store(
        "group_thresholds",
        {"confidence_level": LEVEL, "rows": rows},
        seeds=[f"0 to {SAMPLES - 1}", 99],
    )
