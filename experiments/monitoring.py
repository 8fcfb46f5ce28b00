"""How often does a monitor warn while a rate is within its bound, how soon once it is not, and does its set contain the batch of the change?

The protocol, written down before the run:

- Two guaranteed rates: .1, with 100 labelled negatives a month, and .01, with 500. Two horizons: a year and five years. YEARS simulated runs each.
- Satisfied: the rate is the guaranteed one itself, the hardest case. Also at three quarters of it, where a guaranteed threshold leaves it.
- Violated: the rate is three quarters of the guaranteed one and becomes 1.5, 2 or 3 times as large as it, from the first month on or after
  two years; what counts are the negatives between the change and the first warning, within three more years.
- Monitors: `rate_monitor` at level .95, which looks after every month; a binomial test of each month's labels at .05, and at .05 / 12, as
  Bonferroni has it for a year; CUSUM of the log-likelihood ratio of twice the guaranteed odds against these, whose limit is set by
  CALIBRATION simulated years at the guaranteed rate so that it warns in 5 % of years.
- Chosen to break it: labels of old months, filled in up to half a year later, with a look each month at the whole log;
  and labels of flagged cases which arrive at once, while all others come half a year late.
- The other rates at their bounds, and calibrated probabilities (exactly, and as far off as the tolerance allows), for five years.
- The set for the change: RUNS runs of each law of `coverage`. Counted are runs with a warning; false ones (before the change); of the runs
  without a false one those whose set misses the change, and the same share of those with a right warning; the median width of the set
  and the median distance of the likely batch from the true one.

Some minutes of one core.
"""

from math import ceil

import numpy as np
from scipy.stats import binom
from tqdm.auto import tqdm

from aucbook.deployment import CalibrationMonitor, rate_monitor
from aucbook.deployment.monitoring import carry_on, first_state, rate_steps, wealth_of

from .store import store

YEARS = 1000
RUNS = 1000
CALIBRATION = 20_000
LEVEL = 0.95
MONTHS = 12
TWO_CHANGES = ("swings around the bound", "small excess long before")
GUARANTEES = ((0.1, 100), (0.01, 500))
TIMES = (1.5, 2, 3)


def first(warned):
    """The first month of each run (runs, months) with a warning; infinite for none."""
    return np.where(warned.any(axis=1), warned.argmax(axis=1).astype(float), np.inf)


def monitor(counts, n, rate):
    """First month in which `rate_monitor` warns; counts: (runs, months) of false alarms among n negatives each."""
    negatives, out = np.full(counts.shape[1], n), []
    for row in counts:  # its game, on counts; the first runs by the function itself as well
        bets, idle, _ = carry_on(
            first_state(4), rate_steps(negatives, row, rate), negatives, ceil(1 / rate)
        )
        wealth = wealth_of(bets, idle)
        out.append(first(wealth[None] >= 1 / (1 - LEVEL))[0])
    for row, month in zip(counts[:10], out):
        alarms = (np.arange(n) < row[:, None]).ravel().astype(float)
        result = rate_monitor(
            np.zeros(alarms.size),
            alarms,
            bound=rate,
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
            if rate_monitor(
                labels, alarms.ravel(), bound=rate, batches=month, confidence_level=LEVEL
            ).raised:
                warned += 1
                break
    return warned / (YEARS // 5)


def delays():
    """Results of all monitors where the bound is satisfied, and where it is violated."""
    out = {}
    for rate, n in tqdm(GUARANTEES):
        monitors = {
            "rate_monitor": monitor,
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
            for times in TIMES:
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
        out[f"{rate:g}"] = {"negatives a month": n, "satisfied": satisfied, "violated": violated}
    return out


def at_bounds(seed=4):
    """Share of runs of five years with a warning, for rates at their bounds and for calibrated probabilities."""
    rng = np.random.default_rng(seed)
    months, n = 5 * MONTHS, 40
    batches = np.repeat(np.arange(months), n)
    out = {}
    for rate, bound in (("tpr", 0.8), ("precision", 0.6), ("npv", 0.97), ("alarm_rate", 0.05)):
        warned = 0
        for _ in tqdm(range(RUNS), leave=False):
            hit = rng.random(batches.size) < bound
            ones = np.ones(batches.size)
            labels, alarms = {
                "tpr": (ones, hit),
                "precision": (hit, ones),
                "npv": (1 - hit, 0 * ones),
                "alarm_rate": (None, hit),
            }[rate]
            warned += rate_monitor(labels, alarms, rate=rate, bound=bound, batches=batches).raised
        out[f"{rate} {bound:g}"] = warned / RUNS
    for tolerance, off in ((0.0, 0.0), (0.05, 0.0), (0.05, 0.05), (0.05, -0.05)):
        warned = 0
        for _ in tqdm(range(RUNS), leave=False):
            p = rng.beta(1, 3, batches.size)
            labels = rng.random(p.size) < np.clip(p + off, 0, 1)
            test = CalibrationMonitor(tolerance=tolerance)
            warned += test.update(labels, p, batches=batches).raised
        out[f"calibration, tolerance {tolerance:g}, off by {off:g}"] = warned / RUNS
    return out


def by_row(run, rates):
    """A log of single rows."""
    return {"labels": np.zeros(rates.size), "alarms": run.random(rates.size) < rates}


def in_months(rng, rates, n):
    """A log of months with n negatives each, whose labels are known at once."""
    alarms = rng.random((rates.size, n)) < rates[:, None]
    return {
        "labels": np.zeros(alarms.size),
        "alarms": alarms.ravel(),
        "batches": np.repeat(np.arange(rates.size), n),
    }


def late_labels(rng, rates, n, delay=6):
    """The same with labels in rows of their own, up to `delay` months late."""
    alarms = (rng.random((rates.size, n)) < rates[:, None]).ravel().astype(float)
    scored = np.repeat(np.arange(rates.size), n)
    comes = scored + rng.integers(1, delay + 1, scored.size)
    keys = np.arange(scored.size)
    gone = np.full(scored.size, np.nan)
    batches = np.r_[scored, comes]
    order = np.argsort(batches, kind="stable")
    return {
        "labels": np.r_[gone, np.zeros(scored.size)][order],
        "alarms": np.r_[alarms, gone][order],
        "keys": np.r_[keys, keys][order],
        "batches": batches[order],
    }


def step(before, after, n_before=24, n_after=36):
    """Rates of n_before batches, and of n_after."""
    return np.repeat([before, after], [n_before, n_after])


def rate_laws():
    """{law: (options of the monitor, bound, function of a generator that gives rates by batch and a log)}."""

    def law(rates, n=100):
        return lambda rng: (rates, in_months(rng, rates, n))

    def middle(rng):
        rates = step(0.05, 0.2)
        log = in_months(rng, rates, 100)
        half = (log["batches"] == 24) & (np.arange(log["labels"].size) % 100 < 50)
        log["alarms"] = np.where(half, rng.random(half.size) < 0.05, log["alarms"])
        return rates, log

    def varying(rng):
        rates = np.r_[rng.uniform(0, 0.1, 24), rng.uniform(0.1, 0.3, 36)]
        return rates, in_months(rng, rates, 100)

    def rows(rng):
        rates = step(0.05, 0.2, 1000, 1000)
        return rates, by_row(rng, rates)

    def positives(rng):
        rates = step(0.1, 0.35)  # of misses
        log = in_months(rng, rates, 10)
        return rates, log | {"labels": 1 + log["labels"], "alarms": ~log["alarms"]}

    fpr = {"rate": "fpr"}
    months = np.arange(60)
    return {
        "abrupt: .075, then .2": (fpr, 0.1, law(step(0.075, 0.2))),
        "from the bound itself: .1, then .15": (fpr, 0.1, law(step(0.1, 0.15))),
        "barely: .09, then .115": (fpr, 0.1, law(step(0.09, 0.115, 24, 96))),
        "drifts from .05 to .2": (fpr, 0.1, law(np.linspace(0.05, 0.2, 60))),
        "hardly above for two years, then .3": (
            fpr,
            0.1,
            law(np.repeat([0.05, 0.1001, 0.3], [12, 24, 24])),
        ),
        "varies below, then above": (fpr, 0.1, varying),
        "in the middle of a batch": (fpr, 0.1, middle),
        "batches of one row": (fpr, 0.1, rows),
        "in the first batch": (fpr, 0.1, law(step(0.2, 0.2, 0, 36))),
        "two batches before the end": (fpr, 0.1, law(step(0.05, 0.2, 24, 2))),
        "rates of .0005, then .003": (fpr, 0.001, law(step(0.0005, 0.003), 1000)),
        "TPR .9, then .65, ten a month": ({"rate": "tpr"}, 0.8, positives),
        "labels half a year late": (
            fpr,
            0.1,
            lambda rng: (step(0.05, 0.2), late_labels(rng, step(0.05, 0.2), 100)),
        ),
        "swings around the bound": (
            fpr,
            0.1,
            law(0.1 * (1 + 0.8 * np.sin(2 * np.pi * (months + 7) / 12))),
        ),
        "small excess long before": (
            fpr,
            0.1,
            law(np.repeat([0.05, 0.12, 0.03, 0.2], [6, 3, 24, 24])),
        ),
    }


def summary(rows):
    """Shares and medians of rows (warned, false, missed, width, distance)."""
    warned, false, missed, width, distance = np.array(rows, float).T
    right = (warned == 1) & (false == 0)
    return {
        "warned": float(warned.mean()),
        "false": float(false.mean()),
        "missed": float(missed[false == 0].mean()),
        "missed if warned": float(missed[right].mean()),
        "width": float(np.median(width[right])),
        "distance": float(np.median(distance[right])),
    }


def outcome(test, change):
    """(warned, false, missed, width, distance) of a run; change: index of the first changed batch."""
    if not test.raised:
        return 0, 0, 0, np.nan, np.nan
    low = test.since_low
    high = test.since_high
    is_false = int(high < change)
    is_missed = int(not low <= change <= high)
    return 1, is_false, is_missed, high - low + 1, abs(test.since - change)


def coverage(seed=5):
    """{law: its summary}."""
    out = {}
    for name, (options, bound, law) in tqdm(rate_laws().items()):
        rng = np.random.default_rng(seed)
        results = {}
        for _ in tqdm(range(RUNS), leave=False):
            rates, log = law(rng)
            test = rate_monitor(**log, **options, bound=bound)
            beyond = rates > (bound if options["rate"] == "fpr" else 1 - bound)
            changes = {"": int(np.argmax(beyond))}
            if name in TWO_CHANGES:
                last = test.since_high if test.raised else 0
                inside = np.flatnonzero(~beyond[: last + 1])
                begin = int(inside[-1]) + 1 if inside.size else 0
                changes = {": first excess": changes[""], ": start of the excess": begin}
            for suffix, change in changes.items():
                results.setdefault(name + suffix, []).append(outcome(test, change))
        out |= {name: summary(rows) for name, rows in results.items()}
    for name, shift in (("too high", 0.15), ("too low", -0.15)):
        rng = np.random.default_rng(seed)
        rows = []
        for _ in tqdm(range(RUNS), leave=False):
            month = np.repeat(np.arange(40), 100)
            p = rng.uniform(0.2, 0.8, month.size)
            true = np.where(month >= 20, p - shift, p)
            test = CalibrationMonitor()
            test.update(rng.random(p.size) < true, p, batches=month)
            rows.append(outcome(test, 20))
        out[f"probabilities become {name} by .15"] = summary(rows)
    return out


def run():
    labels = {"filled in": ahead(100, 0.1, False), "alarms first": ahead(100, 0.1, True)}
    store(
        "monitoring",
        {
            "bounds": delays(),
            "labels": labels,
            "kept": at_bounds(),
            "coverage": coverage(),
            "confidence_level": LEVEL,
            "runs": YEARS,
        },
        seeds=[0, 1, 3, 4, 5],
    )
