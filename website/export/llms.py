"""llms.txt and llms-full.txt: the book for language models, in the order of its navigation. Both are made of the pages' copies in Markdown."""

import re
from itertools import groupby

HOUSES = {
    "lessons": "Lessons",
    "howto": "How to: one job each",
    "workshop": "The workshop: one page for each module",
    "evidence": "Evidence",
}


def contents(title, description, chapters, made, names):
    "The pages by house, then the public names."
    lines = [f"# {title}", "", f"> {description}"]
    order = sorted(chapters, key=lambda page: list(HOUSES).index(page.house))
    for house, pages in groupby(order, key=lambda page: page.house):
        lines += ["", f"## {HOUSES[house]}", ""] + [
            f"- [{page.title}]({page.name}.md): {page.description}" for page in pages
        ]
    public = sorted((facts.door, name, facts.summary) for name, facts in names.items() if facts.door)
    lines += ["", "## Public names", ""] + [f"- {door}.{name}: {summary}" for door, name, summary in public]
    lines += ["", "## More", ""] + [f"- [{page.title}]({page.address}): {page.description}" for page in made]
    return "\n".join([*lines, "- [The text of all pages, as markdown](llms-full.txt)"]) + "\n"


def full_text(chapters):
    "The copies of all pages, one after the other; their links from the root of the site."

    def text(page):
        def link(match):
            address, anchor = page.resolve(match[1])
            return f"]({address}{'#' + anchor if anchor else ''})"

        return re.sub(r"\]\((?![a-z]+:)([^\s()]+\.(?:md|html|svg|png)(?:#[\w-]+)?)\)", link, page.copy)

    return "\n\n".join(map(text, chapters))
