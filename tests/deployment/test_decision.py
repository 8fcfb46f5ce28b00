"""Decision: its guarantee is counted on held-out rows, and its file holds no code."""

import html
import json
import pickle
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from aucbook import (
    AUCBoost,
    PAVCalibrator,
    compare,
    compare_scores,
    default_rankers,
    fpr_threshold,
    load_decision,
)
from aucbook._base.estimates import Estimate
from aucbook._evaluation.folds import ExecutionConfig, LabelledRows
from aucbook.calibration import (
    BetaCalibrator,
    PlattCalibrator,
    TemperatureCalibrator,
    VennAbersCalibrator,
    score_decomposition,
)
from aucbook.deployment import Decision
from aucbook.deployment.decision import (
    check_decision,
    choose_calibration_rows,
    evaluate_in_folds,
    file_fields,
    held_out_of_comparison,
)
from aucbook.deployment.model_files import pack, read_model, write_model
from aucbook.reporting.recommendation import advice
from aucbook.reporting.report import guarantee_remarks, report_items
from aucbook.thresholds import FprGuarantee
from aucbook.thresholds.fpr_thresholds import GuaranteeError
from aucbook.thresholds.limits import ThresholdLimits

X, Y = make_classification(300, 4, flip_y=0.2, random_state=0)
RANKERS = {"line": LogisticRegression(), "bayes": GaussianNB()}


def tried_in_folds(result, name, guarantee):
    training_rows = np.setdiff1d(
        np.arange(Y.size), choose_calibration_rows(np.arange(Y.size), result.cases, guarantee)
    )
    return evaluate_in_folds(
        result.cases,
        X,
        {name: result.rankers[name]},
        ThresholdLimits(fpr_guarantee=guarantee),
        ExecutionConfig(),
        training_rows,
    )


@pytest.fixture(scope="module")
def result():
    return compare(X, Y, RANKERS, max_fpr=0.2, cv=3)


def test_the_parts_of_a_decision(result):
    decision = result.decide(X, "line")
    calibration_rows = choose_calibration_rows(
        np.arange(300), LabelledRows(Y, np.unique(Y)), FprGuarantee(0.2)
    )
    assert decision.calibration_set == {
        "negatives": calibration_rows.size,
        "groups": None,
        "positives": 0,
        "unused": 0.0,
    }
    assert (Y[calibration_rows] == 0).all() and calibration_rows.size == int(0.3 * np.sum(Y == 0))
    training_rows = np.setdiff1d(np.arange(300), calibration_rows)
    model = LogisticRegression().fit(X[training_rows], Y[training_rows])
    np.testing.assert_array_equal(decision.decision_function(X), model.decision_function(X))
    calibration_scores = model.decision_function(X[calibration_rows])
    # one positive, whose score plays no part
    assert decision.threshold == fpr_threshold(
        np.r_[1, Y[calibration_rows]], np.r_[0, calibration_scores], 0.2
    )
    np.testing.assert_array_equal(
        decision.predict(X) == 1, decision.decision_function(X) >= decision.threshold
    )
    assert (
        decision.ranker == "line"
        and result.decision is decision
        and str(decision).count("held out") == 6
    )
    assert list(decision.performance.to_frame().columns) == ["value", "low", "high"]
    for value, low, high in decision.performance.estimates().values():
        assert low <= value <= high


def test_probabilities_of_new_rows_are_as_stated_on_average():
    """Over twenty tables of 400 rows, a fifth of them positive; models of the folds meet positives more often."""

    def drawn(n, rng):
        y = (rng.random(n) < 0.2).astype(int)
        return rng.normal(size=(n, 3)) + 0.8 * y[:, None], y

    new, off = drawn(20_000, np.random.default_rng(0))[0], []
    for seed in range(1, 21):
        table, y = drawn(400, np.random.default_rng(seed))
        decision = compare(table, y, {"bayes": GaussianNB()}, max_fpr=0.1).decide(table)
        off.append(
            decision.predict_proba(new)[:, 1].mean() - decision.performance.mean_probability.value
        )
    assert abs(np.mean(off)) < 3 * np.std(off, ddof=1) / np.sqrt(20), np.mean(off)


@pytest.mark.parametrize("groups", [None, np.arange(300) // 3])
def test_the_procedure_is_repeated_in_each_fold(groups):
    """The same by hand: a model and a threshold for each fold, of rows that are in no other part."""
    result = compare(X, Y, RANKERS, max_fpr=0.2, cv=3, groups=groups)
    tried = tried_in_folds(result, "line", FprGuarantee(0.3, 0.95))
    units = 300 if groups is None else 100
    for k, (train, test) in enumerate(result.folds):
        own_units = np.unique(np.arange(300) if groups is None else groups)
        healthy = np.unique((np.arange(300) if groups is None else groups)[Y == 0]).size
        here = np.unique((train if groups is None else groups[train])[Y[train] == 0]).size
        calibration_rows = choose_calibration_rows(
            np.sort(train),
            result.cases,
            FprGuarantee(0.3),
            min(0.5, 0.3 * healthy / here),
            seed=k + 1,
        )
        assert (
            np.isin(calibration_rows, train).all()
            and not np.isin(calibration_rows, test).any()
            and own_units.size == units
        )
        if groups is not None:
            rest = np.setdiff1d(train, calibration_rows)
            assert not np.isin(groups[calibration_rows], groups[rest]).any()
        training_rows = np.setdiff1d(train, calibration_rows)
        model = LogisticRegression().fit(X[training_rows], Y[training_rows])
        of = None if groups is None else np.r_[-1, groups[calibration_rows]]
        theta = fpr_threshold(
            np.r_[1, Y[calibration_rows]],
            np.r_[0, model.decision_function(X[calibration_rows])],
            0.3,
            groups=of,
        )
        np.testing.assert_array_equal(
            tried.alarms[tried.fold == k], model.decision_function(X[test]) >= theta
        )
        np.testing.assert_array_equal(tried.rows[tried.fold == k], test)


def test_with_few_negatives_the_guarantee_is_approximate(result):
    rows = np.r_[np.flatnonzero(Y == 1), np.flatnonzero(Y == 0)[:80]]
    few = compare(X[rows], Y[rows], RANKERS, cv=3)
    decision = few.decide(X[rows], "line", max_fpr=0.1)
    assert (
        decision.calibration_set is None
        and "approximate maximum FPR (95 % confidence)" in str(decision)
        and "approximate" in decision.sentences()[1]
    )
    np.testing.assert_array_equal(
        decision.decision_function(X),
        LogisticRegression().fit(X[rows], Y[rows]).decision_function(X),
    )
    scores = few.standard_scores["line"]
    model_scores = decision.decision_function(X[rows])
    assert decision.threshold == pytest.approx(
        fpr_threshold(Y[rows], model_scores.mean() + model_scores.std() * scores, 0.1), rel=1e-12
    )
    assert decision.performance.fpr.high > 0.1  # eighty rows are not sure


class Overfitting(GaussianNB):
    """Overfits: it classifies its training rows correctly, and flags all others."""

    def fit(self, X, y, sample_weight=None):
        self.known = {row.tobytes(): label for row, label in zip(X, y)}
        return super().fit(X, y, sample_weight)

    def decision_function(self, X):
        far = np.abs(X[:, 0]) * 1e-3
        return np.array([self.known.get(row.tobytes(), 0.5) for row in X]) + far


@pytest.mark.parametrize("seed", range(20))
def test_the_guarantee_holds_for_an_overfitted_ranker(seed):
    rng = np.random.default_rng(seed)

    def draw(n):
        y = np.arange(n) % 2
        return rng.normal(size=(n, 2)) + y[:, None], y

    (X, y), (new, _) = draw(800), draw(20_000)
    decision = compare(X, y, {"overfitting": Overfitting()}, cv=2).decide(
        X, max_fpr=0.1, confidence_level=0.999
    )
    assert decision.predict(new[::2]).mean() <= 0.1


def test_the_calibration_set_has_whole_groups():
    group = np.arange(300) // 3
    decision = compare(X, Y, RANKERS, cv=3, groups=group).decide(X, "line", max_fpr=0.3)
    calibration_rows = choose_calibration_rows(
        np.arange(300), LabelledRows(Y, np.unique(Y), groups=group), FprGuarantee(0.3)
    )
    assert (
        decision.calibration_set["groups"] == np.unique(group[calibration_rows]).size
        and decision.calibration_set["positives"] == Y[calibration_rows].sum() > 0
    )
    assert not np.isin(group[calibration_rows], np.delete(group, calibration_rows)).any()
    assert any("held out of training as well" in text for text in decision.sentences())


def test_unused_fpr_by_tied_scores_is_reported():
    """Half of the negatives have one score: all of them are flagged, or none."""
    rng = np.random.default_rng(0)
    y = np.arange(1000) % 2
    x = np.where(rng.random(1000) < 0.5, 0.0, rng.normal(size=1000))[:, None] + y[:, None] * (
        rng.random((1000, 1)) < 0.5
    )
    x[(y == 0) & (x[:, 0] > 0)] = 0  # nothing healthy above the atom
    decision = compare(x, y, {"line": LogisticRegression()}, cv=3).decide(x, max_fpr=0.2)
    assert decision.calibration_set["unused"] > 0.5 and any(
        "tied score" in text for text in decision.sentences()
    )


class Rescaled(LogisticRegression):
    """Ranks as logistic regression does, on another scale in each fit."""

    def decision_function(self, X):
        return (
            super().decision_function(X) * self.intercept_.item() ** 2 * 1e4
            + 1e3 * self.coef_[0, 0]
        )


def test_fold_models_of_other_scales_share_a_threshold():
    result = compare(
        X,
        Y,
        {"line": RANKERS["line"], "scaled": Rescaled(), "bayes": GaussianNB()},
        max_fpr=0.2,
        cv=5,
    )
    line, scaled = (result.decide(X, name) for name in ("line", "scaled"))
    assert np.ptp([result.scores["scaled"][result.fold == k].std() for k in range(5)]) > 1
    # scores a thousand units from zero lose three digits, their differences some more
    np.testing.assert_allclose(
        result.standard_scores["line"], result.standard_scores["scaled"], rtol=1e-9
    )
    np.testing.assert_array_equal(line.predict(X), scaled.predict(X))
    np.testing.assert_allclose(line.predict_proba(X), scaled.predict_proba(X), rtol=1e-6)
    assert line.performance.alarm_rate.value == scaled.performance.alarm_rate.value
    np.testing.assert_array_equal(
        result.standard_scores["bayes"], result.scores["bayes"]
    )  # probabilities


class Step(GaussianNB):
    """Two scores: is the first column above 0?"""

    def decision_function(self, X):
        return (X[:, 0] > 0) * 1.0


@pytest.mark.parametrize("seed", range(5))
def test_tied_scores_do_not_flag_all_rows(seed):
    """The lower score is a little higher or lower in each fold, measured in the folds' own units."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 300)
    x = np.where(rng.random(600) < np.where(y == 1, 0.5, 0.04), 1.0, -1.0)[:, None]
    decision = compare(x, y, {"step": Step()}, cv=5).decide(x, max_fpr=0.5)
    assert decision.predict(x).tolist() == (x[:, 0] > 0).astype(int).tolist()


def test_performance_is_measured_on_held_out_rows(result):
    decision = result.decide(X, "bayes", max_fpr=0.3, confidence_level=None)
    tried = tried_in_folds(result, "bayes", FprGuarantee(0.3, None))
    y = Y[tried.rows]
    flagged = tried.alarms
    s = tried.scores
    e = decision.performance
    assert (
        e.alarm_rate.value == pytest.approx(flagged.mean())
        and e.precision.value == y[flagged].mean()
    )
    assert (e.tpr.value, e.fpr.value) == (flagged[y == 1].mean(), flagged[y == 0].mean())
    price = e.threshold_probability.value / (1 - e.threshold_probability.value)
    assert e.net_benefit.value == pytest.approx(
        np.mean(flagged & (y == 1)) - price * np.mean(flagged & (y == 0))
    )
    assert (
        e.threshold_probability.value
        == decision.calibrator.transform(np.array([decision.threshold]))[0]
    )
    p = np.empty(y.size)
    for k in range(3):
        fold = tried.fold == k
        p[fold] = PAVCalibrator("strict").fit(s[~fold], y[~fold]).transform(s[fold])
    assert e.mean_probability.value == pytest.approx(p.mean()) and e.brier.value == pytest.approx(
        np.mean((p - y) ** 2)
    )
    assert 0 <= e.miscalibration.value < e.brier.value


def test_miscalibration_of_many_rows_lies_in_its_interval():
    """Few rows show miscalibration where there is none: a plain bootstrap interval would never contain it."""
    held = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(20_600, 2))
        y = (rng.random(len(x)) < 1 / (1 + np.exp(2 - x @ [1.2, 0.7]))).astype(int)
        decision = compare(x[:600], y[:600], {"line": LogisticRegression()}, max_fpr=0.1).decide(
            x[:600]
        )
        low, high = decision.performance.miscalibration[1:]
        miscalibration = score_decomposition(
            y[600:], decision.predict_proba(x[600:])[:, 1]
        ).miscalibration
        held += low <= miscalibration <= high
    assert held >= 8


@pytest.mark.slow
def test_interval_of_a_tpr_of_one_is_not_empty():
    """A bootstrap of sixty flagged rows would have no spread: every resample has a TPR of one."""
    held, all_rang = 0, 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = (rng.random(600) < 0.1).astype(int)
        separable = (
            rng.random(600) < 0.98
        )  # the others look like negatives, of which about .06 are flagged
        x = rng.normal(size=(600, 1)) + 6 * (y * separable)[:, None]
        decision = compare(x, y, {"line": LogisticRegression()}, max_fpr=0.1).decide(x)
        low, high = decision.performance.tpr[1:]
        held += low <= 0.98 + 0.02 * 0.06 <= high
        all_rang += decision.performance.tpr.value == 1
        assert low < decision.performance.tpr.value and low > 0.8
    assert all_rang >= 3 and held >= 18


def test_weights_and_time():
    weight = 1.0 + np.arange(300) % 3
    weight[::7] = 0
    result = compare(X, Y, RANKERS, cv=TimeSeriesSplit(4), sample_weight=weight, max_fpr=0.3)
    decision = result.decide(X, "line")
    calibration_rows = choose_calibration_rows(
        np.flatnonzero(weight), LabelledRows(Y, np.unique(Y)), FprGuarantee(0.3)
    )
    training_rows = np.setdiff1d(np.arange(300), calibration_rows)
    model = clone(RANKERS["line"]).fit(
        X[training_rows], Y[training_rows], sample_weight=weight[training_rows]
    )
    np.testing.assert_array_equal(decision.decision_function(X), model.decision_function(X))
    assert decision.threshold == fpr_threshold(
        np.r_[1, Y[calibration_rows]],
        np.r_[0, decision.decision_function(X[calibration_rows])],
        0.3,
    )
    held_out = tried_in_folds(result, "line", FprGuarantee(0.3, 0.95))
    tested = held_out.rows[held_out.fold > 0]  # the first period calibrates the later ones only
    assert (weight[held_out.rows] > 0).all() and decision.in_time
    assert np.array_equal(tested, held_out.rows[held_out.evaluated])
    assert decision.performance.prevalence.value == pytest.approx(
        np.average(Y[tested], weights=weight[tested])
    )
    assert [text for text in guarantee_remarks(result) if "weights" in text] and len(
        guarantee_remarks(result)
    ) == 1


@pytest.mark.parametrize("options", [{"max_fpr": 0.1}, {"miss_cost": 4, "alarm_cost": 1}])
@pytest.mark.parametrize("n", [120, 300])
def test_in_time_nothing_that_comes_later_changes_what_is_measured_earlier(options, n):
    """Labels of the last period are reversed: predictions of the earlier ones stay as they are."""
    last = n - n // 5
    reversed_labels = np.where(np.arange(n) < last, Y[:n], 1 - Y[:n])
    early = []
    for y in (Y[:n], reversed_labels):
        result = compare(X[:n], y, RANKERS, cv=TimeSeriesSplit(4), measures=["auc", "brier"])
        held_out = result.decide(X[:n], "line", **options).held_out
        rows = np.arange(n - held_out.p.size, n)  # all folds but the first
        early.append(held_out.p[rows < last])
        if "miss_cost" in options:
            assert held_out.p.size == 3 * (n // 5)
        briers = result.fold_values["line"][:-1, 1]
        assert np.isfinite(briers).all()
    if "miss_cost" in options:
        np.testing.assert_allclose(*early, rtol=1e-9)


def test_in_time_a_threshold_from_folds_needs_enough_earlier_negatives():
    """Few negatives: the guarantee comes from the folds, and those before it are not evaluated."""
    y, x = Y[:100], X[:100]
    result = compare(x, y, RANKERS, cv=TimeSeriesSplit(4))
    held_out = held_out_of_comparison(
        result, "line", ThresholdLimits(fpr_guarantee=FprGuarantee(0.1, None))
    )
    assert not held_out.evaluated.all()
    for k in np.unique(held_out.fold[held_out.evaluated]):
        assert (y[held_out.rows[held_out.fold < k]] == 0).sum() >= 9
    with pytest.raises(GuaranteeError):
        held_out_of_comparison(result, "line", ThresholdLimits(fpr_guarantee=FprGuarantee(0.001)))


CALIBRATORS = [
    PlattCalibrator(inputs="scores"),
    BetaCalibrator(inputs="scores"),
    TemperatureCalibrator(inputs="scores"),
    VennAbersCalibrator(),
    PAVCalibrator("linear", clip=0.01),
]


@pytest.mark.parametrize("calibrator", CALIBRATORS)
def test_a_decision_takes_any_calibrator_and_keeps_it_in_its_file(result, calibrator, tmp_path):
    default = result.decide(X, "line")
    decision = result.decide(X, "line", calibrator=calibrator)
    assert decision.threshold == default.threshold
    p = decision.predict_proba(X)
    by_hand = decision.calibrator.predict_proba(decision.positive_scores(X))
    np.testing.assert_array_equal(p, by_hand)
    assert type(decision.calibrator) is type(calibrator)
    assert abs(decision.held_out.p.mean() - Y.mean()) < 0.1
    again = load_decision(decision.save(tmp_path / "model.skops"))
    np.testing.assert_array_equal(again.predict_proba(X), p)
    assert again.calibrator.get_params() == calibrator.get_params()
    altered = vars(again.calibrator)
    fitted = ("slope_", "a_", "temperature_", "low_", "probabilities_")
    name = next(name for name in fitted if name in altered)
    altered[name] = -altered[name]
    with pytest.raises(ValueError, match="inconsistency in"):
        write_model(file_fields(again), tmp_path / "altered.skops")


@pytest.mark.parametrize("name", ["platt", "beta", "temperature", "venn-abers"])
def test_a_calibrator_by_name_is_that_of_the_class(result, name):
    kind = dict(zip(("platt", "beta", "temperature", "venn-abers"), CALIBRATORS))[name]
    by_name = result.decide(X, "line", calibrator=name)
    if name == "temperature":
        n_negatives = (Y == 0).sum() - by_name.calibration_set["negatives"]
        prevalence = Y.sum() / (Y.sum() + n_negatives)
        kind = TemperatureCalibrator("scores", training_prevalence=prevalence)
    by_class = result.decide(X, "line", calibrator=kind)
    np.testing.assert_array_equal(by_name.predict_proba(X), by_class.predict_proba(X))
    assert dict(by_name.cells())["calibration"] in str(by_name)
    default = result.decide(X, "line", calibrator="isotonic")
    assert "calibration" not in dict(default.cells())
    np.testing.assert_array_equal(
        default.predict_proba(X), result.decide(X, "line").predict_proba(X)
    )


def test_temperature_scaling_allows_for_the_negatives_of_the_calibration_set():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(3000, 3))
    labels = (rng.random(3000) < expit(rows.sum(axis=1) - 2)).astype(int)
    result = compare(rows, labels, {"line": LogisticRegression()}, cv=3)
    decision = result.decide(rows, max_fpr=0.05, calibrator="temperature")
    n_negatives = (labels == 0).sum()
    share = 1 - decision.calibration_set["negatives"] / n_negatives
    np.testing.assert_allclose(decision.calibrator.shift_, np.log(share), rtol=1e-9)
    ignored = result.decide(rows, max_fpr=0.05, calibrator=TemperatureCalibrator("scores"))
    off = [d.performance.mean_probability.value - labels.mean() for d in (decision, ignored)]
    assert share < 0.9 and abs(off[0]) < abs(off[1]) / 2


def test_probabilities_of_new_rows_allow_for_the_calibration_sets_of_the_folds():
    """Folds leave out other shares of the negatives than the final model; its scale allows for it.

    A logistic regression with an intercept has the mean probability of its training rows.
    """
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(3000, 3))
    labels = (rng.random(3000) < expit(rows.sum(axis=1) - 2)).astype(int)
    new = rng.normal(size=(50_000, 3))
    true = expit(new.sum(axis=1) - 2).mean()
    result = compare(rows, labels, {"line": LogisticRegression()}, cv=3)
    for calibrator in ("none", "temperature", "platt", "isotonic"):
        decision = result.decide(rows, max_fpr=0.05, calibrator=calibrator)
        assert abs(decision.performance.mean_probability.value - labels.mean()) < 0.005
        if calibrator == "none":
            plain = decision.predict_proba(new)[:, 1].mean()
            assert abs(plain - true) < 0.02  # the error of 3000 rows
        else:
            assert abs(decision.predict_proba(new)[:, 1].mean() - plain) < 0.007


def test_without_calibration_the_probabilities_are_those_of_the_ranker(result, tmp_path):
    decision = result.decide(X, "line", calibrator="none")
    assert decision.calibration_set is not None  # so that prevalence differs in training
    of_model = decision.model.predict_proba(X)[:, 1]
    shift = logit(decision.predict_proba(X)[:, 1]) - logit(of_model)
    np.testing.assert_allclose(shift, shift[0], rtol=1e-6)
    n_negatives = (Y == 0).sum()
    n_trained = n_negatives - decision.calibration_set["negatives"]
    np.testing.assert_allclose(shift[0], np.log(n_trained / n_negatives), rtol=1e-6)
    again = load_decision(decision.save(tmp_path / "model.skops"))
    np.testing.assert_array_equal(again.predict_proba(X), decision.predict_proba(X))
    again.calibrator.shift_ = np.nan
    with pytest.raises(ValueError, match="inconsistency in"):
        write_model(file_fields(again), tmp_path / "altered.skops")


def test_scores_that_are_no_log_odds_cannot_go_without_calibration():
    rankers = {"machine": LinearSVC(), "boosted": AUCBoost(n_estimators=5, probability=True)}
    refusing = compare(X, Y, rankers, max_fpr=0.3, cv=3)
    for name in rankers:
        with pytest.raises(ValueError, match="choose another calibrator"):
            refusing.decide(X, name, calibrator="none")
    with pytest.raises(ValueError, match="did you mean 'platt'"):
        refusing.decide(X, "machine", calibrator="plat")


def test_what_is_no_calibrator_or_cannot_take_the_scores_is_refused(result):
    with pytest.raises(ValueError, match="a calibrator of aucbook.calibration"):
        result.decide(X, "line", calibrator=PlattCalibrator)
    with pytest.raises(ValueError, match="a calibrator of aucbook.calibration"):
        result.decide(X, "line", calibrator=LogisticRegression())
    with pytest.raises(ValueError, match=r"PlattCalibrator\(inputs='scores'\)"):
        result.decide(X, "line", calibrator=PlattCalibrator())


def test_limits_of_the_guarantee_are_reported(result, tmp_path):
    group = np.repeat(np.arange(100), 3)
    grouped = compare(X, Y, RANKERS, max_fpr=0.3, cv=3, groups=group)
    grouped.decide(X)
    (remark,) = guarantee_remarks(grouped)
    assert "share of rows" in remark
    page = (grouped.save(tmp_path) / "report.html").read_text(encoding="utf8")
    assert remark in page and "300 rows of 100 groups" in page and guarantee_remarks(result) == []


def test_reporting_items_of_a_decision(result):
    result.decision = None
    items = dict(report_items(result))
    assert (
        items["participants"] == "300 rows"
        and f"{Y.sum()} events" in items["outcome"]
        and items["missing data"] == "none"
    )
    row = result.rows[1]
    assert (
        f"{row['ranker']} {row['pAUC']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
        in items["model performance"]
    )
    assert "calibration" not in items and "fewer than a hundred" not in items["limitations"]
    frame = pd.DataFrame(X, columns=list("abcd")).mask(
        np.random.default_rng(0).random(X.shape) < 0.1
    )
    comparison = compare(frame[:120], Y[:120], RANKERS, max_fpr=0.5, cv=3)
    decision = comparison.decide(frame[:120])
    items = dict(report_items(comparison))
    assert items["predictors"] == "4 columns: 4 number" and items["missing data"].startswith(
        "in 4 of 4 columns"
    )
    assert (
        f"{decision.performance.brier.value:.4f}" in items["calibration"]
        and "fewer than a hundred" in items["limitations"]
    )
    assert (
        "guaranteed maximum FPR (95 % confidence): 0.5" in items["decision"]
        and items["final model"] == decision.ranker
    )


def test_bad_input(result):
    comparison = compare_scores(Y, {"a": X[:, 0]})
    for call, word in (
        (lambda: result.decide(X, "tree"), "there is no ranker 'tree'"),
        (lambda: result.decide(X[:-1]), "299 rows, but 300"),
        (lambda: result.decide(X, max_fpr=0.001), r"needs at least \d{4} negatives, and there are"),
        (lambda: result.decide(X, max_fpr=2), "max_fpr"),
        (lambda: comparison.decide(X), "nothing to refit"),
    ):
        with pytest.raises(ValueError, match=word):
            call()


def test_figures_and_files(result, tmp_path):
    before = plt.get_fignums()
    result.decide(X)
    result.save(tmp_path)
    assert (tmp_path / "benefit.svg").stat().st_size > 5000 and "Recommended decision" in (
        tmp_path / "report.html"
    ).read_text()
    again = load_decision(tmp_path / "model.skops")
    assert isinstance(again, Decision) and again.performance == result.decision.performance
    assert again.calibration_set == result.decision.calibration_set
    np.testing.assert_array_equal(again.predict_proba(X), result.decision.predict_proba(X))
    with pytest.raises(ValueError, match="no held-out rows"):
        again.plot()
    for attribute, value in (
        ("threshold", float("nan")),
        ("threshold", "0.5"),
        ("performance", {}),
    ):
        with pytest.raises(ValueError, match=attribute):
            replace(result.decision, **{attribute: value}).save(tmp_path / "altered.skops")
    assert pickle.loads(pickle.dumps(result)).decision.threshold == again.threshold
    result.decision = None
    assert plt.get_fignums() == before


def test_without_skops_all_but_the_model_is_written(result, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "skops.io", None)
    result.decide(X)
    with pytest.warns(UserWarning, match=r"the model was not written.*aucbook\[models\]"):
        result.save(tmp_path)
    assert (tmp_path / "report.html").exists() and not (tmp_path / "model.skops").exists()
    result.decision = None


def test_columns_are_matched_by_name(tmp_path):
    frame = pd.DataFrame(X, columns=list("abcd")).mask(
        np.random.default_rng(0).random(X.shape) < 0.1
    )
    frame["ward"] = np.where(Y == 1, "north", "south")
    frame["note"] = [
        f"patient {i} arrived {'coughing' if v else 'well'} today" for i, v in enumerate(Y)
    ]
    decision = compare(frame, Y, RANKERS, cv=3).decide(frame, "line")
    again = load_decision(decision.save(tmp_path / "model.skops"))
    expected = decision.decision_function(frame)
    np.testing.assert_array_equal(
        again.decision_function(frame[["note", "ward", *"dcba"]]), expected
    )
    strings = frame[["note", "ward", *"dcba"]].astype(object).where(frame.notna(), "")
    np.testing.assert_array_equal(
        again.decision_function(strings.to_numpy(object), list(strings)), expected
    )
    assert len(again.decision_function(frame.assign(ward="unseen"))) == 300
    with pytest.raises(ValueError, match="column 'ward' is missing"):
        again.decision_function(frame[list("abcd")])


@pytest.mark.slow
def test_decisions_of_all_default_rankers_are_read_back(tmp_path):
    frame = pd.DataFrame(X[:120], columns=list("abcd")).mask(
        np.random.default_rng(0).random((120, 4)) < 0.1
    )
    rankers = default_rankers(max_fpr=0.5)
    result = compare(frame, Y[:120], rankers, cv=2, max_fpr=0.5)
    assert not result.failures
    for name in rankers:
        decision = result.decide(frame, name, max_fpr=0.5)
        if name == "CatBoost":  # its format is not among those that are checked
            with pytest.raises(ValueError, match="CatBoost"):
                load_decision(decision.save(tmp_path / "model.skops"))
            continue
        again = load_decision(decision.save(tmp_path / "model.skops"))
        np.testing.assert_array_equal(
            again.decision_function(frame), decision.decision_function(frame)
        )


class Mine(GaussianNB):
    """A ranker of a user's own."""


def foreign(path):
    """An archive with a digest of its own that asks for a function of the operating system."""
    schema = {
        "__class__": "system",
        "__module__": "os",
        "__loader__": "FunctionNode",
        "content": "os.system",
    }
    schema |= {"protocol": 2, "_skops_version": "0.11", "__id__": 1}
    path.write_bytes(pack({"schema.json": json.dumps(schema).encode()}))


def test_untrusted_files_build_nothing(tmp_path):
    path = tmp_path / "model.skops"
    content = write_model(Mine().fit(X, Y), path).read_bytes()
    mine = f"{Mine.__module__}.Mine"
    with pytest.raises(ValueError, match="types that aucbook does not know.*Mine"):
        read_model(path)
    assert type(read_model(path, trusted=(mine,))) is Mine
    with pytest.raises(ValueError, match="holds no decision"):
        load_decision(path, trusted=(mine,))
    foreign(path)
    with pytest.raises(ValueError, match=r"does not know.*os\.system"):
        read_model(path)
    for data in (
        content[: len(content) // 2],
        b"",
        b"PK",
        pickle.dumps(print),
        content.replace(b"Mine", b"Main"),
    ):
        path.write_bytes(data)
        with pytest.raises(ValueError, match="model.skops"):
            read_model(path)
    with pytest.raises(ValueError, match="there is no file"):
        read_model(tmp_path / "none")


def test_another_scikit_learn_is_refused(tmp_path, monkeypatch):
    path = write_model(LogisticRegression().fit(X, Y), tmp_path / "m.skops")
    monkeypatch.setattr("sklearn.__version__", "1.2.3")
    with pytest.raises(ValueError, match=r"here is 1\.2\.3"):
        read_model(path)


def test_a_guarantee_exceeded_in_held_out_folds_is_reported(result):
    decision = result.decide(X, "line")
    assert len(decision.sentences()) == 2
    above = replace(decision.performance, fpr=Estimate(0.21, 0.2, 0.3))
    assert "above the guaranteed" in replace(decision, performance=above).sentences()[2]
    result.decision = None


@pytest.mark.slow
def test_the_report_in_a_browser(tmp_path):
    from browsing import run

    frame = pd.DataFrame(X, columns=["a", "<b>", "$c$", "=d"]).mask(
        np.random.default_rng(0).random(X.shape) < 0.1
    )
    comparison = compare(
        frame,
        Y,
        {"</script><script>nothing()</script>": GaussianNB(), **RANKERS},
        max_fpr=0.2,
        cv=3,
    )
    comparison.decide(frame)
    comparison.save(tmp_path)
    views = run(tmp_path, ["report.html"], term=None)["pages"]["report.html"]
    for look in views.values():
        assert look["axe"] == [] and look["log"] == []


def test_rows_of_weight_zero_do_not_set_the_threshold():
    rng, n = np.random.default_rng(0), 400
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 2)) + 2 * y[:, None]
    w = np.ones(n)
    off = np.arange(n) % 4 == 0
    X[off], w[off] = 9, 0  # flagged, negative and without weight
    decision = compare(X, y, {"bayes": GaussianNB()}, sample_weight=w).decide(X, max_fpr=0.1)
    assert decision.performance.tpr.value > 0.5 and decision.threshold < 0.99


@pytest.mark.parametrize(
    "labels, positive", [(["well", "ill"], "ill"), ([False, True], True), ([2, 7], 2)]
)
def test_a_decision_predicts_as_scikit_learn_does(labels, positive):
    y = np.array(labels)[Y] if positive != labels[0] else np.array(labels[::-1])[Y]
    decision = compare(X, y, {"line": LogisticRegression()}, cv=3, pos_label=positive).decide(
        X, max_fpr=0.2
    )
    negative = next(label for label in labels if label != positive)
    assert decision.classes_.tolist() == sorted(labels) and decision.classes_.dtype == y.dtype
    assert decision.pos_label == positive
    flagged = decision.positive_scores(X) >= decision.threshold
    assert decision.predict(X).tolist() == [positive if flag else negative for flag in flagged]
    p = decision.predict_proba(X)
    assert p.shape == (300, 2) and ((p > 0) & (p < 1)).all()
    np.testing.assert_array_equal(
        p[:, decision.classes_.tolist().index(positive)],
        decision.calibrator.transform(decision.positive_scores(X)),
    )
    np.testing.assert_allclose(p.sum(axis=1), 1)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b", '"'])
def test_html_of_a_decision(name):
    result = compare(X, Y, {name: LogisticRegression()}, cv=2)
    decision = result.decide(X, max_fpr=0.2)
    for page in (decision._repr_html_(), result._repr_html_()):
        assert html.escape(name) in page and ("<" not in name or name not in page)
        assert page.startswith(
            '<div style="overflow-x:auto" role="region"'
        )  # a wide table scrolls, by keys too
    assert decision._repr_html_().count("<tr>") == len(decision.cells())
    assert decision._repr_html_().count("<p>") == len(decision.sentences())


def test_a_simultaneous_guarantee_says_so(tmp_path):
    comparison = compare(X, Y, RANKERS, cv=2)
    decision = comparison.decide(X, max_fpr=0.3, guarantee="simultaneous")
    guarantee = FprGuarantee(0.3, 1 - 0.05 / 2)
    assert decision.calibration_set["negatives"] >= guarantee.min_negatives()
    assert "95 % confidence for all 2 rankers" in str(decision)
    sentences = " ".join(decision._repr_html_().split())
    assert "simultaneously for all 2 rankers" in sentences and "97.5 %" in sentences
    assert "the guarantee is approximate" not in sentences
    comparison.save(tmp_path)
    assert load_decision(tmp_path / "model.skops").n_simultaneous == 2
    # the calibration set is the same, as no more rows can be spared
    assert decision.threshold >= comparison.decide(X, max_fpr=0.3).threshold
    both = comparison.decide(X, max_fpr=0.6, min_tpr=0.4, guarantee="simultaneous")
    assert both._repr_html_().count("98.75 %") == 2  # a quarter of .05 for each guarantee
    with pytest.raises(GuaranteeError, match="for all 2 rankers with 95 %"):
        comparison.decide(X, max_fpr=0.01, guarantee="simultaneous")
    with pytest.raises(ValueError, match="'simultaneous' needs a confidence_level"):
        comparison.decide(X, max_fpr=0.3, confidence_level=None, guarantee="simultaneous")
    with pytest.raises(ValueError, match="True, False or 'simultaneous', got 'all'"):
        comparison.decide(X, max_fpr=0.3, guarantee="all")


@pytest.mark.parametrize("guarantee", [True, False])
def test_groups_are_remembered_without_a_calibration_set(guarantee, tmp_path):
    """Forty groups are too few to hold some out, and the limit is approximate."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(40), 4)
    y = (group % 3 == 0).astype(int)
    x = rng.normal(size=(40, 2))[group] + 0.05 * rng.normal(size=(160, 2)) + 0.8 * y[:, None]
    comparison = compare(x, y, {"line": LogisticRegression()}, groups=group, cv=3)
    decision = comparison.decide(x, max_fpr=0.3, guarantee=guarantee)
    assert decision.calibration_set is None and decision.is_grouped
    comparison.decision = decision
    comparison.save(tmp_path)
    loaded = load_decision(tmp_path / "model.skops")
    # one new negative patient of sixty rows, with a high score
    new_x = np.r_[x, np.full((60, 2), 4.0)]
    new_y = np.r_[y, np.zeros(60, int)]
    for model in (decision, loaded):
        (test,) = model.test_guarantees(new_x, new_y)
        assert test.is_beyond and test.pvalue < 0.05
        assert test.ignores_groups and not test.is_broken
        (test,) = model.test_guarantees(new_x, new_y, groups=np.r_[group, np.full(60, 99)])
        assert not test.ignores_groups and not test.is_broken
    alone = compare(x, y, {"line": LogisticRegression()}, cv=3)
    alone = alone.decide(x, max_fpr=0.3, guarantee=guarantee)
    assert not alone.is_grouped and alone.test_guarantees(new_x, new_y)[0].is_broken


def test_a_file_with_groups_that_are_denied_is_refused():
    group = np.arange(300) // 3
    decision = compare(X, Y, RANKERS, cv=3, groups=group).decide(X, "line", max_fpr=0.3)
    fields = file_fields(decision)
    assert check_decision(fields) is fields
    with pytest.raises(ValueError, match="is_grouped must be True where calibration_set has"):
        check_decision(fields | {"is_grouped": False})


def test_a_limit_without_a_guarantee_names_its_rows():
    """Right above the false positive rate of held-out rows, which is another one."""
    decision = compare(X, Y, RANKERS, cv=2).decide(X, max_fpr=0.01, guarantee=False)
    text = str(decision)
    assert "maximum FPR on the rows that set the threshold (no guarantee)  0.01" in text
    assert "false positive rate, held out" in text
    sentences = " ".join(advice(decision))
    assert "at most 1 % on the rows that set the threshold, without a guarantee" in sentences
