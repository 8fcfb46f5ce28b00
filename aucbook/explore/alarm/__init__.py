"""Explorable of an alarm: prevalence, two costs and a budget choose the threshold; also for scores that the reader pastes."""

import numpy as np

from ..cases import cases_of
from ..base import Explorable, Frame, bar, button, fixed, label, package_text, slider, svg, tag

# Sixty people whose state was found out: quantiles of two bell curves, 18 points apart.
SICK = [35, 42, 46, 49, 51, 54, 56, 58, 59, 61, 63, 65, 66, 68, 70, 73, 75, 78, 82, 89]
HEALTHY = [13, 19, 23, 25, 27, 29, 30, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44]
HEALTHY += [44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 58, 59, 61, 63, 65, 69, 75]
# What the sliders offer; a budget is a number of alarms among a thousand people.
PREVALENCES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]
COSTS = [1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000]
BUDGETS = [5, 10, 20, 50, 100, 150, 200, 250, 300, 400, 500, 1000]
FLOOR, MOST = (
    -0.5,
    20_000,
)  # the lowest net benefit drawn, as a share of the prevalence; rows that may be pasted


def alarm_explorer(y=None, scores=None, *, prevalence=0.1, miss_cost=10, budget=200):
    """Design an alarm: find the threshold of largest net benefit within a budget; then paste labels and scores of your own.

    y : (n,) labels of two classes.  scores : (n,) finite scores, n <= 60.  Without arguments: sixty people, a third of them sick.
    prevalence, miss_cost, budget : where its sliders start, one of PREVALENCES, COSTS and BUDGETS (alarms among 1000 people).
    Raises ValueError for unequal lengths, one class, NaN or infinite scores, more than one column, a start that no slider has.
    """
    from ...thresholds import net_benefit_of_rates
    from ... import roc_curve

    if y is None and scores is None:
        y = np.repeat([1, 0], [len(SICK), len(HEALTHY)])
        scores = np.array(SICK + HEALTHY)
        given = False
    else:
        given = True
    y, columns, words = cases_of(y, scores)
    words = words if given else ("sick", "healthy")
    if len(columns) != 1:
        raise ValueError(f"scores must be the scores of one ranker, got {len(columns)} columns")
    for value, what, offered in (
        (prevalence, "prevalence", PREVALENCES),
        (miss_cost, "miss_cost", COSTS),
        (budget, "budget", BUDGETS),
    ):
        if value not in offered:
            raise ValueError(f"{what} must be one of {', '.join(map(str, offered))}, got {value!r}")
    (s,) = columns.values()
    curve = roc_curve(y, s)
    K = curve.fpr.size - 1
    k = int(np.searchsorted(curve.fpr, 0.5))  # half of the healthy ring: too many
    f, t = float(curve.fpr[k]), float(curve.tpr[k])
    alarms = prevalence * t + (1 - prevalence) * f
    worth = net_benefit_of_rates(f, t, prevalence, miss_cost)
    square = Frame(60, 14, 280, 280)
    gain = Frame(60, 14, 280, 158, x=(0, 1000), y=(FLOOR, 1))
    data = {
        "y": y.tolist(),
        "s": s.tolist(),
        "start": k,
        "prevalences": PREVALENCES,
        "costs": COSTS,
        "budgets": BUDGETS,
        "square": square.json(),
        "gain": gain.json(),
        "words": words,
        "floor": FLOOR,
        "most": MOST,
    }

    # As many alarms as the budget allows: a falling line across the square
    up = min(1, budget / 1000 / prevalence)
    down = max(0, (budget / 1000 - 1 + prevalence) / prevalence)
    limit = (
        [((budget / 1000 - prevalence * v) / (1 - prevalence), v) for v in (up, down)]
        if budget < 1000
        else []
    )
    facts = _facts(words, 1000 * alarms, prevalence * t / alarms, t, 1000 * worth)
    left = svg(
        "ROC curve with the threshold's point and the budget",
        f"The threshold stands at FPR {fixed(f)}, TPR {fixed(t)}. A dashed line falls steeply: to "
        "its right more people ring than the budget allows.",
        square.axes(f"share of {words[1]} alarmed (FPR)", f"share of {words[0]} caught (TPR)"),
        square.line(limit, "guide limit"),
        square.line(list(zip(curve.fpr, curve.tpr)), "curve"),
        tag("circle", r=6, class_="solid best hidden"),
        tag(
            "circle",
            r=7,
            class_="here",
            transform=f"translate({square.x(f):.2f} {square.y(t):.2f})",
        ),
    )
    right = svg(
        "Net benefit by the number of alarms",
        f"{fixed(1000 * alarms, 0)} of 1000 people ring, {fixed(1000 * worth, 0)} the net benefit. "
        "The line is drawn where the threshold has been.",
        gain.axes(
            "alarms among 1000 people",
            "net benefit, 1 = perfect",
            (0, 200, 400, 600, 800),
            (-0.5, 0, 0.5, 1),
        ),
        gain.line([(0, 0), (1000, 0)], "axis"),
        gain.line([(budget, FLOOR), (budget, 1)], "guide budget"),
        tag("path", d="", class_="curve been"),
        tag(
            "circle",
            r=7,
            class_="here",
            transform=(
                f"translate({gain.x(1000 * alarms):.2f} "
                f"{gain.y(max(FLOOR, worth / prevalence)):.2f})"
            ),
        ),
        *(
            label(14, 236 + 24 * i, what, class_=f"what-{key}")
            + label(346, 236 + 24 * i, value, class_=f"strong {key}", anchor="end")
            for i, (what, key, value) in enumerate(facts)
        ),
    )
    controls = [
        slider("cut", "threshold", 0, K, 1, K - k, f"{curve.thresholds[k]:.6g}"),
        bar(
            tag(
                "label",
                '<input type="checkbox" name="best">',
                tag("span", "show me the best"),
                class_="ax-check",
            )
        ),
        tag(
            "details",
            tag("summary", "Another clinic: its prevalence, its costs, its budget"),
            slider(
                "prevalence",
                "prevalence",
                0,
                len(PREVALENCES),
                1,
                PREVALENCES.index(prevalence),
                f"{prevalence:.6g}",
            ),
            slider(
                "miss",
                "cost of a miss",
                0,
                len(COSTS) - 1,
                1,
                COSTS.index(miss_cost),
                str(miss_cost),
            ),
            slider("false", "cost of a false alarm", 0, len(COSTS) - 1, 1, 0, "1"),
            slider(
                "budget",
                "alarms allowed in 1000",
                0,
                len(BUDGETS) - 1,
                1,
                BUDGETS.index(budget),
                str(budget),
            ),
            class_="clinic",
        ),
        tag(
            "details",
            tag("summary", "Use scores of your own"),
            tag(
                "label",
                tag(
                    "span",
                    "Two numbers a line: the label (two values, the larger one is positive) and "
                    f"the score; 2 to {MOST:,} lines, as copied from "
                    "a spreadsheet. They stay on this page, and are gone when you leave it.",
                ),
                '<textarea name="pasted" rows="5" wrap="off" spellcheck="false" placeholder="1  '
                '0.93&#10;0  0.41"></textarea>',
            ),
            bar(button("use", "Use these", main=True), button("example", "Back to the example")),
            tag("p", "", class_="ax-note", role="status"),
            class_="own",
        ),
    ]
    sentence = _sentence(words, alarms, budget, t)
    return Explorable(
        "alarm",
        "Design an alarm",
        [left, right],
        controls,
        sentence,
        data,
        above=tag("style", package_text("alarm.css")),
    )


def _facts(words, alarms, precision, tpr, worth):
    """(what, its class, its value) of the lines under the second panel."""
    return [
        ("alarms among 1000 people", "alarms", fixed(alarms, 1)),
        ("true ones among them (precision)", "precision", fixed(precision, 3)),
        (f"{words[0]} people caught (TPR)", "caught", fixed(tpr, 3)),
        ("net benefit per 1000 people", "worth", fixed(worth, 1)),
    ]


def _sentence(words, alarms, budget, t):
    """The first sentence: where the threshold stands, and what is to be done."""
    over = "more than the budget allows" if 1000 * alarms > budget + 1e-9 else "within the budget"
    return (
        f"This threshold rings for <b>{fixed(1000 * alarms, 0)}</b> of 1000 people, {over}. "
        f"It catches <b>{fixed(100 * t, 0)} %</b> of the {words[0]}. Find the threshold of largest "
        "net benefit within the budget!"
    )
