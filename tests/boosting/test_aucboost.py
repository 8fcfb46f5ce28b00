"""AUCBoost: scikit-learn's conformance checks, Paper 1's bounds, and bad input."""

import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from contract import broken
from labelled_rows import clustered_rows as data
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from aucbook import AUCBoost, TreeRank, roc_auc
from aucbook._base.ranker import InterruptedFit, warn_interrupted
from aucbook.boosting import FeatureRanker
from aucbook.boosting.aucboost import EXACT_ROWS


# not a tree, which would break ties by rounding
@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        AUCBoost(n_estimators=5, ranking="vote"),
        AUCBoost(FeatureRanker(), n_estimators=3),
        AUCBoost(n_estimators=3, answers="confidence", n_bins=255),
        AUCBoost(n_estimators=3, answers="coin", random_state=0),
    ],
    ids=str,
)
def test_scikit_learns_contract(estimator):
    assert broken(estimator) == {}


@pytest.mark.parametrize("seed", range(5))
def test_theorem_2_bounds_the_training_auc_of_margin_and_vote(seed):
    X, y = data(seed=seed)
    model = AUCBoost(n_estimators=20).fit(X, y)
    for bound, margin in zip(model.history_["bound"], model.staged_decision_function(X)):
        assert roc_auc(y, margin) >= bound - 1e-12
        assert roc_auc(y, np.sign(margin)) >= bound - 1e-12
    assert (
        model.history_["error"] <= 0.5 - model.history_["advantage"] / 4 + 1e-12
    ).all()  # Lemma 4


def test_staged_scores_end_in_the_decision_function():
    X, y = data()
    model = AUCBoost(n_estimators=7).fit(X, y)
    *_, last = model.staged_decision_function(X)
    np.testing.assert_array_equal(last, model.decision_function(X))
    assert model.n_estimators_ == len(model.weights_) == 7


def test_weights_are_repetitions():
    X, y = data()
    w = np.random.default_rng(0).integers(0, 3, len(y))
    a = AUCBoost(n_estimators=10).fit(X, y, sample_weight=w).decision_function(X)
    b = AUCBoost(n_estimators=10).fit(np.repeat(X, w, 0), np.repeat(y, w)).decision_function(X)
    np.testing.assert_allclose(a, b, atol=1e-9)  # the same sums in another order


def test_ranking_ignores_monotone_changes_of_columns():
    X, y = data()
    a, b = (AUCBoost(n_estimators=10).fit(Z, y).decision_function(Z) for Z in (X, np.exp(X)))
    np.testing.assert_allclose(a, b, atol=1e-9)


@pytest.mark.kernel
def test_a_perfect_column_ends_training():
    X, y = data()
    X[:, 2] = y
    model = AUCBoost().fit(X, y)
    assert (
        model.n_estimators_ == 1
        and roc_auc(y, model.decision_function(X)) == 1
        and (model.predict(X) == y).all()
    )


def test_any_estimator_is_a_weak_ranker_and_the_seed_decides():
    X, y = data()
    model = AUCBoost(
        DecisionTreeClassifier(max_depth=2, splitter="random"), n_estimators=5, random_state=3
    )
    a, b = (clone(model).fit(X, y).decision_function(X) for _ in range(2))
    np.testing.assert_array_equal(a, b)
    assert roc_auc(y, a) >= model.fit(X, y).history_["bound"][-1]


@pytest.mark.kernel
def test_pickle_and_label_kinds():
    X, y = data()
    model = AUCBoost(n_estimators=5, track_auc=True).fit(X, np.where(y == 1, "sick", "healthy"))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))
    assert list(model.classes_) == ["healthy", "sick"] and set(model.predict(X)) <= {
        "healthy",
        "sick",
    }
    assert (
        roc_auc(y, model.decision_function(X)) >= model.history_["auc"][0]
    )  # five columns rank no worse than the first


def test_no_advantage_gives_a_warning():
    with pytest.warns(UserWarning, match="No weak ranker beats chance"):
        model = AUCBoost().fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    assert (model.decision_function(np.ones((3, 2))) == 0).all()


@pytest.mark.parametrize(
    "keywords, fit, word",
    [
        ({"ranking": "area"}, {}, "ranking"),
        ({"answers": "often"}, {}, "answers"),
        ({"n_bins": 1}, {}, "n_bins"),
        ({"n_bins": "all"}, {}, "n_bins must be 'auto'"),
        ({"n_bins": 9, "weak_ranker": FeatureRanker()}, {}, "n_bins"),
        ({"n_estimators": 0}, {}, "n_estimators"),
        ({"track_auc": "yes"}, {}, "track_auc must be True or False"),
        ({"track_auc": -1}, {}, "track_auc must be True or False"),
        ({}, {"y": np.zeros(200)}, "1 class"),
        ({}, {"y": np.arange(200) % 3}, "3 class"),
        ({}, {"sample_weight": -np.ones(200)}, "[Nn]egative"),
        ({}, {"X": np.full((200, 2), np.nan)}, "NaN"),
        ({}, {"y": [0, 1]}, "inconsistent"),
    ],
)
def test_bad_input_is_named(keywords, fit, word):
    X, y = data()
    with pytest.raises(ValueError, match=word):
        AUCBoost(**keywords).fit(**{"X": X, "y": y, **fit})


def test_weight_on_one_class_only():
    X, y = data()
    with pytest.raises(ValueError, match="one class"):
        AUCBoost().fit(X, y, sample_weight=y.astype(float))


@pytest.mark.kernel
def test_bins_lose_nothing_when_values_are_few():
    X, y = data()
    X = X.round(1)  # at most 255 distinct values: the edges are the midpoints
    a, b = (AUCBoost(n_estimators=20, n_bins=n_bins).fit(X, y) for n_bins in (None, 255))
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-9)
    for key in a.history_:
        np.testing.assert_allclose(a.history_[key], b.history_[key], atol=1e-9)


def test_few_rows_are_searched_exactly_and_many_in_bins():
    rng = np.random.default_rng(0)
    for n, meant in ((EXACT_ROWS, None), (EXACT_ROWS + 1, 255)):
        X = rng.normal(size=(n, 1))
        y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
        auto, named, other = (
            AUCBoost(n_estimators=2, n_bins=b).fit(X, y) for b in ("auto", meant, 64)
        )
        assert auto.n_bins_ == named.n_bins_ == meant
        assert auto.stages_ == named.stages_ != other.stages_
    assert (
        AUCBoost(n_estimators=2).fit(X[:3000].round(1), y[:3000]).n_bins_ == 255
    )  # few values: each has a bin
    assert (
        AUCBoost(FeatureRanker(), n_estimators=1).fit(X, y).n_bins_ is None
    )  # a weak ranker of your own has no bins here


@pytest.mark.parametrize("answers", ["balanced", "coin", "confidence"])
def test_the_product_of_Z_bounds_the_training_auc(answers):
    X, y = data(seed=3)
    model = AUCBoost(n_estimators=20, answers=answers, track_auc=True, random_state=0).fit(X, y)
    staged = [roc_auc(y, s) for s in model.staged_decision_function(X)]
    np.testing.assert_allclose(
        staged, model.history_["auc"], atol=1e-12
    )  # what was noted while training
    assert (model.history_["auc"] >= model.history_["bound"] - 1e-12).all()


@pytest.mark.kernel
def test_the_coin_depends_on_the_row_and_not_on_its_place():
    X, y = data()
    model = AUCBoost(n_estimators=10, answers="coin", random_state=0).fit(X, y)
    back = np.arange(len(y))[::-1]
    np.testing.assert_array_equal(
        model.decision_function(X)[back], model.decision_function(X[back])
    )
    other = AUCBoost(n_estimators=10, answers="coin", random_state=1).fit(X, y)
    assert (other.decision_function(X) != model.decision_function(X)).any()


def test_the_weak_ranker_as_an_estimator_is_the_default():
    X, y = data()
    a = AUCBoost(n_estimators=10).fit(X, y)
    b = AUCBoost(FeatureRanker(), n_estimators=10).fit(X, y)
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-9)


class Interrupting(FeatureRanker):
    calls = 0

    def fit(self, X, y, sample_weight=None):
        Interrupting.calls += 1
        if Interrupting.calls > 3:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


class Shortened(FeatureRanker):
    """A weak ranker that keeps a partial fit when its third fit is interrupted."""

    calls = 0

    def fit(self, X, y, sample_weight=None):
        Shortened.calls += 1
        if Shortened.calls == 3:
            warn_interrupted("interrupted: half of it is kept")
        return super().fit(X, y, sample_weight)


def test_a_weak_ranker_that_was_interrupted_is_no_round():
    X, y = data()
    with pytest.warns(InterruptedFit) as record:
        model = AUCBoost(Shortened()).fit(X, y)
    assert [str(w.message) for w in record] == [
        "interrupted: the first 2 of 100 rounds are kept"
    ] and model.n_estimators_ == 2
    Shortened.calls = 0
    with pytest.raises(KeyboardInterrupt):
        TreeRank(splitter=Shortened()).fit(X, y)


def test_interruption_keeps_the_rounds_done():
    X, y = data()
    with pytest.warns(UserWarning, match="first 3 of 100 rounds"):
        model = AUCBoost(Interrupting()).fit(X, y)
    np.testing.assert_array_equal(
        model.decision_function(X),
        AUCBoost(FeatureRanker(), n_estimators=3).fit(X, y).decision_function(X),
    )


class Silent(FeatureRanker):
    def decision_function(self, X):
        return np.full(len(X), np.nan)


def test_a_weak_ranker_that_gives_nan_is_named():
    with pytest.raises(ValueError, match="Silent.*NaN"):
        AUCBoost(Silent()).fit(*data())


def test_what_is_not_tracked_is_not_noted():
    X, y = data()
    a, b = (AUCBoost(n_estimators=5, track_auc=track).fit(X, y) for track in (True, False))
    assert set(a.history_) - set(b.history_) == {"auc"}
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))


def scores(model, X, y):
    return model.fit(X, y).decision_function(X)


@pytest.mark.parametrize(
    "options", [{}, {"answers": "coin"}, {"weak_ranker": DecisionTreeClassifier(max_depth=2)}]
)
def test_another_process_gives_the_same_scores(options):
    X, y = data()
    model = AUCBoost(n_estimators=4, random_state=0, **options)
    with ProcessPoolExecutor(1) as pool:
        there = pool.submit(scores, model, X, y).result()
        again = pool.submit(model.fit(X, y).decision_function, X).result()
    np.testing.assert_array_equal(there, model.decision_function(X))
    np.testing.assert_array_equal(again, there)


def test_stages_end_in_the_complete_model():
    X, y = data()
    model = AUCBoost(n_estimators=6).fit(X, y)
    margin = sum(np.where(X[:, s.ranker] >= s.edge, s.high, s.low) for s in model.stages_)
    np.testing.assert_allclose(
        margin, model.decision_function(X), atol=1e-12
    )  # the same sums in another order
    np.testing.assert_array_equal(
        model.weights_, [max(abs(s.low), abs(s.high)) for s in model.stages_]
    )


def test_warnings_point_at_the_line_that_called():
    with pytest.warns(UserWarning, match="DecisionTreeClassifier") as record:
        AUCBoost().fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    assert [w.filename for w in record] == [__file__]


def test_bins_and_thresholds_agree_on_the_first_round_of_any_kind_of_answer():
    X, y = data()
    for answers in ("balanced", "coin", "confidence"):
        a, b = (
            AUCBoost(n_estimators=1, answers=answers, n_bins=n_bins, random_state=0)
            .fit(X, y)
            .stages_[0]
            for n_bins in (None, 255)
        )
        assert a.ranker == b.ranker and a.edge == b.edge  # 200 rows: every threshold is an edge


def test_a_cut_has_the_largest_J_and_not_the_largest_r():
    """Lemma 4 as the paper has it: the measured rule (lessons/aucboost#sec-which-cut)."""
    X = np.repeat([3.0, 2, 1, 3, 2, 1], [10, 6, 4, 0, 7, 13])[:, None]
    y = np.repeat([1, 0], 20)
    model = AUCBoost(n_estimators=1, answers="balanced").fit(X, y)
    assert model.stages_[0].edge == 2.5  # J = .5 and r = 1/3; the cut at 1.5 has .45 and .391
    assert 1 - 2 * model.history_["error"][0] == pytest.approx(1 / 3)
    assert roc_auc(y, model.decision_function(X)) == pytest.approx(0.75)
