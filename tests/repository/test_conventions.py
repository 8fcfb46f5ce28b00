"""The conventions that a reader relies on: sub-packages, names, sizes, documentation, and public objects that travel between processes.

All of them are derived from the code: no list is kept by hand. (That a warning has a stacklevel is ruff's rule B028, that another
object's private names are left alone its SLF001: `make lint`, tests/repository/test_lint.py.)
"""

import ast
import inspect
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from graphlib import CycleError, TopologicalSorter
from multiprocessing import get_context
from pathlib import Path

import nbformat
import numpy as np
import pytest
from discovery import MODULES, PUBLIC, PUBLIC_HOME, SMALL_DATA, all_rankers, small
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate
from sklearn.base import clone

import aucbook
import aucbook.lab

ROOT = Path(__file__).parents[2]
CLASSES = {name: value for name, value in PUBLIC.items() if inspect.isclass(value)}
FUNCTIONS = {
    name: value for name, value in PUBLIC.items() if callable(value) and not inspect.isclass(value)
}
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
PARTS = {"__init__": ROOT / "aucbook/__init__.py", **MODULES}
LIBRARY = [
    name for name in MODULES if not name.startswith("explore")
]  # pictures to play with have rules of their own


def offenders(check, names):
    """{name: faults} of the names in which a check finds any: one test says all that is wrong."""
    return {name: problem for name in names if (problem := check(name))}


@cache
def parse(path):
    return ast.parse(path.read_text(encoding="utf8"))


PRIVATE_BASE = {
    path.parent.name for path in (ROOT / "aucbook").glob("_*/__init__.py")
}  # what all sub-packages share


# ---------------------------------------------------------------- sub-packages
def package_of(module):
    """The sub-package that a module is in; datasets, cli and explore count as sub-packages."""
    return module.partition(".")[0]


def imported(tree, package="aucbook"):
    """(module of the library, name or None) for every import in a file, at any depth; `package` is where its relative imports start."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("aucbook."):
                    yield alias.name.split(".", 1)[1], None
        elif isinstance(node, ast.ImportFrom):
            start = (
                package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            )
            full = ".".join([*start, *filter(None, [node.module])])
            if full.split(".")[0] == "aucbook":
                inner = full.partition(".")[2]
                for alias in node.names:
                    module = f"{inner}.{alias.name}".lstrip(".")
                    yield (module, None) if module in MODULES else (inner, alias.name)


def imported_names(module):
    """{sub-package: names imported from it} of the other sub-packages that a module imports."""
    path, by_home = MODULES[module], {}
    package = ".".join(path.parent.relative_to(ROOT).parts)
    for target, name in imported(parse(path), package):
        home = (
            package_of(target)
            if target
            else PUBLIC_HOME[name].partition(".")[2]
            or package_of(PUBLIC[name].__module__.partition(".")[2])
            if name in PUBLIC_HOME
            else ""
        )
        if home not in ("", package_of(module)):
            by_home.setdefault(home, set()).add(f"{target}:{name}")
    return by_home


def needed_packages():
    """{sub-package: names that its modules import from other sub-packages, by sub-package}."""
    needed = {}
    for module in MODULES:
        needed.setdefault(package_of(module), set()).update(imported_names(module))
    return needed


def test_no_circle_between_packages():
    try:
        TopologicalSorter(needed_packages()).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' → '.join(error.args[1])}")


def test_no_circle_between_modules():
    needs = {module: set() for module in MODULES}
    for module, path in MODULES.items():
        for target, _ in imported(parse(path), ".".join(path.parent.relative_to(ROOT).parts)):
            needs[module] |= {target} & MODULES.keys() - {module} if "." in target else set()
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' → '.join(error.args[1])}")


def absolute_imports(module):
    nodes = (
        node
        for node in ast.walk(parse(MODULES[module]))
        if isinstance(node, ast.ImportFrom) and not node.level
    )
    return [ast.unparse(node) for node in nodes if node.module.split(".")[0] == "aucbook"]


def test_imports_of_the_library_are_relative():
    assert not offenders(absolute_imports, MODULES)


def kernel_options(node):
    """{option of `njit`: its value as text} of a kernel; None for any other node."""
    for decorator in getattr(node, "decorator_list", []):
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "njit":
            return {keyword.arg: ast.unparse(keyword.value) for keyword in decorator.keywords}
    return None


def names_outside_kernels(node):
    """The names that code uses which is no kernel."""
    for child in ast.iter_child_nodes(node):
        if kernel_options(child) is None:
            if isinstance(child, ast.Name):
                yield child.id
            elif isinstance(child, ast.Attribute):
                yield child.attr
            yield from names_outside_kernels(child)


def test_kernels_that_only_kernels_call_have_no_entrance_for_python():
    """An entrance takes nearly as long to compile as a small kernel."""
    trees = [parse(path) for module, path in MODULES.items() if module != "_modidx"]
    called = {name for tree in trees for name in names_outside_kernels(tree)}
    options = {
        node.name: kernel_options(node)
        for tree in trees
        for node in ast.walk(tree)
        if kernel_options(node) is not None
    }
    # an inlined kernel is compiled with its callers
    inner = {name for name in options.keys() - called if "inline" not in options[name]}
    marked = {name for name, chosen in options.items() if chosen.get("inner") == "True"}
    assert marked == inner and len(inner) > 30


def test_every_module_has_a_first_line():
    first_lines = {
        module: (ast.get_docstring(parse(MODULES[module])) or "").split("\n\n")[0]
        for module in LIBRARY
    }
    assert not [m for m, words in first_lines.items() if len(words.split()) < 4], (
        "a first line is the entry in the index"
    )


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
    """(parsed code, package its relative imports start from) of a file."""
    path = ROOT / name
    if path.suffix == ".py":
        return parse(path), ".".join(path.parent.relative_to(ROOT).parts)
    cells = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    return ast.parse(
        "\n".join(re.sub(r"(?m)^\s*[%!].*$", "", source) for source in cells)
    ), "aucbook"


def private_names(tree, package):
    """Underscore names of the library's modules that a file takes from outside of them."""

    def private(word):
        is_public = not word.startswith("_") or word.endswith("__")
        return not is_public and word not in PRIVATE_BASE

    modules = {}  # the names that stand for modules of the library here
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {
                alias.asname: alias.name
                for alias in node.names
                if alias.asname and alias.name.startswith("aucbook.")
            }
            if any(
                alias.name.split(".")[0] == "aucbook" and not alias.asname for alias in node.names
            ):
                modules["aucbook"] = "aucbook"
        elif isinstance(node, ast.ImportFrom):
            home = (node.module or "").removeprefix("aucbook").lstrip(".")
            modules |= {
                a.asname or a.name: a.name
                for a in node.names
                if f"{home}.{a.name}".lstrip(".") in MODULES
            }
    at_home = (
        package if package.startswith("aucbook.") else None
    )  # a package's own files may share its private modules
    for target, word in imported(tree, package):
        outside = not (at_home and f"aucbook.{target}".startswith(at_home))
        if (word and private(word) and outside) or (
            outside and any(private(component) for component in target.split("."))
        ):
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
            and (private_module := re.match(r"aucbook(\.\w+)*\._[a-z]\w*$", node.value))
        ):
            yield private_module[0]


def test_private_names_stay_at_home():
    uses = offenders(lambda name: sorted(set(private_names(*code_of(name)))), code_files())
    assert not uses, "make the name public where it is defined, or move the code there"


@pytest.mark.parametrize(
    "code, package, expected",
    [
        ("from aucbook.metrics.roc import _sort", "tests", ["metrics.roc._sort"]),
        ("from ..metrics.roc import scan, _sort", "aucbook.trees", ["metrics.roc._sort"]),
        ("import aucbook.metrics.roc as r\nr._sort(1)\nr.scan(1)", "tests", ["r._sort"]),
        ("from aucbook.metrics import roc\nx = roc._sort", "tests", ["roc._sort"]),
        (
            "import aucbook.metrics.roc\naucbook.metrics.roc._sort",
            "tests",
            [f"aucbook.metrics.{'roc'}._sort"],
        ),
        (
            "monkeypatch.setattr('aucbook.metrics.roc._sort', 1)",
            "tests",
            [f"aucbook.metrics.{'roc'}._sort"],
        ),
        ("from .core import block", "aucbook.explore", []),
        ("from aucbook._numerics.binning import Bins", "tests", []),
        ("from aucbook import roc_auc, __version__\nself._x = model._y", "tests", []),
    ],
)
def test_the_scanner_sees(code, package, expected):
    assert sorted(private_names(ast.parse(code), package)) == expected


# ---------------------------------------------------------------- names and sizes
def test_functions_and_packages_have_different_names():
    # a widget is named after what it shows, and always called as lab.boosting
    widgets = set(aucbook.lab.__all__)
    names = set(PUBLIC) - widgets - {"triptych"}
    assert not names & {package_of(module) for module in MODULES}


def test_no_page_option_reaches_a_module():
    modules = offenders(
        lambda m: re.findall(r"(?m)^\s*#\|.*", MODULES[m].read_text(encoding="utf8")), MODULES
    )
    assert not modules, "export with `python tools/notebooks.py export`"


WIDE = 7  # parameters that can be given by place: more that travel together are one object
LONG = 80  # lines, of at most 100 characters, in a function that does one thing


def docstring_lines(tree):
    numbers = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and ast.get_docstring(node) is not None
        ):
            numbers |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return numbers


@cache
def code_lines(path):
    """Numbers of the lines that hold code: docstrings, comments and empty lines make no module hard to follow."""
    lines = enumerate(path.read_text(encoding="utf8").splitlines(), 1)
    filled = {number for number, line in lines if line.strip() and line.strip()[0] != "#"}
    return filled - set(docstring_lines(parse(path)))


def wide_or_long(module):
    path = MODULES[module]
    wide = []
    long = []
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.FunctionDef) and not any(
            "jit" in ast.unparse(d) for d in node.decorator_list
        ):
            names = [
                a.arg
                for a in (*node.args.posonlyargs, *node.args.args)
                if a.arg not in ("self", "cls")
            ]
            private = node.name.startswith("_") and node.name != "__init__"
            names += [a.arg for a in node.args.kwonlyargs] if private else []
            wide += (
                [f"{node.name} ({len(names)})"]
                if len(names) > WIDE and node.name != "__init__"
                else []
            )
            lines = code_lines(path) & set(range(node.lineno, node.end_lineno + 1))
            long += [f"{node.name} ({len(lines)})"] if len(lines) > LONG else []
    return wide + long


def packed_assignments(tree):
    """Lines that assign several values at once, a, b = x, y, though none of them needs what another was before."""
    packed = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Tuple):
            continue
        if not isinstance(node.value, ast.Tuple):
            continue
        written = set()
        for target, value in zip(node.targets[0].elts, node.value.elts, strict=False):
            if written & names_in(value, target):
                break  # a swap, or a step of two values
            written |= names_in(target)
        else:
            packed.append(node.lineno)
    return packed


def names_in(*nodes):
    """Names and attributes that stand in some nodes, without those of objects that have the attributes."""
    inside = [node for tree in nodes for node in ast.walk(tree)]
    owners = {id(node.value) for node in inside if isinstance(node, ast.Attribute)}
    return {
        ast.unparse(node)
        for node in inside
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in owners
    }


def test_packed_assignments_are_found():
    assert packed_assignments(ast.parse("a, b = x, y\nself.a, self.b = a, b")) == [1, 2]
    assert not packed_assignments(ast.parse("a, b = b, a\na, b = f(x)\nx[i], x[j] = x[j], x[i]"))


def test_one_value_a_line():
    assert not offenders(lambda name: packed_assignments(parse(MODULES[name])), LIBRARY)


def test_functions_are_short_and_take_few_arguments():
    assert not offenders(wide_or_long, LIBRARY), (
        "what travels together is one object; a function does one thing"
    )


# ---------------------------------------------------------------- documentation
FAULTS = {  # numpydoc's codes: docstring missing or misplaced, summary, parameters missing, unknown, out of order, without type or text, …
    "GL01", "GL02", "GL03", "GL07", "GL08", "SS01", "SS03", "PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR10",
    "RT01", "RT03", "YD01", "SA04",
}  # fmt: skip
LAYOUT = {"GL01", "GL02"}  # a docstring may begin on the line of its quotes, as everywhere here


def faults(path, also=frozenset()):
    return [
        f"{code}: {text}"
        for code, text in validate(path)["errors"]
        if code in (FAULTS | also) - LAYOUT
    ]


def documentation_faults(name):
    value = PUBLIC[name]
    problems = faults(f"{PUBLIC_HOME[name]}.{name}", {"EX01"})
    if hasattr(value, "_fields"):  # a result, a named tuple, is described by what it holds
        documented = {
            word
            for row in get_doc_object(value)["Attributes"]
            for word in re.split(r",\s*", row.name)
        }
        missing = sorted(set(value._fields) - documented)
        problems = [fault for fault in problems if not fault.startswith("PR0")] + [
            f"Attributes: {w} missing" for w in missing
        ]
    if hasattr(value, "fit") and hasattr(value, "decision_function"):
        learnt = {
            word
            for row in get_doc_object(value)["Attributes"]
            for word in re.split(r",\s*", row.name)
        }
        if not learnt or not all(word.endswith("_") for word in learnt):
            problems.append("Attributes: what fit learns, each with its trailing underscore")
    return problems


def test_public_names_are_documented():
    assert not offenders(
        documentation_faults, [name for name, value in PUBLIC.items() if callable(value)]
    )


def test_explorers_are_documented():
    explorers = [name for name in aucbook.explore.__all__ if name.endswith("_explorer")]
    assert not offenders(
        lambda name: faults(f"aucbook.explore.{name}", {"EX01", "SA01"}), explorers
    )
    assert not faults("aucbook.explore.predict", {"EX01"})


def test_methods_are_documented():
    assert not offenders(
        lambda name: faults(f"{PUBLIC_HOME[name.partition('.')[0]]}.{name}"), METHODS
    )


def annotation_faults(name):
    owner, _, method = name.partition(".")
    function = inspect.unwrap(getattr(PUBLIC[owner], method) if method else PUBLIC[owner])
    if not function.__module__.startswith("aucbook"):  # scikit-learn's
        return []
    signature = inspect.signature(function)
    known = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    problems = [f"{p.name} has no type" for p in known if p.annotation is p.empty]
    if method != "__init__" and signature.return_annotation is signature.empty:
        problems.append("what does it return?")
    types = {p.name: p.annotation for p in known if p.annotation is not p.empty}
    if method != "__init__":
        types["return"] = signature.return_annotation
    # help() would show an ArrayLike in 300 characters: `from __future__ import annotations` in the first exported cell
    return problems + [
        f"{key} is evaluated" for key, kind in types.items() if not isinstance(kind, str)
    ]


def test_public_names_are_annotated():
    made = {
        f"{name}.__init__": cls for name, cls in CLASSES.items() if inspect.isfunction(cls.__init__)
    }
    assert not offenders(annotation_faults, [*FUNCTIONS, *METHODS, *made])


# ---------------------------------------------------------------- public objects travel
def test_public_names_pickle():
    assert not [
        n for n, v in PUBLIC.items() if callable(v) and pickle.loads(pickle.dumps(v)) is not v
    ]


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
    law = aucbook.theory.GaussianPair()
    values = dict.fromkeys(("y_true", "y_true_1", "y_true_2", "y", "labels"), y)
    values |= dict.fromkeys(("y_score", "y_score_1", "y_score_2", "sample", "scores"), score)
    values |= {
        "X": X,
        "pos_scores": score[y == 1],
        "neg_scores": score[y == 0],
        "fpr": 0.2,
        "bound": 0.2,
        "auc": 0.8,
        "versus": 0.6,
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
        "table": "visits",
    }
    values |= {
        "measures": ["auc"],
        "smallest": 20,
        "text": "auc",
        "column": X[:, 1],
        "by": np.arange(y.size) % 2,
    }
    readings = np.indices((2, 2, y.size)).reshape(3, -1)
    values["table"] = dict(zip(("modality", "reader", "case"), readings))
    values["table"] |= {
        "y_true": y[readings[2]],
        "y_score": score[readings[2]] + np.arange(readings.shape[1]) % 7,
    }
    values |= {"measures": ["auc"], "smallest": 20, "text": "auc", "column": X[:, 1]}
    values |= {
        "estimator": tree,
        "tree": tree.tree_,
        "names": ["a", "b", "c"],
        "ax": None,
        "axes": None,
    }
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
        "min_tpr": 0.5,
        "topics": np.arange(y.size) // 6,
        "fold": np.arange(y.size) // 2 % 2,
        "alarms": 10,
        "cases": 100,
        "name": "breast_cancer",
        "ranker": small("AUCBoost"),
        "grid": {"n_estimators": [1, 2]},
    }
    return values


# Functions that take another model than a tree.
MODEL = {"plot_curves": "AdditiveRanker", "plot_program": "MartiRank"}


def call_of(name, values):
    """Positional and keyword arguments for a public function: what it requires, a seed, and rankers that are quick to fit."""
    if name in ("Brier", "LogLoss"):  # scores that are probabilities
        values = values | {"y_score": values["y_prob"]}
    if name == "gauss2d_score":
        values = {**values, "X": values["X"][:, :2]}
    if name in MODEL:
        values = {**values, "model": small(MODEL[name]).fit(*SMALL_DATA)}
    parameters = inspect.signature(PUBLIC[name]).parameters.values()
    required = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    missing = [p.name for p in required if p.name not in values]
    assert not missing, f"arguments() in this file has no value for {missing} of {name}"
    positional = [values[p.name] for p in required if p.kind is not p.KEYWORD_ONLY]
    positional += [
        values[p.name] + 1 for p in required if p.kind is p.VAR_POSITIONAL
    ]  # *scores: two of them
    keyword = {p.name: values[p.name] for p in required if p.kind is p.KEYWORD_ONLY}
    optional = {"random_state": 0, "rankers": {"one": small("AUCBoost"), "two": small("TreeRank")}}
    keyword |= {p.name: optional[p.name] for p in parameters if p.name in optional}
    if name == "guaranteed_thresholds":  # at least one guarantee, of any kind
        keyword["max_fpr"] = 0.5
    if name == "subgroup_thresholds":  # a limit; the subgroups here have a single class each
        keyword |= {"max_fpr": 0.5, "too_small": "pool"}
    if name == "read_table":  # a table, not a model
        positional = [values["table_file"]]
    if name == "auc_query":  # a name, not a table
        positional = ["patients"]
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
    pages = tmp_path_factory.mktemp("pages")
    nbformat.write(nbformat.v4.new_notebook(), pages / "index.ipynb")
    copies = tmp_path_factory.mktemp("copies")
    table = tmp_path_factory.mktemp("tables") / "table.csv"
    table.write_text("age;dose\n71;1,5\nNA;2,5\n")
    paths = {"path": path, "table_file": table, "source": pages, "target": copies}
    return {**arguments(), **paths}


# a widget belongs to the process of its notebook
@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if PUBLIC_HOME[n] != "aucbook.lab"])
def test_functions_run_in_a_process_pool(name, pool, values):
    positional, keyword = call_of(name, values)
    here = PUBLIC[name](*positional, **keyword)
    there = pool.submit(PUBLIC[name], *positional, **keyword).result(120)
    assert type(there) is type(here)
    if (
        isinstance(here, (float, int, np.ndarray, tuple))
        and getattr(getattr(here, "dtype", None), "kind", "f") != "O"
    ):  # pictures have no equals
        np.testing.assert_equal(there, here)
