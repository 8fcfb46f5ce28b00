"""Eight real sets: PartialAUCSVMCV against the best linear methods, judged by the pAUC over false positive rates 0 to .1 of unseen rows.

Every method chooses on the same five stratified folds of the training rows, by their held-out pAUC(0, .1). A split holds out 30 % of the
rows, stratified; of the rest at most 3000 rows, again stratified, are trained on. Columns are standardised on the training rows, but the
bits of the two fingerprint sets are left as they are: they share a scale already. Ten rounds of some minutes each.
"""

import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from tqdm.auto import tqdm

from aucbook import PartialAUCSVMCV, load_dataset, partial_auc

from .store import store

NAMES = [
    "dud_cdk2_fp2",
    "jgstyle_fp2",
    "mammography",
    "letter_A",
    "annthyroid",
    "spambase",
    "magic_gamma",
    "german_credit",
]
BETA = 0.1
ROWS = 3000
SPLITS = 10


def methods(seed):
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    scorer = make_scorer(
        lambda y, s: partial_auc(y, s, max_fpr=BETA), response_method="decision_function"
    )

    def search(model, low, high):
        return GridSearchCV(
            model, {"C": np.logspace(low, high, 2 * (high - low) + 1)}, scoring=scorer, cv=folds
        )

    def one_range(beta):
        return PartialAUCSVMCV(
            max_fpr=BETA, max_fprs=(beta,), polish=0, surrogate="structural", cv=folds
        )

    return {
        "PartialAUCSVMCV": PartialAUCSVMCV(max_fpr=BETA, cv=folds),
        "SVM_AUC": one_range(1.0),
        "logistic": search(LogisticRegression(max_iter=1000), -3, 3),
        "LinearSVC": search(LinearSVC(max_iter=3000), -4, 1),
        "2013 form": one_range(BETA),
    }


def split(name, seed):
    """(Xtrain, ytrain, Xtest, ytest)."""
    bunch = load_dataset(name)
    X, y = bunch.data.astype(float), np.asarray(bunch.target).astype(int)
    train, test = train_test_split(np.arange(y.size), test_size=0.3, stratify=y, random_state=seed)
    if train.size > ROWS:
        train, _ = train_test_split(train, train_size=ROWS, stratify=y[train], random_state=seed)
    if hasattr(X, "tocsr"):
        return X[train], y[train], X[test], y[test]
    scaler = StandardScaler().fit(X[train])
    return scaler.transform(X[train]), y[train], scaler.transform(X[test]), y[test]


def one(name, seed):
    """{method: (test pAUC, chosen parameters)}."""
    X, y, Xtest, ytest = split(name, seed)
    found = {}
    for method, model in methods(seed).items():
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # LinearSVC with a large C does not converge: its cross-validation sees that
            model.fit(X, y)
        found[method] = (
            round(float(partial_auc(ytest, model.decision_function(Xtest), max_fpr=BETA)), 4),
            {k: float(v) for k, v in model.best_params_.items()},
        )
    return found


def run():
    sets = {name: load_dataset(name) for name in NAMES}
    result = {
        "min_fpr": 0.0,
        "max_fpr": BETA,
        "rows": ROWS,
        "sets": {
            name: {
                "rows": b.data.shape[0],
                "columns": b.data.shape[1],
                "positives": int(np.sum(b.target)),
                "scores": {},
                "chosen": [],
            }
            for name, b in sets.items()
        },
    }
    for seed in range(SPLITS):
        for name in tqdm(NAMES, desc=f"pauc_linear, round {seed + 1} of {SPLITS}"):
            for method, (score, params) in one(name, seed).items():
                result["sets"][name]["scores"].setdefault(method, []).append(score)
                if method == "PartialAUCSVMCV":
                    result["sets"][name]["chosen"].append(params)
            tqdm.write(
                f"{seed} {name} { {m: s[-1] for m, s in result['sets'][name]['scores'].items()} } {result['sets'][name]['chosen'][-1]}"
            )
        store(
            "pauc_linear",
            result,
            seeds=[range(seed + 1)],
            inputs={name: b.sha256 for name, b in sets.items()},
            finished=seed == SPLITS - 1,
        )
