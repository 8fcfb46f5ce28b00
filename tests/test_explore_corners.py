"""The explorable of the optimal ROC: self-contained, and its sentences are the library's numbers."""

import re

import numpy as np
from test_explore import SAY, text

from aucbook.explore import corners_explorer
from aucbook.theory import Binormal, adaptive_approximation, distance_to_optimum


def test_block_is_self_contained():
    html = corners_explorer()._repr_html_()
    assert html == corners_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert (
        "http" not in html and "url(" not in html and "\n\n" not in html and html.count("<svg") == 2
    )


def test_it_starts_with_the_diagonal_and_a_goal():
    said = text(corners_explorer())
    assert (
        "1 piece misses an area of 0.17; the largest gap is 0.25: not yet below 0.001." in said
    )  # 1/6 and 1/4


def test_in_a_browser_the_numbers_are_the_library_s(drive):
    deeper = ["press", "input[name=depth]", "ArrowRight"]
    steps = [
        *[deeper] * 4,
        SAY,
        ["click", ".ax-pill:nth-child(2)", None],
        ["press", "input[name=depth]", "ArrowLeft"],
        SAY,
        ["texts", ".corners circle"],
        *[deeper] * 3,
        SAY,
    ]
    ramp, said, dots, deepest = drive(steps, corners_explorer())
    assert (
        "16 pieces" in ramp and ramp.endswith("below 0.001.") and "not" not in ramp
    )  # 1/4 of 4^-4
    assert "64 pieces" in deepest and "still not below 0.001" in deepest
    d1, dinf = distance_to_optimum(Binormal(1), adaptive_approximation(Binormal(1), 3))
    pieces, area, gap = map(float, re.findall(r"\d+\.?\d*(?:e-\d+)?", said)[:3])
    assert pieces == 8 and len(dots) == 9
    np.testing.assert_allclose([area, gap], [d1, dinf], rtol=0.05)  # two digits are shown
