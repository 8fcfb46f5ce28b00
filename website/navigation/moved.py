"""Redirects (data/moved.yml) from old pages, and from anchors that a page no longer has.

An old page becomes a small page at its old address. A page that lives on carries its old anchors
in a script, which site.js reads.
"""

import json
from html import escape

from lxml.html import fragment_fromstring

from website.content.pages import Page

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8">\
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<link rel="canonical" href="{to}"><script>{{
  const there = new Map(Object.entries({places}));
  let name = location.hash.slice(1);
  try {{ name = decodeURIComponent(name); }}
  catch {{ }} // as it is, where its % signs encode nothing
  location.replace(there.get(name) || {first});
}}</script></head>
<body><main><h1>This page has moved</h1>
<p>It is now part of <a href="{to}">{title}</a>.</p></main></body>
</html>
"""


def split_target(target):
    """(address, anchor) of a target."""
    address, _, anchor = target.partition("#")
    return address, anchor


def links(old, entry):
    """{anchor: the way to its new place} from a page."""
    page = Page(old, "")
    targets = entry.get("anchors", {})
    return {anchor: page.link(*split_target(target)) for anchor, target in targets.items()}


def problems(moved, pages, anchors):
    """What leads nowhere, or is not needed; `anchors`: {address: those of a page}."""
    known = {page.address for page in pages}
    lines = []
    for old, entry in moved.items():
        old_anchors = entry.get("anchors", {})
        if old in known and "to" in entry:
            lines.append(f"moved.yml: {old}: it is a page")
        if old not in known and "to" not in entry:
            lines.append(f"moved.yml: {old}: say where it went, with `to`")
        targets = list(old_anchors.values())
        if "to" in entry:
            targets.append(entry["to"])
        for target in targets:
            address, anchor = split_target(target)
            if address not in known or (anchor and anchor not in anchors[address]):
                lines.append(f"moved.yml: {old}: nothing at {target}")
        for anchor in old_anchors:
            if anchor in anchors.get(old, ()):
                lines.append(f"moved.yml: {old} has {anchor}")
    return lines


def write_page(old, entry, title, out):
    """The small page at an old address."""
    to = Page(old, "").link(*split_target(entry["to"]))
    path = out / old
    path.parent.mkdir(parents=True, exist_ok=True)
    text = PAGE.format(
        title=escape(title),
        to=escape(to),
        places=json.dumps(links(old, entry)),
        first=json.dumps(to),
    )
    path.write_text(text, encoding="utf8")


def add_script(page, entry):
    """The old anchors of a page that lives on."""
    script = fragment_fromstring('<script type="application/json" id="moved"></script>')
    script.text = json.dumps(links(page.address, entry))
    page.tree.get_element_by_id("main").append(script)


def write(moved, pages, out):
    """Write the small pages, and put the script into pages that live on; no entry has problems."""
    known = {page.address: page for page in pages}
    for old, entry in moved.items():
        if old in known:
            add_script(known[old], entry)
        else:
            address, _ = split_target(entry["to"])
            write_page(old, entry, known[address].title, out)
