"""Explorable of an additive model: three shape functions, their votes, and the sum."""

import numpy as np

from ..base import Explorable, Frame, bar, button, label, signed, slider, svg, tag, ticks

COLUMNS = ("mean radius", "mean texture", "mean concave points")
WORDS = ("radius", "texture", "concave points")
N_BINS = 12
START = (10, 6, 8)  # bins of the patient
# of the curves' pictures
TOP = 22
APART = 152


def additive_explorer():
    """Explore an additive model: change a measurement, and see its shape function and the sum.

    An `AdditiveRanker` is fitted to three measurements of breast-cancer biopsies. One panel shows
    its three shape functions with the patient's position on each; the other shows the intercept,
    the three votes and their sum, the log-odds of a malignant tumour, as bars.

    Returns
    -------
    Explorable
        The figure, at one patient.

    See Also
    --------
    aucbook.AdditiveRanker : The model.
    aucbook.lab.additive : The shape functions of a model of your own.

    Examples
    --------
    >>> from aucbook.explore import additive_explorer
    >>> additive_explorer()
    <explorable: Whose vote decides?>
    """
    base, curves = fitted_curves()
    frames = [
        Frame(46, TOP + APART * j, 298, 100, x=(edges[0], edges[-1]), y=(-4.5, 7))
        for j, (edges, _) in enumerate(curves)
    ]
    bars = Frame(112, 16, 196, 230, x=(-5, 13), y=(0, 5))
    parts = [base, *(votes[k] for (_, votes), k in zip(curves, START))]
    parts.append(sum(parts))
    controls = [
        *(
            slider(f"v{j}", word, 0, len(votes) - 1, 1, k, between(edges, k))
            for j, (word, (edges, votes), k) in enumerate(zip(WORDS, curves, START))
        ),
        bar(button("reset", "The patient again", main=True)),
    ]
    data = {
        "base": base,
        "curves": curves,
        "words": WORDS,
        "shown": [[between(edges, k) for k in range(len(votes))] for edges, votes in curves],
        "start": START,
        "frames": [frame.json() for frame in frames],
        "bars": bars.json(),
    }
    return Explorable(
        "additive",
        "Whose vote decides?",
        [_curves_panel(frames, curves), _votes_panel(bars, parts)],
        controls,
        sentence(parts),
        data,
    )


def _curves_panel(frames, curves):
    """Draw the three shape functions with the patient on each."""
    return svg(
        "The three curves",
        "Three rising staircases over the values of radius, texture and concave points, and a "
        "mark on each for the patient.",
        *(
            frame.axes(
                "", "vote", xticks=ticks(edges[0], edges[-1], 5), yticks=(-3, 0, 3, 6), xgrid=[]
            )
            for frame, (edges, _) in zip(frames, curves)
        ),
        *(label(52, frame.box[1] - 6, word, class_="strong") for frame, word in zip(frames, WORDS)),
        *(frame.line([(frame.xlim[0], 0), (frame.xlim[1], 0)], "guide") for frame in frames),
        *(frame.line(stairs(*curve), "curve") for frame, curve in zip(frames, curves)),
        *(
            frame.circle(*position(curve, k), 7, "here")
            for frame, curve, k in zip(frames, curves, START)
        ),
        height=TOP + APART * 3,
    )


def _votes_panel(bars, parts):
    """Draw the intercept, the votes and their sum as bars."""
    return svg(
        "The votes and their sum",
        "Five bars from zero: the base, the vote of each measurement, and the sum of all.",
        bars.axes("log-odds", "", xticks=(-4, 0, 4, 8, 12), yticks=(), ygrid=[]),
        *(
            tag(
                "rect",
                x=float(bars.x(min(v, 0))),
                y=float(bars.y(4 - row) - 34),
                width=float(abs(bars.x(v) - bars.x(0))),
                height=22,
                class_="part " + ("pos" if v > 0 else "neg"),
            )
            for row, v in enumerate(parts)
        ),
        bars.line([(0, 0), (0, 5)], "cutline"),
        *(
            label(
                104,
                bars.y(4 - row) - 18,
                name,
                class_="strong" if name == "sum" else None,
                anchor="end",
            )
            for row, name in enumerate(("base", *WORDS, "sum"))
        ),
        *(
            label(356, bars.y(4 - row) - 18, signed(v), class_="strong amount", anchor="end")
            for row, v in enumerate(parts)
        ),
        height=300,
    )


def fitted_curves():
    """Return the intercept and the (edges, votes) of the three shape functions.

    They are fitted to three columns of the biopsies and give the log-odds of malignant, rounded to
    two decimals so that the numbers shown add up.
    """
    from sklearn.datasets import load_breast_cancer

    from ... import AdditiveRanker

    table = load_breast_cancer()
    X = table.data[:, [list(table.feature_names).index(column) for column in COLUMNS]]
    model = AdditiveRanker(n_bins=N_BINS).fit(X, 1 - table.target)
    curves = []
    for j, column in enumerate(X.T):
        curve = model.curve(j)
        edges = [float(column.min()), *curve.values[1:].tolist(), float(column.max())]
        curves.append(([float(f"{edge:.3g}") for edge in edges], curve.votes.round(2).tolist()))
    return round(float(model.intercept_), 2), curves


def sentence(parts):
    """Return the sentence about the sum of the patient's votes."""
    return (
        f"The votes add up to <b>{signed(parts[-1])}</b>: a chance of <b>{chance(parts[-1])}</b> "
        "of being malignant. Move one measurement "
        "and leave the others: with which can you bring the chance below one half?"
    )


def chance(log_odds):
    """Return the probability in whole percent, never 0 or 100."""
    return f"{min(max(round(100 / (1 + np.exp(-log_odds))), 1), 99)} %"


def between(edges, k):
    """Return the midpoint of bin k with three significant digits."""
    return f"{(edges[k] + edges[k + 1]) / 2:.3g}"


def stairs(edges, votes):
    """Return the corners of the step function with these bin edges and votes."""
    return [(x, v) for k, v in enumerate(votes) for x in edges[k : k + 2]]


def position(curve, k):
    """Return the point of a shape function in the middle of bin k."""
    edges, votes = curve
    return (edges[k] + edges[k + 1]) / 2, votes[k]
