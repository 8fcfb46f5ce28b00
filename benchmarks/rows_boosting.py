"""Boosting by single columns and MartiRank: one thread on each side, accuracy compared before anything is timed."""

import warnings

from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier
from sklearn.metrics import roc_auc_score

from aucbook import AUCBoost, MartiRank

from .harness import row


def table(n):
    X, y = make_classification(n + 50_000, 20, n_informative=10, n_redundant=4, flip_y=0.05, random_state=0)
    return X[:n], y[:n], X[n:], y[n:]


def as_accurate(n, peer, within):
    "(ours, peer) fits, once our test AUC is known to be at least the peer's less `within`"
    X, y, X_test, y_test = table(n)
    ours = AUCBoost(n_rounds=100, n_bins=255, answers="confidence", track_auc=False)  # nor does a peer track it
    fits = (lambda: ours.fit(X, y)), (lambda: peer.fit(X, y))
    if within is not None:
        fits[0](), fits[1]()
        a, b = (
            roc_auc_score(y_test, ours.decision_function(X_test)),
            roc_auc_score(y_test, peer.predict_proba(X_test)[:, 1]),
        )
        assert a >= b - within, (a, b)
        print(f"test AUC {a:.4f}, peer {b:.4f}")
    return fits


@row("AUCBoost, 100 rounds x 20 columns / scikit-learn AdaBoost", 200, [10**5])
def adaboost(n):
    return as_accurate(n, AdaBoostClassifier(n_estimators=100), None)  # too slow to fit once more than is timed


@row("AUCBoost, 100 rounds x 20 columns / LightGBM, 100 stumps", 3, [10**5])
def lightgbm(n):
    from lightgbm import LGBMClassifier

    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    return as_accurate(n, LGBMClassifier(n_estimators=100, num_leaves=2, n_jobs=1, verbose=-1), 0.005)


@row("AUCBoost, 100 rounds x 20 columns / XGBoost, 100 stumps", 3, [10**5])
def xgboost(n):
    from xgboost import XGBClassifier

    return as_accurate(n, XGBClassifier(n_estimators=100, max_depth=1, tree_method="hist", n_jobs=1), 0.005)


@row("AUCBoost: linear in n (ten fits of n/10 rows / one of n)", 0.8, [10**6])
def linear(n):
    X, y, *_ = table(n)
    few = X[: n // 10].copy(), y[: n // 10].copy()
    fit = lambda data: AUCBoost(n_rounds=20, n_bins=255, track_auc=False).fit(*data)
    return lambda: fit((X, y)), lambda: [fit(few) for _ in range(10)]


@row("MartiRank, T = 40, 20 columns / AUCBoost of 40 rounds", 1 / 20, [10**5])
def martirank(n):
    X, y, *_ = table(n)
    return lambda: MartiRank(n_rounds=40).fit(X, y), lambda: AUCBoost(n_rounds=40, n_bins=255, track_auc=False).fit(
        X, y
    )
