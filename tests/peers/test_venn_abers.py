"""Venn-Abers predictors against the package venn-abers: stored values, and the package where it is installed.

The stored values are those of venn-abers 1.5.4 (PyPI), `calc_probs(*calc_p0p1(p_cal, y_cal), p_test)`, for the rows below.
"""

import numpy as np
import pytest

from aucbook import venn_abers

ROWS = np.arange(20)
LABELS = ((ROWS * 7) % 5 + ROWS // 6 > 3).astype(int)
SCORES = ((ROWS * 3) % 11 + 2 * LABELS) / 13  # some are tied
NEW_SCORES = np.array([0.0, 0.1, 3 / 13, 0.4, 6 / 13, 0.5, 0.75, 1.0])
STORED = {
    "low": [0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.75],
    "high": [0.14285714285714285, 0.3333333333333333, 0.5, 0.6, 0.6, 0.6, 1.0, 1.0],
    "probability": [
        0.125,
        0.25,
        0.3333333333333333,
        0.5454545454545454,
        0.5454545454545454,
        0.5454545454545454,
        0.6666666666666666,
        0.8,
    ],
}


def as_venn_abers_says(y, scores, new_scores):
    """(low, high, probability) of the new scores by the package."""
    peer = pytest.importorskip("venn_abers")
    calibration = np.column_stack([1 - scores, scores])
    test = np.column_stack([1 - new_scores, new_scores])
    probabilities, intervals = peer.calc_probs(*peer.calc_p0p1(calibration, y), test)
    return intervals[:, 0], intervals[:, 1], probabilities[:, 1]


def test_as_stored():
    ours = venn_abers(LABELS, SCORES, NEW_SCORES)
    for name, values in STORED.items():
        np.testing.assert_allclose(getattr(ours, name), values, atol=1e-12, err_msg=name)


def test_as_venn_abers_says_today():
    theirs = as_venn_abers_says(LABELS, SCORES, NEW_SCORES)
    np.testing.assert_allclose(venn_abers(LABELS, SCORES, NEW_SCORES), theirs, atol=1e-12)


@pytest.mark.filterwarnings("ignore:All-NaN slice:RuntimeWarning")  # of the package
@pytest.mark.parametrize("levels", [2, 10, 100, 10**6])
def test_random_scores_with_and_without_ties(levels):
    rng = np.random.default_rng(levels)
    for n in (4, 30, 200):
        scores = np.round(rng.uniform(size=n) * levels) / levels
        y = (rng.uniform(size=n) < 0.2 + 0.6 * scores).astype(int)
        y[:2] = 0, 1
        new_scores = np.r_[scores, np.round(rng.uniform(size=30) * levels) / levels, 0.0, 1.0]
        theirs = as_venn_abers_says(y, scores, new_scores)
        np.testing.assert_allclose(venn_abers(y, scores, new_scores), theirs, atol=1e-9)
