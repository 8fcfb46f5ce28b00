"""Paper 2's Tables 3 and 6: every method on the same random draws, so that the page can compare them as the paper does.

The precision of every draw; about three minutes of one core. Nothing is read from AUCBOOK_DATA.
"""

import warnings

import numpy as np
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from tqdm.auto import tqdm

from aucbook import PAVAdaBoost, PAVAdaBoostFinite, average_precision_11pt
from aucbook.isotonic import LinearAdaBoost, LinearAdaBoostFinite
from aucbook.text import BinaryNaiveBayes
from aucbook.theory import make_three_gaussians, make_three_words

from .store import store

SPACES, DRAWS = 2000, 100  # the paper: 1000 spaces, one draw of each set
SEVEN = make_three_words(0)[0][::100]  # a space has only seven kinds of rows
bayes, stump = BinaryNaiveBayes(), DecisionTreeClassifier(max_depth=1)
LEARNERS = {
    "naive Bayes": lambda: bayes,
    "linear": lambda: LinearAdaBoost(bayes, n_estimators=3),
    "PAV, 1 round": lambda: PAVAdaBoost(bayes, n_estimators=1, clip=1 / 700),
    "PAV, 2 rounds": lambda: PAVAdaBoost(bayes, n_estimators=2, clip=1 / 700),
    "stumps": lambda: AdaBoostClassifier(stump, n_estimators=10, random_state=0),
}
METHODS = {
    "Mahalanobis": QuadraticDiscriminantAnalysis,
    "log-linear": LogisticRegression,
    "Cmls": lambda: LinearSVC(C=0.5),  # squared hinge, ridge .001: C = 1 / (2 · .001 · 1000)
    "linear AdaBoost": LinearAdaBoostFinite,
    "PAV-AdaBoost": lambda: PAVAdaBoostFinite("auto", tol=1e-3),
    "linear AdaBoost, one cycle": lambda: LinearAdaBoostFinite(max_cycles=1),  # not in the table
}


def kind_scores(method, k):
    """(7,) scores of the seven kinds, of which k (7,) are positive among 100: 14 weighted rows are all the data."""
    if method not in LEARNERS:
        return k if method == "ideal" else np.zeros(7)
    weights = np.column_stack([k, 100 - k]).ravel().astype(float)
    some = weights > 0
    X, y = SEVEN.repeat(2, 0), np.tile([1, 0], 7)
    model = LEARNERS[method]().fit(X[some], y[some], sample_weight=weights[some])
    return model.decision_function(SEVEN)


def space(seed):
    """Precision of each method on one space of Example 4.3, trained and judged on it, as in the paper."""
    y = make_three_words(seed)[1]
    k = y.reshape(7, 100).sum(1)
    return {
        m: average_precision_11pt(y, kind_scores(m, k).repeat(100))
        for m in ("ideal", "random", *LEARNERS)
    }


def draw(which, seed):
    """Precision of each method on one draw of a set of Table 6: train 500 + 500, test 500 + 500."""
    X, y = make_three_gaussians(which, random_state=seed)
    T, t = make_three_gaussians(which, random_state=1000 + seed)
    return {
        m: average_precision_11pt(t, new().fit(X, y).decision_function(T))
        for m, new in METHODS.items()
    }


def columns(rows):
    """Lists by method, of a list of dicts; ten digits tell a tie from a difference."""
    return {method: [round(float(row[method]), 10) for row in rows] for method in rows[0]}


def run():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one cycle warns that it has not converged
        spaces = [space(seed) for seed in tqdm(range(SPACES), desc="Table 3")]
        draws = {
            f"set {which}": [draw(which, seed) for seed in tqdm(range(DRAWS), desc=f"set {which}")]
            for which in (1, 2, 3)
        }
    result = {
        "table3": columns(spaces),
        "table6": {name: columns(rows) for name, rows in draws.items()},
    }
    store("paper2_draws", result, seeds=[range(SPACES), range(DRAWS), range(1000, 1000 + DRAWS)])
