"""The linear and the isotonic link: Newton's method, the definition, blocks handed over, rounds kept, bad input."""

import pickle
import warnings

import numpy as np
import pytest

from aucbook import PAVCalibrator, pav
from aucbook._base.ranker import collect_boosting_rounds
from aucbook._numerics.pooling import check_isotonic_link, resolve_clip
from aucbook.isotonic import IsotonicLink, LinearLink
from aucbook.isotonic.links import newton_weights


def test_newton_at_a_minimum_and_on_a_perfect_column():
    rng = np.random.default_rng(0)
    H = rng.normal(size=(50, 2))
    y = rng.choice([-1.0, 1], 50)
    D = np.full(50, 0.02)
    a = newton_weights(H, y, D)
    assert (
        np.abs((D * np.exp(-y * (H @ a)) * y) @ H).max() < 1e-6
    )  # the gradient, at the accuracy of the stop rule
    assert np.isfinite(newton_weights(y[:, None], y, D)).all()


@pytest.mark.kernel
@pytest.mark.parametrize("kind", ["random", "tied", "separates", "zero", "weights of 0"])
def test_one_column_is_the_general_case(kind):
    rng = np.random.default_rng(2)
    for _ in range(20):
        n = int(rng.integers(2, 30))
        y = rng.permutation(np.where(np.arange(n) % 2, 1.0, -1.0))
        D = rng.random(n) + 0.1
        h = {
            "tied": rng.integers(-2, 3, n) * 1.0,
            "separates": y * rng.random(n),
            "zero": np.zeros(n),
        }.get(kind, rng.normal(size=n))
        D[: n // 3] *= kind != "weights of 0"
        one = newton_weights(h[:, None], y, D)
        general = newton_weights(np.column_stack([h, np.zeros(n)]), y, D)

        def objective(a):
            return D @ np.exp(-y * h * a)

        assert one.shape == (1,) and np.abs(h * one[0]).max() <= 30
        # both end where Z moves by 1e-14 of itself
        assert np.isclose(objective(one[0]), objective(general[0]), rtol=1e-12, atol=1e-12)


def test_newton_refuses_scores_whose_squares_overflow():
    with pytest.raises(ValueError, match="squares its scores"):
        newton_weights(np.array([[1e300], [1.0]]), np.array([1.0, -1.0]), np.ones(2))


@pytest.mark.parametrize("constant", [False, True])
def test_a_line_is_at_its_minimum(constant):
    rng = np.random.default_rng(1)
    h = rng.normal(size=60)
    y = rng.integers(0, 2, 60)
    D = rng.random(60) / 60
    link = LinearLink(constant).fit(h, y, D)
    sign = 2.0 * y - 1
    loss = D * np.exp(-sign * link.votes(h)) * sign
    assert abs(loss @ h) < 1e-6 and (
        not constant or abs(loss.sum()) < 1e-6
    )  # Newton ends where Z moves by 1e-14, the gradient by its root
    assert link.coef_.shape == (1 + constant,)


def votes_reference(h, y, D, clip, at):
    """Eq. 14 and section 2.2, score by score."""
    values, group = np.unique(h, return_inverse=True)
    total = np.bincount(group, D)
    p = np.clip(pav(np.bincount(group, D * y) / total, total), clip, 1 - clip)
    left = np.maximum(np.searchsorted(values, at, side="right") - 1, 0)
    right = np.minimum(np.searchsorted(values, at), values.size - 1)
    p = (p[left] + p[right]) / 2
    return np.log(p / (1 - p)) / 2


@pytest.mark.parametrize("kind", ["random", "tied", "one value"])
def test_the_isotonic_link_is_its_definition(kind):
    rng = np.random.default_rng(0)
    for _ in range(50):
        n = rng.integers(2, 30)
        h = {
            "random": rng.normal(size=n),
            "tied": rng.integers(0, 5, n) * 1.0,
            "one value": np.ones(n),
        }[kind]
        y, D = rng.permutation(np.arange(n) % 2), rng.integers(1, 4, n) / n
        at = np.r_[h, rng.uniform(-2, 6, 20), h.min() - 1, h.max() + 1]
        np.testing.assert_allclose(
            IsotonicLink(0.1).fit(h, y, D).votes(at), votes_reference(h, y, D, 0.1, at), atol=1e-12
        )  # quotients of sums


def test_pools_may_be_handed_over():
    rng = np.random.default_rng(0)
    h = rng.integers(0, 9, 50) * 1.0
    y = rng.integers(0, 2, 50)
    D = rng.random(50)
    fitted = PAVCalibrator().fit(h, y, D)
    before = fitted.probabilities_.copy()
    link = IsotonicLink.from_pools(fitted.thresholds_, fitted.probabilities_, 0.05)
    other = IsotonicLink(0.05).fit(h, y, D)
    at = np.linspace(-1, 10, 99)
    np.testing.assert_array_equal(link.votes(at), other.votes(at))
    np.testing.assert_array_equal(
        fitted.probabilities_, before
    )  # the calibrator's own are left alone
    assert link.probabilities_.min() >= 0.05 and link.probabilities_.max() <= 0.95
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(link)).votes(at), link.votes(at))


def test_bins_tie_what_falls_into_one():
    h, y = np.arange(40.0), np.arange(40) % 3 == 0
    link = IsotonicLink(0.1, 4).fit(h, y.astype(int), np.ones(40))
    assert link.bins_.sizes.tolist() == [4] and np.unique(link.votes(h)).size <= 4
    assert IsotonicLink(0.1).fit(h, y.astype(int), np.ones(40)).bins_ is None


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_scores_must_be_finite(bad):
    link = IsotonicLink(0.1).fit(np.arange(4.0), np.array([0, 1, 0, 1]), np.ones(4))
    with pytest.raises(ValueError, match="finite scores, got 1 NaN or infinite"):
        link.votes(np.array([1.0, bad]))


def test_the_clip():
    assert resolve_clip(0.2, np.ones(9)) == 0.2 and resolve_clip(None, np.ones(50)) == 1 / 50
    assert resolve_clip(None, np.full(2, 1e15)) == 1e-12 and resolve_clip(None, np.ones(2)) == 1 / 3
    with pytest.warns(UserWarning, match="sums to 1 on 200 rows"):
        resolve_clip(None, np.full(200, 1 / 200))
    for bad in (
        {"clip": 0, "n_bins": None},
        {"clip": 1e-17, "n_bins": None},
        {"clip": None, "n_bins": 1},
        {"clip": None, "n_bins": 8.5},
    ):
        with pytest.raises(ValueError, match="clip must be|n_bins must be"):
            check_isotonic_link(**bad)


def test_rounds_are_kept():
    def rounds(stop):
        for t in range(stop):
            yield t, 0.5, 0.5 ** (t + 1), 0.0
        raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted: the first 3 of 9 rounds are kept"):
        stages, history = collect_boosting_rounds(rounds(3), 9, "nothing")
    assert stages == [0, 1, 2] and history["bound"].tolist() == [0.5, 0.25, 0.125]
    with pytest.warns(UserWarning, match="nothing at all"):
        assert collect_boosting_rounds([], 9, "nothing at all")[0] == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        collect_boosting_rounds([("a", 0.5, 0.5, 0)], 1, "nothing")


@pytest.mark.parametrize("clip", [0.7, 0, -1, np.nan, "a"])
def test_a_clip_that_gives_no_order_is_refused(clip):
    with pytest.raises(ValueError, match=r"clip must be a number in \(0, 0.5\], got"):
        IsotonicLink(clip).fit(np.arange(4.0), np.array([0, 0, 1, 1]), np.full(4, 0.25))
    with pytest.raises(ValueError, match="clip must be a number"):
        IsotonicLink.from_pools(np.array([[0.0, 1.0]]), np.array([0.5]), clip)
