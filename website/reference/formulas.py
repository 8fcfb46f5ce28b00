"""The list of numbered formulas, with the papers' own numbers, and where each is used."""

import re
from functools import cache
from html import escape

CLAIM = r"(Eqs?\.|Theorem|Lemma|Corollary|Definition|Proposition|Algorithm|OP)\s?([\d.]*\d)"
MENTION = re.compile(rf"Paper (\d),\s{CLAIM}(?:\s(?:to|and)\s(\d+))?|{CLAIM}\s(?:\(|of )Paper (\d)")
LABEL = re.compile(r"eq-p(\d)-")
NUMBERED_LABEL = re.compile(r"eq-p(\d)-(theorem|lemma|op|)(\d+)")
KIND_OF_LABEL = {"op": "OP", "": "Eq"}
BEFORE_NUMBER = {"Eq": ". ", "OP": ""}
LISTS = {"evidence/concordance"}  # a page that is itself a list of formulas does not use them
INTRODUCTION = 300  # characters before a formula that may say what the paper calls it


@cache
def claims(text):
    """The numbered statements of the papers that a text mentions: {('1', 'Lemma', '4'), …}."""
    statements = set()
    for paper, kind, number, last, kind_before, number_before, paper_after in MENTION.findall(text):
        paper = paper or paper_after
        kind = (kind or kind_before).rstrip("s.")
        number = number or number_before
        if kind == "Eqs":
            kind = "Eq"
        numbers = range(int(number), int(last) + 1) if last and number.isdigit() else [number]
        statements |= {(paper, kind, str(one)) for one in numbers}
    return frozenset(statements)


def entry_id(page, label):
    """The anchor of a formula in the list."""
    return f"{page.name.replace('/', '-')}-{label}"


def printed_numbers(equation):
    """What the paper calls this formula: its label may say it, or the words before it."""
    paper = LABEL.match(equation.label)
    if not paper:
        return []
    candidates = set(claims(equation.before[-INTRODUCTION:]))
    if numbered := NUMBERED_LABEL.fullmatch(equation.label):
        number, kind, statement = numbered.groups()
        candidates.add((number, KIND_OF_LABEL.get(kind, kind.title()), statement))
    return [claim for claim in sorted(candidates) if claim[0] == paper[1]]


def source(equation):
    """The paper and its number, as a reader would write it."""
    named = []
    for paper, kind, number in printed_numbers(equation):
        named.append(f"Paper {paper}, {kind}{BEFORE_NUMBER.get(kind, ' ')}{number}")
    if named:
        return "; ".join(named)
    paper = LABEL.match(equation.label)
    return f"Paper {paper[1]}" if paper else ""


def uses(equation, home, readers):
    """[(page, section), …]: references by label, and mentions of the paper's number elsewhere."""
    printed = set(printed_numbers(equation))
    places = {}
    for reader in readers:
        if reader.page.name in LISTS:
            continue
        for address, label, section in reader.references:
            if address == home.address and label == equation.label:
                places[reader.page, section.id] = section
        for section in reader.sections:
            if section is not equation.section and printed & claims(section.text):
                places[reader.page, section.id] = section
    return [(page, section) for (page, _), section in places.items()]


def place_name(user, section, home):
    """Page and section of a use; the section alone on the formula's own page."""
    if user is home and section.title:
        return section.title
    return " › ".join(filter(None, (user.label, section.title)))


def entry(page, equation, home, readers):
    """A formula, its source, and links to the places that use it."""
    links = []
    for user, section in uses(equation, home, readers):
        name = escape(place_name(user, section, home))
        links.append(f'<a href="{page.link(user, section.id)}">{name}</a>')
    named = source(equation)
    notes = (f"{named}. " if named else "") + (f"Used in {', '.join(links)}" if links else "")
    title = f"Equation {equation.number} of {escape(home.label, quote=True)}"
    address = page.link(home, equation.label)
    number = f'<a class="eqno" href="{address}" aria-label="{title}">({equation.number})</a>'
    return (
        f'<div class="entry" id="{entry_id(home, equation.label)}">'
        f'<p class="equation">{equation.html}{number}</p><p class="used">{notes}</p></div>'
    )


def page_body(page, readers):
    """The formulas in the order of the book, as HTML."""
    parts = []
    for reader in readers:
        home = reader.page
        if reader.equations:
            title = f'<a href="{page.link(home)}">{escape(home.label)}</a>'
            parts.append(f'<h2 id="in-{home.name.replace("/", "-")}">{title}</h2>')
        for equation in reader.equations:
            parts.append(entry(page, equation, home, readers))
    return "\n".join(parts) or "<p>No numbered equations.</p>"
