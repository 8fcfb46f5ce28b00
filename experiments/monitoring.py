"""How often does a monitor of a guaranteed false positive rate warn while the guarantee holds, and how soon once it is violated?

The protocol, written down before the run:

- Two guaranteed rates: .1, with 100 labelled negatives a month, and .01, with 500. Two horizons: a year and five years. YEARS simulated runs each.
- Kept: the rate is the guaranteed one itself, the hardest case. Also at three quarters of it, where a guaranteed threshold leaves it.
- Broken: the rate is three quarters of the guaranteed one and becomes 1.5, 2 or 3 times as large as it, from the first month on or after
  two years; what counts are the negatives between the change and the first warning, within three more years.
- Monitors: `fpr_monitor` at level .95, which looks after every month; a binomial test of each month's labels at .05, and at .05 / 12, as
  Bonferroni has it for a year; CUSUM of the log-likelihood ratio of twice the guaranteed odds against these, whose limit is set by
  CALIBRATION simulated years at the guaranteed rate so that it warns in 5 % of years.
- Chosen to break it: labels of old months, filled in up to half a year later, with a look each month at the whole log;
  and labels of flagged cases which arrive at once, while all others come half a year late.

A few minutes of one core.
"""

import numpy as np
from scipy.stats import binom
from tqdm.auto import tqdm

from aucbook.deployment import fpr_monitor
from aucbook.deployment.monitoring import wealth_of_bets

from .store import store

YEARS = 1000
CALIBRATION = 20_000
LEVEL = 0.95
MONTHS = 12
GUARANTEES = ((0.1, 100), (0.01, 500))
BROKEN = (1.5, 2, 3)


def first(warned):
    """The first month of each run (runs, months) with a warning; infinite for none."""
    return np.where(warned.any(axis=1), warned.argmax(axis=1).astype(float), np.inf)


def monitor(counts, n, rate):
    """First month in which `fpr_monitor` warns; counts: (runs, months) of false alarms among n negatives each."""
    negatives, out = np.full(counts.shape[1], n), []
    for row in counts:  # its game, on counts; the first runs by the function itself as well
        bets, idle, _ = wealth_of_bets(negatives, row, rate)
        wealth = np.exp(np.minimum(bets, 700)).mean(axis=1) + idle
        out.append(first(wealth[None] >= 1 / (1 - LEVEL))[0])
    for row, month in zip(counts[:10], out):
        alarms = (np.arange(n) < row[:, None]).ravel().astype(float)
        result = fpr_monitor(
            np.zeros(alarms.size),
            alarms,
            rate,
            batches=np.repeat(np.arange(row.size), n),
            confidence_level=LEVEL,
        )
        assert month == (result.at if result.raised else np.inf)
    return np.array(out, float)


def monthly(alpha):
    """A monitor that tests each month by itself."""
    return lambda counts, n, rate: first(binom.sf(counts - 1, n, rate) <= alpha)


def path(counts, n, rate):
    """CUSUM after each month."""
    q = 2 * rate / (1 + rate)
    step = counts * np.log(q / rate) + (n - counts) * np.log((1 - q) / (1 - rate))
    now, out = np.zeros(len(counts)), []
    for month in step.T:
        now = np.maximum(now + month, 0)
        out.append(now)
    return np.array(out).T


def cusum(n, rate):
    """A monitor by CUSUM that warns in 5 % of years at the guaranteed rate."""
    counts = np.random.default_rng(0).binomial(n, rate, (CALIBRATION, MONTHS))
    limit = np.quantile(path(counts, n, rate).max(axis=1), LEVEL, method="higher")
    return lambda counts, n, rate: first(path(counts, n, rate) > limit)


def ahead(n, rate, fast, months=36, delay=6, seed=3):
    """Share of runs with a warning at the guaranteed rate, where labels come up to `delay` months late, and the whole log is read each month."""
    rng, warned = np.random.default_rng(seed), 0
    for _ in tqdm(range(YEARS // 5), leave=False):
        alarms = rng.random((months, n)) < rate
        late = (
            np.where(alarms & fast, 0, delay) if fast else rng.integers(0, delay + 1, alarms.shape)
        )
        comes, month = np.arange(months)[:, None] + late, np.repeat(np.arange(months), n)
        for now in range(months):
            labels = np.where(comes <= now, 0.0, np.nan).ravel()
            if fpr_monitor(
                labels, alarms.ravel(), rate, batches=month, confidence_level=LEVEL
            ).raised:
                warned += 1
                break
    return warned / (YEARS // 5)


def run():
    out = {}
    for rate, n in tqdm(GUARANTEES):
        monitors = {
            "fpr_monitor": monitor,
            "monthly test": monthly(0.05),
            "monthly, Bonferroni": monthly(0.05 / 12),
        }
        monitors["CUSUM"] = cusum(n, rate)
        rng = np.random.default_rng(1)
        satisfied = {}
        violated = {}
        for share in (1.0, 0.75):
            counts = rng.binomial(n, share * rate, (YEARS, 5 * MONTHS))
            for name, monitor_of in monitors.items():
                when = monitor_of(counts, n, rate)
                satisfied.setdefault(name, {})[f"{share:g}"] = [
                    float(np.mean(when < m)) for m in (MONTHS, 5 * MONTHS)
                ]
        for good in (0, 24):
            for times in BROKEN:
                share = np.r_[np.full(good, 0.75), np.full(36, times)]
                counts = rng.binomial(n, share * rate, (YEARS, share.size))
                for name, monitor_of in monitors.items():
                    when = monitor_of(counts, n, rate)
                    late = (
                        when[when >= good] - good + 1
                    ) * n  # runs with an earlier warning are the row above
                    violated.setdefault(name, {})[f"{good}, {times:g}"] = [
                        float(np.median(late)) if np.isfinite(np.median(late)) else None,
                        float(np.mean(np.isfinite(late))),
                    ]
        out[f"{rate:g}"] = {"negatives a month": n, "kept": satisfied, "broken": violated}
    labels = {"filled in": ahead(100, 0.1, False), "alarms first": ahead(100, 0.1, True)}
    store(
        "monitoring",
        {"promises": out, "labels": labels, "confidence_level": LEVEL, "runs": YEARS},
        seeds=[0, 1, 3],
    )
