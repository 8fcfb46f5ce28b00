"""Simultaneous binomial limits: Steck's determinant, SciPy's exact intervals, simulation."""

from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from aucbook._numerics import local_levels
from aucbook._numerics.local_levels import local_level, simultaneous_limits


def steck(low, high):
    """Probability that n ordered uniform numbers lie between these ends, in fractions."""
    n = len(low)
    rows = [
        [
            max(high[i] - low[j], 0) ** (j - i + 1) / Fraction(factorial(j - i + 1))
            if j >= i - 1
            else Fraction(0)
            for j in range(n)
        ]
        for i in range(n)
    ]
    product = Fraction(factorial(n))
    for i in range(n):
        product *= rows[i][i]
        if i + 1 < n:
            ratio = rows[i + 1][i] / rows[i][i]
            rows[i + 1] = [below - ratio * above for above, below in zip(rows[i], rows[i + 1])]
    return product


def limits_of_all(n, confidence_level):
    """Limits of the order statistics 1 to n."""
    low, high = simultaneous_limits(np.arange(n + 1), n, confidence_level)
    return low[1:], high[:-1]


@pytest.mark.kernel
@settings(max_examples=25, deadline=None)
@given(st.integers(1, 14), st.sampled_from([0.5, 0.8, 0.95, 0.999]))
def test_all_limits_hold_with_the_confidence_level(n, confidence_level):
    low, high = limits_of_all(n, confidence_level)
    exact = steck([Fraction(v) for v in low], [Fraction(v) for v in high])
    assert confidence_level - 1e-10 <= exact <= confidence_level + 1e-4


@pytest.mark.parametrize("n", [1, 7, 60])
def test_each_limit_is_an_exact_binomial_interval(n):
    low, high = simultaneous_limits(np.arange(n + 1), n, 0.9)
    for k in range(n + 1):
        exact = binomtest(k, n).proportion_ci(1 - local_level(n, 0.9), method="exact")
        assert (low[k], high[k]) == pytest.approx((exact.low, exact.high), abs=1e-9)


def test_limits_of_many_rows_hold_at_all_thresholds():
    rng = np.random.default_rng(0)
    for n, runs in ((1500, 400), (local_levels.LARGE_SAMPLE + 1, 60)):
        counts = np.arange(n + 1)
        low, high = simultaneous_limits(counts, n, 0.9)
        held = 0
        for _ in range(runs):
            u = np.sort(rng.random(n))
            held += (low[1:] <= u).all() and (u <= high[:-1]).all()
        assert held / runs >= 0.9 - 4 * (0.09 / runs) ** 0.5
        assert (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all()


def test_a_higher_confidence_level_is_wider():
    narrow, wide = (simultaneous_limits(np.arange(31), 30, level) for level in (0.8, 0.99))
    assert (wide[0] <= narrow[0]).all() and (narrow[1] <= wide[1]).all()
