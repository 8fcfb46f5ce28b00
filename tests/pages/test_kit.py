"""The kit for teachers: slides hold the complete spine and need no network, handouts hold no solution, solutions pass their tests and starters do not."""

import re
import shutil

import nbformat
import pytest
from nbclient import NotebookClient
from warm_kernels import WarmKernel

from aucbook.lab.edition import page_for_lab, read_book, read_options

kit = pytest.importorskip("website.export.kit", exc_type=ImportError)


@pytest.fixture(scope="module")
def made(processed, once):
    return once("kit", lambda path: kit.write(processed, path))


def notebooks(folder):
    return {path.stem: nbformat.read(path, 4) for path in sorted(folder.glob("*.ipynb"))}


def test_every_lesson_is_there_three_times(root, made):
    lessons = {
        path.stem
        for path in (root / "nbs/lessons").glob("*.ipynb")
        if not path.stem.startswith("quiz")
    }
    for kind, ending in (("slides", "html"), ("handout", "ipynb"), ("graded", "ipynb")):
        assert {path.stem for path in (made / kind).iterdir()} == lessons
        assert all(path.suffix == f".{ending}" for path in (made / kind).iterdir())


def test_slides_need_nothing_and_fit(made):
    for path in (made / "slides").iterdir():
        text = path.read_text(encoding="utf8")
        assert not re.search(
            r"<(script|link|iframe)\b|src=\"(?!data:)|href=\"(?!https?:|#)", text
        ), path.name
        slides = re.findall(r"<section.*?</section>", text, re.S)
        assert 8 <= len(slides) <= 80, (path.name, len(slides))
        for slide in slides:
            words = re.sub(r"<pre.*?</pre>|<math.*?</math>|<[^>]+>", " ", slide, flags=re.S).split()
            assert len(words) <= 190, (path.name, " ".join(words)[:200])
        assert not re.search(
            r":::|\{#|\$\$|callout|@\w+\d{4}",
            re.sub(r"<math.*?</math>|data:[^\"]*", "", text, flags=re.S),
        ), path.name


def test_slides_hold_the_spine(made):
    text = (made / "slides/roc.html").read_text(encoding="utf8")
    for heading in (
        "Which doctor would you hire?",
        "Slide the threshold",
        "Count the pairs",
        "Recap",
    ):
        assert f">{heading}</h2>" in text
    assert "Going deeper" not in text and "McClish" not in text
    assert "def auc_by_pairs" in re.sub(r"<[^>]+>", "", text)
    for name in ("forest", "diverse_trees"):
        figures = (made / f"slides/{name}.html").read_text(encoding="utf8")
        assert "data:image/" in figures and "<math" in figures


def options_of_cells(root, stem):
    """Options of the code cells of a lesson, by their ids."""
    cells = nbformat.read(root / f"nbs/lessons/{stem}.ipynb", 4).cells
    return {cell.id: read_options(cell.source)[0] for cell in cells if cell.cell_type == "code"}


def test_handouts_hold_no_solution(root, made):
    for stem, notebook in notebooks(made / "handout").items():
        nbformat.validate(notebook)
        options = options_of_cells(root, stem)
        for cell in notebook.cells:
            of_cell = options.get(cell.id, {})
            assert not of_cell.get("code-summary", "").startswith("Solution")
            assert "solution is folded" not in cell.source
            if "guess" in of_cell or "live-check" in of_cell:
                assert cell.outputs == [] and "collapsed" not in cell.metadata


@pytest.mark.parametrize("kind", ["handout", "graded"])
def test_notebooks_are_those_of_aucbook_lab(root, made, kind):
    """One function writes both: what is not changed for teachers is the same cell, without markup."""
    book = read_book(root / "nbs")
    for stem, notebook in notebooks(made / kind).items():
        copy = page_for_lab(f"lessons/{stem}.ipynb", book, with_png=False)
        sources = {cell.id: cell.source for cell in copy.cells}
        for cell in notebook.cells:
            changed = "nbgrader" in cell.metadata or "](" in cell.source
            assert changed or cell.source == sources[cell.id]
            if cell.cell_type == "markdown":
                assert not re.search(r"(?m)^:::|\{#|\]\(\.\./", cell.source), cell.source
            else:
                assert not cell.source.startswith("#|")
                for output in cell.outputs:  # a student's JupyterLab does not trust the SVG
                    data = output.get("data", {})
                    assert "image/svg+xml" not in data or "image/png" in data
                    assert "<svg" not in data.get("text/html", "")
    assert (made / "results").is_dir() and (made / "data").is_dir()


def test_graded_notebooks_are_nbgraders(made):
    points = 0
    for notebook in notebooks(made / "graded").values():
        nbformat.validate(notebook)
        marks = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
        names = [mark.grade_id for mark in marks]
        assert len(names) == len(set(names)) and len(marks) % 3 == 0
        for solution, check, test in zip(marks[::3], marks[1::3], marks[2::3]):
            assert (
                solution.solution
                and not solution.locked
                and not check.grade
                and test.grade
                and test.points == 1
            )
            points += 1
        with_solution = [cell for cell in notebook.cells if "### BEGIN SOLUTION" in cell.source]
        assert len(with_solution) == len(marks) // 3 and all(
            cell.metadata.nbgrader.solution for cell in with_solution
        )
    assert points > 40


def run(notebook, folder):
    """The test cells that fail."""
    NotebookClient(
        notebook,
        timeout=300,
        allow_errors=True,
        kernel_manager_class=WarmKernel,
        shutdown_kernel="immediate",
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    failed = {
        c.metadata.nbgrader.grade_id
        for c in notebook.cells
        if "nbgrader" in c.metadata and any(o.output_type == "error" for o in c.outputs)
    }
    tests = {
        c.metadata.nbgrader.grade_id
        for c in notebook.cells
        if c.metadata.get("nbgrader", {}).get("grade")
    }
    return failed, tests


@pytest.mark.slow
@pytest.mark.parametrize("stem", ["roc", "martirank", "pruning"])
def test_solutions_pass_and_starters_do_not(root, made, stem):
    notebook = notebooks(made / "graded")[stem]
    failed, tests = run(notebook, root / "nbs/lessons")
    assert tests and not failed
    for cell in notebook.cells:  # what students get
        cell.source = re.sub(
            r"\n### BEGIN SOLUTION\n.*?\n### END SOLUTION", "", cell.source, flags=re.S
        )
    failed, _ = run(notebook, root / "nbs/lessons")
    assert failed >= tests


def test_the_cheat_sheet_has_two_pages(made, tmp_path):
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        pytest.skip("no Chromium to print with")
    from website.export.book import print_pdf

    file = print_pdf(made / "cheatsheet.html", tmp_path / "sheet.pdf").read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", file)) == 2
    text = (made / "cheatsheet.html").read_text(encoding="utf8")
    assert text.count("<article>") > 20 and not re.search(r":::|@\w+\d{4}|\]\(", text)


def test_slides_lose_nothing():
    """Every block is on one slide, under its heading; code has a slide of its own."""
    from website.content import ast

    text = (
        "## One\n\n"
        + "\n\n".join(f"Paragraph {i} " + "word " * 30 for i in range(6))
        + "\n\n```python\na = 1\n\nb = 2\n```\n\n## Two\n\nLast."
    )
    blocks = ast.parse(text)["blocks"]
    slides = kit.slides(blocks)
    assert all(slide[0]["t"] == "Header" and len(slide) > 1 for slide in slides)
    assert [block for slide in slides for block in slide[1:]] == [
        block for block in blocks if block["t"] != "Header"
    ]
    assert [ast.plain_text(slide[0]).strip() for slide in slides][-2:] == ["One", "Two"]
    assert [len(slide) for slide in slides if slide[1]["t"] == "CodeBlock"] == [2]


def test_slides_hold_no_fold():
    """Neither depth nor a hint, and not the list of symbols, whatever they stand in."""
    from website.content import ast

    deep = '::: {.callout-note .depth collapse="true" title="Why"}\ndeep\n:::\n\n'
    hint = '::: {.box}\n::: {.callout-tip collapse="true" title="Hint"}\nhint\n:::\n\nopen\n:::\n\n'
    symbols = "::: {.symbols}\n- $m$: how many\n:::\n"
    blocks = kit.spine_blocks(ast.parse(deep + hint + symbols + "\nlast")["blocks"])
    assert ast.plain_text(blocks).split() == ["open", "last"]
