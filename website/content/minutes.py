"""How long a lesson takes to do: computed from what is on the page, so that it stays true when the page changes."""

from website.content.cells import PREDICT
from website.content.lessons import DISPLAY, code, prose, split, words

WORDS_A_MINUTE = 140
SECONDS = {
    "formula": 45,  # displayed
    "line": 4,  # of a live cell
    "question": 30,  # a guess
    "explorable": 90,  # a picture to play with, and its task
    "exercise": 240,  # an answer to write in a live cell
}


def visible_lines(part, live):
    "Lines of code that a reader sees before opening a fold: those of live cells, or the others."
    count = 0
    for options, source, _ in code(part):
        hidden = options.get("echo") is False or options.get("include") is False or options.get("hide")
        folded = hidden or options.get("code-fold") or options.get("live-check")
        if not folded and bool(options.get("live")) == live:
            count += sum(map(bool, map(str.strip, source.splitlines())))
    return count


def seconds(part):
    text = prose(part)
    cells = code(part)
    data = [output.get("data", {}) for _, _, cell in cells for output in cell.get("outputs", [])]
    counts = {
        "formula": len(DISPLAY.findall(text)),
        "line": visible_lines(part, live=True),
        "question": sum("".join(one.get("text/html", "")).count(PREDICT) for one in data),
        "explorable": sum("".join(one.get("text/plain", "")).startswith("<explorable: ") for one in data),
        "exercise": sum(bool(options.get("live-check")) for options, _, _ in cells),
    }
    return 60 * words(text) / WORDS_A_MINUTE + sum(SECONDS[what] * n for what, n in counts.items())


def minutes(notebook):
    "Whole minutes of its spine, and of its depth beside."
    return tuple(round(seconds(part) / 60) for part in split(notebook["cells"]))
