"""llms.txt and llms-full.txt: the book for language models, in the order of its navigation."""

from itertools import groupby

from website.content import ast
from website.export.markdown import in_markdown, with_links

SECTIONS = {
    "lessons": "Lessons",
    "lab": "Laboratory: widgets for your own data",
    "howto": "How to: one job each",
    "workshop": "The workshop: one page for each module",
    "evidence": "Evidence",
}


def contents(title, description, chapters, reference, names):
    """The pages by section, then the public names, then the pages of the reference."""
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
    lines += [f"- [{page.title}]({page.address}): {page.description}" for page in reference]
    lines.append("- [The text of all pages but the workshop's, as Markdown](llms-full.txt)")
    return "\n".join(lines) + "\n"


def full_text(chapters, url):
    """The copies of pages, one after the other, with links from the root of the site.

    The workshop's pages hold the source of the library: they are two thirds of all text, more than
    a language model reads at once, and each is listed in llms.txt.
    """
    chapters = [page for page in chapters if page.section != "workshop"]
    blocks = []
    for page in chapters:
        blocks += with_links(page.document["blocks"], page, url, "")
    return in_markdown(ast.with_blocks(chapters[0].document, blocks))
