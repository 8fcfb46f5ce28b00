"""Explorable of shattering: which labellings a sum of two step functions can realise."""

from itertools import product

from ..base import Explorable, Frame, bar, button, label, legend, mark, svg, tag, unit_steps

# The first is below all others, the last above all: few labellings are possible.
POINTS = [(1, 2), (2, 4), (4, 3), (5, 6)]
LABELS = [0, 0, 1, 1]
SIZE = 6  # scores are whole numbers from 1 to SIZE
LETTERS = "ABCDEF"  # names of the points


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
    points, labels = _checked(points, labels)
    plane = Frame(46, 16, 288, 288, x=(0.5, SIZE + 0.5), y=(0.5, SIZE + 0.5))
    votes = Frame(46, 16, 288, 288, x=(0.5, SIZE + 0.5), y=(-3.6, 3.6))
    pair = forbidding_pair(points, labels)
    data = {
        "points": points,
        "labels": labels,
        "size": SIZE,
        "plane": plane.json(),
        "votes": votes.json(),
    }
    controls = [bar(button("next", "Next labelling", main=True), button("reset", "Start again"))]
    how = tag(
        "span", "Press a point to change its label; drag it, or use the arrow keys, to move it."
    )
    return Explorable(
        "shatter",
        "Can two staircases do it?",
        [_points_panel(plane, points, labels, pair), _votes_panel(votes, points, labels, pair)],
        controls,
        _sentence(points, pair),
        data,
        above=legend(how, pos="positive", neg="negative"),
    )


def _checked(points, labels):
    """Return the points as pairs of int and their labels, checked."""
    points = [tuple(p) for p in (POINTS if points is None else points)]
    fine = all(len(p) == 2 and all(v in range(1, SIZE + 1) for v in p) for p in points)
    if not (fine and 2 <= len(points) <= 6 and len(set(points)) == len(points)):
        raise ValueError(
            f"points must be 2 to 6 different pairs of whole numbers from 1 to {SIZE}, got "
            f"{len(points)}: aucbook.PAVAdaBoostFinite fits any number of points"
        )
    labels = [int(v) for v in (LABELS if labels is None else labels)]
    if len(labels) != len(points) or set(labels) - {0, 1}:
        raise ValueError(
            f"labels must be 0 or 1, one for each of the {len(points)} points, got {labels}"
        )
    return [(int(x), int(y)) for x, y in points], labels


def _points_panel(plane, points, labels, pair):
    """Draw the points and the region of positive votes, or the pair that forbids the labelling."""
    described = ", ".join(
        f"{name} at {x}, {y} is {_word(v)}" for name, (x, y), v in zip(LETTERS, points, labels)
    )
    if pair is None:
        verdict = "Shaded: where the two votes add up to more than zero."
        shaded = region(plane, staircases(points, labels)[0])
        segment = ""
    else:
        verdict = "Impossible."
        shaded = ""
        segment = plane.path([points[i] for i in pair])
    values = range(1, SIZE + 1)
    return svg(
        "The points and their labels",
        f"{described}. {verdict}",
        tag("path", d=shaded, class_="wash region"),
        plane.axes("score 1", "score 2", xticks=values, yticks=values),
        tag("path", d=segment, class_="cutline pair"),
        *(
            tag(
                "g",
                tag("circle", class_="ring", r=17),
                tag("g", mark("pos"), class_="pos-mark" if v else "pos-mark hidden"),
                tag("g", mark("neg"), class_="neg-mark hidden" if v else "neg-mark"),
                label(11, -9, name, class_="strong halo"),
                class_="point",
                transform=plane.translate(*point),
            )
            for name, point, v in zip(LETTERS, points, labels)
        ),
        role="group",
        height=342,
    )


def _votes_panel(frame, points, labels, pair):
    """Draw the two step functions, hidden if they do not exist."""
    first, second = staircases(points, labels)
    hidden = " hidden" if pair else ""
    return svg(
        "The votes of the two staircases",
        "The vote for score 2 climbs one step at each whole number. The vote for score 1 climbs "
        "where the border of the shaded part falls.",
        frame.axes("score", "vote", xticks=range(1, SIZE + 1), yticks=range(-3, 4)),
        frame.line([(0.5, 0), (SIZE + 0.5, 0)], "guide"),
        tag(
            "g",
            frame.line(unit_steps(second), "level second", style="stroke-width:2.5"),
            frame.line(unit_steps(first), "curve first"),
            label(
                frame.x(SIZE), frame.y(second[-1]) - 7, "score 2", class_="halo", anchor="middle"
            ),
            label(
                frame.x(1),
                frame.y(first[0]) - 7,
                "score 1",
                class_="strong halo blue-ink first-name",
                anchor="middle",
            ),
            class_="stairs" + hidden,
        ),
        label(
            190,
            150,
            "no two staircases",
            class_="strong big none" + ("" if pair else " hidden"),
            anchor="middle",
        ),
        height=342,
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


def region(plane, first):
    """Return the path around the region where the sum of the votes is positive.

    There score 2 is at least (SIZE + 2) / 2 - first.
    """
    floor = [(SIZE + 1) / 2 - v for v in first]
    return plane.path([(0.5, SIZE + 0.5), *unit_steps(floor), (SIZE + 0.5, SIZE + 0.5)], "Z")


def _word(v):
    """Return the name of a label."""
    return "positive" if v else "negative"


def _sentence(points, pair):
    """Return the sentence: whether the labelling is possible, and how many are."""
    count = (
        f"Of the {2 ** len(points)} labellings of these points <b>{count_possible(points)}</b> are "
        "possible."
    )
    if pair is None:
        return f"<b>Possible</b>: the votes add up to more than 0 at the positives only. {count}"
    positive, negative = (LETTERS[k] for k in pair)
    return (
        f"<b>Impossible</b>: {negative}, negative, is at least as high as {positive}, positive, in "
        f"both scores, so rising curves give it at least as many votes. {count}"
    )
