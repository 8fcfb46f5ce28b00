"""What a metric of a range costs a booster: a call, beside a round that watches the library's own log-loss on the same held-out rows, a
quarter as many as those it learns from.
"""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics import auc, roc_curve
from threadpoolctl import threadpool_limits

from aucbook import PAUC

from .compare import equal
from .harness import row


def tables(n):
    """((X, y) to learn from, (X, y) held out)."""
    X, y = make_classification(
        n + n // 4, 20, n_informative=10, n_redundant=4, flip_y=0.05, random_state=0
    )
    return (X[:n], y[:n]), (X[n:], y[n:])


def area_by_hand(y, s, beta):
    """What the metric must say (a round of boosting has no area of its own): scikit-learn's curve, cut at beta."""
    fpr, tpr, _ = roc_curve(y, s, drop_intermediate=False)
    stop = np.searchsorted(fpr, beta, side="right")
    return auc(np.r_[fpr[:stop], beta], np.r_[tpr[:stop], np.interp(beta, fpr, tpr)]) / beta


@row(
    "booster_metric(.1), n/4 rows / a round of LightGBM, 31 leaves, 20 columns (goal: 2 % of it)",
    50,
    [10**5],
)
def lightgbm_round(n):
    import lightgbm

    learn, (X, y) = tables(n)
    threadpool_limits(1)  # num_threads does not reach all of its loops
    options = {"objective": "binary", "num_threads": 1, "verbose": -1}
    data = lightgbm.Dataset(*learn, params=options)
    booster = lightgbm.Booster(options, data).add_valid(data.create_valid(X, y), "held")

    def one():
        booster.update()
        booster.eval_valid()

    for _ in range(20):
        one()
    metric, s = PAUC(max_fpr=0.1).booster_metric(), booster.predict(X)
    return (
        lambda: metric(y, s),
        one,
        equal(lambda: metric(y, s)[1], lambda: area_by_hand(y, s, 0.1)),
    )


@row(
    "booster_metric(.1), n/4 rows / a round of XGBoost, depth 6, 20 columns (goal: 2 % of it)",
    50,
    [10**5],
)
def xgboost_round(n):
    import xgboost

    learn, (X, y) = tables(n)
    data = xgboost.DMatrix(*learn)
    held = xgboost.DMatrix(X, y)
    rounds = [0]
    booster = xgboost.Booster({"objective": "binary:logistic", "nthread": 1}, [data, held])

    def one():
        booster.update(data, rounds[0])
        booster.eval_set([(held, "held")], rounds[0])
        rounds[0] += 1

    for _ in range(20):
        one()
    metric, s = PAUC(max_fpr=0.1).booster_metric("xgboost"), booster.predict(held)
    return lambda: metric(y, s), one, equal(lambda: metric(y, s), lambda: area_by_hand(y, s, 0.1))
