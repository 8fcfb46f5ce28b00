"""What a place runs: the names that the cells below a heading, a labelled cell or a test compute with, through the page's own helpers."""

import ast
import json
import re
from functools import cache
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[2]
HEADING = re.compile(r"(?m)^(#+) .*?(?:\{#([\w-]+)[^}]*\})?$")
LABEL = re.compile(r"(?m)^#\| label: ([\w-]+)")


def names_in(node):
    "Names that a piece of code reads, methods among them"
    reads = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return reads | {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}


def definitions(statements):
    "What each function and class of a page or a file reads; a variable is not followed, as names are used again"
    return {node.name: names_in(node) for node in statements if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def reached(names, behind):
    "The names, and all that the code behind them reads"
    seen, ready = set(), list(names)
    while ready:
        name = ready.pop()
        if name not in seen:
            seen.add(name)
            ready += behind.get(name, ())
    return seen


def sections(cells):
    "(anchors, code) of each code cell: its label, and the headings that it stands below"
    above = []  # (level, anchor) of the open headings
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            for marks, anchor in HEADING.findall(text):
                above = [(level, name) for level, name in above if level < len(marks)] + [(len(marks), anchor)]
        elif cell["cell_type"] == "code":
            yield {name for _, name in above if name} | set(LABEL.findall(text)), ast.parse(text).body


@cache
def page_runs(name):
    "The names that each anchor of a page computes with"
    cells = list(sections(json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf8"))["cells"]))
    behind, found = definitions([node for _, code in cells for node in code]), {}
    for anchors, code in cells:
        reads = set().union(*map(names_in, code)) if code else set()
        for anchor in anchors:
            found.setdefault(anchor, set()).update(reads)
    return {anchor: reached(reads, behind) for anchor, reads in found.items()}


@cache
def test_runs(path):
    "The names that each test of a file computes with"
    body = ast.parse((NOTEBOOKS.parent / path).read_text(encoding="utf8")).body
    behind = definitions(body)
    tests = [node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return {node.name: reached(names_in(node), behind) for node in tests}


def runs(place):
    'The names that "lessons/roc#sec-ties" or "tests/test_roc.py::test_ties" computes with; KeyError where there is no such place'
    name, _, at = place.partition("::" if "::" in place else "#")
    return (test_runs if "::" in place else page_runs)(name)[at]
