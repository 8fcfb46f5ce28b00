"""Explorables given 61, 1000 and 20 000 values: a figure, a widget of aucbook.lab, or an error that names what to use."""

import inspect
import re
from functools import cache, reduce

import numpy as np
import pytest
from explorables import EXPLORERS, decimals, static_sentence

import aucbook
from aucbook import TreeRank, explore, pav, roc_auc, roc_curve
from aucbook.explore.base import Explorable
from aucbook.explore.pav import MAX_POINTS
from aucbook.explore.roc import MAX_PAIRS
from aucbook.lab.widget import LabWidget
from aucbook.theory import make_gauss2d

SIZES = (61, 1000, 20_000)
NAMES = {"names", "feature_names"}  # of what is drawn


@cache
def sample(n):
    """Two measurements, labels, and a score better than chance."""
    X, y = make_gauss2d(n, random_state=0)
    return X, y, -X.sum(axis=1)


@cache
def tree_of(n):
    """A tree with more leaves than can be drawn."""
    X, y, _ = sample(min(n, 1000))
    return TreeRank(max_depth=10).fit(X, y)


def in_order(n):
    """Labels in ascending order of their scores."""
    _, y, s = sample(n)
    return y[np.argsort(s)]


# what an explorer is called with, by its parameters that hold data
DATA = {
    ("y", "scores"): lambda n: {"y": sample(n)[1], "scores": sample(n)[2]},
    ("X", "y"): lambda n: {"X": sample(n)[0], "y": sample(n)[1]},
    ("y",): lambda n: {"y": in_order(n)},
    ("y", "weight"): lambda n: {"y": in_order(n), "weight": np.arange(1, n + 1) / n},
    ("first", "second"): lambda n: {"first": sample(n)[2], "second": sample(n)[0][:, 0]},
    ("sick", "healthy"): lambda n: {"sick": np.arange(1, n + 1), "healthy": np.arange(n)},
    ("model",): lambda n: {"model": tree_of(n)},
    ("titles", "wanted"): lambda n: {
        "titles": [f"title {k}" for k in range(n)],
        "wanted": sample(n)[1],
    },
    ("points", "labels"): lambda n: {"points": [(k, k) for k in range(n)], "labels": sample(n)[1]},
}


def data_parameters(make):
    """Parameters for data of any size: None, or a list, stands for an example."""
    parameters = inspect.signature(make).parameters
    holds_data = {
        name: p.default is None or isinstance(p.default, list) for name, p in parameters.items()
    }
    return tuple(name for name, holds in holds_data.items() if holds and name not in NAMES)


WITH_DATA = {make: data for make in EXPLORERS if (data := data_parameters(make))}


def named_functions(text):
    """The functions of the library that a message names."""
    names = re.findall(r"aucbook((?:\.\w+)+)", text)
    return [reduce(getattr, name[1:].split("."), aucbook) for name in names]


def test_every_explorer_that_takes_data_is_tried():
    assert len(WITH_DATA) >= 13
    assert not {data for data in WITH_DATA.values() if data not in DATA}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("make", WITH_DATA)
def test_more_cases_than_a_picture_holds(make, n):
    data = DATA[WITH_DATA[make]](n)
    try:
        shown = make(**data)
    except ValueError as error:
        # nothing like it can be drawn: the message says what to use
        assert {"y", "X"}.isdisjoint(data), error
        assert named_functions(str(error)), error
        assert len(str(error)) < 300
        return
    assert isinstance(shown, (Explorable, LabWidget))
    html = shown._repr_html_()
    assert len(html) < 400_000
    if isinstance(shown, LabWidget):
        assert shown.message == ""
        assert shown.picture["panels"]


def test_the_widget_has_the_data_and_the_settings():
    _, y, s = sample(1000)
    words = np.where(y == 1, "sick", "healthy")
    widget = explore.roc_explorer(words, {"old": s, "new": -s})
    assert widget.options("score") == ["old", "new"]
    assert "sick" in str(widget.picture)
    widget = explore.pauc_explorer(y, s, min_fpr=0.2, max_fpr=0.4)
    (interval,) = widget.value.values()
    expected = aucbook.partial_auc(y, s, min_fpr=0.2, max_fpr=0.4)
    assert interval.estimate == pytest.approx(expected)
    widget = explore.alarm_explorer(y, s, prevalence=0.05, miss_cost=20, budget=100)
    chosen = [widget.chosen(name) for name in ("prevalence", "miss_cost", "budget")]
    assert chosen == [0.05, 20, 0.1]
    widget = explore.delong_explorer(y, s)
    (interval,) = widget.value.values()
    assert interval.estimate == pytest.approx(roc_auc(y, s))
    widget = explore.boosting_explorer(*sample(61)[:2], 3)
    assert widget.value.n_estimators_ <= 3


def test_a_few_cases_too_many_pairs():
    y = [0, 1] * 20
    assert len(y) < 60 < MAX_PAIRS < 400
    assert isinstance(explore.pairs_explorer(y, np.arange(40.0)), LabWidget)


def test_the_hull_and_its_blocks():
    y = in_order(1000)
    widget = explore.hull_explorer(y)
    blocks = widget.options("score")[1]
    widget.choose(score=blocks)
    hull = roc_curve(y, np.arange(1000)).hull()
    assert len(widget.options("threshold")) == np.unique(pav(y)).size + 1 == hull.fpr.size
    assert f"{hull.auc():.3f}" in str(widget.picture["panels"][1]["legend"])


def test_groups_of_neighbours_keep_the_sums():
    rng = np.random.default_rng(0)
    y = rng.random(1003)
    weight = rng.integers(1, 4, 1003)
    html = explore.pav_explorer(y, weight)._repr_html_()
    shown_y, shown_w = (
        np.array(re.search(rf'"{key}":\[(.*?)\]', html)[1].split(","), float) for key in "yw"
    )
    assert shown_y.size == shown_w.size == MAX_POINTS
    assert shown_w.sum() == pytest.approx(1)
    assert shown_w @ shown_y == pytest.approx(np.average(y, weights=weight))
    assert "the mean of about 50 neighbours of 1003" in html


def test_lemma4_on_a_thinned_curve():
    _, y, s = sample(20_000)
    miss, alarm = decimals(static_sentence(explore.lemma4_explorer(y, s)))
    curve = roc_curve(y, s)
    best = np.argmax(curve.tpr - curve.fpr)
    assert miss == pytest.approx(1 - curve.tpr[best], abs=0.0051)
    assert alarm == pytest.approx(curve.fpr[best], abs=0.0051)


@pytest.mark.parametrize("make", [m for m, data in WITH_DATA.items() if data == ("y", "scores")])
def test_many_cases_are_checked_like_few(make):
    _, y, s = sample(1000)
    for labels, scores in (
        (y[:-1], s),
        (np.ones(1000), s),
        (y, np.r_[s[1:], np.nan]),
        (y, ["a"] * 1000),
    ):
        with pytest.raises(ValueError, match=".{15}"):
            make(labels, scores)


def test_every_explorer_names_an_existing_widget():
    docs = {make: inspect.getdoc(make) for make in EXPLORERS}
    named = {make: re.findall(r"aucbook\.lab\.(\w+)", text) for make, text in docs.items()}
    for make, names in named.items():
        assert set(names) <= set(aucbook.lab.__all__), make
    assert sum(map(bool, named.values())) >= 15
