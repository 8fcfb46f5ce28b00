"""A docstring as markdown: numpydoc's sections where it has them, free text where it has not."""

import doctest
import re

from fastcore.docscrape import NumpyDocString

LISTS = {
    "Parameters": "Parameters",
    "Attributes": "Attributes",
    "Returns": "Returns",
    "Yields": "Yields",
    "Raises": "Raises",
    "Warns": "Warns",
}


class Docstring(NumpyDocString):
    "fastcore's parser, which keeps every entry of a section (it would drop a second return value, or a second ValueError)."

    def _parse(self):
        super()._parse()
        self.entries = {section: list(self[section]) for section in LISTS}
        self.lines = {
            section: list(self[section]) for section in ("Extended", "Notes", "References", "Examples", "See Also")
        }


def text(lines):
    "Lines of a docstring, with the little reStructuredText that numpydoc writes, as markdown."
    found = "\n".join(lines).strip("\n")
    found = re.sub(r"``([^`]+)``", r"`\1`", found)
    found = re.sub(r":math:`([^`]+)`", r"$\1$", found)
    found = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", found)
    return re.sub(r"^\.\. \[(\w+)\] ", r"\\[\1] ", re.sub(r"\[(\w+)\]_", r"\\[\1]", found), flags=re.M)


def entry(parameter):
    "One parameter, returned value or exception, as an item of a definition list."
    head = (
        f"`{parameter.name}`" + (f" : {text([parameter.type])}" if parameter.type else "")
        if parameter.name
        else text([parameter.type])
    )
    body = (
        " ".join(text(parameter.desc).split("\n"))
        if "\n\n" not in "\n".join(parameter.desc)
        else text(parameter.desc).replace("\n", "\n    ")
    )
    return f"{head}\n:   {body or '–'}"


def examples(lines):
    "A doctest as code to copy, and what it prints."
    parts, code = [], []

    def flush():
        if code:
            parts.append("```{.python}\n" + "".join(code).rstrip("\n") + "\n```")
            code.clear()

    for piece in doctest.DocTestParser().parse("\n".join(lines) + "\n"):
        if isinstance(piece, str):
            if piece.strip():
                flush()
                parts.append(text(piece.split("\n")))
            continue
        code.append(re.sub(r"\s*# doctest: .*", "", piece.source.rstrip("\n")) + "\n")
        if piece.want:
            flush()
            parts.append("```{.output}\n" + piece.want.rstrip("\n") + "\n```")
    flush()
    return "\n\n".join(parts)


def summary_and_sections(docstring):
    "(summary, [(heading, markdown), …]): the heading of free text is empty."
    parsed = Docstring(docstring, supported_sections=("See Also",))
    sections = [("", text(parsed.lines["Extended"]))]
    sections += [(section, "\n\n".join(map(entry, entries))) for section, entries in parsed.entries.items()]
    sections += [(section, text(parsed.lines[section])) for section in ("See Also", "Notes", "References")]
    sections += [("Examples", examples(parsed.lines["Examples"]))]
    return " ".join(" ".join(parsed["Summary"].split()).split("\n")), [
        (heading, body) for heading, body in sections if body.strip()
    ]
