"""Explorable of several samples of each woman: her pulls at the AUC, one by one and added up."""

import numpy as np

from ..base import Explorable, Frame, fixed, label, legend, slider, svg, tag

SICK = [1] * 4 + [0] * 6
# What is a woman's own, and what is each sample's: draws of a bell curve.
OWN = [0.1, 0.2, 0.2, -0.4, -0.2, 1.5, -0.7, -0.1, 1.0, 0.5]
LUCK = [
    [-1.5, -0.7, -0.3],
    [1.1, 1.4, -0.9],
    [-1.1, -0.2, -0.5],
    [-0.9, -0.2, -1.2],
    [0.5, -1.1, 0.8],
    [-0.2, 1.5, 0.9],
    [1.0, -1.1, -0.2],
    [-0.5, -0.4, -0.5],
    [0.1, -1.0, -1.3],
    [-0.9, -0.6, 2.2],
]
ALIKE, START = range(0, 101, 10), 5  # per cent, and the step where it starts
TASK = (
    "Find samples for which the two standard errors agree, and samples for which they are furthest "
    "apart. What did you do?"
)


def clusters_explorer():
    """Three samples of each of ten women: how alike they are, what each pulls at the AUC, and what the women's sums pull.

    Left the scores, one row a woman. Right, in the same rows, the pull of each sample (its
    placement's distance to the class's mean, over the number of rows) and, as a bar, the sum of her
    three. The standard error takes rows for women, or adds up by woman.
    """
    steps = [_step(a / 100) for a in ALIKE]
    now = steps[START]
    scores = Frame(14, 20, 332, 270, x=(10, 90), y=(0, 10))
    pulls = Frame(14, 20, 332, 270, x=(-0.14, 0.06), y=(0, 10))

    def row(i):
        return 9.5 - i

    def dots(frame, values, class_):
        return "".join(
            tag(
                "g",
                _shape(SICK[i]),
                class_=class_,
                transform=f"translate({frame.x(v):.2f} {frame.y(row(i)):.2f})",
            )
            for i, three in enumerate(values)
            for v in three
        )

    def rules(frame):
        return "".join(
            frame.line([(frame.xlim[0], i), (frame.xlim[1], i)], "grid") for i in range(11)
        )

    bars = "".join(
        tag(
            "path",
            d=_bar(pulls, sum(three), row(i)),
            class_="bar " + ("pos" if SICK[i] else "neg"),
            fill_opacity=0.35,
            stroke_width=0,
        )
        for i, three in enumerate(now["pulls"])
    )
    panels = [
        svg(
            "Scores of three samples of each woman",
            "Ten rows, a woman each: four sick, marked by discs, six healthy, marked by squares. "
            "Each row has three marks, her samples' scores.",
            rules(scores),
            dots(scores, now["scores"], "score"),
            label(180, 312, "score of a sample", anchor="middle"),
        ),
        svg(
            "Pulls at the AUC, of samples and of women",
            "The same ten rows. Three marks a row show how hard each sample pulls at the AUC, a "
            "bar the sum of the three.",
            rules(pulls),
            pulls.line([(0, 0), (0, 10)], "axis"),
            bars,
            dots(pulls, now["pulls"], "pull"),
            label(pulls.x(0), 312, "← down · 0 · up →", anchor="middle"),
        ),
    ]
    data = {"alike": list(ALIKE), "steps": steps, "scores": scores.json(), "pulls": pulls.json()}
    return Explorable(
        "clusters",
        "A ledger with women",
        panels,
        [slider("alike", "Alike", 0, len(steps) - 1, 1, START, f"{ALIKE[START]} %")],
        _sentence(ALIKE[START], now),
        data,
        above=tag("div", TASK, style="margin:0 0 8px")
        + legend(
            "bar: the sum of her three pulls", pos="a sick woman's sample", neg="a healthy woman's"
        ),
    )


def _step(alike):
    """Scores, pulls, AUC and both standard errors, where a share `alike` of the scatter is the women's own."""
    from ... import auc_interval

    sick = np.array(SICK)
    own = np.array(OWN)[:, None]
    luck = np.array(LUCK)
    s = (
        50 + 10 * (2 * sick - 1)[:, None] + 16 * (alike**0.5 * own + (1 - alike) ** 0.5 * luck)
    ).round()
    y, woman = np.repeat(sick, 3), np.repeat(np.arange(10), 3)
    P, N = s[sick == 1].ravel(), s[sick == 0].ravel()
    wins = (P[:, None] > N) + (P[:, None] == N) / 2
    place = np.r_[wins.mean(1), wins.mean(0)]
    pull = (place - wins.mean()) / np.where(y == 1, P.size, N.size)
    errors = [auc_interval(y, s.ravel(), groups=g).variance ** 0.5 for g in (None, woman)]
    return {
        "scores": s.astype(int).tolist(),
        "pulls": pull.reshape(-1, 3).round(4).tolist(),
        "auc": round(float(wins.mean()), 4),
        "errors": [round(float(e), 4) for e in errors],
    }


def _shape(sick):
    """A disc for the sick, a square for the healthy, small enough for three in a row."""
    return (
        tag("circle", r=5, class_="pos mark")
        if sick
        else tag("rect", x=-4.5, y=-4.5, width=9, height=9, class_="neg mark")
    )


def _bar(frame, total, at):
    """From 0 to the sum, as thick as half a row."""
    return frame.path([(0, at - 0.28), (total, at - 0.28), (total, at + 0.28), (0, at + 0.28)], "Z")


def _sentence(alike, step):
    by_row, by_woman = step["errors"]
    return (
        f"<b>{alike} %</b> of the scatter is the women's own. The AUC is {fixed(step['auc'], 3)}. "
        "Its standard error, if rows are taken "
        f"for women: <b>{fixed(by_row, 3)}</b>; with her pulls added up first: "
        f"<b>{fixed(by_woman, 3)}</b>."
    )
