"""Explorable of a weighted sum of two tests: eight people, each a line between its two results."""

import numpy as np

from ..base import Explorable, Frame, fixed, legend, mark, slider, svg, task

SICK = [(9, 5), (9, 2), (2, 9), (5, 8)]
HEALTHY = [(6, 1), (3, 3), (1, 7), (4, 4)]
STEPS = 20  # of the slider, from the first test alone to the second alone


def crossing_explorer():
    """Choose how much the second of two tests counts in a joint score.

    Each person is a line from the result of the first test (left) to that of the second (right);
    its height at the chosen weight is the joint score. The sentence counts the correctly ordered
    pairs.

    Returns
    -------
    Explorable
        The figure, at the first test alone.

    See Also
    --------
    turn_explorer : A linear score of two tests, by its direction.
    aucbook.roc_auc : The measure.
    aucbook.lab.difference : Two curves over any range, for scores of your own.

    Examples
    --------
    >>> from aucbook.explore import crossing_explorer
    >>> crossing_explorer()
    <explorable: Two tests, one score>
    """
    plane = Frame(46, 16, 298, 270, x=(-0.06, 1.06), y=(0, 10))
    people = [("pos", *both) for both in SICK] + [("neg", *both) for both in HEALTHY]
    panel = svg(
        "Eight people, two tests, one score",
        "A line for each of four sick and four healthy people, from the result of test 1 to that "
        "of test 2. Two of the sick fall, two rise; a vertical line crosses them all, and marks "
        "stand where it does.",
        plane.axes("how much test 2 counts", "result", yticks=range(0, 11, 2)),
        *(plane.line([(0, a), (1, b)], kind) for kind, a, b in people),
        plane.line([(0, 0), (0, 10)], "cutline"),
        *(mark(kind, transform=plane.translate(0, a)) for kind, a, _ in people),
    )
    data = {
        "people": [both[1:] for both in people],
        "sick": len(SICK),
        "steps": STEPS,
        "frame": plane.json(),
    }
    controls = [slider("share", "test 2 counts", 0, STEPS, 1, 0, "0 %")]
    above = task("Can one position of the line put all the sick above all the healthy?")
    above += legend(pos="sick", neg="healthy")
    return Explorable(
        "crossing", "Two tests, one score", [panel], controls, sentence(0), data, above=above
    )


def pairs_in_order(k):
    """Return the number of correctly ordered pairs, a tie counting half.

    The second test has weight k / STEPS.
    """
    weights = STEPS - k, k
    lead = (np.array(SICK) @ weights)[:, None] - np.array(HEALTHY) @ weights
    return float((lead > 0).sum() + (lead == 0).sum() / 2)


def sentence(k):
    """Return the sentence about the joint score at weight k / STEPS: pairs in order and AUC."""
    pairs = len(SICK) * len(HEALTHY)
    share = 100 * k // STEPS
    return (
        f"Test 1 counts {100 - share} %, test 2 <b>{share} %</b>: <b>{pairs_in_order(k):g}</b> of "
        f"{pairs} pairs are in order, an AUC of <b>{fixed(pairs_in_order(k) / pairs)}</b>."
    )
