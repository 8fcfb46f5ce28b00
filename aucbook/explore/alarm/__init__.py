"""Explorable of net benefit: the threshold for a prevalence, two costs and an alarm budget."""

from typing import NamedTuple

import numpy as np

from ..cases import cases_of, single_column
from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    checkbox,
    fixed,
    label,
    package_text,
    slider,
    svg,
    tag,
    value_line,
)
from ..larger import MAX_CASES, lab_widget

# The scores of sixty people: quantiles of two Gaussian distributions, 18 points apart.
SICK = [35, 42, 46, 49, 51, 54, 56, 58, 59, 61, 63, 65, 66, 68, 70, 73, 75, 78, 82, 89]
HEALTHY = [13, 19, 23, 25, 27, 29, 30, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44]
HEALTHY += [44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 58, 59, 61, 63, 65, 69, 75]
# Values of the sliders; a budget is a number of alarms per 1000 people.
PREVALENCES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]
COSTS = [1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000]
BUDGETS = [5, 10, 20, 50, 100, 150, 200, 250, 300, 400, 500, 1000]
MIN_BENEFIT = -0.5  # the lowest net benefit drawn, as a share of the prevalence
MAX_ROWS = 20_000  # how many rows may be pasted
N_BINS = 24  # of the two histograms
MAX_NAME = 10  # characters of a class name beside its histogram


class _Settings(NamedTuple):
    """Where the sliders start, the threshold's point of the ROC curve, and its performance."""

    prevalence: float
    miss_cost: int
    budget: int
    fpr: float
    tpr: float
    alarm_rate: float
    net_benefit: float


def alarm_explorer(y=None, scores=None, *, prevalence=0.1, miss_cost=10, budget=200):
    """Choose the threshold of largest net benefit within an alarm budget.

    Then change prevalence, costs and budget, or paste other labels and scores.

    Parameters
    ----------
    y : array-like of shape (n,), default None
        Labels of two classes: numbers, bools or strings; None, with no scores either, for sixty
        people of whom twenty are positive.
    scores : array-like of shape (n,), default None
        Finite scores of one ranker.
    prevalence : float, default 0.1
        Where its slider starts, one of PREVALENCES.
    miss_cost : int, default 10
        Where its slider starts, one of COSTS.
    budget : int, default 200
        Alarms allowed per 1000 people: where its slider starts, one of BUDGETS.

    Returns
    -------
    Explorable or LabWidget
        The interactive figure. For more than 60 cases `aucbook.lab.threshold`, which counts the
        same at some hundred thresholds.

    Raises
    ------
    ValueError
        For unequal lengths, one class, NaN or infinite scores, more than one column of scores, or a
        start that its slider does not have.

    See Also
    --------
    aucbook.optimal_threshold : The threshold of largest net benefit within an alarm budget.
    aucbook.net_benefit : The measure.
    aucbook.lab.threshold : The same for data of your own, with a guaranteed false positive rate.

    Examples
    --------
    >>> from aucbook.explore import alarm_explorer
    >>> alarm_explorer()
    <explorable: Choose a threshold>
    """
    from ...thresholds import net_benefit_of_rates
    from ... import roc_curve

    labels = y
    y, s, class_names = _checked(y, scores)
    for value, parameter, offered in (
        (prevalence, "prevalence", PREVALENCES),
        (miss_cost, "miss_cost", COSTS),
        (budget, "budget", BUDGETS),
    ):
        if value not in offered:
            raise ValueError(
                f"{parameter} must be one of {', '.join(map(str, offered))}, got {value!r}"
            )
    if y.size > MAX_CASES:
        return lab_widget(
            "threshold", labels, s, prevalence=prevalence, miss_cost=miss_cost, budget=budget / 1000
        )
    curve = roc_curve(y, s)
    last = curve.fpr.size - 1
    start = int(np.searchsorted(curve.fpr, 0.5))  # half of the negatives are flagged: too many
    fpr = float(curve.fpr[start])
    tpr = float(curve.tpr[start])
    settings = _Settings(
        prevalence=prevalence,
        miss_cost=miss_cost,
        budget=budget,
        fpr=fpr,
        tpr=tpr,
        alarm_rate=prevalence * tpr + (1 - prevalence) * fpr,
        net_benefit=net_benefit_of_rates(fpr, tpr, prevalence, miss_cost),
    )
    square = Frame(60, 14, 280, 280)
    gain = Frame(60, 14, 280, 158, x=(0, 1000), y=(MIN_BENEFIT, 1))
    lowest = float(s.min())
    highest = float(s.max())
    if highest == lowest:  # of equal scores, however large, the axis needs some width
        highest = lowest + max(1, abs(lowest) * 1e-6)
    limits = (lowest, highest)
    rows = (Frame(60, 18, 280, 40, x=limits), Frame(60, 70, 280, 40, x=limits))
    data = {
        "y": y.tolist(),
        "s": s.tolist(),
        "start": start,
        "prevalences": PREVALENCES,
        "costs": COSTS,
        "budgets": BUDGETS,
        "square": square.json(),
        "gain": gain.json(),
        "rows": [row.json() for row in rows],
        "bins": N_BINS,
        "longest": MAX_NAME,
        "words": class_names,
        "floor": MIN_BENEFIT,
        "most": MAX_ROWS,
    }
    threshold = f"{curve.thresholds[start]:.6g}"
    return Explorable(
        "alarm",
        "Choose a threshold",
        [
            _roc_panel(square, curve, settings, class_names),
            _benefit_panel(gain, settings, class_names),
            _scores_panel(rows, y, s, float(curve.thresholds[start]), class_names),
        ],
        _controls(settings, last, last - start, threshold),
        _sentence(class_names, settings.alarm_rate, budget, tpr),
        data,
        above=tag("style", package_text("alarm.css")),
    )


def _checked(y, scores):
    """Return labels, scores and the names of the classes, checked; the example if both are None."""
    if y is not None or scores is not None:
        y, columns, class_names = cases_of(y, scores)
        return y, single_column(columns), class_names
    y = np.repeat([1, 0], [len(SICK), len(HEALTHY)])
    y, columns, _ = cases_of(y, np.array(SICK + HEALTHY))
    return y, single_column(columns), ("sick", "healthy")


def _bars(row, scores):
    """Return the path of a histogram, its highest bar as high as the row."""
    counts, edges = np.histogram(scores, N_BINS, row.xlim)
    path = ""
    for count, left, right in zip(counts / counts.max(), edges[:-1], edges[1:]):
        if count:
            path += row.path([(left, 0), (left, count), (right, count), (right, 0)], "Z")
    return path


def _scores_panel(rows, y, s, threshold, class_names):
    """Draw the scores of both classes as histograms, with the threshold through both."""
    top = rows[0]
    bottom = rows[1]
    base = bottom.box[1] + bottom.box[3]
    x = top.x(threshold)
    parts = []
    for row, label_of_class, colour, name in zip(rows, (1, 0), ("blue", "orange"), class_names):
        kind = ("healthy", "sick")[label_of_class]
        short = name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"
        parts += [
            row.line([(row.xlim[0], 0), (row.xlim[1], 0)], "axis"),
            tag("path", d=_bars(row, s[y == label_of_class]), class_=f"bars {kind}"),
            label(
                54, row.box[1] + row.box[3] - 4, short, f"strong {colour}-ink {kind}-name", "end"
            ),
        ]
    return svg(
        "The scores of both classes",
        f"Two histograms, {class_names[0]} above {class_names[1]}, with a line at the threshold: "
        "an alarm is given for every score to its right.",
        *parts,
        label(60, base + 16, f"{top.xlim[0]:.6g}", "low", "middle"),
        label(340, base + 16, f"{top.xlim[1]:.6g}", "high", "middle"),
        label(200, base + 16, "score", anchor="middle"),
        tag(
            "g",
            tag("path", d=f"M0 2V{base}", class_="cutline"),
            label(5, 11, "alarm →", "small"),
            class_="cut",
            transform=f"translate({x:.2f} 0)",
        ),
        height=132,
    )


def _budget_line(prevalence, budget):
    """Return points (FPR, TPR) with as many alarms as the budget: both ends of a falling line."""
    if budget == 1000:
        return []
    up = min(1, budget / 1000 / prevalence)
    down = max(0, (budget / 1000 - 1 + prevalence) / prevalence)
    return [((budget / 1000 - prevalence * v) / (1 - prevalence), v) for v in (up, down)]


def _name_of_budget(frame, point, class_):
    """Return the name of the dashed line, to the right of its upper end; none without a budget."""
    transform = frame.translate(*point) if point else None
    hidden = "" if point else " hidden"
    name = label(5, 11, "budget", "small halo")
    return tag("g", name, class_=class_ + hidden, transform=transform)


def _roc_panel(square, curve, settings, class_names):
    """Draw the ROC curve with the threshold's point and the alarm budget."""
    positives, negatives = class_names
    fpr = settings.fpr
    tpr = settings.tpr
    limit = _budget_line(settings.prevalence, settings.budget)
    return svg(
        "ROC curve with the threshold's point and the budget",
        f"The threshold stands at FPR {fixed(fpr)}, TPR {fixed(tpr)}. A dashed line falls steeply: "
        "to its right there are more alarms than the budget allows.",
        square.axes(
            f"share of {negatives} with an alarm (FPR)", f"share of {positives} found (TPR)"
        ),
        square.line(limit, "guide limit"),
        _name_of_budget(square, limit[0] if limit else None, "limit-name"),
        square.line(list(zip(curve.fpr, curve.tpr)), "curve"),
        tag("circle", r=6, class_="solid best hidden"),
        square.circle(fpr, tpr, 7, "here"),
    )


def _benefit_panel(gain, settings, class_names):
    """Draw net benefit by the number of alarms, with the measures at the threshold."""
    alarms = 1000 * settings.alarm_rate
    net_benefit = 1000 * settings.net_benefit
    precision = settings.prevalence * settings.tpr / settings.alarm_rate
    measures = _measures(class_names, alarms, precision, settings.tpr, net_benefit)
    shown = max(MIN_BENEFIT, settings.net_benefit / settings.prevalence)
    return svg(
        "Net benefit by the number of alarms",
        f"{fixed(alarms, 0)} alarms among 1000 people, net benefit {fixed(net_benefit, 0)}. "
        "The line is drawn where the threshold has been.",
        gain.axes(
            "alarms among 1000 people",
            "net benefit, 1 = perfect",
            (0, 200, 400, 600, 800),
            (-0.5, 0, 0.5, 1),
        ),
        gain.line([(0, 0), (1000, 0)], "axis"),
        gain.line([(settings.budget, MIN_BENEFIT), (settings.budget, 1)], "guide budget"),
        _name_of_budget(
            gain, (settings.budget, 1) if settings.budget < 1000 else None, "budget-name"
        ),
        tag("path", d="", class_="curve been"),
        gain.circle(alarms, shown, 7, "here"),
        *(
            value_line(236 + 24 * i, text, value, key, name_class=f"what-{key}")
            for i, (text, key, value) in enumerate(measures)
        ),
    )


def _choice(name, text, offered, value, shown, n_steps=None):
    """Return a slider over the values offered."""
    n_steps = len(offered) - 1 if n_steps is None else n_steps
    return slider(name, text, 0, n_steps, 1, offered.index(value), shown)


def _controls(settings, last, start, threshold):
    """Return the threshold's slider, those of another clinic, and the form for other scores."""
    return [
        slider("cut", "threshold", 0, last, 1, start, threshold),
        bar(checkbox("best", "show me the best")),
        _clinic(settings),
        _pasted_scores(),
    ]


def _clinic(settings):
    """Return the sliders of prevalence, costs and budget, folded."""
    return tag(
        "details",
        tag("summary", "Another clinic: its prevalence, its costs, its budget"),
        # one step more than values: the prevalence of pasted rows
        _choice(
            "prevalence",
            "prevalence",
            PREVALENCES,
            settings.prevalence,
            f"{settings.prevalence:.6g}",
            len(PREVALENCES),
        ),
        _choice("miss", "cost of a miss", COSTS, settings.miss_cost, str(settings.miss_cost)),
        _choice("false", "cost of a false alarm", COSTS, COSTS[0], "1"),
        _choice("budget", "alarms allowed in 1000", BUDGETS, settings.budget, str(settings.budget)),
        class_="clinic",
    )


def _pasted_scores():
    """Return the form for labels and scores of the reader's, folded."""
    return tag(
        "details",
        tag("summary", "Use scores of your own"),
        tag(
            "label",
            tag(
                "span",
                "Two numbers a line: the label (two values, the larger one is positive) and "
                f"the score; 2 to {MAX_ROWS:,} lines, as copied from "
                "a spreadsheet. They stay on this page, and are gone when you leave it.",
            ),
            '<textarea name="pasted" rows="5" wrap="off" spellcheck="false" placeholder="1  '
            '0.93&#10;0  0.41"></textarea>',
        ),
        bar(button("use", "Use these", main=True), button("example", "Back to the example")),
        tag("p", "", class_="ax-note", role="status"),
        class_="own",
    )


def _measures(class_names, alarms, precision, tpr, net_benefit):
    """Return [(label, CSS class, value)] of the lines under the second panel."""
    return [
        ("alarms among 1000 people", "alarms", fixed(alarms, 1)),
        ("true ones among them (precision)", "precision", fixed(precision, 3)),
        (f"{class_names[0]} people found (TPR)", "caught", fixed(tpr, 3)),
        ("net benefit per 1000 people", "benefit", fixed(net_benefit, 1)),
    ]


def _sentence(class_names, alarm_rate, budget, tpr):
    """Return the first sentence: performance at the threshold, and the task."""
    is_over = 1000 * alarm_rate > budget + 1e-9
    over = "more than the budget allows" if is_over else "within the budget"
    return (
        f"This threshold gives <b>{fixed(1000 * alarm_rate, 0)}</b> alarms among 1000 people, "
        f"{over}. "
        f"It finds <b>{fixed(100 * tpr, 0)} %</b> of the {class_names[0]}. Find the threshold of "
        "largest net benefit within the budget!"
    )
