"""Explorables of the corner: a line that turns, a price found by planes, a price lowest at zero, one sick patient and an opponent."""

import re
from math import cos, radians, sin

import numpy as np
import pytest
from test_explore import SAY, text

from aucbook import partial_auc
from aucbook.explore import bowl_explorer, opponent_explorer, overlap_explorer, turn_explorer
from aucbook.explore.bowl import TEST_A, TEST_B, cutting_plane
from aucbook.pauc import most_violated_ordering

A = np.array(TEST_A)
B = np.array(TEST_B)
Y = np.repeat([1, 0], [10, 30])
ALL = [turn_explorer, bowl_explorer, overlap_explorer, opponent_explorer]


def numbers(said):
    return [float(v) for v in re.findall(r"-?\d+\.\d+", said)]


@pytest.mark.parametrize("make", ALL)
def test_block_is_self_contained(make):
    html = make()._repr_html_()
    assert html == make()._repr_html_() and len(html.encode()) < 60_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert (
        html.count("<title>")
        == html.count("<desc>")
        == html.count("<svg") - html.count('aria-hidden="true"')
    )


@pytest.mark.parametrize("make", ALL)
def test_scripts_off_phone_and_name(make, drive):
    steps = [
        ["shown", ".ax-panels svg", None],
        ["shown", ".ax-controls", None],
        SAY,
        ["width", "body", None],
    ]
    picture, controls, said, width = drive(steps, make(), scripts=False, width=390)
    assert picture and not controls and width <= 390
    assert drive([SAY], make())[0] == said and text(make()).endswith(said)


def test_turn_shows_the_library_s_partial_auc(drive):
    turns = [("ArrowRight", 31), ("PageUp", 1), ("End", 1), ("Home", 1)]
    steps = []
    for key, times in turns:
        steps += times * [["press", "[name=angle]", key]] + [
            SAY,
            ["attributes", "[name=angle]", "aria-valuetext"],
        ]
    seen = drive(steps, turn_explorer())
    for said, (angle,) in zip(seen[::2], seen[1::2], strict=True):
        turned = radians(int(angle.rstrip("°")))
        # rounded, as two sums that are equal on paper count half
        true = partial_auc(Y, (cos(turned) * A + sin(turned) * B).round(9), max_fpr=0.1)
        assert numbers(said)[0] == pytest.approx(true, abs=0.0051), (angle, said)
    assert (
        max(numbers(said)[0] for said in seen[::2]) == 0.7 == numbers(seen[-2])[1]
    )  # the best that a weighted sum can do
    with pytest.raises(ValueError, match="270"):
        turn_explorer(270)


def test_turn_by_pointer(drive):
    said, before = drive(
        [
            ["drag", ".ax-panels > svg", [0, -60]],
            SAY,
            ["attributes", "[name=angle]", "aria-valuetext"],
        ],
        turn_explorer(),
    )
    assert before[0] != "45°" and numbers(said)


def test_planes_touch_the_price_from_below():
    for w in np.linspace(-1, 2, 31):
        height, slope = cutting_plane(B, A, w)
        s = B + w * A
        assert height + slope * w == pytest.approx(
            most_violated_ordering(s[:10], s[10:], max_fpr=0.1)[1] / 30
        )
        for v in (-0.7, 0.1, 0.4, 1.3):
            assert height + slope * v <= np.dot(cutting_plane(B, A, v), (1, v)) + 1e-9


def test_bowl_closes_on_the_lowest_price(drive):
    drop = ["click", "[name=drop]"]
    steps = (
        5 * [drop, SAY]
        + 2 * [drop]
        + [SAY, ["attributes", "[name=w]", "aria-valuetext"], ["click", "[name=again]"], SAY]
    )
    seen = drive(steps, bowl_explorer())
    grid = np.linspace(0, 1.5, 3001)
    least = min(float(np.dot(cutting_plane(B, A, w), (1, w))) for w in grid)
    for said in seen[:6]:
        best, floor = numbers(said)[:2]
        assert floor - 0.0006 <= least <= best + 0.0006
    assert "done" in seen[5] and "done" not in seen[1] and seen[0].startswith("1 plane:")
    assert seen[-1].startswith("Nothing is known yet")


def test_bowl_can_be_asked_anywhere(drive):
    steps = [["press", "[name=w]", "Home"], ["click", "[name=drop]"], SAY]
    (said,) = drive(steps, bowl_explorer())
    assert numbers(said)[0] == pytest.approx(cutting_plane(B, A, 0.0)[0], abs=0.0006)


def test_overlap_moves_the_lowest_point_to_zero(drive):
    down = ["press", "[name=shift]", "ArrowLeft"]
    start, still, zero = drive([SAY, *7 * [down], SAY, down, SAY], overlap_explorer())
    assert numbers(start)[0] > 0.3 and numbers(still)[0] > 0.3 and numbers(zero) == [0, 1]
    assert "same score" in zero and "ranked" in still
    with pytest.raises(ValueError, match="shift"):
        overlap_explorer(7)


def test_opponent_s_best_is_the_library_s(drive):
    from aucbook.explore.opponent import HEALTHY

    for sick, points, interval in (
        (0.9, (1, 1, 0, 0), (0, 0.5)),
        (0.9, (0, 0, 1, 1), (0.5, 1)),
        (2.0, (1, 1, 0, 0), (0, 0.5)),
    ):
        steps = 4 * [["press", "[name=above]", "ArrowRight"], SAY]
        seen = drive(steps, opponent_explorer(sick, points))
        ranks, value = most_violated_ordering(
            [sick], HEALTHY, min_fpr=interval[0], max_fpr=interval[1]
        )
        assert numbers(seen[-1])[-1] == pytest.approx(value, abs=0.051)
        if ranks[0]:
            assert numbers(seen[ranks[0] - 1])[-2:] == pytest.approx([value, value], abs=0.051)
    with pytest.raises(ValueError, match="points"):
        opponent_explorer(points=(1, 1))
