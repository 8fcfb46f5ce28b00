"""The explorable of shattering: the labellings that it calls possible are those that the library can fit."""

from itertools import combinations, product

import numpy as np
import pytest
from explorables import SENTENCE, static_sentence

from aucbook import PAVAdaBoostFinite
from aucbook.explore import shatter_explorer
from aucbook.explore.shatter import POINTS, count_possible, forbidding_pair, staircases

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:every curve is flat"),
]
LABELLINGS = [labelling for labelling in product((0, 1), repeat=4) if 0 < sum(labelling) < 4]


def can_fit(points, labelling):
    """Whether boosting gets every sign right. Votes may be as large as 20, so a labelling that is possible leaves little of the loss."""
    model = PAVAdaBoostFinite("increasing", clip=1e-12, max_cycles=300, tol=0).fit(
        np.array(points, float), labelling
    )
    return bool((model.predict(np.array(points, float)) == labelling).all())


def test_possible_is_what_boosting_can_learn():
    grid = list(product(range(1, 4), repeat=2))
    places = list(combinations(grid, 4))
    for points in [POINTS, *places[:: len(places) // 12]]:
        possible = [forbidding_pair(points, labelling) is None for labelling in LABELLINGS]
        assert possible == [can_fit(points, labelling) for labelling in LABELLINGS]
        assert count_possible(points) == sum(possible) + 2  # all of one label is always possible


def test_staircases_rise_and_their_signs_are_the_labels():
    for points in combinations(list(product((1, 3, 4, 6), repeat=2)), 3):
        for labelling in product((0, 1), repeat=3):
            first, second = staircases(points, labelling)
            assert (np.diff(first) >= 0).all()
            assert (np.diff(second) > 0).all()
            total = np.array([first[x - 1] + second[y - 1] for x, y in points])
            if forbidding_pair(points, labelling) is None:
                assert (np.where(labelling, total, -total) >= 0.5).all()


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


def count(sentence):
    return int(sentence.split(" labellings of these points ")[1].split()[0])


def test_the_script_agrees_with_python_on_every_labelling(drive):
    read = [
        SENTENCE,
        ["attributes", ".first", "d"],
        ["attributes", ".pair", "d"],
        ["attributes", ".point", "aria-pressed"],
    ]
    steps = read + 16 * [["click", "[name=next]"], *read]
    readings = drive(steps, shatter_explorer())
    block = shatter_explorer()
    labellings = []
    for sentence, first, pair, pressed in zip(*(readings[k::4] for k in range(4))):
        labelling = [int(v == "true") for v in pressed]
        labellings.append(tuple(labelling))
        forbidden = forbidding_pair(POINTS, labelling)
        assert sentence.startswith("Possible" if forbidden is None else "Impossible")
        assert bool(pair[0]) == bool(forbidden)
        assert count(sentence) == count_possible(POINTS) == 6
        static = shatter_explorer(POINTS, labelling).html
        assert f'd="{first[0]}" class="curve first"' in static
        assert sentence == static_sentence(shatter_explorer(POINTS, labelling))
    assert len(set(labellings)) == 16
    assert labellings[0] == labellings[-1]
    assert block.id.startswith("ax-shatter")


def test_by_keyboard_and_by_pointer(drive):
    points = [f".point >> nth={i}" for i in range(4)]
    last = points[3] + " >> .ring"
    # A positive: below B, which is negative
    steps = [["press", points[0], "Enter"], SENTENCE]
    # A to 1, 6
    steps += [*4 * [["press", points[0], "ArrowUp"]], SENTENCE]
    # D is at the top already
    steps += [["drag", last, [0, -400]], SENTENCE]
    steps += [["drag", last, [0, 400]], SENTENCE, ["attributes", ".point", "aria-label"]]
    steps += [["click", last], ["attributes", ".point", "aria-pressed"]]
    steps += [["click", "[name=reset]"], SENTENCE]
    readings = drive(steps, shatter_explorer())
    assert readings[0].startswith("Impossible: B, negative, is at least as high as A, positive")
    assert count(readings[0]) == 6
    assert readings[1].startswith("Possible")
    assert count(readings[1]) == count_possible([(1, 6), (2, 4), (4, 3), (5, 6)])
    assert count(readings[2]) == count(readings[1])
    assert readings[3].startswith("Possible")
    assert count(readings[3]) == 16
    assert readings[4] == [
        "A at 1, 6, positive",
        "B at 2, 4, negative",
        "C at 4, 3, positive",
        "D at 5, 1, positive",
    ]
    assert readings[5] == ["true", "false", "true", "false"]
    assert count(readings[6]) == 6
