"""Later losses for the head of a list, beside ours: the same linear model, the same penalty, the same folds; only what is counted along the sort differs.

The protocol, written down before the first run:

- The sixteen tables of experiments/development.py, the first three of its FINAL splits. Columns are standardised on the training rows.
- Every method minimises |w|^2 / 2 + C loss(Xw), the loss scaled so that equal scores cost 1, for C of CS; ours by its own cutting planes, the
  others by L-BFGS, at most STEPS steps, from the weights of all pairs for the same C. (From w = 0 a loss that asks who is highest
  has no slope to follow.) C, and where a method has a second setting that too, is chosen on the same folds of the training rows,
  by the measure that judges: once by the partial AUC over [0, .1], once by the two-way partial AUC over FPR <= .3, TPR >= .5. Then the
  fit to all training rows is judged on the test rows.
- "TopPush": squared hinge against the highest negative, made soft (TOP), since the exact minimum is w = 0 on tables that overlap,
  and since L-BFGS stalls where another negative becomes the highest. "two-way": squared hinge of the pairs of the lowest half of the positives and the
  highest tenth (or three tenths) of the negatives. "SOPA": for each positive the softmax over all negatives of its hinge losses,
  temperature .1 or 1, in full (no mini-batches: the tables fit); its hinge is not squared, so that the sums are cumulative. "AUM with a
  margin": the area under min(FPR, FNR), positives moved down by 1. "AUM": without a margin and without a penalty, since equal
  scores are its minimum; steps against its gradient from w = 0, the number of steps chosen on the folds (their length changes nothing).
- Ours: "range" is PartialAUCSVM, tight, trained for [0, .1], without polish; "search" is PartialAUCSVMCV as it comes, with three training
  ranges and a polish, on the same C and folds (it chooses by the partial AUC, by a rule of its own). "pairs" is the squared
  hinge of all pairs, and "logistic" the usual regression.
- A difference from "range" is taken table by table, means over the splits first; its interval is Student's over the sixteen tables.

Before that run one split of seven of the tables was looked at, to see where L-BFGS stalls: the start and the soft top come from there.
Some five minutes of one core.
"""

import warnings

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from aucbook import PartialAUCSVM, PartialAUCSVMCV, partial_auc, two_way_auc

from .development import FINAL, TABLES, splits, table
from .store import store

CS = (0.1, 1, 10, 100, 1000)
STEPS = 100
FOLDS = 3
SPLITS = (FINAL[0], 3)
BETA, RECTANGLE = 0.1, {"max_fpr": 0.3, "min_tpr": 0.5}
MEASURES = {
    "pauc": lambda y, s: partial_auc(y, s, max_fpr=BETA),
    "two-way": lambda y, s: two_way_auc(y, s, **RECTANGLE),
}
DESCENTS = (1, 3, 10, 30, 100, 300)
TOP = (1, 0.1, 0.01)  # widths of the soft highest negative, one after the other


def first(n, share):
    """(n,) weights of places 1 to n that sum to 1: equal over the first `share` of them, the last of these perhaps in part."""
    return np.clip(n * share - np.arange(n), 0, 1) / (n * share)


def pair_sums(s, t, v, u):
    """(loss, ds, dt) of sum v_i u_j max(0, 1 - s_i + t_j)^2, v by rank of the positives from below, u by rank of the negatives from above."""
    low, high = np.argsort(s, kind="stable"), np.argsort(-t, kind="stable")
    a, b = 1 - s[low], t[high]  # both fall

    def sums(w, x):
        return np.concatenate([np.zeros((3, 1)), np.cumsum([w, w * x, w * x * x], axis=1)], axis=1)

    U, V = sums(u, b), sums(v, a)
    near_s = U[:, np.searchsorted(-b, a, side="left")]  # of the negatives with b > -a
    near_t = V[:, np.searchsorted(-a, b, side="left")]
    ds, dt = np.empty_like(s), np.empty_like(t)
    ds[low] = -2 * v * (a * near_s[0] + near_s[1])
    dt[high] = 2 * u * (b * near_t[0] + near_t[1])
    return v @ (a * a * near_s[0] + 2 * a * near_s[1] + near_s[2]), ds, dt


def of_places(below, above):
    """The pair loss in which the lowest share `below` of the positives meets the highest share `above` of the negatives."""
    return lambda s, t: pair_sums(s, t, first(s.size, below), first(t.size, above))


def highest(width):
    """(loss, ds, dt): squared hinge of each positive against the highest negative, in its place width * log sum exp(t / width)."""

    def loss(s, t):
        gap = np.maximum(0, 1 - s + width * logsumexp(t / width))
        return np.mean(gap**2), -2 * gap / s.size, 2 * np.mean(gap) * softmax(t / width)

    return loss


def soft_top(width):
    """(loss, ds, dt): for each positive width * log mean exp(hinge / width) over the negatives, mean over the positives."""

    def loss(s, t):
        low, high = np.argsort(s, kind="stable"), np.argsort(-t, kind="stable")
        a, b = (1 - s[low]) / width, t[high] / width
        head = np.append(-np.inf, np.logaddexp.accumulate(b))
        r = np.searchsorted(-b, a, side="left")
        with np.errstate(divide="ignore"):
            total = np.logaddexp(a + head[r], np.log(t.size - r))
        head = np.append(-np.inf, np.logaddexp.accumulate(a - total))
        ds, dt = np.empty_like(s), np.empty_like(t)
        ds[low] = -np.exp(a + np.append(-np.inf, np.logaddexp.accumulate(b))[r] - total) / s.size
        dt[high] = np.exp(b + head[np.searchsorted(-a, b, side="left")]) / s.size
        return width * np.mean(total - np.log(t.size)), ds, dt

    return loss


def aum(s, t, margin=0.0):
    """(loss, ds, dt) of the area under min(FPR, FNR) along the threshold; at a tie the mean of the slopes to both sides."""
    s = s - margin
    v = np.concatenate([s, t])
    order = np.argsort(v, kind="stable")

    def ranks(x, side):
        return np.searchsorted(np.sort(x), v, side=side) / x.size

    missed = ranks(s, "left"), ranks(s, "right")  # below each score, and below or at it
    alarms = 1 - ranks(t, "left"), 1 - ranks(t, "right")
    least = [np.minimum(f, p) for f, p in zip(alarms, missed)]
    positive = np.arange(v.size) < s.size
    fewer = np.minimum(alarms[0] - ~positive / t.size, missed[0] + positive / s.size)
    more = np.minimum(alarms[1] + ~positive / t.size, missed[1] - positive / s.size)
    slope = (least[0] - fewer + more - least[1]) / 2
    return np.diff(v[order]) @ least[1][order][:-1], slope[: s.size], slope[s.size :]


def along_C(X, y, *losses):
    """The weights for each C: those of all pairs, and from there those of the losses, one after the other."""
    P = X[y == 1]
    N = X[y == 0]
    start = np.zeros(X.shape[1])

    def risk(w, loss, C):
        value, ds, dt = loss(P @ w, N @ w)
        return w @ w / 2 + C * value, w + C * (ds @ P + dt @ N)

    def fit(w, *of):
        return minimize(risk, w, of, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x

    for C in CS:
        w = start = fit(start, PAIRS, C)
        for loss in losses:
            w = fit(w, loss, C)
        yield w


PAIRS = of_places(1, 1)


def by_steps(X, y):
    """The weights after so many steps against the gradient of AUM."""
    P = X[y == 1]
    N = X[y == 0]
    w = np.zeros(X.shape[1])
    for step in range(1, DESCENTS[-1] + 1):
        _, ds, dt = aum(P @ w, N @ w)
        w = w - (ds @ P + dt @ N)
        if step in DESCENTS:
            yield w


def logistic(X, y):
    for C in CS:  # the mean log loss, 1 for equal scores
        yield LogisticRegression(C=C / (np.log(2) * y.size), max_iter=1000).fit(X, y).coef_[0]


def ours(X, y):
    for C in CS:
        yield PartialAUCSVM(max_fpr=BETA, C=C, surrogate="tight").fit(X, y).coef_[0]


# method -> for each value of its second setting, the weights along its first
METHODS = {
    "range": [ours],
    "logistic": [logistic],
    "pairs": [lambda X, y: along_C(X, y)],
    "TopPush": [lambda X, y: along_C(X, y, *map(highest, TOP))],
    "two-way": [
        lambda X, y, b=b: along_C(X, y, of_places(1 - RECTANGLE["min_tpr"], b)) for b in (0.1, 0.3)
    ],
    "SOPA": [lambda X, y, width=width: along_C(X, y, soft_top(width)) for width in (0.1, 1.0)],
    "AUM": [by_steps],
    "AUM with a margin": [lambda X, y: along_C(X, y, lambda s, t: aum(s, t, 1.0))],
}


def chosen(paths, X, y, Xtest, ytest, folds):
    """{measure: value on the test rows of the weights that have the best mean over the folds}."""
    held = []
    for inside, outside in folds:
        fits = [w for path in paths for w in path(X[inside], y[inside])]
        held.append(
            [[measure(y[outside], X[outside] @ w) for measure in MEASURES.values()] for w in fits]
        )
    best = np.mean(held, axis=0).argmax(axis=0)
    fits = [w for path in paths for w in path(X, y)]
    return {name: float(MEASURES[name](ytest, Xtest @ fits[k])) for name, k in zip(MEASURES, best)}


def one(X, y, train, test):
    """{method: {measure: value}}."""
    scaler = StandardScaler().fit(X[train])
    A, B = scaler.transform(X[train]), scaler.transform(X[test])
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(A, y[train]))
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # of constant scores, of fits that have not converged: their results say it
        for name, paths in METHODS.items():
            found[name] = chosen(paths, A, y[train], B, y[test], folds)
        s = PartialAUCSVMCV(max_fpr=BETA, Cs=CS, cv=folds).fit(A, y[train]).decision_function(B)
        found["search"] = {name: float(measure(y[test], s)) for name, measure in MEASURES.items()}
    return found


def run():
    inputs, tables = {}, {}
    with threadpool_limits(1):
        for name in tqdm(TABLES, desc="after_papers"):
            X, y, inputs[name] = table(name)
            tables[name] = {}
            for train, test in splits(y, SPLITS):
                for method, values in one(X, y, train, test).items():
                    for measure, value in values.items():
                        tables[name].setdefault(method, {}).setdefault(measure, []).append(
                            round(value, 4)
                        )
            print(
                name, {m: np.mean(v["pauc"]).round(3) for m, v in tables[name].items()}, flush=True
            )
    store(
        "after_papers",
        {"max_fpr": BETA, "rectangle": RECTANGLE, "Cs": CS, "tables": tables},
        seeds=[SPLITS[0]],
        inputs=inputs,
    )
