"""aucbook: ranking, partial AUC, isotonic boosting and ranking trees; the library that the book's pages export.

Names are imported when first used (PEP 562), so that `import aucbook` costs no more than a dictionary.
"""
import sys
from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"

_MODULES = {
    "roc": "RocCurve average_precision_11pt partial_auc roc_auc roc_curve tpr_at_fpr youden_threshold",
    "pav": "PAVCalibrator convex_minorant pav",
    "inference": "AucInterval AucTest RocBand TprInterval auc_interval auc_power auc_sample_size auc_test auc_test_unpaired roc_band tpr_interval",
    "display": "RocDisplay ScoreDisplay",
    "datasets": "list_datasets load_dataset",
    "aucboost": "AUCBoost FeatureRanker ProjectionRanker",
    "martirank": "MartiRank SMartiRank",
    "adaboost": "LinearAdaBoost PAVAdaBoost",
    "score_combination": "LinearAdaBoostFinite PAVAdaBoostFinite",
    "capacity": "risk_bound shattering_set vc_bound",
    "documents": "BinaryNaiveBayes Cmass Cmls KNNRanker Nscore PoissonVectors poisson_tf_similarity",
    "most_violated": "most_violated_ordering range_weights",
    "pauc_svm": "PartialAUCSVM PartialAUCSVMCV",
    "pauc_baselines": "AsymmetricSVM GreedyPAUC PAUCBoost",
    "optimal_roc": "Binormal GaussianPair UniformBlocks adaptive_approximation distance_to_optimum",
    "treerank": "TreeRank",
    "pruning": "cross_validated_pruning prune pruning_path shake",
    "forest": "TreeRankBoost TreeRankForest",
    "compare": "Comparison compare compare_scores default_rankers tuned",
    "scale": "AucBounds BinnedCounts binned_counts exact_auc score_edges",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}
__all__ = sorted(_HOME)


class _CallableModule(ModuleType):
    """The modules `pav` and `compare` share a name with their main function: calling the module calls the function."""

    def __call__(self, *args, **kwargs):
        return getattr(self, self.__name__.rpartition(".")[2])(*args, **kwargs)


class _Package(ModuleType):
    def __setattr__(self, name, value):
        if name in _HOME and isinstance(value, ModuleType):  # the import system sets a submodule on its package
            value.__class__ = _CallableModule
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name):
    if name in _MODULES:
        return import_module(f"aucbook.{name}")
    if name in _HOME:
        return getattr(import_module(f"aucbook.{_HOME[name]}"), name)
    raise AttributeError(f"module 'aucbook' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_HOME, *_MODULES})
