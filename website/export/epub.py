"""The one-page book as EPUB: folds become paragraphs, drawings become files, pandoc writes it."""

import re
import subprocess
import tempfile
from copy import deepcopy
from pathlib import Path

import pypandoc
from lxml import etree
from lxml.html import Element, tostring

from website.project import HERE

SVG = "http://www.w3.org/2000/svg"
# The parser of HTML writes names in small letters, which SVG does not know.
CAPITALS = {
    name.lower(): name
    for name in (
        "viewBox",
        "preserveAspectRatio",
        "clipPath",
        "clipPathUnits",
        "linearGradient",
        "radialGradient",
        "gradientUnits",
        "gradientTransform",
        "patternUnits",
        "patternTransform",
        "markerWidth",
        "markerHeight",
        "markerUnits",
        "refX",
        "refY",
        "textLength",
        "pathLength",
    )
}
LIGHT = re.compile(r"--([\w-]+):light-dark\(([^,()]+),")
DRAWING_RULE = re.compile(r"^\.ax svg ([^{}]+\{[^}]*\})", re.M)
VARIABLE = re.compile(r"var\(--([\w-]+)(?:, ([^()]+))?\)")
NO_LANGUAGE = {"sourceCode", "output", "words", "error"}  # classes of code blocks


class Look:
    """What a drawing needs of the style of explorables.

    `rules` are those for drawings, `colours` the light values of its variables.
    """

    def __init__(self, css=""):
        self.rules = "\n".join(re.sub(r"\.ax svg ", "", rule) for rule in DRAWING_RULE.findall(css))
        self.colours = dict(LIGHT.findall(css))

    def resolved(self, text):
        """Text of a style with the values of its variables."""

        def value(match):
            name, fallback = match.groups()
            return fallback or self.colours.get(name, "inherit")

        return VARIABLE.sub(value, text)


def as_svg(element, look):
    """An `<svg>` of a page as the root of an SVG file, with its style and its colours."""
    root = etree.Element(f"{{{SVG}}}svg", nsmap={None: SVG})
    add_content(element, root, look)
    style = etree.Element(f"{{{SVG}}}style")
    style.text = look.resolved(look.rules)
    root.insert(0, style)
    return root


def add_content(element, target, look):
    """Copy attributes, text and children of an element of HTML into an element of SVG."""
    for name, value in element.attrib.items():
        if name != "xmlns":
            set_attribute(target, CAPITALS.get(name, name), look.resolved(value))
    target.text = look.resolved(element.text) if element.text else None
    for child in element:
        if isinstance(child.tag, str):
            tag = CAPITALS.get(child.tag, child.tag)
            copied = etree.SubElement(target, f"{{{SVG}}}{tag}")
            add_content(child, copied, look)
            copied.tail = child.tail


def set_attribute(element, name, value):
    """Set an attribute; `xlink:href` is `href` in today's SVG."""
    prefix, _, local = name.rpartition(":")
    if prefix == "xlink":
        element.set(local, value)
    elif not prefix:
        element.set(name, value)


def alternative_text(svg):
    """What a drawing says about itself."""
    parts = svg.xpath(".//title | .//desc")
    return svg.get("aria-label") or " ".join(part.text_content() for part in parts)


def replace(old, new):
    """Put `new` where `old` stands, its tail included."""
    new.tail = old.tail
    old.tail = None
    old.getparent().replace(old, new)


def drawings_to_files(body, folder):
    """Make each drawing of the body a file, and a picture that shows it."""
    look = Look()
    count = 0
    for element in body.xpath(".//style | .//svg[not(ancestor::svg)]"):
        if element.tag == "style":
            if ".ax svg" in (element.text or ""):
                look = Look(element.text)
        elif element.get("aria-hidden") == "true":
            element.drop_tree()
        else:
            count += 1
            path = folder / f"drawing{count}.svg"
            path.write_bytes(etree.tostring(as_svg(element, look), encoding="utf8"))
            replace(element, Element("img", src=str(path), alt=alternative_text(element)))


def summaries_to_paragraphs(body):
    """Make the summary of a fold a bold paragraph."""
    for element in body.xpath(".//summary"):
        strong = Element("strong")
        strong.text = element.text
        strong.extend(list(element))
        element.text = None
        element.append(strong)
        element.tag = "p"
        element.set("class", "summary")


def folds_to_divs(body):
    """Make folds and asides plain blocks."""
    for element in body.xpath(".//details | .//aside"):
        element.tag = "div"
        element.attrib.pop("open", None)


def languages_only(body):
    """Keep those classes of code that name a language: pandoc looks up all others."""
    for element in body.xpath(".//pre[@class]"):
        language = set(element.attrib.pop("class").split()) - NO_LANGUAGE
        if language:
            element.set("class", " ".join(language))


def anchors_to_elements(body):
    """Put the anchors of figures and of terms where pandoc keeps them: on a div, on a span."""
    for element in body.xpath(".//figure[@id]"):
        div = Element("div", id=element.attrib.pop("id"))
        replace(element, div)
        div.append(element)
    for element in body.xpath(".//dt[@id]"):
        name = Element("span", id=element.attrib.pop("id"))
        name.tail = element.text
        element.text = None
        element.insert(0, name)


def simplify(body):
    """Make a page what pandoc's reader understands."""
    for style in body.xpath(".//style"):
        style.drop_tree()
    summaries_to_paragraphs(body)
    folds_to_divs(body)
    languages_only(body)
    anchors_to_elements(body)


def epub(site, target, title, page):
    """Write the one-page book, `page`, as EPUB. Returns its path."""
    body = deepcopy(page.body)
    body.find("nav").drop_tree()
    for main in body.findall("main"):
        main.drop_tag()
    with tempfile.TemporaryDirectory() as folder:
        drawings_to_files(body, Path(folder))
        simplify(body)
        command = [
            pypandoc.get_pandoc_path(),
            "-f",
            "html",
            "-t",
            "epub3",
            "--mathml",
            "--toc",
            "--toc-depth=2",
            "--split-level=1",
            f"--resource-path={site}",
            f"--css={HERE / 'assets/epub.css'}",
            f"--metadata=title:{title}",
            "--metadata=lang:en",
            "-o",
            str(target),
        ]
        text = tostring(body, encoding="unicode")
        subprocess.run(command, input=text, text=True, encoding="utf8", check=True)
    return target
