"""Displays have scikit-learn's interface and its numbers; bands and means are the library's."""

import subprocess
import sys
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
import sklearn.calibration
import sklearn.metrics as reference
from scipy.stats import norm
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.svm import LinearSVC

import aucbook.displays
from aucbook import auc_interval, average_precision, decision_curve, net_benefit, reliability_curve
from aucbook._evaluation.folds import precision_at_recall
from aucbook._numerics.resampling import corrected_t
from aucbook.displays import (
    CalibrationDisplay,
    DecisionCurveDisplay,
    DetCurveDisplay,
    PrecisionRecallDisplay,
    RocCurveDisplay,
    ScoreDistributionDisplay,
)
from aucbook.inference import mean_roc_band, precision_recall_band, reliability_band, roc_band
from aucbook.measures import AP
from aucbook.metrics import det_curve, precision_recall_curve, roc_curve, tpr_at_fpr
from aucbook.model_selection import compare

OF_CURVES = [
    RocCurveDisplay,
    PrecisionRecallDisplay,
    DetCurveDisplay,
    CalibrationDisplay,
    DecisionCurveDisplay,
]
ALL = [*OF_CURVES, ScoreDistributionDisplay]
OF_RANKINGS = OF_CURVES[:3]

rng = np.random.default_rng(0)
N = 240
Y = (rng.random(N) < 0.35).astype(int)
X = rng.normal(size=(N, 3)) + 0.9 * Y[:, None]
W = rng.integers(1, 4, N).astype(float)
MODEL = LogisticRegression().fit(X[::2], Y[::2])
P = MODEL.predict_proba(X)[:, 1]


pytestmark = pytest.mark.usefixtures("closed_figures")


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def folds_of(cv, y=Y, model=None):
    model = LogisticRegression() if model is None else model
    return cross_validate(model, X, y, cv=cv, return_estimator=True, return_indices=True)


def held_out(folds, y=Y):
    """[(labels, probabilities)] of the test rows of each fold."""
    return [
        (y[test], model.predict_proba(X[test])[:, 1])
        for model, test in zip(folds["estimator"], folds["indices"]["test"])
    ]


def area(fill):
    """(x, low, high) of a shaded area, at its distinct places."""
    points = fill.get_paths()[0].vertices
    x = np.unique(points[:, 0])
    ends = [points[points[:, 0] == at, 1] for at in x]
    return x, np.array([y.min() for y in ends]), np.array([y.max() for y in ends])


def test_all_displays_are_tested():
    public = [name for name in aucbook.displays.__all__ if name.endswith("Display")]
    assert sorted(public) == sorted(display.__name__ for display in ALL)


@pytest.mark.parametrize("display", ALL)
def test_estimators_predictions_and_axes_as_in_scikit_learn(display):
    _, ax = plt.subplots()
    shown = display.from_estimator(MODEL, X, Y, ax=ax)
    assert shown.ax_ is ax and shown.figure_ is ax.figure and plt.get_fignums() == [1]
    assert shown.pos_label == 1
    scores = P if display in OF_CURVES[3:] else MODEL.decision_function(X)
    again = display.from_predictions(Y, scores, name="LogisticRegression")
    np.testing.assert_array_equal(shown.line_.get_xydata(), again.line_.get_xydata())
    assert shown.plot() is shown and shown.ax_ is not ax
    weighted = display.from_estimator(MODEL, X, Y, sample_weight=W)
    repeated = np.repeat(np.arange(N), W.astype(int))
    same = display.from_estimator(MODEL, X[repeated], Y[repeated])
    np.testing.assert_allclose(
        weighted.line_.get_xydata(), same.line_.get_xydata(), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("display", OF_CURVES)
def test_dicts_of_models_and_settings_of_lines(display):
    shown = display.from_predictions(
        Y, {"a $x": P, "b": 1 - P}, curve_kwargs=[{"c": "red"}, {"lw": 5}]
    )
    assert list(shown.lines_) == ["a $x", "b"] and len(shown.line_) == 2
    assert shown.line_[0].get_color() == "red" and shown.line_[1].get_linewidth() == 5
    assert any("a $x" in text for text in legend(shown))
    with pytest.raises(ValueError, match="list of 2 dicts, got 1"):
        shown.plot(curve_kwargs=[{}])
    shown.figure_.canvas.draw()


def test_lines_are_those_of_scikit_learn():
    roc = reference.RocCurveDisplay.from_predictions(Y, P, drop_intermediate=False)
    np.testing.assert_allclose(
        RocCurveDisplay.from_predictions(Y, P).line_.get_xydata(), roc.line_.get_xydata()
    )
    pr = reference.PrecisionRecallDisplay.from_predictions(Y, P, plot_chance_level=True)
    ours = PrecisionRecallDisplay.from_predictions(Y, P)
    np.testing.assert_allclose(ours.line_.get_xydata(), pr.line_.get_xydata())
    assert ours.line_.get_drawstyle() == pr.line_.get_drawstyle()
    np.testing.assert_allclose(ours.chance_level_.get_ydata(), pr.chance_level_.get_ydata())
    det = reference.DetCurveDisplay.from_predictions(Y, P, drop_intermediate=False)
    np.testing.assert_allclose(
        DetCurveDisplay.from_predictions(Y, P).line_.get_xydata(), det.line_.get_xydata()
    )


def test_folds_are_those_of_scikit_learn():
    folds = folds_of(StratifiedKFold(4))
    theirs = reference.RocCurveDisplay.from_cv_results(folds, X, Y, drop_intermediate=False)
    ours = RocCurveDisplay.from_cv_results(folds, X, Y)
    for line, other in zip(ours.line_, theirs.line_, strict=True):
        np.testing.assert_allclose(line.get_xydata(), other.get_xydata())
    if not hasattr(reference.PrecisionRecallDisplay, "from_cv_results"):
        return  # before scikit-learn 1.9
    theirs = reference.PrecisionRecallDisplay.from_cv_results(folds, X, Y, drop_intermediate=False)
    ours = PrecisionRecallDisplay.from_cv_results(folds, X, Y)
    for line, other in zip(ours.line_, theirs.line_, strict=True):
        np.testing.assert_allclose(line.get_xydata(), other.get_xydata())


def test_isotonic_reliability_pools_the_bins_of_scikit_learn():
    """With few distinct probabilities in the right order each is a bin of its own."""
    p = np.repeat([0.15, 0.5, 0.9], 40)
    y = np.concatenate([np.arange(40) < k for k in (5, 22, 36)])
    theirs = sklearn.calibration.CalibrationDisplay.from_predictions(y, p, n_bins=5)
    ours = CalibrationDisplay.from_predictions(y, p)
    np.testing.assert_allclose(ours.line_.get_xydata(), theirs.line_.get_xydata())


def test_lines_areas_and_bands_are_the_metrics():
    estimate, low, high = auc_interval(Y, P, confidence_level=0.9)[:3]
    options = {"name": "m", "confidence_level": 0.9}
    roc = RocCurveDisplay.from_predictions(Y, P, **options)
    text = f"m:\nAUC {estimate:.3f} ({low:.3f} to {high:.3f})"
    assert legend(roc) == [text, "90 % band, simultaneous"]
    band = roc_band(Y, P, confidence_level=0.9, fpr=roc.bands_["m"].fpr)
    for drawn, end in zip(area(roc.ax_.collections[0]), band):
        np.testing.assert_allclose(drawn, end)
    det = DetCurveDisplay.from_predictions(Y, P, **options)
    assert legend(det) == [text, "90 % band, simultaneous"]
    np.testing.assert_array_equal(det.curves_["m"].fnr, det_curve(Y, P).fnr)
    inner = slice(10, -10)
    for drawn, end in zip(area(det.ax_.collections[0])[1:], (1 - band.high, 1 - band.low)):
        tiny = np.finfo(float).eps
        places = norm.ppf(np.clip(end, tiny, 1 - tiny))
        np.testing.assert_allclose(drawn[inner], places[inner])
    pr = PrecisionRecallDisplay.from_predictions(Y, P, n_resamples=100, random_state=3, **options)
    ends = AP.interval(Y, P, confidence_level=0.9, n_resamples=100, random_state=3)
    assert legend(pr)[0] == "m:\nAP {:.3f} ({:.3f} to {:.3f})".format(*ends)
    curve = precision_recall_curve(Y, P)
    np.testing.assert_array_equal(pr.line_.get_xydata(), np.c_[curve.recall, curve.precision])


def test_probabilities_are_drawn_with_the_bands_of_the_functions():
    options = {"n_resamples": 50, "random_state": 5, "confidence_level": 0.8}
    shown = CalibrationDisplay.from_predictions(Y, P, **options)
    curve = reliability_curve(Y, P, **options)
    np.testing.assert_array_equal(
        shown.line_.get_xydata(), np.c_[curve.probability, curve.frequency]
    )
    for drawn, end in zip(
        area(shown.ax_.collections[0]), (curve.probability, curve.low, curve.high)
    ):
        np.testing.assert_allclose(drawn, end)
    around = CalibrationDisplay.from_predictions(Y, P, band="confidence", **options)
    curve = reliability_curve(Y, P, band="confidence", **options)
    np.testing.assert_allclose(area(around.ax_.collections[0])[1], curve.low)
    shown = DecisionCurveDisplay.from_predictions(Y, P, **options)
    curve = decision_curve(Y, P, **options)
    np.testing.assert_array_equal(shown.line_.get_ydata(), curve.net_benefit)
    for drawn, end in zip(area(shown.ax_.collections[0]), (curve.threshold, curve.low, curve.high)):
        np.testing.assert_allclose(drawn, end)
    assert legend(shown)[-1] == "80 % band, pointwise"


@pytest.mark.parametrize("method", ["binomial", "dkw", "bootstrap"])
def test_bands_of_all_methods_are_those_of_the_functions(method):
    options = {"n_resamples": 50, "random_state": 0}
    shown = PrecisionRecallDisplay.from_predictions(Y, P, band=method, **options)
    for drawn, end in zip(
        shown.bands_["ranker"], precision_recall_band(Y, P, method=method, **options)
    ):
        np.testing.assert_array_equal(drawn, end)
    shown = RocCurveDisplay.from_predictions(Y, P, band=method, **options)
    band = roc_band(Y, P, method=method, fpr=shown.bands_["ranker"].fpr, **options)
    np.testing.assert_array_equal(shown.bands_["ranker"].low, band.low)
    assert legend(shown)[-1] == "95 % band, simultaneous"


def test_the_simultaneous_band_of_reliability():
    shown = CalibrationDisplay.from_predictions(Y, P, band="simultaneous", confidence_level=0.9)
    band = reliability_band(Y, P, confidence_level=0.9)
    for drawn, end in zip(shown.bands_["model"], band.steps()):
        np.testing.assert_array_equal(drawn, end)
    assert legend(shown)[-1] == "90 % band, simultaneous"
    with pytest.raises(ValueError, match="simultaneous.*sample_weight was given"):
        CalibrationDisplay.from_predictions(Y, P, band="simultaneous", sample_weight=W)


@pytest.mark.parametrize("display", [RocCurveDisplay, DetCurveDisplay])
def test_disjoint_folds_have_a_simultaneous_band_of_the_mean(display):
    folds = folds_of(StratifiedKFold(4))
    shown = display.from_cv_results(folds, X, Y, n_resamples=50)
    rows = held_out(folds)
    y, s = (np.concatenate(arrays) for arrays in zip(*rows))
    names = np.repeat(np.arange(4), [len(labels) for labels, _ in rows])
    band = mean_roc_band(y, s, names, fpr=shown.mean_.x, n_resamples=50, random_state=0)
    ends = (band.low, band.high) if display is RocCurveDisplay else (1 - band.high, 1 - band.low)
    np.testing.assert_allclose(shown.mean_.low, ends[0], atol=1e-12)
    np.testing.assert_allclose(shown.mean_.high, ends[1], atol=1e-12)
    assert legend(shown)[-1].replace("\n", " ") == "95 % band of the mean, simultaneous"
    pointwise = display.from_cv_results(folds, X, Y, band="t")
    assert legend(pointwise)[-1].replace("\n", " ") == "95 % band of the mean, pointwise"
    assert display.from_cv_results(folds, X, Y, band=None).mean_.low is None


def test_where_a_mean_has_no_simultaneous_band():
    repeated = folds_of(RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0))
    folds = folds_of(StratifiedKFold(4))
    with pytest.raises(ValueError, match="each row in one test fold"):
        RocCurveDisplay.from_cv_results(repeated, X, Y, band="bootstrap")
    with pytest.raises(ValueError, match="sample_weight was given"):
        RocCurveDisplay.from_cv_results(folds, X, Y, band="bootstrap", sample_weight=W)
    small = folds_of(StratifiedKFold(20))
    with pytest.raises(ValueError, match="at most 1[0-9] stratified folds would do"):
        RocCurveDisplay.from_cv_results(small, X, Y, band="bootstrap")
    assert not RocCurveDisplay.from_cv_results(small, X, Y).mean_.is_simultaneous
    with pytest.raises(ValueError, match="band must be"):
        PrecisionRecallDisplay.from_cv_results(folds, X, Y, band="bootstrap")


@pytest.mark.parametrize("display", OF_RANKINGS)
def test_when_there_is_a_band(display):
    assert list(display.from_predictions(Y, P).bands_) == ["ranker"]
    assert not display.from_predictions(Y, P, band=None).bands_
    assert not display.from_predictions(Y, P, sample_weight=W).bands_
    assert not display.from_predictions(Y, {"a": P, "b": P}).bands_
    assert len(display.from_predictions(Y, {"a": P, "b": P}, band="dkw").bands_) == 2
    few = display.from_predictions([0, 0, 1], [1, 2, 3])
    assert not few.bands_ and few.intervals_["ranker"][1] is None
    with pytest.raises(ValueError, match="sample_weight was given"):
        display.from_predictions(Y, P, sample_weight=W, band="dkw")


def places(display, x, y, p):
    """The values of a display's curve at places x, computed again."""
    if display is RocCurveDisplay:
        return tpr_at_fpr(y, p, x)
    if display is DetCurveDisplay:
        return 1 - tpr_at_fpr(y, p, x)
    if display is PrecisionRecallDisplay:
        return precision_at_recall(x, y, p, None)
    if display is DecisionCurveDisplay:
        return net_benefit(y, p, x)
    curve = reliability_curve(y, p, band=None)
    return np.interp(x, curve.probability, curve.frequency)


@pytest.mark.parametrize("display", OF_CURVES)
def test_the_mean_of_folds_and_its_band(display):
    folds = folds_of(RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0))
    shown = display.from_cv_results(folds, X, Y, confidence_level=0.9, name="all")
    mean = shown.mean_
    values = np.array([places(display, mean.x, *rows) for rows in held_out(folds)])
    assert values.shape[0] == mean.n_folds == len(shown.curves_) == len(shown.line_) == 6
    assert mean.cv == pytest.approx(3)
    np.testing.assert_allclose(mean.mean, values.mean(axis=0), atol=1e-12)
    for j in range(0, mean.x.size, 17):
        low, high, _ = corrected_t(values[:, j], 3, 0.9)
        if display is not DecisionCurveDisplay:
            low, high = max(low, 0), min(high, 1)
        assert (mean.low[j], mean.high[j]) == pytest.approx((low, high), abs=1e-12)
    np.testing.assert_allclose(
        shown.mean_line_.get_ydata()[1:-1],
        mean.mean[1:-1] if display is not DetCurveDisplay else shown._place(0, mean.mean)[1][1:-1],
    )
    assert [text.replace("\n", " ") for text in legend(shown)][-1].endswith(
        "90 % band of the mean, pointwise"
    ) and "single folds" in legend(shown)


def test_net_benefit_of_folds_may_be_negative():
    noise = np.random.default_rng(1).normal(size=(N, 60))
    folds = cross_validate(
        LogisticRegression(C=100), noise, Y, cv=3, return_estimator=True, return_indices=True
    )
    mean = DecisionCurveDisplay.from_cv_results(folds, noise, Y).mean_
    assert mean.mean.min() < 0 and (mean.low <= mean.mean).all()


def test_areas_of_folds():
    folds = folds_of(StratifiedKFold(5))
    shown = RocCurveDisplay.from_cv_results(folds, X, Y, max_fpr=0.2)
    aucs = np.array([reference.roc_auc_score(*rows) for rows in held_out(folds)])
    low, high, _ = corrected_t(aucs, 5)
    paucs = np.array([roc_curve(*rows).auc(max_fpr=0.2) for rows in held_out(folds)])
    ends = corrected_t(paucs, 5)
    assert legend(shown)[0] == (
        f"mean of 5 folds:\nAUC {aucs.mean():.3f} ({low:.3f} to {min(high, 1):.3f}),\n"
        f"pAUC {paucs.mean():.3f} ({max(ends[0], 0):.3f} to {min(ends[1], 1):.3f})"
    )
    # the area of the mean curve is the mean of the areas
    grid = np.union1d(shown.mean_.x, np.linspace(0, 1, 20001))
    mean = np.mean([tpr_at_fpr(*rows, grid) for rows in held_out(folds)], axis=0)
    assert reference.auc(grid, mean) == pytest.approx(aucs.mean(), abs=1e-3)
    pr = PrecisionRecallDisplay.from_cv_results(folds, X, Y)
    aps = [average_precision(*rows) for rows in held_out(folds)]
    assert f"AP {np.mean(aps):.3f} (" in legend(pr)[0]


@pytest.mark.parametrize("display", OF_CURVES)
def test_one_fold_has_no_band_and_weights_reach_the_folds(display):
    one = folds_of(ShuffleSplit(1, random_state=0))
    shown = display.from_cv_results(one, X, Y)
    assert shown.mean_.low is None and not any("band" in text for text in legend(shown))
    weighted = display.from_cv_results(one, X, Y, sample_weight=W)
    assert not np.allclose(weighted.mean_.mean, shown.mean_.mean)


@pytest.mark.parametrize("display", ALL)
def test_decisions_and_the_positive_class(display):
    words = np.where(Y == 1, "a sick", "well")
    decision = compare(
        X, words, {"logistic": LogisticRegression()}, pos_label="a sick", random_state=0
    ).decide(X, max_fpr=0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = display.from_estimator(decision, X, words, name="d")
    assert shown.pos_label == "a sick"
    probabilities = decision.predict_proba(X)[:, list(decision.classes_).index("a sick")]
    scores = probabilities if display in OF_CURVES[3:] else decision.positive_scores(X)
    same = display.from_predictions(Y, scores, name="d")
    np.testing.assert_allclose(shown.line_.get_xydata(), same.line_.get_xydata(), atol=1e-9)
    # of other classifiers it is the second class, as in scikit-learn
    model = LogisticRegression().fit(X, words)
    assert display.from_estimator(model, X, words).pos_label == "well"
    assert display.from_estimator(model, X, words, pos_label="a sick").pos_label == "a sick"


@pytest.mark.parametrize("display", ALL)
@pytest.mark.parametrize(
    "call, message",
    [
        (lambda display: display.from_predictions(Y * 0, P), "exactly two classes"),
        (lambda display: display.from_predictions(P, Y), "seem to be swapped"),
        (
            lambda display: display.from_predictions(Y, np.c_[1 - P, P]),
            "column of the positive class",
        ),
        (lambda display: display.from_predictions(Y, P[:9]), "the same length"),
        (lambda display: display.from_predictions(Y, P, pos_label=7), "pos_label=7 is not a label"),
        (lambda display: display.from_predictions(Y, P, confidence_level=95), "confidence_level"),
        (lambda display: display.from_predictions(Y, P, sample_weight=-W), "sample_weight"),
        (lambda display: display.from_estimator(LogisticRegression(), X, Y), "not fitted"),
        (
            lambda display: display.from_estimator(MODEL, X, Y, response_method="predict"),
            "response_method",
        ),
    ],
)
def test_bad_input_is_named_and_opens_no_figure(display, call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call(display)
    assert plt.get_fignums() == []
    assert isinstance(caught.value, NotFittedError) == (message == "not fitted")


@pytest.mark.parametrize("display", OF_CURVES)
def test_bad_folds_are_named(display):
    folds = folds_of(StratifiedKFold(3))
    for key, rest in (
        ("estimator", {"indices": folds["indices"]}),
        ("indices", {"estimator": folds["estimator"]}),
    ):
        with pytest.raises(ValueError, match=f"no '{key}'.*return_indices=True"):
            display.from_cv_results(rest, X, Y)
    with pytest.raises(ValueError, match="X has 100 rows, but cv_results"):
        display.from_cv_results(folds, X[:100], Y[:100])
    y = Y.copy()
    y[folds["indices"]["test"][1]] = 0
    with pytest.raises(ValueError, match="test rows of fold 2 are of one class"):
        display.from_cv_results(folds, X, y)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("display", OF_CURVES[3:])
def test_displays_of_probabilities_need_them(display):
    svm = LinearSVC().fit(X, Y)
    with pytest.raises(ValueError, match="LinearSVC has no predict_proba.*CalibratedClassifierCV"):
        display.from_estimator(svm, X, Y)
    with pytest.raises(ValueError, match="not fitted"):
        display.from_estimator(LinearSVC(), X, Y)
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        display.from_predictions(Y, svm.decision_function(X))
    with pytest.raises(ValueError, match="band"):
        display.from_predictions(Y, P, band="dkw")
    assert plt.get_fignums() == []


def test_weights_count_in_histograms():
    shown = ScoreDistributionDisplay.from_predictions(Y, P, sample_weight=W, bins=5, name="risk")
    heights = np.array([bar.get_height() for bar in shown.ax_.patches]).reshape(2, 5)
    edges = np.histogram_bin_edges(P, 5)
    for k in (0, 1):
        counts = np.histogram(P[Y == k], edges, weights=W[Y == k])[0]
        np.testing.assert_allclose(heights[k], counts / W[Y == k].sum())
    assert shown.ax_.get_xlabel() == "risk"
    flagged = P >= shown.threshold_
    fpr = np.average(flagged[Y == 0], weights=W[Y == 0])
    assert legend(shown)[0] == f"negatives: FPR {fpr:.3f}"


def test_matplotlib_is_imported_with_the_first_picture():
    code = (
        "import sys; from aucbook.displays import RocCurveDisplay, CalibrationDisplay; "
        "print('matplotlib' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
