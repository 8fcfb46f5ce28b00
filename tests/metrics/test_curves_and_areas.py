"""DET curve, thinned curves, precision-recall areas, F-measure, RIE: against scikit-learn, printed formulas and slow references."""

from fractions import Fraction
from math import exp, inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as peers

from aucbook import average_precision, bedroc, precision_recall_curve, roc_auc, roc_curve
from aucbook.measures import PRAUC, RIE, FMeasure
from aucbook.metrics import DetCurve, det_curve, f_measure, precision_recall_auc, rie

tied_lists = st.lists(
    st.tuples(st.booleans(), st.integers(0, 5), st.integers(1, 3)), min_size=2, max_size=40
).filter(lambda rows: len({label for label, _, _ in rows}) == 2)


def arrays(rows):
    y, s, w = map(np.array, zip(*rows))
    return y.astype(int), s.astype(float), w.astype(float)


# ---- DET


@given(tied_lists, st.booleans())
@settings(max_examples=150, deadline=None)
def test_det_curve_is_scikit_learns(rows, drop):
    y, s, w = arrays(rows)
    for weight in (None, w):
        ours = det_curve(y, s, sample_weight=weight, drop_intermediate=drop)
        theirs = peers.det_curve(y, s, sample_weight=weight, drop_intermediate=drop)
        for a, b in zip(ours, theirs):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-15)


@given(tied_lists)
@settings(max_examples=80, deadline=None)
def test_det_curve_threshold_by_threshold(rows):
    y, s, _ = arrays(rows)
    curve = det_curve(y, s)
    assert isinstance(curve, DetCurve) and len(curve) == 3
    for fpr, fnr, threshold in zip(*curve):
        assert (fpr, fnr) == (np.mean(s[y == 0] >= threshold), np.mean(s[y == 1] < threshold))
    # from the last threshold without a miss to the first without a false positive, and all between
    assert curve.thresholds[0] == s[y == 1].min() and curve.fnr[0] == 0
    assert curve.fpr[-1] == 0 and (np.diff(curve.thresholds) > 0).all()
    inner = {t for t in s if curve.thresholds[0] <= t <= curve.thresholds[-1]}
    assert inner == set(curve.thresholds[np.isfinite(curve.thresholds)])


def test_det_curve_of_extreme_scores():
    curve = det_curve([1, 0, 1, 0], [inf, inf, -inf, -inf])
    assert curve.thresholds.tolist() == [-inf, inf, inf]
    assert curve.fpr.tolist() == [1, 0.5, 0] and curve.fnr.tolist() == [0, 0.5, 1]
    perfect = det_curve([0, 1], [1, 2])
    assert (perfect.fpr.tolist(), perfect.fnr.tolist()) == ([0], [0])
    wrong = det_curve([0, 1], [2, 1])
    assert (wrong.fpr.tolist(), wrong.fnr.tolist()) == ([1, 1, 0], [0, 1, 1])
    assert wrong.thresholds.tolist() == [1, 2, inf]


# ---- points that a curve can do without


@given(tied_lists)
@settings(max_examples=150, deadline=None)
def test_thinned_curves_are_scikit_learns(rows):
    y, s, w = arrays(rows)
    for weight in (None, w):  # whole weights: exact sums
        options = {"sample_weight": weight, "drop_intermediate": True}
        thin = roc_curve(y, s, **options)
        for ours, theirs in zip(thin, peers.roc_curve(y, s, **options)):
            np.testing.assert_allclose(ours, theirs, rtol=1e-14)
        assert thin.auc() == pytest.approx(roc_auc(y, s, sample_weight=weight), abs=1e-14)
        thin = precision_recall_curve(y, s, **options)
        for ours, theirs in zip(thin, peers.precision_recall_curve(y, s, **options)):
            np.testing.assert_allclose(ours, theirs, rtol=1e-14)


def test_a_thinned_curve_of_many_rows_is_small():
    n = 200_000
    y = (np.arange(n) >= n // 2).astype(int)
    s = np.arange(n) + 0.0
    assert roc_curve(y, s, drop_intermediate=True).thresholds.size == 4
    # the recall changes at each positive, and at no negative
    assert precision_recall_curve(y, s, drop_intermediate=True).thresholds.size == n // 2 + 1
    assert det_curve(1 - y, s, drop_intermediate=True).thresholds.size == n // 2 + 2
    assert roc_curve(y, s).thresholds.size == n + 1


@pytest.mark.parametrize("curve", [roc_curve, precision_recall_curve, det_curve])
def test_whether_to_thin_is_a_flag(curve):
    with pytest.raises(ValueError, match="drop_intermediate must be True or False, got 1"):
        curve([0, 1], [1, 2], drop_intermediate=1)
    with pytest.raises(ValueError, match="exactly two classes, got 1"):
        curve([1, 1], [1, 2])
    with pytest.raises(ValueError, match="contains NaN"):
        curve([0, 1], [1, np.nan])


# ---- the point closest to the corner


@given(tied_lists)
@settings(max_examples=100, deadline=None)
def test_closest_topleft_is_the_smallest_distance(rows):
    y, s, w = arrays(rows)
    threshold, distance = roc_curve(y, s, sample_weight=w).closest_topleft()
    distances = {
        t: np.hypot(
            np.average(s[y == 0] >= t, weights=w[y == 0]),
            np.average(s[y == 1] < t, weights=w[y == 1]),
        )
        for t in [inf, *s]
    }
    assert distance == pytest.approx(min(distances.values()), abs=1e-15)
    assert distances[threshold] == pytest.approx(distance, abs=1e-15)


def test_closest_topleft_and_youden_may_differ():
    # 10 positives, 10 negatives: (FPR, TPR) = (0, .5) and (.4, .9) have the same J
    y = [1] * 5 + [0] * 4 + [1] * 4 + [0] * 6 + [1]
    curve = roc_curve(y, np.arange(20, 0, -1.0))
    assert curve.youden() == (16.0, 0.5)
    assert curve.closest_topleft() == (8.0, pytest.approx(np.hypot(0.4, 0.1)))


# ---- areas under the precision-recall curve


def interpolated_by_integration(y, s, w, steps=4000):
    """Each tie group split into many thin ones with the same share of positives; their steps added up."""
    hits = rows = area = 0.0
    for value in np.unique(s)[::-1]:
        p, g = w[(s == value) & (y == 1)].sum(), w[s == value].sum()
        t = (np.arange(steps) + 0.5) / steps
        area += (p / steps * (hits + t * p) / (rows + t * g)).sum()
        hits, rows = hits + p, rows + g
    return area / hits


@given(tied_lists)
@settings(max_examples=80, deadline=None)
def test_precision_recall_areas(rows):
    y, s, w = arrays(rows)
    for weight in (None, w):
        options = {"sample_weight": weight}
        area = precision_recall_auc(y, s, **options)
        slow = interpolated_by_integration(y, s, np.ones(y.size) if weight is None else weight)
        assert area == pytest.approx(slow, rel=1e-5)
        precision, recall, _ = peers.precision_recall_curve(y, s, **options)
        trapezoid = precision_recall_auc(y, s, method="trapezoid", **options)
        assert trapezoid == pytest.approx(peers.auc(recall, precision), rel=1e-12)
    repeated = np.repeat(np.arange(y.size), w.astype(int))
    assert precision_recall_auc(y, s, sample_weight=w / 7) == pytest.approx(
        precision_recall_auc(y[repeated], s[repeated]), rel=1e-11
    )


def davis_goadrich(tp, fp):
    """The points of the paper, one for each true positive between two thresholds, and trapezoids."""
    points = []
    for t0, f0, t1, f1 in zip(tp, fp, tp[1:], fp[1:]):
        for t in range(t0, t1):
            f = f0 + Fraction(f1 - f0, t1 - t0) * (t - t0)
            if t or f:
                points.append((Fraction(t, tp[-1]), Fraction(t) / (t + f)))
    points.append((Fraction(1), Fraction(tp[-1], tp[-1] + fp[-1])))
    return float(sum((b - a) * (p + q) / 2 for (a, p), (b, q) in zip(points, points[1:])))


def test_the_example_of_davis_and_goadrich():
    """Section 4: 20 positives, 2000 negatives, A has (TP 5, FP 5) and B (TP 10, FP 30); precision at TP 6 is 6 / 16."""
    groups = [(5, 5), (5, 25), (10, 1970)]
    y = np.concatenate([np.r_[np.ones(p), np.zeros(q)] for p, q in groups]).astype(int)
    s = np.repeat([3.0, 2.0, 1.0], [p + q for p, q in groups])
    from_a_to_b = sum(t / (t + 5 + 5 * (t - 5)) for t in np.arange(5.0005, 10, 0.001)) * 0.001
    assert np.isclose(6 / (6 + 5 + 5), 0.375)
    rest = sum(t / (t + 30 + 197 * (t - 10)) for t in np.arange(10.0005, 20, 0.001)) * 0.001
    assert precision_recall_auc(y, s) == pytest.approx((2.5 + from_a_to_b + rest) / 20, rel=1e-5)
    # the paper's own sum has a point for each positive; it comes close, without the first group
    assert precision_recall_auc(y, s) - 2.5 / 20 == pytest.approx(
        davis_goadrich([5, 10, 20], [5, 30, 2000]), rel=0.05
    )


def test_trapezoids_are_too_optimistic_where_the_precision_falls():
    rng = np.random.default_rng(0)
    for _ in range(20):
        shares = np.sort(rng.random(5))  # of positives in a tie group, ascending with the score
        positives = 1 + np.round(100 * shares)
        y = np.concatenate([np.r_[np.ones(int(p)), np.zeros(int(102 - p))] for p in positives])
        s = np.repeat(np.arange(5.0), 102)
        trapezoid = precision_recall_auc(y, s, method="trapezoid")
        assert trapezoid > precision_recall_auc(y, s) > y.mean()
    # and too pessimistic where it rises, from a precision of 0 here
    y, s = [0, 0, 1, 0, 1], [3, 3, 2, 2, 2]
    assert precision_recall_auc(y, s, method="trapezoid") < precision_recall_auc(y, s)
    y = (rng.random(200) < 0.1).astype(int)
    constant = np.ones(y.size)
    assert precision_recall_auc(y, constant) == pytest.approx(y.mean(), rel=1e-12)
    assert precision_recall_auc(y, constant, method="trapezoid") == (1 + y.mean()) / 2
    assert precision_recall_auc(y, y) == precision_recall_auc(y, y, method="trapezoid") == 1
    assert average_precision(y, constant) == y.mean()


def test_areas_of_many_rows_and_of_two():
    rng = np.random.default_rng(1)
    y = (rng.random(300_000) < 0.001).astype(int)
    s = rng.normal(size=y.size) + 2 * y
    step = average_precision(y, s)
    assert precision_recall_auc(y, s) == pytest.approx(step, rel=0.05)
    assert 0 < precision_recall_auc(y, -s) < 0.002
    assert precision_recall_auc([0, 1], [2, 1]) == pytest.approx(1 - np.log(2), rel=1e-12)
    assert precision_recall_auc([0, 1], [1, 2]) == 1
    for scale in (1e-300, 1.0, 1e300):
        weight = np.full(4, scale)
        area = precision_recall_auc([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=weight)
        assert area == pytest.approx(precision_recall_auc([0, 1, 0, 1], [1, 2, 3, 4]), rel=1e-12)
    with pytest.raises(
        ValueError, match="method must be 'interpolated' or 'trapezoid', got 'step'"
    ):
        precision_recall_auc([0, 1], [1, 2], method="step")


# ---- F


@given(tied_lists, st.sampled_from([0.5, 1.0, 2.0]))
@settings(max_examples=80, deadline=None)
def test_f_measure_is_scikit_learns(rows, beta):
    y, s, w = arrays(rows)
    for weight in (None, w):
        curve = precision_recall_curve(y, s, sample_weight=weight)
        values = {}
        for t in [*curve.thresholds, s.max() + 1, -inf]:
            values[t] = f_measure(y, s, t, beta=beta, sample_weight=weight)
            theirs = peers.fbeta_score(y, s >= t, beta=beta, sample_weight=weight, zero_division=0)
            assert values[t] == pytest.approx(theirs, rel=1e-12)
        threshold, best = curve.best_f_measure(beta)
        assert best == pytest.approx(max(values.values()), rel=1e-12)
        assert values[threshold] == pytest.approx(best, rel=1e-12)


def test_the_highest_of_several_thresholds_with_the_best_f():
    assert precision_recall_curve([1, 0, 1, 1, 0, 0], [6, 5, 4, 4, 2, 1]).best_f_measure()[0] == 4
    # 2 / 3 at both thresholds: one of one flagged of two positives, and two of four flagged
    curve = precision_recall_curve([1, 0, 0, 1], [4, 3, 3, 3])
    assert curve.best_f_measure() == (4.0, pytest.approx(2 / 3))


@pytest.mark.parametrize("beta", [0, -1, inf, np.nan, "a"])
def test_bad_beta(beta):
    for call in (
        lambda: f_measure([0, 1], [1, 2], 1, beta=beta),
        lambda: precision_recall_curve([0, 1], [1, 2]).best_f_measure(beta),
        lambda: FMeasure(1, beta),
    ):
        with pytest.raises(ValueError, match="beta must be a number in"):
            call()
    with pytest.raises(ValueError, match="threshold must be a number, got nan"):
        FMeasure(np.nan)


def test_f_measure_without_a_hit():
    assert f_measure([0, 1], [2, 1], 2) == f_measure([0, 1], [2, 1], inf) == 0
    assert FMeasure(0.25, beta=2).label == "F2 at 0.25"
    assert FMeasure(2).labelled("F1").label == "F1"


# ---- RIE


def rdkit_rie(labels, alpha):
    """CalcRIE of rdkit.ML.Scoring.Scoring, for labels from the highest score to the lowest."""
    n = len(labels)
    denominator = 1 / n * ((1 - exp(-alpha)) / (exp(alpha / n) - 1))
    total = sum(exp(-alpha * (i + 1) / n) for i, label in enumerate(labels) if label)
    return total / (sum(labels) * denominator)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 20.0, 160.9])
def test_rie_is_rdkits_and_bedroc_its_scaled_form(alpha):
    rng = np.random.default_rng(2)
    for n in (2, 5, 60, 400):
        y = rng.permutation(np.r_[0, 1, rng.random(n - 2) < 0.2]).astype(int)
        s = rng.permutation(n)
        ranked = y[np.argsort(-s)].tolist()
        assert rie(y, s, alpha) == pytest.approx(rdkit_rie(ranked, alpha), rel=1e-10)
        worst, best = rie(y, -y, alpha), rie(y, y, alpha)
        m = y.sum()
        # Truchon and Bayly, Eqs. 27 and 28
        assert best == pytest.approx(
            np.expm1(-alpha * m / n) / (m / n * np.expm1(-alpha)), rel=1e-10
        )
        assert worst == pytest.approx(np.expm1(alpha * m / n) / (m / n * np.expm1(alpha)), rel=1e-9)
        scaled = (rie(y, s, alpha) - worst) / (best - worst)
        assert scaled == pytest.approx(bedroc(y, s, alpha), rel=1e-7, abs=1e-9)


@given(tied_lists, st.floats(0.1, 80))
@settings(max_examples=60, deadline=None)
def test_rie_of_ties_and_weights(rows, alpha):
    y, s, w = arrays(rows)
    repeated = np.repeat(np.arange(y.size), w.astype(int))
    assert rie(y, s, alpha, sample_weight=w / 3) == pytest.approx(
        rie(y[repeated], s[repeated], alpha), rel=1e-11
    )
    ranked = np.argsort(-s, kind="stable")
    # the mean over the orders of a tie gives each of its rows the share of positives
    mean = s.astype(float)
    shares = np.array([np.mean(y[s == value]) for value in mean[ranked]])
    places = np.exp(-alpha * np.arange(1, y.size + 1) / y.size)
    assert rie(y, s, alpha) == pytest.approx(shares @ places / (y.sum() * places.mean()), rel=1e-10)
    assert rie(y, np.ones(y.size), alpha) == pytest.approx(1, rel=1e-12)


def test_rie_of_every_alpha():
    y, s = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]
    assert rie(y, s, 1e-300) == pytest.approx(1, rel=1e-12)
    assert rie(y, s, 1e100) == pytest.approx(5 / 2)  # the first row alone
    for alpha in (0, -1, np.nan, inf, "a"):
        with pytest.raises(ValueError, match="alpha must be a number in"):
            rie(y, s, alpha)


# ---- as measures


@pytest.mark.parametrize("measure", [PRAUC(), PRAUC("trapezoid"), RIE(), FMeasure(0.5)])
def test_intervals_hold_the_estimate_and_narrow(measure):
    rng = np.random.default_rng(3)
    widths = []
    for n in (60, 600):
        y = np.repeat([1, 0], n)
        s = rng.normal(size=2 * n) + y
        interval = measure.interval(y, s, random_state=0, n_resamples=300)
        assert interval.low < interval.estimate < interval.high
        assert interval.estimate == pytest.approx(measure(y, s), rel=1e-12)
        widths.append(interval.high - interval.low)
    assert widths[1] < 0.5 * widths[0]
