"""Explorable of the convex hull of the ROC curve as the result of pool adjacent violators."""

import numpy as np

from ..base import Explorable, Frame, fixed, legend, mark, slider, svg, tag
from ..larger import lab_widget

EXAMPLE = [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1]
MAX_LABELS = 20  # that can be dragged one by one


def hull_explorer(y=None):
    """Show that PAV gives the convex hull of the ROC curve: change labels, and see both change.

    The left panel shows the patients in ascending order of their scores with the blocks of PAV; the
    right panel shows the ROC curve and its hull. Each block is one segment of the hull.

    Parameters
    ----------
    y : array-like of shape (n,), default None
        Labels of two classes in ascending order of the scores. None for twelve patients.

    Returns
    -------
    Explorable or LabWidget
        The figure, with these labels. For more than 20 `aucbook.lab.roc` of two scores: the place
        in the order, and the values of PAV, whose curve is the hull and whose thresholds are its
        blocks.

    Raises
    ------
    ValueError
        For other labels, or when one class is missing.

    See Also
    --------
    aucbook.pav : Isotonic regression.
    aucbook.lab.calibration : The blocks of PAV for probabilities of your own.
    pav_explorer : Pool adjacent violators by hand.

    Examples
    --------
    >>> from aucbook.explore import hull_explorer
    >>> hull_explorer()
    <explorable: One pool, one piece of the hull>
    """
    from ..._validation.checks import check_labels
    from ... import pav, roc_auc, roc_curve

    labels = EXAMPLE if y is None else y
    y = check_labels(labels)[0].astype(int)
    n = y.size
    fit = pav(y)
    if n > MAX_LABELS:
        return lab_widget("roc", labels, {"place in the order": np.arange(n), "blocks of PAV": fit})
    curve = roc_curve(y, np.arange(n))
    hull = curve.hull()
    starts = np.flatnonzero(np.diff(fit) > 1e-12) + 1
    ends = [0, *starts.tolist(), n]
    blocks = list(zip(ends, ends[1:]))
    corners = list(zip(hull.fpr, hull.tpr))
    # lowest scores first, like the blocks
    chords = list(zip(corners, corners[1:]))[::-1]
    chosen = len(blocks) // 2
    left = Frame(46, 16, 298, 270, x=(0.4, n + 0.6), y=(-0.1, 1.1))
    right = Frame(60, 16, 270, 270)
    data = {"y": y.tolist(), "pool": chosen, "left": left.json(), "right": right.json()}
    panels = [
        _patients_panel(left, y, fit, blocks, chosen),
        _hull_panel(right, curve, chords, chosen),
    ]
    controls = [
        slider("pool", "Pool", 1, len(blocks), 1, chosen + 1, f"{chosen + 1}/{len(blocks)}")
    ]
    a, b = blocks[chosen]
    (x0, y0), (x1, y1) = chords[chosen]
    n_ill = int(y[a:b].sum())
    n_positives = int(y.sum())
    sentence = (
        f"Pool {chosen + 1}: {n_ill} of {b - a} ill, probability <b>{fixed(n_ill / (b - a))}</b>, "
        f"odds {_ratio(n_ill, b - a - n_ill)}. On the hull it is a piece of slope "
        f"<b>{_ratio(y1 - y0, x1 - x0)}</b>, the odds times {n - n_positives}/{n_positives}. AUC "
        f"<b>{fixed(roc_auc(y, np.arange(n)), 3)}</b>, under the hull "
        f"<b>{fixed(hull.auc(), 3)}</b>."
    )
    how = tag("span", "Drag a patient up or down, or press the arrow keys.")
    return Explorable(
        "hull",
        "One pool, one piece of the hull",
        panels,
        controls,
        sentence,
        data,
        above=legend(how, pos="ill", neg="well"),
        uses=["pool.js"],
    )


def _state(k, chosen):
    """Return the class that marks the chosen block."""
    return " wrong" if k == chosen else ""


def _patients_panel(frame, y, fit, blocks, chosen):
    """Draw the labels in the order of the scores, and the blocks of the isotonic fit."""
    return svg(
        "Patients in order of their scores, and the pools",
        f"{y.size} patients, ill ones at height 1 and well ones at 0. Pooling gives {len(blocks)} "
        f"horizontal steps with probabilities {', '.join(fixed(fit[a]) for a, _ in blocks)}.",
        frame.axes(
            "place in the order of scores",
            "probability",
            xticks=range(1, y.size + 1),
            yticks=(0, 0.2, 0.4, 0.6, 0.8, 1),
            xgrid=[],
        ),
        tag(
            "g",
            *(
                frame.line([(a + 0.62, fit[a]), (b + 0.38, fit[a])], "block" + _state(k, chosen))
                for k, (a, b) in enumerate(blocks)
            ),
            class_="blocks",
        ),
        *(
            tag(
                "g",
                tag("circle", class_="ring", r=15),
                mark("pos" if is_positive else "neg"),
                class_="patient",
                transform=frame.translate(i, is_positive),
            )
            for i, is_positive in enumerate(y, 1)
        ),
        role="group",
        height=334,
    )


def _hull_panel(frame, curve, chords, chosen):
    """Draw the ROC curve and its hull, one chord for each block."""
    return svg(
        "The ROC curve and its hull",
        f"A grey staircase under a concave hull of {len(chords)} straight pieces, one for each "
        "pool, in reverse order.",
        frame.axes("false positive rate", "true positive rate"),
        frame.line([(0, 0), (1, 1)], "guide"),
        frame.line(list(zip(curve.fpr, curve.tpr)), "level"),
        tag(
            "g",
            *(frame.line(chord, "chord" + _state(k, chosen)) for k, chord in enumerate(chords)),
            class_="chords",
        ),
        height=334,
    )


def _ratio(a, b):
    """Return a / b with two decimals, ∞ if b is 0."""
    return fixed(a / b) if b else "∞"
