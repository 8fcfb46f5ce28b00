"""Rows that belong together: `groups=` of intervals, tests, bands, against brute force, and bad input."""

import os
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aucbook import auc_interval, auc_test, tpr_interval
from aucbook._numerics import resampling
from aucbook._validation.checks import check_groups
from aucbook.inference import roc_band
from aucbook.inference.intervals import components_by_group
from aucbook.theory import binormal_auc

NO_JIT = bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0")))
compiled = pytest.mark.skipif(NO_JIT, reason="many resamples: minutes without the compiler")
gently = settings(max_examples=30 if NO_JIT else 100, deadline=None)
RANGES = [(0, 1), (0, 0.1), (0.1, 0.3), (0.2, 0.8)]
cases = st.integers(0, 10**6).map(np.random.default_rng)


def draw(rng, levels=10**6, count=None):
    """(labels, two scores, groups): some groups hold one class, some both; at least two hold each."""
    count = count or int(rng.integers(4, 12))
    group = np.r_[0, 0, 1, 1, 2, 3, rng.integers(0, count, 30)]
    y = np.r_[0, 1, 0, 1, 1, 0, rng.integers(0, 2, 30)]
    s = (
        rng.integers(0, levels, (2, y.size))
        + np.round(levels / 3) * y
        + np.round(levels / 3) * (group % 3)
    )
    return y, *s.astype(float), group


def brute(y, s, group, alpha, beta):
    """Obuchowski's formula in loops over groups and rows; on the whole curve from a table of all pairs."""
    P, Q = s[y == 1], s[y == 0]
    if (alpha, beta) == (0, 1):
        psi = (P[:, None] > Q) + 0.5 * (P[:, None] == Q)
        A, N = psi.mean(1), psi.mean(0)
    else:
        tie, k = resampling.tie_groups(s)
        counts = [np.bincount(tie[y == c], minlength=k) for c in (1, 0)]
        A, N = (
            values[tie[y == c]]
            for values, c in zip(components_by_group(*counts, alpha, beta), (1, 0))
        )
    pull = np.zeros(y.size)
    pull[y == 1], pull[y == 0] = (A - A.mean()) / A.size, (N - N.mean()) / N.size
    total, sizes = np.zeros(3), np.zeros(3)
    for g in set(group.tolist()):
        a, b = (sum(pull[i] for i in range(y.size) if group[i] == g and y[i] == c) for c in (1, 0))
        has = [((group == g) & (y == c)).any() for c in (1, 0)]
        total += a * a, b * b, 2 * a * b
        sizes += *has, 1
    return float(total @ (sizes / (sizes - 1)))


@gently
@given(cases, st.sampled_from([2, 5, 10**6]), st.sampled_from(RANGES))
@pytest.mark.kernel
def test_variance_equals_brute_force(rng, levels, span):
    y, s, _, group = draw(rng, levels)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = auc_interval(
            y, s, min_fpr=float(span[0]), max_fpr=float(span[1]), form="raw", groups=group
        )
        plain = auc_interval(y, s, min_fpr=float(span[0]), max_fpr=float(span[1]), form="raw")
    assert got.estimate == pytest.approx(plain.estimate, abs=1e-14)
    assert got.variance == pytest.approx(brute(y, s, group, *map(float, span)), rel=1e-9, abs=1e-15)


@gently
@given(cases, st.sampled_from([2, 5, 10**6]), st.sampled_from(RANGES))
def test_every_row_its_own_group_is_delong(rng, levels, span):
    y, s, other, _ = draw(rng, levels)
    alone = rng.permutation(y.size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for scale in ("score", "linear", "logit"):
            one, two = (
                auc_interval(y, s, min_fpr=span[0], max_fpr=span[1], scale=scale, **kw)
                for kw in ({}, {"groups": alone})
            )
            np.testing.assert_allclose(two, one, rtol=1e-9, atol=1e-12)
        one, two = (
            auc_test(y, s, other, min_fpr=span[0], max_fpr=span[1], **kw)
            for kw in ({}, {"groups": alone})
        )
        assert two.statistic == pytest.approx(one.statistic, rel=1e-7, abs=1e-9)
        # rank and chi-square of three scores; a score of noise, so that no direction is nearly without variance
        third = rng.normal(size=y.size)
        one, two = (
            auc_test(y, s, other, third, min_fpr=span[0], max_fpr=span[1], **kw)
            for kw in ({}, {"groups": alone})
        )
    assert one.df == two.df and two.pvalue == pytest.approx(one.pvalue, rel=1e-5, abs=1e-9)


@gently
@given(cases, st.integers(2, 5), st.sampled_from(RANGES))
def test_copies_within_the_group_change_nothing(rng, k, span):
    y, s, other, group = draw(rng, 50)
    tiled = [np.tile(v, k) for v in (y, s, other, group)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = auc_interval(y, s, min_fpr=span[0], max_fpr=span[1], groups=group)
        two = auc_interval(*tiled[:2], min_fpr=span[0], max_fpr=span[1], groups=tiled[3])
        np.testing.assert_allclose(
            two, one, rtol=1e-9, atol=1e-12
        )  # the same sums, in another order
        one = auc_test(y, s, other, min_fpr=span[0], max_fpr=span[1], groups=group)
        two = auc_test(*tiled[:3], min_fpr=span[0], max_fpr=span[1], groups=tiled[3])
    assert two.statistic == pytest.approx(one.statistic, rel=1e-7, abs=1e-9)


@compiled
def test_copies_leave_the_bootstrap_as_it_is():
    y, s, other, group = draw(np.random.default_rng(0), count=11)
    tiled, seed = [np.tile(v, 3) for v in (y, s, other)], {"random_state": 0, "n_resamples": 200}
    together = {**seed, "groups": group}, {**seed, "groups": np.tile(group, 3)}
    for span in RANGES:
        one, two = (
            auc_interval(*rows[:2], min_fpr=span[0], max_fpr=span[1], method="bootstrap", **kw)
            for rows, kw in zip(([y, s], tiled), together)
        )
        np.testing.assert_allclose(two, one, rtol=1e-12)
    one, two = (
        auc_test(*rows, method="bootstrap", **kw)
        for rows, kw in zip(([y, s, other], tiled), together)
    )
    assert two.statistic == pytest.approx(one.statistic, rel=1e-9)
    one, two = (
        tpr_interval(*rows[:2], [0.1, 0.5], **kw) for rows, kw in zip(([y, s], tiled), together)
    )
    np.testing.assert_allclose(two, one, rtol=1e-12)
    one, two = (
        roc_band(*rows[:2], method="bootstrap", **kw) for rows, kw in zip(([y, s], tiled), together)
    )
    # the band's grid of 400 steps is finer by the root of 3, in other places: a walk between two of them moves that little
    np.testing.assert_allclose(two, one, atol=0.02)


@compiled
@pytest.mark.parametrize("span", RANGES)
def test_bootstrap_agrees_with_the_sums(span):
    rng = np.random.default_rng(3)
    group = np.repeat(np.arange(150), rng.integers(1, 6, 150))
    y = (rng.random(group.size) < 0.4).astype(int)
    s, other = (rng.normal(size=150)[group] + rng.normal(size=group.size) + y for _ in range(2))
    a, b = (
        auc_interval(y, s, min_fpr=span[0], max_fpr=span[1], form="raw", groups=group, **kw)
        for kw in ({}, {"method": "bootstrap", "n_resamples": 4000, "random_state": 0})
    )
    # 4000 resamples know a standard deviation to 1.1 %; the two methods differ by terms of order 1 / groups
    assert a.estimate == b.estimate and b.variance == pytest.approx(a.variance, rel=0.15)
    one, two = (
        auc_test(y, s, other, min_fpr=span[0], max_fpr=span[1], groups=group, **kw)
        for kw in ({}, {"method": "bootstrap", "n_resamples": 4000, "random_state": 0})
    )
    assert two.statistic == pytest.approx(one.statistic, rel=0.15, abs=0.1)


@pytest.mark.kernel
def test_groups_are_drawn_whole():
    y, s, _, group = draw(np.random.default_rng(4))
    codes, n_groups = check_groups(group, n=y.size)[0], []

    def kernel(pos, neg, k, drawn_pos, drawn_neg, out):
        times = [
            np.bincount(d[0], minlength=(y == c).sum()) for d, c in ((drawn_pos, 1), (drawn_neg, 0))
        ]
        row = np.empty(y.size, int)
        row[y == 1], row[y == 0] = times
        assert drawn_pos.size and drawn_neg.size
        assert all(np.unique(row[codes == g]).size == 1 for g in set(codes))
        n_groups.append(sum(row[codes == g][0] for g in set(codes)))
        out[:] = 0

    resampling.bootstrap(y, [s], kernel, 1, n_resamples=50, random_state=0, clusters=codes)
    assert n_groups == 50 * [len(set(group))]  # as many groups as there are, with those drawn twice


def test_a_resample_without_a_class_is_drawn_again():
    """Two of forty groups hold positives: one resample in eight misses them."""
    y = np.r_[1, 1, np.zeros(78, int)]
    group = np.r_[0, 1, np.arange(78) % 38 + 2]
    s = np.random.default_rng(0).normal(size=80)
    got = auc_interval(y, s, groups=group, method="bootstrap", n_resamples=200, random_state=0)
    assert 0 <= got.low <= got.estimate <= got.high <= 1 and np.isfinite(got.variance)


@compiled
def test_coverage_small():
    """Visits of ill and of well patients: an interval that ignores groups covers about 75 % where 95 % is stated."""
    inside, runs = {True: 0, False: 0}, 400
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        group = np.repeat(np.arange(80), 4)
        y = (group % 5 < 2).astype(int)
        s = (rng.normal(size=80)[group] + rng.normal(size=320)) / 2**0.5 + y
        for known in inside:
            _, low, high, _ = auc_interval(y, s, groups=group if known else None)
            inside[known] += low <= binormal_auc(1) <= high
    # 400 runs know 0.95 to a standard error of 0.011: three of them, and one hundredth for 80 groups
    assert 0.907 <= inside[True] / runs <= 0.983 and inside[False] / runs < 0.85, inside


@compiled
@pytest.mark.parametrize("rows", [5, 10])
def test_groups_of_both_classes_have_the_stated_coverage(rows):
    """Lesions: what a patient's rows share cancels between positives and negatives; the effective size of 20 groups exceeds 20 rows."""
    inside = 0
    width = 0.0
    groups = np.repeat(np.arange(20), rows)
    runs = 600
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, groups.size)
        s = (rng.normal(size=20)[groups] + rng.normal(size=groups.size)) / 2**0.5 + y
        got = auc_interval(y, s, groups=groups)
        inside += got.low <= binormal_auc(1) <= got.high
        width += (got.high - got.low) / (2 * 1.96 * got.variance**0.5) / runs
    # three standard errors of 600 runs; the score interval is a little wider than so many standard errors
    assert 0.95 - 0.027 <= inside / runs <= 0.95 + 0.027 and width < 1.1, (inside / runs, width)


@pytest.mark.parametrize(
    "names",
    [
        lambda g: [f"patient {v}" for v in g],
        lambda g: np.array([f"p{v}" for v in g], dtype=object),
        lambda g: pd.Series([("ward", int(v)) for v in g]),
        lambda g: g.astype(float) - 0.5,
        lambda g: -g.astype(np.int8),
        lambda g: pd.Series(g).map({v: f"p{v}" for v in g}).astype("category"),
        lambda g: pd.Series(g, index=range(100, 100 + g.size)).astype("Int64"),
        lambda g: pd.Timestamp("2020-01-01") + pd.to_timedelta(g, unit="D"),
        lambda g: [str(v) if v % 2 else int(v) for v in g],
        lambda g: [f"p{v}".encode() for v in g],
    ],
)
def test_names_of_any_type(names):
    y, s, _, group = draw(np.random.default_rng(1))
    assert auc_interval(y, s, groups=names(group)) == pytest.approx(
        auc_interval(y, s, groups=group), rel=1e-12
    )


def test_groups_with_one_class_and_with_both():
    """Positives apart from negatives: no products; then all groups with both."""
    y, s, _, _ = draw(np.random.default_rng(2))
    apart, both = np.arange(36) % 5 + 10 * y, np.empty(36, int)
    for c in (0, 1):
        both[y == c] = np.arange((y == c).sum()) % 4
    for group in (apart, both):
        assert auc_interval(y, s, groups=group).variance == pytest.approx(
            brute(y, s, group, 0, 1), rel=1e-9
        )


def test_equal_groups_have_no_variance():
    y, s = np.tile([0, 0, 1, 1], 3), np.tile([1.0, 3, 2, 4], 3)
    with pytest.warns(UserWarning, match="all groups are equal"):
        got = auc_interval(y, s, groups=np.repeat([1, 2, 3], 4))
    assert got.variance == 0 and got.low < got.estimate == 0.75 < got.high
    with pytest.warns(UserWarning, match="all groups are equal"):
        more = auc_interval(np.tile(y, 3), np.tile(s, 3), groups=np.repeat(np.arange(9), 4))
    assert (
        got.low < more.low and more.high < got.high
    )  # nine groups give a narrower interval than three


Y, S = np.array([0, 1, 0, 1, 1, 0]), np.array([0.1, 0.4, 0.5, 0.6, 0.9, 0.2])
GROUPS = ["a", "a", "b", "b", "c", "c"]


@pytest.mark.parametrize(
    "groups, message",
    [
        (["a"] * 6, "two groups with positives and two with negatives, got 1 and 1"),
        (["n", "p", "n", "p", "p", "n"], "got 1 and 1"),
        (["n", "p", "n", "p", "q", "n"], "got 2 and 1"),
        (["a", "a", "b", "b", "c"], r"6 names of groups, one per row, got shape \(5,\)"),
        ("abcdef", r"got shape \(\)"),
        ([["a"]] * 6, r"got shape \(6, 1\)"),
        ([1, 1, 2, 2, np.nan, 3], "1 missing value"),
        (["a", None, "b", "b", None, "c"], "2 missing values"),
        (pd.Series([1, 1, 2, 2, None, 3], dtype="Int64"), "1 missing value"),
        (pd.Series(["a", "a", "b", "b", None, "c"], dtype="string"), "1 missing value"),
        (pd.to_datetime(["2020-01-01", None] * 3), "3 missing values"),
        (np.array([{}, {}, {}, {}, {}, {}], dtype=object), "numbers, strings or dates, got dict"),
    ],
)
def test_bad_groups(groups, message):
    calls = [
        lambda: auc_interval(Y, S, groups=groups),
        lambda: auc_interval(Y, S, method="bootstrap", groups=groups),
        lambda: auc_test(Y, S, -S, groups=groups),
        lambda: roc_band(Y, S, method="bootstrap", groups=groups),
        lambda: tpr_interval(Y, S, 0.1, groups=groups),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=message):
            call()


def test_the_guaranteed_band_refuses_groups():
    with pytest.raises(ValueError, match="needs independent rows.*method='bootstrap'"):
        roc_band(Y, S, groups=GROUPS)
