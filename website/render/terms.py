"""Links from running text to the glossary."""

import re
from dataclasses import dataclass, field

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
QUIET_BLOCKS = ("rich", "api", "references")  # classes of divs and sections
QUIET_PARAGRAPHS = ("subtitle", "figcaption", "callout-title", "related")


def is_quiet(element):
    """Whether an element holds no running text."""
    if not isinstance(element.tag, str) or element.tag in QUIET:
        return True
    return element.tag in ("div", "section") and has_class(element, *QUIET_BLOCKS)


def running_text(element, inside=False):
    """The places of running text, in order: (element, 'text' or 'tail')."""
    if is_quiet(element):
        return
    if element.tag in ("p", "li") and not has_class(element, *QUIET_PARAGRAPHS):
        inside = True
    if inside and element.text:
        yield element, "text"
    for child in element:
        yield from running_text(child, inside)
        if inside and child.tail:
            yield child, "tail"


@dataclass
class Terms:
    """The spellings of the glossary's terms, and the terms that a page has linked already."""

    entries: list
    linked: set = field(default_factory=set)

    def __post_init__(self):
        self.meanings = {}
        for entry in self.entries:
            for spelling in self.spellings(entry):
                self.meanings[spelling.lower()] = entry
        for entry in self.entries:
            for phrase in entry.get("not", []):
                self.meanings[phrase.lower()] = None
        longest_first = sorted(map(re.escape, self.meanings), key=len, reverse=True)
        self.pattern = re.compile(r"(?<![\w-])(" + "|".join(longest_first) + r")(?![\w-])", re.I)

    @staticmethod
    def spellings(entry):
        """The term and its other forms."""
        return [entry["term"], *entry.get("also", [])]

    def first_mention(self, match):
        """The entry that a match is the first mention of, or None."""
        entry = self.meanings[match[1].lower()]
        if entry is None or entry["term"] in self.linked:
            return None
        if entry.get("case") and match[1] not in self.spellings(entry):
            return None
        self.linked.add(entry["term"])
        return entry


def term_link(entry, text, address):
    """The link of a mention, with the definition."""
    link = fragment_fromstring("<a></a>")
    link.set("class", "term")
    link.set("href", f"{address}#{slug(entry['term'])}")
    link.set("data-tip", with_percent(entry["is"]))
    link.text = text
    return link


def link_names(main, entries, address="glossary.html"):
    """Make each term of the box *What others call this* a link to the glossary."""
    meanings = {entry["term"]: entry for entry in entries}
    for box in main.find_class("names"):
        for term in box.iter("strong"):
            name = term.text_content()
            if name in meanings:
                for child in list(term):
                    term.remove(child)
                term.text = None
                term.append(term_link(meanings[name], name, address))


def link_terms(main, entries, chapter="", address="glossary.html"):
    """Make the first mention of each term in the running text a link to the glossary.

    Everyday uses stay plain: chapters outside an entry's `in`, phrases of its `not`, parts of
    hyphenated names, titles in italics (the word alone in italics is being introduced), API cards.
    """
    terms = Terms([entry for entry in entries if chapter in entry.get("in", [chapter])])
    if not terms.meanings:
        return
    for element, place in list(running_text(main)):
        text = getattr(element, place)
        in_italics = element.tag == "em" and place == "text"
        links = []
        end = 0
        for match in terms.pattern.finditer(text):
            if in_italics and match[0] != text:
                continue
            entry = terms.first_mention(match)
            if entry:
                link = term_link(entry, match[0], address)
                links.append((text[end : match.start()], link))
                end = match.end()
        if links:
            insert(element, place, links, text[end:])


def insert(element, place, links, rest):
    """Replace a piece of text by (text before, link), …, and the rest."""
    setattr(element, place, links[0][0])
    texts_after = [before for before, _ in links[1:]] + [rest]
    for (_, link), after in zip(links, texts_after):
        link.tail = after
    if place == "text":
        element[:0] = [link for _, link in links]
        return
    parent = element.getparent()
    index = parent.index(element) + 1
    parent[index:index] = [link for _, link in links]
