"""The whole book as one page, made from the built site, and as PDF through Chromium's print.

The lessons come first, then the workshop, then evidence and reference. export/epub.py makes an
EPUB of the same page.
"""

import shutil
import subprocess
from html import escape

import yaml
from lxml.html import document_fromstring, fragment_fromstring, tostring

from website.content.pages import Page
from website.project import ROOT, BuildError

# Pages about the site, which are not part of the book.
SKIPPED = ("reference/reading.html", "reference/formulas.html", "reference/gallery.html")
# What nobody can operate in a book.
DROPPED = (
    "//script | //button | //form | //nav[@class='around'] | //p[@class='related'] "
    "| //footer[@class='page-footer']"
)
UNUSED = ("title", "data-tip", "aria-labelledby", "aria-describedby", "aria-controls", "for")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FRAME = """<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\
<link rel="stylesheet" href="style.css"></head><body class="book"></body></html>"""
CONTENTS = """<nav class="contents" aria-label="Contents"><h1>{title}</h1>\
<p class="subtitle">{description}</p><ol>{items}</ol></nav>"""


def chapters(site):
    """The pages of a built site in the order of its navigation, without SKIPPED."""
    page = document_fromstring((site / "index.html").read_text(encoding="utf8"))
    addresses = page.get_element_by_id("nav").xpath(".//a/@href")
    return [address for address in addresses if address not in SKIPPED]


def anchor_of(address, anchor=""):
    """The anchor in the book of a page, or of an anchor on it."""
    name = address.removesuffix(".html").replace("/", "-")
    return f"{name}--{anchor}" if anchor else name


def chapter(site, address, addresses):
    """The main part of one page as a part of the book.

    Its anchors are unique in the book, its links lead there, folds are open, nothing is operated.
    """
    page = Page(address, "")
    tree = document_fromstring((site / address).read_text(encoding="utf8"))
    main = tree.get_element_by_id("main")
    for element in main.xpath(DROPPED):
        element.drop_tree()
    for element in main.iter():
        if isinstance(element.tag, str):
            adapt(element, page, addresses)
    main.find(".//h1").set("id", anchor_of(address))
    main.find("header").drop_tag()
    del main.attrib["id"]
    return main


def adapt(element, page, addresses):
    """Adapt one element of a page to the book."""
    for name in UNUSED:
        if element.tag != "iframe":
            element.attrib.pop(name, None)
    if element.get("role") in ("list", "listitem"):
        del element.attrib["role"]
    if element.tag == "details":
        element.set("open", "")
    if element.tag == "img" and not element.get("src").startswith("data:"):
        element.set("src", page.resolve(element.get("src"))[0])
    if element.tag == "a" and element.get("href"):
        adapt_link(element, page, addresses)
    if element.get("id"):
        element.set("id", anchor_of(page.address, element.get("id")))
    adapt_references(element, page)


def adapt_references(element, page):
    """Lead what a drawing refers to, by `url(#…)` or `<use>`, to its place in the book."""
    start = f"#{anchor_of(page.address)}--"
    for name, value in element.attrib.items():
        if "url(#" in value:
            element.set(name, value.replace("url(#", f"url({start}"))
        elif element.tag == "use" and name.endswith("href"):
            element.set(name, start + value.removeprefix("#"))


def adapt_link(element, page, addresses):
    """Lead a link to its place in the book; one to another page of the site is no link any more."""
    href = element.get("href")
    address, anchor = page.resolve(href)
    scheme, colon, _ = href.partition(":")
    if address in addresses:
        element.set("href", "#" + anchor_of(address, anchor))
    elif not (colon and scheme.isalpha()):
        del element.attrib["href"]


def contents(title, description, addresses, mains):
    """The list of chapters."""
    items = []
    for address, main in zip(addresses, mains):
        heading = escape(main.find(".//h1").text_content())
        items.append(f'<li><a href="#{anchor_of(address)}">{heading}</a></li>')
    return fragment_fromstring(
        CONTENTS.format(title=escape(title), description=escape(description), items="".join(items))
    )


def one_page(site):
    """(title, the book as one HTML page without scripts)."""
    addresses = chapters(site)
    config = yaml.safe_load((ROOT / "_quarto.yml").read_text(encoding="utf8"))["website"]
    title = config["title"]
    known = set(addresses)
    mains = [chapter(site, address, known) for address in addresses]
    page = document_fromstring(FRAME.format(title=escape(title)))
    page.body.append(contents(title, config.get("description", ""), addresses, mains))
    page.body.extend(mains)
    return title, page


def print_pdf(page, target):
    """Print a page on disk."""
    browsers = filter(None, map(shutil.which, BROWSERS))
    chromium = next(browsers, None)
    if not chromium:
        raise BuildError("printing needs Chromium: on Debian, apt-get install chromium")
    command = [
        chromium,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-pdf-header-footer",
        "--generate-pdf-document-outline",
        f"--print-to-pdf={target}",
        page.as_uri(),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    return target


def pdf(site, target):
    """Print the book. Returns the path of the file."""
    page = site / "book.html"  # beside the pages, for their pictures and style
    tree = one_page(site)[1]
    page.write_text(tostring(tree, encoding="unicode", doctype="<!doctype html>"), encoding="utf8")
    try:
        return print_pdf(page, target)
    finally:
        page.unlink()
