"""Explorable of the most violated ordering: what an opponent makes of a model's scores, for any part of the ROC curve."""

import numpy as np

from .core import Explorable, Frame, fixed, label, numbers, slider, svg, tag

# What the one feature says about five sick patients and eight healthy ones.
SICK = [2.0, 1.3, 0.9, 0.3, -0.2]
HEALTHY = [1.2, 0.8, 0.6, 0.1, -0.2, -0.5, -1.0, -1.4]
LOW, HIGH, LONGEST = -1.5, 10.5, 2.0


def violated_explorer(alpha=0.5, beta=1.0, *, name=None):
    """The most violated ordering (Paper 3, Eq. 4) of a model with one feature: move its length w and the range [alpha, beta].

    Left the curve P(r), its concave majorant, and the tangent of one sick patient; right the ordering, as a table of who is put above whom.
    alpha, beta : where the range starts.  name : replaces the content hash in the element's id.
    Raises ValueError for a range outside 0 <= alpha < beta <= 1.
    """
    from aucbook.checks import check_range
    from aucbook.isotonic import pav
    from aucbook.most_violated import most_violated_ordering, range_weights

    alpha, beta = check_range(alpha, beta)
    sick, healthy = numbers(SICK, "sick"), numbers(HEALTHY, "healthy")
    m, n, w, i = sick.size, healthy.size, 0.5, 3
    s, weight = w * sick, range_weights(healthy.size, alpha, beta)
    ranks, value = most_violated_ordering(s, w * healthy, alpha, beta)
    steps = weight + w * healthy
    P, hull = (np.r_[0, np.cumsum(g)] for g in (steps, pav(steps, increasing=False)))
    r, wide, tall = int(ranks[i]), 280 / n, 270 / m
    gain = float(P[r] - r * s[i])

    frame, grid = Frame(46, 16, 298, 270, x=(0, n), y=(LOW, HIGH)), Frame(60, 16, 280, 270, x=(0, n), y=(0, m))
    data = {"sick": SICK, "healthy": HEALTHY, "frame": frame.json(), "grid": grid.json(), "alpha": alpha, "beta": beta}
    cells = [
        tag(
            "rect",
            x=60 + j * wide,
            y=grid.y(k + 1),
            width=wide,
            height=tall,
            class_="cell",
            style=_shade(j < ranks[k], weight[j]),
        )
        for k in range(m)
        for j in range(n)
    ]
    border = [(0, 0)] + [p for k in range(m) for p in ((int(ranks[k]), k), (int(ranks[k]), k + 1))] + [(n, m)]
    panels = [
        svg(
            "The curve P(r), its majorant and one tangent",
            f"Dots show P for 0 to {n} healthy patients, a concave line its majorant. The tangent with slope {fixed(s[i])}, the score of sick patient {i + 1}, touches at r = {r}.",
            frame.axes("r, healthy patients put above", "P(r)", xticks=range(n + 1), yticks=(0, 5, 10), xgrid=[]),
            frame.line(_clipped(s[i], gain, n), "coin tangent"),
            frame.line(list(enumerate(hull)), "curve"),
            *(
                tag("circle", r=4, class_="dot", transform=f"translate({frame.x(k):.2f} {frame.y(v):.2f})")
                for k, v in enumerate(P)
            ),
            tag("circle", r=7, class_="here", transform=f"translate({frame.x(r):.2f} {frame.y(hull[r]):.2f})"),
            tag("path", d=f"M{frame.x(0) - 6:.2f} {frame.y(gain):.2f}h12", class_="cutline gain"),
            label(
                frame.x(n),
                34,
                f"slope {fixed(s[i])}, profit {fixed(gain)}",
                class_="strong halo orange-ink words",
                anchor="end",
            ),
            height=334,
        ),
        svg(
            "The worst order, who is put above whom",
            f"{m} rows, the sick patients, highest score at the bottom, and {n} columns, the healthy ones, highest score on the left. Filled cells: the healthy patient is put above the sick one; "
            f"from the bottom {', '.join(map(str, ranks))} of them. The border is the ROC curve of that order.",
            *cells,
            grid.line(border, "border"),
            tag("rect", x=60, width=280, height=tall, y=grid.y(i + 1), class_="chosen", rx=3),
            *(label(52, grid.y(k + 0.5) + 4, fixed(v), class_="row", anchor="end") for k, v in enumerate(s)),
            *(
                label(60 + (j + 0.5) * wide, 302, fixed(v, 1), class_="column small", anchor="middle")
                for j, v in enumerate(w * healthy)
            ),
            label(200, 322, "healthy, highest score first", anchor="middle"),
            label(14, 151, "sick, highest score at the bottom", anchor="middle", transform="rotate(-90 14 151)"),
            height=334,
        ),
    ]
    controls = [
        slider("w", "Length of w", 0, LONGEST, 0.05, w, fixed(w)),
        slider("alpha", "from FPR α", 0, 1, 0.025, alpha, fixed(alpha, 3)),
        slider("beta", "to FPR β", 0, 1, 0.025, beta, fixed(beta, 3)),
        slider("sick", "Sick patient", 1, m, 1, i + 1, str(i + 1)),
    ]
    sentence = (
        f"The worst order earns <b>{fixed(value, 3)}</b> in all, loss minus margin <b>{fixed(round(value / (m * n * (beta - alpha)), 9), 3)}</b>. "
        f"It puts <b>{r}</b> of {n} healthy patients above sick patient {i + 1}."
    )
    key = lambda colour, words: tag("span", tag("i", class_="ax-key", style=f"background:var(--{colour})"), words)
    above = tag(
        "div",
        key("orange", "put above, and it counts"),
        key("orange-wash", "put above, outside the range"),
        tag("span", "Click a row to see its tangent."),
        class_="ax-legend",
    )
    return Explorable(
        "violated", "The worst order", panels, controls, sentence, data, name=name, above=above, uses=["pool.js"]
    )


def _shade(above, weight):
    return (
        f"fill:color-mix(in srgb,var(--orange) {100 * weight:.0f}%,var(--orange-wash))"
        if above
        else "fill:var(--faint)"
    )


def _clipped(slope, start, n):
    "The part inside the picture of the line with this slope and this height at 0"
    ends = sorted((v - start) / slope for v in (LOW, HIGH)) if abs(slope) > 1e-9 else (0, n)
    return [(x, start + slope * x) for x in np.clip(ends, 0, n)]
