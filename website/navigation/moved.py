"""Text that has moved (moved.yml): a page that is no more leads on, and so does an anchor that a page has no more.

In: the entries of moved.yml and the pages of the site. Out: small pages at old addresses, a script in pages that live on (site.js
reads it), and what leads nowhere, one line each."""

import json
from html import escape

from lxml.html import fragment_fromstring

from website.content.pages import Page

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<link rel="canonical" href="{to}"><script>{{
  const there = new Map(Object.entries({places}));
  let name = location.hash.slice(1);
  try {{ name = decodeURIComponent(name); }} catch {{ }} // as it is, where its % signs encode nothing
  location.replace(there.get(name) || {first});
}}</script></head>
<body><main><h1>This page has moved</h1><p>It is now part of <a href="{to}">{title}</a>.</p></main></body>
</html>
"""


def links(old, entry):
    "{anchor: the way to its new place} from a page."
    return {
        anchor: Page(old, "").link(*target.partition("#")[::2]) for anchor, target in entry.get("anchors", {}).items()
    }


def problems(moved, pages, anchors):
    "What leads nowhere, or is not needed; `anchors`: {address: those of a page}."
    known, found = {page.address for page in pages}, []
    for old, entry in moved.items():
        if (old in known) == ("to" in entry):
            found.append(f"moved.yml: {old}: " + ("it is a page" if old in known else "say where it went, with `to`"))
        for target in [*entry.get("anchors", {}).values(), *([entry["to"]] if "to" in entry else [])]:
            address, _, anchor = target.partition("#")
            if address not in known or (anchor and anchor not in anchors[address]):
                found.append(f"moved.yml: {old}: nothing at {target}")
        found += [
            f"moved.yml: {old} has {anchor}" for anchor in entry.get("anchors", {}) if anchor in anchors.get(old, ())
        ]
    return found


def place(moved, pages, out):
    "Write the small pages, and put the script into pages that live on; no entry has problems."
    known = {page.address: page for page in pages}
    for old, entry in moved.items():
        places = json.dumps(links(old, entry))
        if old in known:
            script = fragment_fromstring('<script type="application/json" id="moved"></script>')
            script.text = places
            known[old].tree.get_element_by_id("main").append(script)
            continue
        to = Page(old, "").link(*entry["to"].partition("#")[::2])
        title = escape(known[entry["to"].partition("#")[0]].title)
        (out / old).parent.mkdir(parents=True, exist_ok=True)
        (out / old).write_text(
            PAGE.format(title=title, to=escape(to), places=places, first=json.dumps(to)), encoding="utf8"
        )
