"""From a prevalence, costs and a budget to a threshold: worked by hand, against counting, and at the ends."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aucbook import decision_curve, net_benefit, optimal_threshold, roc_curve
from aucbook.thresholds import (
    adjust_prevalence,
    benefit,
    cost_curve,
    max_fpr_for_precision,
    net_benefit_of_rates,
)

# nine patients: walk down from 9, three sick of four among the first five
Y, S = [1, 1, 0, 1, 0, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4, 3, 2, 1]


def test_by_hand():
    best = optimal_threshold(Y, S, prevalence=0.2, miss_cost=4)
    # one false alarm costs a quarter of a miss: at 6 there are 3 of 4 sick and 1 of 5 healthy
    assert best.threshold == 6 and (best.fpr, best.tpr) == (0.2, 0.75)
    assert best.alarm_rate == pytest.approx(
        0.2 * 0.75 + 0.8 * 0.2
    ) and best.precision == pytest.approx(0.15 / 0.31)
    assert best.net_benefit == pytest.approx(0.2 * 0.75 - 0.25 * 0.8 * 0.2)
    assert optimal_threshold(Y, S, prevalence=0.2, miss_cost=4, budget=0.3).threshold == 8
    assert (
        optimal_threshold(Y, S, prevalence=0.2, miss_cost=400).threshold == 3
    )  # a miss is so expensive that no positive is missed
    assert optimal_threshold(Y, S, budget=None) == optimal_threshold(Y, S, budget=1.0)
    assert optimal_threshold(Y, S, miss_cost=1) == optimal_threshold(
        Y, S, miss_cost=7, alarm_cost=7
    )  # only the ratio counts
    assert optimal_threshold(Y, S, prevalence=4 / 9) == pytest.approx(optimal_threshold(Y, S))


def test_no_positive_predictions():
    y = [0, 1, 0, 1, 1, 0, 0, 0, 1]  # the highest score is a false alarm
    for best in (
        optimal_threshold(y, S, prevalence=0.001, alarm_cost=2000),
        optimal_threshold(y, S, budget=0.01),
    ):
        assert best.threshold == math.inf and best.alarm_rate == 0 and best.net_benefit == 0
        assert math.isnan(best.precision)


@pytest.mark.parametrize("prevalence", [1e-3, 1e-9, 1e-12, 1e-100, 1e-300])
def test_a_rare_disease_still_has_positive_net_benefit(prevalence):
    best = optimal_threshold([0, 0, 1, 1], [1, 2, 3, 4], prevalence=prevalence)
    assert (best.threshold, best.fpr, best.tpr) == (3, 0, 1) and best.net_benefit == prevalence
    assert (
        optimal_threshold(
            [0, 0, 1, 1], [1, 2, 3, 4], prevalence=prevalence, budget=prevalence / 2
        ).threshold
        == 4
    )


def test_costs_that_have_no_ratio():
    for costs in (
        {"miss_cost": 1e-310, "alarm_cost": 1e10},
        {"miss_cost": 1e300, "alarm_cost": 1e-100},
    ):
        with pytest.raises(
            ValueError, match="alarm_cost / miss_cost must be a positive number, got"
        ):
            optimal_threshold(Y, S, **costs)


def test_exact_budget_and_equal_net_benefit():
    # three tenths of all cases, as a sum that is not 0.3 in floating point
    y, s = np.r_[np.ones(5), np.zeros(5)], np.arange(10)[::-1]
    assert optimal_threshold(y, s, budget=0.1 + 0.2).alarm_rate == pytest.approx(0.3)
    # thresholds 4 and 1 have equal net benefit: one more true positive for two false positives at half the cost; fewer alarms win
    assert optimal_threshold([1, 0, 0, 1], [4, 3, 2, 1], prevalence=0.5, miss_cost=2).threshold == 4


def test_max_fpr_for_a_precision_reaches_it():
    for prevalence, q in ((0.3, 0.5), (0.01, 0.25), (0.001, 0.1)):
        f = max_fpr_for_precision(prevalence, q)
        assert prevalence / (prevalence + (1 - prevalence) * f) == pytest.approx(q)
    assert max_fpr_for_precision(0.6, 0.1) == 1


def test_adjusting_the_prevalence_there_and_back():
    p = np.linspace(0, 1, 11)
    np.testing.assert_allclose(
        adjust_prevalence(adjust_prevalence(p, 0.4, 0.03), 0.03, 0.4), p, atol=1e-12
    )
    assert adjust_prevalence(0.03, 0.03, 0.2) == pytest.approx(
        0.2
    )  # an uninformative probability is the prevalence


def test_adjusting_the_prevalence_from_and_to_the_smallest():
    np.testing.assert_array_equal(adjust_prevalence([0, 0.5, 1], 1e-310, 0.5), [0, 1, 1])
    np.testing.assert_array_equal(adjust_prevalence([0, 0.5, 1], 1 - 1e-16, 1e-320), [0, 0, 1])
    # as a difference of logarithms of some 700, which keep three digits less
    assert adjust_prevalence(1e-310, 1e-310, 0.2) == pytest.approx(0.2, rel=1e-11)
    assert adjust_prevalence(1 - 1e-16, 1 - 1e-16, 1e-305) == pytest.approx(1e-305, rel=1e-11)


probabilities = st.lists(
    st.tuples(st.booleans(), st.integers(0, 10), st.integers(1, 3)), min_size=2, max_size=40
).filter(lambda rows: len({label for label, _, _ in rows}) == 2)


@given(probabilities, st.lists(st.floats(0, 0.99), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_net_benefit_by_counting(rows, thresholds):
    y, p, w = map(np.array, zip(*rows))
    p, thresholds = p / 10, np.r_[thresholds, 0.0, 0.3]
    for weight in (np.ones(y.size), w):
        slow = [
            np.average((p >= t) * np.where(y, 1, -t / (1 - t)), weights=weight) for t in thresholds
        ]
        np.testing.assert_allclose(
            net_benefit(y, p, thresholds, sample_weight=weight), slow, atol=1e-10
        )
    assert net_benefit(y, p, 0.0) == pytest.approx(y.mean())


def test_decision_curve_band():
    rng = np.random.default_rng(0)
    p = rng.random(400)
    y = rng.random(400) < p
    curve = decision_curve(y, p, random_state=1, n_resamples=200)
    assert (curve.low <= curve.net_benefit + 1e-9).mean() > 0.9 and (
        curve.high >= curve.net_benefit - 1e-9
    ).mean() > 0.9
    np.testing.assert_array_equal(
        curve.low, decision_curve(y, p, random_state=1, n_resamples=200).low
    )
    # beyond all other resampling: rows drawn one by one
    draws = rng.integers(0, 400, (400, 400))
    slow = np.quantile([net_benefit(y[d], p[d], 0.4) for d in draws], (0.025, 0.975))
    quick = decision_curve(y, p, [0.4], random_state=2, n_resamples=400)
    np.testing.assert_allclose((quick.low[0], quick.high[0]), slow, atol=0.02)


def test_decision_curve_of_groups_and_weights():
    rng = np.random.default_rng(0)
    p = np.repeat(rng.random(100), 4)
    y = rng.random(400) < p
    group, weight = np.repeat(np.arange(100), 4), rng.integers(0, 3, 400)
    options = {"thresholds": [0.4], "random_state": 1, "n_resamples": 800}

    # beyond the code's own counting: whole groups drawn one by one, rows written as often as they weigh
    def slow(weight):
        rows = rng.integers(0, 100, (800, 100))[:, :, None] * 4 + np.arange(4)
        again = [np.repeat(d.ravel(), weight[d.ravel()]) for d in rows]
        return np.quantile([net_benefit(y[d], p[d], 0.4) for d in again], (0.025, 0.975))

    for w in (None, weight):
        curve = decision_curve(y, p, groups=group, sample_weight=w, **options)
        copies = np.ones(400, int) if w is None else weight
        np.testing.assert_allclose((curve.low[0], curve.high[0]), slow(copies), atol=0.02)
        assert curve.net_benefit[0] == pytest.approx(
            net_benefit(np.repeat(y, copies), np.repeat(p, copies), 0.4)
        )
    alone = decision_curve(y, p, **options)
    singletons = decision_curve(y, p, groups=np.arange(400), **options)
    np.testing.assert_allclose(
        (singletons.low, singletons.high), (alone.low, alone.high), atol=0.02
    )  # other draws of the same law
    one, three = (
        decision_curve(*(np.tile(v, k) for v in (y, p)), groups=np.tile(group, k), **options)
        for k in (1, 3)
    )
    np.testing.assert_allclose((three.low, three.high), (one.low, one.high), atol=1e-12)
    with pytest.raises(ValueError, match="groups must be 400"):
        decision_curve(y, p, groups=group[:-1])


def test_a_curve_of_many_probabilities_merges_those_between_thresholds(monkeypatch):
    rng = np.random.default_rng(0)
    p = rng.random(3000).round(3)
    y = rng.random(3000) < p
    group, weight = np.arange(3000) // 3, rng.integers(0, 3, 3000)
    thresholds = [0.05, 0.3, p[7], 0.9995, 0.9]  # one equals a probability, and one is above all
    settings = {"random_state": 1, "n_resamples": 400}
    for options in ({}, {"groups": group}, {"sample_weight": weight}, {"prevalence": 0.1}):
        full = decision_curve(y, p, thresholds, **settings, **options)
        with monkeypatch.context() as changed:
            changed.setattr(benefit, "MANY", 10)
            merged = decision_curve(y, p, thresholds, **settings, **options)
        np.testing.assert_array_equal(merged.net_benefit, full.net_benefit)
        if options.keys() & {"groups", "sample_weight"}:  # the same resamples
            np.testing.assert_allclose(merged.low, full.low, rtol=0, atol=1e-12)
        np.testing.assert_allclose(merged.low, full.low, rtol=0.1, atol=0.02)
        np.testing.assert_allclose(merged.high, full.high, rtol=0.1, atol=0.02)


@given(probabilities)
@settings(max_examples=60, deadline=None)
def test_cost_curve_is_the_lowest_line(rows):
    y, s, w = map(np.array, zip(*rows))
    curve, costs = roc_curve(y, s, sample_weight=w), cost_curve(y, s, sample_weight=w)
    kappa = np.linspace(0, 1, 41)
    lines = np.outer(1 - curve.tpr, kappa) + np.outer(curve.fpr, 1 - kappa)
    np.testing.assert_allclose(np.interp(kappa, costs.share, costs.cost), lines.min(0), atol=1e-10)
    assert costs.thresholds.size == costs.share.size - 1 and (np.diff(costs.share) >= 0).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: max_fpr_for_precision(0, 0.5),
        lambda: max_fpr_for_precision(0.1, 1),
        lambda: net_benefit_of_rates(1.2, 0.5, 0.1),
        lambda: net_benefit_of_rates(0.1, 0.5, 0.1, miss_cost=0),
        lambda: net_benefit_of_rates(0.1, 0.5, 0.1, alarm_cost=float("inf")),
        lambda: optimal_threshold(Y, S, prevalence=1.0),
        lambda: optimal_threshold(Y, S, budget=0),
        lambda: optimal_threshold([1, 1], [1, 2]),
        lambda: optimal_threshold([0, 1], [1, float("nan")]),
        lambda: net_benefit(Y, S, 0.5),
        lambda: net_benefit([0, 1], [0.1, 0.9], 1.0),
        lambda: net_benefit([0, 1], [0.1, 0.9], -0.1),
        lambda: decision_curve([0, 1], [0.1, 0.9], confidence_level=95),
        lambda: decision_curve([0, 1], [0.1, 0.9], n_resamples=1),
        lambda: cost_curve([1, 1], [1, 2]),
        lambda: adjust_prevalence(1.1, 0.1, 0.2),
        lambda: adjust_prevalence(0.1, 0, 0.2),
    ],
)
def test_errors_name_the_bad_argument(call):
    with pytest.raises(ValueError, match=".{15}"):
        call()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.nan, 0.1, 0.2), r"p must lie in \[0, 1\], got nan"),
        (([0.1, np.nan, 0.3], 0.1, 0.2), r"p must lie in \[0, 1\], got NaN in 1 of 3 values"),
        (([0.1, 1.5], 0.1, 0.2), "p must .*, got values from 0.1 to 1.5"),
        ((0.1, 2, 0.2), "old must be .*, the prevalence at which p holds, got 2"),
        ((0.1, 0.2, 1), "new must be .*, the prevalence of the target population, got 1"),
    ],
)
def test_an_error_of_an_adjusted_prevalence_says_which(arguments, message):
    with pytest.raises(ValueError, match=message):
        adjust_prevalence(*arguments)
