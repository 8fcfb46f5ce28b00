"""The site as a whole: notebooks to pages, then the pages made from all others, then the files beside them."""

import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import checks
import copies
import formulas
import glossary
import live
import llms
import navigation
import paths
import render
import search
import symbols
import take
import yaml
from cells import has_live, raw, to_markdown
from minutes import minutes
from pages import Page, read_page, set_labels
from project import HERE, BuildError, settings
from sections import Reader

# The pages made here: stem, title, subtitle
MADE = [
    ("reading", "How to read this book", "Paths, keys, and ways to take it along"),
    ("symbols", "Symbols", "Every public name: what it does, where it is explained, who uses it"),
    ("formulas", "Formulas", "Every numbered formula, and where it is used"),
    ("glossary", "Glossary", "The words of the book, a sentence or two each"),
]


def load(name):
    return yaml.safe_load((HERE / name).read_text(encoding="utf8"))


class Site:
    def __init__(self, processed, out, bibliography, url, names):
        self.out, self.bibliography, self.url, self.names = out, bibliography, url, names
        self.config = yaml.safe_load((processed / "_quarto.yml").read_text(encoding="utf8"))
        self.chapters = [read_page(processed, section, file) for section, file in navigation.contents(self.config)]
        self.made = [Page(f"reference/{stem}.html", title, text, navigation.REFERENCE) for stem, title, text in MADE]
        self.reading, self.symbols, self.formulas, self.terms = self.made
        self.pages = self.chapters + self.made
        set_labels(self.pages)
        self.glossary = load("glossary.yml")
        self.around = navigation.neighbours(self.chapters)
        self.twins = navigation.twins(self.chapters, load("subjects.yml"))
        self.paths = paths.known(load("paths.yml"), self.chapters)
        self.live = [page for page in self.chapters if has_live(page.notebook)]
        self.sources = copies.sources(bibliography)
        self.problems = []

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
        self.file("search.js", search.index(readers, leave_out=[self.formulas.address]))
        self.file("llms.txt", llms.contents(title, description, self.chapters, self.made, self.names))
        self.file("llms-full.txt", llms.full_text(self.chapters))
        for page in self.pages:
            render.save(page, self.out)
        self.problems += checks.problems(self.pages, self.out)
        if self.problems:
            raise BuildError("\n".join(self.problems))
        return [self.out / page.address for page in self.pages]

    def file(self, name, text):
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf8")

    def assets(self):
        for name in ("style.css", "site.js"):
            shutil.copy(HERE / name, self.out)
        shutil.copytree(HERE / "fonts", self.out / "fonts")
        if self.live and live.available():
            live.write(self.out)
        elif self.live:
            print(
                f"Live cells ({len(self.live)} pages) show code and stored outputs only: {live.MISSING}",
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

        text = to_markdown(page.notebook, save_image, self.names, page.stem, live.available())
        page.copy = copies.Copy(page, figures, self.sources, self.url).text()
        self.file(f"{page.name}.md", page.copy)
        self.file(f"{page.name}.md.js", copies.script(page.copy))
        return text + ("\n\n## References\n\n::: {#refs}\n:::\n" if re.search(r"@[a-z]+\d{4}", text) else "")

    def generate(self, readers):
        "The text of the pages that are made from all others."
        named = {page.name: page for page in self.chapters}
        reading = (HERE / "reading.md").read_text(encoding="utf8").replace("HOME", self.reading.link(self.chapters[0]))
        reading = reading.replace("GIT", settings()["git_url"])
        bodies = [
            reading.replace("PATHS", raw(paths.as_list(self.paths, self.reading))),
            raw(symbols.page_body(self.symbols, self.chapters, self.names)),
            raw(formulas.page_body(self.formulas, readers)),
            raw(glossary.page_body(self.glossary, self.terms, named)),
        ]
        for page, body in zip(self.made, bodies):
            page.text = f"---\ntitle: {page.title}\ndescription: {page.description!r}\n---\n\n{body}"

    def variables(self, page):
        "What the template shows around the text."
        before, after = self.around.get(page, (None, None))
        return {
            "nav": navigation.sidebar(self.pages, page),
            "site": self.config["website"]["title"],
            "root": page.root,
            "page": page.address,
            "home": page.link(self.chapters[0]),
            "chapter": page.notebook and "true",
            "live": page in self.live and live.available() and "true",
            "lifeless": page in self.live and not live.available() and "true",
            "paths": paths.next_steps(self.paths, page),
            "prev": before and navigation.anchor(page, before),
            "next": after and navigation.anchor(page, after),
            "minutes": page.folder == "lessons" and str(minutes(page.notebook)),
            "take": page.notebook and take.line(page, self.reading),
            "twins": navigation.twin_links(page, self.twins.get(page, [])),
        }

    def render(self, pages):
        "The trees of pages; pandoc works on several at once. A page that fails is noted, and left empty."

        def written(page):
            try:
                return render.html(page.text, self.bibliography, self.variables(page))
            except BuildError as error:
                self.problems.append(f"{page.name}: {error}")
                return '<html><body><main id="main"></main></body></html>'

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for page, text in zip(pages, pool.map(written, pages)):
                page.tree = render.tree(text, page, self)
