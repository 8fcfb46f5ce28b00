"""PAVAdaBoostFinite.for_features beside the ExplainableBoostingClassifier of interpret and logistic regression, for chapter 31.

pip install interpret-core            (in an environment of its own; aucbook does not need it)
python -m benchmarks.results_ebm [sets]     (AUCBOOK_DATA set; about ten minutes of two cores)
writes nbs/results/ebm.json: on eight sets the test AUC of every split, ratios of the times of the fits, and a few shape functions.
One set of settings everywhere; EBM without interactions, two threads. The settings of ours were chosen on other splits (seeds 100
and up) of the same sets.
"""
import json
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook.datasets import load_dataset
from aucbook.roc import roc_auc
from aucbook.score_combination import PAVAdaBoostFinite

PATH = Path(__file__).parents[1] / "nbs/results/ebm.json"
SPLITS = {"pima": 5, "german_credit": 5, "mammography": 5, "annthyroid": 5, "spambase": 5, "abalone19": 5, "letter_A": 3, "magic_gamma": 3}
SHAPES = {"pima": {1: "glucose", 5: "body mass index", 7: "age"}}       # columns whose curves are drawn, from the first split


def timed(fit):
    start = time.perf_counter()
    return fit(), time.perf_counter() - start


def ebm_shape(ebm, j):
    "(left edges of the bins, votes) in half log-odds, the unit of ours, as stored by interpret: first and last bin are for missing values"
    return np.r_[-np.inf, ebm.bins_[j][0]], ebm.term_scores_[j][1:-1] / 2


def shapes(X, y, ours, ebm, columns):
    out = []
    for j, column in columns.items():
        grid = np.quantile(X[:, j], np.linspace(.01, .99, 100))
        curves = {}
        for name, (edges, votes) in (("ours", ours.shape(j)), ("EBM", ebm_shape(ebm, j))):
            at = votes[np.searchsorted(edges, grid, side="right") - 1]
            curves[name] = np.round(at - votes[np.searchsorted(edges, X[:, j], side="right") - 1].mean(), 4).tolist()
        out.append({"column": column, "grid": np.round(grid, 5).tolist(), **curves})
    return out


def run(*names):
    "All sets, or only those named, which are then renewed in the file"
    from interpret.glassbox import ExplainableBoostingClassifier

    warnings.filterwarnings("ignore")
    result = json.loads(PATH.read_text()) if names and PATH.exists() else {"sets": {}}
    result |= {"versions": {p: version(p) for p in ("numpy", "scikit-learn", "interpret-core")}, "test share": .3}
    PAVAdaBoostFinite.for_features().fit([[0.0], [1], [2]], [0, 1, 1])                 # compile
    for name, splits in SPLITS.items():
        if names and name not in names:
            continue
        data = load_dataset(name)
        X, y = data.data, data.target
        auc, ratios = {"ours": [], "EBM": [], "logistic": []}, []
        for seed in range(splits):
            A, B, a, b = train_test_split(X, y, test_size=.3, stratify=y, random_state=seed)
            ebm, slow = timed(lambda: ExplainableBoostingClassifier(interactions=0, n_jobs=2, random_state=seed).fit(A, a))
            fits = [timed(lambda: PAVAdaBoostFinite.for_features().fit(A, a)) for _ in range(3)]
            ours, fast = fits[0][0], np.median([t for _, t in fits])
            logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)).fit(A, a)
            for key, scores in (("ours", ours.decision_function(B)), ("EBM", ebm.predict_proba(B)[:, 1]), ("logistic", logistic.decision_function(B))):
                auc[key].append(round(roc_auc(b, scores), 5))
            ratios.append(round(slow / fast, 1))
            if seed == 0 and name in SHAPES:
                result["shapes"] = {"set": name, "curves": shapes(A, a, ours, ebm, SHAPES[name])}
            print(name, seed, {k: v[-1] for k, v in auc.items()}, ratios[-1], round(slow, 2), round(fast, 4), flush=True)
        result["sets"][name] = {"n": len(y), "d": X.shape[1], "positives": int(y.sum()), "sha256": data.sha256, "seeds": list(range(splits)),
                                "auc": auc, "EBM time / ours": ratios}
        PATH.parent.mkdir(exist_ok=True)
        PATH.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    run(*sys.argv[1:])
