"""The concordance: every numbered statement of the four papers has a row, every row is complete, and everything that it names exists."""

import re
import sys
from collections import Counter
from pathlib import Path

import nbformat
import pytest

EVIDENCE = Path(__file__).parents[2] / "nbs/evidence"
sys.path.insert(0, str(EVIDENCE))
import statements  # noqa: E402
from statements import Statement, Trial, citations, places, runs  # noqa: E402

sys.path.remove(str(EVIDENCE))
PACKAGE = Path(__file__).parents[2] / "aucbook"
PRIVATE_BASE = {
    path.parent.name for path in PACKAGE.glob("_*/__init__.py")
}  # shared by all sub-packages
each_paper = pytest.mark.parametrize("paper", statements.PAPERS)


def each_row(check):
    """One case for each paper, which names every row that fails, by its anchor on the page, and what was said."""

    @each_paper
    def test(paper):
        wrong = {}
        for key, row in places.ROWS.items():
            if key[0] == paper:
                try:
                    check(row)
                except Exception as error:
                    wrong[places.anchor(*key)] = repr(error)
        assert not wrong

    test.__doc__ = check.__doc__
    return test


@each_paper
def test_a_paper_has_rows(paper):
    assert statements.PAPERS[paper].STATEMENTS, f"Paper {paper} is empty"


# ---------------------------------------------------------------- every statement, once, in order
def missing(numbered, rows):
    """What is wrong with the numbers of the rows, in words."""
    numbers_of = {}
    for row in rows:
        numbers_of.setdefault(row.kind, []).append(row.number)
    wrong = [
        f"{kind} {number} twice"
        for kind in numbers_of
        for number, k in Counter(numbers_of[kind]).items()
        if k > 1
    ]
    for kind, numbers in numbered.items():
        here = [number for number in numbers_of.get(kind, []) if number in numbers]
        wrong += [f"no {kind} {number}" for number in numbers if number not in here]
        wrong += [f"{kind}: not in order"] * (sorted(here, key=numbers.index) != here)
        wrong += [
            f"{kind} {number} is none of the paper's"
            for number in numbers_of.get(kind, [])
            if number not in numbers
        ]
    return wrong + [f"NUMBERED has no {kind}" for kind in numbers_of if kind not in numbered]


@each_paper
def test_every_number_has_its_row(paper):
    data = statements.PAPERS[paper]
    assert missing(data.NUMBERED, data.STATEMENTS) == []
    assert len({places.anchor(*key) for key in places.ROWS}) == len(places.ROWS), (
        "two rows with one anchor"
    )


def test_a_forgotten_row_shows():
    def row(kind, number):
        return statements.Statement(kind, number, "It holds.", "used")

    numbered = {"Lemma": ["1", "2"], "Eq.": ["1"]}
    complete = [row("Eq.", "1"), row("Lemma", "1"), row("Lemma", "2")]
    assert missing(numbered, complete) == []
    assert missing(numbered, complete[:2]) == ["no Lemma 2"]
    assert missing(numbered, complete[::-1]) == ["Lemma: not in order"]
    assert missing(numbered, [*complete, row("Lemma", "3")]) == ["Lemma 3 is none of the paper's"]
    assert missing(numbered, [*complete, row("Lemma", "1")]) == [
        "Lemma 1 twice",
        "Lemma: not in order",
    ]
    assert missing(numbered, [*complete, row("Table", "1")]) == ["NUMBERED has no Table"]
    assert missing(numbered, []) == ["no Lemma 1", "no Lemma 2", "no Eq. 1"]


# ---------------------------------------------------------------- a row is whole, and what it names is there
@each_row
def test_a_row_is_complete(row):
    assert row.faults() == []
    for text in (row.says, row.because):
        assert "|" not in text, r"a vertical bar ends a cell of the table: \vert"
        assert "\n" not in text and text.count("$") % 2 == 0
    assert "*" not in re.sub(r"\$[^$]*\$|`[^`]*`", "", row.because), (
        "it is set in italics as a whole"
    )
    assert row.because == row.because.strip()


@each_row
def test_places_exist(row):
    for address in row.where:
        name, _, anchor = address.partition("#")
        assert (places.NOTEBOOKS / f"{name}.ipynb").is_file(), f"no page {name}"
        assert not anchor or anchor in places.page(name).anchors, f"no anchor #{anchor} on {name}"


@each_row
def test_code_exists(row):
    for name in row.code:
        it = places.found(name)
        module = sys.modules[it.home[0]]
        assert hasattr(module, it.home[1]) and it.home[0].startswith("aucbook."), (
            f"{name} is not ours"
        )
        hidden = [
            word for word in name.split(".") if word.startswith("_") and word not in PRIVATE_BASE
        ]  # the private base has pages
        assert not hidden, f"{name} is not for others to use"
        if symbol := places.symbols().get(it.home):  # a page exports it: its card is there
            assert it.home[1].lower() in places.page(symbol.page).anchors, (
                f"{name} has no card on {symbol.page}"
            )
        else:
            assert it.home[0].startswith("aucbook.explore."), f"no page exports {name}"


def test_a_wrong_name_shows():
    with pytest.raises(AttributeError):
        places.found("aucbook.no_such_name")
    with pytest.raises(AttributeError):
        places.found("aucbook.boosting.weak_rankers.no_such_name")
    assert places.found("aucbook.roc_auc").home == ("aucbook.metrics.roc", "roc_auc")
    assert places.found("aucbook.AUCBoost.fit")[1:] == (
        ("aucbook.boosting.aucboost", "AUCBoost"),
        "AUCBoost.fit",
    )


# ---------------------------------------------------------------- a checked row ran on two problems, one chosen to break it
@each_row
def test_a_trial_runs_the_code_of_its_row(row):
    """The cells below that heading, or that test, call what the row names, themselves or through a function of the page."""
    names = {name.rpartition(".")[2] for name in row.code}
    for trial in row.tried:
        assert names & runs.runs(trial.place), f"{trial.place} runs none of {sorted(names)}"
        for text in (trial.problem, trial.hard):
            assert "|" not in text and "\n" not in text and text.count("$") % 2 == 0


def test_one_friendly_problem_is_no_check():
    easy = Trial("no ties", "lessons/scan#sec-scan")
    ties = Trial("ties", "lessons/roc#sec-ties", hard="half a point each")
    row = Statement(
        "Lemma", "0", "It holds.", "checked", ("lessons/roc#sec-ties",), ("aucbook.roc_auc",)
    )
    assert row._replace(tried=(easy, ties)).faults() == []
    for tried in ((), (easy,), (ties,), (easy, easy._replace(problem="few rows")), (ties, ties)):
        assert row._replace(tried=tried).faults(), tried
    assert row._replace(code=(), tried=(easy, ties)).faults()
    assert row._replace(status="used", tried=(easy, ties)).faults() == []  # more than it must have


def test_a_place_that_runs_something_else_shows():
    assert "roc_curve" in runs.runs("lessons/scan#sec-scan-checked")
    assert "TreeRank" not in runs.runs("lessons/scan#sec-scan-checked")
    assert "pav" not in runs.runs(
        "lessons/isotonic#sec-algorithm"
    )  # a function of the page's own, of the same name
    assert "pav" in runs.runs("lessons/isotonic#sec-optimal")  # aucbook.pav
    assert "TreeRank" in runs.runs(
        "evidence/tree_results#fig-cases"
    )  # called by the page's own `study`
    assert "average_precision_11pt" in runs.runs(
        "tests/metrics/test_roc.py::test_11pt_average_precision_spreads_ties"
    )
    for nowhere in ("lessons/roc#sec-nowhere", "tests/metrics/test_roc.py::test_nothing"):
        with pytest.raises(KeyError):
            runs.runs(nowhere)


# ---------------------------------------------------------------- every citation is a row
CITED = {page: entry.cited for page, entry in places.pages().items()}
for symbol in places.symbols().values():
    CITED.setdefault(symbol.module, Counter()).update(symbol.cited)


@pytest.mark.parametrize("place", CITED)
def test_every_citation_has_a_row(place):
    for paper, kind, number in CITED[place]:
        if not statements.PAPERS[paper].STATEMENTS:
            continue  # another test says that it is empty
        known = (paper, kind, number) in places.ROWS
        assert known or (kind == "Section" and number in citations.SECTIONS[paper]), (
            f"Paper {paper}, {kind} {number}"
        )


def test_the_reader_reads():
    read = citations.citations
    assert read("(Paper 2, Eqs. 54–55)") == [(2, "Eq.", "54"), (2, "Eq.", "55")]
    assert read("(Paper 3, OP1)") == [(3, "OP", "1")]
    assert read("(Paper 3, Eq. 4 and Algorithm 1)") == [(3, "Eq.", "4"), (3, "Algorithm", "1")]
    assert read("Paper 3's Tables 2 and 3, footnote 4, Fig. 4a") == [
        (3, "Table", "2"),
        (3, "Table", "3"),
        (3, "Footnote", "4"),
        (3, "Figure", "4"),
    ]
    assert read("Figures 1 to 3 of Paper 2, Corollary 2") == [(2, "Figure", k) for k in "123"] + [
        (2, "Corollary", "2")
    ]
    assert read("Definitions 1 and 3, §V-A, V-B", 4) == [
        (4, "Definition", "1"),
        (4, "Definition", "3"),
    ] + [(4, "Section", s) for s in ("V-A", "V-B")]
    assert read("Paper 4, section V-A; Breiman et al. (1984), section 3.4") == [
        (4, "Section", "V-A")
    ]
    assert read("no paper, Theorem 3") == []
    assert read(
        citations.ADDRESS.sub("", "[Lemma 4](x.ipynb#sec-theorem8) {#sec-footnote4}"), 1
    ) == [(1, "Lemma", "4")]
    assert (
        citations.kind_of("equations") == citations.kind_of("Eq") == "Eq."
        and citations.kind_of("OP") == "OP"
    )


# ---------------------------------------------------------------- what fails as printed is on the page of errata
ERRATA = (EVIDENCE / "errata.ipynb").read_text(encoding="utf8")


KIND = re.compile(r"\*(?:Misprint|Missing condition|Too much claimed)\* (?:in|beside) ")
LINK = re.compile(r"\(concordance\.ipynb#(p\d-[\w-]+)\)")
BESIDE = re.compile(
    r"(proof|text|beside)(?: of| on)? "
)  # what an entry may be about that is not the statement itself


def first_lines(notebook):
    """The anchor of each entry of the page of errata: the line that says its kind and what it is about."""
    text = "\n".join(
        c.source for c in nbformat.reads(notebook, 4).cells if c.cell_type == "markdown"
    )
    lines = re.findall(r"(?m)^### .+\{#(sec-[\w-]+)\}\n\n(.+)$", text)
    return {name: line for name, line in lines if KIND.match(line)}


def entries(notebook):
    """The anchor of each entry: the anchors of the rows that it names."""
    return {name: LINK.findall(line) for name, line in first_lines(notebook).items()}


def on_the_statement(line):
    """The rows whose statement an entry is about, and not only its proof or the text beside it.

    "in [A], and so in [B]" is about both; "in the proof of [A], and so of [B]" is about neither; "in the text on [A]" and
    "beside [A]" are not about A.
    """
    rows = []
    beside = False
    start = 0
    for link in LINK.finditer(line):
        words = line[start : link.start()]
        start = link.end()
        words = re.sub(r"\[[^\]]*\]$", "", words)  # the link's own text
        if BESIDE.search(words):
            beside = True
        elif re.search(r"(\*|\b)in $", words):
            beside = False
        if not beside:
            rows.append(link[1])
    return rows


def test_errata_and_rows_name_each_other():
    there = {(row, entry) for entry, rows in entries(ERRATA).items() for row in rows}
    here = {
        (places.anchor(*key), address.removeprefix("evidence/errata#"))
        for key, row in places.ROWS.items()
        for address in row.where
        if address.startswith("evidence/errata#")
    }
    assert there == here


def test_a_row_is_contradicted_where_an_erratum_is_on_its_statement_and_nowhere_else():
    """The book's own rule: as printed it fails, or it does not."""
    contradicted = {
        places.anchor(*key) for key, row in places.ROWS.items() if row.status == "contradicted"
    }
    wrong = {row for line in first_lines(ERRATA).values() for row in on_the_statement(line)}
    assert wrong - contradicted == set(), (
        "called proved, checked or used, while an erratum is about the statement itself"
    )
    assert contradicted - wrong == set(), (
        "contradicted, but no erratum is about the statement itself"
    )


def test_what_an_erratum_is_about_is_read():
    a, b, c = (f"[{name}](concordance.ipynb#p1-lemma-{name})" for name in "123")
    for line, rows in {
        f"*Misprint* in {a}.": "1",
        f"*Misprint* in {a} and {b}.": "12",
        f"*Misprint* in {a}, and so in {b}, {c}.": "123",
        f"*Misprint* in {a}; hence *too much claimed* in {b}.": "12",
        f"*Too much claimed* in the proof of {a}, and so of {b} and of {c}.": "",
        f"*Too much claimed* in the proof of Proposition 15, for {a}.": "",
        f"*Misprint* in the text on {a}.": "",
        f"*Missing condition* beside {a}.": "",
        f"*Misprint* in the proof of {a}, and so in {b}.": "2",
    }.items():
        assert KIND.match(line)
        assert on_the_statement(line) == [f"p1-lemma-{k}" for k in rows], line


def test_statuses_that_were_once_kinder_than_the_text():
    """Mended versions are proved; what is printed is not."""
    status = {places.anchor(*key): row.status for key, row in places.ROWS.items()}
    for name in [
        "lemma-26",
        "lemma-27",
        "remark-15",
        "remark-16",
        "remark-17",
        "proposition-2",
        "proposition-10",
        "proposition-20",
    ]:
        assert status[f"p4-{name}"] == "contradicted", name
    assert status["p1-theorem-10"] == "contradicted"
    assert (
        status["p4-section-ii-c-plug-in"] == "proved"
    )  # some plug-in rules are not consistent: that is what it says


@each_row
def test_a_contradicted_row_says_what_holds(row):
    if row.status == "contradicted":
        assert len(row.because) > 40 and row.where[0].startswith("evidence/errata#"), (
            "the cell that shows it comes first"
        )


def test_the_page_says_what_a_status_means():
    text = (EVIDENCE / "concordance.ipynb").read_text(encoding="utf8")
    shown = "".join(
        "".join(out["data"].get("text/markdown", ""))
        for c in nbformat.reads(text, 4).cells
        for out in c.get("outputs", ())
        if "data" in out
    )
    for status, when in statements.STATUSES.items():
        assert f"- **{status}**: {when}" in shown, "run evidence/concordance again"
    assert (
        "as it is printed" in statements.STATUSES["proved"]
        and "as printed" in statements.STATUSES["contradicted"]
    )


def test_every_erratum_has_its_kind_and_its_row():
    headings = re.findall(r"### [^\n]+\{#(sec-[\w-]+)\}", ERRATA)
    errata = entries(ERRATA)
    assert list(errata) == headings, (
        "an entry begins with its kind: *Misprint* in [Paper 4, Remark 6](…)"
    )
    anchors = {places.anchor(*key) for key in places.ROWS}
    for entry, rows in errata.items():
        assert rows and set(rows) <= anchors, entry
    assert set(re.findall(r"concordance\.ipynb#(p\d-[\w-]+)", ERRATA)) <= anchors
    shown = [
        "".join(out["data"].get("text/markdown", ""))
        for c in nbformat.reads(ERRATA, 4).cells
        for out in c.get("outputs", ())
    ]
    assert re.findall(r"\]\(#(sec-[\w-]+)\)", "\n".join(shown)) == headings, (
        "run evidence/errata again"
    )


def test_an_erratum_without_a_row_shows():
    cell = nbformat.v4.new_markdown_cell(
        "### A slip {#sec-slip}\n\n*Misprint* in [it](concordance.ipynb#p1-lemma-4).\n\nText"
    )
    other = nbformat.v4.new_markdown_cell("### None {#sec-none}\n\n**Printed:** x. **Holds:** y.")
    page = nbformat.writes(nbformat.v4.new_notebook(cells=[cell, other]))
    assert entries(page) == {"sec-slip": ["p1-lemma-4"]}


# ---------------------------------------------------------------- lessons lead to their paper's table
@pytest.mark.parametrize(
    "path", sorted((places.NOTEBOOKS / "lessons").glob("*.ipynb")), ids=lambda path: path.stem
)
def test_a_lesson_leads_to_its_papers_part(path):
    for at in re.findall(r"evidence/concordance\.ipynb([^)]*)\)", path.read_text(encoding="utf8")):
        assert re.fullmatch(r"#(sec-paper[1-4]|p[1-4]-[\w-]+)", at), (
            "a link to the page alone lands before four long tables"
        )
        assert at[1:] in places.page("evidence/concordance").anchors


# ---------------------------------------------------------------- the page
def test_the_page_shows_these_rows():
    """Its stored outputs were made from these rows; its prose types no count."""
    cells = nbformat.read(EVIDENCE / "concordance.ipynb", 4).cells
    outputs = [
        out.get("data", {}).get("text/markdown", "")
        for cell in cells
        for out in cell.get("outputs", [])
    ]
    shown = re.findall(r'<span id="(p\d-[\w-]+)"></span>', "\n".join(outputs))
    assert shown == [places.anchor(*key) for key in places.ROWS], "run evidence/concordance again"
    text = "\n".join(outputs)
    for row in places.ROWS.values():
        assert row.says in text and row.because in text, "run evidence/concordance again"
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert not re.search(r"\d+ (statements|rows|citations|functions|formulas)", prose), (
        "a count is computed"
    )
