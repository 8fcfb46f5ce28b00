"""The page of the glossary."""

import re
import unicodedata
from html import escape


def slug(term):
    """The anchor of a term."""
    letters = unicodedata.normalize("NFKD", term).lower()
    return "term-" + re.sub(r"\W+", "-", letters).strip("-")


def other_names(entry):
    """What others call a term, as HTML."""
    names = [escape(name) for name in entry.get("others", [])]
    names += [f"<code>{escape(name)}</code>" for name in entry.get("sklearn", [])]
    names += [f"<code>{escape(name)}</code> in R" for name in entry.get("r", [])]
    if not names:
        return ""
    return f'<span class="others">Others say: {", ".join(names)}.</span>'


def page_body(entries, page, pages):
    """The list of terms as HTML; `pages` {name: page} has those that explain them."""
    items = []
    for entry in sorted(entries, key=lambda entry: entry["term"].lower()):
        home = pages.get(entry["see"])
        see = ""
        if home:
            link = f'<a href="{page.link(home)}">{escape(home.title)}</a>'
            see = f'<span class="used">Explained in {link}</span>'
        term = entry["term"]
        meaning = escape(entry["is"])
        names = other_names(entry)
        items.append(f'<dt id="{slug(term)}">{escape(term)}</dt><dd>{meaning}{names}{see}</dd>')
    return '<dl class="index">\n' + "\n".join(items) + "\n</dl>"
