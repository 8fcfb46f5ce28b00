"""The page of the glossary."""

import re
import unicodedata
from html import escape


def slug(term):
    return "term-" + re.sub(r"\W+", "-", unicodedata.normalize("NFKD", term).lower()).strip("-")


def page_body(entries, page, named):
    "The list of terms; `named` finds the page that explains one."
    items = []
    for e in sorted(entries, key=lambda e: e["term"].lower()):
        home = named.get(e["see"])
        see = (
            f'<span class="used">Explained in <a href="{page.link(home)}">{escape(home.title)}</a></span>'
            if home
            else ""
        )
        items.append(f'<dt id="{slug(e["term"])}">{escape(e["term"])}</dt><dd>{escape(e["is"])}{see}</dd>')
    return '<dl class="index">\n' + "\n".join(items) + "\n</dl>"
