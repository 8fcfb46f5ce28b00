"""Splitters: by values, directions, small trees and estimators, and for re-ordered leaves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from aucbook import TreeRank, roc_auc
from aucbook.theory import make_gauss2d, make_separated
from aucbook.trees.growing import Node
from aucbook.trees.splitters import (
    FisherDirection,
    best_shaken_bin,
    best_value,
    largest_form,
    sorted_corners,
)

pytestmark = pytest.mark.kernel  # small enough to run uncompiled


def test_splitters_on_an_oblique_problem():
    X, y = make_separated(300, "oblique", random_state=0)
    Xt, yt = make_separated(2000, "oblique", random_state=1)
    test = {
        str(s): roc_auc(yt, TreeRank(4, splitter=s).fit(X, y).decision_function(Xt))
        for s in ("axis", "leafrank", "linear")
    }
    assert (
        test["linear"] > test["axis"] + 0.05 and test["linear"] > test["leafrank"]
    )  # standard errors are about .01


def test_estimators_in_the_cells():
    X, y = make_gauss2d(200, random_state=0)
    tree = TreeRank(
        2, splitter=DecisionTreeClassifier(max_depth=2, splitter="random"), random_state=1
    )
    a, b = (clone(tree).fit(X, y).decision_function(X) for _ in range(2))
    np.testing.assert_array_equal(a, b)
    assert tree.fit(X, y).feature_importances_.shape == (2,)
    near = TreeRank(2, splitter=KNeighborsClassifier(9)).fit(X, y)  # takes no weights
    assert roc_auc(y, near.decision_function(X)) > 0.7
    with pytest.raises(AttributeError, match="KNeighbors"):
        near.feature_importances_


def shaken_area(mass):
    beta, alpha = (mass / mass.sum(0)).T
    return 0.5 + 0.25 * np.abs(np.outer(beta, alpha) - np.outer(alpha, beta)).sum()


@given(st.integers(0, 10**6), st.booleans(), st.integers(1, 4))
@settings(max_examples=15)
def test_split_time_shaking_takes_the_best_split_of_the_tree(seed, weighted, least):
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, rng.integers(0, 2, 28)]
    x = rng.integers(0, 8, 30).astype(float) + y
    x[rng.random(30) < 0.2] = np.nan
    w = rng.integers(1, 4, 30) if weighted else np.ones(30)
    others = rng.integers(0, 9, (rng.integers(0, 5), 2)).astype(float)

    def mass(rows):
        return np.array([w[rows] @ y[rows], w[rows] @ (1 - y[rows])], float)

    line, values = np.zeros((256, 3)), np.unique(x[~np.isnan(x)])
    for b, v in enumerate(values):
        line[b] = (x == v).sum(), *mass(x == v)
    line[255] = np.isnan(x).sum(), *mass(np.isnan(x))
    cell = mass(np.full(30, True))
    gain, cut, up, lost = best_shaken_bin(line, Node(*cell, 30), least, sorted_corners(others))
    best, unit = 0, 2 * (others.sum(0) + cell).prod()
    for v in values:
        for left in (x >= v, (x >= v) | np.isnan(x)):
            if least <= left.sum() <= 30 - least:
                after = shaken_area(np.vstack([others, mass(left), mass(~left)]))
                best = max(best, after - shaken_area(np.vstack([others, cell])))
    assert gain / unit == pytest.approx(best, abs=1e-12)
    for u in others:
        assert largest_form(*u, sorted_corners(others)) == pytest.approx(
            sum(abs(u[0] * v[1] - u[1] * v[0]) for v in others)
        )


def test_weights_and_missing_in_split_time_shaking():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (80, 2)).astype(float)
    y = np.r_[0, 1, rng.integers(0, 2, 78)]
    w = rng.integers(0, 3, 80)
    X[::7, 0] = np.nan
    a = TreeRank(3, shake="split").fit(X, y, w).decision_function(X)
    b = TreeRank(3, shake="split").fit(np.repeat(X, w, 0), np.repeat(y, w)).decision_function(X)
    np.testing.assert_allclose(a, b, atol=1e-12)  # the same rates from other sums
    assert TreeRank(3, shake="split").fit(X * 0 + 1, y).tree_.gains.max() >= 0
    assert TreeRank(3, shake="split").fit(np.ones((80, 2)), y).tree_.left.size == 1


def test_the_best_value_of_a_list_of_numbers():
    x = np.array([1, 2, 2, 3, np.nan, 4])
    y = np.array([0, 1, 0, 1, 0, 1], np.uint8)
    w = np.ones(6)
    gain, threshold, above, missing = best_value(x, y, w, 1)
    assert (gain, threshold, above, missing) == (
        6,
        1.5,
        True,
        False,
    )  # as good as above 2.5, and larger
    assert best_value(x, y, w, 4)[0] == 0  # no part of four rows leaves four others
    assert best_value(np.full(6, np.nan), y, w, 1)[0] == best_value(np.ones(6), y, w, 1)[0] == 0


def test_a_constant_column_does_not_affect_the_direction():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = np.c_[rng.normal(size=60) + y, np.full(60, 7.0), rng.normal(size=60)]
    X[::5, 2] = np.nan
    fitted = FisherDirection().fit(X, y, np.ones(60))
    assert fitted.coef[1] == 0 and fitted.coef[0] > 0 and np.isfinite(fitted.scores(X)).all()
