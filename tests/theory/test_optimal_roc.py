"""The best ROC curve of known problems: against closed forms, each other, samples and brute force; bad input."""

import pickle
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import ncx2
from sklearn.metrics import auc

from aucbook import roc_auc, roc_curve
from aucbook.metrics import RocCurve
from aucbook.theory import (
    Binormal,
    GaussianPair,
    Problem,
    UniformBlocks,
    adaptive_approximation,
    binormal_auc,
    binormal_roc,
    distance_to_optimum,
)

weights = st.lists(st.integers(0, 9), min_size=2, max_size=5)
blocks = (
    st.tuples(weights, weights)
    .map(lambda w: tuple(x[: min(map(len, w))] for x in w))
    .filter(lambda w: sum(w[0]) * sum(w[1]) > 0)
)
grid = np.linspace(0, 1, 23)


def test_equal_spread_is_the_binormal_curve_of_the_datasets():
    problem = Binormal(1.3)
    np.testing.assert_allclose(problem.roc(grid), binormal_roc(grid, 1.3), atol=1e-12)
    assert problem.auc == pytest.approx(
        binormal_auc(1.3), abs=1e-8
    )  # the peer's bivariate integral: about 1e-8
    assert problem.auc == pytest.approx(ndtr(1.3 / 2**0.5), abs=1e-13)
    np.testing.assert_allclose(Binormal(-1.3).roc(grid), problem.roc(grid), atol=1e-12)


@pytest.mark.kernel
@pytest.mark.parametrize("mu,sigma", [(1, 1), (1, 2), (1, 0.5), (0, 3), (-2, 1.1), (0, 1)])
def test_one_dimension_by_intervals_and_by_the_integral(mu, sigma):
    one = Binormal(mu, sigma, p=0.3)
    other = GaussianPair([mu], cov_pos=[[sigma**2]], p=0.3)
    t = np.linspace(-15, 15, 61)
    np.testing.assert_allclose(one.tails(t), other.tails(t), atol=1e-10)  # e^7.5 roundings
    x = np.linspace(-3, 3, 7)[:, None]
    np.testing.assert_allclose(one.score(x), other.score(x), atol=1e-12)
    np.testing.assert_allclose(one.posterior(x), other.posterior(x), atol=1e-12)


@pytest.mark.parametrize("mu", [-1, 0, 1])
def test_spreads_that_are_nearly_equal_have_nearly_the_same_curve(mu):
    line = Binormal(mu)
    for off in 10.0 ** -np.arange(2, 17):
        for sigma in (1 + off, 1 - off):
            bent = Binormal(mu, sigma)
            assert (
                abs(bent.auc - line.auc) < 0.4 * off + 1e-14
            )  # d auc / d sigma: 0.11 at mu = 1, 0.32 at 0
            np.testing.assert_allclose(bent.roc(grid), line.roc(grid), atol=off + 1e-12)
    assert Binormal(1, 0.1 * 3 / 0.3).auc == pytest.approx(
        Binormal(1).auc, abs=1e-14
    )  # 1.0000000000000002


def test_no_single_score_beats_the_optimum():
    problem = Binormal(1, 2)
    assert (problem.roc(grid) >= binormal_roc(grid, 1, 2) - 1e-12).all()
    curve = problem.roc(np.linspace(0, 1, 201))
    assert (np.diff(curve, 2) <= 1e-12).all()  # concave


def test_gaussians_in_five_dimensions_against_a_sample():
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, 5, 5))
    problem = GaussianPair(
        [0.5, 0, 1, 0, 0], [0, 0, 0.3, 0, 0], A @ A.T + np.eye(5), B @ B.T + np.eye(5), p=0.3
    )
    X, y = problem.sample(40_000, random_state=0)
    s = problem.score(X)
    assert X.shape == (40_000, 5) and abs(y.mean() - 0.3) < 4 * (0.21 / 40_000) ** 0.5
    assert abs(roc_auc(y, s) - problem.auc) < 4 * 0.5 / 12_000**0.5  # four sd, at most .5/sqrt(m)
    curve = roc_curve(y[:300], s[:300])
    d1, dinf = distance_to_optimum(problem, curve)
    gap = problem.roc(grid) - np.interp(grid, curve.fpr, curve.tpr)
    assert (
        d1 == pytest.approx(problem.auc - roc_auc(y[:300], s[:300]))
        and gap.max() <= dinf + 1e-9 < 1
    )
    for t in (-2, 0, 2):
        alpha, beta = problem.tails(t)
        assert (
            abs((s[y == 0] > t).mean() - alpha) < 0.01 and abs((s[y == 1] > t).mean() - beta) < 0.02
        )


@pytest.mark.parametrize("d", [1, 2, 5])
def test_proportional_covariances_have_chi_square_tails(d):
    t = np.linspace(-20, 20, 81)
    for mu in (0, 1, 3):
        for s in (
            0.2,
            0.9,
            0.99,
            0.999,
            1.001,
            1.01,
            1.1,
            5,
        ):  # the classes N(0, I) and N(mu, s^2 I)
            mean, a = np.r_[mu, np.zeros(d - 1)], (1 - s**-2) / 2
            centre = -mean / (2 * a * s * s)  # the log price is a |x - centre|^2 + bottom
            bottom = -(mu**2) / (2 * s * s) - d * np.log(s) - a * centre @ centre
            tail = ncx2.sf if a > 0 else ncx2.cdf
            exact = [
                tail((t - bottom) / a / spread**2, d, ((m - centre) ** 2).sum() / spread**2)
                for m, spread in ((0 * mean, 1), (mean, s))
            ]
            np.testing.assert_allclose(
                GaussianPair(mean, cov_pos=s * s * np.eye(d)).tails(t), exact, atol=1e-9
            )


def test_covariances_that_are_nearly_equal():
    for spread in (0.98, 1.002, 1.02):  # d auc / d spread: below .06
        assert GaussianPair([1, 0], cov_pos=spread * np.eye(2)).auc == pytest.approx(
            ndtr(0.5**0.5), abs=2e-3
        )
    rng, t = np.random.default_rng(0), np.linspace(-30, 30, 61)
    for _ in range(10):
        A = rng.normal(size=(4, 4))
        B = rng.normal(size=(4, 4))
        mean = rng.normal(size=4)
        cov = A @ A.T + np.eye(4)
        pair = GaussianPair(mean, cov=cov, cov_pos=cov + 0.01 * B @ B.T)
        assert np.diff(pair.tails(t)).max() < 1e-9  # a tail never rises
        assert pair.auc == pytest.approx(GaussianPair(mean, cov=cov).auc, abs=0.05)


def test_equal_covariances_have_the_mahalanobis_curve():
    cov = [[2, 0.5], [0.5, 1]]
    distance = float(np.sqrt(np.array([1, 1]) @ np.linalg.solve(cov, [1, 1])))
    np.testing.assert_allclose(
        GaussianPair([1, 1], cov=cov).roc(grid), binormal_roc(grid, distance), atol=1e-9
    )
    assert GaussianPair().auc == pytest.approx(ndtr(1.5 / 2**0.5), abs=1e-9)


@given(blocks)
@settings(max_examples=30, deadline=None)
def test_blocks_are_above_every_order(w):
    problem = UniformBlocks(*w, p=0.2)
    h, g = problem.neg, problem.pos
    best = np.full(grid.size, -1.0)
    for order in permutations(range(len(h))):
        x, y = np.r_[0, h[list(order)].cumsum()], np.r_[0, g[list(order)].cumsum()]
        last = np.r_[np.diff(x) > 0, True]
        best = np.maximum(best, np.interp(grid, x[last], y[last]))
    np.testing.assert_allclose(problem.roc(grid), best, atol=1e-9)
    curve = problem.curve()
    assert curve.fpr[-1] == curve.tpr[-1] == 1 and auc(curve.fpr, curve.tpr) == pytest.approx(
        problem.auc
    )
    d1, dinf = distance_to_optimum(problem, adaptive_approximation(problem, 6))
    assert abs(d1) < 1e-9 and abs(dinf) < 1e-9  # at most 5 pieces: reached


def test_blocks_in_the_plane():
    problem = UniformBlocks([[1, 2], [3, 4]], [[4, 3], [2, 1]], p=0.25)
    X, y = problem.sample(20_000, random_state=3)
    assert X.shape == (20_000, 2) and X.min() >= 0 and X.max() < 2
    corner = (np.floor(X) == [1, 0]).all(1)
    assert abs(corner[y == 0].mean() - 0.3) < 0.015 and abs(corner[y == 1].mean() - 0.2) < 0.03
    assert problem.posterior([[0.5, 0.5]])[0] == pytest.approx(
        0.25 * 0.4 / (0.25 * 0.4 + 0.75 * 0.1)
    )
    assert abs(roc_auc(y, problem.score(X)) - problem.auc) < 0.015


def test_samples_take_every_kind_of_seed():
    for problem in (Binormal(1), GaussianPair(), UniformBlocks([1, 2], [2, 1])):
        (X, y), (X2, y2) = (problem.sample(9, np.random.default_rng(3)) for _ in range(2))
        assert (X == X2).all() and (y == y2).all()
        generator = np.random.default_rng(3)
        assert (
            problem.sample(9, generator)[0] != problem.sample(9, generator)[0]
        ).any()  # it moves on


@pytest.mark.kernel
def test_level_slope_and_rates_belong_together():
    for problem in (
        Binormal(1, 2, p=0.2),
        GaussianPair(p=0.7),
        UniformBlocks([1, 2, 3], [3, 2, 1], p=0.4),
    ):
        for fpr in (0.1, 0.45, 0.8):
            u = problem.level(fpr)
            assert problem.slope(fpr) == pytest.approx((1 - problem.p) / problem.p * u / (1 - u))
        alpha, beta = problem.rates([0, 0.3, 1])
        np.testing.assert_allclose(problem.roc(alpha), beta, atol=1e-9)
        np.testing.assert_allclose([alpha[0], beta[0], alpha[2], beta[2]], [1, 1, 0, 0], atol=1e-15)


def test_sample_is_reproducible_and_problems_pickle():
    for problem in (Binormal(1, 2), GaussianPair([1, 0]), UniformBlocks([1, 2], [2, 1])):
        X, y = problem.sample(50, random_state=7)
        again, same = pickle.loads(pickle.dumps(problem)).sample(50, random_state=7)
        np.testing.assert_array_equal(X, again)
        np.testing.assert_array_equal(y, same)
        assert set(y) <= {0, 1} and X.shape[0] == 50


def test_area_falls_by_four_at_each_level():
    for problem in (Binormal(1), Binormal(2), Binormal(1, 2)):
        d1 = [
            distance_to_optimum(problem, adaptive_approximation(problem, D))[0] for D in range(5, 9)
        ]
        np.testing.assert_allclose(
            np.divide(d1[:-1], d1[1:]), 4, atol=0.05
        )  # O(4^-D) and its next term


def test_largest_gap_falls_by_four_only_where_the_curvature_allows():
    for problem, low, high in (
        (Binormal(1.2, 0.7), 3.95, 4.05),
        (Binormal(1), 2.3, np.e),
        (GaussianPair(), 2.0, np.e),
        (Binormal(1, 2), 1.5, 1.6),
    ):
        dinf = [distance_to_optimum(problem, adaptive_approximation(problem, D))[1] for D in (7, 8)]
        assert (
            low < dinf[0] / dinf[1] < high
        )  # limits min(4, g^(g / (g - 1))) with g = 1 / sigma^2; e for g = 1


class Ramp(Problem):
    def tails(self, t):
        x = np.clip(np.exp(t) / 2, 0, 1)
        return 1 - x, 1 - x * x


def test_the_parabola_exactly():
    for D in range(7):
        curve = adaptive_approximation(Ramp(), D)
        np.testing.assert_allclose(curve.fpr, np.linspace(0, 1, 2**D + 1), atol=1e-12)
        d1, dinf = distance_to_optimum(Ramp(), curve)
        assert d1 == pytest.approx(4.0**-D / 6, abs=1e-12) and dinf == pytest.approx(
            4.0**-D / 4, abs=1e-12
        )
        assert isinstance(curve, RocCurve) and curve.thresholds[0] == np.inf


def test_corners_are_on_the_curve_and_their_levels_are_posteriors():
    problem = Binormal(1, 2, p=0.2)
    curve = adaptive_approximation(problem, 4)
    assert curve.fpr.size == 17
    np.testing.assert_allclose(problem.roc(curve.fpr), curve.tpr, atol=1e-12)
    np.testing.assert_allclose(
        problem.rates(curve.thresholds[1:-1])[0], curve.fpr[1:-1], atol=1e-12
    )
    assert adaptive_approximation(problem, 1).thresholds[1] == pytest.approx(0.2)  # Proposition 19
    assert len(adaptive_approximation(Binormal(0), 5).fpr) == 2


def test_distances_of_simple_curves():
    d1, dinf = distance_to_optimum(Binormal(1), ([0, 1], [0, 1]))
    assert d1 == pytest.approx(ndtr(0.5**0.5) - 0.5) and dinf == pytest.approx(2 * ndtr(0.5) - 1)
    certain = UniformBlocks([0, 1], [0.5, 0.5])
    assert certain.roc(0) == pytest.approx(0.5)
    assert distance_to_optimum(certain, ([0, 0, 1], [0, 0.5, 1])) == pytest.approx(
        (0, 0), abs=1e-12
    )
    assert distance_to_optimum(certain, ([0, 1], [0, 1])) == pytest.approx((0.25, 0.5))


@pytest.mark.parametrize(
    "make,words",
    [
        (lambda: Binormal(1, 0), "sigma"),
        (lambda: Binormal(np.nan), "mu"),
        (lambda: Binormal(p=1), "the share of positives"),
        (lambda: UniformBlocks([1, 2], [1]), "one shape"),
        (lambda: UniformBlocks([0, 0], [1, 1]), "neg must"),
        (lambda: UniformBlocks([1, 1], [1, -1]), "pos must"),
        (lambda: UniformBlocks([1, np.inf], [1, 1]), "neg must"),
        (lambda: UniformBlocks(1, 1), "one shape"),
        (lambda: UniformBlocks([1, 1], [1, 1]).score([[2.5]]), "inside the cells"),
        (lambda: UniformBlocks([1, 1], [1, 1]).score([[-0.1]]), "inside"),
        (lambda: GaussianPair([1, 2], [0]), "one length"),
        (lambda: GaussianPair([1], cov=[[-1]]), "cov must"),
        (lambda: GaussianPair([1, 0], cov_pos=[[1, 0]]), "cov_pos must"),
        (lambda: GaussianPair([1, np.nan]), "finite"),
        (lambda: GaussianPair().score(np.zeros((3, 2))), "2 columns"),
        (lambda: Binormal().roc([0.5, 1.5]), "fpr must"),
        (lambda: Binormal().roc(np.nan), "fpr must"),
        (lambda: Binormal().rates(-1), "level must"),
        (lambda: Binormal("a", 1), "mu must be a number from -1e30 to 1e30, got 'a'"),
        (lambda: Binormal(1e200), "mu must be a number from -1e30 to 1e30"),
        (lambda: Binormal(1, "b"), "sigma must be a number from 1e-30 to 1e30, got 'b'"),
        (lambda: Binormal(1, 1e-200), "sigma must be a number from 1e-30 to 1e30"),
        (lambda: Binormal(p="c"), "got 'c'"),
        (lambda: Binormal([1]), "mu must"),
        (lambda: Binormal().sample("a"), "n must be a whole number"),
        (lambda: UniformBlocks("a", [1]), "neg must be a number or an array of numbers, got 'a'"),
        (lambda: GaussianPair("a"), "mean_pos must"),
        (lambda: GaussianPair([1], cov="a"), "cov must"),
        (lambda: Binormal().roc("a"), "fpr must"),
        (lambda: Binormal().rates(None), "level must"),
        (
            lambda: adaptive_approximation(Binormal(), "a"),
            "depth must be a whole number, at least 0, got 'a'",
        ),
        (lambda: adaptive_approximation(Binormal(), None), "depth"),
        (lambda: adaptive_approximation(Binormal(), np.inf), "depth"),
        (lambda: distance_to_optimum(Binormal(), ("a", [0, 1])), "curve must"),
        (lambda: adaptive_approximation(Binormal(), -1), "depth"),
        (lambda: adaptive_approximation(Binormal(), 1.5), "depth"),
        (lambda: distance_to_optimum(Binormal(), ([0, 0.5], [0, 1])), "from 0 to 1"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: adaptive_approximation("a", 1),
        lambda: distance_to_optimum(Binormal, ([0, 1], [0, 1])),
    ],
)
def test_a_problem_is_needed(make):
    with pytest.raises(TypeError, match="problem must be a Problem, such as Binormal"):
        make()
