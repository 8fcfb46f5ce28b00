"""Explorable of the top of a list: enrichment of two rankings of twenty molecules."""

import numpy as np

from ..base import Explorable, Frame, fixed, label, legend, slider, svg, tag

LISTS = ("11000000000000000011", "00000011110000000000")
START = 4  # wells
STEP = 17  # between two molecules


def top_explorer():
    """Compare two rankings of twenty molecules, four of them active, by the number that is tested.

    One panel shows the two lists, best first, with the tested molecules on a strip; the other shows
    the enrichment factor of both lists by the number of wells.

    Returns
    -------
    Explorable
        The figure, with four wells.

    See Also
    --------
    aucbook.enrichment_factor : The measure.

    Examples
    --------
    >>> from aucbook.explore import top_explorer
    >>> top_explorer()
    <explorable: How many wells?>
    """
    plane = Frame(46, 16, 298, 232, x=(0, 20), y=(0, 5.4))
    data = {"active": lists().tolist(), "frame": plane.json(), "step": STEP}
    keys = "".join(
        tag("span", tag("span", class_="ax-key", style=f"background:var(--{colour})"), name)
        for colour, name in (("blue", "list one"), ("orange", "list two"))
    )
    key = legend(keys + tag("span", "Full: active. Dashed: a random choice."))
    return Explorable(
        "top",
        "How many wells?",
        [_lists_panel(), _enrichment_panel(plane)],
        [slider("k", "wells", 1, 20, 1, START, str(START))],
        sentence(START),
        data,
        above=key,
    )


def _lists_panel():
    """Draw the two lists with the tested molecules on a strip."""
    rows = []
    for r, (name, molecules) in enumerate(zip(("one", "two"), lists())):
        strip = tag("rect", x=-1, y=10, width=STEP * START, height=28, rx=4, class_="fill tested")
        marks = [
            tag(
                "circle",
                cx=7.5 + STEP * i,
                cy=24,
                r=5.5,
                class_="pos mark" if is_active else "pos mark out",
            )
            for i, is_active in enumerate(molecules)
        ]
        rows.append(
            tag(
                "g",
                label(0, 0, f"list {name}", class_="strong"),
                strip,
                *marks,
                transform=f"translate(10 {24 + 74 * r})",
            )
        )
    return svg(
        "Two lists, best first",
        "Two rows of twenty molecules. In list one the first two and the last two are active, "
        "in list two the seventh to the tenth.",
        *rows,
        height=150,
    )


def _enrichment_panel(plane):
    """Draw the enrichment factor of both lists by the number of wells."""
    factors = enrichments()
    return svg(
        "Enrichment by the number of wells",
        "Two lines. That of list one begins at 5 and falls; that of list two is 0 up to six "
        "wells, rises to ten and falls. Both end at 1.",
        plane.axes("wells", "enrichment", xticks=(0, 5, 10, 15, 20), yticks=range(6)),
        plane.line([(0, 1), (20, 1)], "guide"),
        *(
            plane.line(list(enumerate(line, 1)), class_)
            for line, class_ in zip(factors, ("curve", "coin"))
        ),
        *(plane.circle(START, line[START - 1], 6, "here") for line in factors),
        height=294,
    )


def lists():
    """Return the (2, 20) labels of the two lists, best first."""
    return np.array([[int(v) for v in row] for row in LISTS])


def enrichments():
    """Return the (2, 20) enrichment factors of both lists for 1 to 20 wells."""
    from ... import enrichment_factor

    return [
        [enrichment_factor(row, -np.arange(20.0), k / 20) for k in range(1, 21)] for row in lists()
    ]


def sentence(k):
    """Return the sentence about the active molecules found with k wells."""
    hits = lists()[:, :k].sum(1)
    one, two = (fixed(h / k / 0.2) for h in hits)
    return (
        f"With <b>{k}</b> well{'s' if k > 1 else ''} list one brings <b>{hits[0]}</b> active, list "
        f"two <b>{hits[1]}</b>; a random choice "
        f"{fixed(0.2 * k, 1)}, on average. Enrichment: <b>{one}</b> and <b>{two}</b>."
    )
