"""The page of the glossary."""

import re
import unicodedata
from html import escape


def slug(term):
    """The anchor of a term."""
    letters = unicodedata.normalize("NFKD", term).lower()
    return "term-" + re.sub(r"\W+", "-", letters).strip("-")


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
        items.append(f'<dt id="{slug(term)}">{escape(term)}</dt><dd>{meaning}{see}</dd>')
    return '<dl class="index">\n' + "\n".join(items) + "\n</dl>"
