"""Every default ranker on ten real sets: many rows, few rows, wrong labels; for chapter 61.

python -m benchmarks.results_choosing     (AUCBOOK_DATA set; a few minutes of one core)
writes nbs/results/choosing.json: the mean partial AUC over [0, .1] on clean test rows, by condition, set and ranker.
"""
import json
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from aucbook.comparison import _score_fold
from aucbook.rankers import default_rankers
from aucbook.datasets import load_dataset
from aucbook.roc import partial_auc

PATH = Path(__file__).parents[1] / "nbs/results/choosing.json"
SETS = ("breast_cancer", "digits_8", "pima", "german_credit", "spambase", "annthyroid", "mammography", "magic_gamma", "letter_A", "credit_default")
CONDITIONS = {"1500 rows": (1500, 0.0), "150 rows": (150, 0.0), "1500 rows, a fifth of the labels wrong": (1500, 0.2)}
BETA, SPLITS, TEST = 0.1, 3, 5000


def measure(X, y, rows, wrong):
    "dict ranker -> mean pAUC over splits; at most two thirds of the set are training rows"
    out, rows = {}, min(rows, 2 * len(y) // 3)
    splits = StratifiedShuffleSplit(SPLITS, train_size=rows, test_size=min(TEST, len(y) - rows), random_state=0)
    for seed, (train, test) in enumerate(splits.split(X, y)):
        noisy = y.copy()
        noisy[train] ^= np.random.default_rng(seed).random(train.size) < wrong
        for name, ranker in default_rankers(beta=BETA).items():
            scores, _ = _score_fold(ranker, X, noisy, train, test)
            out.setdefault(name, []).append(partial_auc(y[test], scores, 0, BETA))
    return {name: round(float(np.mean(values)), 4) for name, values in out.items()}


def run():
    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    result = {"seed": 0, "splits": SPLITS, "beta": BETA, "versions": {p: version(p) for p in ("numpy", "scikit-learn", "lightgbm", "xgboost")},
              "sets": {}, "pauc": {condition: {} for condition in CONDITIONS}}
    for name in SETS:
        data = load_dataset(name)
        y = data.target.astype(np.uint8)
        result["sets"][name] = {"n": len(y), "d": data.data.shape[1], "positives": int(y.sum()), "sha256": data.sha256}
        for condition, settings in CONDITIONS.items():
            result["pauc"][condition][name] = measure(data.data, y, *settings)
        print(name, result["pauc"], flush=True)
    PATH.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    run()
