"""Explorable of honest probabilities: two sliders bend what a forecaster says, the order of her days stays."""

import numpy as np

from ..base import Explorable, Frame, bar, fixed, label, package_text, slider, svg, tag

# Six things a forecaster says, on ten days each, and on how many of the ten it rained.
SAID = np.array([0.03, 0.15, 0.55, 0.86, 0.98, 0.99])
RAINY = np.array([1, 2, 4, 6, 8, 9])
DAYS = 10
GOAL = 0.002  # a miscalibration below it counts as honest


def honest_explorer():
    """Make a forecaster honest: stretch and shift the log-odds of what she says until the reliability curve lies on the diagonal.

    Left what she says and what happened, right the Brier score in its three parts. Whatever the two
    sliders do, the order of the days stays, and with it discrimination, uncertainty and the AUC.
    """
    from ... import triptych

    happened = RAINY / DAYS
    views = triptych(*sixty_days(SAID))
    parts = views.decomposition
    square = Frame(60, 14, 280, 280)
    bars = Frame(14, 0, 332, 300, x=(0, 0.3))
    data = {
        "said": SAID.tolist(),
        "happened": happened.tolist(),
        "discrimination": parts.discrimination,
        "uncertainty": parts.uncertainty,
        "goal": GOAL,
        "square": square.json(),
        "bars": bars.json(),
    }
    left = svg(
        "What she says and what happened",
        "Six dots, ten days each, joined by a line. On the left the line lies above the diagonal, "
        "on the right far below it: she exaggerates, and leans towards rain.",
        square.axes("she says: probability of rain", "what happened: share of rainy days"),
        square.line([(0, 0), (1, 1)], "guide"),
        tag("path", d=_stems(square, SAID, happened), class_="stem wrong"),
        square.line(list(zip(SAID, happened)), "curve"),
        *(
            tag("circle", r=6, class_="sum", cx=square.x(p), cy=square.y(f))
            for p, f in zip(SAID, happened)
        ),
    )
    pooled = parts.uncertainty - parts.discrimination
    rows = [
        ("uncertainty", "uncertainty: 50 % every day", 0, parts.uncertainty),
        ("discrimination", "− discrimination: what she knows", pooled, parts.uncertainty),
        ("miscalibration", "+ miscalibration: what she does not mean", pooled, parts.score),
        ("score", "= Brier score", 0, parts.score),
    ]
    right = svg(
        "Brier score in three parts",
        f"Four bars, one below the other: uncertainty {fixed(parts.uncertainty, 3)}, minus "
        f"discrimination {fixed(parts.discrimination, 3)}, "
        f"plus miscalibration {fixed(parts.miscalibration, 3)}, is the Brier score "
        f"{fixed(parts.score, 3)}.",
        *(
            label(14, 22 + 66 * i, what)
            + label(346, 22 + 66 * i, fixed(b - a, 3), class_=f"strong {key}-value", anchor="end")
            + tag("rect", x=14, y=30 + 66 * i, width=332, height=20, rx=3, class_="track")
            + tag(
                "rect",
                x=float(bars.x(a)),
                y=30 + 66 * i,
                width=float(bars.x(b) - bars.x(a)),
                height=20,
                class_=f"{'neg' if key == 'miscalibration' else 'fill'} {key}-bar",
                stroke_width=0,
            )
            for i, (key, what, a, b) in enumerate(rows)
        ),
        label(14, 300, "AUC: the order of the days"),
        label(346, 300, fixed(views.roc.auc(), 3), class_="strong auc", anchor="end"),
    )
    controls = [
        slider("bold", "boldness ×", 0.1, 2, 0.1, 1, "1.0"),
        slider("lean", "lean to rain", -2, 2, 0.1, 0, "0.0"),
        bar(
            tag(
                "label",
                '<input type="checkbox" name="told">',
                tag("span", "show me: say what happened, as the pool does"),
                class_="ax-check",
            )
        ),
    ]
    sentence = (
        f"On average she says <b>{fixed(100 * SAID.mean(), 0)} %</b>; it rained on "
        f"{fixed(100 * happened.mean(), 0)} % of the days. "
        f"Her miscalibration is <b>{fixed(parts.miscalibration, 4)}</b>. Can you bring it below "
        f"{GOAL}?"
    )
    return Explorable(
        "honest",
        "Bend her words until she means them",
        [left, right],
        controls,
        sentence,
        data,
        above=tag("style", package_text("honest.css")),
    )


def sixty_days(said):
    """Labels and probabilities of all days, (60,) each, when she says `said` (6,)."""
    rain = np.concatenate([np.arange(DAYS) < k for k in RAINY]).astype(int)
    return rain, np.repeat(said, DAYS)


def _stems(frame, said, happened):
    """From each dot straight to the diagonal."""
    return "".join(
        f"M{frame.x(p):.2f} {frame.y(f):.2f}V{frame.y(p):.2f}" for p, f in zip(said, happened)
    )
