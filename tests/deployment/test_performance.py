"""Intervals of a decision's performance: the false positive rate of a threshold that a sample of negatives has set."""

import numpy as np
import pytest
from scipy.stats import beta

from aucbook._evaluation.folds import LabelledRows
from aucbook.deployment.performance import (
    RESAMPLES,
    FlaggedNegatives,
    HeldOutPredictions,
    Resampler,
    performance_with_intervals,
    point_estimates,
)
from aucbook.thresholds import FprGuarantee
from aucbook.thresholds.costs import Costs

ONE_ROW_EACH = LabelledRows(np.array([0, 1]), np.array([0, 1]))


def interval(flagged, n_negatives):
    """95 % interval of the false positive rate, from the resamples of a decision."""
    rows = HeldOutPredictions(ONE_ROW_EACH, np.array([0.2, 0.6]), np.ones(2), np.ones(2))
    resampler = Resampler(rows)
    n_flagged = flagged.share * n_negatives
    places = (np.arange(RESAMPLES) + 0.5) / RESAMPLES
    rates = [resampler.fpr(n_flagged, n_negatives, flagged.is_tied, place) for place in places]
    return np.quantile(rates, [0.025, 0.975])


@pytest.mark.parametrize("n_negatives", [60, 84, 150, 400])
def test_the_interval_holds_the_rate_of_a_guaranteed_threshold(n_negatives):
    """Of uniform scores the rate above the k-th highest of n is Beta(k, n + 1 - k) in law."""
    scores = np.random.default_rng(0).random(n_negatives)
    threshold = FprGuarantee(0.1).threshold(scores).threshold
    flagged = FlaggedNegatives.of(scores, threshold)
    n_flagged = round(flagged.share * n_negatives)
    low, high = interval(flagged, n_negatives)
    rate = beta(n_flagged + 1, n_negatives - n_flagged)
    assert rate.cdf(low) == pytest.approx(0.025, abs=0.003)
    assert rate.sf(high) == pytest.approx(0.025, abs=0.003)


def test_two_levels_leave_the_rate_between_two_laws():
    """With ties the rate is no order statistic: the interval reaches from one law to the other."""
    rng = np.random.default_rng(0)
    held = []
    for _ in range(300):
        rate = rng.uniform(0.01, 0.08)
        scores = (rng.random(150) < rate).astype(float)
        threshold = FprGuarantee(0.1).threshold(scores).threshold
        if threshold > 1:  # no alarms at all: the rate is 0
            continue
        low, high = interval(FlaggedNegatives.of(scores, threshold), 150)
        held.append(low <= rate <= high)
    assert len(held) > 200 and np.mean(held) > 0.9


def test_ties_are_those_of_the_highest_score_below_the_threshold():
    scores = np.array([1.0, 2, 2, 3, 4])
    assert FlaggedNegatives.of(scores, 2.5) == (0.4, True)
    assert FlaggedNegatives.of(scores, 3.5) == (0.2, False)
    assert FlaggedNegatives.of(scores, -np.inf) == (1.0, False)
    assert FlaggedNegatives.of(scores, np.inf) == (0.0, False)


def test_a_budget_that_flags_no_negative_has_an_interval_all_the_same():
    """14 of 14 alarms were right: not every alarm in future will be, nor is the FPR exactly 0."""
    rng = np.random.default_rng(0)
    y = (np.arange(1500) < 33).astype(int)
    scores = 10.0 * y + rng.random(y.size)
    cases = LabelledRows(y, np.array([0, 1]))
    costs = Costs(budget=0.01)
    p = np.clip(0.98 * y + 0.01, 0, 1)
    rows = HeldOutPredictions(cases, p, y + 0.0, scores, costs)
    alarms = scores >= np.sort(scores)[-14]
    numbers = point_estimates(y, alarms, p, 0.9, None, costs)
    performance, _ = performance_with_intervals(
        numbers, rows, None, FlaggedNegatives(1.0, False), 0.95
    )
    assert performance.fpr.value == 0 and performance.precision.value == 1
    # beside the exact intervals, of 0 of 1467 and of 14 of 14
    assert performance.fpr.high == pytest.approx(beta(1, 1467).ppf(0.975), rel=0.5)
    assert performance.precision.low == pytest.approx(beta(14, 1).ppf(0.025), abs=0.1)


def test_a_rule_that_flags_no_case_has_no_false_positives():
    y = np.arange(100) % 2
    rows = HeldOutPredictions(
        LabelledRows(y, np.array([0, 1])), np.full(100, 0.5), y + 0.0, y + 0.0, Costs(budget=0.001)
    )
    numbers = point_estimates(y, np.zeros(100, bool), rows.p, 0.5, None, rows.costs)
    performance, _ = performance_with_intervals(
        numbers, rows, None, FlaggedNegatives(1.0, False), 0.95
    )
    assert tuple(performance.fpr) == (0, 0, 0)
