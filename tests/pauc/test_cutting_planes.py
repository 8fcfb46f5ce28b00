"""Cutting planes and the program on the simplex: mixed scales, bounded work, pieces, threads."""

import os

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from aucbook import PartialAUCSVM
from aucbook._numerics.simplex import solve_by_faces, solve_on_simplex
from aucbook.pauc.cutting_planes import ClassRows, RangeProblem, minimise_by_planes, range_pieces

compiled = pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="slow without compilation"
)


def rows(scale, n=150, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(2 * n, 4)), np.repeat([1, 0], n)
    X[y == 1] += [1, 0.5, 0, 0]
    return ClassRows(X * scale, y, np.ones(2 * n))


@compiled
@pytest.mark.parametrize("max_fpr", [1.0, 0.1])
@pytest.mark.parametrize(
    "scale",
    [
        [1, 1, 1, 1],
        [1e2, 1, 1, 1],
        [1e4, 1, 1, 1],
        [1, 1, 1, 1e4],
        [1e-5, 1, 1, 1],
        [1e6, 1, 1, 1],
        [73, 1.2, 696, 0.18],
    ],
    ids=str,
)
def test_columns_of_mixed_scale_close_the_gap(scale, max_fpr):
    """Once the small program stayed unsolved and every fit ran for max_iter planes (300 rows: minutes)."""
    fit = minimise_by_planes(rows(scale), RangeProblem(0.0, max_fpr))
    assert fit.stop == "gap" and fit.primal[-1] - fit.dual[-1] <= 1e-3 and len(fit.dual) < 400
    assert (np.diff(fit.primal) <= 1e-12).all() and (np.diff(fit.dual) >= 0).all()


@compiled
def test_a_search_that_goes_nowhere_ends_with_its_best_w(monkeypatch):
    """A step that never moves: the work is bounded, and the certificate stays true."""

    def stay(problem, data, state, goal, k, slack):
        return (state, state[0], k)

    data = rows([1, 1, 1, 1])
    fit = minimise_by_planes(data, RangeProblem(C=100.0), step=stay)
    best = minimise_by_planes(data, RangeProblem(C=100.0, tol=1e-6))
    assert fit.stop == "stalled" and 100 < len(fit.dual) < 300
    assert fit.dual[-1] <= best.primal[-1] <= fit.primal[-1]
    monkeypatch.setattr("aucbook.pauc.pauc_svm.minimise_by_planes", lambda *args, report=None: fit)
    with pytest.warns(ConvergenceWarning, match="stalled.*scale the features"):
        assert PartialAUCSVM(C=100).fit(data.X, np.repeat([1, 0], 150)).stop_ == "stalled"


@pytest.mark.parametrize("k, d", [(1, 3), (2, 3), (5, 3), (30, 3), (6, 40)])
@pytest.mark.parametrize("tall", [1, 1e4])
def test_both_solvers_reach_the_maximum(k, d, tall):
    rng = np.random.default_rng(k + d)
    for same in (False, True):
        A = rng.normal(size=(k, d)) * np.r_[tall, np.ones(d - 1)]
        b = rng.random(k)
        A[:, 0] -= A[:, 0].mean()
        if same:
            A[k // 2 :], b[k // 2 :] = A[0], b[0]

        def dual_value(a):
            return a @ b - ((a @ A) ** 2).sum() / 2

        faces = solve_by_faces(A, b, 2.0, np.full(k, 2.0 / k), 1e-10)
        assert faces.min() >= 0 and faces.sum() == pytest.approx(2)
        slack = 2 * (b - A @ (faces @ A)).max() - faces @ (b - A @ (faces @ A))
        assert slack < 1e-7 * max(1, tall)  # nothing is missing: the gap of the program itself
        pairs = np.full(k, 2.0 / k)
        solve_on_simplex(A @ A.T, b, 2.0, pairs, 1e-10)
        assert pairs.min() >= 0 and pairs.sum() == pytest.approx(2)
        if tall == 1:
            assert dual_value(pairs) == pytest.approx(dual_value(faces), abs=1e-6)
            best = minimize(
                lambda a: -dual_value(a),
                np.full(k, 2.0 / k),
                bounds=[(0, None)] * k,
                constraints={"type": "eq", "fun": lambda a: a.sum() - 2},
                options={"ftol": 1e-12},
            )
            assert dual_value(faces) >= -best.fun - 1e-6  # SLSQP's own tolerance


def test_pieces_cover_the_axis_and_beta_cuts_one():
    t, u = np.array([0.5, 2.0, 2.0, -1.0]), np.array([1.0, 2.0, 0.5, 1.5])
    for min_fpr, max_fpr in ((0, 1), (0, 0.3), (0.25, 0.6)):
        pieces = range_pieces(t, u, min_fpr, max_fpr)
        np.testing.assert_allclose(np.bincount(pieces.row, pieces.width, 4), u)
        assert (
            pieces.step.sum() == pytest.approx((max_fpr - min_fpr) * u.sum())
            and np.isinf(pieces.slope[-4:]).all()
        )
        np.testing.assert_allclose(pieces.slope[:-4], t[pieces.row] + pieces.step / pieces.width)
        tight = range_pieces(t, u, min_fpr, max_fpr, True)
        assert tight.width.sum() == pytest.approx(
            max_fpr * u.sum()
        ) and tight.step.sum() == pytest.approx(pieces.step.sum())
    assert range_pieces(t, u, 0, 0.3).row.size == 5  # 1.5 of the 2.5 on top


def test_a_whole_negative_stays_in_one_piece():
    t, one = np.array([0.5, 2.0, 3.0, -1.0]), np.ones(4)
    pieces = range_pieces(t, one, 0, 0.6, undivided=True)  # 2.4 of four
    assert pieces.row.tolist() == [3, 0, 1, 2] and pieces.width.tolist() == [1, 1, 1, 1]
    np.testing.assert_allclose(pieces.step, [0, 0.4, 1, 1])
    np.testing.assert_allclose(pieces.slope[:-4], [-1, 0.9, 3, 4])
    wide = np.array([1.0, 1.0, 3.0, 1.0])  # the highest is three rows, of which the second is cut
    pieces = range_pieces(t, wide, 0, 0.25, undivided=True)  # 1.5 of six
    assert pieces.row.tolist() == [3, 0, 1, 2, 2, 2] and pieces.width.tolist() == [1] * 6
    np.testing.assert_allclose(pieces.step, [0, 0, 0, 0, 0.5, 1])
    copies = range_pieces(np.repeat(t, wide.astype(int)), np.ones(6), 0, 0.25, undivided=True)
    np.testing.assert_allclose(pieces.slope, copies.slope)


@pytest.mark.parametrize("max_fpr", [0.25, 0.5, 0.75, 1.0, 1 / 3])
def test_whole_or_divided_is_one_thing_where_the_edge_falls_between_negatives(max_fpr):
    rng = np.random.default_rng(0)
    t, u = rng.normal(size=12), np.ones(12)
    for undivided, divided in zip(
        range_pieces(t, u, 0.1, max_fpr, undivided=True), range_pieces(t, u, 0.1, max_fpr)
    ):
        np.testing.assert_array_equal(undivided, divided)


def test_tight_leaves_out_what_lies_behind_whole_or_not():
    t, u = np.array([0.5, 2.0, 3.0, -1.0]), np.array([1.0, 2.0, 0.7, 1.3])
    for one, two in zip(
        range_pieces(t, u, 0, 0.33, True, undivided=True), range_pieces(t, u, 0, 0.33, True)
    ):
        np.testing.assert_array_equal(one, two)
