"""Explorable of pool adjacent violators: pool by hand, beside the running sums."""

import numpy as np

from ..base import Explorable, Frame, bar, button, fixed, label, legend, numbers, svg, tag, ticks

# Paper 2, section 2: the six values of the worked example.
EXAMPLE = [1 / 4, 1 / 3, 1 / 5, 1 / 4, 1, 1 / 2]
MAX_POINTS = 20  # that can be pooled by hand
MANY = 12  # above it, marks are smaller and every other place has a number

STYLE = """
.ax svg .gap{cursor:pointer}
.ax svg .gap .chip{fill:var(--paper);stroke:var(--grey);stroke-width:1.5}
.ax svg .gap text{fill:var(--ink);font-weight:650}
.ax svg .gap.bad .chip{stroke:var(--orange);stroke-width:3}
.ax svg .gap.on .chip{fill:var(--blue);stroke:var(--blue)}
.ax svg .gap.on text{fill:var(--paper)}
.ax svg .blocks,.ax svg .means,.ax svg .stems{pointer-events:none}
"""


def pav_explorer(y=None, weight=None):
    """Pool adjacent violators by hand: pool or split blocks until the fit is right.

    The fit must not decrease, and no block may be larger than necessary. The left panel shows the
    points and the blocks; the right panel shows the running sums and below them a chain with one
    straight segment for each block, the convex minorant when the fit is right. At first every point
    is its own block.

    Parameters
    ----------
    y : array-like of shape (n,), default None
        At least 2 finite values in order. None for the six values of Paper 2, section 2.
    weight : array-like of shape (n,), default None
        Positive weights. None for all 1.

    Returns
    -------
    Explorable
        The figure, with nothing pooled. Of more than 20 values it shows 20 groups of neighbours,
        each a point with their mean and their share of the weight: its fit is that of these points,
        and its sums are those of all values at the ends of the groups.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, a single value, and weights that are not positive.

    See Also
    --------
    aucbook.pav : Isotonic regression of any number of values.
    aucbook.lab.calibration : The blocks of PAV for probabilities of your own.
    violator_explorer : The two-block case.

    Examples
    --------
    >>> from aucbook.explore import pav_explorer
    >>> pav_explorer()
    <explorable: Pool for yourself>
    """
    y, weight = _checked(y, weight)
    n_values = y.size
    if n_values > MAX_POINTS:
        y, weight = _groups_of_neighbours(y, weight)
    n = y.size
    low = min(0.0, float(y.min()))
    high = max(1.0, float(y.max()))
    left = Frame(
        46, 16, 298, 264, x=(0.4, n + 0.6), y=(low - 0.04 * (high - low), high + 0.1 * (high - low))
    )
    w = np.r_[0, np.cumsum(weight)]
    sums = np.r_[0, np.cumsum(weight * y)]
    right = Frame(60, 16, 284, 264, x=(0, w[-1]), y=_limits(sums))
    wrong = np.r_[y[:-1] >= y[1:] - 1e-12]
    data = {
        "y": y.tolist(),
        "w": weight.tolist(),
        "low": low,
        "high": high,
        "left": left.json(),
        "box": right.box,
    }
    is_grouped = n_values > n
    if is_grouped:
        xlabel = "share of the weight so far"
    else:
        xlabel = "weight so far" if np.ptp(weight) else "points so far"
    panels = [
        _points_panel(left, y, weight, wrong, ticks(low, high)),
        _sums_panel(right, w, sums, wrong, xlabel),
    ]
    controls = [
        bar(
            button("step", "Show a step"),
            button("finish", "To the end"),
            button("reset", "Start again"),
        )
    ]
    grouped = f"Each point is the mean of about {n_values / n:.0f} neighbours of {n_values}. "
    how = legend(
        (grouped if is_grouped else "")
        + "Click between two bars: pool, or split. You may also drag a point, or press the arrow "
        "keys on it."
    )
    return Explorable(
        "pav",
        "Pool for yourself",
        panels,
        controls,
        _sentence(int(wrong.sum())),
        data,
        above=tag("style", STYLE.strip()) + how,
    )


def _checked(y, weight):
    """Return the values and their weights, checked."""
    y = numbers(EXAMPLE if y is None else y, "y")
    n = y.size
    weight = np.ones(n) if weight is None else numbers(weight, "weight", n)
    if n < 2:
        raise ValueError(f"y has {n} value: at least 2 are needed")
    if weight.min() <= 0:
        raise ValueError("weight must be positive")
    return y, weight


def _groups_of_neighbours(y, weight):
    """Return the means of MAX_POINTS groups of neighbours, and their shares of the weight."""
    starts = np.arange(MAX_POINTS) * y.size // MAX_POINTS
    weights = np.add.reduceat(weight, starts)
    return np.add.reduceat(weight * y, starts) / weights, weights / weights.sum()


def _state(wrong, i):
    """Return the class of a block that violates the order with a neighbour."""
    # the pair before it, and the pair after it
    return " wrong" if wrong[max(i - 1, 0) : i + 1].any() else ""


def _points_panel(frame, y, weight, wrong, yticks):
    """Draw the points, a block for each, and a button between neighbours."""
    n = y.size
    return svg(
        "Points in order, a bar for each pool",
        f"{n} points with values {', '.join(map(fixed, y))}, each with a bar of its own. "
        "Neighbouring bars in the wrong order are orange. "
        "Between two bars is a button that pools them, or splits them again.",
        frame.axes(
            "place in the order",
            "value",
            xticks=range(1, n + 1, 1 if n <= MANY else 2),
            yticks=yticks,
            xgrid=[],
        ),
        tag("g", class_="stems"),
        _gaps(frame, wrong),
        tag(
            "g",
            *(
                frame.line([(i + 0.62, v), (i + 1.38, v)], "block" + _state(wrong, i))
                for i, v in enumerate(y)
            ),
            class_="blocks",
        ),
        _points(frame, y, weight),
        tag("g", class_="means"),
        role="group",
        height=328,
    )


def _gaps(frame, wrong):
    """Return the buttons between neighbours."""
    width = frame.x(2) - frame.x(1)
    return "".join(
        tag(
            "g",
            tag("rect", x=-width / 2, y=-264.0, width=width, height=264, fill="transparent"),
            tag("circle", class_="ring", r=min(14, width / 2)),
            tag("circle", class_="chip", r=min(10, width / 2.4)),
            label(0, 4, "+", anchor="middle"),
            class_="gap bad" if is_wrong else "gap",
            transform=f"translate({frame.x(i + 1.5):.2f} 280)",
        )
        for i, is_wrong in enumerate(wrong)
    )


def _points(frame, y, weight):
    """Return the marks of the points; the area of a mark is its weight."""
    size = 6 if y.size <= MANY else 4
    radius = np.clip(size * np.sqrt(weight / weight.mean()), 3.5, 11)
    return "".join(
        tag(
            "g",
            tag("circle", class_="ring", r=16),
            tag("circle", class_="dot", r=float(r)),
            class_="point",
            transform=frame.translate(i, v),
        )
        for i, (v, r) in enumerate(zip(y, radius), 1)
    )


def _sums_panel(frame, w, sums, wrong, xlabel):
    """Draw the running sums, and a chord for each block."""
    corners = list(zip(w, sums))
    return svg(
        "The sum of the values so far",
        "The running sum against the running weight, and a string with one straight piece for "
        "each pool, as steep as the pool's bar is high. "
        "Where two bars are in the wrong order it bends down.",
        frame.axes(xlabel, "sum so far", ticks(0, w[-1]), [], [], []),
        label(70, 32, "as steep as the bar is high", class_="halo"),
        frame.line(corners, "sums"),
        tag(
            "g",
            *(
                frame.line(corners[i : i + 2], "chord" + _state(wrong, i))
                for i in range(len(corners) - 1)
            ),
            class_="chords",
        ),
        *(frame.circle(a, b, 4, "sum") for a, b in corners),
        height=328,
    )


def _sentence(n_wrong):
    """Return the sentence about the violating pairs."""
    if not n_wrong:
        return "Solved: nothing falls, and nothing needs pooling."
    return (
        f"<b>{n_wrong}</b> {'pair' if n_wrong == 1 else 'pairs'} of neighbouring bars in the wrong "
        "order. Squared error <b>0.0000</b>."
    )


def _limits(values):
    """Return the limits of an axis: the range of the values and a margin."""
    low = float(np.min(values))
    high = float(np.max(values))
    pad = 0.06 * (high - low) or 1.0
    return low - pad, high + pad
