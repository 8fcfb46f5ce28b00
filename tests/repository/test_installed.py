"""What a user installs: the wheel in an empty environment, used from another folder as README.md says. Nothing here sees the checkout."""

import csv
import json
import random
import re
import subprocess
import sys
from datetime import date, timedelta
from importlib.util import find_spec

import pytest

BLOCK = re.compile(r"^``` (sh|python)\n(.*?)^```\n(?:\n``` output\n(.*?)^```\n)?", re.M | re.S)
CHECKOUT = re.compile(
    r"(git clone|make|pip install|uv venv|uv run aucbook lab|python -m venv|\S+/aucbook lab)\b"
)  # what a block needs the repository or a network for
# what pip and uv say if there is no network
NO_CONNECTION = (
    r"establish a new connection|dns error|error sending request|client error \(Connect\)"
)
PYTHON_BLOCKS = """
import ast, json, sys
names = {}
for source in json.load(sys.stdin):
    *body, last = ast.parse(source).body
    exec(compile(ast.Module(body, []), "README.md", "exec"), names)
    print(repr(eval(compile(ast.Expression(last.value), "README.md", "eval"), names)))
"""
EVERY_MODULE = """
import importlib, pkgutil
import aucbook
names = [found.name for found in pkgutil.walk_packages(aucbook.__path__, "aucbook.")]
for name in names:
    if not name.endswith("__main__"):  # that one runs
        importlib.import_module(name)
print(aucbook.__file__, *names, sep="\\n")
"""
ONE_PAGE = """
import sys
from pathlib import Path
import nbformat
from nbclient import NotebookClient
page = Path(sys.argv[1])
NotebookClient(nbformat.read(page, 4), timeout=300, resources={"metadata": {"path": str(page.parent)}}).execute()
"""


@pytest.fixture(scope="module")
def environment(request, bare, tmp_path_factory):
    """The folder of programs of an empty environment with the wheel installed, with what opens the book and keeps models."""
    (wheel,) = request.getfixturevalue("distributions").glob("*.whl")
    place = tmp_path_factory.mktemp("installed") / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    python = str(place / "bin/python")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    install = [*pip, "--python", python, "install", "--no-compile"]
    if find_spec("uv"):  # as the Makefile installs: it links what it has already unpacked
        install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    install.append(f"{wheel}[lab,models]")
    done = subprocess.run(install, env=bare(), capture_output=True, text=True)
    if re.search(NO_CONNECTION, done.stderr):
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr[-3000:]
    yield place / "bin"
    subprocess.Popen(["rm", "-r", str(place)])  # a gigabyte: removed in the background


@pytest.fixture
def run(environment, bare, tmp_path):
    """run(program, *arguments): what an installed program prints, started in an empty folder."""
    variables = bare(PATH=f"{environment}:/usr/bin:/bin", HOME=str(tmp_path), MPLBACKEND="agg")

    def run(program, *arguments, stdin=None):
        command = [
            str(environment / program) if (environment / program).exists() else program,
            *arguments,
        ]
        done = subprocess.run(
            command, cwd=tmp_path, env=variables, input=stdin, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-1500:]}\n{done.stderr[-3000:]}"
        return done.stdout

    return run


def patients(path, draw, rows, labelled):
    """A messy table: text and its gaps, numbers and theirs, dates, sums that are mostly 0, several visits of a patient."""
    with path.open("w", newline="", encoding="utf8") as file:
        table = csv.writer(file)
        columns = ["case_number", "patient", "visit", "ward", "age", "amount", "marker"]
        table.writerow([*columns, "sick"] if labelled else columns)
        for number in range(rows):
            sick = draw.random() < 0.3
            visit = date(2024, 1, 1) + timedelta(days=draw.randrange(600))
            age = "" if draw.random() < 0.1 else draw.randrange(20, 90) + 5 * sick
            amount = 0 if draw.random() < 0.7 - 0.3 * sick else round(draw.lognormvariate(3, 1), 2)
            ward = draw.choice(["north", "süd", "", "intensive care, 2nd floor"])
            row = [
                100_000 + number,
                f"P{number // 3}",
                visit,
                ward,
                age,
                amount,
                round(draw.gauss(sick, 1), 3),
            ]
            table.writerow([*row, "yes" if sick else "no"] if labelled else row)


def two_doctors(path, draw):
    with path.open("w", newline="", encoding="utf8") as file:
        table = csv.writer(file)
        table.writerow(["sick", "first", "second"])
        for sick in (draw.random() < 0.4 for _ in range(80)):
            table.writerow(
                [
                    "yes" if sick else "no",
                    round(draw.gauss(sick, 1), 2),
                    round(draw.gauss(2 * sick, 1), 2),
                ]
            )


def test_the_installed_command_starts(run, config):
    assert run("aucbook", "--version").strip() == f"aucbook {config['version']}"
    assert "JupyterLab" in run("aucbook", "lab", "--help")


def test_every_module_can_be_imported(run, environment, tmp_path):
    path, *names = run("python", "-c", EVERY_MODULE).split()
    assert path.startswith(str(environment.parent)) and len(names) > 50
    assert {"aucbook.cli.compare", "aucbook.explore.base"} <= set(names)


def test_a_page_of_the_installed_book_runs(run, tmp_path):
    run("aucbook", "lab", "book", "--copy-only")
    run("python", "-c", ONE_PAGE, "book/lessons/roc.ipynb")


def test_the_readme_holds_where_the_package_is_installed(run, root, tmp_path):
    """Its blocks in their order; those that fetch or install the package itself are what the fixtures did."""
    draw = random.Random(0)
    patients(tmp_path / "patients.csv", draw, 240, labelled=True)
    patients(tmp_path / "new_patients.csv", draw, 30, labelled=False)
    two_doctors(tmp_path / "two_doctors.csv", draw)
    blocks = BLOCK.findall((root / "README.md").read_text(encoding="utf8"))
    python = [(source, shown) for kind, source, shown in blocks if kind == "python"]
    shell = [source for kind, source, _ in blocks if kind == "sh"]
    commands = [block for block in shell if not all(map(CHECKOUT.match, block.splitlines()))]
    assert len(python) == 2 and len(commands) == 1 and len(shell) == 4
    printed = run("python", "-c", PYTHON_BLOCKS, stdin=json.dumps([source for source, _ in python]))
    assert printed == "".join(shown for _, shown in python)
    for block in commands:
        run("bash", "-e", "-u", "-c", block)
    assert (tmp_path / "aucbook-out/report.html").stat().st_size > 10_000
    assert (tmp_path / "aucbook-report/report.html").stat().st_size > 10_000
    with (tmp_path / "scored.csv").open(newline="", encoding="utf8") as file:
        scored = list(csv.DictReader(file))
    assert list(scored[0]) == ["row", "case_number", "score", "probability", "alarm"]
    assert [int(row["row"]) for row in scored] == list(range(30)) and {
        row["alarm"] for row in scored
    } <= {"0", "1"}
