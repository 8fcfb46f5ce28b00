"""PartialAUCSVM: contract, the certificate, weights, sparse input, bad input."""

import os
import pickle
from functools import partial
from itertools import permutations, product

import numpy as np
import pytest
from contract import broken
from labelled_rows import two_clouds
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from aucbook import PartialAUCSVM, PartialAUCSVMCV, partial_auc
from aucbook.pauc import cutting_planes, most_violated_ordering, pauc_svm
from aucbook.pauc import search as pauc_search
from aucbook.pauc.cutting_planes import (
    ClassRows,
    RangeProblem,
    minimise_by_planes,
    most_violated_plane,
)
from aucbook.pauc.pauc_svm import smooth_pauc
from aucbook.pauc.search import choose_setting

ROUNDING = "the polish is a local search: rounding may end it at another point; and two copies of a row may be in two folds"
EXPECTED = {
    f"check_sample_weight_equivalence_on_{kind}_data": ROUNDING for kind in ("dense", "sparse")
}
compiled = pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="slow without compilation"
)
pytestmark = pytest.mark.filterwarnings(
    "ignore:features as large", "ignore:every row has the same score"
)
SMALL = PartialAUCSVMCV(
    max_fpr=0.5, Cs=(1, 10), max_fprs=(0.5, 1), cv=2, tol=1e-4, polish=0, random_state=0
)


@compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        PartialAUCSVM(),
        PartialAUCSVM(C=10, tol=1e-4),
        PartialAUCSVM(min_fpr=0.1, max_fpr=0.55, C=10, tol=1e-6),
        PartialAUCSVM(max_fpr=0.5, tol=1e-6, surrogate="tight"),
        PartialAUCSVM(polish=True, random_state=0),
        SMALL,
        PartialAUCSVMCV(Cs=(1,), cv=2, random_state=0),
    ],
    ids=str,
)
def test_scikit_learns_contract(estimator):
    assert broken(estimator, EXPECTED if estimator.polish else None) == {}


sample = partial(two_clouds, shift=2.0)


def objective(w, X, y, min_fpr, max_fpr, C, copies=1):
    """F of Paper 3's OP1 at w. With five copies of the 60 negatives no range below cuts one: then it is the divided bound."""
    s, t = X[y == 1] @ w, np.repeat(X[y == 0] @ w, copies)
    return w @ w / 2 + C * most_violated_ordering(s, t, min_fpr=min_fpr, max_fpr=max_fpr)[1] / (
        s.size * t.size * (max_fpr - min_fpr)
    )


@compiled
@pytest.mark.parametrize("surrogate, copies", [("structural", 1), ("divided", 5)])
@pytest.mark.parametrize("min_fpr, max_fpr", [(0, 1), (0, 0.2), (0.1, 0.4), (0.5, 0.51), (0, 0.03)])
def test_the_certificate_holds(min_fpr, max_fpr, surrogate, copies):
    X, y = sample()
    model = PartialAUCSVM(min_fpr=min_fpr, max_fpr=max_fpr, C=5, tol=1e-4, surrogate=surrogate).fit(
        X, y
    )
    problem = X, y, min_fpr, max_fpr, 5, copies
    F = objective(model.coef_[0], *problem)
    assert (
        pytest.approx(model.history_["primal"][-1], rel=1e-9) == F
        and model.dual_gap_ <= 5e-4 + 1e-9
        and model.stop_ == "gap"
    )
    assert (np.diff(model.history_["primal"]) <= 1e-12).all() and (
        np.diff(model.history_["dual"]) >= 0
    ).all()
    rng = np.random.default_rng(1)
    others = [
        objective(model.coef_[0] + rng.normal(size=3) * 10.0**-k, *problem)
        for k in range(5)
        for _ in range(50)
    ]
    optimum = minimize(objective, model.coef_[0], args=problem, method="Nelder-Mead").fun
    assert (
        min(*others, optimum) >= F - model.dual_gap_ - 1e-9
    )  # no weights are below the lower bound


def risk_by_all_orderings(s, t, min_fpr, max_fpr):
    """Max over every ordering of Delta - margin, Delta by the three terms of Paper 3's Eq. 2."""
    m, n = s.size, t.size
    first = int(np.ceil(n * min_fpr - 1e-9))
    last = int(np.floor(n * max_fpr + 1e-9))
    weight = np.zeros(n)
    weight[first:last] = 1
    if first > 0:
        weight[first - 1] += first - n * min_fpr
    if last < n:
        weight[last] += n * max_fpr - last
    best = -np.inf
    for order in permutations(range(n)):
        lost = np.r_[0, np.cumsum(weight)]
        total = np.r_[0, np.cumsum(t[list(order)])]
        for ranks in product(range(n + 1), repeat=m):
            ranks = np.array(ranks)
            best = max(best, lost[ranks].sum() - (s * ranks - total[ranks]).sum())
    return best / (m * n * (max_fpr - min_fpr))


@compiled
@pytest.mark.parametrize(
    "n, min_fpr, max_fpr", [(3, 0, 0.5), (4, 0, 0.3), (4, 0.3, 0.9), (5, 0, 0.25), (5, 0.2, 0.5)]
)
def test_op1_is_solved_where_the_range_ends_inside_a_negative(n, min_fpr, max_fpr):
    rng = np.random.default_rng(n)
    X = np.r_[rng.normal(size=(2, 2)) + [1.5, 1], rng.normal(size=(n, 2))].round(1)
    y = np.repeat([1, 0], [2, n])

    def F(w):
        return w @ w / 2 + 2 * risk_by_all_orderings(X[:2] @ w, X[2:] @ w, min_fpr, max_fpr)

    model = PartialAUCSVM(min_fpr=min_fpr, max_fpr=max_fpr, C=2, tol=1e-6).fit(X, y)
    w, (low, high) = model.coef_[0], (model.history_[name][-1] for name in ("dual", "primal"))
    assert F(w) == pytest.approx(high, abs=1e-9) and high - low <= 2e-6 + 1e-12
    for k in range(-5, 1):
        assert min(F(w + rng.normal(size=2) * 10.0**k) for _ in range(5)) >= low - 1e-9
    divided = PartialAUCSVM(
        min_fpr=min_fpr, max_fpr=max_fpr, C=2, tol=1e-6, surrogate="divided"
    ).fit(X, y)
    f = n * max_fpr % 1
    apart = divided.history_["primal"][-1] - high
    assert -4e-6 <= apart <= 2 * f * (1 - f) / (n * (max_fpr - min_fpr)) + 4e-6


def test_the_paper_and_the_divided_bound_differ_where_the_edge_is_cut():
    X = np.array([[3, 1], [1, 2], [2, 0], [1, 1], [0, 1], [0, 0], [-1, 1]], float)
    y = np.repeat([1, 0], [2, 5])
    best = [
        PartialAUCSVM(max_fpr=0.3, C=1, tol=1e-6, surrogate=name).fit(X, y).history_["primal"][-1]
        for name in ("structural", "divided")
    ]
    assert best == pytest.approx([0.416667, 0.486111], abs=2e-6)


def test_a_range_that_cuts_no_row_is_the_same_to_the_last_bit():
    X, y = sample()  # 60 negatives
    for min_fpr, max_fpr in ((0, 1), (0, 0.1), (0, 0.35), (0.05, 0.7), (1 / 7, 0.3)):
        one, two = (
            PartialAUCSVM(min_fpr=min_fpr, max_fpr=max_fpr, C=5, surrogate=name).fit(X, y)
            for name in ("structural", "divided")
        )
        np.testing.assert_array_equal(one.coef_, two.coef_)
        np.testing.assert_array_equal(one.history_["dual"], two.history_["dual"])


def test_the_divided_bound_does_not_depend_on_the_unit_of_weight():
    X, y = sample()
    u = np.random.default_rng(0).integers(1, 4, y.size)
    for factor in (7, 0.01):
        one, two = (
            PartialAUCSVM(max_fpr=0.31, C=5, tol=1e-6, surrogate="divided").fit(X, y, k * u)
            for k in (1, factor)
        )
        assert one.history_["primal"][-1] == pytest.approx(two.history_["primal"][-1], abs=1e-5)


def test_a_tiny_unit_of_weight_is_still_a_bound():
    """All weights together are below one: then nothing but the negative on the edge is in its unit."""
    X, y = sample()
    model = PartialAUCSVM(max_fpr=0.21, C=5, tol=1e-6).fit(X, y, np.full(y.size, 1e-3))
    w = model.coef_[0]
    assert model.stop_ == "gap"
    assert (
        1 - partial_auc(y, X @ w, max_fpr=0.21)
        <= (model.history_["primal"][-1] - w @ w / 2) / 5 + 1e-9
    )


def test_risk_bounds_the_loss():
    X, y = sample()
    model = PartialAUCSVM(max_fpr=0.2, C=5).fit(X, y)
    w = model.coef_[0]
    assert (
        1 - partial_auc(y, X @ w, max_fpr=0.2)
        <= (model.history_["primal"][-1] - w @ w / 2) / 5 + 1e-9
    )


def test_weights_count_as_repetitions():
    X, y = sample()
    w = np.random.default_rng(0).integers(0, 3, y.size)
    a = PartialAUCSVM(C=5, tol=1e-6).fit(X, y, w)
    b = PartialAUCSVM(C=5, tol=1e-6).fit(np.repeat(X, w, 0), np.repeat(y, w))
    assert a.history_["primal"][-1] == pytest.approx(
        b.history_["primal"][-1], abs=1e-5
    )  # both within 5e-6 of the optimum
    np.testing.assert_allclose(
        a.coef_, b.coef_, atol=np.sqrt(2 * 1e-5) * 2
    )  # F is 1-strongly convex


def test_sparse_is_dense_and_pickles():
    X, y = sample()
    a = PartialAUCSVM(max_fpr=0.2).fit(X, y)
    b = PartialAUCSVM(max_fpr=0.2).fit(csr_matrix(X), y)
    np.testing.assert_allclose(
        a.decision_function(X), b.decision_function(csr_matrix(X)), atol=1e-9
    )
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(a)).decision_function(X), a.decision_function(X)
    )


def test_open_gap_warns_and_huge_features_warn(capsys):
    X, y = sample(shift=0.5)
    with pytest.warns(ConvergenceWarning, match="gap open"):
        model = PartialAUCSVM(C=1000, max_iter=2, verbose=1).fit(X, y)
    assert model.stop_ == "max_iter" and model.dual_gap_ > 1 and "primal" in capsys.readouterr().err
    with pytest.warns(UserWarning, match="scale them"):
        PartialAUCSVM(max_iter=1).fit(X * 1e5, y)  # the warning comes before the work


def test_the_bar_fills_as_the_gap_closes(capsys):
    X, y = sample()
    PartialAUCSVM(C=5, verbose=1).fit(X, y)
    captured = capsys.readouterr()
    assert "100%" in captured.err and "primal" in captured.err and not captured.out
    with pytest.warns(ConvergenceWarning):
        PartialAUCSVM(C=1000, tol=1e-6, max_iter=1, verbose=1).fit(X, y)
    assert "100%" not in capsys.readouterr().err
    PartialAUCSVM(C=5).fit(X, y)
    assert capsys.readouterr() == ("", "")


def warned(model, X, y):
    """The UserWarnings of a fit: (message, file)."""
    with pytest.warns(UserWarning) as caught:
        model.fit(X, y)
    return [(str(w.message), w.filename) for w in caught]


def test_zero_is_the_optimum_of_hopeless_data_and_the_fit_says_so():
    X, y = sample(200, 200, shift=0.3)
    model = PartialAUCSVM(max_fpr=0.05, C=100)
    ((message, file),) = warned(model, X, y)
    assert "PartialAUCSVMCV" in message and "wider range" in message and file == __file__
    assert (
        np.abs(model.coef_).max() < 1e-6 and (model.predict(X) == 0).all()
    )  # the chapter says why
    same = PartialAUCSVM()
    assert "same score" in warned(same, np.ones((10, 2)), np.arange(10) % 2)[0][0]
    assert np.ptp(same.decision_function(np.ones((4, 2)))) == 0
    ((message, file),) = warned(PartialAUCSVMCV(max_fpr=0.05, max_fprs=0.05, polish=0, cv=2), X, y)
    assert "wider range" in message and file == __file__


def test_no_C_helps_where_zero_minimises_the_risk_and_the_search_trains_on_a_wider_range():
    """What the docstring says of narrow ranges: one column has an AUC of 0.8, and w is 0."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 3))
    X[:, 0] += 1.2 * y
    for surrogate, C in product(("structural", "divided", "tight"), (1, 1000)):
        with pytest.warns(UserWarning, match="train on a wider range"):
            model = PartialAUCSVM(max_fpr=0.1, surrogate=surrogate, C=C).fit(X, y)
        assert not model.coef_.any()
    search = PartialAUCSVMCV(max_fpr=0.1, Cs=(1, 10), polish=0, cv=3, random_state=0).fit(X, y)
    assert search.coef_.any() and search.best_params_["max_fpr"] > 0.1


def test_a_fit_with_a_direction_gives_no_warning(recwarn):
    X, y = sample()
    PartialAUCSVM(max_fpr=0.2).fit(X, y)
    PartialAUCSVMCV(max_fpr=0.2, Cs=(1, 10), cv=2, random_state=0).fit(X, y)
    assert not recwarn.list


@pytest.mark.parametrize(
    "change, word",
    [
        ({"min_fpr": 0.5, "max_fpr": 0.5}, "min_fpr < max_fpr"),
        ({"C": 0}, "C must"),
        ({"C": np.inf}, "C must"),
        ({"tol": 0}, "tol"),
        ({"max_iter": 0}, "max_iter"),
        ({"max_iter": 2.5}, "max_iter must be a whole number, at least 1, got 2.5"),
        ({"max_iter": "a"}, "max_iter must .* got 'a'"),
        ({"C": "a"}, "C must be a positive number, got 'a'"),
        ({"tol": "a"}, "tol must .* got 'a'"),
        ({"min_fpr": "a"}, "FPR range needs .* min_fpr=a"),
        ({"max_fpr": None}, "FPR range needs .* max_fpr=None"),
        ({"polish": "a"}, "polish must .* got 'a'"),
    ],
)
def test_bad_parameters(change, word):
    with pytest.raises(ValueError, match=word):
        PartialAUCSVM(**change).fit(*sample())


@pytest.mark.parametrize(
    "change, word",
    [
        ({"surrogate": "loose"}, "surrogate"),
        ({"max_fprs": (0.05, 1)}, "max_fprs"),
        ({"Cs": ()}, "Cs"),
        ({"Cs": (-1,)}, "C must"),
        ({"cv": 1}, "cv must be a whole number, at least 2, got 1"),
        ({"cv": True}, "cv must"),
        ({"cv": 2.5}, "cv"),
        ({"cv": "a"}, "cv"),
        ({"Cs": "a"}, "C must be a positive number, got 'a'"),
        ({"max_fprs": "a"}, "max_fprs must .* got 'a'"),
        ({"polish": "a"}, "polish must .* got 'a'"),
        ({"min_fpr": "a"}, "FPR range needs .* min_fpr=a"),
        ({"polish": -1}, "polish"),
    ],
)
def test_bad_parameters_of_the_search(change, word):
    with pytest.raises(ValueError, match=word):
        PartialAUCSVMCV(**{"max_fpr": 0.1, **change}).fit(*sample())


def test_bad_input():
    X, y = sample()
    for bad, word in ((np.where(X > 2, np.nan, X), "NaN"), (X[:, :0], "feature")):
        with pytest.raises(ValueError, match=word):
            PartialAUCSVM().fit(bad, y)
    with pytest.raises(ValueError, match="class"):
        PartialAUCSVM().fit(X, np.zeros(y.size))
    with pytest.raises(ValueError, match="Only binary"):
        PartialAUCSVM().fit(X, np.arange(y.size) % 3)
    with pytest.raises(ValueError, match="only one class"):
        PartialAUCSVM().fit(X, y, (y == 0).astype(float))


def naive(s, t, min_fpr, max_fpr, tight):
    """The risk by its definition, each negative cut into 20: the largest of Delta - margin over prefixes, one positive at a time."""
    t = np.sort(np.repeat(t, 20))[::-1]
    place = (np.arange(t.size) + 0.5) / t.size
    w = ((place > min_fpr) & (place < max_fpr)).astype(float)
    allowed = round(max_fpr * t.size) if tight else t.size
    P = np.r_[0, np.cumsum(w + t)][: allowed + 1]
    return np.mean([max(P[r] - r * x for r in range(P.size)) for x in s]) / (
        t.size * (max_fpr - min_fpr)
    )


@pytest.mark.kernel
@pytest.mark.parametrize("tight", [False, True])
def test_risk_is_its_definition(tight):
    rng = np.random.default_rng(0)
    for _ in range(30):
        s, t = np.round(rng.normal(size=4), 1), np.round(rng.normal(size=7), 1)  # with ties
        lo, hi = np.sort(rng.choice(141, 2, replace=False)) / 140
        delta, p, q = most_violated_plane(s, t, np.ones(4), np.ones(7), lo, hi, tight)
        assert delta - p @ s + q @ t == pytest.approx(
            naive(s, t, lo, hi, tight), abs=1e-10
        )  # sums of 560 terms
        assert p.sum() == pytest.approx(q.sum(), abs=1e-12)
        loss = 1 - np.mean(
            [
                np.diff(
                    np.interp(
                        [lo, hi],
                        np.arange(8) / 7,
                        np.r_[0, np.cumsum((x > np.sort(t)[::-1]) + 0.5 * (x == np.sort(t)[::-1]))]
                        / 7,
                    )
                )
                / (hi - lo)
                for x in s
            ]
        )
        assert delta - p @ s + q @ t >= loss - 1e-9  # it bounds the loss


def test_tight_is_below_structural_and_equal_for_the_whole_range():
    X, y = sample()
    fits = {
        k: PartialAUCSVM(max_fpr=0.2, C=5, tol=1e-5, surrogate=k).fit(X, y)
        for k in ("structural", "tight")
    }
    assert fits["tight"].history_["dual"][-1] <= fits["structural"].history_["primal"][-1]
    coefficients = [
        PartialAUCSVM(C=5, surrogate=k).fit(X, y).coef_ for k in ("structural", "tight")
    ]
    np.testing.assert_allclose(*coefficients, atol=1e-12)


def test_weights_count_as_repetitions_in_a_range():
    X, y = sample()
    u = np.random.default_rng(0).integers(0, 3, y.size)
    for surrogate in ("structural", "divided", "tight"):
        a = PartialAUCSVM(min_fpr=0.05, max_fpr=0.3, C=5, tol=1e-6, surrogate=surrogate).fit(
            X, y, u
        )
        b = PartialAUCSVM(min_fpr=0.05, max_fpr=0.3, C=5, tol=1e-6, surrogate=surrogate).fit(
            np.repeat(X, u, 0), np.repeat(y, u)
        )
        assert a.history_["primal"][-1] == pytest.approx(b.history_["primal"][-1], abs=1e-5)


def test_warm_starts_save_iterations_and_keep_the_certificate():
    X, y = sample(60, 300, shift=1)
    data = ClassRows(X, y, np.ones(y.size))
    first = minimise_by_planes(data, RangeProblem(0, 0.3, 10.0, tol=1e-4))
    again = minimise_by_planes(data, RangeProblem(0, 0.3, 10.0, tol=1e-4), first.w, first.planes)
    assert len(again.primal) <= 2 and again.primal[-1] - again.dual[-1] <= 1e-3


def interrupt(monkeypatch, call, module=cutting_planes, name="solve_on_simplex"):
    """Ctrl-C at the given call of a function of a module."""
    true, calls = getattr(module, name), []

    def function(*args, **kwargs):
        calls.append(1)
        if len(calls) == call:
            raise KeyboardInterrupt
        return true(*args, **kwargs)

    monkeypatch.setattr(module, name, function)


@pytest.mark.kernel
@pytest.mark.parametrize("call", [1, 5])
def test_an_interrupted_fit_keeps_the_best_w(monkeypatch, call):
    X, y = sample(shift=0.7)
    interrupt(monkeypatch, call)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = PartialAUCSVM(C=100, tol=1e-6).fit(X, y)
    assert model.stop_ == "interrupted" and model.n_iter_ == max(call - 1, 1)
    F = objective(model.coef_[0], X, y, 0, 1, 100)
    assert (
        pytest.approx(model.history_["primal"][-1], rel=1e-9) == F
        and model.dual_gap_ == model.history_["primal"][-1] - model.history_["dual"][-1]
    )


@pytest.mark.kernel
def test_an_interrupted_search_chooses_from_what_it_has(monkeypatch):
    X, y = sample()
    search = PartialAUCSVMCV(Cs=(1, 10), max_fprs=(1,), polish=(0, 0.1), cv=2, random_state=0)
    interrupt(monkeypatch, 3, cutting_planes, "partial_auc")  # within the plain fits
    with pytest.warns(ConvergenceWarning, match="from the fits so far"):
        search.fit(X, y)
    assert np.isfinite(search.best_score_)
    assert np.isnan(search.cv_results_["split1_test_score"]).any()
    assert [setting["polish"] for setting in search.cv_results_["params"]] == [0, 0]
    monkeypatch.undo()
    interrupt(monkeypatch, 6, cutting_planes, "partial_auc")  # within the polish
    with pytest.warns(ConvergenceWarning, match="a polish that was not tried on every fold"):
        search.fit(X, y)
    assert not np.isnan(search.cv_results_["split1_test_score"]).any()
    assert search.best_params_["polish"] == 0 and search.stage_ == "convex"
    monkeypatch.undo()
    only = PartialAUCSVMCV(Cs=(1, 10), max_fprs=(1,), polish=0.1, cv=2, random_state=0)
    interrupt(monkeypatch, 6, cutting_planes, "partial_auc")
    with pytest.warns(ConvergenceWarning, match="a polish that was not tried on every fold"):
        only.fit(X, y)
    assert only.best_params_["polish"] == 0 and len(only.cv_results_["params"]) == 2
    monkeypatch.undo()
    interrupt(monkeypatch, 1, cutting_planes, "partial_auc")
    with pytest.raises(KeyboardInterrupt), pytest.warns(ConvergenceWarning):
        PartialAUCSVMCV(Cs=(1,), cv=2).fit(X, y)


@pytest.mark.kernel
def test_polish_gradient_and_gain():
    rng = np.random.default_rng(0)
    for n in (20, 200):  # single negatives, groups of them
        y = np.repeat([1, 0], [10, n])
        data = ClassRows(
            rng.normal(size=(10 + n, 3)) + 0.5 * y[:, None], y, rng.random(10 + n) + 0.1
        )
        w = rng.normal(size=3)
        value, gradient = smooth_pauc(w, data, 0.05, 0.9)
        step = [
            (smooth_pauc(w + e, data, 0.05, 0.9)[0] - smooth_pauc(w - e, data, 0.05, 0.9)[0]) / 2e-6
            for e in 1e-6 * np.eye(3)
        ]
        np.testing.assert_allclose(
            gradient, step, atol=1e-6
        )  # central differences: 1e-12 / 1e-6, and rounding
        assert 0 < value < 1


def test_polish_is_kept_only_if_it_helps():
    rng = np.random.default_rng(0)  # zero is the convex optimum, a good direction exists
    X = np.r_[rng.normal(1, 1, (100, 2)), rng.normal(size=(900, 2))]
    y = np.repeat([1, 0], [100, 900])
    plain = PartialAUCSVM(max_fpr=0.02, C=100, surrogate="tight").fit(X, y)
    model = PartialAUCSVM(max_fpr=0.02, C=100, surrogate="tight", polish=True, random_state=0).fit(
        X, y
    )
    assert plain.stage_ == "convex" and np.abs(plain.coef_).max() < 1e-6
    assert (
        model.stage_ == "polish" and partial_auc(y, model.decision_function(X), max_fpr=0.02) > 0.05
    )
    np.testing.assert_array_equal(
        model.convex_coef_, plain.coef_
    )  # the certificate is of the convex stage
    few = PartialAUCSVM(polish=True).fit(X[97:110], y[97:110])
    assert few.stage_ == "convex"  # three positives: nothing to hold out


@compiled
def test_search(capsys):
    X, y = sample(80, 160, shift=1)
    model = PartialAUCSVMCV(max_fpr=0.1, Cs=(1, 10), cv=3, random_state=0, verbose=1).fit(X, y)
    progress = capsys.readouterr().err
    assert "18/18" in progress and "6/6" in progress  # plain fits on three folds, then two widths
    results = model.cv_results_
    assert (
        len(results["params"]) == 8 == results["mean_test_score"].size
        and model.best_score_ == results["mean_test_score"][model.best_index_]
    )
    assert results["params"][model.best_index_] == model.best_params_
    np.testing.assert_allclose(
        np.mean([results[f"split{f}_test_score"] for f in range(3)], axis=0),
        results["mean_test_score"],
    )
    assert model.stage_ == ("polish" if model.best_params_["polish"] else "convex")
    again = pickle.loads(pickle.dumps(model)).decision_function(csr_matrix(X))
    np.testing.assert_allclose(model.best_estimator_.decision_function(X), again, atol=1e-9)
    same = PartialAUCSVMCV(max_fpr=0.1, Cs=(1, 10), cv=3, random_state=0).fit(csr_matrix(X), y)
    np.testing.assert_allclose(
        same.cv_results_["mean_test_score"][:6], results["mean_test_score"][:6]
    )  # those without a polish
    alone = PartialAUCSVMCV(max_fpr=0.1, Cs=(1,), max_fprs=(0.1,), polish=False, cv=2).fit(X, y)
    assert alone.coef_.shape == (1, X.shape[1]) and capsys.readouterr() == ("", "")


@pytest.mark.kernel
def test_search_says_when_gaps_stay_open():
    X, y = sample(shift=0.5)
    with pytest.warns(ConvergenceWarning, match="fits on folds"):
        PartialAUCSVMCV(Cs=(1000,), polish=False, cv=2, max_iter=2).fit(X, y)


@compiled
def test_the_polish_starts_from_the_best_plain_setting():
    X, y = sample(80, 160, shift=1)
    options = {"max_fpr": 0.1, "Cs": (1, 10), "cv": 3, "random_state": 0}
    plain = PartialAUCSVMCV(**options, polish=0).fit(X, y)
    results = PartialAUCSVMCV(**options).fit(X, y).cv_results_
    best = plain.best_params_
    assert results["params"][:6] == plain.cv_results_["params"]
    assert results["params"][6:] == [best | {"polish": 0.1}, best | {"polish": 0.3}]
    alone = PartialAUCSVMCV(
        **options | {"Cs": best["C"], "max_fprs": best["max_fpr"]}, polish=0.3
    ).fit(X, y)
    np.testing.assert_allclose(
        alone.cv_results_["mean_test_score"], results["mean_test_score"][-1:], atol=2e-3
    )  # which starts cold, and so from other weights within tol


def test_a_polish_within_the_error_is_not_chosen():
    grid = [{"C": 1, "max_fpr": 1, "polish": p} for p in (0, 0.1)]
    for gain, chosen in (
        (np.array([0.3, -0.2, 0.05]), 0),
        (np.array([0.1, 0.05, 0.1]), 1),
    ):  # mean / error: .3 and 5
        assert choose_setting(grid, np.column_stack([np.full(3, 0.5), 0.5 + gain]))[0] == chosen


def test_a_search_by_hand():
    X, y = sample(12, 30, shift=0.5)
    model = PartialAUCSVMCV(
        max_fpr=0.2, Cs=(1,), max_fprs=(0.2,), polish=(0, True), cv=2, random_state=0
    ).fit(X, y, np.r_[0, np.ones(41)])
    assert (
        model.best_params_ in model.cv_results_["params"] and model.best_params_["max_fpr"] == 0.2
    )
    model.set_params(polish=0.1).fit(X, y)  # the only choice
    assert model.best_params_ == {"C": 1.0, "max_fpr": 0.2, "polish": 0.1}
    assert model.stage_ == "polish" and np.abs(model.coef_ - model.convex_coef_).max() > 0


@compiled
def test_the_tight_form_collapses_exactly_where_no_direction_leads():
    rng = np.random.default_rng(0)
    angle = np.linspace(0, 2 * np.pi, 721)
    directions = np.array([np.cos(angle), np.sin(angle)])
    for shift in (0.5, 1, 1.5, 2, 2.5):
        X = np.r_[rng.normal([shift, shift / 2], [1, 1.5], (100, 2)), rng.normal(size=(100, 2))]
        y = np.repeat([1, 0], 100)
        lead = (
            (X[y == 1] @ directions).mean(0) - np.sort(X[y == 0] @ directions, axis=0)[-20:].mean(0)
        ).max()
        tight, structural = (
            np.linalg.norm(PartialAUCSVM(max_fpr=0.2, C=1e4, surrogate=k).fit(X, y).coef_)
            for k in ("tight", "structural")
        )
        assert (tight > 1e-6) == (lead > 0) and structural <= (
            0 if lead < 0 else np.inf
        )  # the structural form sooner


@pytest.mark.parametrize(
    "model", [PartialAUCSVM(), PartialAUCSVMCV(cv=2)], ids=["one fit", "search"]
)
@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_features_too_large_to_square_are_refused(model, form):
    X, y = sample()
    with pytest.raises(ValueError, match="column 2 of X.*scale the features"):
        model.fit(form(np.c_[X[:, :2], X[:, 2] * 1e300]), y)


def test_one_choice_needs_no_list_and_a_fold_needs_both_classes():
    X, y = sample()
    model = PartialAUCSVMCV(Cs=1, max_fprs=1, polish=False, cv=2).fit(X, y)
    assert model.best_params_ == {"C": 1, "max_fpr": 1, "polish": 0}
    with pytest.raises(ValueError, match="at least 2 of each class, got \\[60, 1\\]"):
        PartialAUCSVMCV().fit(X[29:], y[29:])


@compiled
def test_an_interrupted_polish_leaves_the_convex_fit(monkeypatch):
    X, y = sample(shift=1)
    for model in (
        PartialAUCSVM(polish=True),
        PartialAUCSVMCV(Cs=(1,), max_fprs=1, polish=(0.1,), cv=2),
    ):
        plain = PartialAUCSVM(surrogate=model.surrogate).fit(X, y).decision_function(X)
        call, module = (
            (3, pauc_search) if isinstance(model, PartialAUCSVMCV) else (1, pauc_svm)
        )  # the search polishes in each fold, then once more
        interrupt(monkeypatch, call, module, "polish_weights")
        with pytest.warns(ConvergenceWarning, match="the polish was skipped"):
            model.fit(X, y)
        monkeypatch.undo()
        np.testing.assert_array_equal(model.decision_function(X), plain)
        assert model.stage_ == "convex"
    model = PartialAUCSVM(polish=True)
    planes = PartialAUCSVM().fit(X, y).n_iter_
    interrupt(monkeypatch, planes + 2)  # while it asks on held-out rows whether a polish helps
    with pytest.warns(ConvergenceWarning, match="the polish was skipped"):
        model.fit(X, y)
    assert model.stop_ == "gap" and model.stage_ == "convex"
    monkeypatch.undo()
    with pytest.raises(NotFittedError):
        PartialAUCSVMCV().decision_function(X)
