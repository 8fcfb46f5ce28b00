"""Calibration of probabilities: against scikit-learn, repeated refits, direct counts, and at 0 and 1."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

from aucbook import (
    Brier,
    PAVCalibrator,
    reliability_curve,
    roc_auc,
    roc_curve,
    score_decomposition,
    triptych,
    venn_abers,
)
from aucbook.calibration import calibration_line, clipped_brier, murphy_curve, plot_triptych
from aucbook.calibration.probabilities import sampled_labels
from aucbook.measures import ClippedBrier, check_measures

MEASURES = [reliability_curve, score_decomposition, murphy_curve, triptych]
forecasts = st.lists(
    st.tuples(st.booleans(), st.integers(0, 10), st.integers(1, 3)), min_size=2, max_size=40
).filter(lambda rows: len({label for label, _, _ in rows}) == 2)


def columns(rows):
    y, p, w = map(np.array, zip(*rows))
    return y.astype(int), p / 10, w


@given(forecasts)
@settings(max_examples=60, deadline=None)
def test_pools_scores_and_areas(rows):
    y, p, w = columns(rows)
    for weight in (None, w):
        curve = reliability_curve(y, p, band=None, sample_weight=weight)
        refit = IsotonicRegression().fit(p, y, sample_weight=weight)
        np.testing.assert_allclose(curve.frequency, refit.predict(curve.probability), atol=1e-10)
        assert curve.weight.sum() == pytest.approx(1) and curve.low is None
        parts = score_decomposition(y, p, sample_weight=weight)
        assert parts.score == pytest.approx(brier_score_loss(y, p, sample_weight=weight), abs=1e-12)
        assert parts.score == pytest.approx(
            parts.miscalibration - parts.discrimination + parts.uncertainty, abs=1e-12
        )
        assert min(parts) >= 0
        theta, loss = murphy_curve(y, p, sample_weight=weight)
        assert trapezoid(loss, theta) == pytest.approx(parts.score, abs=1e-12)
        views = triptych(y, p, sample_weight=weight)
        assert views.decomposition == parts
        np.testing.assert_array_equal(views.roc.tpr, roc_curve(y, p, sample_weight=weight).tpr)
        np.testing.assert_array_equal(views.murphy.loss, loss)
        np.testing.assert_array_equal(views.reliability.frequency, curve.frequency)


@given(forecasts)
@settings(max_examples=40, deadline=None)
def test_log_score(rows):
    y, p, w = columns(rows)
    p = 0.05 + 0.9 * p
    parts = score_decomposition(y, p, "log", sample_weight=w)
    assert parts.score == pytest.approx(log_loss(y, p, sample_weight=w), rel=1e-10)
    refit = IsotonicRegression().fit(p, y, sample_weight=w).predict(p)
    assert parts.score - parts.miscalibration == pytest.approx(
        log_loss(y, refit, sample_weight=w), rel=1e-9, abs=1e-12
    )


def test_an_impossible_thing_that_happened_costs_infinitely_much():
    parts = score_decomposition([0, 1, 1], [0.0, 0.0, 1.0], "log")
    assert parts.score == np.inf == parts.miscalibration and np.isfinite(parts.discrimination)


@given(forecasts, st.lists(st.floats(0, 1), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_murphy_is_a_mean_loss(rows, thetas):
    y, p, w = columns(rows)
    thetas = [*thetas, 0.0, 0.3, 1.0]
    slow = [
        2 * np.average(np.where(y == 1, (1 - t) * (p <= t), t * (p > t)), weights=w) for t in thetas
    ]
    np.testing.assert_allclose(murphy_curve(y, p, thetas, sample_weight=w).loss, slow, atol=1e-12)


def test_venn_abers_takes_a_single_score():
    y, s = [0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]
    single = venn_abers(y, s, 3.5)
    of_many = venn_abers(y, s, [0.0, 3.5])
    assert single == (of_many.low[1], of_many.high[1], of_many.probability[1])
    assert all(isinstance(value, float) for value in single)
    with pytest.raises(ValueError, match="new_score"):
        venn_abers(y, s, None)


@given(forecasts)
@settings(max_examples=60, deadline=None)
def test_venn_abers_is_two_refits(rows):
    y, s, _ = columns(rows)
    new = np.r_[s, s + 0.05, -1.0, 2.0]
    low, high, p = venn_abers(y, s, new)
    for label, ours in ((0, low), (1, high)):
        slow = [IsotonicRegression().fit(np.r_[s, v], np.r_[y, label]).predict([v])[0] for v in new]
        np.testing.assert_allclose(ours, slow, atol=1e-10)
    assert (low <= p + 1e-12).all() and (p <= high + 1e-12).all()
    order = np.argsort(new, kind="stable")
    assert (np.diff(p[order]) >= -1e-12).all()


def test_bands():
    rng = np.random.default_rng(0)
    p = np.round(rng.random(600), 2)
    y = rng.random(600) < p
    honest = reliability_curve(y, p, n_resamples=200, random_state=1)
    assert ((honest.frequency >= honest.low) & (honest.frequency <= honest.high)).mean() > 0.8
    bold = reliability_curve(
        rng.random(600) < 0.5 + (p - 0.5) / 3, p, n_resamples=200, random_state=1
    )
    assert ((bold.frequency >= bold.low) & (bold.frequency <= bold.high)).mean() < 0.5
    around = reliability_curve(y, p, band="confidence", n_resamples=200, random_state=1)
    assert (around.low <= around.frequency + 0.05).all() and (
        around.high >= around.frequency - 0.05
    ).all()
    again = reliability_curve(y, p, n_resamples=200, random_state=1)
    np.testing.assert_array_equal(honest.low, again.low)
    narrow = reliability_curve(y, p, confidence_level=0.5, n_resamples=200, random_state=1)
    assert (narrow.high - narrow.low).mean() < (honest.high - honest.low).mean()


def test_a_row_of_weight_two_is_two_rows_in_the_band_as_well():
    p, y = np.tile([0.2, 0.8], 150), np.tile([0, 1, 1], 100)
    light = reliability_curve(
        y, p, sample_weight=np.full(300, 5.0), n_resamples=300, random_state=0
    )
    plain = reliability_curve(y, p, n_resamples=300, random_state=0)
    # only ratios count: five times the weight is no more certainty
    np.testing.assert_allclose(light.high - light.low, plain.high - plain.low, atol=0.05)


@given(forecasts)
@settings(max_examples=40, deadline=None)
def test_strict_calibration_keeps_every_order(rows):
    y, s, w = columns(rows)
    fit = PAVCalibrator("strict").fit(s, y, w)
    some = np.unique(np.r_[s, -50.0, s + 0.03, 70.0])
    p = fit.transform(some)
    assert (np.diff(p) > 0).all() and p[0] > 0 and p[-1] < 1
    assert roc_auc(y, fit.transform(s)) == roc_auc(y, s)
    assert fit.predict_proba(s).sum(1) == pytest.approx(np.ones(y.size))


def test_strict_stays_near_the_truth():
    rng = np.random.default_rng(3)
    s = rng.normal(size=5000)
    y = rng.random(5000) < expit(2 * s)
    new = rng.normal(size=5000)
    strict, pooled = (PAVCalibrator(way).fit(s, y).transform(new) for way in ("strict", "midpoint"))

    def error(p):
        return np.mean((p - expit(2 * new)) ** 2)

    assert error(strict) < 1.2 * error(pooled)


@pytest.mark.parametrize(
    "scores",
    [np.arange(4), 0.5 + np.arange(4) * 1.2e-16, np.arange(4) * 5e-324, np.arange(4) * 1e300],
)
def test_strict_never_says_certain(scores):
    new = np.r_[-1e308, -1e17, -1e-300, 0, 1e-300, 0.5, 1e16, 1e17, 1e308]
    p = PAVCalibrator("strict").fit(scores, [0, 1, 0, 1]).transform(new)
    assert (np.diff(p) >= 0).all() and p[0] > 0 and p[-1] < 1


def test_strict_and_clip_exclude_each_other():
    with pytest.raises(ValueError, match="leave it None"):
        PAVCalibrator("strict", clip=0.1).fit([1, 2], [0, 1])


def test_two_rows():
    low, high, _ = venn_abers([0, 1], [1, 2], [1.5])
    assert (low[0], high[0]) == (0.0, 1.0)
    assert triptych([0, 1], [1.0, 0.0]).decomposition.score == 1


@pytest.mark.parametrize("measure", MEASURES)
def test_bad_rows(measure):
    for y, p, message in (
        ([0, 1], [0.5, 1.5], r"y_prob must lie in \[0, 1\]"),
        ([0, 1], [-0.1, 0.5], r"y_prob must lie in \[0, 1\]"),
        ([0, 1], [0.1, np.nan], "NaN"),
        ([1, 1], [0.1, 0.2], "exactly two classes"),
        ([0, 1], [0.1, 0.2, 0.3], "same length"),
    ):
        with pytest.raises(ValueError, match=message):
            measure(y, p)
    with pytest.raises(ValueError, match="weight"):
        measure([0, 1], [0.1, 0.2], sample_weight=[1, np.nan])


def test_bad_settings():
    y, p = [0, 1], [0.2, 0.8]
    with pytest.raises(ValueError, match="band must be"):
        reliability_curve(y, p, band="both")
    with pytest.raises(ValueError, match="confidence_level"):
        reliability_curve(y, p, confidence_level=95)
    with pytest.raises(ValueError, match="n_resamples"):
        reliability_curve(y, p, n_resamples=1)
    with pytest.raises(ValueError, match="score must be"):
        score_decomposition(y, p, "squared")
    with pytest.raises(ValueError, match="thresholds must lie"):
        murphy_curve(y, p, [0.5, 2])
    with pytest.raises(ValueError, match="new_score"):
        venn_abers(y, p, [np.nan])
    with pytest.raises(ValueError, match="empty dict"):
        plot_triptych(y, {})


def test_picture_shows_the_curves():
    rng = np.random.default_rng(0)
    p = rng.random(80)
    y = rng.random(80) < p
    axes = plot_triptych(y, {"a": p, "b": p**2}, n_resamples=20, random_state=0)
    np.testing.assert_array_equal(axes[2].lines[0].get_ydata(), roc_curve(y, p).tpr)
    np.testing.assert_array_equal(
        axes[0].lines[1].get_ydata(), reliability_curve(y, p**2, band=None).frequency
    )
    assert [text.get_text() for text in axes[0].get_legend().get_texts()] == ["a", "b"]


# ---- clipped Brier score


@given(forecasts, st.tuples(st.integers(0, 19), st.integers(1, 20)))
@settings(max_examples=80, deadline=None)
def test_clipped_brier_is_the_mean_of_the_murphy_curve(rows, ends):
    """Integrated numerically: the loss at many thresholds between the probabilities."""
    y, p, w = columns(rows)
    low, high = min(ends) / 20, (max(ends) + (ends[0] == ends[1])) / 20
    theta = low + (high - low) * (np.arange(4000) + 0.5) / 4000
    for weight in (None, w):
        mean = murphy_curve(y, p, theta, sample_weight=weight).loss.mean()
        ours = clipped_brier(y, p, min_threshold=low, max_threshold=high, sample_weight=weight)
        assert ours == pytest.approx(mean, abs=2e-3)  # a jump lies between two thresholds
        measure = ClippedBrier(min_threshold=low, max_threshold=high)
        assert measure(y, p, sample_weight=weight) == pytest.approx(ours, abs=1e-12)
        unclipped = clipped_brier(y, p, sample_weight=weight)
        assert unclipped == pytest.approx(Brier(y, p, sample_weight=weight), abs=1e-12)


def test_ranges_add_up_to_the_brier_score():
    rng = np.random.default_rng(0)
    p = rng.random(200)
    y = rng.random(200) < p
    ends = [0, 0.07, 0.3, 0.31, 1]
    widths = np.diff(ends)
    scores = [
        clipped_brier(y, p, min_threshold=low, max_threshold=high)
        for low, high in zip(ends, ends[1:])
    ]
    assert widths @ scores == pytest.approx(Brier(y, p))
    # probabilities beyond the range count as its ends
    same = np.clip(p, 0.07, 0.3)
    assert clipped_brier(y, same, min_threshold=0.07, max_threshold=0.3) == pytest.approx(scores[1])


def test_clipped_brier_is_proper():
    """On average the true probability is best, and within the range nothing else is as good."""
    p = np.linspace(0, 1, 101)
    for truth in (0.02, 0.1, 0.15, 0.6):
        loss = [
            truth * clipped_brier([0, 1], [0.0, q], min_threshold=0.05, max_threshold=0.2)
            + (1 - truth) * clipped_brier([0, 1], [q, 1.0], min_threshold=0.05, max_threshold=0.2)
            for q in p
        ]
        best = p[np.isclose(loss, min(loss), atol=1e-15)]
        assert np.isclose(best, truth).any()
        if 0.05 < truth < 0.2:
            assert best.size == 1


@pytest.mark.parametrize("low, high", [(0.2, 0.2), (0.3, 0.1), (-0.1, 0.5), (0, 1.2), ("a", 1)])
def test_clipped_brier_ranges(low, high):
    for call in (ClippedBrier, lambda **ends: clipped_brier([0, 1], [0.2, 0.3], **ends)):
        with pytest.raises(ValueError, match="m.._threshold"):
            call(min_threshold=low, max_threshold=high)


def test_clipped_brier_as_a_measure():
    rng = np.random.default_rng(1)
    p = rng.random(300)
    y = (rng.random(300) < p).astype(int)
    measure = ClippedBrier(min_threshold=0.1, max_threshold=0.3)
    estimate, low, high = measure.interval(y, p, random_state=0)
    assert low <= estimate <= high and estimate == measure(y, p)
    test = measure.test(y, p, p[::-1].copy(), random_state=0)
    assert test.high < 0 or test.low > 0  # the reversed probabilities are worse
    assert check_measures("clippedbrier(max_threshold=.3)")


@pytest.mark.parametrize("zero", [0, 3])
def test_sampled_labels_are_those_of_binomial(zero):
    rate = np.random.default_rng(0).random(2000)
    rate[5:8] = 0.5
    rate[8] = 1
    rate[:zero] = 0
    ours, theirs = np.random.default_rng(1), np.random.default_rng(1)
    for _ in range(20):
        labels = sampled_labels(rate, ours)
        assert np.array_equal(labels, theirs.binomial(1, rate))
    assert ours.random() == theirs.random()


@pytest.mark.parametrize("function", [calibration_line, reliability_curve, score_decomposition])
def test_messages_name_the_probabilities(function):
    y = [0, 1, 0, 1]
    with pytest.raises(ValueError, match="y_prob contains NaN, the first in row 2"):
        function(y, [0.1, 0.2, np.nan, 0.4])
    with pytest.raises(ValueError, match=r"pass the column of the positive class, y_prob\[:, 1\]"):
        function(y, np.ones((4, 2)))
