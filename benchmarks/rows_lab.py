"""Widgets of aucbook.lab against the lines of Python that each of them gives, and the imports of a lesson against those of other packages.

What a picture costs beyond its numbers, and what aucbook adds to a lesson's imports, is at most `ADDED` seconds: both are demanded before
anything is timed. The peer does less than the widget: it finds the numbers of one choice, and the widget those of every step of its slider.
"""

import ast
import json
import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import numpy as np

from .cold import processor_seconds
from .compare import demand
from .harness import row

ADDED = 2.0  # seconds; of imports, processor seconds
LESSONS = Path(__file__).parents[1] / "nbs/lessons"


@cache
def sample(n):
    """Labels, scores and probabilities."""
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.2).astype(int)
    scores = rng.normal(size=n) + y
    return {"y": y, "scores": scores, "p": 1 / (1 + np.exp(1.9 - scores))}


def seconds(function):
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start


def beyond_its_code(make, n, shown, found):
    """(ours, peer, compare): the widget, and its code.

    make : function of the names in `sample` that returns the widget.
    shown, found : functions that return the same number, from the widget's value and from what the last line of the code returns.
    """
    names = sample(n)
    *lines, last = make(names).code().splitlines()
    statements = compile("\n".join(lines), "<code>", "exec")

    def ours():
        return make(names)

    def peer():
        own = dict(names)
        exec(statements, own)
        return eval(last, own)

    def compare():
        ours()
        result, alone = seconds(peer)
        widget, whole = seconds(ours)
        demand(not widget.message, widget.message)
        a, b = shown(widget.value), found(result)
        demand(np.isclose(a, b, rtol=1e-9), f"{a!r} in the widget, {b!r} by its code")
        return demand(
            whole - alone <= ADDED,
            f"both find {a:.6g}; the picture adds {whole - alone:.2f} s, allowed {ADDED:g} s",
        )

    return ours, peer, compare


@row("lab.roc / its code", 1 / 6, [500_000])
def roc(n):
    from aucbook import lab

    def count(point):
        return point.true_positives

    return beyond_its_code(lambda of: lab.roc(of["y"], of["scores"]), n, count, count)


@row("lab.threshold / its code", 1 / 3, [500_000])
def threshold(n):
    from aucbook import lab

    return beyond_its_code(
        lambda of: lab.threshold(of["y"], of["scores"]),
        n,
        lambda value: value.threshold,
        lambda point: point.threshold,
    )


@row("lab.pauc / its code", 1 / 40, [500_000])
def pauc(n):
    from aucbook import lab

    return beyond_its_code(
        lambda of: lab.pauc(of["y"], of["scores"]),
        n,
        lambda value: value["score"].estimate,
        lambda interval: interval.estimate,
    )


@row("lab.calibration / its code", 1 / 3, [500_000])
def calibration(n):
    from aucbook import lab

    return beyond_its_code(
        lambda of: lab.calibration(of["y"], of["p"]),
        n,
        lambda value: value.decomposition.miscalibration,
        lambda parts: parts.miscalibration,
    )


def imports_of(page):
    """The import statements of a notebook's code cells."""
    cells = json.loads(page.read_text(encoding="utf8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    statements = [
        ast.unparse(node)
        for source in sources
        if "%" not in source[:1]  # magics
        for node in ast.parse(source).body
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    return list(dict.fromkeys(statements))


def process(statements):
    """A function that runs statements in a fresh process, in the folder of the lessons."""
    code = "\n".join(statements)
    env = {**os.environ, "PYTHONPATH": str(LESSONS.parents[1])}
    return lambda: subprocess.run([sys.executable, "-c", code], check=True, cwd=LESSONS, env=env)


@row("imports of the lesson with most / the same without aucbook", 1 / 1.5, [1])
def lesson(_):
    imported = {page.stem: imports_of(page) for page in sorted(LESSONS.glob("*.ipynb"))}
    name = max(imported, key=lambda stem: len(imported[stem]))
    ours = process(imported[name])
    peer = process([line for line in imported[name] if "aucbook" not in line])

    def compare():
        ours()  # the files are in memory after it
        start = processor_seconds()
        peer()
        others = processor_seconds() - start
        ours()
        whole = processor_seconds() - start - others
        return demand(
            whole - others <= ADDED,
            f"{len(imported[name])} imports of {name}, {others:.2f} s without aucbook; "
            f"aucbook adds {whole - others:.2f} s, allowed {ADDED:g} s",
        )

    return ours, peer, compare
