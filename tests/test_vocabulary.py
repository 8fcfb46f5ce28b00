"""What users read, in the field's words: messages, tables, help and the first pages."""

import ast
import re

import pytest
from vocabulary import PAGES, ROOT, files, python_findings, words_in

# words that are right where they stand: the sea snail's rings, old names that are explained
ALLOWED = {
    ("aucbook/datasets.py", "rings"),
    ("aucbook/_base/lazy.py", "Promise"),
    ("aucbook/cli/__init__.py", "promise"),
    ("aucbook/cli/__init__.py", "silence"),
    ("aucbook/model_selection/comparison.py", "silence"),
    ("aucbook/cli/output.py", "room"),  # on a disk
    ("aucbook/model_selection/time_budget.py", "room"),  # in a time budget
}


def messages(path):
    """Texts of a module that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    docstrings = set()
    for node in ast.walk(tree):
        is_documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if is_documented and ast.get_docstring(node) is not None:
            docstrings.add(id(node.body[0].value))
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in docstrings:
            yield node.lineno, node.value


MODULES = [path for path in files() if path.suffix == ".py" and "explore" not in path.parts]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_messages(path):
    name = path.relative_to(ROOT).as_posix()
    found = [
        (line, word, instead)
        for line, text in messages(path)
        for word, instead in words_in(text)
        if (name, word) not in ALLOWED
    ]
    assert not found, f"{name}: (line, word, what to write) {found}"


@pytest.mark.parametrize("page", PAGES)
def test_first_pages(page):
    prose = re.sub(r"\]\([^)]*\)", "]", (ROOT / page).read_text(encoding="utf8"))  # no addresses
    # titles of lessons keep their voice
    found = [word for word, _ in words_in(prose) if word.lower() not in ("honest", "by heart")]
    assert not found


@pytest.mark.parametrize(
    "code, words",
    [
        ('x = "it rings"', ["rings"]),
        ('"""Told apart."""', ["Told"]),
        ("def f(told):\n    kept = told", ["told", "kept"]),
        ("value = 'flagged'  # treat none", []),
    ],
)
def test_the_scanner_sees(code, words):
    assert [word for _, word, _ in python_findings(code)] == words
