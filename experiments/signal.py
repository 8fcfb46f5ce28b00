"""Is there anything here? How often `signal_test` says so where there is nothing, and where there is; beside what costs more, and less.

Size: a thousand columns of noise; and a column in question given others, of noise, and, to break it, one that repeats a telling column
with some noise. Power: two bells whose means part along a thousand columns less and less (the j-th by 1/sqrt(j) times a strength).
Beside it: a forest's out-of-bag sensitivity with nineteen permutations, each fitted anew (twenty fits for one
p-value, on all rows); the largest area of a single column, permuted; a ridge instead of the forest; extra trees, and extra trees whose leaves
are counted on other rows than those that chose the cuts ("honest"). Six minutes of two cores.
"""

import warnings

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import ExtraTreeClassifier
from tqdm.auto import tqdm

from aucbook import TreeRankForest, tpr_at_fpr
from aucbook.inference import signal_test

from .store import store

TRIALS, POWER_TRIALS, SHUFFLES, LEVEL = 400, 40, 199, 0.05
SIZES, STRENGTHS, COLUMNS = (100, 200), (1.0,), 1000


def noise(rng, n=200, d=COLUMNS):
    return rng.normal(size=(n, d)), np.arange(n) % 2, None


def useless(rng, n=400):
    "The last column says nothing; the first two do"
    X = rng.normal(size=(n, 21))
    return X, (X[:, 0] + X[:, 1] + rng.normal(size=n) > 0).astype(int), [20]


def copy_of_another(rng, n=400):
    "The last column is the first one, with some noise: given that, it says nothing"
    X, y, last = useless(rng, n)
    X[:, 20] = X[:, 0] + 0.5 * rng.normal(size=n)
    return X, y, last


def telling(rng, n=400):
    "The last column says something that no other one does"
    X = rng.normal(size=(n, 21))
    return X, (X[:, 0] + X[:, 20] + rng.normal(size=n) > 0).astype(int), [20]


def bells(rng, n, strength):
    y = np.arange(n) % 2
    return rng.normal(size=(n, COLUMNS)) + strength / np.sqrt(np.arange(1, COLUMNS + 1)) * y[:, None], y


def by_refits(X, y, seed, refits=19):
    "p of the out-of-bag sensitivity of a forest, each permutation fitted anew"
    rng, values = np.random.default_rng(seed), []
    for k in range(1 + refits):
        labels = y if k == 0 else rng.permutation(y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            oob = TreeRankForest(random_state=seed).fit(X, labels).oob_decision_function_
        seen = ~np.isnan(oob)
        values.append(tpr_at_fpr(labels[seen], oob[seen], 0.02))
    return np.mean(np.array(values) >= values[0])


def by_best_column(X, y, seed, permutations=SHUFFLES):
    "p of the largest |AUC - 1/2| of a column, labels permuted, all rows"
    rng, ranks = np.random.default_rng(seed), np.argsort(np.argsort(X, axis=0), axis=0) - (len(y) - 1) / 2
    labels = np.array([y] + [rng.permutation(y) for _ in range(permutations)])
    best = np.abs(labels @ ranks).max(1)
    return np.mean(best >= best[0])


def line():
    return make_pipeline(StandardScaler(), LogisticRegression(C=0.01))


class HonestTrees(ClassifierMixin, BaseEstimator):
    "Extra trees: half of the rows choose the cuts, another half for each tree, the others say each leaf's share of positives"

    def __init__(self, n_estimators=100, random_state=None):
        self.n_estimators, self.random_state = n_estimators, random_state

    def fit(self, X, y):
        self.classes_, y = np.unique(y, return_inverse=True)
        rng, self.trees_ = np.random.default_rng(self.random_state), []
        for seed in rng.integers(2**31, size=self.n_estimators):
            cut, count, known, labels = train_test_split(X, y, test_size=0.5, stratify=y, random_state=int(seed))
            tree = ExtraTreeClassifier(max_features="sqrt", random_state=int(seed)).fit(cut, known)
            leaf = tree.apply(count)
            rows, ones = (np.bincount(leaf, w, tree.tree_.node_count) for w in (None, labels))
            self.trees_.append((tree, np.where(rows > 0, ones / np.maximum(rows, 1), y.mean())))
        return self

    def decision_function(self, X):
        return np.mean([share[tree.apply(X)] for tree, share in self.trees_], axis=0)


def p_of(law, seed):
    X, y, columns = law(np.random.default_rng(seed))
    return signal_test(X, y, columns, shuffles=SHUFFLES, random_state=seed).pvalue


def all_of(n, strength, seed):
    X, y = bells(np.random.default_rng(seed), n, strength)
    ours = lambda ranker: signal_test(X, y, ranker=ranker, shuffles=SHUFFLES, random_state=seed).pvalue
    trees = ours(ExtraTreesClassifier()), ours(HonestTrees())
    return ours(None), ours(line()), *trees, by_refits(X, y, seed), by_best_column(X, y, seed)


SPLIT = tuple(f"half and half, {ranker}" for ranker in ("forest", "line", "extra trees", "honest extra trees"))
WAYS = *SPLIT, "out of bag, twenty fits", "best column"


def run():
    pool, found = Parallel(n_jobs=2), {"trials": TRIALS, "shuffles": SHUFFLES, "level": LEVEL, "size": {}, "power": []}
    for law in (noise, useless, copy_of_another, telling):
        p = np.array(pool(delayed(p_of)(law, seed) for seed in tqdm(range(TRIALS), desc=law.__name__)))
        found["size"][law.__name__] = {str(a): float(np.mean(p <= a + 1e-9)) for a in (0.01, 0.05, 0.1)}
        print(law.__name__, found["size"][law.__name__], flush=True)
    for strength in STRENGTHS:
        for n in SIZES:
            trials = tqdm(range(POWER_TRIALS), desc=f"{n} rows")
            p = np.array(pool(delayed(all_of)(n, strength, seed) for seed in trials))
            told = dict(zip(WAYS, (p <= LEVEL + 1e-9).mean(0).tolist()))
            found["power"].append({"rows": n, "strength": strength, "trials": POWER_TRIALS, "found": told})
            print(found["power"][-1], flush=True)
    store("signal", found, seeds=[f"0 to {TRIALS - 1}"])
