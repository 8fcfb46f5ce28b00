"""Explorables of MartiRank, the worst order, DeLong, the links and the hull: self-contained, and their numbers are the library's."""
import re

import pytest
from test_explore import SAY, drive, text  # noqa: F401  (drive is a fixture)

from aucbook import AUCBoost, MartiRank
from aucbook.datasets import make_flipped
from aucbook.explore import martirank_explorer
from aucbook.roc import roc_auc

ALL = [martirank_explorer]


def values(sentence):
    return [float(v) for v in re.findall(r"-?\d+\.\d+", sentence)]


@pytest.fixture(scope="module")
def blocks():
    return {make: make() for make in ALL}


@pytest.mark.parametrize("make", ALL)
def test_block_is_self_contained(make, blocks):
    html = blocks[make]._repr_html_()
    assert html == make()._repr_html_() and len(html.encode()) < 60_000
    assert "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    assert html.count("<title>") == html.count("<desc>") == html.count("<svg") - html.count('aria-hidden="true"')


@pytest.mark.parametrize("make", ALL)
def test_scripts_off_phone_and_name(make, blocks, drive):  # noqa: F811
    steps = [["shown", ".ax-panels svg", None], ["shown", ".ax-controls", None], SAY, ["width", "body", None]]
    picture, controls, said, width = drive(steps, blocks[make], scripts=False, width=390)
    assert picture and not controls and width <= 390
    assert drive([SAY], blocks[make])[0] == said                              # the script's first sentence is the static one


def test_martirank_numbers_are_the_library_s(drive, blocks):  # noqa: F811
    test, _, clean = make_flipped(4000, 0, random_state=99, return_clean=True)

    def expected(noise, level):
        X, y = make_flipped(6000, noise, random_state=1)
        return [round(roc_auc(clean, r.fit(X, y).decision_function(test)), 3) for r in (MartiRank(n_rounds=level), AUCBoost(n_rounds=100))]

    assert values(text(blocks[martirank_explorer]))[:2] == expected(.1, 8)
    steps = [["press", "[name=noise]", "End"], ["press", "[name=level]", "ArrowLeft"], SAY,
             ["press", "[name=noise]", "Home"], ["press", "[name=level]", "Home"], SAY, ["attributes", ".node", "opacity"]]
    said, start, seen = drive(steps, blocks[martirank_explorer])
    assert "30 %" in said and "7 levels" in said and values(said)[:2] == expected(.3, 7)
    assert values(start) == [.5, round(expected(0, 1)[1], 3), 0] and seen == ["1"] + 44 * ["0.18"]


def test_martirank_by_pointer(drive, blocks):  # noqa: F811
    steps = [["drag", ".at", [400, 0]], SAY, ["drag", ".node", [0, 62]], SAY]        # to the last noise; two levels down from the top
    noise, level = drive(steps, blocks[martirank_explorer])
    assert noise.startswith("With 30 % wrong labels, 8 levels") and re.match(r"With 30 % wrong labels, [12] level", level)
