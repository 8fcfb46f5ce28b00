"""The explorable of pruning: its best subtrees are the library's."""

import re

import numpy as np
import pytest
from explorables import SENTENCE, static_sentence

from aucbook import TreeRank
from aucbook.explore import pruning_explorer
from aucbook.theory import make_gauss2d
from aucbook.trees import prune, pruning_path, shake

MODEL = TreeRank(max_depth=3).fit(*make_gauss2d(2000, random_state=0))


def test_it_starts_with_the_grown_tree():
    area = MODEL.curve_.auc()
    assert static_sentence(pruning_explorer(MODEL)).endswith(
        f"8 leaves, area {area:.3f}: penalised area {area - 0.08:.3f} at 0.010 a leaf."
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


def folds(model, price):
    """The letters of the splits to fold so that the library's subtree is left, and this subtree."""
    tree = model.tree_
    small = prune(model, price).tree_
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
        node, small_node = match.pop()
        if tree.left[node] and not small.left[small_node]:
            fold.append(letters[node])
        elif tree.left[node]:
            match += [(tree.left[node] + k, small.left[small_node] + k) for k in (0, 1)]
    return fold, small


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_library_s_subtree_has_the_largest_objective(drive, k):
    path = pruning_path(MODEL)
    price = round(float(path.ccp_alphas[k]), 3) + 0.001
    fold, small = folds(MODEL, price)
    steps = [SENTENCE]
    for letter in sorted(fold, reverse=True):  # the last letters first: places before them stay
        place = "abcdefghijklmno".index(letter)
        steps += [["press", "[name=cut]", "Home"], *[["press", "[name=cut]", "ArrowRight"]] * place]
        steps += [["click", "[name=fold]", None]]
    before, after = drive([*steps, SENTENCE], pruning_explorer(MODEL, price))
    assert "Another tree is better." in before
    assert "No other tree is better." in after
    size = small.leaves.size
    assert f"{size} {'leaf' if size == 1 else 'leaves'}, area {small.curve.auc():.3f}" in after


def test_fold_and_unfold_by_keyboard(drive):
    def press(name):
        return ["press", f"[name={name}]", "Enter"]

    steps = [press("fold"), SENTENCE, ["attributes", ":focus", "name"]]
    steps += [press("unfold"), SENTENCE]
    steps += [press("fold"), press("again"), SENTENCE]
    root, focus, back, again = drive(steps, pruning_explorer())
    assert root.startswith("1 leaf, area 0.500")
    assert "Growing a back would add 7 leaves" in root
    assert focus == ["unfold"]
    assert back.startswith("8 leaves")
    assert again.startswith("8 leaves")


def test_the_slider_of_the_complexity_parameter(drive):
    steps = [["press", "[name=price]", "End"], SENTENCE, ["click", "[name=fold]"], SENTENCE]
    first, folded = drive(steps, pruning_explorer())
    assert "Another tree is better" in first
    assert "No other tree is better" in folded
    price = float(re.search(r"at (\d\.\d+) a leaf", first)[1])
    assert price > pruning_path(MODEL).ccp_alphas.max()
