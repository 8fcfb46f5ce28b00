"""One cycle over many scores beside as many isotonic regressions of data that are sorted already; the additive ranker beside EBM."""

import numpy as np
from scipy.optimize import isotonic_regression

from aucbook import AdditiveRanker
from aucbook.isotonic.curves import CurveSum, value_codes

from .compare import as_accurate, equal
from .harness import row


@row("one cycle over 20 scores / 20 x SciPy isotonic_regression, presorted", 1 / 2, [10**5])
def cycle(n):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 20)) + 0.3 * y[:, None]
    sorts = [value_codes(column, y) for column in X.T]

    def start(columns):
        return CurveSum(
            [sorts[j] for j in columns], [np.array([1])] * len(columns), y, np.ones(n), 1 / n
        )

    model = start(range(20))

    def first_curve():
        """The first refit of one column alone: its curve is half the log-odds of the pools, (n,) shares in order."""
        alone = start([0])
        alone.refit(0)
        return (lambda odds: odds**2 / (1 + odds**2))(alone.odds[0].ravel())

    def pools():
        order = np.argsort(X[:, 0])  # normal scores have no ties
        return np.clip(isotonic_regression(y[order] * 1.0).x, 1 / n, 1 - 1 / n)

    presorted = [(y[order] * 1.0, rng.uniform(0.5, 2, n)) for order in np.argsort(X, axis=0).T]
    return (
        lambda: [model.refit(j) for j in range(20)],
        lambda: [isotonic_regression(labels, weights=w) for labels, w in presorted],
        equal(first_curve, pools),
    )


@row("AdditiveRanker() fit / ExplainableBoostingClassifier(interactions=0)", 25, [3000, 20_000])
def additive(n):
    from interpret.glassbox import ExplainableBoostingClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(n + 10_000, 12))
    logit = X[:, 0] + np.abs(X[:, 1]) + np.where(X[:, 2] > 1, 2, 0) + np.sin(2 * X[:, 3]) - 2
    y = (logit + rng.logistic(size=len(X)) > 0).astype(int)

    def ours():
        return AdditiveRanker().fit(X[:n], y[:n])

    def peer():
        return ExplainableBoostingClassifier(interactions=0, n_jobs=1, random_state=0).fit(
            X[:n], y[:n]
        )

    return ours, peer, as_accurate(ours, peer, X[n:], y[n:], 0.005)
