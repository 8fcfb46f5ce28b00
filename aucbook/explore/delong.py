"""Explorable of DeLong's standard error: draw the patients again and again, and the AUCs fill the curve he drew without drawing."""

import numpy as np

from .cases import cases_of, lifts, score_axis, score_span
from .core import (
    Explorable,
    Frame,
    bar,
    button,
    fixed,
    label,
    legend,
    mark,
    svg,
    tag,
    ticks,
)

DRAWS, WIDTH = 500, 0.025  # resamples, and the width of a pile of dots


def delong_explorer(y=None, scores=None, *, name=None):
    """Resampling beside DeLong: each resample of the patients gives one AUC, one dot; DeLong's normal curve waits above the pile.

    y : (n,) labels of two classes.  scores : (n,) finite scores of one ranker, n <= 60 (default: 15 positives, 20 negatives of `make_binormal`).
    name : replaces the content hash in the element's id.  Positives and negatives are drawn apart, with replacement, 500 times.
    Raises ValueError for bad input, and when DeLong's variance is zero (perfect separation).
    """
    from scipy.stats import norm

    from aucbook.inference import auc_interval
    from aucbook.roc import roc_auc
    from aucbook.toys import make_binormal

    if y is None and scores is None:
        y, scores = make_binormal(15, 20, random_state=0)
        scores = scores.round(1)
    y, columns, words = cases_of(y, scores)
    if len(columns) != 1:
        raise ValueError(f"scores must be the scores of one ranker, got {len(columns)} columns")
    (s,) = columns.values()
    auc, low, high, variance = auc_interval(y, s)
    if variance == 0:
        raise ValueError("DeLong's variance is zero on these data: there is no curve to draw")
    se = float(np.sqrt(variance))
    counts, rng = np.zeros((DRAWS, y.size), int), np.random.default_rng(0)
    for c in (0, 1):
        rows = np.flatnonzero(y == c)
        counts[:, rows] = rng.multinomial(rows.size, np.full(rows.size, 1 / rows.size), DRAWS)
    areas = [round(roc_auc(y, s, sample_weight=w), 5) for w in counts]  # a patient drawn twice weighs two

    start = np.floor(min(areas) * 10) / 10
    pile = np.floor((np.array(areas) - start) / WIDTH + 1e-9).astype(int)
    tallest = max(np.bincount(pile).max(), DRAWS * WIDTH * norm.pdf(0) / se) * 1.08
    line, frame = (
        Frame(20, 112, 320, 70, x=score_span([s]), y=(-1, 1)),
        Frame(30, 16, 318, 270, x=(start, 1 + WIDTH), y=(0, tallest)),
    )
    lift = lifts(line, y, s)
    level = [int((pile[:i] == p).sum()) for i, p in enumerate(pile)]
    grid = np.linspace(start, 1 + WIDTH, 80)
    bell = list(zip(grid, DRAWS * WIDTH * norm.pdf(grid, auc, se)))
    dots = [
        (frame.x(start + (p + (1 + 2 * (k % 2)) / 4) * WIDTH), frame.y(k - k % 2 + 1)) for p, k in zip(pile, level)
    ]  # two in a row
    radius = 0.44 * min(2 * 270 / tallest, WIDTH / (1 + WIDTH - start) * 318 / 2)
    panels = [
        svg(
            "The patients, and how often each was drawn",
            f"{y.sum()} {words[0]} cases (discs) above a score line and {(1 - y).sum()} {words[1]} ones (squares) below it. In a resample some are drawn twice or more and grow, others not at all and are left empty.",
            label(180, 22, f"the study itself: AUC {fixed(auc, 3)}", class_="strong big which", anchor="middle"),
            score_axis(line, 222),
            label(180, 244, "score", anchor="middle"),
            *(
                mark(
                    "pos" if y[i] else "neg",
                    class_="case",
                    transform=f"translate({line.x(s[i]):.2f} {line.y(0) + (-1 if y[i] else 1) * lift[i]:.2f})",
                )
                for i in range(y.size)
            ),
            height=254,
        ),
        svg(
            "AUCs of the resamples and DeLong's normal curve",
            f"{DRAWS} dots in piles, from {fixed(min(areas))} to {fixed(max(areas))}, fill a bell around {fixed(auc, 3)}. Their standard deviation is {fixed(np.std(areas, ddof=1), 3)}, DeLong's standard error {fixed(se, 3)}.",
            frame.axes("AUC", "", xticks=[t for t in ticks(start, 1, 5) if t <= 1], yticks=[]),
            tag(
                "path",
                d="".join(f"M{a:.1f} {b:.1f}h0" for a, b in dots),
                class_="pile",
                style=f"fill:none;stroke:var(--blue);stroke-linecap:round;stroke-width:{2 * radius:.2f}",
            ),
            tag(
                "path",
                class_="newest",
                style=f"fill:none;stroke:var(--ink);stroke-linecap:round;stroke-width:{2 * radius + 4:.2f}",
            ),
            frame.line(bell, "coin"),
            frame.line([(low, 0), (high, 0)], "block wrong"),
            frame.line([(auc, 0), (auc, tallest)], "guide"),
            label(frame.x(auc) - 8, 28, "DeLong", class_="strong halo orange-ink", anchor="end"),
            height=334,
        ),
    ]
    controls = [bar(button("step", "Draw one", main=True), button("run", "Run"), button("reset", "Reset"))]
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    data = {
        "counts": ["".join(digits[min(k, 35)] for k in row) for row in counts],
        "areas": areas,
        "auc": auc,
        "se": se,
        "low": low,
        "high": high,
        "frame": frame.json(),
        "start": start,
        "width": WIDTH,
    }
    inside = np.mean([low <= a <= high for a in areas])
    sentence = (
        f"After <b>{DRAWS}</b> resamples the AUCs have a standard deviation of <b>{fixed(np.std(areas, ddof=1), 3)}</b>; DeLong's formula says "
        f"<b>{fixed(se, 3)}</b> without drawing. <b>{fixed(100 * inside, 1)} %</b> of the dots lie in its 95 % interval."
    )
    return Explorable(
        "delong",
        "Draw the patients again",
        panels,
        controls,
        sentence,
        data,
        name=name,
        above=legend(pos=words[0], neg=words[1]),
    )
