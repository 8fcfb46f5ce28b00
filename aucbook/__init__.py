"""aucbook: ranking, partial AUC, isotonic boosting and ranking trees; the library that the book's pages export.

Names are imported when first used (PEP 562), so that `import aucbook` costs no more than a dictionary.
"""
__version__ = "0.1.0"

_MODULES = {
    "roc": "RocCurve average_precision_11pt partial_auc roc_auc roc_curve tpr_at_fpr youden_threshold",
    "pav": "PAVCalibrator pav",
    "display": "RocDisplay",
    "datasets": "list_datasets load_dataset",
    "aucboost": "AUCBoost",
    "compare": "Comparison compare",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}
__all__ = sorted(_HOME)


def __getattr__(name):
    from importlib import import_module

    # A public name wins over the module of the same name: aucbook.pav is the function, and so is aucbook.compare.
    if name in _HOME:
        value = getattr(import_module(f"aucbook.{_HOME[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"aucbook.{name}")
    else:
        raise AttributeError(f"module 'aucbook' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_HOME, *_MODULES})
