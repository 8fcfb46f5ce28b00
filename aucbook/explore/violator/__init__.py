"""Explorable of two violating groups: the best non-decreasing predictions pool them."""

from ..base import Explorable, Frame, fixed, label, legend, numbers, slider, svg, tag

STYLE = """
.ax svg .share{fill:var(--blue-wash);stroke:var(--grey);stroke-width:1}
.ax svg .off{fill:var(--orange);fill-opacity:.4;stroke:none}
.ax svg .prediction{fill:none;stroke:var(--blue);stroke-width:5;stroke-linecap:round}
"""


def violator_explorer(ill=(6, 1), patients=(10, 5), *, predictions=(0.1, 0.75)):
    """Find the non-decreasing predictions for two violating groups with the smallest squared error.

    The first group, with lower scores, has the larger share of positives. Bars are as wide as
    their groups are large, and orange areas are the errors of the predictions. A prediction that
    meets the other moves it along.

    Parameters
    ----------
    ill : array-like of shape (2,), default (6, 1)
        Number of positives in each group.
    patients : array-like of shape (2,), default (10, 5)
        Size of each group.
    predictions : array-like of shape (2,), default (0.1, 0.75)
        The two predicted probabilities at first.

    Returns
    -------
    Explorable
        The figure, with these predictions.

    Raises
    ------
    ValueError
        Unless both groups have patients, the share of positives does not increase from the first
        to the second, and the predictions do not decrease.

    See Also
    --------
    pav_explorer : Pool adjacent violators on a whole sequence.

    Examples
    --------
    >>> from aucbook.explore import violator_explorer
    >>> violator_explorer()
    <explorable: Two predictions that may not decrease>
    """
    ill, patients, q = _checked(ill, patients, predictions)
    shares = ill / patients
    frame = Frame(52, 16, 290, 250, x=(0, patients.sum()))
    error = float(patients @ (q - shares) ** 2)
    controls = [
        slider("first", "First prediction", 0, 1, 0.01, float(q[0]), fixed(q[0])),
        slider("second", "Second prediction", 0, 1, 0.01, float(q[1]), fixed(q[1])),
    ]
    data = {
        "ill": ill.tolist(),
        "patients": patients.tolist(),
        "q": q.tolist(),
        "frame": frame.json(),
    }
    how = legend(
        "Orange is the error of a prediction. The first prediction may not be above the second."
    )
    return Explorable(
        "violator",
        "Two predictions that may not decrease",
        [_panel(frame, ill, patients, q)],
        controls,
        f"Squared error <b>{fixed(error, 3)}</b>. There is a gap between the predictions.",
        data,
        above=tag("style", STYLE.strip()) + how,
    )


def _checked(ill, patients, predictions):
    """Return the counts of both groups and their predictions, checked."""
    ill = numbers(ill, "ill", 2)
    patients = numbers(patients, "patients", 2)
    q = numbers(predictions, "predictions", 2)
    if patients.min() <= 0 or ill.min() < 0 or (ill > patients).any():
        raise ValueError("each group must have patients, and no more ill ones than patients")
    if ill[0] * patients[1] < ill[1] * patients[0]:
        raise ValueError(
            "the first group must have the larger share of ill: these two groups are in order"
        )
    if not 0 <= q[0] <= q[1] <= 1:
        raise ValueError(
            f"predictions must not decrease, and must lie between 0 and 1, got {q.tolist()}"
        )
    return ill, patients, q


def _panel(frame, ill, patients, q):
    """Draw the groups with their shares of positives, the predictions and their errors."""
    shares = (ill / patients).tolist()
    q = q.tolist()
    total = frame.xlim[1]
    ends = [(0.0, patients[0]), (patients[0], total)]
    names = [f"{a:g} ill of {b:g}" for a, b in zip(ill, patients)]
    return svg(
        "Two groups, the share of ill in each, and a prediction for each",
        f"Two bars as wide as their groups: the first stands at {fixed(shares[0])} ({names[0]}), "
        f"the second, lower, at {fixed(shares[1])} ({names[1]}). "
        f"A line across each bar is the prediction for its group, at {fixed(q[0])} and "
        f"{fixed(q[1])}; the first may not be above the second.",
        frame.axes("", "probability", xticks=(), xgrid=[]),
        *(
            tag("rect", class_="share", data_symbol="p", **_rectangle(frame, end, 0, share))
            for end, share in zip(ends, shares)
        ),
        *(
            tag("rect", class_="off", **_rectangle(frame, end, share, prediction))
            for end, share, prediction in zip(ends, shares, q)
        ),
        *(
            tag("path", d=frame.path([(a, v), (b, v)]), class_="prediction", data_symbol="q")
            for (a, b), v in zip(ends, q)
        ),
        *(
            label(frame.x(sum(end) / 2), 284, name, class_="strong", anchor="middle")
            for end, name in zip(ends, names)
        ),
        label(frame.x(total / 2), 304, "lower scores first", anchor="middle"),
        height=312,
    )


def _rectangle(frame, ends, a, b):
    """Return the attributes of a rectangle between two horizontal and two vertical values."""
    left, right = ends
    top = frame.y(max(a, b))
    return {
        "x": frame.x(left),
        "width": frame.x(right) - frame.x(left),
        "y": top,
        "height": frame.y(min(a, b)) - top,
    }
