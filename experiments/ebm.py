"""AdditiveRanker beside the ExplainableBoostingClassifier of interpret and logistic regression.

On eight sets the test AUC of every split, ratios of the processor times of the fits, and a few shape functions. About five minutes of
one core. interpret-core is best installed into an environment of its own; aucbook does not need it.
One set of settings everywhere; EBM without interactions; one thread each. The settings of ours were chosen on other splits (seeds 100
and up) of the same sets.
"""

import time
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tqdm.auto import tqdm

from aucbook import AdditiveRanker, load_dataset, roc_auc

from .store import store

PACKAGES = ("interpret-core",)
SPLITS = {
    "pima": 5,
    "german_credit": 5,
    "mammography": 5,
    "annthyroid": 5,
    "spambase": 5,
    "abalone19": 5,
    "letter_A": 3,
    "magic_gamma": 3,
}
SHAPES = {
    "pima": {1: "glucose", 5: "body mass index", 7: "age"}
}  # columns whose curves are drawn, from the first split


def timed(fit, X, y):
    start = time.process_time()
    return fit(X, y), time.process_time() - start


def ebm_shape(ebm, j):
    """(left edges of the bins, votes) in log-odds, as stored by interpret: first and last bin are for missing values."""
    return np.r_[-np.inf, ebm.bins_[j][0]], ebm.term_scores_[j][1:-1]


def shapes(X, y, ours, ebm, columns):
    out = []
    for j, column in columns.items():
        grid = np.quantile(X[:, j], np.linspace(0.01, 0.99, 100))
        drawn, curves = ours.curve(j), {}
        steps = {
            name: (drawn.values, votes) for name, votes in zip(("ours", "low", "high"), drawn[1:4])
        }
        for name, (edges, votes) in {**steps, "EBM": ebm_shape(ebm, j)}.items():
            centre = "ours" if name in steps else name  # the band moves with the curve
            middle = (steps["ours"][1] if centre == "ours" else votes)[
                np.searchsorted(edges, X[:, j], side="right") - 1
            ].mean()
            curves[name] = np.round(
                votes[np.searchsorted(edges, grid, side="right") - 1] - middle, 4
            ).tolist()
        out.append({"column": column, "grid": np.round(grid, 5).tolist(), **curves})
    return out


def run():
    from interpret.glassbox import ExplainableBoostingClassifier

    warnings.filterwarnings("ignore")
    result, inputs = {"sets": {}, "test share": 0.3}, {}
    AdditiveRanker().fit(np.arange(12.0)[:, None], np.arange(12) % 2)  # compile
    for name, splits in tqdm(SPLITS.items(), desc="ebm"):
        data = load_dataset(name)
        X, y = data.data, data.target
        auc, ratios = {"ours": [], "without line": [], "EBM": [], "logistic": []}, []
        for seed in range(splits):
            A, B, a, b = train_test_split(X, y, test_size=0.3, stratify=y, random_state=seed)
            ebm, slow = timed(
                ExplainableBoostingClassifier(interactions=0, n_jobs=1, random_state=seed).fit, A, a
            )
            fits = [timed(AdditiveRanker().fit, A, a) for _ in range(3)]
            ours, fast = fits[0][0], np.median([t for _, t in fits])
            logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)).fit(A, a)
            for key, scores in (
                ("ours", ours.decision_function(B)),
                ("without line", AdditiveRanker(line=False).fit(A, a).decision_function(B)),
                ("EBM", ebm.predict_proba(B)[:, 1]),
                ("logistic", logistic.decision_function(B)),
            ):
                auc[key].append(round(roc_auc(b, scores), 5))
            ratios.append(round(slow / fast, 1))
            if seed == 0 and name in SHAPES:
                result["shapes"] = {"set": name, "curves": shapes(A, a, ours, ebm, SHAPES[name])}
            tqdm.write(
                f"{name} {seed} { {k: v[-1] for k, v in auc.items()} } {ratios[-1]} {slow:.2f} {fast:.4f}"
            )
        result["sets"][name] = {
            "n": len(y),
            "d": X.shape[1],
            "positives": int(y.sum()),
            "seeds": list(range(splits)),
            "auc": auc,
            "EBM time / ours": ratios,
        }
        inputs[name] = data.sha256
        store(
            "ebm",
            result,
            seeds=[range(max(SPLITS.values()))],
            inputs=inputs,
            packages=PACKAGES,
            finished=len(inputs) == len(SPLITS),
        )
