"""The list of numbered formulas, with the papers' own numbers, and where each is used."""

import re
from html import escape

CLAIM = r"(Eqs?\.|Theorem|Lemma|Corollary|Definition|Proposition|Algorithm|OP)\s?([\d.]*\d)"
MENTION = re.compile(rf"Paper (\d),\s{CLAIM}(?:\s(?:to|and)\s(\d+))?|{CLAIM}\s(?:\(|of )Paper (\d)")
LISTS = {"evidence/concordance"}  # a page that is such a list itself does not count as a use


def claims(text):
    "The numbered statements of the papers that a text mentions: {('1', 'Lemma', '4'), …}."
    found = set()
    for paper, kind, number, last, kind2, number2, paper2 in MENTION.findall(text):
        kind, number, paper = (kind or kind2).rstrip("s."), number or number2, paper or paper2
        numbers = range(int(number), int(last) + 1) if last and number.isdigit() else [number]
        found |= {(paper, "Eq" if kind == "Eqs" else kind, str(n)) for n in numbers}
    return found


def entry_id(page, label):
    "The anchor of a formula in the list."
    return f"{page.name.replace('/', '-')}-{label}"


def printed_numbers(equation):
    "What the paper calls this formula; the label may say it, or the words before it."
    paper = re.match(r"eq-p(\d)-", equation.label)
    if not paper:
        return []
    numbered = re.fullmatch(r"eq-p(\d)-(theorem|lemma|op|)(\d+)", equation.label)
    named = (
        {(numbered[1], {"op": "OP", "": "Eq"}.get(numbered[2], numbered[2].title()), numbered[3])}
        if numbered
        else set()
    )
    return [claim for claim in sorted(named | claims(equation.before[-300:])) if claim[0] == paper[1]]


def source(equation):
    "The paper and its number, as a reader would write it."
    paper = re.match(r"eq-p(\d)-", equation.label)
    named = [
        f"Paper {n}, {kind}{ {'Eq': '. ', 'OP': ''}.get(kind, ' ') }{number}"
        for n, kind, number in printed_numbers(equation)
    ]
    return "; ".join(named) or (f"Paper {paper[1]}" if paper else "")


def uses(equation, home, readers):
    "[(page, section), …]: references by label, and mentions of the paper's number elsewhere."
    found, printed = {}, set(printed_numbers(equation))
    for reader in readers:
        if reader.page.name in LISTS:
            continue
        for address, label, section in reader.references:
            if (address, label) == (home.address, equation.label):
                found[reader.page, section.id] = section
        for section in reader.sections:
            if section is not equation.section and printed & claims(section.text):
                found[reader.page, section.id] = section
    return [(page, section) for (page, _), section in found.items()]


def entry(page, equation, home, readers):
    "A place in the formula's own chapter goes without the chapter's title."
    name = lambda user, section: (
        section.title if user is home and section.title else " › ".join(filter(None, (user.label, section.title)))
    )
    used = ", ".join(
        f'<a href="{page.link(user, section.id)}">{escape(name(user, section))}</a>'
        for user, section in uses(equation, home, readers)
    )
    said = source(equation)
    number = f'<a class="eqno" href="{page.link(home, equation.label)}" aria-label="Equation {equation.number} of {escape(home.label, quote=True)}">({equation.number})</a>'
    return (
        f'<div class="entry" id="{entry_id(home, equation.label)}"><p class="equation">{equation.html}{number}</p>'
        f'<p class="used">{said + ". " if said else ""}' + (f"Used in {used}" if used else "") + "</p></div>"
    )


def page_body(page, readers):
    "The formulas in the order of the book."
    parts = []
    for reader in readers:
        if reader.equations:
            home = reader.page
            parts.append(
                f'<h2 id="in-{home.name.replace("/", "-")}"><a href="{page.link(home)}">{escape(home.label)}</a></h2>'
            )
            parts += [entry(page, equation, home, readers) for equation in reader.equations]
    return "\n".join(parts) or "<p>No numbered equations.</p>"
