"""Nanoseconds per score as n grows, of ours beside two floors: sorting the scores, and reading them once."""

import numpy as np
from sklearn.metrics import roc_auc_score

import aucbook

from .harness import turn

SIZES = (10**3, 10**4, 10**5, 10**6, 10**7)
ROUNDS = 5


def functions(n):
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(int)
    s = rng.normal(size=n) + y
    ordered = y[np.argsort(s)].astype(float)
    out = {
        "read once (sum)": s.sum,
        "numpy.sort": lambda: np.sort(s),
        "roc_auc": lambda: aucbook.roc_auc(y, s),
        "partial_auc(0, .1)": lambda: aucbook.partial_auc(y, s, 0, 0.1),
        "pav": lambda: aucbook.pav(ordered),
    }
    return out | ({"scikit-learn": lambda: roc_auc_score(y, s)} if n <= 10**6 else {})


def growth(sizes=SIZES):
    "A list of dicts: what, n, ns (per score; the median over alternating turns)"
    rows = []
    for n in sizes:
        work = functions(n)
        for function in work.values():
            function()  # compiles, and touches the memory
        times = np.median([[turn(function)[1] for function in work.values()] for _ in range(ROUNDS)], axis=0)
        rows += [{"what": what, "n": n, "ns": round(1e9 * t / n, 3)} for what, t in zip(work, times)]
    return rows
