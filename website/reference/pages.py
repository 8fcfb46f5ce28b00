"""The reference: a page of cards for each sub-package, and an overview of all public names."""

import re
from html import escape

from website.content.cells import raw
from website.content.python_code import used_names
from website.reference.cards import card, methods
from website.reference.names import opening

MANY = 8  # a name used on more pages than this gets their number instead of their list
INTRODUCTION = """Names marked *everyday* are imported from `aucbook` itself too, every name \
from its sub-package:
`from aucbook.theory import Binormal`. A name leads to its card."""
SHORT = {"<=": "≤", ">=": "≥", "->": "→"}  # signs that a keyboard lacks


def anchors(page):
    """The anchors of a rendered page."""
    return {element.get("id") for element in page.tree.iter() if element.get("id")}


def without_package(name):
    """A name as its sub-package has it: subgroups of `lab.subgroups`."""
    return name.rpartition(".")[2]


def homes(pages, names):
    """{name: (page, anchor or '')}: where each name is made.

    That is the page that exports its module; where that has no anchor for it, the first page
    that has one.
    """
    known = {page: anchors(page) for page in pages}
    home_of = {}
    for name, facts in names.items():
        own = [page for page in pages if page.module == facts.module]
        anchor = without_package(name).lower()
        with_card = [page for page in [*own, *pages] if anchor in known[page]]
        if with_card:
            home_of[name] = with_card[0], anchor
        elif own:
            home_of[name] = own[0], ""
    return home_of


def users(pages, names):
    """{name: [page, …]}: the pages whose code uses a name and does not define one like it."""
    pages_of = {name: [] for name in names}
    for page in pages:
        used = set().union(*map(used_names, page.code))
        for name in used - page.defined:
            if name in pages_of:
                pages_of[name].append(page)
    return pages_of


def with_signs(text):
    """Text of a docstring as HTML, with the signs that a keyboard lacks."""
    for typed, sign in SHORT.items():
        text = text.replace(typed, sign)
    return re.sub(r"\^(\w+)", r"<sup>\1</sup>", escape(text, quote=False))


def inline(text):
    """A line of a docstring as HTML: code between backticks, text elsewhere."""
    parts = text.replace("``", "`").split("`")
    written = []
    for number, part in enumerate(parts):
        is_code = number % 2
        written.append(f"<code>{escape(part, quote=False)}</code>" if is_code else with_signs(part))
    return "".join(written)


def sentence(text):
    """Text with a full stop at its end."""
    return text + ("." if text[-1:].isalnum() or text[-1:] in "`])" else "")


def names_of(names, package):
    """The names that a package has, in alphabetical order; those of '' are not public."""
    own = [name for name, facts in names.items() if facts.package == package]
    return sorted(own, key=lambda name: (without_package(name).lower(), name))


def page_link(page, target, anchor=""):
    """A link with the label of the target."""
    return f'<a href="{page.link(target, anchor)}">{escape(target.label)}</a>'


def whereabouts(page, facts, home, used_by):
    """The line under a card: where else it is imported from, where it is made, and who uses it."""
    others = [user for user in used_by if not home or user is not home[0]]
    parts = []
    if facts.everyday:
        parts.append(f"Everyday: <code>from aucbook import {facts.name}</code>")
    if home:
        parts.append(f"Made in {page_link(page, *home)}")
    if len(others) > MANY:
        parts.append(f"Used in {len(others)} pages")
    elif others:
        parts.append("Used in " + ", ".join(page_link(page, user) for user in others))
    return f'<p class="used">{". ".join(parts)}</p>' if parts else ""


def package_page(page, package, names, home, used_by):
    """Markdown of the page of a sub-package: what it is for, and a card for each of its names.

    The methods of a class are folded. The anchors are the names as they are written: in small
    letters a class and a function could share one.
    """
    parts = [opening(package)[1], f"```{{.python}}\nfrom {package} import …\n```"]
    for name in names_of(names, package):
        facts = names[name]
        parts.append(f"::: api\n{card(name, facts.module, anchor=name)}")
        if own := methods(name, facts.module):
            listed = ", ".join(method.partition(".")[2] for method in own)
            parts.append(raw(f"<details><summary>Methods: {listed}</summary>"))
            for method in own:
                parts.append(card(method, facts.module, level=4, anchor=method))
            parts.append(raw("</details>"))
        parts.append(raw(whereabouts(page, facts, home.get(name), used_by[name])))
        parts.append(":::")
    return "\n\n".join(filter(None, parts))


def entry(name, facts, address):
    """One line of the overview; `address`: where its card is, or its page."""
    title = f"<code>{name}</code>"
    if address:
        title = f'<a href="{address}">{title}</a>'
    note = ""
    if not facts.package:
        note = f" of <code>{facts.module}</code>"
    elif facts.everyday:
        note = " · everyday"
    summary = inline(sentence(facts.summary))
    return f'<dt id="sym-{name}">{title} <small>{facts.kind}{note}</small></dt><dd>{summary}</dd>'


def definition_list(entries):
    """Lines of the overview as a list."""
    return '<dl class="index">\n' + "\n".join(entries) + "\n</dl>"


def overview(page, package_pages, names, home):
    """Markdown of all names by what they are for.

    `package_pages`: {package: its page}. Names that are not public stand folded at the end.
    """
    parts = [INTRODUCTION]
    for package, target in package_pages.items():
        lines = [
            entry(name, names[name], page.link(target, name)) for name in names_of(names, package)
        ]
        parts.append(f"## [{target.title}]({page.link(target)}) {{#in-{target.stem}}}")
        parts.append(target.description)
        parts.append(raw(definition_list(lines)))
    private = []
    for name in names_of(names, ""):
        address = page.link(*home[name]) if name in home else ""
        private.append(entry(name, names[name], address))
    if private:
        summary = f"<summary>Shared between modules, not public: {len(private)} names</summary>"
        lines = definition_list(private)
        parts.append(raw(f'<details class="fold">{summary}\n{lines}\n</details>'))
    return "\n\n".join(parts)
