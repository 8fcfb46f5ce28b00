"""Explorable of shattering: which labellings a sum of two step functions can realise."""

from itertools import product

from ..base import Explorable, Frame, bar, button, label, legend, mark, svg, tag

# The first is below all others, the last above all: few labellings are possible.
POINTS = [(1, 2), (2, 4), (4, 3), (5, 6)]
LABELS = [0, 0, 1, 1]
SIZE = 6  # scores are whole numbers from 1 to SIZE


def shatter_explorer(points=None, labels=None):
    """Find which labellings two non-decreasing functions can realise (Paper 2, section 5).

    The reader changes labels and moves points. The left panel shows the points and the region where
    the sum of the votes is positive, the right panel the two step functions; if there are none, the
    figure shows the pair of points that makes the labelling impossible.

    Parameters
    ----------
    points : sequence of (int, int), default None
        2 to 6 different pairs of integers from 1 to 6. None for four points.
    labels : sequence of 0 and 1, default None
        One label for each point. None for the labels of the default points.

    Returns
    -------
    Explorable
        The figure, with these points and labels.

    Raises
    ------
    ValueError
        For other points or labels.

    See Also
    --------
    aucbook.theory.shattering_set : Points of which every labelling can be realised.
    aucbook.PAVAdaBoostFinite : A ranker that sums non-decreasing functions.

    Examples
    --------
    >>> from aucbook.explore import shatter_explorer
    >>> shatter_explorer()
    <explorable: Can two staircases do it?>
    """
    points = [tuple(p) for p in (POINTS if points is None else points)]
    fine = all(len(p) == 2 and all(v in range(1, SIZE + 1) for v in p) for p in points)
    if not (fine and 2 <= len(points) <= 6 and len(set(points)) == len(points)):
        raise ValueError(
            f"points must be 2 to 6 different pairs of whole numbers from 1 to {SIZE}, got {points}"
        )
    labels = [int(v) for v in (LABELS if labels is None else labels)]
    if len(labels) != len(points) or set(labels) - {0, 1}:
        raise ValueError(
            f"labels must be 0 or 1, one for each of the {len(points)} points, got {labels}"
        )
    points = [tuple(int(v) for v in p) for p in points]
    plane = Frame(46, 16, 288, 288, x=(0.5, SIZE + 0.5), y=(0.5, SIZE + 0.5))
    votes = Frame(46, 16, 288, 288, x=(0.5, SIZE + 0.5), y=(-3.6, 3.6))
    values = range(1, SIZE + 1)
    pair = forbidding_pair(points, labels)
    first, second = staircases(points, labels)
    data = {
        "points": points,
        "labels": labels,
        "size": SIZE,
        "plane": plane.json(),
        "votes": votes.json(),
    }
    letters = "ABCDEF"
    described = ", ".join(
        f"{letters[i]} at {x}, {y} is {_word(labels[i])}" for i, (x, y) in enumerate(points)
    )
    left = svg(
        "The points and their labels",
        f"{described}. "
        + (
            "Shaded: where the two votes add up to more than zero."
            if pair is None
            else "Impossible."
        ),
        tag("path", d=region(plane, first) if pair is None else "", class_="wash region"),
        plane.axes("score 1", "score 2", xticks=values, yticks=values),
        tag("path", d=plane.path([points[i] for i in pair]) if pair else "", class_="cutline pair"),
        *(
            tag(
                "g",
                tag("circle", class_="ring", r=17),
                tag("g", mark("pos"), class_="pos-mark" if v else "pos-mark hidden"),
                tag("g", mark("neg"), class_="neg-mark hidden" if v else "neg-mark"),
                label(11, -9, letters[i], class_="strong halo"),
                class_="point",
                transform=f"translate({plane.x(x):.2f} {plane.y(y):.2f})",
            )
            for i, ((x, y), v) in enumerate(zip(points, labels))
        ),
        role="group",
        height=342,
    )
    right = svg(
        "The votes of the two staircases",
        "The vote for score 2 climbs one step at each whole number. The vote for score 1 climbs "
        "where the border of the shaded part falls.",
        votes.axes("score", "vote", xticks=values, yticks=range(-3, 4)),
        votes.line([(0.5, 0), (SIZE + 0.5, 0)], "guide"),
        tag(
            "g",
            tag(
                "path", d=votes.path(steps(second)), class_="level second", style="stroke-width:2.5"
            ),
            tag("path", d=votes.path(steps(first)), class_="curve first"),
            label(
                votes.x(SIZE), votes.y(second[-1]) - 7, "score 2", class_="halo", anchor="middle"
            ),
            label(
                votes.x(1),
                votes.y(first[0]) - 7,
                "score 1",
                class_="strong halo blue-ink first-name",
                anchor="middle",
            ),
            class_="stairs" if pair is None else "stairs hidden",
        ),
        label(
            190,
            150,
            "no two staircases",
            class_="strong big none" if pair else "strong big none hidden",
            anchor="middle",
        ),
        height=342,
    )
    controls = [bar(button("next", "Next labelling", main=True), button("reset", "Start again"))]
    above = legend(
        tag(
            "span", "Press a point to change its label; drag it, or use the arrow keys, to move it."
        ),
        pos="positive",
        neg="negative",
    )
    return Explorable(
        "shatter",
        "Can two staircases do it?",
        [left, right],
        controls,
        _sentence(points, labels, pair, letters),
        data,
        above=above,
    )


def forbidding_pair(points, labels):
    """Return the nearest pair (positive, negative) that makes the labelling impossible, or None.

    It is a pair of rows whose negative is at least as high as the positive in both scores.
    """
    pairs = [
        (abs(q[0] - p[0]) + abs(q[1] - p[1]), i, j)
        for i, p in enumerate(points)
        for j, q in enumerate(points)
        if labels[i] and not labels[j] and q[0] >= p[0] and q[1] >= p[1]
    ]
    return min(pairs)[1:] if pairs else None


def count_possible(points):
    """Return the number of labellings that two non-decreasing step functions can realise."""
    return sum(
        forbidding_pair(points, labels) is None for labels in product((0, 1), repeat=len(points))
    )


def staircases(points, labels):
    """Return votes for score 1 and for score 2 at 1 .. SIZE that realise the labelling.

    If the labelling is possible, their sum is at least 1/2 at positives and at most -1/2 at
    negatives.
    """
    low = [
        min([y for (x, y), v in zip(points, labels) if v and x <= at] or [SIZE + 1])
        for at in range(1, SIZE + 1)
    ]
    middle = (SIZE + 1) / 2
    return [middle + 0.5 - v for v in low], [y - middle for y in range(1, SIZE + 1)]


def steps(levels):
    """Return the corners of a step function with its steps between integers."""
    return [(x, v) for i, v in enumerate(levels, 1) for x in (i - 0.5, i + 0.5)]


def region(plane, first):
    """Return the path around the region where the sum of the votes is positive.

    There score 2 is at least (SIZE + 2) / 2 - first.
    """
    floor = [(SIZE + 1) / 2 - v for v in first]
    return plane.path([(0.5, SIZE + 0.5), *steps(floor), (SIZE + 0.5, SIZE + 0.5)], "Z")


def _word(v):
    """Return the name of a label."""
    return "positive" if v else "negative"


def _sentence(points, labels, pair, letters):
    """Return the sentence: whether the labelling is possible, and how many are."""
    count = (
        f"Of the {2 ** len(points)} labellings of these points <b>{count_possible(points)}</b> are "
        "possible."
    )
    if pair is None:
        return f"<b>Possible</b>: the votes add up to more than 0 at the positives only. {count}"
    i, j = (letters[k] for k in pair)
    return (
        f"<b>Impossible</b>: {j}, negative, is at least as high as {i}, positive, in both scores, "
        f"so rising curves give it at least as many votes. {count}"
    )
