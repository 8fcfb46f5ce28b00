"""Explorables of a convex surrogate loss: its cutting planes, and a minimum at weight zero."""

import numpy as np

from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    colour_key,
    fixed,
    label,
    legend,
    mark,
    slider,
    svg,
    tag,
    task,
)
from ..turn import AFFORDABLE, SICK, TEST_A, TEST_B

# where w starts, and its largest value
START = 1.0
HIGHEST = 1.5
TASK = (
    "The score is test B plus w times test A. Steps: the loss, the share of wrong pairs. Thin "
    "curve: the surrogate. The method does not know "
    "the curve; asked at one w, it learns one straight line that touches it from below. Drop "
    "planes until the two dashed lines, the smallest value found and the lower bound, differ by "
    "less than 0.01."
)
MAX_PLANES = 24
OVERLAP_TASK = (
    "Everybody's score is w times test B. Move the sick down. From where on is the surrogate "
    "lowest at w = 0, where all scores are equal?"
)
SHIFTS = (-1.0, 1.0)


def cutting_plane(base, test, w):
    """Return height and slope of the cutting plane of the most violated ordering at w.

    The surrogate loss at w is height + slope * w, and at no other v is it below height + slope * v.
    """
    scores = base + w * test
    positives = scores[:SICK]
    negatives = np.sort(scores[SICK:])[::-1]
    places = np.argsort(-scores[SICK:], kind="stable") + SICK
    # of a pair with each negative: 1 in the range, and 0 elsewhere
    losses = (np.arange(negatives.size) < AFFORDABLE).astype(float)
    violated = positives[:, None] - negatives < losses
    pairs = SICK * AFFORDABLE
    height = (violated * (losses - (base[:SICK, None] - base[places]))).sum() / pairs
    slope = -(violated * (test[:SICK, None] - test[places])).sum() / pairs
    return height, slope


def surrogate_loss(base, test, w):
    """Return the surrogate loss at w, the height of its own cutting plane there.

    The sums avoid BLAS, whose last bits depend on the processor: the picture would, too.
    """
    height, slope = cutting_plane(base, test, w)
    return float(height + slope * w)


def _loss(scores):
    """Return 1 minus the partial AUC on the highest negatives, a tie counting half."""
    highest = np.sort(scores[SICK:])[::-1][:AFFORDABLE]
    lead = scores[:SICK, None] - highest
    return (lead < -1e-9).mean() + (abs(lead) <= 1e-9).mean() / 2


def bowl_explorer():
    """Minimise a convex surrogate loss of one weight by cutting planes.

    The score is test B + w * test A of forty people. The surrogate loss at w is that of the most
    violated ordering over the pairs with the three negatives of highest score. Each cutting plane
    is a lower bound; the figure shows the lower bound, the best value so far, and the gap between
    them.

    Returns
    -------
    Explorable
        The figure, before the first plane.

    See Also
    --------
    overlap_explorer : A surrogate loss with its minimum at weight zero.
    aucbook.PartialAUCSVM : The ranker.

    Examples
    --------
    >>> from aucbook.explore import bowl_explorer
    >>> bowl_explorer()
    <explorable: The bowl>
    """
    base = np.array(TEST_B)
    test = np.array(TEST_A)
    frame = Frame(46, 16, 340, 270, x=(0, HIGHEST), y=(-1, 3))
    data = {
        "a": TEST_A,
        "b": TEST_B,
        "sick": SICK,
        "k": AFFORDABLE,
        "start": START,
        "frame": frame.json(),
    }
    controls = [
        bar(button("drop", "Drop a plane", main=True), button("again", "Start again")),
        slider("w", "w, where to ask", 0, HIGHEST, 0.01, START, fixed(START)),
    ]
    sentence = f"Nothing is known yet. Ask at w = <b>{fixed(START)}</b>: drop a plane."
    key = legend(
        colour_key("orange", "planes"), colour_key("blue", "the highest of them: what is known")
    )
    return Explorable(
        "bowl",
        "The bowl",
        [_bowl_panel(frame, base, test)],
        controls,
        sentence,
        data,
        above=task(TASK) + key,
        uses=["planes.js"],
    )


def _bowl_panel(frame, base, test):
    """Draw the loss and its surrogate by the weight, and marks for the planes to come."""
    grid = np.linspace(0, HIGHEST, 301)
    surrogate = [surrogate_loss(base, test, w) for w in grid]
    loss = _loss_steps(base, test, grid)
    return svg(
        "The surrogate of one weight, and planes below it",
        "A thin convex curve, the surrogate, over w from 0 to 1.5; below it a staircase, the loss. "
        "Each plane dropped is a straight line that touches the curve from below at one dot.",
        frame.axes(
            "w, the weight of test A",
            "surrogate",
            xticks=(0, 0.5, 1, 1.5),
            yticks=(-1, 0, 1, 2, 3),
            xgrid=[],
            ygrid=[0],
        ),
        frame.line(loss, "stem"),
        label(frame.x(1.47), frame.y(loss[-1][1]) + 16, "loss", class_="small halo", anchor="end"),
        frame.line([(w, height) for w, height in zip(grid, surrogate) if height <= 3], "level"),
        label(
            frame.x(1.47),
            frame.y(surrogate[-1]) - 12,
            "surrogate",
            class_="small halo",
            anchor="end",
        ),
        tag("path", class_="planes coin thin", d="", data_symbol="g"),
        tag("path", class_="known curve", d="", data_symbol="p"),
        tag("path", class_="ceiling guide", d=""),
        tag("path", class_="floor guide", d=""),
        label(frame.x(0.02), 0, "smallest value found", class_="ceiling-name small halo hidden"),
        label(frame.x(0.02), 0, "lower bound", class_="floor-name small halo hidden"),
        tag("path", class_="now cutline", d=frame.path([(START, -1), (START, 3)]), data_symbol="w"),
        *(
            tag("circle", r=5, class_="touch dot hidden", data_symbol="w")
            for _ in range(MAX_PLANES)
        ),
        tag("circle", r=5, class_="height here hidden", data_symbol="h"),
        height=334,
        width=400,
    )


def _loss_steps(base, test, grid):
    """Return the corners of the loss, a step function of the weight."""
    first = _loss(base + grid[0] * test)
    corners = [(grid[0], first)]
    for w in grid[1:]:
        value = _loss(base + w * test)
        if value != corners[-1][1]:
            corners += [(w, corners[-1][1]), (w, value)]
    return [*corners, (HIGHEST, corners[-1][1])]


def overlap_explorer(shift=1.0):
    """Show when a convex surrogate loss has its minimum at weight zero.

    The score is w times one test of ten positive and thirty negative people. The reader moves the
    positives up or down; where the classes overlap too much, the minimum is at w = 0, which ranks
    nothing.

    Parameters
    ----------
    shift : float, default 1.0
        How much higher the positives lie at first, from -1 to 1.

    Returns
    -------
    Explorable
        The figure, at this shift.

    Raises
    ------
    ValueError
        If shift is not a number from -1 to 1.

    See Also
    --------
    bowl_explorer : Minimisation by cutting planes.

    Examples
    --------
    >>> from aucbook.explore import overlap_explorer
    >>> overlap_explorer()
    <explorable: When the bowl stands on zero>
    """
    if not (np.ndim(shift) == 0 and SHIFTS[0] <= shift <= SHIFTS[1]):
        raise ValueError(f"shift must lie between {SHIFTS[0]:g} and {SHIFTS[1]:g}, got {shift!r}")
    base = np.zeros(len(TEST_B))
    test = np.array(TEST_B)
    test[:SICK] += shift
    frame = Frame(46, 86, 340, 220, x=(-0.5, 1.5), y=(0, 3))
    line = Frame(46, 14, 340, 44, x=(2, 10), y=(0, 2))
    grid = np.arange(-100, 301) / 200
    surrogate = [surrogate_loss(base, test, w) for w in grid]
    at = int(np.argmin(surrogate))
    minimum = (grid[at], surrogate[at])
    panel = svg(
        "One test, and the surrogate of its weight",
        "Above, the sick and the healthy on one axis. Below, the surrogate as a curve over w from "
        "-0.5 to 1.5, and a dot at its lowest point.",
        *_people(line, test),
        frame.axes("w", "surrogate", xticks=(-0.5, 0, 0.5, 1, 1.5), yticks=(0, 1, 2, 3), ygrid=[]),
        frame.line(
            [(w, height) for w, height in zip(grid, surrogate) if height <= 3], "curve bowl"
        ),
        frame.circle(*minimum, 7, "here lowest", data_symbol="w"),
        height=352,
        width=400,
    )
    controls = [
        slider(
            "shift", "The sick stand higher by", SHIFTS[0], SHIFTS[1], 0.1, shift, fixed(shift, 1)
        )
    ]
    data = {"b": TEST_B, "sick": SICK, "k": AFFORDABLE, "frame": frame.json(), "line": line.json()}
    key = legend(pos="sick", neg="healthy (filled: the three with the highest scores)")
    return Explorable(
        "overlap",
        "When the bowl stands on zero",
        [panel],
        controls,
        _lowest(*minimum),
        data,
        above=task(OVERLAP_TASK) + key,
        uses=["planes.js"],
    )


def _people(line, test):
    """Return the marks of all people on the axis; the highest negatives are filled."""
    highest = set(np.argsort(-test[SICK:], kind="stable")[:AFFORDABLE] + SICK)
    return [
        mark(
            "pos" if i < SICK else "neg",
            "" if i < SICK or i in highest else "out",
            transform=f"{line.translate(v, 1.4 if i < SICK else 0.4)} scale(.7)",
        )
        for i, v in enumerate(test)
    ]


def _lowest(w, surrogate):
    """Return the sentence about the minimum."""
    where = f"The surrogate is lowest at w = <b>{fixed(w)}</b>: {fixed(surrogate)}. "
    is_zero = abs(w) < 1e-9
    return where + ("Everybody gets the same score." if is_zero else "People are ranked by test B.")
