"""Each notebook as plain Markdown, `roc.md` beside `roc.html`.

To copy, to hand to a language model, to read in an editor. Made from the notebook, not from the
page: its text, code and printed outputs, figures as links to the files that the page uses. What
only our renderers know (labels, references, citations, callouts) becomes what every reader of
Markdown knows.
"""

import posixpath
import re
import zlib
from base64 import b64encode

from website.content import ast
from website.content.cells import (
    documented_name,
    fenced,
    is_picture,
    options_of,
    source_of,
    texts,
    visible,
)
from website.project import HERE
from website.reference.cards import card
from website.render.html import CITATION, REFERENCES

READER = "markdown-implicit_figures-smart"
FORM = "commonmark+pipe_tables+tex_math_dollars+strikeout"
DROPPED = ("RawBlock", "Null")
UNWRAPPED = ("Div", "Span")
ANCHOR = re.compile(r"</?a\b")
ELSEWHERE = re.compile(r"[a-z]+:")
PLAYED = re.compile(r"<(predict|explorable): (.*)>$", re.S)
WORDS = {"predict": "A question; its answer is on", "explorable": "A picture to play with, on"}


# ---- a notebook as Markdown for pandoc


def output_markdown(output, options, page, figures):
    """A stored output as text; `figures` yields the files of the page's figures."""
    kind = output["output_type"]
    if kind == "stream":
        is_printed = output["name"] == "stdout"
        return fenced("".join(output["text"]).rstrip("\n"), "{.text}") if is_printed else ""
    if kind == "error":
        return fenced(f"{output['ename']}: {output['evalue']}", "{.text}")
    if is_picture(output):
        return figure(options, next(figures))
    data = texts(output)
    plain = data.get("text/plain", "")
    if "text/html" in data and (named := PLAYED.match(plain)):
        where = f"{WORDS[named[1]]} [the page]({page.stem}.html){{.page}}"
        return f"> **{named[2]}** ({where}.)"
    if "text/markdown" in data and "text/html" not in data:
        return data["text/markdown"]
    return fenced(plain, "{.text}") if plain else ""


def figure(options, file):
    """A figure as a link to its file, with its caption."""
    label = str(options.get("label", ""))
    anchor = f"#{label} " if label.startswith("fig-") else ""
    alt = str(options.get("fig-alt") or "").replace("[", "(").replace("]", ")")
    caption = options.get("fig-cap") or ""
    return f"::: {{{anchor}.figure}}\n![{alt}]({file})\n\n::: figcaption\n{caption}\n:::\n:::"


def code_markdown(cell, page, figures):
    """The parts of a code cell: its summary, its code and its outputs."""
    if options_of(cell).get("live-check"):
        return []
    if name := documented_name(source_of(cell)):
        return [card(name, page.module)]
    options, source, outputs = visible(cell)
    parts = []
    if source and options.get("code-fold"):
        parts.append(f"**{options.get('code-summary', 'Code')}**")
    if source:
        parts.append(fenced(source, "{.python}"))
    parts += [output_markdown(output, options, page, figures) for output in outputs]
    return parts


def to_markdown(page, figures):
    """The notebook of a page, title first; `figures`: the files of its figures, in order."""
    figures = iter(figures)
    parts = [f"# {page.title}"]
    if page.description:
        parts.append(f"*{page.description}*")
    for cell in page.notebook["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append(source_of(cell))
        elif cell["cell_type"] == "code":
            parts += code_markdown(cell, page, figures)
    return "\n\n".join(part for part in parts if part.strip())


# ---- its document


def definition_items(node):
    """A list of definitions as a list of paragraphs, each of which begins with its term."""
    items = []
    for term, definitions in node["c"]:
        blocks = [block for definition in definitions for block in definition]
        if blocks and blocks[0]["t"] in ("Para", "Plain"):
            first = {**blocks[0], "c": [*term, ast.string(":"), ast.SPACE, *blocks[0]["c"]]}
            items.append([first, *blocks[1:]])
        else:
            items.append([{"t": "Plain", "c": term}, *blocks])
    return {"t": "BulletList", "c": items}


def plain(node):
    """A node without what only our pages know."""
    kind = node["t"]
    if kind in DROPPED or (kind == "RawInline" and ANCHOR.match(node["c"][1])):
        return []
    if kind in UNWRAPPED:
        return node["c"][1]
    if kind == "Cite":  # with the text that citeproc gave it
        return node["c"][1]
    if kind == "DefinitionList":
        return definition_items(node)
    return node


def document(page, figures, bibliography):
    """The pandoc document of a page's copy, with the links of its notebook."""
    text = to_markdown(page, figures)
    arguments = [f"--lua-filter={HERE / 'render/filter.lua'}"]
    if CITATION.search(text):
        arguments += ["--citeproc", f"--bibliography={bibliography}"]
        text += REFERENCES
    return ast.changed(ast.parse(text, *arguments, reader=READER), plain)


# ---- its links


def address_of(href, page, url):
    """(address, anchor) from the root of the site that a link means; None if elsewhere."""
    if url and href.startswith(url + "/"):
        address, _, anchor = href.removeprefix(url + "/").partition("#")
        return address, anchor
    if ELSEWHERE.match(href):
        return None
    return page.resolve(href.replace(".ipynb", ".html", 1))


def has_copy(address, anchor):
    """Whether a link leads to the copy of a page: one to a place on a page does not."""
    return address.endswith(".html") and not anchor and not address.startswith("reference/")


def with_links(tree, page, url, start):
    """A tree whose links work in a file of the folder `start` of the site."""

    def change(node):
        if node["t"] not in ("Link", "Image"):
            return node
        content, (href, title) = node["c"][-2:]
        place = address_of(href, page, url)
        if place is None:
            return node
        address, anchor = place
        if has_copy(address, anchor) and "page" not in ast.classes(node):
            address = address.removesuffix(".html") + ".md"
        target = posixpath.relpath(address, start or ".") + (f"#{anchor}" if anchor else "")
        return {"t": node["t"], "c": [ast.NO_ATTRIBUTES, content, [target, title]]}

    return ast.changed(tree, change)


def in_markdown(tree):
    """A document as Markdown."""
    return ast.written(tree, "-t", FORM, "--wrap=preserve").strip("\n") + "\n"


def copy(page, url):
    """The Markdown of a page, from its document."""
    return in_markdown(with_links(page.document, page, url, page.folder))


def script(text):
    """The same text as a script, compressed, loaded when the button is pressed.

    From disk a browser loads scripts and no other files; where the site is served it loads this,
    too, so that there is one way. Compressed it is less than half as long as the text.
    """
    data = b64encode(zlib.compress(text.encode(), 9)).decode()
    return f'window.packedPage="{data}";\n'
