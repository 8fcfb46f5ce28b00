"""The library and its tests in the field's words: docstrings, messages, help, comments, names, and pages."""

import ast
import re

import pytest
from vocabulary import ROOT, files, findings, python_findings

# words that are right where they stand
ALLOWED = {
    ("aucbook/datasets.py", "rings"),  # of a sea snail
    ("nbs/workshop/inference/signals.ipynb", "honest"),  # honest trees: the field's word
    ("nbs/workshop/theory/optimal_roc.ipynb", "rooms"),  # the lesson's waiting rooms
    # images of a lesson that a docstring explains
    ("aucbook/explore/rooms/__init__.py", "room"),
    # keys and names of stored results, addresses of pages, elements of HTML
    ("tests/inference/test_paired_differences.py", "promised"),
    ("tests/website/test_browser.py", "honest"),
    ("tests/website/test_search.py", "honest"),
    ("tests/pages/test_standard_terms.py", "honest"),
    ("tests/website/test_site.py", "aside"),
    ("tests/validation/test_former_calls.py", "silence"),  # a keyword of 0.2.0
    ("tests/pages/test_reproducibility.py", "tell"),  # a verdict of that page: "cannot tell"
}


def docstrings_alone(path):
    """The findings of a picture, or of its test, without its texts on the screen, which are a lesson's."""
    code = path.read_text(encoding="utf8")
    code = re.sub(r"<explorable: .*>", "<explorable>", code)  # its title, in an example
    tree = ast.parse(code)
    spoken = set()
    for node in ast.walk(tree):
        is_documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if is_documented and ast.get_docstring(node) is not None:
            docstring = node.body[0].value
            spoken |= set(range(docstring.lineno, docstring.end_lineno + 1))
    lines = code.splitlines()
    return [
        (line, word, instead)
        for line, word, instead in python_findings(code)
        if line in spoken or "name of what it is" in instead or lines[line - 1].lstrip()[:1] == "#"
    ]


def scanned(path):
    """The findings of a file that count."""
    return docstrings_alone(path) if "explore" in path.parts else findings(path)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_words(path):
    name = path.relative_to(ROOT).as_posix()
    places = [
        (place, word, instead)
        for place, word, instead in scanned(path)
        if (name, word) not in ALLOWED
    ]
    assert not places, f"{name}: (place, word, what to write) {places}"


def test_what_is_allowed_is_needed():
    names = {path.relative_to(ROOT).as_posix(): path for path in files()}
    used = {(name, word) for name, path in names.items() for _, word, _ in scanned(path)}
    assert used >= ALLOWED


@pytest.mark.parametrize(
    "code, words",
    [
        ('x = "it rings"', ["rings"]),
        ('"""Told apart."""', ["Told"]),
        ("def f(told):\n    kept = told", ["told", "kept"]),
        ("value = 'flagged'  # treat none", []),
        ("x = f'it rings {value}'", ["rings"]),
    ],
)
def test_the_scanner_sees(code, words):
    assert [word for _, word, _ in python_findings(code)] == words
