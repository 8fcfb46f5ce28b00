"""Explorable of cost-complexity pruning: the AUC gain of each split, and a cost per leaf."""

import numpy as np

from ..base import Explorable, Frame, bar, button, fixed, label, legend, slider, svg, tag
from ..tree import layout


def pruning_explorer(model=None, price=0.01):
    """Prune a ranking tree by hand, at a cost per leaf that the reader chooses.

    One panel shows the tree with its splits lettered; the other shows the AUC gain of each split,
    with the cost (the complexity parameter) as a line. The sentence gives the objective of the
    reader's tree, its AUC minus the cost of its leaves, and says whether another subtree has a
    larger one.

    Parameters
    ----------
    model : TreeRank, default None
        A fitted ranker with 2 to 16 leaves in their original order (not re-ordered by `shake`).
        None for three levels on `make_gauss2d`.
    price : float, default 0.01
        Cost of a leaf at first, from 0 to 1.

    Returns
    -------
    Explorable
        The figure, with the full tree.

    Raises
    ------
    ValueError
        For a tree of another size, re-ordered leaves, and a cost outside [0, 1].

    See Also
    --------
    aucbook.trees.prune, aucbook.trees.pruning_path : Cost-complexity pruning.
    tree_explorer : Grow the tree by hand.

    Examples
    --------
    >>> from aucbook.explore import pruning_explorer
    >>> pruning_explorer()
    <explorable: Which cuts are worth their leaf?>
    """
    from ... import TreeRank
    from ...trees import pruning_path

    if model is None:
        from ...theory import make_gauss2d

        model = TreeRank(max_depth=3).fit(*make_gauss2d(2000, random_state=0))
    if not 0 <= price <= 1:
        raise ValueError(f"price must be between 0 and 1, got {price}")
    tree = model.tree_
    size = tree.leaves.size
    if not 2 <= size <= 16:
        raise ValueError(
            f"the tree has {size} leaves: this explorable shows 2 to 16 (prune it, or lower "
            "max_depth)"
        )
    if tree.shaken:
        raise ValueError("the leaves are shaken: a node is then no single stretch of the curve")

    _, order, x, depth = layout(tree)
    index = {node: i for i, node in enumerate(order)}
    letters = iter("abcdefghijklmno")

    def left(node):
        return round(24 + 312 * (x[node] + 0.5) / size, 2)

    def top(node):
        return round(34 + 216 * int(depth[node]) / int(depth.max()), 2)

    gains = tree.gains / 2
    highest = float(max(gains.max(), pruning_path(model).ccp_alphas.max(), price)) * 1.15
    nodes = []
    marks = []
    edges = []
    bars = []
    cuts = [node for node in order if tree.left[node]]
    frame = Frame(46, 16, 298, 250, x=(0, len(cuts)), y=(0, highest))
    for i, node in enumerate(order):
        child = int(tree.left[node])
        packed = {"kids": [], "letter": "", "gain": 0, "rows": [f"{v:g}" for v in tree.mass[node]]}
        if child:
            edges += [
                tag(
                    "line",
                    x1=left(node),
                    y1=top(node),
                    x2=left(c),
                    y2=top(c),
                    class_="axis",
                    data_node=index[c],
                )
                for c in (child, child + 1)
            ]
            packed |= {
                "kids": [index[child], index[child + 1]],
                "letter": next(letters),
                "gain": round(float(gains[node]), 6),
            }
        nodes.append({**packed, "x": left(node), "y": top(node)})
        marks.append(_mark(nodes[-1], i, size))
    for k, node in enumerate(cuts):
        gain = float(gains[node])
        bars.append(
            tag(
                "rect",
                x=frame.x(k + 0.18),
                y=frame.y(gain),
                width=frame.x(0.64) - frame.x(0),
                height=frame.y(0) - frame.y(gain),
                class_="pos mark gain",
                data_cut=index[node],
                data_symbol="g",
            )
        )
    line = tag(
        "g",
        tag(
            "path",
            d=f"M{frame.x(0):.2f} 0H{frame.x(len(cuts)):.2f}",
            class_="cutline",
            data_symbol="lambda",
        ),
        label(frame.x(len(cuts)), -5, "price", class_="strong halo", anchor="end"),
        class_="price",
        transform=f"translate(0 {frame.y(price):.2f})",
    )
    panels = [
        svg(
            "The tree as it was grown",
            f"A tree with {size} leaves and {len(cuts)} cuts, lettered branch by branch. Under a "
            "leaf stand its "
            "sick and its healthy.",
            *edges,
            *marks,
            tag("circle", r=12, class_="chosen", transform=f"translate({left(0)} {top(0)})"),
            role="group",
            height=300,
        ),
        svg(
            "What each cut earned",
            "A bar for each cut, as high as the AUC it earned; a line at the price of a leaf.",
            frame.axes("cut", "AUC earned", xticks=[], yticks=_round_ticks(highest)),
            *bars,
            *(
                label(frame.x(k + 0.5), 282, nodes[index[node]]["letter"], anchor="middle")
                for k, node in enumerate(cuts)
            ),
            line,
            height=318,
        ),
    ]
    step = 0.001
    controls = [
        slider(
            "price",
            "Price of a leaf",
            0,
            round(np.ceil(highest / step) * step, 3),
            step,
            price,
            fixed(price, 3),
        ),
        slider("cut", "Cut", 1, len(cuts), 1, 1, "a"),
        bar(
            button("fold", "Fold its branch", main=True),
            button("unfold", "Unfold it"),
            button("again", "Start again"),
        ),
    ]
    area = tree.curve.auc()
    sentence = (
        f"<b>{size} leaves, area {fixed(area, 3)}</b>: worth {fixed(area - size * price, 3)} at "
        f"{fixed(price, 3)} a leaf."
    )
    data = {"nodes": nodes, "frame": frame.json()}
    task = (
        "Make the tree worth as much as you can: its area minus the price of its leaves. Click a "
        "cut, or choose it with the slider."
    )
    above = tag("div", task, style="margin:0 0 8px") + legend(
        tag("span", "under a leaf: its sick, then its healthy"), pos="earned by a cut that stays"
    )
    return Explorable(
        "pruning", "Which cuts are worth their leaf?", panels, controls, sentence, data, above=above
    )


def _round_ticks(highest):
    """Return about four round values from 0 up."""
    from ..base import ticks

    return ticks(0, highest, 4)


def _mark(node, i, size):
    """Return the mark of a node: a split with its letter above, or a leaf with its counts below."""
    p, n = node["rows"]
    counts = (
        label(0, 22, p, class_="small blue-ink rows", anchor="middle")
        + label(0, 35, n, class_="small orange-ink rows", anchor="middle")
        if size <= 10
        else ""
    )
    inner = bool(node["kids"])
    return tag(
        "g",
        tag(
            "circle",
            r=7 if inner else 5,
            class_="node",
            style="fill:var(--paper);stroke:var(--ink);stroke-width:1.5",
        ),
        label(0, -15, node["letter"], class_="strong halo", anchor="middle"),
        tag("g", counts, class_="counts hidden" if inner else "counts"),
        class_="cell",
        data_node=i,
        style="cursor:pointer" if inner else None,
        transform=f"translate({node['x']} {node['y']})",
    )
