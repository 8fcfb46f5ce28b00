"""Pandoc's document tree (its JSON form): read Markdown, change it, write it in another form.

A node is {"t": type, "c": content}; a document is {"blocks": […], …}. See
https://hackage.haskell.org/package/pandoc-types for what each type holds.
"""

import json

from website.content.pandoc import READER, pandoc

NO_ATTRIBUTES = ["", [], []]
SPACE = {"t": "Space"}
TEXTS = ("Str", "Code", "Math", "CodeBlock", "RawInline", "RawBlock")  # their content ends in text


def parse(text, *arguments, reader=READER):
    """The document of a Markdown text."""
    return json.loads(pandoc(text, "-t", "json", *arguments, reader=reader))


def written(document, *arguments):
    """A document in another form: `written(document, '-t', 'html5')`."""
    return pandoc(json.dumps(document), *arguments, reader="json")


def with_blocks(document, blocks):
    """A document with other blocks."""
    return {**document, "blocks": blocks}


def identifier(node):
    """The anchor of a Div, Span, CodeBlock, …: what attributes begin with."""
    return attributes(node)[0]


def attributes(node):
    """(anchor, classes, {key: value}) of a node that has attributes."""
    content = node["c"]
    anchor, classes, pairs = content[1] if node["t"] == "Header" else content[0]
    return anchor, classes, dict(pairs)


def classes(node):
    """The classes of a node; none where it has no attributes."""
    has_attributes = node["t"] in ("Div", "Span", "Code", "CodeBlock", "Header", "Link", "Image")
    return attributes(node)[1] if has_attributes else []


def is_node(value):
    """Whether a piece of a document is a node."""
    return isinstance(value, dict) and "t" in value


def nodes(tree, *types, skip=None):
    """The nodes of some types in a tree, in order.

    `skip(node)` is true for those whose inside is left out.
    """
    if isinstance(tree, list):
        for part in tree:
            yield from nodes(part, *types, skip=skip)
    elif is_node(tree):
        if skip and skip(tree):
            return
        if not types or tree["t"] in types:
            yield tree
        yield from nodes(tree.get("c"), *types, skip=skip)


def changed(tree, change):
    """The tree with each node replaced, from the inside out.

    `change(node)` returns a node, or a list of nodes in its place.
    """
    if isinstance(tree, dict) and "blocks" in tree:
        return with_blocks(tree, changed(tree["blocks"], change))
    if isinstance(tree, list):
        parts = []
        for part in tree:
            new = changed(part, change)
            if is_node(part) and isinstance(new, list):
                parts += new
            else:
                parts.append(new)
        return parts
    if is_node(tree):
        node = tree if "c" not in tree else {**tree, "c": changed(tree["c"], change)}
        return change(node)
    return tree


def plain_text(tree, skip=None):
    """The text of a tree: words, code and formulas, with spaces between blocks."""
    parts = []
    for node in nodes(tree, skip=skip):
        kind = node["t"]
        if kind in TEXTS:
            parts.append(node["c"] if kind == "Str" else node["c"][-1])
        elif kind in ("Space", "SoftBreak", "LineBreak"):
            parts.append(" ")
        elif kind in ("Para", "Plain", "Header"):
            parts.append("\n\n")
    return "".join(parts)


def string(text):
    """Words without markup."""
    return {"t": "Str", "c": text}


def paragraph(*inlines):
    """A paragraph."""
    return {"t": "Para", "c": list(inlines)}


def strong(*inlines):
    """Bold text."""
    return {"t": "Strong", "c": list(inlines)}
