"""The paper about the book: its numbers are the stored ones, its references exist; and the files for visitors of the repository."""

import re
import runpy

import pytest

yaml = pytest.importorskip("yaml")


@pytest.fixture
def paper(root):
    return (root / "paper/paper.md").read_text(encoding="utf8")


def test_the_table_is_the_last_run(root, paper):
    table = runpy.run_path(str(root / "tools/paper.py"))["table"]()
    assert f"<!-- table -->\n{table}\n<!-- /table -->" in paper, "python tools/paper.py"
    assert len(table.splitlines()) > 7, "rows of the benchmarks have other names now"


def test_what_is_cited_is_there(root, paper):
    head = yaml.safe_load(paper.split("---")[1])
    entries = [
        re.findall(r"@\w+\{(\w+),", (root / "paper" / file).read_text(encoding="utf8"))
        for file in head["bibliography"]
    ]
    known = {key for keys in entries for key in keys}
    cited = set(re.findall(r"@(\w+\d{4}\w*)", paper))
    assert cited and cited <= known
    assert set(entries[1]) <= cited, "an entry of more.bib that nothing cites"


def test_a_paper_of_this_kind_has_these_parts(paper):
    assert {"Summary", "Statement of need", "State of the field"} <= set(
        re.findall(r"(?m)^# (.+)$", paper)
    )
    assert 500 < len(re.findall(r"\w+", paper)) < 1500


def test_the_conda_recipe_says_what_settings_say(root, config):
    recipe = yaml.safe_load((root / "conda/recipe.yaml").read_text(encoding="utf8"))
    wanted = [re.sub(r"(>=|<|==)", r" \1", r) for r in config["requirements"].split()]
    names = [f"python >={config['min_python']}", *wanted]
    assert [
        r.replace("matplotlib-base", "matplotlib") for r in recipe["requirements"]["run"]
    ] == names
    assert recipe["package"] == {"name": config["lib_name"], "version": config["version"]}
    assert recipe["build"]["python"]["entry_points"] == [
        config["console_scripts"].replace("=", " = ")
    ]


def test_issue_forms_are_forms(root):
    forms = sorted((root / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))
    assert len(forms) == 3
    for path in forms:
        form = yaml.safe_load(path.read_text(encoding="utf8"))
        assert {"name", "description", "body"} <= form.keys()
        ids = [field["id"] for field in form["body"]]
        assert len(ids) == len(set(ids)) and all(
            field["attributes"]["label"] for field in form["body"]
        )
