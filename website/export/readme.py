"""README.md from the first page: GitHub's Markdown, without figures.

Every link is absolute, so that it works on a package index.
"""

import json

from website.content.cells import PICTURES, options_of, source_of
from website.content.pages import front_matter
from website.content.pandoc import pandoc
from website.project import HERE, settings
from website.render.markdown import to_markdown

NOTE = "<!-- Written by `make book` from nbs/index.ipynb: edit that notebook. -->"


def is_plain(output):
    """Whether an output is text that stands in README.md."""
    data = output.get("data", {})
    return "text/plain" in data and not any(mime in data for mime in PICTURES)


def printed_only(cell):
    """A code cell with its printed outputs only."""
    outputs = [output for output in cell.get("outputs", []) if is_plain(output)]
    return {**cell, "outputs": outputs}


def shown(cells):
    """The cells of the first page that README.md shows, in the form in which it does."""
    live = {i for i, cell in enumerate(cells) if options_of(cell).get("live")}
    pictures = {i for i, cell in enumerate(cells) if "_explorer(" in source_of(cell)}
    # also the words that ask to run a cell, or to move a picture
    left_out = live | pictures | {i - 1 for i in live | pictures}
    for i, cell in enumerate(cells):
        if i == 0 or i in left_out:
            continue
        if cell["cell_type"] != "code":
            yield cell
        elif "fig-alt" not in source_of(cell):
            yield printed_only(cell)


def readme(processed):
    """The text of README.md."""
    notebook = json.loads((processed / "index.ipynb").read_text(encoding="utf8"))
    page = front_matter(notebook)
    facts = settings()
    git = f"{facts['git_url']}/blob/{facts['branch']}/nbs"
    body = pandoc(
        to_markdown({"cells": list(shown(notebook["cells"]))}, None),
        "-t",
        "gfm",
        f"--lua-filter={HERE / 'export/readme.lua'}",
        "-M",
        f"git={git}",
    )
    return f"# {page['title']}\n\n{NOTE}\n\n*{page['description']}*\n\n{body}"
