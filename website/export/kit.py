"""A kit for teachers, made from the lessons: slides, notebooks, a cheat sheet of two pages.

Slides say the spine, one file each, with pictures and formulas inside: no network, no script, Page
Down for the next one. Notebooks are the copies that `aucbook lab` writes (`aucbook.lab.edition`):
`handout/` has the lessons without solutions; `graded/` the same for
nbgrader, each exercise with its solution between marks and its checker as a test. The cheat sheet
is printed by Chromium, from what the lessons say in their recaps.
"""

import base64
import json
import re
import shutil
from copy import deepcopy
from dataclasses import replace
from html import escape

import nbformat
import yaml

from aucbook.lab.edition import page_for_lab, read_book, read_options
from website.content import ast
from website.content.cells import is_picture, options_of, source_of, split_options, texts
from website.content.lessons import is_depth, is_fold, split
from website.content.pages import read_page
from website.export import markdown
from website.navigation.contents import contents
from website.project import BIBLIOGRAPHY, HERE, ROOT, read_text, site_url

WORDS = 75  # of text on one slide, which can be read from a chair
LAST_HEADING = "Going deeper"  # slides end here
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">{viewport}<title>{title}</title>\
<style>{style}</style></head><body class="{kind}">{body}</body></html>"""
VIEWPORT = '<meta name="viewport" content="width=device-width">'
MARKS = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
OUTSIDE = re.compile(r"\]\(\.\./([\w/-]+)\.ipynb(?:#[^)]*)?\)")  # a link to no lesson
# JupyterLab shows the letters of a figure alone, until its reader trusts the notebook or runs it
FIGURE = '<figure id="ax-'
RUN_IT = "An interactive figure: run this cell to see it."
AFTER_RECAP = re.compile(r"(Next\b|How it is made)")


def lessons(processed):
    """The pages of the lessons with a spine, in the order of the book; quizzes have none."""
    config = yaml.safe_load((processed / "_quarto.yml").read_text(encoding="utf8"))
    pages = [read_page(processed, headings, file) for headings, file in contents(config)]
    return [p for p in pages if p.folder == "lessons" and not p.stem.startswith("quiz")]


# ---- slides


def is_solution(options):
    """Whether a cell solves an exercise."""
    return options.get("code-summary") == "Solution"


def without_code(cell, options, source):
    """A cell whose code the page folds: its outputs alone."""
    figure_keys = [key for key in ("label", "fig-cap", "fig-alt") if key in options]
    lines = [f"#| {key}: {json.dumps(options[key])}" for key in figure_keys]
    return {**cell, "source": "\n".join([*lines, "#| echo: false", source])}


def slide_cells(notebook):
    """The cells of a lesson as slides show them: no solutions, no code that the page folds."""
    for cell in notebook["cells"][1:]:  # the first one is the title
        options, source = split_options(source_of(cell))
        if cell["cell_type"] != "code":
            yield cell
        elif options.get("live-check") or is_solution(options):
            continue
        elif options.get("code-fold"):
            yield without_code(cell, options, source)
        else:
            yield cell


def picture_address(output):
    """The address of a stored picture that holds it."""
    data = texts(output)
    if "image/svg+xml" in data:
        content = base64.b64encode(data["image/svg+xml"].encode()).decode()
        return f"data:image/svg+xml;base64,{content}"
    content = data["image/png"].replace("\n", "")
    return f"data:image/png;base64,{content}"


def spine_blocks(blocks):
    """Blocks without depth, hints and solutions."""
    open_blocks = []
    for block in blocks:
        if is_depth(block) or is_fold(block):
            continue
        if block["t"] == "Div":
            attributes, inside = block["c"]
            block = {"t": "Div", "c": [attributes, spine_blocks(inside)]}
        open_blocks.append(block)
    return open_blocks


def published(page):
    """A change of links: where they lead from anywhere."""

    def change(node):
        if node["t"] != "Link":
            return node
        attributes, content, (href, title) = node["c"]
        place = markdown.address_of(href, page, site_url())
        if place:
            address, anchor = place
            href = f"{site_url()}/{address}" + (f"#{anchor}" if anchor else "")
        return {"t": "Link", "c": [attributes, content, [href, title]]}

    return change


def slide_document(page):
    """The spine of a lesson as a document of pandoc, with numbers, citations and pictures."""
    cells = list(slide_cells(page.notebook))
    pictures = []
    for cell in cells:
        pictures += [picture_address(output) for output in filter(is_picture, outputs_of(cell))]
    spine = replace(page, title="", description="", notebook={"cells": cells})
    text = markdown.to_markdown(spine, pictures).removeprefix("# \n\n")
    tree = ast.parse(text)
    tree = ast.with_blocks(tree, until_heading(spine_blocks(tree["blocks"]), LAST_HEADING))
    numbered = ast.written(
        tree,
        "-t",
        "json",
        f"--lua-filter={HERE / 'render/filter.lua'}",
        "--citeproc",
        f"--bibliography={BIBLIOGRAPHY}",
        "-M",
        "suppress-bibliography=true",
    )
    plain = ast.changed(json.loads(numbered), markdown.plain)
    return ast.changed(plain, published(page))


def outputs_of(cell):
    """The stored outputs of a cell that a page shows."""
    options = options_of(cell)
    if options.get("output") is False or options.get("include") is False:
        return []
    return cell.get("outputs", [])


def until_heading(blocks, title):
    """The blocks before a heading."""
    for number, block in enumerate(blocks):
        if block["t"] == "Header" and ast.plain_text(block).strip() == title:
            return blocks[:number]
    return blocks


def fills_a_slide(block):
    """Whether a block has a slide of its own: code, a table, a picture."""
    if block["t"] in ("CodeBlock", "Table", "Figure"):
        return True
    return any(ast.nodes(block, "Image"))


def slides(blocks):
    """Blocks as a list of slides, each a list of blocks: a heading begins one."""
    pages = []
    heading = []
    words = WORDS
    for block in blocks:
        if block["t"] == "Header":
            heading = [{"t": "Header", "c": [2, ast.NO_ATTRIBUTES, block["c"][2]]}]
            words = WORDS
            continue
        own = WORDS if fills_a_slide(block) else len(ast.plain_text(block).split())
        if words + own > WORDS or not pages:
            pages.append([*heading])
            words = 0
        pages[-1].append(block)
        words += own
    return [slide for slide in pages if slide]


def raw_html(text):
    """A block of HTML."""
    return {"t": "RawBlock", "c": ["html", text]}


def deck(page):
    """The slides of one lesson as a page of HTML."""
    tree = slide_document(page)
    blocks = []
    for slide in slides(tree["blocks"]):
        blocks += [raw_html("<section>"), *slide, raw_html("</section>")]
    body = ast.written(ast.with_blocks(tree, blocks), "-t", "html5", "--mathml")
    title = f"<h1>{escape(page.title)}</h1><p>{escape(page.description)}</p>"
    first = f"\n<section class=first>{title}</section>\n"
    return PAGE.format(
        viewport=VIEWPORT,
        title=escape(page.title),
        style=read_text("assets/kit.css"),
        kind="slides",
        body=first + body,
    )


# ---- notebooks


class Lesson:
    """A lesson as JupyterLab shows it, and what the book's own cells say of themselves.

    Attributes
    ----------
    cells : list of notebook cells
        Those of the copy that `aucbook lab` writes, to be changed; without solutions.
    options : dict of str to dict
        Options of the book's code cells, by cell id.
    code : dict of str to str
        Their code.
    """

    def __init__(self, address, book):
        self.notebook = page_for_lab(address, book)
        self.options = {}
        self.code = {}
        for cell in book.pages[address].cells:
            if cell.cell_type == "code":
                self.options[cell.id], self.code[cell.id] = read_options(cell.source)
        for cell in self.notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = with_site_links(cell.source)
            for output in cell.get("outputs", []):
                if output.get("data", {}).get("text/html", "").startswith(FIGURE):
                    output.data = {"text/plain": RUN_IT}

    def is_solution(self, cell):
        """Whether a cell is a solution, or the line above it."""
        name = cell.id.removesuffix("-solution")
        return self.options.get(name, {}).get("code-summary", "").startswith("Solution")


def with_site_links(text):
    """Markdown whose links to pages outside the folder of lessons lead to the site."""
    return OUTSIDE.sub(rf"]({site_url()}/\1.html)", text)


def without_outputs(cell):
    """Remove the outputs of a cell, and that they are folded."""
    cell.outputs = []
    cell.execution_count = None
    cell.metadata.pop("collapsed", None)
    cell.metadata.get("jupyter", {}).pop("outputs_hidden", None)


def handout(lesson):
    """A lesson without solutions, and without stored outputs where the text asks for a guess."""
    notebook = deepcopy(lesson.notebook)
    notebook.cells = [cell for cell in notebook.cells if not lesson.is_solution(cell)]
    for cell in notebook.cells:
        options = lesson.options.get(cell.id, {})
        if options.get("guess") == "true" or "live-check" in options:
            without_outputs(cell)
    return notebook


def mark(cell, name, **kind):
    """Give a cell nbgrader's marks."""
    cell["metadata"]["nbgrader"] = {**MARKS, "grade_id": name, **kind}


def with_solution(source, code):
    """The source of an exercise with its solution between nbgrader's marks."""
    return f"{source}\n### BEGIN SOLUTION\n{code}\n### END SOLUTION"


def test_of(check, name):
    """The cell after a checker that asserts that the checker is content."""
    test = deepcopy(check)
    test["source"] = 'assert "all right" in heard.stdout, heard.stdout'
    test["id"] = f"{check['id'][:24]}-test"
    mark(test, name, grade=True, locked=True, points=1)
    return test


def graded(lesson, stem):
    """A lesson for nbgrader: exercises with their solutions between marks, and their checkers."""
    notebook = deepcopy(lesson.notebook)
    cells = []
    last = None  # the last live cell
    exercise = None  # the last one with a checker
    count = 0
    for cell in notebook.cells:
        if lesson.is_solution(cell):
            is_code = cell.cell_type == "code"  # not the line above it
            if is_code and exercise and "### BEGIN SOLUTION" not in exercise.source:
                exercise.source = with_solution(exercise.source, lesson.code[cell.id])
            continue
        cells.append(cell)
        options = lesson.options.get(cell.id, {})
        if options.get("live") == "true":
            last = cell
        elif "live-check" in options:
            count += 1
            name = f"{stem}-{count}"
            exercise = last
            mark(exercise, name, solution=True)
            cell.source = f"%%capture heard\n{lesson.code[cell.id]}"
            without_outputs(cell)
            mark(cell, f"{name}-check", locked=True)
            cells.append(test_of(cell, f"{name}-test"))
    notebook.cells = cells
    return notebook


# ---- cheat sheet


def unlinked(node):
    """A node without links and citations."""
    if node["t"] == "Link":
        return node["c"][1]
    return [] if node["t"] == "Cite" else markdown.plain(node)


def recap(page):
    """What a lesson leaves: the blocks of its recap."""
    blocks = []
    inside = False
    for block in split(page.notebook["cells"])[0].text:
        if block["t"] == "Header" and block["c"][0] <= len("##"):
            inside = ast.plain_text(block).strip() == "Recap"
        elif inside and AFTER_RECAP.match(ast.plain_text(block).strip()):
            break
        elif inside:
            blocks.append(block)
    return ast.changed(blocks, unlinked)


def sheet(pages):
    """The recaps of the lessons on two pages, as HTML to print."""
    parts = []
    for page in pages:
        if blocks := recap(page):
            document = {**ast.parse(""), "blocks": blocks}
            text = ast.written(document, "-t", "html5", "--mathml")
            parts.append(f"<article><h2>{escape(page.title)}</h2>{text}</article>")
    return PAGE.format(
        viewport="",
        title="aucbook on two pages",
        style=read_text("assets/kit.css"),
        kind="sheet",
        body="".join(parts),
    )


# ---- all of it


def write(processed, out, source=ROOT / "nbs"):
    """Write the kit into the folder `out`; its cheat sheet is HTML. Returns the lessons."""
    shutil.rmtree(out, ignore_errors=True)
    for kind in ("slides", "handout", "graded"):
        (out / kind).mkdir(parents=True)
    for folder in ("results", "data"):  # what cells read, as ../results and ../data
        shutil.copytree(source / folder, out / folder)
    pages = lessons(processed)
    book = read_book(source)
    for page in pages:
        (out / f"slides/{page.stem}.html").write_text(deck(page) + "\n", encoding="utf8")
        lesson = Lesson(f"{page.name}.ipynb", book)
        nbformat.write(handout(lesson), out / f"handout/{page.stem}.ipynb")
        nbformat.write(graded(lesson, page.stem), out / f"graded/{page.stem}.ipynb")
    (out / "cheatsheet.html").write_text(sheet(pages), encoding="utf8")
    return pages
