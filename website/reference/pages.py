"""The reference: a page for each wing with a card for every name at its door, and an overview of them all, wing by wing."""

import re
from html import escape

from website.content.cells import raw
from website.content.python_code import used_names
from website.reference.cards import card, methods
from website.reference.names import opening

MANY = 8  # a tool of more pages gets their number instead of the list


def homes(pages, names):
    "{name: (page, anchor or '')}: the page that makes its module, else the first that has its card."
    found, ids = {}, {page: {e.get("id") for e in page.tree.iter() if e.get("id")} for page in pages}
    for name, facts in names.items():
        own = [page for page in pages if page.module == facts.module]
        with_card = [page for page in [*own, *pages] if name.lower() in ids[page]]
        page = next(iter(with_card or own), None)
        if page:
            found[name] = page, name.lower() if with_card else ""
    return found


def users(pages, names):
    "{name: [page, …]}: the pages whose code uses it and does not define its own of that name."
    found = {name: [] for name in names}
    for page in pages:
        for name in set().union(*map(used_names, page.code)) - page.defined:
            if name in found:
                found[name].append(page)
    return found


def inline(text):
    "A docstring's line as HTML: code between backticks, and elsewhere the signs that a keyboard lacks."
    parts = text.replace("``", "`").split("`")
    signs = lambda words: re.sub(
        r"\^(\w+)",
        r"<sup>\1</sup>",
        escape(words.replace("<=", "≤").replace(">=", "≥").replace("->", "→"), quote=False),
    )
    return "".join(
        f"<code>{escape(part, quote=False)}</code>" if i % 2 else signs(part) for i, part in enumerate(parts)
    )


def sentence(text):
    return text + ("." if text[-1:].isalnum() or text[-1:] in "`])" else "")


def at_door(names, door):
    "The names at a door in alphabetical order; without a door: those that modules share."
    return sorted((name for name in names if names[name].door == door), key=lambda name: (name.lower(), name))


def whereabouts(page, facts, home, used_by):
    "The line under a card: where else it comes from, where it is made, who uses it."
    link = lambda target, anchor="": f'<a href="{page.link(target, anchor)}">{escape(target.label)}</a>'
    used_by = [user for user in used_by if not home or user is not home[0]]
    said = [f"Everyday: <code>from aucbook import {facts.name}</code>"] if facts.everyday else []
    said += [f"Made in {link(*home)}"] if home else []
    if used_by:
        said.append("Used in " + (", ".join(map(link, used_by)) if len(used_by) <= MANY else f"{len(used_by)} pages"))
    return f'<p class="used">{". ".join(said)}</p>' if said else ""


def wing_body(page, door, names, home, used_by):
    """Markdown of the page of a wing: what it is for, and its names, each a card; the methods of a class in a fold.

    The anchors are the names as they are written: small letters would make one of a class and a function."""
    parts = [opening(door)[1], f"```{{.python}}\nfrom {door} import …\n```"]
    for name in at_door(names, door):
        facts = names[name]
        parts.append(f"::: api\n{card(name, facts.module, anchor=name)}")
        if own := methods(name, facts.module):
            listed = ", ".join(method.partition(".")[2] for method in own)
            parts.append(raw(f"<details><summary>Methods: {listed}</summary>"))
            parts += [card(method, facts.module, 4, method) for method in own]
            parts.append(raw("</details>"))
        parts += [raw(whereabouts(page, facts, home.get(name), used_by[name])), ":::"]
    return "\n\n".join(part for part in parts if part)


def entry(name, facts, address):
    "One line of the overview; `address`: where its card is, or its page."
    title = f'<a href="{address}"><code>{name}</code></a>' if address else f"<code>{name}</code>"
    where = f" of <code>{facts.module}</code>" if not facts.door else " · everyday" if facts.everyday else ""
    return (
        f'<dt id="sym-{name}">{title} <small>{facts.kind}{where}</small></dt><dd>{inline(sentence(facts.summary))}</dd>'
    )


def overview(page, wings, names, home):
    "Markdown: all names by what they are for. `wings` {door: its page}; those that modules share without a door are folded at the end."
    index = lambda entries: '<dl class="index">\n' + "\n".join(entries) + "\n</dl>"
    parts = [
        """Names marked *everyday* are imported from `aucbook` itself too, every name from its wing:
`from aucbook.theory import Binormal`. A name leads to its card."""
    ]
    for door, wing in wings.items():
        here = [entry(name, names[name], page.link(wing, name)) for name in at_door(names, door)]
        parts += [f"## [{wing.title}]({page.link(wing)}) {{#in-{wing.stem}}}", wing.description, raw(index(here))]
    shared = [entry(name, names[name], page.link(*home[name]) if name in home else "") for name in at_door(names, "")]
    if shared:
        summary = f"<summary>What modules share without a door: {len(shared)} names</summary>"
        parts.append(raw(f'<details class="fold">{summary}\n{index(shared)}\n</details>'))
    return "\n\n".join(parts)
