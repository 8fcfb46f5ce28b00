"""The explorable of a ranking tree: its areas are the library's."""

import json
import re
from itertools import combinations

import numpy as np
import pytest
from explorables import SENTENCE, static_sentence

from aucbook import TreeRank, roc_auc
from aucbook.explore import tree_explorer
from aucbook.theory import make_gauss2d

X, Y = make_gauss2d(2000, random_state=0)


def area(sentence):
    return float(re.search(r"area (\d\.\d+)", sentence)[1])


def best_with(tree, cuts):
    """The largest area of any subtree with that many cuts, by trying all."""
    inner = np.flatnonzero(tree.left)
    parent = {}
    for node in inner:
        parent[tree.left[node]] = parent[tree.left[node] + 1] = node

    def is_subtree(chosen):
        return all(node == 0 or parent[node] in chosen for node in chosen)

    return 0.5 + max(
        tree.gains[list(c)].sum() / 2 for c in combinations(inner, cuts) if is_subtree(c)
    )


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_goal_is_the_best_that_half_of_the_cuts_can_do(depth):
    model = TreeRank(max_depth=depth).fit(X, Y)
    size = model.tree_.leaves.size
    goal = np.floor(1000 * best_with(model.tree_, size // 2)) / 1000
    sentence = static_sentence(tree_explorer(model))
    assert f"All {size - 1} splits reach an area of {model.curve_.auc():.3f}" in sentence
    assert f"the best {size // 2} of them {goal:.3f}." in sentence


def test_cut_by_cut_the_area_is_the_library_s(drive):
    cut = ["click", "[name=cut]", None]
    cells = ["attributes", ".cell:not(.hidden)", "data-node"]

    def choose(k):
        return [
            ["press", "[name=node]", "Home"],
            *[["press", "[name=node]", "ArrowRight"]] * (k - 1),
        ]

    one, two = (TreeRank(max_depth=D).fit(X, Y) for D in (1, 2))
    steps = [SENTENCE, cells, cut, SENTENCE, cells]
    steps += [*choose(3), cut, SENTENCE]
    steps += [*choose(2), cut, SENTENCE]
    steps += [*choose(1), ["click", "[name=undo]"], SENTENCE, cells]
    start, cells_before, first, grown, second, third, back, shrunk = drive(steps, tree_explorer())
    assert area(start) == 0.5
    assert cells_before == ["0"]
    assert "The goal: 0.705 with 4 splits" in start
    assert area(first) == round(roc_auc(Y, one.decision_function(X)), 3)
    assert len(grown) == 3
    assert "added a triangle of" in second
    assert area(first) < area(second) < area(third)
    assert area(third) == round(roc_auc(Y, two.decision_function(X)), 3)
    assert area(back) == 0.5
    assert shrunk == ["0"]


def test_the_goal_can_be_reached(drive):
    """In reading order: the root, its other part, that one's other part, and the better part of the root."""
    cut = ["click", "[name=cut]", None]
    last = ["press", "[name=node]", "End"]
    second = [["press", "[name=node]", "Home"], ["press", "[name=node]", "ArrowRight"]]
    steps = [cut, last, cut, last, cut, SENTENCE]
    steps += [*second, cut, SENTENCE]
    before, after = drive(steps, tree_explorer())
    assert "3 splits" in before
    assert "The goal" in before
    assert "4 splits" in after
    assert "You are there." in after
    assert area(after) >= 0.705


def test_after_a_split_its_better_child_is_chosen_and_the_focus_stays(drive):
    """Enter splits the root, then its better child, and so on to a leaf, where the slider gets the focus."""
    read = [
        ["attributes", "[name=node]", "aria-valuetext"],
        ["attributes", ":focus", "name"],
        SENTENCE,
        ["attributes", ".wash", "d"],
    ]
    cut = ["press", "[name=cut]", "Enter"]
    readings = drive([*read, *3 * [cut, *read]], tree_explorer())
    places, focus, sentences, triangles = (readings[k::4] for k in range(4))
    assert places == [["1/1"], ["2/3"], ["3/5"], ["4/7"]]
    # a leaf of this tree cannot be split: its button is grey
    assert focus[1:] == [["cut"], ["cut"], ["node"]]
    assert "added a triangle of" in sentences[1]
    assert "Its better part is chosen" in sentences[1]
    assert "does not split" in sentences[3]
    assert triangles[1][0]


def test_when_a_split_is_undone_its_node_is_chosen(drive):
    read = [["attributes", "[name=node]", "aria-valuetext"], ["attributes", ":focus", "name"]]
    cut = ["press", "[name=cut]", "Enter"]
    undo = ["press", "[name=undo]", "Enter"]
    again = ["press", "[name=again]", "Enter"]
    steps = [cut, cut, cut, undo, *read, undo, undo, *read, cut, again, *read]
    assert drive(steps, tree_explorer()) == [["3/5"], ["undo"], ["1/1"], ["cut"], ["1/1"], ["cut"]]


def test_the_plane_shows_the_cells_of_the_tree():
    """As many cases lie in the rectangle of a cell as its node has."""
    data = json.loads(re.search(r'mount\("[^"]+",(\{.*\})\);', tree_explorer()._repr_html_())[1])
    for node in data["nodes"]:
        left, bottom, right, top = node["box"]
        inside = (X[:, 0] >= left) & (X[:, 0] <= right) & (X[:, 1] >= bottom) & (X[:, 1] <= top)
        stated = [
            int(number) for number in re.findall(r"(\d+) (?:positives|negatives)", node["here"])
        ]
        # thresholds are rounded for the picture
        assert abs(Y[inside].sum() - stated[0]) <= 2
        assert abs(inside.sum() - sum(stated)) <= 3
