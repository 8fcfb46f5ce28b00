"""The explorable of pruning: self-contained, grown at first, and its best trees are the library's."""

import re

import numpy as np
import pytest
from test_explore import SAY, text

from aucbook import TreeRank
from aucbook.explore import pruning_explorer
from aucbook.theory import make_gauss2d
from aucbook.trees import prune, pruning_path, shake

MODEL = TreeRank(max_depth=3).fit(*make_gauss2d(2000, random_state=0))


def test_block_is_self_contained():
    html = pruning_explorer()._repr_html_()
    assert html == pruning_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert "http" not in html and "url(" not in html and "\n\n" not in html


def test_it_starts_with_the_grown_tree():
    area = MODEL.curve_.auc()
    assert text(pruning_explorer(MODEL)).endswith(
        f"8 leaves, area {area:.3f}: worth {area - 0.08:.3f} at 0.010 a leaf."
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: pruning_explorer(TreeRank(max_depth=6).fit(*make_gauss2d(2000, random_state=0))),
        lambda: pruning_explorer(shake(MODEL)),
        lambda: pruning_explorer(MODEL, -0.1),
        lambda: pruning_explorer(MODEL, np.nan),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match=".{15}"):
        call()


def test_scripts_off_and_phone(drive):
    steps = [
        ["shown", ".ax-panels svg", None],
        ["shown", ".ax-controls", None],
        SAY,
        ["width", "body", None],
    ]
    picture, controls, said, width = drive(steps, pruning_explorer(), scripts=False, width=390)
    assert picture and not controls and width <= 390 and text(pruning_explorer()).endswith(said)


def folds(model, price):
    """The letters of the cuts to fold, from the leaves upwards, so that the library's tree is left."""
    tree, small = model.tree_, prune(model, price).tree_
    order = [0]
    letters = {}
    fold = []
    while order:
        node = order.pop()
        if tree.left[node]:
            letters[node] = "abcdefghijklmno"[len(letters)]
            order += [tree.left[node] + 1, tree.left[node]]
    match = [(0, 0)]
    while match:
        node, kept = match.pop()
        if tree.left[node] and not small.left[kept]:
            fold.append(letters[node])
        elif tree.left[node]:
            match += [(tree.left[node] + k, small.left[kept] + k) for k in (0, 1)]
    return fold, small


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_library_s_tree_is_worth_most(drive, k):
    path = pruning_path(MODEL)
    price = round(float(path.ccp_alphas[k]), 3) + 0.001
    fold, small = folds(MODEL, price)
    steps = [SAY]
    for letter in sorted(fold, reverse=True):  # the last letters first: places before them stay
        place = "abcdefghijklmno".index(letter)
        steps += [["press", "[name=cut]", "Home"], *[["press", "[name=cut]", "ArrowRight"]] * place]
        steps += [["click", "[name=fold]", None]]
    before, after = drive([*steps, SAY], pruning_explorer(MODEL, price))
    assert "Another tree is worth more." in before and "No other tree is worth more." in after
    size = small.leaves.size
    assert f"{size} {'leaf' if size == 1 else 'leaves'}, area {small.curve.auc():.3f}" in after


def test_fold_and_unfold_by_keyboard(drive):
    press = lambda name: ["press", f"[name={name}]", "Enter"]
    steps = [
        press("fold"),
        SAY,
        ["attributes", ":focus", "name"],
        press("unfold"),
        SAY,
        press("fold"),
        press("again"),
        SAY,
    ]
    root, focus, back, again = drive(steps, pruning_explorer())
    assert root.startswith("1 leaf, area 0.500") and "Unfolding a would add 7 leaves" in root
    assert focus == ["unfold"] and back.startswith("8 leaves") and again.startswith("8 leaves")


def test_the_price_slider(drive):
    said = drive(
        [["press", "[name=price]", "End"], SAY, ["click", "[name=fold]", None], SAY],
        pruning_explorer(),
    )
    assert "Another tree is worth more" in said[0] and "No other tree is worth more" in said[1]
    assert (
        float(re.search(r"at (\d\.\d+) a leaf", said[0])[1]) > pruning_path(MODEL).ccp_alphas.max()
    )
