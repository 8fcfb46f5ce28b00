"""How long a lesson takes to do, computed from what is on its page.

The spine's constants are a least-squares fit to the minutes that three careful readers (a
first-year student, a clinician, an engineer) needed for each of 41 pages, with all that the pages
ask to be done: correlation .87, root mean squared error 2.9 minutes. Formulas, open code,
explorables and exercises were offered to the fit, too; beside the number of words they explained
nothing more.
What lies in depth was not timed by readers: its constants are assumptions.
"""

import re

from website.content.cells import QUESTION, texts
from website.content.lessons import code, formulas, split, words

SPINE = {  # minutes
    "page": 8.3,  # to get into it, to play with its picture, to answer what it asks at the end
    "word": 0.022,
    "folded": 0.095,  # line of a live cell that is folded; lines of numbers are not read
    "question": 0.8,  # a guess
}
DEPTH = {  # minutes
    "page": 0.0,
    "word": 1 / 110,
    "formula": 1.0,  # displayed
    "line": 1 / 6,  # of a live cell, read and understood
    "folded": 0.1,
    "question": 1.0,
    "explorable": 4.0,  # a picture to play with, and its task
    "exercise": 8.0,  # an answer to write in a live cell
}


def is_folded(options):
    """Whether a reader sees the code of a cell only after opening a fold, or never."""
    hidden = options.get("echo") is False or options.get("include") is False
    return hidden or any(options.get(key) for key in ("hide", "code-fold", "live-check"))


def visible_lines(part, live):
    """How many lines of code stand open on the page: those of live cells, or the others."""
    count = 0
    for options, source, _ in code(part):
        if not is_folded(options) and bool(options.get("live")) == live:
            count += sum(1 for line in source.splitlines() if line.strip())
    return count


def folded_lines(part):
    """How many lines of folded live cells have a name in them, and are not only numbers."""
    count = 0
    for options, source, _ in code(part):
        if options.get("live") and options.get("code-fold"):
            count += sum(1 for line in source.splitlines() if re.search(r"[^\W\d]", line))
    return count


def contents(part):
    """How much of each kind a part of a lesson has."""
    cells = code(part)
    outputs = [texts(output) for _, _, cell in cells for output in cell.get("outputs", [])]
    played = [data for data in outputs if data.get("text/plain", "").startswith("<explorable: ")]
    return {
        "page": 1,
        "word": words(part),
        "formula": len(formulas(part)),
        "line": visible_lines(part, live=True),
        "folded": folded_lines(part),
        "question": sum(data.get("text/html", "").count(QUESTION) for data in outputs),
        "explorable": len(played),
        "exercise": sum(1 for options, _, _ in cells if options.get("live-check")),
    }


def in_minutes(part, constants):
    """Whole minutes that one part of a lesson takes."""
    counts = contents(part)
    return round(sum(constants[kind] * counts[kind] for kind in constants))


def minutes(notebook):
    """Whole minutes of a lesson's spine, and of its depth."""
    spine, depth = split(notebook["cells"])
    return in_minutes(spine, SPINE), in_minutes(depth, DEPTH)
