"""What a row compares before it is timed. Each function returns `compare`: words that say what was found, or `DifferentResultsError`."""

import numpy as np
from sklearn.metrics import roc_auc_score

from .harness import DifferentResultsError


def demand(holds, words):
    """The words, if it holds."""
    if not holds:
        raise DifferentResultsError(words)
    return words


def parts(result):
    """A result as a list of float arrays."""
    return [
        np.asarray(part, dtype=float)
        for part in (result if isinstance(result, (tuple, list)) else (result,))
    ]


def equal(ours, peer, tolerance=1e-9):
    """The numbers of both sides, each within `tolerance` (a share of the larger one from 1 on): sums of doubles in another order."""

    def compare():
        a, b = parts(ours()), parts(peer())
        demand(
            [x.shape for x in a] == [x.shape for x in b],
            f"shapes {[x.shape for x in a]} and {[x.shape for x in b]}",
        )
        worst = 0.0
        for x, y in zip(a, b):
            differ = x != y  # infinite thresholds are equal
            x, y = x[differ], y[differ]
            worst = float(
                np.max(abs(x - y) / np.maximum(1.0, abs(y)), initial=worst)
            )  # NaN stays NaN
        return demand(worst <= tolerance, f"equal to within {worst:.1g}, allowed {tolerance:g}")

    return compare


def scores_of(model, X):
    """Scores of a fitted classifier."""
    return (
        model.decision_function(X)
        if hasattr(model, "decision_function")
        else model.predict_proba(X)[:, 1]
    )


def as_accurate(ours, peer, X, y, within, metric=roc_auc_score, name="test AUC"):
    """Both sides return a fitted model: ours ranks fresh rows as well as the peer's, less `within` at most."""

    def compare():
        a, b = (metric(y, scores_of(fit(), X)) for fit in (ours, peer))
        return demand(a >= b - within, f"{name} {a:.4f}, peer {b:.4f}, allowed {within:g} less")

    return compare
