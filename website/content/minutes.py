"""How long a lesson takes to do, computed from what is on its page.

The constants were fitted to careful readings of five lessons, with all that they ask to be done:
40 to 60 minutes each. The computed times are within a quarter of these. Readers open folded live
cells, too, and read them faster than the others: they prepare what is known already.
"""

import re

from website.content.cells import QUESTION, texts
from website.content.lessons import code, formulas, split, words

WORDS_A_MINUTE = 110
SECONDS = {
    "formula": 60,  # displayed
    "line": 10,  # of a live cell, read and understood
    "folded": 6,  # line of a live cell that is folded; lines of numbers are not read
    "question": 60,  # a guess
    "explorable": 240,  # a picture to play with, and its task
    "exercise": 480,  # an answer to write in a live cell
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


def seconds(part):
    """How long one part of a lesson takes."""
    cells = code(part)
    outputs = [texts(output) for _, _, cell in cells for output in cell.get("outputs", [])]
    played = [data for data in outputs if data.get("text/plain", "").startswith("<explorable: ")]
    counts = {
        "formula": len(formulas(part)),
        "line": visible_lines(part, live=True),
        "folded": folded_lines(part),
        "question": sum(data.get("text/html", "").count(QUESTION) for data in outputs),
        "explorable": len(played),
        "exercise": sum(1 for options, _, _ in cells if options.get("live-check")),
    }
    reading = 60 * words(part) / WORDS_A_MINUTE
    return reading + sum(SECONDS[kind] * count for kind, count in counts.items())


def minutes(notebook):
    """Whole minutes of a lesson's spine, and of its depth."""
    spine, depth = split(notebook["cells"])
    return round(seconds(spine) / 60), round(seconds(depth) / 60)
