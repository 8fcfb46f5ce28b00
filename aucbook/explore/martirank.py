"""Explorable of MartiRank: its branching program level by level, while more and more labels are wrong."""

import numpy as np

from .core import Explorable, Frame, fixed, label, legend, slider, svg, tag

NOISE = (0, 5, 10, 15, 20, 25, 30)  # per cent of wrong labels
T, ROUNDS = 8, 100  # levels of MartiRank, rounds of AUCBoost


def martirank_explorer(*, name=None):
    """MartiRank's branching program on `make_flipped` with 0 to 30 % wrong labels, beside the clean AUC of AUCBoost.

    Left the program: a dot for each node, its area the mass of fresh rows that reaches it, its colour the share of the positives.
    Right the AUC against clean labels, of the first levels of MartiRank and of 100 rounds of AUCBoost, by the share of wrong labels.
    name : replaces the content hash in the element's id.
    """
    runs = [_run(noise / 100) for noise in NOISE]
    i, L = NOISE.index(10), T
    left, right = (
        Frame(14, 24, 332, 234, x=(-T / 2 - 0.5, T / 2 + 0.5), y=(T, 0)),
        Frame(46, 16, 298, 270, x=(0, 30), y=(0.7, 1)),
    )
    data = {"noise": NOISE, "runs": runs, "left": left.json(), "right": right.json()}

    run = runs[i]
    nodes = "".join(
        tag("circle", cx=left.x(k - t / 2), cy=left.y(t), r=15 * p**0.5, class_="node", style=_colour(s))
        for t in range(T + 1)
        for k, (p, s) in enumerate(zip(run["mass"][t], run["share"][t]))
    )
    curve = lambda values, class_, style=None: right.line(list(zip(NOISE, values)), class_, style=style)
    both = [r["auc"][L] for r in runs], [r["boost"] for r in runs]
    spot = lambda v, class_: tag(
        "circle", r=6, class_=class_, transform=f"translate({right.x(NOISE[i]):.2f} {right.y(v):.2f})"
    )
    panels = [
        svg(
            "The branching program",
            f"A triangle of dots, {T} levels deep. With {NOISE[i]} % wrong labels the mass of the positives drifts to the right and that of the negatives to the left: "
            f"after {L} levels they have gone {fixed(run['pos'][L])} and {fixed(run['neg'][L])} steps to the right.",
            *(label(12, left.y(t) + 4, str(t), anchor="middle") for t in range(0, T + 1, 2)),
            left.line([(-L / 2, L), (L / 2, L)], "guide row"),
            nodes,
            tag("path", d="M14 300H346", class_="axis"),
            label(346, 324, "more votes for +1 →", anchor="end"),
            label(14, 324, "where the crowds stand"),
            *(_mark(kind, left.x(run[kind][L] - L / 2)) for kind in ("neg", "pos")),
            height=334,
        ),
        svg(
            "Clean AUC by the share of wrong labels",
            f"Two curves. AUCBoost falls from {fixed(both[1][0], 3)} without noise to {fixed(both[1][1], 3)} with 5 % wrong labels; MartiRank loses little, from {fixed(both[0][0], 3)} to {fixed(both[0][-1], 3)} with 30 %.",
            right.axes(
                "wrong labels, per cent",
                "AUC against clean labels",
                xticks=NOISE[::2],
                yticks=(0.7, 0.8, 0.9, 1),
                xgrid=NOISE,
            ),
            right.line([(NOISE[i], 0.7), (NOISE[i], 1)], "guide at"),
            curve(both[1], "coin"),
            curve(both[0], "curve"),
            spot(run["auc"][L], "here marti"),
            spot(run["boost"], "here boost"),
            label(
                right.x(30),
                right.y(both[0][-1]) - 12,
                "MartiRank",
                anchor="end",
                class_="strong halo blue-ink marti-name",
            ),
            label(right.x(30), right.y(both[1][-1]) + 22, "AUCBoost", anchor="end", class_="strong halo orange-ink"),
        ),
    ]
    controls = [
        slider("noise", "Wrong labels", 0, len(NOISE) - 1, 1, i, f"{NOISE[i]} %"),
        slider("level", "Level", 0, T, 1, L, str(L)),
    ]
    sentence = (
        f"With <b>{NOISE[i]} %</b> wrong labels, {L} levels of MartiRank reach a clean AUC of <b>{fixed(run['auc'][L], 3)}</b>, "
        f"{ROUNDS} rounds of AUCBoost <b>{fixed(run['boost'], 3)}</b>. The crowds are <b>{fixed(run['pos'][L] - run['neg'][L])}</b> steps apart."
    )
    return Explorable(
        "martirank",
        "Two crowds drift apart",
        panels,
        controls,
        sentence,
        data | {"rounds": ROUNDS},
        name=name,
        above=legend(pos="positives", neg="negatives"),
    )


def _run(noise):
    "Both rankers on one share of wrong labels: masses, class shares and clean AUC by level, from fresh rows with clean labels"
    from aucbook.aucboost import AUCBoost
    from aucbook.toys import make_flipped
    from aucbook.martirank import MartiRank
    from aucbook.roc import roc_auc

    X, y = make_flipped(6000, noise, random_state=1)
    test, _, clean = make_flipped(4000, 0, random_state=99, return_clean=True)
    model, pos = MartiRank(n_rounds=T).fit(X, y), clean == 1
    out = {
        "mass": [],
        "share": [],
        "pos": [],
        "neg": [],
        "auc": [],
        "boost": round(roc_auc(clean, AUCBoost(n_rounds=ROUNDS).fit(X, y).decision_function(test)), 5),
    }
    for t, mass in enumerate(model.staged_masses(test)):
        p, n = mass[pos].mean(0), mass[~pos].mean(0)
        index = np.arange(t + 1)
        out["mass"].append(((p + n) / 2).round(4).tolist())
        out["share"].append((p / np.maximum(p + n, 1e-300)).round(2).tolist())
        out["pos"].append(round(float(p @ index), 4))
        out["neg"].append(round(float(n @ index), 4))
        # Training is greedy: the first t levels are MartiRank(n_rounds=t), and this is its score.
        out["auc"].append(round(roc_auc(clean, (mass * (2 * index / max(t, 1) - 1)).sum(1)), 5))
    return out


def _colour(share):
    return f"fill:color-mix(in srgb,var(--{'blue' if share >= 0.5 else 'orange'}) {abs(2 * share - 1) * 100:.0f}%,var(--line));stroke:var(--grey)"


def _mark(kind, x):
    shape = (
        tag("circle", r=7, class_="pos mark")
        if kind == "pos"
        else tag("rect", x=-6, y=-6, width=12, height=12, class_="neg mark")
    )
    return tag("g", shape, class_=f"spot {kind}-crowd", transform=f"translate({x:.2f} 300)")
