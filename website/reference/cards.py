"""API cards: the signature that Python knows, a sentence, and the rest of the docstring folded."""

import dataclasses
import inspect
import textwrap
from html import escape
from typing import ForwardRef

from website.project import BuildError
from website.reference.docstrings import Field, summary_and_sections
from website.reference.names import lookup

WIDTH = 40  # columns of a signature that fit a phone


class AsWritten:
    """A default value that prints as its name: the address of a function says nothing."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


def shown_parameter(parameter):
    """A parameter without its annotation, which stands in the list of parameters."""
    default = parameter.default
    if inspect.isfunction(default) or inspect.isbuiltin(default):
        name = "…" if default.__name__ == "<lambda>" else default.__name__
        parameter = parameter.replace(default=AsWritten(name))
    return parameter.replace(annotation=parameter.empty)


def signature(name, value):
    """The call in short lines, keyword-only mark included, without annotations and self."""
    if inspect.isclass(value) and issubclass(value, Exception):
        return f"{name}(message)"  # what Python inherits has no signature
    parameters = inspect.signature(getattr(value, "py_func", value)).parameters.values()
    shown = [shown_parameter(one) for one in parameters if one.name != "self"]
    call = f"{name}{inspect.Signature(shown)}"
    return textwrap.fill(
        call, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


def type_as_text(annotation):
    """An annotation as it is written."""
    if isinstance(annotation, ForwardRef):
        return annotation.__forward_arg__
    if isinstance(annotation, str):
        return annotation
    return annotation.__name__ if inspect.isclass(annotation) else str(annotation)


def default_of(declared):
    """The default value of a dataclass's field as text; '' where there is none."""
    if declared.default is not dataclasses.MISSING:
        return repr(declared.default)
    if declared.default_factory is not dataclasses.MISSING:
        return f"{declared.default_factory.__name__}()"
    return ""


def fields_of(value):
    """The public fields of a named tuple or of a dataclass, in order; none of anything else."""
    if not inspect.isclass(value):
        return []
    if dataclasses.is_dataclass(value):
        fields = [
            Field(one.name, type_as_text(one.type), default_of(one))
            for one in dataclasses.fields(value)
        ]
    elif issubclass(value, tuple) and hasattr(value, "_fields"):
        types = {name: type_as_text(kind) for name, kind in value.__annotations__.items()}
        defaults = {name: repr(default) for name, default in value._field_defaults.items()}
        fields = [Field(one, types.get(one, ""), defaults.get(one, "")) for one in value._fields]
    else:
        fields = []
    return [one for one in fields if not one.name.startswith("_")]


def folded(sections):
    """The sections of a docstring under one summary that lists them."""
    titles = [heading or "More" for heading, _ in sections]
    summary = ", ".join([titles[0], *(title.lower() for title in titles[1:])])
    parts = []
    for heading, body in sections:
        titled = heading and len(sections) > 1
        parts.append(f"**{heading}**\n\n{body}" if titled else body)
    opening = f"```{{=html}}\n<details><summary>{escape(summary)}</summary>\n```"
    return "\n\n".join([opening, *parts, "```{=html}\n</details>\n```"])


def is_method(member):
    """Whether a member of a class is a function that a reader may call."""
    return inspect.isfunction(inspect.unwrap(getattr(member, "__func__", member)))


def methods(name, home=""):
    """The public methods that our classes give a class, or the class of a value: `Class.method`."""
    value = lookup(name, home)
    owner = value if inspect.isclass(value) else type(value)
    members = {}
    for base in reversed(owner.__mro__):
        if base.__module__.startswith("aucbook"):
            members |= vars(base)
    public = [key for key, member in members.items() if key[0] != "_" and is_method(member)]
    return [f"{name}.{key}" for key in public]


def card(name, home="", level=3, anchor=""):
    """The card of a function, class or method, as Markdown for pandoc.

    Parameters
    ----------
    name : str
        ``auc_interval``, ``TreeRank.fit``.
    home : str
        The module in which to look first.
    level, anchor
        Level and anchor of its heading.
    """
    value = lookup(name, home)
    if value is None:
        raise BuildError(f"show_doc({name}): the library has no such name")
    summary, sections = summary_and_sections(inspect.getdoc(value) or "", fields_of(value))
    heading = f"{'#' * level} {name}"
    if anchor:
        heading += f" {{#{anchor}}}"
    call = f"```{{.python}}\n{signature(name, value)}\n```"
    details = folded(sections) if sections else ""
    return "\n\n".join(filter(None, [heading, call, summary, details]))
