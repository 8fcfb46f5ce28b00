"""A page of the site: its address, what it is made from, and how another page reaches it."""

import json
import posixpath
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import yaml

from website.content.notebooks import MODULE
from website.content.python_code import defined_names


@dataclass(eq=False)
class Page:
    """A page of the site.

    Attributes
    ----------
    address : str
        Path from the root of the site: ``lessons/roc.html``.
    title, description : str
        What stands at its top.
    headings : tuple of str
        The headings around it in the navigation.
    notebook : dict or None
        The processed notebook; None for a page that the builder writes.
    label : str
        Its title; where two pages share one, with the folder.
    source : str
        Its text as Markdown for pandoc.
    document : dict
        Its text as a document of pandoc, as plain as a copy shows it.
    tree : lxml element
        The rendered page.
    """

    address: str
    title: str
    description: str = ""
    headings: tuple = ()
    notebook: dict | None = None
    label: str = ""
    source: str = ""
    document: dict | None = None
    tree: object = None

    @property
    def name(self):
        """Folder and stem, `lessons/roc`: what yml files and the navigation call it."""
        return self.address.removesuffix(".html")

    @property
    def stem(self):
        """The last part of its name: `roc`."""
        return posixpath.basename(self.name)

    @property
    def folder(self):
        """The path of its folder: `lessons`, `workshop/trees`."""
        return posixpath.dirname(self.address)

    @property
    def section(self):
        """lessons, howto, workshop, evidence or reference; the first page belongs to lessons."""
        return self.folder.partition("/")[0] or "lessons"

    @property
    def module(self):
        """The module that its notebook exports, as Python imports it; '' if it exports none."""
        return self.notebook.get("metadata", {}).get(MODULE, "") if self.notebook else ""

    @cached_property
    def code(self):
        """The source of each of its code cells."""
        cells = self.notebook["cells"] if self.notebook else []
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]

    @cached_property
    def defined(self):
        """The functions and classes that its cells define."""
        return {name for source in self.code for name in defined_names(source)}

    @property
    def root(self):
        """The way from this page to the root of the site: '' or '../'."""
        return "../" * self.address.count("/")

    def link(self, target, anchor=""):
        """A link from this page to another page or file, that works from disk."""
        address = getattr(target, "address", target)
        if address == self.address and anchor:
            return f"#{anchor}"
        path = posixpath.relpath(address, self.folder or ".")
        return f"{path}#{anchor}" if anchor else path

    def resolve(self, href):
        """(address, anchor) of a relative link on this page."""
        path, _, anchor = href.partition("#")
        if not path:
            return self.address, anchor
        return posixpath.normpath(posixpath.join(self.folder, path)), anchor


def front_matter(notebook):
    """Title and description of a processed notebook."""
    return yaml.safe_load("".join(notebook["cells"][0]["source"]).strip().strip("-"))


def read_page(processed, headings, file):
    """The page of a processed notebook; its address follows the folders."""
    notebook = json.loads((processed / file).read_text(encoding="utf8"))
    facts = front_matter(notebook)
    return Page(
        address=file.removesuffix(".ipynb") + ".html",
        title=facts["title"],
        description=facts.get("description", ""),
        headings=headings,
        notebook=notebook,
    )


def set_labels(pages):
    """Give every page its label: a title that two pages share is followed by their folders."""
    titles = Counter(page.title for page in pages)
    for page in pages:
        shared = titles[page.title] > 1 and page.folder
        page.label = f"{page.title} ({page.folder})" if shared else page.title
