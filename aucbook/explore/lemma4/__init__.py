"""Explorable of Lemma 4: a randomised classifier with equal error rates from a weak ranker."""

import numpy as np

from ..cases import cases_of, roc_square
from ..base import Explorable, Frame, bar, fixed, label, slider, svg, tag


def lemma4_explorer(y=None, scores=None):
    """Turn a weak ranker into a classifier with equal error rates (Lemma 4 of Paper 1, Figure 1).

    The reader chooses a threshold, which gives the point (a) of the ROC curve, and then the
    probability of a coin that moves it along a straight line to (b), where both error rates are
    equal and at most 1/2 - (AUC - 1/2)/4. The figure starts without the coin.

    Parameters
    ----------
    y : array of shape (n,), default None
        Labels of two classes.
    scores : array of shape (n,), default None
        Finite scores of one weak ranker, for at most 60 cases. None, with y, for the quantiles of
        two shifted Gaussians.

    Returns
    -------
    Explorable
        The figure, without the coin.

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
    y, columns, words = cases_of(y, scores)
    if len(columns) != 1:
        raise ValueError(f"scores must be the scores of one ranker, got {len(columns)} columns")
    (s,) = columns.values()
    curve, auc = roc_curve(y, s), roc_auc(y, s)
    if auc <= 0.5:
        raise ValueError(
            f"Lemma 4 starts from a ranker better than chance, got an AUC of {auc:.3f}: try -scores"
        )
    m, n = int(y.sum()), int((1 - y).sum())
    K = len(curve.thresholds) - 1
    k = int(np.argmax(curve.tpr - curve.fpr))
    miss = 1 - curve.tpr[k]
    alarm = curve.fpr[k]
    gamma = auc - 0.5
    bound = 0.5 - gamma / 4
    square, axes = roc_square(words, m, n)
    bars = Frame(14, 60, 332, 150, x=(0, 1))
    data = {
        "fpr": curve.fpr.tolist(),
        "tpr": curve.tpr.tolist(),
        "thr": curve.thresholds[1:].tolist(),
        "auc": auc,
        "square": square.json(),
        "bars": bars.json(),
    }

    a, corner = (alarm, 1 - miss), (1.0, 1.0) if miss >= alarm else (0.0, 0.0)

    def at(p):
        return f"translate({square.x(p[0]):.2f} {square.y(p[1]):.2f})"

    def point(p, which, class_):
        return tag(
            "g",
            tag("circle", r=7, class_=class_),
            label(12, 16, f"({which})", class_="strong halo"),
            class_=f"point-{which}",
            transform=at(p),
        )

    left = svg(
        "ROC curve of a weak ranker, with the points (a) and (b)",
        f"The threshold gives point (a) at FPR {fixed(a[0])}, TPR {fixed(a[1])}. A coin would move "
        "it along a straight line from (a) to a corner; "
        f"on the falling diagonal both errors are equal.",
        axes,
        square.line([(0, 0), (1, 1)], "guide"),
        square.line([(0, 1), (1, 0)], "level"),
        label(square.x(0.97), square.y(0.09), "equal errors", class_="small halo", anchor="end"),
        square.line(list(zip(curve.fpr, curve.tpr)), "curve thin"),
        square.line([a, corner], "coin hidden"),
        point(a, "a", "solid"),
        point(a, "b", "here").replace("(b)", ""),
    )

    errors = [
        (68, f"{words[0]} cases missed", "pos", miss),
        (134, f"{words[1]} cases alarmed", "neg", alarm),
    ]

    facts = [
        ("AUC − ½", "gamma", fixed(gamma, 3)),
        ("height at (a): TPR − FPR", "J", fixed(curve.tpr[k] - curve.fpr[k], 3)),
        ("chance that evens the errors", "best", "?"),
        ("then both errors are", "epsilon", "?"),
        ("promised: ½ − (AUC − ½)/4", "bound", fixed(bound, 3)),
    ]
    right = svg(
        "The two errors and the promise",
        f"Missed {words[0]} cases {fixed(miss, 3)}, alarmed {words[1]} cases {fixed(alarm, 3)}; "
        f"equal errors are promised to be at most {fixed(bound, 3)}.",
        label(bars.x(bound), 20, f"promised {fixed(bound, 3)}", class_="strong", anchor="middle"),
        *(
            tag("rect", x=14, y=top, width=332, height=22, rx=3, class_="track")
            + tag(
                "rect",
                x=14,
                y=top,
                width=float(332 * share),
                height=22,
                rx=3,
                class_=f"{kind} {kind}-error",
                stroke_width=0,
            )
            for top, _, kind, share in errors
        ),
        tag("path", d=f"M{bars.x(bound):.2f} 28V172", class_="cutline"),
        *(
            label(14, top - 7, name, class_="halo")
            + label(346, top - 7, fixed(share, 3), class_=f"strong {kind}-value", anchor="end")
            for top, name, kind, share in errors
        ),
        *(
            label(14, 212 + 26 * i, name)
            + label(346, 212 + 26 * i, value, class_=f"strong {key}", anchor="end")
            for i, (name, key, value) in enumerate(facts)
        ),
    )
    controls = [
        slider("cut", "threshold", 0, K, 1, K - k, fixed(curve.thresholds[k])),
        slider("zeta", "coin", 0, 1, 0.01, 0, fixed(0, 3)),
        bar(
            tag(
                "label",
                '<input type="checkbox" name="even">',
                tag("span", "show me: keep the errors equal"),
                class_="ax-check",
            )
        ),
    ]
    sentence = (
        f"At (a) the threshold misses <b>{fixed(miss)}</b> and alarms <b>{fixed(alarm)}</b>. Can "
        "you make the two bars equal?"
    )
    return Explorable(
        "lemma4",
        "Make both errors equal",
        [left, right],
        controls,
        sentence,
        {**data, "words": words},
    )


def gaussian_quantiles():
    """Return labels and scores of 30 positives and 30 negatives at the quantiles of two Gaussians.

    Their means are 0.55 apart, and the positives have the larger variance.
    """
    from scipy.special import ndtri

    q = ndtri((np.arange(30) + 0.5) / 30)
    return np.repeat([1, 0], 30), np.round(np.r_[0.55 + 1.3 * q, q], 6)
