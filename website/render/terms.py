"""Links from running text to the glossary."""

import re

from lxml.html import fragment_fromstring

from website.reference.glossary import slug
from website.render.corrections import has_class, with_percent

QUIET = {
    "script",
    "style",
    "math",
    "svg",
    "pre",
    "table",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "figcaption",
    "summary",
    "code",
    "a",
    "button",
    "details",
    "nav",
}


def running_text(element, inside=False):
    "The places of running text, in order: (element, 'text' or 'tail')."
    if (
        not isinstance(element.tag, str)
        or element.tag in QUIET
        or (element.tag in ("div", "section") and has_class(element, "rich", "api", "references"))
    ):
        return
    inside = inside or (
        element.tag in ("p", "li") and not has_class(element, "subtitle", "figcaption", "callout-title", "twins")
    )
    if inside and element.text:
        yield element, "text"
    for child in element:
        yield from running_text(child, inside)
        if inside and child.tail:
            yield child, "tail"


def link_terms(main, entries, chapter="", address="glossary.html"):
    """The first mention of each term in the running text becomes a link to the glossary that carries its definition.

    Everyday uses stay plain: chapters outside an entry's `in`, phrases of its `not`, parts of hyphenated names, titles in italics (the word alone in italics is being introduced), API cards."""
    entries = [e for e in entries if chapter in e.get("in", [chapter])]
    terms = {spelling.lower(): e for e in entries for spelling in [e["term"], *e.get("also", [])]} | {
        phrase.lower(): None for e in entries for phrase in e.get("not", [])
    }
    if not terms:
        return
    pattern = re.compile(
        r"(?<![\w-])(" + "|".join(sorted(map(re.escape, terms), key=len, reverse=True)) + r")(?![\w-])", re.I
    )
    seen = set()

    def means(match):
        "The entry that this mention is the first of, or None."
        entry = terms[match[1].lower()]
        if (
            entry is None
            or entry["term"] in seen
            or (entry.get("case") and match[1] not in (entry["term"], *entry.get("also", [])))
        ):
            return None
        seen.add(entry["term"])
        return entry

    for element, place in list(running_text(main)):
        text, links, at = getattr(element, place), [], 0
        title = element.tag == "em" and place == "text"
        for match in pattern.finditer(text):
            entry = means(match) if not title or match[0] == text else None
            if entry:
                link = fragment_fromstring("<a></a>")
                for key, value in (
                    ("class", "term"),
                    ("href", f"{address}#{slug(entry['term'])}"),
                    ("data-tip", with_percent(entry["is"])),
                ):
                    link.set(key, value)
                link.text = match[0]
                links.append((text[at : match.start()], link))
                at = match.end()
        if links:
            insert(element, place, links, text[at:])


def insert(element, place, links, rest):
    "Replace a piece of text by (text before, link), …, and the rest."
    setattr(element, place, links[0][0])
    for (_, link), after in zip(links, [*(before for before, _ in links[1:]), rest]):
        link.tail = after
    if place == "text":
        element[:0] = [link for _, link in links]
    else:
        parent = element.getparent()
        at = parent.index(element) + 1
        parent[at:at] = [link for _, link in links]
