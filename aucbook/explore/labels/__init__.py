"""Explorable of wrong labels: a hundred people, one label in ten wrong, and how many of them look sick."""

from ..base import Explorable, Frame, label, legend, mark, slider, svg, tag

# one label in ten is wrong, in either class
PEOPLE = 100
TENTHS = 1
START = 50
WIDE = 20  # marks in a row
TASK = (
    "Make only 10 of the hundred look sick: who are they? Then 26. How many are truly sick each "
    "time?"
)


def labels_explorer():
    """A hundred people of whom some are sick, and a file in which a tenth of either class has the wrong label.

    Left who is marked sick and who healthy: discs are truly sick, squares truly healthy, and a
    hollow mark has the wrong label. Right how many are marked sick, by how many are: the line η +
    (1 − 2η) · share.
    """
    frame = Frame(46, 16, 298, 270, x=(0, PEOPLE), y=(0, PEOPLE))

    def looks(s):
        return ((10 - TENTHS) * s + TENTHS * (PEOPLE - s)) // 10

    boxes = {"sick": 34, "healthy": 194}
    marks = []
    for kind in ("pos", "neg"):
        for i in range(PEOPLE):
            box, place, wrong = seat(kind, i, START)
            attributes = {"class_": f"who {kind}-who" + (" hidden" if place is None else "")}
            if place is not None:
                x, y = spot(boxes[box], place)
                attributes["transform"] = f"translate({x:.2f} {y:.2f})"
            marks.append(mark(kind, "out" if wrong else "", **attributes))
    panels = [
        svg(
            "The file",
            f"{PEOPLE} people in two groups, marked sick and marked healthy. Discs are truly sick, "
            "squares truly healthy; "
            "hollow ones have the wrong label.",
            label(14, 20, f"marked sick: {looks(START)}", class_="strong looks-sick"),
            label(
                14, 180, f"marked healthy: {PEOPLE - looks(START)}", class_="strong looks-healthy"
            ),
            *marks,
        ),
        svg(
            "Marked sick by truly sick",
            f"A straight line from {looks(0)} marked sick when nobody is to {looks(PEOPLE)} when "
            "all are; the dashed diagonal is a file without errors.",
            frame.axes(
                "truly sick", "marked sick", range(0, PEOPLE + 1, 20), range(0, PEOPLE + 1, 20)
            ),
            frame.line([(0, 0), (PEOPLE, PEOPLE)], "guide"),
            tag(
                "g",
                frame.line([(0, looks(0)), (PEOPLE, looks(PEOPLE))], "curve"),
                data_symbol="eta",
            ),
            tag(
                "circle",
                r=7,
                class_="here",
                transform=f"translate({frame.x(START):.2f} {frame.y(looks(START)):.2f})",
            ),
        ),
    ]
    return Explorable(
        "labels",
        "Who is sick in this file?",
        panels,
        [slider("sick", "Truly sick", 0, PEOPLE, 10, START, str(START))],
        sentence(START, looks(START)),
        {"people": PEOPLE, "tenths": TENTHS, "wide": WIDE, "boxes": boxes, "frame": frame.json()},
        above=tag("div", TASK, style="margin:0 0 8px")
        + legend("hollow: the label is wrong", pos="truly sick", neg="truly healthy"),
    )


def seat(kind, i, sick):
    """Where person i of a class is when `sick` of the hundred are: the group, the place in it, and whether the label is wrong."""
    healthy = PEOPLE - sick
    count = sick if kind == "pos" else healthy
    if i >= count:
        return None, None, False
    wrong = count * TENTHS // 10
    own, other = ("sick", "healthy") if kind == "pos" else ("healthy", "sick")
    if i < count - wrong:
        return own, i, False
    others = (
        (healthy if kind == "pos" else sick) * (10 - TENTHS) // 10
    )  # of the other class, with the right label
    return other, others + i - (count - wrong), True


def spot(top, place):
    """The middle of a mark in the picture."""
    return 22 + 16.4 * (place % WIDE), top + 10 + 17 * (place // WIDE)


def sentence(sick, looks):
    """How many people are sick, how many are marked so, and how many marks are wrong."""
    wrong = (PEOPLE - sick) * TENTHS // 10
    return (
        f"Of {PEOPLE} people <b>{sick}</b> are sick, and <b>{looks}</b> are marked sick: "
        f"{sick - sick * TENTHS // 10} of the sick, and {wrong} healthy ones by mistake."
    )
