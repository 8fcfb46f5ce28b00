"""The page "From R": every call that it offers runs on it. Its numbers against R's: peers/test_proc.py, peers/test_r_packages.py."""

import json
import re
from pathlib import Path

import nbformat
import pandas as pd

ROOT = Path(__file__).parents[2]
PAGE = nbformat.read(ROOT / "nbs/howto/from_r.ipynb", 4)
STORED = json.loads((ROOT / "nbs/results/from_r.json").read_text(encoding="utf8"))
patients = pd.read_csv(ROOT / "nbs/data/asah.csv", comment="#")
y, s, s2 = (patients[name].to_numpy() for name in ("poor", "s100b", "ndka"))


def rows():
    """(R's words, the calls offered) of every row of the page's tables."""
    for cell in PAGE.cells:
        if cell.cell_type == "markdown":
            for line in re.findall(r"(?m)^\| (.*) \|$", cell.source):
                theirs, ours, *_ = [text.strip() for text in line.split(" | ")]
                if theirs not in ("R", ":--"):
                    yield theirs, re.findall(r"`([^`]+)`", ours)


def test_every_call_of_the_tables_runs_on_the_page():
    """In a cell that is shown; but for a name without a call, such as `compare`, which has a page of its own."""

    def plain(code):
        return re.sub(r"\s", "", code).replace("'", '"')

    shown = plain(
        "\n".join(
            c.source for c in PAGE.cells if c.cell_type == "code" and "#| hide" not in c.source
        )
    )
    offered = [call for _, calls in rows() for call in calls if "(" in call]
    assert len(offered) > 40 and not [call for call in offered if plain(call) not in shown]


def test_rows_have_an_answer():
    assert sum(1 for _ in rows()) > 45 and all(theirs for theirs, _ in rows())
    names = {name.split()[0] for name in STORED["numbers"]}
    assert names == {"pROC", "ROCR", "rms", "glm", "prop.test", "isoreg"} and STORED[
        "packages of R"
    ].keys() >= {"pROC"}
