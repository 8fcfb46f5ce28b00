"""Explorable of a forest: ROC curve and AUC by number of trees, on new data and out of bag."""

import numpy as np

from ..base import Explorable, Frame, bar, button, colour_key, fixed, slider, svg, tag

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

    Examples
    --------
    >>> from aucbook.explore import forest_explorer
    >>> forest_explorer()
    <explorable: How many trees?>
    """
    new, positive = _people(np.random.default_rng(99), NEW_ROWS)
    samples, first = [], None
    for seed in SEEDS:
        sample, tree = _sample(seed)
        first = first or tree
        samples.append(sample)
    from ... import roc_auc, roc_curve

    scores = first.scores("fpr")[first.apply(new)]
    curve = roc_curve(positive, scores)
    area = roc_auc(positive, scores)
    size = len(set(scores))
    left = Frame(46, 16, 298, 270)
    right = Frame(46, 16, 298, 270, x=(0, TREES), y=(0.6, 0.9))
    panels = [
        svg(
            "The curve of the mean",
            f"The ROC curve of the mean vote on {NEW_ROWS} new people. With one tree it has as "
            "many straight pieces as the tree has leaves; the dashed curve is the first tree "
            "alone.",
            left.axes("false positive rate", "true positive rate"),
            left.line(list(zip(curve.fpr, curve.tpr)), "guide alone"),
            tag("g", left.line(list(zip(curve.fpr, curve.tpr)), "curve mean"), data_symbol="s"),
            left.line([], "coin unseen hidden"),
        ),
        svg(
            "The area by the number of trees",
            "The area under the curve of the mean for each number of trees up to the one that the "
            "slider is at.",
            right.axes("number of trees", "area", (1, 10, 20, 30, 40, 50), (0.6, 0.7, 0.8, 0.9)),
            right.line([(1, area)], "curve areas"),
            right.line([], "coin unseen-areas hidden"),
            tag(
                "g",
                right.line([(1, 0.6), (1, 0.9)], "guide at"),
                tag(
                    "circle",
                    r=6,
                    class_="here",
                    transform=f"translate({right.x(1):.2f} {right.y(area):.2f})",
                ),
                data_symbol="M",
            ),
        ),
    ]
    controls = [
        slider("trees", "Trees", 1, TREES, 1, 1, "1"),
        bar(
            tag(
                "label",
                '<input type="checkbox" name="unseen">',
                tag("span", "out of bag: the rows that a tree has not seen"),
                class_="ax-check",
            ),
            button("other", "A hundred other people"),
        ),
    ]

    legend = tag(
        "div",
        colour_key("blue", f"mean of the trees, {NEW_ROWS} new people"),
        colour_key("orange", "out of bag, the 100 people of the sample"),
        colour_key("grey", "first tree alone (dashed)"),
        class_="ax-legend",
    )
    sentence = (
        f"<b>1 tree</b>: {size} different scores, area <b>{fixed(area, 3)}</b> for new people."
    )
    data = {
        "left": left.json(),
        "right": right.json(),
        "new": [new.tolist(), positive.tolist()],
        "samples": samples,
    }
    return Explorable("forest", "How many trees?", panels, controls, sentence, data, above=legend)


def _people(rng, n):
    """Return (X, y): n rows of two columns; every other row is positive and .9 higher."""
    y = np.arange(n) % 2
    return np.round(rng.normal(size=(n, 2)) + 0.9 * y[:, None], 2), y


def _sample(seed):
    """Return a sample with its trees, in the script's form, and the first tree."""
    from ... import TreeRank

    rng = np.random.default_rng(seed)
    X, y = _people(rng, ROWS)
    grown = []
    for _ in range(TREES):
        counts = np.bincount(rng.integers(0, ROWS, ROWS), minlength=ROWS)
        inside = counts > 0
        tree = TreeRank(max_depth=3).fit(X[inside], y[inside], sample_weight=counts[inside]).tree_
        twice_behind = np.nan_to_num(np.round(2 * tree.mass[0, 1] * tree.scores("fpr"))).astype(int)
        out_of_bag = f"{int(''.join(map(str, np.where(inside, 0, 1))), 2):0{ROWS // 4}x}"
        grown.append((tree, [int(2 * tree.mass[0, 1]), out_of_bag, _branch(tree, twice_behind, 0)]))
    return {"X": X.tolist(), "y": y.tolist(), "trees": [packed for _, packed in grown]}, grown[0][0]


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
