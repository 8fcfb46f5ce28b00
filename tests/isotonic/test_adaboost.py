"""LinearAdaBoost and PAVAdaBoost: scikit-learn's contract, Theorem 1, Theorem 2, what they keep, bad input."""

import pickle
import warnings

import numpy as np
import pytest
from contract import broken
from labelled_rows import tied_normal_rows as sample
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from aucbook import PAVAdaBoost, roc_auc
from aucbook.isotonic import IsotonicLink, LinearAdaBoost, LinearLink

MODELS = [
    LinearAdaBoost(n_estimators=5),
    LinearAdaBoost(n_estimators=5, constant=True),
    PAVAdaBoost(n_estimators=5),
    PAVAdaBoost(n_estimators=5, n_bins=8),
    PAVAdaBoost(DecisionTreeClassifier(max_depth=1), n_estimators=3, random_state=0),
]


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [MODELS[1], *MODELS[3:]], ids=str)  # plain ones: test_rankers
def test_scikit_learns_contract(estimator):
    pure = {"check_class_weight_classifiers": "a side of a cut without negatives stays positive"}
    assert broken(estimator, pure if estimator.weak_ranker is not None else {}) == {}


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_theorem_1_and_the_stages(model):
    X, y = sample()
    model.fit(X, y)
    stages = list(model.staged_decision_function(X))
    assert (
        len(stages) == model.n_estimators_ == model.history_["Z"].size
        and (model.history_["Z"] < 1).all()
    )
    for f, error, bound in zip(stages, model.history_["error"], model.history_["bound"]):
        assert error == np.mean((2 * y - 1) * f <= 0) <= bound + 1e-12
        assert np.mean(np.exp(-(2 * y - 1) * f)) == pytest.approx(
            bound, rel=1e-9
        )  # the product of the Z, telescoped
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), stages[-1])


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_rounds_are_public(model):
    X, y = sample()
    model.fit(X, y)
    assert len(model.links_) == len(model.weak_rankers_) == model.n_estimators_
    assert all(
        isinstance(link, IsotonicLink if isinstance(model, PAVAdaBoost) else LinearLink)
        for link in model.links_
    )
    f = sum(link.votes(weak.scores(X)) for weak, link in zip(model.weak_rankers_, model.links_))
    np.testing.assert_allclose(
        f, model.decision_function(X), atol=1e-12
    )  # another order of summation, from zero


def test_pav_beats_every_line_in_its_first_round():
    X, y = sample()
    Z = [
        model.fit(X, y).history_["Z"][0]
        for model in (
            PAVAdaBoost(n_estimators=1),
            LinearAdaBoost(n_estimators=1, constant=True),
            LinearAdaBoost(n_estimators=1),
        )
    ]
    assert sorted(Z) == Z  # each link contains the next


def test_votes_are_half_log_odds_by_hand():
    X, y = np.array([[1.0], [2], [2], [3]]), np.array([0, 0, 1, 1])
    votes = PAVAdaBoost(n_estimators=1).fit(X, y).decision_function([[0], [1], [1.5], [2], [9]])
    loud = np.log(3) / 2
    between = np.log(3 / 5) / 2  # clip 1/4, then interpolation: midway between 1/4 and 1/2 is 3/8
    np.testing.assert_allclose(votes, [-loud, -loud, between, 0, loud], atol=1e-12)


@pytest.mark.parametrize(
    "change, word",
    [
        ({"n_estimators": 0}, "n_estimators"),
        ({"clip": 0}, "clip"),
        ({"clip": 0.5}, "clip"),
        ({"n_bins": 1}, "n_bins"),
        ({"n_bins": 256}, "n_bins"),
        ({"n_estimators": 2.5}, "n_estimators must be a whole number, at least 1, got 2.5"),
        ({"n_estimators": "a"}, "n_estimators"),
        ({"n_bins": 8.5}, "n_bins must be .* got 8.5"),
        ({"n_bins": "a"}, "n_bins must be .* got 'a'"),
        ({"clip": "a"}, "clip must be .* got 'a'"),
        ({"clip": 1e-17}, "1 - clip is rounded to 1"),
        ({"clip": np.nan}, "clip"),
    ],
)
def test_bad_parameters(change, word):
    with pytest.raises(ValueError, match=word):
        PAVAdaBoost(**change).fit(*sample(30))


@pytest.mark.parametrize("n_bins", [None, 8])
def test_large_weights_leave_the_votes_finite(n_bins):
    X, y = sample()
    assert np.isfinite(
        PAVAdaBoost(n_estimators=5, n_bins=n_bins)
        .fit(X, y, np.full(y.size, 1e15))
        .decision_function(X)
    ).all()


def test_weights_that_sum_to_one_give_a_warning():
    X, y = sample()
    with pytest.warns(UserWarning, match="sums to 1 on 200 rows: here weights count rows"):
        PAVAdaBoost(n_estimators=2).fit(X, y, np.full(200, 1 / 200))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing counts rows here
        PAVAdaBoost(n_estimators=2, clip=0.01).fit(X, y, np.full(200, 1 / 200))
        LinearAdaBoost(n_estimators=2).fit(X, y, np.full(200, 1 / 200))


def test_values_whose_squares_overflow():
    X, y = sample(30)
    with pytest.raises(ValueError, match=r"column 0 .*e\+30., too large to be squared"):
        PAVAdaBoost().fit(X[:, :1] * 1e300, y)


def test_constant_scores_warn_and_one_class_is_an_error():
    with pytest.warns(UserWarning, match="better than chance.*weak_ranker") as caught:
        assert (
            PAVAdaBoost().fit(np.ones((9, 2)), np.arange(9) % 2).decision_function(np.ones((3, 2)))
            == 0
        ).all()
    assert caught[0].filename == __file__  # the warning points at the line that called fit
    with pytest.raises(ValueError, match="one class"):
        PAVAdaBoost().fit(np.arange(4.0)[:, None], [0, 0, 1, 1], sample_weight=[1, 1, 0, 0])


class Infinite(LogisticRegression):
    def decision_function(self, X):
        return np.full(len(X), np.inf)


class Stopper(LogisticRegression):
    calls = 0

    def fit(self, X, y, sample_weight=None):
        Stopper.calls += 1
        if Stopper.calls > 2:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


def test_infinite_scores_and_an_interruption():
    X, y = sample()
    with pytest.raises(ValueError, match="weak ranker gave scores that are not finite"):
        PAVAdaBoost(Infinite()).fit(X, y)
    with pytest.warns(UserWarning, match="interrupted"):
        model = PAVAdaBoost(Stopper(), n_estimators=9).fit(X, y)
    assert (
        model.n_estimators_ >= 1 and roc_auc(y, model.decision_function(X)) > 0.7
    )  # the best column alone: .76


@pytest.mark.parametrize("kind", [LinearAdaBoost, PAVAdaBoost])
def test_sparse_rows_for_a_weak_ranker_that_takes_them(kind):
    X, y = sample()
    weight = np.arange(len(y)) % 3  # some rows of weight zero
    dense = kind(LogisticRegression(), n_estimators=3).fit(X, y, weight)
    sparse = kind(LogisticRegression(), n_estimators=3).fit(csr_array(X), y, weight)
    np.testing.assert_allclose(
        sparse.decision_function(csr_array(X)), dense.decision_function(X), atol=1e-6
    )  # lbfgs stops at 1e-4 of the gradient
    with pytest.raises(TypeError, match="(?i)sparse"):
        kind().fit(csr_array(X), y)
