"""Every example in a docstring runs and prints what it shows."""

import doctest
import importlib
import inspect

import numpy as np
import pytest
from discovery import MODULES as PATHS
from discovery import PUBLIC

MODULES = ["aucbook", *(f"aucbook.{name}" for name in PATHS if not name.startswith("cli"))]
# NumPy's numbers are shown as NumPy 1 showed them, without their type: a kernel that runs uncompiled returns them where a compiled one
# returns Python's. A table may be spaced as it reads best.
PLAIN = {"legacy": "1.25"} if int(np.__version__.split(".")[0]) > 1 else {}
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


LONG = {
    f"aucbook.{m}"
    for m in (
        "isotonic.additive",
        "inference.bands",
        "inference.power",
        "inference.signals",
        "theory.problems",
        "ensemble.ranking_ensemble",
        "deployment.decision",
        "deployment.performance",
        "trees.treerank_boost",
    )
}  # uncompiled
assert LONG <= set(MODULES)
LONG |= {name for name in MODULES if name.startswith("aucbook.explore.")}  # some fit many models


@pytest.mark.kernel
@pytest.mark.parametrize(
    "name", [pytest.param(m, marks=pytest.mark.compiled if m in LONG else ()) for m in MODULES]
)
def test_examples(name, capsys):
    module = importlib.import_module(name)
    with np.printoptions(**PLAIN):
        done = doctest.testmod(module, optionflags=FLAGS)
    assert not done.failed, capsys.readouterr().out


@pytest.mark.parametrize(
    "name",
    [name for name, value in PUBLIC.items() if inspect.isroutine(value) or inspect.isclass(value)],
)
def test_examples_are_found(name):
    """A name that is wrapped or assigned could have an example that the module's run above does not see."""
    value = PUBLIC[name]
    module = importlib.import_module(value.__module__)
    doctests = [
        test
        for test in doctest.DocTestFinder().find(module)
        if test.name.removeprefix(f"{module.__name__}.").split(".")[0] == name
    ]
    shown = [
        obj
        for obj in (value, *(vars(value).values() if inspect.isclass(value) else ()))
        if ">>>" in (inspect.getdoc(obj) or "" if callable(obj) else "")
    ]
    assert sum(bool(test.examples) for test in doctests) >= bool(shown)
