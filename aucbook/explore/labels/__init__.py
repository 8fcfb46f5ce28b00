"""Explorable of label noise: a hundred people, one label in ten wrong."""

from ..base import Explorable, Frame, label, legend, mark, slider, svg, tag, task

# one label in ten is wrong, in either class
PEOPLE = 100
TENTHS = 1
START = 50
WIDE = 20  # marks in a row
BOXES = {"sick": 34, "healthy": 194}  # where the groups of the labels begin in the picture
TASK = (
    "Make only 10 of the hundred look sick: who are they? Then 26. How many are truly sick each "
    "time?"
)


def labels_explorer():
    """Show a file in which a tenth of the labels of either class are wrong.

    The left panel shows a hundred people by their label; discs are truly positive, squares truly
    negative, and a hollow mark has the wrong label. The right panel shows how many are labelled
    positive as a function of how many are: the line η + (1 − 2η) · share.

    Returns
    -------
    Explorable
        The figure, with half of the people positive.

    See Also
    --------
    noise_explorer : Which rows a ranker learns wrongly from such labels.
    aucbook.theory.make_flipped : Data with label noise.
    aucbook.lab.noise : Rankers under wrong labels, for data of your own.

    Examples
    --------
    >>> from aucbook.explore import labels_explorer
    >>> labels_explorer()
    <explorable: Who is sick in this file?>
    """
    frame = Frame(46, 16, 298, 270, x=(0, PEOPLE), y=(0, PEOPLE))
    data = {"people": PEOPLE, "tenths": TENTHS, "wide": WIDE, "boxes": BOXES, "frame": frame.json()}
    return Explorable(
        "labels",
        "Who is sick in this file?",
        [_file_panel(), _counts_panel(frame)],
        [slider("sick", "Truly sick", 0, PEOPLE, 10, START, str(START))],
        sentence(START, labelled_positive(START)),
        data,
        above=task(TASK)
        + legend("hollow: the label is wrong", pos="truly sick", neg="truly healthy"),
    )


def labelled_positive(sick):
    """Return how many are labelled positive when `sick` of the hundred are positive."""
    return ((10 - TENTHS) * sick + TENTHS * (PEOPLE - sick)) // 10


def _file_panel():
    """Draw the people of both classes in the groups of their labels."""
    marks = []
    for kind in ("pos", "neg"):
        for i in range(PEOPLE):
            group, place, is_wrong = seat(kind, i, START)
            attributes = {"class_": f"who {kind}-who" + (" hidden" if place is None else "")}
            if place is not None:
                x, y = spot(BOXES[group], place)
                attributes["transform"] = f"translate({x:.2f} {y:.2f})"
            marks.append(mark(kind, "out" if is_wrong else "", **attributes))
    n_sick = labelled_positive(START)
    return svg(
        "The file",
        f"{PEOPLE} people in two groups, marked sick and marked healthy. Discs are truly sick, "
        "squares truly healthy; hollow ones have the wrong label.",
        label(14, 20, f"marked sick: {n_sick}", class_="strong looks-sick"),
        label(14, 180, f"marked healthy: {PEOPLE - n_sick}", class_="strong looks-healthy"),
        *marks,
    )


def _counts_panel(frame):
    """Draw the number of positive labels by the number of positives."""
    grid = range(0, PEOPLE + 1, 20)
    ends = [(0, labelled_positive(0)), (PEOPLE, labelled_positive(PEOPLE))]
    return svg(
        "Marked sick by truly sick",
        f"A straight line from {ends[0][1]} marked sick when no one is to {ends[1][1]} "
        "when all are; the dashed diagonal is a file without errors.",
        frame.axes("truly sick", "marked sick", grid, grid),
        frame.line([(0, 0), (PEOPLE, PEOPLE)], "guide"),
        tag("g", frame.line(ends, "curve"), data_symbol="eta"),
        frame.circle(START, labelled_positive(START), 7, "here"),
    )


def seat(kind, i, sick):
    """Return the group of person i of a class, the position in it, and whether the label is wrong.

    `sick` is the number of positives among the hundred. Group and position are None for a person
    who is not in the file.
    """
    healthy = PEOPLE - sick
    count = sick if kind == "pos" else healthy
    if i >= count:
        return None, None, False
    wrong = count * TENTHS // 10
    right_group, wrong_group = ("sick", "healthy") if kind == "pos" else ("healthy", "sick")
    if i < count - wrong:
        return right_group, i, False
    # the members of the other class with the right label come first in that group
    n_other = (healthy if kind == "pos" else sick) * (10 - TENTHS) // 10
    return wrong_group, n_other + i - (count - wrong), True


def spot(top, place):
    """Return the centre of the mark at a position of a group in the picture."""
    return 22 + 16.4 * (place % WIDE), top + 10 + 17 * (place // WIDE)


def sentence(sick, labelled):
    """Return the sentence about true positives, positive labels and wrong labels."""
    wrong = (PEOPLE - sick) * TENTHS // 10
    return (
        f"Of {PEOPLE} people <b>{sick}</b> are sick, and <b>{labelled}</b> are marked sick: "
        f"{sick - sick * TENTHS // 10} of the sick, and {wrong} healthy ones by mistake."
    )
