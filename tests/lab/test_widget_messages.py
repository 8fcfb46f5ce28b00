"""What every widget says when it is interrupted, and which warnings it shows: for all slow widgets, found by discovery."""

import warnings
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning

from aucbook import AUCBoost, lab
from aucbook.lab.drawing import choice, picture
from aucbook.lab.widget import LabWidget
from aucbook.theory import make_gauss2d

MODULES = [import_module(f"aucbook.lab.{module.name}") for module in iter_modules(lab.__path__)]
SLOW = sorted(
    {
        value
        for module in MODULES
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, LabWidget) and value.is_slow
    },
    key=lambda widget: widget.__name__,
)


def sample(n=200):
    return make_gauss2d(n, random_state=0)


def table():
    X, y = sample()
    X *= 10  # numbers from 0 to 1 would be taken for scores
    return pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "sick": y})


# a small widget of each class
MAKERS = {
    "BoostingWidget": lambda: lab.boosting(*sample(), n_estimators=10),
    "ForestWidget": lambda: lab.forest(*sample(), n_estimators=3),
    "NoiseWidget": lambda: lab.noise(
        *sample(), {"boosting": AUCBoost(n_estimators=3)}, n_repeats=1
    ),
    "OpenWidget": lambda: lab.open(table(), label="sick"),
    "SampleSizeWidget": lambda: lab.sample_size(),
}


def test_all_slow_widgets_are_tried():
    assert {widget.__name__ for widget in SLOW} == set(MAKERS)


class _Interrupt:
    """A press of "interrupt the kernel" as soon as a computation reports its progress."""

    def __init__(self, widget):
        self.widget = widget
        self.is_pressed = False

    def __enter__(self):
        self.widget.observe(self.press, "progress")
        return self

    def __exit__(self, *error):
        self.widget.unobserve(self.press, "progress")

    def press(self, change):
        if change["new"] > 0 and not self.is_pressed:
            self.is_pressed = True
            raise KeyboardInterrupt


def positions(spec):
    """Some settings of a control: the ends of a slider, half of a number, every choice."""
    if spec["kind"] == "number":
        return [(spec["start"] or 0.5) / 2]
    n = len(spec["options"] if spec["kind"] == "choice" else spec["shown"])
    return range(n) if spec["kind"] == "choice" else (0, n - 1)


@pytest.mark.parametrize("name", MAKERS)
def test_an_interrupted_widget_keeps_its_last_picture(name):
    widget = MAKERS[name]()
    assert widget.picture, widget.message
    asking = [spec for spec in widget.controls if not spec["linked"]]
    refits = []
    for control, position in [(spec["name"], p) for spec in asking for p in positions(spec)]:
        shown = dict(widget.values)
        before = widget.picture
        answered = widget.answered
        with _Interrupt(widget) as interrupt:
            widget.values = {**shown, control: position}
        if interrupt.is_pressed:
            refits.append({control: position})
            assert widget.message.startswith("Stopped."), (control, position, widget.message)
            assert widget.picture is before
            assert widget.values == shown  # the controls show what the picture shows
            assert widget.progress == -1
            assert widget.answered > answered  # the page hears that Python is alive
        else:
            widget.values = shown
        if len(refits) == 3:
            break
    assert refits
    # the same choice, not interrupted
    widget.values = {**widget.values, **refits[-1]}
    assert not widget.message.startswith("Stopped")
    assert widget.picture is not before


def test_interrupted_before_the_first_picture():
    class Stopped(LabWidget):
        def __init__(self):
            super().__init__()
            self.begin()

        def draw(self):
            raise KeyboardInterrupt

    assert Stopped().message == "Stopped before the first picture: run this cell again."


class Warned(LabWidget):
    """Gives the warnings of one choice."""

    GIVEN = {
        "none": [],
        "library": [UserWarning],
        "scikit-learn": [DataConversionWarning, ConvergenceWarning],
        "twice": [UserWarning, UserWarning],
        "developers": [DeprecationWarning, FutureWarning, np.exceptions.VisibleDeprecationWarning],
    }

    def __init__(self):
        super().__init__()
        self.begin()

    def make_controls(self):
        return [choice("kind", "kind", list(self.GIVEN))]

    def draw(self):
        for category in self.GIVEN[self.chosen("kind")]:
            warnings.warn(f"a {category.__name__}\n    of two lines", category, stacklevel=2)
        return picture("Warnings")


@pytest.mark.parametrize(
    "kind, lines",
    [
        ("library", ["a UserWarning of two lines"]),
        (
            "scikit-learn",
            ["a DataConversionWarning of two lines", "a ConvergenceWarning of two lines"],
        ),
        ("twice", ["a UserWarning of two lines"]),
        ("developers", []),
    ],
)
def test_warnings_are_lines_of_the_message(kind, lines):
    widget = Warned()
    widget.choose(kind=kind)
    assert widget.message.splitlines() == lines
    assert widget.picture["title"] == "Warnings"
    frame = widget._stored()["frames"][str(list(widget.GIVEN).index(kind))]
    assert frame["message"].splitlines() == lines  # in a page, too
    widget.choose(kind="none")
    assert widget.message == ""


def test_every_choice_is_answered():
    widget = Warned()
    for k in (1, 0):
        before = widget.answered
        widget.set_state({"values": {"kind": k}})
        assert widget.answered == before + 1
    widget.set_state({"values": {"kind": 99}})
    assert widget.answered == before + 2  # what cannot be chosen is answered as well


def test_warnings_about_the_data_stay():
    widget = lab.roc(["ill", "well", "ill", "well"], {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]})
    (line,) = widget.message.splitlines()
    assert "'well'" in line
    widget.choose(score="b")
    assert widget.message == line
    assert line in widget._repr_html_()
    named = lab.roc(["ill", "well", "ill", "well"], [1, 2, 3, 4], pos_label="ill")
    assert named.message == ""


def test_warnings_of_a_view_are_lines_of_the_whole(monkeypatch):
    opened = lab.open(table(), label="sick")
    opened._shown.message = "one\ntwo"
    opened._renew()
    assert opened.message.splitlines() == ["one", "two"]
