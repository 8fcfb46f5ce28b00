"""Clean-label AUC of rankers trained on flipped labels of real data: every split's, so that the page computes means and intervals.

A few minutes of one core.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tqdm.auto import tqdm

from aucbook import AUCBoost, MartiRank, load_dataset, roc_auc

from .store import store

SETS = ("mammography", "spambase", "magic_gamma")
NOISE = (0, 0.1, 0.2, 0.3)
ROWS = 4000
SPLITS = 10
RANKERS = {
    "AUCBoost": AUCBoost(n_estimators=100, answers="balanced", n_bins=None),
    "MartiRank": MartiRank(n_estimators=40),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
}


def cleanly(ranker, X, y, train, test, noise, seed):
    """Train on labels of which a share `noise` is flipped, score on clean ones."""
    flip = np.random.default_rng(seed).random(train.size) < noise
    return roc_auc(y[test], ranker.fit(X[train], y[train] ^ flip).decision_function(X[test]))


def run():
    results, inputs = {"rows": ROWS, "splits": SPLITS, "sets": {}, "auc": {}}, {}
    for name in tqdm(SETS, desc="noise"):
        data = load_dataset(name)
        X, y = np.asarray(data.data, dtype=float), data.target
        size = min(ROWS, len(y) // 2)
        splits = list(StratifiedShuffleSplit(SPLITS, train_size=size, random_state=0).split(X, y))
        results["sets"][name] = {
            "n": len(y),
            "d": X.shape[1],
            "positives": int(y.sum()),
            "train": size,
        }
        inputs[name] = data.sha256
        for noise in NOISE:
            for label, ranker in RANKERS.items():
                aucs = [
                    cleanly(ranker, X, y, train, test, noise, seed)
                    for seed, (train, test) in enumerate(splits)
                ]
                results["auc"].setdefault(name, {}).setdefault(f"{noise:.0%}", {})[label] = [
                    round(float(a), 6) for a in aucs
                ]
                tqdm.write(f"{name} {noise} {label} {np.mean(aucs):.4f}")
    store("noise", results, seeds=[range(SPLITS)], inputs=inputs)
