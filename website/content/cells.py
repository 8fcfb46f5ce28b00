"""A cell of a processed notebook: its options, the code and outputs that a page shows, its text."""

import re
from functools import cache

import yaml

OPTION = re.compile(r"^#\|\s*([\w-]+)\s*(?::\s*(.*))?$")
QUESTION = 'class="predict"'  # in the HTML of a question of aucbook.explore
SHOW_DOC = re.compile(r"show_doc\(([\w.]+)")
PICTURES = ("image/svg+xml", "image/png")


def source_of(cell):
    """The text of a cell."""
    return "".join(cell["source"])


@cache
def option_value(text):
    """The value of an option, as YAML writes it; the same few stand above thousands of cells."""
    return yaml.safe_load(text)


def split_options(source):
    """The `#| key: value` lines at the top of a cell, as a dictionary, and the rest."""
    lines = source.split("\n")
    options = {}
    while lines and (match := OPTION.match(lines[0])):
        value = match[2]
        options[match[1]] = True if value is None else option_value(value)
        lines.pop(0)
    return options, "\n".join(lines).strip("\n")


def options_of(cell):
    """The options of a code cell; none of another cell."""
    return split_options(source_of(cell))[0] if cell["cell_type"] == "code" else {}


def documented_name(source):
    """The name of which a cell shows the card, `show_doc(name)`; None for any other cell."""
    match = SHOW_DOC.match(split_options(source)[1])
    return match[1] if match else None


def visible(cell):
    """(options, source, outputs) of a code cell, as far as a page shows them."""
    options, source = split_options(source_of(cell))
    if options.get("include") is False:
        return options, "", []
    shown_source = source if options.get("echo") is not False else ""
    shown_outputs = cell.get("outputs", []) if options.get("output") is not False else []
    return options, shown_source, shown_outputs


def texts(output):
    """{MIME type: text} of a stored output."""
    data = output.get("data", {})
    return {mime: "".join(text) for mime, text in data.items() if isinstance(text, (str, list))}


def is_picture(output):
    """Whether a stored output is a figure."""
    return any(mime in output.get("data", {}) for mime in PICTURES)


def fenced(text, attributes):
    """A block of code, or of anything else that Markdown must not read."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, 1 + longest)
    return f"{fence}{attributes}\n{text}\n{fence}"


def raw(text):
    """A block of HTML inside Markdown."""
    return fenced(text, "{=html}")
