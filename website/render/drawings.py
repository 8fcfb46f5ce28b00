"""A figure that matplotlib stored as SVG, as part of the page: its colours follow the theme, its letters are the page's, readers hear its alternative text."""

import re

from lxml import etree

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
# Colours of aucbook.metrics.displays, and what stands for them in style.css. The value behind the comma is for a reader without that style (an EPUB).
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


def themed(style):
    "A style attribute with the page's colours, and without a typeface of its own."
    style = re.sub(r"font-family:[^;]*;?\s*", "", style)
    return re.sub(r"#[0-9a-f]{6}\b", lambda c: f"var(--{THEME[c[0]]}, {c[0]})" if c[0] in THEME else c[0], style)


def shorter(match):
    "A coordinate to a tenth of a point."
    return f"{float(match[0]):.1f}".rstrip("0").rstrip(".")


def drawing(text, alt, prefix):
    "The `<svg>` element of a page. `prefix` keeps its ids apart from those of the page's other drawings."
    root = etree.fromstring(
        text.encode(),
        etree.XMLParser(remove_comments=True, remove_blank_text=True, resolve_entities=False, no_network=True),
    )
    for element in root.findall(f"{SVG}metadata") + root.findall(f"{SVG}defs[{SVG}style]"):
        root.remove(element)
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "id":
                value = prefix + value
            elif name == HREF and value.startswith("#"):
                value = f"#{prefix}{value[1:]}"
            elif name == "style":
                value = themed(value)
            if name in ("d", "transform", "x", "y", "points", "width", "height", "viewBox"):
                value = re.sub(r"\s*\n\s*", " ", NUMBER.sub(shorter, value)).strip()
            element.set(name, value.replace("url(#", f"url(#{prefix}"))
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', etree.tostring(root, encoding="unicode")))
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
    root.set("role", "img")
    root.set("aria-label", alt)
    root.set("class", "drawing")
    return etree.tostring(root, encoding="unicode")
