"""What stands in the way of a reader of a lesson's spine.

python -m website lessons nbs/lessons/roc.ipynb …    how long spines are, and what stands in the way
"""

import json
import re
from pathlib import Path

from website.content.cells import split_options
from website.content.lessons import (
    DISPLAY,
    code,
    declared,
    prose,
    split,
    used,
    without_folds,
    words,
)

ASKS = re.compile(r"\b(guess|predict|before you (?:run|look|press)|what do you expect)\b", re.I)
AUDIT = re.compile(r"\bPaper \d|\bEqs?\.\s*\(?\d|\bfootnote \d|\bassert\b")
LIMITS = {"words": 1100, "formulas": 4, "live cells": 8}


def spoiled(notebook):
    "The code cells whose stored output would answer what the text before them asks."
    found, last = [], ""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            last = without_folds(source).strip()
            continue
        options, body = split_options(source)
        shown = (
            cell.get("outputs") and options.get("include") is not False and not options.get("hide")
        )
        question = any(
            "predict" in "".join(o.get("data", {}).get("text/html", ""))[:4000]
            for o in cell.get("outputs", [])
        )
        if last and shown:
            tail = last.split("\n\n")[-1]
            if (
                ASKS.search(tail)
                and not options.get("guess")
                and not question
                and "explorer" not in body
            ):
                found.append(body[:80])
            last = ""
    return found


def faults(notebook):
    "What stands in the way of a reader of the spine, as sentences."
    spine, _ = split(notebook["cells"])
    text = prose(spine)
    counts = {
        "words": words(text),
        "formulas": len(DISPLAY.findall(text)),
        "live cells": sum(bool(options.get("live")) for options, _, _ in code(spine)),
    }
    found = [
        f"{counts[what]} {what}, more than {most}"
        for what, most in LIMITS.items()
        if counts[what] > most
    ]
    found += [
        f"an auditor's remark: …{text[max(0, m.start() - 30) : m.end() + 30]!r}"
        for m in AUDIT.finditer(text)
    ]
    found += [
        f"an assert in the spine: {source[:60]!r}"
        for options, source, _ in code(spine)
        if re.search(r"^\s*assert\b", source, re.M)
        and not (options.get("hide") or options.get("live-check"))
    ]
    missing = sorted(used(spine) - set(declared(notebook["cells"])))
    found += [f"symbols not declared: {', '.join(missing)}"] if missing else []
    return found + [
        f"an answer stands below its question: {start!r}" for start in spoiled(notebook)
    ]


def report(names):
    "What there is to say about the lessons in these files, as lines to print."
    for name in names:
        lesson = json.loads(Path(name).read_text(encoding="utf8"))
        parts = split(lesson["cells"])
        yield "\n  ".join([f"{name} {[words(prose(part)) for part in parts]}", *faults(lesson)])
