"""The explorable of clustered rows: its standard errors are those of the influences that it shows."""

import re

import numpy as np
from explorables import SENTENCE

from aucbook.explore import clusters_explorer
from aucbook.explore.clusters import SICK


def test_the_script_draws_what_python_drew(drive):
    read = [["attributes", ".score, .pull", "transform"], ["attributes", ".bar", "d"]]
    moves = [["press", "[name=alike]", "ArrowRight"], ["press", "[name=alike]", "ArrowLeft"]]
    static = drive(read, clusters_explorer(), scripts=False)
    live = drive([*moves, *read], clusters_explorer())
    assert static[0] == live[0]

    def corners(paths):
        return [[float(v) for v in re.findall(r"-?\d+\.\d+", d)] for d in paths]

    # sums of three, added in two languages
    np.testing.assert_allclose(corners(static[1]), corners(live[1]), atol=0.011)


def test_standard_errors_are_those_of_the_influences_shown(drive):
    """DeLong's variance: squared influences of rows, or of clusters, times n/(n − 1), class by class."""
    read = [["attributes", ".pull", "transform"], SENTENCE]
    steps = [
        ["press", "[name=alike]", "Home"],
        *read,
        *(10 * [["press", "[name=alike]", "ArrowRight"], *read]),
    ]
    readings = drive(steps, clusters_explorer())
    ratios = []
    for places, sentence in zip(readings[::2], readings[1::2]):
        x = np.array([float(re.search(r"\(([\d.]+) ", p)[1]) for p in places])
        influence = ((x - 14) / 332 * 0.2 - 0.14).reshape(10, 3)
        sick = np.array(SICK) == 1

        def squares(v):
            return (v**2).sum() * v.size / (v.size - 1)

        expected = [
            sum(squares(influence[rows].ravel()) for rows in (sick, ~sick)) ** 0.5,
            sum(squares(influence[rows].sum(1)) for rows in (sick, ~sick)) ** 0.5,
        ]
        shown = [float(v) for v in re.findall(r"\d\.\d{3}", sentence)][1:]
        np.testing.assert_allclose(shown, expected, atol=0.001)
        ratios.append(shown[1] / shown[0])
    assert abs(ratios[0] - 1) < 0.1
    assert ratios[-1] > 1.7
