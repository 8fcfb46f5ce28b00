"""Explorable of Lemma 4: a randomised classifier with equal error rates from a weak ranker."""

import numpy as np

from ..cases import cases_of, class_counts, roc_square, single_column
from ..base import (
    Explorable,
    Frame,
    bar,
    checkbox,
    fixed,
    label,
    share_bar,
    slider,
    svg,
    tag,
    value_line,
)

MAX_THRESHOLDS = 200  # steps of the slider, at most


def lemma4_explorer(y=None, scores=None):
    """Turn a weak ranker into a classifier with equal error rates (Lemma 4 of Paper 1, Figure 1).

    The reader chooses a threshold, which gives the point (a) of the ROC curve, and then the
    probability of a coin that moves it along a straight line to (b), where both error rates are
    equal and at most 1/2 - (AUC - 1/2)/4. The figure starts without the coin.

    Parameters
    ----------
    y : array-like of shape (n,), default None
        Labels of two classes: numbers, bools or strings.
    scores : array-like of shape (n,), default None
        Finite scores of one weak ranker. None, with y, for the quantiles of two shifted Gaussians.

    Returns
    -------
    Explorable
        The figure, without the coin. It needs the curve alone, not single cases: of many
        thresholds it has some 200, among them the one of largest TPR - FPR. The AUC is that of all
        cases.

    Raises
    ------
    ValueError
        For unequal lengths, one class, NaN or infinite scores, more than one column, and an AUC of
        at most 1/2.

    See Also
    --------
    roc_explorer : The ROC curve and its threshold.
    aucbook.boosting : Rankers that are built from weak ones.

    Examples
    --------
    >>> from aucbook.explore import lemma4_explorer
    >>> lemma4_explorer()
    <explorable: Make both errors equal>
    """
    from ... import roc_auc, roc_curve

    if y is None and scores is None:
        y, scores = gaussian_quantiles()
        y = np.where(y == 1, "sick", "healthy")
    y, columns, class_names = cases_of(y, scores)
    s = single_column(columns)
    curve = _thinned(roc_curve(y, s))
    auc = roc_auc(y, s)
    if auc <= 0.5:
        raise ValueError(
            f"Lemma 4 starts from a ranker better than chance, got an AUC of {auc:.3f}: try -scores"
        )
    last = len(curve.thresholds) - 1
    k = int(np.argmax(curve.tpr - curve.fpr))
    miss = 1 - curve.tpr[k]
    alarm = curve.fpr[k]
    square, axes = roc_square(class_names, *class_counts(y))
    bars = Frame(14, 60, 332, 150, x=(0, 1))
    data = {
        "fpr": curve.fpr.tolist(),
        "tpr": curve.tpr.tolist(),
        "thr": curve.thresholds[1:].tolist(),
        "auc": auc,
        "square": square.json(),
        "bars": bars.json(),
        "words": class_names,
    }
    controls = [
        slider("cut", "threshold", 0, last, 1, last - k, fixed(curve.thresholds[k])),
        slider("zeta", "coin", 0, 1, 0.01, 0, fixed(0, 3)),
        bar(checkbox("even", "show me: keep the errors equal")),
    ]
    sentence = (
        f"At (a) the threshold misses <b>{fixed(miss)}</b> of the {class_names[0]} and gives a "
        f"false alarm to <b>{fixed(alarm)}</b> of the {class_names[1]}. Can you make the two bars "
        "equal?"
    )
    panels = [
        _roc_panel(square, axes, curve, miss, alarm),
        _errors_panel(bars, class_names, miss, alarm, auc),
    ]
    return Explorable("lemma4", "Make both errors equal", panels, controls, sentence, data)


def _thinned(curve):
    """Return at most about 200 points of a curve, evenly spaced along it, its best one included."""
    if curve.fpr.size <= MAX_THRESHOLDS:
        return curve
    along = curve.fpr + curve.tpr
    evenly = np.searchsorted(along, np.linspace(0, 2, MAX_THRESHOLDS))
    best = np.argmax(curve.tpr - curve.fpr)
    rows = np.unique(np.r_[evenly.clip(0, along.size - 1), best, along.size - 1])
    return curve._replace(
        fpr=curve.fpr[rows], tpr=curve.tpr[rows], thresholds=curve.thresholds[rows]
    )


def _roc_panel(square, axes, curve, miss, alarm):
    """Draw the ROC curve with point (a), and point (b), which the coin will move."""
    a = (alarm, 1 - miss)
    corner = (1.0, 1.0) if miss >= alarm else (0.0, 0.0)
    return svg(
        "ROC curve of a weak ranker, with the points (a) and (b)",
        f"The threshold gives point (a) at FPR {fixed(a[0])}, TPR {fixed(a[1])}. A coin would move "
        "it along a straight line from (a) to a corner; "
        "on the falling diagonal both errors are equal.",
        axes,
        square.line([(0, 0), (1, 1)], "guide"),
        square.line([(0, 1), (1, 0)], "level"),
        label(square.x(0.97), square.y(0.09), "equal errors", class_="small halo", anchor="end"),
        square.line(list(zip(curve.fpr, curve.tpr)), "curve thin"),
        square.line([a, corner], "coin hidden"),
        _point(square, a, "(a)", "point-a", "solid"),
        # the same place, without a name until the coin moves it
        _point(square, a, "", "point-b", "here"),
    )


def _point(square, point, name, group_class, class_):
    """Return the mark of a point of the ROC square with its name."""
    return tag(
        "g",
        tag("circle", r=7, class_=class_),
        label(12, 16, name, class_="strong halo"),
        class_=group_class,
        transform=square.translate(*point),
    )


def _errors_panel(bars, class_names, miss, alarm, auc):
    """Draw both error rates at the threshold, the bound, and the values of the lemma."""
    gamma = auc - 0.5
    bound = 0.5 - gamma / 4
    errors = [
        (68, f"{class_names[0]} cases missed", "pos", miss),
        (134, f"{class_names[1]} cases with a false alarm", "neg", alarm),
    ]
    values = [
        ("AUC − ½", "gamma", fixed(gamma, 3)),
        ("J at (a): TPR − FPR", "J", fixed(1 - miss - alarm, 3)),
        ("chance that evens the errors", "best", "?"),
        ("then both errors are", "epsilon", "?"),
        ("upper bound: ½ − (AUC − ½)/4", "bound", fixed(bound, 3)),
    ]
    return svg(
        "The two errors and their upper bound",
        f"Missed {class_names[0]} cases {fixed(miss, 3)}, alarmed {class_names[1]} cases "
        f"{fixed(alarm, 3)}; equal errors can be at most {fixed(bound, 3)}.",
        label(bars.x(bound), 20, f"at most {fixed(bound, 3)}", class_="strong", anchor="middle"),
        *(share_bar(top, 22, share, f"{kind} {kind}-error") for top, _, kind, share in errors),
        tag("path", d=f"M{bars.x(bound):.2f} 28V172", class_="cutline"),
        *(
            value_line(top - 7, name, fixed(share, 3), f"{kind}-value", name_class="halo")
            for top, name, kind, share in errors
        ),
        *(
            value_line(212 + 26 * i, name, value, key)
            for i, (name, key, value) in enumerate(values)
        ),
    )


def gaussian_quantiles():
    """Return labels and scores of 30 positives and 30 negatives at the quantiles of two Gaussians.

    Their means are 0.55 apart, and the positives have the larger variance.
    """
    from scipy.special import ndtri

    q = ndtri((np.arange(30) + 0.5) / 30)
    return np.repeat([1, 0], 30), np.round(np.r_[0.55 + 1.3 * q, q], 6)
