"""The built site in a real browser, from disk. Skipped without chromium, node and the packages of tests/browser/package.json."""

import json
import re
import shutil
from pathlib import Path

import pytest
from browsing import run

pytest.importorskip("pypandoc")
ROOT = Path(__file__).parents[2]
from website.export import book as whole_book  # noqa: E402
from website.live import cells, scripts  # noqa: E402

pytestmark = pytest.mark.xdist_group(
    "browser"
)  # beside the other tests of the site: it takes longest
TERM = "lessons/isotonic.html"  # a page with words of the glossary, code and formulas
TABLE = {
    "page": "evidence/reproducibility.html",
    "word": "differs",
}  # long tables, and one of their buttons
DEEP = {
    "page": "lessons/partial_auc.html",
    "inside": "eq-mcclish",
}  # a lesson, and an anchor in its depth
QUERIES = ["PAVCalibrator", "adjacent violators", "clemencon", "zzzz"]
ASKED = {  # what a reader types, and what must come first: the lesson on an idea, the page that does a task
    "confidence interval": "lessons/inference.html",
    "calibration": "lessons/honest.html",
    "overfitting": "lessons/capacity.html",
    "comparing models": "lessons/compare.html",
    "how many patients do I need": "howto/sample_size.html",
}


# a first-year student reads these to the end, with only a browser
STUDENT = ["roc", "isotonic", "aucboost", "pauc_svm", "treerank"]


@pytest.fixture(scope="module")
def book_visit(book):
    """What the browser saw: every page wide and light, then narrow and dark (AUCBOOK_SHOTS=folder keeps the pictures), then a reader's steps."""
    return run(
        book,
        sorted(page.relative_to(book).as_posix() for page in book.rglob("*.html")),
        queries=[*QUERIES, *ASKED],
        start="index.html",
        term=TERM,
        table=TABLE,
        deep=DEEP,
    )


@pytest.mark.parametrize("problem", ["log", "wider", "axe", "silent"])
def test_pages(book_visit, problem):
    """No message in the console and nothing from a network; no sideways scrolling; no serious problem of access; every explorable answers."""
    assert all(set(cases) == {"wide", "narrow"} for cases in book_visit["pages"].values())
    problems = {
        f"{page}, {case}": facts[problem]
        for page, cases in book_visit["pages"].items()
        for case, facts in cases.items()
        if facts[problem]
    }
    assert not problems, json.dumps(problems, indent=1)


def test_search(book_visit):
    steps = book_visit["steps"]
    assert steps["focused"] == "search" and steps["closed"] and steps["search axe"] == []
    cards = {
        "reference/isotonic.html#PAVCalibrator",
        "workshop/isotonic/regression.html#pavcalibrator",
    }
    assert cards < set(steps["search PAVCalibrator"][:3])
    assert steps["search adjacent violators"][:2] == [
        TERM,
        "reference/glossary.html#term-adjacent-violators",
    ]
    assert {query: steps[f"search {query}"][0] for query in ASKED} == ASKED
    assert any(
        hit.startswith("lessons/inference.html") for hit in steps["search confidence interval"][:3]
    )
    assert "index.html#the-four-papers" in steps["search clemencon"]  # Clémençon
    assert steps["search zzzz"] == []
    assert steps["chosen"] == steps["search PAVCalibrator"][1] and steps["opened"].endswith(
        steps["chosen"]
    )
    assert steps["search from a folder"][0].startswith("../") and steps[
        "opened from a folder"
    ].endswith(steps["search from a folder"][0].removeprefix(".."))


def test_definitions(book_visit):
    steps = book_visit["steps"]
    assert (
        steps["tip by focus"] == steps["tip by mouse"] == steps["definition"]
        and not steps["tip after escape"]
    )


def test_depth_opens_one_by_one_all_at_once_and_by_a_link(book_visit):
    (blocks, closed), *others, linked = book_visit["steps"]["depth"]
    assert blocks > 3 and closed == 0 and linked == [blocks, 1]
    assert others == [[blocks, blocks], [blocks, blocks], [blocks, 0]]  # opened, remembered, closed


def test_symbols_and_guesses(book_visit):
    steps = book_visit["steps"]
    meaning, lit = steps["symbol"]
    assert len(meaning.split()) > 2 and lit > 1 and steps["formula"].count(": ") > 1
    has_question, spoiled = steps["guesses"]
    assert has_question and not spoiled


def test_long_tables_have_buttons(book_visit):
    table = book_visit["steps"]["table"]
    word, n_rows = table["says"].split()
    assert word == TABLE["word"] and table["pressed"] == "true" and 0 < int(n_rows) < table["all"]
    there = re.fullmatch(rf"{n_rows} of (\d+) rows", table["said"])
    assert (
        there and table["all"] - table["kept"] == int(there[1]) - int(n_rows) > 0
    )  # one table; the others keep their rows
    assert table["shown"] == table["all"]  # a link to a row that is not shown shows it
    folded, height = table["folded"]
    assert folded < 12 and height < 14_000  # it was 27 000 px
    assert table["opened"] == folded + int(n_rows) and table["found"]
    assert table["plain"] == [table["all"], 0]  # without scripts a plain table


def test_progress_theme_and_copy(book_visit):
    steps = book_visit["steps"]
    ticked, *shown = steps["read"]
    assert (
        ticked
        and shown[0] == "✓"
        and shown[1].startswith("1 of ")
        and steps["read after reload"] == shown[1:]
        and not steps["unread"]
    )
    assert steps["theme"] == ["light", "dark", "dark"] and steps["copied"] in ("Copied", "Selected")
    assert steps["copied page"] == ["Copied", "# "]  # the whole page as Markdown, from disk
    assert steps["without scripts"] == [True, False, False]  # chapters to click, no dead buttons


def exercises(lesson):
    """[(number, what its checker says of the cell as printed, solution)] of the live cells of a lesson that answer back."""
    notebook = json.loads((ROOT / f"nbs/lessons/{lesson}.ipynb").read_text(encoding="utf8"))
    solved, lively = [], None
    for i, one in cells.live_cells(notebook).items():
        if one:
            lively = one
        elif lively.solution:
            printed = "".join(
                "".join(output.get("text", "")) for output in notebook["cells"][i]["outputs"]
            )
            solved.append((lively.number, printed.strip(), lively.solution))
    return solved


EXERCISES = {
    f"lessons/{lesson}.html": solved for lesson in STUDENT if (solved := exercises(lesson))
}


@pytest.fixture(scope="module")
def student(book):
    if not scripts.available():
        pytest.skip(scripts.MISSING)
    pages = {
        page: [{"number": number, "solution": solution} for number, _, solution in in_lesson]
        for page, in_lesson in EXERCISES.items()
    }
    return run(book, pages, script="student.js")


@pytest.mark.parametrize("lesson", EXERCISES)
def test_a_student_solves_the_exercises(student, lesson):
    """From disk, the network off: changes the cell, runs it, reads a case that fails, pastes the solution, passes; the text is kept."""
    visit = student[lesson]
    assert visit["log"] == [] and visit["requests"] == []
    for (number, expected, _), result in zip(EXERCISES[lesson], visit["exercises"], strict=True):
        assert result["number"] == number and result["kept"]
        assert (
            not result["first"]["passes"]
            and expected
            and result["first"]["said"].strip() == expected
        )
        assert result["second"]["passes"] and "all right" in result["second"]["said"], result[
            "second"
        ]["said"]


def test_pdf(book, tmp_path, monkeypatch):
    if not shutil.which("chromium"):
        pytest.skip("chromium is not installed")
    monkeypatch.setattr(
        whole_book, "chapters", lambda site: ["index.html", TERM, "reference/glossary.html"]
    )  # three are enough, and soon printed
    site = shutil.copytree(book, tmp_path / "site")  # it writes where it reads, and others read too
    made = whole_book.pdf(site, tmp_path / "book.pdf").read_bytes()
    assert (
        made.startswith(b"%PDF")
        and made.count(b"/Type /Page\n") > 10
        and not (site / "book.html").exists()
    )


def test_the_checks_would_notice(tmp_path):
    """A bad page: the checks above are not passing because they look at nothing."""
    (tmp_path / "bad.html").write_text(
        "<!doctype html><html lang=en><title>bad</title><main><p style='color:#bbb;width:2000px'>pale</p><img src='data:,'>"
        "<div class=ax id=dead><button>dead</button></div><div class=predict id=mute><p role=status></p></div><script src='http://127.0.0.1:9/x.js'></script><script>nothing()</script></main>"
    )
    wide = run(tmp_path, ["bad.html"], term=None)["pages"]["bad.html"]["wide"]
    assert wide["wider"] > 1280 and len(wide["silent"]) == 3
    assert any("nothing is not defined" in line for line in wide["log"]) and any(
        line.startswith("request:") for line in wide["log"]
    )
    assert {line.split(":")[0] for line in wide["axe"]} >= {"color-contrast", "image-alt"}


STRANGE = [
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "%E0%",
    "%",
    "%zz",
    "caf%C3%A9",
    "a%20b",
    "<b>",
]


def test_any_text_behind_the_hash(tmp_path):
    """Names that every JavaScript object has are in no table of moved places, and search and depth are set up whatever text follows."""
    from test_site import tiny

    lives, gone = "lessons/pruning.html", "old/page.html"
    moved = {
        lives: {"anchors": {"left": "lessons/three.html", "é b": "lessons/three.html"}},
        gone: {"to": "lessons/three.html", "anchors": {"left": lives}},
    }
    cells_of = (
        '::: {.callout-note .depth collapse="true" title="More"}\ntext on constructor\n:::',
        "## A place {#target}",
    )
    out = tiny(tmp_path, *cells_of, moved=moved)
    addresses = [
        f"{page}#{name}" for page in (lives, gone) for name in (*STRANGE, "left", "%C3%A9%20b")
    ]
    for word in ("constructor", "__proto__ valueOf"):
        visits = run(out, [], "hashes.js", addresses=addresses, word=word)
        for address, facts in visits.items():
            page, _, name = address.partition("#")
            known = name == "left" or (page == lives and name == "%C3%A9%20b")
            stays = page == lives and not known
            to = lives if stays or (page == gone and known) else "lessons/three.html"
            assert facts["errors"] == [] and facts["at"].partition("#")[0] == to, (address, facts)
            assert facts["depth"] == (to == lives), (address, facts)
            assert facts["says"] != "", (address, facts)


def test_a_citation_says_what_it_cites(tmp_path):
    """Authors, year and title where a citation is pointed at or focused; narrow, and in the dark."""
    from test_site import tiny

    out = tiny(tmp_path, "A number for all classes [@hand2001].", "And prevalence [@rogan1978].")
    for theme in ("light", "dark"):
        facts = run(out, [], "citation.js", page="lessons/pruning.html", theme=theme)
        text = "Hand, David J., and Robert J. Till. 2001. “A Simple Generalisation"
        assert facts["focused"].startswith(text) and facts["pointed"] == facts["focused"]
        assert "http" not in facts["focused"] and not facts["escaped"]
        assert facts["described"] == "tip" and facts["title"] is None
        assert facts["wider"] <= 390 and facts["axe"] == [] and facts["log"] == []
        assert facts["plain"] == facts["focused"], "without scripts the browser shows its title"
