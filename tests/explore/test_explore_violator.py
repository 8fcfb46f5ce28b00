"""The explorable of two violating groups: its best prediction is the library's."""

import re

import pytest
from explorables import SENTENCE, static_sentence

from aucbook import pav
from aucbook.explore import violator_explorer


def test_it_starts_with_the_squared_error():
    sentence = static_sentence(violator_explorer())
    # 10 × ¼ + 5 × .3025
    assert "Squared error 4.013. There is a gap between the predictions." in sentence


@pytest.mark.parametrize(
    "call",
    [
        lambda: violator_explorer((1, 6), (5, 10)),
        lambda: violator_explorer((6, 1), (10, 0)),
        lambda: violator_explorer((6, 6), (10, 5)),
        lambda: violator_explorer((6, 1, 1), (10, 5, 5)),
        lambda: violator_explorer(predictions=(0.5, 0.4)),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError):
        call()


def test_in_a_browser_a_prediction_pushes_the_other_to_the_pool(drive):
    more = ["press", "[name=first]", "ArrowRight"]
    less = ["press", "[name=second]", "ArrowLeft"]
    shown = ["attributes", "input", "aria-valuetext"]
    steps = [SENTENCE, *50 * [more], SENTENCE]
    steps += [*28 * [less], SENTENCE, shown]
    steps += [*10 * [less], shown, SENTENCE]
    steps += [["press", "[name=first]", "End"], shown]
    start, touching, solved, best, lower, met, top = drive(steps, violator_explorer())
    fit = pav([6 / 10, 1 / 5], sample_weight=[10, 5])
    assert start.endswith(
        "There is a gap between the predictions: the first may rise towards its bar."
    )
    assert touching.endswith("the second may fall towards its bar.")
    assert "Nothing is better" in solved
    assert f"{fit[0]:.2f}" in solved
    assert best == 2 * [f"{fit[0]:.2f}"]

    def error(q):
        return 10 * (q - 0.6) ** 2 + 5 * (q - 0.2) ** 2

    assert float(re.search(r"error (\d\.\d+)", solved)[1]) == pytest.approx(error(0.47), abs=5e-4)
    assert lower == ["0.37", "0.37"]
    assert top == ["1.00", "1.00"]
    assert "have met" in met
    assert float(re.search(r"error (\d\.\d+)", met)[1]) == pytest.approx(error(0.37), abs=5e-4)
