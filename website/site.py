"""The site as a whole: notebooks to pages, then the pages made from all others, then the files beside them."""

import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import yaml

from website.checks import links
from website.content.cells import raw
from website.content.minutes import minutes
from website.content.pages import Page, read_page, set_labels
from website.export import llms
from website.export import markdown as copies
from website.live import scripts
from website.live.cells import has_live
from website.navigation import contents as navigation
from website.navigation import footer, moved, paths
from website.project import BIBLIOGRAPHY, HERE, BuildError, load, settings
from website.reference import formulas, gallery, glossary
from website.reference import pages as symbols
from website.reference.names import opening, wings
from website.render import html
from website.render.markdown import to_markdown
from website.search import index
from website.search.sections import Reader

# The pages made here: stem, title, subtitle
MADE = [
    ("reading", "How to read this book", "Paths, keys, and ways to take it along"),
    ("symbols", "The library by task", "Every public name in one line, wing by wing"),
    ("formulas", "Formulas", "Every numbered formula, and where it is used"),
    ("glossary", "Glossary", "The words of the book, a sentence or two each"),
    ("gallery", "Gallery", "Every picture to play with, and every figure of the lessons"),
]


class Site:
    def __init__(self, processed, out, bibliography, url, names, moved):
        self.out, self.bibliography, self.url, self.names = out, bibliography, url, names
        self.config = yaml.safe_load((processed / "_quarto.yml").read_text(encoding="utf8"))
        self.chapters = [read_page(processed, sections, file) for sections, file in navigation.contents(self.config)]
        self.made = [Page(f"reference/{stem}.html", title, text, (navigation.REFERENCE,)) for stem, title, text in MADE]
        self.reading, self.symbols, self.formulas, self.terms, self.gallery = self.made
        self.wings = {door: self.wing_page(door) for door in wings(names)}
        self.made += self.wings.values()
        self.pages = self.chapters + self.made
        set_labels(self.pages)
        self.marks = navigation.marks(self.chapters)
        self.glossary = load("glossary.yml")
        self.around = navigation.neighbours(self.chapters)
        self.twins = navigation.twins(self.chapters, load("subjects.yml"))
        self.paths = paths.known(load("paths.yml"), self.chapters)
        self.live = [page for page in self.chapters if has_live(page.notebook)]
        self.sources = copies.sources(bibliography)
        self.moved, self.problems = moved, []

    @staticmethod
    def wing_page(door):
        "The page of the reference for one wing, still without its text."
        stem, title = door.removeprefix("aucbook."), door if "." in door else f"{door} itself"
        return Page(f"reference/{stem}.html", title, opening(door)[0], (navigation.REFERENCE, "Wing by wing"))

    def card_address(self, page, name):
        "A link from a page to the card of a name in the reference; None for what has no door."
        door = self.names[name].door if name in self.names else ""
        return page.link(self.wings[door], name) if door else None

    def card_of_mention(self, page, name):
        "The same for a name in prose; None where the page has its own of that name, and for `predict`, which is also what every estimator does."
        return None if name == "predict" or name in page.defined else self.card_address(page, name)

    def write(self):
        "All files of the site. Returns the paths of its pages."
        self.assets()
        for page in self.chapters:
            try:
                page.text = self.markdown(page)
            except BuildError as error:
                self.problems.append(f"{page.name}: {error}")
        self.render(self.chapters)
        readers = [Reader(page) for page in self.chapters]
        self.generate(readers)
        self.render(self.made)
        readers += [Reader(page) for page in self.made]
        title, description = self.config["website"]["title"], self.config["website"].get("description", "")
        self.file(
            "search.js",
            index.index(
                readers, self.glossary, load("asked.yml"), leave_out=[self.formulas.address, self.symbols.address]
            ),
        )
        self.file("llms.txt", llms.contents(title, description, self.chapters, self.made, self.names))
        self.file("llms-full.txt", llms.full_text(self.chapters))
        anchors = {page.address: links.facts(page)[0] for page in self.pages}
        gone = moved.problems(self.moved, self.pages, anchors)
        if not gone:
            moved.place(self.moved, self.pages, self.out)
        for page in self.pages:
            html.save(page, self.out)
        self.problems += gone + links.problems(self.pages, self.out)
        if self.problems:
            raise BuildError("\n".join(self.problems))
        return [self.out / page.address for page in self.pages]

    def file(self, name, text):
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf8")

    def assets(self):
        for name in ("style.css", "site.js"):  # without indentation and comments
            text = (HERE / "assets" / name).read_text(encoding="utf8")
            lines = [re.sub(r"(^|\s{3,})// .*", "", line.strip()) for line in text.split("\n")]
            self.file(name, "\n".join(filter(None, lines)) + "\n")
        shutil.copytree(HERE / "assets/fonts", self.out / "fonts")
        if self.live and scripts.available():
            scripts.write(self.out)
        elif self.live:
            print(
                f"Live cells ({len(self.live)} pages) show code and stored outputs only: {scripts.MISSING}",
                file=sys.stderr,
            )

    def markdown(self, page):
        "A notebook's text; its figures are saved beside the page, in a folder of their own."
        figures = []

        def save_image(content, mime):
            path = f"figures/{page.stem}/{len(figures) + 1}.{'svg' if 'svg' in mime else 'png'}"
            figures.append(path)
            target = self.out / page.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            return path

        text = to_markdown(page.notebook, save_image, self.names, page.module, scripts.available())
        page.copy = copies.Copy(page, figures, self.sources, self.url).text()
        self.file(f"{page.name}.md", page.copy)
        self.file(f"{page.name}.md.js", copies.script(page.copy))
        return text + ("\n\n## References\n\n::: {#refs}\n:::\n" if re.search(r"@[a-z]+\d{4}", text) else "")

    def generate(self, readers):
        "The text of the pages that are made from all others."
        named = {page.name: page for page in self.chapters}
        home, used_by = symbols.homes(self.chapters, self.names), symbols.users(self.chapters, self.names)
        reading = (
            (HERE / "data/reading.md").read_text(encoding="utf8").replace("HOME", self.reading.link(self.chapters[0]))
        )
        reading = reading.replace("GIT", settings()["git_url"])
        bodies = [
            reading.replace("PATHS", raw(paths.as_list(self.paths, self.reading))),
            symbols.overview(self.symbols, self.wings, self.names, home),
            raw(formulas.page_body(self.formulas, readers)),
            raw(glossary.page_body(self.glossary, self.terms, named)),
            gallery.body(self.gallery, [page for page in self.chapters if page.folder == "lessons"]),
            *(symbols.wing_body(page, door, self.names, home, used_by) for door, page in self.wings.items()),
        ]
        for page, body in zip(self.made, bodies):
            page.text = f"---\ntitle: {page.title}\ndescription: {page.description!r}\n---\n\n{body}"

    def variables(self, page):
        "What the template shows around the text."
        before, after = self.around.get(page, (None, None))
        return {
            "nav": navigation.sidebar(self.pages, page, self.marks),
            "site": self.config["website"]["title"],
            "root": page.root,
            "page": page.address,
            "home": page.link(self.chapters[0]),
            "chapter": page.notebook and "true",
            "live": page in self.live and scripts.available() and "true",
            "lifeless": page in self.live and not scripts.available() and "true",
            "paths": paths.next_steps(self.paths, page),
            "prev": before and navigation.anchor(page, before),
            "next": after and navigation.anchor(page, after),
            **self.minutes(page),
            "take": page.notebook and footer.line(page, self.reading),
            "twins": navigation.twin_links(page, self.twins.get(page, [])),
        }

    @staticmethod
    def minutes(page):
        spine, depth = minutes(page.notebook) if page.folder == "lessons" else (0, 0)
        return {"minutes": str(max(1, spine)) if page.folder == "lessons" else "", "depth": str(depth or "")}

    def render(self, pages):
        "The trees of pages; pandoc works on several at once. A page that fails is noted, and left empty."

        def written(page):
            try:
                return html.html(page.text, self.bibliography, self.variables(page))
            except BuildError as error:
                self.problems.append(f"{page.name}: {error}")
                return '<html><body><main id="main"></main></body></html>'

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for page, text in zip(pages, pool.map(written, pages)):
                page.tree = html.tree(text, page, self)


def build(processed, out, bibliography=BIBLIOGRAPHY, url="", names=None, moved=None):
    "Render the processed notebooks listed in `processed`/_quarto.yml into `out`; raises BuildError listing every problem."
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    return Site(processed, out, bibliography, url, names or {}, moved or {}).write()
