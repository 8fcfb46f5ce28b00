"""What leads from page to page: the contents of _quarto.yml, previous and next, a lesson and its workshop pages."""

from collections import defaultdict
from html import escape

REFERENCE = "Reference"  # this section is looked up, not read from first to last


def contents(config):
    "The pages of _quarto.yml in order: (section or None, notebook file)."
    for entry in config["website"]["sidebar"]["contents"]:
        if isinstance(entry, str):
            yield None, entry
        else:
            yield from ((entry["section"], page) for page in entry["contents"])


def house(page):
    "What a page is read with: the course, the workshop, the evidence. The first page opens the course."
    return page.folder or "lessons"


def neighbours(pages):
    "{page: (previous, next)}: each house is a line of its own, so that the course never leads out of itself."
    lines, found = defaultdict(list), {}
    for page in pages:
        if page.notebook and page.section != REFERENCE:
            lines[house(page)].append(page)
    for line in lines.values():
        for before, page, after in zip([None, *line], line, [*line[1:], None]):
            found[page] = before, after
    return found


def twins(pages, subjects):
    """{page: [page, …]}: the workshop pages of a lesson, and the lessons of a workshop page.

    They share a stem; `subjects` adds, for a lesson, the stems of further workshop pages."""
    named, found = {page.name: page for page in pages}, defaultdict(list)
    for lesson in (page for page in pages if page.folder == "lessons"):
        for stem in dict.fromkeys([lesson.stem, *subjects.get(lesson.stem, [])]):
            made = named.get(f"workshop/{stem}")
            if made:
                found[lesson].append(made)
                found[made].append(lesson)
    return found


def anchor(page, target):
    return f'<a href="{page.link(target)}">{escape(target.title)}</a>'


def twin_links(page, others):
    "The line under the title that leads to the other house."
    if not others:
        return ""
    word = "How it is made" if page.folder == "lessons" else "The lesson" if len(others) == 1 else "The lessons"
    return f"{word}: " + ", ".join(anchor(page, other) for other in others)


def sidebar(pages, current):
    "The navigation as a list; a section is a fold, open in the house where the reader is."
    items, sections = [], {}
    for page in pages:
        if page.section not in sections:
            sections[page.section] = [page]
            items.append((page.section, sections[page.section]))
        else:
            sections[page.section].append(page)

    def entry(page):
        here = ' aria-current="page"' if page is current else ""
        chapter = f' data-chapter="{page.address}"' if page.notebook else ""
        return f'<li><a href="{current.link(page)}"{here}{chapter}>{escape(page.title)}</a></li>'

    def fold(section, members):
        inside = current in members or (
            current.section != REFERENCE and house(current) in map(house, members) and section != REFERENCE
        )
        return f"<li><details{' open' if inside else ''}><summary>{escape(section)}</summary><ul>{''.join(map(entry, members))}</ul></details></li>"

    return (
        "<ul>"
        + "".join(fold(section, members) if section else "".join(map(entry, members)) for section, members in items)
        + "</ul>"
    )
