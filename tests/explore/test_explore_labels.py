"""The explorable of label noise: its counts are those of the formula."""

import re

from explorables import SENTENCE

from aucbook.explore import labels_explorer

SHOWN = ["attributes", ".who:not(.hidden)", "class"]


def test_the_script_draws_what_python_drew(drive):
    read = [
        ["attributes", ".who:not(.hidden)", "transform"],
        ["attributes", ".who:not(.hidden) > *", "class"],
    ]
    moves = [["press", "[name=sick]", "ArrowRight"], ["press", "[name=sick]", "ArrowLeft"]]
    static = drive(read, labels_explorer(), scripts=False)
    assert drive([*moves, *read], labels_explorer()) == static


def test_counts_are_the_formula_s(drive):
    steps = [["press", "[name=sick]", "Home"]]
    for _ in range(11):
        steps += [SENTENCE, ["text", ".looks-sick"], SHOWN, ["attributes", ".mark.out", "class"]]
        steps += [
            ["attributes", ".who:not(.hidden)", "transform"],
            ["press", "[name=sick]", "ArrowRight"],
        ]
    readings = drive(steps, labels_explorer())
    for k in range(11):
        sentence, looks, shown, hollow, places = readings[5 * k : 5 * k + 5]
        sick = 10 * k
        labelled = round(100 * (0.1 + 0.8 * sick / 100))
        counts = [100, sick, labelled, 9 * k, 10 - k]
        assert [int(v) for v in re.findall(r"\d+", sentence)] == counts
        assert looks == f"marked sick: {labelled}"
        assert len(shown) == 100
        assert sum("pos-who" in classes for classes in shown) == sick
        assert len(hollow) == 10
        assert len(set(places)) == 100  # no mark covers another
