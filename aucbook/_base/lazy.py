"""Lazy imports: the public names of a package, imported when they are first used (PEP 562)."""

import ast
import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from lazy_loader import attach_stub

# names in scikit-learn, SciPy and R -> what this library has instead, beginning with its name
_ELSEWHERE = {
    "auc": "roc_auc(y_true, y_score), or the measure AUC",
    "auroc": "roc_auc",
    "roc_auc_score": "roc_auc",
    "average_precision_score": "average_precision",
    "brier_score": "Brier",
    "brier_score_loss": "Brier",
    "log_loss": "LogLoss",
    "f1": "f_measure",
    "f1_score": "f_measure",
    "fbeta_score": "f_measure",
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
# names of 0.2.0 -> the same; CHANGELOG.md has this table with all details
_FORMER = {
    "Alarm": "OptimalThreshold",
    "Finding": "Check",
    "FprLimit": "GuaranteedThreshold",
    "FprMonitor": "Monitor",
    "PromisedThresholds": "GuaranteedThresholds",
    "RocDisplay": "RocCurveDisplay",
    "ScoreDisplay": "ScoreDistributionDisplay",
    "affordable_fpr": "max_fpr_for_precision",
    "benefit_of_rates": "net_benefit_of_rates",
    "best_alarm": "optimal_threshold",
    "budget_threshold": "alarm_budget_threshold",
    "fpr_limit": "FprGuarantee(max_fpr, confidence_level).threshold(scores)",
    "fpr_monitor": "rate_monitor(labels, alarms, rate='fpr', bound=max_fpr)",
    "lift_at_k": "EF(k)(y_true, y_score)",
    "measure_of": "check_measures",
    "move_prevalence": "adjust_prevalence",
    "negatives_allowed": "FprGuarantee(max_fpr, confidence_level).max_false_positives(n)",
    "negatives_enough": "FprGuarantee(max_fpr, confidence_level).recommended_negatives()",
    "negatives_needed": "FprGuarantee(max_fpr, confidence_level).min_negatives()",
    "pauc_metric": "PAUC(max_fpr=0.1).booster_metric(library)",
    "pauc_scorer": "PAUC(max_fpr=0.1).scorer()",
    "promised_thresholds": "guaranteed_thresholds",
    "top_interval": "Precision(k).interval(y_true, y_score)",
}
# modules of 0.2.0 -> the sub-package
_FORMER_MODULES = {"decisions": "thresholds", "display": "displays"}


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
        `__getattr__`: imports a name or a sub-package; for an unknown name its AttributeError says
        where that is, or suggests a similar one, and imports nothing.
    names : callable
        `__dir__`.
    public : list of str
        `__all__`.
    """
    find_known, names, public = attach_stub(package, file)
    folder = Path(file).parent

    def find(word):
        if word.startswith("__") or word in public:
            return find_known(word)
        if not word.startswith("_") and (folder / word / "__init__.py").is_file():
            return import_module(f"{package}.{word}")
        top = folder if "." not in package else folder.parent
        raise AttributeError(
            f"{package} has no {word!r}{_instead(package, word, public, top)}", name=word
        )

    return find, names, public


def _instead(package, word, public, folder):
    """Hint for the error on an unknown name: where it is, or the most similar known one.

    The folder is that of the library, whose files are read and not imported.
    """
    top = package.partition(".")[0]
    places, inside = _places(folder, top)
    if word in places and word not in inside:
        return f": from {places[word]} import {word}"
    instead = _FORMER.get(word) or _ELSEWHERE.get(word) or _ELSEWHERE.get(word.lower())
    if instead is not None:
        name = re.match(r"\w+", instead)[0]
        return f": in this library it is {instead}, from {places[name]}"
    home = _FORMER_MODULES.get(word, word)
    if home in inside:
        return f": that sub-package is {top}.{home}, import {top}.{home}"
    for name in places:
        if name not in inside and name.lower() == word.lower():
            return f". Did you mean {name}, from {places[name]}?"
    near = get_close_matches(word, public, 1, 0.75) or get_close_matches(word, places, 1, 0.75)
    if not near:
        return ""
    name = near[0]
    return f". Did you mean {name}, from {places[name]}?"


@lru_cache
def _places(folder, top):
    """({public name: package to import it from}, names of the public sub-packages), from files.

    A name of several packages is that of the library itself, and no widget of `lab`. A sub-package
    is itself a name of the library.
    """
    places = {}
    inside = []
    for path in sorted(folder.iterdir(), key=lambda path: (path.name != "lab", path.name)):
        if path.name.startswith(("_", ".")):
            continue
        if (path / "__init__.py").is_file() or path.suffix == ".py":
            inside.append(path.stem)
            places |= dict.fromkeys(_names_in(path), f"{top}.{path.stem}")
    places |= dict.fromkeys(_names_in(folder), top)
    return places, inside


def _names_in(path):
    """Public names of a package or module: those of its stub, or of its `__all__`."""
    stub = path / "__init__.pyi"
    file = stub if stub.is_file() else path / "__init__.py" if path.is_dir() else path
    for node in ast.parse(file.read_text(encoding="utf8")).body:
        if file is stub and isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            # the list of a module without a stub; a package with one calls `lazy`
            yield from ast.literal_eval(node.value)
