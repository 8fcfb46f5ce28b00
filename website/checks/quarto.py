"""What Quarto's pages show: answers wait, checkers are gone, live cells have their scripts.

python -m website.checks.quarto _proc _proc/_rendered    the processed notebooks, and Quarto's site
"""

import json
import re
import sys
from pathlib import Path

from website.content.cells import options_of

GUESS = "<summary>Show what it says</summary>"
LIVE = re.compile(r'<div id="live-\d+"')
LEFT = re.compile(r"\sdata-(?:guess|live|live-check)=")


def page_problems(notebook, html):
    """What is wrong with Quarto's page of a processed notebook, as sentences."""
    options = [(options_of(cell), cell.get("outputs")) for cell in notebook["cells"]]
    guesses = sum(1 for given, outputs in options if given.get("guess") and outputs)
    live = sum(1 for given, _ in options if given.get("live"))
    problems = []
    if html.count(GUESS) != guesses:
        problems.append(f"{html.count(GUESS)} of {guesses} guesses wait")
    if len(LIVE.findall(html)) != live:
        problems.append(f"{len(LIVE.findall(html))} of {live} live cells are marked")
    if live and "/live.js" not in html:
        problems.append("live cells, and no script for them")
    if LEFT.search(html):
        problems.append("a cell with an option that the filter did not see")
    return problems


def report(processed, rendered):
    """What is wrong with Quarto's site, one line for each problem."""
    lines = []
    for path in sorted(processed.rglob("*.ipynb")):
        name = path.relative_to(processed).with_suffix("")
        page = rendered / f"{name}.html"
        if rendered in path.parents:
            continue
        if not page.is_file():
            lines.append(f"{name}: not rendered")
            continue
        notebook = json.loads(path.read_text(encoding="utf8"))
        found = page_problems(notebook, page.read_text(encoding="utf8"))
        lines += [f"{name}: {problem}" for problem in found]
    return lines


if __name__ == "__main__":
    problems = report(*map(Path, sys.argv[1:]))
    print(*problems, sep="\n")
    sys.exit(bool(problems))
