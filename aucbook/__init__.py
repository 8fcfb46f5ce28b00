"""aucbook: ranking, partial AUC, isotonic boosting and ranking trees; the library that the book's pages export.

Names are imported when first used (PEP 562), so that `import aucbook` costs no more than a dictionary.
"""
from importlib import import_module

__version__ = "0.1.0"

_MODULES = {
    "roc": "average_precision_11pt partial_auc roc_auc roc_curve RocCurve tpr_at_fpr youden_threshold",
    "isotonic": "pav PAVCalibrator",
    "pooling": "convex_minorant",
    "ranker": "scores_of",
    "inference": "auc_interval auc_test auc_test_unpaired AucInterval AucTest",
    "bands": "roc_band RocBand tpr_interval TprInterval",
    "power": "auc_power auc_sample_size",
    "display": "RocDisplay ScoreDisplay",
    "treeview": "plot_curves plot_program plot_tree",
    "datasets": "list_datasets load_dataset",
    "weak": "FeatureRanker ProjectionRanker",
    "aucboost": "AUCBoost",
    "martirank": "MartiRank",
    "smartirank": "SMartiRank",
    "adaboost": "LinearAdaBoost PAVAdaBoost",
    "score_combination": "LinearAdaBoostFinite PAVAdaBoostFinite",
    "capacity": "risk_bound shattering_set vc_bound",
    "documents": "KNNRanker poisson_tf_similarity PoissonVectors",
    "word_weights": "BinaryNaiveBayes Cmass Cmls",
    "nscore": "Nscore",
    "most_violated": "most_violated_ordering range_weights",
    "pauc_svm": "PartialAUCSVM",
    "pauc_search": "PartialAUCSVMCV",
    "pauc_baselines": "AsymmetricSVM GreedyPAUC",
    "pauc_boost": "PAUCBoost",
    "optimal_roc": "adaptive_approximation Binormal distance_to_optimum GaussianPair UniformBlocks",
    "treerank": "TreeRank",
    "pruning": "cross_validated_pruning prune pruning_path shake",
    "forest": "TreeRankForest",
    "treerank_boost": "TreeRankBoost",
    "rankers": "default_rankers tuned",
    "comparison": "compare compare_scores Comparison",
    "scale": "AucBounds binned_counts BinnedCounts exact_auc score_edges",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}
__all__ = sorted(_HOME)


def __getattr__(name):
    if name in _MODULES:
        return import_module(f"aucbook.{name}")
    if name in _HOME:
        return getattr(import_module(f"aucbook.{_HOME[name]}"), name)
    raise AttributeError(f"module 'aucbook' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_HOME, *_MODULES})
