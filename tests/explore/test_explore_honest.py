"""The explorable of calibration: it starts unsolved, and its numbers are the library's."""

import numpy as np
import pytest
from explorables import SENTENCE, static_sentence

from aucbook import reliability_curve, roc_auc, score_decomposition
from aucbook.explore import honest_explorer
from aucbook.explore.honest import FORECASTS, GOAL, RAINY, sixty_days

BOLD = "input[name=bold]"
LEAN = "input[name=lean]"
READ = [SENTENCE, ["text", ".miscalibration-value"], ["text", ".score-value"], ["text", ".auc"]]


def recalibrated(bold, lean):
    """The forecasts with their log-odds scaled and shifted."""
    return 1 / (1 + np.exp(-(bold * np.log(FORECASTS / (1 - FORECASTS)) + lean)))


def test_it_starts_unsolved_and_can_be_solved():
    start = score_decomposition(*sixty_days(FORECASTS)).miscalibration
    assert start > 5 * GOAL
    sentence = static_sentence(honest_explorer())
    assert f"miscalibration is {start:.4f}. Can you bring it below {GOAL}?" in sentence
    grid = [(a, b) for a in np.arange(1, 21) / 10 for b in np.arange(-20, 21) / 10]
    solved = [
        at
        for at in grid
        if score_decomposition(*sixty_days(recalibrated(*at))).miscalibration < GOAL
    ]
    assert 3 <= len(solved) <= len(grid) / 50, solved


def test_isotonic_regression_pools_no_forecasts():
    """The script needs no PAV: the event rates rise with the forecasts."""
    rain, forecasts = sixty_days(FORECASTS)
    curve = reliability_curve(rain, forecasts, band=None)
    np.testing.assert_array_equal(curve.frequency, RAINY / 10)


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
    steps = [["press", *key] for key in keys]
    steps += [*READ, ["attributes", "input[type=range]", "aria-valuetext"]]
    sentence, miscalibration, score, auc, shown = drive(steps, honest_explorer())
    days = sixty_days(recalibrated(bold, lean))
    parts = score_decomposition(*days)
    assert [miscalibration, score, auc] == [
        f"{v:.3f}" for v in (parts.miscalibration, parts.score, roc_auc(*days))
    ]
    assert f"On average she says {100 * days[1].mean():.0f} %" in sentence
    assert f"miscalibration is {parts.miscalibration:.4f}" in sentence
    assert ("Her forecasts are calibrated" in sentence) == (parts.miscalibration < GOAL)
    assert shown == [f"{bold:.1f}", f"{lean:.1f}".replace("-", "−")]


def test_recalibration_keeps_the_other_parts():
    """Discrimination, uncertainty and AUC never change in the picture, nor in the library."""
    first = score_decomposition(*sixty_days(FORECASTS))
    for bold in (0.1, 0.5, 2):
        for lean in (-2, 0, 2):
            days = sixty_days(recalibrated(bold, lean))
            np.testing.assert_allclose(score_decomposition(*days)[2:], first[2:], atol=1e-15)
            assert roc_auc(*days) == roc_auc(*sixty_days(FORECASTS))


def test_observed_event_rates_are_calibrated(drive):
    box = "input[name=observed]"
    steps = [["click", box], *READ, ["press", LEAN, "ArrowLeft"], SENTENCE]
    shown_events, miscalibration, *_, back = drive(steps, honest_explorer())
    assert miscalibration == "0.000"
    assert "she says 50 %" in shown_events
    assert "on the days that they come from" in shown_events
    assert back.endswith(f"Can you bring it below {GOAL}?")
