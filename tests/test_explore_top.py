"""The explorable of the top of a list: self-contained, and its enrichment is the library's."""

import re

import numpy as np
from test_explore import SAY, text

from aucbook import enrichment_factor, roc_auc
from aucbook.explore import top_explorer
from aucbook.explore.top import START, lists

READ = [SAY, ["attributes", ".here", "transform"], ["attributes", ".tested", "width"]]


def test_block_is_self_contained():
    html = top_explorer()._repr_html_()
    assert html == top_explorer()._repr_html_() and len(html.encode()) < 40_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert html.count("<title>") == html.count("<desc>") == html.count("<svg") == 2


def test_the_list_with_the_larger_auc_is_poorer_at_the_top():
    one, two = (roc_auc(row, -np.arange(20)) for row in lists())
    hits = lists().cumsum(1)
    assert (
        one < two
        and (hits[0] > hits[1])[:7].all()
        and hits[0, 7] == hits[1, 7]
        and (hits[0] < hits[1])[8:18].all()
    )


def test_static_figure_shows_the_start(drive):
    steps = [["shown", ".ax-panels svg"], ["shown", ".ax-controls"], ["width", "body"], *READ[1:]]
    picture, controls, width, spots, strips = drive(steps, top_explorer(), scripts=False, width=390)
    assert picture and not controls and width <= 390
    live = drive([*READ, ["width", "body"]], top_explorer(), width=390)
    assert live == [text(top_explorer()).partition(">")[2], spots, strips, width]


def test_by_keyboard(drive):
    steps = [["press", "[name=k]", "Home"], *READ]
    for _ in range(19):
        steps += [["press", "[name=k]", "ArrowRight"], *READ]
    seen = drive(steps, top_explorer())
    for k in range(1, 21):
        said, _, strips = seen[3 * k - 3 : 3 * k]
        rich = [enrichment_factor(row, -np.arange(20), k / 20) for row in lists()]
        found = [float(v) for v in re.findall(r"\d+\.\d\d", said)]
        np.testing.assert_allclose(found, rich, atol=0.0051)
        assert f"With {k} well" in said and strips == [str(17 * k)] * 2
    assert START == 4
