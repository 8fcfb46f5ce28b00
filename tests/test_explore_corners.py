"""The explorable of the optimal ROC: self-contained, and its sentences are the library's numbers."""

import re

import numpy as np
from test_explore import SAY, drive, text  # noqa: F401  (drive is a fixture)

from aucbook import Binormal, adaptive_approximation, distance_to_optimum
from aucbook.explore import corners_explorer


def test_block_is_self_contained():
    html = corners_explorer()._repr_html_()
    assert html == corners_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert "http" not in html and "url(" not in html and "\n\n" not in html and html.count("<svg") == 2
    assert corners_explorer(name="again").id == "ax-corners-again"


def test_the_static_sentence_is_the_ramp_s():
    assert "4 pieces miss an area of 0.01; the largest gap is 0.016" in text(corners_explorer())  # 1/96 and 1/64


def test_in_a_browser_the_numbers_are_the_library_s(drive):  # noqa: F811
    steps = [
        ["click", ".ax-pill:nth-child(2)", None],
        ["press", "input[name=depth]", "ArrowRight"],
        SAY,
        ["texts", ".corners circle"],
        ["attributes", ".corners circle", "cx"],
    ]
    said, dots, _ = drive(steps, corners_explorer())
    d1, dinf = distance_to_optimum(Binormal(1), adaptive_approximation(Binormal(1), 3))
    pieces, area, gap = map(float, re.findall(r"\d+\.?\d*(?:e-\d+)?", said)[:3])
    assert pieces == 8 and len(dots) == 9
    np.testing.assert_allclose([area, gap], [d1, dinf], rtol=0.05)  # two digits are shown
