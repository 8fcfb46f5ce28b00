"""Generated data have the stated distribution."""

import inspect

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.special import ndtr, ndtri
from scipy.stats import multivariate_normal

from aucbook import roc_auc
from aucbook.theory import toys as T

# every generator of random data
GENERATORS = [
    value
    for name, value in vars(T).items()
    if name.startswith("make_") and "random_state" in inspect.signature(value).parameters
]


def test_binormal_has_its_closed_form():
    y, s = T.make_binormal(4000, 4000, mu=1.3, sigma=2, random_state=0)
    assert roc_auc(y, s) == pytest.approx(
        T.binormal_auc(1.3, 2), abs=0.03
    )  # five standard errors of an AUC at 4000 + 4000
    u = (np.arange(20_000) + 0.5) / 20_000
    assert T.binormal_roc(u, 1.3, 2).mean() == pytest.approx(
        T.binormal_auc(1.3, 2), abs=1e-4
    )  # midpoint rule


@pytest.mark.parametrize(
    "mu, sigma, alpha, beta",
    [(1, 1, 0, 0.1), (1.3, 2, 0.1, 0.3), (-0.5, 0.7, 0.2, 0.8), (0, 3, 0.5, 1)],
)
def test_partial_binormal_area_equals_the_integral(mu, sigma, alpha, beta):
    z = np.linspace(
        max(ndtri(alpha), -12), min(ndtri(beta), 12), 20_001
    )  # u = ndtr(z) makes the integrand smooth
    area = trapezoid(T.binormal_roc(ndtr(z), mu, sigma) * np.exp(-(z**2) / 2), z)
    assert T.binormal_auc(mu, sigma, min_fpr=alpha, max_fpr=beta) == pytest.approx(
        area / np.sqrt(2 * np.pi) / (beta - alpha), abs=1e-6
    )  # trapezoid error: step^2 ~ 1e-6


def test_partial_areas_add_up():
    low = T.binormal_auc(1, 2, max_fpr=0.3)
    high = T.binormal_auc(1, 2, min_fpr=0.3, max_fpr=1)
    assert 0.3 * low + 0.7 * high == pytest.approx(T.binormal_auc(1, 2), abs=1e-12)


def test_unit_square():
    X, y = T.make_gauss2d(20_000, random_state=0)
    assert (
        X.min() >= 0 and X.max() <= 1 and y.mean() == pytest.approx(0.5, abs=0.02)
    )  # five standard errors
    best = roc_auc(y, T.gauss2d_score(X))
    # nothing beats the likelihood ratio, up to 4 standard errors of a paired difference (correlated scores: se < .002)
    assert all(
        best > roc_auc(y, rival) - 0.008 for rival in (-X[:, 0], -X.sum(1), X[:, 1] - X[:, 0])
    )
    near = multivariate_normal(T.SQUARE_MEAN[1], T.SQUARE_COV[1]).logpdf(X) - multivariate_normal(
        T.SQUARE_MEAN[0], T.SQUARE_COV[0]
    ).logpdf(X)
    assert np.ptp(near - T.gauss2d_score(X)) < 1e-9


def test_theorem_5_has_its_two_staircases():
    """Paper 2, Eqs. 54-55: sums of monotone functions of the coordinates score every point exactly +-lambda/(k-1)."""
    for k in (2, 3, 7):
        X, y = T.make_alternating(k)
        step, block = np.linspace(-1, 1, k), np.arange(4 * k - 4) // 2
        score = step[(block + 1) // 2] - (step[1:] + step[:-1])[block // 2] / 2
        assert score == pytest.approx((2 * y - 1) / (k - 1))


def test_shapes_and_shares():
    X, y = T.make_two_doctors()
    assert X.shape == (9, 2) and y.sum() == 4
    for example, total in (("4.1", 201), ("4.2", 120)):
        X, y = T.make_groups(example)
        assert X.shape == (400, 2) and y.sum() == total
    X, y = T.make_three_words(0)
    assert X.shape == (700, 3) and len(np.unique(X, axis=0)) == 7
    X, y = T.make_alternating(4, 3)
    assert (
        (X[:, 0] == -X[:, 1]).all()
        and y[0] == 0
        and y[-1] == 1
        and np.abs(np.diff(y)).sum() == 2 * 4 - 3
    )


@pytest.mark.parametrize("which", [1, 2, 3])
def test_three_gaussians_have_their_covariances(which):
    X, y = T.make_three_gaussians(which, 40_000, random_state=0)
    assert np.cov(X[y == 1].T) == pytest.approx(
        T.COV_POS, abs=0.2
    )  # entries up to 6 with 40 000 rows: se < .05
    assert np.cov(X[y == 0].T) == pytest.approx(T.COV_NEG, abs=0.2)
    assert X[y == 1].mean(0) == pytest.approx([T.MEANS[which][0]] * 3, abs=0.06)


def test_flipped_features_follow_long_and_servedio():
    X, y, clean = T.make_flipped(8000, 0.2, random_state=0, return_clean=True)
    right = clean[:, None] == X
    kinds = {(21, 11), (11, 11), (11, 5)}  # (right in all, right among the first 11)
    assert set(zip(right.sum(1), right[:, :11].sum(1))) == kinds
    assert np.mean(y != clean) == pytest.approx(0.2, abs=0.02)  # four standard errors
    assert np.array_equal(T.make_flipped(8000, 0.2, random_state=0)[1], y)


def test_separated_clouds_are_as_far_as_said():
    for direction in ("axis", "oblique"):
        X, y = T.make_separated(20_000, direction, 2.0, random_state=0)
        assert np.linalg.norm(X[y == 1].mean(0) - X[y == 0].mean(0)) == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize(
    "call, word",
    [
        (lambda: T.make_groups("4.3"), "example"),
        (lambda: T.make_three_gaussians(4), "which"),
        (lambda: T.make_flipped(noise_rate=0.5), "noise_rate"),
        (lambda: T.make_separated(direction="up"), "direction"),
        (lambda: T.make_alternating(1), "k must"),
        (lambda: T.binormal_auc(min_fpr=0.5, max_fpr=0.5), "min_fpr"),
        (lambda: T.binormal_auc(sigma=0), "sigma"),
    ],
)
def test_bad_arguments_are_named(call, word):
    with pytest.raises(ValueError, match=word):
        call()


@pytest.mark.parametrize("make", GENERATORS)
def test_the_seed_decides(make):
    a, b, c = (make(random_state=seed) for seed in (0, 0, 1))
    assert all(np.array_equal(u, v) for u, v in zip(a, b)) and not all(
        np.array_equal(u, v) for u, v in zip(a, c)
    )


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: T.binormal_auc(np.nan), "mu must be a finite number, got nan"),
        (lambda: T.binormal_auc(1.0, 0.0), "sigma must be a positive number"),
        (lambda: T.binormal_roc([0, 2]), "fpr must lie in"),
        (lambda: T.binormal_roc(0.1, "a"), "mu must be a finite number, got 'a'"),
        (lambda: T.make_binormal(-1), "n_pos must be a whole number, at least 0, got -1"),
        (lambda: T.make_binormal(3, sigma=-1), "sigma must be a positive number"),
    ],
)
def test_bad_laws_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
