"""Explorable of an order of groups of tied patients, such as the leaves of a tree."""

import numpy as np

from ..base import Explorable, Frame, bar, button, fixed, label, legend, numbers, slider, svg, tag

SICK, HEALTHY = [20, 10, 30, 15, 25], [10, 40, 5, 25, 20]


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
    aucbook.trees.shake : Re-order the leaves of a ranking tree.

    Examples
    --------
    >>> from aucbook.explore import rooms_explorer
    >>> rooms_explorer()
    <explorable: Call in the rooms>
    """
    sick = numbers(sick, "sick")
    healthy = numbers(healthy, "healthy", sick.size)
    n = sick.size
    if not 2 <= n <= 10:
        raise ValueError(f"{n} groups: this explorable shows 2 to 10")
    if (
        min(sick.min(), healthy.min()) < 0
        or not (sick + healthy).all()
        or not (sick.sum() and healthy.sum())
    ):
        raise ValueError(
            "counts must not be negative, no group may be empty, and both classes are needed"
        )
    names = [*"ABCDEFGHIJ"[:n]] if names is None else [str(name) for name in names]
    if len(names) != n:
        raise ValueError(f"names has {len(names)} words for {n} groups: lengths must agree")

    g = sick / sick.sum()
    h = healthy / healthy.sum()

    def area(order):
        """Return the area under the ROC curve of an order."""
        return float(np.sum(h[order] * (np.cumsum(g[order]) - g[order] / 2)))

    best = area(np.argsort(-g / (g + h), kind="stable"))
    frame = Frame(46, 16, 298, 270)
    wide = 320 / n
    tall = 190 / max(g.max(), h.max())
    symbols = dict(zip("gh", symbols))

    def column(i):
        """Draw a group: its name, and a bar for each class with the count above."""
        half = min(wide * 0.4, 26)
        bars = [
            tag(
                "rect",
                x=x,
                y=250 - tall * share,
                width=half - 1,
                height=tall * share,
                class_=kind,
                data_symbol=symbols.get(key),
            )
            + label(x + half / 2, 245 - tall * share, f"{count:g}", class_="small", anchor="middle")
            for x, share, count, kind, key in (
                (-half, g[i], sick[i], "pos", "g"),
                (1, h[i], healthy[i], "neg", "h"),
            )
        ]
        letter = label(0, 274, names[i], class_="strong big", anchor="middle")
        return tag(
            "g",
            *bars,
            letter,
            class_="spot column",
            transform=f"translate({20 + (i + 0.5) * wide:.2f} 0)",
        )

    a = np.r_[0, np.cumsum(h)]
    b = np.r_[0, np.cumsum(g)]
    knots = list(zip(a, b))
    panels = [
        svg(
            "The rooms in their order",
            f"{n} pairs of bars from left to right, in the order of calling: how many of the sick "
            "and of the healthy sit there.",
            tag("rect", x=20.0, y=24, width=wide, height=260, rx=4, class_="chosen spot"),
            *map(column, range(n)),
            tag("path", d="M20 250h320", class_="axis"),
            label(20, 304, "first", class_="small"),
            label(340, 304, "last", class_="small", anchor="end"),
            height=312,
        ),
        svg(
            "The ROC curve of this order",
            f"A curve of {n} straight pieces, one for each {room.lower()} in its order, over the "
            "dotted diagonal.",
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
                    names[i],
                    class_="strong halo letter",
                    anchor="middle",
                )
                for i in range(n)
            ),
            height=334,
        ),
    ]
    controls = [
        slider("room", f"{room} at place", 1, n, 1, 1, "1"),
        bar(
            button("earlier", "Earlier", main=True),
            button("later", "Later", main=True),
            button("again", "Start again"),
        ),
    ]
    sentence = f"<b>{' '.join(names)}</b>: area <b>{fixed(area(np.arange(n)), 3)}</b>."
    data = {
        "sick": sick.tolist(),
        "healthy": healthy.tolist(),
        "names": names,
        "room": room,
        "frame": frame.json(),
        "best": best,
        "left": 20,
        "wide": round(wide, 4),
    }
    task = tag(
        "div",
        f"Which order has the largest area? Drag a {room.lower()}, or choose it and move it "
        "earlier or later.",
    )
    above = tag("div", task, style="margin:0 0 8px") + legend(pos="sick", neg="healthy")
    return Explorable("rooms", title, panels, controls, sentence, data, above=above)
