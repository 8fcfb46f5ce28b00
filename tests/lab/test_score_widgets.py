"""Widgets of scores: their numbers are the library's, their code runs, bad data are said."""

import inspect
import json
import re
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import calibration_curve
from sklearn.model_selection import cross_val_predict
from widget_parts import cell_text

from aucbook import (
    PAVCalibrator,
    auc_interval,
    auc_test,
    lab,
    partial_auc,
    reliability_curve,
    score_decomposition,
)
from aucbook.lab.calibration import binned_curve, decimals_for_curve, thin_curve
from aucbook.lab.widget import MAX_STORED_BYTES
from aucbook.thresholds import (
    alarm_budget_threshold,
    fpr_threshold,
    net_benefit_of_rates,
    operating_point,
    optimal_threshold,
    subgroups,
)

N = 400


@dataclass
class Rows:
    """Labels, two scores, probabilities, groups of rows and subgroups."""

    y: np.ndarray
    s: np.ndarray
    other: np.ndarray
    p: np.ndarray
    groups: np.ndarray
    by: np.ndarray


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    y = (rng.random(N) < 0.3).astype(int)
    s = rng.normal(size=N) + 1.5 * y
    return Rows(
        y=y,
        s=s,
        other=s + rng.normal(size=N),
        p=1 / (1 + np.exp(1.5 - 1.5 * s)),
        groups=np.arange(N) // 2,
        by=np.where(rng.random(N) < 0.6, "north", "south"),
    )


def difference_of(y, s):
    return lab.difference(y, s, np.asarray(s)[::-1])


WIDGETS = {"threshold": lab.threshold, "pauc": lab.pauc, "difference": difference_of}


@pytest.fixture(params=WIDGETS)
def make(request):
    return WIDGETS[request.param]


def run_code(widget, rows, **names):
    """The names after the lines to paste have run."""
    known = {"y": rows.y, "scores": rows.s, "groups": rows.groups, "p": rows.p, **names}
    exec(widget.code(), known)
    return known


def numbers_in(picture):
    """Every number of a picture, for a check that it is JSON."""
    return json.loads(json.dumps(picture, allow_nan=False))


def ends_of_choices(widget):
    """After each step one choice of the widget is its first or its last one."""
    for name in [spec["name"] for spec in widget.controls]:
        for which in (0, -1):
            options = {spec["name"]: spec.get("options") for spec in widget.controls}
            if options.get(name):
                widget.values = {**widget.values, name: which % len(options[name])}
                yield widget.values
    yield widget.values


@pytest.mark.filterwarnings("ignore:pos_label not given")
@pytest.mark.parametrize(
    "negative, pos_label", [("healthy", None), ("healthy", "ill"), ("well", "ill")]
)
@pytest.mark.parametrize(
    "name", [n for n in lab.__all__ if "y_true" in inspect.signature(getattr(lab, n)).parameters]
)
def test_the_code_runs_with_labels_in_words(rows, name, negative, pos_label):
    """The lines give with the user's labels what they give with labels of 0 and 1."""
    make = getattr(lab, name)
    labels = np.where(rows.y == 1, "ill", negative)
    data = {"y_score": rows.s, "y_score_1": rows.s, "y_score_2": rows.other}
    data |= {"y_prob": rows.p, "by": rows.by}
    taken = {n: data[n] for n in data.keys() & inspect.signature(make).parameters.keys()}
    widget = make(labels, **taken, pos_label=pos_label)
    plain = make(rows.y, **taken)
    known = {"scores": rows.s, "s1": rows.s, "s2": rows.other, "p": rows.p, "by": rows.by}
    for first, second in zip(ends_of_choices(widget), ends_of_choices(plain), strict=True):
        assert first == second and plain.message == ""
        assert re.fullmatch("" if pos_label else "pos_label not given.*", widget.message)
        answers = []
        for each, y in ((widget, labels), (plain, rows.y)):
            code = each.code()
            assert ("np." in code.replace("import numpy as np", "")) == ("import numpy" in code)
            *lines, last = code.splitlines()
            names = {"y": y, **known}
            exec("\n".join(lines), names)
            answers.append(repr(eval(last, names)))
        assert answers[0] == answers[1], first


@pytest.mark.parametrize(
    "y, s",
    [
        ([1, 1, 1, 1], [0.1, 0.2, 0.3, 0.4]),
        ([0, 1, 0, 1], [0.1, np.nan, 0.3, 0.4]),
        ([0, 1, 0, 1], ["a", "b", "c", "d"]),
        ([0, 1, 2, 1], [0.1, 0.2, 0.3, 0.4]),
        ([], []),
        ([0, 1, 0, 1], [0.1, 0.2]),
    ],
    ids=["one class", "NaN", "words", "three classes", "no rows", "lengths"],
)
def test_bad_data_are_said(make, y, s):
    widget = make(y, s)
    assert widget.message and not widget.picture
    assert widget.message in widget._repr_html_() or "&" in widget._repr_html_()
    with pytest.raises(ValueError):
        widget.value


def test_two_rows_and_constant_scores(make):
    """Few or equal scores give a picture or a sentence, never an exception."""
    for y, s in (([0, 1], [0.1, 0.9]), ([0, 1] * 20, [0.5] * 40)):
        widget = make(y, s)
        assert widget.picture or widget.message
        widget._repr_html_()


def test_picture_is_json_and_small(make, rows):
    widget = make(rows.y, rows.p)
    assert widget.picture["panels"]
    numbers_in(widget.picture)
    assert len(json.dumps(widget.picture)) < 100_000
    assert len(widget._repr_html_()) < MAX_STORED_BYTES + 100_000


def settings_at_the_ends(widget):
    for name, spec in list(widget._specs.items()):
        if spec["kind"] == "number":
            yield from ((name, end) for end in (spec["min"], spec["max"], None, 0.5))
        else:
            yield from ((name, step) for step in (0, len(spec["options"]) - 1))


def test_no_setting_crashes(make, rows):
    """At the ends of every control there is a picture; what cannot be is a sentence."""
    widget = make(rows.y, rows.p)
    before = dict(widget.values)
    for name, setting in settings_at_the_ends(widget):
        if setting is None and widget._specs[name]["kind"] != "number":
            continue
        widget.values = {**before, name: setting}
        assert widget.picture
        assert "Error:" not in widget.message, (name, setting, widget.message)
        widget.values = before
        assert not widget._failed


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_threshold_by_each_rule(rows, prevalence):
    settings = {"prevalence": prevalence, "miss_cost": 5.0, "budget": 0.3}
    widget = lab.threshold(rows.y, rows.s, **settings, groups=rows.groups)
    guaranteed = fpr_threshold(rows.y, rows.s, 0.1, groups=rows.groups)
    best = partial(optimal_threshold, rows.y, rows.s, **settings)
    expected = {
        "largest net benefit": best().threshold,
        "guaranteed false positive rate": guaranteed,
        "share of alarms": alarm_budget_threshold(rows.s, 300, 1000),
        "largest net benefit with the guarantee": best(min_threshold=guaranteed).threshold,
    }
    assert list(expected) == widget.options("rule")
    for rule, threshold in expected.items():
        widget.choose(rule=rule)
        point = operating_point(
            rows.y, rows.s, threshold, prevalence=prevalence, groups=rows.groups
        )
        assert widget.value.rule == rule
        assert widget.value.threshold == threshold
        assert widget.value.point == point
        assert run_code(widget, rows)["point"] == point


def test_threshold_numbers_are_of_all_rows(rows):
    """At every step the picture has the net benefit and the rates of the library."""
    widget = lab.threshold(rows.y, rows.s, prevalence=0.2, miss_cost=4.0)
    counts, values = widget.picture["tables"]
    for step, threshold in enumerate(widget.options("threshold")):
        tpr = np.mean(rows.s[rows.y == 1] >= threshold)
        fpr = np.mean(rows.s[rows.y == 0] >= threshold)
        assert counts["rows"][0][2]["terms"][0]["values"][step] == pytest.approx(tpr, rel=1e-4)
        assert counts["rows"][2][2]["terms"][0]["values"][step] == pytest.approx(fpr, rel=1e-4)
        benefit = 1000 * net_benefit_of_rates(fpr, tpr, 0.2, 4.0)
        assert values["rows"][0][1]["terms"][0]["values"][step] == pytest.approx(benefit, rel=1e-4)


def test_threshold_by_hand(rows):
    widget = lab.threshold(rows.y, rows.s)
    widget.choose(threshold=0.5)
    assert widget.value.rule == "by hand"
    assert run_code(widget, rows)["point"] == widget.value.point
    widget.values = {**widget.values, "threshold": 0}
    assert widget.value.threshold == np.inf
    point = run_code(widget, rows)["point"]
    assert point.false_negatives == rows.y.sum()
    assert repr(point) == repr(widget.value.point)


def test_threshold_remembers_hidden_numbers(rows):
    widget = lab.threshold(rows.y, rows.s)
    widget.choose(budget=0.2)
    widget.choose(rule="guaranteed false positive rate")
    assert "budget" not in widget.values
    widget.choose(rule="share of alarms")
    assert widget.chosen("budget") == 0.2


def test_threshold_refuses_what_rows_cannot_give(rows):
    widget = lab.threshold(rows.y, rows.s)
    widget.choose(rule="guaranteed false positive rate")
    with pytest.raises(ValueError, match="needs at least 2995 negatives"):
        widget.choose(max_fpr=0.001)
    assert widget.picture
    with pytest.raises(ValueError, match="needs at least 2995 negatives"):
        widget.value
    widget.choose(max_fpr=0.2)
    assert widget.value.threshold == fpr_threshold(rows.y, rows.s, 0.2)


def test_threshold_of_words(rows):
    labels = np.where(rows.y == 1, "ill", "well")
    widget = lab.threshold(labels, rows.s, pos_label="ill")
    assert widget.value == lab.threshold(rows.y, rows.s).value
    assert run_code(widget, rows, y=labels)["point"] == widget.value.point


RANGES = [(0.0, 0.1), (0.3, 0.05), (0.2, 1.0), (0.0, 1.0)]


@pytest.mark.parametrize("ends", RANGES)
def test_pauc_over_ranges(rows, ends):
    scores = {"first": rows.s, "second": rows.other}
    widget = lab.pauc(rows.y, scores, groups=rows.groups)
    widget.choose(min_fpr=ends[0], max_fpr=ends[1])
    low, high = sorted(ends)
    limits = {"min_fpr": low, "max_fpr": high}
    for name, s in scores.items():
        expected = auc_interval(rows.y, s, **limits, groups=rows.groups)
        assert widget.value[name] == expected
    assert run_code(widget, rows, scores=scores)["intervals"] == widget.value
    cells = widget.picture["tables"][0]["rows"]
    for row, s in zip(cells, scores.values(), strict=True):
        assert cell_text(row[1], **widget.values) == f"{partial_auc(rows.y, s, **limits):.3f}"


def test_pauc_of_one_score(rows):
    widget = lab.pauc(rows.y, rows.s, min_fpr=0.033, max_fpr=0.077)
    assert run_code(widget, rows)["interval"] == widget.value["score"]
    assert widget.chosen("min_fpr") == 0.033
    assert [panel["title"] for panel in widget.picture["panels"]] == [
        "ROC curve",
        "Partial AUC, false positive rates 3.3 to 7.7 %",
    ]


def test_leader_of_each_rate(rows):
    """The lead is that of the score with the largest TPR, and no other has one there."""
    rng = np.random.default_rng(2)
    early = rng.normal(size=N) + 5 * rows.y * (rng.random(N) < 0.4)  # high for some positives
    late = rng.normal(size=N) + 1.5 * rows.y
    widget = lab.pauc(rows.y, {"first": early, "second": late})
    bands = [m for m in widget.picture["panels"][1]["marks"] if m["kind"] == "band"]
    leads = np.array([mark["high"] for mark in bands])
    assert len(leads) == 2
    assert (leads.min(axis=0) == 0).all()
    assert (leads[0][:5] > 0).any() and (leads[1][100:] > 0).any()


def test_empty_range_is_refused(rows):
    widget = lab.pauc(rows.y, rows.s)
    with pytest.raises(ValueError, match="min_fpr"):
        widget.choose(min_fpr=0.1)
    assert widget.picture
    assert "min_fpr" in lab.pauc(rows.y, rows.s, min_fpr=0.3, max_fpr=0.2).message
    assert lab.difference(rows.y, rows.s, rows.other, max_fpr=2.0).message


@pytest.mark.parametrize("ends", RANGES)
@pytest.mark.parametrize("is_grouped", [True, False])
def test_difference_is_the_test(rows, ends, is_grouped):
    groups = rows.groups if is_grouped else None
    widget = lab.difference(rows.y, rows.s, rows.other, groups=groups, names=("a", "b"))
    widget.choose(min_fpr=ends[0], max_fpr=ends[1], margin=0.05, confidence_level=0.9)
    low, high = sorted(ends)
    for scale, label in (("score", "score interval"), ("linear", "Wald interval (DeLong)")):
        widget.choose(scale=label)
        expected = auc_test(
            rows.y,
            rows.s,
            rows.other,
            min_fpr=low,
            max_fpr=high,
            margin=0.05,
            confidence_level=0.9,
            scale=scale,
            groups=groups,
        )
        test = run_code(widget, rows, s1=rows.s, s2=rows.other)["test"]
        assert test[:7] == expected[:7] == widget.value[:7]
    shown = widget.picture["tables"][1]["rows"][0][1]
    assert cell_text(shown, **widget.values) == f"{widget.value.difference:.3f}"


def test_difference_without_its_groups(rows):
    widget = lab.difference(rows.y, rows.s, rows.other, groups=rows.groups)
    widget.choose(rows="independent rows")
    assert widget.value[:4] == auc_test(rows.y, rows.s, rows.other)[:4]
    assert "groups" not in widget.code()


@pytest.mark.parametrize(
    "shift, text", [(-3.0, "second has the larger"), (3.0, "first has the larger")]
)
def test_verdict(rows, shift, text):
    weak = np.random.default_rng(1).normal(size=N)
    pair = (weak, rows.s) if shift < 0 else (rows.s, weak)
    widget = lab.difference(rows.y, *pair, margin=0.01)
    assert text in cell_text(widget.picture["sentence"][-1], **widget.values)
    is_shown = "is non-inferior" in cell_text(widget.picture["sentence"][-1], **widget.values)
    assert is_shown == (widget.value.noninferiority < 0.025) == (shift > 0)


def test_names_of_a_difference(rows):
    assert (
        "two different names"
        in lab.difference(rows.y, rows.s, rows.other, names=("a", "a")).message
    )


CURVES = ("isotonic (PAV)", "bins of equal size", "bins of equal width")


@pytest.mark.parametrize("kind", CURVES)
@pytest.mark.parametrize("calibrator", ["none", "isotonic (PAV)", "logistic (Platt)"])
def test_calibration_code(rows, kind, calibrator):
    widget = lab.calibration(rows.y, rows.p)
    widget.choose(calibrator=calibrator, curve=kind)
    if kind == CURVES[0]:
        widget.choose(band="confidence")
    else:
        widget.choose(n_bins=7)
    known = run_code(widget, rows)
    value = widget.value
    assert value.calibrator == calibrator
    assert np.array_equal(known["p"], value.y_prob)
    assert value.decomposition == score_decomposition(rows.y, value.y_prob)
    if kind == CURVES[0]:
        for ours, theirs in zip(value.curve, known["curve"], strict=True):
            assert np.array_equal(ours, theirs)
    else:
        assert value.curve.frequency == pytest.approx(known["observed"])
        assert value.curve.probability == pytest.approx(known["predicted"])


def test_recalibrated_out_of_fold(rows):
    widget = lab.calibration(rows.y, rows.p)
    widget.choose(calibrator="isotonic (PAV)")
    expected = cross_val_predict(PAVCalibrator(), rows.p, rows.y, method="predict_proba")[:, 1]
    assert np.array_equal(widget.value.y_prob, expected)
    on_same_rows = PAVCalibrator().fit(rows.p, rows.y).transform(rows.p)
    assert widget.value.decomposition.score > score_decomposition(rows.y, on_same_rows).score


def test_decomposition_is_shown(rows):
    widget = lab.calibration(rows.y, rows.p)
    widget.choose(calibrator="logistic (Platt)")
    table = widget.picture["tables"][0]
    for column, p in ((1, rows.p), (2, widget.value.y_prob)):
        for row, number in zip(table["rows"], score_decomposition(rows.y, p), strict=False):
            assert cell_text(row[column]) == f"{number:.3g}"


def test_many_probabilities_are_rounded_for_the_curve():
    rng = np.random.default_rng(0)
    p = 0.01 * rng.random(5000)
    y = (rng.random(5000) < p).astype(int)
    assert decimals_for_curve(p) == 5
    widget = lab.calibration(y, p)
    curve = reliability_curve(y, p.round(5), random_state=0)
    assert np.array_equal(widget.value.curve.frequency, curve.frequency)
    assert "np.round(p, 5)" in widget.code()
    assert widget.value.decomposition == score_decomposition(y, p)
    assert widget.picture["panels"][0]["x_range"][1] < 0.5  # zoomed


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("n_bins", [2, 5, 20])
def test_bins_are_those_of_scikit_learn(rows, strategy, n_bins):
    p = rows.p.round(1)  # many ties, at edges too
    observed, predicted = calibration_curve(rows.y, p, n_bins=n_bins, strategy=strategy)
    curve = binned_curve(rows.y, p, n_bins, strategy)
    assert curve.frequency == pytest.approx(observed)
    assert curve.probability == pytest.approx(predicted)
    assert curve.weight.sum() == pytest.approx(1)
    assert (curve.low <= curve.frequency).all() and (curve.frequency <= curve.high).all()


def test_thin_curve_keeps_bends():
    frequency = np.repeat(np.linspace(0, 1, 20), 100)
    chosen = thin_curve(frequency)
    assert chosen.size <= 150
    x = np.arange(frequency.size)
    assert np.interp(x, x[chosen], frequency[chosen]) == pytest.approx(frequency)
    assert thin_curve(np.linspace(0, 1, 5000)).size <= 300


def test_calibration_of_words(rows):
    labels = np.where(rows.y == 1, "ill", "well")
    widget = lab.calibration(labels, rows.p, pos_label="ill")
    widget.choose(calibrator="isotonic (PAV)")
    known = run_code(widget, rows, y=labels)
    assert np.array_equal(known["p"], widget.value.y_prob)
    assert "y_prob" in lab.calibration(rows.y, rows.s).message


SEPARATE = "one for each subgroup"


@pytest.mark.parametrize("options", [{}, {"groups": True, "y_prob": True}])
def test_subgroups_are_the_table(rows, options):
    named = {}
    if options:
        named = {"groups": rows.groups, "y_prob": rows.p}
    widget = lab.subgroups(rows.y, rows.s, rows.by, threshold=0.7, **named)
    assert widget.options("kind") == ["the fixed threshold", "one threshold for all", SEPARATE]
    for kind in widget.options("kind"):
        widget.choose(kind=kind, max_fpr=0.2)
        known = run_code(widget, rows, by=rows.by)
        expected = subgroups(rows.y, rows.s, rows.by, threshold=known["threshold"], **named)
        assert widget.value.rows == expected.rows == known["result"].rows
        shown = widget.picture["tables"][0]["rows"]
        assert [[c.replace("\u00a0", " ") for c in r] for r in shown] == expected.cells()[1:]


def test_own_thresholds_equalise_the_rate(rows):
    shifted = rows.s + 2 * (rows.by == "north")
    widget = lab.subgroups(rows.y, shifted, rows.by)
    widget.choose(max_fpr=0.2)

    def gap():
        rates = [row["false positive rate"][0] for row in widget.value.rows]
        return max(rates) - min(rates)

    assert gap() > 0.3
    widget.choose(kind=SEPARATE)
    assert gap() < 0.03


@pytest.mark.parametrize("kind", ["numbers", "missing", "many"])
def test_names_of_subgroups(rows, kind):
    by = {
        "numbers": (rows.by == "north") + 0.0,
        "missing": np.where(np.arange(N) % 3 == 0, None, rows.by).astype(object),
        "many": np.arange(N) % 15,
    }[kind]
    widget = lab.subgroups(rows.y, rows.s, by)
    widget.choose(kind=SEPARATE)
    known = run_code(widget, rows, by=by)
    assert widget.value.rows == known["result"].rows
    assert len(widget.picture["tables"][0]["rows"]) <= 12


def test_small_subgroups_are_refused(rows):
    widget = lab.subgroups(rows.y, rows.s, np.arange(N))
    assert "Too small to be reported" in widget.message and not widget.picture
    widget = lab.subgroups(rows.y, rows.s, rows.by[:-1])
    assert "one per row" in widget.message
    assert "threshold" in lab.subgroups(rows.y, rows.s, rows.by, threshold="high").message


@pytest.mark.parametrize("names", [[0, 1], ['old "7"', "new's"], [np.int64(3), 4.5]])
def test_the_code_of_a_picture_runs_whatever_the_scores_are_called(names):
    rng = np.random.default_rng(0)
    y = np.repeat(["n", "p"], 20)
    scores = dict(zip(names, rng.normal(size=(2, 40))))
    for table in (scores, pd.DataFrame(scores)):
        widget = lab.roc(y, table, pos_label=np.str_("p"))
        known = {"y": y, "scores": table}
        exec(widget.code(), known)
        assert known["point"] == widget.value
