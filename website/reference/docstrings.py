"""A docstring as Markdown: numpydoc's sections where it has them, free text where it has not."""

import doctest
import re

from fastcore.docscrape import NumpyDocString

LISTS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")
TEXTS = ("Extended", "Notes", "References", "Examples", "See Also")


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


def summary_and_sections(docstring):
    """(summary, [(heading, Markdown), …]); the heading of free text is empty."""
    parsed = Docstring(docstring, supported_sections=("See Also",))
    sections = [("", as_markdown(parsed.lines["Extended"]))]
    for heading, entries in parsed.entries.items():
        sections.append((heading, "\n\n".join(map(entry, entries))))
    for heading in ("See Also", "Notes", "References"):
        sections.append((heading, as_markdown(parsed.lines[heading])))
    sections.append(("Examples", examples(parsed.lines["Examples"])))
    summary = " ".join(parsed["Summary"].split())
    return summary, [(heading, body) for heading, body in sections if body.strip()]
