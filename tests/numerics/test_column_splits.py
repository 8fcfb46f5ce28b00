"""The best split of any column: against brute force, from sorted rows and from histograms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aucbook._numerics.binning import Bins
from aucbook._numerics.column_splits import (
    SignedHistograms,
    best_binned_column,
    best_column,
    class_histograms,
    flagged_rates,
    presort,
    split_threshold,
)


def table(seed):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 30), rng.integers(1, 10)
    X = rng.normal(size=(n, d)) if seed % 2 else rng.integers(0, 4, (n, d)) * 1.0
    y, w = np.r_[0, 1, rng.integers(0, 2, n - 2)], rng.exponential(size=n)
    return X, y, np.where(y == 1, w / w[y == 1].sum(), -w / w[y == 0].sum())


def brute(X, signed):
    return max(abs(signed[x >= t].sum()) for x in X.T for t in np.unique(x))


@pytest.mark.parametrize("seed", range(20))
def test_the_highest_cut_is_found(seed):
    X, y, signed = table(seed)
    J, j, sign = best_column(presort(X)[0], signed)
    assert (
        pytest.approx(brute(X, signed), abs=2e-12) == J
    )  # the kernel's margin for equal columns, and rounding
    assert J <= 1e-12 or brute(X[:, [j]], signed) == pytest.approx(J, abs=2e-12)
    assert J <= 1e-12 or max(sign * signed[X[:, j] >= t].sum() for t in X[:, j]) == pytest.approx(
        J, abs=2e-12
    )
    codes = Bins(X).encode(X).T
    K, k, b = best_binned_column(SignedHistograms(codes)(signed))
    assert pytest.approx(J, abs=2e-12) == K and abs(signed[codes[k] > b].sum()) == pytest.approx(
        K, abs=2e-12
    )


@pytest.mark.parametrize("seed", range(5))
def test_histograms_and_rates(seed):
    X, y, signed = table(seed)
    codes = Bins(X).encode(X).T
    hist = SignedHistograms(codes)(signed)
    for line, column in zip(hist, codes):
        np.testing.assert_allclose(
            line, np.bincount(column, signed, 256), atol=1e-12
        )  # sums of 30 weights in another order
        p, n = class_histograms(column, signed)
        np.testing.assert_allclose(p, np.bincount(column[y == 1], signed[y == 1], 256), atol=1e-12)
        np.testing.assert_allclose(p - n, line, atol=1e-12)
    alarm = X[:, 0] > 0
    np.testing.assert_allclose(
        flagged_rates(signed, alarm),
        (signed[alarm & (y == 1)].sum(), -signed[alarm & (y == 0)].sum()),
        atol=1e-12,
    )


@pytest.mark.kernel
def test_columns_most_of_whose_rows_share_a_code():
    rng = np.random.default_rng(0)
    codes = np.where(
        rng.random((6, 80)) < 0.05, rng.integers(0, 256, (6, 80)), rng.integers(0, 256, (6, 1))
    )
    codes[::3] = rng.integers(0, 4, (2, 80))
    histograms = SignedHistograms(codes.astype(np.uint8))
    signed = rng.normal(size=80)
    assert histograms.full.tolist() == [0, 3] and histograms.sparse.tolist() == [1, 2, 4, 5]
    for _ in range(2):  # round after round
        for line, column in zip(histograms(signed), codes):
            np.testing.assert_allclose(line, np.bincount(column, signed, 256), atol=1e-12)
        signed = signed[::-1].copy()


def test_equal_columns_give_the_first():
    X, y, signed = table(1)
    twice = np.repeat(X, 2, axis=1)
    assert best_column(presort(twice)[0], signed)[1] % 2 == 0
    assert best_binned_column(SignedHistograms(Bins(twice).encode(twice).T)(signed))[1] % 2 == 0


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=9, unique=True)
)
def test_a_cut_point_separates(values):
    values = np.unique(values)
    assert split_threshold(values, 0) == -np.inf
    for i in range(1, values.size):
        assert values[i - 1] < split_threshold(values, i) <= values[i]
