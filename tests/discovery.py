"""Modules, public names, rankers and measures of the library, discovered: a new one meets every test."""

import inspect
from importlib import import_module
from pathlib import Path

import numpy as np
from sklearn.utils import get_tags

import aucbook
from aucbook.deployment.fitted_classifier import FittedClassifier
from aucbook.measures import Measure

PACKAGE = Path(aucbook.__file__).parent
# {module without "aucbook.": its file}; a package's __init__ counts as the package
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path not in (PACKAGE / "__init__.py", PACKAGE / "_modidx.py")
}
# sub-packages with a stub, which lists their public names
PACKAGES_WITH_API = {
    path.parent.name: import_module(f"aucbook.{path.parent.name}")
    for path in sorted(PACKAGE.glob("*/__init__.pyi"))
}
# {public name: the package to import it from}: the most used names from aucbook itself
PUBLIC_HOME = {
    **{
        name: package.__name__ for package in PACKAGES_WITH_API.values() for name in package.__all__
    },
    **{
        name: "aucbook"
        for name in aucbook.__all__
        if name not in PACKAGES_WITH_API and name not in ("explore", "datasets")
    },
}
PUBLIC = {name: getattr(import_module(home), name) for name, home in sorted(PUBLIC_HOME.items())}

# What makes a model quick to fit, where it has the parameter. Never what makes a test pass.
QUICK = {
    "n_estimators": 3,
    "max_cycles": 5,
    "max_iter": 50,
    "draws": 200,
    "n_trials": 4,
    "n_angles": 8,
    "Cs": (0.1, 1),
    "polish": (0,),
    "cv": 2,
    "random_state": 0,
}
# settings of measures that have no default for them
MEASURE_SETTINGS = {"fpr": 0.2, "k": 0.25, "threshold": 0.3, "max_fpr": 0.4, "min_tpr": 0.3}
# counts, so that the rankers of documents take them too; no column alone separates the classes
_rng = np.random.default_rng(0)
SMALL_DATA = (
    _rng.poisson(2.0 + (np.arange(48) % 2)[:, None] * [0.0, 0.5, 1.0], (48, 3)) + 0.0,
    np.arange(48) % 2,
)


def _fitting_classes() -> dict[str, type]:
    """{name: class} of every public class with `fit`, in order of the names.

    Not of those that are fitted already and refuse another fit.
    """
    return {
        name: cls
        for name, cls in PUBLIC.items()
        if inspect.isclass(cls) and hasattr(cls, "fit") and not issubclass(cls, FittedClassifier)
    }


def all_rankers() -> dict[str, type]:
    """{name: class} of every public class that fits and scores rows, in order of the names."""
    classes = _fitting_classes()
    return {name: cls for name, cls in classes.items() if hasattr(cls, "decision_function")}


def all_calibrators() -> dict[str, type]:
    """{name: class} of every public class that fits and has probabilities but no scores."""
    rankers = all_rankers()
    return {
        name: cls
        for name, cls in _fitting_classes().items()
        if hasattr(cls, "predict_proba") and name not in rankers
    }


def document_rankers() -> dict[str, type]:
    """{name: class} of the rankers that take counts of words, in order of the names."""
    return {
        name: cls
        for name, cls in all_rankers().items()
        if cls.__module__.startswith("aucbook.text.")
    }


def measure_classes() -> list[type]:
    """Every public class of measures."""
    return [
        value
        for value in PUBLIC.values()
        if inspect.isclass(value) and issubclass(value, Measure) and value is not Measure
    ]


def all_measures() -> list[Measure]:
    """Every public measure, and one of each class of measures, with MEASURE_SETTINGS where it takes them."""
    measures = [value for value in PUBLIC.values() if isinstance(value, Measure)]
    for cls in measure_classes():
        known = inspect.signature(cls).parameters
        measures.append(
            cls(**{name: value for name, value in MEASURE_SETTINGS.items() if name in known})
        )
    return measures


def all_transformers() -> dict[str, type]:
    """{name: class} of every public class that fits and transforms tables, and ranks nothing, in order of the names."""
    return {
        name: cls
        for name, cls in PUBLIC.items()
        if inspect.isclass(cls)
        and hasattr(cls, "transform")
        and not hasattr(cls, "decision_function")
        if get_tags(cls()).input_tags.two_d_array
    }


def small(name: str, **parameters):
    """A ranker with settings that fit in a moment."""
    cls = all_rankers()[name]
    known = inspect.signature(cls).parameters
    quick = {
        key: value
        for key, value in QUICK.items()
        if key in known and not isinstance(known[key].default, bool)
    }
    return cls(**{**quick, **parameters})
