"""TreeRankForest and TreeRankBoost: scikit-learn's checks, the same answer for any n_jobs, out-of-bag scores, weights, bad input."""

import copy
import os
import pickle

import numpy as np
import pandas as pd
import pytest
from contract import broken
from labelled_rows import tied_clustered_rows as data
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from aucbook import TreeRankBoost, TreeRankForest, roc_auc
from aucbook._base.ranker import InterruptedFit
from aucbook._numerics.binning import Bins
from aucbook.deployment.model_files import read_model, write_model
from aucbook.trees import bagging, treerank_boost
from aucbook.trees.bagging import (
    SMOOTHINGS,
    bootstrap_counts,
    leaf_scores,
    rows_by_class,
    unseen_rows,
)
from aucbook.trees.forest import count_columns
from aucbook.trees.tree import WIDE, pack_trees, unpack_trees

pytestmark = pytest.mark.filterwarnings(
    "ignore:overflow encountered:RuntimeWarning",  # 64-bit random numbers wrap on purpose;
    "ignore:No row of one class:UserWarning",
)  # NumPy says so where numba is off
interpreted = bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0")))
compiled = pytest.mark.skipif(interpreted, reason="slow without compilation")
SMALL = 3 if interpreted else 10
PAPER = {
    "thresholds": "best",
    "criterion": "ranking",
    "max_samples": None,
    "max_features": None,
    "smoothing": None,
}
KINDS = ({}, {"thresholds": "best", "max_samples": None}, PAPER)
each_kind = pytest.mark.parametrize("kind", KINDS, ids=["random cuts", "best cuts", "the paper's"])


@compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        TreeRankForest(n_estimators=10, thresholds="best", random_state=0),
        TreeRankForest(n_estimators=3, min_samples_leaf=5, **PAPER),
        TreeRankBoost(n_estimators=3, update="pairwise"),
        TreeRankBoost(n_estimators=3, update="literal"),
    ],
    ids=str,
)
def test_scikit_learns_contract(estimator):
    assert broken(estimator) == {}


@pytest.mark.parametrize("missing", [False, True])
@each_kind
def test_the_same_answer_for_any_number_of_threads(missing, kind):
    X, y = data(120 if interpreted else 300)
    if missing:
        X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    models = [
        TreeRankForest(5, n_jobs=j, random_state=1, **kind).fit(X, y) for j in (None, 2, 3, -1)
    ]
    for m in models[1:]:
        np.testing.assert_array_equal(m.oob_decision_function_, models[0].oob_decision_function_)
        np.testing.assert_array_equal(m.decision_function(X), models[0].decision_function(X))
        assert m.oob_score_ == models[0].oob_score_
    other = TreeRankForest(5, random_state=2, **kind).fit(X, y)
    assert (models[0].decision_function(X) != other.decision_function(X)).any()


@pytest.mark.parametrize("smoothing", [None, 0, 12.5, "oob"])
@pytest.mark.parametrize("share", [None, 0.8, 0.5])
def test_out_of_bag_scores_are_those_of_the_trees_that_did_not_see_the_row(smoothing, share):
    X, y = data(150)
    model = TreeRankForest(SMALL, smoothing=smoothing, max_samples=share, random_state=0).fit(X, y)
    seeds = np.random.RandomState(0).randint(2**31 - 1, size=(SMALL, 2))
    total = np.zeros(y.size)
    votes = np.zeros(y.size)
    mine = rows_by_class(Bins(X, layout="rows").encode(X), y)
    for tree, (seed, _) in zip(model.trees_, seeds):
        if share is None:
            counts, room = np.zeros((2, y.size), np.uint16)
            bootstrap_counts(mine, int(y.sum()), None, seed, counts, room)
            out = counts == 0
        else:
            out = unseen_rows(mine, int(y.sum()), share, seed)
            assert (
                tree.rows[0] == y.size - out.sum()
                and abs(out[y == 1].mean() - (1 - share)) < 1 / y.sum()
            )
        total[out] += leaf_scores(tree, model.smoothing_)[tree.apply(X)][out]
        votes[out] += 1
    with np.errstate(invalid="ignore"):
        expected = total / votes - model._zero
    np.testing.assert_allclose(
        model.oob_decision_function_, expected, atol=2**-24
    )  # what rounding a score may cost
    has_votes = votes > 0
    assert model.oob_score_ == pytest.approx(
        roc_auc(y[has_votes], model.oob_decision_function_[has_votes]), abs=1e-12
    )
    assert model.oob_curve_.auc() == model.oob_score_


def test_the_score_is_the_mean_over_the_trees():
    X, y = data(150)
    for smoothing, value in ((None, "fpr"), (0, None)):
        model = TreeRankForest(SMALL, min_samples_leaf=3, smoothing=smoothing, random_state=0).fit(
            X, y
        )

        def share(t):
            return t.mass[:, 0] / t.mass.sum(1)  # no imaginary rows: the plain share

        expected = np.mean(
            [(t.scores(value) if value else share(t))[t.apply(X)] for t in model.trees_], 0
        )
        np.testing.assert_allclose(model.decision_function(X) + model._zero, expected, atol=2**-24)
        gains = np.zeros(X.shape[1])
        for tree in model.trees_:
            np.add.at(gains, tree.column[tree.left > 0], tree.gains[tree.left > 0])
        np.testing.assert_allclose(model.feature_importances_, gains / gains.sum(), rtol=1e-12)


@pytest.mark.parametrize("alpha, beta", [(0, 0.1), (0, 1), (0.2, 0.5)])
def test_the_rows_out_of_the_bag_choose_the_smoothing_for_the_range(alpha, beta):
    X, y = data(200)
    model = TreeRankForest(SMALL, min_fpr=alpha, max_fpr=beta, random_state=0).fit(X, y)
    areas = {}
    for m in SMOOTHINGS:
        smoothed = TreeRankForest(SMALL, smoothing=m, random_state=0).fit(X, y)
        areas[m] = smoothed.oob_curve_.auc(min_fpr=alpha, max_fpr=beta)
    assert areas[model.smoothing_] == pytest.approx(max(areas.values()), abs=1e-12)
    np.testing.assert_array_equal(
        model.decision_function(X),
        TreeRankForest(SMALL, smoothing=model.smoothing_, random_state=0)
        .fit(X, y)
        .decision_function(X),
    )


@compiled
def test_a_large_table_chooses_the_smoothing_from_some_of_its_rows():
    rng = np.random.default_rng(0)
    y = (rng.random(30_000) < 0.2).astype(int)
    model = TreeRankForest(4, n_jobs=2, random_state=0).fit(
        rng.normal(size=(y.size, 2)) + y[:, None], y
    )
    assert 0.78 < model.oob_score_ < 0.845  # the optimum of two unit shifts is Phi(1) = .841


def test_float32_and_column_order_change_nothing():
    X, y = data(120)
    X = X.astype(np.float32)
    models = [
        TreeRankForest(3, random_state=0).fit(Z, y)
        for Z in (X, np.asfortranarray(X), X.astype(float), pd.DataFrame(X).to_numpy()[:, ::1])
    ]
    for model in models[1:]:
        np.testing.assert_array_equal(model.decision_function(X), models[0].decision_function(X))


@each_kind
def test_zero_weight_is_absence_and_scale_is_nothing(kind):
    X, y = data()
    w = np.random.default_rng(0).integers(0, 3, y.size) / 4  # not whole: chances, not copies
    keep = w > 0
    a = TreeRankForest(SMALL, random_state=0, **kind).fit(X, y, sample_weight=w)
    b = TreeRankForest(SMALL, random_state=0, **kind).fit(
        X[keep], y[keep], sample_weight=w[keep] / 8
    )
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    assert np.isnan(a.oob_decision_function_[~keep]).all()
    np.testing.assert_array_equal(a.oob_decision_function_[keep], b.oob_decision_function_)
    one = TreeRankForest(SMALL, random_state=0, **kind).fit(
        X, y, sample_weight=np.full(y.size, 0.3)
    )
    np.testing.assert_array_equal(
        one.decision_function(X),
        TreeRankForest(SMALL, random_state=0, **kind).fit(X, y).decision_function(X),
    )


def test_a_perfect_column_and_a_useless_one():
    X, y = data(100)
    X[:, 2] = y
    for model in (
        TreeRankForest(SMALL, max_features=None, random_state=0),
        TreeRankBoost(3, max_features=None, min_samples_leaf=1, random_state=0),
        TreeRankBoost(3, update="pairwise"),
        TreeRankBoost(3, update="literal"),
    ):
        model.fit(X, y)
        assert roc_auc(y, model.decision_function(X)) == 1 and (model.predict(X) == y).all()
    flat = np.c_[np.ones(100), np.full(100, np.nan)]
    for model in (
        TreeRankForest(3, random_state=0),
        TreeRankBoost(3, update="pairwise"),
        TreeRankBoost(3),
    ):
        with pytest.warns(UserWarning, match="same score.*min_samples_leaf=[15]") as caught:
            model.fit(flat, y)
        assert next(w for w in caught if "same score" in str(w.message)).filename == __file__
        assert np.ptp(model.decision_function(flat)) == 0
        assert (model.feature_importances_ == 0).all()


@pytest.mark.kernel
def test_one_row_of_a_class_is_never_out_of_the_bag():
    X, y = data(60)
    y[:] = 0
    y[5] = 1
    with pytest.warns(UserWarning, match="out-of-bag") as caught:
        model = TreeRankForest(3, random_state=0).fit(X, y)
    assert next(w for w in caught if "out-of-bag" in str(w.message)).filename == __file__
    assert (
        np.isnan(model.oob_score_)
        and model.oob_curve_ is None
        and np.isfinite(model.decision_function(X)).all()
    )


def test_pickle_labels_and_search():
    X, y = data(150)
    for model in (TreeRankForest(3, random_state=0), TreeRankBoost(3)):
        model.fit(X, np.where(y == 1, "sick", "healthy"))
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))
        assert list(model.classes_) == ["healthy", "sick"] and set(model.predict(X)) <= {
            "healthy",
            "sick",
        }
        clone(model)
    if not interpreted:
        GridSearchCV(
            TreeRankForest(5), {"max_features": [1, 0.5, None]}, scoring="roc_auc", cv=2
        ).fit(X, y)


@pytest.mark.kernel
def test_other_columns_are_named():
    X, y = data(80)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    for model in (TreeRankForest(2, random_state=0), TreeRankBoost(2)):
        model.fit(frame, y)
        with pytest.raises(ValueError, match="zebra"):
            model.decision_function(frame.rename(columns={"c": "zebra"}))
        with pytest.raises(ValueError, match="5 features"):
            model.decision_function(X[:, :5])


@pytest.mark.parametrize(
    "model, size", [(TreeRankForest, "n_estimators"), (TreeRankBoost, "n_estimators")]
)
@pytest.mark.parametrize(
    "keywords, fit, word",
    [
        ({"size": 0}, {}, "size"),
        ({"size": 2.5}, {}, "size"),
        ({"max_depth": 0}, {}, "max_depth"),
        ({"min_samples_leaf": 0}, {}, "min_samples_leaf"),
        ({}, {"y": np.zeros(60)}, "1 class"),
        ({}, {"y": np.arange(60) % 3}, "3 class"),
        ({}, {"X": np.full((60, 6), np.inf)}, "infinity"),
        ({}, {"sample_weight": -np.ones(60)}, "[Nn]egative"),
        ({}, {"X": np.array([["red"] * 6] * 60, object)}, "TableEncoder before it"),
    ],
)
def test_bad_input_is_named(model, size, keywords, fit, word):
    X, y = data(60)
    keywords = {size if name == "size" else name: value for name, value in keywords.items()}
    with pytest.raises(ValueError, match=size if word == "size" else word):
        model(**keywords).fit(**{"X": X, "y": y, **fit})


@pytest.mark.parametrize(
    "keywords",
    [
        {"thresholds": "middle"},
        {"thresholds": None},
        {"criterion": "entropy"},
        {"max_samples": 1.0},
        {"max_samples": 0},
        {"max_samples": True},
        {"max_samples": "0.8"},
        {"min_fpr": 0.2},
        {"max_fpr": 1.5},
        {"max_fpr": None},
    ],
)
def test_settings_of_the_forest_are_named(keywords):
    X, y = data(60)
    with pytest.raises(ValueError, match=next(iter(keywords))):
        TreeRankForest(2, **keywords).fit(X, y)


@each_kind
def test_a_gap_that_separates_the_classes_is_found(kind):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), np.arange(200) % 2
    X[y == 1, 1] = np.nan
    model = TreeRankForest(SMALL, random_state=0, **kind).fit(X, y)
    assert roc_auc(y, model.decision_function(X)) > 0.99
    empty = np.full((200, 3), np.nan)
    empty[y == 0, 1] = (
        1.0  # one known value, or none: a column that is known or missing, and two without any value
    )
    model.fit(empty, y)
    assert (
        roc_auc(y, model.decision_function(empty)) == 1
        and model.feature_importances_[[0, 2]].sum() == 0
    )


@pytest.mark.parametrize("thresholds", ["random", "best"])
def test_gaps_where_none_were_in_training_go_with_most_rows(thresholds):
    X, y = data(200)
    model = TreeRankForest(SMALL, thresholds=thresholds, random_state=0).fit(X, y)
    tree = model.trees_[0]
    inner = np.flatnonzero(tree.left)
    left = tree.rows[tree.left[inner]]
    right = tree.rows[tree.left[inner] + 1]
    assert (tree.missing[inner] == (left >= right))[left != right].all()
    assert np.isfinite(model.decision_function(np.full((2, 6), np.nan))).all()


def test_random_cuts_differ_from_the_best_and_lie_within_the_cell():
    X, y = data(200)
    random, best = (
        TreeRankForest(SMALL, thresholds=t, random_state=0).fit(X, y) for t in ("random", "best")
    )
    assert np.mean([t.gains[0] for t in random.trees_]) < np.mean([t.gains[0] for t in best.trees_])
    for tree in random.trees_:
        inner = tree.left > 0
        low, high = X.min(0)[tree.column[inner]], X.max(0)[tree.column[inner]]
        assert ((low < tree.threshold[inner]) & (tree.threshold[inner] <= high)).all()


@pytest.mark.parametrize("value", [0, 7, 0.0, 1.5, -1, "all", True, float("nan")])
def test_max_features_out_of_range(value):
    X, y = data(60)
    with pytest.raises(ValueError, match="max_features"):
        TreeRankForest(2, max_features=value).fit(X, y)


def test_max_features_in_range():
    X, y = data(60)
    for value, k in ((1, 1), (6, 6), (0.5, 3), (0.01, 1), (1.0, 6), ("sqrt", 3), (None, 6)):
        assert count_columns(value, 6) == k
    for value in (-1, "auto", float("nan"), float("inf")):
        with pytest.raises(ValueError, match="smoothing"):
            TreeRankForest(2, smoothing=value).fit(X, y)
    with pytest.raises(ValueError, match="update"):
        TreeRankBoost(update="both").fit(X, y)


@each_kind
def test_the_order_of_the_table_does_not_matter(kind):
    X, y = data(150)
    shuffled = np.random.default_rng(0).permutation(y.size)
    a = TreeRankForest(SMALL, random_state=0, **kind).fit(X, y)
    b = TreeRankForest(SMALL, random_state=0, **kind).fit(X[shuffled], y[shuffled])
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))


@each_kind
def test_whole_weights_are_copies(kind):
    X, y = data(120)
    w = np.random.default_rng(0).integers(0, 4, y.size)
    a = TreeRankForest(SMALL, random_state=0, **kind).fit(X, y, sample_weight=w)
    b = TreeRankForest(SMALL, random_state=0, **kind).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    assert a.oob_score_ == b.oob_score_
    assert (
        a.oob_decision_function_.shape == y.shape
        and np.isnan(a.oob_decision_function_[w == 0]).all()
    )
    start = np.r_[0, np.cumsum(w)]
    for i in np.flatnonzero(w):  # the mean over the copies of row i that some tree did not see
        copies = b.oob_decision_function_[start[i] : start[i + 1]]
        copies = copies[~np.isnan(copies)]
        assert copies.size == 0 or a.oob_decision_function_[i] == pytest.approx(
            copies.mean(), abs=1e-12
        )


@pytest.mark.parametrize(
    "model",
    [
        TreeRankForest(20, random_state=0),
        TreeRankBoost(20, random_state=0),
        TreeRankBoost(20, update="pairwise"),
    ],
)
def test_an_interrupted_fit_keeps_the_trees_done(model, monkeypatch):
    X, y = data(150)
    complete = clone(model).fit(X, y)
    calls, grow = [], bagging.axis_tree

    def impatient(*arguments):
        calls.append(1)
        if len(calls) > 9:
            raise KeyboardInterrupt
        return grow(*arguments)

    for module in (bagging, treerank_boost):
        monkeypatch.setattr(module, "axis_tree", impatient)
    with pytest.warns(InterruptedFit, match="interrupted") as caught:
        model.fit(X, y)
    assert next(w for w in caught if "interrupted" in str(w.message)).filename == __file__
    assert 0 < len(model.trees_) <= 9 and np.isfinite(model.decision_function(X)).all()
    np.testing.assert_array_equal(model.trees_[0].rates, complete.trees_[0].rates)


@pytest.mark.kernel
def test_interrupted_before_the_first_tree(monkeypatch):
    def impatient(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(bagging, "axis_tree", impatient)
    model = TreeRankForest(3)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*data(50))
    with pytest.raises(NotFittedError):
        model.decision_function(data(50)[0])


# ---------------------------------------------------------------- files
@pytest.mark.parametrize("weights", [None, "some"])
def test_trees_come_back_from_a_pack_as_they_were(weights):
    X, y = make_classification(300, 5, random_state=0)
    X[::7, 1] = np.nan
    w = None if weights is None else np.random.default_rng(0).random(300)
    trees = TreeRankForest(n_estimators=5, random_state=0).fit(X, y, w).trees_
    trees.append(trees[0].with_leaves(trees[0].leaves[::-1], 1.5))
    trees.append(trees[0].folded(np.zeros(trees[0].left.size, bool)))  # a single leaf
    again = unpack_trees(pack_trees(trees))
    assert len(again) == 7
    for tree, twin in zip(trees, again):
        twin.__check_loaded__(5)
        assert vars(tree).keys() == vars(twin).keys() and (tree.shaken, tree.smoothing) == (
            twin.shaken,
            twin.smoothing,
        )
        for name in WIDE:
            a, b = getattr(tree, name), getattr(twin, name)
            assert a.dtype == b.dtype and a.tobytes() == b.tobytes(), name


def test_a_forest_in_a_file_is_small_and_scores_the_same(tmp_path):
    X, y = make_classification(768, 8, flip_y=0.4, random_state=0)
    model = TreeRankForest(random_state=0).fit(X, y)
    path = write_model(model, tmp_path / "forest.skops")
    assert path.stat().st_size < 250_000
    for again in (read_model(path), pickle.loads(pickle.dumps(model)), copy.copy(model)):
        np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
        np.testing.assert_array_equal(again.feature_importances_, model.feature_importances_)


def test_a_pack_whose_trees_do_not_end_is_refused():
    X, y = make_classification(100, 4, random_state=0)
    state = TreeRankForest(n_estimators=2, random_state=0).fit(X, y).__getstate__()
    packed = state["trees_"]
    for name, wrong in {
        "left": np.zeros_like(packed["left"]) + 1,
        "column": packed["column"] + 4,
        "leaves": np.zeros((packed["sizes"].sum() + 2) // 2, int),
        "sizes": packed["sizes"][::-1] + 1,
        "splits": ~packed["splits"],
        "threshold": packed["threshold"].astype(int) + 10_000,
        "counts": packed["counts"][:-1],
        "mass": packed["mass"][:, :-1],
    }.items():
        model = TreeRankForest.__new__(TreeRankForest)
        with pytest.raises((ValueError, IndexError)):
            model.__setstate__(state | {"trees_": packed | {name: wrong}})


def test_a_copy_is_of_one_moment(monkeypatch):
    """Another thread's fit may end while a forest is copied: the copy has the trees that belong to its columns."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 7)), np.arange(60) % 2
    model, another = (TreeRankForest(3, random_state=0).fit(X[:, :d], y) for d in (2, 7))
    before = model.decision_function(X[:, :2])
    taken = BaseEstimator.__getstate__

    def interrupted(self):
        state = dict(taken(self))
        self.__dict__ = vars(another)
        return state

    monkeypatch.setattr(BaseEstimator, "__getstate__", interrupted)
    assert copy.copy(model).decision_function(X[:, :2]).tolist() == before.tolist()
