"""Explorable of one swap: what two neighbours that change places add to the AUC and to the AP."""

import numpy as np

from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    fixed,
    label,
    legend,
    package_text,
    slider,
    svg,
    tag,
)

PATIENTS = "hShhShhShhSh"  # the most suspicious first; S is sick
STEP = 28  # between two patients
RADIUS = 9.5
MAX_GAIN = 0.13  # the highest gain drawn; with four sick patients it is one eighth
HALF_BAR = 0.32  # width of a bar; two stand side by side


def swap_explorer():
    """Swap two neighbours of a sorted list, and see what it adds to the AUC and to the AP.

    One panel shows twelve patients, four of them sick, the most suspicious first; the other shows
    for every healthy patient directly above a sick one what their swap would add to both measures.

    Returns
    -------
    Explorable
        The interactive figure, with the first two patients chosen.

    See Also
    --------
    aucbook.roc_auc : The area under the ROC curve.
    aucbook.average_precision : The mean of the precisions at the positives.

    Examples
    --------
    >>> from aucbook.explore import swap_explorer
    >>> swap_explorer()
    <explorable: Swap two neighbours>
    """
    is_sick = np.array([patient == "S" for patient in PATIENTS], int)
    plane = Frame(60, 14, 288, 190, x=(0.5, is_sick.size - 0.5), y=(0, MAX_GAIN))
    keys = "".join(
        tag("span", tag("span", class_="ax-key", style=f"background:var(--{colour})"), name)
        for colour, name in (
            ("blue", "sick"),
            ("orange", "healthy"),
            ("grey", "gain in AUC"),
            ("ink", "gain in average precision"),
        )
    )
    data = {
        "sick": is_sick.tolist(),
        "frame": plane.json(),
        "step": STEP,
        "half": HALF_BAR,
        "top": MAX_GAIN,
    }
    return Explorable(
        "swap",
        "Swap two neighbours",
        [_list_panel(is_sick), _gain_panel(plane, is_sick)],
        [
            slider("place", "places", 1, is_sick.size - 1, 1, 1, "1 and 2"),
            bar(button("swap", "Swap them", main=True), button("again", "Start again")),
        ],
        sentence(is_sick, 0),
        data,
        above=tag("style", package_text("swap.css")) + legend(keys),
    )


def swapped(is_sick, k):
    """Return a copy of the list in which the patients at k and k + 1 have changed places."""
    changed = is_sick.copy()
    changed[[k, k + 1]] = is_sick[[k + 1, k]]
    return changed


def performance(is_sick):
    """Return (AUC, average precision) of a list, the most suspicious first."""
    from ... import average_precision, roc_auc

    scores = -np.arange(float(is_sick.size))
    return roc_auc(is_sick, scores), average_precision(is_sick, scores)


def gains(is_sick, k):
    """Return what the swap of k and k + 1 adds to (AUC, average precision)."""
    before = performance(is_sick)
    after = performance(swapped(is_sick, k))
    return [float(new - old) for new, old in zip(after, before)]


def _list_panel(is_sick):
    """Draw the patients in their order, with a frame about the two that are chosen."""
    marks = [
        tag("circle", cx=STEP * i, cy=0, r=RADIUS, class_="mark pos" if sick else "mark neg out")
        for i, sick in enumerate(is_sick)
    ]
    places = [label(STEP * i, 32, str(i + 1), anchor="middle") for i in range(is_sick.size)]
    chosen = tag("rect", x=-14, y=-15, width=STEP + 28, height=30, rx=15, class_="chosen")
    return svg(
        "The list, the most suspicious first",
        "Twelve patients in a row. Those at the second, fifth, eighth and eleventh place are sick.",
        label(14, 18, "most suspicious first", class_="small"),
        tag("g", chosen, *marks, *places, transform="translate(26 50)"),
        height=96,
    )


def _gain_panel(plane, is_sick):
    """Draw what each repair would add to both measures."""
    bars = ([], [])
    for k in range(is_sick.size - 1):
        if is_sick[k + 1] > is_sick[k]:
            for points, gain, left in zip(bars, gains(is_sick, k), (k + 1 - HALF_BAR, k + 1)):
                right = left + HALF_BAR
                points.append(plane.path([(left, 0), (left, gain), (right, gain), (right, 0)], "Z"))
    return svg(
        "What each repair adds",
        "Two bars at each pair of neighbours of which the healthy patient stands first. Those of "
        "the AUC are equally high; those of the average precision are higher near the top.",
        plane.axes(
            "upper place of the two that are swapped",
            "gain",
            xticks=range(1, is_sick.size),
            yticks=(0, 0.05, 0.1),
        ),
        *(
            tag("path", d="".join(points), class_=f"bar {colour}")
            for points, colour in zip(bars, ("auc", "ap"))
        ),
        height=252,
    )


def sentence(is_sick, k):
    """Return the sentence about the swap of k and k + 1."""
    auc, ap = performance(is_sick)
    now = f"Now the AUC is <b>{fixed(auc, 3)}</b>, the average precision <b>{fixed(ap, 3)}</b>. "
    if is_sick[k] == is_sick[k + 1]:
        kind = "sick" if is_sick[k] else "healthy"
        return now + f"Places {k + 1} and {k + 2} are both {kind}: a swap changes nothing."
    auc_gain, ap_gain = gains(is_sick, k)
    verb, where = ("adds", "to") if auc_gain > 0 else ("takes", "from")
    return now + (
        f"Swapping places {k + 1} and {k + 2} {verb} <b>{fixed(abs(auc_gain), 3)}</b> {where} the "
        f"AUC and <b>{fixed(abs(ap_gain), 3)}</b> {where} the average precision."
    )
