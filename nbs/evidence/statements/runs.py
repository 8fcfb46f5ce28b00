"""What a place runs: the names that the cells below a heading, a labelled cell or a test compute with, through the page's own helpers.

A name that the page or the file gives to a function of its own is not the library's, unless the page exports it.
"""

import ast
import json
import re
from functools import cache
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[2]
HEADING = re.compile(r"(?m)^(#+) .*?(?:\{#([\w-]+)[^}]*\})?$")
LABEL = re.compile(r"(?m)^#\| label: ([\w-]+)")


def names_in(node):
    'Names that a piece of code reads; of `a.b` also ".b", which no function of the page\'s own can stand for'
    reads = {
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
    }
    attributes = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    return reads | attributes | {f".{name}" for name in attributes}


def definitions(statements):
    "What each function and class of a page or a file reads; a variable is not followed, as names are used again"
    return {
        node.name: names_in(node)
        for node in statements
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }


def reached(names, behind, own):
    "The names, and all that the code behind them reads, without the page's own functions"
    seen, ready = set(), list(names)
    while ready:
        name = ready.pop()
        if name not in seen:
            seen.add(name)
            ready += behind.get(name, ())
    return {name for name in seen if name not in own or f".{name}" in seen}


def sections(cells):
    "(anchors, code, exported?) of each code cell: its label, and the headings that it stands below"
    above = []  # (level, anchor) of the open headings
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            for marks, anchor in HEADING.findall(text):
                above = [(level, name) for level, name in above if level < len(marks)] + [
                    (len(marks), anchor)
                ]
        elif cell["cell_type"] == "code":
            anchors = {name for _, name in above if name} | set(LABEL.findall(text))
            yield anchors, ast.parse(text).body, text.startswith("#| export")


@cache
def page_runs(name):
    "The names that each anchor of a page computes with"
    cells = list(
        sections(json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf8"))["cells"])
    )
    behind, found = definitions([node for _, code, _ in cells for node in code]), {}
    own = definitions([node for _, code, exported in cells if not exported for node in code])
    for anchors, code, _ in cells:
        reads = set().union(*map(names_in, code)) if code else set()
        for anchor in anchors:
            found.setdefault(anchor, set()).update(reads)
    return {anchor: reached(reads, behind, own) for anchor, reads in found.items()}


@cache
def test_runs(path):
    "The names that each test of a file computes with"
    body = ast.parse((NOTEBOOKS.parent / path).read_text(encoding="utf8")).body
    behind = definitions(body)
    tests = [
        node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    return {node.name: reached(names_in(node), behind, behind) for node in tests}


def runs(place):
    'The names that "lessons/roc#sec-ties" or "tests/metrics/test_roc.py::test_ties" computes with; KeyError where there is no such place'
    name, _, at = place.partition("::" if "::" in place else "#")
    return (test_runs if "::" in place else page_runs)(name)[at]
