"""Explorable of the convex hull of the ROC curve as the result of pool adjacent violators."""

import numpy as np

from ..base import Explorable, Frame, fixed, legend, mark, slider, svg, tag

EXAMPLE = [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1]


def hull_explorer(y=None):
    """Show that PAV gives the convex hull of the ROC curve: change labels, and see both change.

    The left panel shows the patients in ascending order of their scores with the blocks of PAV; the
    right panel shows the ROC curve and its hull. Each block is one segment of the hull.

    Parameters
    ----------
    y : array of shape (n,), default None
        Labels 0 and 1 in ascending order of the scores, 2 <= n <= 20. None for twelve patients.

    Returns
    -------
    Explorable
        The figure, with these labels.

    Raises
    ------
    ValueError
        For other labels, or when one class is missing.

    See Also
    --------
    aucbook.pav : Isotonic regression.
    pav_explorer : Pool adjacent violators by hand.

    Examples
    --------
    >>> from aucbook.explore import hull_explorer
    >>> hull_explorer()
    <explorable: One pool, one piece of the hull>
    """
    from ..._validation.checks import check_labels
    from ... import pav
    from ... import roc_auc, roc_curve

    y = check_labels(EXAMPLE if y is None else y)[0].astype(int)
    n = y.size
    if n > 20:
        raise ValueError(f"y has {n} labels: this explorable shows 2 to 20")
    fit, curve = pav(y), roc_curve(y, np.arange(n))
    hull = curve.hull()
    cuts = [0, *(np.flatnonzero(np.diff(fit) > 1e-12) + 1).tolist(), n]
    blocks = list(zip(cuts, cuts[1:]))
    chosen = len(blocks) // 2
    left = Frame(46, 16, 298, 270, x=(0.4, n + 0.6), y=(-0.1, 1.1))
    right = Frame(60, 16, 270, 270)
    data = {"y": y.tolist(), "pool": chosen, "left": left.json(), "right": right.json()}

    def wrong(k):
        return " wrong" if k == chosen else ""

    corners = list(zip(hull.fpr, hull.tpr))
    chords = list(zip(corners, corners[1:]))[::-1]  # lowest scores first, like the pools
    panels = [
        svg(
            "Patients in order of their scores, and the pools",
            f"{n} patients, ill ones at height 1 and well ones at 0. Pooling gives {len(blocks)} "
            f"horizontal steps with probabilities {', '.join(fixed(fit[a]) for a, _ in blocks)}.",
            left.axes(
                "place in the order of scores",
                "probability",
                xticks=range(1, n + 1),
                yticks=(0, 0.2, 0.4, 0.6, 0.8, 1),
                xgrid=[],
            ),
            tag(
                "g",
                *(
                    left.line([(a + 0.62, fit[a]), (b + 0.38, fit[a])], "block" + wrong(k))
                    for k, (a, b) in enumerate(blocks)
                ),
                class_="blocks",
            ),
            *(
                tag(
                    "g",
                    tag("circle", class_="ring", r=15),
                    mark("pos" if v else "neg"),
                    class_="patient",
                    transform=f"translate({left.x(i + 1):.2f} {left.y(v):.2f})",
                )
                for i, v in enumerate(y)
            ),
            role="group",
            height=334,
        ),
        svg(
            "The ROC curve and its hull",
            f"A grey staircase under a concave hull of {len(blocks)} straight pieces, one for each "
            "pool, in reverse order.",
            right.axes("false positive rate", "true positive rate"),
            right.line([(0, 0), (1, 1)], "guide"),
            right.line(list(zip(curve.fpr, curve.tpr)), "level"),
            tag(
                "g",
                *(right.line(c, "chord" + wrong(k)) for k, c in enumerate(chords)),
                class_="chords",
            ),
            height=334,
        ),
    ]
    controls = [
        slider("pool", "Pool", 1, len(blocks), 1, chosen + 1, f"{chosen + 1}/{len(blocks)}")
    ]
    a, b = blocks[chosen]
    (x0, y0), (x1, y1) = chords[chosen]
    ill, m = int(y[a:b].sum()), int(y.sum())
    sentence = (
        f"Pool {chosen + 1}: {ill} of {b - a} ill, probability <b>{fixed(ill / (b - a))}</b>, odds "
        f"{_ratio(ill, b - a - ill)}. On the hull it is a piece of slope "
        f"<b>{_ratio(y1 - y0, x1 - x0)}</b>, the odds times {n - m}/{m}. AUC "
        f"<b>{fixed(roc_auc(y, np.arange(n)), 3)}</b>, under the hull "
        f"<b>{fixed(hull.auc(), 3)}</b>."
    )
    above = legend(
        tag("span", "Drag a patient up or down, or press the arrow keys."), pos="ill", neg="well"
    )
    return Explorable(
        "hull",
        "One pool, one piece of the hull",
        panels,
        controls,
        sentence,
        data,
        above=above,
        uses=["pool.js"],
    )


def _ratio(a, b):
    """Return a / b with two decimals, ∞ if b is 0."""
    return fixed(a / b) if b else "∞"
