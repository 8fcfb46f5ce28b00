"""The explorable of shattering: self-contained, and what it calls possible is what the library can learn by heart."""

from itertools import combinations, product

import numpy as np
import pytest
from test_explore import SAY, text

from aucbook import PAVAdaBoostFinite
from aucbook.explore import shatter_explorer
from aucbook.explore.shatter import POINTS, count_possible, forbidding_pair, staircases

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:every curve is flat"),
]
LABELLINGS = [word for word in product((0, 1), repeat=4) if 0 < sum(word) < 4]


def learned(points, word):
    """Whether boosting gets every sign right. Votes may be as large as 20, so a labelling that is possible leaves little of the loss."""
    model = PAVAdaBoostFinite("increasing", clip=1e-12, max_cycles=300, tol=0).fit(
        np.array(points, float), word
    )
    return bool((model.predict(np.array(points, float)) == word).all())


def test_block_is_self_contained():
    html = shatter_explorer()._repr_html_()
    assert html == shatter_explorer()._repr_html_() and len(html.encode()) < 40_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert (
        html.count("<title>")
        == html.count("<desc>")
        == html.count("<svg") - html.count('aria-hidden="true"')
    )


def test_possible_is_what_boosting_can_learn():
    grid = list(product(range(1, 4), repeat=2))
    places = list(combinations(grid, 4))
    for points in [POINTS, *places[:: len(places) // 12]]:
        found = [forbidding_pair(points, word) is None for word in LABELLINGS]
        assert found == [learned(points, word) for word in LABELLINGS]
        assert count_possible(points) == sum(found) + 2  # all of one label is always possible


def test_staircases_rise_and_their_signs_are_the_labels():
    for points in combinations(list(product((1, 3, 4, 6), repeat=2)), 3):
        for word in product((0, 1), repeat=3):
            first, second = staircases(points, word)
            assert (np.diff(first) >= 0).all() and (np.diff(second) > 0).all()
            total = np.array([first[x - 1] + second[y - 1] for x, y in points])
            if forbidding_pair(points, word) is None:
                assert (np.where(word, total, -total) >= 0.5).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: shatter_explorer([(1, 1)]),
        lambda: shatter_explorer([(1, 1), (1, 1)], [0, 1]),
        lambda: shatter_explorer([(0, 1), (2, 2)], [0, 1]),
        lambda: shatter_explorer([(1.5, 1), (2, 2)], [0, 1]),
        lambda: shatter_explorer([(1, 1), (2, 2)], [0, 1, 1]),
        lambda: shatter_explorer([(1, 1), (2, 2)], [0, 2]),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match="points|labels"):
        call()


def test_scripts_off_and_on_a_phone(drive):
    steps = [
        ["shown", ".ax-panels svg", None],
        ["shown", ".ax-controls", None],
        SAY,
        ["width", "body", None],
    ]
    picture, controls, said, width = drive(steps, shatter_explorer(), scripts=False, width=390)
    assert picture and not controls and width <= 390
    assert (
        drive([SAY], shatter_explorer())[0] == said
    )  # the script's first sentence is the static one


def count(said):
    return int(said.split(" labellings of these points ")[1].split()[0])


def test_what_the_page_says_is_what_python_says(drive):
    read = [
        SAY,
        ["attributes", ".first", "d"],
        ["attributes", ".pair", "d"],
        ["attributes", ".point", "aria-pressed"],
    ]
    steps = read + 16 * [["click", "[name=next]"], *read]
    seen = drive(steps, shatter_explorer())
    block, words = shatter_explorer(), []
    for said, first, pair, pressed in zip(*(seen[k::4] for k in range(4))):
        word = [int(v == "true") for v in pressed]
        words.append(tuple(word))
        forbidden = forbidding_pair(POINTS, word)
        assert said.startswith("Possible" if forbidden is None else "Impossible") and bool(
            pair[0]
        ) == bool(forbidden)
        assert count(said) == count_possible(POINTS) == 6
        static = shatter_explorer(POINTS, word).html
        assert (
            f'd="{first[0]}" class="curve first"' in static
            and said == text(shatter_explorer(POINTS, word)).split(">", 1)[1].strip()
        )
    assert len(set(words)) == 16 and words[0] == words[-1] and block.id.startswith("ax-shatter")


def test_by_keyboard_and_by_pointer(drive):
    points = [f".point >> nth={i}" for i in range(4)]
    steps = [["press", points[0], "Enter"], SAY]  # A positive: below B, which is negative
    steps += (
        2 * [["press", points[0], "ArrowUp"]] + 2 * [["press", points[0], "ArrowUp"]] + [SAY]
    )  # A to 1, 6
    steps += [["drag", points[3] + " >> .ring", [0, -400]], SAY]  # D is at the top already
    steps += [
        ["drag", points[3] + " >> .ring", [0, 400]],
        SAY,
        ["attributes", ".point", "aria-label"],
    ]
    steps += [
        ["click", points[3] + " >> .ring"],
        ["attributes", ".point", "aria-pressed"],
        ["click", "[name=reset]"],
        SAY,
    ]
    seen = drive(steps, shatter_explorer())
    assert (
        seen[0].startswith("Impossible: B, negative, is at least as high as A, positive")
        and count(seen[0]) == 6
    )
    assert seen[1].startswith("Possible") and count(seen[1]) == count_possible(
        [(1, 6), (2, 4), (4, 3), (5, 6)]
    )
    assert count(seen[2]) == count(seen[1])
    assert seen[3].startswith("Possible") and count(seen[3]) == 16
    assert seen[4] == [
        "A at 1, 6, positive",
        "B at 2, 4, negative",
        "C at 4, 3, positive",
        "D at 5, 1, positive",
    ]
    assert seen[5] == ["true", "false", "true", "false"] and count(seen[6]) == 6
