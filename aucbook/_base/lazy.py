"""Lazy imports: the public names of a package, imported when they are first used (PEP 562)."""

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules

from lazy_loader import attach_stub

# names in scikit-learn, SciPy and R -> names in this library
_INSTEAD = {
    "roc_auc_score": "roc_auc",
    "average_precision_score": "average_precision",
    "brier_score": "Brier",
    "brier_score_loss": "Brier",
    "log_loss": "LogLoss",
    "fbeta_score": "f_measure",
    "f1_score": "f_measure",
    "IsotonicRegression": "PAVCalibrator",
    "isotonic_regression": "pav",
    "calibration_curve": "reliability_curve",
    "delong_test": "auc_test",
    "delong": "auc_test",
    "roc.test": "auc_test",
    "roc_test": "auc_test",
    "ci.auc": "auc_interval",
    "ci_auc": "auc_interval",
    "cross_val_score": "compare",
}


def lazy(package: str, file: str) -> tuple[Callable, Callable, list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package with public names in its stub.

    Parameters
    ----------
    package : str
        Its `__name__`.
    file : str
        The `__file__` of its `__init__.py`.

    Returns
    -------
    find : callable
        `__getattr__`: imports a name; for an unknown one its AttributeError suggests a similar one.
    names : callable
        `__dir__`.
    public : list of str
        `__all__`.
    """
    find_known, names, public = attach_stub(package, file)

    def find(word):
        if word.startswith("__") or word in public:
            return find_known(word)
        raise AttributeError(
            f"{package} has no {word!r}{_instead(package, word, public)}", name=word
        )

    return find, names, public


def _instead(package, word, public):
    """Hint for the error on an unknown name: where it is, or the most similar known one."""
    top = import_module(package.partition(".")[0])
    inside = [
        module.name
        for module in iter_modules(top.__path__)
        if module.ispkg and not module.name.startswith("_")
    ]
    packages = [import_module(f"{top.__name__}.{name}") for name in inside]
    places = {
        name: home.__name__ for home in [*packages, top] for name in getattr(home, "__all__", ())
    }
    if word in places:
        return f": from {places[word]} import {word}"
    here = _INSTEAD.get(word)
    if here in inside:
        return f": that sub-package is {top.__name__}.{here}"
    if here in places:
        return f": in this library it is {here}, from {places[here]}"
    near = get_close_matches(word, public, 1, 0.75) or get_close_matches(word, places, 1, 0.75)
    return f". Did you mean {near[0]}, from {places[near[0]]}?" if near else ""
