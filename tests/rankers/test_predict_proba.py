"""Probabilities of every ranker: scores calibrated on rows that the model was not fitted to."""

import inspect
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from contract import broken
from discovery import SMALL_DATA, all_rankers, document_rankers, small
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.naive_bayes import GaussianNB

from aucbook import AdditiveRanker, AUCBoost, TreeRank, TreeRankForest, roc_auc
from aucbook._base.ranker import calibration_folds, out_of_fold_scores
from aucbook.boosting import SMartiRank
from aucbook.deployment.model_files import read_model, write_model
from aucbook.isotonic import PAVCalibrator
from aucbook.pauc import PartialAUCSVMCV
from aucbook.text import BinaryNaiveBayes

RANKERS = all_rankers()
ASKED = [n for n, cls in RANKERS.items() if "probability" in inspect.signature(cls).parameters]
ALWAYS = [n for n in RANKERS if n not in ASKED]
OWN = ["AdditiveRanker", "TreeRank"]  # probabilities without `calibrator_`
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def with_probability(name, **parameters):
    """A quick ranker with probabilities."""
    if name in ASKED:
        parameters["probability"] = True
    if name == "RankingEnsemble":
        parameters["rankers"] = {"tree": TreeRank(3), "bayes": GaussianNB()}
    return small(name, **parameters)


def overlapping(n=1200, seed=0):
    """(X, y) of two Gaussians that overlap, a quarter of the rows positive."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.25).astype(int)
    return rng.normal(size=(n, 3)) + y[:, None] * [1.0, 0.5, 0.0], y


@pytest.mark.parametrize("name", RANKERS)
def test_probabilities_rank_as_scores_do_and_predict_follows_them(name):
    X, y = SMALL_DATA
    model = with_probability(name).fit(X, np.where(y == 1, "sick", "healthy"))
    p = model.predict_proba(X)
    assert p.shape == (len(X), 2) and (0 <= p).all()
    np.testing.assert_allclose(p.sum(1), 1)
    scores = model.decision_function(X)
    ranks = np.unique(scores, return_inverse=True)[1]
    np.testing.assert_array_equal(np.unique(p[:, 1], return_inverse=True)[1], ranks)
    np.testing.assert_array_equal(model.predict(X), model.classes_[p.argmax(1)])


@pytest.mark.parametrize("name", ASKED)
def test_probability_changes_no_score_and_without_it_there_is_no_predict_proba(name):
    X, y = SMALL_DATA
    plain, calibrated = small(name).fit(X, y), small(name, probability=True).fit(X, y)
    np.testing.assert_array_equal(plain.decision_function(X), calibrated.decision_function(X))
    assert isinstance(calibrated.calibrator_, PAVCalibrator)
    assert not hasattr(plain, "calibrator_")
    calibrated.set_params(probability=False).fit(X, y)
    assert not hasattr(calibrated, "calibrator_")
    if name in OWN:
        return
    assert not hasattr(plain, "predict_proba")
    with pytest.raises(
        AttributeError, match=f"{name} ranks, .* probability=True, .*five more fits"
    ):
        plain.predict_proba(X)


@pytest.mark.parametrize("name", RANKERS)
def test_named_columns_give_no_warning_about_their_names(name):
    X, y = SMALL_DATA
    frame = pd.DataFrame(X).add_prefix("column ")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "X does not have valid feature names")
        model = with_probability(name).fit(frame, y)
    assert model.feature_names_in_.tolist() == list(frame.columns)
    # pandas keeps columns together in memory, and sums are then rounded in another order
    expected = with_probability(name).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(frame), expected, atol=1e-6)


@pytest.mark.parametrize("name", ALWAYS)
def test_where_rows_are_left_out_anyway_probabilities_are_there_unasked(name):
    assert hasattr(small(name), "predict_proba")
    X, y = SMALL_DATA
    model = with_probability(name).fit(X, y)
    assert name in OWN or isinstance(model.calibrator_, PAVCalibrator)


@pytest.mark.parametrize("name", RANKERS)
def test_pickles_and_model_files_keep_the_probabilities(name, tmp_path):
    X, y = SMALL_DATA
    model = with_probability(name).fit(X, y)
    expected = model.predict_proba(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), expected)
    write_model(model, tmp_path / "model.skops")
    loaded = read_model(tmp_path / "model.skops")
    np.testing.assert_array_equal(loaded.predict_proba(X), expected)


def test_a_model_file_without_its_calibrator_or_with_another_one_is_refused():
    X, y = SMALL_DATA
    model = AUCBoost(n_estimators=3, probability=True).fit(X, y)
    model.__check_loaded__(3)
    for wrong in (PAVCalibrator().fit([1, 2], [0, 1]), "a word"):
        model.calibrator_ = wrong
        with pytest.raises(ValueError, match="calibrator_"):
            model.__check_loaded__(3)
    del model.calibrator_
    with pytest.raises(ValueError, match="calibrator_"):
        model.__check_loaded__(3)


# what scikit-learn's contract asks, and these rankers do not do, with probability=True
DIFFERS = {
    "check_classifiers_train": "scores keep their zero, which may not be a probability of 1/2",
    "check_classifiers_classes": "scores keep their zero, which may not be a probability of 1/2",
    "check_sample_weight_equivalence_on_dense_data": "a row of weight 2 lies in one fold",
    "check_sample_weight_equivalence_on_sparse_data": "a row of weight 2 lies in one fold",
}
NEGATIVE = {  # scikit-learn's checks with negative numbers, whatever the tags
    "check_class_weight_classifiers": "documents are counts",
    "check_decision_proba_consistency": "documents are counts",
}


@pytest.mark.parametrize("name", ASKED)
def test_scikit_learns_contract_with_probabilities(name):
    expected = DIFFERS | (NEGATIVE if name in document_rankers() else {})
    if name == "LinearAdaBoostFinite":
        expected = expected | {"check_class_weight_classifiers": "a line through zero"}
    assert broken(small(name, probability=True), expected) == {}


@pytest.mark.parametrize(
    "model",
    [AUCBoost(), TreeRank(8), TreeRankForest(40, random_state=0)],
    ids=lambda model: type(model).__name__,
)
def test_rows_left_out_calibrate_better_than_rows_of_the_fit(model):
    X, y = overlapping()
    new_X, new_y = overlapping(6000, seed=1)
    if "probability" in model.get_params():
        model.set_params(probability=True)
    model.fit(X, y)
    scores = model.decision_function(new_X)
    own_rows = PAVCalibrator("strict").fit(model.decision_function(X), y).predict_proba(scores)
    left_out = model.predict_proba(new_X)
    assert log_loss(new_y, left_out) < log_loss(new_y, own_rows)
    assert brier_score_loss(new_y, left_out[:, 1]) < brier_score_loss(new_y, own_rows[:, 1])
    assert abs(left_out[:, 1].mean() - new_y.mean()) < 0.03


def test_cross_fitting_is_as_good_as_scikit_learns():
    X, y = overlapping()
    new_X, new_y = overlapping(6000, seed=1)
    ours = AUCBoost(probability=True).fit(X, y).predict_proba(new_X)[:, 1]
    wrapped = CalibratedClassifierCV(AUCBoost(), method="isotonic", cv=5, ensemble=False)
    theirs = wrapped.fit(X, y).predict_proba(new_X)[:, 1]
    assert brier_score_loss(new_y, ours) < brier_score_loss(new_y, theirs) + 0.002


@pytest.mark.parametrize("name", ASKED)
def test_folds_and_seeds_do_not_depend_on_the_order_of_the_rows(name):
    X, y = SMALL_DATA
    first = small(name, probability=True).fit(X, y).predict_proba(X)
    again = small(name, probability=True).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(first, again)
    there = np.random.default_rng(0).permutation(len(y))
    other = small(name, probability=True).fit(X[there], y[there]).predict_proba(X)
    np.testing.assert_allclose(other, first, atol=1e-3)


@pytest.mark.parametrize("name", ["AUCBoost", "TreeRank", "PartialAUCSVM", "Cmls"])
def test_weights_reach_the_folds_and_the_calibrator(name):
    X, y = SMALL_DATA
    rng = np.random.default_rng(3)
    w = rng.integers(0, 3, y.size) * 1.0
    model = small(name, probability=True).fit(X, y, w)
    positive_weight = w > 0
    without = small(name, probability=True).fit(
        X[positive_weight], y[positive_weight], w[positive_weight]
    )
    np.testing.assert_array_equal(model.predict_proba(X), without.predict_proba(X))
    assert not np.allclose(
        small(name, probability=True).fit(X, y).predict_proba(X), model.predict_proba(X)
    )


def test_folds_are_stratified_and_as_even_as_can_be():
    X, y = overlapping(203)
    fold = calibration_folds(X, y, np.ones(203))
    for label in (0, 1):
        sizes = np.bincount(fold[y == label], minlength=5)
        assert sizes.size == 5 and np.ptp(sizes) <= 1
    assert not (np.diff(fold) % 5 == 1).all()  # not in the order of the table


def test_a_row_is_scored_by_a_model_that_did_not_have_it():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 2, 300)
    model = TreeRank(12, n_bins=None).fit(X, y)  # a leaf for nearly every row
    in_sample = model.decision_function(X)
    scores = out_of_fold_scores(model, X, y, np.ones(300))
    assert roc_auc(y, in_sample) > 0.7
    assert abs(roc_auc(y, scores) - 0.5) < 0.08


@pytest.mark.parametrize("n_positive, folds", [(2, 2), (4, 4)])
def test_a_small_class_has_fewer_folds_and_a_warning(n_positive, folds):
    X, y = overlapping(60)
    y[:] = np.arange(60) < n_positive
    with pytest.warns(UserWarning, match=f"on {folds} folds in place of 5.*only {n_positive} rows"):
        model = AUCBoost(n_estimators=3, probability=True).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_single_row_of_a_class_is_an_error_and_the_fit_leaves_no_trace():
    X, y = overlapping(30)
    y[:] = np.arange(30) < 1
    model = AUCBoost(n_estimators=3, probability=True)
    with pytest.raises(ValueError, match="probability=True needs two rows of each class"):
        model.fit(X, y)
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_probability_is_true_or_false(value):
    with pytest.raises(ValueError, match="probability"):
        AUCBoost(probability=value).fit(*SMALL_DATA)


def test_what_cannot_be_calibrated_says_so():
    X, y = SMALL_DATA
    splits = [(np.arange(24), np.arange(24, 48)), (np.arange(24, 48), np.arange(24))]
    with pytest.raises(ValueError, match="a number or a splitter"):
        PartialAUCSVMCV(cv=splits, probability=True).fit(X, y)
    with pytest.raises(ValueError, match="fit_oracle keeps no rows"):
        SMartiRank(probability=True).fit_oracle([(X, y)])


def test_a_pruned_copy_has_the_shares_of_its_leaves():
    X, y = overlapping(400)
    model = TreeRank(5, probability=True).fit(X, y)
    pruned = model.prune(n_leaves=3)
    assert "calibrator_" in vars(model) and "calibrator_" not in vars(pruned)
    plain = TreeRank(5).fit(X, y).prune(n_leaves=3)
    np.testing.assert_array_equal(pruned.predict_proba(X), plain.predict_proba(X))


def test_soft_voting_stacking_and_tuned_thresholds():
    X, y = overlapping(500)
    members = [
        ("boost", AUCBoost(n_estimators=10, probability=True)),
        ("forest", TreeRankForest(10, random_state=0)),
        ("curves", AdditiveRanker()),
    ]
    vote = VotingClassifier(members, voting="soft").fit(X, y)
    expected = np.mean([model.predict_proba(X) for model in vote.estimators_], axis=0)
    np.testing.assert_allclose(vote.predict_proba(X), expected)
    stack = StackingClassifier(
        members, LogisticRegression(), cv=3, stack_method="predict_proba"
    ).fit(X, y)
    assert stack.score(X, y) > 0.75
    tuned = TunedThresholdClassifierCV(
        AUCBoost(n_estimators=10, probability=True),
        scoring="balanced_accuracy",
        response_method="predict_proba",
        cv=3,
    ).fit(X, y)
    assert 0.05 < tuned.best_threshold_ < 0.6
    unasked = VotingClassifier([("boost", AUCBoost(n_estimators=10))], voting="soft").fit(X, y)
    with pytest.raises(AttributeError):
        unasked.predict_proba(X)


def test_probabilities_of_documents():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    X = rng.poisson(0.3 + y[:, None] * np.linspace(0, 0.3, 20), (300, 20))
    p = BinaryNaiveBayes(probability=True).fit(X, y).predict_proba(X)[:, 1]
    assert p[y == 1].mean() > 0.6
    assert p[y == 0].mean() < 0.4
