"""The page of printed numbers: the registry holds every printed number of a chapter, each status agrees with its numbers,
each reference exists.
"""

import ast
import os
import re
import sys
import warnings
from collections import Counter
from pathlib import Path

import nbformat
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
EVIDENCE = ROOT / "nbs/evidence"
REFERENCE = {
    "notation",
    "concordance",
    "reproducibility",
    "errata",
}  # pages of tables: they print the papers' numbers, or none
CHAPTERS = sorted(
    f"{path.parent.name}/{path.stem}"
    for folder in ("lessons", "evidence")
    for path in (ROOT / "nbs" / folder).glob("*.ipynb")
    if path.stem not in REFERENCE
)
PAPER = {
    chapter: paper
    for paper, chapters in {  # whose "Table 6" a chapter means when it does not say
        1: "lessons/aucboost lessons/martirank evidence/noise_results",
        2: "lessons/adaboost lessons/score_combination lessons/capacity lessons/documents evidence/combination_results evidence/document_results",
        3: "lessons/surrogate lessons/most_violated lessons/cutting_planes lessons/pauc_svm evidence/pauc_results",
        4: "lessons/optimal_roc lessons/treerank lessons/pruning lessons/forest evidence/tree_results",
    }.items()
    for chapter in chapters.split()
}
REASONS = {
    "an error in print",
    "a missing detail",
    "a missing condition",
    "a loose word",
}  # for a row that differs
each_chapter = pytest.mark.parametrize("name", CHAPTERS)
compiled = pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))),
    reason="recomputes every number: too slow without compilation",
)


def cells(name, kind):
    return [
        cell
        for cell in nbformat.read(ROOT / f"nbs/{name}.ipynb", 4).cells
        if cell.cell_type == kind
    ]


@pytest.fixture(scope="module")
def registry():
    """The package that the page imports from its own folder."""
    sys.path.insert(0, str(EVIDENCE))
    try:
        import printed
    finally:
        sys.path.remove(str(EVIDENCE))
    assert Path(printed.__file__).parent == EVIDENCE / "printed"
    return printed


def anchors():
    return set(
        re.findall(
            r'id=\\"(num-[\w-]+)\\"',
            (EVIDENCE / "reproducibility.ipynb").read_text(encoding="utf8"),
        )
    )


# ---------------------------------------------------------------- the rows themselves
def test_every_row_is_complete(registry):
    ids = [row.id for row in registry.rows]
    assert len(set(ids)) == len(ids)
    assert anchors() == {f"num-{i}" for i in ids}, "the page's tables are stale"
    for row in registry.rows:
        assert re.match(r"p[1-4]-", row.id), row.id
        assert row.tolerance is None or row.why, f"{row.id}: a tolerance needs a reason"
        assert row.tolerance is not None or row.printed is None or row.note, (
            f"{row.id}: why can it not be compared?"
        )
        assert row.kind in registry.KINDS, row.id
        if row.tolerance is None and row.ours and row.printed is not None:
            assert row.kind == "stand-in", f"{row.id}: no tolerance, so it is another quantity"
        if callable(row.printed) or row.relation != "=":
            assert row.kind != "printed", f"{row.id}: a formula or a bound is no printed number"
        if row.kind == "copied":
            assert not callable(row.tolerance) and row.tolerance == 0, (
                f"{row.id}: a constant is copied exactly, or not"
            )
        assert not row.chapter or row.chapter in CHAPTERS, row.id


def test_judge_follows_kind_and_numbers(registry):
    """Each status can be reached, and a wide tolerance or another kind never makes a reproduction."""

    def row(printed, ours, tolerance, **more):
        compute = None if ours is None else lambda: ours
        return registry.Row("p1-x", "Table 1", "", printed, compute, tolerance, "why", **more)

    cases = [
        (row(0.5, 0.51, 0.02), "reproduced"),
        (row(0.5, 0.53, 0.02), "differs"),
        (row(0.5, 0.4, 0.6), "cannot tell"),
        (
            row((0.5, 0.1), (0.51, 0.2), (0.02, 0.1)),
            "reproduced",
        ),  # zero would not pass for the first
        (row((0.5, 0.1), (0.51, 0.21), (0.02, 0.1)), "differs"),
        (row((0.5, 0.1), (0.4, 0.2), 0.6), "cannot tell"),
        (row(0, 1e-13, 1e-12), "reproduced"),  # zero itself was printed
        (row(None, 0.4, None), "no number"),
        (row(0.5, None, None), "not computed"),
        (row(0.5, 0.4, None, kind="stand-in"), "stand-in data"),
        (row(0.5, 0.5, 0.1, kind="stand-in"), "stand-in data"),
        (row(0.5, 0.8, 0.1, kind="stand-in"), "differs"),
        (row(0.5, 0.5, 0.6, kind="consistency"), "consistency"),
        (row(0.5, 0.5, 0, kind="copied"), "copied"),
        (row(0.5, 0.6, 0, kind="copied"), "differs"),
        (row(0, -1, 0, relation="≤", kind="consistency"), "consistency"),
        (row(0, -1, 0, relation="≥", kind="consistency"), "differs"),
    ]
    for entry, expected in cases:
        assert registry.judge(entry).status == expected, entry
    assert {status for _, status in cases} == set(registry.STATUSES)


@compiled
def test_status_agrees_with_the_numbers(registry):
    shown, counted = {}, {}
    for cell in cells("evidence/reproducibility", "code"):
        for output in cell.outputs:
            for line in output.get("data", {}).get("text/markdown", "").split("\n"):
                if match := re.search(r'id="num-([\w-]+)"', line):
                    shown[match[1]] = line.split(" | ")[-1]
                elif match := re.match(r"- \*\*(\d+) ([\w -]+)\*\*: ", line):
                    counted[match[2]] = int(match[1])
    counts = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for row in registry.rows:
            judged = registry.judge(row)
            counts[judged.status] += 1
            assert shown[row.id].rpartition("&nbsp;")[2].startswith(judged.status), row.id
            assert judged.status != "differs" or row.note.partition(": ")[0] in REASONS, (
                f"{row.id}: why does it differ?"
            )
    assert counted == {status: counts[status] for status in registry.STATUSES}, (
        "the headline's counts are stale"
    )


@compiled
def test_stored_draws_are_those_of_today(registry):
    """The first of them, computed again."""
    from experiments import paper2_draws

    stored = registry.PAPERS[2].DRAWN
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(3):
            for method, value in paper2_draws.space(seed).items():
                assert abs(stored["table3"][method][seed] - value) < 1e-9, (
                    method,
                    seed,
                )  # ten digits are stored
        for which in (1, 2, 3):
            for method, value in paper2_draws.draw(which, 0).items():
                # solvers stop within a tolerance: one pair of 500 x 500 may change its order on another machine
                assert abs(stored["table6"][f"set {which}"][method][0] - value) < 1e-3, (
                    method,
                    which,
                )


# ---------------------------------------------------------------- errata
def test_every_erratum_has_a_cell_and_a_page():
    page = nbformat.read(EVIDENCE / "errata.ipynb", 4).cells
    parts, current = {}, None
    for cell in page:
        if cell.cell_type == "code":
            if current:
                parts[current].append(cell.source)
            continue
        for block in re.split(r"^(?=##)", cell.source, flags=re.M):
            if heading := re.match(r"### .*\{#(sec-[\w-]+)\}", block):
                current = heading[1]
                parts[current] = [block]
                assert "**Printed:**" in block and "**Holds:**" in block, current
            elif block.startswith("## "):
                current = None
            elif current:
                parts[current].append(block)
    assert len(parts) > 15
    for name, texts in parts.items():
        assert any(re.search(r"^assert ", text, re.M) for text in texts), (
            f"{name}: no cell that would fail"
        )
        assert re.search(r"Used in \[.*\]\(.*\.ipynb", "\n".join(texts)), (
            f"{name}: where is it used?"
        )


# ---------------------------------------------------------------- what the chapters claim
def number(node):
    """The value of a literal: 0.5, 47/180, -1.0, or the text '62.64 *'; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (
            float(node.value.split()[0]) if re.fullmatch(r"\d*\.\d\d+( \*)?", node.value) else None
        )
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        return node.value
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Div)
        and all(isinstance(n, ast.Constant) for n in (node.left, node.right))
    ):
        return node.left.value / node.right.value
    return None


def printed_in(source):
    """Numbers that a code cell calls printed: bound to a name, or standing under a key, that contains this word."""

    def says(node):
        return any(
            "printed" in str(getattr(n, "id", getattr(n, "value", "")))
            for n in ast.walk(node)
            if isinstance(n, (ast.Name, ast.Constant))
        )

    values = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and any(says(target) for target in node.targets):
            values.append(node.value)
        elif isinstance(node, (ast.For, ast.comprehension)) and says(node.target):
            values.append(node.iter)
        elif isinstance(node, ast.Dict):
            values += [
                value for key, value in zip(node.keys, node.values) if key is not None and says(key)
            ]
    literals = [
        n
        for value in values
        if not isinstance(value, ast.Call) or value.args
        for n in ast.walk(value)
    ]
    return {parsed for n in literals if (parsed := number(n)) is not None}


def table_of(registry):
    numbers = [
        value() if callable(value) else value
        for row in registry.rows
        if not callable(value := row.printed) and value is not None
    ]
    return np.array([float(v) for value in numbers for v in np.atleast_1d(value)])


@each_chapter
def test_printed_numbers_have_a_row(name, registry):
    known = table_of(registry)
    for cell in cells(name, "code"):
        for value in printed_in(cell.source):
            assert np.abs(known - value).min() < 1e-12, (
                f"{value} is called printed here, and no row has it:\n{cell.source[:400]}"
            )


PLACE = re.compile(
    r"\b(Table|Example|Figure)s?\s(\d+(?:\.\d+)?)(?:\s?(to|and|–)\s(\d+))?(?:\sof Paper ([1-4]))?|Paper ([1-4])"
)


def places(text, paper=None):
    """(paper, 'Table 6') for every table, example and figure of a paper that a text names."""
    cited = set()
    for match in PLACE.finditer(text):
        if match[6]:
            paper = int(match[6])
        elif match[5] or paper:
            last = match[4] or match[2]
            numbers = (
                range(int(match[2]), int(last) + 1) if "." not in match[2] + last else [match[2]]
            )
            cited |= {(int(match[5] or paper), f"{match[1]} {n}") for n in numbers}
    return cited


@each_chapter
def test_tables_examples_figures_have_a_row(name, registry):
    known = set().union(*(places(row.where, int(row.id[1])) for row in registry.rows))
    source = [cell.source for cell in cells(name, "markdown")]
    source += re.findall(
        r"#\| fig-cap: (.*)", "\n".join(cell.source for cell in cells(name, "code"))
    )
    for text in "\n".join(source).split("\n"):
        assert places(text, PAPER.get(name)) <= known, (
            f"no row for all of {places(text, PAPER.get(name))}: {text[:300]}"
        )


@pytest.mark.parametrize(
    "name", [*CHAPTERS, "index", "evidence/concordance", "evidence/errata", "evidence/notation"]
)
def test_links_to_rows_exist(name):
    for cell in cells(name, "markdown"):
        assert set(re.findall(r"reproducibility\.ipynb#(num-[\w-]+)", cell.source)) <= anchors()


def test_the_scanners_see():
    assert printed_in("printed = {'a': .7721, 'b': 3}") == {0.7721}
    assert printed_in("for k, printed in ((1, (.86, .823)),): pass") == {0.86, 0.823}
    assert printed_in("pd.DataFrame({'printed': [1/4, 47/180], 'ours': [.3]})") == {1 / 4, 47 / 180}
    assert printed_in("t['REBASE, printed'] = pd.Series({'KNN': .783})") == {0.783}
    assert printed_in("printed2 = {'SVM_AUC': '62.64 *'}") == {62.64}
    assert printed_in("ours = .5") == set()
    assert places("Figures 1 to 3 and (Paper 2, Example 4.1)", 1) == {
        (1, "Figure 1"),
        (1, "Figure 2"),
        (1, "Figure 3"),
        (2, "Example 4.1"),
    }
    assert places("Table 5 of Paper 3") == {(3, "Table 5")}
    assert places("@fig-x shows a table 3") == set()
