"""The explorable of the order of tied groups: its areas are the library's."""

import re
from itertools import permutations

import numpy as np
import pytest
from explorables import SENTENCE, static_sentence

from aucbook.explore import rooms_explorer
from aucbook.explore.rooms import HEALTHY, SICK
from aucbook.theory import UniformBlocks

LEAVES = [52, 1, 14, 1, 11, 10, 2, 0], [4, 11, 2, 44, 0, 3, 17, 28]


def area(order, sick=SICK, healthy=HEALTHY):
    g, h = (np.array(v, float)[list(order)] / sum(v) for v in (sick, healthy))
    return float(h @ (np.cumsum(g) - g / 2))


def test_symbols_of_the_page_are_on_the_bars():
    html = rooms_explorer(symbols=("g", "h"))._repr_html_()
    assert html.count("data-symbol") == 2 * len(SICK)


def test_it_starts_with_the_order_given():
    assert static_sentence(rooms_explorer()).endswith(f"A B C D E: area {area(range(5)):.3f}.")


@pytest.mark.parametrize("sick,healthy", [(SICK, HEALTHY), LEAVES])
def test_the_best_area_is_that_of_the_best_order(sick, healthy):
    html = rooms_explorer(sick, healthy)._repr_html_()
    best = float(re.search(r'"best":([\d.]+)', html)[1])
    if len(sick) < 7:
        assert best == pytest.approx(
            max(area(o, sick, healthy) for o in permutations(range(len(sick)))), abs=1e-12
        )
    assert best == pytest.approx(UniformBlocks(healthy, sick).auc, abs=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: rooms_explorer([1], [1]),
        lambda: rooms_explorer([1] * 11, [1] * 11),
        lambda: rooms_explorer([1, 2], [1]),
        lambda: rooms_explorer([1, -2], [1, 3]),
        lambda: rooms_explorer([1, 0], [1, 0]),
        lambda: rooms_explorer([1, 0], [0, 0]),
        lambda: rooms_explorer([1, 2], [2, 1], names="A"),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match=".{15}"):
        call()


def test_by_keyboard_to_the_best_order(drive):
    """C to the front, A behind it, then E before D and before B."""

    def choose(place):
        return [["press", "[name=room]", "Home"], *[["press", "[name=room]", "ArrowRight"]] * place]

    earlier = ["click", "[name=earlier]", None]
    steps = [*choose(2), earlier, SENTENCE, earlier, SENTENCE]
    steps += [*choose(4), earlier, earlier, SENTENCE]
    steps += [*choose(4), earlier, SENTENCE]
    one, two, four, last = drive(steps, rooms_explorer())
    assert one.startswith(f"A C B D E: area {area([0, 2, 1, 3, 4]):.3f}. C and B changed places")
    assert "more" in one
    assert two.startswith(f"C A B D E: area {area([2, 0, 1, 3, 4]):.3f}.")
    assert four.startswith(f"C A E B D: area {area([2, 0, 4, 1, 3]):.3f}.")
    assert "No order" not in four
    assert last.startswith(f"C A E D B: area {area([2, 0, 4, 3, 1]):.3f}.")
    assert "No order has a larger one" in last


def test_the_keyboard_keeps_its_place_at_either_end(drive):
    steps = [
        ["press", "[name=room]", "ArrowRight"],
        ["press", "[name=earlier]", "Enter"],
        ["attributes", ":focus", "name"],
    ]
    assert drive(steps, rooms_explorer())[-1] == ["later"]


def test_by_pointer(drive):
    steps = [["drag", ".column", [200, 0]], SENTENCE, ["click", "[name=again]"], SENTENCE]
    dragged, again = drive(steps, rooms_explorer())
    assert not dragged.startswith("A B C D E")
    assert re.search("moved|changed places", dragged)
    assert again.startswith("A B C D E")
