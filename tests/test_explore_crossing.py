"""The explorable of two tests: self-contained, and its pairs are the library's."""

import re

import numpy as np
from test_explore import SAY, text

from aucbook import roc_auc
from aucbook.explore import crossing_explorer
from aucbook.explore.crossing import HEALTHY, SICK, STEPS, pairs_in_order, sentence

READ = [SAY, ["attributes", "svg g:has(> .mark)", "transform"], ["attributes", ".cutline", "d"]]


def test_block_is_self_contained():
    html = crossing_explorer()._repr_html_()
    assert html == crossing_explorer()._repr_html_() and len(html.encode()) < 40_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert (
        html.count("<title>")
        == html.count("<desc>")
        == html.count("<svg") - html.count("aria-hidden")
    )


def test_the_sum_is_better_than_each_test():
    y = [1] * len(SICK) + [0] * len(HEALTHY)
    for k in range(STEPS + 1):
        assert pairs_in_order(k) / 16 == roc_auc(y, np.array(SICK + HEALTHY) @ (STEPS - k, k))
    assert pairs_in_order(0) == pairs_in_order(STEPS) == 12 and pairs_in_order(STEPS // 2) == 16


def test_static_figure_shows_the_start(drive):
    steps = [["shown", ".ax-panels svg"], ["shown", ".ax-controls"], ["width", "body"], *READ[1:]]
    picture, controls, width, spots, line = drive(
        steps, crossing_explorer(), scripts=False, width=390
    )
    assert picture and not controls and width <= 390
    live = drive([*READ, ["width", "body"]], crossing_explorer(), width=390)
    assert live == [text(crossing_explorer()).partition(">")[2], spots, line, width]


def test_by_keyboard(drive):
    steps = [["press", "[name=share]", "Home"], SAY]
    for _ in range(STEPS):
        steps += [["press", "[name=share]", "ArrowRight"], SAY]
    said = drive(steps, crossing_explorer())
    assert said == [re.sub("<[^>]+>", "", sentence(k)) for k in range(STEPS + 1)]
