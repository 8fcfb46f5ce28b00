"""The explorable of honest probabilities: it starts unsolved, and its numbers are the library's."""

import numpy as np
import pytest
from test_explore import SAY, text

from aucbook import reliability_curve, roc_auc, score_decomposition
from aucbook.explore import honest_explorer
from aucbook.explore.honest import FORECASTS, GOAL, RAINY, sixty_days

BOLD, LEAN = "input[name=bold]", "input[name=lean]"
READ = [SAY, ["text", ".miscalibration-value"], ["text", ".score-value"], ["text", ".auc"]]


def bent(bold, lean):
    """What she says with her log-odds stretched and shifted."""
    return 1 / (1 + np.exp(-(bold * np.log(FORECASTS / (1 - FORECASTS)) + lean)))


def test_block_is_self_contained():
    html = honest_explorer()._repr_html_()
    assert html == honest_explorer()._repr_html_() and len(html.encode()) < 40_000
    assert (
        "http" not in html and "url(" not in html and "\n\n" not in html and html.count("<svg") == 2
    )
    assert html.count("<title>") == html.count("<desc>") == 2


def test_it_starts_unsolved_and_can_be_solved():
    start = score_decomposition(*sixty_days(FORECASTS)).miscalibration
    assert (
        start > 5 * GOAL
        and f"miscalibration is {start:.4f}. Can you bring it below {GOAL}?"
        in text(honest_explorer())
    )
    grid = [(a, b) for a in np.arange(1, 21) / 10 for b in np.arange(-20, 21) / 10]
    solved = [
        at for at in grid if score_decomposition(*sixty_days(bent(*at))).miscalibration < GOAL
    ]
    assert 3 <= len(solved) <= len(grid) / 50, solved


def test_without_bending_the_pool_there_is_none():
    """The script has no pool: what happened rises with what is said."""
    rain, said = sixty_days(FORECASTS)
    np.testing.assert_array_equal(reliability_curve(rain, said, band=None).frequency, RAINY / 10)


@pytest.mark.parametrize(
    ("keys", "bold", "lean"),
    [
        ([], 1.0, 0.0),
        ([(BOLD, "ArrowLeft")] * 5 + [(LEAN, "ArrowLeft")] * 5, 0.5, -0.5),
        ([(BOLD, "Home"), (LEAN, "End")], 0.1, 2.0),
        ([(BOLD, "End"), (LEAN, "Home")], 2.0, -2.0),
    ],
)
def test_by_keyboard_the_parts_are_the_library_s(drive, keys, bold, lean):
    steps = (
        [["press", *key] for key in keys]
        + READ
        + [["attributes", "input[type=range]", "aria-valuetext"]]
    )
    said, off, score, auc, shown = drive(steps, honest_explorer())
    days = sixty_days(bent(bold, lean))
    parts = score_decomposition(*days)
    assert [off, score, auc] == [
        f"{v:.3f}" for v in (parts.miscalibration, parts.score, roc_auc(*days))
    ]
    assert f"On average she says {100 * days[1].mean():.0f} %" in said
    assert f"miscalibration is {parts.miscalibration:.4f}" in said
    assert ("She means what she says" in said) == (parts.miscalibration < GOAL)
    assert shown == [f"{bold:.1f}", f"{lean:.1f}".replace("-", "−")]


def test_every_bending_keeps_what_the_picture_keeps():
    """Discrimination, uncertainty and AUC stand still in the picture: so they do in the library."""
    first = score_decomposition(*sixty_days(FORECASTS))
    for bold in (0.1, 0.5, 2):
        for lean in (-2, 0, 2):
            days = sixty_days(bent(bold, lean))
            np.testing.assert_allclose(score_decomposition(*days)[2:], first[2:], atol=1e-15)
            assert roc_auc(*days) == roc_auc(*sixty_days(FORECASTS))


def test_shown_the_pool_and_back(drive):
    box = "input[name=told]"
    told, off, *_, back = drive(
        [["click", box], *READ, ["press", LEAN, "ArrowLeft"], SAY], honest_explorer()
    )
    assert off == "0.000" and "she says 50 %" in told and "on the days it has seen" in told
    assert back.endswith(f"Can you bring it below {GOAL}?")


def test_scripts_off_and_phone(drive):
    steps = [["shown", ".ax-panels svg"], ["shown", ".ax-controls"], SAY, ["width", "body"]]
    picture, controls, said, width = drive(steps, honest_explorer(), scripts=False, width=390)
    assert picture and not controls and width <= 390
    assert drive([SAY, ["width", "body"]], honest_explorer(), width=390) == [said, width]
