"""A kit for teachers, made from the lessons: slides of the spines, notebooks to hand out and to grade, a cheat sheet of two pages.

    python -m website kit       into _site/kit/ (also: make kit)

Slides are one file each, with pictures and formulas inside: no network, no script, Page Down for the next one. `handout/` has the
lessons without solutions; `graded/` the same for nbgrader, each exercise with its solution between marks and its checker as a test.
The cheat sheet is printed by Chromium, from what the lessons say in their recaps.
"""

import base64
import json
import re
import shutil
from copy import deepcopy
from html import escape

import yaml

from website.content.cells import is_picture, raw, split_options
from website.content.lessons import split, without_folds
from website.content.pages import read_page
from website.export.markdown import Copy, sources
from website.navigation.contents import contents
from website.project import BIBLIOGRAPHY, HERE, ROOT, site_url
from website.render.pandoc import pandoc

WORDS = 75  # of text on one slide
FENCED = re.compile(r"^(`{3,})")


def lessons(processed):
    "The pages of the lessons with a spine, in the order of the book; quizzes have none."
    config = yaml.safe_load((processed / "_quarto.yml").read_text(encoding="utf8"))
    chapters = [read_page(processed, sections, file) for sections, file in contents(config)]
    return [
        page for page in chapters if page.folder == "lessons" and not page.stem.startswith("quiz")
    ]


# ---------------------------------------------------------------- slides
def spine_cells(notebook):
    "The cells of the spine as slides show them: no hints, no solutions, no code that the page folds."
    kept = []
    for cell, text in split(notebook["cells"][1:])[0]:  # the first one is the title
        cell = deepcopy(cell)
        if text is not None:
            cell["source"] = without_folds(text)
        else:
            options, source = split_options("".join(cell["source"]))
            if options.get("live-check") or options.get("code-summary") == "Solution":
                continue
            if options.get("code-fold"):
                named = "".join(
                    f"#| {k}: {json.dumps(options[k])}\n"
                    for k in ("label", "fig-cap", "fig-alt")
                    if k in options
                )
                cell["source"] = f"{named}#| echo: false\n{source}"
        kept.append(cell)
    return kept


def pictures(cells):
    "The pictures of cells as addresses that hold them, in order."
    found = []
    for cell in cells:
        for output in filter(is_picture, cell.get("outputs", [])):
            data = {
                mime: "".join(text)
                for mime, text in output["data"].items()
                if mime.startswith("image/")
            }
            svg = data.get("image/svg+xml")
            content = (
                base64.b64encode(svg.encode()).decode()
                if svg
                else data["image/png"].replace("\n", "")
            )
            found.append(f"data:image/{'svg+xml' if svg else 'png'};base64,{content}")
    return found


def published(page, href):
    "Where a link of a lesson leads from anywhere."
    if re.match(r"[a-z]+:", href):
        return href
    address, anchor = page.resolve(href.replace(".ipynb", ".html", 1))
    return f"{site_url()}/{address}{'#' if anchor else ''}{anchor}"


def blocks(text):
    "Paragraphs, lists, formulas and fenced code of Markdown, one after the other."
    found, fence = [], ""
    for line in text.split("\n"):
        if fence or (line.strip() and found and found[-1]):
            found[-1] += f"\n{line}"
        elif line.strip():
            found.append(line)
        else:
            found.append("")
        if mark := FENCED.match(line):
            fence = "" if fence == mark[1] else fence or mark[1]
    return [block for block in found if block.strip()]


def cut(text):
    "Slides, as Markdown: a heading begins one, code and pictures have their own, text as much as can be read from a chair."
    slides, heading, words = [], "", WORDS
    for block in blocks(text):
        if block.startswith("#"):
            heading, words = re.sub(r"^#+ ", "## ", block), WORDS
            continue
        whole = block.startswith(("```", "![", "|"))
        here = WORDS if whole else len(block.split())
        if words + here > WORDS or not slides:
            slides.append(heading)
            words = 0
        slides[-1] += f"\n\n{block}"
        words += here
    return [slide.strip() for slide in slides if slide.strip()]


def deck(page, known):
    "The slides of one lesson as a page of HTML."
    cells = spine_cells(page.notebook)
    spine = deepcopy(page)
    spine.notebook = {"cells": cells}
    copy = Copy(spine, pictures(cells), known)
    copy.link = lambda href: published(page, href)
    text = copy.text().split("\n\n", 2 if page.description else 1)[-1]
    text = text.partition("\n## Going deeper")[0].replace(
        f"]({page.stem}.html)", f"]({site_url()}/{page.address})"
    )
    body = pandoc(
        "\n\n".join(f"{raw('<section>')}\n\n{slide}\n\n{raw('</section>')}" for slide in cut(text)),
        "-t",
        "html5",
        "--mathml",
    )
    first = f"<section class=first><h1>{escape(page.title)}</h1><p>{escape(page.description)}</p></section>\n"
    style = (HERE / "assets/kit.css").read_text(encoding="utf8")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(page.title)}</title><style>{style}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body class="slides">\n{first}{body}</body></html>\n'


# ---------------------------------------------------------------- notebooks
def handout(notebook):
    "A lesson without solutions, and without stored outputs where the text asks for a guess."
    out, cells = deepcopy(notebook), []
    for cell in out["cells"]:
        if cell["cell_type"] == "code":
            options, _ = split_options("".join(cell["source"]))
            if options.get("code-summary") == "Solution":
                continue
            if options.get("guess") or options.get("live-check"):
                cell["outputs"], cell["execution_count"] = [], None
        cells.append(cell)
    out["cells"] = cells
    return out


def marked(cell, name, **kind):
    "The cell with nbgrader's marks."
    marks = {
        "grade": False,
        "solution": False,
        "locked": False,
        "task": False,
        "schema_version": 3,
        "grade_id": name,
    }
    cell["metadata"]["nbgrader"] = marks | kind
    return cell


def graded(notebook, stem):
    "A lesson for nbgrader: exercises with their solutions between marks, and each checker, with the assertion that it is content."
    out, cells, exercise = deepcopy(notebook), [], None
    for cell in out["cells"]:
        source = "".join(cell["source"])
        options, code = split_options(source) if cell["cell_type"] == "code" else ({}, source)
        if options.get("code-summary") == "Solution":
            if exercise is not None and "### BEGIN SOLUTION" not in exercise["source"]:
                exercise["source"] += f"\n### BEGIN SOLUTION\n{code}\n### END SOLUTION"
            continue
        cells.append(cell)
        if options.get("live"):
            last = cell
        elif options.get("live-check"):
            number = sum("nbgrader" in c["metadata"] for c in cells) // 3 + 1
            exercise = marked(last, f"{stem}-{number}", solution=True)
            exercise["source"] = "".join(exercise["source"])
            cell["source"] = f"%%capture heard\n{code}"
            cell["outputs"] = []
            marked(cell, f"{stem}-{number}-check", locked=True)
            test = {
                **deepcopy(cell),
                "source": 'assert "all right" in heard.stdout, heard.stdout',
                "id": f"{cell['id'][:24]}-test",
            }
            cells.append(marked(test, f"{stem}-{number}-test", grade=True, locked=True, points=1))
    out["cells"] = cells
    return out


# ---------------------------------------------------------------- cheat sheet
def recap(page):
    "What a lesson leaves, as Markdown."
    text = "\n\n".join(text for _, text in split(page.notebook["cells"])[0] if text)
    found = re.search(
        r"(?ms)^## Recap.*?$\n(.*?)(?=^## |^Next\b|^How it is made|\Z)", without_folds(text)
    )
    return (
        re.sub(r"\[([^\]]*)\]\([^)]*\)|\s*\{#[^}]*\}", lambda m: m[1] or "", found[1]).strip()
        if found
        else ""
    )


def sheet(pages):
    "The recaps of the lessons on two pages, as HTML to print."
    parts = []
    for page in pages:
        if text := recap(page):
            text = re.sub(r"\[?@[a-z]+\d{4}\w*\]?|^:::.*$", "", text, flags=re.M)
            parts.append(
                f"<article><h2>{escape(page.title)}</h2>{pandoc(text, '-t', 'html5', '--mathml')}</article>"
            )
    style = (HERE / "assets/kit.css").read_text(encoding="utf8")
    return f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>aucbook on two pages</title><style>{style}</style></head><body class="sheet">{"".join(parts)}</body></html>'


# ---------------------------------------------------------------- all of it
def write(processed, out, source=ROOT / "nbs"):
    "The kit in the folder `out`; the cheat sheet as HTML, printed by whoever has Chromium."
    shutil.rmtree(out, ignore_errors=True)
    pages, known = lessons(processed), sources(BIBLIOGRAPHY)
    for kind in ("slides", "handout", "graded"):
        (out / kind).mkdir(parents=True)
    for page in pages:
        (out / "slides" / f"{page.stem}.html").write_text(deck(page, known), encoding="utf8")
        notebook = json.loads((source / f"{page.name}.ipynb").read_text(encoding="utf8"))
        for kind, made in (("handout", handout(notebook)), ("graded", graded(notebook, page.stem))):
            path = out / kind / f"{page.stem}.ipynb"
            path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf8")
    (out / "cheatsheet.html").write_text(sheet(pages), encoding="utf8")
    return pages
