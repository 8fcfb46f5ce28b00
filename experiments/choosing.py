"""Every default ranker on ten real sets: many rows, few rows, wrong labels.

The mean partial AUC over [0, .1] on clean test rows, by condition, set and ranker. A few minutes of one core.
"""

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit
from tqdm.auto import tqdm

from aucbook import default_rankers, load_dataset, partial_auc

from .shared import scores
from .store import store

PACKAGES = ("lightgbm", "xgboost")  # among the default rankers where they are installed
SETS = (
    "breast_cancer",
    "digits_8",
    "pima",
    "german_credit",
    "spambase",
    "annthyroid",
    "mammography",
    "magic_gamma",
    "letter_A",
    "credit_default",
)
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
            model = clone(ranker).fit(X[train], noisy[train])
            out.setdefault(name, []).append(partial_auc(y[test], scores(model, X[test]), 0, BETA))
    return {name: round(float(np.mean(values)), 4) for name, values in out.items()}


def run():
    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    result, inputs = (
        {"splits": SPLITS, "beta": BETA, "sets": {}, "pauc": {condition: {} for condition in CONDITIONS}},
        {},
    )
    for name in tqdm(SETS, desc="choosing"):
        data = load_dataset(name)
        y = data.target.astype(np.uint8)
        result["sets"][name] = {"n": len(y), "d": data.data.shape[1], "positives": int(y.sum())}
        inputs[name] = data.sha256
        for condition, settings in CONDITIONS.items():
            result["pauc"][condition][name] = measure(data.data, y, *settings)
        store("choosing", result, seeds=[range(SPLITS)], inputs=inputs, packages=PACKAGES, finished=name == SETS[-1])
