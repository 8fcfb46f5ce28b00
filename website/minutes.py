"""How long a lesson takes: computed from what is on the page, so that it stays true when the page changes."""

import re

from cells import PREDICT, split_options

WORDS_A_MINUTE = 200
SECONDS = {
    "line": 5,
    "question": 30,
    "exercise": 180,
}  # a visible line of code; a guess; an answer to write in a live cell


def minutes(notebook):
    "Whole minutes, the reader's own experiments not counted."
    words = lines = questions = exercises = 0
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            words += len(re.findall(r"[^\W\d_]{2,}", re.sub(r"\$[^$]*\$|\]\([^)]*\)", " ", source)))
        elif cell["cell_type"] == "code":
            options, code = split_options(source)
            exercises += bool(options.get("live-check"))
            shown = options.get("echo") is not False and options.get("include") is not False
            if shown and not options.get("code-fold") and not options.get("live-check"):
                lines += sum(map(bool, map(str.strip, code.splitlines())))
            questions += sum("".join(o.get("data", {}).get("text/html", "")).count(PREDICT) for o in cell["outputs"])
    seconds = SECONDS["line"] * lines + SECONDS["question"] * questions + SECONDS["exercise"] * exercises
    return round(words / WORDS_A_MINUTE + seconds / 60)
