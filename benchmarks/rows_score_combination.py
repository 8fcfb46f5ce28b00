"""One cycle over many scores beside as many isotonic regressions of data that are sorted already."""

import numpy as np
from scipy.optimize import isotonic_regression

from aucbook.curves import CurveSum, value_codes

from .harness import row


@row("one cycle over 20 scores / 20 x SciPy isotonic_regression, presorted", 1 / 3, [10**5])
def cycle(n):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 20)) + 0.3 * y[:, None]
    sorts = [value_codes(column, y) for column in X.T]
    model = CurveSum(
        [codes for _, codes in sorts], [v.size for v, _ in sorts], [np.array([1])] * 20, y, np.ones(n), 1 / n
    )
    presorted = [(y[order] * 1.0, rng.uniform(0.5, 2, n)) for order in np.argsort(X, axis=0).T]
    return lambda: [model.refit(j) for j in range(20)], lambda: [
        isotonic_regression(labels, weights=w) for labels, w in presorted
    ]
