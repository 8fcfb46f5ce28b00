"""Several rankers' scores combined on three real sets: the test AUC of every split.

The combination is fitted on out-of-fold scores of the training rows. About two minutes of one core.
"""

import warnings

import numpy as np
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tqdm.auto import tqdm

from aucbook import AUCBoost, PAVAdaBoostFinite, load_dataset, roc_auc
from aucbook.isotonic import LinearAdaBoostFinite

from .store import store

SETS, SPLITS = ("german_credit", "mammography", "spambase"), 5
RANKERS = {
    "logistic": (
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
        "decision_function",
    ),
    "naive Bayes": (GaussianNB(), "predict_proba"),
    "25 neighbours": (make_pipeline(StandardScaler(), KNeighborsClassifier(25)), "predict_proba"),
    "AUCBoost": (AUCBoost(n_estimators=50, answers="balanced", n_bins=64), "decision_function"),
}
COMBINED = {
    "PAV, 32 bins, prior 8": PAVAdaBoostFinite(n_bins=32, prior=8.0),
    "PAV, as in the paper": PAVAdaBoostFinite(max_cycles=30),
    "linear": make_pipeline(StandardScaler(), LinearAdaBoostFinite()),
    "logistic of scores": make_pipeline(StandardScaler(), LogisticRegression()),
}


def column(scores):
    return scores[:, 1] if scores.ndim == 2 else scores


def split(X, y, seed):
    """Test AUC of each ranker, of the average rank, and of each combination."""
    A, B, a, b = train_test_split(X, y, test_size=0.3, stratify=y, random_state=seed)
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    inner = np.column_stack(
        [
            column(cross_val_predict(m, A, a, cv=folds, method=method))
            for m, method in RANKERS.values()
        ]
    )
    outer = np.column_stack(
        [column(getattr(m.fit(A, a), method)(B)) for m, method in RANKERS.values()]
    )
    single = {name: roc_auc(b, s) for name, s in zip(RANKERS, outer.T)}
    combined = {"average rank": roc_auc(b, rankdata(outer, axis=0).sum(1))}
    combined |= {
        name: roc_auc(b, m.fit(inner, a).decision_function(outer)) for name, m in COMBINED.items()
    }
    return single, combined


def run():
    warnings.filterwarnings("ignore")
    result, inputs = {"test share": 0.3, "sets": {}}, {}
    for name in tqdm(SETS, desc="score_combination"):
        data = load_dataset(name)
        out = {"single": {}, "combined": {}}
        for seed in range(SPLITS):
            for part, found in zip(out, split(data.data, data.target, seed)):
                for key, value in found.items():
                    out[part].setdefault(key, []).append(round(value, 5))
        result["sets"][name] = {"n": len(data.target), "positives": int(data.target.sum()), **out}
        inputs[name] = data.sha256
        tqdm.write(
            f"{name} { {k: round(float(np.mean(v)), 4) for part in out.values() for k, v in part.items()} }"
        )
    store("score_combination", result, seeds=[range(SPLITS)], inputs=inputs)
