"""Explorable of calibration: two sliders recalibrate the forecasts, the ranking stays."""

import numpy as np

from ..base import (
    Explorable,
    Frame,
    bar,
    checkbox,
    fixed,
    package_text,
    slider,
    svg,
    tag,
    value_line,
)

# Six forecast probabilities of rain, of ten days each, and the number of rainy days among the ten.
FORECASTS = np.array([0.03, 0.15, 0.55, 0.86, 0.98, 0.99])
RAINY = np.array([1, 2, 4, 6, 8, 9])
DAYS = 10
GOAL = 0.002  # forecasts with a miscalibration below it count as calibrated


def honest_explorer():
    """Calibrate forecasts: scale and shift their log-odds to lower the miscalibration.

    The left panel has the reliability curve, the right one the decomposition of the Brier score.
    The two sliders keep the ranking of the days, and with it discrimination, uncertainty and AUC.

    Returns
    -------
    Explorable
        The interactive figure.

    See Also
    --------
    aucbook.triptych : Reliability, decomposition of the Brier score, and ROC curve.
    aucbook.PAVCalibrator : Recalibration by isotonic regression.
    aucbook.lab.calibration : The same for probabilities of your own, recalibrated.

    Examples
    --------
    >>> from aucbook.explore import honest_explorer
    >>> honest_explorer()
    <explorable: Change her forecasts until they are calibrated>
    """
    from ... import triptych

    event_rates = RAINY / DAYS
    views = triptych(*sixty_days(FORECASTS))
    parts = views.decomposition
    square = Frame(60, 14, 280, 280)
    bars = Frame(14, 0, 332, 300, x=(0, 0.3))
    data = {
        "said": FORECASTS.tolist(),
        "happened": event_rates.tolist(),
        "discrimination": parts.discrimination,
        "uncertainty": parts.uncertainty,
        "goal": GOAL,
        "square": square.json(),
        "bars": bars.json(),
    }
    controls = [
        slider("bold", "boldness ×", 0.1, 2, 0.1, 1, "1.0"),
        slider("lean", "lean to rain", -2, 2, 0.1, 0, "0.0"),
        bar(
            checkbox(
                "observed", "the solution: the observed shares, as isotonic regression gives them"
            )
        ),
    ]
    sentence = (
        f"On average she says <b>{fixed(100 * FORECASTS.mean(), 0)} %</b>; it rained on "
        f"{fixed(100 * event_rates.mean(), 0)} % of the days. Her miscalibration is "
        f"<b>{fixed(parts.miscalibration, 4)}</b>. Can you bring it below {GOAL}?"
    )
    return Explorable(
        "honest",
        "Change her forecasts until they are calibrated",
        [_reliability_panel(square, event_rates), _score_panel(bars, parts, views.roc.auc())],
        controls,
        sentence,
        data,
        above=tag("style", package_text("honest.css")),
    )


def _reliability_panel(square, event_rates):
    """Draw the reliability curve, and the distances of its points from the diagonal."""
    points = list(zip(FORECASTS, event_rates))
    return svg(
        "What she says and what happened",
        "Six dots, ten days each, joined by a line. On the left the line lies above the diagonal, "
        "on the right far below it: she exaggerates, and leans towards rain.",
        square.axes("she says: probability of rain", "what happened: share of rainy days"),
        square.line([(0, 0), (1, 1)], "guide"),
        tag("path", d=_stems(square, FORECASTS, event_rates), class_="stem wrong"),
        square.line(points, "curve"),
        *(
            tag("circle", r=6, class_="sum", cx=square.x(forecast), cy=square.y(rate))
            for forecast, rate in points
        ),
    )


def _score_panel(bars, parts, auc):
    """Draw the decomposition of the Brier score as four bars, and the AUC."""
    pooled = parts.uncertainty - parts.discrimination
    rows = [
        ("uncertainty", "uncertainty: 50 % every day", 0, parts.uncertainty),
        ("discrimination", "− discrimination: how much the days differ", pooled, parts.uncertainty),
        ("miscalibration", "+ miscalibration: how far she is off", pooled, parts.score),
        ("score", "= Brier score", 0, parts.score),
    ]
    return svg(
        "Brier score in three parts",
        f"Four bars, one below the other: uncertainty {fixed(parts.uncertainty, 3)}, minus "
        f"discrimination {fixed(parts.discrimination, 3)}, "
        f"plus miscalibration {fixed(parts.miscalibration, 3)}, is the Brier score "
        f"{fixed(parts.score, 3)}.",
        *(
            value_line(22 + 66 * i, text, fixed(high - low, 3), f"{key}-value")
            + tag("rect", x=14, y=30 + 66 * i, width=332, height=20, rx=3, class_="track")
            + tag(
                "rect",
                x=float(bars.x(low)),
                y=30 + 66 * i,
                width=float(bars.x(high) - bars.x(low)),
                height=20,
                class_=f"{'neg' if key == 'miscalibration' else 'fill'} {key}-bar",
                stroke_width=0,
            )
            for i, (key, text, low, high) in enumerate(rows)
        ),
        value_line(300, "AUC: the order of the days", fixed(auc, 3), "auc"),
    )


def sixty_days(forecasts):
    """Return labels and probabilities of all days, (60,) each, for six forecasts (6,)."""
    rain = np.concatenate([np.arange(DAYS) < k for k in RAINY]).astype(int)
    return rain, np.repeat(forecasts, DAYS)


def _stems(frame, forecasts, event_rates):
    """Return the path of the vertical lines from each dot to the diagonal."""
    return "".join(
        f"M{frame.x(p):.2f} {frame.y(f):.2f}V{frame.y(p):.2f}"
        for p, f in zip(forecasts, event_rates)
    )
