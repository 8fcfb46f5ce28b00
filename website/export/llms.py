"""llms.txt and llms-full.txt: the book for language models, in the order of its navigation.

Both are made of the pages' copies in Markdown.
"""

import re
from itertools import groupby

SECTIONS = {
    "lessons": "Lessons",
    "howto": "How to: one job each",
    "workshop": "The workshop: one page for each module",
    "evidence": "Evidence",
}
LINK = re.compile(r"\]\((?![a-z]+:)([^\s()]+\.(?:md|html|svg|png)(?:#[\w-]+)?)\)")


def contents(title, description, chapters, made, names):
    "The pages by section, then the public names, then the pages of the reference."
    lines = [f"# {title}", "", f"> {description}"]
    order = sorted(chapters, key=lambda page: list(SECTIONS).index(page.section))
    for section, pages in groupby(order, key=lambda page: page.section):
        lines += ["", f"## {SECTIONS[section]}", ""]
        lines += [f"- [{page.title}]({page.name}.md): {page.description}" for page in pages]
    lines += ["", "## Public names", ""]
    public = [facts for facts in names.values() if facts.package]
    for facts in sorted(public, key=lambda facts: (facts.package, facts.name)):
        lines.append(f"- {facts.package}.{facts.name}: {facts.summary}")
    lines += ["", "## More", ""]
    lines += [f"- [{page.title}]({page.address}): {page.description}" for page in made]
    lines.append("- [The text of all pages, as markdown](llms-full.txt)")
    return "\n".join(lines) + "\n"


def from_root(page):
    "The copy of a page, with links from the root of the site."

    def link(match):
        address, anchor = page.resolve(match[1])
        return f"]({address}{'#' + anchor if anchor else ''})"

    return LINK.sub(link, page.markdown)


def full_text(chapters):
    "The copies of all pages, one after the other."
    return "\n\n".join(map(from_root, chapters))
