"""Explorable of a forest: ROC curve and AUC by number of trees, on new data and out of bag."""

import numpy as np

from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    checkbox,
    colour_key,
    fixed,
    legend,
    slider,
    svg,
    tag,
)

ROWS = 100
NEW_ROWS = 400
TREES = 50
# The out-of-bag curve is pessimistic on the first sample, optimistic on the second, and about
# right on the third.
SEEDS = [2, 7, 6]


def forest_explorer():
    """Choose the number of trees of a ranking forest.

    The figure shows the ROC curve of the mean of 1 to 50 ranking trees on new rows and, on
    request, out of bag. Each of three samples has a hundred rows with two columns. A tree of depth
    3 is grown on a bootstrap resample; the score of a leaf is the share of negatives in lower
    leaves, with half of its own included.

    Returns
    -------
    Explorable
        The figure, with one tree.

    See Also
    --------
    aucbook.trees.TreeRankForest : The ranker.
    aucbook.lab.forest : The forest by number of trees, for data of your own.

    Examples
    --------
    >>> from aucbook.explore import forest_explorer
    >>> forest_explorer()
    <explorable: How many trees?>
    """
    from ... import roc_auc, roc_curve

    X, y = _people(np.random.default_rng(99), NEW_ROWS)
    samples, first_trees = zip(*(_sample(seed) for seed in SEEDS))
    tree = first_trees[0]
    scores = tree.scores("fpr")[tree.apply(X)]
    area = roc_auc(y, scores)
    left = Frame(46, 16, 298, 270)
    right = Frame(46, 16, 298, 270, x=(0, TREES), y=(0.6, 0.9))
    controls = [
        slider("trees", "Trees", 1, TREES, 1, 1, "1"),
        bar(
            checkbox("unseen", "out of bag: the rows that a tree was not grown on"),
            button("other", "A hundred other people"),
        ),
    ]
    key = legend(
        colour_key("blue", f"mean of the trees, {NEW_ROWS} new people"),
        colour_key("orange", "out of bag, the 100 people of the sample"),
        colour_key("grey", "first tree alone (dashed)"),
    )
    sentence = (
        f"<b>1 tree</b>: {len(set(scores))} different scores, area <b>{fixed(area, 3)}</b> for new "
        "people."
    )
    data = {
        "left": left.json(),
        "right": right.json(),
        "new": [X.tolist(), y.tolist()],
        "samples": samples,
    }
    panels = [_curve_panel(left, roc_curve(y, scores)), _areas_panel(right, area)]
    return Explorable("forest", "How many trees?", panels, controls, sentence, data, above=key)


def _curve_panel(frame, curve):
    """Draw the ROC curve of one tree, and the lines that the script fills."""
    points = list(zip(curve.fpr, curve.tpr))
    return svg(
        "The curve of the mean",
        f"The ROC curve of the mean score on {NEW_ROWS} new people. With one tree it has as "
        "many straight pieces as the tree has leaves; the dashed curve is the first tree "
        "alone.",
        frame.axes("false positive rate", "true positive rate"),
        frame.line(points, "guide alone"),
        tag("g", frame.line(points, "curve mean"), data_symbol="s"),
        frame.line([], "coin unseen hidden"),
    )


def _areas_panel(frame, area):
    """Draw the AUC of one tree by the number of trees."""
    return svg(
        "The area by the number of trees",
        "The area under the curve of the mean for each number of trees up to the one that the "
        "slider is at.",
        frame.axes("number of trees", "area", (1, 10, 20, 30, 40, 50), (0.6, 0.7, 0.8, 0.9)),
        frame.line([(1, area)], "curve areas"),
        frame.line([], "coin unseen-areas hidden"),
        tag(
            "g",
            frame.line([(1, 0.6), (1, 0.9)], "guide at"),
            frame.circle(1, area, 6, "here"),
            data_symbol="M",
        ),
    )


def _people(rng, n):
    """Return (X, y): n rows of two columns; every other row is positive and .9 higher."""
    y = np.arange(n) % 2
    return np.round(rng.normal(size=(n, 2)) + 0.9 * y[:, None], 2), y


def _sample(seed):
    """Return a sample with its trees, in the script's form, and the first tree."""
    from ... import TreeRank

    rng = np.random.default_rng(seed)
    X, y = _people(rng, ROWS)
    trees = []
    packed = []
    for _ in range(TREES):
        counts = np.bincount(rng.integers(0, ROWS, ROWS), minlength=ROWS)
        inside = counts > 0
        tree = TreeRank(max_depth=3).fit(X[inside], y[inside], sample_weight=counts[inside]).tree_
        twice_behind = np.nan_to_num(np.round(2 * tree.mass[0, 1] * tree.scores("fpr"))).astype(int)
        # the rows out of bag as a number in hexadecimal digits, one bit a row
        bits = "".join(map(str, np.where(inside, 0, 1)))
        out_of_bag = f"{int(bits, 2):0{ROWS // 4}x}"
        trees.append(tree)
        packed.append([int(2 * tree.mass[0, 1]), out_of_bag, _branch(tree, twice_behind, 0)])
    return {"X": X.tolist(), "y": y.tolist(), "trees": packed}, trees[0]


def _branch(tree, twice_behind, node):
    """Return the branch below a node, in the script's form.

    A leaf is twice the number of negatives in lower leaves, with half of its own. A split is
    [column, threshold, 1 if the upper side is better, better branch, other branch].
    """
    child = int(tree.left[node])
    if not child:
        return int(twice_behind[node])
    split = [int(tree.column[node]), round(float(tree.threshold[node]), 3), int(tree.above[node])]
    return [*split, _branch(tree, twice_behind, child), _branch(tree, twice_behind, child + 1)]
