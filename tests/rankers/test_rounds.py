"""Trees and rounds one by one: warm start, staged predictions, and the estimators and out-of-bag scores of forests."""

import inspect
import pickle

import numpy as np
import pytest
from discovery import SMALL_DATA, all_rankers, small
from sklearn.exceptions import NotFittedError
from sklearn.metrics import average_precision_score
from sklearn.tree import DecisionTreeClassifier

from aucbook import AP, PAUC, TreeRank, TreeRankForest
from aucbook.deployment.model_files import read_model, write_model
from aucbook.trees.bagging import out_of_bag_sizes

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
RANKERS = all_rankers()


def with_parameter(name):
    """Names of the rankers that have a parameter."""
    return [n for n, cls in RANKERS.items() if name in inspect.signature(cls).parameters]


FORESTS = with_parameter("oob_score")


def table(n=160, seed=0):
    """(X, y) with overlapping classes, a third of the rows positive."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 1 / 3).astype(int)
    return rng.normal(size=(n, 4)).round(1) + y[:, None] * [1.0, 0.5, 0.0, 0.0], y


# ---------------------------------------------------------------- staged predictions
STAGED = [name for name, cls in RANKERS.items() if hasattr(cls, "staged_decision_function")]
SETTINGS = {  # each way to fit and to score by rounds
    "AUCBoost": [
        {},
        {"ranking": "vote", "answers": "balanced"},
        {"answers": "coin", "weak_ranker": DecisionTreeClassifier(max_depth=2)},
        {"n_bins": 8, "track_auc": True},
    ],
    "LinearAdaBoost": [{}, {"weak_ranker": DecisionTreeClassifier(max_depth=2, max_features=1)}],
    "MartiRank": [
        {},
        {"ranking": "vote", "routing": "random"},
        {"weak_ranker": DecisionTreeClassifier(max_depth=1, max_features=1)},
    ],
    "PAVAdaBoost": [{}, {"weak_ranker": DecisionTreeClassifier(max_depth=2, max_features=1)}],
    "TreeRankBoost": [{}, {"update": "pairwise"}, {"update": "literal"}, {"max_features": 1}],
    "TreeRankForest": [
        {},
        {"max_samples": None, "thresholds": "best", "smoothing": None},
        {"max_samples": 100, "smoothing": 5.0, "n_jobs": 2, "oob_score": False},
    ],
}


def in_every_way(names):
    """Parameters (name, settings) of a test of these rankers, in each of their ways."""
    return [(name, settings) for name in names for settings in SETTINGS.get(name, [{}])]


def test_rankers_with_a_number_of_rounds_have_staged_scores():
    assert STAGED == [name for name in with_parameter("n_estimators") if name not in FORESTS]


@pytest.mark.parametrize("name, settings", in_every_way(STAGED))
def test_the_last_staged_scores_are_those_of_the_model(name, settings):
    X, y = SMALL_DATA
    model = small(name, n_estimators=7, **settings).fit(X, y)
    for rows in (X, X[:1]):
        stages = list(model.staged_decision_function(rows))
        assert 0 < len(stages) <= 7
        assert all(scores.shape == (len(rows),) for scores in stages)
        np.testing.assert_array_equal(stages[-1], model.decision_function(rows))
    assert len({scores.tobytes() for scores in model.staged_decision_function(X)}) > 1


@pytest.mark.parametrize("name", STAGED)
def test_staged_scores_of_a_short_fit_are_the_first_of_a_longer_one(name):
    X, y = SMALL_DATA
    short = list(small(name, n_estimators=3).fit(X, y).staged_decision_function(X))
    long = list(small(name, n_estimators=5).fit(X, y).staged_decision_function(X))
    for a, b in zip(short, long):  # the zero is placed for the last scores
        np.testing.assert_allclose(a - a[0], b - b[0], atol=1e-12)


@pytest.mark.parametrize("name", STAGED)
def test_staged_scores_check_model_and_rows(name):
    X, y = SMALL_DATA
    with pytest.raises(NotFittedError):
        next(small(name).staged_decision_function(X))
    model = small(name).fit(X, y)
    with pytest.raises(ValueError, match="features"):
        next(model.staged_decision_function(X[:, :2]))


# ---------------------------------------------------------------- forests


def test_forests_are_found():
    assert FORESTS == with_parameter("max_samples") == ["TreeRankForest"]


@pytest.mark.parametrize("smoothing", ["oob", None, 3.0])
def test_estimators_are_fitted_trees_whose_mean_is_the_score_of_the_forest(smoothing):
    X, y = table()
    labels = np.where(y == 1, "sick", "healthy")
    forest = TreeRankForest(7, smoothing=smoothing, random_state=0).fit(X, labels)
    trees = forest.estimators_
    assert len(trees) == 7 and all(type(tree) is TreeRank for tree in trees)
    mean = np.mean([tree.decision_function(X) for tree in trees], axis=0)
    np.testing.assert_allclose(mean, forest.decision_function(X), atol=2**-23)
    for tree, grown in zip(trees, forest.trees_):
        assert tree.tree_ is grown and tree.classes_.tolist() == ["healthy", "sick"]
        assert set(tree.predict(X)) <= {"healthy", "sick"}
        pruned = tree.prune(n_leaves=30).tree_
        assert "place 1" in tree.to_text() and pruned.leaves.size < grown.leaves.size
    again = pickle.loads(pickle.dumps(trees[0]))
    np.testing.assert_array_equal(again.decision_function(X), trees[0].decision_function(X))
    assert not hasattr(TreeRankForest(), "estimators_")
    with pytest.raises(NotFittedError):
        TreeRankForest().estimators_


def test_estimators_keep_the_names_of_columns():
    pd = pytest.importorskip("pandas")
    X, y = table()
    frame = pd.DataFrame(X, columns=["age", "dose", "day", "size"])
    tree = TreeRankForest(3, random_state=0).fit(frame, y).estimators_[0]
    assert "age" in tree.to_text() and tree.feature_names_in_.tolist() == list(frame)


@pytest.mark.parametrize("measure", [PAUC(max_fpr=0.3), AP, average_precision_score], ids=str)
@pytest.mark.parametrize("weights", [None, "whole", "shares"])
def test_an_out_of_bag_score_by_any_measure(measure, weights):
    X, y = table()
    rng = np.random.default_rng(1)
    w = {"whole": rng.integers(1, 3, y.size), "shares": rng.random(y.size)}.get(weights)
    plain = TreeRankForest(9, random_state=0).fit(X, y, w)
    model = TreeRankForest(9, oob_score=measure, random_state=0).fit(X, y, w)
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))
    assert model.oob_curve_.auc() == plain.oob_score_ and isinstance(model.oob_score_, float)
    voted = ~np.isnan(model.oob_decision_function_)
    if weights != "whole":  # there the copies of a row have different scores
        w = None if w is None else w[voted]
        scores = model.oob_decision_function_[voted]
        assert model.oob_score_ == pytest.approx(measure(y[voted], scores, sample_weight=w))


def test_without_an_out_of_bag_score_the_model_is_the_same():
    X, y = table()
    plain = TreeRankForest(9, random_state=0).fit(X, y)
    model = TreeRankForest(9, random_state=0).fit(X, y).set_params(oob_score=False).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))
    for name in ("oob_score_", "oob_curve_", "oob_decision_function_"):
        assert hasattr(plain, name) and not hasattr(model, name)
    for wrong in ("auc", None, 1):
        with pytest.raises(ValueError, match="oob_score must be True, False or a function"):
            TreeRankForest(oob_score=wrong).fit(X, y)


@pytest.mark.parametrize("count", [2, 50, np.int64(120), 158])
def test_max_samples_counts_rows(count):
    X, y = table()
    model = TreeRankForest(4, max_samples=count, random_state=0).fit(X, y)
    positives = int(y.sum())
    for tree in model.trees_:
        assert tree.rows[0] == count
        assert abs(tree.mass[0, 0] - count * positives / 160) <= 1
    again = TreeRankForest(4, max_samples=count, n_jobs=2, random_state=0)
    other = np.random.default_rng(0).permutation(y.size)
    np.testing.assert_array_equal(
        again.fit(X[other], y[other]).decision_function(X), model.decision_function(X)
    )


def test_of_every_count_one_row_of_each_class_is_in_the_bag_and_one_out():
    for positives in (1, 2, 3, 40):
        for negatives in (1, 2, 41):
            n = positives + negatives
            for count in range(2, n):
                out = out_of_bag_sizes(count, positives, negatives)
                for k, size in zip(out, (positives, negatives)):
                    assert k == 0 if size == 1 else 1 <= k < size
                if min(positives, negatives) > 1 and count <= n - 2:
                    assert n - sum(out) == count


@pytest.mark.parametrize("wrong", [1, 0, -3, 160, 10**6, 1.0, 0.0, float("nan"), True, "0.8"])
def test_a_wrong_number_of_rows_is_refused(wrong):
    X, y = table()
    with pytest.raises(ValueError, match="max_samples must be"):
        TreeRankForest(3, max_samples=wrong).fit(X, y)


def test_files_keep_a_forest_with_a_count_and_without_out_of_bag_scores(tmp_path):
    X, y = SMALL_DATA
    model = small("TreeRankForest", max_samples=20, oob_score=False).fit(X, y)
    again = read_model(write_model(model, tmp_path / "model.skops"))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert len(again.estimators_) == 3 and not hasattr(again, "oob_score_")
