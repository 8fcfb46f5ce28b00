"""Performance at one threshold, and the line through probabilities: against textbooks' forms, closed cases, copies of rows, and nonsense."""

import warnings
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri
from scipy.stats import beta, binom, binomtest
from sklearn.linear_model import LogisticRegression

from aucbook import RocDisplay, fpr_threshold, pav, reliability_curve
from aucbook._base.estimates import Estimate
from aucbook.calibration import calibration_line
from aucbook.inference import roc_band
from aucbook.thresholds import operating_point, tpr_threshold

RATES = [
    "sensitivity",
    "specificity",
    "ppv",
    "npv",
    "lr_positive",
    "lr_negative",
    "accuracy",
    "alarms_per_1000",
]


def table(tp, fn, fp, tn):
    """Labels and scores of four counts; the threshold is 1."""
    return np.repeat([1, 1, 0, 0], [tp, fn, fp, tn]), np.repeat(
        [2.0, 0.0, 2.0, 0.0], [tp, fn, fp, tn]
    )


counts = st.tuples(*[st.integers(0, 12)] * 4).filter(lambda c: c[0] + c[1] > 1 and c[2] + c[3] > 1)


@given(counts, st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=80, deadline=None)
def test_shares_are_those_of_scipy(four, confidence_level):
    """Wilson's intervals at the prevalence of the rows."""
    tp, fn, fp, tn = four
    point = operating_point(*table(*four), 1, confidence_level=confidence_level)
    assert (
        point.true_positives,
        point.false_negatives,
        point.false_positives,
        point.true_negatives,
    ) == four
    shares = {
        "sensitivity": (tp, tp + fn),
        "specificity": (tn, tn + fp),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "accuracy": (tp + tn, sum(four)),
        "alarms_per_1000": (tp + fp, sum(four)),
    }
    for name, (k, n) in shares.items():
        got = np.array(getattr(point, name)) / (1000 if name.startswith("alarms") else 1)
        if n == 0:
            assert np.isnan(got[0]) and tuple(got[1:]) == (0, 1)
            continue
        ends = binomtest(k, n).proportion_ci(confidence_level, "wilson")
        np.testing.assert_allclose(got, (k / n, *ends), atol=1e-9)


@given(counts)
@settings(max_examples=80, deadline=None)
def test_ratios(four):
    """estimate; the ends solve the equation that they stand for; alarm and silence, and turning the score around, agree."""
    point = operating_point(*table(*four), 1)
    tp, fn, fp, tn = four
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = (
            np.float64(tp / (tp + fn)) / (fp / (fp + tn)),
            np.float64(fn / (tp + fn)) / (tn / (fp + tn)),
        )
    for got, told in zip((point.lr_positive, point.lr_negative), expected):
        np.testing.assert_allclose(got.value, told, equal_nan=True)
        assert np.isnan(told) or got.low <= told <= got.high
    y, s = table(*four)
    turned = operating_point(y, -s, 0)
    np.testing.assert_allclose(turned.lr_positive, point.lr_negative)
    p, q = np.array(point.sensitivity), 1 - np.array(point.specificity)[[0, 2, 1]]
    far = lambda t, of_p, of_q: (
        (p[0] - t * q[0]) ** 2 - (p[0] - of_p) ** 2 - t**2 * (q[0] - of_q) ** 2
    )
    if (
        point.lr_positive.low > 0 and point.lr_positive.high < np.inf
    ):  # where a difference p - t q is just 0 by its own interval
        assert far(point.lr_positive.low, p[1], q[2]) == pytest.approx(0, abs=1e-9)
        assert far(point.lr_positive.high, p[2], q[1]) == pytest.approx(
            0, abs=1e-7 * (1 + point.lr_positive.high**2)
        )


def test_a_count_of_zero():
    """No false alarm: an infinite ratio whose lower end is finite; nobody rings, everybody rings."""
    clean = operating_point(*table(18, 2, 0, 80), 1, prevalence=0.01)
    assert (
        clean.lr_positive.value == clean.lr_positive.high == np.inf
        and 10 < clean.lr_positive.low < 100
    )
    assert clean.ppv.value == clean.ppv.high == 1 and 0.1 < clean.ppv.low < 0.6
    nobody = operating_point(*table(3, 4, 5, 6), 9, prevalence=0.3)
    assert (
        nobody.sensitivity.value == 0
        and np.isnan(nobody.lr_positive.value)
        and np.isnan(nobody.ppv.value)
    )
    assert (
        nobody.ppv[1:] == (0, 1)
        and nobody.alarms_per_1000.value == 0
        and nobody.lr_negative.value == 1
    )
    everybody = operating_point(*table(3, 4, 5, 6), -np.inf)
    assert everybody.sensitivity.value == everybody.lr_positive.value == 1 and np.isnan(
        everybody.npv.value
    )
    assert everybody.lr_positive.low < 1 < everybody.lr_positive.high


@pytest.mark.parametrize("prevalence", [0.001, 0.2, 0.9])
def test_bayes(prevalence):
    """At a stated prevalence, and the same numbers as without one where the rows have it."""
    tp, fn, fp, tn = four = (27, 8, 11, 54)
    point = operating_point(*table(*four), 1, prevalence=prevalence)
    own = operating_point(*table(*four), 1)
    same = operating_point(*table(*four), 1, prevalence=35 / 100)
    a, b = 27 / 35, 54 / 65
    assert point.ppv.value == pytest.approx(
        prevalence * a / (prevalence * a + (1 - prevalence) * (1 - b))
    )
    assert point.npv.value == pytest.approx(
        (1 - prevalence) * b / (prevalence * (1 - a) + (1 - prevalence) * b)
    )
    for end in ("low", "high"):
        odds = prevalence / (1 - prevalence) * getattr(point.lr_positive, end)
        assert getattr(point.ppv, end) == pytest.approx(odds / (1 + odds))
    for name in RATES:
        assert getattr(same, name).value == pytest.approx(getattr(own, name).value)
        assert getattr(point, name).low < getattr(point, name).value < getattr(point, name).high


def test_groups_count_as_themselves():
    """Copies of a row are one row; each row on its own is as without groups, up to t; alike patients widen every interval."""
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 300), rng.normal(size=300)
    alone = operating_point(y, s, 0.3)
    own = operating_point(y, s, 0.3, groups=np.arange(300))
    copies = operating_point(
        np.repeat(y, 4), np.repeat(s, 4), 0.3, groups=np.repeat(np.arange(300), 4)
    )
    for name in RATES:
        np.testing.assert_allclose(getattr(own, name), getattr(alone, name), rtol=0.02)
        np.testing.assert_allclose(getattr(copies, name), getattr(alone, name), rtol=0.02)
    word = operating_point(y, s, 0.3, groups=[f"p{i}" for i in range(300)])
    assert word == own
    alike = operating_point(np.repeat(y, 4), np.repeat(s, 4), 0.3)
    assert all(
        getattr(copies, name).high - getattr(copies, name).low
        > 1.5 * (getattr(alike, name).high - getattr(alike, name).low)
        for name in RATES
    )


def test_classes_and_precisions():
    y, s = table(5, 3, 2, 7)
    point = operating_point(y, s, 1)
    assert operating_point(np.where(y == 1, "no", "yes"), s, 1, pos_label="no") == point
    for kind in (np.float32, np.float16, int):
        assert operating_point(y, s.astype(kind), 1) == point
    assert operating_point(y, s, 2) == type(point)(**{**vars(point), "threshold": 2.0})


def test_shown_as_a_table():
    point = operating_point(*table(26, 15, 14, 58), 1, confidence_level=0.9)
    cells = point.cells()
    assert cells[0] == ["", "90% intervals"] and len(cells) == len(fields(point))
    assert ["PPV", str(point.ppv)] in cells and ["true positives", "26"] in cells
    assert (
        str(point) == repr(point)
        and '<th scope="row">LR+</th>' in point._repr_html_()
        and str(point.ppv).startswith("0.65 (")
    )
    assert isinstance(point.ppv, Estimate)


BAD = [
    (dict(threshold=np.nan), "threshold must be a number, got nan"),
    (dict(threshold="high"), "threshold must be a number"),
    (dict(prevalence=0), "prevalence must be .*got 0"),
    (dict(prevalence=1.5), "prevalence"),
    (dict(confidence_level=95), "confidence_level must be .*0.95"),
    (dict(groups=[1, 2]), "5 names of groups"),
    (dict(groups=[1] * 5), "at least two groups"),
    (dict(y_score=[1, 2, np.nan, 4, 5]), "NaN"),
    (dict(y_score=[1, 2, 3]), "same length"),
    (dict(y_true=[0] * 5), "exactly two classes"),
    (dict(y_true=[0, 0, 0, 0, 1]), "two rows of each class, got 1 positive"),
]


@pytest.mark.parametrize("change, message", BAD)
def test_bad_input(change, message):
    good = {"y_true": [0, 0, 1, 1, 1], "y_score": [1, 2, 3, 4, 5], "threshold": 2.5}
    with pytest.raises(ValueError, match=message):
        operating_point(**{**good, **change})


# ---------------------------------------------------------------- a threshold for a sensitivity
@pytest.mark.parametrize("n", [29, 59, 100, 500])
@pytest.mark.parametrize("confidence_level", [0.9, 0.95, None])
def test_as_many_misses_as_binomial_law_allows(n, confidence_level):
    rng = np.random.default_rng(n)
    scores, y = np.r_[rng.normal(size=n), [0.0, 1.0]], np.r_[np.ones(n), 0, 0]
    theta = tpr_threshold(y, scores, 0.9, confidence_level=confidence_level)
    missed = int(np.sum(scores[:n] < theta))
    assert theta in scores[:n].tolist()
    if confidence_level is None:
        assert missed == int((n + 1) / 10 + 1e-9) - 1
    else:  # the true miss rate of the threshold at order statistic k is Beta(k, n + 1 - k)
        held = lambda k: beta.cdf(0.1, k, n + 1 - k)
        assert (
            held(missed + 1) >= confidence_level > held(missed + 2)
            and binom.cdf(missed, n, 0.1) <= 1 - confidence_level
        )


def test_it_is_the_mirror_of_the_false_positive_rate():
    """Turned around, the same cases are on the same side."""
    rng = np.random.default_rng(1)
    y, s = rng.integers(0, 2, 400), rng.normal(size=400).round(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ties
        missed = s < tpr_threshold(y, s, 0.8)
        assert (missed == (-s >= fpr_threshold(1 - y, -s, 0.2)))[y == 1].all()
        assert tpr_threshold(1 - y, s, 0.8, pos_label=0) == tpr_threshold(y, s, 0.8)


def test_ties_at_the_cut_ring_and_are_told():
    y, s = np.repeat([1, 0], [100, 10]), np.r_[np.zeros(60), np.ones(40), np.zeros(10)]
    with pytest.warns(
        UserWarning,
        match="tied scores at the threshold .* of the misses that min_tpr=0.9 allows go unused",
    ):
        assert tpr_threshold(y, s, 0.9) == 0


@pytest.mark.parametrize(
    "min_tpr, level, message",
    [
        (
            0.9,
            0.95,
            "min_tpr=0.9 with confidence_level=0.95 needs at least 29 positives, got 28: add rows or lower min_tpr",
        ),
        (0.99, None, "at least 99 positives"),
        (1, 0.95, "min_tpr must be"),
        (0.9, 1.2, "confidence_level must be"),
    ],
)
def test_an_unattainable_sensitivity_is_refused(min_tpr, level, message):
    labels = np.repeat([1, 0], [28, 5])
    with pytest.raises(ValueError, match=message):
        tpr_threshold(labels, np.arange(33.0), min_tpr, confidence_level=level)
    with pytest.raises(ValueError, match="finite"):
        tpr_threshold(np.repeat([1, 0], [28, 5]), np.r_[np.inf, np.arange(32.0)], 0.5)


# ---------------------------------------------------------------- the line through probabilities
def told(seed, n=300, digits=9):
    rng = np.random.default_rng(seed)
    p = expit(rng.normal(-1, 1.5, n)).round(digits).clip(1e-4, 1 - 1e-4)
    return (rng.random(n) < p**1.3).astype(int), p


@pytest.mark.parametrize("seed, digits", [(0, 9), (1, 2), (2, 1)])
def test_slope_and_intercept_are_those_of_scikit_learn(seed, digits):
    y, p = told(seed, digits=digits)
    line = calibration_line(y, p, n_resamples=2)
    fit = LogisticRegression(C=1e12, tol=1e-12, max_iter=1000).fit(logit(p)[:, None], y)
    assert line.slope.value == pytest.approx(fit.coef_[0, 0], abs=1e-5)
    assert line.intercept.value == pytest.approx(fit.intercept_[0], abs=1e-5)
    large = brentq(lambda a: np.sum(y - expit(a + logit(p))), -9, 9)
    assert line.in_the_large.value == pytest.approx(large, abs=1e-9)
    error = 1 / np.sqrt(np.sum(expit(large + logit(p)) * (1 - expit(large + logit(p)))))
    assert line.in_the_large.high - large == pytest.approx(ndtri(0.975) * error)


def test_moving_the_probabilities_moves_the_line():
    """log-odds times 2 plus 1: slope by 2, the fit is the same; the negative class mirrors."""
    y, p = told(3)
    line, moved = calibration_line(y, p), calibration_line(y, expit(2 * logit(p) + 1))
    assert moved.slope.value == pytest.approx(line.slope.value / 2, abs=1e-7)
    assert moved.intercept.value == pytest.approx(
        line.intercept.value - line.slope.value / 2, abs=1e-7
    )
    other = calibration_line(y, 1 - p, pos_label=0, n_resamples=2)
    np.testing.assert_allclose(other.slope, line.slope, atol=1e-7)
    assert other.intercept.value == pytest.approx(-line.intercept.value, abs=1e-7)


@pytest.mark.parametrize("seed, digits", [(4, 9), (5, 2)])
def test_distances_are_those_of_the_reliability_curve(seed, digits):
    y, p = told(seed, digits=digits)
    line, curve = calibration_line(y, p, n_resamples=2), reliability_curve(y, p, band=None)
    far = np.repeat(
        abs(curve.probability - curve.frequency), np.rint(curve.weight * y.size).astype(int)
    )
    expected = far.mean(), np.median(far), np.quantile(far, 0.9), far.max()
    np.testing.assert_allclose((line.ici, line.e50, line.e90, line.emax), expected, atol=1e-12)


def test_chance():
    """Pooled frequencies look calibrated beyond chance; the seed is all that matters."""
    y, p = told(6)
    line = calibration_line(y, p, random_state=1)
    assert line == calibration_line(y, p, random_state=1) and 0 < line.ici_by_chance < 0.2
    fitted = pav(y[np.argsort(p, kind="stable")]).clip(0.01, 0.99)
    assert calibration_line(y[np.argsort(p, kind="stable")], fitted).ici < 0.02


def test_groups_of_probabilities():
    """Copies are one row: the sandwich of each on its own is near the information's, and copies change nothing but t."""
    y, p = told(7, 800)
    line = calibration_line(y, p, n_resamples=2)
    own = calibration_line(y, p, groups=np.arange(800), n_resamples=2)
    twice = calibration_line(
        np.tile(y, 2), np.tile(p, 2), groups=np.tile(np.arange(800), 2), n_resamples=2
    )
    np.testing.assert_allclose(twice.slope, own.slope, rtol=1e-6)
    np.testing.assert_allclose(own.slope, line.slope, rtol=0.05)
    assert own.slope.high - own.slope.low > 1.3 * np.ptp(
        calibration_line(np.tile(y, 2), np.tile(p, 2)).slope[1:]
    )


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(y_prob=[0, 0.2, 0.3, 0.4, 0.9]), "1 of y_prob are 0 or 1"),
        (dict(y_prob=[0.1, 0.2, 0.3, 0.4, 1.1]), r"y_prob must lie in \[0, 1\]"),
        (dict(y_prob=[0.1, 0.2, 0.3, 0.4, 0.5]), "separates the classes"),
        (dict(y_prob=[0.5, 0.4, 0.3, 0.2, 0.1]), "separates the classes"),
        (dict(y_prob=[0.3] * 5), "the same for all"),
        (dict(confidence_level=0), "confidence_level"),
        (dict(n_resamples=1), "n_resamples"),
        (dict(groups=[1] * 5), "at least two groups"),
        (dict(y_true=[0, 1, 2, 1, 0]), "exactly two classes"),
    ],
)
def test_bad_probabilities(change, message):
    good = {"y_true": [0, 0, 0, 1, 1], "y_prob": [0.1, 0.5, 0.3, 0.4, 0.6]}
    with pytest.raises(ValueError, match=message):
        calibration_line(**{**good, **change})


# ---------------------------------------------------------------- a band in the picture
def test_the_band_is_drawn_where_it_is():
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 60), rng.normal(size=60)
    band, display = roc_band(y, s), RocDisplay.from_predictions(y, s)
    ax = band.plot(display.ax_, color="red", label="band")
    (shade,) = ax.collections
    points = shade.get_paths()[0].vertices
    for x, low, high in zip(*band):
        there = points[np.isclose(points[:, 0], x), 1]
        assert np.isclose(there, low).any() and np.isclose(there, high).any()
    assert (
        ax is display.ax_
        and shade.get_label() == "band"
        and shade.get_zorder() < display.lines_["ranker"].get_zorder()
    )
