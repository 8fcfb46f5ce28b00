"""Explorable of cost-complexity pruning: the AUC gain of each split, and a cost per leaf."""

import numpy as np

from ..._validation.checks import reject_former_calls
from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    fixed,
    label,
    legend,
    slider,
    svg,
    tag,
    task,
    ticks,
)
from ..tree import default_model, edge, layout, root_mark, unshaken_tree

STEP = 0.001  # of the slider of the complexity parameter
TASK = (
    "Make the penalised area as large as you can: the area minus the cost of the leaves. Click a "
    "split, or choose it with the slider."
)


@reject_former_calls(price="ccp_alpha=")
def pruning_explorer(model=None, ccp_alpha=0.01):
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
    ccp_alpha : float, default 0.01
        Complexity parameter at first: the cost of a leaf, from 0 to 1.

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
    aucbook.lab.tree : A tree of any size, pruned by its complexity parameter.
    tree_explorer : Grow the tree by hand.

    Examples
    --------
    >>> from aucbook.explore import pruning_explorer
    >>> pruning_explorer()
    <explorable: Which splits gain more than a leaf costs?>
    """
    from ...trees import pruning_path

    if model is None:
        model = default_model()
    if not 0 <= ccp_alpha <= 1:
        raise ValueError(f"ccp_alpha must be between 0 and 1, got {ccp_alpha}")
    tree = unshaken_tree(model, 16)
    size = tree.leaves.size
    nodes = _nodes(tree)
    n_cuts = size - 1
    highest = (
        float(max(tree.gains.max() / 2, pruning_path(model).ccp_alphas.max(), ccp_alpha)) * 1.15
    )
    frame = Frame(46, 16, 298, 250, x=(0, n_cuts), y=(0, highest))
    panels = [_tree_panel(nodes, size), _gains_panel(frame, tree, nodes, ccp_alpha)]
    highest_cost = round(np.ceil(highest / STEP) * STEP, 3)
    controls = [
        slider("price", "Cost of a leaf", 0, highest_cost, STEP, ccp_alpha, fixed(ccp_alpha, 3)),
        slider("cut", "Split", 1, n_cuts, 1, 1, "a"),
        bar(
            button("fold", "Prune its branch", main=True),
            button("unfold", "Grow it back"),
            button("again", "Start again"),
        ),
    ]
    area = tree.curve.auc()
    sentence = (
        f"<b>{size} leaves, area {fixed(area, 3)}</b>: penalised area "
        f"{fixed(area - size * ccp_alpha, 3)} at {fixed(ccp_alpha, 3)} a leaf."
    )
    data = {"nodes": nodes, "frame": frame.json()}
    key = legend(
        tag("span", "under a leaf: its sick, then its healthy"), pos="gain of a split that stays"
    )
    return Explorable(
        "pruning",
        "Which splits gain more than a leaf costs?",
        panels,
        controls,
        sentence,
        data,
        above=task(TASK) + key,
    )


def _nodes(tree):
    """Return the nodes in reading order, in the script's form; the splits have letters."""
    _, order, places = layout(tree, 216)
    index = {node: i for i, node in enumerate(order)}
    letters = iter("abcdefghijklmno")
    nodes = []
    for node in order:
        child = int(tree.left[node])
        x, y = places[node]
        nodes.append(
            {
                "kids": [index[child], index[child + 1]] if child else [],
                "letter": next(letters) if child else "",
                "gain": round(float(tree.gains[node]) / 2, 6) if child else 0,
                "rows": [f"{v:g}" for v in tree.mass[node]],
                "x": x,
                "y": y,
            }
        )
    return nodes


def _tree_panel(nodes, size):
    """Draw the tree."""
    edges = [edge(node, nodes[kid], kid) for node in nodes for kid in node["kids"]]
    return svg(
        "The tree as it was grown",
        f"A tree with {size} leaves and {size - 1} splits, lettered branch by branch. Under a "
        "leaf stand its "
        "sick and its healthy.",
        *edges,
        *(_mark(node, i, size) for i, node in enumerate(nodes)),
        root_mark(nodes[0]),
        role="group",
        height=300,
    )


def _gains_panel(frame, tree, nodes, ccp_alpha):
    """Draw the AUC gain of each split, and the complexity parameter as a line."""
    _, order, _ = layout(tree, 216)
    # (index of the node, its letter, its gain) of each split
    cuts = [
        (i, packed["letter"], float(tree.gains[node] / 2))
        for i, (node, packed) in enumerate(zip(order, nodes))
        if packed["kids"]
    ]
    bars = [
        tag(
            "rect",
            x=frame.x(k + 0.18),
            y=frame.y(gain),
            width=frame.x(0.64) - frame.x(0),
            height=frame.y(0) - frame.y(gain),
            class_="pos mark gain",
            data_cut=i,
            data_symbol="g",
        )
        for k, (i, _, gain) in enumerate(cuts)
    ]
    right = frame.x(len(cuts))
    line = tag(
        "g",
        tag("path", d=f"M{frame.x(0):.2f} 0H{right:.2f}", class_="cutline", data_symbol="lambda"),
        label(right, -5, "cost", class_="strong halo", anchor="end"),
        class_="price",
        transform=f"translate(0 {frame.y(ccp_alpha):.2f})",
    )
    return svg(
        "The gain of each split",
        "A bar for each split, as high as its gain of AUC; a line at the cost of a leaf.",
        # about four round values from 0 up
        frame.axes("split", "gain of AUC", xticks=[], yticks=ticks(0, frame.ylim[1], 4)),
        *bars,
        *(
            label(frame.x(k + 0.5), 282, letter, anchor="middle")
            for k, (_, letter, _) in enumerate(cuts)
        ),
        line,
        height=318,
    )


def _mark(node, i, size):
    """Return the mark of a node: a split with its letter above, or a leaf with its counts below."""
    n_positives, n_negatives = node["rows"]
    counts = ""
    if size <= 10:
        counts += label(0, 22, n_positives, class_="small blue-ink rows", anchor="middle")
        counts += label(0, 35, n_negatives, class_="small orange-ink rows", anchor="middle")
    is_split = bool(node["kids"])
    return tag(
        "g",
        tag(
            "circle",
            r=7 if is_split else 5,
            class_="node",
            style="fill:var(--paper);stroke:var(--ink);stroke-width:1.5",
        ),
        label(0, -15, node["letter"], class_="strong halo", anchor="middle"),
        tag("g", counts, class_="counts hidden" if is_split else "counts"),
        class_="cell",
        data_node=i,
        style="cursor:pointer" if is_split else None,
        transform=f"translate({node['x']} {node['y']})",
    )
