"""Explorable of clustered rows: influence of samples and of women on the AUC."""

import numpy as np

from ..base import Explorable, Frame, fixed, label, legend, slider, svg, tag, task

SICK = [1] * 4 + [0] * 6
# Effects of the women and of the samples: standard normal values.
WOMAN_EFFECTS = [0.1, 0.2, 0.2, -0.4, -0.2, 1.5, -0.7, -0.1, 1.0, 0.5]
SAMPLE_EFFECTS = [
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
CORRELATIONS = range(0, 101, 10)  # intra-cluster correlation, in percent
START = 5  # the step where it starts
TASK = (
    "Find samples for which the two standard errors agree, and samples for which they are furthest "
    "apart. What did you do?"
)


def clusters_explorer():
    """Compare the naive and the clustered standard error of the AUC as the correlation grows.

    There are three samples of each of ten women. The left panel has their scores, one row per
    woman. The right one has the influence of each sample on the AUC (its placement minus the mean
    of its class, divided by the number of rows of the class) and, as a bar, the sum of the three.
    The sentence has the standard errors from the rows and from the sums.

    Returns
    -------
    Explorable
        The interactive figure.

    See Also
    --------
    aucbook.auc_interval : Confidence interval of the AUC; `groups` names the clusters.
    delong_explorer : Influence of single rows on the AUC.
    aucbook.lab.sample_size : The size of a study with repeated measurements.

    Examples
    --------
    >>> from aucbook.explore import clusters_explorer
    >>> clusters_explorer()
    <explorable: Three samples of each woman>
    """
    steps = [_step(percent / 100) for percent in CORRELATIONS]
    first = steps[START]
    scores = Frame(14, 20, 332, 270, x=(10, 90), y=(0, 10))
    pulls = Frame(14, 20, 332, 270, x=(-0.14, 0.06), y=(0, 10))
    panels = [
        svg(
            "Scores of three samples of each woman",
            "Ten rows, a woman each: four sick, marked by discs, six healthy, marked by squares. "
            "Each row has three marks, her samples' scores.",
            _rules(scores),
            _dots(scores, first["scores"], "score"),
            label(180, 312, "score of a sample", anchor="middle"),
        ),
        svg(
            "Influences on the AUC, of samples and of women",
            "The same ten rows. Three marks a row show the influence of each sample on the AUC, a "
            "bar the sum of the three.",
            _rules(pulls),
            pulls.line([(0, 0), (0, 10)], "axis"),
            *(_bar(pulls, i, sum(three)) for i, three in enumerate(first["pulls"])),
            _dots(pulls, first["pulls"], "pull"),
            label(pulls.x(0), 312, "← down · 0 · up →", anchor="middle"),
        ),
    ]
    data = {
        "alike": list(CORRELATIONS),
        "steps": steps,
        "scores": scores.json(),
        "pulls": pulls.json(),
    }
    key = legend(
        "bar: the sum of her three influences", pos="a sick woman's sample", neg="a healthy woman's"
    )
    return Explorable(
        "clusters",
        "Three samples of each woman",
        panels,
        [slider("alike", "Alike", 0, len(steps) - 1, 1, START, f"{CORRELATIONS[START]} %")],
        _sentence(CORRELATIONS[START], first),
        data,
        above=task(TASK) + key,
    )


def _step(icc):
    """Compute scores, influences, AUC and both standard errors; icc: intra-cluster correlation."""
    from ... import auc_interval

    sick = np.array(SICK)
    woman_effects = np.array(WOMAN_EFFECTS)[:, None]
    effects = icc**0.5 * woman_effects + (1 - icc) ** 0.5 * np.array(SAMPLE_EFFECTS)
    s = (50 + 10 * (2 * sick - 1)[:, None] + 16 * effects).round()
    y = np.repeat(sick, 3)
    woman = np.repeat(np.arange(10), 3)
    positives = s[sick == 1].ravel()
    negatives = s[sick == 0].ravel()
    ranked = (positives[:, None] > negatives) + (positives[:, None] == negatives) / 2
    placement = np.r_[ranked.mean(1), ranked.mean(0)]
    class_size = np.where(y == 1, positives.size, negatives.size)
    influence = (placement - ranked.mean()) / class_size
    errors = [auc_interval(y, s.ravel(), groups=g).variance ** 0.5 for g in (None, woman)]
    return {
        "scores": s.astype(int).tolist(),
        "pulls": influence.reshape(-1, 3).round(4).tolist(),
        "auc": round(float(ranked.mean()), 4),
        "errors": [round(float(e), 4) for e in errors],
    }


def _shape(sick):
    """Return a disc for positives, a square for negatives, small enough for three in a row."""
    return (
        tag("circle", r=5, class_="pos mark")
        if sick
        else tag("rect", x=-4.5, y=-4.5, width=9, height=9, class_="neg mark")
    )


def _row(i):
    """Return the height of a woman's row, the first at the top."""
    return 9.5 - i


def _rules(frame):
    """Return the lines between the rows."""
    left, right = frame.xlim
    return "".join(frame.line([(left, i), (right, i)], "grid") for i in range(11))


def _dots(frame, values, class_):
    """Return the marks of all samples, three a row."""
    return "".join(
        tag("g", _shape(SICK[i]), class_=class_, transform=frame.translate(v, _row(i)))
        for i, three in enumerate(values)
        for v in three
    )


def _bar(frame, i, total):
    """Return a bar from 0 to a woman's sum, as thick as half a row."""
    bottom = _row(i) - 0.28
    top = _row(i) + 0.28
    return tag(
        "path",
        d=frame.path([(0, bottom), (total, bottom), (total, top), (0, top)], "Z"),
        class_="bar " + ("pos" if SICK[i] else "neg"),
        fill_opacity=0.35,
        stroke_width=0,
    )


def _sentence(percent, step):
    """Return the sentence with the AUC and its two standard errors."""
    by_row, by_woman = step["errors"]
    return (
        f"The intra-cluster correlation is <b>{percent} %</b>. "
        f"The AUC is {fixed(step['auc'], 3)}. Its standard error, if rows are independent: "
        f"<b>{fixed(by_row, 3)}</b>; with influences added up by woman: "
        f"<b>{fixed(by_woman, 3)}</b>."
    )
