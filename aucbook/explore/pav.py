"""Explorable of pool adjacent violators: step by step, beside the cumulative-sum diagram."""

import numpy as np

from .core import (
    Explorable,
    Frame,
    bar,
    button,
    fixed,
    label,
    numbers,
    svg,
    tag,
    ticks,
)

# Paper 2, section 2: the six values of the worked example.
EXAMPLE = [1 / 4, 1 / 3, 1 / 5, 1 / 4, 1, 1 / 2]


def pav_explorer(y=None, weight=None, *, name=None):
    """Pool adjacent violators, one step at a time; the points can be moved.

    y : (n,) finite values in order, n <= 20 (default: the six values of Paper 2, section 2).  weight : (n,) positive weights, by default 1.
    Left the points and their blocks, right the cumulative-sum diagram, whose lower hull the blocks draw.
    Raises ValueError for NaN, unequal lengths, weights that are not positive.
    """
    from aucbook.isotonic import pav

    y = numbers(EXAMPLE if y is None else y, "y")
    weight = np.ones(y.size) if weight is None else numbers(weight, "weight", y.size)
    if y.size < 2 or y.size > 20:
        raise ValueError(f"y has {y.size} values: this explorable shows 2 to 20")
    if weight.min() <= 0:
        raise ValueError("weight must be positive")
    fit = pav(y, weight)
    cuts = [0, *(np.flatnonzero(np.diff(fit) > 1e-12) + 1).tolist(), y.size]
    blocks = list(zip(cuts, cuts[1:]))
    low, high = min(0.0, float(y.min())), max(1.0, float(y.max()))
    left = Frame(46, 16, 298, 270, x=(0.4, y.size + 0.6), y=(low - 0.03 * (high - low), high + 0.07 * (high - low)))
    # The sums are drawn minus the straight line between their ends: the hull's corners stay corners, and can be seen.
    w = np.r_[0, np.cumsum(weight)]
    tilted = np.r_[0, np.cumsum(weight * (y - np.average(y, weights=weight)))]
    data = {
        "y": y.tolist(),
        "w": weight.tolist(),
        "low": low,
        "high": high,
        "left": left.json(),
        "box": (46, 16, 298, 270),
    }
    right = Frame(*data["box"], x=(0, w[-1]), y=_room(tilted, (high - low) * w[-1]))

    bars = "".join(left.line([(a + 0.62, fit[a]), (b + 0.38, fit[a])], "block") for a, b in blocks)
    means = "".join(
        label(
            left.x((a + b + 1) / 2), left.y(fit[a]) - 10, fixed(fit[a]), class_="strong halo blue-ink", anchor="middle"
        )
        for a, b in blocks
        if b - a > 1
    )
    stems = "".join(left.line([(i + 1, v), (i + 1, fit[i])], "stem") for i, v in enumerate(y))
    radius = np.clip(6 * np.sqrt(weight / weight.mean()), 3.5, 11)
    points = "".join(
        tag(
            "g",
            tag("circle", class_="ring", r=16),
            tag("circle", class_="dot", r=float(r)),
            class_="point",
            transform=f"translate({left.x(i + 1):.2f} {left.y(v):.2f})",
        )
        for i, (v, r) in enumerate(zip(y, radius))
    )
    panels = [
        svg(
            "Points in order and their pooled blocks",
            f"{y.size} points with values {', '.join(map(fixed, y))}. Pooling gives the non-decreasing fit {', '.join(map(fixed, fit))}, drawn as horizontal bars.",
            left.axes("position in the order", "value", xticks=range(1, y.size + 1), yticks=ticks(low, high), xgrid=[]),
            tag("g", stems, class_="stems"),
            tag("g", bars, class_="blocks"),
            points,
            tag("g", means, class_="means"),
            role="group",
            height=328,
        ),
        svg(
            "Cumulative-sum diagram",
            "The running sum of the values against the running weight, tilted so that both ends are level, and its lower convex hull: one straight piece per block.",
            right.axes("weight so far", "", xticks=ticks(0, w[-1]), yticks=[], xgrid=[]),
            label(38, 151, "sum so far, both ends level", anchor="middle", transform="rotate(-90 38 151)"),
            tag("path", d=right.path(zip(w, tilted)), class_="sums"),
            tag(
                "g", *(right.line([(w[a], tilted[a]), (w[b], tilted[b])], "chord") for a, b in blocks), class_="chords"
            ),
            *(
                tag("circle", r=4, class_="sum", transform=f"translate({right.x(a):.2f} {right.y(b):.2f})")
                for a, b in zip(w, tilted)
            ),
            height=328,
        ),
    ]
    controls = [
        bar(
            button("step", "Step", main=True),
            button("back", "Back"),
            button("finish", "To the end"),
            button("reset", "Reset"),
        )
    ]
    sentence = f"Done: {len(blocks)} blocks. The fit is <b>{', '.join(map(fixed, fit))}</b>."
    return Explorable(
        "pav",
        "Pool adjacent violators, step by step",
        panels,
        controls,
        sentence,
        data,
        name=name,
        above=tag("div", "Drag a point, or select it and press the arrow keys.", class_="ax-legend"),
    )


def _room(values, reach):
    "The range to draw: the values and a margin, at least a twelfth of the possible reach."
    low, high = float(np.min(values)), float(np.max(values))
    pad = max(0.1 * (high - low), (reach / 12 - (high - low)) / 2)
    return low - pad, high + pad
