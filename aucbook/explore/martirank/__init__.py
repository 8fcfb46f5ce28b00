"""Explorable of MartiRank: its branching program by levels, under label noise."""

from functools import cache

import numpy as np

from ..base import Explorable, Frame, fixed, label, legend, share_fill, slider, svg, tag, task

NOISE = (0, 0.5, 1, 2, 5, 10, 20, 30)  # per cent of wrong labels
T = 8  # levels that are drawn
START = 0  # the level chosen at first
SMALLEST, LARGEST = 4, 15  # radius of a node: of none of the rows, of all of them
PALE = 0.45  # opacity of the levels below the one chosen
LEVELS = 40  # of MartiRank
ROUNDS = 100  # of AUCBoost
TASK = (
    "Walk down level by level: when do the two crowds part? Then find the smallest share of wrong "
    "labels with which "
    f"{LEVELS} levels beat {ROUNDS} rounds."
)


def martirank_explorer():
    """Follow MartiRank's branching program under 0 to 30 % label noise, beside AUCBoost.

    The left panel shows the program on `make_flipped`: the more new rows reach a node, the
    larger it is; its colour is the share of positives among them. −1 leads down to the left, +1
    down to the right. The right panel shows the AUC against clean labels of up to 40 levels of
    MartiRank and up to 100 rounds of AUCBoost.

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
    run = runs[0]
    left = Frame(14, 24, 332, 234, x=(-T / 2 - 0.5, T / 2 + 0.5), y=(T, 0))
    right = Frame(46, 16, 298, 270, x=(0, ROUNDS), y=(0.7, 1))
    data = {
        "noise": NOISE,
        "runs": runs,
        "left": left.json(),
        "right": right.json(),
        "levels": LEVELS,
        "radius": [SMALLEST, LARGEST],
        "pale": PALE,
        "rounds": ROUNDS,
    }
    controls = [
        slider("noise", "Wrong labels", 0, len(NOISE) - 1, 1, 0, f"{NOISE[0]} %"),
        slider("level", "Level", 0, T, 1, START, str(START)),
    ]
    sentence = (
        f"<b>{NOISE[0]} %</b> of the labels are wrong. After {START} levels the crowds are "
        f"<b>{fixed(run['pos'][START] - run['neg'][START])}</b> steps apart, "
        f"a clean AUC of <b>{fixed(run['auc'][START], 3)}</b>. In the end: {LEVELS} levels of "
        f"MartiRank <b>{fixed(run['auc'][LEVELS], 3)}</b>, "
        f"{ROUNDS} rounds of AUCBoost <b>{fixed(run['boost'][ROUNDS], 3)}</b>."
    )
    return Explorable(
        "martirank",
        "Two crowds drift apart",
        [_program_panel(left, run), _auc_panel(right, run)],
        controls,
        sentence,
        data,
        above=task(TASK) + legend(pos="positives", neg="negatives"),
    )


def _program_panel(frame, run):
    """Draw the branching program, and where the classes are on average."""
    nodes = [
        tag(
            "circle",
            cx=frame.x(k - t / 2),
            cy=frame.y(t),
            r=node_radius(mass),
            class_="node",
            style=share_fill(100 * share),
            opacity=1 if t <= START else PALE,
        )
        for t in range(T + 1)
        for k, (mass, share) in enumerate(zip(run["mass"][t], run["share"][t]))
    ]
    return svg(
        "The branching program",
        f"A triangle of dots, {T} levels deep. At each node the answer −1 goes down to the "
        "left, +1 down to the right. "
        f"After {START} levels the positives have gone {fixed(run['pos'][START])} steps to the "
        f"right and the negatives {fixed(run['neg'][START])}.",
        *(label(12, frame.y(t) + 4, str(t), anchor="middle") for t in range(0, T + 1, 2)),
        frame.line([(-START / 2, START), (START / 2, START)], "guide row"),
        "".join(nodes),
        label(56, 40, "−1 ↙", class_="strong"),
        label(304, 40, "↘ +1", class_="strong", anchor="end"),
        tag("path", d="M14 300H346", class_="axis"),
        label(346, 324, "more votes for +1 →", anchor="end"),
        label(14, 324, "where the crowds stand"),
        *(_mark(kind, frame.x(run[kind][START] - START / 2)) for kind in ("neg", "pos")),
        height=334,
    )


def _auc_panel(frame, run):
    """Draw the clean AUC by levels of MartiRank and by rounds of AUCBoost."""

    def curve(values, class_):
        return frame.line([(k, max(v, 0.7)) for k, v in enumerate(values)], class_)

    return svg(
        "Clean AUC by levels and rounds",
        f"Two curves. With {NOISE[0]} % wrong labels MartiRank's AUC is "
        f"{fixed(run['auc'][LEVELS], 3)} after {LEVELS} levels, AUCBoost's "
        f"{fixed(run['boost'][ROUNDS], 3)} after {ROUNDS} rounds.",
        frame.axes(
            "levels, or rounds",
            "AUC against clean labels",
            xticks=range(0, ROUNDS + 1, 20),
            yticks=(0.7, 0.8, 0.9, 1),
        ),
        frame.line([(START, 0.7), (START, 1)], "guide at"),
        curve(run["boost"], "coin"),
        curve(run["auc"], "curve"),
        label(344, 252, "MartiRank", anchor="end", class_="strong halo blue-ink"),
        label(344, 270, "AUCBoost", anchor="end", class_="strong halo orange-ink"),
    )


def node_radius(mass):
    """Return the radius of a node that this share of the rows reaches; rare ones are visible."""
    return SMALLEST + (LARGEST - SMALLEST) * mass**0.5


@cache
def _run(noise):
    """Return the results of both rankers at one noise level, on new rows with clean labels.

    For each level of MartiRank: masses and class shares of the nodes, mean number of steps to the
    right of each class, and AUC; for each round of AUCBoost, the AUC.
    """
    from ... import AUCBoost, MartiRank, roc_auc
    from ...theory import make_flipped

    X, y = make_flipped(6000, noise, random_state=1)
    test, _, clean = make_flipped(4000, 0, random_state=99, return_clean=True)
    model = MartiRank(n_estimators=LEVELS).fit(X, y)
    pos = clean == 1
    boost = (
        AUCBoost(n_estimators=ROUNDS, answers="balanced").fit(X, y).staged_decision_function(test)
    )
    run = {
        "mass": [],
        "share": [],
        "pos": [],
        "neg": [],
        "auc": [],
        "boost": [0.5, *(round(roc_auc(clean, scores), 4) for scores in boost)],
    }
    for t, mass in enumerate(model.staged_masses(test)):
        p = mass[pos].mean(0)
        n = mass[~pos].mean(0)
        index = np.arange(t + 1)
        # Training is greedy: the first t levels are MartiRank(n_estimators=t) with this score.
        scores = (mass * (2 * index / max(t, 1) - 1)).sum(1)
        run["auc"].append(round(roc_auc(clean, scores), 4))
        if t <= T:
            run["mass"].append(((p + n) / 2).round(4).tolist())
            run["share"].append((p / np.maximum(p + n, 1e-300)).round(2).tolist())
            run["pos"].append(round(float(p @ index), 4))
            run["neg"].append(round(float(n @ index), 4))
    return run


def _mark(kind, x):
    """Return the mark at the mean position of a class."""
    shape = (
        tag("circle", r=7, class_="pos mark")
        if kind == "pos"
        else tag("rect", x=-6, y=-6, width=12, height=12, class_="neg mark")
    )
    return tag("g", shape, class_=f"spot {kind}-crowd", transform=f"translate({x:.2f} 300)")
