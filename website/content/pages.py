"""A page of the site: its address, what it is made from, and how another page reaches it."""

import json
import posixpath
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import yaml

from website.content.python_code import defined_in


@dataclass(eq=False)
class Page:
    address: str  # from the root of the site: lessons/roc.html
    title: str
    description: str = ""
    sections: tuple = ()  # the headings around it in the navigation
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
    def house(self):
        "What it is read with: the lessons, the workshop, the evidence, the reference. The first page opens the lessons."
        return self.folder.partition("/")[0] or "lessons"

    @property
    def module(self):
        "The module that a page of the workshop makes, as Python imports it; '' elsewhere."
        inside = self.name.removeprefix("workshop/").replace("/", ".")
        return f"aucbook.{re.sub(r'^core(?=[.])', '_core', inside)}" if self.house == "workshop" else ""

    @cached_property
    def code(self):
        "The source of each of its code cells."
        return ["".join(c["source"]) for c in (self.notebook or {"cells": ()})["cells"] if c["cell_type"] == "code"]

    @cached_property
    def defined(self):
        "The functions and classes that its cells define."
        return {name for source in self.code for name in defined_in(source)}

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


def read_page(processed, sections, file):
    "The page of a processed notebook; its address follows the folders."
    notebook = json.loads((processed / file).read_text(encoding="utf8"))
    meta = front_matter(notebook)
    return Page(file.removesuffix(".ipynb") + ".html", meta["title"], meta.get("description", ""), sections, notebook)


def set_labels(pages):
    "A title that two pages share is told apart by their folders."
    titles = Counter(page.title for page in pages)
    for page in pages:
        page.label = f"{page.title} ({page.folder})" if titles[page.title] > 1 and page.folder else page.title
