"""What follows sliders: sums, quotients, texts that hold at one place; pages without Python."""

import numpy as np
import pytest
from widget_parts import cell_text

from aucbook.lab.drawing import (
    difference,
    following,
    line,
    panel,
    picture,
    quotient,
    slider,
    where_drawn,
)
from aucbook.lab.widget import LabWidget


def test_mean_over_a_range():
    area = [0.0, 0.1, 0.3, 0.8]
    rate = [0.0, 0.2, 0.5, 1.0]
    over = difference(following("high", rate), following("low", rate))
    inside = difference(following("high", area, "decimal"), following("low", area))
    mean = quotient(inside, over)
    assert cell_text(mean, low=1, high=2) == "0.667"
    assert cell_text(mean, low=2, high=1) == "0.667"  # the ends in the other order
    assert cell_text(mean, low=2, high=2) == "–"


@pytest.mark.parametrize("steps, text", [((1, 2), "here"), ((0, 2), "–"), ((1, 0), "–")])
def test_text_where_it_was_computed(steps, text):
    cell = where_drawn("here", {"low": (1, 2), "high": (2, 3)})
    assert cell_text(cell, low=steps[0], high=steps[1]) == text


class Root(LabWidget):
    """A widget that cannot be drawn at one setting, and draws live at another control."""

    def __init__(self, **options):
        super().__init__()
        self.options_of_x = options
        self.n_drawn = 0
        self.begin()

    def make_controls(self):
        return [slider("x", "x", [1.0, -1.0, 4.0], **self.options_of_x)]

    def draw(self):
        self.n_drawn += 1
        x = self.chosen("x")
        if x < 0:
            raise ValueError(f"x must be at least 0, got {x}")
        return picture(f"root {np.sqrt(x)}", [panel("p", "x", "y", [line([0, 1], [0, x])])])


def test_page_says_which_setting_has_no_picture():
    frames = Root()._stored()["frames"]
    assert [frame["message"] for frame in frames.values()] == [
        "",
        "x must be at least 0, got -1.0",
        "",
    ]
    assert [len(frame["picture"]["panels"]) for frame in frames.values()] == [1, 0, 1]
    assert "root 1.0" in Root()._repr_html_()


@pytest.mark.parametrize("live, n_drawn", [(False, 1), (True, 2)])
def test_linked_slider_asks_python_if_it_is_live(live, n_drawn):
    root = Root(linked=True, live=live)
    root.choose(x=4.0)
    assert root.n_drawn == n_drawn
    assert root._stored()["asking"] == []  # a page has it enabled, and stores one picture
