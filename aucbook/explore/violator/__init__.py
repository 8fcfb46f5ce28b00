"""Explorable of two violating groups: the best non-decreasing predictions pool them."""

from ..base import Explorable, Frame, fixed, label, numbers, slider, svg, tag

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
    ill : sequence of two floats, default (6, 1)
        Number of positives in each group.
    patients : sequence of two floats, default (10, 5)
        Size of each group.
    predictions : sequence of two floats, default (0.1, 0.75)
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
    ill, patients, q = (
        numbers(v, k, 2)
        for v, k in ((ill, "ill"), (patients, "patients"), (predictions, "predictions"))
    )
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
    p, (wide, more) = ill / patients, patients
    frame = Frame(52, 16, 290, 250, x=(0, wide + more))
    ends = [(0.0, wide), (wide, wide + more)]
    error = float(patients @ (q - p) ** 2)
    who = [f"{a:g} ill of {b:g}" for a, b in zip(ill, patients)]

    def between(a, b):
        return {"y": frame.y(max(a, b)), "height": frame.y(min(a, b)) - frame.y(max(a, b))}

    def across(a, b):
        return {"x": frame.x(a), "width": frame.x(b) - frame.x(a)}

    panel = svg(
        "Two groups, the share of ill in each, and a prediction for each",
        f"Two bars as wide as their groups: the first stands at {fixed(p[0])} ({who[0]}), the "
        f"second, lower, at {fixed(p[1])} ({who[1]}). "
        f"A line across each bar is the prediction for its group, at {fixed(q[0])} and "
        f"{fixed(q[1])}; the first may not be above the second.",
        frame.axes("", "probability", xticks=(), xgrid=[]),
        *(
            tag("rect", class_="share", data_symbol="p", **across(*end), **between(0, float(v)))
            for end, v in zip(ends, p)
        ),
        *(
            tag("rect", class_="off", **across(*end), **between(float(v), float(u)))
            for end, v, u in zip(ends, p, q)
        ),
        *(
            tag("path", d=frame.path([(a, v), (b, v)]), class_="prediction", data_symbol="q")
            for (a, b), v in zip(ends, q)
        ),
        *(
            label(frame.x(sum(end) / 2), 284, words, class_="strong", anchor="middle")
            for end, words in zip(ends, who)
        ),
        label(frame.x((wide + more) / 2), 304, "lower scores first", anchor="middle"),
        height=312,
    )
    controls = [
        slider("first", "First prediction", 0, 1, 0.01, float(q[0]), fixed(q[0])),
        slider("second", "Second prediction", 0, 1, 0.01, float(q[1]), fixed(q[1])),
    ]
    return Explorable(
        "violator",
        "Two predictions that may not decrease",
        [panel],
        controls,
        f"Squared error <b>{fixed(error, 3)}</b>. There is a gap between the predictions.",
        {
            "ill": ill.tolist(),
            "patients": patients.tolist(),
            "q": q.tolist(),
            "frame": frame.json(),
        },
        above=tag("style", STYLE.strip())
        + tag(
            "div",
            "Orange is the error of a prediction. The first prediction may not be above the "
            "second.",
            class_="ax-legend",
        ),
    )
