"""The explorable of two tests: its AUC is the library's."""

import re

import numpy as np
from explorables import SENTENCE

from aucbook import roc_auc
from aucbook.explore import crossing_explorer
from aucbook.explore.crossing import HEALTHY, SICK, STEPS, pairs_in_order, sentence

READ = [["attributes", "svg g:has(> .mark)", "transform"], ["attributes", ".cutline", "d"]]


def test_the_sum_is_better_than_each_test():
    y = [1] * len(SICK) + [0] * len(HEALTHY)
    for k in range(STEPS + 1):
        assert pairs_in_order(k) / 16 == roc_auc(y, np.array(SICK + HEALTHY) @ (STEPS - k, k))
    assert pairs_in_order(0) == pairs_in_order(STEPS) == 12
    assert pairs_in_order(STEPS // 2) == 16


def test_static_figure_shows_the_start(drive):
    static = drive(READ, crossing_explorer(), scripts=False)
    assert drive(READ, crossing_explorer()) == static


def test_by_keyboard(drive):
    steps = [["press", "[name=share]", "Home"], SENTENCE]
    for _ in range(STEPS):
        steps += [["press", "[name=share]", "ArrowRight"], SENTENCE]
    sentences = drive(steps, crossing_explorer())
    assert sentences == [re.sub("<[^>]+>", "", sentence(k)) for k in range(STEPS + 1)]
