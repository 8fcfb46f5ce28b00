"""Explorable of the most violated ordering of a model's scores, for any range of the ROC curve."""

import numpy as np

from ..base import Explorable, Frame, bar, colour_key, fixed, label, numbers, slider, svg, tag

# Values of the one feature for five positives and eight negatives.
SICK = [2.0, 1.3, 0.9, 0.3, -0.2]
HEALTHY = [1.2, 0.8, 0.6, 0.1, -0.2, -0.5, -1.0, -1.4]
LOW = -1.5
HIGH = 10.5
LONGEST = 2.0
TASK = (
    "You are the opponent. Click a cell to put that healthy patient, and all on its left, above "
    "the sick one of the row. "
    "Which order earns most? For each row, lift the line as high as its slope lets it touch a dot."
)


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
    <explorable: The worst order>
    """
    from ..._validation.checks import check_range
    from ... import pav
    from ...pauc import most_violated_ordering, range_weights

    min_fpr, max_fpr = check_range(min_fpr, max_fpr)
    sick, healthy = numbers(SICK, "sick"), numbers(HEALTHY, "healthy")
    m = sick.size
    n = healthy.size
    w = 1.0
    i = 2
    s, weight = w * sick, range_weights(healthy.size, min_fpr=min_fpr, max_fpr=max_fpr)
    _, value = most_violated_ordering(s, w * healthy, min_fpr=min_fpr, max_fpr=max_fpr)
    steps = weight + w * healthy
    P, hull = (np.r_[0, np.cumsum(g)] for g in (steps, pav(steps, increasing=False)))
    wide, tall = 280 / n, 250 / m

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
    bands = [
        ("before", 0, min_fpr, "line"),
        ("in the range", min_fpr, max_fpr, "orange"),
        ("after", max_fpr, 1, "line"),
    ]
    panels = [
        svg(
            "The curve P(r) and one line",
            f"Dots show P for 0 to {n} healthy patients. A line with slope {fixed(s[i])}, the "
            f"score of sick patient {i + 1}, passes through the dot at r = 0; "
            "another dot would lift it.",
            frame.axes(
                "r, healthy patients put above",
                "P(r)",
                xticks=range(n + 1),
                yticks=(0, 5, 10),
                xgrid=[],
            ),
            frame.line(_clipped(s[i], 0, n), "coin tangent"),
            frame.line(list(enumerate(hull)), "curve hidden"),
            *(
                tag(
                    "circle",
                    r=4,
                    class_="dot",
                    transform=f"translate({frame.x(k):.2f} {frame.y(v):.2f})",
                )
                for k, v in enumerate(P)
            ),
            tag(
                "circle",
                r=7,
                class_="here",
                transform=f"translate({frame.x(0):.2f} {frame.y(0):.2f})",
            ),
            tag("path", d=f"M{frame.x(0) - 6:.2f} {frame.y(0):.2f}h12", class_="cutline gain"),
            label(
                frame.x(n),
                34,
                f"slope {fixed(s[i])}, earns {fixed(0)}",
                class_="strong halo orange-ink words",
                anchor="end",
            ),
            height=334,
        ),
        svg(
            "An order, who is put above whom",
            f"{m} rows, the sick patients, highest score at the bottom, and {n} columns, the "
            "healthy ones, highest score on the left, "
            "in three groups: before the range, in it, after it. No cell is filled yet: nobody is "
            "put above anybody.",
            *(
                tag(
                    "rect",
                    x=60 + 280 * a,
                    y=24,
                    width=280 * (b - a),
                    height=7,
                    class_="band",
                    style=f"fill:var(--{colour})",
                )
                + label(60 + 140 * (a + b), 18, words, class_="small band-words", anchor="middle")
                for words, a, b, colour in bands
            ),
            *cells,
            grid.line([(0, 0), (0, m), (n, m)], "border"),
            tag("rect", x=60, width=280, height=tall, y=grid.y(i + 1), class_="chosen", rx=3),
            *(
                label(52, grid.y(k + 0.5) + 4, fixed(v), class_="row", anchor="end")
                for k, v in enumerate(s)
            ),
            *(
                label(
                    60 + (j + 0.5) * wide, 302, fixed(v, 1), class_="column small", anchor="middle"
                )
                for j, v in enumerate(w * healthy)
            ),
            label(200, 322, "healthy, highest score first", anchor="middle"),
            label(
                14,
                161,
                "sick, highest score at the bottom",
                anchor="middle",
                transform="rotate(-90 14 161)",
            ),
            height=334,
        ),
    ]
    controls = [
        slider("sick", "Sick patient", 1, m, 1, i + 1, str(i + 1)),
        slider("above", "put above it", 0, n, 1, 0, "0"),
        bar(
            tag(
                "label",
                '<input type="checkbox" name="solve">',
                tag("span", "let the opponent choose"),
                class_="ax-check",
            )
        ),
        slider("w", "Length of w", 0, LONGEST, 0.05, w, fixed(w)),
        slider("alpha", "from FPR α", 0, 1, 0.025, min_fpr, fixed(min_fpr, 3)),
        slider("beta", "to FPR β", 0, 1, 0.025, max_fpr, fixed(max_fpr, 3)),
    ]
    sentence = (
        f"Your order earns <b>{fixed(0, 3)}</b> of <b>{fixed(value, 3)}</b>. Above sick patient "
        f"{i + 1} stand <b>0</b> before the range, "
        f"<b>0</b> in it, <b>0</b> after it: they earn {fixed(0)} and cost {fixed(0)}."
    )

    above = tag("div", TASK, style="margin:0 0 8px") + tag(
        "div",
        colour_key("orange", "put above, and it counts"),
        colour_key("orange-wash", "put above, outside the range"),
        class_="ax-legend",
    )
    return Explorable(
        "violated",
        "The worst order",
        panels,
        controls,
        sentence,
        data,
        above=above,
        uses=["pool.js"],
    )


def _clipped(slope, start, n):
    """Return the part inside the picture of the line with this slope and this height at 0."""
    ends = sorted((v - start) / slope for v in (LOW, HIGH)) if abs(slope) > 1e-9 else (0, n)
    return [(x, start + slope * x) for x in np.clip(ends, 0, n)]
