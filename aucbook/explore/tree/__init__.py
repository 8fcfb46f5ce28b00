"""Explorable of a ranking tree: split nodes, see the ROC curve grow, and choose few splits."""

from math import floor

import numpy as np

from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    fixed,
    label,
    legend,
    share_fill,
    slider,
    svg,
    tag,
)


SHOWN = 300  # cases of the default model in the plane
DOT = "fill:none;stroke-width:4;stroke:var(--{});stroke-linecap:{}"


def tree_explorer(model=None, feature_names=None):
    """Grow a ranking tree by hand, split by split, beside its ROC curve.

    Each split adds a triangle to the area under the ROC curve. The figure starts with the root
    alone and asks for the largest area that half of the splits can reach. The default model has
    two columns: a further panel shows its cases in the plane, and the cells that the splits make
    of it. Without scripts the full tree is shown.

    Parameters
    ----------
    model : TreeRank, default None
        A fitted ranker with 2 to 32 leaves in their original order (not re-ordered by `shake`).
        None for three levels on `make_gauss2d`.
    feature_names : sequence of str, default None
        Names of its columns. None for those seen in fit.

    Returns
    -------
    Explorable
        The figure, with the root alone.

    Raises
    ------
    ValueError
        For a tree of another size or with re-ordered leaves.

    See Also
    --------
    aucbook.TreeRank : The ranker.
    aucbook.lab.tree : A tree of any size, with data of your own.
    pruning_explorer : Prune the tree by hand.

    Examples
    --------
    >>> from aucbook.explore import tree_explorer
    >>> tree_explorer()
    <explorable: Which cells should be split?>
    """
    from ..._base.ranker import resolve_feature_names

    cases = None
    if model is None:
        cases = default_cases()
        model = default_model()
        feature_names = ["x", "y"]
    tree = unshaken_tree(model, 32)
    names = resolve_feature_names(model, feature_names)
    size = tree.leaves.size
    frame = Frame(46, 16, 298, 270)
    nodes = _nodes(tree, names)
    n_cuts = size // 2
    best = 0.5 + _best_gains(tree, 0, n_cuts)[n_cuts]
    goal = floor(1000 * best + 1e-6) / 1000
    panels = [_tree_panel(tree, nodes), _curve_panel(frame, tree.curve, nodes[0])]
    if cases is not None:
        _add_boxes(tree, nodes)
        panels.insert(0, _plane_panel(frame, tree, nodes, *cases))
    controls = [
        slider("node", "Cell", 1, len(nodes), 1, 1, "1"),
        bar(
            button("cut", "Split this cell", main=True),
            button("undo", "Take the split back"),
            button("again", "Start again"),
        ),
    ]
    task = legend(
        f"Reach an area of {goal:.3f} with {n_cuts} split{'s' if n_cuts > 1 else ''}. Click a "
        "cell, or choose it with the slider."
    )
    if cases is not None:
        task += legend(pos="positive", neg="negative")
    sentence = (
        f"All {size - 1} splits reach an area of <b>{fixed(tree.curve.auc(), 3)}</b>, the best "
        f"{n_cuts} of them <b>{goal:.3f}</b>."
    )
    data = {"frame": frame.json(), "nodes": nodes, "tries": n_cuts, "goal": goal}
    return Explorable(
        "tree", "Which cells should be split?", panels, controls, sentence, data, above=task
    )


def default_cases():
    """Return the cases (X, y) that are shown if no model is given, in the unit square."""
    from ...theory import make_gauss2d

    return make_gauss2d(2000, random_state=0)


def default_model():
    """Return the ranker that is shown if none is given: three levels on `make_gauss2d`."""
    from ... import TreeRank

    return TreeRank(max_depth=3).fit(*default_cases())


def unshaken_tree(model, max_leaves):
    """Return the tree of a fitted ranker; raise ValueError if it cannot be drawn."""
    tree = model.tree_
    size = tree.leaves.size
    if not 2 <= size <= max_leaves:
        raise ValueError(
            f"the tree has {size} leaves: this explorable shows 2 to {max_leaves} (prune it, or "
            "lower max_depth); aucbook.lab.tree(model, X, y) shows a tree of any size"
        )
    if tree.shaken:
        raise ValueError(
            "the leaves are re-ordered, so that a node is not one segment of the curve: fit with "
            "shake=False"
        )
    return tree


def _nodes(tree, names):
    """Return the nodes in reading order, in the script's form."""
    start, order, places = layout(tree, 230)
    index = {node: i for i, node in enumerate(order)}
    beta, alpha = tree.rates.T
    nodes = []
    for node in order:
        x, y = places[node]
        a, b = start[node]
        p, n = tree.mass[node]
        child = int(tree.left[node])
        packed = {
            "x": x,
            "y": y,
            "ends": np.round([[a, b], [a + alpha[node], b + beta[node]]], 5).tolist(),
            "here": f"<b>{p:g} positives, {n:g} negatives</b>",
            "kids": [],
        }
        if child:
            packed |= {
                "kids": [index[child], index[child + 1]],
                "knot": np.round([a + alpha[child], b + beta[child]], 5).tolist(),
                "gain": round(float(tree.gains[node]) / 2, 6),
                "cut": tree.words(node, names)[0],
                "words": tree.words(node, names, 3)[0] if tree.leaves.size <= 8 else "",
            }
        nodes.append(packed)
    return nodes


def _tree_panel(tree, nodes):
    """Draw the tree; splits have their condition and leaves their rank, if they fit."""
    _, order, _ = layout(tree, 230)
    size = tree.leaves.size
    beta, alpha = tree.rates.T
    rank_of_leaf = {int(leaf): rank for rank, leaf in enumerate(tree.leaves, 1)}
    edges = []
    marks = []
    for i, (node, packed) in enumerate(zip(order, nodes)):
        edges += [edge(packed, nodes[kid], kid, "axis edge-to") for kid in packed["kids"]]
        text = packed.get("words", "")
        if not packed["kids"] and size <= 16:
            text = str(rank_of_leaf[node])
        share = float(beta[node] / max(alpha[node] + beta[node], 1e-300))
        marks.append(_mark(packed, i, round(100 * share), text, size))
    return svg(
        "The ranking tree",
        f"A tree with {size} leaves. Every cell sends its better part to the left; the leaves "
        "from left to right are the ranking. "
        "Blue cells hold more of the positives, orange ones more of the negatives.",
        *edges,
        *marks,
        root_mark(nodes[0]),
        role="group",
        height=300,
    )


def _add_boxes(tree, nodes):
    """Add to each node the rectangle (left, bottom, right, top) of its cell in the unit square."""
    _, order, _ = layout(tree, 230)
    nodes[0]["box"] = [0.0, 0.0, 1.0, 1.0]
    for node, packed in zip(order, nodes):
        if not packed["kids"]:
            continue
        column = int(tree.column[node])
        threshold = round(float(tree.threshold[node]), 4)
        below = list(packed["box"])
        below[column + 2] = threshold
        above = list(packed["box"])
        above[column] = threshold
        boxes = (above, below) if tree.above[node] else (below, above)
        for kid, box in zip(packed["kids"], boxes):
            nodes[kid]["box"] = box


def _plane_panel(frame, tree, nodes, X, y):
    """Draw some cases in the plane of the two columns, and the cells, numbered as ranked."""
    _, order, _ = layout(tree, 230)
    beta, alpha = tree.rates.T
    rank_of_leaf = {int(leaf): rank for rank, leaf in enumerate(tree.leaves, 1)}
    regions = []
    for i, (node, packed) in enumerate(zip(order, nodes)):
        left, bottom, right, top = packed["box"]
        share = float(beta[node] / max(alpha[node] + beta[node], 1e-300))
        regions.append(
            tag(
                "g",
                tag(
                    "rect",
                    x=frame.x(left),
                    y=frame.y(top),
                    width=frame.x(right) - frame.x(left),
                    height=frame.y(bottom) - frame.y(top),
                    style=share_fill(round(100 * share)) + ";fill-opacity:.35;cursor:pointer",
                ),
                class_="region hidden" if packed["kids"] else "region",
                data_node=i,
            )
        )
    numbers = [
        label(
            frame.x((packed["box"][0] + packed["box"][2]) / 2),
            frame.y((packed["box"][1] + packed["box"][3]) / 2) + 6,
            str(rank_of_leaf.get(node, "")),
            class_="number strong halo" + (" hidden" if packed["kids"] else ""),
            anchor="middle",
            data_node=i,
        )
        for i, (node, packed) in enumerate(zip(order, nodes))
    ]
    dots = []
    for positive, colour, cap in ((1, "blue", "round"), (0, "orange", "square")):
        points = X[:SHOWN][y[:SHOWN] == positive]
        places = (f"M{frame.x(a):.0f} {frame.y(b):.0f}h0" for a, b in points)
        dots.append(tag("path", d="".join(places), style=DOT.format(colour, cap)))
    return svg(
        "The cases in the plane, and the cells of the tree",
        f"{SHOWN} of the cases by their two columns x and y: positive ones are round, negative "
        "ones square. The cells are rectangles, numbered as they are ranked.",
        frame.axes("x", "y"),
        *regions,
        *dots,
        *numbers,
        tag("path", class_="outline chosen", d=""),
        height=334,
    )


def root_mark(root):
    """Return the mark of the chosen node, at the root."""
    return tag("circle", r=12, class_="chosen", transform=f"translate({root['x']} {root['y']})")


def _curve_panel(frame, curve, root):
    """Draw the ROC curve of the tree with the triangle of the first split."""
    return svg(
        "The ROC curve its leaves draw",
        "A ROC curve of straight pieces, one for each leaf. The chosen cell is a chord of the "
        "curve; its split adds the shaded "
        "triangle above the chord.",
        frame.axes("false positive rate", "true positive rate"),
        tag("path", class_="wash", d=frame.path([(0, 0), root["knot"], (1, 1)], "Z")),
        frame.line([(0, 0), (1, 1)], "guide"),
        frame.line(list(zip(curve.fpr, curve.tpr)), "curve"),
        tag("path", class_="chord wrong", d=frame.path([(0, 0), (1, 1)])),
        height=334,
    )


def edge(node, child, index, class_="axis"):
    """Return the line from a node to its child, which has this index."""
    return tag(
        "line",
        x1=node["x"],
        y1=node["y"],
        x2=child["x"],
        y2=child["y"],
        class_=class_,
        data_node=index,
    )


def _mark(node, i, percent, text, size):
    """Return the mark of a node: a disc, bluer for a larger share of positives, and its text."""
    is_split = bool(node["kids"])
    return tag(
        "g",
        tag(
            "circle",
            r=8 if size <= 16 else 5,
            style=share_fill(percent) + ";cursor:pointer",
            class_="node",
        ),
        label(
            0,
            -16 if is_split else 22,
            text,
            class_="small halo" if is_split else "halo",
            anchor="middle",
        ),
        class_="cell",
        data_node=i,
        transform=f"translate({node['x']} {node['y']})",
    )


def _best_gains(tree, node, n_cuts):
    """Return the largest gain of at most k splits in the branch of a node, for k = 0 .. n_cuts."""
    child = int(tree.left[node])
    best = [0.0] * (n_cuts + 1)
    if child and n_cuts:
        first = _best_gains(tree, child, n_cuts - 1)
        second = _best_gains(tree, child + 1, n_cuts - 1)
        for k in range(1, n_cuts + 1):
            rest = max(first[j] + second[k - 1 - j] for j in range(k))
            best[k] = float(tree.gains[node]) / 2 + rest
    return best


def layout(tree, height):
    """Return where the nodes of a tree are on the ROC curve and in the picture.

    Parameters
    ----------
    tree : Tree
        A tree with its leaves in their original order.
    height : float
        How far the lowest node is below the root in the picture.

    Returns
    -------
    start : dict of int to array of shape (2,)
        For each node the point (alpha, beta) of the ROC curve where its segment begins.
    order : list of int
        The nodes in reading order.
    places : dict of int to (float, float)
        The centre of each node in the picture.
    """
    column = np.zeros(tree.left.size)
    column[tree.leaves] = np.arange(tree.leaves.size)
    for node in np.flatnonzero(tree.left)[::-1]:
        column[node] = (column[tree.left[node]] + column[tree.left[node] + 1]) / 2
    beta, alpha = tree.rates.T
    start = {0: np.zeros(2)}
    order = []
    stack = [0]
    while stack:
        node = stack.pop()
        order.append(node)
        child = int(tree.left[node])
        if child:
            start[child] = start[node]
            start[child + 1] = start[node] + [alpha[child], beta[child]]
            stack += [child + 1, child]
    deepest = int(tree.depth.max())
    places = {
        node: (
            round(24 + 312 * (column[node] + 0.5) / tree.leaves.size, 2),
            round(34 + height * int(tree.depth[node]) / deepest, 2),
        )
        for node in order
    }
    return start, order, places
