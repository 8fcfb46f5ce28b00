"""Explorable of two tests added up: eight people, each a line from the first result to the second, read at the share of the second."""

import numpy as np

from ..base import Explorable, Frame, fixed, legend, mark, slider, svg, tag

SICK = [(9, 5), (9, 2), (2, 9), (5, 8)]
HEALTHY = [(6, 1), (3, 3), (1, 7), (4, 4)]
STEPS = 20  # of the slider, from the first test alone to the second alone


def crossing_explorer():
    """Slide how much the second of two tests counts: where each person's line is crossed stands the joint score.

    Left end the first test alone, right end the second; the sentence counts the pairs that are in
    the right order.
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
        *(
            mark(kind, transform=f"translate({plane.x(0):.2f} {plane.y(a):.2f})")
            for kind, a, _ in people
        ),
    )
    data = {
        "people": [both[1:] for both in people],
        "sick": len(SICK),
        "steps": STEPS,
        "frame": plane.json(),
    }
    controls = [slider("share", "test 2 counts", 0, STEPS, 1, 0, "0 %")]
    above = tag(
        "div",
        "Can one position of the line put all the sick above all the healthy?",
        style="margin:0 0 8px",
    )
    above += legend(pos="sick", neg="healthy")
    return Explorable(
        "crossing", "Two tests, one score", [panel], controls, sentence(0), data, above=above
    )


def won(k):
    """Pairs in the right order, a tie half, when the second test counts k of STEPS."""
    s, t = (np.array(of) @ (STEPS - k, k) for of in (SICK, HEALTHY))
    lead = s[:, None] - t
    return float((lead > 0).sum() + (lead == 0).sum() / 2)


def sentence(k):
    """What the mixed score is worth."""
    pairs = len(SICK) * len(HEALTHY)
    share = 100 * k // STEPS
    return (
        f"Test 1 counts {100 - share} %, test 2 <b>{share} %</b>: <b>{won(k):g}</b> of {pairs} "
        f"pairs are in order, an AUC of <b>{fixed(won(k) / pairs)}</b>."
    )
