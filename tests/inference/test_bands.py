"""Bands of ROC, precision-recall, calibration and mean curves: brute force, peers, coverage, refusals."""

import os
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from aucbook._numerics.local_levels import simultaneous_limits
from aucbook.inference import (
    bands,
    mean_roc_band,
    precision_recall_band,
    reliability_band,
    roc_band,
)
from aucbook.metrics import precision_recall_curve, tpr_at_fpr
from aucbook.theory import binormal_roc, make_binormal
from experiments import band_coverage

NO_JIT = bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0")))
compiled = pytest.mark.skipif(NO_JIT, reason="many resamples: minutes without the compiler")
gently = settings(max_examples=30, deadline=None)
cases = st.integers(0, 10**6).map(np.random.default_rng)
METHODS = ["dkw", "binomial", "bootstrap"]
FEW = {"n_resamples": 20 if NO_JIT else 100, "random_state": 0}


def draw(rng):
    """(labels, scores): a few rows, with or without ties."""
    m, n = rng.integers(2, 12, 2)
    y = np.r_[np.ones(m, int), np.zeros(n, int)]
    return y, np.round(rng.normal(size=m + n) + y, rng.integers(0, 4))


def rectangles(y, s, confidence_level):
    """Limits of (FPR, TPR) at each threshold, counted in a loop."""
    m, n = y.sum(), (1 - y).sum()
    each = confidence_level**0.5
    out = []
    for t in [np.inf, *np.unique(s)[::-1]]:
        tp, fp = (y[s >= t] == 1).sum(), (y[s >= t] == 0).sum()
        fpr = [side[0] for side in simultaneous_limits(np.array([fp]), n, each)]
        tpr = [side[0] for side in simultaneous_limits(np.array([tp]), m, each)]
        out.append((*fpr, *tpr))
    return np.array(out)


@gently
@given(cases)
def test_the_binomial_band_is_the_union_of_rectangles_of_untied_scores(rng):
    y, _ = draw(rng)
    s = rng.permutation(y.size).astype(float)
    fpr_low, fpr_high, tpr_low, tpr_high = rectangles(y, s, 0.9).T
    band = roc_band(y, s, method="binomial", confidence_level=0.9, fpr=np.linspace(0, 1, 41))
    for x, low, high in zip(*band):
        assert low == pytest.approx(max([0, *tpr_low[fpr_high <= x]]), abs=1e-12)
        assert high == pytest.approx(tpr_high[fpr_low <= x].max(), abs=1e-12)


@gently
@given(cases)
def test_with_ties_the_band_joins_the_corners(rng):
    y, s = draw(rng)
    fpr_low, fpr_high, tpr_low, tpr_high = rectangles(y, s, 0.9).T
    inner = np.setdiff1d(np.linspace(0.013, 0.987, 30), np.r_[fpr_low, fpr_high])
    band = roc_band(y, s, method="binomial", confidence_level=0.9, fpr=inner)
    np.testing.assert_allclose(
        band.low, np.interp(inner, np.r_[fpr_high[0], fpr_high], np.r_[0, tpr_low]), atol=1e-12
    )
    np.testing.assert_allclose(band.high, np.interp(inner, fpr_low, tpr_high), atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_every_band_contains_its_curve_and_grows_with_the_level(method):
    for seed in range(5):
        y, s = draw(np.random.default_rng(seed))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            band, wide = (
                roc_band(y, s, method=method, confidence_level=level, **FEW)
                for level in (0.8, 0.99)
            )
        curve = tpr_at_fpr(y, s, band.fpr)
        assert (band.low <= curve + 1e-12).all() and (curve <= band.high + 1e-12).all()
        assert (wide.low <= band.low + 1e-12).all() and (band.high <= wide.high + 1e-12).all()
        assert (np.diff(band.low) >= 0).all() and (np.diff(band.high) >= 0).all()


def test_exact_limits_are_those_of_scipy():
    for n in (1, 4, 30):
        low, high = bands.exact_binomial_limits(np.arange(n + 1) / n, n, 0.9)
        for k in range(n + 1):
            exact = binomtest(k, n).proportion_ci(0.9, method="exact")
            assert (low[k], high[k]) == pytest.approx((exact.low, exact.high), abs=1e-9)


@compiled
def test_a_bootstrap_of_separated_classes_rests_on_the_number_of_rows():
    y = np.repeat([0, 1], 20)
    for s in (np.arange(40), np.zeros(40)):
        with pytest.warns(UserWarning, match="variance is zero.*number of rows"):
            band = roc_band(y, s, fpr=[0.1, 0.5], method="bootstrap", random_state=0)
        assert (band.high - band.low > 0.1).all()


# ---------------------------------------------------------------- precision and recall
@pytest.mark.parametrize("method", METHODS)
def test_precision_is_the_image_of_the_roc_band_at_a_known_prevalence(method):
    """A curve within the ROC band is within the image, and the image is hardly wider."""
    y, s = make_binormal(60, 100, random_state=1)
    at = np.linspace(0.05, 1, 20)
    image = precision_recall_band(y, s, method=method, prevalence=0.2, recall=at, **FEW)
    fpr = np.linspace(0, 1, 20001)
    band = roc_band(y, s, method=method, fpr=fpr, **FEW)
    for recall, low, high in zip(*image):
        possible = fpr[(band.low <= recall) & (recall <= band.high)]
        precision = 0.2 * recall / (0.2 * recall + 0.8 * possible)
        assert low <= precision.min() + 1e-3 and precision.max() <= high + 1e-3
        if recall > 0.2:
            assert low > precision.min() - 0.02 and high < precision.max() + 0.02


@pytest.mark.parametrize("method", METHODS)
def test_the_error_of_the_prevalence_is_its_exact_interval(method):
    y, s = make_binormal(30, 90, random_state=2)
    band = precision_recall_band(y, s, method=method, confidence_level=0.9, **FEW)
    exact = binomtest(30, 120).proportion_ci(0.9 ** (1 / 3), method="exact")
    ends = [
        precision_recall_band(
            y, s, method=method, confidence_level=0.9 ** (2 / 3), prevalence=share, **FEW
        )
        for share in exact
    ]
    np.testing.assert_allclose(band.low, ends[0].low, atol=1e-9)
    np.testing.assert_allclose(band.high, ends[1].high, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_the_precision_of_the_rows_is_within(method):
    for seed in range(6):
        y, s = draw(np.random.default_rng(seed))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            band = precision_recall_band(y, s, method=method, **FEW)
        precision, recall, _ = precision_recall_curve(y, s)
        for r, low, high in zip(*band):
            reached = precision[:-1][recall[:-1] >= r - 1e-12][-1]  # the highest threshold
            assert low - 1e-12 <= reached <= high + 1e-12


# ---------------------------------------------------------------- calibration
def clopper_pearson_low(k, n, error):
    return binomtest(int(k), int(n)).proportion_ci(1 - 2 * error, method="exact").low


@settings(max_examples=10, deadline=None)
@given(cases)
def test_the_band_of_reliability_is_the_best_of_all_runs_of_bins(rng):
    n = int(rng.integers(2, 50))
    p = np.sort(np.round(rng.random(n), rng.integers(1, 4)))
    y = (rng.random(n) < p).astype(int)
    y[rng.permutation(n)[:2]] = 0, 1
    bins = int(np.ceil(2 * n ** (1 / 3)))
    # a bin ends with the group in which its share of the rows is reached
    x = np.unique(p)
    reached = [np.count_nonzero(p <= v) for v in x]
    ends = sorted({0, n} | {next(r for r in reached if r >= n * j / bins) for j in range(1, bins)})
    runs = [(a, a + 2**j) for j in range(10) for a in range(len(ends) - 2**j)]
    error = 0.1 / (2 * len(runs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        band = reliability_band(y, p, confidence_level=0.9)
    low, high = np.zeros(x.size), np.ones(x.size)
    for a, b in runs:
        first, last = ends[a], ends[b]
        k, size = y[first:last].sum(), last - first
        right, left = x >= p[last - 1], x <= p[first]
        low[right] = np.maximum(low[right], clopper_pearson_low(k, size, error))
        high[left] = np.minimum(high[left], 1 - clopper_pearson_low(size - k, size, error))
    np.testing.assert_array_equal(band.probability, x)
    np.testing.assert_allclose(band.low, low, atol=1e-9)
    np.testing.assert_allclose(band.high, high, atol=1e-9)


def test_a_rate_that_falls_is_named():
    p = np.linspace(0.01, 0.99, 600)
    y = (np.arange(600) % 10 < np.where(p < 0.5, 9, 1)).astype(int)
    with pytest.warns(UserWarning, match="event rate falls somewhere"):
        band = reliability_band(y, p)
    assert band.rejects_calibration()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rising = reliability_band(1 - y, p)
    assert (rising.low <= rising.high).all()


def test_calibration_is_seldom_rejected_and_miscalibration_found():
    rng = np.random.default_rng(0)
    rejected = {"calibrated": 0, "halved": 0}
    for _ in range(60):
        p = rng.random(400)
        y = rng.random(400) < p
        rejected["calibrated"] += reliability_band(y, p).rejects_calibration()
        rejected["halved"] += reliability_band(y, p / 2).rejects_calibration()
    assert rejected["calibrated"] <= 7 and rejected["halved"] == 60


def test_steps_go_up_at_the_right_ends():
    x, low, high = reliability_band([0, 1, 0, 1], [0.2, 0.3, 0.4, 0.9]).steps()
    assert x.size == low.size == high.size == 7
    assert (np.diff(x) >= 0).all() and (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all()


# ---------------------------------------------------------------- the mean over folds
@compiled
def test_the_mean_band_contains_the_mean_curve_whatever_the_scale_of_a_fold():
    y, s = make_binormal(60, 90, random_state=3)
    folds = np.array(["a", "b", "c"])[np.arange(150) % 3]
    band = mean_roc_band(y, s, folds, **FEW)
    mean = np.mean([tpr_at_fpr(y[folds == k], s[folds == k], band.fpr) for k in "abc"], axis=0)
    assert (band.low <= mean + 1e-12).all() and (mean <= band.high + 1e-12).all()
    scale = np.where(folds == "b", 7.0, 0.5)
    same = mean_roc_band(y, scale * s + 10 * scale, folds, **FEW)
    np.testing.assert_allclose(same.low, band.low, atol=1e-12)
    np.testing.assert_allclose(same.high, band.high, atol=1e-12)


@compiled
def test_the_mean_band_of_one_fold_is_nearly_the_bootstrap_band():
    y, s = make_binormal(80, 120, random_state=4)
    one = roc_band(y, s, method="bootstrap", n_resamples=400, random_state=0)
    mean = mean_roc_band(y, s, np.zeros(200), n_resamples=400, random_state=0)
    assert abs(one.low - mean.low).max() < 0.05 and abs(one.high - mean.high).max() < 0.05


@compiled
def test_the_mean_band_covers():
    held = 0
    at = np.linspace(0, 1, 51)
    for seed in range(80):
        rng = np.random.default_rng(seed)
        y = np.repeat([1, 0], [40, 60])
        folds = np.arange(100) % 4
        distance = np.array([0.5, 1, 1.5, 2])
        s = rng.normal(size=100) + distance[folds] * y - 5 * folds
        truth = np.mean([binormal_roc(at, mu) for mu in distance], axis=0)
        band = mean_roc_band(y, s, folds, fpr=at, **FEW)
        held += ((band.low <= truth) & (truth <= band.high)).all()
    assert held / 80 >= 0.95 - 3 * 0.025


def test_small_folds_are_refused_with_the_number_that_would_do():
    y, s = np.repeat([0, 1], 24), np.arange(48.0)
    with pytest.raises(ValueError, match="at least 5 rows of each class.*at most 4 stratified"):
        mean_roc_band(y, s, np.arange(48) % 6)
    with pytest.raises(ValueError, match="it takes at least 5 rows of each class in all"):
        mean_roc_band(y[20:28], s[20:28], np.arange(8) % 2)


# ---------------------------------------------------------------- bad input, and what is stored
Y, S = np.repeat([0, 1], 8), np.arange(16.0)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: roc_band(Y, S, method="beta"), "'dkw', 'binomial' or 'bootstrap'"),
        (lambda: roc_band(Y, S, method="binomial", groups=Y), "two groups|independent rows"),
        (lambda: precision_recall_band(Y, S, recall=[0, 0.5]), "recall must be above 0"),
        (lambda: precision_recall_band(Y, S, recall=[0.5, 0.2]), "recall must be ascending"),
        (lambda: precision_recall_band(Y, S, prevalence=0), "prevalence must be a number"),
        (lambda: precision_recall_band(Y, S, prevalence="a"), "prevalence .* got 'a'"),
        (lambda: precision_recall_band([1, 0, 0], [1, 2, 3]), "at least two rows of each class"),
        (lambda: precision_recall_band(Y, S, groups=np.arange(16) % 5), "give prevalence="),
        (
            lambda: precision_recall_band(Y, S, groups=np.arange(16) % 5, prevalence=0.1),
            "method='bootstrap'",
        ),
        (lambda: precision_recall_band(Y, np.r_[S[1:], np.nan]), "NaN"),
        (lambda: mean_roc_band(Y, S, [1, 2]), "fold must be 16 names"),
        (lambda: mean_roc_band(Y, S, [None, *S[1:]]), "fold"),
        (lambda: mean_roc_band(Y, S, 0 * Y, n_resamples=1), "n_resamples"),
        (lambda: mean_roc_band(Y, S, 0 * Y, n_resamples="a"), "n_resamples .* got 'a'"),
        (lambda: reliability_band(Y, S), r"in \[0, 1\]"),
        (lambda: reliability_band(Y, S / 16, confidence_level=1), "confidence_level"),
        (lambda: reliability_band(Y[:3], S[:3] / 16), "two classes"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@compiled
def test_grouped_rows_have_a_band_of_precision_at_a_known_prevalence():
    y, s = make_binormal(40, 60, random_state=5)
    groups = np.arange(100) // 4
    options = {"method": "bootstrap", "prevalence": 0.1, **FEW}
    alone = precision_recall_band(y, s, **options)
    again = precision_recall_band(y, s, groups=np.arange(100), **options)
    assert abs(alone.low - again.low).mean() < 0.05
    assert precision_recall_band(y, s, groups=groups, **options).recall.size == 200


@compiled
@pytest.mark.parametrize("law", ["5 positives", "four levels"])
def test_a_stored_study_is_computed_again(law):
    tally = band_coverage.Tally()
    for study in range(5):
        band_coverage.roc_study(law, study, tally)
    rows = {row["band"]: row for row in tally.rows()}
    assert set(rows) == {*METHODS, "resamples alone"}
    assert rows["binomial"]["held"] == rows["dkw"]["held"] == 5


@pytest.mark.parametrize("band", [roc_band, precision_recall_band, reliability_band])
def test_a_band_is_drawn_on_new_axes_or_on_given_ones(band):
    p = np.linspace(0.1, 0.9, 40)
    drawn = band(np.arange(40) % 2, p)
    ax = drawn.plot()
    assert len(ax.collections) == 1 and ax.get_xlabel() and ax.get_ylabel()
    assert drawn.plot(ax) is ax and len(ax.collections) == 2
    plt.close("all")
