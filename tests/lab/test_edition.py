"""Copies of the notebooks for JupyterLab: no raw markup, answers folded, pictures as PNG, signed."""

import base64
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
            if re.search(r"(?<![.\w])predict\(", code) and page.startswith("lessons"):
                assert folds.get("source_hidden"), (page, code[:80])
            if options.get("code-summary", "").startswith("Solution"):
                assert folds.get("source_hidden"), (page, code[:80])
                assert folds.get("outputs_hidden") or not cell.outputs, (page, code[:80])
            if options.get("guess") == "true" and cell.outputs:
                assert folds.get("outputs_hidden"), (page, code[:80])
            if "live-check" in options:
                assert folds.get("source_hidden"), (page, code[:80])


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
    page = new_notebook(cells=[new_markdown_cell("# A"), new_code_cell("#| hide\n1")])
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
