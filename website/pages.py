"""A page of the site: its address, what it is made from, and how another page reaches it."""

import json
import posixpath
from collections import Counter
from dataclasses import dataclass

import yaml


@dataclass(eq=False)
class Page:
    address: str  # from the root of the site: lessons/roc.html
    title: str
    description: str = ""
    section: str | None = None  # its heading in the navigation
    notebook: dict | None = None  # None: the renderer makes the page
    label: str = ""  # its title; where two pages share one, with the folder
    text: str = ""  # markdown, as pandoc reads it
    copy: str = ""  # markdown, as anybody reads it
    tree: object = None  # rendered, as lxml elements

    @property
    def name(self):
        "Folder and stem, `lessons/roc`: what yml files and the navigation call it."
        return self.address.removesuffix(".html")

    @property
    def stem(self):
        return posixpath.basename(self.name)

    @property
    def folder(self):
        return posixpath.dirname(self.address)

    @property
    def root(self):
        "The way from this page to the root of the site: '' or '../'."
        return "../" * self.address.count("/")

    def link(self, target, anchor=""):
        "A link from this page to another page or file, that works from disk."
        address = getattr(target, "address", target)
        path = "" if address == self.address and anchor else posixpath.relpath(address, self.folder or ".")
        return path + (f"#{anchor}" if anchor else "")

    def resolve(self, href):
        "(address, anchor) that a relative link on this page means."
        path, _, anchor = href.partition("#")
        return (posixpath.normpath(posixpath.join(self.folder, path)) if path else self.address), anchor


def front_matter(notebook):
    "Title and description of a processed notebook."
    return yaml.safe_load("".join(notebook["cells"][0]["source"]).strip().strip("-"))


def read_page(processed, section, file):
    "The page of a processed notebook; its address follows the folders."
    notebook = json.loads((processed / file).read_text(encoding="utf8"))
    meta = front_matter(notebook)
    return Page(file.removesuffix(".ipynb") + ".html", meta["title"], meta.get("description", ""), section, notebook)


def set_labels(pages):
    "A title that two pages share is told apart by their folders."
    titles = Counter(page.title for page in pages)
    for page in pages:
        page.label = f"{page.title} ({page.folder})" if titles[page.title] > 1 and page.folder else page.title
