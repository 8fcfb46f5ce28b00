"""The library's rankers, found rather than listed: a new one meets every test that loops over them."""

import inspect

import numpy as np

import aucbook

# What makes a model quick to fit, where it has the parameter. Never what makes a test pass.
QUICK = {
    "n_rounds": 3,
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
# counts, so that the rankers of documents take them too; no column tells the classes apart alone
_rng = np.random.default_rng(0)
SMALL_DATA = (_rng.poisson(2.0 + (np.arange(48) % 2)[:, None] * [0.0, 0.5, 1.0], (48, 3)) + 0.0, np.arange(48) % 2)


def all_rankers() -> dict[str, type]:
    """{name: class} of every public class that fits and scores rows, in order of the names."""
    found = {name: getattr(aucbook, name) for name in sorted(aucbook.__all__)}
    return {
        name: cls
        for name, cls in found.items()
        if inspect.isclass(cls) and hasattr(cls, "fit") and hasattr(cls, "decision_function")
    }


def small(name: str, **parameters):
    """A ranker with settings that fit in a moment."""
    cls = all_rankers()[name]
    known = inspect.signature(cls).parameters
    quick = {key: value for key, value in QUICK.items() if key in known and not isinstance(known[key].default, bool)}
    return cls(**{**quick, **parameters})
