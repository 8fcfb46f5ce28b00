"""Rows of the partial-AUC machine: fits on 1e5 rows and 100 columns, each to its own default tolerance."""

from functools import cache

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from aucbook import PartialAUCSVM, partial_auc
from aucbook.pauc import most_violated_ordering
from aucbook.pauc.cutting_planes import ClassRows, RangeProblem, minimise_by_planes, search_step

from .compare import as_accurate, demand, equal
from .harness import Goal, row


@cache
def data(n, d=100, seed=0):
    """Two Gaussian classes 2.5 standard deviations apart in the same direction, three in ten positive."""
    direction = np.random.default_rng(0).normal(size=d)
    rng = np.random.default_rng([0, seed])
    y = (rng.random(n) < 0.3).astype(int)
    return rng.normal(size=(n, d)) + np.outer(y, 2.5 * direction / np.linalg.norm(direction)), y


def against(peer, n, most=None, **params):
    """(ours, peer, compare): as accurate on fresh rows in the range that ours is trained for, and at most so many planes."""
    (X, y), (X_test, y_test), beta = data(n), data(n, seed=1), params.get("max_fpr", 1.0)
    ours, theirs = lambda: PartialAUCSVM(**params).fit(X, y), lambda: peer.fit(X, y)

    # 1e5 fresh rows know a pAUC to about .002
    def area(labels, scores):
        return partial_auc(labels, scores, max_fpr=beta)

    accurate = as_accurate(ours, theirs, X_test, y_test, 0.002, area, f"test pAUC(0, {beta:g})")

    def compare():
        model = ours()
        planes = f"{model.n_iter_} planes, stopped by {model.stop_}, risk known to within {model.dual_gap_ / model.C:.1e}"
        demand(most is None or model.n_iter_ <= most, f"{planes}; allowed {most} planes")
        return f"{accurate()}; {planes}"

    return ours, theirs, compare


@row("PartialAUCSVM(0, 1), C = 10 / LogisticRegression", 1, [10**5])
def whole(n):
    return against(LogisticRegression(C=10), n, C=10)


@row("PartialAUCSVM(0, .1), C = 10 / LinearSVC(dual=False)", 4, [10**5])
def narrow(n):
    return against(LinearSVC(C=10, dual=False), n, max_fpr=0.1, C=10)


@row("PartialAUCSVM(0, 1), C = 100 / LogisticRegression", 1, [10**5])
def strong(n):
    return against(LogisticRegression(C=100), n, C=100)


STRONG = "at this C what counted was to need at most 100 planes, which the row asks for now"


@row(
    "PartialAUCSVM(0, .1), C = 1000 / LinearSVC(dual=False)",
    Goal(1 / 1.5, was=[(1 / 1.5, "the first goal"), (1 / 3, STRONG)]),
    [10**5],
)
def strongest(n):
    return against(LinearSVC(C=1000, dual=False), n, most=100, max_fpr=0.1, C=1000)


def straight(problem, data, state, goal, k, slack):
    """A step of the paper's plain cutting planes: cut at the planes' minimum itself."""
    there = goal, *data.scores(goal)
    new = problem.at(data, *there)
    return min(state, (new, there), key=lambda s: s[0][0]), new, k


@row("PartialAUCSVM(0, .1), C = 100 / plain cutting planes", 5, [10**5])
def searched(n):
    rows = ClassRows(*data(n), np.ones(n))

    def fit(step):
        return lambda: minimise_by_planes(rows, RangeProblem(0.0, 0.1, 100.0), step=step)

    ours, peer = fit(search_step), fit(straight)

    def compare():
        a, b = (
            ours().primal[-1],
            peer().primal[-1],
        )  # each stops when it is known to within tol * C = .1
        return demand(abs(a - b) <= 0.1, f"objectives {a:.3f} and {b:.3f}, allowed .1 apart")

    return ours, peer, compare


@row("most violated ordering, 30 % positives / numpy.sort of the scores", 1 / 1.6, [10**6])
def ordering(n):
    rng = np.random.default_rng(0)
    pos, neg = rng.normal(size=3 * n // 10) + 1, rng.normal(size=n - 3 * n // 10)
    both = np.concatenate([pos, neg])

    def ours():
        return most_violated_ordering(pos, neg, max_fpr=0.1)

    def by_counting():
        """From alpha = 0 on, what a negative adds falls with its rank: each positive stands above those that add less than its score."""
        adds = (np.arange(neg.size) < neg.size // 10) - np.sort(-neg)
        return np.searchsorted(-adds, -pos)

    return ours, lambda: np.sort(both), equal(lambda: ours()[0], by_counting, 0)
