"""The anatomy of a lesson (CONTRIBUTING), as far as a test can see it: short, live, drawn for the page, and answered back."""

import json
import re
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "website"))
from cells import split_options  # noqa: E402
from minutes import minutes, visible_lines, words  # noqa: E402

LESSONS = {path.stem: path for path in sorted((ROOT / "nbs" / "lessons").glob("*.ipynb"))}
each_lesson = pytest.mark.parametrize("name", LESSONS)
GUIDE = 1800  # words, folds not counted
ROOM = 1.1  # a guide, not a wall
PIXELS = 96 / 72  # of a point
LINES = 80  # visible lines of code beside the live ones


def read(name):
    return nbformat.read(LESSONS[name], 4)


def options(cell):
    return split_options(cell.source)[0] if cell.cell_type == "code" else {}


def questions(notebook):
    "What the page knows of each question of `predict`."
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            for found in re.finditer(r'^mount\("predict-[0-9a-f]+",(\{.*\})\);$', html, re.M):
                yield json.loads(found[1])


@each_lesson
def test_short(name):
    notebook = read(name)
    assert words(notebook, folded=False) <= GUIDE * ROOM
    assert visible_lines(notebook, live=False) <= LINES
    assert 10 <= minutes(notebook) <= 45
    typed = [cell.source for cell in notebook.cells if re.search(r"\*\*\d+ minutes", cell.source)]
    assert not typed, "minutes are computed when the site is built"


@each_lesson
def test_live_and_answered_back(name):
    notebook = read(name)
    checkers = [cell for cell in notebook.cells if options(cell).get("live-check")]
    assert checkers, "an exercise of a lesson answers back"
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert re.search(r"what would happen if", text, re.I), "a question without a single answer"
    assert re.search(r"^## (Exercises|More exercises)$", text, re.M) and "## Recap" in text


@each_lesson
def test_questions_explain_every_wrong_choice(name):
    asked = list(questions(read(name)))
    assert asked
    for question in asked:
        if "choices" in question:
            assert len(question["choices"]) >= 3, question["question"]
            silent = [
                c
                for i, (c, why) in enumerate(zip(question["choices"], question["why"], strict=True))
                if not why and i != question["answer"]
            ]
            assert not silent, f"{question['question']}: why not {silent}?"


@each_lesson
def test_figures_are_drawings(name):
    notebook = read(name)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert "image/png" not in output.get("data", {}), f"book_figures() is missing: {cell.source[:200]}"
            drawing = output.get("data", {}).get("image/svg+xml")
            if drawing:
                width = float(re.search(r'<svg [^>]*width="([\d.]+)pt"', drawing)[1])
                assert width <= 5 * 72, f"wider than a telephone can show: {cell.source[:200]}"
                shrunk = min(1, 350 / (width * PIXELS)) * PIXELS  # of 390 pixels, 350 are the page's
                letters = {float(size) for size in re.findall(r'<text style="font-size: ([\d.]+)px', drawing)}
                small = sorted(size for size in letters if size * shrunk < 9)
                assert not small, f"letters of {small} points are too small on a telephone: {cell.source[:200]}"
