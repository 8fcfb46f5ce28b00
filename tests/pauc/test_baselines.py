"""GreedyPAUC, AsymmetricSVM and range_share: optimality, weights, sparse input; and what the three baselines share: contract, bad input, interrupts."""

import warnings

import numpy as np
import pytest
from contract import broken
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_rows import two_clouds as sample
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from aucbook import partial_auc, roc_curve
from aucbook._base.ranker import InterruptedFit
from aucbook._numerics.simplex import solve_on_simplex
from aucbook.pauc import AsymmetricSVM, GreedyPAUC, PAUCBoost, pauc_boost
from aucbook.pauc import baselines as pauc_baselines
from aucbook.pauc.objectives import range_share

MODELS = [
    GreedyPAUC(max_fpr=0.3, n_angles=8),
    AsymmetricSVM(max_fpr=0.3),
    PAUCBoost(max_fpr=0.5, n_estimators=3, n_trials=4),
]


@pytest.mark.slow
@pytest.mark.parametrize("estimator", MODELS, ids=str)
def test_scikit_learns_contract(estimator):
    assert broken(estimator) == {}


# range_share -------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=12),
    st.integers(0, 9),
    st.integers(1, 10),
)
def test_shares_sum_to_one_and_weights_are_repetitions(rows, lo, wide):
    t, u = np.array(rows, float).T
    min_fpr, max_fpr = lo / 10, min(lo + wide, 10) / 10
    share = range_share(t, u, min_fpr, max_fpr)
    copies = np.repeat(np.arange(t.size), u.astype(int))
    again = range_share(t[copies], np.ones(copies.size), min_fpr, max_fpr)
    assert share.sum() == pytest.approx(1) and (share >= 0).all()
    np.testing.assert_allclose(
        share, np.bincount(copies, again, t.size), atol=1e-12
    )  # sums in another order
    order = np.lexsort((-u, -t))  # no row takes more than its width
    assert (share[order] <= u[order] / u.sum() / (max_fpr - min_fpr) + 1e-12).all()


def test_shares_times_tpr_is_the_partial_auc():
    X, y = sample()
    s = X[:, 0]
    share = range_share(s[y == 0], np.ones(60), 0.1, 0.35)
    tpr = (s[y == 1][:, None] > s[y == 0]).mean(0)
    assert share @ tpr == pytest.approx(partial_auc(y, s, min_fpr=0.1, max_fpr=0.35), abs=1e-12)


# GreedyPAUC --------------------------------------------------------------------------------------------------------


def test_greedy_path_rises_to_the_training_value():
    X, y = sample()
    model = GreedyPAUC(max_fpr=0.2).fit(X, y)
    singles = [partial_auc(y, sign * x, max_fpr=0.2) for x in X.T for sign in (1, -1)]
    assert model.path_[0] == max(singles) and (np.diff(model.path_) > 0).all()
    assert model.path_[-1] == pytest.approx(
        partial_auc(y, X @ model.coef_[0], max_fpr=0.2), abs=1e-9
    )
    assert len(set(model.order_)) == len(model.order_) == np.count_nonzero(model.coef_)
    assert len(GreedyPAUC(max_fpr=0.2, max_columns=1).fit(X, y).order_) == 1


def test_greedy_on_constant_columns_warns():
    with pytest.warns(UserWarning, match="constant") as caught:
        model = GreedyPAUC().fit(np.ones((9, 2)), np.arange(9) % 2)
    assert caught[0].filename == __file__ and not model.order_ and (model.coef_ == 0).all()


def test_greedy_turns_a_column_upside_down_and_ignores_a_constant_one():
    y = np.repeat([0, 1], 5)
    X = np.c_[np.full(10, 7.0), -np.arange(10.0)]
    model = GreedyPAUC().fit(X, y)
    assert (
        model.order_ == [1]
        and model.coef_[0, 1] < 0
        and model.path_ == [1.0]
        and (model.predict(X) == y).all()
    )


# AsymmetricSVM -----------------------------------------------------------------------------------------------------


def lead(w, P, N, tau, max_fpr):
    s, t = np.sort(P @ w), np.sort(N @ w)[::-1]

    def mean(z, share):
        return np.clip(share * z.size - np.arange(z.size), 0, 1) @ z / (share * z.size)

    return (mean(s, tau) - mean(t, max_fpr)) / np.linalg.norm(w)


@pytest.mark.parametrize("tau, max_fpr", [(1.0, 1.0), (0.5, 0.3), (0.37, 0.213)])
def test_core_is_certified(tau, max_fpr):
    X, y = sample(shift=2.5)
    P, N = X[y == 1], X[y == 0]
    model = AsymmetricSVM(max_fpr=max_fpr, tau=tau, tol=1e-5).fit(X, y)
    w = model.coef_[0]
    assert model.margin_ == pytest.approx(lead(w, P, N, tau, max_fpr), abs=1e-9) and np.linalg.norm(
        w
    ) == pytest.approx(1)
    assert (
        model.margin_ <= model.bound_ + 1e-12
        and model.bound_ - model.margin_ <= 1e-5 * model.bound_ + 1e-12
    )
    tries = np.random.default_rng(0).normal(size=(300, 3))
    optimum = -minimize(lambda v: -lead(v, P, N, tau, max_fpr), w + 0.05, method="Nelder-Mead").fun
    assert (
        max(optimum, *(lead(v, P, N, tau, max_fpr) for v in tries)) <= model.bound_ + 1e-9
    )  # no weights exceed the bound


def test_core_needs_no_direction_when_the_hulls_touch():
    X, y = sample(shift=0)
    with pytest.warns(UserWarning, match="raise tau or max_fpr") as caught:
        model = AsymmetricSVM(max_fpr=0.05, tau=0.1).fit(X, y)
    assert caught[0].filename == __file__  # the user's line
    assert (
        (model.coef_ == 0).all()
        and model.margin_ == 0
        and np.unique(model.decision_function(X)).size == 1
    )


@pytest.mark.kernel
def test_core_says_when_it_stops_early():
    X, y = sample(shift=2.5)
    with pytest.warns(ConvergenceWarning, match="margin is between"):
        AsymmetricSVM(max_fpr=0.2, tol=1e-9, max_iter=2).fit(X, y)


def test_core_weights_are_repetitions_and_sparse_is_dense():
    X, y = sample(shift=2.5)
    w = np.random.default_rng(0).integers(0, 3, y.size)
    a = AsymmetricSVM(max_fpr=0.3, tol=1e-8).fit(X, y, w)
    b = AsymmetricSVM(max_fpr=0.3, tol=1e-8).fit(np.repeat(X, w, 0), np.repeat(y, w))
    assert a.margin_ == pytest.approx(b.margin_, rel=2e-8)  # both within 1e-8 of the optimum
    for model in (AsymmetricSVM(max_fpr=0.3), GreedyPAUC(max_fpr=0.3)):
        dense = model.fit(X, y).decision_function(X)
        sparse = model.fit(csr_matrix(X), y).decision_function(csr_matrix(X))
        np.testing.assert_allclose(
            dense, sparse, atol=1e-6
        )  # sums in another order, then the solver's path


def test_nearest_point_of_a_segment_and_of_a_repeated_corner():
    Z = np.array([[1.0, 1], [1, -1], [1, 1]])
    a = np.array([1.0, 0, 0])
    solve_on_simplex(Z @ Z.T, np.zeros(3), 1.0, a, 1e-12)
    np.testing.assert_allclose(a @ Z, [1, 0], atol=1e-9)


# what the three share ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_threshold_is_youdens_and_scale_does_not_matter(model):
    X, y = sample(shift=2.5)
    labels = np.array(["healthy", "ill"])[y]
    model.fit(X, labels)
    s = model.decision_function(X)
    assert np.array_equal(model.predict(X), np.where(s > 0, "ill", "healthy"))
    fpr, tpr, _ = roc_curve(y, s)
    assert (s[y == 1] > 0).mean() - (s[y == 0] > 0).mean() == pytest.approx((tpr - fpr).max())
    if not isinstance(model, AsymmetricSVM):  # standardises by itself: powers of two are exact
        np.testing.assert_allclose(
            model.fit(X * 2.0**20, labels).decision_function(X * 2.0**20), s, rtol=1e-6, atol=1e-9
        )


@pytest.mark.kernel
@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_bad_data(model):
    X, y = sample()
    with pytest.raises(ValueError, match="only one class with weight"):
        model.fit(X, y, y.astype(float))
    with pytest.raises(ValueError, match="one class|1 class"):
        model.fit(X, np.ones(y.size))
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.where(X > 2, np.nan, X), y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two rows: a core may not exist
        assert np.isfinite(model.fit([[0.0], [1.0]], [0, 1]).decision_function([[2.0]])).all()


@pytest.mark.parametrize(
    "model, word",
    [
        (GreedyPAUC(min_fpr=0.5, max_fpr=0.5), "min_fpr"),
        (GreedyPAUC(n_angles=1), "n_angles"),
        (GreedyPAUC(max_columns=0), "max_columns"),
        (AsymmetricSVM(max_fpr=0), "max_fpr"),
        (AsymmetricSVM(tau=1.5), "tau"),
        (AsymmetricSVM(tol=0), "tol"),
        (AsymmetricSVM(max_iter=0), "max_iter"),
        (PAUCBoost(max_fpr=2), "max_fpr"),
        (PAUCBoost(n_estimators=0), "n_estimators"),
        (PAUCBoost(penalty=0), "penalty"),
        (PAUCBoost(n_knots=2), "n_knots"),
        (GreedyPAUC(min_fpr="a"), "FPR range needs .* min_fpr=a"),
        (GreedyPAUC(n_angles=2.5), "n_angles must be a whole number, at least 2, got 2.5"),
        (GreedyPAUC(max_columns="a"), "max_columns must .* got 'a'"),
        (AsymmetricSVM(tau="a"), "tau must be a number in .0, 1., got 'a'"),
        (AsymmetricSVM(max_iter=2.5), "max_iter must .* got 2.5"),
        (AsymmetricSVM(tol="a"), "tol must .* got 'a'"),
        (PAUCBoost(max_fpr="a"), "FPR range needs .* max_fpr=a"),
        (PAUCBoost(n_estimators=2.5), "n_estimators must .* got 2.5"),
        (PAUCBoost(penalty="a"), "penalty must be a positive number, got 'a'"),
        (PAUCBoost(n_trials=1.5), "n_trials"),
        (PAUCBoost(n_knots=3.5), "n_knots"),
    ],
    ids=str,
)
def test_bad_parameters(model, word):
    with pytest.raises(ValueError, match=word):
        model.fit(*sample())


@pytest.mark.parametrize("size", [1e300, 1e-310])
@pytest.mark.parametrize("model", [*MODELS, AsymmetricSVM(), PAUCBoost()], ids=str)
def test_features_too_large_or_small_to_square_are_refused(model, size):
    X, y = (
        np.abs(sample(40, 120)[0]),
        np.repeat([1, 0], [40, 120]),
    )  # 1e300 never ended: NaN equals nothing, itself included
    with pytest.raises(ValueError, match="column 1 of X.*scale the features"):
        model.fit(np.c_[X[:, 0], X[:, 1] * size, X[:, 2]], y)


def test_shares_refuse_what_has_no_order():
    for bad in ([1, np.nan], [[1.0, 2.0]], []):
        with pytest.raises(ValueError, match="scores"):
            range_share(bad, [1, 1])
    for weight, word in (([1, -1], "weight"), ([0, 0], "weight"), ([1], "weight")):
        with pytest.raises(ValueError, match=word):
            range_share([1, 2], weight)
    with pytest.raises(ValueError, match="min_fpr < max_fpr"):
        range_share([1, 2], [1, 1], 0.5, 0.2)
    np.testing.assert_allclose(
        range_share([3, 2, 2, 1], [0, 1, 0, 1]), [0, 0.5, 0, 0.5]
    )  # weight 0: as if absent


@pytest.mark.parametrize(
    "model, module, name, first, later",
    [
        (GreedyPAUC(max_fpr=0.3, n_angles=4), pauc_baselines, "partial_auc", 3, 8),
        (PAUCBoost(max_fpr=0.5, n_trials=4), pauc_boost, "best_change", 1, 4),
        (AsymmetricSVM(max_fpr=0.3, tol=1e-9), pauc_baselines, "range_share", 1, 6),
    ],
    ids=lambda x: type(x).__name__,
)
def test_an_interrupted_fit_keeps_what_is_done(monkeypatch, model, module, name, first, later):
    X, y = sample(shift=2.5)
    true = getattr(module, name)

    def interrupted_at(call):
        calls = []

        def function(*args, **kwargs):
            calls.append(1)
            if len(calls) == call:
                raise KeyboardInterrupt
            return true(*args, **kwargs)

        monkeypatch.setattr(module, name, function)

    interrupted_at(first)  # nothing is done yet
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.decision_function(X)
    interrupted_at(later)
    with pytest.warns(InterruptedFit, match="interrupted") as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__ or isinstance(
        model, AsymmetricSVM
    )  # which says it one call higher up
    s = model.decision_function(X)
    assert partial_auc(y, s, max_fpr=0.3) > 0.3
    monkeypatch.setattr(module, name, true)
    if isinstance(model, AsymmetricSVM):
        assert 0 < model.margin_ < model.bound_ and model.n_iter_ == 3
        return
    less = {"max_columns": 1} if name == "partial_auc" else {"n_estimators": 3}
    np.testing.assert_array_equal(
        s, type(model)(**{**model.get_params(), **less}).fit(X, y).decision_function(X)
    )
