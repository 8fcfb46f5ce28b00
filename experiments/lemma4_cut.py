"""Lemma 4 of Paper 1 with two rules for the cut: the largest J = TPR - FPR, or the largest agreement r = J / (1 + |p+ - p-|). Some minutes.

- AUCBoost, 100 rounds, on the TUNING splits of the development tables; only the choice of column and cut differs.
- Measured after 1, 10 and 100 rounds: Theorem 2's bound of the training AUC and the training AUC (answers="balanced", as the
  theorem has it). After 100 rounds, for "balanced" and "confidence": pAUC(0, .1), pAUC(0, .02) and the AUC of the test rows.
- The cuts of both rules are found by the same search, in NumPy, over all thresholds of all columns.
"""

import warnings

import numpy as np

from aucbook import AUCBoost
from aucbook.boosting.weak_rankers import FoundCut

from .development import MEASURES, TABLES, TUNING, judged, splits, table
from .store import store

PACKAGES = ()
ROUNDS = (1, 10, 100)


class RuleSearch:
    """The best cut of a single column, upright or upside down, by one of two rules.

    X : ndarray (n, d); rule : "J" or "r"
    """

    def __init__(self, X, rule):
        self.rule = rule
        values = [np.unique(column, return_inverse=True) for column in X.T]
        self.values = [v for v, _ in values]
        sizes = np.array([v.size for v in self.values])
        self.first = np.r_[0, np.cumsum(sizes)]
        self.codes = np.column_stack([codes.ravel() for _, codes in values]) + self.first[:-1]
        self.column = np.repeat(np.arange(X.shape[1]), sizes)
        self.lowest = np.isin(np.arange(self.column.size), self.first[:-1])

    def rates(self, signed):
        """(TPR, FPR) of the cut just below every value of every column."""
        each = []
        for weight in (np.maximum(signed, 0), np.maximum(-signed, 0)):
            flat = np.broadcast_to(weight[:, None], self.codes.shape).ravel()
            below = np.bincount(self.codes.ravel(), flat, self.column.size)
            before = np.cumsum(below) - below  # of all columns so far
            total = weight.sum()
            each.append(np.clip(total - (before - before[self.first[:-1]][self.column]), 0, 1))
        return each

    def __call__(self, y, signed, share):
        """A `FoundCut`, or None."""
        tpr, fpr = self.rates(signed)
        J = np.abs(tpr - fpr)
        agreement = J / (1 + np.abs(1 - tpr - fpr))
        worth = np.where(self.lowest, -1, J if self.rule == "J" else agreement)
        at = int(np.argmax(worth))
        if J[at] <= 1e-12:
            return None
        j = self.column[at]
        values, place = self.values[j], at - self.first[j]
        edge = (values[place - 1] + values[place]) / 2
        alarm = self.codes[:, j] >= at
        return FoundCut(int(j), float(edge), alarm, 0.0, (float(tpr[at]), float(fpr[at])))


class RuleBoost(AUCBoost):
    """AUCBoost whose cuts are chosen by the rule of its class."""

    rule = "J"

    def _search(self, X, rng):
        self.n_bins_ = None
        return RuleSearch(X, self.rule)


class AgreementBoost(RuleBoost):
    """The same by r."""

    rule = "r"


def one_split(X, y, train, test):
    """By rule: the bound and the training AUC after ROUNDS, and what the test rows say."""
    found = {}
    for kind in (RuleBoost, AgreementBoost):
        line = {}
        for answers in ("balanced", "confidence"):
            model = kind(n_estimators=max(ROUNDS), answers=answers, track_auc=True).fit(
                X[train], y[train]
            )
            line[answers] = [
                round(float(v), 4) for v in judged(y[test], model.decision_function(X[test]))
            ]
            if answers == "balanced":
                last = model.n_estimators_ - 1
                for name in ("bound", "auc"):
                    line[name] = [
                        round(float(model.history_[name][min(k - 1, last)]), 4) for k in ROUNDS
                    ]
        found[kind.rule] = line
    return found


def run():
    results, inputs = {}, {}
    for name in TABLES:
        X, y, inputs[name] = table(name)
        results[name] = []
        for train, test in splits(y, TUNING):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results[name].append(one_split(X, y, train, test))
        gain = np.mean(
            [np.subtract(s["r"]["bound"], s["J"]["bound"]) for s in results[name]], axis=0
        )
        print(name, "gain of the bound after", ROUNDS, "rounds:", gain.round(3), flush=True)
    store(
        "lemma4_cut",
        {"measures": list(MEASURES), "rounds": ROUNDS, "tables": results},
        seeds=[TUNING[0]],
        inputs=inputs,
        packages=PACKAGES,
    )
