"""The explorable of the top of a list: its enrichment factors are the library's."""

import re

import numpy as np
from explorables import SENTENCE

from aucbook import enrichment_factor, roc_auc
from aucbook.explore import top_explorer
from aucbook.explore.top import START, lists

READ = [SENTENCE, ["attributes", ".here", "transform"], ["attributes", ".tested", "width"]]


def test_the_list_with_the_larger_auc_is_poorer_at_the_top():
    one, two = (roc_auc(row, -np.arange(20)) for row in lists())
    hits = lists().cumsum(1)
    assert one < two
    assert (hits[0] > hits[1])[:7].all()
    assert hits[0, 7] == hits[1, 7]
    assert (hits[0] < hits[1])[8:18].all()


def test_static_figure_shows_the_start(drive):
    assert drive(READ, top_explorer()) == drive(READ, top_explorer(), scripts=False)


def test_by_keyboard(drive):
    steps = [["press", "[name=k]", "Home"], *READ]
    for _ in range(19):
        steps += [["press", "[name=k]", "ArrowRight"], *READ]
    readings = drive(steps, top_explorer())
    for k in range(1, 21):
        sentence, _, strips = readings[3 * k - 3 : 3 * k]
        expected = [enrichment_factor(row, -np.arange(20), k / 20) for row in lists()]
        shown = [float(v) for v in re.findall(r"\d+\.\d\d", sentence)]
        np.testing.assert_allclose(shown, expected, atol=0.0051)
        assert f"With {k} well" in sentence
        assert strips == [str(17 * k)] * 2
    assert START == 4
