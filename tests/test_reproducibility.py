"""The page of printed numbers keeps its promises: no printed number in a chapter that the registry lacks, no status that
the numbers deny, no dead reference."""

import ast
import os
import re
import sys
import warnings
from pathlib import Path

import nbformat
import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
EVIDENCE = ROOT / "nbs/evidence"
REFERENCE = {"notation", "concordance", "reproducibility"}  # pages of tables: they print the papers' numbers, or none
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
        3: "lessons/most_violated lessons/pauc_svm lessons/pauc_baselines evidence/pauc_results",
        4: "lessons/optimal_roc lessons/treerank lessons/pruning lessons/forest evidence/tree_results",
    }.items()
    for chapter in chapters.split()
}
each_chapter = pytest.mark.parametrize("name", CHAPTERS)
compiled = pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="recomputes every number: too slow without compilation"
)


def cells(name, kind):
    return [cell for cell in nbformat.read(ROOT / f"nbs/{name}.ipynb", 4).cells if cell.cell_type == kind]


@pytest.fixture(scope="module")
def registry():
    "The package that the page imports from its own folder"
    sys.path.insert(0, str(EVIDENCE))
    try:
        import printed
    finally:
        sys.path.remove(str(EVIDENCE))
    assert Path(printed.__file__).parent == EVIDENCE / "printed"
    return printed


def anchors():
    return set(re.findall(r'id=\\"(num-[\w-]+)\\"', (EVIDENCE / "reproducibility.ipynb").read_text(encoding="utf8")))


# ---------------------------------------------------------------- the rows themselves
def test_every_row_is_complete(registry):
    ids = [row.id for row in registry.rows]
    assert len(set(ids)) == len(ids)
    assert anchors() == {f"num-{i}" for i in ids}, "the page's tables are stale"
    for row in registry.rows:
        assert re.match(r"p[1-4]-", row.id), row.id
        assert row.tolerance is None or row.why, f"{row.id}: a tolerance needs a reason"
        assert row.tolerance is not None or row.printed is None or row.note, f"{row.id}: why can it not be compared?"
        assert not row.chapter or row.chapter in CHAPTERS, row.id


@compiled
def test_status_agrees_with_the_numbers(registry):
    shown = {}
    for cell in cells("evidence/reproducibility", "code"):
        for output in cell.outputs:
            for line in output.get("data", {}).get("text/markdown", "").split("\n"):
                if found := re.search(r'id="num-([\w-]+)"', line):
                    shown[found[1]] = line.split(" | ")[-1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for row in registry.rows:
            if row.id.startswith(
                "p2-table3-"
            ):  # thousands of fits; the page's own run, repeated in test_notebooks, judges them
                continue
            judged = registry.judge(row)
            if judged.tolerance is None:
                expected = "no number" if judged.printed is None else "not here"
            else:
                over = np.subtract(judged.ours, judged.printed)
                within = {
                    "=": np.all(abs(over) <= judged.tolerance),
                    "≤": np.all(over <= judged.tolerance),
                    "≥": np.all(over >= -judged.tolerance),
                }[row.relation]
                expected = "reproduced" if within else "differs"
            assert judged.status == expected and expected in shown[row.id], row.id
            assert expected != "differs" or row.note, f"{row.id}: why does it differ?"


# ---------------------------------------------------------------- what the chapters claim
def number(node):
    "The value of a literal: 0.5, 47/180, -1.0, or the text '62.64 *'; None for anything else"
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return float(node.value.split()[0]) if re.fullmatch(r"\d*\.\d\d+( \*)?", node.value) else None
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
    "Numbers that a code cell calls printed: bound to a name, or standing under a key, that contains this word"

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
            values += [value for key, value in zip(node.keys, node.values) if key is not None and says(key)]
    literals = [n for value in values if not isinstance(value, ast.Call) or value.args for n in ast.walk(value)]
    return {found for n in literals if (found := number(n)) is not None}


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
    "(paper, 'Table 6') for every table, example and figure of a paper that a text names"
    found = set()
    for match in PLACE.finditer(text):
        if match[6]:
            paper = int(match[6])
        elif match[5] or paper:
            last = match[4] or match[2]
            numbers = range(int(match[2]), int(last) + 1) if "." not in match[2] + last else [match[2]]
            found |= {(int(match[5] or paper), f"{match[1]} {n}") for n in numbers}
    return found


@each_chapter
def test_tables_examples_figures_have_a_row(name, registry):
    known = set().union(*(places(row.where, int(row.id[1])) for row in registry.rows))
    source = [cell.source for cell in cells(name, "markdown")]
    source += re.findall(r"#\| fig-cap: (.*)", "\n".join(cell.source for cell in cells(name, "code")))
    for text in "\n".join(source).split("\n"):
        assert places(text, PAPER.get(name)) <= known, (
            f"no row for all of {places(text, PAPER.get(name))}: {text[:300]}"
        )


@pytest.mark.parametrize("name", [*CHAPTERS, "index", "evidence/concordance", "evidence/notation"])
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
