"""llms.txt and llms-full.txt: the book for language models, in the order of its navigation."""

import re
from itertools import groupby

HOUSES = {"lessons": "Lessons", "workshop": "The workshop: one page for each module", "evidence": "Evidence"}


def contents(title, description, chapters, made, names):
    "The pages by house, then the public names."
    lines = [f"# {title}", "", f"> {description}"]
    order = sorted(chapters, key=lambda page: list(HOUSES).index(page.folder or "lessons"))
    for house, pages in groupby(order, key=lambda page: page.folder or "lessons"):
        lines += ["", f"## {HOUSES[house]}", ""] + [
            f"- [{page.title}]({page.address}): {page.description}" for page in pages
        ]
    public = sorted((facts.module, name, facts.summary) for name, facts in names.items() if facts.public)
    lines += ["", "## Public names", ""] + [f"- {module}.{name}: {summary}" for module, name, summary in public]
    lines += ["", "## More", ""] + [f"- [{page.title}]({page.address}): {page.description}" for page in made]
    return "\n".join([*lines, "- [The text of all pages, as markdown](llms-full.txt)"]) + "\n"


def full_text(chapters):
    "The markdown of all pages, without raw HTML; links to notebooks from the root of the site."

    def text(page):
        def link(match):
            address, anchor = page.resolve(match[1].replace(".ipynb", ".html") + (match[2] or ""))
            return f"]({address}{'#' + anchor if anchor else ''})"

        without = re.sub(r"(`{3,})\{=html\}\n.*?\n\1\n*", "", page.text, flags=re.S)
        return re.sub(r"\]\((?![a-z]+:)([^\s()#]+\.ipynb)(#[\w-]+)?\)", link, without)

    return "\n\n".join(map(text, chapters))
