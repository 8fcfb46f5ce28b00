"""Chapter 52's numbers on the files Gauss2D (folder treerank of AUCBOOK_DATA): a tree of depth 5, and what pruning and shaking make of it."""
import hashlib
import json
import os
from importlib.metadata import version
from pathlib import Path

import numpy as np

from aucbook.pruning import cross_validated_pruning, prune, shake
from aucbook.roc import roc_auc
from aucbook.treerank import TreeRank

OUT = Path(__file__).parents[1] / "nbs" / "results" / "gauss2d_pruning.json"


def files():
    "(X, y, fresh X, fresh y, checksums) of the learning and the test sample"
    paths = [Path(os.environ["AUCBOOK_DATA"]) / "treerank" / f"Gauss2D_{part}.csv" for part in ("learn", "test")]
    learn, test = (np.genfromtxt(path, delimiter=",", skip_header=1) for path in paths)
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    return learn[:, :2], learn[:, 2].astype(int), test[:, :2], test[:, 2].astype(int), sums


def models(X, y):
    "name -> fitted tree. Folds are those of scikit-learn's StratifiedKFold(5), not shuffled: no seed is involved"
    full = TreeRank(max_depth=5).fit(X, y)
    third = prune(full, n_leaves=full.tree_.leaves.size // 3)
    return {"depth 5": full, "pruned to a third": third,
            "pruned by 5 folds": cross_validated_pruning(TreeRank(max_depth=5), X, y),
            "within one s.e.": cross_validated_pruning(TreeRank(max_depth=5), X, y, one_se=True),
            "depth 5, shaken": shake(full), "depth 5, shaken, 100 rows": shake(full, 100)}


def run():
    "Compute and write the numbers"
    X, y, Z, z, sums = files()
    rows = {name: {"leaves": int(m.tree_.leaves.size), "training AUC": round(roc_auc(y, m.decision_function(X)), 4),
                   "test AUC": round(roc_auc(z, m.decision_function(Z)), 4)} for name, m in models(X, y).items()}
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps({"rows": rows, "sha256": sums, "numpy": version("numpy")}, indent=1) + "\n")
    return rows


if __name__ == "__main__":
    print(json.dumps(run(), indent=1))
