"""The explorable of one violation: self-contained, not yet solved, and its best prediction is the library's."""

import re

import pytest
from test_explore import SAY, text

from aucbook import pav
from aucbook.explore import violator_explorer


def test_block_is_self_contained():
    html = violator_explorer()._repr_html_()
    assert html == violator_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert (
        "http" not in html and "url(" not in html and "\n\n" not in html and html.count("<svg") == 1
    )
    assert "Squared error 4.013. There is a gap between the predictions." in text(
        violator_explorer()
    )  # 10 × ¼ + 5 × .3025


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
    steps = [
        SAY,
        *50 * [more],
        SAY,
        *28 * [less],
        SAY,
        shown,
        *10 * [less],
        shown,
        SAY,
        ["press", "[name=first]", "End"],
        shown,
    ]
    start, there, solved, best, lower, beyond, top = drive(steps, violator_explorer())
    fit = pav([6 / 10, 1 / 5], weight=[10, 5])
    assert start.endswith(
        "There is a gap between the predictions: the first may rise towards its bar."
    )
    assert there.endswith("the second may fall towards its bar.")
    assert (
        "Nothing is better" in solved
        and f"{fit[0]:.2f}" in solved
        and best == 2 * [f"{fit[0]:.2f}"]
    )
    error = lambda q: 10 * (q - 0.6) ** 2 + 5 * (q - 0.2) ** 2
    assert float(re.search(r"error (\d\.\d+)", solved)[1]) == pytest.approx(error(0.47), abs=5e-4)
    assert lower == ["0.37", "0.37"] and top == ["1.00", "1.00"]
    assert "have met" in beyond and float(
        re.search(r"error (\d\.\d+)", beyond)[1]
    ) == pytest.approx(error(0.37), abs=5e-4)
