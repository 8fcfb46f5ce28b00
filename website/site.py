"""The site as a whole: pages of notebooks, pages made from them, and the files beside them."""

import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from website.assets import files
from website.checks import links
from website.content.cells import raw
from website.content.minutes import minutes
from website.content.pages import Page, read_page, set_labels
from website.export import llms
from website.export import markdown as copies
from website.live import scripts
from website.live.cells import has_live
from website.navigation import contents, footer, moved, paths
from website.project import BIBLIOGRAPHY, BuildError, load, read_text, settings
from website.reference import formulas, gallery, glossary
from website.reference import pages as reference
from website.reference.names import opening, packages_of
from website.render import html
from website.render.markdown import to_markdown
from website.search.index import index
from website.search.sections import Reader

# The pages of the reference that are made here: {stem: (title, description)}
REFERENCE = {
    "reading": ("How to read this book", "Paths, keys, and ways to take it along"),
    "symbols": ("The library by task", "Every public name in one line, by sub-package"),
    "formulas": ("Formulas", "Every numbered formula, and where it is used"),
    "glossary": ("Glossary", "The words of the book, a sentence or two each"),
    "gallery": ("Gallery", "Every picture to play with, and every figure of the lessons"),
}
EMPTY_PAGE = '<html><body><main id="main"></main></body></html>'


def reference_pages():
    """{stem: page} of REFERENCE, still without text."""
    return {
        stem: Page(f"reference/{stem}.html", title, description, (contents.REFERENCE,))
        for stem, (title, description) in REFERENCE.items()
    }


def package_page(package):
    """The page of a sub-package, still without text."""
    stem = package.removeprefix("aucbook.")
    title = package if "." in package else f"{package} itself"
    headings = (contents.REFERENCE, "By sub-package")
    return Page(f"reference/{stem}.html", title, opening(package)[0], headings)


class Site:
    """A site in the making.

    Parameters
    ----------
    processed : Path
        Folder of the processed notebooks, with _quarto.yml.
    out : Path
        Folder of the site.
    bibliography : Path
    url : str
        Where the site is published.
    names : dict
        {name: Name} of the documented names of the library.
    moved : dict
        Old addresses and anchors (data/moved.yml).
    """

    def __init__(self, processed, out, *, bibliography, url, names, moved):
        self.out = out
        self.bibliography = bibliography
        self.url = url
        self.names = names
        self.moved = moved
        self.problems = []
        self.figures = {}  # {page: the files of its figures}
        config = yaml.safe_load((processed / "_quarto.yml").read_text(encoding="utf8"))
        self.title = config["website"]["title"]
        self.description = config["website"].get("description", "")
        self.chapters = [
            read_page(processed, headings, file) for headings, file in contents.contents(config)
        ]
        self.lessons = [page for page in self.chapters if page.folder == "lessons"]
        self.reference = reference_pages()
        self.packages = {package: package_page(package) for package in packages_of(names)}
        self.own_pages = [*self.reference.values(), *self.packages.values()]
        self.pages = self.chapters + self.own_pages
        set_labels(self.pages)
        self.glossary = load("glossary.yml")
        self.marks = contents.marks(self.chapters)
        self.neighbours = contents.neighbours(self.chapters)
        self.related = contents.related_pages(self.chapters, load("subjects.yml"))
        self.paths = paths.existing(load("paths.yml"), self.chapters)
        self.live = {page for page in self.chapters if has_live(page.notebook)}

    def card_address(self, page, name):
        """A link from a page to the card of a name; None for what is not public.

        Of two with one name, that of the page's own sub-package.
        """
        with_package = ".".join([*page.module.split(".")[1:2], name])
        if with_package in self.names:
            name = with_package
        package = self.names[name].package if name in self.names else ""
        return page.link(self.packages[package], name) if package else None

    def card_of_mention(self, page, name):
        """The same for a name in prose.

        None where the page has its own of that name, and for `predict`, which every estimator has.
        """
        if name == "predict" or name in page.defined:
            return None
        return self.card_address(page, name)

    def write(self):
        """Write all files of the site. Returns the paths of its pages."""
        files.write(self.out)
        self.write_scripts()
        for page in self.chapters:
            try:
                page.source = self.read_notebook(page)
            except BuildError as error:
                self.problems.append(f"{page.name}: {error}")
        self.render(self.chapters)
        self.write_copies()
        readers = [Reader(page) for page in self.chapters]
        self.write_reference(readers)
        self.render(self.own_pages)
        readers += [Reader(page) for page in self.own_pages]
        self.write_index(readers)
        self.write_llms()
        self.write_moved()
        for page in self.pages:
            html.save(page, self.out)
        self.problems += links.problems(self.pages, self.out)
        if self.problems:
            raise BuildError("\n".join(self.problems))
        return [self.out / page.address for page in self.pages]

    def write_file(self, name, text):
        """Write a file of the site."""
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf8")

    def write_scripts(self):
        """Put the scripts of live cells into the site, or say why they are missing."""
        if self.live and scripts.available():
            scripts.write(self.out)
        elif self.live:
            what = f"Live cells ({len(self.live)} pages) show code and stored outputs only"
            print(f"{what}: {scripts.MISSING}", file=sys.stderr)

    def read_notebook(self, page):
        """The Markdown of a notebook for pandoc. Its figures are written."""
        figures = []

        def save_image(content, mime):
            ending = "svg" if "svg" in mime else "png"
            path = f"figures/{page.stem}/{len(figures) + 1}.{ending}"
            figures.append(path)
            target = self.out / page.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            return path

        live = scripts.available()
        text = to_markdown(page.notebook, save_image, self.names, page.module, live)
        self.figures[page] = figures
        return text + (html.REFERENCES if html.CITATION.search(text) else "")

    def reading_page(self):
        """Markdown of the page that says how to read the book."""
        page = self.reference["reading"]
        text = read_text("data/reading.md")
        text = text.replace("HOME", page.link(self.chapters[0]))
        text = text.replace("GIT", settings()["git_url"])
        return text.replace("PATHS", raw(paths.as_list(self.paths, page)))

    def write_reference(self, readers):
        """Set the text of the pages that are made from all others."""
        named = {page.name: page for page in self.chapters}
        homes = reference.homes(self.chapters, self.names)
        used_by = reference.users(self.chapters, self.names)
        pages = self.reference
        overview = reference.overview(pages["symbols"], self.packages, self.names, homes)
        terms = glossary.page_body(self.glossary, pages["glossary"], named)
        bodies = {
            pages["reading"]: self.reading_page(),
            pages["symbols"]: overview,
            pages["formulas"]: raw(formulas.page_body(pages["formulas"], readers)),
            pages["glossary"]: raw(terms),
            pages["gallery"]: gallery.body(pages["gallery"], self.lessons),
        }
        for package, page in self.packages.items():
            bodies[page] = reference.package_page(page, package, self.names, homes, used_by)
        for page, body in bodies.items():
            front_matter = f"---\ntitle: {page.title}\ndescription: {page.description!r}\n---"
            page.source = f"{front_matter}\n\n{body}"

    def write_index(self, readers):
        """Write the index of the search."""
        listed_elsewhere = [self.reference[stem].address for stem in ("formulas", "symbols")]
        text = index(readers, self.glossary, load("search_words.yml"), leave_out=listed_elsewhere)
        self.write_file("search.js", text)

    def write_llms(self):
        """Write the book for language models."""
        text = llms.contents(
            self.title, self.description, self.chapters, self.own_pages, self.names
        )
        self.write_file("llms.txt", text)
        chapters = [page for page in self.chapters if page.document]
        self.write_file("llms-full.txt", llms.full_text(chapters, self.url))

    def write_moved(self):
        """Write what leads on from old addresses; nothing while some of it leads nowhere."""
        anchors = {page.address: links.facts(page).anchors for page in self.pages}
        problems = moved.problems(self.moved, self.pages, anchors)
        if not problems:
            moved.write(self.moved, self.pages, self.out)
        self.problems += problems

    def variables(self, page):
        """What the template shows around the text."""
        before, after = self.neighbours.get(page, (None, None))
        is_live = page in self.live
        spine, depth = minutes(page.notebook) if page.folder == "lessons" else (0, 0)
        return {
            "nav": contents.sidebar(self.pages, page, self.marks),
            "site": self.title,
            "root": page.root,
            "page": page.address,
            "home": page.link(self.chapters[0]),
            "chapter": page.notebook and "true",
            "live": is_live and scripts.available() and "true",
            "lifeless": is_live and not scripts.available() and "true",
            "paths": paths.next_steps(self.paths, page),
            "prev": before and contents.titled_link(page, before),
            "next": after and contents.titled_link(page, after),
            "minutes": max(1, spine) if page.folder == "lessons" else None,
            "depth": depth,
            "footer": page.notebook and footer.line(page, self.reference["reading"]),
            "related": contents.related_line(page, self.related.get(page, [])),
        }

    def written(self, page):
        """A page as pandoc writes it. One that fails is noted, and left empty."""
        try:
            return html.html(page.source, self.bibliography, self.variables(page))
        except BuildError as error:
            self.problems.append(f"{page.name}: {error}")
            return EMPTY_PAGE

    def write_copy(self, page):
        """Write the text of a page to copy; one that fails is noted."""
        try:
            page.document = copies.document(page, self.figures[page], self.bibliography)
            text = copies.copy(page, self.url)
        except BuildError as error:
            self.problems.append(f"{page.name}.md: {error}")
            return
        self.write_file(f"{page.name}.md", text)
        self.write_file(f"{page.name}.md.js", copies.script(text))

    def write_copies(self):
        """Write the texts of all notebooks to copy; pandoc works on several at once."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self.write_copy, [page for page in self.chapters if page.source]))

    def render(self, pages):
        """Set the trees of pages; pandoc works on several at once."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for page, text in zip(pages, pool.map(self.written, pages)):
                page.tree = html.corrected(text, page, self)


def build(processed, out, *, bibliography=BIBLIOGRAPHY, url="", names=None, moved=None):
    """Render the notebooks that _quarto.yml in `processed` lists into `out`.

    The parameters are those of `Site`. Raises BuildError with every problem, one line each.
    """
    shutil.rmtree(out, ignore_errors=True)
    Path(out).mkdir(parents=True)
    site = Site(
        processed, out, bibliography=bibliography, url=url, names=names or {}, moved=moved or {}
    )
    return site.write()
