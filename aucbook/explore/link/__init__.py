"""Explorable of one round of confidence-rated boosting: monotone votes and the sum of weights Z."""

import numpy as np

from ..base import Explorable, Frame, bar, fixed, label, legend, mark, pills, slider, svg, tag

# Ten weak scores, multiples of 0.1 (the grid on which votes are drawn), and their labels.
H = np.array([-2.4, -1.8, -1.2, -0.7, -0.2, 0.3, 0.8, 1.3, 1.9, 2.6])
ILL = np.array([0, 0, 1, 0, 0, 1, 1, 0, 1, 1])
GRID = np.arange(-28, 29) / 10
WEIGHTS = (1, 2, 4, 8)  # that a patient may have
LINKS = ("yours", "linear", "optimal linear", "PAV")
MAX_VOTE = 1.5  # bound on the votes of the reader and of PAV


class FirstColumn:
    """A weak learner whose score is its first input column."""

    def get_params(self, deep=True):
        """Return no parameters."""
        return {}

    def fit(self, X, y, sample_weight=None):
        """Return self: nothing is learned."""
        return self

    def decision_function(self, X):
        """Return the first column."""
        return X[:, 0]


def link_explorer():
    """Choose the votes of one round of confidence-rated boosting (Paper 2, section 3).

    The left panel shows the votes k(h) of ten patients as a function of their weak scores h; the
    right panel shows each patient's term D exp(-y k) of the normalisation Z, which the round
    minimises. The reader's votes start at 0 and stay non-decreasing: a vote that is moved takes
    along the votes in its way. They are compared with the linear votes of `LinearAdaBoost` and the
    isotonic ones of `PAVAdaBoost`.

    Returns
    -------
    Explorable
        The figure, with all votes 0.

    See Also
    --------
    aucbook.PAVAdaBoost : The ranker.

    Examples
    --------
    >>> from aucbook.explore import link_explorer
    >>> link_explorer()
    <explorable: How confident should a vote be?>
    """
    n = H.size
    rounds = _rounds()
    Z_of_links = rounds[0, 0][1]
    chosen = 2
    left = Frame(46, 16, 298, 270, x=(-2.8, 2.8), y=(-2.3, 2.3))
    right = Frame(46, 16, 298, 270, x=(0.4, n + 0.6), y=(0, 0.5))
    data = {
        "h": H.tolist(),
        "ill": ILL.tolist(),
        "weights": WEIGHTS,
        "links": LINKS,
        "loudest": MAX_VOTE,
        "left": left.json(),
        "right": right.json(),
        "rounds": {f"{i},{t}": _packed(*rounds[i, t]) for i, t in rounds},
    }
    controls = [
        bar(pills("link", LINKS, "Votes")),
        slider("who", "Patient", 1, n, 1, chosen + 1, str(chosen + 1)),
        slider("times", "its weight", 0, len(WEIGHTS) - 1, 1, 0, "× 1"),
    ]
    sentence = (
        f"The loss of your votes is Z = <b>{fixed(1, 3)}</b>. For the best straight line through "
        f"zero it is <b>{fixed(Z_of_links[0], 3)}</b>: can you make it smaller?"
    )
    how = tag("span", "Drag a patient's vote up or down, or press the arrow keys.")
    key = tag(
        "span",
        tag("i", class_="ax-key", style="border:1.5px solid var(--ink)"),
        "weight D, the loss of a vote of 0",
    )
    return Explorable(
        "link",
        "How confident should a vote be?",
        [_votes_panel(left), _terms_panel(right)],
        controls,
        sentence,
        data,
        above=legend(key, how, pos="ill", neg="well"),
    )


def _votes_panel(frame):
    """Draw the patients at votes 0 by their weak scores."""
    return svg(
        "Votes by weak score",
        "Ten patients at their weak scores, on the curve of their votes, which begins level at 0.",
        frame.axes("weak score h", "vote k(h)", xticks=range(-2, 3), yticks=range(-2, 3)),
        frame.line([(-2.8, 0), (2.8, 0)], "guide"),
        frame.line([(-2.8, 0), (2.8, 0)], "curve"),
        *(
            tag(
                "g",
                tag("circle", class_="ring", r=15),
                mark("pos" if is_positive else "neg"),
                class_="case",
                data_i=i,
                transform=frame.translate(score, 0),
            )
            for i, (score, is_positive) in enumerate(zip(H, ILL))
        ),
        role="group",
        height=334,
    )


def _terms_panel(frame):
    """Draw the terms of Z, which are the weights while all votes are 0."""
    n = H.size
    weights = np.full(n, 1 / n)
    total = fixed(weights.sum(), 3)
    outline = "fill:none;stroke:var(--ink);stroke-width:1.5"
    return svg(
        "The loss of each patient",
        "Ten bars, the weight of each patient times the exponential of how wrong its vote is. "
        f"They add up to Z, at first {total}. Outlines show the weights.",
        frame.axes(
            "patient",
            "loss D exp(−y k)",
            xticks=range(1, n + 1),
            yticks=(0, 0.1, 0.2, 0.3, 0.4, 0.5),
            xgrid=[],
        ),
        *(
            tag(
                "path",
                d=_bar(frame, i, weight),
                class_="pos" if ILL[i] else "neg",
                style="stroke:none",
            )
            for i, weight in enumerate(weights)
        ),
        *(
            tag("path", d=_bar(frame, i, weight), class_="weight", style=outline)
            for i, weight in enumerate(weights)
        ),
        label(frame.x(n + 0.5), 34, f"Z = {total}", class_="strong big halo total", anchor="end"),
        height=334,
    )


def _rounds():
    """Return the round for all weights 1, and for each patient with each larger weight."""
    rounds = {(0, 0): link_round(np.ones(H.size))}
    for i in range(H.size):
        for t, weight in enumerate(WEIGHTS[1:], 1):
            w = np.ones(H.size)
            w[i] = weight
            rounds[i, t] = link_round(w)
    return rounds


def _packed(votes, Z):
    """Return a round in the script's form: a straight line by its ends, PAV's votes in full."""
    lines = [np.round(line[[0, -1]], 3).tolist() for line in votes[:2]]
    return [[*lines, np.round(votes[2], 3).tolist()], Z]


def link_round(w):
    """Return the votes of the linear and isotonic links on the grid, and the Z of each.

    `w` is (n,) weights of the patients.
    """
    from ...isotonic import LinearAdaBoost
    from ... import PAVAdaBoost

    models = (
        LinearAdaBoost(FirstColumn(), n_estimators=1),
        LinearAdaBoost(FirstColumn(), n_estimators=1, constant=True),
        PAVAdaBoost(FirstColumn(), n_estimators=1, clip=1 / (1 + np.exp(2 * MAX_VOTE))),
    )
    for model in models:
        model.fit(H[:, None], ILL, sample_weight=w)
    votes = [model.decision_function(GRID[:, None]) for model in models]
    Z = [round(float(model.history_["Z"][0]), 5) for model in models]
    return votes, Z


def _bar(frame, i, height):
    """Return the path of bar i."""
    left = frame.x(i + 0.65)
    right = frame.x(i + 1.35)
    bottom = frame.y(0)
    return f"M{left:.2f} {bottom:.2f}V{frame.y(height):.2f}H{right:.2f}V{bottom:.2f}"
