"""Copies of the notebooks for JupyterLab: no raw markup, answers folded, pictures as PNG, signed."""

import base64
import platform
import re
from urllib.parse import unquote

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from aucbook.lab.edition import (
    Book,
    cited_works,
    page_for_lab,
    plain_text,
    read_book,
    read_options,
    write_edition,
)

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="36pt"><path d="M0 0H9V9"/></svg>'
)


@pytest.fixture(scope="module")
def book(root):
    return read_book(root / "nbs")


@pytest.fixture(scope="module")
def copies(book):
    """All pages as JupyterLab shows them, without their drawings, which take seconds."""
    for notebook in book.pages.values():
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                output.get("data", {}).pop("image/svg+xml", None)
    return {page: page_for_lab(page, book) for page in book.pages}


def prose(cell):
    """The lines of a Markdown cell without code."""
    in_code = False
    for line in cell.source.split("\n"):
        is_fence = line.lstrip().startswith("```")
        in_code ^= is_fence
        if not in_code and not is_fence:
            yield re.sub(r"`+[^`]+`+", "", line)


def small_book(*cells, **labels):
    pages = {"lessons/a.ipynb": new_notebook(cells=list(cells)), "index.ipynb": new_notebook()}
    return Book(pages=pages, **labels)


def sources(*cells, **labels):
    return [
        cell.source for cell in page_for_lab("lessons/a.ipynb", small_book(*cells, **labels)).cells
    ]


@pytest.mark.parametrize(
    "markup", [r":::", r"\{[#.]\w", r"(?<![\w`])@(eq|fig)-", r"\[-?@", r"\]\(#\)"]
)
def test_no_raw_markup_is_left(copies, markup):
    left = [
        (page, line)
        for page, notebook in copies.items()
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for line in prose(cell)
        if re.search(markup, line)
    ]
    assert not left


def test_no_option_is_left_and_copies_are_notebooks(copies):
    for page, notebook in copies.items():
        nbformat.validate(notebook)
        ids = [cell.id for cell in notebook.cells]
        assert len(ids) == len(set(ids)), page
        for cell in notebook.cells:
            if cell.cell_type == "code":
                assert not cell.source.startswith("#|"), page


def test_every_answer_is_folded(copies, root):
    """Questions show their widget and fold their code, solutions fold both, guesses their output."""
    for page in copies:
        copied = {cell.id: cell for cell in copies[page].cells}
        for cell in nbformat.read(root / "nbs" / page, 4).cells:
            if cell.cell_type != "code" or cell.id not in copied:
                continue
            options, code = read_options(cell.source)
            folds = copied[cell.id].metadata.get("jupyter", {})
            shown = copied[cell.id].source.split("\n")[0]  # JupyterLab shows it of folded code
            if folds.get("outputs_hidden"):  # and this of folded output
                assert "guess first" in copied[cell.id].outputs[0].data["text/plain"]
                assert len(copied[cell.id].outputs) == len(cell.outputs) + 1
            if re.search(r"(?<![.\w])predict\(", code) and page.startswith("lessons"):
                assert folds.get("source_hidden"), (page, code[:80])
                assert shown.startswith("# "), (page, code[:80])
            if options.get("code-summary", "").startswith("Solution"):
                assert folds.get("source_hidden"), (page, code[:80])
                assert shown == "# Solution", page
                assert folds.get("outputs_hidden") or not cell.outputs, (page, code[:80])
            if options.get("guess") == "true" and cell.outputs:
                assert folds.get("outputs_hidden"), (page, code[:80])
                assert "guess first" in shown or not folds.get("source_hidden"), (page, code[:80])
            if "live-check" in options:
                assert folds.get("source_hidden"), (page, code[:80])
                assert shown.startswith("# Checker"), (page, code[:80])


def test_links_lead_to_headings(copies):
    """Every address within the book names a page of it, and a heading of that page."""
    headings = {
        page: {
            re.sub(r"[`*]", "", line.lstrip("#").strip()).replace(" ", "-")
            for cell in notebook.cells
            if cell.cell_type == "markdown"
            for line in cell.source.split("\n")
            if re.match(r"#{1,6} ", line)
        }
        for page, notebook in copies.items()
    }
    for page, notebook in copies.items():
        for cell in notebook.cells:
            if cell.cell_type != "markdown":
                continue
            for line in prose(cell):
                for address, name in re.findall(r"\]\(([\w./-]*\.ipynb)?#([^)\s]+)\)", line):
                    if not address:
                        assert unquote(name) in headings[page], (page, name)


def test_blocks_become_details_or_collapsed_headings():
    callout = '::: {.callout-tip collapse="true" title="Try `a < b`"}\nFirst.\n\n::: {.symbols}\n- x\n:::\n:::'
    title, how, block = sources(new_markdown_cell("# A"), new_markdown_cell(callout))
    assert title == "# A" and "Run All" in how
    assert 'lab.open("my.csv", label=' in how
    assert block == (
        "<details><summary>Try <code>a &lt; b</code></summary>\n\nFirst.\n\n- x\n\n</details>"
    )
    book = small_book(
        new_markdown_cell("# A"),
        new_markdown_cell(
            'Before.\n\n::: {.callout-note .depth collapse="true" title="Why"}\nIt is.'
        ),
        new_code_cell("1 + 1"),
        new_markdown_cell("So.\n:::\n\nAfter."),
    )
    cells = page_for_lab("lessons/a.ipynb", book).cells
    assert [cell.source for cell in cells[2:]] == [
        "Before.",
        "### Why",
        "It is.",
        "1 + 1",
        "So.",
        "### Further\nAfter.",
    ]
    assert [bool(cell.metadata.get("jp-MarkdownHeadingCollapsed")) for cell in cells[2:5]] == [
        False,
        True,
        False,
    ]


def test_a_folded_section_keeps_its_subheadings():
    """A heading of the same level within it would end it, and leave the rest open."""
    block = '::: {.callout-note collapse="true" title="Why"}\n### One\nIt is.'
    cells = [new_markdown_cell("# A"), new_markdown_cell(block), new_code_cell("1")]
    cells += [new_markdown_cell("## Two\n\n#### Three\n:::\n\n#### Four")]
    assert sources(*cells)[2:] == [
        "### Why",
        "#### One\nIt is.",
        "1",
        "#### Two\n\n##### Three",
        "### Further\n#### Four",
    ]


def test_folded_sections_hold_their_headings_in_every_page(copies):
    """Whatever follows a collapsed heading, up to the next one of its level, lies below it."""
    for page, notebook in copies.items():
        for cell, following in zip(notebook.cells, notebook.cells[1:]):
            if cell.metadata.get("jp-MarkdownHeadingCollapsed"):
                first = following.source.split("\n")[0]
                is_heading = following.cell_type == "markdown" and re.match(r"#{1,3} ", first)
                assert not is_heading, (page, cell.source)


def test_opening_a_copy_changes_nothing(copies):
    """JupyterLab adds these keys by itself, and then marks the page as unsaved."""
    for page, notebook in copies.items():
        assert notebook.metadata.language_info.version == platform.python_version()
        for cell in notebook.cells:
            folded = cell.metadata.get("jupyter", {}).get("outputs_hidden", False)
            assert cell.metadata.get("collapsed", False) == folded, page


def test_copies_run_the_code_of_their_pages(copies, root):
    """So what the runs of the pages prove, holds for the copies; comments above it are no code."""
    for page, notebook in copies.items():
        cells = nbformat.read(root / "nbs" / page, 4).cells
        codes = [read_options(cell.source)[1] for cell in cells if cell.cell_type == "code"]
        copied = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert [without_first_comment(cell) for cell in copied] == [c for c in codes if c], page


def without_first_comment(cell):
    """The code of a copied cell without the line that says what is folded."""
    first, _, rest = cell.source.partition("\n")
    added = re.match(r"# (Question, with|Checker of|Solution$|Folded: guess)", first)
    return rest if added else cell.source


def test_colab_folds_what_jupyterlab_folds(copies):
    for page, notebook in copies.items():
        for cell in notebook.cells:
            folded = cell.metadata.get("jupyter", {}).get("source_hidden", False)
            assert (cell.metadata.get("cellView") == "form") == folded, page
        sections = [
            cell.metadata.id
            for cell in notebook.cells
            if cell.metadata.get("jp-MarkdownHeadingCollapsed")
        ]
        assert notebook.metadata.colab.collapsed_sections == sections, page


def test_what_vs_code_and_marimo_read(copies):
    """A kernel to choose, an id and a type for each cell, and pictures in two forms.

    VS Code starts the kernel that the metadata name; marimo hides the code of `source_hidden`.
    """
    for page, notebook in copies.items():
        assert notebook.metadata.kernelspec.name == "python3"
        assert notebook.metadata.language_info.name == "python"
        for cell in notebook.cells:
            if cell.cell_type == "code":
                assert set(cell.metadata) <= {"jupyter", "cellView", "collapsed"}, page
            assert "\r" not in cell.source, page


def test_code_is_left_alone():
    text = "`{#eq-a}` and\n\n```python\nx = {#eq-a}\n:::\n```"
    assert sources(new_markdown_cell("# A"), new_markdown_cell(text))[-1] == text


def test_drawings_have_a_png_beside_them():
    output = new_output("display_data", {"image/svg+xml": SVG})
    book = small_book(new_markdown_cell("# A"), new_code_cell("draw()", outputs=[output]))
    data = page_for_lab("lessons/a.ipynb", book).cells[-1].outputs[0].data
    assert data["image/svg+xml"] == SVG
    pixels = base64.b64decode(data["image/png"])
    assert pixels[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(pixels[16:20], "big") == 96  # pixels for 72 points
    assert "image/png" not in output.data  # the source is not changed


def test_copies_are_signed_and_existing_files_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    source = tmp_path / "nbs"
    (source / "lessons").mkdir(parents=True)
    drawing = new_output("display_data", {"image/svg+xml": SVG})
    cells = [new_markdown_cell("# A"), new_code_cell("#| hide\n1"), new_code_cell("draw()")]
    cells[2].outputs = [drawing]
    page = new_notebook(cells=cells)
    nbformat.write(page, source / "lessons/a.ipynb")
    (source / "data.csv").write_text("1")
    (source / ".ipynb_checkpoints").mkdir()
    nbformat.write(page, source / ".ipynb_checkpoints/a.ipynb")
    target = tmp_path / "copies"
    assert write_edition(source, target) == []
    assert sorted(p.name for p in target.rglob("*.*")) == ["a.ipynb", "data.csv"]
    assert NotebookNotary().check_signature(nbformat.read(target / "lessons/a.ipynb", 4))
    assert write_edition(source, target) == []  # the same again: nothing differs
    (target / "lessons/a.ipynb").write_text("mine")
    (target / "data.csv").write_text("2")
    assert write_edition(source, target) == ["data.csv", "lessons/a.ipynb"]
    assert (target / "lessons/a.ipynb").read_text() == "mine"


@pytest.mark.parametrize("content", ["", "mine", "[]", "1", "{}", '{"cells": 1, "nbformat": 4}'])
def test_whatever_is_in_a_file_it_is_kept(tmp_path, monkeypatch, content):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    source, target = tmp_path / "nbs", tmp_path / "copies"
    source.mkdir(), target.mkdir()
    nbformat.write(new_notebook(cells=[new_markdown_cell("# A")]), source / "a.ipynb")
    (target / "a.ipynb").write_text(content)
    assert write_edition(source, target) == ["a.ipynb"]
    assert (target / "a.ipynb").read_text() == content


@pytest.mark.parametrize(
    "bibtex, text",
    [
        (r"Cl{\'e}men{\c c}on", "Clémençon"),
        (r"Cl{\'{e}}men{\c{c}}on", "Clémençon"),
        (r"{\"U}n{\~n}o", "Üñño".replace("ññ", "nñ")),
        ("945--952", "945–952"),
    ],
)
def test_bibtex_in_unicode(bibtex, text):
    assert plain_text(bibtex) == text


def test_works_of_the_book_are_cited(root, book):
    works = cited_works((root / "nbs/references.bib").read_text(encoding="utf8"))
    assert len(works) > 50
    assert all(re.search(r"[\w.], \d{4}", text) for text in works.values())
    assert works["wilbur2005"].startswith("[Wilbur et al., 2005](https://doi.org/10.1007/")
