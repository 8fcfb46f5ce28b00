"""Explorables of the partial AUC: a linear score, its surrogate loss by cutting planes, and the most violated ordering of one positive."""

from math import cos, radians, sin

import numpy as np
import pytest
from explorables import SENTENCE, decimals

from aucbook import partial_auc
from aucbook.explore import bowl_explorer, opponent_explorer, overlap_explorer, turn_explorer
from aucbook.explore.bowl import TEST_A, TEST_B, cutting_plane
from aucbook.pauc import most_violated_ordering

A = np.array(TEST_A)
B = np.array(TEST_B)
Y = np.repeat([1, 0], [10, 30])


def test_turn_shows_the_library_s_partial_auc(drive):
    turns = [("ArrowRight", 31), ("PageUp", 1), ("End", 1), ("Home", 1)]
    steps = []
    for key, times in turns:
        steps += times * [["press", "[name=angle]", key]]
        steps += [SENTENCE, ["attributes", "[name=angle]", "aria-valuetext"]]
    readings = drive(steps, turn_explorer())
    for sentence, (angle,) in zip(readings[::2], readings[1::2], strict=True):
        direction = radians(int(angle.rstrip("°")))
        # rounded, as two sums that are equal on paper count half
        expected = partial_auc(Y, (cos(direction) * A + sin(direction) * B).round(9), max_fpr=0.1)
        assert decimals(sentence)[0] == pytest.approx(expected, abs=0.0051), (angle, sentence)
    # the best that a weighted sum can do, and the best that was shown
    best = max(decimals(sentence)[0] for sentence in readings[::2])
    assert best == 0.7 == decimals(readings[-2])[1]
    with pytest.raises(ValueError, match="270"):
        turn_explorer(270)


def test_turn_by_pointer(drive):
    drag = ["drag", ".ax-panels > svg", [0, -60]]
    steps = [drag, SENTENCE, ["attributes", "[name=angle]", "aria-valuetext"]]
    sentence, angle = drive(steps, turn_explorer())
    assert angle[0] != "45°"
    assert decimals(sentence)


def test_planes_touch_the_surrogate_loss_from_below():
    for w in np.linspace(-1, 2, 31):
        height, slope = cutting_plane(B, A, w)
        s = B + w * A
        assert height + slope * w == pytest.approx(
            most_violated_ordering(s[:10], s[10:], max_fpr=0.1)[1] / 30
        )
        for v in (-0.7, 0.1, 0.4, 1.3):
            assert height + slope * v <= np.dot(cutting_plane(B, A, v), (1, v)) + 1e-9


def test_bowl_closes_on_the_minimum(drive):
    drop = ["click", "[name=drop]"]
    steps = 5 * [drop, SENTENCE] + [drop, drop, SENTENCE]
    steps += [["click", "[name=again]"], SENTENCE]
    readings = drive(steps, bowl_explorer())
    grid = np.linspace(0, 1.5, 3001)
    lowest = min(float(np.dot(cutting_plane(B, A, w), (1, w))) for w in grid)
    for sentence in readings[:6]:
        best, bound = decimals(sentence)[:2]
        assert bound - 0.0006 <= lowest <= best + 0.0006
    assert "done" in readings[5]
    assert "done" not in readings[1]
    assert readings[0].startswith("1 plane:")
    assert readings[-1].startswith("Nothing is known yet")


def test_bowl_can_be_asked_anywhere(drive):
    steps = [["press", "[name=w]", "Home"], ["click", "[name=drop]"], SENTENCE]
    (sentence,) = drive(steps, bowl_explorer())
    assert decimals(sentence)[0] == pytest.approx(cutting_plane(B, A, 0.0)[0], abs=0.0006)


def test_overlap_moves_the_minimum_to_zero(drive):
    down = ["press", "[name=shift]", "ArrowLeft"]
    start, still, zero = drive(
        [SENTENCE, *7 * [down], SENTENCE, down, SENTENCE], overlap_explorer()
    )
    assert decimals(start)[0] > 0.3
    assert decimals(still)[0] > 0.3
    assert decimals(zero) == [0, 1]
    assert "same score" in zero
    assert "ranked" in still
    with pytest.raises(ValueError, match="shift"):
        overlap_explorer(7)


def test_the_most_violated_ordering_is_the_library_s(drive):
    from aucbook.explore.opponent import HEALTHY

    for sick, points, interval in (
        (0.9, (1, 1, 0, 0), (0, 0.5)),
        (0.9, (0, 0, 1, 1), (0.5, 1)),
        (2.0, (1, 1, 0, 0), (0, 0.5)),
    ):
        steps = 4 * [["press", "[name=above]", "ArrowRight"], SENTENCE]
        readings = drive(steps, opponent_explorer(sick, points))
        ranks, value = most_violated_ordering(
            [sick], HEALTHY, min_fpr=interval[0], max_fpr=interval[1]
        )
        assert decimals(readings[-1])[-1] == pytest.approx(value, abs=0.051)
        if ranks[0]:
            assert decimals(readings[ranks[0] - 1])[-2:] == pytest.approx([value, value], abs=0.051)
    with pytest.raises(ValueError, match="points"):
        opponent_explorer(points=(1, 1))
