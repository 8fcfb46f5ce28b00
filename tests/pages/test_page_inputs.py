"""Which pages have to run again: those whose code, outputs, modules, stored results or helpers changed."""

import json

import page_inputs
import pytest

HEADER = "#| default_exp trees.bagging"


def written(folder, *sources, outputs=()):
    """A page with these code cells, in a folder."""
    cells = [
        {"cell_type": "code", "source": source, "outputs": list(outputs)} for source in sources
    ]
    path = folder / "page.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf8")
    return path


def names(folder, *sources):
    return set(page_inputs.inputs(written(folder, *sources)))


@pytest.mark.parametrize(
    "source, needed, not_needed",
    [
        ("from aucbook import roc_auc", "metrics.roc", "trees.forest"),
        ("from aucbook.trees import TreeRankForest", "trees.growing", "cli.compare"),
        ("from aucbook._numerics.hashing import next_bits", "_numerics.hashing", "metrics.roc"),
        ("def f():\n    from aucbook.theory import Binormal", "theory.problems", "trees.forest"),
        ("import aucbook.metrics.roc", "_numerics.sorting", "trees.forest"),
        ("import aucbook", "trees.forest", "nothing"),
        ("1 + 1", None, "metrics.roc"),
    ],
)
def test_modules_are_followed_to_the_last_import(tmp_path, source, needed, not_needed):
    inputs = names(tmp_path, source)
    assert needed is None or f"module {needed}" in inputs
    assert f"module {not_needed}" not in inputs


def test_results_data_and_helpers_count_where_they_are_named(tmp_path):
    (tmp_path / "printed").mkdir()
    (tmp_path / "printed/rows.py").write_text("")
    inputs = names(tmp_path, 'Path("../results/speed.json")', "open('asah.csv')", "import printed")
    files = {name.rpartition("/")[2] for name in inputs if "/" in name}
    assert files == {"speed.json", "asah.csv", "rows.py"}


def test_what_changes_a_page(tmp_path):
    digest = page_inputs.digest(written(tmp_path, "x = 1"))
    assert digest == page_inputs.digest(written(tmp_path, "#| code-fold: true\nx = 1"))
    assert digest != page_inputs.digest(written(tmp_path, "x = 2"))
    assert digest != page_inputs.digest(written(tmp_path, "x = 1", outputs=["1"]))


def test_docstrings_count_only_where_the_page_shows_them():
    one = '# f\ndef f(x):\n    """One."""\n    return x  # why'
    other = 'def f(x):\n    """Another.\n\n    Longer.\n    """\n\n    return x  # why'
    code = page_inputs.without_docstrings
    assert code(one) == code(other) != code(one.replace("return x", "return -x"))


@pytest.mark.parametrize(
    "sources", [[HEADER], ["from aucbook import roc_auc", "show_doc(TreeRankForest.fit)"]]
)
def test_a_page_depends_on_the_text_of_what_it_shows(sources):
    texts = page_inputs.library_inputs(sources)
    module = "trees.bagging" if HEADER in sources else "trees.forest"
    assert texts[module] == page_inputs.modules()[module].read_text(encoding="utf8")


def test_a_page_that_passed_is_remembered_until_it_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(page_inputs, "PAGES", tmp_path)
    monkeypatch.setattr(page_inputs, "EXECUTED", tmp_path / "executed.json")
    monkeypatch.setattr(page_inputs, "CONFIRMED", tmp_path / "confirmed")
    for folder in page_inputs.DATA_FOLDERS:
        (tmp_path / folder).mkdir()
    path = written(tmp_path, "x = 1")
    assert page_inputs.changed([path]) == ["page"]
    page_inputs.confirm(path)
    assert page_inputs.changed([path]) == [] and page_inputs.store_confirmed([path]) == ["page"]
    (tmp_path / "confirmed/page").unlink()
    assert page_inputs.changed([path]) == []
    written(tmp_path, "x = 2")
    assert page_inputs.changed([path]) == ["page"] and page_inputs.store_confirmed([path]) == []
    page_inputs.store_executed([path], [path])
    assert page_inputs.changed([path]) == []
    page_inputs.store_executed([], [])
    assert page_inputs.executed() == {}
