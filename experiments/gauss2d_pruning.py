"""A tree of depth 5 on the benchmark of the R package TreeRank, and what pruning and shaking make of it. Some seconds."""

from aucbook import TreeRank, roc_auc
from aucbook.trees import cross_validated_pruning, prune, shake

from .shared import gauss2d_samples
from .store import store


def models(X, y):
    """Name -> fitted tree. Folds are those of scikit-learn's StratifiedKFold(5), not shuffled: no seed is involved."""
    full = TreeRank(max_depth=5).fit(X, y)
    third = prune(full, n_leaves=full.tree_.leaves.size // 3)
    return {
        "depth 5": full,
        "pruned to a third": third,
        "pruned by 5 folds": cross_validated_pruning(TreeRank(max_depth=5), X, y),
        "within one s.e.": cross_validated_pruning(TreeRank(max_depth=5), X, y, one_se=True),
        "depth 5, shaken": shake(full),
        "depth 5, shaken, 100 rows": shake(full, 100),
    }


def run():
    (X, y), (Z, z), inputs = gauss2d_samples()
    rows = {
        name: {
            "leaves": int(m.tree_.leaves.size),
            "training AUC": round(roc_auc(y, m.decision_function(X)), 4),
            "test AUC": round(roc_auc(z, m.decision_function(Z)), 4),
        }
        for name, m in models(X, y).items()
    }
    store("gauss2d_pruning", {"rows": rows}, inputs=inputs)
