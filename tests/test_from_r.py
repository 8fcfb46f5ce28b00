"""The page "From R": every call that it offers runs on it, and what is stored as R's answer is what R says, where there is an R."""

import importlib
import json
import re
import sys
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from aucbook import AUC, auc_interval, partial_auc, roc_auc, tpr_at_fpr
from aucbook.calibration import calibration_line
from aucbook.thresholds import operating_point

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from_r = importlib.import_module("experiments.from_r")
PAGE = nbformat.read(ROOT / "nbs/howto/from_r.ipynb", 4)
STORED = json.loads((ROOT / "nbs/results/from_r.json").read_text(encoding="utf8"))
patients = pd.read_csv(ROOT / "nbs/data/asah.csv", comment="#")
y, s, s2 = (patients[name].to_numpy() for name in ("poor", "s100b", "ndka"))


def rows():
    """(R's words, the calls offered) of every row of the page's tables."""
    for cell in PAGE.cells:
        if cell.cell_type == "markdown":
            for line in re.findall(r"(?m)^\| (.*) \|$", cell.source):
                theirs, ours, *_ = [part.strip() for part in line.split(" | ")]
                if theirs not in ("R", ":--"):
                    yield theirs, re.findall(r"`([^`]+)`", ours)


def test_every_call_of_the_tables_runs_on_the_page():
    """In a cell that is shown; but for a name without a call, such as `compare`, which has a page of its own."""
    plain = lambda code: re.sub(r"\s", "", code).replace("'", '"')
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


@pytest.mark.slow
def test_what_is_stored_is_what_r_says():
    """Of the packages that are installed here; versions may differ."""
    found = from_r.said()
    if found is None:
        pytest.skip("there is no R")
    versions, numbers = found
    if versions.keys() == {"base"}:
        pytest.skip("none of R's packages is installed")
    for name, values in numbers.items():
        np.testing.assert_allclose(values, STORED["numbers"][name], rtol=1e-7, err_msg=name)


def test_the_numbers_are_ours():
    """The main rows again, without the page."""
    R = STORED["numbers"]
    close = lambda name, *numbers: np.testing.assert_allclose(
        numbers, R[name], rtol=1e-7, err_msg=name
    )
    close("pROC auc", roc_auc(y, s), roc_auc(y, s2))
    close("pROC partial", partial_auc(y, s, max_fpr=0.1, form="raw"))
    close("pROC partial corrected", partial_auc(y, s, max_fpr=0.1, form="mcclish"))
    estimate, low, high, variance = auc_interval(y, s, scale="linear")
    close("pROC ci.auc", low, estimate, high)
    close("pROC var", variance)
    test = AUC.test(
        y, s, s2, scale="linear"
    )  # pROC's interval and p; the default is the score interval
    close("pROC roc.test", test.statistic, test.pvalue, test.low, test.high)
    close("pROC coords specificity", tpr_at_fpr(y, s, 0.1))
    close("prop.test", *operating_point(y, s, 0.205).sensitivity[1:])
    line = calibration_line(y, expit(4 * s - 2), n_resamples=2)
    (low, high), (a, b) = R["glm in the large"][1:], R["rms val.prob"][3:5]
    np.testing.assert_allclose(line.in_the_large[1:], (low, high), rtol=1e-6)
    np.testing.assert_allclose((line.intercept.value, line.slope.value), (a, b), rtol=1e-7)
