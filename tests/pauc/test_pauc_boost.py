"""PAUCBoost: its objective, its parts, splines and staircases, and its messages."""

import pickle

import numpy as np
import pytest
from labelled_rows import two_clouds as sample
from scipy.integrate import trapezoid
from scipy.special import ndtr

from aucbook import partial_auc
from aucbook.pauc import PAUCBoost
from aucbook.pauc.objectives import range_share
from aucbook.pauc.pauc_boost import SplineColumn, smooth_pair_sum


def test_sums_on_nodes_are_those_of_the_normal_distribution():
    # eight points 1/16 apart are off by 10.8 h^8 / 8! times the eighth derivative, at most 15: 1e-12, and that twice
    one = np.ones(1)
    for z in np.r_[np.linspace(-9, 9, 2001), np.arange(-8, 9) / 512, -8.0, 8.0, 1e300, -1e300]:
        assert abs(smooth_pair_sum(np.array([z]), np.zeros(1), one, one) - ndtr(z)) < 1e-11
    rng = np.random.default_rng(0)
    for spread in (0, 1, 30):
        s = spread * rng.normal(size=40)
        t = spread * rng.normal(size=60)
        v = rng.random(40)
        u = rng.random(60)
        v, u = v / v.sum(), u / u.sum()
        assert smooth_pair_sum(s, t, v, u) == pytest.approx(v @ ndtr(s[:, None] - t) @ u, abs=1e-11)


def test_scores_far_out_do_not_blur_the_others():
    one = np.full(3, 1 / 3)
    for far in (1e4, 1e300):
        s, t = np.array([0.0, 1.0, far]), np.array([0.3, -far, 0.9])
        assert smooth_pair_sum(s, t, one, one) == pytest.approx(
            one @ ndtr(s[:, None] - t) @ one, abs=1e-11
        )


def test_boost_climbs_and_its_parts_add_up():
    X, y = sample()
    model = PAUCBoost(max_fpr=0.5, n_estimators=6, penalty=0.01).fit(X, y)
    value = model.history_["objective"]
    stages = list(model.staged_decision_function(X))
    assert (
        len(stages) == model.n_estimators_ == value.size == model.history_["column"].size
        and (np.diff(value) > 0).all()
    )
    F = model.decision_function(X) - model.intercept_[0]
    np.testing.assert_array_equal(stages[-1], model.decision_function(X))
    np.testing.assert_allclose(model.curves(X).sum(1), F, atol=1e-9)
    s, t = F[y == 1], F[y == 0]
    share = range_share(t, np.ones(t.size), 0, 0.5)
    smooth = smooth_pair_sum(s, t, np.full(s.size, 1 / s.size), share)
    charge = sum(h @ c.charge @ h for h, c in zip(model.heights_, model.splines_))
    assert value[-1] == pytest.approx(smooth - 0.01 * charge, abs=1e-9)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


def test_boost_bends_where_no_line_helps():
    x = np.linspace(-3, 3, 61)
    y = (abs(x) < 1).astype(int)
    model = PAUCBoost(max_fpr=0.5, n_estimators=20, penalty=1e-4).fit(x[:, None], y)
    assert (
        partial_auc(y, model.decision_function(x[:, None]), max_fpr=0.5)
        > 0.95
        > partial_auc(y, x, max_fpr=0.5)
    )


def test_splines_are_natural_and_staircases_are_flat():
    rng = np.random.default_rng(0)
    x = rng.normal(size=80)
    column = SplineColumn(x, np.ones(80), 5)
    h, fine = rng.normal(size=5), np.linspace(*column.knots[[0, -1]], 4001)
    bend = column.spline(fine, 2) @ h
    assert h @ column.charge @ h == pytest.approx(trapezoid(bend**2, fine), rel=1e-5)
    line = column.knots @ column.charge @ column.knots
    assert abs(line) < 1e-12  # a line costs nothing
    far = column.basis(column.mean + column.scale * np.array([10.0, 11, 12])) @ h
    assert far[2] - far[1] == pytest.approx(far[1] - far[0])  # straight beyond the knots
    steps = SplineColumn(np.array([0.0, 1, 1, 3]), np.ones(4), 5)
    np.testing.assert_array_equal(
        steps.basis(np.array([-9.0, 0.4, 0.6, 1.9, 2.1, 9])).argmax(1), [0, 0, 1, 1, 2, 2]
    )
    assert np.array([1.0, 4, 2]) @ steps.charge @ [1.0, 4, 2] == 9 + 4


def test_boost_on_constant_columns_warns():
    with pytest.warns(UserWarning, match="constant") as caught:
        model = PAUCBoost().fit(np.ones((9, 2)), np.arange(9) % 2)
    assert caught[0].filename == __file__
    assert (
        model.n_estimators_ == 0 and np.unique(model.decision_function(np.ones((3, 2)))).size == 1
    )


def test_boosting_that_ends_below_a_constant_score_says_so(recwarn):
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 300)
    X = rng.normal(size=(600, 2)) + 0.5 * y[:, None]
    with pytest.warns(UserWarning, match="larger max_fpr") as caught:
        model = PAUCBoost(max_fpr=0.05, penalty=0.01).fit(X, y)
    assert (
        caught[0].filename == __file__
        and model.n_estimators_ == 1
        and model.history_["objective"][-1] <= 0.5
    )
    recwarn.clear()
    assert (
        PAUCBoost(penalty=0.01, n_estimators=3).fit(X, y).history_["objective"][-1] > 0.5
        and not recwarn.list
    )


def test_splines_take_values_equal_up_to_rounding_as_one():
    x = np.r_[np.arange(20) * 1e-300, 1]  # once a ValueError of SciPy's
    assert np.isfinite(
        PAUCBoost(n_estimators=2).fit(x[:, None], np.arange(21) % 2).decision_function(x[:, None])
    ).all()


def test_values_far_out_are_scored():
    x = np.random.default_rng(0).normal(size=(60, 2))
    model = PAUCBoost(n_estimators=5).fit(x, x.sum(axis=1) > 0)
    far = model.decision_function([[-1.7e308, 0], [0, 0], [1.7e308, 0], [1.7e308, 1.7e308]])
    assert far[0] < far[1] < far[2] < far[3] < np.inf
