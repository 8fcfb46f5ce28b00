"""Explorable of a linear score of two tests and its partial AUC at low false positive rates."""

from math import cos, radians, sin

import numpy as np

from ..base import Explorable, Frame, label, legend, mark, slider, svg, tag, task

# Ten positives, then thirty negatives: test A separates most of them, but three of the negatives
# have its highest values; test B is less accurate.
SICK = 10
# fmt: off
TEST_A = [
    6.6, 6.3, 7.0, 5.8, 7.2, 6.1, 5.5, 6.8, 6.4, 5.9,
    9.3, 8.8, 8.1, 5.0, 4.6, 5.2, 4.1, 3.8, 4.4, 3.5,
    4.7, 3.0, 3.3, 4.9, 2.8, 4.2, 3.6, 2.5, 3.9, 3.1,
    2.2, 4.5, 3.4, 2.7, 4.0, 2.0, 3.7, 2.9, 4.3, 2.4,
]
TEST_B = [
    6.6, 4.0, 6.1, 6.8, 4.3, 6.2, 6.4, 3.8, 5.2, 6.7,
    3.9, 4.4, 3.0, 5.0, 5.3, 3.6, 5.2, 2.9, 4.1, 4.8,
    3.3, 4.5, 5.4, 3.9, 4.7, 3.0, 4.2, 5.1, 2.8, 3.7,
    3.5, 2.5, 4.6, 4.0, 4.9, 4.3, 2.6, 5.0, 3.4, 5.3,
]
# fmt: on
AFFORDABLE = 3  # false alarms, a tenth of the negatives: the partial-AUC range
CENTRE = (5.5, 5.0)
TASK = (
    "Turn the arrow: drag it, or move the slider. People are ranked along it. Filled marks are "
    "alarmed; the line is drawn where three healthy people are. Can you beat 0.60?"
)


def turn_explorer(angle=45):
    """Turn the direction of a linear score of two tests to maximise the partial AUC.

    The partial AUC is that up to three false alarms among thirty negatives.

    Parameters
    ----------
    angle : float, default 45
        Where the direction starts, in degrees from -180 to 180; at 0 the score is test A, at 90
        test B.

    Returns
    -------
    Explorable
        The interactive figure.

    Raises
    ------
    ValueError
        For any other angle.

    See Also
    --------
    aucbook.partial_auc : The measure.
    aucbook.PartialAUCSVM : A linear score of largest partial AUC.
    bowl_explorer : Its surrogate loss on the same data.

    Examples
    --------
    >>> from aucbook.explore import turn_explorer
    >>> turn_explorer()
    <explorable: Turn the line>
    """
    if not (np.ndim(angle) == 0 and -180 <= angle <= 180):
        raise ValueError(f"angle must lie between -180 and 180 degrees, got {angle!r}")
    people = Frame(46, 14, 270, 240, x=(1, 10), y=(1, 9))
    square = Frame(46, 14, 240, 240)
    w = np.array([cos(radians(angle)), sin(radians(angle))])
    scores = np.c_[TEST_A, TEST_B] @ w
    margin = scores[:SICK, None] - np.sort(scores[SICK:])[::-1][:AFFORDABLE]
    partial_auc = (margin > 1e-9).mean() + (abs(margin) <= 1e-9).mean() / 2
    data = {
        "a": TEST_A,
        "b": TEST_B,
        "sick": SICK,
        "k": AFFORDABLE,
        "centre": CENTRE,
        "people": people.json(),
        "square": square.json(),
    }
    controls = [slider("angle", "Angle", -180, 180, 1, angle, f"{angle:g}°")]
    sentence = (
        f"In the first tenth <b>{_two_decimals(partial_auc)}</b> of the pairs are right. "
        f"The best so far is {_two_decimals(partial_auc)}, at {angle:g}°."
    )
    panels = [_people_panel(people, scores), _roc_panel(square, scores)]
    above = task(TASK) + legend(pos="sick", neg="healthy")
    return Explorable("turn", "Turn the line", panels, controls, sentence, data, above=above)


def _people_panel(frame, scores):
    """Draw the people by their two tests; those above the threshold are filled."""
    negatives = np.sort(scores[SICK:])[::-1]
    threshold = (negatives[AFFORDABLE - 1] + negatives[AFFORDABLE]) / 2
    marks = [
        mark(
            "pos" if i < SICK else "neg",
            "" if scores[i] > threshold else "out",
            transform=f"{frame.translate(a, b)} scale(.75)",
        )
        for i, (a, b) in enumerate(zip(TEST_A, TEST_B))
    ]
    return svg(
        "Forty people by two tests, and a direction",
        "Ten sick people, most of them high on both tests; three healthy people far out on "
        "test A; the other healthy ones lower. An arrow shows the direction of the score.",
        frame.axes("test A", "test B", xticks=range(2, 11, 2), yticks=range(2, 9, 2)),
        tag("path", class_="alarm cutline", d=""),
        *marks,
        tag("path", class_="arrow curve", d="", data_symbol="w"),
        tag("circle", r=7, class_="here tip", data_symbol="w"),
        height=300,
        width=330,
    )


def _roc_panel(square, scores):
    """Draw the ROC curve of the score with the range of the partial AUC."""
    thresholds = [np.inf, *np.sort(scores[SICK:])[::-1]]
    curve = [(k / 30, (scores[:SICK] > v).mean()) for k, v in enumerate(thresholds)]
    return svg(
        "The ROC curve of the score",
        "The true positive rate against the false positive rate; the first tenth of the axis, "
        "three of thirty healthy people, is shaded.",
        tag("rect", x=square.x(0), y=14, width=24, height=240, class_="strip"),
        square.axes("false positive rate", "true positive rate"),
        square.line(curve, "roc curve"),
        label(square.x(0.14), square.y(0.05), "the first tenth", class_="small halo"),
        height=300,
        width=300,
    )


def _two_decimals(share):
    """Round to two decimals, halves up, as the script does."""
    return f"{np.floor(share * 100 + 0.5 + 1e-9) / 100:.2f}"
