"""A code cell of a processed notebook: its options, the code and outputs that a page shows; and blocks of Markdown."""

import re

import yaml

OPTION = re.compile(r"^#\|\s*([\w-]+)\s*(?::\s*(.*))?$")
PREDICT = 'class="predict"'  # a question of aucbook.explore
SHOW_DOC = re.compile(r"show_doc\(([\w.]+)")


def split_options(source):
    "The `#| key: value` lines at the top of a cell, as a dictionary, and the rest."
    lines, options = source.split("\n"), {}
    while lines and (match := OPTION.match(lines[0])):
        value = match[2]
        options[match[1]] = True if value is None else yaml.safe_load(value)
        lines.pop(0)
    return options, "\n".join(lines).strip("\n")


def fenced(text, attributes):
    "A block of code, or of anything else that markdown must not read."
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{attributes}\n{text}\n{fence}"


def raw(text):
    return fenced(text, "{=html}")


def visible(cell):
    "(options, source, outputs) of a code cell, as far as a page shows them."
    options, source = split_options("".join(cell["source"]))
    if options.get("include") is False:
        return options, "", []
    return (
        options,
        source if options.get("echo") is not False else "",
        cell.get("outputs", []) if options.get("output") is not False else [],
    )
