"""Tests of differences and their power: against closed forms and simulations (pROC: peers)."""

import itertools
import json

import numpy as np
import pytest
from scipy import special, stats
from scipy.special import ndtri

from aucbook import (
    AUC,
    PAUC,
    TPR,
    NetBenefit,
    auc_interval,
    auc_sample_size,
    auc_test,
    compare_scores,
    tpr_interval,
)
from aucbook.inference import auc_power, auc_test_unpaired, tpr_power, tpr_sample_size
from aucbook.inference.power import (
    HERMITE_ORDERS,
    binormal_variance,
    bootstrap_threshold,
    count_rejections,
    hermite_weights,
    tpr_moments_of_studies,
)
from aucbook.measures.resampled import paired_values
from aucbook.model_selection.comparison import compare_with_best, explain_disagreement

I = np.arange(60)
Y = ((I * 7) % 5 < 2).astype(int)
TABLES = {
    "ties": ((I * 37) % 11 + 3 * Y, (I * 53) % 7 + 2 * Y),
    "few ties": ((I * 37) % 61 + 20 * Y, (I * 23) % 59 + 10 * Y),
}


def test_three_scores_have_a_difference_each():
    a, b = TABLES["few ties"]
    c = -a
    test = auc_test(Y, a, b, c, margin=0.1)
    for j, other in enumerate((b, c)):
        pair = auc_test(Y, a, other, margin=0.1)
        for field in ("difference", "low", "high", "noninferiority"):
            assert getattr(test, field)[j] == pytest.approx(getattr(pair, field), rel=1e-12)
        np.testing.assert_allclose(
            test.covariance[np.ix_([0, j + 1], [0, j + 1])], pair.covariance, rtol=1e-9
        )
    assert auc_test(Y, a, b, c).noninferiority is None
    with pytest.warns(UserWarning, match="variance is zero"):
        copied = auc_test(Y, a, b, a, margin=0.1, scale="linear")
        assert copied.noninferiority[1] == 0  # a copy is no worse
    copied = auc_test(Y, a, b, a, margin=0.1)
    # sixty rows do not prove equality
    assert copied.difference[1] == 0
    assert copied.low[1] < 0 < copied.high[1]


@pytest.mark.parametrize(
    "options",
    [{}, {"groups": I // 3}, {"method": "bootstrap", "n_resamples": 200, "random_state": 0}],
)
@pytest.mark.parametrize("span", [(0, 1), (0, 0.3), (0.2, 0.6)])
def test_the_covariance_gives_the_standard_error(options, span):
    a, b = TABLES["ties"]
    test = auc_test(
        Y,
        a,
        b,
        min_fpr=span[0],
        max_fpr=span[1],
        confidence_level=0.9,
        margin=0.05,
        scale="linear",
        **options,
    )
    one, two = test.covariance.diagonal()
    error = (one + two - 2 * test.covariance[0, 1]) ** 0.5
    assert test.difference == pytest.approx(test.estimates[0] - test.estimates[1])
    assert test.difference / test.statistic == pytest.approx(error, rel=1e-9)
    assert test.high - test.difference == pytest.approx(stats.norm.ppf(0.95) * error, rel=1e-9)
    assert test.noninferiority == pytest.approx(
        stats.norm.sf((test.difference + 0.05) / error), rel=1e-9
    )
    if not options.get("method"):
        want = auc_interval(
            Y, b, min_fpr=span[0], max_fpr=span[1], groups=options.get("groups")
        ).variance
        assert two == pytest.approx(want, rel=1e-9)


def test_unpaired_with_groups_and_margins():
    (a, b), group = TABLES["few ties"], I // 3
    for scale in ("score", "linear"):
        plain = auc_test_unpaired(Y, a, Y, b, scale=scale)
        single_rows = auc_test_unpaired(Y, a, Y, b, groups_1=I, groups_2=I, scale=scale)
        assert single_rows[:5] == pytest.approx(plain[:5], rel=1e-9)
        assert single_rows.df == pytest.approx(plain.df)
    grouped = auc_test_unpaired(
        Y, a, Y, b, groups_1=group, margin=0.4, confidence_level=0.9, scale="linear"
    )
    error = grouped.covariance.trace() ** 0.5
    assert grouped.covariance[0, 0] == pytest.approx(auc_interval(Y, a, groups=group).variance)
    assert grouped.high - grouped.low == pytest.approx(2 * stats.t.ppf(0.95, grouped.df) * error)
    assert grouped.noninferiority == pytest.approx(
        stats.t.sf((grouped.difference + 0.4) / error, grouped.df)
    )


def test_measures_equal_auc_test():
    a, b = TABLES["ties"]
    assert (
        AUC.test(Y, a, b, margin=0.1, confidence_level=0.9)
        == auc_test(Y, a, b, margin=0.1, confidence_level=0.9)[:6]
    )
    raw = PAUC(max_fpr=0.2, form="raw").test(Y, a, b, margin=0.02)
    unit = auc_test(Y, a, b, max_fpr=0.2, margin=0.1)
    assert [v / 0.2 for v in raw[:3]] == pytest.approx(unit[:3])
    assert raw[3:] == pytest.approx(unit[3:6])


def test_net_benefit_against_brute_force():
    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.3).astype(int)
    p, q = (1 / (1 + np.exp(1 - rng.normal(size=400) * noise - 2 * y)) for noise in (0.5, 2))
    test = NetBenefit(0.2).test(y, p, q, margin=0.01, random_state=0, scale="linear")
    assert test.difference == pytest.approx(NetBenefit(0.2)(y, p) - NetBenefit(0.2)(y, q))
    # brute force: resample the rows of each class
    differences = []
    for _ in range(1000):
        rows = np.r_[
            rng.choice(np.flatnonzero(y), y.sum()),
            rng.choice(np.flatnonzero(y == 0), (1 - y).sum()),
        ]
        differences.append(NetBenefit(0.2)(y[rows], p[rows]) - NetBenefit(0.2)(y[rows], q[rows]))
    assert (test.high - test.low) / 3.92 == pytest.approx(np.std(differences), rel=0.1)
    assert test.noninferiority == pytest.approx(
        stats.norm.sf((test.difference + 0.01) * test.statistic / test.difference)
    )


@pytest.mark.parametrize(
    "setting", [(0.92, 0.97, 0.5, 15, 300), (0.92, 0.97, 0.8, 20, 200), (0.8, 0.9, 0.4, 8, 40)]
)
def test_noninferiority_keeps_its_level_with_few_positives(setting):
    first, second, correlation, m, n = setting
    n_rejected = {"score": 0, "linear": 0}
    for seed in range(400):
        rng = np.random.default_rng(seed)
        y = np.repeat([1, 0], (m, n))
        shared = rng.normal(size=(2, m + n))
        shared[1] = correlation * shared[0] + (1 - correlation**2) ** 0.5 * shared[1]
        s, t = shared + 2**0.5 * ndtri([[first], [second]]) * y
        for scale in n_rejected:
            # at the boundary: the first is worse by the margin
            n_rejected[scale] += (
                auc_test(y, s, t, margin=second - first, scale=scale).noninferiority < 0.025
            )
    # the level is 0.025; the stored simulation has 2000 studies of twenty settings
    assert n_rejected["score"] <= 400 * 0.035
    assert n_rejected["linear"] > 400 * 0.04  # the symmetric interval is not valid here


def test_tpr_power_is_the_rejection_rate_of_simulated_studies():
    for rate, versus, fpr, m, n in ((0.8, 0.6, 0.1, 88, 88), (0.9, 0.75, 0.05, 60, 120)):
        n_rejected = 0
        for seed in range(200):
            rng = np.random.default_rng(seed)
            y = np.repeat([1, 0], (m, n))
            s = rng.normal(size=m + n) + (ndtri(rate) - ndtri(fpr)) * y
            interval = tpr_interval(y, s, fpr, n_resamples=200, random_state=seed)
            n_rejected += not interval.low <= versus <= interval.high
        power = tpr_power(rate, versus, fpr, n_pos=m, n_neg=n)
        # three standard errors of 200 studies, and the documented 0.03
        assert n_rejected / 200 == pytest.approx(
            power, abs=0.03 + 3 * (power * (1 - power) / 200) ** 0.5
        )


# Three positives and four negatives; at an FPR of .25 the second highest negative is the threshold.
POSITIVES = np.array([2.5, 0.5, 1.5])
NEGATIVES = np.array([0.0, 1.0, 3.0, 2.0])
FPR = 0.25
SAMPLE_THRESHOLD = 2.0


def tpr_moments(positives, negatives, orders):
    """The moments of one study, of one or two scores of the same rows."""
    n_scores = len(positives)
    index, probabilities = bootstrap_threshold(NEGATIVES.size, FPR)
    moments = np.empty((1, 4 * n_scores + 2))
    tpr_moments_of_studies(
        np.array(positives)[:, None],
        np.array(negatives)[:, None],
        index,
        probabilities,
        hermite_weights(probabilities, orders),
        moments,
    )
    return moments[0]


@pytest.mark.kernel
def test_tpr_moments_are_those_of_all_resamples():
    tprs = []
    for drawn_negatives in itertools.product(NEGATIVES, repeat=4):
        threshold = sorted(drawn_negatives, reverse=True)[1]
        for drawn_positives in itertools.product(POSITIVES, repeat=3):
            tprs.append(np.mean(np.array(drawn_positives) > threshold))
    tpr, mean, from_positives, from_threshold = tpr_moments([POSITIVES], [NEGATIVES], 0)[:4]
    assert tpr == np.mean(POSITIVES > SAMPLE_THRESHOLD)
    assert mean == pytest.approx(np.mean(tprs))
    assert from_positives + from_threshold == pytest.approx(np.var(tprs))


def hermite_coefficients(n_points=200_000):
    """Coefficients of the TPR as a function of the threshold's normal quantile, by integration."""
    _, probabilities = bootstrap_threshold(NEGATIVES.size, FPR)
    tprs = [np.mean(POSITIVES > threshold) for threshold in sorted(NEGATIVES, reverse=True)]
    u = (np.arange(n_points) + 0.5) / n_points
    tpr_at_u = np.array(tprs)[np.searchsorted(np.cumsum(probabilities)[:-1], u, side="right")]
    orders = np.arange(1, HERMITE_ORDERS + 1)
    polynomials = [special.eval_hermitenorm(k, ndtri(u)) for k in orders]
    return np.mean(tpr_at_u * polynomials, axis=1) / np.sqrt(special.factorial(orders))


@pytest.mark.kernel
def test_covariance_of_two_thresholds():
    """For negatives in the same order, in unrelated orders, and in opposite orders."""

    def moments_with(second_negatives):
        return tpr_moments([POSITIVES] * 2, [NEGATIVES, second_negatives], HERMITE_ORDERS)

    same = moments_with(NEGATIVES)
    variance = same[3]
    assert same[8] == np.mean(POSITIVES > SAMPLE_THRESHOLD)  # above both thresholds
    assert same[9] == pytest.approx(variance)
    assert moments_with([3.0, 1.0, 0.0, 2.0])[9] == 0  # one of the upper two in common
    # Terms of odd order change their sign, and so does what is left after twelve orders.
    coefficients = hermite_coefficients()
    signs = (-1.0) ** np.arange(1, HERMITE_ORDERS + 1)
    remainder = variance - np.sum(coefficients**2)
    opposite = np.sum(signs * coefficients**2) - remainder
    assert moments_with([3.0, 2.0, 0.0, 1.0])[9] == pytest.approx(opposite, abs=1e-5)


@pytest.mark.kernel
def test_rejections_are_counted():
    """Of ten positives each, whose TPRs have a variance of p (1 - p) / 10: only the first pair."""
    n_rejected = count_rejections(
        values=np.array([[0.9, 0.9], [0.1, 0.9]]),
        spreads=np.full((2, 2), 1 / 10),
        correlations=np.zeros(2),
        difference=0.0,
        reaches=np.full(2, 1.96),
    )
    assert n_rejected == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "rate, versus, fpr, correlation, m", [(0.9, 0.75, 0.2, 0.7, 120), (0.85, 0.75, 0.3, 0.9, 90)]
)
def test_variance_of_a_tpr_difference_equals_the_bootstrap(rate, versus, fpr, correlation, m):
    """The mean calculated variance of 80 studies equals the mean of the bootstrap."""
    index, probabilities = bootstrap_threshold(m, fpr)
    weights = hermite_weights(probabilities, HERMITE_ORDERS)
    y = np.repeat([1, 0], (m, m))
    shifts = ndtri([[rate], [versus]]) - ndtri(fpr)
    mix = np.linalg.cholesky([[1, correlation], [correlation, 1]])
    calculated = []
    resampled = []
    for seed in range(80):
        scores = mix @ np.random.default_rng(seed).normal(size=(2, 2 * m)) + shifts * y
        pos = scores[:, None, :m].copy()
        neg = scores[:, None, m:].copy()
        moments = np.empty((1, 10))
        tpr_moments_of_studies(pos, neg, index, probabilities, weights, moments)
        values = moments[0, [0, 4]]
        shared = (moments[0, 8] - values.prod()) / m + moments[0, 9]
        calculated.append(moments[0, [2, 3, 6, 7]].sum() - 2 * shared)
        pair = paired_values(
            TPR(fpr)._of_scan,
            y,
            [*scores],
            probabilities=False,
            groups=None,
            pos_label=None,
            n_resamples=500,
            random_state=seed,
        )
        np.testing.assert_allclose(values, pair.values, rtol=1e-12)
        resampled.append(pair.variance)
    # relative standard error of a variance: 6.3 % from 500 resamples, 0.7 % from 80 times as many
    assert np.mean(calculated) == pytest.approx(np.mean(resampled), rel=0.021)


# ---- power


@pytest.mark.parametrize("a, b, r", [(0.8, 0.7, 0.5), (0.5, 0.9, 0.8), (0.95, 0.95, 0.2)])
def test_binormal_variance_against_simulation(a, b, r):
    m = 6
    n = 9
    k = 3
    icc = 0.5
    rng = np.random.default_rng(0)
    mix = np.linalg.cholesky([[1, r], [r, 1]])
    group = np.r_[np.arange(m) // k, m + np.arange(n) // k]
    of_row, of_group = (
        np.einsum("ij,jsn->isn", mix, rng.normal(size=(2, 20_000, m + n))) for _ in range(2)
    )
    s = (of_row + of_group[:, :, group]) / 2**0.5 + (np.sqrt(2) * ndtri([a, b]))[:, None, None] * (
        np.arange(m + n) < m
    )
    areas = (s[:, :, :m, None] > s[:, :, None, m:]).mean(axis=(2, 3))
    want = np.cov(areas)
    # a variance from 20 000 studies has a standard error of a little more than 1 %: 3.5 of these
    assert binormal_variance(a, m, n, group_size=k, icc=icc) == pytest.approx(want[0, 0], rel=0.05)
    error = 4 * (want[0, 0] * want[1, 1] / 20_000) ** 0.5
    assert binormal_variance(
        a, m, n, other=b, correlation=r, group_size=k, icc=icc
    ) == pytest.approx(want[0, 1], abs=error)


def test_powers_equal_the_stored_ones(root):
    rows = json.loads((root / "nbs/results/power.json").read_text())["rows"]
    names = {"truth", "versus", "correlation", "margin", "group_size", "icc"}
    for row in rows[::9]:
        design = {key: row[key] for key in names - {"truth", "versus"}}
        values = [row[key] for key in ("truth", "versus", "fpr") if key in row]
        power = (tpr_power if "fpr" in row else auc_power)(
            *values, n_pos=row["positives"], n_neg=row["negatives"], **design
        )
        assert power == pytest.approx(row["promised"], abs=2e-3)


def test_power_with_groups_margins_and_correlation():
    one = {"n_pos": 100, "n_neg": 150}
    alone = auc_power(0.8, 0.7, correlation=0.5, **one)
    # simulated by group, against the formula; with twenty groups of positives there are fewer
    # degrees of freedom
    assert auc_power(0.8, 0.7, correlation=0.5, group_size=5, icc=0.0, **one) == pytest.approx(
        alone, abs=0.06
    )
    power = [
        auc_power(0.8, 0.8, correlation=0.5, margin=margin, **one) for margin in (0.0, 0.05, 0.1)
    ]
    # the score test rejects less often than its level
    assert 0.01 < power[0] <= 0.025
    assert power == sorted(power)
    for power_of in (
        lambda **kw: auc_power(0.8, 0.72, correlation=0.5, **kw),
        lambda **kw: auc_power(0.8, 0.7, **kw),
        lambda **kw: tpr_power(0.8, 0.65, 0.1, correlation=0.5, **kw),
    ):
        uncorrelated, correlated, nearly_equal = (
            power_of(group_size=5, icc=icc, **one) for icc in (0.0, 0.3, 0.9)
        )
        assert uncorrelated > correlated > nearly_equal
    assert auc_power(0.8, 0.7, correlation=0.7, **one) > auc_power(0.8, 0.7, correlation=0.2, **one)
    assert tpr_power(0.8, 0.8, 0.1, correlation=0.5, **one) < 0.05


def test_sample_sizes_have_their_power():
    for size, power in (
        (
            auc_sample_size(0.8, 0.7, correlation=0.5),
            lambda m, n: auc_power(0.8, 0.7, n_pos=m, n_neg=n, correlation=0.5),
        ),
        (tpr_sample_size(0.8, 0.6, 0.1), lambda m, n: tpr_power(0.8, 0.6, 0.1, n_pos=m, n_neg=n)),
    ):
        assert power(*size) >= 0.8 > power(size[0] - 1, size[1] - 1)
    grouped = auc_sample_size(0.8, 0.7, correlation=0.5, group_size=4, icc=0.5, ratio=2)
    assert grouped[0] % 4 == grouped[1] % 4 == 0
    assert grouped[0] > auc_sample_size(0.8, 0.7, correlation=0.5, ratio=2)[0]


def test_tpr_test_keeps_its_level():
    n_rejected = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        y = np.repeat([1, 0], (40, 60))
        both = rng.normal(size=100)
        a, b = ((both + rng.normal(size=100)) / 2**0.5 + 1.5 * y for _ in range(2))
        n_rejected += TPR(0.1).test(y, a, b, n_resamples=100, random_state=seed).pvalue <= 0.05
    # three standard errors; the stored table of powers has more studies
    assert n_rejected <= 80 * 0.05 + 3 * (80 * 0.05 * 0.95) ** 0.5


# ---- comparisons


def test_compare_scores_has_differences_from_the_first():
    a, b = TABLES["few ties"]
    rows = compare_scores(Y, {"a": a, "b": b}, confidence_level=0.9).rows
    test = auc_test(Y, a, b, confidence_level=0.9)
    assert rows[0]["ranker"] == "b"
    assert rows[0]["difference"] is None
    values = [rows[1][key] for key in ("difference", "difference low", "difference high", "p")]
    assert values == pytest.approx([test.difference, test.low, test.high, test.pvalue])


def test_p_values_are_adjusted_and_differences_are_not():
    values = {"a": np.array([0.9]), "b": np.array([0.8]), "c": np.array([0.7])}

    def test_against(name, best):
        p_value = 0.02 if name == "b" else 0.04
        return values[name][0] - values[best][0], -1, 0, p_value

    differences = compare_with_best(values, test_against)
    assert differences["a"] == (None,) * 4
    assert differences["b"] == pytest.approx((-0.1, -1, 0, 0.04))
    assert differences["c"][3] == 0.04


def test_disagreement_of_two_tests_is_explained():
    p = {"a": None, "b": 0.326, "c": 0.01}
    text = explain_disagreement(p, {"a": None, "b": 0.0005, "c": 0.001}, 0.95)
    assert text.startswith("It finds that b differs from the first (adjusted p below 0.05)")
    assert (
        explain_disagreement(p, {"a": None, "b": 0.2, "c": 0.2}, 0.95)
        == "It finds no difference that the test over folds does not find."
    )
    five = {str(i): 0.5 for i in range(5)}
    assert "0, 1, 2 and 2 more" in explain_disagreement(five, dict.fromkeys(five, 0.001), 0.95)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: auc_test(Y, I, -I, margin=-1), "margin must be .* at least 0"),
        (lambda: auc_test(Y, I, -I, confidence_level=1), "confidence_level"),
        (lambda: auc_test_unpaired(Y, I, Y, I, margin="a"), "margin"),
        (lambda: auc_test_unpaired(Y, I, Y, I, confidence_level=0), "confidence_level"),
        (
            lambda: auc_power(0.8, n_pos=9, n_neg=9, group_size=5),
            "at least 10, two groups of group_size=5",
        ),
        (lambda: auc_power(0.8, n_pos=9, n_neg=9, group_size=1.5), "group_size must be"),
        (lambda: auc_power(0.8, n_pos=9, n_neg=9, icc=1), "icc must be"),
        (lambda: auc_power(0.8, n_pos=9, n_neg=9, margin=-0.1), "margin must be"),
        (lambda: auc_power(0.8, n_pos=9, n_neg=9, margin=0.5), "margin must be less than .* 0.5"),
        (lambda: tpr_power(0.8, 0.6, 0, n_pos=9, n_neg=9), "fpr must be"),
        (lambda: tpr_power(1, 0.6, 0.1, n_pos=9, n_neg=9), "tpr must be"),
        (lambda: tpr_sample_size(0.8, 0.8, 0.1), "tpr = versus"),
        (
            lambda: auc_sample_size(0.7, 0.8, correlation=0.5, margin=0.1),
            "must be above versus - margin =",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
