"""Explorable of an order of groups of tied patients, such as the leaves of a tree."""

import numpy as np

from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    fixed,
    label,
    legend,
    numbers,
    slider,
    svg,
    tag,
    task,
)

# counts of positives and negatives in five groups
SICK = [20, 10, 30, 15, 25]
HEALTHY = [10, 40, 5, 25, 20]
LEFT = 20  # where the first group begins in the picture


def rooms_explorer(
    sick=SICK, healthy=HEALTHY, names=None, *, title="Call in the rooms", room="Room", symbols=()
):
    """Order groups of tied patients so that the area under the ROC curve is largest.

    The first panel has the groups in their order, the second the ROC curve, and that before the
    last move behind it. A sentence states when no order has a larger area.

    Parameters
    ----------
    sick, healthy : array-like of shape (n,)
        Counts of positives and negatives in 2 to 10 groups, none of them empty, in the first order.
    names : sequence of str, default None
        Names of the groups; None for A, B, C, …
    title : str
        Title of the block.
    room : str
        What a group is called.
    symbols : sequence of str, default ()
        The page's symbols for a group's share of the positives and of the negatives.

    Returns
    -------
    Explorable
        The interactive figure.

    Raises
    ------
    ValueError
        For negative counts, an empty group, a missing class, fewer than 2 or more than 10 groups,
        or unequal lengths.

    See Also
    --------
    tree_explorer : Grow a ranking tree, whose leaves are such groups.
    aucbook.lab.tree : The leaves of a tree for data of your own, in any number.
    aucbook.trees.shake : Re-order the leaves of a ranking tree.

    Examples
    --------
    >>> from aucbook.explore import rooms_explorer
    >>> rooms_explorer()
    <explorable: Call in the rooms>
    """
    sick, healthy = _checked(sick, healthy)
    n = sick.size
    names = [*"ABCDEFGHIJ"[:n]] if names is None else [str(name) for name in names]
    if len(names) != n:
        raise ValueError(f"names has {len(names)} words for {n} groups: lengths must agree")
    tpr = sick / sick.sum()
    fpr = healthy / healthy.sum()
    best_order = np.argsort(-tpr / (tpr + fpr), kind="stable")
    frame = Frame(46, 16, 298, 270)
    wide = 320 / n
    data = {
        "sick": sick.tolist(),
        "healthy": healthy.tolist(),
        "names": names,
        "room": room,
        "frame": frame.json(),
        "best": _area(tpr, fpr, best_order),
        "left": LEFT,
        "wide": round(wide, 4),
    }
    panels = [
        _groups_panel(sick, healthy, names, wide, dict(zip("gh", symbols))),
        _curve_panel(frame, tpr, fpr, names, room),
    ]
    controls = [
        slider("room", f"{room} at place", 1, n, 1, 1, "1"),
        bar(
            button("earlier", "Earlier", main=True),
            button("later", "Later", main=True),
            button("again", "Start again"),
        ),
    ]
    area = _area(tpr, fpr, np.arange(n))
    sentence = f"<b>{' '.join(names)}</b>: area <b>{fixed(area, 3)}</b>."
    question = tag(
        "div",
        f"Which order has the largest area? Drag a {room.lower()}, or choose it and move it "
        "earlier or later.",
    )
    above = task(question) + legend(pos="sick", neg="healthy")
    return Explorable("rooms", title, panels, controls, sentence, data, above=above)


def _checked(sick, healthy):
    """Return the counts of both classes, checked."""
    sick = numbers(sick, "sick")
    healthy = numbers(healthy, "healthy", sick.size)
    if not 2 <= sick.size <= 10:
        raise ValueError(
            f"{sick.size} groups: 2 to 10 can be ordered by hand; aucbook.lab.tree shows the "
            "leaves of a larger tree in their order"
        )
    is_negative = min(sick.min(), healthy.min()) < 0
    has_both_classes = sick.sum() and healthy.sum()
    if is_negative or not (sick + healthy).all() or not has_both_classes:
        raise ValueError(
            "counts must not be negative, no group may be empty, and both classes are needed"
        )
    return sick, healthy


def _area(tpr, fpr, order):
    """Return the area under the ROC curve of an order of the groups.

    tpr and fpr are each group's share of the positives and of the negatives.
    """
    return float(np.sum(fpr[order] * (np.cumsum(tpr[order]) - tpr[order] / 2)))


def _groups_panel(sick, healthy, names, wide, symbols):
    """Draw the groups in their order: a name, and a bar for each class with its count."""
    tpr = sick / sick.sum()
    fpr = healthy / healthy.sum()
    tall = 190 / max(tpr.max(), fpr.max())
    half = min(wide * 0.4, 26)
    columns = []
    for i, name in enumerate(names):
        bars = _count_bar(-half, half, tall * tpr[i], sick[i], "pos", symbols.get("g"))
        bars += _count_bar(1, half, tall * fpr[i], healthy[i], "neg", symbols.get("h"))
        columns.append(
            tag(
                "g",
                bars,
                label(0, 274, name, class_="strong big", anchor="middle"),
                class_="spot column",
                transform=f"translate({LEFT + (i + 0.5) * wide:.2f} 0)",
            )
        )
    return svg(
        "The rooms in their order",
        f"{len(names)} pairs of bars from left to right, in the order of calling: how many of the "
        "sick and of the healthy sit there.",
        tag("rect", x=float(LEFT), y=24, width=wide, height=260, rx=4, class_="chosen spot"),
        *columns,
        tag("path", d="M20 250h320", class_="axis"),
        label(20, 304, "first", class_="small"),
        label(340, 304, "last", class_="small", anchor="end"),
        height=312,
    )


def _count_bar(x, width, height, count, kind, symbol):
    """Draw the bar of one class in a group, with the count above."""
    rectangle = tag(
        "rect", x=x, y=250 - height, width=width - 1, height=height, class_=kind, data_symbol=symbol
    )
    return rectangle + label(
        x + width / 2, 245 - height, f"{count:g}", class_="small", anchor="middle"
    )


def _curve_panel(frame, tpr, fpr, names, room):
    """Draw the ROC curve of the first order, with the names of the groups."""
    a = np.r_[0, np.cumsum(fpr)]
    b = np.r_[0, np.cumsum(tpr)]
    knots = list(zip(a, b))
    return svg(
        "The ROC curve of this order",
        f"A curve of {len(names)} straight pieces, one for each {room.lower()} in its order, over "
        "the dotted diagonal.",
        frame.axes("healthy called in (FPR)", "sick called in (TPR)"),
        frame.line([(0, 0), (1, 1)], "guide"),
        tag("path", class_="sums before", d=""),
        frame.line(knots, "curve"),
        frame.line(knots[:2], "cutline piece"),
        *(tag("circle", r=3.5, class_="dot", cx=frame.x(x), cy=frame.y(y)) for x, y in knots),
        *(
            label(
                frame.x((a[i] + a[i + 1]) / 2) - 9,
                frame.y((b[i] + b[i + 1]) / 2) - 4,
                name,
                class_="strong halo letter",
                anchor="middle",
            )
            for i, name in enumerate(names)
        ),
        height=334,
    )
