"""Clean-label AUC of rankers trained on flipped labels of real data, for chapter 22.

python -m benchmarks.results_noise     (AUCBOOK_DATA set; a few minutes of one core)
writes nbs/results/noise.json: every split's AUC, so that the page computes means and intervals.
"""
import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook import AUCBoost, MartiRank, load_dataset, roc_auc

PATH = Path(__file__).parents[1] / "nbs/results/noise.json"
SETS, NOISE, ROWS, SPLITS = ("mammography", "spambase", "magic_gamma"), (0, .1, .2, .3), 4000, 10
RANKERS = {"AUCBoost": AUCBoost(n_rounds=100), "MartiRank": MartiRank(n_rounds=40), "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))}


def cleanly(ranker, X, y, train, test, noise, seed):
    "Train on labels of which a share `noise` is flipped, score on clean ones"
    flip = np.random.default_rng(seed).random(train.size) < noise
    return roc_auc(y[test], ranker.fit(X[train], y[train] ^ flip).decision_function(X[test]))


def run():
    results = {"versions": {p: version(p) for p in ("numpy", "scikit-learn")}, "rows": ROWS, "splits": SPLITS, "sets": {}, "auc": {}}
    for name in SETS:
        data = load_dataset(name)
        X, y = np.asarray(data.data, dtype=float), data.target
        size = min(ROWS, len(y) // 2)
        splits = list(StratifiedShuffleSplit(SPLITS, train_size=size, random_state=0).split(X, y))
        results["sets"][name] = {"n": len(y), "d": X.shape[1], "positives": int(y.sum()), "sha256": data.sha256, "train": size}
        for noise in NOISE:
            for label, ranker in RANKERS.items():
                aucs = [cleanly(ranker, X, y, train, test, noise, seed) for seed, (train, test) in enumerate(splits)]
                results["auc"].setdefault(name, {}).setdefault(f"{noise:.0%}", {})[label] = [round(float(a), 6) for a in aucs]
                print(name, noise, label, round(float(np.mean(aucs)), 4), flush=True)
    PATH.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    run()
