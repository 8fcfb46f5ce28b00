"""The explorable of a ranking tree: self-contained, unsolved at first, and its areas are the library's."""

import re
from itertools import combinations

import numpy as np
import pytest
from test_explore import SAY, text

from aucbook import TreeRank, roc_auc
from aucbook.explore import tree_explorer
from aucbook.theory import make_gauss2d

X, Y = make_gauss2d(2000, random_state=0)


def area(said):
    return float(re.search(r"area (\d\.\d+)", said)[1])


def best_with(tree, cuts):
    """The largest area of any subtree with that many cuts, by trying all."""
    inner, up = np.flatnonzero(tree.left), {}
    for node in inner:
        up[tree.left[node]] = up[tree.left[node] + 1] = node
    whole = lambda chosen: all(node == 0 or up[node] in chosen for node in chosen)
    return 0.5 + max(tree.gains[list(c)].sum() / 2 for c in combinations(inner, cuts) if whole(c))


def test_block_is_self_contained():
    html = tree_explorer()._repr_html_()
    assert html == tree_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert (
        "http" not in html and "url(" not in html and "\n\n" not in html and html.count("<svg") == 2
    )


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_goal_is_the_best_that_half_of_the_cuts_can_do(depth):
    model = TreeRank(max_depth=depth).fit(X, Y)
    size = model.tree_.leaves.size
    goal = np.floor(1000 * best_with(model.tree_, size // 2)) / 1000
    said = text(tree_explorer(model))
    assert f"All {size - 1} cuts reach an area of {model.curve_.auc():.3f}" in said
    assert f"the best {size // 2} of them {goal:.3f}." in said


def test_scripts_off_and_phone(drive):
    steps = [
        ["shown", ".ax-panels svg", None],
        ["shown", ".ax-controls", None],
        SAY,
        ["width", "body", None],
    ]
    picture, controls, said, width = drive(steps, tree_explorer(), scripts=False, width=390)
    assert picture and not controls and width <= 390 and text(tree_explorer()).endswith(said)


def test_cut_by_cut_the_area_is_the_library_s(drive):
    cut, cells = ["click", "[name=cut]", None], ["attributes", ".cell:not(.hidden)", "data-node"]
    choose = lambda k: [
        ["press", "[name=node]", "Home"],
        *[["press", "[name=node]", "ArrowRight"]] * (k - 1),
    ]
    one, two = (TreeRank(max_depth=D).fit(X, Y) for D in (1, 2))
    steps = [SAY, cells, cut, SAY, cells, *choose(3), cut, SAY, *choose(2), cut, SAY]
    steps += [*choose(1), ["click", "[name=undo]", None], SAY, cells]
    start, seen, first, grown, second, third, back, shrunk = drive(steps, tree_explorer())
    assert area(start) == 0.5 and seen == ["0"] and "The goal: 0.705 with 4 cuts" in start
    assert area(first) == round(roc_auc(Y, one.decision_function(X)), 3) and len(grown) == 3
    assert "added a triangle of" in second and area(first) < area(second) < area(third)
    assert area(third) == round(roc_auc(Y, two.decision_function(X)), 3)
    assert area(back) == 0.5 and shrunk == ["0"]


def test_the_goal_can_be_reached(drive):
    """In reading order: the root, its other part, that one's other part, and the better part of the root."""
    cut, last = ["click", "[name=cut]", None], ["press", "[name=node]", "End"]
    second = [["press", "[name=node]", "Home"], ["press", "[name=node]", "ArrowRight"]]
    before, after = drive([cut, last, cut, last, cut, SAY, *second, cut, SAY], tree_explorer())
    assert "3 cuts" in before and "The goal" in before
    assert "4 cuts" in after and "You are there." in after and area(after) >= 0.705


def test_after_a_cut_its_better_part_is_chosen_and_the_keyboard_is_kept(drive):
    """Enter cuts the root, then its better part, and so on to a leaf; there the slider has the focus. Taken back, the parent is chosen."""
    where, focus = ["attributes", "[name=node]", "aria-valuetext"], ["attributes", ":focus", "name"]
    cut, undo, again = (["press", f"[name={name}]", "Enter"] for name in ("cut", "undo", "again"))
    steps = [
        where,
        cut,
        where,
        focus,
        SAY,
        ["attributes", ".wash", "d"],
        cut,
        where,
        focus,
        cut,
        where,
        focus,
        SAY,
    ]
    steps += [undo, where, focus, undo, undo, where, focus, cut, again, where, focus]
    (
        start,
        first,
        kept,
        said,
        wash,
        second,
        still,
        third,
        left,
        leaf,
        back,
        there,
        whole,
        last,
        new,
        end,
    ) = drive(steps, tree_explorer())
    assert start == ["1/1"] and first == ["2/3"] and second == ["3/5"] and third == ["4/7"]
    assert kept == still == ["cut"] and left == [
        "node"
    ]  # a leaf of this tree has no cut: the button is grey
    assert "added a triangle of" in said and "Its better part is chosen" in said and wash[0]
    assert "does not cut" in leaf
    assert back == ["3/5"] and there == ["undo"] and whole == ["1/1"] and last == ["cut"]
    assert new == ["1/1"] and end == ["cut"]
