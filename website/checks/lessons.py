"""What stands in the way of a reader of a lesson's spine.

`python -m website lessons nbs/lessons/roc.ipynb` says how long spines are, and what stands in the
way.
"""

import json
import re
from pathlib import Path

from website.content import ast
from website.content.cells import QUESTION, source_of, split_options, texts
from website.content.lessons import code, declared, formulas, prose, split, used, words

ASKS = re.compile(r"\b(guess|predict|before you (?:run|look|press)|what do you expect)\b", re.I)
AUDIT = re.compile(r"\bPaper \d|\bEqs?\.\s*\(?\d|\bfootnote \d|\bassert\b")
ASSERT = re.compile(r"^\s*assert\b", re.M)
LIMITS = {"words": 1200, "formulas": 4, "live cells": 8}
AROUND = 30  # characters shown before and after a remark


def shows_output(cell, options):
    """Whether a cell has a stored output that the page shows."""
    hidden = options.get("include") is False or options.get("hide")
    return bool(cell.get("outputs")) and not hidden


def is_question(cell):
    """Whether a cell asks its question itself."""
    outputs = cell.get("outputs", [])
    return any(QUESTION in texts(output).get("text/html", "") for output in outputs)


def spoiled(notebook):
    """The code cells whose stored output would answer what the paragraph before them asks."""
    starts = []
    for part in split(notebook["cells"]):
        asks = False
        for piece in part.pieces:
            if piece.cell is None:
                if not piece.folded:
                    asks = bool(ASKS.search(ast.plain_text(piece.block)))
                continue
            options, source = split_options(source_of(piece.cell))
            if not shows_output(piece.cell, options):
                continue
            waits = options.get("guess") or is_question(piece.cell) or "explorer" in source
            if asks and not waits:
                starts.append(source[:80])
            asks = False
    return starts


def stands_open(options):
    """Whether a cell is a live one that the page does not fold."""
    return bool(options.get("live")) and not options.get("code-fold")


def too_long(spine):
    """What the spine has too much of."""
    counts = {
        "words": words(spine),
        "formulas": len(formulas(spine)),
        "live cells": sum(1 for options, _, _ in code(spine) if stands_open(options)),
    }
    for what, most in LIMITS.items():
        if counts[what] > most:
            yield f"{counts[what]} {what}, more than {most}"


def remarks(spine):
    """Remarks for auditors, and asserts, in the spine."""
    text = prose(spine)
    for match in AUDIT.finditer(text):
        remark = text[max(0, match.start() - AROUND) : match.end() + AROUND]
        yield f"an auditor's remark: …{remark!r}"
    for options, source, _ in code(spine):
        hidden = options.get("hide") or options.get("live-check")
        if ASSERT.search(source) and not hidden:
            yield f"an assert in the spine: {source[:60]!r}"


def faults(notebook):
    """What stands in the way of a reader of the spine, as sentences."""
    cells = notebook["cells"]
    spine, _ = split(cells)
    sentences = [*too_long(spine), *remarks(spine)]
    undeclared = sorted(used(spine) - set(declared(cells)))
    if undeclared:
        sentences.append(f"symbols not declared: {', '.join(undeclared)}")
    for start in spoiled(notebook):
        sentences.append(f"an answer stands below its question: {start!r}")
    return sentences


def report(names):
    """What there is to say about the lessons in these files, as lines to print."""
    for name in names:
        lesson = json.loads(Path(name).read_text(encoding="utf8"))
        lengths = [words(part) for part in split(lesson["cells"])]
        yield "\n  ".join([f"{name} {lengths}", *faults(lesson)])
