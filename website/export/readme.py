"""README.md from the first page: GitHub markdown, without figures; every link is absolute, so it works on a package index."""

import json

from website.content.pages import front_matter
from website.project import HERE, settings
from website.render.markdown import to_markdown
from website.render.pandoc import pandoc


def shown(cell):
    "The cell with its printed outputs only; None for a figure."
    if cell["cell_type"] != "code":
        return cell
    if "fig-alt" in "".join(cell["source"]):
        return None
    plain = [
        output
        for output in cell.get("outputs", [])
        if "text/plain" in output.get("data", {}) and "image/png" not in output["data"]
    ]
    return {**cell, "outputs": plain}


def readme(processed):
    "The text of README.md."
    notebook = json.loads((processed / "index.ipynb").read_text(encoding="utf8"))
    meta, facts = front_matter(notebook), settings()
    live = {i for i, cell in enumerate(notebook["cells"]) if "".join(cell["source"]).startswith("#| live")}
    paged = live | {i - 1 for i in live}  # what runs in the page, and the words that ask to run it
    kept = [cell for i, cell in enumerate(notebook["cells"]) if i and i not in paged]
    cells = [cell for cell in map(shown, kept) if cell]
    git = f"{facts['git_url']}/blob/{facts['branch']}/nbs"
    body = pandoc(
        to_markdown({"cells": cells}, None),
        "-t",
        "gfm",
        f"--lua-filter={HERE / 'export/readme.lua'}",
        "-M",
        f"git={git}",
    )
    return f"# {meta['title']}\n\n<!-- Written by `make book` from nbs/index.ipynb: edit that notebook. -->\n\n*{meta['description']}*\n\n{body}"
