"""Forest and boosted trees on the benchmark of the R package TreeRank. Some seconds."""

from aucbook import TreeRankBoost, TreeRankForest, roc_auc

from .shared import gauss2d_samples
from .store import store

PAPER = {
    "thresholds": "best",
    "criterion": "ranking",
    "max_samples": None,
    "max_fpr": 1.0,
}  # its cuts and its bootstrap samples
FORESTS = {
    "forest": PAPER,
    "random forest's vote: plain shares": {**PAPER, "smoothing": 0},
    "the paper's vote": {**PAPER, "smoothing": None},
    "as it comes": {},
}


def run():
    (X, y), (X_test, y_test), inputs = gauss2d_samples()
    forests = {
        name: TreeRankForest(300, random_state=0, **keywords).fit(X, y)
        for name, keywords in FORESTS.items()
    }
    boost = TreeRankBoost(10, update="pairwise", max_depth=2).fit(X, y)
    auc = {
        name: round(roc_auc(y_test, model.decision_function(X_test)), 4)
        for name, model in (*forests.items(), ("boosting, 10 trees of depth 2", boost))
    }
    store(
        "forest",
        {
            "test AUC": auc,
            "smoothing": forests["forest"].smoothing_,
            "out of bag": {name: round(f.oob_score_, 4) for name, f in forests.items()},
        },
        seeds=[0],
        inputs=inputs,
    )
