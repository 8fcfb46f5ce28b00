"""Partial AUC since 2013, each method with its range chosen: linear scores, the same penalty, the same folds, the same rule of choice.

The protocol, written down before the first run:

- The sixteen tables of experiments/development.py, the first two of its FINAL splits, otherwise as in experiments/after_papers.py. Columns are
  standardised on the training rows. The measure that chooses and judges is the partial AUC over [0, .1].
- Every method minimises |w|^2 / 2 + C loss, the loss scaled so that equal scores cost 1, for C of CS and for three values of one further
  setting, which says how far down the list the negatives count. Both are chosen together, by the largest mean over three folds of the
  training rows, without any further rule; then all training rows are fitted. Ours is chosen in this way, too, without polish and
  without the library's rule of one standard error.
- "ours": the tight hinge bound of PartialAUCSVM, trained for FPR up to .1, its root, and 1. "squared": squared hinge of the same pairs, by
  L-BFGS (as "two-way" in after_papers, with all positives). "instance-wise": the sum of squares over the pairs of all positives and the
  top negatives, for scores between 0 and 1 (a sigmoid of the linear score), written with means and variances, so that no pair is left
  (Shao et al. 2022, Jiang et al. 2025: what their minimax problem is equal to; here the top is found by a sort, and nothing is sampled).
  "SOPA": the soft form (Zhu et al. 2022), KL-regularised, with temperatures .1, 1 and 10. "reversed" (Xie et al. 2024): squared hinge
  of the pairs without the highest 0, .05 or .2 of the negatives and the lowest 0, .05 or .2 of the positives.
- "pairs": squared hinge of all pairs; "logistic": logistic regression. They have C only.
- L-BFGS: at most STEPS steps, from the weights of all pairs at the same C.
- Two settings of the labels. "clean": as they are. "flipped": of the training rows, folds included, each label of the rarer class is
  turned with probability .2, and as many labels of the other class are turned, drawn at random; the test rows keep their labels. There
  the question is "reversed" minus "squared".
- The differences of interest, table by table, means over splits first, Student's interval over the sixteen tables: each method minus
  "ours", and minus "pairs". Five methods are compared with one reference: intervals are also given at level 1 - .05 / 5.

About eight minutes of one core.
"""

import warnings

import numpy as np
from scipy.optimize import minimize
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from aucbook import PartialAUCSVM, partial_auc

from .after_papers import CS, STEPS, first, logistic, of_places, pair_sums, soft_top
from .development import FINAL, TABLES, splits, table
from .store import store

FOLDS = 3
SPLITS = (FINAL[0], 2)
BETA = 0.1
RANGES = (0.1, 0.1**0.5, 1.0)
TEMPERATURES = (0.1, 1.0, 10.0)
DROPPED = (0.0, 0.05, 0.2)
FLIP = 0.2


def squares(share):
    """(loss, ds, dt) of the mean of (1 - s + t)^2 over the positives and the highest share of the negatives, by means and variances."""

    def loss(s, t):
        high = np.argsort(-t, kind="stable")
        u = np.empty_like(t)
        u[high] = first(t.size, share)
        mean_s = s.mean()
        mean_t = u @ t
        gap = 1 - mean_s + mean_t
        value = gap**2 + np.mean((s - mean_s) ** 2) + u @ (t - mean_t) ** 2
        return value, 2 * (s - mean_s - gap) / s.size, 2 * u * (t - mean_t + gap)

    return loss


def of_sigmoids(loss):
    """The loss of the scores' sigmoids."""

    def wrapped(s, t):
        p, q = (1 / (1 + np.exp(-np.clip(x, -500, 500))) for x in (s, t))
        value, dp, dq = loss(p, q)
        return value, dp * p * (1 - p), dq * q * (1 - q)

    return wrapped


def without_ends(dropped):
    """(loss, ds, dt): squared hinge of the pairs without a share of the highest negatives and of the lowest positives."""

    def rest(n):
        return np.clip(np.arange(1, n + 1) - n * dropped, 0, 1) / (n * (1 - dropped))

    return lambda s, t: pair_sums(s, t, rest(s.size), rest(t.size))


LOSSES = {
    "squared": [of_places(1, share) for share in RANGES],
    "instance-wise": [of_sigmoids(squares(share)) for share in RANGES],
    "SOPA": [soft_top(width) for width in TEMPERATURES],
    "reversed": [without_ends(share) for share in DROPPED],
}


def candidates(X, y):
    """{method: weights of every candidate, along its second setting and then C}."""
    P, N = X[y == 1], X[y == 0]

    def fit(w, loss, C):
        def risk(w):
            value, ds, dt = loss(P @ w, N @ w)
            return w @ w / 2 + C * value, w + C * (ds @ P + dt @ N)

        return minimize(risk, w, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x

    pairs = []
    for C in CS:
        pairs.append(fit(pairs[-1] if pairs else np.zeros(X.shape[1]), of_places(1, 1), C))
    found = {"pairs": pairs, "logistic": list(logistic(X, y))}
    for name, losses in LOSSES.items():
        found[name] = [fit(w, loss, C) for loss in losses for w, C in zip(pairs, CS)]
    found["ours"] = [
        PartialAUCSVM(max_fpr=share, C=C, surrogate="tight").fit(X, y).coef_[0]
        for share in RANGES
        for C in CS
    ]
    return found


def one(X, y, labels, train, test):
    """{method: (partial AUC on the test rows, number of the chosen candidate)}; `labels` are those that training sees."""
    scaler = StandardScaler().fit(X[train])
    A = scaler.transform(X[train])
    B = scaler.transform(X[test])
    z = labels[train]
    held = {}
    for inside, outside in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(A, z):
        for name, fits in candidates(A[inside], z[inside]).items():
            values = [partial_auc(z[outside], A[outside] @ w, max_fpr=BETA) for w in fits]
            held.setdefault(name, []).append(values)
    found = {}
    for name, fits in candidates(A, z).items():
        best = int(np.mean(held[name], axis=0).argmax())
        found[name] = float(partial_auc(y[test], B @ fits[best], max_fpr=BETA)), best
    return found


def flipped(y, seed):
    """Labels of which FLIP of the rarer class, and as many of the other, are turned."""
    rng = np.random.default_rng(seed)
    rare = int(y.mean() < 0.5)
    turned = np.flatnonzero((y == rare) & (rng.random(y.size) < FLIP))
    other = rng.choice(np.flatnonzero(y != rare), turned.size, replace=False)
    z = y.copy()
    z[np.r_[turned, other]] = 1 - z[np.r_[turned, other]]
    return z


def run():
    inputs, tables = {}, {"clean": {}, "flipped": {}}
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of constant scores, of fits that have not converged
        for name in tqdm(TABLES, desc="ranges_chosen"):
            X, y, inputs[name] = table(name)
            for k, (train, test) in enumerate(splits(y, SPLITS)):
                for noise in tables:
                    z = y if noise == "clean" else flipped(y, k)
                    into = tables[noise].setdefault(name, {})
                    for method, (value, best) in one(X, y, z, train, test).items():
                        of = into.setdefault(method, {"pauc": [], "chosen": []})
                        of["pauc"].append(round(value, 4))
                        of["chosen"].append(best)
            means = {m: np.mean(v["pauc"]).round(3) for m, v in tables["clean"][name].items()}
            print(name, means, flush=True)
    store(
        "ranges_chosen",
        {
            "max_fpr": BETA,
            "Cs": CS,
            "ranges": RANGES,
            "temperatures": TEMPERATURES,
            "dropped": DROPPED,
            "tables": tables,
        },
        seeds=[SPLITS[0], range(SPLITS[1])],
        inputs=inputs,
    )
