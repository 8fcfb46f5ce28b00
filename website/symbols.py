"""The index of names: what each does, where it is explained, who uses it."""

import re
from html import escape

from names import defined_in, used_names


def code_cells(page):
    return ["".join(cell["source"]) for cell in page.notebook["cells"] if cell["cell_type"] == "code"]


def homes(pages, names):
    "{name: (page, anchor or '')}: the page of its module (the workshop before the lesson), else the first that has its card."
    found, ids = {}, {page: {e.get("id") for e in page.tree.iter() if e.get("id")} for page in pages}
    for name, facts in names.items():
        stem = facts.module.split(".")[1]
        own = sorted((page for page in pages if page.stem == stem), key=lambda page: page.folder != "workshop")
        with_card = [page for page in [*own, *pages] if name.lower() in ids[page]]
        page = next(iter(with_card or own), None)
        if page:
            found[name] = page, name.lower() if with_card else ""
    return found


def users(pages, names):
    "{name: [page, …]}: the pages whose code uses it and does not define its own of that name."
    found = {name: [] for name in names}
    for page in pages:
        sources = code_cells(page)
        for name in set().union(*map(used_names, sources)) - {own for source in sources for own in defined_in(source)}:
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


def entry(page, name, facts, home, used_by, many):
    doc = facts.summary + ("." if facts.summary[-1:].isalnum() or facts.summary[-1:] in "`])" else "")
    used_by = [user for user in used_by if not home or user is not home[0]]
    target = home or (used_by and (used_by[0], ""))  # a module without a page: where it is first used
    title = f'<a href="{page.link(*target)}"><code>{name}</code></a>' if target else f"<code>{name}</code>"
    links = (
        ", ".join(f'<a href="{page.link(user)}">{escape(user.label)}</a>' for user in used_by)
        if len(used_by) <= many
        else f"{len(used_by)} pages"
    )
    return (
        f'<dt id="sym-{name}">{title} <small>{facts.kind} of <code>{facts.module}</code></small></dt><dd>{inline(doc)}'
        + (f'<span class="used">Used in {links}</span>' if links else "")
        + "</dd>"
    )


def page_body(page, pages, names, many=8):
    "Public names in alphabetical order, then those that modules share; a tool of more than `many` pages gets their number instead of the list."
    home, used_by = homes(pages, names), users(pages, names)
    listed = lambda public: sorted((name for name in names if names[name].public is public), key=str.lower)
    initials = {}
    for name in listed(True):
        initials.setdefault(name[0].upper(), f"sym-{name}")
    letters = " ".join(f'<a href="#{first}">{initial}</a>' for initial, first in initials.items())
    index = lambda some: (
        '<dl class="index">\n'
        + "\n".join(entry(page, name, names[name], home.get(name), used_by[name], many) for name in some)
        + "\n</dl>"
    )
    checks = [name for name in listed(False) if name.startswith("check_")]  # two dozen of a kind
    inside = (
        (
            '\n<h2 id="in-the-modules">In the modules</h2>\n<p>These are not imported from <code>aucbook</code> itself: the modules share them, and pages borrow some.</p>\n'
            + index(name for name in listed(False) if name not in checks)
        )
        if listed(False)
        else ""
    )
    folded = (
        f'\n<details class="fold"><summary>What checks input: {len(checks)} names that begin with <code>check_</code></summary>\n{index(checks)}\n</details>'
        if checks
        else ""
    )
    return f'<p class="letters">{letters}</p>\n{index(listed(True))}{inside}{folded}'
