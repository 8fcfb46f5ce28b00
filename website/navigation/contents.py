"""What leads from page to page: the contents of _quarto.yml, previous and next, related pages."""

import re
from collections import defaultdict
from html import escape
from itertools import groupby

from website.content.cells import source_of
from website.content.minutes import minutes

REFERENCE = "Reference"  # this heading is looked up, not read from first to last
FIRST = "lessons/roc"  # what every lesson needs
NEEDS = re.compile(r"^You need:.*?(?:\n\n|\Z)", re.M | re.S)


def contents(config):
    """The pages of _quarto.yml in order: (the headings around each, its notebook's file)."""

    def inside(entries, headings):
        for entry in entries:
            if isinstance(entry, str):
                yield headings, entry
            else:
                yield from inside(entry["contents"], (*headings, entry["section"]))

    return inside(config["website"]["sidebar"]["contents"], ())


def is_reference(page):
    """Whether a page stands under the heading that is looked up."""
    return page.headings[:1] == (REFERENCE,)


def neighbours(pages):
    """{page: (previous, next)}, section by section: the course never leads out of itself."""
    lines = defaultdict(list)
    for page in pages:
        if page.notebook and not is_reference(page):
            lines[page.section].append(page)
    neighbours_of = {}
    for line in lines.values():
        for before, page, after in zip([None, *line], line, [*line[1:], None]):
            neighbours_of[page] = before, after
    return neighbours_of


def related_pages(pages, subjects):
    """{page: [page, …]}: the workshop pages of a lesson, from `subjects`, and the reverse."""
    named = {page.name: page for page in pages}
    related = defaultdict(list)
    for lesson in pages:
        if lesson.folder != "lessons":
            continue
        for name in subjects.get(lesson.stem, []):
            workshop_page = named.get(f"workshop/{name}")
            if workshop_page:
                related[lesson].append(workshop_page)
                related[workshop_page].append(lesson)
    return related


def titled_link(page, target):
    """A link with the title of the target."""
    return f'<a href="{page.link(target)}">{escape(target.title)}</a>'


def related_line(page, others):
    """The line under the title that leads from a lesson to the workshop, or back."""
    if not others:
        return ""
    words = "The lesson" if len(others) == 1 else "The lessons"
    if page.folder == "lessons":
        words = "How it is made"
    return f"{words}: " + ", ".join(titled_link(page, other) for other in others)


def needs(page, named):
    """The lessons that a lesson says it needs; a quiz is about all of its part."""
    if page.stem.startswith("quiz_"):
        return []
    cells = page.notebook["cells"]
    text = "\n\n".join(source_of(cell) for cell in cells if cell["cell_type"] == "markdown")
    sentence = NEEDS.search(text)
    stems = re.findall(r"\]\((\w+)\.ipynb", sentence[0]) if sentence else []
    names = [f"lessons/{stem}" for stem in dict.fromkeys(stems)]
    return [named[name] for name in names if name in named]


def marks(pages):
    """{lesson: its minutes, and the lessons it needs beyond the first and the one before it}."""
    lessons = [page for page in pages if page.folder == "lessons"]
    named = {page.name: page for page in lessons}
    mark_of = {}
    for before, page in zip([None, *lessons], lessons):
        mark = f"{max(1, minutes(page.notebook)[0])} min"
        others = [
            other for other in needs(page, named) if other.name != FIRST and other is not before
        ]
        if others:
            mark += ", after " + " and ".join(other.title for other in others[:2])
        mark_of[page] = mark
    return mark_of


def sidebar(pages, current, marks=()):
    """The navigation as a list; a heading is a fold, and so are those in it.

    Open are the headings of the section where the reader is, and the fold of the page.
    """

    def entry(page):
        here = ' aria-current="page"' if page is current else ""
        chapter = " data-chapter" if page.notebook else ""
        mark = f" <small>{escape(marks[page])}</small>" if page in marks else ""
        title = escape(page.title)
        return f'<li><a href="{current.link(page)}"{here}{chapter}>{title}{mark}</a></li>'

    def is_open(members, depth):
        if current in members:
            return True
        if depth or is_reference(current) or is_reference(members[0]):
            return False
        return current.section in {member.section for member in members}

    def fold(heading, members, depth):
        opened = " open" if is_open(members, depth) else ""
        inside = level(members, depth + 1)
        summary = f"<summary>{escape(heading)}</summary>"
        return f"<li><details{opened}>{summary}{inside}</details></li>"

    def level(members, depth=0):
        parts = []
        for heading, group in groupby(members, lambda page: page.headings[depth : depth + 1]):
            if heading:
                parts.append(fold(heading[0], list(group), depth))
            else:
                parts += map(entry, group)
        return f"<ul>{''.join(parts)}</ul>"

    return level(pages)
