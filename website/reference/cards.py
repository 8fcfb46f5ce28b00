"""API cards: the signature that Python knows, one sentence, and the rest of the docstring in a fold."""

import inspect
import textwrap
from html import escape

from website.project import BuildError
from website.reference.docstrings import summary_and_sections
from website.reference.names import lookup

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


def fold(sections):
    "The sections of a docstring under one summary that says what is in it."
    titles = [heading or "More" for heading, _ in sections]
    what = ", ".join([titles[0], *(title.lower() for title in titles[1:])])
    parts = [f"**{heading}**\n\n{body}" if heading and len(sections) > 1 else body for heading, body in sections]
    return "\n\n".join(
        [f"```{{=html}}\n<details><summary>{escape(what)}</summary>\n```", *parts, "```{=html}\n</details>\n```"]
    )


def methods(name, home=""):
    "The methods of a class, or of a value's class, that ours write and a reader may call, as `Class.method`; none of a function."
    value = lookup(name, home)
    owner = value if inspect.isclass(value) else type(value)
    ours = [base for base in reversed(owner.__mro__) if base.__module__.startswith("aucbook")]
    written = {key: given for base in ours for key, given in vars(base).items()}
    plain = lambda given: inspect.isfunction(inspect.unwrap(getattr(given, "__func__", given)))
    return [f"{name}.{key}" for key, given in written.items() if not key.startswith("_") and plain(given)]


def card(name, home="", level=3, anchor=""):
    "The card of a function, class or method; `home`: the module in which the page would look first; `level` and `anchor` of its heading."
    value = lookup(name, home)
    if value is None:
        raise BuildError(f"show_doc({name}): the library has no such name")
    summary, sections = summary_and_sections(inspect.getdoc(value) or "")
    parts = [
        f"{'#' * level} {name}" + (f" {{#{anchor}}}" if anchor else ""),
        f"```{{.python}}\n{signature(name, value)}\n```",
        summary,
    ]
    return "\n\n".join(part for part in [*parts, fold(sections) if sections else ""] if part)
