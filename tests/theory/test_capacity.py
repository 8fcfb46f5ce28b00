"""vc_bound, risk_bound, shattering_set: the paper's numbers, hand-computed values, bad input."""

import warnings
from itertools import product

import numpy as np
import pytest

from aucbook import PAVAdaBoostFinite
from aucbook.theory import risk_bound, shattering_set, vc_bound

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_bound_by_hand():
    E = 4 / 1000 * (10 * (1 + np.log(200)) + np.log(80))
    assert risk_bound(0, 10, 1000) == pytest.approx(E) == risk_bound(0, [4, 6], 1000)
    R = 0.2  # Eq. 42: R + E/2 (1 + sqrt(1 + 4R/E))
    assert risk_bound(R, 10, 1000) == pytest.approx(R + E / 2 * (1 + np.sqrt(1 + 4 * R / E)))


def test_bound_grows_with_risk_bins_and_certainty_and_falls_with_rows():
    base = risk_bound(0.1, 20, 5000)
    assert (
        risk_bound(0.2, 20, 5000) > base
        and risk_bound(0.1, 30, 5000) > base
        and risk_bound(0.1, 20, 5000, delta=0.01) > base > risk_bound(0.1, 20, 6000) > 0.1
    )
    assert risk_bound(0.1, 20, 10**12) == pytest.approx(0.1, abs=1e-4)
    assert risk_bound(0.1, 20, 20) == np.inf


@pytest.mark.kernel
def test_vc_of_lists():
    assert vc_bound([2**62, 2**62]) == 2**63 and risk_bound(0.1, [2**62, 2**62], 100) == np.inf
    assert vc_bound([8, 8, 8]) == 24 and vc_bound(7) == 7 and vc_bound(np.array([2])) == 2


def test_additive_rules_have_no_more_dimensions_than_bins():
    """The linear rules behind Theorem 4: indicators of bins span 1 + sum (n - 1) <= sum n dimensions."""
    bins = (3, 4, 2)
    cells = np.array(list(product(*map(range, bins))))
    rank = np.linalg.matrix_rank(np.hstack([np.eye(n)[cells[:, t]] for t, n in enumerate(bins)]))
    assert rank == 1 + sum(n - 1 for n in bins) <= vc_bound(bins)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_every_labelling_is_learned(n):
    lam = np.log(9) / 2
    for labels in product((0, 1), repeat=n):
        points, X, y = shattering_set(labels)
        k = y.size // 4 + 1
        assert y.size == 4 * (k - 1) and np.array_equal(
            y, np.arange(y.size) // 2 % 2
        )  # alternating pairs, as Theorem 5 wants
        scores = (
            PAVAdaBoostFinite(clip=0.1, max_cycles=1000, tol=0).fit(X, y).decision_function(points)
        )
        np.testing.assert_allclose(
            scores, (2 * np.array(labels) - 1) * lam / (k - 1), atol=1e-6
        )  # stops at the limit of float64


def test_points_do_not_depend_on_labels():
    a = shattering_set([0, 1, 1, 0])
    b = shattering_set(np.array([1, -1, -1, -1]))
    np.testing.assert_array_equal(a.points, b.points)
    for s in (a, b):
        order = np.r_[s.X[:, 0], s.points[:, 0]]
        assert (
            np.unique(order).size == order.size
            and (np.diff(s.X[:, 0]) > 0).all()
            and (s.X.sum(1) == 0).all()
        )
    assert shattering_set([True, False]).points.shape == (2, 2)


@pytest.mark.parametrize("bad", [[], [[0, 1]], [0, 1, 2], [0.5, 1], ["a", "b"]])
def test_bad_labels(bad):
    with pytest.raises(ValueError, match="labels"):
        shattering_set(bad)


@pytest.mark.parametrize("bad", [[], 0, [3, 0], [2.5], [[1, 2]], "abc"])
def test_bad_bins(bad):
    with pytest.raises(ValueError, match="bins"):
        vc_bound(bad)


@pytest.mark.parametrize(
    "change",
    [
        {"n": np.inf},
        {"n": 10**400},
        {"empirical": -0.1},
        {"empirical": np.nan},
        {"n": 0},
        {"delta": 0},
        {"delta": 1},
        {"empirical": "a"},
        {"n": "a"},
        {"delta": "a"},
    ],
)
def test_bad_bound(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        risk_bound(**{"empirical": 0.1, "bins": 10, "n": 100, **change})


@pytest.mark.parametrize("labels", [[0, 1] * 3, [1, 0] * 3, [1, 1, 0, 0, 0, 1]])
def test_any_labelling_is_learned_whatever_the_bound(labels):
    """Paper 2, Theorem 5 and Eq. 59, with votes of at most .02 and with runs that change at every point."""
    clip = 0.49
    points, X, y = shattering_set(labels)
    lam, k = np.log((1 - clip) / clip) / 2, y.size // 4 + 1
    scores = (
        PAVAdaBoostFinite(clip=clip, max_cycles=3000, tol=0).fit(X, y).decision_function(points)
    )
    np.testing.assert_allclose(scores, (2 * np.array(labels) - 1) * lam / (k - 1), atol=1e-7)


@pytest.mark.parametrize("n, bins", [(400, 2), (2000, 64), (100_000, 2)])
def test_the_bound_holds_where_there_is_nothing_to_learn(n, bins):
    """Paper 2, Corollary 2: on random labels, whose risk is one half, curves of many bins look best and are no better."""
    held = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, bins, (n, 3)).astype(float)
        y = rng.integers(0, 2, n)
        model = PAVAdaBoostFinite("increasing", tol=1e-3, max_cycles=20)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # curves that say nothing
            error = np.mean(model.fit(X, y).predict(X) != y)
        held.append(
            risk_bound(error, [bins] * 3, n) >= 0.5
            and risk_bound(model.objective_[-1], [bins] * 3, n) >= 0.5
        )
    assert all(held)  # the bound guarantees 95 in 100
