"""Where a statement is in this book: links for the page, and what the test asks of them."""

import inspect
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import aucbook

from . import PAPERS
from .citations import kind_of, read_module, read_page

NOTEBOOKS = Path(__file__).parents[2]
PACKAGE = Path(aucbook.__file__).parent


# Every row by (paper, kind, number), as citations are read.
ROWS = {
    (paper, kind_of(row.kind), row.number): row
    for paper, data in PAPERS.items()
    for row in data.STATEMENTS
}


@cache
def page(name):
    'What is on a page, by its address from the folder of all notebooks: "lessons/aucboost"'
    return read_page(NOTEBOOKS / f"{name}.ipynb")


@cache
def pages():
    "All pages that may discuss a statement; those that only list are left out"
    lists = {"concordance", "notation", "reproducibility"}
    paths = (
        path
        for house in ("lessons", "workshop", "evidence")
        for path in sorted((NOTEBOOKS / house).rglob("[!.]*.ipynb"))
    )
    names = (
        p.relative_to(NOTEBOOKS).with_suffix("").as_posix() for p in paths if p.stem not in lists
    )
    return {name: page(name) for name in names}


def module_name(path):
    'How Python imports a file: "aucbook.boosting.weak_rankers"'
    return ".".join(path.with_suffix("").parts)


@cache
def symbols():
    "Every function and class of the exported modules, by module and name"
    paths = sorted(PACKAGE.rglob("*.py"))
    found = (
        symbol
        for path in paths
        for symbol in read_module(path, module_name(path.relative_to(PACKAGE.parent)))
    )
    return {(symbol.module, symbol.name): symbol for symbol in found}


def anchor(paper, kind, number):
    'The anchor of a row: "p1-lemma-4"'
    return f"p{paper}-" + re.sub(
        r"[^a-z0-9]+", "-", f"{kind}-{number}".lower().replace("§", "section")
    ).strip("-")


def named(kind, number):
    'As one writes it: "Lemma 4", "OP1"'
    return kind + ("" if kind == "OP" else " ") + number


class Found(NamedTuple):
    thing: object
    home: tuple  # (module, name) of the function or class that defines it: ("aucbook.metrics.roc", "roc_auc")
    shown: str  # as one writes it: "roc_auc", "AUCBoost.fit"


def found(dotted):
    'What a dotted name means: "aucbook.roc_auc", "aucbook.boosting.weak_rankers.two_sided"'
    module, rest = dotted, []
    while True:
        try:
            thing = import_module(module)
            break
        except ModuleNotFoundError:
            module, _, last = module.rpartition(".")
            rest.insert(0, last)
    top = getattr(thing, rest[0])
    for name in rest:
        thing = getattr(thing, name)
    return Found(
        thing, (getattr(inspect.unwrap(top), "__module__", module), rest[0]), ".".join(rest)
    )


def page_link(address, again=False):
    "A link to a place, named by its page"
    name, _, at = address.partition("#")
    return f"[{'and here' if again else page(name).title}](../{name}.ipynb{'#' + at if at else ''})"


def page_links(addresses):
    "Links to places; of the same page only the first carries its title"
    names = [address.partition("#")[0] for address in addresses]
    return ", ".join(
        page_link(address, name in names[:i])
        for i, (address, name) in enumerate(zip(addresses, names))
    )


def trial_link(place, problem):
    "A problem as a link to where it ran; a test is named, as it is no page"
    if "::" in place:
        return f"{problem} (`{place.partition('::')[2]}`)"
    name, _, at = place.partition("#")
    return f"[{problem}](../{name}.ipynb#{at})"


def code_link(home, shown):
    "A name of the library as a link to its card, if it has one, or to its page; plain where no page exports it"
    symbol = symbols().get(home)
    if symbol is None:
        return f"`{shown}`"
    card = "#" + shown.lower() if shown.lower() in page(symbol.page).anchors else ""
    return f"[`{shown}`](../{symbol.page}.ipynb{card})"


def code_links(names):
    "Links to dotted names"
    return ", ".join(code_link(it.home, it.shown) for it in map(found, names))
