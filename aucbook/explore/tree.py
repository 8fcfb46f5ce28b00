"""Explorable of a ranking tree: choose a cell, see its stretch of the ROC and the triangle its cut adds."""

import numpy as np

from .core import Explorable, Frame, bar, button, fixed, label, slider, svg, tag


def tree_explorer(model=None, feature_names=None, *, name=None):
    """A ranking tree beside the ROC its leaves draw: choose a node, and its stretch of the curve lights up.

    model : a fitted TreeRank with 2 to 32 leaves, not shaken (default: three levels on `make_gauss2d`).
    feature_names : names of its columns, by default those seen in fit.
    Raises ValueError for a tree too large to draw or with shaken leaves.
    """
    from aucbook.ranktree import leaves_in_order, names_of_columns, split_words
    from aucbook.treerank import TreeRank

    if model is None:
        from aucbook.toys import make_gauss2d

        model, feature_names = TreeRank(max_depth=3).fit(*make_gauss2d(2000, random_state=0)), ["x", "y"]
    tree, names = model.tree_, names_of_columns(model, feature_names)
    if not 2 <= tree.leaves.size <= 32:
        raise ValueError(
            f"the tree has {tree.leaves.size} leaves: this explorable shows 2 to 32 (prune it, or lower max_depth)"
        )
    if tree.shaken:
        raise ValueError("the leaves are shaken: a node is then no single stretch of the curve")

    start, order, x, depth = _layout(tree, leaves_in_order)
    beta, alpha = tree.rates.T
    low, high = int(depth.max()), Frame(46, 16, 298, 270)
    place = {leaf: i + 1 for i, leaf in enumerate(tree.leaves)}
    left = lambda node: 24 + 312 * (x[node] + 0.5) / tree.leaves.size
    top = lambda node: 34 + 230 * depth[node] / low
    nodes, marks, edges, words = [], [], [], []
    for i, node in enumerate(order):
        a, b = start[node]
        ends = [[a, b], [a + alpha[node], b + beta[node]]]
        p, n = tree.mass[node]
        here = f"<b>{p:g} positives, {n:g} negatives</b>: FPR {fixed(a)} to {fixed(ends[1][0])}, TPR {fixed(b)} to {fixed(ends[1][1])}."
        child, knot = tree.left[node], None
        if child:
            knot = [a + alpha[child], b + beta[child]]
            gain = tree.gains[node] / 2
            say = f"{here} The cut “{split_words(tree, node, names)[0]}” sends the better part to the left and adds a triangle of area <b>{gain:.3f}</b>."
            for c in (child, child + 1):
                edges.append(
                    tag(
                        "line",
                        x1=float(left(node)),
                        y1=float(top(node)),
                        x2=float(left(c)),
                        y2=float(top(c)),
                        class_="axis",
                    )
                )
            if tree.leaves.size <= 8:
                words.append(
                    label(
                        left(node),
                        top(node) - 16,
                        split_words(tree, node, names, 3)[0],
                        anchor="middle",
                        class_="small halo",
                    )
                )
        else:
            say = f"{here} A leaf, at place {place[node]} of {tree.leaves.size}: all its rows are tied, and the curve is straight."
            if tree.leaves.size <= 16:
                words.append(label(left(node), top(node) + 22, str(place[node]), anchor="middle"))
        share = round(100 * float(beta[node] / max(alpha[node] + beta[node], 1e-300)))
        marks.append(
            tag(
                "circle",
                cx=float(left(node)),
                cy=float(top(node)),
                r=8 if tree.leaves.size <= 16 else 5,
                data_node=i,
                style=f"fill:color-mix(in srgb,var(--{'blue' if share >= 50 else 'orange'}) {abs(2 * share - 100)}%,var(--line));stroke:var(--grey);cursor:pointer",
                class_="node",
            )
        )
        index = {v: k for k, v in enumerate(order)}
        nodes.append(
            {
                "x": round(float(left(node)), 2),
                "y": round(float(top(node)), 2),
                "ends": np.round(ends, 5).tolist(),
                "knot": None if knot is None else np.round(knot, 5).tolist(),
                "say": say,
                "name": f"leaf {place[node]}" if knot is None else "whole" if node == 0 else f"level {depth[node]}",
                "up": index.get(_parent(tree, node), -1),
                "left": index[child] if child else -1,
                "right": index[child + 1] if child else -1,
            }
        )
    curve, first = tree.curve, nodes[0]
    ends = first["ends"]
    panels = [
        svg(
            "The ranking tree",
            f"A tree with {tree.leaves.size} leaves. Every cell sends its better part to the left; the leaves from left to right are the ranking. "
            "Blue cells hold more of the positives, orange ones more of the negatives.",
            *edges,
            *marks,
            *words,
            tag("circle", r=12, class_="chosen", transform=f"translate({first['x']} {first['y']})"),
            role="group",
            height=300,
        ),
        svg(
            "The ROC curve its leaves draw",
            f"A ROC curve of {tree.leaves.size} straight pieces, one for each leaf, with area {fixed(curve.auc(), 3)}. "
            "The chosen cell is a chord of the curve; its cut adds the shaded triangle above the chord.",
            high.axes("false positive rate", "true positive rate"),
            tag("path", class_="wash", d=high.path([ends[0], first["knot"], ends[1]], "Z")),
            high.line([(0, 0), (1, 1)], "guide"),
            high.line(list(zip(curve.fpr, curve.tpr)), "curve"),
            tag("path", class_="chord wrong", d=high.path(ends)),
            height=334,
        ),
    ]
    controls = [
        slider("node", "Cell", 0, len(order) - 1, 1, 0, nodes[0]["name"]),
        bar(button("up", "Up"), button("left", "To the better part", main=True), button("right", "To the other part")),
    ]
    data = {"frame": high.json(), "nodes": nodes}
    return Explorable(
        "tree",
        "A tree that draws a ROC curve",
        panels,
        controls,
        nodes[0]["say"],
        data,
        name=name,
        above=tag("div", "Click a node, or walk with the buttons or the slider.", class_="ax-legend"),
    )


def _parent(tree, node):
    "The node above, or -1"
    child = node - (node not in tree.left)
    return int(np.flatnonzero(tree.left == child)[0]) if node else -1


def _layout(tree, leaves):
    "Where each node's stretch of the curve begins (alpha, beta); nodes in reading order; their x and depth"
    x, start, order, stack = np.zeros(tree.left.size), {}, [], [0]
    x[leaves(tree.left)] = np.arange(tree.leaves.size)
    for node in np.flatnonzero(tree.left)[::-1]:
        x[node] = (x[tree.left[node]] + x[tree.left[node] + 1]) / 2
    start[0] = np.zeros(2)
    beta, alpha = tree.rates.T
    while stack:
        node = stack.pop()
        order.append(node)
        child = int(tree.left[node])
        if child:
            start[child], start[child + 1] = start[node], start[node] + [alpha[child], beta[child]]
            stack += [child + 1, child]
    return start, order, x, tree.depth
