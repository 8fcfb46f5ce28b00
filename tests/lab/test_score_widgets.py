"""Widgets of scores: their numbers are the library's, their code runs, bad data are said."""

import json
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from aucbook import lab
from aucbook.lab.widget import MAX_STORED_BYTES
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


def of_labels_and_scores(make, y, s):
    """A widget from labels and one score, whatever else it takes."""
    return make(y, s)


def difference_of(y, s):
    return lab.difference(y, s, np.asarray(s)[::-1])


def subgroups_of(y, s):
    return lab.subgroups(y, s, np.arange(len(y)) % 2)


WIDGETS = {"threshold": lab.threshold}


@pytest.fixture(params=WIDGETS)
def make(request):
    return WIDGETS[request.param]


def probabilities_of(rows):
    """Scores that every widget takes."""
    return rows.p


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
    given = {"prevalence": prevalence, "miss_cost": 5.0, "budget": 0.3}
    widget = lab.threshold(rows.y, rows.s, **given, groups=rows.groups)
    guaranteed = fpr_threshold(rows.y, rows.s, 0.1, groups=rows.groups)
    best = partial(optimal_threshold, rows.y, rows.s, **given)
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
