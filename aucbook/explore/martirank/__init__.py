"""Explorable of MartiRank: its branching program by levels, under label noise."""

from functools import cache

import numpy as np

from ..base import Explorable, Frame, fixed, label, legend, slider, svg, tag

NOISE = (0, 0.5, 1, 2, 5, 10, 20, 30)  # per cent of wrong labels
# Levels that are drawn, levels of MartiRank, rounds of AUCBoost.
T = 8
LEVELS = 40
ROUNDS = 100
TASK = (
    "Walk down level by level: when do the two crowds part? Then find the smallest share of wrong "
    "labels with which "
    f"{LEVELS} levels beat {ROUNDS} rounds."
)


def martirank_explorer():
    """Follow MartiRank's branching program under 0 to 30 % label noise, beside AUCBoost.

    The left panel shows the program on `make_flipped`: the area of a node is the share of new rows
    that reach it, its colour the share of positives among them; −1 leads down to the left, +1 down
    to the right. The right panel shows the AUC against clean labels of up to 40 levels of MartiRank
    and up to 100 rounds of AUCBoost.

    Returns
    -------
    Explorable
        The figure, without label noise, at level 0.

    See Also
    --------
    aucbook.MartiRank, aucbook.AUCBoost : The rankers.
    noise_explorer : Which rows AUCBoost ranks wrongly under label noise.

    Examples
    --------
    >>> from aucbook.explore import martirank_explorer
    >>> martirank_explorer()
    <explorable: Two crowds drift apart>
    """
    runs = [_run(noise / 100) for noise in NOISE]
    i, L = 0, 0
    left = Frame(14, 24, 332, 234, x=(-T / 2 - 0.5, T / 2 + 0.5), y=(T, 0))
    right = Frame(46, 16, 298, 270, x=(0, ROUNDS), y=(0.7, 1))
    data = {
        "noise": NOISE,
        "runs": runs,
        "left": left.json(),
        "right": right.json(),
        "levels": LEVELS,
        "rounds": ROUNDS,
    }

    run = runs[i]
    nodes = "".join(
        tag(
            "circle",
            cx=left.x(k - t / 2),
            cy=left.y(t),
            r=15 * p**0.5,
            class_="node",
            style=_colour(s),
            opacity=1 if t <= L else 0.18,
        )
        for t in range(T + 1)
        for k, (p, s) in enumerate(zip(run["mass"][t], run["share"][t]))
    )

    def curve(values, class_):
        return right.line([(k, max(v, 0.7)) for k, v in enumerate(values)], class_)

    panels = [
        svg(
            "The branching program",
            f"A triangle of dots, {T} levels deep. At each node the answer −1 goes down to the "
            "left, +1 down to the right. "
            f"After {L} levels the positives have gone {fixed(run['pos'][L])} steps to the right "
            f"and the negatives {fixed(run['neg'][L])}.",
            *(label(12, left.y(t) + 4, str(t), anchor="middle") for t in range(0, T + 1, 2)),
            left.line([(-L / 2, L), (L / 2, L)], "guide row"),
            nodes,
            label(56, 40, "−1 ↙", class_="strong"),
            label(304, 40, "↘ +1", class_="strong", anchor="end"),
            tag("path", d="M14 300H346", class_="axis"),
            label(346, 324, "more votes for +1 →", anchor="end"),
            label(14, 324, "where the crowds stand"),
            *(_mark(kind, left.x(run[kind][L] - L / 2)) for kind in ("neg", "pos")),
            height=334,
        ),
        svg(
            "Clean AUC by levels and rounds",
            f"Two curves. With {NOISE[i]} % wrong labels MartiRank's AUC is "
            f"{fixed(run['auc'][LEVELS], 3)} after {LEVELS} levels, AUCBoost's "
            f"{fixed(run['boost'][ROUNDS], 3)} after {ROUNDS} rounds.",
            right.axes(
                "levels, or rounds",
                "AUC against clean labels",
                xticks=range(0, ROUNDS + 1, 20),
                yticks=(0.7, 0.8, 0.9, 1),
            ),
            right.line([(L, 0.7), (L, 1)], "guide at"),
            curve(run["boost"], "coin"),
            curve(run["auc"], "curve"),
            label(344, 252, "MartiRank", anchor="end", class_="strong halo blue-ink"),
            label(344, 270, "AUCBoost", anchor="end", class_="strong halo orange-ink"),
        ),
    ]
    controls = [
        slider("noise", "Wrong labels", 0, len(NOISE) - 1, 1, i, f"{NOISE[i]} %"),
        slider("level", "Level", 0, T, 1, L, str(L)),
    ]
    sentence = (
        f"<b>{NOISE[i]} %</b> of the labels are wrong. After {L} levels the crowds are "
        f"<b>{fixed(run['pos'][L] - run['neg'][L])}</b> steps apart, "
        f"a clean AUC of <b>{fixed(run['auc'][L], 3)}</b>. In the end: {LEVELS} levels of "
        f"MartiRank <b>{fixed(run['auc'][LEVELS], 3)}</b>, "
        f"{ROUNDS} rounds of AUCBoost <b>{fixed(run['boost'][ROUNDS], 3)}</b>."
    )
    return Explorable(
        "martirank",
        "Two crowds drift apart",
        panels,
        controls,
        sentence,
        data,
        above=tag("div", TASK, style="margin:0 0 8px") + legend(pos="positives", neg="negatives"),
    )


@cache
def _run(noise):
    """Return the results of both rankers at one noise level, on new rows with clean labels.

    For each level of MartiRank: masses and class shares of the nodes, mean number of steps to the
    right of each class, and AUC; for each round of AUCBoost, the AUC.
    """
    from ... import AUCBoost
    from ... import MartiRank
    from ... import roc_auc
    from ...theory import make_flipped

    X, y = make_flipped(6000, noise, random_state=1)
    test, _, clean = make_flipped(4000, 0, random_state=99, return_clean=True)
    model, pos = MartiRank(n_rounds=LEVELS).fit(X, y), clean == 1
    boost = AUCBoost(n_rounds=ROUNDS, answers="balanced").fit(X, y).staged_decision_function(test)
    out = {
        "mass": [],
        "share": [],
        "pos": [],
        "neg": [],
        "auc": [],
        "boost": [0.5, *(round(roc_auc(clean, scores), 4) for scores in boost)],
    }
    for t, mass in enumerate(model.staged_masses(test)):
        p, n = mass[pos].mean(0), mass[~pos].mean(0)
        index = np.arange(t + 1)
        # Training is greedy: the first t levels are MartiRank(n_rounds=t), and this is its score.
        out["auc"].append(round(roc_auc(clean, (mass * (2 * index / max(t, 1) - 1)).sum(1)), 4))
        if t <= T:
            out["mass"].append(((p + n) / 2).round(4).tolist())
            out["share"].append((p / np.maximum(p + n, 1e-300)).round(2).tolist())
            out["pos"].append(round(float(p @ index), 4))
            out["neg"].append(round(float(n @ index), 4))
    return out


def _colour(share):
    """Return the style of a node: bluer for a larger share of positives, else more orange."""
    return (
        f"fill:color-mix(in srgb,var(--{'blue' if share >= 0.5 else 'orange'}) "
        f"{abs(2 * share - 1) * 100:.0f}%,var(--line));stroke:var(--grey)"
    )


def _mark(kind, x):
    """Return the mark at the mean position of a class."""
    shape = (
        tag("circle", r=7, class_="pos mark")
        if kind == "pos"
        else tag("rect", x=-6, y=-6, width=12, height=12, class_="neg mark")
    )
    return tag("g", shape, class_=f"spot {kind}-crowd", transform=f"translate({x:.2f} 300)")
