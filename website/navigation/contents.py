"""What leads from page to page: the contents of _quarto.yml, previous and next, a lesson and its workshop pages."""

import re
from collections import defaultdict
from html import escape
from itertools import groupby

from website.content.minutes import minutes

REFERENCE = "Reference"  # this section is looked up, not read from first to last


def contents(config):
    "The pages of _quarto.yml in order: (the headings of the sections around it, notebook file)."

    def inside(entries, sections):
        for entry in entries:
            if isinstance(entry, str):
                yield sections, entry
            else:
                yield from inside(entry["contents"], (*sections, entry["section"]))

    return inside(config["website"]["sidebar"]["contents"], ())


def looked_up(page):
    return page.sections[:1] == (REFERENCE,)


def neighbours(pages):
    "{page: (previous, next)}: each house is a line of its own, so that the course never leads out of itself."
    lines, found = defaultdict(list), {}
    for page in pages:
        if page.notebook and not looked_up(page):
            lines[page.house].append(page)
    for line in lines.values():
        for before, page, after in zip([None, *line], line, [*line[1:], None]):
            found[page] = before, after
    return found


def twins(pages, subjects):
    "{page: [page, …]}: the workshop pages of a lesson, which `subjects` lists, and the lessons of a workshop page."
    named, found = {page.name: page for page in pages}, defaultdict(list)
    for lesson in (page for page in pages if page.folder == "lessons"):
        for name in subjects.get(lesson.stem, []):
            made = named.get(f"workshop/{name}")
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


NEEDS = re.compile(r"^You need:.*?(?:\n\n|\Z)", re.M | re.S)
FIRST = "lessons/roc"  # what every lesson needs


def needs(page, named):
    "The lessons that a lesson says it needs."
    text = "\n\n".join("".join(c["source"]) for c in page.notebook["cells"] if c["cell_type"] == "markdown")
    found = NEEDS.search(text) if not page.stem.startswith("quiz_") else None  # a quiz is about all of its part
    stems = re.findall(r"\]\((\w+)\.ipynb", found[0]) if found else []
    return [named[f"lessons/{stem}"] for stem in dict.fromkeys(stems) if f"lessons/{stem}" in named]


def marks(pages):
    "{lesson: its minutes, and what it needs beyond the first lesson and the one before it}."
    lessons = [page for page in pages if page.folder == "lessons"]
    named, found = {page.name: page for page in lessons}, {}
    for before, page in zip([None, *lessons], lessons):
        further = [other.title for other in needs(page, named) if other.name != FIRST and other is not before]
        found[page] = f"{max(1, minutes(page.notebook)[0])} min" + (
            f", after {' and '.join(further[:2])}" if further else ""
        )
    return found


def sidebar(pages, current, marks=()):
    "The navigation as a list; a section is a fold, and so are those in it. Open are the sections of the house where the reader is, and the fold of the page."

    def entry(page):
        here = ' aria-current="page"' if page is current else ""
        chapter = " data-chapter" if page.notebook else ""
        mark = f" <small>{escape(marks[page])}</small>" if page in marks else ""
        return f'<li><a href="{current.link(page)}"{here}{chapter}>{escape(page.title)}{mark}</a></li>'

    def is_open(members, depth):
        same = not looked_up(current) and not looked_up(members[0]) and current.house in {m.house for m in members}
        return current in members or (same and not depth)

    def level(members, depth=0):
        heading = lambda page: page.sections[depth : depth + 1]
        parts = [(section, list(group)) for section, group in groupby(members, heading)]
        return f"<ul>{''.join(fold(*section, group, depth) if section else ''.join(map(entry, group)) for section, group in parts)}</ul>"

    def fold(section, members, depth):
        opened = " open" if is_open(members, depth) else ""
        return f"<li><details{opened}><summary>{escape(section)}</summary>{level(members, depth + 1)}</details></li>"

    return level(pages)
