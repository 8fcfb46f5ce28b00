"""PartialAUCSVM: contract, the certificate, weights, sparse input, bad input."""
import pickle

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from aucbook import PartialAUCSVM, most_violated_ordering, partial_auc


WHOLE = "a negative across the end of the range stays whole, as in Eq. (4); two copies of it can be parted"


@parametrize_with_checks([PartialAUCSVM(), PartialAUCSVM(C=10, tol=1e-4), PartialAUCSVM(beta=.5, C=10, tol=1e-4)],
                         expected_failed_checks=lambda e: {} if e.beta == 1 else {f"check_sample_weight_equivalence_on_{kind}_data": WHOLE for kind in ("dense", "sparse")})
def test_scikit_learns_contract(estimator, check):
    check(estimator)


def sample(m=30, n=60, seed=0, shift=2.0):
    rng = np.random.default_rng(seed)
    X = np.r_[rng.normal(size=(m, 3)) + [shift, shift / 2, 0], rng.normal(size=(n, 3))]
    return X, np.repeat([1, 0], [m, n])


def objective(w, X, y, alpha, beta, C):
    s, t = X[y == 1] @ w, X[y == 0] @ w
    return w @ w / 2 + C * most_violated_ordering(s, t, alpha, beta)[1] / (s.size * t.size * (beta - alpha))


@pytest.mark.parametrize("alpha, beta", [(0, 1), (0, .2), (.1, .4), (.5, .51)])
def test_the_certificate_holds(alpha, beta):
    X, y = sample()
    model = PartialAUCSVM(alpha, beta, C=5, tol=1e-4).fit(X, y)
    F = objective(model.coef_[0], X, y, alpha, beta, 5)
    assert F == pytest.approx(model.history_["primal"][-1], rel=1e-9) and model.dual_gap_ <= 5e-4 + 1e-9 and model.stop_ == "gap"
    assert (np.diff(model.history_["primal"]) <= 1e-12).all() and (np.diff(model.history_["dual"]) >= 0).all()
    rng = np.random.default_rng(1)
    others = [objective(model.coef_[0] + rng.normal(size=3) * 10.0 ** -k, X, y, alpha, beta, 5) for k in range(5) for _ in range(50)]
    found = minimize(objective, model.coef_[0], args=(X, y, alpha, beta, 5), method="Nelder-Mead").fun
    assert min(*others, found) >= F - model.dual_gap_ - 1e-9             # nobody beats the lower bound


def test_risk_bounds_the_loss():
    X, y = sample()
    model = PartialAUCSVM(beta=.2, C=5).fit(X, y)
    w = model.coef_[0]
    assert 1 - partial_auc(y, X @ w, 0, .2) <= (model.history_["primal"][-1] - w @ w / 2) / 5 + 1e-9


def test_weights_count_as_repetitions():
    X, y = sample()
    w = np.random.default_rng(0).integers(0, 3, y.size)
    a = PartialAUCSVM(C=5, tol=1e-6).fit(X, y, w)
    b = PartialAUCSVM(C=5, tol=1e-6).fit(np.repeat(X, w, 0), np.repeat(y, w))
    assert a.history_["primal"][-1] == pytest.approx(b.history_["primal"][-1], abs=1e-5)      # both within 5e-6 of the optimum
    np.testing.assert_allclose(a.coef_, b.coef_, atol=np.sqrt(2 * 1e-5) * 2)                  # F is 1-strongly convex


def test_sparse_is_dense_and_pickles():
    X, y = sample()
    a, b = PartialAUCSVM(beta=.2).fit(X, y), PartialAUCSVM(beta=.2).fit(csr_matrix(X), y)
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(csr_matrix(X)), atol=1e-9)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(a)).decision_function(X), a.decision_function(X))


def test_open_gap_warns_and_huge_features_warn(capsys):
    X, y = sample(shift=.5)
    with pytest.warns(ConvergenceWarning, match="gap open"):
        model = PartialAUCSVM(C=1000, max_iter=2, verbose=1).fit(X, y)
    assert model.stop_ == "max_iter" and model.dual_gap_ > 1 and "primal" in capsys.readouterr().out
    with pytest.warns(UserWarning, match="scale them"):
        PartialAUCSVM(max_iter=1).fit(X * 1e5, y)          # the warning comes before the work


def test_zero_is_the_optimum_of_hopeless_data():
    X, y = sample(200, 200, shift=.3)
    model = PartialAUCSVM(beta=.05, C=100).fit(X, y)
    assert np.abs(model.coef_).max() < 1e-6 and (model.predict(X) == 0).all()      # the chapter says why
    same = PartialAUCSVM().fit(np.ones((10, 2)), np.arange(10) % 2)
    assert np.ptp(same.decision_function(np.ones((4, 2)))) == 0


@pytest.mark.parametrize("change, word", [({"alpha": .5, "beta": .5}, "alpha < beta"), ({"C": 0}, "C must"), ({"C": np.inf}, "C must"), ({"tol": 0}, "tol"), ({"max_iter": 0}, "max_iter")])
def test_bad_parameters(change, word):
    with pytest.raises(ValueError, match=word):
        PartialAUCSVM(**change).fit(*sample())
