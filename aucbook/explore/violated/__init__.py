"""Explorable of the most violated ordering of a model's scores, for any range of the ROC curve."""

import numpy as np

from ..._validation.checks import reject_former_calls
from ..base import (
    Explorable,
    Frame,
    bar,
    checkbox,
    colour_key,
    fixed,
    label,
    legend,
    numbers,
    slider,
    svg,
    tag,
    task,
    upward_label,
)

# Values of the one feature for five positives and eight negatives.
SICK = [2.0, 1.3, 0.9, 0.3, -0.2]
HEALTHY = [1.2, 0.8, 0.6, 0.1, -0.2, -0.5, -1.0, -1.4]
# lowest and highest values of the left panel
LOW = -1.5
HIGH = 10.5
WEIGHT = 1.0  # of the model at first
LONGEST = 2.0  # largest weight
START = 2  # the positive chosen at first
TASK = (
    "Click a cell to put that healthy patient, and all on its left, above "
    "the sick one of the row. "
    "Which ordering has the largest value? For each row, lift the line as high as its slope "
    "lets it touch a dot."
)


@reject_former_calls
def violated_explorer(*, min_fpr=0.25, max_fpr=0.75):
    """Find the most violated ordering (Paper 3, Eq. 4) of a model with one feature.

    The left panel shows the curve P(r), and the line of one positive, whose height at r = 0 is the
    value of its row; the right panel shows the ordering, as a table of which negatives are ranked
    above which positives, with the columns before, in and after the range [min_fpr, max_fpr]. At
    first no negative is above a positive. The reader may show the solution, with the concave
    majorant of the curve, and change the weight w of the model and the range.

    Parameters
    ----------
    min_fpr : float, default 0.25
        Where the range starts at first.
    max_fpr : float, default 0.75
        Where it ends at first.

    Returns
    -------
    Explorable
        The figure, with no negative above a positive.

    Raises
    ------
    ValueError
        For a range outside 0 <= min_fpr < max_fpr <= 1.

    See Also
    --------
    aucbook.pauc.most_violated_ordering : The algorithm.
    opponent_explorer : The ordering of one positive.

    Examples
    --------
    >>> from aucbook.explore import violated_explorer
    >>> violated_explorer()
    <explorable: The most violated ordering>
    """
    from ..._validation.checks import check_range
    from ...pauc import most_violated_ordering

    min_fpr, max_fpr = check_range(min_fpr, max_fpr)
    sick = numbers(SICK, "sick")
    healthy = numbers(HEALTHY, "healthy")
    m = sick.size
    n = healthy.size
    _, value = most_violated_ordering(sick, healthy, min_fpr=min_fpr, max_fpr=max_fpr)
    frame = Frame(46, 16, 298, 270, x=(0, n), y=(LOW, HIGH))
    grid = Frame(60, 36, 280, 250, x=(0, n), y=(0, m))
    data = {
        "sick": SICK,
        "healthy": HEALTHY,
        "frame": frame.json(),
        "grid": grid.json(),
        "alpha": min_fpr,
        "beta": max_fpr,
    }
    panels = [
        _curve_panel(frame, sick[START], healthy, min_fpr, max_fpr),
        _ordering_panel(grid, sick, healthy, min_fpr, max_fpr),
    ]
    controls = [
        slider("sick", "Sick patient", 1, m, 1, START + 1, str(START + 1)),
        slider("above", "put above it", 0, n, 1, 0, "0"),
        bar(checkbox("solve", "show the most violated ordering")),
        slider("w", "Length of w", 0, LONGEST, 0.05, WEIGHT, fixed(WEIGHT)),
        slider("alpha", "from FPR α", 0, 1, 0.025, min_fpr, fixed(min_fpr, 3)),
        slider("beta", "to FPR β", 0, 1, 0.025, max_fpr, fixed(max_fpr, 3)),
    ]
    sentence = (
        f"The value of your ordering is <b>{fixed(0, 3)}</b>, the largest is "
        f"<b>{fixed(value, 3)}</b>. Above sick patient "
        f"{START + 1} stand <b>0</b> before the range, "
        f"<b>0</b> in it, <b>0</b> after it: {fixed(0)} points minus margins of {fixed(0)}."
    )
    key = legend(
        colour_key("orange", "put above, and it counts"),
        colour_key("orange-wash", "put above, outside the range"),
    )
    return Explorable(
        "violated",
        "The most violated ordering",
        panels,
        controls,
        sentence,
        data,
        above=task(TASK) + key,
        uses=["pool.js"],
    )


def _curve_panel(frame, score, healthy, min_fpr, max_fpr):
    """Draw P(r) with its concave majorant, hidden, and the line of the chosen positive."""
    from ... import pav
    from ...pauc import range_weights

    n = healthy.size
    steps = range_weights(n, min_fpr=min_fpr, max_fpr=max_fpr) + healthy
    P = np.r_[0, np.cumsum(steps)]
    majorant = np.r_[0, np.cumsum(pav(steps, increasing=False))]
    return svg(
        "The curve P(r) and one line",
        f"Dots show P for 0 to {n} healthy patients. A line with slope {fixed(score)}, the "
        f"score of sick patient {START + 1}, passes through the dot at r = 0; "
        "another dot would lift it.",
        frame.axes(
            "r, healthy patients put above",
            "P(r)",
            xticks=range(n + 1),
            yticks=(0, 5, 10),
            xgrid=[],
        ),
        frame.line(_clipped(score, 0, n), "coin tangent"),
        frame.line(list(enumerate(majorant)), "curve hidden"),
        *(frame.circle(r, value, 4, "dot") for r, value in enumerate(P)),
        frame.circle(0, 0, 7, "here"),
        tag("path", d=f"M{frame.x(0) - 6:.2f} {frame.y(0):.2f}h12", class_="cutline gain"),
        label(
            frame.x(n),
            34,
            f"slope {fixed(score)}, adds {fixed(0)}",
            class_="strong halo orange-ink words",
            anchor="end",
        ),
        height=334,
    )


def _ordering_panel(grid, sick, healthy, min_fpr, max_fpr):
    """Draw a cell for each pair, in the columns before, in and after the range."""
    m = sick.size
    n = healthy.size
    wide = 280 / n
    tall = 250 / m
    cells = [
        tag(
            "rect",
            x=60 + j * wide,
            y=grid.y(k + 1),
            width=wide,
            height=tall,
            class_="cell",
            style="fill:var(--faint)",
        )
        for k in range(m)
        for j in range(n)
    ]
    return svg(
        "An ordering, who is put above whom",
        f"{m} rows, the sick patients, highest score at the bottom, and {n} columns, the "
        "healthy ones, highest score on the left, "
        "in three groups: before the range, in it, after it. No cell is filled yet: no patient is "
        "put above another.",
        *_bands(min_fpr, max_fpr),
        *cells,
        grid.line([(0, 0), (0, m), (n, m)], "border"),
        tag("rect", x=60, width=280, height=tall, y=grid.y(START + 1), class_="chosen", rx=3),
        *(
            label(52, grid.y(k + 0.5) + 4, fixed(score), class_="row", anchor="end")
            for k, score in enumerate(sick)
        ),
        *(
            label(
                60 + (j + 0.5) * wide, 302, fixed(score, 1), class_="column small", anchor="middle"
            )
            for j, score in enumerate(healthy)
        ),
        label(200, 322, "healthy, highest score first", anchor="middle"),
        upward_label(14, 161, "sick, highest score at the bottom"),
        height=334,
    )


def _bands(min_fpr, max_fpr):
    """Return the bars above the columns before, in and after the range."""
    bands = [
        ("before", 0, min_fpr, "line"),
        ("in the range", min_fpr, max_fpr, "orange"),
        ("after", max_fpr, 1, "line"),
    ]
    return [
        tag(
            "rect",
            x=60 + 280 * a,
            y=24,
            width=280 * (b - a),
            height=7,
            class_="band",
            style=f"fill:var(--{colour})",
        )
        + label(60 + 140 * (a + b), 18, name, class_="small band-words", anchor="middle")
        for name, a, b, colour in bands
    ]


def _clipped(slope, start, n):
    """Return the part inside the picture of the line with this slope and this height at 0."""
    ends = sorted((v - start) / slope for v in (LOW, HIGH)) if abs(slope) > 1e-9 else (0, n)
    return [(x, start + slope * x) for x in np.clip(ends, 0, n)]
