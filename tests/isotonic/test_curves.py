"""The kernel and the loop behind PAVAdaBoostFinite: against the definition, and at the corners."""

import numpy as np
import pytest

from aucbook import pav, roc_auc
from aucbook.isotonic.curves import (
    CurveSum,
    code_columns,
    coded_auc,
    held_out_cycles,
    refit_in_turn,
    row_folds,
    value_codes,
    votes_between,
)


def finite_reference(X, y, clip, cycles, w):
    """k[i, j]: the vote of column j for row i (Paper 2, PAV-AdaBoost.finite)."""
    k, sign = np.zeros(X.shape), 2 * y - 1
    for _ in range(cycles):
        for j in range(X.shape[1]):
            D = w * np.exp(-sign * (k.sum(1) - k[:, j]))
            values, g = np.unique(X[:, j], return_inverse=True)
            total, ill = np.bincount(g, D), np.bincount(g, D * y)
            p = np.clip(pav(ill / total, total)[g], clip, 1 - clip)
            k[:, j] = np.log(p / (1 - p)) / 2
    return k


def curve_sum(X, y, w, clip, turns=(1,), n_bins=None, **how):
    columns = code_columns(X, y, n_bins)[1]
    return CurveSum(columns, [np.array(turns)] * X.shape[1], y, w, clip, **how)


@pytest.mark.kernel
@pytest.mark.parametrize("kind", ["random", "tied", "constant and separating"])
def test_refits_are_the_definition(kind):
    rng = np.random.default_rng(0)
    for _ in range(20):
        n = rng.integers(4, 40)
        y = rng.permutation(np.arange(n) % 2)
        X = {
            "random": rng.normal(size=(n, 2)),
            "tied": rng.integers(0, 6, (n, 2)) * 1.0,
            "constant and separating": np.column_stack([np.ones(n), y * 1.0]),
        }[kind]
        w, clip = rng.integers(1, 5, n) * 1.0, 1 / (n + 1)
        model = curve_sum(X, y, w, clip)
        for j in (0, 1) * 3:
            model.refit(j)
        want = finite_reference(X, y, clip, 3, w)
        votes = np.column_stack(
            [np.log(odds[0, codes // 2]) for odds, codes in zip(model.odds, model.codes)]
        )
        np.testing.assert_allclose(votes, want, atol=1e-9)  # log-odds of sums in another order
        np.testing.assert_allclose(np.log(model.u), (1 - 2 * y) * votes.sum(1), atol=1e-9)
        assert model.objective() == pytest.approx(
            np.average(np.exp((1 - 2 * y) * want.sum(1)), weights=w), rel=1e-9
        )


@pytest.mark.kernel
def test_a_trial_refit_changes_nothing_and_predicts_the_objective():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 2)), np.arange(50) % 2
    model = curve_sum(X, y, np.ones(50), 0.02, turns=(1, -1), n_bins=8)
    model.refit(0)
    before = model.u.copy(), [odds.copy() for odds in model.odds]
    predicted = model.objective_after_refit(1)
    np.testing.assert_array_equal(model.u, before[0])
    assert all(np.array_equal(a, b) for a, b in zip(model.odds, before[1]))
    model.refit(1)
    assert model.objective() == predicted


def test_a_prior_starts_at_the_log_odds_and_a_rate_takes_its_share():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (60, 1)) * 1.0
    y = (np.arange(60) % 4 == 0).astype(int)
    full, slow = (
        curve_sum(X, y, np.ones(60), 0.01, prior=1 / 60, learning_rate=rate) for rate in (1.0, 0.25)
    )
    assert full.intercept == pytest.approx(np.log(15 / 45) / 2)
    full.refit(0), slow.refit(0)
    np.testing.assert_allclose(np.log(slow.odds[0]), 0.25 * np.log(full.odds[0]), atol=1e-12)


def test_codes():
    values, codes = value_codes(np.array([3.0, 1.0, 3.0, 5.0]), np.array([1, 0, 0, 1], np.uint8))
    assert (
        values.tolist() == [1, 3, 5] and codes.tolist() == [3, 0, 2, 5] and codes.dtype == np.int32
    )
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (80, 2)) * 1.0, rng.integers(0, 2, 80)
    for n_bins in (None, 9, 4):
        bins, columns = code_columns(X, y, n_bins)
        for j, (values, codes) in enumerate(columns):
            assert (
                codes.dtype == np.int32
                and np.array_equal(codes % 2, y)
                and codes.max() < 2 * values.size
            )
            inner = X[:, j] if n_bins is None else bins.encode(X)[:, j]
            np.testing.assert_array_equal(values[codes // 2], inner)
            assert coded_auc(codes, values.size, np.ones(80)) == pytest.approx(
                roc_auc(y, inner), abs=1e-12
            )


def test_in_turn_stops_where_it_should():
    x = [1.0]

    def halve(j):
        x[0] /= 2

    assert refit_in_turn(halve, 1, lambda: x[0], 5, 0.0)[0].tolist() == [
        1,
        0.5,
        0.25,
        0.125,
        0.0625,
        0.03125,
    ]  # at most five
    values, still = refit_in_turn(lambda j: None, 1, lambda: 1.0, 5, 0.0)
    assert still and values.size == 2
    assert refit_in_turn(halve, 1, lambda: x[0], 5, 0.0, lambda: True)[0].size == 1

    def interrupt(j):
        raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted after 0 cycles"):
        refit_in_turn(interrupt, 1, lambda: 1.0, 5, 0.0)


def test_folds_keep_copies_together_whatever_the_order():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (90, 2)) * 1.0, rng.integers(0, 2, 90)
    fold = row_folds(X, y, 3)
    for row in np.unique(X, axis=0):
        for c in (0, 1):
            assert np.unique(fold[(row == X).all(1) & (y == c)]).size <= 1
    rows = rng.permutation(90)
    np.testing.assert_array_equal(row_folds(X[rows], y[rows], 3), fold[rows])
    distinct = rng.normal(size=(300, 1))
    assert (np.bincount(row_folds(distinct, np.zeros(300, int), 3)) == 100).all()
    y = np.array([0, 0, 0, 1])
    assert (
        held_out_cycles(np.arange(4.0)[:, None], y, np.ones(4), None, 3, 1.0, 9) == 0
    )  # one positive, three folds


def test_between_two_scores_the_probability_is_midway():
    votes = votes_between(
        np.array([0.0, 1, 1.5, 2, 9]), np.array([1.0, 2.0]), np.array([-1.0, 2.0])
    )
    p = 1 / (1 + np.exp(-2 * votes))
    assert votes[[0, 1, 3, 4]].tolist() == [-1, -1, 2, 2] and p[2] == pytest.approx(
        (p[1] + p[3]) / 2
    )
    same = np.nextafter(0.3, 1)
    assert (
        votes_between(np.array([1.5]), np.array([1.0, 2.0]), np.array([same, same]))[0] == same
    )  # what is tied stays tied, to the last bit
