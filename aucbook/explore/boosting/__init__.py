"""Explorable of boosting by rounds: weights of the cases, the next stump, the sum."""

from dataclasses import dataclass

import numpy as np

from ..._validation.checks import reject_former_calls
from ..cases import cases_of, class_counts
from ..base import Explorable, Frame, bar, button, label, legend, mark, slider, svg, tag, ticks
from ..larger import MAX_CASES, lab_widget

SMALLEST_ERROR = 0.001  # of a round: a stump without an error has a finite vote


@reject_former_calls(n_rounds="n_estimators=")
def boosting_explorer(X=None, y=None, n_estimators=12):
    """Step through the rounds of AdaBoost with decision stumps on two measurements.

    The left panel shows the cases, sized by their weights, the stump of the round and the sum of
    the votes as a map. The right panel shows the training AUC of the sum after each round, and the
    lower bound that follows from the weighted errors of the stumps. The figure starts before the
    first round, where each class has half of the weight.

    Parameters
    ----------
    X : array-like of shape (n, 2), default None
        Finite measurements. None, with y, for forty points of `make_gauss2d`.
    y : array-like of shape (n,), default None
        Labels of two classes: numbers, bools or strings.
    n_estimators : int, default 12
        Largest number of rounds to show.

    Returns
    -------
    Explorable or LabWidget
        The figure, before the first round. For more than 60 cases `aucbook.lab.boosting`, which
        holds out a third of them and shows both curves.

    Raises
    ------
    ValueError
        For other shapes, one class, NaN or infinite values, and columns on which no stump is better
        than chance.

    See Also
    --------
    aucbook.AUCBoost : Boosting for the AUC, which balances each stump.
    aucbook.lab.boosting : AUCBoost on data of your own, with any number of columns.

    Examples
    --------
    >>> from aucbook.explore import boosting_explorer
    >>> boosting_explorer()
    <explorable: Boosting, round by round>
    """
    labels = y
    X, y, class_names = _checked(X, y)
    if y.size > MAX_CASES:
        return lab_widget("boosting", X, labels, n_estimators=n_estimators)
    stumps = adaboost_stumps(X, y, n_estimators)
    if not stumps:
        raise ValueError(
            "no split of either column is better than chance: there is nothing to boost"
        )
    n_rounds = len(stumps)
    margin = np.maximum(0.06 * np.ptp(X, axis=0), 1e-9)
    low = X.min(0) - margin
    high = X.max(0) + margin
    plane = Frame(46, 16, 298, 270, (low[0], high[0]), (low[1], high[1]))
    rounds = Frame(46, 16, 298, 270, (0, n_rounds), (0, 1))
    controls = [
        slider("round", "Round", 0, n_rounds, 1, 0, "0"),
        bar(
            button("back", "Back"), button("next", "Next round", main=True), button("play", "Play")
        ),
    ]
    # rounded, so that the page and its id do not depend on the processor
    cuts = [
        [stump.column, stump.edge, round(-stump.vote, 9), round(stump.vote, 9)] for stump in stumps
    ]
    losses = np.cumprod([2 * np.sqrt(stump.error * (1 - stump.error)) for stump in stumps])
    data = {
        "dots": [[a, b, 2 * int(label) - 1] for (a, b), label in zip(X.tolist(), y)],
        "cuts": cuts,
        "bound": [0.0, *(1 - losses).round(9).tolist()],
        "plane": plane.json(),
        "rounds": rounds.json(),
        "words": class_names,
        "axes": ["first", "second"],
    }
    return Explorable(
        "boosting",
        "Boosting, round by round",
        [_cases_panel(plane, X, y, class_names), _rounds_panel(rounds, n_rounds)],
        controls,
        "All cases of a class have the same weight. Where would you split, along either "
        "measurement, and which cases will then be on the wrong side?",
        data,
        above=legend(pos=class_names[0], neg=class_names[1]),
    )


@dataclass(frozen=True)
class Stump:
    """A rule with one split: the answer is `vote` from `edge` up, and −`vote` below.

    `error` is its share of the weight of its round.
    """

    column: int
    edge: float
    vote: float
    error: float


def adaboost_stumps(X, y, n_estimators):
    """Return AdaBoost's stumps, the one with the smallest weighted error in each round.

    X (n, d), y (n,) of 0 and 1. Each class begins with half of the weight. Boosting ends when no
    stump is better than chance.
    """
    sign = np.where(y, 1.0, -1.0)
    weights = 0.5 / np.where(y, np.sum(y), np.sum(1 - y))
    edges = [
        (column, edge)
        for column in range(X.shape[1])
        for edge in _midpoints(np.unique(X[:, column]))
    ]
    answers = np.array([np.where(X[:, column] >= edge, 1.0, -1.0) for column, edge in edges])
    stumps = []
    for _ in range(n_estimators):
        agreement = answers @ (weights * sign)
        # rounded: of equally good stumps the first one, on every processor
        best = int(np.argmax(np.abs(agreement).round(9)))
        error = max((1 - abs(agreement[best])) / 2, SMALLEST_ERROR)
        if error > 0.5 - 1e-9:
            break
        vote = np.sign(agreement[best]) * np.log((1 - error) / error) / 2
        stumps.append(Stump(*edges[best], vote=float(vote), error=float(error)))
        weights = weights * np.exp(-vote * sign * answers[best])
        weights /= weights.sum()
    return stumps


def _midpoints(values):
    """Return the numbers midway between neighbours of sorted values."""
    return ((values[:-1] + values[1:]) / 2).tolist()


def _checked(X, y):
    """Return the checked cases, two columns and labels, with the names of the classes."""
    if X is None and y is None:
        from ...theory import make_gauss2d

        X, y = make_gauss2d(40, random_state=0)
    y, columns, class_names = cases_of(y, X)
    if len(columns) != 2:
        raise ValueError(f"X must have two columns to be drawn, got {len(columns)}")
    X = np.column_stack(list(columns.values()))
    if not np.ptp(X, axis=0).any():
        raise ValueError("both columns are constant: there is nothing to split")
    return X, y, class_names


def _cases_panel(plane, X, y, class_names):
    """Draw the cases by their two measurements."""
    m, n = class_counts(y)
    (x0, x1) = plane.xlim
    (y0, y1) = plane.ylim
    marks = [
        mark("pos" if is_positive else "neg", class_="who", transform=plane.translate(*row))
        for row, is_positive in zip(X, y)
    ]
    return svg(
        "Two measurements of every case",
        f"{m} {class_names[0]} cases as discs, {n} {class_names[1]} cases as "
        "squares. Their size is their weight; all begin equal. "
        "Each round adds a straight line, the split, and darkens the side with the higher vote.",
        tag("g", class_="map"),
        plane.axes("first measurement", "second measurement", ticks(x0, x1), ticks(y0, y1), (), ()),
        tag("path", d="", class_="cutline"),
        "".join(marks),
    )


def _rounds_panel(rounds, n_estimators):
    """Draw the axes of the training AUC by rounds, and its first point."""
    step = max(1, n_estimators // 6)
    return svg(
        "AUC of the sum, round by round",
        "The area under the curve of the sum of all votes so far, after each round, and "
        "below it, dashed, its lower bound.",
        rounds.axes("round", "AUC of the sum", range(0, n_estimators + 1, step)),
        tag("path", d="", class_="level bound", stroke_dasharray="4 4"),
        label(rounds.x(0), rounds.y(0), "", class_="halo bound-name"),
        tag("path", d="", class_="curve rise"),
        rounds.circle(0, 0.5, 5, "solid now"),
        label(rounds.x(0) + 10, rounds.y(0.5) + 4, "0.500", class_="strong halo auc"),
    )
