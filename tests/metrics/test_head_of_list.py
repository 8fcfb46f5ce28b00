"""The head of a list: against scikit-learn, against the printed formulas, against every order of the tied rows, and at the ends."""

from itertools import permutations
from math import ceil, exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics as peers

from aucbook import (
    AP,
    BEDROC,
    EF,
    LogAUC,
    Precision,
    Recall,
    average_precision,
    bedroc,
    enrichment_factor,
    partial_auc,
    precision_at_k,
    precision_recall_curve,
    recall_at_k,
    roc_auc,
    roc_curve,
)
from aucbook.metrics import log_auc


def lift_at_k(y, s, k, **rows):
    return EF(k)(y, s, **rows)


AT_K = [precision_at_k, recall_at_k, lift_at_k]
ALL = [
    precision_recall_curve,
    average_precision,
    bedroc,
    log_auc,
    *(lambda y, s, f=f, **options: f(y, s, 0.5, **options) for f in [*AT_K, enrichment_factor]),
]

tied_lists = st.lists(
    st.tuples(st.booleans(), st.integers(0, 5), st.integers(1, 3)), min_size=2, max_size=40
).filter(lambda rows: len({label for label, _, _ in rows}) == 2)


@given(tied_lists)
@settings(max_examples=60, deadline=None)
def test_curve_and_average_are_scikit_learns(rows):
    y, s, w = map(np.array, zip(*rows))
    for weight in (None, w):
        curve = precision_recall_curve(y, s, sample_weight=weight)
        for ours, theirs in zip(curve, peers.precision_recall_curve(y, s, sample_weight=weight)):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)
        expected = peers.average_precision_score(y, s, sample_weight=weight)
        assert average_precision(y, s, sample_weight=weight) == pytest.approx(expected, rel=1e-12)


@given(tied_lists, st.integers(1, 60), st.floats(0.5, 90))
@settings(max_examples=60, deadline=None)
def test_a_weight_is_a_row_written_so_often(rows, k, alpha):
    y, s, w = map(np.array, zip(*rows))
    twice = np.repeat(np.arange(y.size), w)
    k = min(k, twice.size)
    for measure in AT_K:
        assert measure(y, s, k, sample_weight=w) == pytest.approx(
            measure(y[twice], s[twice], k), rel=1e-12
        )
    for measure, setting in ((bedroc, {"alpha": alpha}), (log_auc, {"min_fpr": 0.01})):
        heavy = measure(y, s, **setting, sample_weight=w.astype(float))
        assert heavy == pytest.approx(measure(y[twice], s[twice], **setting), rel=1e-9, abs=1e-12)
        assert heavy == pytest.approx(
            measure(y, s, **setting, sample_weight=w / 7), rel=1e-9, abs=1e-12
        )


def formula_enrichment(labels, fraction):
    first = ceil(len(labels) * fraction)
    return sum(labels[:first]) / first * len(labels) / sum(labels)


def formula_bedroc(labels, alpha):
    n, m = len(labels), sum(labels)
    rie = sum(exp(-alpha * r / n) for r in range(1, n + 1) if labels[r - 1]) / m
    rie /= (1 - exp(-alpha)) / (exp(alpha / n) - 1) / n
    best = (1 - exp(-alpha * m / n)) / (m / n * (1 - exp(-alpha)))
    worst = (1 - exp(alpha * m / n)) / (m / n * (1 - exp(alpha)))
    return (rie - worst) / (best - worst)


def test_printed_formulas_without_ties():
    rng = np.random.default_rng(0)
    for n in (2, 7, 50, 333):
        y = np.r_[1, 0, rng.random(n - 2) < 0.2].astype(int)
        s = rng.permutation(n)
        labels = y[np.argsort(-s)].tolist()
        for fraction in (0.001, 0.05, 0.37, 1.0):
            assert enrichment_factor(y, s, fraction) == pytest.approx(
                formula_enrichment(labels, fraction)
            )
        for alpha in (0.1, 20.0, 160.9):
            assert bedroc(y, s, alpha) == pytest.approx(
                formula_bedroc(labels, alpha), rel=1e-10, abs=1e-10
            )


def test_bedroc_of_every_alpha():
    """From the AUC, where all ranks count equally, to the share of positives in the first tie group."""
    rng = np.random.default_rng(8)
    y = np.r_[1, 0, rng.random(300) < 0.2].astype(int)
    for s in (rng.normal(size=302) + y, np.round(rng.normal(size=302) + y), -y):
        # a sum of 302 terms and its quotient; alpha = 1e-9 itself moves it by some 1e-10
        for alpha in (5e-324, 1e-100, 1e-16, 1e-14, 1e-9):
            assert bedroc(y, s, alpha) == pytest.approx(roc_auc(y, s), abs=1e-9)
        for alpha in (1e9, 1e100):
            assert bedroc(y, s, alpha) == pytest.approx(y[s == s.max()].mean(), abs=1e-7)
        values = [bedroc(y, s, alpha) for alpha in np.geomspace(1e-12, 1e12, 200)]
        assert np.isfinite(values).all() and min(values) >= 0 and max(values) <= 1
        assert abs(np.diff(values)).max() < 0.3  # no jump
    labels = y[np.argsort(-s, kind="stable")].tolist()
    assert bedroc(
        y, -np.arange(302)[np.argsort(np.argsort(-s, kind="stable"))], 0.01
    ) == pytest.approx(formula_bedroc(labels, 0.01), abs=1e-9)


def test_ties_are_the_mean_over_their_orders():
    y, s = [1, 0, 1, 0, 0, 1], [3, 3, 3, 2, 2, 2]
    orders = [
        order
        for order in permutations(range(6))
        if all(s[a] >= s[b] for a, b in zip(order, order[1:]))
    ]
    for k in range(1, 7):
        expected = np.mean([np.mean([y[i] for i in order[:k]]) for order in orders])
        assert precision_at_k(y, s, k) == pytest.approx(expected)
    expected = np.mean([formula_bedroc([y[i] for i in order], 20.0) for order in orders])
    assert bedroc(y, s) == pytest.approx(expected)


def test_best_worst_and_no_knowledge():
    y = np.arange(1000) < 50
    assert bedroc(y, -np.arange(1000)) == pytest.approx(1) and bedroc(
        y, np.arange(1000)
    ) == pytest.approx(0, abs=1e-12)
    flat = np.zeros(1000)
    assert precision_at_k(y, flat, 7) == pytest.approx(0.05) == average_precision(y, flat)
    assert lift_at_k(y, flat, 0.3) == pytest.approx(1) == enrichment_factor(y, flat, 0.01)
    assert recall_at_k(y, flat, 100) == pytest.approx(0.1)
    assert log_auc(y, flat) == pytest.approx((1 - 0.001) / np.log(1000))
    assert log_auc(y, -np.arange(1000)) == pytest.approx(1)


def test_log_area_is_a_sum_of_thin_ranges():
    rng = np.random.default_rng(2)
    y = np.r_[0, 1, rng.random(300) < 0.3]
    s = np.round(rng.normal(size=302) + y, 1)
    edges = np.geomspace(0.01, 1, 4001)
    middle = np.sqrt(edges[1:] * edges[:-1])
    slow = sum(
        partial_auc(y, s, min_fpr=a, max_fpr=b, form="raw") / m
        for a, b, m in zip(edges, edges[1:], middle)
    ) / np.log(100)
    assert log_auc(y, s, min_fpr=0.01) == pytest.approx(slow, abs=1e-5)


def test_a_share_is_rounded_up_to_whole_rows():
    y, s = np.arange(100) < 7, -np.arange(100)
    assert precision_at_k(y, s, 0.07) == 1.0  # 0.07 * 100 is a little more than 7
    assert precision_at_k(y, s, 0.071) == 7 / 8
    assert precision_at_k(y, s, 1e-9) == 1.0  # at least one row
    assert precision_at_k(y, s, 1) == 1.0 and precision_at_k(y, s, 1.0) == 0.07  # one row, all rows
    assert precision_at_k(y, s, 0.105, sample_weight=np.full(100, 3.0)) == pytest.approx(7 / 10.5)


def test_extremes():
    y, s = [0, 1, 1, 0], [np.inf, -np.inf, 1e300, 5e-324]
    for ours, theirs in zip(
        precision_recall_curve(y, s), peers.precision_recall_curve(y, np.argsort(np.argsort(s)))[:2]
    ):
        np.testing.assert_allclose(ours, theirs)
    assert precision_recall_curve(y, s).thresholds.tolist() == [-np.inf, 5e-324, 1e300, np.inf]
    first = precision_recall_curve([0, 1, 0], [9.0, 2.0, 1.0], sample_weight=[0, 1, 1])
    assert first.thresholds.tolist() == [1, 2] and first.precision.tolist() == [
        0.5,
        1,
        1,
    ]  # as if absent
    assert np.isfinite(bedroc([0, 1], [1, 2], 500.0))


@pytest.mark.parametrize("size", [2.0**-400, 1.0, 2.0**400, 2.0**1020])
@pytest.mark.parametrize("measure", AT_K)
def test_k_is_in_the_weights_as_given(measure, size):
    y = [1, 0, 1, 0]
    s = [4, 3, 3, 1]
    w = np.array([2.0, 1, 3, 1])
    want = measure(y, s, 3, sample_weight=w)
    assert measure(y, s, 3 / 7, sample_weight=size * w) == pytest.approx(want, rel=1e-12)
    if size >= 1:
        assert measure(y, s, 3 * int(size), sample_weight=size * w) == want
    else:
        with pytest.raises(ValueError, match="k must be a whole number in 1.."):
            measure(y, s, 1, sample_weight=size * w)


def test_one_of_huge_weights():
    assert precision_at_k([1, 0, 1], [3, 2, 1], 1, sample_weight=[1e120] * 3) == 1


@pytest.mark.parametrize("k", [0, -1, 5, 2.0, 1.5, 0.0, np.nan, np.inf, True, "2", None])
@pytest.mark.parametrize("measure", [precision_at_k, recall_at_k])
def test_k_out_of_range(measure, k):
    with pytest.raises(ValueError, match=r"k must be a whole number in 1\.\.4 .* or a share"):
        measure([0, 1, 0, 1], [1, 2, 3, 4], k)


@pytest.mark.parametrize("measure", ALL)
def test_bad_rows(measure):
    for y, s, message in (
        ([0, 1], [1.0, np.nan], "NaN"),
        ([0, 0], [1, 2], "exactly two classes"),
        ([0, 1, 2], [1, 2, 3], "exactly two classes"),
        ([0, 1], [1, 2, 3], "same length"),
        ([0, 1], ["a", "b"], "real numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            measure(y, s)
    with pytest.raises(ValueError, match="weight"):
        measure([0, 1], [1, 2], sample_weight=[1, -1])


def test_bad_settings():
    y, s = [0, 1, 0, 1], [1, 2, 3, 4]
    for wrong in (0, 1.5, -0.1, True):
        with pytest.raises(ValueError, match="fraction must be"):
            enrichment_factor(y, s, wrong)
    for wrong in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match="alpha must be"):
            bedroc(y, s, wrong)
    for low, high in ((0, 1), (0.5, 0.5), (0.5, 0.1), (0.1, 1.1)):
        with pytest.raises(ValueError, match="_fpr must be"):
            log_auc(y, s, min_fpr=low, max_fpr=high)
    with pytest.raises(ValueError, match="k must be"):
        Precision(k=9).interval(y, s)
    with pytest.raises(ValueError, match="at least two rows of each class"):
        AP.interval([0, 0, 1], [1, 2, 3])
    with pytest.raises(ValueError, match="is for independent rows"):
        AP.interval(y, s, groups=y)


def test_interval_is_the_same_for_the_same_seed_and_holds_the_estimate():
    rng = np.random.default_rng(4)
    y = np.arange(300) < 60
    s = rng.normal(size=300) + y
    for measure in (AP, EF(k=0.1), LogAUC(min_fpr=0.01)):
        interval = measure.interval(y, s, n_resamples=200, random_state=7)
        assert interval == measure.interval(y, s, n_resamples=200, random_state=7)
        assert interval.low < interval.estimate < interval.high
    assert AP.interval(y, s, confidence_level=0.5, n_resamples=200, random_state=7).low > found_low(
        y, s
    )


def test_an_interval_has_a_width_where_all_first_rows_are_hits():
    y, s = np.repeat([1, 0], [20, 80]), -np.arange(100)
    interval = Precision(k=10).interval(y, s, n_resamples=50, random_state=0)
    wilson = stats.binomtest(10, 10).proportion_ci(method="wilson")
    assert interval == pytest.approx((1, *wilson))
    for measure in (AP, Recall(k=20), BEDROC(), LogAUC(min_fpr=0.05)):
        interval = measure.interval(y, s, n_resamples=50, random_state=0)
        turned = measure.interval(y, -s, n_resamples=50, random_state=0)
        assert 0.5 < interval.low < 0.95 and interval.estimate == interval.high == pytest.approx(1)
        assert turned.low == turned.estimate < turned.high
    assert Precision(k=100).interval(y, s, n_resamples=50) == (
        0.2,
        0.2,
        0.2,
    )  # all rows, whatever the list
    ends = [EF(k=k).interval(y, s, n_resamples=50, random_state=0) for k in (20, 0.2)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    "measure, m, n",
    [(BEDROC(), 10, 10), (Precision(k=0.05), 60, 60), (LogAUC(), 40, 40), (AP, 12, 500)],
)
def test_few_deciding_rows_give_a_warning(measure, m, n):
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [m, n])
    with pytest.warns(UserWarning, match=r"effective sample size is \d\.\d, and below 10 .* 95%"):
        measure.interval(y, rng.normal(size=m + n) + y, n_resamples=20, random_state=0)


@pytest.mark.slow
@pytest.mark.parametrize("m, n, mu", [(50, 50, 1.0), (50, 50, 2.5), (20, 200, 1.0)])
def test_intervals_have_the_stated_coverage(m, n, mu):
    at = np.linspace(mu + 9, -9, 20_001)
    population = (
        np.r_[0.0, m / (m + n) * stats.norm.sf(at - mu)],
        np.r_[0.0, n / (m + n) * stats.norm.sf(at)],
    )
    y, runs = np.repeat([1, 0], [m, n]), 200
    for measure in (BEDROC(), Precision(k=0.1), AP):
        weights = np.concatenate([np.diff(counts) for counts in population])
        truth, held = measure(np.repeat([1, 0], at.size), np.tile(at, 2), sample_weight=weights), 0
        for seed in range(runs):
            s = np.random.default_rng(seed).normal(size=m + n) + mu * y
            interval = measure.interval(y, s, n_resamples=100, random_state=seed)
            held += interval.low <= truth <= interval.high
        assert held / runs >= 0.93 - 3 * 0.018, (measure, held)  # three standard errors of 200 runs


def found_low(y, s):
    return AP.interval(y, s, n_resamples=200, random_state=7).low


def test_curve_and_roc_say_the_same():
    rng = np.random.default_rng(6)
    y, s = rng.random(500) < 0.3, np.round(rng.normal(size=500), 1)
    roc, curve = roc_curve(y, s), precision_recall_curve(y, s)
    np.testing.assert_array_equal(roc.thresholds[1:], curve.thresholds[::-1])
    np.testing.assert_allclose(roc.tpr, curve.recall[::-1])
