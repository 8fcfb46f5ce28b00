"""How long a lesson takes: computed from what is on the page, so that it stays true when the page changes."""

import re

from cells import PREDICT, split_options

WORDS_A_MINUTE = 200
FOLDED = re.compile(r"^::: *\{[^}\n]*collapse=\"true\".*?^:::$", re.M | re.S)
SECONDS = {
    "line": 5,
    "question": 30,
    "exercise": 180,
}  # a visible line of code; a guess; an answer to write in a live cell


def words(notebook, folded=True):
    "Words of its text, formulas and addresses not counted; those in folds (proofs, hints) too, or not."
    text = "\n".join("".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "markdown")
    if not folded:
        text = FOLDED.sub(" ", text)
    text = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)", " ", text, flags=re.S)
    return len(re.findall(r"[^\W\d_]{2,}", text))


def visible_lines(notebook, live=True):
    "Lines of code that a reader sees before opening a fold; those of live cells too, or not."
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            options, code = split_options("".join(cell["source"]))
            hidden = options.get("echo") is False or options.get("include") is False or options.get("hide")
            if not (
                hidden or options.get("code-fold") or options.get("live-check") or (options.get("live") and not live)
            ):
                count += sum(map(bool, map(str.strip, code.splitlines())))
    return count


def minutes(notebook):
    "Whole minutes, the reader's own experiments not counted."
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    exercises = sum(bool(split_options("".join(cell["source"]))[0].get("live-check")) for cell in code)
    shown = ["".join(o.get("data", {}).get("text/html", "")) for cell in code for o in cell["outputs"]]
    questions = sum(html.count(PREDICT) for html in shown)
    seconds = (
        SECONDS["line"] * visible_lines(notebook) + SECONDS["question"] * questions + SECONDS["exercise"] * exercises
    )
    return round(words(notebook) / WORDS_A_MINUTE + seconds / 60)
