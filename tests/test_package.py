"""The package as its users meet it: names, imports, the wheel."""
import ast
import re
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest

import aucbook

PACKAGE = Path(aucbook.__file__).parent
MODULES = {name: module for module, names in aucbook._MODULES.items() for name in names.split()}


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_import_is_lazy():
    heavy = "numba", "scipy", "sklearn", "matplotlib", "ipywidgets", "pandas"
    assert run(f"import sys, aucbook; print([m for m in {heavy} if m in sys.modules])") == "[]"


@pytest.mark.parametrize("name", MODULES)
def test_public_names_resolve(name):
    value = getattr(aucbook, name)
    assert callable(value) and value.__doc__
    assert name in dir(aucbook)


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        aucbook.nothing


def test_pav_is_the_function_however_it_is_reached():
    out = run("import aucbook.roc; aucbook.roc_curve([0,1,0],[1,2,3]).hull(); from aucbook import pav; import aucbook.pav as m; from aucbook.pav import pav as f; print(pav([2., 1.]), m.pav([2., 1.]), f([2., 1.]))")
    assert out == "[1.5 1.5] [1.5 1.5] [1.5 1.5]"


def settings(root):
    ini = ConfigParser(delimiters=["="])
    ini.read(root / "settings.ini")
    return ini["DEFAULT"]


def test_version_and_dependencies(root):
    cfg = settings(root)
    assert aucbook.__version__ == cfg["version"]
    assert {re.split("[<>=]", r)[0] for r in cfg["requirements"].split()} == {"numpy", "scipy", "numba", "matplotlib", "scikit-learn", "ipywidgets"}


def test_the_wheel_carries_the_book(root, tmp_path):
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(root)], check=True)
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    assert {f"aucbook/nbs/{p.name}" for p in (root / "nbs").glob("*.ipynb")} <= set(names)
    assert {f"aucbook/nbs/results/{p.name}" for p in (root / "nbs/results").glob("*.json")} <= set(names)
    assert {f"aucbook/explore/{p.name}" for p in (root / "aucbook/explore").glob("*.[jc]s*")} <= set(names)


@pytest.mark.parametrize("path", sorted(set(PACKAGE.glob("*.py")) - {PACKAGE / "__init__.py", PACKAGE / "_modidx.py"}), ids=lambda path: path.stem)
def test_an_import_runs_nothing(path):
    "A lesson's example in an exported cell would run, and compile its kernels, at every import"
    loose = [ast.unparse(node) for node in ast.parse(path.read_text()).body if isinstance(node, (ast.For, ast.While, ast.With, ast.Assert))
             or isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)]
    assert not loose
