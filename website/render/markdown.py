"""A processed notebook as Markdown for pandoc.

Text stays as it is; a code cell becomes what Quarto makes of it, a div with its options as
attributes, of which the extension's filter (nbs/_extensions/aucbook) and filter.lua make folds.
Stored outputs become HTML or printed text, figures are saved as files.
"""

import base64
import re
from html import escape
from pathlib import PurePosixPath

from website.content.cells import PICTURES, documented_name, fenced, raw, source_of, texts, visible
from website.content.python_code import defined_names
from website.live.cells import live_cells, script_data
from website.reference.cards import card
from website.render.drawings import drawing


def printed(text):
    """Printed text.

    A single line, and lines in which nothing is aligned by spaces, may wrap on a narrow page.
    """
    aligned = "\n" in text and re.search(r"\S  ", text)
    return fenced(text, "{.output}" if aligned else "{.output .words}")


def figure(data, mime, options, save_image):
    """A figure with its caption; `save_image(content, mime)` saves it and returns its path."""
    alt = str(options.get("fig-alt") or "")
    caption = options.get("fig-cap") or ""
    label = str(options.get("label", ""))
    anchor = f"#{label} " if label.startswith("fig-") else ""
    if "svg" in mime:
        path = save_image(data.encode(), mime)
        image = drawing(data, alt, f"fig{PurePosixPath(path).stem}-")
    else:
        path = save_image(base64.b64decode(data), mime)
        image = f'<img src="{path}" alt="{escape(alt, quote=True)}">'
    figcaption = f"::: figcaption\n{caption}\n:::"
    return f"::: {{{anchor}.figure}}\n{raw(image)}\n\n{figcaption}\n:::"


def output_markdown(output, options, save_image):
    """One stored output in its richest form, as Jupyter chooses."""
    kind = output["output_type"]
    if kind == "stream":
        is_printed = output["name"] == "stdout"
        return printed("".join(output["text"]).rstrip("\n")) if is_printed else ""
    if kind == "error":
        return fenced(f"{output['ename']}: {output['evalue']}", "{.output .error}")
    data = texts(output)
    for mime in PICTURES:
        if mime in data:
            return figure(data[mime], mime, options, save_image)
    if "text/html" in data:
        return raw(f'<div class="rich">{data["text/html"]}</div>')
    if "text/markdown" in data:
        return data["text/markdown"]
    return printed(data["text/plain"]) if "text/plain" in data else ""


def attributes(options, *keys):
    """Those of the options that are on, as attributes for pandoc, each after a space."""
    values = {key: options[key] for key in keys if options.get(key)}
    texts_of = {key: "true" if value is True else str(value) for key, value in values.items()}
    return "".join(f' {key}="{escape(text)}"' for key, text in texts_of.items())


def code_markdown(cell, save_image, home="", inside=""):
    """A code cell as Quarto hands it to pandoc; `show_doc(name)` becomes an API card.

    `inside` is what else the cell's div says of itself.
    """
    if name := documented_name(source_of(cell)):
        return f"::: api\n{card(name, home)}\n:::"
    options, source, stored = visible(cell)
    outputs = [output_markdown(output, options, save_image) for output in stored]
    outputs = [output for output in outputs if output]
    if not (source or outputs):
        return ""
    code = []
    if source:
        folds = attributes(options, "code-fold", "code-summary")
        code = [fenced(source, f"{{.python .cell-code{folds}}}")]
    shown = [f"::: cell-output\n{output}\n:::" for output in outputs]
    opening = f"::: {{.cell{inside}{attributes(options, 'guess')}}}"
    return "\n\n".join([opening, *code, *shown, ":::"])


def live_markdown(cell, live_cell, save_image):
    """A live cell: code and stored outputs, and what the page's script needs."""
    text = code_markdown(cell, save_image, inside=f" .live #live-{live_cell.number}")
    data = raw(script_data(live_cell))
    return text.removesuffix(":::") + f"{data}\n\n:::"


def to_markdown(notebook, save_image, names=(), home="", live=True):
    """A processed notebook, front matter first. Cells are joined, so a div may span several.

    Parameters
    ----------
    notebook : dict
    save_image : callable
        ``save_image(content, mime)`` saves a figure and returns its path from the page.
    names : container of str
        A cell that defines one of these names without an API card becomes its anchor.
    home : str
        The module of the page, in which cards are looked for first.
    live : bool
        Whether live cells run; otherwise they are shown as others are. Checkers are never shown.
    """
    cells = notebook["cells"]
    sources = [source_of(cell) for cell in cells]
    with_card = {documented_name(source) for source in sources}
    live_ones = live_cells(notebook)
    parts = []
    for i, (cell, source) in enumerate(zip(cells, sources)):
        if cell["cell_type"] != "code":
            parts.append(source)
            continue
        if i in live_ones and live_ones[i] is None:  # a checker
            continue
        for name in defined_names(source):
            if name in names and name not in with_card:
                parts.append(f"[]{{#{name.lower()}}}")
        if i in live_ones and live:
            parts.append(live_markdown(cell, live_ones[i], save_image))
        elif i in live_ones:
            parts.append(code_markdown(cell, save_image))
        else:
            parts.append(code_markdown(cell, save_image, home))
    return "\n\n".join(parts)
