"""A decision is a fitted classifier: scikit-learn's tools take it, and give what a classifier of scikit-learn gives."""

import copy
import pickle
from dataclasses import replace
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV, CalibrationDisplay
from sklearn.datasets import make_classification
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.inspection import (
    DecisionBoundaryDisplay,
    PartialDependenceDisplay,
    partial_dependence,
    permutation_importance,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    DetCurveDisplay,
    PrecisionRecallDisplay,
    RocCurveDisplay,
    brier_score_loss,
    get_scorer,
    make_scorer,
    roc_auc_score,
)
from sklearn.model_selection import (
    FixedThresholdClassifier,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr, get_tags
from sklearn.utils.validation import check_is_fitted

from aucbook import compare, load_decision, scores_of
from aucbook.measures import AUC

X, Y = make_classification(300, 4, flip_y=0.2, random_state=0)
FRAME = pd.DataFrame(X, columns=["age", "dose", "pulse", "weight"])
MIXED = FRAME.assign(ward=np.where(X[:, 1] > 0, "north", "south"))
TABLES = {"array": X, "frame": FRAME, "mixed": MIXED}
# labels, and which is positive: the larger, and the smaller
LABELS = {
    "numbers": ([0, 1], 1),
    "numbers, smaller": ([0, 1], 0),
    "words": (["control", "ill"], "ill"),
    "words, smaller": (["case", "control"], "case"),
    "bools, smaller": ([False, True], False),
}


def labels_of(kind):
    """Labels of all rows; the rows that Y calls 1 are positive."""
    labels, positive = LABELS[kind]
    negative = next(label for label in labels if label != positive)
    return np.array([negative, positive])[Y]


@cache
def decided(table="array", labels="numbers", ranker=LogisticRegression):
    kind = TABLES[table]
    y = labels_of(labels)
    result = compare(kind, y, {"it": ranker()}, cv=3, pos_label=LABELS[labels][1])
    return result.decide(kind, max_fpr=0.2)


@pytest.fixture(params=["made", "loaded"])
def source(request, tmp_path):
    """A function of a decision: itself, or what is loaded from its file."""
    if request.param == "made":
        return lambda decision: decision
    return lambda decision: load_decision(decision.save(tmp_path / "model.skops"))


each_kind = pytest.mark.parametrize("labels", LABELS)
each_table = pytest.mark.parametrize("table", TABLES)


@each_kind
def test_classes_are_sorted_and_the_positive_label_is_named(labels, source):
    decision = source(decided(labels=labels))
    known, positive = LABELS[labels]
    negative = next(label for label in known if label != positive)
    assert decision.classes_.tolist() == sorted(known) and decision.pos_label == positive
    assert decision.negative_first == (negative, positive)
    score = decision.positive_scores(X)
    assert roc_auc_score(Y, score) > 0.7
    sign = 1 if positive == decision.classes_[1] else -1
    np.testing.assert_array_equal(decision.decision_function(X), sign * score)
    np.testing.assert_array_equal(scores_of(decision, X, positive), score)
    np.testing.assert_array_equal(decision.predict(X) == positive, score >= decision.threshold)
    p = decision.predict_proba(X)
    column = decision.classes_.tolist().index(positive)
    np.testing.assert_array_equal(p[:, column], decision.calibrator.transform(score))
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(np.argsort(p[:, column]), np.argsort(score))


@pytest.mark.filterwarnings("ignore:pos_label not given")
@each_kind
@each_table
def test_scorers_measure_what_they_measure_of_other_classifiers(table, labels, source):
    """With the positive label first, a scorer that trusts the order of classes_ would give 1 - AUC."""
    rows, y = TABLES[table], labels_of(labels)
    decision = source(decided(table, labels))
    score = decision.positive_scores(rows)
    area = roc_auc_score(Y, score)
    assert get_scorer("roc_auc")(decision, rows, y) == pytest.approx(area) and area > 0.7
    assert AUC.scorer()(decision, rows, y) == pytest.approx(area)
    right = (decision.predict(rows) == y).mean()
    assert get_scorer("accuracy")(decision, rows, y) == pytest.approx(right)
    assert decision.score(rows, y) == pytest.approx(right)
    weight = np.arange(300) % 3
    expected = np.average(decision.predict(rows) == y, weights=weight)
    assert decision.score(rows, y, sample_weight=weight) == pytest.approx(expected)
    positive = LABELS[labels][1]
    p = decision.predict_proba(rows)[:, decision.classes_.tolist().index(positive)]
    brier = make_scorer(
        brier_score_loss,
        response_method="predict_proba",
        greater_is_better=False,
        pos_label=positive,
    )
    assert brier(decision, rows, y) == pytest.approx(-np.mean((p - Y) ** 2))
    assert get_scorer("neg_log_loss")(decision, rows, y) > -0.7


def test_scorers_by_name():
    decision = decided()
    for name in ("roc_auc", "average_precision", "neg_brier_score", "f1", "recall", "accuracy"):
        assert np.isfinite(get_scorer(name)(decision, X, Y))


@each_kind
@each_table
@pytest.mark.parametrize(
    "display", [RocCurveDisplay, PrecisionRecallDisplay, DetCurveDisplay, CalibrationDisplay]
)
def test_displays_from_estimator(display, table, labels):
    rows, y = TABLES[table], labels_of(labels)
    shown = display.from_estimator(decided(table, labels), rows, y, pos_label=LABELS[labels][1])
    if display is RocCurveDisplay:
        score = decided(table, labels).positive_scores(rows)
        assert shown.roc_auc == pytest.approx(roc_auc_score(Y, score))
    plt.close("all")


@each_table
def test_inspection(table, source):
    rows = TABLES[table]
    decision = source(decided(table))
    importance = permutation_importance(
        decision, rows, Y, scoring="roc_auc", n_repeats=2, random_state=0
    ).importances_mean
    assert importance.shape == (rows.shape[1],) and importance.max() > 0.01
    dependence = partial_dependence(decision, rows, [0], grid_resolution=5)["average"]
    assert dependence.shape == (1, 5) and ((dependence > 0) & (dependence < 1)).all()
    if table == "mixed":
        dependence = partial_dependence(decision, rows, ["ward"], categorical_features=["ward"])
        assert dependence["average"].shape == (1, 2)
    PartialDependenceDisplay.from_estimator(decision, rows, [0, 1], grid_resolution=5)
    plt.close("all")


def test_importances_keep_their_sign_where_the_positive_label_is_the_smaller():
    importances = [
        permutation_importance(
            decided(labels=labels),
            X,
            labels_of(labels),
            scoring="roc_auc",
            n_repeats=2,
            random_state=0,
        ).importances_mean
        for labels in ("words", "words, smaller")
    ]
    np.testing.assert_allclose(*importances)


def test_decision_boundary_of_two_columns():
    rows = X[:, :2]
    decision = compare(rows, Y, {"it": LogisticRegression()}, cv=3).decide(rows, max_fpr=0.3)
    DecisionBoundaryDisplay.from_estimator(decision, rows, grid_resolution=5)
    plt.close("all")


@each_kind
def test_meta_estimators_take_a_frozen_decision(labels, source):
    y, positive = labels_of(labels), LABELS[labels][1]
    decision = source(decided(labels=labels))
    frozen = FrozenEstimator(decision)
    column = decision.classes_.tolist().index(positive)
    p = decision.predict_proba(X)[:, column]
    fixed = FixedThresholdClassifier(frozen, threshold=0.4, pos_label=positive).fit(X, y)
    np.testing.assert_array_equal(fixed.predict(X) == positive, p >= 0.4)
    by_score = FixedThresholdClassifier(
        frozen,
        threshold=decision.threshold,
        pos_label=positive,
        response_method="decision_function",
    ).fit(X, y)
    np.testing.assert_array_equal(by_score.predict(X), decision.predict(X))
    tuned = TunedThresholdClassifierCV(frozen, cv="prefit", refit=False).fit(X, y)
    assert tuned.score(X, y) >= 0.7
    calibrated = CalibratedClassifierCV(frozen, cv=3).fit(X, y)
    assert calibrated.classes_.tolist() == decision.classes_.tolist()
    q = calibrated.predict_proba(X)[:, column]
    assert roc_auc_score(Y, q) > 0.7 and np.mean((q - Y) ** 2) < 0.25
    folds = cross_val_score(frozen, X, y, cv=3, scoring="roc_auc")
    assert (folds > 0.7).all()
    by_fold = cross_validate(frozen, X, y, cv=3, scoring=["accuracy", "roc_auc"])
    assert np.mean(by_fold["test_accuracy"]) == pytest.approx(decision.score(X, y))


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_voting_over_frozen_decisions(voting):
    frozen = [
        ("line", FrozenEstimator(decided())),
        ("bayes", FrozenEstimator(decided(ranker=GaussianNB))),
    ]
    vote = VotingClassifier(frozen, voting=voting).fit(X, Y)
    if voting == "hard":  # a tie of two votes goes to the smaller label
        votes = [decision.predict(X) for _, decision in frozen]
        np.testing.assert_array_equal(vote.predict(X), np.minimum(*votes))
    else:
        mean = np.mean([decision.predict_proba(X) for _, decision in frozen], axis=0)
        np.testing.assert_allclose(vote.predict_proba(X), mean)


def test_a_pipeline_predicts_with_it():
    scaler = StandardScaler().fit(X)
    decision = compare(scaler.transform(X), Y, {"it": LogisticRegression()}, cv=3).decide(
        scaler.transform(X), max_fpr=0.2
    )
    line = make_pipeline(scaler, decision)
    check_is_fitted(line)
    np.testing.assert_array_equal(line.predict(X), decision.predict(scaler.transform(X)))
    assert get_scorer("roc_auc")(line, X, Y) == get_scorer("roc_auc")(
        decision, scaler.transform(X), Y
    )
    with sklearn.config_context(enable_metadata_routing=True):
        np.testing.assert_array_equal(line.predict(X), decision.predict(scaler.transform(X)))


@each_table
def test_tags_and_columns(table, source):
    decision = source(decided(table))
    tags = get_tags(decision)
    assert is_classifier(decision) and not tags.classifier_tags.multi_class
    assert tags.input_tags.allow_nan == tags.input_tags.string == (table != "array")
    check_is_fitted(decision)
    assert decision.n_features_in_ == TABLES[table].shape[1]
    if table == "array":
        assert not hasattr(decision, "feature_names_in_")
    else:
        assert decision.feature_names_in_.tolist() == list(TABLES[table].columns)


def test_tags_follow_the_model():
    rows = csr_array(np.abs(X) * (X > 0.5))
    decision = compare(rows, Y, {"it": LogisticRegression()}, cv=3).decide(rows, max_fpr=0.3)
    assert get_tags(decision).input_tags.sparse and decision.n_features_in_ == 4
    assert get_scorer("accuracy")(decision, rows, Y) == decision.score(rows, Y)
    assert not get_tags(decided(ranker=GaussianNB)).input_tags.sparse


def test_parameters_are_its_fields():
    decision = decided()
    parameters = decision.get_params()
    assert parameters["threshold"] == decision.threshold and "model__C" not in parameters
    again = type(decision)(**parameters)
    np.testing.assert_array_equal(again.predict(X), decision.predict(X))
    assert decision.set_params(**parameters) is decision and decision.set_params() is decision
    for change in ({"threshold": 9.0}, {"model__C": 2}, {"nothing": 1}):
        with pytest.raises(ValueError, match=r"cannot be set.*decide again.*FixedThreshold"):
            decision.set_params(**change)
    assert decision.threshold == parameters["threshold"]
    assert replace(decision, threshold=9.0).threshold == 9  # on purpose, by dataclasses


def test_it_is_never_fitted_again():
    decision = decided()
    expected = decision.predict_proba(X)
    for fit in (
        decision.fit,
        make_pipeline(StandardScaler(), decision).fit,
        CalibratedClassifierCV(decision).fit,
        FixedThresholdClassifier(decision).fit,
        VotingClassifier([("it", decision)]).fit,
    ):
        with pytest.raises(ValueError, match=r"fitted already.*FrozenEstimator\(decision\)"):
            fit(X, Y)
    with pytest.raises(ValueError, match=r"FrozenEstimator\(decision\)"):
        cross_val_score(decision, X, Y, cv=3, error_score="raise")
    np.testing.assert_array_equal(decision.predict_proba(X), expected)


def test_copies():
    decision = decided("mixed", "words, smaller")
    assert clone(decision) is decision and clone(FrozenEstimator(decision)).estimator is decision
    for again in (copy.deepcopy(decision), pickle.loads(pickle.dumps(decision))):
        np.testing.assert_array_equal(again.predict_proba(MIXED), decision.predict_proba(MIXED))
        assert again.feature_names_in_.tolist() == list(MIXED.columns)


def test_shap_may_clear_the_names_of_its_copy():
    """It sets feature_names_in_ of a copy to None, so that arrays of the same columns need no warning."""
    decision = copy.deepcopy(decided("frame"))
    decision.feature_names_in_ = None
    np.testing.assert_array_equal(decision.predict(FRAME), decided("frame").predict(FRAME))
    assert decided("frame").feature_names_in_ is not None


def test_it_is_shown_as_its_table_not_as_a_diagram():
    decision = decided()
    assert repr(decision).startswith("Decision(ranker='it', threshold=")
    bundle = decision._repr_mimebundle_()
    assert bundle["text/html"] == decision._repr_html_() and "held out" in bundle["text/html"]
    assert "Decision" in estimator_html_repr(FrozenEstimator(decision))


def test_a_model_card():
    card = pytest.importorskip("skops.card")
    text = card.Card(decided("mixed")).render()
    assert "threshold" in text and "max_fpr" in text


@pytest.mark.filterwarnings("ignore:X has feature names", "ignore:X does not have valid feature")
@pytest.mark.parametrize("output", ["pandas", "polars"])
@each_table
def test_output_settings_do_not_reach_within(output, table):
    pytest.importorskip(output)
    rows, decision = TABLES[table], decided(table)
    with sklearn.config_context(transform_output=output):
        p = decision.predict_proba(rows)
        again = compare(rows, Y, {"it": LogisticRegression()}, cv=3).decide(rows, max_fpr=0.2)
    assert isinstance(p, np.ndarray)
    # a data frame has another memory layout than an array, so sums are rounded otherwise
    np.testing.assert_allclose(p, decision.predict_proba(rows), rtol=1e-9)
    np.testing.assert_allclose(again.predict_proba(rows), p, rtol=1e-9)


@pytest.mark.parametrize("columns", [3, 5])
@each_table
def test_another_number_of_columns_is_refused(table, columns, source):
    decision = source(decided(table))
    known = decision.n_features_in_
    rows = np.zeros((5, known + columns - 4))
    for method in (decision.predict, decision.predict_proba, decision.decision_function):
        with pytest.raises(
            ValueError, match=f"X has {rows.shape[1]} features, but Decision is expecting {known}"
        ):
            method(rows)
    with pytest.raises(ValueError, match="2D"):
        decision.predict(np.zeros(known))


def test_an_unfitted_model_is_not_fitted():
    unfitted = replace(decided(), model=LogisticRegression())
    for call in (lambda: check_is_fitted(unfitted), lambda: unfitted.predict(X)):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            call()


def test_three_classes_are_refused_by_scorers():
    with pytest.raises(ValueError, match=r"[Mm]ulticlass|multi_class"):
        get_scorer("roc_auc")(decided(), X, np.arange(300) % 3)


def test_files_hold_the_positive_label(tmp_path):
    decision = decided(labels="words, smaller")
    for change, words in (
        ({"pos_label": "someone"}, "pos_label must be one of"),
        ({"pos_label": None}, "pos_label must be a label"),
        ({"classes_": decision.classes_[::-1]}, "classes_ must be in sorted order"),
    ):
        with pytest.raises(ValueError, match=words):
            replace(decision, **change).save(tmp_path / "model.skops")
