"""A docstring as Markdown: numpydoc's sections where it has them, free text where it has not."""

import doctest
import re
from dataclasses import dataclass, field

from fastcore.docscrape import NumpyDocString

LISTS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")
TEXTS = ("Extended", "Notes", "References", "Examples", "See Also")


@dataclass(frozen=True)
class Field:
    """A field of a named tuple or dataclass, as its class declares it.

    Attributes
    ----------
    name, type : str
        `type` is '' where the class declares none.
    default : str
        As Python writes it; '' where a value has to be given.
    desc : list of str
        Lines that describe it; none, as only a docstring has some.
    """

    name: str
    type: str = ""
    default: str = ""
    desc: list = field(default_factory=list)


class Docstring(NumpyDocString):
    """fastcore's parser, which keeps every entry of a section, a second returned value included."""

    def _parse(self):
        super()._parse()
        self.entries = {section: list(self[section]) for section in LISTS}
        self.lines = {section: list(self[section]) for section in TEXTS}


def as_markdown(lines):
    """Lines of a docstring, with the little reStructuredText that numpydoc writes, as Markdown."""
    text = "\n".join(lines).strip("\n")
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    text = re.sub(r":math:`([^`]+)`", r"$\1$", text)
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    text = re.sub(r"\[(\w+)\]_", r"\\[\1]", text)
    return re.sub(r"^\.\. \[(\w+)\] ", r"\\[\1] ", text, flags=re.M)


def entry(parameter):
    """One parameter, returned value or exception, as an item of a definition list."""
    kind = as_markdown([parameter.type]) if parameter.type else ""
    head = f"`{parameter.name}`" + (f" : {kind}" if kind else "") if parameter.name else kind
    body = as_markdown(parameter.desc)
    if "\n\n" in "\n".join(parameter.desc):
        body = body.replace("\n", "\n    ")
    else:
        body = " ".join(body.split("\n"))
    return f"{head}\n:   {body or '–'}"


def with_default(described, declared):
    """An item of a field's section, completed by the type and the default of its declaration."""
    kind = described.type or declared.type
    if declared.default and "default" not in kind:
        kind = f"{kind}, default {declared.default}" if kind else f"default {declared.default}"
    return entry(Field(described.name, kind, desc=described.desc))


def field_items(fields, described):
    """Items of all fields, in their order.

    Parameters
    ----------
    fields : list of Field
    described : list
        Entries of a docstring; `low, high : float` describes two fields.
    """
    by_name = {name: one for one in described for name in one.name.split(", ")}
    items = {}  # by the names that one item describes
    for declared in fields:
        one = by_name.get(declared.name, declared)
        items.setdefault(one.name, with_default(one, declared))
    return list(items.values())


def block(kind, text):
    """A fenced block of a card."""
    return f"```{{.{kind}}}\n" + text.rstrip("\n") + "\n```"


def examples(lines):
    """A doctest as code to copy, and what it prints."""
    parts = []
    code = []

    def end_code():
        if code:
            parts.append(block("python", "".join(code)))
            code.clear()

    for piece in doctest.DocTestParser().parse("\n".join(lines) + "\n"):
        if isinstance(piece, str):
            if piece.strip():
                end_code()
                parts.append(as_markdown(piece.split("\n")))
            continue
        source = piece.source.rstrip("\n")
        code.append(re.sub(r"\s*# doctest: .*", "", source) + "\n")
        if piece.want:
            end_code()
            parts.append(block("output", piece.want))
    end_code()
    return "\n\n".join(parts)


def field_section(fields, entries):
    """The section of a docstring that describes fields of a class; '' where none does."""
    names = {one.name for one in fields}
    for heading in ("Parameters", "Attributes"):
        if any(names & set(one.name.split(", ")) for one in entries[heading]):
            return heading
    return ""


def summary_and_sections(docstring, fields=()):
    """(summary, [(heading, Markdown), …]); the heading of free text is empty.

    Parameters
    ----------
    docstring : str
    fields : list of Field
        Those of a named tuple or dataclass. The section that describes some of them gets the
        others, too; without one there is a section Fields, if their types or defaults are known.
    """
    parsed = Docstring(docstring, supported_sections=("See Also",))
    sections = [("", as_markdown(parsed.lines["Extended"]))]
    described = field_section(fields, parsed.entries)
    if not described and any(one.type or one.default for one in fields):
        sections.append(("Fields", "\n\n".join(field_items(fields, []))))
    for heading, entries in parsed.entries.items():
        items = list(map(entry, entries))
        if heading == described and fields:
            names = {one.name for one in fields}
            others = [one for one in entries if not names & set(one.name.split(", "))]
            items = field_items(fields, entries) + list(map(entry, others))
        sections.append((heading, "\n\n".join(items)))
    for heading in ("See Also", "Notes", "References"):
        sections.append((heading, as_markdown(parsed.lines[heading])))
    sections.append(("Examples", examples(parsed.lines["Examples"])))
    summary = " ".join(parsed["Summary"].split())
    return summary, [(heading, body) for heading, body in sections if body.strip()]
