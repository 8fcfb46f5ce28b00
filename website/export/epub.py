"""The one-page book as EPUB: folds become paragraphs, drawings become pictures, pandoc writes the file."""

import re
import subprocess
import tempfile
from pathlib import Path

import pypandoc
from lxml.etree import SubElement
from lxml.html import Element, tostring

CSS = """body { font-family: serif; line-height: 1.5; } h1, h2, h3 { font-family: sans-serif; line-height: 1.2; text-align: left; }
pre { font-size: .75em; white-space: pre-wrap; border-left: 2px solid #ccc; padding-left: .6em; } code { font-size: .9em; } img, svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .8em; } th, td { border-bottom: 1px solid #ccc; padding: .2em .5em; text-align: left; } figcaption { font-size: .85em; } .summary { font-weight: bold; font-size: .9em; }
"""
# HTML knows no capitals in names, SVG files need them.
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


def drawing_style(css):
    "The rules of the explorables' style that concern drawings, and the light colours: what a picture on its own needs."
    light = dict(re.findall(r"--([\w-]+):light-dark\(([^,()]+),", css))
    rules = re.findall(r"^\.ax svg [^{}]+\{[^}]*\}", css, re.M)
    return "\n".join(rules).replace(".ax svg ", ""), light


def drawing(svg, rules, light):
    "The text of an SVG file, with its style and its colours."
    for element in svg.iter():
        if isinstance(element.tag, str):
            element.tag = CAPITALS.get(element.tag, element.tag)
            for name, value in list(element.attrib.items()):
                del element.attrib[name]
                element.set(CAPITALS.get(name, name), value)
    svg.set("xmlns", "http://www.w3.org/2000/svg")
    style = Element("style")
    style.text = rules
    svg.insert(0, style)
    written = tostring(svg, method="xml", encoding="unicode", with_tail=False)
    return re.sub(
        r"var\(--([\w-]+)(?:, ([^()]+))?\)", lambda m: m[2] or light.get(m[1], "inherit"), written
    )


def replace(old, new):
    "Put `new` where `old` stands, its tail included."
    new.tail, old.tail = old.tail, None
    old.getparent().replace(old, new)


def drawings_to_files(body, folder):
    look, count = ("", {}), 0
    for element in body.xpath(".//style | .//svg[not(ancestor::svg)]"):
        if element.tag == "style":
            look = (
                drawing_style(element.text) if element.text and ".ax svg" in element.text else look
            )
        elif element.get("aria-hidden") == "true":
            element.drop_tree()
        else:
            count += 1
            path = folder / f"drawing{count}.svg"
            image = Element(
                "img",
                src=str(path),
                alt=element.get("aria-label")
                or " ".join(said.text_content() for said in element.xpath(".//title | .//desc")),
            )
            replace(element, image)
            path.write_text(drawing(element, *look), encoding="utf8")


def plain(body):
    "A page as pandoc's reader wants it."
    for style in body.xpath(".//style"):
        style.drop_tree()
    for element in body.xpath(".//summary"):
        strong = Element("strong")
        strong.text, element.text = element.text, None
        strong.extend(list(element))
        element.append(strong)
        element.tag = "p"
        element.set("class", "summary")
    for element in body.xpath(".//details | .//aside"):
        element.tag = "div"
        element.attrib.pop("open", None)
    for element in body.xpath(
        ".//pre[@class]"
    ):  # for a class that is no language pandoc looks through all it knows
        language = set(element.attrib.pop("class").split()) - {
            "sourceCode",
            "output",
            "words",
            "error",
        }
        if language:
            element.set("class", " ".join(language))
    for element in body.xpath(
        ".//figure[@id]"
    ):  # pandoc's chapters do not find the anchor of a figure
        div = Element("div", id=element.attrib.pop("id"))
        replace(element, div)
        div.append(element)
    for element in body.xpath(".//dt[@id]"):  # pandoc keeps no attributes there
        name = SubElement(element, "span", id=element.attrib.pop("id"))
        name.tail, element.text = element.text, None
        element.insert(0, name)


def epub(site, target, title, page):
    body = page.body
    body.find("nav").drop_tree()
    for main in body.findall("main"):
        main.drop_tag()
    with tempfile.TemporaryDirectory() as folder:
        drawings_to_files(body, Path(folder))
        plain(body)
        (Path(folder) / "epub.css").write_text(CSS)
        subprocess.run(
            [
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
                f"--css={folder}/epub.css",
                f"--metadata=title:{title}",
                "--metadata=lang:en",
                "-o",
                str(target),
            ],
            input=tostring(body, encoding="unicode"),
            text=True,
            encoding="utf8",
            check=True,
        )
    return target
