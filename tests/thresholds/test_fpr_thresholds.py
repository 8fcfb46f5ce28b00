"""Guaranteed false positive rates, a precision, an alarm budget: by trying, by simulation, and what is refused."""

import math
import re

import numpy as np
import pytest
from scipy.stats import binom

from aucbook import fpr_threshold
from aucbook.thresholds import (
    FprGuarantee,
    GuaranteeError,
    alarm_budget_threshold,
    precision_threshold,
)
from aucbook.thresholds.fpr_thresholds import FprEstimate

# nine patients: walk down from 9, three sick of four among the first five
Y, S = [1, 1, 0, 1, 0, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4, 3, 2, 1]


def needed(fpr, confidence_level):
    """The fewest negatives of which the largest is safe, by trying."""
    return next(n for n in range(1, 10**4) if (1 - fpr) ** n <= 1 - confidence_level + 1e-12)


def test_fpr_threshold_is_the_lowest_with_the_guarantee():
    for n, fpr in ((99, 0.1), (50, 0.05), (400, 0.05), (58, 0.05), (59, 0.05)):
        y, s = np.r_[1, np.zeros(n)], np.r_[-5.0, np.arange(n)]
        sure = [k for k in range(1, n + 1) if binom.cdf(k - 1, n, fpr) <= 0.05]
        if sure:
            assert int(np.sum(s[1:] >= fpr_threshold(y, s, fpr))) == max(sure) - 1
        else:
            with pytest.raises(
                ValueError, match=rf"at least {needed(fpr, 0.95)} negatives, got {n}"
            ):
                fpr_threshold(y, s, fpr)


@pytest.mark.parametrize("fpr", [0.01, 0.05, 0.1, 0.25, 0.5])
@pytest.mark.parametrize("confidence_level", [0.5, 0.9, 0.95, None])
def test_the_message_gives_the_number_of_negatives_needed(fpr, confidence_level):
    with pytest.raises(ValueError, match="needs at least") as caught:
        fpr_threshold([0, 1], [0.0, 1.0], fpr / 100, confidence_level=confidence_level)
    n = int(re.search(r"at least (\d+)", str(caught.value))[1])
    assert np.isfinite(
        fpr_threshold(
            np.r_[1, np.zeros(n)], np.arange(n + 1.0), fpr / 100, confidence_level=confidence_level
        )
    )
    with pytest.raises(ValueError, match=f"at least {n} "):
        fpr_threshold(
            np.r_[1, np.zeros(n - 1)],
            np.arange(n + 0.0),
            fpr / 100,
            confidence_level=confidence_level,
        )


def test_tied_scores_keep_the_guarantee():
    y, s = np.r_[1, np.zeros(99)], np.r_[3, np.repeat([2, 1], [20, 79])]
    with pytest.warns(UserWarning, match="40% of max_fpr=0.1 goes unused"):
        assert fpr_threshold(y, s, 0.1) > 2  # the twenty tied at 2 would all be flagged


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8])
def test_the_guarantee_holds_in_the_precision_of_the_scores(dtype):
    y = np.repeat([0, 1], [900, 100])
    s = np.repeat(np.arange(10), 100).astype(dtype)
    # the highest hundred negatives are tied: all are flagged, which is a ninth, or none; of all scores, two tenths or one
    with pytest.warns(UserWarning, match="tied scores"):
        assert np.mean(s[:900] >= fpr_threshold(y, s, 0.1)) == 0
    assert np.mean(s >= alarm_budget_threshold(s, 15, 100)) == 0.1
    assert (
        alarm_budget_threshold(np.full(99, 65504, np.float16), 10, 100) == math.inf
    )  # the largest of half precision


def test_a_rate_too_small_for_any_table():
    for fpr, confidence_level in ((1e-320, 0.95), (1e-320, None), (1e-290, None)):
        with pytest.raises(ValueError, match="needs more than 1e15 negatives, got 1: add rows"):
            fpr_threshold([0, 1], [1, 2], fpr, confidence_level=confidence_level)
    with pytest.raises(ValueError, match="need more than 1e15 scores, got 2"):
        alarm_budget_threshold([1, 2], 1e-320, 1)


def test_precision_threshold():
    assert precision_threshold(Y, S, 0.75) == 6 and precision_threshold(Y, S, 0.99) == 8
    # a tenth as many sick: of the first two, both are
    assert precision_threshold(Y, S, 0.9, prevalence=0.05) == 8
    with pytest.raises(ValueError, match="the best is 0.5, at 3"):
        precision_threshold([0, 1, 0, 1], [4, 3, 2, 1], 0.9)
    twice = np.repeat(np.arange(9), 2)
    assert precision_threshold(Y, S, 0.6, sample_weight=np.full(9, 2)) == precision_threshold(
        np.array(Y)[twice], np.array(S)[twice], 0.6
    )


def test_alarm_budget_threshold():
    s = np.arange(99.0)
    assert (
        np.sum(s >= alarm_budget_threshold(s, 10, 100)) == 9
    )  # just above the tenth: of a hundred gaps, ten are beyond it
    assert np.sum(s >= alarm_budget_threshold(s, 1, 1)) == 99
    with pytest.raises(ValueError, match="at least 999 scores, got 99"):
        alarm_budget_threshold(s, 1, 1000)
    alarm_budget_threshold(np.arange(999), 1, 1000)
    with pytest.raises(ValueError, match="at most cases"):
        alarm_budget_threshold(s, 2, 1)


def test_groups_of_one_row_equal_no_groups():
    rng = np.random.default_rng(0)
    for n, fpr in ((40, 0.1), (300, 0.05), (1000, 0.2)):
        y, s = np.r_[np.zeros(n), 1], rng.normal(size=n + 1)
        assert fpr_threshold(y, s, fpr, groups=np.arange(n + 1)) == fpr_threshold(y, s, fpr)
        assert fpr_threshold(y, s, fpr, groups=np.arange(n + 1), per="case") == fpr_threshold(
            y, s, fpr
        )


@pytest.mark.parametrize("size", [2, 10])
@pytest.mark.parametrize("confidence_level", [0.8, 0.95, None])
def test_copies_of_a_row_count_as_one(size, confidence_level):
    rng = np.random.default_rng(size)
    for n in (60, 200, 999):
        s = rng.normal(size=n)
        alone = int(
            np.sum(
                s
                >= fpr_threshold(
                    np.r_[np.zeros(n), 1], np.r_[s, 9], 0.1, confidence_level=confidence_level
                )
            )
        )
        y = np.r_[np.zeros(n * size), 1]
        groups = np.r_[np.repeat(np.arange(n), size), n]
        theta = fpr_threshold(
            y, np.r_[np.repeat(s, size), 9], 0.1, confidence_level=confidence_level, groups=groups
        )
        # groups that are flagged whole or not at all are exact, as rows are
        assert np.sum(s >= theta) == alone
        case = fpr_threshold(
            y,
            np.r_[np.repeat(s, size), 9],
            0.1,
            confidence_level=confidence_level,
            groups=groups,
            per="case",
        )
        assert np.sum(s >= case) == alone


def test_groups_of_unequal_sizes_in_any_names_and_order():
    rng = np.random.default_rng(3)
    size = rng.integers(1, 12, 80)
    group = np.repeat([f"patient {i}" for i in range(80)], size)
    s = np.repeat(rng.normal(size=80), size) + 0.5 * rng.normal(size=group.size)
    y = np.r_[np.zeros(group.size), 1]
    theta = fpr_threshold(y, np.r_[s, 9], 0.1, groups=np.append(group, "sick"))
    mixed = rng.permutation(group.size + 1)
    assert (
        fpr_threshold(y[mixed], np.r_[s, 9][mixed], 0.1, groups=np.append(group, "sick")[mixed])
        == theta
    )
    assert theta > fpr_threshold(y, np.r_[s, 9], 0.1)
    highest = np.array([s[group == name].max() for name in np.unique(group)])
    case = fpr_threshold(y, np.r_[s, 9], 0.1, groups=np.append(group, "sick"), per="case")
    assert case == fpr_threshold(np.r_[np.zeros(80), 1], np.r_[highest, 9], 0.1) > theta


def test_groups_without_a_possible_guarantee_are_refused():
    """The message's own numbers are enough, and a little less is not."""
    y = np.r_[np.zeros(200), 1]
    s = np.r_[np.random.default_rng(0).normal(size=200), 9]
    for per in ("row", "case"):
        with pytest.raises(
            ValueError,
            match="needs at least 29 groups, got 20: add groups, or ask for 0.14 or more",
        ):
            fpr_threshold(y, s, 0.1, groups=np.arange(201) // 10, per=per)
    with pytest.raises(ValueError, match="one group"):
        fpr_threshold(y, s, 0.1, groups=np.zeros(201))
    with pytest.raises(ValueError, match="needs groups"):
        fpr_threshold(y, s, 0.1, per="case")
    with pytest.raises(ValueError, match="per"):
        fpr_threshold(y, s, 0.1, groups=np.arange(201), per="patient")


@pytest.mark.parametrize("confidence_level", [0.8, 0.95, None])
def test_too_large_a_group_is_refused_with_the_numbers_needed(confidence_level):
    rng = np.random.default_rng(4)
    sizes = np.r_[rng.integers(1, 5, 60), 40]
    code = np.repeat(np.arange(61), sizes)
    scores = rng.normal(size=code.size)
    with pytest.raises(
        ValueError, match=f"the largest has 40 of the {code.size} negative rows"
    ) as error:
        FprGuarantee(0.05, confidence_level).threshold(scores, code)
    needed = int(re.search(r"at least (\d+) groups", str(error.value))[1])
    rate = float(re.search(r"ask for ([0-9.]+) or more", str(error.value))[1])
    assert FprGuarantee(rate, confidence_level).threshold(scores, code).n_flagged >= 0
    with pytest.raises(ValueError, match="needs at least"):
        FprGuarantee(0.99 * rate, confidence_level).threshold(scores, code)
    assert (
        FprGuarantee(0.05, confidence_level).min_negatives(sizes)
        <= needed
        < FprGuarantee(0.05, confidence_level).min_negatives(sizes) + 1
    )
    times = -(-needed // 61)
    groups = np.repeat(np.arange(61 * times), np.tile(sizes, times))
    values = rng.normal(size=code.size * times)
    assert FprGuarantee(0.05, confidence_level).threshold(values, groups).effective_n > 0
    case = FprGuarantee(0.05, 0.95).threshold(scores, code, per="case")  # each group once
    assert case.effective_n == 61


def broken_share(law, count, max_fpr, per, samples=300):
    """Share of the samples whose threshold exceeds the maximum FPR; law(count, rng): (sizes, scores)."""
    sizes, scores = law(100_000, np.random.default_rng(9))
    code = np.repeat(np.arange(sizes.size), sizes)
    if per == "case":
        highest = np.full(sizes.size, -np.inf)
        np.maximum.at(highest, code, scores)
        scores = highest
    population = np.sort(scores)
    broken = 0
    for seed in range(samples):
        sizes, scores = law(count, np.random.default_rng([count, seed]))
        try:
            theta = (
                FprGuarantee(max_fpr)
                .threshold(scores, np.repeat(np.arange(count), sizes), per)
                .threshold
            )
        except ValueError:
            continue
        broken += 1 - np.searchsorted(population, theta) / population.size > max_fpr
    return broken / samples


def similar_rows(count, rng):
    """Ten nearly identical rows a group."""
    sizes = np.full(count, 10)
    return sizes, np.repeat(rng.normal(size=count), 10) + 0.1 * rng.normal(size=10 * count)


def informative_sizes(count, rng):
    """Large groups score high: log-size sd 1.3, correlation .8."""
    log_size = rng.normal(size=count)
    sizes = np.maximum(1, np.round(4 * np.exp(1.3 * log_size))).astype(int)
    effect = 0.8 * log_size + 0.6 * rng.normal(size=count)
    return sizes, np.repeat(effect, sizes) + 0.5 * rng.normal(size=sizes.sum())


def skewed_groups(count, rng):
    """One group in eight is flagged whole."""
    sizes = 1 + rng.poisson(3, count)
    effect = np.where(rng.random(count) < 0.125, 4.0, 0.0)
    return sizes, np.repeat(effect, sizes) + rng.normal(size=sizes.sum())


@pytest.mark.parametrize("per", ["row", "case"])
@pytest.mark.parametrize("law", [similar_rows, informative_sizes, skewed_groups])
@pytest.mark.parametrize(
    "count, max_fpr", [(20, 0.1), (20, 0.2), (60, 0.05), (60, 0.1), (200, 0.1)]
)
def test_the_guaranteed_rate_of_groups_holds_or_is_refused(law, count, max_fpr, per):
    """300 samples: .05 and three standard errors; an estimated design effect breaks it in up to .5."""
    assert broken_share(law, count, max_fpr, per) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


def test_rows_of_a_group_that_differ_allow_a_lower_threshold():
    rng = np.random.default_rng(0)
    code, rows = np.repeat(np.arange(100), 10), rng.normal(size=1000)
    alike = FprGuarantee(0.1).threshold(np.repeat(rows[:100], 10), code)
    mixed = FprGuarantee(0.1).threshold(rows, code)
    alone = FprGuarantee(0.1).threshold(rows)
    assert alike.n_flagged < mixed.n_flagged < alone.n_flagged
    # the group that the bound adds counts in the variance, so even independent rows count as somewhat fewer
    assert 95 < alike.effective_n < 105 and 300 < mixed.effective_n < 1000 == alone.effective_n


def test_rates_next_to_one():
    """All but the lowest may be flagged: above it there is always a score."""
    for confidence_level in (None, 0.95):
        for rate in (1 - 1e-10, 1 - 1e-16):
            theta = fpr_threshold(
                [0] * 30 + [1], list(range(31)), rate, confidence_level=confidence_level
            )
            assert theta == np.nextafter(0.0, 1)
    assert fpr_threshold([0, 0, 1], [1, 2, 3], 1 - 1e-10, confidence_level=None) == np.nextafter(
        1.0, 2
    )
    groups = np.repeat(np.arange(15), 2)
    theta = fpr_threshold(
        [0] * 30 + [1],
        list(range(31)),
        1 - 1e-10,
        confidence_level=None,
        groups=np.append(groups, 99),
    )
    assert theta == np.nextafter(0.0, 1)


@pytest.mark.parametrize("fpr", [0.5, 0.1, 0.05, 0.01])
@pytest.mark.parametrize("confidence_level", [0.8, 0.95, 0.99, None])
def test_recommended_negatives_leave_a_quarter_of_the_budget_unused(fpr, confidence_level):
    n = FprGuarantee(fpr, confidence_level).recommended_negatives()
    assert (FprGuarantee(fpr, confidence_level).max_false_positives(n) + 1) / (n + 1) >= 0.75 * fpr
    if (
        confidence_level is not None
        and n > 1.1 * FprGuarantee(fpr, confidence_level).min_negatives()
    ):  # a fiftieth fewer would not do
        before = int(n / 1.05)
        assert (FprGuarantee(fpr, confidence_level).max_false_positives(before) + 1) / (
            before + 1
        ) < 0.78 * fpr
    for m in (1, 7, 50, 333):
        sure = [
            j
            for j in range(m)
            if (
                binom.cdf(j, m, fpr) <= 1 - confidence_level
                if confidence_level
                else (j + 1) / (m + 1) <= fpr + 1e-12
            )
        ]
        assert FprGuarantee(fpr, confidence_level).max_false_positives(m) == max(sure, default=-1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: fpr_threshold(Y, S, 1.0),
        lambda: fpr_threshold(Y, S, 0.5, confidence_level=1),
        lambda: fpr_threshold([0, 0, 1], [1, np.inf, 2], 0.9, confidence_level=None),
        lambda: precision_threshold(Y, S, 0),
        lambda: precision_threshold(Y, S, 0.1, prevalence=1),
        lambda: alarm_budget_threshold([], 1, 2),
        lambda: alarm_budget_threshold([1, np.nan], 1, 2),
        lambda: alarm_budget_threshold([1, 2], 0, 2),
    ],
)
def test_errors_name_the_bad_argument(call):
    with pytest.raises(ValueError, match=".{15}"):
        call()


NEGATIVES = np.random.default_rng(0).normal(size=400)


@pytest.mark.parametrize("kind", [FprGuarantee, FprEstimate])
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (
            np.where(np.arange(400) < 60, np.nan, NEGATIVES),
            "scores contains NaN, the first in row 0",
        ),
        ([None] * 100, "scores"),
        (np.full(100, np.nan), "scores contains NaN"),
        (np.r_[np.inf, NEGATIVES], "scores must be finite"),
        (np.r_[-np.inf, NEGATIVES], "scores must be finite"),
        (NEGATIVES[:, None].repeat(2, axis=1), "scores must be a non-empty one-dimensional array"),
        (["high", "low"] * 50, "scores must hold real numbers"),
        (NEGATIVES + 0j, "scores must hold real numbers"),
        (0.5, "scores"),
    ],
)
def test_bad_scores_have_no_threshold(kind, scores, message):
    with pytest.raises(ValueError, match=message):
        kind(0.1).threshold(scores)


@pytest.mark.parametrize("kind", [FprGuarantee, FprEstimate])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": np.arange(300)}, "groups must be 400 names of groups, one per row"),
        ({"groups": np.arange(800).reshape(400, 2)}, "groups must be 400 names"),
        ({"groups": [None, *range(399)]}, "groups"),
        ({"groups": np.r_[np.nan, np.arange(399.0)]}, "groups"),
        ({"groups": [[]] * 400}, "groups"),
        ({"groups": np.arange(400), "per": "cases"}, "per must be 'row' or 'case', got 'cases'"),
        ({"per": "cases"}, "per must be 'row' or 'case'"),
        ({"groups": np.arange(400), "per": None}, "per must be 'row' or 'case'"),
        ({"per": "case"}, "per='case' needs groups"),
    ],
)
def test_bad_groups_have_no_threshold(kind, options, message):
    with pytest.raises(ValueError, match=message):
        kind(0.1).threshold(NEGATIVES, **options)


@pytest.mark.parametrize("per", ["row", "case"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
def test_the_method_and_the_function_agree(per, dtype):
    scores = np.round(100 * NEGATIVES).astype(dtype)
    groups = np.array([f"patient {k}" for k in np.arange(400) // 4], object)
    guaranteed = FprGuarantee(0.1).threshold(scores, groups, per)
    y = np.r_[np.zeros(400), 1]
    with_positive = np.append(scores, scores[:1])
    theta = fpr_threshold(y, with_positive, 0.1, groups=np.append(groups, "other"), per=per)
    assert guaranteed.threshold == theta


@pytest.mark.parametrize("groups", [None, []])
@pytest.mark.parametrize("kind", [FprGuarantee, FprEstimate])
def test_no_scores_are_too_few(kind, groups):
    with pytest.raises(GuaranteeError, match="negatives"):
        kind(0.1).threshold([], groups)


@pytest.mark.parametrize("waste", [0, -1, 1, 1e-9, np.nan, "a", None])
def test_a_waste_that_no_number_of_negatives_reaches_is_refused(waste):
    with pytest.raises(ValueError, match="waste must be a number in"):
        FprGuarantee(0.1).recommended_negatives(waste)


@pytest.mark.parametrize(
    "call",
    [
        lambda: FprGuarantee(0.1).max_false_positives(-1),
        lambda: FprGuarantee(0.1).max_false_positives(9.5),
        lambda: FprGuarantee(0.1).smallest_max_fpr(-1),
        lambda: FprGuarantee(0.1, None).smallest_max_fpr(-1),
        lambda: FprGuarantee(0.1).smallest_max_fpr("9"),
    ],
)
def test_a_number_of_negatives_is_whole(call):
    with pytest.raises(ValueError, match="n must be a whole number"):
        call()


@pytest.mark.parametrize("sizes", [[], 5, [0, 3], [3, np.nan], [np.inf], ["a"], [[1, 2]], [-1]])
def test_bad_sizes_of_groups_are_refused(sizes):
    with pytest.raises(ValueError, match="sizes must be"):
        FprGuarantee(0.1).min_negatives(sizes)
