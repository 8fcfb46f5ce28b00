"""Costs of misses and false alarms: the threshold of lowest cost by trying all, costs by row, decision curves, decisions, command line."""

import csv
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from command_line import use_rankers
from decision_problems import P1, decision_problem
from scipy.special import expit
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from aucbook import (
    NetBenefit,
    PAVCalibrator,
    cli,
    compare,
    decision_curve,
    load_decision,
    net_benefit,
    optimal_threshold,
)
from aucbook.reporting.recommendation import advice, policy_cells
from aucbook.thresholds import adjust_prevalence
from aucbook.thresholds.costs import Costs


# ---------------------------------------------------------------- the threshold of lowest cost
def cheapest_threshold(
    y,
    s,
    *,
    miss_cost,
    alarm_cost,
    budget=1.0,
    min_threshold=-math.inf,
    prevalence=None,
    sample_weight=None,
):
    """(lowest cost per case, highest threshold that has it), by trying all thresholds within the budget."""
    positive = y == 1
    w = np.ones(y.size) if sample_weight is None else sample_weight
    share = np.average(positive, weights=w) if prevalence is None else prevalence
    lowest_cost = math.inf
    best = None
    for threshold in [math.inf, *sorted(set(s[w > 0]), reverse=True)]:
        flagged = s >= threshold
        tpr = np.average(flagged[positive], weights=w[positive])
        fpr = np.average(flagged[~positive], weights=w[~positive])
        alarm_rate = share * tpr + (1 - share) * fpr
        if threshold < min_threshold or alarm_rate > budget + 1e-12:
            continue
        cost_of_misses = np.average(miss_cost[positive] * ~flagged[positive], weights=w[positive])
        cost = share * cost_of_misses + (1 - share) * alarm_cost * fpr
        if cost < lowest_cost - 1e-12:
            lowest_cost = cost
            best = threshold
    return lowest_cost, best


@pytest.mark.parametrize("by_row, weighted, tied", [*itertools.product((False, True), repeat=3)])
def test_optimal_threshold_by_trying_all(by_row, weighted, tied):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        y = np.r_[0, 1, rng.random(40) < 0.4].astype(int)
        s = np.round(y + rng.normal(size=42), 0 if tied else 6)
        w = np.r_[1.0, 1.0, rng.integers(0, 3, 40)] if weighted else None
        miss = (
            rng.exponential(10, 42) * (rng.random(42) < 0.8) + np.r_[0, 1, np.zeros(40)]
            if by_row
            else 5.0
        )
        alarm_cost = rng.exponential(5) + 0.1
        budget = rng.choice([1.0, 0.3, 0.02])
        min_threshold = rng.choice([-math.inf, 0.5])
        prevalence = rng.choice([None, 0.1])
        options = {
            "alarm_cost": alarm_cost,
            "budget": budget,
            "min_threshold": min_threshold,
            "prevalence": prevalence,
            "sample_weight": w,
        }
        best = optimal_threshold(
            y, s, miss_cost=np.where(y == 1, miss, np.nan) if by_row else miss, **options
        )
        cost, at = cheapest_threshold(y, s, miss_cost=np.broadcast_to(miss, 42), **options)
        one, v = y == 1, np.ones(42) if w is None else w
        share = np.average(one, weights=v) if prevalence is None else prevalence
        mean = np.average(np.broadcast_to(miss, 42)[one], weights=v[one])
        assert best.threshold == at and best.net_benefit == pytest.approx(share - cost / mean)
        assert best.tpr == pytest.approx(np.average(s[one] >= at, weights=v[one]))
        assert best.alarm_rate <= budget + 1e-12 and (best.alarm_rate > 0) == (at < math.inf)


def test_equal_costs_by_row_are_one_cost():
    y, s = make_classification(200, 4, flip_y=0.3, random_state=1)[::-1]
    s = s[:, 0]
    assert optimal_threshold(y, s, miss_cost=np.full(200, 7.0), alarm_cost=2) == optimal_threshold(
        y, s, miss_cost=7, alarm_cost=2
    )
    # in another currency nothing else changes
    loss = np.random.default_rng(0).exponential(3, 200)
    one, other = (optimal_threshold(y, s, miss_cost=c * loss, alarm_cost=c * 2) for c in (1, 100))
    assert one == pytest.approx(other)


def test_no_alarm_within_the_budget():
    y, s = np.arange(40) % 2, np.zeros(40)
    best = optimal_threshold(y, s, miss_cost=100, budget=0.5)
    assert best.threshold == math.inf and best.alarm_rate == 0 and math.isnan(best.precision)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"miss_cost": -1}, "miss_cost must be a positive number, got -1"),
        ({"miss_cost": [1, 2]}, "miss_cost must be one number, or 4, one for each row, got shape"),
        ({"miss_cost": [0, 1, 0, -5]}, "row 3 .the first is 0. is positive and has miss_cost -5"),
        (
            {"miss_cost": [0, math.nan, 0, 1]},
            "row 1 .the first is 0. is positive and has miss_cost nan",
        ),
        ({"miss_cost": [3, 0, 3, 0]}, "0 for all positives"),
        ({"alarm_cost": 0}, "alarm_cost must be a positive number, got 0"),
        ({"min_threshold": math.nan}, "min_threshold"),
    ],
)
def test_costs_that_cannot_be(options, message):
    with pytest.raises(ValueError, match=message):
        optimal_threshold([0, 1, 0, 1], [1, 2, 3, 4], **options)


# ---------------------------------------------------------------- decision curves (dcurves' values: peers/test_dcurves.py)
def test_a_stated_prevalence_is_a_weight_of_the_classes():
    y, models, thresholds = decision_problem("biopsies")
    for prevalence in (0.01, 0.6):
        w = np.where(y == 1, prevalence / y.mean(), (1 - prevalence) / (1 - y.mean()))
        for p in models.values():
            stated = net_benefit(y, p, thresholds, prevalence=prevalence)
            np.testing.assert_allclose(
                stated, net_benefit(y, p, thresholds, sample_weight=w), atol=1e-12
            )


def test_one_of_several_is_as_it_is_alone():
    y, models, thresholds = decision_problem("issue")
    both = decision_curve(y, models, thresholds, n_resamples=400, random_state=0)
    assert list(both.curves) == ["p1", "age"] and list(both.differences) == ["age"]
    for name, p in models.items():
        alone = decision_curve(y, p, thresholds, n_resamples=400, random_state=1)
        np.testing.assert_array_equal(alone.net_benefit, both.curves[name].net_benefit)
        np.testing.assert_allclose(alone.low, both.curves[name].low, atol=0.05)
        np.testing.assert_allclose(alone.high, both.curves[name].high, atol=0.05)
    one = decision_curve(y, {"p1": P1}, thresholds, n_resamples=50, random_state=3)
    assert one.differences == {}
    np.testing.assert_array_equal(
        one.curves["p1"].low, decision_curve(y, P1, thresholds, n_resamples=50, random_state=3).low
    )


@pytest.mark.parametrize(
    "grouped, weighted, prevalence", [*itertools.product((False, True), (False, True), (None, 0.1))]
)
def test_the_band_of_a_difference_by_drawing_rows(grouped, weighted, prevalence):
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 5)
    sick = rng.random(60) < 0.4
    y = np.where(rng.random(300) < 0.8, sick[patient], rng.random(300) < 0.4).astype(int)
    risk = sick + 0.7 * rng.normal(size=60)
    one, other = (
        np.round(expit(risk[patient] - 1 + noise * rng.normal(size=300)), 2) for noise in (0.3, 1.5)
    )
    w = rng.integers(0, 3, 300).astype(float) if weighted else None
    options = {"sample_weight": w, "prevalence": prevalence}
    at = [0.1, 0.3, 0.5]
    curve = decision_curve(
        y,
        {"one": one, "other": other},
        at,
        groups=patient if grouped else None,
        n_resamples=2000,
        random_state=0,
        **options,
    )
    difference, low, high = curve.differences["other"]

    def benefit(p, rows=slice(None), **o):
        return net_benefit(y[rows], p[rows], at, **o)

    np.testing.assert_allclose(
        difference, benefit(one, **options) - benefit(other, **options), atol=1e-12
    )
    drawn = []
    for _ in range(2000):
        rows = rng.integers(0, 300, 300)
        if grouped:
            rows = np.concatenate([np.flatnonzero(patient == k) for k in rng.integers(0, 60, 60)])
        about = {"sample_weight": None if w is None else w[rows], "prevalence": prevalence}
        drawn.append(benefit(one, rows, **about) - benefit(other, rows, **about))
    slow = np.quantile(drawn, (0.025, 0.975), axis=0)
    np.testing.assert_allclose([low, high], slow, atol=0.15 * (slow[1] - slow[0]).max())
    assert (low < difference).all() and (difference < high).all()


def test_paired_difference_beside_the_measure():
    """NetBenefit.test draws the classes apart, the curve draws rows: nearly the same interval."""
    y, models, _ = decision_problem("biopsies")
    difference = decision_curve(y, models, [0.25], n_resamples=2000, random_state=0).differences[
        "texture"
    ][:, 0]
    test = NetBenefit(0.25).test(y, *models.values(), random_state=0)
    assert test.difference == pytest.approx(difference[0]) and test.pvalue < 0.05
    np.testing.assert_allclose([test.low, test.high], difference[1:], atol=0.01)


def test_pictures_end_at_max_threshold():
    y, models, _ = decision_problem("biopsies")
    curves = decision_curve(
        y, {"a $1": models["radius"], "b": models["texture"]}, n_resamples=20, random_state=0
    )
    ax = curves.plot(max_threshold=0.2)
    assert ax.get_xlim() == (0, 0.2)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "a $1",
        "b",
        "treat all",
        "treat none",
    ]
    one = curves.curves["b"].plot()
    assert one.get_xlim() == (0, 1) and one is not ax
    assert curves.curves["b"].plot(ax, max_threshold=0.5) is ax
    with pytest.raises(ValueError, match="max_threshold"):
        curves.plot(max_threshold=0)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: decision_curve([0, 1], {}), "empty dict"),
        (lambda: decision_curve([0, 1], {"a": [0.1, 0.2], "b": [0.1, 2]}), "b must lie in"),
        (lambda: decision_curve([0, 1], {"a": [0.1, 0.2], "b": [0.1]}), "2 rows but"),
        (lambda: decision_curve([0, 1], [0.1, 0.2], prevalence=1), "prevalence"),
        (lambda: net_benefit([0, 1], [0.1, 0.2], 0.1, prevalence=0), "prevalence"),
    ],
)
def test_curves_that_cannot_be(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# ---------------------------------------------------------------- a decision with prices
X, Y = make_classification(1500, 5, weights=[0.85], flip_y=0.1, class_sep=0.7, random_state=0)
LOSS = np.random.default_rng(0).exponential(10, 1500)
GROUPS = np.arange(1500) // 3


@pytest.fixture(scope="module")
def result():
    return compare(X, Y, {"line": LogisticRegression()}, cv=4)


@pytest.fixture(scope="module")
def plain(result):
    return result.decide(X, max_fpr=0.5)


@pytest.mark.parametrize(
    "prices",
    [
        {"miss_cost": 6, "alarm_cost": 1},
        {"miss_cost": 1, "alarm_cost": 1},
        {"miss_cost": LOSS, "alarm_cost": 2},
        {"miss_cost": 6, "alarm_cost": 1, "prevalence": 0.05},
        {"miss_cost": 30, "alarm_cost": 1, "budget": 0.1},
        {"budget": 0.1, "prevalence": 0.3},
    ],
    ids=str,
)
def test_what_a_decision_costs_is_counted(result, plain, prices):
    decision = result.decide(X, max_fpr=0.5, **prices)
    e = decision.performance
    assert (
        decision.costs["guaranteed_threshold"] == plain.threshold <= decision.threshold < math.inf
    )
    np.testing.assert_array_equal(decision.decision_function(X), plain.decision_function(X))
    share = prices.get("prevalence", e.prevalence.value)
    assert e.prevalence.value == pytest.approx(share)
    tpr, fpr = e.tpr.value, e.fpr.value
    assert e.alarm_rate.value == pytest.approx(share * tpr + (1 - share) * fpr)
    assert e.precision.value == pytest.approx(share * tpr / e.alarm_rate.value)
    assert e.mean_probability.value == pytest.approx(share, rel=0.1)
    for estimate in e.estimates().values():
        assert estimate.low <= estimate.value <= estimate.high
    if "budget" in prices:
        assert e.alarm_rate.value < 1.25 * prices["budget"]
    if "miss_cost" not in prices:
        assert e.cost is None
        return
    mean = np.mean(np.broadcast_to(prices["miss_cost"], 1500)[Y == 1])
    assert decision.costs["miss_cost"] == pytest.approx(mean)
    assert e.cost.value + e.savings_treat_none.value == pytest.approx(share * mean)
    assert e.cost.value + e.savings_treat_all.value == pytest.approx(
        (1 - share) * prices["alarm_cost"]
    )
    if np.ndim(prices["miss_cost"]) == 0:
        missed = share * (1 - tpr) * prices["miss_cost"]
        assert e.cost.value == pytest.approx(missed + (1 - share) * fpr * prices["alarm_cost"])
    assert "cost per 1000 cases, held out" in str(decision)
    assert any("A miss costs" in text for text in decision.sentences())


def test_the_report_begins_with_costs(result, plain):
    decision = result.decide(X, max_fpr=0.5, miss_cost=3, alarm_cost=2)
    e = decision.performance
    header = policy_cells(decision)[0]
    name, here, free, treat_none, treat_all = policy_cells(decision)[-1]
    assert header[2:] == ["without the FPR limit", "treat none", "treat all"]
    assert name == "cost" and here.startswith(f"{1000 * e.cost.value:,.1f} (")

    def number(text):
        return float(text.replace(",", "").split(" (")[0])

    assert number(treat_none) == pytest.approx(3000 * e.prevalence.value, abs=0.11)
    assert number(treat_all) == pytest.approx(2000 * (1 - e.prevalence.value), abs=0.11)
    shown = {row[0]: row[1] for row in decision.cells()}
    saved = number(shown["savings over treat all, per 1000"])
    assert number(here) + saved == pytest.approx(number(treat_all))
    guarantee_cost = number(shown["cost of the guarantee per 1000, held out"])
    assert number(here) - guarantee_cost == pytest.approx(number(free))
    text = " ".join(advice(decision))
    assert "A miss costs 3, a false alarm 2" in text and "exchange rate" not in text
    assert policy_cells(plain)[-1][0] == "net benefit" and "exchange rate" in " ".join(
        advice(plain)
    )


def test_limits_that_exclude_each_other(result):
    """A decision that flags no case was headed 'Use line'."""
    none = result.decide(X, max_fpr=0.5, budget=1e-4)
    assert none.threshold == math.inf
    assert next(advice(none)).startswith(
        "No threshold is recommended within the FPR limit of 50 % and the budget of 0.1 alarms in "
        "1000 cases: no case may be flagged. One of the "
    )
    text = str(none) + " ".join(advice(none)) + str(policy_cells(none))
    assert "net benefit" not in text.lower() and "no positive predictions (" not in text


def test_the_trade_off_is_in_the_second_sentence(result):
    bound = result.decide(X, max_fpr=0.03, miss_cost=6, alarm_cost=1)
    second = list(advice(bound))[1]
    assert second.startswith("The FPR limit of 3 % costs ") and "rule of lowest cost" in second
    free = result.decide(X, miss_cost=6, alarm_cost=1)
    assert not any("FPR limit" in text for text in advice(free))


def test_a_threshold_that_flags_no_case(plain):
    first = next(advice(replace(plain, threshold=math.inf)))
    assert first.startswith("No threshold is recommended within the FPR limit of ")
    assert first.endswith(": no case may be flagged. Raise the FPR limit.")


def test_the_threshold_of_a_decision_is_the_cheapest_one(result):
    """The scores of the folds, on the scale of the model: the decision's threshold by trying all of them."""
    prices = {"miss_cost": LOSS, "alarm_cost": 2}
    decision = result.decide(X, max_fpr=0.2, **prices)
    few = compare(
        X[:300], Y[:300], {"line": LogisticRegression()}, cv=3
    )  # too few: all rows train, and the folds' scores are there
    decision = few.decide(X[:300], max_fpr=0.03, miss_cost=LOSS[:300], alarm_cost=2)
    assert decision.calibration_set is None
    model_scores = decision.decision_function(X[:300])
    s = model_scores.mean() + model_scores.std() * few.standard_scores["line"]
    cost, at = cheapest_threshold(
        Y[:300],
        s,
        miss_cost=LOSS[:300],
        alarm_cost=2,
        min_threshold=decision.costs["guaranteed_threshold"],
    )
    between = (s >= decision.costs["guaranteed_threshold"]) & (s < at)
    assert decision.threshold == pytest.approx(
        at if between.any() else decision.costs["guaranteed_threshold"]
    )


def test_guarantee_or_costs_determine_the_threshold(result, plain):
    guaranteed = result.decide(X, max_fpr=0.1)
    dear = result.decide(X, max_fpr=0.1, miss_cost=1000, alarm_cost=1)
    assert dear.costs["guaranteed_threshold"] == guaranteed.threshold
    # no lower one is allowed, and a higher one only over held-out rows that are all negatives
    assert 0 <= dear.threshold - guaranteed.threshold < 0.02
    assert 0 <= guaranteed.performance.alarm_rate.value - dear.performance.alarm_rate.value < 0.005
    *others, why, policy = dear.sentences()
    assert "the guarantee alone would allow 0.023" in why and "treat all was cheaper" in policy
    assert any(text.startswith("The FPR limit of 10 % costs ") for text in others)
    none = result.decide(X, max_fpr=0.5, miss_cost=1, alarm_cost=1e9)
    assert none.threshold > plain.threshold and none.performance.alarm_rate.value < 0.05
    unflagged = result.decide(X, max_fpr=0.5, budget=1e-4)
    assert (
        unflagged.threshold == math.inf
        and unflagged.performance.alarm_rate.value == 0
        and not unflagged.predict(X).any()
    )
    assert "no case is flagged" in unflagged.sentences()[-1] and "no positive predictions" in str(
        unflagged
    )


@pytest.mark.parametrize("prices", [{"miss_cost": 6, "alarm_cost": 1}, {"budget": 0.1}], ids=str)
def test_costs_alone_decide_without_a_guarantee(result, prices, tmp_path):
    decision = result.decide(X, **prices)
    assert decision.max_fpr is decision.confidence_level is decision.calibration_set is None
    # all rows train, and the folds' scores choose
    model = LogisticRegression().fit(X, Y)
    np.testing.assert_allclose(decision.decision_function(X), model.decision_function(X))
    s = model.decision_function(X)
    s = s.mean() + s.std() * result.standard_scores["line"]
    if "miss_cost" in prices:
        each = {"miss_cost": np.full(Y.size, 6.0), "alarm_cost": 1}
        _, at = cheapest_threshold(Y, s, **each)
        assert decision.threshold == pytest.approx(at)
    else:
        assert np.mean(s >= decision.threshold) <= 0.1 < np.mean(s >= decision.threshold) + 0.01
    text = " ".join([*decision.sentences(), *advice(decision), str(decision)])
    assert "No maximum of the false positive rate was set" in text and "uarantee" not in text
    pytest.importorskip("skops")
    again = load_decision(decision.save(tmp_path / "model.skops"))
    assert again.max_fpr is None and str(again) == str(decision)
    np.testing.assert_array_equal(again.predict(X), decision.predict(X))


def test_the_guarantee_has_a_price(result):
    prices = {"miss_cost": 6, "alarm_cost": 1}
    free = result.decide(X, **prices)
    bound = result.decide(X, max_fpr=0.03, **prices)
    loose = result.decide(X, max_fpr=0.9, **prices)
    assert bound.costs["guarantee_cost"] > 0.1 > abs(loose.costs["guarantee_cost"])
    # both measured on held-out rows, by models that differ in their training rows
    difference = bound.performance.cost.value - free.performance.cost.value
    assert bound.costs["guarantee_cost"] == pytest.approx(difference, rel=0.2)
    assert ["cost of the guarantee per 1000, held out"] == [
        name for name, _ in bound.cells() if name.startswith("cost of the guarantee")
    ]


def test_what_is_worse_than_no_model_is_not_recommended(result, plain):
    """A bold 'Use ...' stood above costs of which treat all had half."""
    bound = result.decide(X, max_fpr=0.03, miss_cost=200, alarm_cost=1)
    first = next(advice(bound))
    assert (
        first.startswith(
            "Within the FPR limit of 3 %, no model here beats treating all of the cases"
        )
        and "Use" not in first
    )
    assert f"costs {-1000 * bound.performance.savings_treat_all.value:,.1f} less per 1000" in first
    noise = np.random.default_rng(0).normal(size=X.shape)
    nothing = compare(noise, Y, {"line": LogisticRegression()}, cv=4).decide(
        noise, miss_cost=1e4, alarm_cost=1
    )
    worse = nothing.performance.savings_treat_all.value < 0
    assert next(advice(nothing)).startswith("No " if worse else "Use line, and flag every case")
    assert nothing.performance.alarm_rate.value > 0.98
    assert next(advice(plain)).startswith("Use line, and flag a case if")


def test_monitoring_needs_a_guarantee(result, tmp_path, capsys):
    pytest.importorskip("skops")
    model = result.decide(X, miss_cost=6, alarm_cost=1).save(tmp_path / "model.skops")
    (tmp_path / "log.csv").write_text("label,alarm\n0,1\n")
    assert cli.main(["monitor", str(model), str(tmp_path / "log.csv")]) == 2
    assert "guarantees no false positive rate" in capsys.readouterr().err


def test_a_stated_prevalence_moves_probabilities(result, plain):
    moved = result.decide(X, max_fpr=0.5, prevalence=0.02)
    assert moved.threshold == plain.threshold  # false positive rates do not depend on prevalence
    p, q = (decision.predict_proba(X)[:, 1] for decision in (moved, plain))
    # but for the few beyond the outermost pools, which no weight moves
    assert (p < q + 1e-12).all() and np.mean(p < q) > 0.99
    assert np.average(p, weights=Costs(prevalence=0.02).row_weights(Y, None)) == pytest.approx(
        0.02, abs=0.005
    )
    # without the strict calibrator's parting of ties, weights of the classes move probabilities exactly
    s = plain.decision_function(X)
    w = Costs(prevalence=0.02).row_weights(Y, None)
    pooled = PAVCalibrator().fit(s, Y).transform(s)
    weighed = PAVCalibrator().fit(s, Y, sample_weight=w).transform(s)
    np.testing.assert_allclose(weighed, adjust_prevalence(pooled, Y.mean(), 0.02), atol=1e-9)
    for name in ("tpr", "fpr"):
        assert getattr(moved.performance, name).value == pytest.approx(
            getattr(plain.performance, name).value
        )
    low, high = moved.performance.prevalence[1:]
    assert low == pytest.approx(0.02) and high == pytest.approx(0.02)
    assert any("the one you gave, 0.02" in text for text in moved.sentences())
    curve = moved.curve
    np.testing.assert_allclose(
        curve.treat_all, 0.02 - 0.98 * curve.threshold / (1 - curve.threshold), atol=1e-12
    )


def test_groups_and_weights_with_costs(tmp_path):
    pytest.importorskip("skops")
    w = 1.0 + np.arange(1500) % 2
    grouped = compare(X, Y, {"line": LogisticRegression()}, cv=4, groups=GROUPS, sample_weight=w)
    decision = grouped.decide(
        X, max_fpr=0.4, miss_cost=LOSS, alarm_cost=2, prevalence=0.1, budget=0.3
    )
    assert (
        decision.performance.prevalence.value == pytest.approx(0.1)
        and decision.performance.alarm_rate.value < 0.35
    )
    assert decision.costs["miss_cost"] == pytest.approx(np.average(LOSS[Y == 1], weights=w[Y == 1]))
    again = load_decision(decision.save(tmp_path / "model.skops"))
    assert (
        again.costs == decision.costs
        and again.sentences() == decision.sentences()
        and str(again) == str(decision)
    )


def test_the_picture_shows_the_threshold_of_the_decision(result):
    decision = result.decide(X, max_fpr=0.3, miss_cost=20, alarm_cost=1, prevalence=0.02)
    acts = decision.performance.threshold_probability.value
    ax = decision.plot()
    assert ax.get_xlim() == (0, pytest.approx(min(1, 4 * acts)))
    assert np.sum(decision.curve.threshold <= min(1, 4 * acts)) >= 99


@pytest.mark.parametrize(
    "prices, message",
    [
        ({"miss_cost": 5}, "miss_cost is given without alarm_cost: give alarm_cost too"),
        ({"alarm_cost": 5}, "alarm_cost is given without miss_cost: give miss_cost too"),
        ({"miss_cost": -5, "alarm_cost": 1}, "miss_cost must be a positive number, got -5"),
        ({"miss_cost": [1, 2], "alarm_cost": 1}, "1500, one for each row"),
        ({"budget": 0}, "budget must be"),
        ({"prevalence": 1.5}, "prevalence must be"),
    ],
)
def test_a_decision_refuses_invalid_costs(result, prices, message):
    with pytest.raises(ValueError, match=message):
        result.decide(X, **prices)


def test_weights_of_another_place():
    y, w = np.array([1, 0, 0, 0]), np.array([1.0, 1, 2, 1])
    moved = Costs(prevalence=0.5).row_weights(y, w)
    assert (
        moved.sum() == pytest.approx(5)
        and moved[0] == pytest.approx(2.5)
        and moved[2] == pytest.approx(2 * moved[1])
    )
    assert Costs().row_weights(y, w) is w and Costs().row_weights(y, None) is None


# ---------------------------------------------------------------- the command line
@pytest.fixture
def quick(monkeypatch):
    """The command line with one ranker that is quick."""
    use_rankers(monkeypatch, {"line": LogisticRegression()})


def file_of(path, blank=True):
    with open(path, "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(["a", "b", "c", "d", "e", "loss", "bad"])
        for x, y, loss in zip(X.round(4).tolist(), Y.tolist(), LOSS.round(2).tolist()):
            writer.writerow([*x, loss if y or not blank else "", y])
    return path


def test_from_a_file_with_costs_to_a_decision(tmp_path, capsys, quick):
    pytest.importorskip("skops")
    table, out = file_of(tmp_path / "t.csv"), tmp_path / "out"
    line = [
        "compare",
        str(table),
        "--label",
        "bad",
        "--cv",
        "4",
        "--guarantee",
        ".3",
        "--out",
        str(out),
    ]
    options = ["--cost-column", "loss", "--alarm-cost", "2", "--budget", ".2", "--prevalence", ".1"]
    assert cli.main([*line, *options]) == 0
    output = capsys.readouterr().out
    assert "cost per 1000 cases, held out" in output and "5 columns" in output
    decision = load_decision(out / "model.skops")
    assert (
        decision.costs["by_row"]
        and decision.costs["alarm_cost"] == 2
        and decision.costs["budget"] == 0.2
    )
    assert decision.performance.prevalence.value == pytest.approx(0.1)
    same = compare(X.round(4), Y, {"line": LogisticRegression()}, cv=4)
    same = same.decide(
        X.round(4), max_fpr=0.3, miss_cost=LOSS.round(2), alarm_cost=2, budget=0.2, prevalence=0.1
    )
    assert decision.threshold == pytest.approx(same.threshold)
    assert decision.performance.cost.value == pytest.approx(same.performance.cost.value)
    assert "A miss costs" in (out / "report.html").read_text()


@pytest.mark.parametrize(
    "options, message",
    [
        (["--miss-cost", "5"], "--miss-cost is given without --alarm-cost: give --alarm-cost too"),
        (
            ["--miss-cost", "-5", "--alarm-cost", "1"],
            "--miss-cost must be a positive number, got -5",
        ),
        (
            ["--cost-column", "loss"],
            "--cost-column is given without --alarm-cost: give --alarm-cost too",
        ),
        (["--cost-column", "los", "--alarm-cost", "1"], "did you mean 'loss'?"),
        (
            ["--cost-column", "loss", "--miss-cost", "1", "--alarm-cost", "1"],
            "leave one of them out",
        ),
        (["--cost-column", "bad", "--alarm-cost", "1"], "both name the column 'bad'"),
        (["--budget", "0"], "--budget must be"),
        (["--prevalence", "2"], "--prevalence must be"),
        (["--scores", "--budget", ".1"], "--budget is for training and deciding"),
        (["--scores", "--cost-column", "loss"], "--cost-column is for training and deciding"),
    ],
    ids=str,
)
def test_costs_that_the_command_line_refuses(tmp_path, capsys, options, message):
    table = file_of(tmp_path / "t.csv", blank=False)
    assert (
        cli.main(
            ["compare", str(table), "--label", "bad", "--out", str(tmp_path / "out"), *options]
        )
        == 2
    )
    assert message in capsys.readouterr().err


def test_a_positive_without_its_cost(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("a,loss,bad\n" + "1,,0\n2,5,1\n" * 5 + "3,,1\n4,-1,1\n")
    line = [
        "compare",
        str(table),
        "--label",
        "bad",
        "--cost-column",
        "loss",
        "--alarm-cost",
        "1",
        "--out",
        str(tmp_path),
    ]
    assert (
        cli.main(line) == 2
        and "column 'loss', row 12: the cost is missing" in capsys.readouterr().err
    )
    table.write_text(table.read_text().replace("3,,1", "3,1,1"))
    message = "row 13 is positive and has 'loss' -1"
    assert cli.main(line) == 2 and message in capsys.readouterr().err
    table.write_text(
        "\n".join(
            f"{row},{day}"
            for day, row in zip(["day", *range(12, 0, -1)], table.read_text().split())
        )
    )
    assert (
        cli.main([*line, "--time", "day"]) == 2 and message in capsys.readouterr().err
    )  # its row in the file, not in time


# ---------------------------------------------------------------- standardized net benefit
@pytest.mark.parametrize("prevalence", [None, 0.07])
def test_standardized_net_benefit_is_that_of_dcurves(prevalence):
    """R's dcurves: `standardized_net_benefit()` is the net benefit divided by the prevalence."""
    for name in ("issue", "biopsies"):
        y, models, thresholds = decision_problem(name)
        share = np.mean(y) if prevalence is None else prevalence
        options = {"prevalence": prevalence, "n_resamples": 20, "random_state": 0}
        plain = decision_curve(y, models, thresholds, **options)
        curves = decision_curve(y, models, thresholds, standardized=True, **options)
        for model, p in models.items():
            curve = curves.curves[model]
            expected = plain.curves[model].net_benefit / share
            np.testing.assert_allclose(curve.net_benefit, expected, atol=1e-12)
            np.testing.assert_allclose(
                net_benefit(y, p, thresholds, prevalence=prevalence, standardized=True),
                expected,
                atol=1e-12,
            )
            np.testing.assert_allclose(
                curve.treat_all, plain.curves[model].treat_all / share, atol=1e-12
            )
            assert curve.plot().get_ylabel() == "standardized net benefit"
            with pytest.raises(ValueError, match="counted per case"):
                curve.interventions_avoided()
        perfect = net_benefit(y, y, [0.0, 0.3, 0.9], prevalence=prevalence, standardized=True)
        np.testing.assert_allclose(perfect, 1)
    with pytest.raises(ValueError, match="standardized must be True or False"):
        net_benefit([0, 1], [0.1, 0.2], 0.1, standardized="yes")


def test_the_standardized_band_divides_each_resample_by_its_own_prevalence():
    rng = np.random.default_rng(1)
    p = rng.random(60) ** 2
    y = (rng.random(60) < p).astype(int)
    at = [0.1, 0.3]
    curve = decision_curve(y, p, at, standardized=True, n_resamples=4000, random_state=0)
    drawn = []
    while len(drawn) < 4000:
        rows = rng.integers(0, 60, 60)
        if 0 < y[rows].sum() < 60:
            drawn.append(net_benefit(y[rows], p[rows], at, standardized=True))
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    np.testing.assert_allclose([curve.low, curve.high], [low, high], atol=0.06)
    rare = np.r_[1, np.zeros(30, int)]  # a third of the resamples have no positive
    curve = decision_curve(rare, rare, at, standardized=True, n_resamples=50, random_state=0)
    np.testing.assert_allclose([curve.low, curve.high], 1)
