"""The explorable of several samples of each woman: self-contained, and its standard errors come from the pulls that it shows."""

import re

import numpy as np
from test_explore import SAY

from aucbook.explore import clusters_explorer
from aucbook.explore.clusters import SICK


def test_block_is_self_contained():
    html = clusters_explorer()._repr_html_()
    assert html == clusters_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert (
        html.count("<title>")
        == html.count("<desc>")
        == html.count("<svg") - html.count('aria-hidden="true"')
    )


def test_scripts_off_and_on_a_phone(drive):
    steps = [
        ["shown", ".ax-panels svg", None],
        ["shown", ".ax-controls", None],
        SAY,
        ["width", "body", None],
    ]
    picture, controls, said, width = drive(steps, clusters_explorer(), scripts=False, width=390)
    assert picture and not controls and width <= 390
    assert (
        drive([SAY], clusters_explorer())[0] == said
    )  # the script's first sentence is the static one


def test_the_script_draws_what_python_drew(drive):
    read = [["attributes", ".score, .pull", "transform"], ["attributes", ".bar", "d"]]
    moves = [["press", "[name=alike]", "ArrowRight"], ["press", "[name=alike]", "ArrowLeft"]]
    still = drive(read, clusters_explorer(), scripts=False)
    alive = drive([*moves, *read], clusters_explorer())
    assert still[0] == alive[0]
    corners = lambda paths: [[float(v) for v in re.findall(r"-?\d+\.\d+", d)] for d in paths]
    np.testing.assert_allclose(
        corners(still[1]), corners(alive[1]), atol=0.011
    )  # sums of three, added in two languages


def test_errors_are_those_of_the_pulls_shown(drive):
    """DeLong's variance: the squared pulls of rows, or of women, with n/(n − 1) for their number, class by class."""
    read = [["attributes", ".pull", "transform"], SAY]
    steps = [
        ["press", "[name=alike]", "Home"],
        *read,
        *(10 * [["press", "[name=alike]", "ArrowRight"], *read]),
    ]
    seen, apart = drive(steps, clusters_explorer()), []
    for places, said in zip(seen[::2], seen[1::2]):
        x = np.array([float(re.search(r"\(([\d.]+) ", p)[1]) for p in places])
        pull = ((x - 14) / 332 * 0.2 - 0.14).reshape(10, 3)
        sick = np.array(SICK) == 1
        squares = lambda v: (v**2).sum() * v.size / (v.size - 1)
        want = [
            sum(squares(pull[rows].ravel()) for rows in (sick, ~sick)) ** 0.5,
            sum(squares(pull[rows].sum(1)) for rows in (sick, ~sick)) ** 0.5,
        ]
        got = [float(v) for v in re.findall(r"\d\.\d{3}", said)][1:]
        np.testing.assert_allclose(got, want, atol=0.001)
        apart.append(got[1] / got[0])
    assert abs(apart[0] - 1) < 0.1 and apart[-1] > 1.7
