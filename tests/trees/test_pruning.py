"""Pruning and leaf re-ordering (shaking): the best subtree for every complexity parameter, held-out areas, the best order of leaves, splits."""

import os
import pickle
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from contract import broken
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit, StratifiedKFold

from aucbook import TreeRank, pav, roc_auc
from aucbook.theory import make_gauss2d, make_separated
from aucbook.trees import cross_validated_pruning, prune, pruning_path, shake
from aucbook.trees.pruning import fold_prices
from aucbook.trees.tree import smooth_shares

compiled = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="too many rows for uncompiled kernels"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator", [TreeRank(3, shake=True, ccp_alpha=0.01), TreeRank(3, shake="split")], ids=str
)
def test_scikit_learns_contract(estimator):
    assert broken(estimator) == {}


def subtrees(left, node=0):
    """All subtrees of a branch, each as the list of its splits."""
    yield []
    if left[node]:
        for a in subtrees(left, left[node]):
            for b in subtrees(left, left[node] + 1):
                yield [node, *a, *b]


def random_tree(rng, cuts):
    """Left children of the nodes of a tree with random splits."""
    left, tips = np.zeros(2 * cuts + 1, int), [0]
    for i in range(cuts):
        node = tips.pop(rng.integers(len(tips)))
        left[node] = 2 * i + 1
        tips += [2 * i + 1, 2 * i + 2]
    return left


@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from([3, 10**6]))
@settings(max_examples=40)
def test_every_complexity_parameter_gets_its_best_subtree(seed, cuts, values):
    rng = np.random.default_rng(seed)
    left = random_tree(rng, cuts)
    gain = rng.integers(0, values, left.size) * (left > 0) / values
    prices = fold_prices(gain, left)
    above = np.full(left.size, np.inf)
    for t in np.flatnonzero(left):
        above[left[t] : left[t] + 2] = prices[t]
    assert (prices <= above).all()  # what hangs below goes first, or together
    for price in [*rng.random(3), *prices * (1 + 1e-9)]:

        def value(subtree):
            return sum(gain[subtree] - price)

        assert value(np.flatnonzero(prices > price)) == pytest.approx(
            max(map(value, subtrees(left))), abs=1e-9
        )


@pytest.mark.kernel
@given(st.lists(st.integers(0, 9), min_size=1, max_size=12))
@settings(max_examples=40)
def test_on_a_chain_the_complexity_parameters_are_blocks(gains):
    left = np.zeros(2 * len(gains) + 1, int)
    left[np.r_[0, np.arange(1, 2 * len(gains) - 2, 2)]] = np.arange(1, 2 * len(gains), 2)
    gain = np.zeros(left.size)
    gain[left > 0] = gains
    np.testing.assert_allclose(
        fold_prices(gain, left)[left > 0], pav(np.array(gains, float), increasing=False), atol=1e-12
    )


@pytest.mark.parametrize("splitter", ["axis", "linear", "leafrank"])
def test_path_and_prune_agree(splitter):
    X, y = make_gauss2d(150, random_state=0)
    model = TreeRank(4, splitter=splitter, leaf_score="rank", subtree_depth=2).fit(X, y)
    path, before = pruning_path(model), model.tree_.left.size
    for a, n, area in zip(*path):
        small = prune(model, a)
        assert small.tree_.leaves.size == n and small.tree_.rows[small.tree_.leaves].sum() == 150
        assert (
            roc_auc(y, small.decision_function(X))
            == pytest.approx(area, abs=1e-12)
            == pytest.approx(small.curve_.auc(), abs=1e-12)
        )
        np.testing.assert_array_equal(
            small.decision_function(X),
            clone(model).set_params(ccp_alpha=a).fit(X, y).decision_function(X),
        )
        assert prune(model, n_leaves=n).tree_.leaves.size == n
    assert (
        path.n_leaves[-1] == 1 and model.tree_.left.size == before and (np.diff(path.auc) < 0).all()
    )
    assert prune(model.tree_, 0.01).left.size == prune(model, 0.01).tree_.left.size
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(prune(model, 0.01))).apply(X), prune(model, 0.01).apply(X)
    )


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_no_order_of_leaves_beats_the_shaken_one(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (60, 2)).astype(float)
    y = np.r_[0, 1, rng.integers(0, 2, 58)]
    model = TreeRank(2, leaf_score="rank").fit(X, y)
    shaken, rates = shake(model), model.tree_.rates[model.tree_.leaves]
    areas = [
        a @ (b.cumsum() - b / 2)
        for b, a in (rates[list(o)].T for o in permutations(range(len(rates))))
    ]
    assert shaken.curve_.auc() == pytest.approx(max(areas), abs=1e-12)
    assert roc_auc(y, shaken.decision_function(X)) == pytest.approx(max(areas), abs=1e-12)
    slopes = shaken.tree_.rates[shaken.tree_.leaves]
    assert (np.diff(slopes[:, 0] / slopes.sum(1)) <= 1e-12).all()
    np.testing.assert_array_equal(shake(shaken).tree_.leaves, shaken.tree_.leaves)
    assert shake(model.tree_).shaken and not model.tree_.shaken


def test_pruning_a_shaken_tree_shakes_again():
    X, y = make_separated(200, "oblique", random_state=0)
    a = TreeRank(4, shake=True, ccp_alpha=0.005).fit(X, y)
    b = prune(TreeRank(4, shake=True).fit(X, y), 0.005)
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    assert (
        b.tree_.shaken
        and 1 < b.tree_.leaves.size < 16
        and (b.predict(X) == (b.predict_proba(X)[:, 1] > 0.5)).all()
    )


def test_shaking_rescues_a_chessboard():
    rng = np.random.default_rng(0)
    X, Z = rng.random((600, 2)), rng.random((2000, 2))
    y, z = (((A[:, 0] > 0.4) == (A[:, 1] > 0.6)).astype(int) for A in (X, Z))
    models = {k: TreeRank(4, shake=k).fit(X, y) for k in (False, True, "split")}
    auc = {k: roc_auc(z, model.decision_function(Z)) for k, model in models.items()}
    assert (
        auc[True] > 0.95 and auc["split"] > 0.95 and auc[False] < 0.9
    )  # two leaves of four stand on the wrong side
    cells = {
        k: model.tree_.rates[model.tree_.leaves] for k, model in models.items()
    }  # (TPR, FPR) of each, in the tree's order
    dented = {k: bool((np.diff(r[:, 0] / r.sum(1)) > 1e-12).any()) for k, r in cells.items()}
    assert dented == {
        False: True,
        True: False,
        "split": False,
    }  # Paper 4, Remark 4: sorted cells have a concave curve


@pytest.mark.parametrize("kw", [{}, {"shake": True}, {"splitter": "linear"}])
def test_cross_validation_is_a_grid_search(kw):
    X, y = make_gauss2d(200, random_state=1)
    tree = TreeRank(3, leaf_score="rank", **kw)
    model = cross_validated_pruning(tree, X, y, cv=3)
    cv = model.cv_pruning_
    grid = (
        GridSearchCV(tree, {"ccp_alpha": cv.ccp_alphas}, scoring="roc_auc", cv=StratifiedKFold(3))
        .fit(X, y)
        .cv_results_
    )
    np.testing.assert_allclose(cv.auc, grid["mean_test_score"], atol=1e-12)
    assert (
        cv.auc[-1] == 0.5
        and cv.n_leaves[-1] == 1
        and model.tree_.leaves.size == cv.n_leaves[cv.best]
    )
    np.testing.assert_array_equal(
        model.decision_function(X), clone(model).fit(X, y).decision_function(X)
    )
    small = cross_validated_pruning(tree, X, y, cv=3, one_se=True)
    assert small.tree_.leaves.size <= model.tree_.leaves.size
    assert cv.auc[small.cv_pruning_.best] >= cv.auc[cv.best] - cv.se[cv.best]


def test_cross_validation_takes_tables_names_and_weights():
    X, y = make_gauss2d(120, random_state=1)
    names = np.where(y == 1, "ill", "fine")
    a = cross_validated_pruning(
        TreeRank(3),
        pd.DataFrame(X, columns=["a", "b"]),
        pd.Series(names),
        pd.Series(np.ones(120)),
        cv=3,
    )
    b = cross_validated_pruning(TreeRank(3), X, y, cv=3)
    np.testing.assert_allclose(a.cv_pruning_.auc, b.cv_pruning_.auc, atol=1e-12)
    assert a.classes_.tolist() == ["fine", "ill"] and list(a.feature_names_in_) == ["a", "b"]
    assert (
        cross_validated_pruning(TreeRank(3), X.tolist(), y.tolist(), cv=3).ccp_alpha == b.ccp_alpha
    )
    with pytest.warns(UserWarning, match="prunes every split") as caught:
        none = cross_validated_pruning(TreeRank(3), np.ones((60, 1)), np.arange(60) % 2)
    assert [w.filename for w in caught] == [__file__]  # one warning, at this line
    assert none.tree_.leaves.size == 1 and none.cv_pruning_.ccp_alphas.tolist() == [np.inf]


@pytest.mark.kernel
def test_bad_input_is_named():
    X, y = make_gauss2d(60, random_state=1)
    model = TreeRank(2).fit(X, y)
    for kw, word in (
        ({"ccp_alpha": -1}, "ccp_alpha"),
        ({"ccp_alpha": np.nan}, "ccp_alpha"),
        ({"n_leaves": 0}, "n_leaves"),
        ({"ccp_alpha": 9, "n_leaves": 3}, "either ccp_alpha or n_leaves, got ccp_alpha=9 and"),
        ({"ccp_alpha": "a"}, "ccp_alpha .* got 'a'"),
        ({"n_leaves": 2.5}, "n_leaves must be None or a whole number, at least 1, got 2.5"),
        ({"max_depth": 0}, "max_depth must be None or a whole number, at least 1, got 0"),
    ):
        with pytest.raises(ValueError, match=word):
            prune(model, **kw)
    for function in (prune, shake, pruning_path):
        with pytest.raises(NotFittedError):
            function(TreeRank())
        with pytest.raises(TypeError, match="fitted TreeRank.*LogisticRegression"):
            function(LogisticRegression().fit(X, y))
    for kw, word in (
        ({"cv": 1}, "cv must be a whole number, at least 2"),
        ({"cv": "a"}, "cv .* got 'a'"),
        ({"one_se": "a"}, "one_se .* got 'a'"),
        (
            {"one_se": True, "cv": ShuffleSplit(1, random_state=0)},
            "one_se=True needs at least two folds",
        ),
    ):
        with pytest.raises(ValueError, match=word):
            cross_validated_pruning(TreeRank(2), X, y, **kw)
    assert np.isnan(
        cross_validated_pruning(
            TreeRank(2), X, y, cv=ShuffleSplit(1, random_state=0)
        ).cv_pruning_.se
    ).all()
    with pytest.raises(TypeError, match="model must be a TreeRank, got 'a'"):
        cross_validated_pruning("a", X, y)
    with pytest.raises(ValueError, match="fold 0 holds out one class"):
        cross_validated_pruning(TreeRank(2), X, y, cv=[(np.arange(60), np.flatnonzero(y == 1))])


@compiled
@pytest.mark.skipif(not os.environ.get("AUCBOOK_DATA"), reason="needs the files")
def test_gauss2d_is_no_worse_with_a_third_of_the_leaves():
    from experiments.gauss2d_pruning import gauss2d_samples, models

    (X, y), (Z, z), _ = gauss2d_samples()
    model = models(X, y)
    a, b = (
        roc_auc(z, model[name].decision_function(Z)) for name in ("depth 5", "pruned to a third")
    )
    assert b >= a >= 0.685 and model["pruned to a third"].tree_.leaves.size <= 32 / 3


def test_smoothed_shares_ask_the_parent():
    X, y = make_gauss2d(300, random_state=0)
    w = np.random.default_rng(0).uniform(0.5, 2, y.size)
    tree = TreeRank(6).fit(X, y, w).tree_
    for m in (0.0, 3.5, 100.0):
        share, n = [0.5] * tree.left.size, tree.rows[0]
        for t in np.flatnonzero(tree.left):
            for c in (tree.left[t], tree.left[t] + 1):
                p, q = n / 2 * tree.rates[c]
                share[c] = (p + m * share[t]) / (p + q + m)
        np.testing.assert_allclose(smooth_shares(tree, m), share, rtol=1e-12)
        order = np.array(share)[shake(tree, m).leaves]
        assert (np.diff(order) <= 1e-12).all()  # sorted, up to the rounding of the shares
    np.testing.assert_array_equal(
        TreeRank(6, shake="smooth").fit(X, y, w).tree_.leaves, shake(tree, 100).leaves
    )
    np.testing.assert_array_equal(
        TreeRank(6, shake="smooth").fit(X, y, 7 * w).tree_.leaves, shake(tree, 100).leaves
    )  # weights have no scale


def test_pruning_a_smoothly_shaken_tree_keeps_the_smoothing():
    X, y = make_gauss2d(300, random_state=1)
    grown = TreeRank(6, min_samples_leaf=3).fit(X, y)
    a = prune(shake(grown, 20), n_leaves=6)
    b = shake(prune(grown, n_leaves=6), 20)
    np.testing.assert_array_equal(a.tree_.leaves, b.tree_.leaves)
    assert a.tree_.smoothing == 20 and a.tree_.leaves.size <= 6
    model = cross_validated_pruning(TreeRank(6, shake="smooth"), X, y, cv=3)
    assert model.tree_.smoothing == 100 and model.cv_pruning_.auc.max() > 0.6
    for smoothing in (-1, float("nan"), "a", None):
        with pytest.raises(ValueError, match="smoothing"):
            shake(grown, smoothing)


@pytest.mark.parametrize("shaken", [False, True, "smooth"])
@pytest.mark.parametrize("max_depth", [1, 3, 5, 9])
def test_a_tree_cut_at_a_depth_is_the_tree_grown_to_it(max_depth, shaken):
    X, y = make_gauss2d(300, random_state=2)
    model = TreeRank(5, shake=shaken).fit(X, y)
    shallow = TreeRank(max_depth, shake=shaken).fit(X, y) if max_depth < 5 else model
    np.testing.assert_array_equal(
        prune(model, max_depth=max_depth).decision_function(X), shallow.decision_function(X)
    )
    both = prune(model, n_leaves=3, max_depth=max_depth)
    np.testing.assert_array_equal(
        both.decision_function(X), prune(shallow, n_leaves=3).decision_function(X)
    )


def test_a_model_prunes_and_shakes_copies_of_itself():
    X, y = make_gauss2d(200, random_state=0)
    model = TreeRank(5).fit(X, y)
    before = model.tree_
    for method, function, how in (
        (model.prune, prune, {"ccp_alpha": 0.01}),
        (model.prune, prune, {"n_leaves": 3}),
        (model.prune, prune, {"max_depth": 2}),
        (model.shaken, shake, {"smoothing": 20}),
    ):
        copy = method(**how)
        assert type(copy) is TreeRank and copy is not model and model.tree_ is before
        np.testing.assert_array_equal(
            copy.decision_function(X), function(model, **how).decision_function(X)
        )
    with pytest.raises(ValueError, match="ccp_alpha"):
        model.prune(-1)
    with pytest.raises(NotFittedError):
        TreeRank().shaken()


def test_a_sparse_table_is_pruned_as_the_dense_one():
    X, y = make_gauss2d(300, random_state=0)
    X = np.where(X > 0, X, 0)
    dense = cross_validated_pruning(TreeRank(), X, y)
    sparse = cross_validated_pruning(TreeRank(), csr_matrix(X), y)
    assert sparse.ccp_alpha == dense.ccp_alpha
    assert (sparse.decision_function(X) == dense.decision_function(X)).all()
