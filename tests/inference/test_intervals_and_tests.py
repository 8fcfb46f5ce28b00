"""Intervals, tests and power of AUCs: against brute force and simulations; bad input (pROC: peers)."""

import os
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq

from aucbook import (
    auc_interval,
    auc_sample_size,
    auc_test,
    partial_auc,
    roc_auc,
    tpr_at_fpr,
    tpr_interval,
)
from aucbook._numerics import resampling
from aucbook.inference import auc_power, auc_test_unpaired, roc_band, tpr_power
from aucbook.inference.intervals import components_by_group
from aucbook.inference.power import binormal_variance, expected_interval
from aucbook.theory import binormal_auc, binormal_roc

NO_JIT = bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0")))
compiled = pytest.mark.skipif(NO_JIT, reason="many resamples: minutes without the compiler")
quick_examples = settings(max_examples=30 if NO_JIT else 150, deadline=None)
RANGES = [(0, 1), (0, 0.1), (0.1, 0.3), (0.2, 0.8), (0.5, 1)]


# ---- oracles that share nothing with the module


def brute_delong(y, *scores):
    """(areas, covariance): DeLong's psi, a table of all m x n pairs, ties one half."""
    A = []
    N = []
    for s in scores:
        P = s[y == 1][:, None]
        Q = s[y == 0][None, :]
        psi = (P > Q) + 0.5 * (P == Q)
        A.append(psi.mean(1)), N.append(psi.mean(0))
    A = np.array(A)
    N = np.array(N)
    return A.mean(1), np.atleast_2d(np.cov(A)) / A.shape[1] + np.atleast_2d(np.cov(N)) / N.shape[1]


def brute_partial(y, s, alpha, beta, steps=2000):
    """The same for a range, each tie group's FPR interval averaged on a fine grid of midpoints."""
    P = s[y == 1]
    Q = s[y == 0]
    x, t = zip((0, 0), *(((c <= Q).mean(), (c <= P).mean()) for c in np.unique(s)[::-1]))
    x = np.array(x)
    t = np.array(t)

    def curve(u):  # on a vertical step, its middle
        return (_side(x, t, u, "left") + _side(x, t, u, "right")) / 2

    at = {
        c: np.linspace((c < Q).mean(), (c <= Q).mean(), 2 * steps + 1)[1::2] for c in np.unique(s)
    }
    lo = curve(alpha)
    hi = curve(beta)
    A = np.array([np.clip(beta - at[c], 0, beta - alpha).mean() for c in P])
    N = np.array(
        [
            np.where(
                at[c] < alpha,
                lo,
                np.where(at[c] > beta, hi, [_side(x, t, u, "right") for u in at[c]]),
            ).mean()
            for c in Q
        ]
    )
    return A.mean(), A.var(ddof=1) / P.size + N.var(ddof=1) / Q.size


def _side(x, t, u, side):
    i = np.searchsorted(x, u, side=side)
    i = min(max(i, 1), x.size - 1)
    return (
        t[i - 1]
        if x[i] == x[i - 1]
        else t[i - 1] + (t[i] - t[i - 1]) * (u - x[i - 1]) / (x[i] - x[i - 1])
    )


def sample(seed=0, m=60, n=100, shift=1.0):
    rng = np.random.default_rng(seed)
    y = np.r_[np.ones(m, int), np.zeros(n, int)]
    return y, rng.normal(size=m + n) + shift * y


# ---- DeLong

cases = st.integers(0, 10**6).map(np.random.default_rng)


@pytest.mark.slow
@quick_examples
@given(cases, st.integers(1, 30))
def test_delong_equals_brute_force_on_ties(rng, levels):
    m, n = rng.integers(2, 30, 2)
    y = rng.permutation(np.r_[np.ones(m, int), np.zeros(n, int)])
    s, other = rng.integers(0, levels, (2, m + n)).astype(float)
    areas, S = brute_delong(y, s, other)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = auc_interval(y, s)
        test = auc_test(y, s, other, scale="linear")
        apart = auc_test_unpaired(y, s, y, other)
    np.testing.assert_allclose(
        [got.estimate, got.variance], [areas[0], S[0, 0]], rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(test.estimates, areas, atol=1e-12)
    variance = S[0, 0] + S[1, 1] - 2 * S[0, 1]
    if variance > 1e-9:  # below, the difference of the entries is mostly rounding
        assert test.statistic == pytest.approx(
            (areas[0] - areas[1]) / variance**0.5, rel=1e-6, abs=1e-9
        )
        assert test.pvalue == pytest.approx(2 * stats.norm.sf(abs(test.statistic)), abs=1e-12)
    if S[0, 0] + S[1, 1] > 1e-9:
        assert apart.statistic == pytest.approx(
            (areas[0] - areas[1]) / (S[0, 0] + S[1, 1]) ** 0.5, rel=1e-6, abs=1e-9
        )


@pytest.mark.parametrize("alpha, beta", RANGES + [(0.05, 0.07), (0.13, 0.977)])
@pytest.mark.parametrize("levels", [4, 12, 10**6])
def test_range_equals_brute_force(alpha, beta, levels):
    rng = np.random.default_rng(levels)
    y = rng.permutation(np.r_[np.ones(13, int), np.zeros(20, int)])
    s = rng.integers(0, levels, 33) + (levels / 3) * y // 1.0
    estimate, variance = brute_partial(y, s, alpha, beta)
    got = auc_interval(y, s, min_fpr=alpha, max_fpr=beta, form="raw")
    assert got.estimate == pytest.approx(
        partial_auc(y, s, min_fpr=alpha, max_fpr=beta, form="raw"), abs=1e-14
    )
    # the oracle averages over 2000 points: a kink changes it by up to 1/2000 of an interval
    # of width 1/20 or more
    assert got.estimate == pytest.approx(estimate, abs=2e-4)
    assert got.variance == pytest.approx(variance, rel=5e-3, abs=1e-7)


@pytest.mark.kernel
def test_omnibus_equals_the_textbook_formula():
    rng = np.random.default_rng(3)
    y, s = sample(3)
    scores = [np.round(s + rng.normal(size=y.size) * c, 1) for c in (0, 0.5, 1, 2)]
    areas, S = brute_delong(y, *scores)
    # another set of contrasts: the answer is the same
    L = np.array([[1, -1, 0, 0], [0, 1, -1, 0], [0, 0, 1, -1]])
    want = L @ areas @ np.linalg.solve(L @ S @ L.T, L @ areas)
    got = auc_test(y, *scores)
    assert got.df == 3
    assert got.statistic == pytest.approx(want, rel=1e-9)
    assert got.pvalue == pytest.approx(stats.chi2.sf(want, 3), rel=1e-9)
    twice = auc_test(y, *scores, scores[1])  # a copy adds nothing
    assert twice.df == 3
    assert twice.statistic == pytest.approx(want, rel=1e-9)


@pytest.mark.parametrize("alpha, beta", RANGES)
def test_only_the_order_of_scores_matters(alpha, beta):
    y, s = sample(1)
    s = np.round(s, 1)
    want = auc_interval(y, s, min_fpr=alpha, max_fpr=beta)
    assert auc_interval(y, np.exp(s), min_fpr=alpha, max_fpr=beta) == want
    assert auc_interval(y[::-1], s[::-1].astype(np.float32), min_fpr=alpha, max_fpr=beta) == want
    assert (
        auc_interval(np.where(y, "ill", "well"), s, min_fpr=alpha, max_fpr=beta, pos_label="ill")
        == want
    )
    z = auc_test(y, s, s**3, min_fpr=alpha, max_fpr=beta)
    assert (z.statistic, z.pvalue) == (0, 1)


def test_forms_rescale_the_interval():
    y, s = sample(2)
    raw, mc, norm = (
        auc_interval(y, s, min_fpr=0.1, max_fpr=0.3, form=f, scale="linear")
        for f in ("raw", "mcclish", "normalized")
    )
    assert norm.low == pytest.approx(raw.low / 0.2)
    assert norm.variance == pytest.approx(raw.variance / 0.04)
    assert mc.estimate == pytest.approx(partial_auc(y, s, min_fpr=0.1, max_fpr=0.3, form="mcclish"))
    assert (mc.high - mc.low) / mc.variance**0.5 == pytest.approx(
        (raw.high - raw.low) / raw.variance**0.5
    )


def wilson(share, k, z):
    """The two true shares from which the share of k rows is z standard errors away."""

    def distance(truth):
        return (share - truth) ** 2 * k - z**2 * truth * (1 - truth)

    return [
        brentq(distance, 0, share - 1e-9) if share > 0 else 0.0,
        brentq(distance, share + 1e-9, 1) if share < 1 else 1.0,
    ]


def test_scales():
    y, s = sample(2)
    for r in RANGES:
        line, odds, score = (
            auc_interval(y, s, min_fpr=r[0], max_fpr=r[1], scale=scale)
            for scale in ("linear", "logit", "score")
        )
        assert auc_interval(y, s, min_fpr=r[0], max_fpr=r[1]) == score
        assert (line.low + line.high) / 2 == pytest.approx(line.estimate)
        share = np.array(odds[:3])
        middle, low, high = np.log(share / (1 - share))
        assert (low + high) / 2 == pytest.approx(middle)
        slope = share[0] * (1 - share[0])  # the same standard error, on the other scale
        assert (high - low) * slope == pytest.approx(line.high - line.low)
        m = y.sum()
        n = max(1, (1 - y).sum() * (r[1] - r[0]))
        h = 2 * m * n / (m + n)
        variance = score.variance / slope
        weight = 1 / (1 + h * min(share[0], 1 - share[0]))
        k = 1 / ((1 - weight) * variance + weight * max(variance, 1 / h))
        assert score[1:3] == pytest.approx(wilson(share[0], k, stats.norm.ppf(0.975)), abs=1e-9)
    narrow = auc_interval([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6.0], scale="linear")
    assert narrow.high == 1  # clipped


@compiled
@pytest.mark.parametrize("alpha, beta", [(0, 0.05), (0, 1), (0.2, 0.8)])
@pytest.mark.parametrize("digits", [3, 12])
def test_large_samples_equal_the_sum_over_all_components(alpha, beta, digits):
    """A small range sorts only the top of the ranking, and means start as approximations."""
    rng = np.random.default_rng(0)
    y = (rng.random(60_000) < 0.2).astype(int)
    s = np.round(rng.normal(size=y.size) + y, digits)
    group, k = resampling.tie_groups(s)
    A, N = components_by_group(
        *(np.bincount(group[y == c], minlength=k) for c in (1, 0)), float(alpha), float(beta)
    )
    got = auc_interval(y, s, min_fpr=alpha, max_fpr=beta, form="raw")
    want = A[group[y == 1]].var(ddof=1) / y.sum() + N[group[y == 0]].var(ddof=1) / (1 - y).sum()
    assert got.variance == pytest.approx(want, rel=1e-10)  # 60000 terms, a rounding each
    assert got.estimate == pytest.approx(
        partial_auc(y, s, min_fpr=alpha, max_fpr=beta, form="raw"), rel=1e-12
    )


@compiled
def test_perfect_separation_of_a_large_sample_has_no_variance():
    y = np.arange(20_000) >= 12_000
    for alpha, beta in RANGES:
        with pytest.warns(UserWarning, match="variance is zero"):
            assert auc_interval(y, np.arange(20_000.0), min_fpr=alpha, max_fpr=beta).variance == 0


# ---- bootstrap, bands, TPR


@compiled
@pytest.mark.parametrize("alpha, beta", RANGES)
def test_bootstrap_agrees_with_delong(alpha, beta):
    y, s = sample(5, 200, 300)
    s = np.round(s, 1)
    a = auc_interval(y, s, min_fpr=alpha, max_fpr=beta, form="raw")
    b = auc_interval(
        y,
        s,
        min_fpr=alpha,
        max_fpr=beta,
        form="raw",
        method="bootstrap",
        n_resamples=4000,
        random_state=0,
    )
    assert b == auc_interval(
        y,
        s,
        min_fpr=alpha,
        max_fpr=beta,
        form="raw",
        method="bootstrap",
        n_resamples=4000,
        random_state=0,
    )
    assert a.estimate == b.estimate
    # the standard error of a standard deviation from 4000 resamples is 1/sqrt(8000) = 1.1 %;
    # the two methods differ by terms of order 1/m
    assert b.variance == pytest.approx(a.variance, rel=0.12)
    other = s + np.random.default_rng(1).normal(size=s.size)
    one, two = (
        auc_test(y, s, other, min_fpr=alpha, max_fpr=beta, method=m, **kw)
        for m, kw in (("delong", {}), ("bootstrap", {"n_resamples": 4000, "random_state": 0}))
    )
    assert two.statistic == pytest.approx(one.statistic, rel=0.12, abs=0.1)


@pytest.mark.kernel
def test_resampled_area_is_the_area_of_the_resample():
    rng = np.random.default_rng(2)
    y, s = sample(2, 9, 14)
    s = np.round(s)
    group, k = resampling.tie_groups(s)
    drawn = rng.integers(0, 9, (5, 9), dtype=np.int32), rng.integers(0, 14, (5, 14), dtype=np.int32)
    at = np.array([0, 0.07, 0.5, 1.0])
    areas = np.empty((5, 1))
    heights = np.empty((5, 4))
    ids = group[y == 1][None], group[y == 0][None]
    resampling.resample_areas(*ids, k, *drawn, 0.1, 0.6, areas)
    resampling.resample_curves(*ids, k, *drawn, (1.0, np.inf, 1.0, np.inf), at, heights)
    for r in range(5):
        again = np.r_[s[y == 1][drawn[0][r]], s[y == 0][drawn[1][r]]]
        assert areas[r, 0] == pytest.approx(
            partial_auc(y, again, min_fpr=0.1, max_fpr=0.6, form="raw"), abs=1e-14
        )
        np.testing.assert_allclose(heights[r], tpr_at_fpr(y, again, at), atol=1e-14)


@pytest.mark.kernel
@pytest.mark.parametrize("method", ["dkw", "binomial", "bootstrap"])
def test_band_contains_the_curve(method):
    y, s = sample(4, 40, 50)
    band = roc_band(y, s, method=method, n_resamples=20 if NO_JIT else 300, random_state=0)
    curve = tpr_at_fpr(y, s, band.fpr)
    assert (band.low <= curve).all()
    assert (curve <= band.high).all()
    assert band.low.min() >= 0
    assert band.high.max() <= 1
    assert (np.diff(band.low) >= 0).all()
    assert (np.diff(band.high) >= 0).all()
    wide = roc_band(
        y,
        s,
        confidence_level=0.99,
        method=method,
        n_resamples=20 if NO_JIT else 300,
        random_state=0,
    )
    assert (wide.low <= band.low).all()
    assert (wide.high >= band.high).all()
    np.testing.assert_allclose(
        roc_band(y, s, fpr=[0.1, 0.5], method="dkw").high, roc_band(y, s).high[[10, 50]]
    )


@compiled
def test_tpr_interval():
    y, s = sample(6)
    got = tpr_interval(y, s, [0.3, 0.1], random_state=0)
    np.testing.assert_allclose(got.estimate, tpr_at_fpr(y, s, [0.3, 0.1]))
    assert (got.low < got.estimate).all()
    assert (got.estimate < got.high).all()
    one = tpr_interval(y, s, 0.1, random_state=0)
    assert isinstance(one.low, float)
    assert one.low == pytest.approx(got.low[1], abs=0.03)


@compiled
@pytest.mark.parametrize("fpr", [0.1, 1.0])
@pytest.mark.parametrize("score", [1, 0, -1])
def test_tpr_interval_has_a_width_where_resamples_are_equal(score, fpr):
    y = np.repeat([0, 1], 20)
    got = tpr_interval(y, score * np.arange(40), fpr, random_state=0)
    assert got.low <= got.estimate <= got.high
    assert 0.1 < got.high - got.low < 0.5
    clones = tpr_interval(
        np.r_[y, y], np.tile(score * np.arange(40), 2), fpr, groups=np.tile(np.arange(40), 2)
    )
    assert clones.low <= clones.estimate <= clones.high
    assert clones.high - clones.low > 0.1


@compiled
@pytest.mark.parametrize("mu, fpr", [(1, 0.1), (2, 0.5), (3, 0.1), (4, 0.1)])
def test_tpr_interval_covers(mu, fpr):
    runs, held = 200, 0
    for seed in range(runs):
        y, s = sample(seed, 30, 100, mu)
        got = tpr_interval(y, s, fpr, n_resamples=200, random_state=seed)
        assert got.low <= got.estimate <= got.high
        held += got.low <= binormal_roc(fpr, mu) <= got.high
    assert held / runs >= 0.95 - 4 * 0.0155  # four standard errors of 200 runs


@compiled
def test_auc_interval_covers():
    hits = dict.fromkeys(RANGES[:4], 0)
    runs = 400
    for seed in range(runs):
        y, s = sample(seed)
        for a, b in hits:
            _, low, high, _ = auc_interval(y, s, min_fpr=a, max_fpr=b, form="raw")
            hits[a, b] += low <= binormal_auc(1, 1, min_fpr=a, max_fpr=b) * (b - a) <= high
    # three standard errors of 400 runs, 0.011 each
    assert all(0.917 <= h / runs <= 0.983 for h in hits.values()), hits


@compiled
def test_band_covers():
    t = np.linspace(0, 1, 101)
    runs = 150
    inside = {"dkw": 0, "binomial": 0, "bootstrap": 0}
    for seed in range(runs):
        y, s = sample(seed)
        for method in inside:
            band = roc_band(y, s, method=method, n_resamples=200, random_state=seed)
            inside[method] += bool(
                ((band.low <= binormal_roc(t)) & (binormal_roc(t) <= band.high)).all()
            )
    assert inside["binomial"] / runs >= 0.95 - 3 * 0.018
    assert inside["dkw"] / runs >= 0.95 - 3 * 0.018  # three standard errors of 150 runs
    assert inside["bootstrap"] / runs >= 0.90 - 3 * 0.018  # only asymptotically valid


@pytest.mark.kernel
def test_a_rate_within_rounding_of_a_step_is_on_it():
    y, s = sample(1, 12, 10, 0.5)
    assert 1 - 0.9 < 0.1
    assert 1 - 0.7 > 0.3
    for given_range, exact_range in (((0, 1 - 0.9), (0, 0.1)), ((1 - 0.9, 1 - 0.7), (0.1, 0.3))):
        assert auc_interval(y, s, min_fpr=given_range[0], max_fpr=given_range[1]) == pytest.approx(
            auc_interval(y, s, min_fpr=exact_range[0], max_fpr=exact_range[1]), rel=1e-12
        )
        tests = [
            auc_test(y, s, -s, min_fpr=a, max_fpr=b).pvalue for a, b in (given_range, exact_range)
        ]
        assert tests[0] == pytest.approx(tests[1], rel=1e-9)
    rates = np.arange(11) / 10
    got, want = (
        tpr_interval(y, s, at, n_resamples=50, random_state=0) for at in (1 - rates[::-1], rates)
    )
    np.testing.assert_allclose(got, want, rtol=1e-12)


# ---- power


def test_power_and_size_agree():
    m, n = auc_sample_size(0.75, power=0.8, ratio=2)
    assert n == 2 * m
    assert auc_power(0.75, n_pos=m, n_neg=n) >= 0.8 > auc_power(0.75, n_pos=m - 1, n_neg=2 * m - 2)
    # the score test rejects less often than its level
    assert 0.02 < auc_power(0.7, 0.7, n_pos=50, n_neg=50, correlation=0.5) <= 0.05
    # the size of the interval's test
    assert auc_power(0.7, 0.7, n_pos=50, n_neg=50) == pytest.approx(0.05, abs=0.02)
    assert (
        auc_sample_size(0.85, 0.8, correlation=0.6)[0]
        < auc_sample_size(0.85, 0.8, correlation=0.0)[0]
    )
    assert (
        auc_sample_size(0.8, 0.85, correlation=0.6)[0]
        == auc_sample_size(0.85, 0.8, correlation=0.6)[0]
    )
    assert auc_sample_size(0.3, 0.2) == auc_sample_size(0.7, 0.8)  # negated scores


def is_rejected(auc, versus, m, n, seed):
    """Whether the test that `auc_power` describes rejects the value in one study."""
    y, s = sample(seed, m, n, 2**0.5 * stats.norm.ppf(auc))
    if versus == 0.5:
        return stats.mannwhitneyu(s[y == 1], s[y == 0]).pvalue <= 0.05
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of perfect separation
        a = auc_interval(y, s)
    return not a.low <= versus <= a.high


@compiled
@pytest.mark.parametrize(
    "auc, versus, ratio",
    [
        (0.8, 0.5, 1),
        (0.9, 0.5, 1),
        (0.95, 0.5, 1),
        (0.75, 0.5, 4),
        (0.8, 0.7, 1),
        (0.95, 0.75, 1),
        (0.9, 0.6, 5),
        (0.3, 0.45, 1),
    ],
)
def test_power_is_the_rejection_rate_of_simulated_studies(auc, versus, ratio):
    m, n = auc_sample_size(auc, versus, ratio=ratio)
    rejection_rate = np.mean([is_rejected(auc, versus, m, n, seed) for seed in range(800)])
    power = auc_power(auc, versus, n_pos=m, n_neg=n)
    # three standard errors of 800 studies, and 0.02 (0.05 with few rows) for the approximate
    # distribution of the estimate
    standard_errors = 3 * 0.014
    below = 0.05 if m + n <= 12 else 0.02
    assert power >= 0.8
    assert power - below - standard_errors < rejection_rate < power + 0.02 + standard_errors


@compiled
def test_binormal_variance_by_simulation():
    areas = [roc_auc(*sample(seed, 20, 30, 2**0.5 * stats.norm.ppf(0.75))) for seed in range(600)]
    # 3 x sqrt(2 / 600)
    assert np.var(areas) == pytest.approx(binormal_variance(0.75, 20, 30), rel=0.18)


def test_sample_sizes_can_be_significant():
    for auc in (0.9, 0.95, 0.99, 1 - 1e-12):
        for ratio in (1, 3, 0.2):
            m, n = auc_sample_size(auc, ratio=ratio)
            assert stats.mannwhitneyu(np.arange(m) + n, np.arange(n)).pvalue <= 0.05
            m, n = auc_sample_size(auc, 0.6, ratio=ratio)
            with pytest.warns(UserWarning, match="variance is zero"):
                assert auc_interval(*sample(0, m, n, 1e9)).low > 0.6
    assert auc_power(0.99, n_pos=3, n_neg=3) == auc_power(0.99, n_pos=2, n_neg=7) == 0
    # the other side: a score that looks worse
    assert auc_power(0.999, 0.9, n_pos=4, n_neg=4) < 1e-4


# ---- bad and degenerate input


@pytest.mark.kernel
def test_perfect_separation_warns():
    y = np.array([0, 0, 0, 1, 1])
    s = np.arange(5.0)
    for alpha, beta in RANGES:
        with pytest.warns(UserWarning, match="variance is zero.* not mean certainty"):
            got = auc_interval(y, s, min_fpr=alpha, max_fpr=beta, form="raw", scale="linear")
        assert got.variance == 0
        assert got.low == got.high == got.estimate
        with pytest.warns(UserWarning, match="variance is zero.* number of rows alone"):
            got = auc_interval(y, s, min_fpr=alpha, max_fpr=beta, confidence_level=0.9)
        n = max(1, 3 * (beta - alpha))
        k = 2 * 2 * n / (2 + n)
        assert got[:3] == pytest.approx((1, *wilson(1.0, k, stats.norm.ppf(0.95))), abs=1e-9)
    with pytest.warns(UserWarning, match="variance is zero"):
        assert auc_interval(y, s, method="bootstrap", n_resamples=10, random_state=0).variance == 0
    with pytest.warns(UserWarning, match="variance is zero"):
        assert auc_interval(y, np.zeros(5)).estimate == 0.5
    with pytest.warns(UserWarning, match="variance is zero"):
        assert auc_test(y, s, -s, scale="linear")[3:5] == (0, np.inf)
    with pytest.warns(UserWarning, match="variance is zero.* number of rows alone"):
        # two of the ten orders of the labels are as extreme
        assert auc_test(y, s, -s).pvalue > 1 / 5
    with pytest.warns(UserWarning, match="variance is zero"):
        assert auc_test(y, s, -s, np.zeros(5), scale="linear").pvalue == 0
    with pytest.warns(UserWarning, match="variance is zero"):
        assert auc_test(y, s, -s, np.zeros(5)).pvalue > 1 / 5
    with pytest.warns(UserWarning, match="variance is zero"):
        assert auc_test_unpaired(y, s, y, -s, scale="linear").pvalue == 0
    with pytest.warns(UserWarning, match="variance is zero"):
        apart = auc_test_unpaired(y, s, y, -s)
    assert 0 < apart.pvalue < 1
    assert np.isfinite(apart.statistic)
    assert auc_test(y, s, 2 * s, scale="linear")[:5] == (0, 0, 0, 1, 0)
    assert auc_test(y, s, 2 * s)[3:5] == (1, 0)
    assert (auc_test(y, s, s, s).pvalue, auc_test(y, s, s, s).df) == (1, 0)
    assert auc_test_unpaired(y, s, y, s)[3:5] == (1, 0)


@pytest.mark.parametrize("width", [1e-6, 1e-10, 1e-15, 1e-100])
def test_narrow_ranges_give_the_results_of_wide_ones(width):
    y = [0, 0, 0, 1, 1, 1]
    scores = [[1, 2, 4, 3, 5, 6], [3, 2, 1, 1, 2, 3], [1, 3, 2, 4, 3, 5]]
    others = (
        {"groups": [1, 2, 3, 1, 2, 3]},
        {"method": "bootstrap", "n_resamples": 50, "random_state": 0},
    )
    # the second area is half the width: its covariance with the first is rounding error there,
    # which changes the p-value of the score test
    for scale, near in (("linear", 1e-3), ("score", 0.05)):
        for options in ({}, *others):  # the curve has no step left of 1e-4
            got, wide = (
                auc_test(y, *scores[:2], max_fpr=beta, scale=scale, **options)
                for beta in (width, 1e-4)
            )
            assert got[:5] == pytest.approx(wide[:5], rel=1e-3, abs=near)
            assert 0 < got.pvalue < 1
        got, wide = (auc_test(y, *scores, max_fpr=beta, scale=scale) for beta in (width, 1e-4))
        assert got.df == wide.df == 2
        assert got.statistic == pytest.approx(wide.statistic, rel=0.01)
        got, wide = (
            auc_test_unpaired(y, scores[0], y, scores[1], max_fpr=beta, scale=scale)
            for beta in (width, 1e-4)
        )
        assert got[:5] == pytest.approx(wide[:5], rel=1e-3, abs=near)
    interval = auc_interval(y, scores[0], max_fpr=width)  # no warning
    assert interval.low < interval.estimate < interval.high
    assert interval.variance > 0
    for groups in (None, [1, 2, 3, 1, 2, 3]):
        with pytest.warns(UserWarning, match="variance is zero"):
            assert auc_test(y, y, np.negative(y), max_fpr=width, groups=groups, scale="linear")[
                3:5
            ] == (0, np.inf)
        with pytest.warns(UserWarning, match="variance is zero"):
            assert auc_interval(y, np.arange(6), max_fpr=width, groups=groups).variance == 0


@pytest.mark.parametrize("width", [1e-200, 1e-310])
def test_ranges_whose_squared_width_underflows_are_refused(width):
    y = [0, 0, 1, 1]
    one = [1, 3, 2, 4]
    two = [2, 1, 3, 4]
    for call in (
        lambda: auc_interval(y, one, max_fpr=width),
        lambda: auc_test(y, one, two, max_fpr=width),
        lambda: auc_test_unpaired(y, one, y, two, max_fpr=width),
    ):
        with pytest.raises(ValueError, match="narrower than 1e-100"):
            call()


GOOD = np.array([0, 1, 0, 1, 1]), np.array([0.1, 0.4, 0.5, 0.6, 0.9])


@pytest.mark.kernel
@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda y, s: auc_interval([0, 1, 1], s[:3]),
            "at least two rows of each class, got 2 positive and 1 negative",
        ),
        (lambda y, s: auc_interval([1, 1, 1], s[:3]), "two classes"),
        (
            lambda y, s: auc_interval(y, s, confidence_level=1),
            "confidence_level must be a number in",
        ),
        (lambda y, s: auc_interval(y, s, confidence_level=0), "confidence_level"),
        (lambda y, s: auc_interval(y, s, confidence_level=float("nan")), "confidence_level"),
        (lambda y, s: auc_interval(y, s, confidence_level=95), "confidence_level"),
        (
            lambda y, s: auc_interval(y, s, confidence_level="a"),
            "confidence_level must be a number in .0, 1. .* got 'a'",
        ),
        (lambda y, s: auc_interval(y, s, confidence_level=None), "level .* got None"),
        (lambda y, s: roc_band(y, s, confidence_level="a"), "level .* got 'a'"),
        (lambda y, s: roc_band(y, s, fpr="a"), "fpr must be a number .* got 'a'"),
        (lambda y, s: tpr_interval(y, s, ["a"]), "fpr must"),
        (
            lambda y, s: roc_band(y, s, method="bootstrap", n_resamples="a"),
            "n_resamples .* got 'a'",
        ),
        (lambda y, s: auc_power("a", n_pos=9, n_neg=9), "auc must be .* got 'a'"),
        (lambda y, s: auc_power(0.7, n_pos=9, n_neg="a"), "n_neg must be at least 2 .* got 'a'"),
        (lambda y, s: auc_power(0.7, n_pos=9.5, n_neg=9), "n_pos must be .* whole, got 9.5"),
        (lambda y, s: tpr_power(0.7, 0.5, 0.1, n_pos=9, n_neg=9.5), "n_neg must be .* whole"),
        (
            lambda y, s: expected_interval(0.7, n_pos=12.5, n_neg=20, group_size=5),
            "n_pos must be .* whole, got 12.5",
        ),
        (
            lambda y, s: auc_power(0.7, 0.6, n_pos=9, n_neg=9, correlation="a"),
            "correlation .* got 'a'",
        ),
        (lambda y, s: auc_sample_size(0.7, power="a"), "power .* got 'a'"),
        (lambda y, s: auc_sample_size(0.7, ratio="a"), "ratio .* got 'a'"),
        (lambda y, s: auc_sample_size(0.7, confidence_level="a"), "level .* got 'a'"),
        (lambda y, s: auc_interval(y, np.r_[s[:4], np.nan]), "y_score contains NaN"),
        (lambda y, s: auc_interval(y, s[:4]), "same length"),
        (lambda y, s: auc_interval(y, s, min_fpr=0.3, max_fpr=0.2), "min_fpr < max_fpr"),
        (
            lambda y, s: auc_interval(y, s, method="jackknife"),
            "method must be 'delong' or 'bootstrap'",
        ),
        (lambda y, s: auc_interval(y, s, form="odd"), "form"),
        (
            lambda y, s: auc_interval(y, s, scale="log"),
            "scale must be 'score', 'logit' or 'linear'",
        ),
        (lambda y, s: auc_interval(y, s, method="bootstrap", n_resamples=1), "n_resamples"),
        (lambda y, s: auc_interval(y, s, method="bootstrap", n_resamples=10.0), "n_resamples"),
        (lambda y, s: auc_test(y, s), "at least two scores, got 1"),
        (lambda y, s: auc_test(y, s, np.r_[s[:4], np.nan]), "score 2 contains NaN"),
        (lambda y, s: auc_test(y, s, s, min_fpr=-1), "min_fpr"),
        (lambda y, s: auc_test(y, s, s[:3]), "same length"),
        (lambda y, s: auc_test_unpaired(y, s, [0, 1], s[:2]), "at least two rows"),
        (
            lambda y, s: roc_band(y, s, method="delong"),
            "method must be 'dkw', 'binomial' or 'bootstrap'",
        ),
        (lambda y, s: roc_band(y, s, fpr=[0.2, 0.1]), "ascending"),
        (lambda y, s: roc_band(y, s, fpr=[0.2, 1.1]), r"in \[0, 1\]"),
        (lambda y, s: tpr_interval(y, s, 2), r"in \[0, 1\]"),
        (lambda y, s: tpr_interval(y, s, np.nan), r"in \[0, 1\]"),
        (lambda y, s: tpr_interval(y, s, 0.1, confidence_level=2), "confidence_level"),
        (
            lambda y, s: auc_power(1.0, n_pos=9, n_neg=9),
            r"auc must be a number in \(0, 1\) \(for example 0.95\)",
        ),
        (lambda y, s: auc_power(0.7, n_pos=1, n_neg=9), "at least two rows"),
        (
            lambda y, s: auc_power(0.7, n_pos=np.inf, n_neg=9),
            "n_pos must be .* at most 1e100, and whole, got inf",
        ),
        (lambda y, s: auc_power(0.7, n_pos=9, n_neg=1e308), "n_neg must be .* at most 1e100"),
        (lambda y, s: auc_sample_size(0.7, ratio=1e308), "ratio must be .* from 1e-9 to 1e9"),
        (lambda y, s: auc_power(0.7, n_pos=9, n_neg=9, confidence_level=2), "confidence_level"),
        (lambda y, s: auc_power(0.7, 0.6, n_pos=9, n_neg=9, correlation=1), "correlation"),
        (lambda y, s: auc_sample_size(0.7, power=1), "power"),
        (lambda y, s: auc_sample_size(0.7, ratio=0), "ratio"),
        (lambda y, s: auc_sample_size(0.7, 0.7), "no sample"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call(*GOOD)


@pytest.mark.kernel
def test_infinite_scores_are_scores():
    y, s = GOOD
    assert auc_interval(y, np.where(s > 0.8, np.inf, s)) == auc_interval(y, s)
    assert auc_interval(y, s).estimate == roc_auc(y, s)


def test_progress(capsys):
    y, s = GOOD
    auc_interval(y, s, method="bootstrap", n_resamples=5, random_state=0, verbose=1)
    assert "5/5" in capsys.readouterr().err
