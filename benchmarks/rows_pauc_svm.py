"""Rows of the partial-AUC machine: fits on 1e5 rows and 100 columns, each to its own default tolerance."""

from functools import cache

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from aucbook.cutting_planes import ClassRows, minimise_by_planes, search_step
from aucbook.most_violated import most_violated_ordering
from aucbook.pauc_svm import PartialAUCSVM

from .harness import row


@cache
def data(n, d=100):
    "Two Gaussian classes 2.5 standard deviations apart, three in ten positive"
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(int)
    direction = rng.normal(size=d)
    return rng.normal(size=(n, d)) + np.outer(y, 2.5 * direction / np.linalg.norm(direction)), y


def against(peer, n, **params):
    X, y = data(n)
    model = PartialAUCSVM(**params).fit(X, y)
    print(
        f"  {params}: {model.n_iter_} planes, stopped by {model.stop_}, risk known to within {model.dual_gap_ / model.C:.1e}"
    )
    return lambda: PartialAUCSVM(**params).fit(X, y), lambda: peer.fit(X, y)


@row("PartialAUCSVM(0, 1), C = 10 / LogisticRegression", 1, [10**5])
def whole(n):
    return against(LogisticRegression(C=10), n, C=10)


@row("PartialAUCSVM(0, .1), C = 10 / LinearSVC(dual=False)", 1, [10**5])
def narrow(n):
    return against(LinearSVC(C=10, dual=False), n, beta=0.1, C=10)


@row("PartialAUCSVM(0, 1), C = 100 / LogisticRegression", 1 / 1.5, [10**5])
def strong(n):
    return against(LogisticRegression(C=100), n, C=100)


@row("PartialAUCSVM(0, .1), C = 1000 / LinearSVC(dual=False)", 1 / 3, [10**5])
def strongest(n):
    return against(LinearSVC(C=1000, dual=False), n, beta=0.1, C=1000)  # what counts here is at most 100 planes


def straight(value, data, C, state, goal, k, slack):
    "A step of the paper's plain cutting planes: cut at the planes' minimum itself"
    there = goal, *data.scores(goal)
    new = value(*there)
    return min(state, (new, there), key=lambda s: s[0][0]), new, k


@row("PartialAUCSVM(0, .1), C = 100 / plain cutting planes", 1, [10**5])
def searched(n):
    rows = ClassRows(*data(n), np.ones(n))
    fit = lambda step: lambda: minimise_by_planes(rows, 0.0, 0.1, 100.0, False, 1e-3, 1000, step=step)
    return fit(search_step), fit(straight)


@row("most violated ordering, 30 % positives / numpy.sort of the scores", 1 / 1.6, [10**6])
def ordering(n):
    rng = np.random.default_rng(0)
    pos, neg = rng.normal(size=3 * n // 10) + 1, rng.normal(size=n - 3 * n // 10)
    both = np.concatenate([pos, neg])
    return lambda: most_violated_ordering(pos, neg, 0, 0.1), lambda: np.sort(both)
