"""Explorable of the most violated ordering of one positive: how many negatives to rank above it."""

import numpy as np

from ..base import Explorable, Frame, fixed, label, legend, mark, numbers, slider, svg, tag, task

HEALTHY = [1.2, 0.8, 0.1, -1.0]
TASK = (
    "One sick patient. Put healthy ones above, highest score first. Each adds its points and "
    "subtracts the margin, the sick patient's score minus its own. Which value is the largest?"
)


def opponent_explorer(sick=0.9, points=(1, 1, 0, 0)):
    """Find the most violated ordering for one positive patient.

    The reader places the negatives above the positive, highest score first. Each adds its loss
    points and subtracts the margin, the positive's score minus its own; the ordering with the
    largest total is the most violated constraint of the structural SVM.

    Parameters
    ----------
    sick : float, default 0.9
        Score of the positive patient.
    points : array-like of shape (4,), default (1, 1, 0, 0)
        Loss of ranking each of the four negatives above the positive.

    Returns
    -------
    Explorable
        The figure, with no negative above.

    Raises
    ------
    ValueError
        Unless there are four finite points and a finite score.

    See Also
    --------
    violated_explorer : The same for several positives and any range of the ROC curve.
    aucbook.pauc.most_violated_ordering : The algorithm.

    Examples
    --------
    >>> from aucbook.explore import opponent_explorer
    >>> opponent_explorer()
    <explorable: How many above?>
    """
    points = numbers(points, "points", len(HEALTHY))
    (sick,) = numbers([sick], "sick")
    totals = np.r_[0, np.cumsum(points + HEALTHY - sick)]
    low = min(-1.0, float(np.floor(totals.min())))
    high = max(2.5, float(np.ceil(2 * totals.max()) / 2))
    frame = Frame(46, 96, 300, 190, x=(0, 4), y=(low, high))
    places = [66 + 60 * i for i in range(5)]
    data = {
        "sick": float(sick),
        "healthy": HEALTHY,
        "points": points.tolist(),
        "frame": frame.json(),
        "places": places,
    }
    panel = svg(
        "One ordering, and its value",
        "A row of five patients, the top of the order first: the sick one and four healthy ones. "
        "Below, a dot for the value of the ordering with 0 to 4 healthy patients above; the dots "
        "appear as they are tried.",
        *_patients(places, sick, points),
        label(places[0] - 40, 82, "top of the ordering first", class_="small"),
        frame.axes(
            "healthy patients put above",
            "points minus margins",
            xticks=range(5),
            yticks=range(int(np.ceil(low)), int(high) + 1),
            xgrid=[],
            ygrid=[0],
        ),
        tag("path", class_="sums", d="", data_symbol="P"),
        *(
            frame.circle(i, total, 5, "dot hidden" if i else "dot")
            for i, total in enumerate(totals)
        ),
        frame.circle(0, 0, 8, "here", data_symbol="r"),
        height=334,
    )
    controls = [slider("above", "Healthy above", 0, 4, 1, 0, "0")]
    zero = fixed(0, 1)
    sentence = f"No one above: the value is <b>{zero}</b>. Largest so far: {zero}."
    above = task(TASK) + legend(pos="sick", neg="healthy")
    return Explorable("opponent", "How many above?", [panel], controls, sentence, data, above=above)


def _patients(places, sick, points):
    """Return the marks of the negatives with their loss points, and that of the positive."""
    marks = [
        tag(
            "g",
            mark("neg"),
            label(0, 26, fixed(score, 1), class_="small", anchor="middle"),
            label(
                0,
                -14,
                f"{loss:g} point" + ("" if loss == 1 else "s"),
                class_="small",
                anchor="middle",
            ),
            class_="healthy",
            transform=f"translate({place} 38)",
        )
        for place, score, loss in zip(places[1:], HEALTHY, points)
    ]
    positive = tag(
        "g",
        mark("pos"),
        label(0, 26, fixed(sick, 1), class_="small strong", anchor="middle"),
        class_="ill",
        transform=f"translate({places[0]} 38)",
        data_symbol="s",
    )
    return [*marks, positive]
