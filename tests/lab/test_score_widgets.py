"""Widgets of scores: their numbers are the library's, their code runs, bad data are said."""

import json
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from aucbook import auc_interval, auc_test, lab, partial_auc
from aucbook.lab.widget import MAX_STORED_BYTES, _cell_text
from aucbook.thresholds import (
    alarm_budget_threshold,
    fpr_threshold,
    net_benefit_of_rates,
    operating_point,
    optimal_threshold,
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


def subgroups_of(y, s):
    return lab.subgroups(y, s, np.arange(len(y)) % 2)


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
        assert counts["rows"][0][2]["terms"][0]["values"][step] == pytest.approx(tpr)
        assert counts["rows"][2][2]["terms"][0]["values"][step] == pytest.approx(fpr)
        benefit = 1000 * net_benefit_of_rates(fpr, tpr, 0.2, 4.0)
        assert values["rows"][0][1]["terms"][0]["values"][step] == pytest.approx(benefit)


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
        assert _cell_text(row[1], widget.values) == f"{partial_auc(rows.y, s, **limits):.3f}"


def test_pauc_of_one_score(rows):
    widget = lab.pauc(rows.y, rows.s, min_fpr=0.033, max_fpr=0.077)
    assert run_code(widget, rows)["interval"] == widget.value["score"]
    assert widget.chosen("min_fpr") == 0.033
    assert [panel["title"] for panel in widget.picture["panels"]] == [
        "ROC curve",
        "Partial AUC, false positive rates 3.3 to 7.7 %",
    ]


def test_leader_of_each_rate(rows):
    """The lead is that of the score with the largest TPR, and nobody else has one there."""
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
    widget = lab.difference(rows.y, rows.s, rows.other, groups, names=("a", "b"))
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
    assert _cell_text(shown, widget.values) == f"{widget.value.difference:.3f}"


def test_difference_without_its_groups(rows):
    widget = lab.difference(rows.y, rows.s, rows.other, rows.groups)
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
    assert text in _cell_text(widget.picture["sentence"][-1], widget.values)
    is_shown = "is non-inferior" in _cell_text(widget.picture["sentence"][-1], widget.values)
    assert is_shown == (widget.value.noninferiority < 0.025) == (shift > 0)


def test_names_of_a_difference(rows):
    assert (
        "two different names"
        in lab.difference(rows.y, rows.s, rows.other, names=("a", "a")).message
    )
