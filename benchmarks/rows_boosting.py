"""Boosting by single columns and MartiRank: one thread on each side. First the class as it comes, then settings, named."""

import warnings
from functools import cache

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from aucbook import AUCBoost, MartiRank

from .compare import as_accurate, demand, scores_of
from .harness import row

DEFAULT = "AUCBoost(), 20 columns"


@cache
def table(n):
    X, y = make_classification(
        n + 50_000, 20, n_informative=10, n_redundant=4, flip_y=0.05, random_state=0
    )
    return X[:n], y[:n], X[n:], y[n:]


def against(n, peer, **settings):
    """(ours, peer, compare) of two fits; ours may have .005 less. 50,000 test rows know an AUC to .002."""
    X, y, X_test, y_test = table(n)
    model = AUCBoost(**settings)  # 100 rounds, as many as the peers make
    fits = (lambda: model.fit(X, y)), (lambda: peer.fit(X, y))
    return *fits, as_accurate(*fits, X_test, y_test, 0.005)


def adaboost():
    return AdaBoostClassifier(n_estimators=100)


def lightgbm():
    from lightgbm import LGBMClassifier

    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    return LGBMClassifier(n_estimators=100, num_leaves=2, n_jobs=1, verbose=-1)


def xgboost():
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=100, max_depth=1, tree_method="hist", n_jobs=1)


def hist_gradient():
    threadpool_limits(1, user_api="openmp")
    return HistGradientBoostingClassifier(max_iter=100, max_leaf_nodes=2, early_stopping=False)


@row(f"{DEFAULT} / scikit-learn AdaBoost", 200, [10**5])
def default_adaboost(n):
    return against(n, adaboost())


@row(f"{DEFAULT} / LightGBM, 100 stumps", 3, [10**5])
def default_lightgbm(n):
    return against(n, lightgbm())


@row(f"{DEFAULT} / XGBoost, 100 stumps", 3, [10**5])
def default_xgboost(n):
    return against(n, xgboost())


@row(f"{DEFAULT} / HistGradientBoosting, 100 stumps", 3, [10**5])
def default_hist_gradient(n):
    return against(n, hist_gradient())


@row("AUCBoost(n_bins=None), every threshold, 20 columns / AUCBoost(), bins", 1 / 3, [10**5])
def exact(n):
    ours, peer, _ = against(n, AUCBoost(), n_bins=None)
    *_, X, y = table(n)
    return (
        ours,
        peer,
        as_accurate(peer, ours, X, y, 0.002, name="with bins, test AUC"),
    )  # bins lose no more than that


@row("AUCBoost(n_estimators=20): linear in n (ten fits of n/10 rows / one of n)", 0.8, [10**6])
def linear(n):
    X, y, X_test, y_test = table(n)
    few = X[: n // 10].copy(), y[: n // 10].copy()

    def fit(data):
        return AUCBoost(n_estimators=20).fit(*data)

    ours, peer = lambda: fit((X, y)), lambda: [fit(few) for _ in range(10)]
    return ours, peer, as_accurate(ours, lambda: peer()[0], X_test, y_test, 0.005)


@row("MartiRank(n_estimators=40), 20 columns / AUCBoost(n_estimators=40)", 1 / 10, [10**5])
def martirank(n):
    X, y, X_test, y_test = table(n)
    ours, peer = (
        lambda: MartiRank(n_estimators=40).fit(X, y),
        lambda: AUCBoost(n_estimators=40).fit(X, y),
    )

    def compare():
        """They are not the same ranker: how far apart they rank is said, and that both have learnt."""
        from sklearn.metrics import roc_auc_score

        a, b = (roc_auc_score(y_test, scores_of(fit(), X_test)) for fit in (ours, peer))
        return demand(np.minimum(a, b) > 0.7, f"test AUC {a:.4f} and {b:.4f}, demanded .7")

    return ours, peer, compare
