"""The whole book in one file, from the built site: EPUB through pandoc, PDF through Chromium's print.

    python -m website epub     _site/aucbook.epub
    python -m website pdf      _site/aucbook.pdf

The lessons come first, then the workshop, then evidence and reference.
"""

import shutil
import subprocess
from html import escape

import yaml
from lxml.html import document_fromstring, fragment_fromstring, tostring

from website.content.pages import Page
from website.project import ROOT, BuildError

SKIP = (
    "reference/reading.html",
    "reference/formulas.html",
    "reference/gallery.html",
)  # they are about the site
DROPPED = "//script | //button | //form | //nav[@class='around'] | //p[@class='related'] | //footer[@class='page-footer']"
UNUSED = ("title", "data-tip", "aria-labelledby", "aria-describedby", "aria-controls", "for")


def chapters(site):
    "The pages of a built site in the order of its navigation, without SKIP."
    nav = document_fromstring((site / "index.html").read_text(encoding="utf8")).get_element_by_id(
        "nav"
    )
    return [address for address in nav.xpath(".//a/@href") if address not in SKIP]


def place(address, anchor=""):
    "The anchor in the book of a page, or of an anchor on it."
    return address.removesuffix(".html").replace("/", "-") + (f"--{anchor}" if anchor else "")


def chapter(site, address, addresses):
    "The main part of one page with its anchors made unique in the book, links inside the book, folds open and nothing to operate."
    page = Page(address, "")
    main = document_fromstring((site / address).read_text(encoding="utf8")).get_element_by_id(
        "main"
    )
    for element in main.xpath(DROPPED):
        element.drop_tree()
    for element in main.iter():
        if not isinstance(element.tag, str):
            continue
        for name in [name for name in UNUSED if element.tag != "iframe" and name in element.attrib]:
            del element.attrib[name]
        if element.get("role") in ("list", "listitem"):
            del element.attrib["role"]
        if element.tag == "details":
            element.set("open", "")
        if element.tag == "img" and not element.get("src").startswith("data:"):
            element.set("src", page.resolve(element.get("src"))[0])
        if element.tag == "a" and element.get("href"):
            link(element, page, addresses)
        if element.get("id"):
            element.set("id", place(address, element.get("id")))
    main.find(".//h1").set("id", place(address))
    main.find("header").drop_tag()
    del main.attrib["id"]
    return main


def link(element, page, addresses):
    "A link to a page of the book leads there in the book; one to another page of the site is no link any more."
    href = element.get("href")
    address, anchor = page.resolve(href)
    if address in addresses:
        element.set("href", "#" + place(address, anchor))
    elif not href.partition(":")[0].isalpha() or ":" not in href:
        del element.attrib["href"]


def one_page(site):
    "(title, the mains of all chapters, the book as one HTML page without scripts)."
    addresses = chapters(site)
    config = yaml.safe_load((ROOT / "_quarto.yml").read_text(encoding="utf8"))["website"]
    title, mains = (
        config["title"],
        [chapter(site, address, set(addresses)) for address in addresses],
    )
    items = "".join(
        f'<li><a href="#{place(address)}">{escape(main.find(".//h1").text_content())}</a></li>'
        for address, main in zip(addresses, mains)
    )
    contents = (
        f'<nav class="contents" aria-label="Contents"><h1>{escape(title)}</h1><p class="subtitle">{escape(config.get("description", ""))}</p>'
        f"<ol>{items}</ol></nav>"
    )
    page = document_fromstring(
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><link rel="stylesheet" href="style.css"></head><body class="book"></body></html>'
    )
    page.body.append(fragment_fromstring(contents))
    page.body.extend(mains)
    return title, page


def print_pdf(page, target):
    "Print a page on disk."
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if not chromium:
        raise BuildError("printing needs Chromium: on Debian, apt-get install chromium")
    subprocess.run(
        [
            chromium,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-pdf-header-footer",
            "--generate-pdf-document-outline",
            f"--print-to-pdf={target}",
            page.as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=600,
    )
    return target


def pdf(site, target):
    page = site / "book.html"  # beside the pages, for their pictures and style
    page.write_text(
        tostring(one_page(site)[1], encoding="unicode", doctype="<!doctype html>"), encoding="utf8"
    )
    try:
        return print_pdf(page, target)
    finally:
        page.unlink()
