"""A figure that matplotlib stored as SVG, as part of the page.

Its colours follow the theme, its letters are the page's, and a screen reader gets its alternative
text.
"""

import re

from lxml import etree

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
# Colours of aucbook._base.style, and what stands for them in style.css. The value behind the
# comma is for a reader without that style (an EPUB).
THEME = {
    "#ffffff": "paper",
    "#000000": "ink",
    "#22262b": "ink",
    "#2563a8": "blue",
    "#d9730d": "mark",
    "#8a8f98": "grey",
    "#8f2d56": "wine",
    "#6cc0c4": "teal",
}
NUMBER = re.compile(r"-?\d+\.\d{2,}")
COORDINATES = ("d", "transform", "x", "y", "points", "width", "height", "viewBox")
REFERENCE = re.compile(r'(?:url\(|href=")#([^")]+)')
PARSER = etree.XMLParser(
    remove_comments=True, remove_blank_text=True, resolve_entities=False, no_network=True
)


def themed(style):
    """A style attribute with the page's colours, and without a typeface of its own."""

    def variable(colour):
        name = THEME.get(colour[0])
        return f"var(--{name}, {colour[0]})" if name else colour[0]

    style = re.sub(r"font-family:[^;]*;?\s*", "", style)
    return re.sub(r"#[0-9a-f]{6}\b", variable, style)


def rounded(match):
    """A coordinate to a tenth of a point."""
    return f"{float(match[0]):.1f}".rstrip("0").rstrip(".")


def attribute(name, value, prefix):
    """The value of an attribute in the page; `prefix` begins the ids of the drawing."""
    if name == "id":
        value = prefix + value
    elif name == HREF and value.startswith("#"):
        value = f"#{prefix}{value[1:]}"
    elif name == "style":
        value = themed(value)
    if name in COORDINATES:
        value = re.sub(r"\s+", " ", NUMBER.sub(rounded, value)).strip()
    return value.replace("url(#", f"url(#{prefix}")


def drop_unused_ids(root):
    """Take away the ids that nothing in the drawing refers to."""
    used = set(REFERENCE.findall(etree.tostring(root, encoding="unicode")))
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)


def drawing(text, alt, prefix):
    """The `<svg>` element of a page. `prefix` keeps its ids apart from those of other drawings."""
    root = etree.fromstring(text.encode(), PARSER)
    for element in root.findall(f"{SVG}metadata") + root.findall(f"{SVG}defs[{SVG}style]"):
        root.remove(element)
    for element in root.iter():
        for name, value in element.attrib.items():
            element.set(name, attribute(name, value, prefix))
    drop_unused_ids(root)
    root.set("role", "img")
    root.set("aria-label", alt)
    root.set("class", "drawing")
    return etree.tostring(root, encoding="unicode")
