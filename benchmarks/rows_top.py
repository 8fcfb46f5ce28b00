"""The head of a list and the honesty of its probabilities, a million rows at a time."""

import numpy as np
from sklearn.metrics import brier_score_loss, precision_recall_curve

import aucbook

from .compare import demand, equal
from .harness import row
from .rows import agree, sample


@row("precision_recall_curve / scikit-learn", 30, [10**6])
def precision(n):
    y, s, _ = sample(n)
    return agree(lambda: aucbook.precision_recall_curve(y, s), lambda: precision_recall_curve(y, s))


@row("precision_recall_curve / numpy.sort of the scores", 0.5, [10**6])
def precision_sort(n):
    y, s, _ = sample(n)

    def ours():
        return aucbook.precision_recall_curve(y, s)

    return ours, lambda: np.sort(s), equal(lambda: ours().thresholds, lambda: np.unique(s))


@row(
    "triptych: reliability, Murphy, ROC and Brier / roc_auc (goal: at most 3 times its time)",
    1 / 3,
    [10**6],
)
def honesty(n):
    y, _, p = sample(n)
    ours, peer = lambda: aucbook.triptych(y, p), lambda: aucbook.roc_auc(y, p)

    def compare():
        drawn = ours()
        said = equal(lambda: drawn.roc.auc(), peer, 1e-12)()
        parts = drawn.decomposition
        brier = parts.miscalibration - parts.discrimination + parts.uncertainty
        off = abs(brier - brier_score_loss(y, p))
        return demand(
            off <= 1e-12,
            f"area {said}; parts add up to scikit-learn's Brier score to within {off:.1g}",
        )

    return ours, peer, compare
