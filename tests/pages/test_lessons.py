"""The anatomy of a lesson (.github/RULES.md), as far as a test can check it: length, live cells, figures, questions and exercises."""

import json
import re
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("pypandoc")
from website.checks.lessons import ASKS, faults, spoiled
from website.content.cells import options_of, split_options
from website.content.lessons import declared, formulas, letters, prose, split, used
from website.content.minutes import minutes, visible_lines

ROOT = Path(__file__).parents[2]
PAGES = {path.stem: path for path in sorted((ROOT / "nbs" / "lessons").glob("*.ipynb"))}
QUIZZES = {name: path for name, path in PAGES.items() if name.startswith("quiz_")}
LESSONS = {name: path for name, path in PAGES.items() if name not in QUIZZES}
each_lesson = pytest.mark.parametrize("name", LESSONS)
each_quiz = pytest.mark.parametrize("name", QUIZZES)
PIXELS = 96 / 72  # of a point
LINES = 40  # visible lines of code of a spine beside the live ones
MOST = 31  # minutes of a spine: thirty, and one for rounding


def read(name):
    return nbformat.read(PAGES[name], 4)


def questions(notebook):
    """What the page knows of each question of `predict`."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            for mounted in re.finditer(r'^mount\("predict-[0-9a-f]+",(\{.*\})\);$', html, re.M):
                yield json.loads(mounted[1])


@each_lesson
def test_short(name):
    notebook = read(name)
    spine, depth = split(notebook.cells)
    assert visible_lines(spine, live=False) <= LINES
    assert 10 <= minutes(notebook)[0] <= MOST and depth
    typed = [cell.source for cell in notebook.cells if re.search(r"\*\*\d+ minutes", cell.source)]
    assert not typed, "minutes are computed when the site is built"


@each_lesson
def test_nothing_stands_in_the_way_of_a_reader(name):
    """Of the spine: its length, remarks for auditors, symbols without a meaning, answers below their questions (website/checks/lessons.py)."""
    assert not faults(read(name))


def test_next_is_what_follows_in_the_sidebar():
    """A reader who goes by the last line of each page meets every lesson once, as a reader who goes by the sidebar does."""
    sidebar = re.findall(r"- ((?:lessons|howto)/\w+)[.]ipynb", (ROOT / "_quarto.yml").read_text())
    links = {}
    for name in PAGES:
        text = "\n".join(cell.source for cell in read(name).cells if cell.cell_type == "markdown")
        links[f"lessons/{name}"] = re.findall(
            r"(?m)^Next\b[^\[\n]*\[[^\]]+\]\(([^)]+)[.]ipynb\)", text
        )
    follows = dict(zip(sidebar, sidebar[1:]))
    assert links == {
        page: [follows[page].removeprefix("lessons/").replace("howto/", "../howto/")]
        for page in links
    }


def cell(source, kind="markdown", shown=""):
    outputs = [{"output_type": "stream", "name": "stdout", "text": shown}] if shown else []
    return {"cell_type": kind, "source": source, "outputs": outputs}


def test_faults_are_found():
    """Each kind in a page made for it; the same in a block of depth, or marked, passes."""

    def messages(*cells):
        return " ".join(faults({"cells": list(cells)}))

    deep = '::: {.callout-note .depth collapse="true" title="In the paper"}\n'
    assert "1800 words" in messages(cell("word " * 1800)) and not messages(
        cell(deep + "word " * 1800 + "\n:::")
    )
    assert "auditor" in messages(cell("as Paper 3 says")) and not messages(
        cell(deep + "as Paper 3 says\n:::")
    )
    assert "assert" in messages(cell("assert 1 == 1", "code")) and not messages(
        cell("#| hide\nassert 1 == 1", "code")
    )
    assert not messages(cell(deep), cell("assert 1 == 1", "code"), cell(":::"))
    assert "theta" in messages(cell("With $\\theta_i$ fixed."))
    assert not messages(
        cell("With $\\theta_i$ fixed.\n\n::: {.symbols}\n- $\\theta$, `cut`: the threshold\n:::")
    )
    question = cell("Guess before you run it.")
    assert "answer" in messages(question, cell("print(1)", "code", "1")) and not messages(
        question, cell("#| guess: true\nprint(1)", "code", "1")
    )


def test_symbols_are_read():
    assert letters(r"\mathrm{AUC} = \frac{1}{mn} \sum_{i} \tilde\pi_i^{(t)}") == {"m", "n", "pi"}
    block = cell(
        "::: {.symbols}\n**Symbols on this page**\n\n- $s_i$, $t$: scores\n  of two people\n:::"
    )
    assert declared([block]) == {"s": "scores of two people", "t": "scores of two people"}
    spine, _ = split([cell("costs $5$ or $x < y$, then $$ z $$"), block])
    assert used(spine) == {"x", "y", "z"} and ASKS.search("What do you expect?")


def test_a_block_of_several_cells_is_one_block():
    """Cells between its fences belong to it, and so does a block in a block."""
    deep = '::: {.callout-note .depth collapse="true" title="Why"}\nfirst'
    hint = '::: {.callout-tip collapse="true" title="Hint"}\n$$ y $$ hint\n:::'
    cells = [
        cell("open $x$"),
        cell(deep),
        cell("1 + 1", "code"),
        cell(hint),
        cell("second\n:::\n\nafter"),
    ]
    spine, depth = split(cells)
    assert prose(spine).split() == ["open", "x", "after"] and prose(depth).split() == [
        "first",
        "second",
    ]
    assert spine.cells == [] and depth.cells == [cells[2]] and formulas(depth) == []


def test_an_answer_waits_for_its_question():
    """Also in depth; a paragraph between the question and the answer lets it through."""
    question = cell("Guess before you run it.")
    answer = cell("print(1)", "code", "1")
    deep = '::: {.callout-note .depth collapse="true" title="Why"}\nGuess before you run it.'
    assert spoiled({"cells": [question, answer]}) and spoiled(
        {"cells": [cell(deep), answer, cell(":::")]}
    )
    assert not spoiled({"cells": [question, cell("Now see."), answer]}) and not spoiled(
        {"cells": [question, cell("x", "code")]}
    )


@each_lesson
def test_an_explorable_shows_no_code(name):
    for one in read(name).cells:
        if one.cell_type == "code" and re.search(r"^\w+_explorer\(", one.source, re.M):
            cell_options = options_of(one)
            assert cell_options.get("echo") is False or cell_options.get("code-fold"), one.source[
                -100:
            ]


@each_lesson
def test_live_and_answered_back(name):
    notebook = read(name)
    checkers = [cell for cell in notebook.cells if options_of(cell).get("live-check")]
    assert checkers, "an exercise of a lesson answers back"
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert re.search(r"what would happen if", text, re.I), "a question without a single answer"
    assert re.search(r"^## (Exercises|More exercises)$", text, re.M) and "## Recap" in text


@pytest.mark.parametrize("name", PAGES)
def test_questions_explain_every_wrong_choice(name):
    all_questions = list(questions(read(name)))
    assert all_questions
    for question in all_questions:
        if "choices" in question:
            assert len(question["choices"]) >= 3, question["question"]
            silent = [
                c
                for i, (c, why) in enumerate(zip(question["choices"], question["why"], strict=True))
                if not why and i != question["answer"]
            ]
            assert not silent, f"{question['question']}: why not {silent}?"


@each_quiz
def test_a_quiz_asks_six_questions_and_says_what_to_read_again(name):
    notebook = read(name)
    all_questions = list(questions(notebook))
    assert (
        len(all_questions) == 6 and len({question["question"] for question in all_questions}) == 6
    )
    for question in all_questions:
        assert "choices" in question or len(question["wrong"]) >= 2, (
            f"{question['question']}: too few wrong numbers"
        )
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert (
        texts[0].startswith("# Quiz: ") and "\n> " in texts[0] and texts[1].startswith("You need: ")
    )
    last = texts[-1]
    assert last.startswith("## What to read again")
    lines = re.findall(r"^\d+\. (.*)$", last, re.M)
    assert len(lines) == 8 and all("](" in line for line in lines)
    linked = set(re.findall(r"\]\((\w+)\.ipynb", last))
    assert len(linked & set(LESSONS)) >= 3


@each_quiz
def test_a_quiz_has_two_programs_to_mend(name):
    """Two exercises that answer back, each with a hint and a solution."""
    cells = read(name).cells
    checkers = [i for i, cell in enumerate(cells) if options_of(cell).get("live-check")]
    assert len(checkers) == 2
    for at in checkers:
        begin = cells[at - 1]
        assert options_of(begin).get("live")
        lines = split_options(begin.source)[1].strip().splitlines()
        assert len(lines) <= 20 and max(map(len, lines)) <= 44
        assert 'title="Hint"' in cells[at + 1].source
        assert options_of(cells[at + 2]).get("code-summary") == "Solution"


@each_quiz
def test_a_quiz_computes_the_answers_of_its_questions(name):
    for cell in read(name).cells:
        cell_options = options_of(cell)
        if cell_options.keys() & {"live", "live-check"}:
            continue
        if "predict(" in cell.source and cell.cell_type == "code":
            assert cell_options.get("code-fold") and cell_options.get("code-summary")
        printed = [
            output for output in cell.get("outputs", []) if output.output_type != "execute_result"
        ]
        assert not printed, f"a question prints nothing beside itself: {printed}"


@each_lesson
def test_figures_are_drawings(name):
    notebook = read(name)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert "image/png" not in output.get("data", {}), (
                f"book_figures() is missing: {cell.source[:200]}"
            )
            drawing = output.get("data", {}).get("image/svg+xml")
            if drawing:
                width = float(re.search(r'<svg [^>]*width="([\d.]+)pt"', drawing)[1])
                assert width <= 5 * 72, f"wider than a telephone can show: {cell.source[:200]}"
                shrunk = (
                    min(1, 350 / (width * PIXELS)) * PIXELS
                )  # of 390 pixels, 350 are the page's
                letters = {
                    float(size)
                    for size in re.findall(r'<text style="font-size: ([\d.]+)px', drawing)
                }
                small = sorted(size for size in letters if size * shrunk < 9)
                assert not small, (
                    f"letters of {small} points are too small on a telephone: {cell.source[:200]}"
                )
