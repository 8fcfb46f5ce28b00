"""The explorable of the optimal ROC curve: its numbers are the library's."""

import re

import numpy as np
from explorables import SENTENCE, static_sentence

from aucbook.explore import corners_explorer
from aucbook.theory import Binormal, adaptive_approximation, distance_to_optimum


def test_it_starts_with_the_diagonal_and_a_goal():
    sentence = static_sentence(corners_explorer())
    # 1/6 and 1/4
    assert "1 piece misses an area of 0.17; the largest gap is 0.25" in sentence
    assert "not yet below 0.001." in sentence


def test_in_a_browser_the_numbers_are_the_library_s(drive):
    deeper = ["press", "input[name=depth]", "ArrowRight"]
    steps = [
        *[deeper] * 4,
        SENTENCE,
        ["click", ".ax-pill:nth-child(2)", None],
        ["press", "input[name=depth]", "ArrowLeft"],
        SENTENCE,
        ["texts", ".corners circle"],
        *[deeper] * 3,
        SENTENCE,
    ]
    ramp, sentence, dots, deepest = drive(steps, corners_explorer())
    # 1/4 of 4^-4
    assert "16 pieces" in ramp
    assert ramp.endswith("below 0.001.")
    assert "not" not in ramp
    assert "64 pieces" in deepest
    assert "still not below 0.001" in deepest
    d1, dinf = distance_to_optimum(Binormal(1), adaptive_approximation(Binormal(1), 3))
    pieces, area, gap = map(float, re.findall(r"\d+\.?\d*(?:e-\d+)?", sentence)[:3])
    assert pieces == 8
    assert len(dots) == 9
    np.testing.assert_allclose([area, gap], [d1, dinf], rtol=0.05)  # two digits are shown
