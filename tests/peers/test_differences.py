"""The page "Where we differ from scikit-learn, and why" has the differences that scikit-learn's tests find, each with its reason."""

import ast
from pathlib import Path

import nbformat
import pytest
from differences import DIFFERENCES, HEADER, PAGE, table

ADAPTERS = sorted(Path(__file__).parent.glob("test_sklearn_*.py"))


def adapted(path):
    """The module whose differences an adapter asks for: the argument of `does_not_apply`."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    return [
        call.args[0].value for call in calls if getattr(call.func, "id", "") == "does_not_apply"
    ]


def test_the_page_has_these_differences_and_no_others():
    cells = nbformat.read(PAGE, 4).cells
    tables = [cell.source for cell in cells if cell.source.startswith(HEADER)]
    assert tables == [table()], "run `python tests/peers/differences.py`"


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.theirs[:40])
def test_each_has_a_reason_and_tests_that_find_it(difference):
    for text in (difference.theirs, difference.ours, difference.why):
        assert text.strip() and "|" not in text and "\n" not in text and not text.endswith(".")
    assert len(difference.why.split()) > 4
    assert difference.tests and all(difference.tests.values())


def test_every_test_module_that_is_run_has_its_list_here():
    modules = [module for path in ADAPTERS for module in adapted(path)]
    assert len(modules) == len(ADAPTERS) > 5
    assert set(modules) == {module for difference in DIFFERENCES for module in difference.tests}
