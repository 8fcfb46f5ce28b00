"""The explorable of a forest: self-contained, it begins with one tree, and its areas are the library's."""

import re

import numpy as np
import pytest
from test_explore import SAY, text

from aucbook import TreeRank, roc_auc
from aucbook.explore import forest_explorer
from aucbook.explore.forest import SEEDS


@pytest.fixture(scope="module")
def block():
    return forest_explorer()


def people(rng, n):
    y = np.arange(n) % 2
    return np.round(rng.normal(size=(n, 2)) + 0.9 * y[:, None], 2), y


def expected(seed, trees):
    """The area of the mean on new rows, and out of bag, after so many trees; the trees grow on the drawn rows, copies and all."""
    Z, z = people(np.random.default_rng(99), 400)
    rng = np.random.default_rng(seed)
    X, y = people(rng, 100)
    votes, own = np.zeros(400), []
    for _ in range(trees):
        rows = rng.integers(0, 100, 100)
        model = TreeRank(max_depth=3).fit(X[rows], y[rows])
        vote = lambda A, model=model: model.tree_.scores("fpr")[model.apply(A)]
        votes += vote(Z)
        own.append(np.where(np.isin(np.arange(100), rows), np.nan, vote(X)))
    asked = ~np.isnan(own).all(0)
    return (
        roc_auc(z, votes.round(9)),
        roc_auc(y[asked], np.nanmean(np.array(own)[:, asked], 0).round(9)),
        asked.sum(),
    )


def test_block_is_self_contained(block):
    html = block._repr_html_()
    assert html == forest_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert html.count("<title>") == html.count("<desc>") == html.count("<svg") == 2


def test_scripts_off_and_phone(drive, block):
    steps = [
        ["shown", ".ax-panels svg", None],
        ["shown", ".ax-controls", None],
        SAY,
        ["width", "body", None],
    ]
    picture, controls, said, width = drive(steps, block, scripts=False, width=390)
    assert picture and not controls and width <= 390 and text(block).endswith(said)
    assert drive([SAY], block)[0] == said  # the script's first sentence is the static one
    assert said.startswith("1 tree: 7 different scores")


def test_areas_are_the_library_s_and_out_of_bag_can_be_either(drive, block):
    read = [["press", "[name=trees]", "End"], ["click", "[name=unseen]", None], SAY]
    for _ in SEEDS[1:]:
        read += [["click", "[name=other]", None], SAY]
    read += [["press", "[name=trees]", "PageDown"], SAY]
    *said, fewer = drive(read, block)
    for sentence, seed, word in zip(
        said, SEEDS, ["too modest", "too proud", "about right"], strict=True
    ):
        new, out, judged = expected(seed, 50)
        assert sentence.startswith("50 trees") and sentence.endswith(word + ".")
        assert f"{judged} of the 100" in sentence
        found = [float(v) for v in re.findall(r"area (\d\.\d+)", sentence)]
        np.testing.assert_allclose(found, [new, out], atol=0.0006)
    assert int(fewer.split()[0]) < 50


def test_out_of_bag_is_shown_only_when_asked(drive, block):
    hidden = ["attributes", ".unseen, .unseen-areas", "class"]
    before, after = drive([hidden, ["press", "[name=unseen]", " "], hidden], block)
    assert all("hidden" in c for c in before) and not any("hidden" in c for c in after)
