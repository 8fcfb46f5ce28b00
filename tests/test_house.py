"""The house rules that a reader relies on: floors, names, sizes, documentation, and public objects that travel between processes.

The floors stand in nbs/workshop/floors.json, which the workshop's first page draws. (That a warning has a stacklevel is ruff's rule
B028, that another object's private names are left alone its SLF001: `make lint`, tests/test_lint.py.)
"""

import ast
import inspect
import json
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from graphlib import CycleError, TopologicalSorter
from multiprocessing import get_context
from pathlib import Path

import nbformat
import numpy as np
import pytest
from discovery import SMALL_DATA, all_rankers, small
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate
from sklearn.base import clone

import aucbook

ROOT = Path(__file__).parents[1]
FLOORS = json.loads((ROOT / "nbs/workshop/floors.json").read_text(encoding="utf8"))
FLOOR_OF = {module: level for level, floor in enumerate(FLOORS) for module in floor["modules"]}
SOURCES = {  # every module and the files it is made of
    **{p.stem: [p] for p in sorted((ROOT / "aucbook").glob("*.py")) if p.stem not in ("__init__", "_modidx")},
    **{p.parent.name: sorted(p.parent.glob("*.py")) for p in sorted((ROOT / "aucbook").glob("*/__init__.py"))},
}
PUBLIC = {name: getattr(aucbook, name) for name in aucbook.__all__}
CLASSES = {name: value for name, value in PUBLIC.items() if inspect.isclass(value)}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if not inspect.isclass(value)}
# Methods that a class writes itself and a reader may call; what scikit-learn gives is documented there.
METHODS = {
    f"{name}.{key}": value
    for name, cls in CLASSES.items()
    for base in cls.__mro__
    if base.__module__.startswith("aucbook")
    for key, value in vars(base).items()
    if not key.startswith("_")
    and inspect.isfunction(inspect.unwrap(getattr(value, "__func__", value)))
    and not isinstance(value, property)
}
each_module = pytest.mark.parametrize("module", SOURCES)


def parse(path):
    return ast.parse(path.read_text(encoding="utf8"))


# ---------------------------------------------------------------- floors
def imported(tree, package="aucbook"):
    """(module of the library, name or None) for every import in a file, at any depth; `package` is where its relative imports start."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("aucbook."):
                    yield alias.name.split(".", 1)[1], None
        elif isinstance(node, ast.ImportFrom):
            start = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            full = ".".join([*start, *filter(None, [node.module])])
            if full.split(".")[0] == "aucbook":
                for alias in node.names:
                    inner = full.partition(".")[2]
                    if inner:
                        yield inner, alias.name
                    elif alias.name in SOURCES:
                        yield alias.name, None
                    else:
                        yield "", alias.name


def arrows(module):
    """The modules that one module imports."""
    package = "aucbook" if len(SOURCES[module]) == 1 else f"aucbook.{module}"
    found = set()
    for path in SOURCES[module]:
        for target, name in imported(parse(path), package):
            found.add(target.split(".")[0] or (PUBLIC[name].__module__.split(".")[1] if name in PUBLIC else ""))
    return found - {"", module}


def test_every_module_stands_on_a_floor():
    assert len(FLOOR_OF) == sum(len(floor["modules"]) for floor in FLOORS), "a module stands on two floors"
    assert set(FLOOR_OF) == set(SOURCES), "nbs/workshop/floors.json and aucbook/ differ"


@each_module
def test_no_arrow_upwards(module):
    up = [target for target in arrows(module) if FLOOR_OF[target] > FLOOR_OF[module]]
    assert not up, f"{module} (floor {FLOOR_OF[module]}) imports from a higher floor"


def test_no_circle():
    try:
        TopologicalSorter({module: arrows(module) for module in SOURCES}).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' → '.join(error.args[1])}")


def code_files():
    """All Python in the repository: modules, scripts, tests, notebooks."""
    for folder in ("aucbook", "tests", "benchmarks", "experiments", "website", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "node_modules" not in path.parts and path.name != "_modidx.py":
                yield path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / "nbs").rglob("*.ipynb")):
        if ".ipynb_checkpoints" not in path.parts:
            yield path.relative_to(ROOT).as_posix()


def code_of(name):
    """(parsed code, package its relative imports start from) of a file"""
    path = ROOT / name
    if path.suffix == ".py":
        return parse(path), ".".join(path.parent.relative_to(ROOT).parts)
    cells = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    return ast.parse("\n".join(re.sub(r"(?m)^\s*[%!].*$", "", source) for source in cells)), "aucbook"


def private_names(tree, package):
    """Underscore names of the library's modules that a file takes from outside of them."""
    private = lambda word: word.startswith("_") and not word.endswith("__")
    modules = {}  # the names that stand for modules of the library here
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {
                alias.asname: alias.name for alias in node.names if alias.asname and alias.name.startswith("aucbook.")
            }
            if any(alias.name.split(".")[0] == "aucbook" and not alias.asname for alias in node.names):
                modules["aucbook"] = "aucbook"
        elif isinstance(node, ast.ImportFrom) and (node.module == "aucbook" or (node.level and not node.module)):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name in SOURCES}
    at_home = package if package.startswith("aucbook.") else None  # a package's own files may share its private modules
    for target, word in imported(tree, package):
        outside = not (at_home and f"aucbook.{target}".startswith(at_home))
        if (word and private(word) and outside) or (outside and any(private(part) for part in target.split("."))):
            yield f"{target}.{word}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and private(node.attr):
            head = ast.unparse(node.value)
            if (
                head.split(".")[0] in modules
                and (head in modules or head.startswith("aucbook."))
                and head not in ("self", "cls")
            ):
                yield f"{head}.{node.attr}"
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and (found := re.match(r"aucbook(\.\w+)*\._[a-z]\w*$", node.value))
        ):
            yield found[0]


@pytest.mark.parametrize("name", list(code_files()))
def test_private_names_stay_at_home(name):
    assert not sorted(set(private_names(*code_of(name)))), (
        "make the name public where it is defined, or move the code there"
    )


@pytest.mark.parametrize(
    "code, package, found",
    [
        ("from aucbook.roc import _sort", "tests", ["roc._sort"]),
        ("from .roc import scan, _sort", "aucbook", ["roc._sort"]),
        ("import aucbook.roc as r\nr._sort(1)\nr.scan(1)", "tests", ["r._sort"]),
        ("from aucbook import roc\nx = roc._sort", "tests", ["roc._sort"]),
        ("import aucbook.roc\naucbook.roc._sort", "tests", [f"aucbook.{'roc'}._sort"]),
        ("monkeypatch.setattr('aucbook.roc._sort', 1)", "tests", [f"aucbook.{'roc'}._sort"]),
        ("from .core import block", "aucbook.explore", []),
        ("from aucbook.explore._core import block", "tests", ["explore._core.block"]),
        ("from aucbook import roc_auc, __version__\nself._x = model._y", "tests", []),
    ],
)
def test_the_scanner_sees(code, package, found):
    assert sorted(private_names(ast.parse(code), package)) == found


# ---------------------------------------------------------------- names and sizes
def test_functions_and_modules_have_different_names():
    assert not set(PUBLIC) & set(SOURCES)
    for module, paths in SOURCES.items():
        for node in parse(paths[0]).body:
            assert getattr(node, "name", None) not in SOURCES, f"{module}.{node.name} is also a module"


@each_module
def test_no_page_option_reaches_a_module(module):
    for path in SOURCES[module]:
        assert not re.search(r"(?m)^\s*#\|", path.read_text(encoding="utf8")), (
            f"{path.name}: export with `python tools/notebooks.py export`"
        )


LINES = 400  # of code, in a module that is one subject


def lines_of_code(path):
    """Lines that hold code. Docstrings, comments and empty lines are for the reader: they make no module hard to follow."""
    text = path.read_text(encoding="utf8")
    taken = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            taken |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return sum(
        1
        for i, line in enumerate(text.splitlines(), 1)
        if i not in taken and line.strip() and not line.strip().startswith("#")
    )


@each_module
def test_a_module_is_no_longer_than_a_subject(module):
    for path in SOURCES[module]:
        assert lines_of_code(path) <= LINES, f"{path.name} has {lines_of_code(path)} lines of code: split it"


# ---------------------------------------------------------------- documentation
FAULTS = {  # numpydoc's codes: docstring missing or misplaced, summary, parameters missing, unknown, out of order, without type or text, …
    "GL01", "GL02", "GL03", "GL07", "GL08", "SS01", "SS03", "PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR10",
    "RT01", "RT03", "YD01", "SA04",
}  # fmt: skip
LAYOUT = {"GL01", "GL02"}  # a docstring may begin on the line of its quotes, as everywhere here


def faults(path, also=frozenset()):
    return [f"{code}: {text}" for code, text in validate(path)["errors"] if code in (FAULTS | also) - LAYOUT]


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_are_documented(name):
    value = PUBLIC[name]
    named_tuple = hasattr(value, "_fields")
    found = faults(f"aucbook.{name}", {"EX01"})
    if named_tuple:  # a result is described by what it holds
        found = [fault for fault in found if not fault.startswith("PR0")]
        told = {word for row in get_doc_object(value)["Attributes"] for word in re.split(r",\s*", row.name)}
        assert told >= set(value._fields), f"Attributes: {sorted(set(value._fields) - told)} missing"
    assert not found, f"{name}: {found}"
    if hasattr(value, "fit"):
        learnt = {word for row in get_doc_object(value)["Attributes"] for word in re.split(r",\s*", row.name)}
        assert learnt and all(word.endswith("_") for word in learnt), (
            "Attributes: what fit learns, each with its trailing underscore"
        )


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_documented(name):
    assert not faults(f"aucbook.{name}")


@pytest.mark.parametrize(
    "name",
    {
        **FUNCTIONS,
        **METHODS,
        **{f"{name}.__init__": cls.__init__ for name, cls in CLASSES.items() if inspect.isfunction(cls.__init__)},
    },
)
def test_annotated(name):
    owner, _, method = name.partition(".")
    function = inspect.unwrap(getattr(PUBLIC[owner], method) if method else PUBLIC[owner])
    if not function.__module__.startswith("aucbook"):
        pytest.skip("scikit-learn's")
    signature = inspect.signature(function)
    bare = [p.name for p in signature.parameters.values() if p.annotation is p.empty and p.name not in ("self", "cls")]
    assert not bare, f"without a type: {bare}"
    assert method == "__init__" or signature.return_annotation is not signature.empty, "what does it return?"
    types = {p.name: p.annotation for p in signature.parameters.values() if p.annotation is not p.empty}
    if method != "__init__":
        types["return"] = signature.return_annotation
    evaluated = [key for key, kind in types.items() if not isinstance(kind, str)]
    assert not evaluated, (  # help() would show an ArrayLike in 300 characters
        f"{evaluated}: put `from __future__ import annotations` first in the first exported cell"
    )


# ---------------------------------------------------------------- public objects travel
@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_pickle(name):
    assert pickle.loads(pickle.dumps(PUBLIC[name])) is PUBLIC[name]


@pytest.mark.parametrize("name", all_rankers())
def test_rankers_clone_and_pickle(name):
    X, y = SMALL_DATA
    model = small(name).set_params()
    again = clone(model)
    assert repr(again) == repr(model) and again is not model
    fitted = model.fit(X, y)
    back = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(back.decision_function(X), fitted.decision_function(X))
    assert repr(clone(fitted)) == repr(again)


def arguments():
    """A value for every parameter that some public function requires, by its name."""
    X, y = SMALL_DATA
    score = X[:, 0]
    tree = small("TreeRank").fit(X, y)
    law = aucbook.GaussianPair()
    values = dict.fromkeys(("y_true", "y_true_1", "y_true_2", "y", "labels"), y)
    values |= dict.fromkeys(("y_score", "y_score_1", "y_score_2", "sample", "scores"), score)
    values |= {
        "X": X,
        "pos_scores": score[y == 1],
        "neg_scores": score[y == 0],
        "fpr": 0.2,
        "auc": 0.8,
        "n_pos": 30,
        "n_neg": 40,
    }
    values |= {"tpr": 0.7, "p": 0.3, "prevalence": 0.1, "precision": 0.25, "old": 0.4, "new": 0.1}
    values |= {
        "x": np.sort(score),
        "model": tree,
        "problem": law,
        "depth": 2,
        "curve": aucbook.roc_curve(y, score),
        "parts": [(y, score)],
    }
    values |= {"estimator": tree, "tree": tree.tree_, "names": ["a", "b", "c"], "ax": None, "axes": None}
    values |= {
        "n": 20,
        "bins": [4, 4],
        "empirical": 0.1,
        "y_prob": 1 / (1 + np.exp(-score)),
        "new_score": score[:5],
        "k": 10,
        "fraction": 0.1,
        "threshold": 0.3,
        "max_fpr": 0.2,
        "min_precision": 0.2,
        "alarms": 10,
        "cases": 100,
        "name": "breast_cancer",
        "ranker": small("AUCBoost"),
        "grid": {"n_rounds": [1, 2]},
    }
    return values


# Functions that take another model than a tree.
MODEL = {"plot_curves": "AdditiveRanker", "plot_program": "MartiRank"}


def call_of(name, values):
    """Positional and keyword arguments for a public function: what it requires, a seed, and rankers that are quick to fit."""
    if name in MODEL:
        values = {**values, "model": small(MODEL[name]).fit(*SMALL_DATA)}
    parameters = inspect.signature(PUBLIC[name]).parameters.values()
    required = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    missing = [p.name for p in required if p.name not in values]
    assert not missing, f"arguments() in this file has no value for {missing} of {name}"
    positional = [values[p.name] for p in required if p.kind is not p.KEYWORD_ONLY]
    positional += [values[p.name] + 1 for p in required if p.kind is p.VAR_POSITIONAL]  # *scores: two of them
    keyword = {p.name: values[p.name] for p in required if p.kind is p.KEYWORD_ONLY}
    optional = {"random_state": 0, "rankers": {"one": small("AUCBoost"), "two": small("TreeRank")}}
    keyword |= {p.name: optional[p.name] for p in parameters if p.name in optional}
    if name == "compare_scores":  # its scores have names
        positional[1] = {"one": values["scores"], "two": -values["scores"]}
    return positional, keyword


@pytest.fixture(scope="module")
def pool():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as workers:
        yield workers


@pytest.fixture(scope="module")
def values(tmp_path_factory):
    X, y = SMALL_DATA
    decision = aucbook.compare(X, y, {"one": small("AUCBoost")}, cv=2).decide(X, max_fpr=0.5)
    path = tmp_path_factory.mktemp("house") / "model.skops"
    decision.save(path)
    return {**arguments(), "path": path}


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_run_in_a_process_pool(name, pool, values):
    positional, keyword = call_of(name, values)
    here = PUBLIC[name](*positional, **keyword)
    there = pool.submit(PUBLIC[name], *positional, **keyword).result(120)
    assert type(there) is type(here)
    if (
        isinstance(here, (float, int, np.ndarray, tuple)) and getattr(getattr(here, "dtype", None), "kind", "f") != "O"
    ):  # pictures have no equals
        np.testing.assert_equal(there, here)
