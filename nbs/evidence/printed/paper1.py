"""Paper 1, Long and Servedio: what it prints are promises."""

from functools import lru_cache

import numpy as np
from sklearn.datasets import load_breast_cancer

from aucbook import AUCBoost, roc_auc
from aucbook.boosting.weak_rankers import two_sided

from .row import EXACT, Row

# A row reads as a row.
# fmt: off
ROWS = []


def lemma4(p, q):
    "Difference of the two errors, and excess over 1/2 - gamma/4"
    below, above, r = two_sided(p, q)              # answers are means of a coin that says -1 or 1
    miss = p * (1 - below) / 2 + (1 - p) * (1 - above) / 2
    alarm = (1 - q) * (1 + below) / 2 + q * (1 + above) / 2
    gamma = (1 - p - q) / 2                        # a curve with this corner has an AUC of at least 1/2 + gamma
    return abs(miss - alarm), (1 - r) / 2 - (1 / 2 - gamma / 4)


@lru_cache
def lemma4_worst():
    pairs = ((i / 100, j / 100) for i in range(101) for j in range(100 - i))
    return np.max([lemma4(p, q) for p, q in pairs], axis=0).round(12)


steps = "all pairs of errors in steps of .01"
ROWS += [
    Row("p1-lemma4-equal", "Lemma 4", "difference of the errors on the two classes", 0,
        lambda: lemma4_worst()[0], EXACT, "rounding", steps, chapter="lessons/aucboost", kind="consistency"),
    Row("p1-lemma4-bound", "Lemma 4", "error minus its bound 1/2 − γ/4, at most", 0,
        lambda: lemma4_worst()[1], EXACT, "a bound", steps, relation="≤", chapter="lessons/aucboost",
        kind="consistency")]


def theorem2():
    data = load_breast_cancer()
    X, y = data.data, 1 - data.target
    model = AUCBoost(n_estimators=60, answers="balanced", n_bins=None).fit(X, y)
    auc = [roc_auc(y, np.sign(m)) for m in model.staged_decision_function(X)]
    return float(np.min(auc - model.history_["bound"]))


ROWS += [
    Row("p1-theorem2", "Theorem 2", "training AUC of the vote minus the promise, at least", 0,
        theorem2, EXACT, "a bound", "breast cancer, 60 rounds", relation="≥", chapter="lessons/aucboost",
        kind="consistency"),
    Row("p1-figures", "Figures 1 and 2", "drawings of a curve and of a branching program", None,
        chapter="lessons/martirank")]
