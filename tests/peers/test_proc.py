"""ROC curves, areas, variances, intervals and tests against R's package pROC: stored values, and pROC itself where it is installed.

Where the values come from:

- `nbs/data/asah_proc.json`: pROC's own tests (tests/testthat: auc, var, ci.auc, roc.test) of its data set aSAH, `nbs/data/asah.csv`;
- `data/proc.json`: pROC 1.18.0 under R 4.2.2 by `proc.R`, which names the calls, for aSAH and the tables below;
- `nbs/results/from_r.json`: pROC 1.18.0 by `experiments/from_r.R`, the calls of the page "From R".
"""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from running_r import run_r

from aucbook import auc_interval, auc_test, partial_auc, roc_auc, roc_curve, tpr_at_fpr
from aucbook.inference import auc_power, auc_test_unpaired
from aucbook.metrics import youden_threshold
from aucbook.thresholds import operating_point

HERE = Path(__file__).parent
STORED = json.loads((HERE / "data/proc.json").read_text(encoding="utf8"))
ROWS = np.arange(60)
LABELS = ((ROWS * 7) % 5 < 2).astype(int)
TABLES = {
    "ties": (LABELS, (ROWS * 37) % 11 + 3 * LABELS, (ROWS * 53) % 7 + 2 * LABELS),
    "few ties": (LABELS, (ROWS * 37) % 61 + 20 * LABELS, (ROWS * 23) % 59 + 10 * LABELS),
    "falling": (LABELS, (ROWS * 37) % 11 - 2 * LABELS, (ROWS * 53) % 7 - LABELS),
}


@pytest.fixture(scope="module")
def asah(root):
    """pROC's data set aSAH, by column."""
    return np.genfromtxt(root / "nbs/data/asah.csv", delimiter=",", names=True, skip_header=3)


@pytest.fixture(scope="module")
def tables(asah):
    """{name: (labels, two scores)}."""
    pairs = {f"{a} {b}": (asah["poor"], asah[a], asah[b]) for a, b in ASAH_PAIRS}
    return TABLES | pairs


ASAH_PAIRS = [("wfns", "s100b"), ("wfns", "ndka")]


def our_numbers(y, a, b):
    """The numbers that proc.R prints, from here, under the same names."""
    reversed_roles = 1 - np.asarray(y), -np.asarray(a)
    interval = auc_interval(y, a, scale="linear")
    narrow = auc_interval(y, a, scale="linear", confidence_level=0.9)
    paired = auc_test(y, a, b, margin=0, scale="linear")
    paired_90 = auc_test(y, a, b, scale="linear", confidence_level=0.9)
    unpaired = auc_test_unpaired(y, a, y, b, scale="linear")
    curve = roc_curve(y, a)
    at_median = operating_point(y, a, np.median(a))
    return {
        "auc": [roc_auc(y, a), roc_auc(y, b)],
        "partial, raw": [
            partial_auc(y, a, max_fpr=0.1, form="raw"),
            partial_auc(y, a, min_fpr=0.2, max_fpr=0.55, form="raw"),
        ],
        "partial, sensitivity": [partial_auc(*reversed_roles, max_fpr=0.15, form="raw")],
        "partial, corrected": [partial_auc(y, a, max_fpr=0.6, form="mcclish")],
        "variances": paired.covariance.diagonal(),
        "covariance": [paired.covariance[0, 1]],
        "interval": [interval.low, interval.estimate, interval.high],
        "interval 90 %": [narrow.low, narrow.estimate, narrow.high],
        "paired": [paired.statistic, paired.pvalue, paired.low, paired.high],
        "paired 90 %": [paired_90.low, paired_90.high],
        "paired greater": [paired.noninferiority],
        "unpaired": [unpaired.statistic, unpaired.df, unpaired.pvalue],
        "curve fpr": curve.fpr,
        "curve tpr": curve.tpr,
        "tpr at fpr": tpr_at_fpr(y, a, [0, 0.0513, 0.1031, 0.3337, 0.5071, 1]),
        "youden": [youden_threshold(y, a)[1]],
        "operating point": [
            at_median.true_positives,
            at_median.false_negatives,
            at_median.false_positives,
            at_median.true_negatives,
            at_median.tpr.value,
            at_median.specificity.value,
            at_median.ppv.value,
            at_median.npv.value,
            at_median.accuracy.value,
        ],
    }


def assert_same(ours, theirs):
    """pROC has no answer (None) to one question that we answer: a corrected partial area below the diagonal."""
    assert ours.keys() == theirs.keys()
    for key, numbers in theirs.items():
        if key == "partial, corrected" and numbers == [None]:
            continue
        np.testing.assert_allclose(ours[key], numbers, rtol=1e-9, atol=1e-12, err_msg=key)


def as_proc_says(tables, folder):
    """({table: {key: numbers}}, version) as pROC prints them now."""
    path = folder / "tables.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["table", "y", "a", "b"])
        for name, columns in tables.items():
            writer.writerows([name, *map(repr, map(float, row))] for row in zip(*columns))
    numbers = {name: {} for name in tables}
    for line in run_r(HERE / "proc.R", path, package="pROC"):
        name, key, values = line.split("\t")
        if name == "version":
            version = values
        else:
            numbers[name][key] = [None if v == "NA" else float(v) for v in values.split()]
    return numbers, version


@pytest.mark.parametrize("name", STORED["numbers"])
def test_as_stored(name, tables):
    assert_same(our_numbers(*tables[name]), STORED["numbers"][name])


def test_every_table_is_stored(tables):
    assert STORED["numbers"].keys() == tables.keys()


def test_as_proc_says_today(tables, tmp_path):
    """The tables of the file, and random ones with and without ties, on several scales."""
    rng = np.random.default_rng(1)
    for k, digits in enumerate([0, 1, 1, 2, 15, 15]):
        y = rng.permutation(np.repeat([0, 1], rng.integers(4, 60, 2)))
        a, b = (np.round(rng.normal(size=y.size) + y, digits) for _ in range(2))
        tables = tables | {f"random {k}": (y, a, np.exp(3 * b) if k % 2 else b)}
    numbers, _ = as_proc_says(tables, tmp_path)
    for name, columns in tables.items():
        assert_same(our_numbers(*columns), numbers[name])


def test_as_procs_own_tests_expect(root, asah):
    y = asah["poor"]
    want = json.loads((root / "nbs/data/asah_proc.json").read_text())
    assert y.size == 113
    for name in ("wfns", "s100b", "ndka"):
        got = auc_interval(y, asah[name])
        assert got.estimate == pytest.approx(want["auc"][name], abs=1e-14)
        assert got.variance == pytest.approx(want["variance"][name], rel=1e-9)
    interval = auc_interval(y, asah["ndka"], scale="linear")
    assert interval[1:3] == pytest.approx(want["ci"]["ndka"], rel=1e-9)
    for pair, w in want["paired"].items():
        a, b = pair.split()
        got = auc_test(y, asah[a], asah[b], scale="linear")
        assert (got.statistic, got.pvalue) == pytest.approx((w["z"], w["p"]), rel=1e-9)
        assert (got.low, got.high) == pytest.approx((w["low"], w["high"]), rel=1e-9)
    for pair, w in want["unpaired"].items():
        a, b = pair.split()
        got = auc_test_unpaired(y, asah[a], y, asah[b], scale="linear")
        assert (got.statistic, got.pvalue) == pytest.approx((w["t"], w["p"]), rel=1e-9)
    for name, low, high, form, area in want["partial"]:
        got = auc_interval(y, asah[name], min_fpr=low, max_fpr=high, form=form)
        assert got.estimate == pytest.approx(area, abs=1e-14)


def test_as_the_page_from_r_has_it(root, asah):
    """Every number of pROC that is stored for the page "From R"; but for two optima, which have a test of their own."""
    stored = json.loads((root / "nbs/results/from_r.json").read_text(encoding="utf8"))["numbers"]
    y = asah["poor"]
    s = asah["s100b"]
    other = asah["ndka"]
    interval = auc_interval(y, s, scale="linear")
    test = auc_test(y, s, other, margin=0, scale="linear")
    apart = auc_test_unpaired(y, s, y, other, scale="linear")
    point = operating_point(y, s, 0.205)
    theta, youden = youden_threshold(y, s)
    best = operating_point(y, s, theta)
    ours = {
        "pROC auc": [roc_auc(y, s), roc_auc(y, other)],
        "pROC partial": [partial_auc(y, s, max_fpr=0.1, form="raw")],
        "pROC partial corrected": [partial_auc(y, s, max_fpr=0.1, form="mcclish")],
        "pROC partial se": [partial_auc(1 - y, -s, max_fpr=0.1, form="raw")],
        "pROC partial se inside": [partial_auc(1 - y, -s, min_fpr=0.1, max_fpr=0.2, form="raw")],
        "pROC ci.auc": [interval.low, interval.estimate, interval.high],
        "pROC var": [interval.variance],
        "pROC cov": [test.covariance[0, 1]],
        "pROC roc.test": [test.statistic, test.pvalue, test.low, test.high],
        "pROC roc.test less": [1 - test.noninferiority],
        "pROC roc.test unpaired": [apart.statistic, apart.df, apart.pvalue],
        "pROC coords": [
            point.true_positives,
            point.false_negatives,
            point.false_positives,
            point.true_negatives,
            point.tpr.value,
            point.specificity.value,
            point.ppv.value,
            point.npv.value,
            point.accuracy.value,
        ],
        "pROC coords specificity": [tpr_at_fpr(y, s, 0.1)],
        "pROC coords sensitivity": [tpr_at_fpr(1 - y, -s, 0.1)],
    }
    for name, numbers in ours.items():
        np.testing.assert_allclose(numbers, stored[name], rtol=1e-7, err_msg=name)
    # pROC's Youden index is 1 more, and its threshold lies half way to the next lower score
    assert youden + 1 == pytest.approx(stored["pROC coords best"][1])
    rates = best.tpr.value, best.specificity.value
    assert rates == pytest.approx(stored["pROC coords best"][2:])
    # pROC takes Obuchowski's variance, we the binormal model's: near, not the same
    power = auc_power(0.75, n_pos=30, n_neg=60)
    assert power == pytest.approx(stored["pROC power.roc.test"][0], abs=0.03)
    without_equivalent = {"pROC coords topleft", "pROC coords weights"}
    compared = {*ours, "pROC coords best", "pROC power.roc.test"}
    assert compared | without_equivalent == {n for n in stored if n.startswith("pROC")}
