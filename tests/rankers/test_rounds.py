"""Trees and rounds one by one: warm start, staged predictions, and the estimators and out-of-bag scores of forests."""

import inspect
import pickle

import numpy as np
import pytest
from discovery import SMALL_DATA, all_rankers, small
from sklearn.exceptions import NotFittedError
from sklearn.metrics import average_precision_score
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import Tree

from aucbook import AP, PAUC, TreeRank, TreeRankBoost, TreeRankForest
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


# ---------------------------------------------------------------- warm start
WARM = with_parameter("warm_start")
each_way = pytest.mark.parametrize("name, settings", in_every_way(WARM))


def state(model):
    """What a fitted model is, as nested plain values; without what a longer fit was asked for."""
    if isinstance(model, Tree):
        return state(model.__getstate__())
    if isinstance(model, np.ndarray) and model.dtype.names:  # with bytes between the fields
        return repr(model.tolist())
    if isinstance(model, np.ndarray):
        return [model.shape, model.dtype.str, model.tobytes() if model.dtype != object else 0]
    if isinstance(model, dict):
        return {str(key): state(value) for key, value in model.items()}
    if isinstance(model, (list, tuple)):
        return [state(value) for value in model]
    if hasattr(model, "__dict__") and not callable(model):
        skip = ("warm_start", "_walks")
        return {key: state(value) for key, value in vars(model).items() if key not in skip}
    return repr(model)


def test_rankers_in_rounds_can_be_continued():
    missing = {"SMartiRank", "Nscore"}
    assert WARM == [name for name in with_parameter("n_estimators") if name not in missing]


@each_way
@pytest.mark.parametrize("weights", [None, "shares"])
def test_a_fit_in_parts_is_one_long_fit_to_the_last_bit(name, settings, weights):
    X, y = table()
    w = None if weights is None else np.random.default_rng(3).random(y.size)
    long = small(name, n_estimators=11, **settings).fit(X, y, w)
    parts = small(name, n_estimators=1, warm_start=True, **settings)
    for n_estimators in (1, 4, 4, 11):
        parts.set_params(n_estimators=n_estimators).fit(X, y, w)
    assert state(parts) == state(long)
    np.testing.assert_array_equal(parts.decision_function(X), long.decision_function(X))
    short = small(name, n_estimators=4, **settings).fit(X, y, w)
    assert state(short) != state(long)


@each_way
def test_a_model_from_a_pickle_or_a_file_can_be_continued(name, settings, tmp_path):
    X, y = table()
    long = small(name, n_estimators=7, **settings).fit(X, y)
    short = small(name, n_estimators=3, **settings).fit(X, y)
    loaded = read_model(write_model(short, tmp_path / "model.skops"))
    for model in (loaded, pickle.loads(pickle.dumps(short))):
        model.set_params(n_estimators=7, warm_start=True).fit(X, y)
        assert state(model) == state(long)
    np.testing.assert_array_equal(loaded.decision_function(X), long.decision_function(X))


@pytest.mark.parametrize("name", WARM)
def test_probabilities_of_a_continued_fit_are_those_of_one_fit(name):
    X, y = table()
    parameters = {"probability": True} if name in with_parameter("probability") else {}
    long = small(name, n_estimators=4, **parameters).fit(X, y)
    parts = small(name, n_estimators=2, warm_start=True, **parameters).fit(X, y)
    parts.set_params(n_estimators=4).fit(X, y)
    np.testing.assert_array_equal(parts.predict_proba(X), long.predict_proba(X))


@each_way
def test_a_generator_object_goes_on(name, settings):
    if "random_state" not in inspect.signature(RANKERS[name]).parameters:
        pytest.skip("has no random numbers")
    X, y = table()
    rng, other = np.random.RandomState(5), np.random.RandomState(5)
    long = small(name, n_estimators=6, **settings, random_state=rng).fit(X, y)
    parts = small(name, n_estimators=2, warm_start=True, **settings, random_state=other)
    parts.fit(X, y).set_params(n_estimators=6).fit(X, y)
    np.testing.assert_array_equal(parts.decision_function(X), long.decision_function(X))


@pytest.mark.parametrize("name", WARM)
def test_without_warm_start_nothing_is_continued(name):
    X, y = table()
    model = small(name, n_estimators=5).fit(X, y).set_params(n_estimators=3).fit(X, y)
    assert state(model) == state(small(name, n_estimators=3).fit(X, y))


@pytest.mark.parametrize("name", WARM)
def test_what_cannot_be_continued_is_refused_and_changes_nothing(name):
    pd = pytest.importorskip("pandas")
    X, y = table()
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = small(name, n_estimators=5, warm_start=True).fit(frame, y)
    before = state(model)
    with pytest.raises(ValueError, match="n_estimators=2 must be larger or equal to .* warm_start"):
        model.set_params(n_estimators=2).fit(frame, y)
    model.set_params(n_estimators=5)
    with pytest.raises(ValueError, match="X has 3 features, .* continues"):
        model.fit(X[:, :3], y)
    with pytest.raises(ValueError, match="feature names should match"):
        model.fit(frame.rename(columns={"a": "z"}), y)
    with pytest.raises(ValueError, match=r"classes \[0, 1\], got \['no', 'yes'\]"):
        model.fit(frame, np.where(y == 1, "yes", "no"))
    assert state(model) == before
    with pytest.raises(ValueError, match="warm_start must be True or False"):
        model.set_params(warm_start="yes").fit(frame, y)


@pytest.mark.parametrize("name", WARM)
def test_other_rows_continue_or_are_refused(name):
    X, y = table()
    more, labels = table(seed=1)
    model = small(name, n_estimators=2, warm_start=True).fit(X, y).set_params(n_estimators=4)
    if name in ("PAUCBoost", "TreeRankForest"):
        with pytest.raises(ValueError, match="warm_start=True continues a fit to other rows"):
            model.fit(more, labels)
    else:
        stages = list(model.fit(more, labels).staged_decision_function(X))
        assert len(stages) == 4 and all(np.isfinite(scores).all() for scores in stages)


@pytest.mark.parametrize("name", WARM)
def test_the_order_of_the_rows_does_not_matter_for_a_continued_fit(name):
    X, y = table()
    other = np.random.default_rng(0).permutation(y.size)
    model = small(name, n_estimators=2, warm_start=True).fit(X, y).set_params(n_estimators=4)
    long = small(name, n_estimators=4).fit(X, y)
    model.fit(X[other], y[other])
    np.testing.assert_allclose(model.decision_function(X), long.decision_function(X), atol=1e-9)


def test_a_single_leaf_gives_way_to_the_trees_of_a_longer_fit():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=40), np.zeros((40, 11))])
    y = (X[:, 0] > 0).astype(int)
    for seed in range(20):
        short = TreeRankBoost(1, max_features=1, random_state=seed, warm_start=True).fit(X, y)
        long = TreeRankBoost(9, max_features=1, random_state=seed).fit(X, y)
        assert state(short.set_params(n_estimators=9).fit(X, y)) == state(long)


@pytest.mark.parametrize("change", ["position", "words", "none"])
def test_a_file_with_a_wrong_state_of_the_random_numbers_is_refused(change):
    X, y = SMALL_DATA
    model = small("TreeRankBoost").fit(X, y)
    model.__check_loaded__(3)
    if change == "position":
        model._rng_state[-1] = 10**6
    else:
        model._rng_state = model._rng_state[:5] if change == "words" else "none"
    with pytest.raises(ValueError, match="random numbers"):
        model.__check_loaded__(3)


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


@pytest.mark.parametrize(
    "measure", [PAUC(max_fpr=0.3), AP, average_precision_score], ids=["PAUC", "AP", "scikit-learn"]
)
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
