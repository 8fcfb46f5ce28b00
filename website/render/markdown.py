"""One processed notebook as pandoc markdown: text as it is, code with its options, stored outputs, figures as files."""

import base64
import re
from html import escape
from pathlib import PurePosixPath

from website.content.cells import PREDICT, SHOW_DOC, fenced, raw, split_options, visible
from website.content.python_code import defined_in
from website.live.cells import live_cells, script_data
from website.reference.cards import card
from website.render.drawings import drawing


def fold(summary, parts, is_open=False, kind="fold"):
    "Parts under a summary that opens them."
    opening = f'<details class="{kind}"{" open" if is_open else ""}><summary>{summary}</summary>'
    return "\n\n".join([raw(opening), *parts, "</details>"])


def text_output(text):
    "Printed text. A single line, and lines in which nothing is lined up by spaces, may wrap on a narrow page."
    return fenced(text, "{.output}" if "\n" in text and re.search(r"\S  ", text) else "{.output .words}")


def figure(data, mime, options, save_image):
    alt = str(options.get("fig-alt") or "")
    label = f"#{options['label']} " if str(options.get("label", "")).startswith("fig-") else ""
    path = save_image(data.encode() if "svg" in mime else base64.b64decode(data), mime)
    if "svg" in mime:
        image = raw(drawing(data, alt, f"fig{PurePosixPath(path).stem}-"))
    else:
        image = raw(f'<img src="{path}" alt="{escape(alt, quote=True)}">')
    return f"::: {{{label}.figure}}\n{image}\n\n::: figcaption\n{options.get('fig-cap') or ''}\n:::\n:::"


def output_markdown(output, options, save_image):
    "One stored output as markdown. Richest form first, as Jupyter chooses."
    kind, data = (
        output["output_type"],
        {mime: "".join(value) for mime, value in output.get("data", {}).items() if isinstance(value, (str, list))},
    )
    if kind == "stream":
        return text_output("".join(output["text"]).rstrip("\n")) if output["name"] == "stdout" else ""
    if kind == "error":
        return fenced(f"{output['ename']}: {output['evalue']}", "{.output .error}")
    for mime in ("image/svg+xml", "image/png"):
        if mime in data:
            return figure(data[mime], mime, options, save_image)
    if "text/html" in data:
        return raw(f'<div class="rich">{data["text/html"]}</div>')
    if "text/markdown" in data:
        return data["text/markdown"]
    return text_output(data["text/plain"]) if "text/plain" in data else ""


def code_markdown(cell, save_image, home=""):
    "A code cell: its source, folded if it says so, and its outputs; those of a solution stay in its fold. `show_doc(name)` becomes an API card."
    if shown := SHOW_DOC.match(split_options("".join(cell["source"]))[1]):
        return f"::: api\n{card(shown[1], home)}\n:::"
    options, source, outputs = visible(cell)
    outputs = [made for output in outputs if (made := output_markdown(output, options, save_image))]
    if not (source or outputs):
        return ""
    if options.get("guess") and outputs:  # the text asks: the answer waits
        outputs = [fold("Show what it says", outputs, kind="fold guess")]
    shown, folded = [], options.get("code-fold", False)
    if source:
        shown = [fenced(source, "{.python}")]
        if folded:
            summary = str(options.get("code-summary", "Code"))
            hidden = outputs if summary == "Solution" else []  # a visible answer would spoil the exercise
            shown = [fold(summary, shown + hidden, folded == "show")]
            outputs = [] if hidden else outputs
            if outputs and PREDICT in outputs[-1]:  # corrections.computed_inside moves it into the folded answer
                return "\n\n".join(["::: {.cell .computed}", *outputs, *shown, ":::"])
    return "::: cell\n" + "\n\n".join(shown + outputs) + "\n:::"


def live_markdown(cell, lively, save_image):
    "A live cell: code and stored outputs as ever, and what the page's script needs."
    body = code_markdown(cell, save_image).removeprefix("::: cell\n").removesuffix("\n:::")
    return f"::: {{.cell .live #live-{lively.number}}}\n{body}\n\n{raw(script_data(lively))}\n:::"


def to_markdown(notebook, save_image, names=(), home="", lively=True):
    """A processed notebook, front matter first. Cells are joined, so a div may span several.

    The cell that defines one of `names` without an API card becomes its anchor. `home`: the module that the page is about.
    `lively`: whether live cells are; otherwise they are shown as others are. Their checkers are not shown."""
    sources = ["".join(cell["source"]) for cell in notebook["cells"]]
    with_card = {found[1] for source in sources if (found := SHOW_DOC.match(split_options(source)[1]))}
    parts, alive = [], live_cells(notebook)
    for i, (cell, source) in enumerate(zip(notebook["cells"], sources)):
        if cell["cell_type"] == "code":
            anchors = [
                f"[]{{#{name.lower()}}}" for name in defined_in(source) if name in names and name not in with_card
            ]
            if i not in alive:
                parts += [*anchors, code_markdown(cell, save_image, home)]
            elif alive[i]:
                parts += [
                    *anchors,
                    live_markdown(cell, alive[i], save_image) if lively else code_markdown(cell, save_image),
                ]
        else:
            parts.append(source)
    return "\n\n".join(parts)
