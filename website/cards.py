"""API cards: the signature that Python knows, one sentence, and the rest of the docstring in a fold."""

import inspect
import textwrap
from functools import lru_cache
from html import escape

from docstrings import summary_and_sections
from names import lookup
from project import BuildError

WIDTH = 40  # a signature fits a phone


def signature(name, value):
    "The call in short lines: keyword-only marks, no annotations (their place is the list of parameters), no self."
    if inspect.isclass(value) and issubclass(value, Exception):
        return f"{name}(message)"  # what Python inherits has no signature to ask for
    bare = [
        p.replace(annotation=p.empty)
        for p in inspect.signature(getattr(value, "py_func", value)).parameters.values()
        if p.name != "self"
    ]
    call = f"{name}{inspect.Signature(bare)}"
    return textwrap.fill(call, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


@lru_cache
def lookup_links():
    "nbdev's knowledge of where a name between backticks is documented."
    from nbdev.doclinks import NbdevLookup

    return NbdevLookup("aucbook")


def linked(text):
    return lookup_links().linkify(text) or ""


def fold(sections):
    "The sections of a docstring under one summary that says what is in it."
    titles = [heading or "More" for heading, _ in sections]
    what = ", ".join([titles[0], *(title.lower() for title in titles[1:])])
    parts = [
        f"**{heading}**\n\n{linked(body)}" if heading and len(sections) > 1 else linked(body)
        for heading, body in sections
    ]
    return "\n\n".join(
        [f"```{{=html}}\n<details><summary>{escape(what)}</summary>\n```", *parts, "```{=html}\n</details>\n```"]
    )


def card(name, home=""):
    "The card of a function, class or method; `home`: the module in which the page would look first."
    value = lookup(name, home)
    if value is None:
        raise BuildError(f"show_doc({name}): the library has no such name")
    summary, sections = summary_and_sections(inspect.getdoc(value) or "")
    parts = [f"### {name}", f"```{{.python}}\n{signature(name, value)}\n```", linked(summary)]
    return "\n\n".join(part for part in [*parts, fold(sections) if sections else ""] if part)
