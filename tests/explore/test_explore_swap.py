"""The explorable of one swap: its numbers are the library's, before and after swaps."""

import numpy as np
from explorables import SENTENCE, WIDTH, decimals, static_sentence

from aucbook.explore import swap_explorer
from aucbook.explore.swap import PATIENTS, gains, performance, swapped

IS_SICK = np.array([patient == "S" for patient in PATIENTS], int)
BARS = ["attributes", ".bar", "d"]


def test_the_first_picture_is_the_script_s(drive):
    figure = swap_explorer()
    text, bars = drive([SENTENCE, BARS], figure)
    assert static_sentence(figure) == text
    for path in bars:
        assert path.count("Z") == 4 and f'd="{path}"' in figure._repr_html_()


def test_every_swap_says_what_the_library_computes(drive):
    steps = []
    expected = []
    for k in range(IS_SICK.size - 1):
        expected.append([*performance(IS_SICK), *np.abs(gains(IS_SICK, k))])
        steps += [SENTENCE, ["press", "[name=place]", "ArrowRight"]]
    for text, numbers in zip(drive(steps, swap_explorer()), expected, strict=True):
        shown = decimals(text)
        np.testing.assert_allclose(shown, numbers[: len(shown)], atol=5.1e-4)
        assert len(shown) == 4 or "changes nothing" in text


def test_swaps_add_up_and_start_again(drive):
    steps = [["click", "[name=swap]"], SENTENCE, BARS]
    steps += [["click", "[name=again]"], SENTENCE, WIDTH]
    after, bars, again, width = drive(steps, swap_explorer(), width=390)
    new = swapped(IS_SICK, 0)
    np.testing.assert_allclose(decimals(after)[:2], performance(new), atol=5.1e-4)
    assert "takes" in after  # the same swap once more would undo it
    assert [path.count("Z") for path in bars] == [3, 3]
    assert again == static_sentence(swap_explorer())
    assert width <= 390
