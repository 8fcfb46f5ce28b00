"""Explorable of a ranking tree: split nodes, see the ROC curve grow, and choose few splits."""

from math import floor

import numpy as np

from ..base import Explorable, Frame, bar, button, fixed, label, slider, svg, tag


def tree_explorer(model=None, feature_names=None):
    """Grow a ranking tree by hand, split by split, beside its ROC curve.

    Each split adds a triangle to the area under the ROC curve. The figure starts with the root
    alone and asks for the largest area that half of the splits can reach. Without scripts the full
    tree is shown.

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
    pruning_explorer : Prune the tree by hand.

    Examples
    --------
    >>> from aucbook.explore import tree_explorer
    >>> tree_explorer()
    <explorable: Which cells are worth a cut?>
    """
    from ..._base.ranker import resolve_feature_names
    from ... import TreeRank

    if model is None:
        from ...theory import make_gauss2d

        model = TreeRank(max_depth=3).fit(*make_gauss2d(2000, random_state=0))
        feature_names = ["x", "y"]
    tree, names = model.tree_, resolve_feature_names(model, feature_names)
    size = tree.leaves.size
    if not 2 <= size <= 32:
        raise ValueError(
            f"the tree has {size} leaves: this explorable shows 2 to 32 (prune it, or lower "
            "max_depth)"
        )
    if tree.shaken:
        raise ValueError("the leaves are shaken: a node is then no single stretch of the curve")

    start, order, x, depth = layout(tree)
    index = {node: i for i, node in enumerate(order)}
    beta, alpha = tree.rates.T
    high = Frame(46, 16, 298, 270)

    def left(node):
        return round(24 + 312 * (x[node] + 0.5) / size, 2)

    def top(node):
        return round(34 + 230 * int(depth[node]) / int(depth.max()), 2)

    nodes = []
    marks = []
    edges = []
    for i, node in enumerate(order):
        a, b = start[node]
        p, n = tree.mass[node]
        child = int(tree.left[node])
        packed = {
            "x": left(node),
            "y": top(node),
            "ends": np.round([[a, b], [a + alpha[node], b + beta[node]]], 5).tolist(),
            "here": f"<b>{p:g} positives, {n:g} negatives</b>",
            "kids": [],
        }
        words = str(1 + int(np.flatnonzero(tree.leaves == node)[0])) if not child else ""
        if child:
            edges += [
                _edge(left(node), top(node), left(c), top(c), index[c]) for c in (child, child + 1)
            ]
            words = tree.words(node, names, 3)[0] if size <= 8 else ""
            packed |= {
                "kids": [index[child], index[child + 1]],
                "knot": np.round([a + alpha[child], b + beta[child]], 5).tolist(),
                "gain": round(float(tree.gains[node]) / 2, 6),
                "cut": tree.words(node, names)[0],
                "words": words,
            }
        nodes.append(packed)
        share = round(100 * float(beta[node] / max(alpha[node] + beta[node], 1e-300)))
        marks.append(_mark(packed, i, share, words if child or size <= 16 else "", size, child))
    tries = size // 2
    goal = floor(1000 * (0.5 + _best_gains(tree, 0, tries)[tries]) + 1e-6) / 1000
    full_area = tree.curve.auc()
    panels = [
        svg(
            "The ranking tree",
            f"A tree with {size} leaves. Every cell sends its better part to the left; the leaves "
            "from left to right are the ranking. "
            "Blue cells hold more of the positives, orange ones more of the negatives.",
            *edges,
            *marks,
            tag("circle", r=12, class_="chosen", transform=f"translate({left(0)} {top(0)})"),
            role="group",
            height=300,
        ),
        svg(
            "The ROC curve its leaves draw",
            "A ROC curve of straight pieces, one for each leaf. The chosen cell is a chord of the "
            "curve; its cut adds the shaded "
            "triangle above the chord.",
            high.axes("false positive rate", "true positive rate"),
            tag("path", class_="wash", d=high.path([(0, 0), nodes[0]["knot"], (1, 1)], "Z")),
            high.line([(0, 0), (1, 1)], "guide"),
            high.line(list(zip(tree.curve.fpr, tree.curve.tpr)), "curve"),
            tag("path", class_="chord wrong", d=high.path([(0, 0), (1, 1)])),
            height=334,
        ),
    ]
    controls = [
        slider("node", "Cell", 1, len(order), 1, 1, "1"),
        bar(
            button("cut", "Cut this cell", main=True),
            button("undo", "Take the cut back"),
            button("again", "Start again"),
        ),
    ]
    legend = tag(
        "div",
        f"Reach an area of {goal:.3f} with {tries} cut{'s' if tries > 1 else ''}. Click a cell, or "
        "choose it with the slider.",
        class_="ax-legend",
    )
    sentence = (
        f"All {size - 1} cuts reach an area of <b>{fixed(full_area, 3)}</b>, the best {tries} of "
        f"them <b>{goal:.3f}</b>."
    )
    data = {"frame": high.json(), "nodes": nodes, "tries": tries, "goal": goal}
    return Explorable(
        "tree", "Which cells are worth a cut?", panels, controls, sentence, data, above=legend
    )


def _edge(x1, y1, x2, y2, to):
    """Return the line from a node to its child."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="axis edge-to", data_node=to)


def _mark(node, i, share, words, size, inner):
    """Return the mark of a node: a disc, bluer for a larger share of positives, and its text."""
    at = {"anchor": "middle", "class_": "small halo" if inner else "halo"}
    return tag(
        "g",
        tag(
            "circle",
            r=8 if size <= 16 else 5,
            style=(
                f"fill:color-mix(in srgb,var(--{'blue' if share >= 50 else 'orange'}) "
                f"{abs(2 * share - 100)}%,var(--line));stroke:var(--grey);cursor:pointer"
            ),
            class_="node",
        ),
        label(0, -16 if inner else 22, words, **at),
        class_="cell",
        data_node=i,
        transform=f"translate({node['x']} {node['y']})",
    )


def _best_gains(tree, node, tries):
    """Return the largest gain of at most k splits in the branch of a node, for k = 0 .. tries."""
    child = int(tree.left[node])
    best = [0.0] * (tries + 1)
    if child and tries:
        first, second = (_best_gains(tree, c, tries - 1) for c in (child, child + 1))
        for k in range(1, tries + 1):
            rest = max(first[j] + second[k - 1 - j] for j in range(k))
            best[k] = float(tree.gains[node]) / 2 + rest
    return best


def layout(tree):
    """Return the layout of a tree: starts, nodes in reading order, their x and their depth.

    The start of a node is the point (alpha, beta) of the ROC curve where its segment begins.
    """
    x = np.zeros(tree.left.size)
    start = {}
    order = []
    stack = [0]
    x[tree.leaves] = np.arange(tree.leaves.size)
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
