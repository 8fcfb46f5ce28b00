"""Forest and boosted trees on the benchmark of the R package TreeRank: writes nbs/results/forest.json for chapter 53."""
import hashlib
import json
import os
from pathlib import Path

import numpy as np

from aucbook import roc_auc
from aucbook.forest import TreeRankForest
from aucbook.treerank_boost import TreeRankBoost

FORESTS = {"forest": {}, "random forest's vote: plain shares": {"smoothing": 0}, "the paper's vote": {"smoothing": None}}


def read(part):
    "(X, y, sha256) of treerank/Gauss2D_<part>.csv in the folder AUCBOOK_DATA"
    raw = (Path(os.environ["AUCBOOK_DATA"]) / "treerank" / f"Gauss2D_{part}.csv").read_bytes()
    table = np.loadtxt(raw.decode().splitlines()[1:], delimiter=",")
    return table[:, :2], table[:, 2].astype(int), hashlib.sha256(raw).hexdigest()


def run():
    (X, y, learn), (X_test, y_test, test) = read("learn"), read("test")
    forests = {name: TreeRankForest(300, random_state=0, **keywords).fit(X, y) for name, keywords in FORESTS.items()}
    boost = TreeRankBoost(10, max_depth=2).fit(X, y)
    auc = {name: round(roc_auc(y_test, model.decision_function(X_test)), 4)
           for name, model in (*forests.items(), ("boosting, 10 trees of depth 2", boost))}
    out = {"seed": 0, "sha256": {"learn": learn, "test": test}, "test AUC": auc, "smoothing": forests["forest"].smoothing_,
           "out of bag": {name: round(f.oob_score_, 4) for name, f in forests.items()}}
    path = Path(__file__).parents[1] / "nbs" / "results" / "forest.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(out, indent=1) + "\n")
    return out


if __name__ == "__main__":
    print(run())
