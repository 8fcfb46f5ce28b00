"""Trees and forests. `python -m benchmarks.rows_trees` prints the test AUC of each forest and the memory of a fit."""

import os
import subprocess
import sys

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from aucbook import roc_auc
from aucbook.forest import TreeRankForest
from aucbook.treerank import TreeRank

from .harness import row

SIZES = [10**5]


def sample(n):
    "n rows to learn from and n to test on"
    X, y = make_classification(2 * n, 20, n_informative=8, n_redundant=4, flip_y=0.1, class_sep=0.6, random_state=0)
    return X[:n], y[:n], X[n:], y[n:]


def lightgbm(**keywords):
    import lightgbm as lgb

    return lgb.LGBMClassifier(max_depth=8, num_leaves=255, min_child_samples=1, verbose=-1, **keywords)


def forests():
    "The three forests: 100 trees of depth 8, two threads, 4 of the 20 columns in each cell"
    return {
        "aucbook": TreeRankForest(100, max_depth=8, max_features=4, n_jobs=2, random_state=0),
        "scikit-learn": RandomForestClassifier(100, max_depth=8, n_jobs=2, random_state=0),
        "LightGBM": lightgbm(
            boosting_type="rf",
            n_estimators=100,
            subsample=0.632,
            subsample_freq=1,
            feature_fraction_bynode=0.2,
            n_jobs=2,
        ),
    }


def fits(n, ours, peer):
    X, y, *_ = sample(n)
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


@row("one tree of depth 8 / scikit-learn", 40, SIZES)
def tree(n):
    return fits(n, TreeRank(8), DecisionTreeClassifier(max_depth=8))


@row("one tree of depth 8 / LightGBM", 8, SIZES)
def tree_lightgbm(n):
    return fits(n, TreeRank(8), lightgbm(n_estimators=1, n_jobs=1))


@row("forest of 100, depth 8, 2 threads / scikit-learn", 18, SIZES)
def forest(n):
    return fits(n, forests()["aucbook"], forests()["scikit-learn"])


@row("forest of 100, depth 8, 2 threads / LightGBM rf", 2.5, SIZES)
def forest_lightgbm(n):
    return fits(n, forests()["aucbook"], forests()["LightGBM"])


MEMORY = """
import re
import numpy as np
from aucbook.forest import TreeRankForest
def peak(): return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
rng = np.random.default_rng(0)
X, y = rng.normal(size=({n}, 20)), rng.integers(0, 2, {n})
model = TreeRankForest(20, max_depth=8, n_jobs=2, random_state=0)
model.fit(X[:1000], y[:1000])
open("/proc/self/clear_refs", "w").write("5")             # forget the peak so far
before = peak()
model.fit(X, y)
trees = sum(sum(a.nbytes for a in (t.column, t.threshold, t.above, t.missing, t.left, t.mass, t.rows)) for t in model.trees_)
print((peak() - before - trees) / X.size)
"""


def memory(n=400_000):
    """Peak memory of a forest's fit without its trees, in bytes for each byte of the binned matrix (Linux only).

    Large arrays are given back to the system at once, so that the peak is what was in use, not what the C library kept for later.
    """
    run = subprocess.run(
        [sys.executable, "-c", MEMORY.format(n=n)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"},
    )
    return float(run.stdout)


if __name__ == "__main__":
    X, y, X_test, y_test = sample(10**5)
    for name, model in forests().items():
        model.fit(X, y)
        score = model.decision_function(X_test) if name == "aucbook" else model.predict_proba(X_test)[:, 1]
        print(f"{name:<14} test AUC {roc_auc(y_test, np.asarray(score)):.4f}", flush=True)
    print(f"memory: {memory():.2f} times the binned matrix (goal: at most 3)")
