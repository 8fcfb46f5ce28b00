"""Rates, calibration and isotonic regression against R's packages ROCR and rms, and against R itself.

The values are those of `nbs/results/from_r.json`: ROCR 1.0.11, rms 6.5.0 and R 4.2.2 by `experiments/from_r.R`, the calls of
the page "From R", for `nbs/data/asah.csv`. Where R is installed it is asked again. pROC's are in `test_proc.py`.
"""

import json
from importlib import import_module

import numpy as np
import pytest
from scipy.special import expit

from aucbook import Brier, PAVCalibrator, partial_auc, pav, roc_auc
from aucbook.calibration import calibration_line
from aucbook.thresholds import operating_point


@pytest.fixture(scope="module")
def stored(root):
    path = root / "nbs/results/from_r.json"
    return json.loads(path.read_text(encoding="utf8"))["numbers"]


@pytest.fixture(scope="module")
def patients(root):
    """(labels, scores) of the data set aSAH: a poor outcome, and the protein S100b."""
    path = root / "nbs/data/asah.csv"
    columns = np.genfromtxt(path, delimiter=",", names=True, skip_header=3)
    return columns["poor"], columns["s100b"]


def assert_rows(ours, stored, prefix, tolerance=1e-7):
    """Every stored number of the package is compared, and no other."""
    assert ours.keys() == {name for name in stored if name.startswith(prefix)}
    for name, numbers in ours.items():
        np.testing.assert_allclose(numbers, stored[name], rtol=tolerance, err_msg=name)


def test_as_rocr_has_it(stored, patients):
    y, s = patients
    point = operating_point(y, s, 0.22)  # ROCR's rule, too, is "at least the threshold"
    tp, fn, fp, tn = (
        getattr(point, name)
        for name in ("true_positives", "false_negatives", "false_positives", "true_negatives")
    )
    precision = point.ppv.value
    recall = point.tpr.value
    alarm_rate = (tp + fp) / y.size
    margins = (tp + fn) * (tp + fp) * (tn + fp) * (tn + fn)
    ours = {
        "ROCR auc fpr.stop": partial_auc(y, s, max_fpr=0.1, form="raw"),
        "ROCR acc": point.accuracy.value,
        "ROCR f": 2 * precision * recall / (precision + recall),
        "ROCR prec": precision,
        "ROCR rec": recall,
        "ROCR lift": precision / y.mean(),
        "ROCR rpp": alarm_rate,
        "ROCR mat": (tp * tn - fp * fn) / np.sqrt(margins),
    }
    assert_rows(ours, stored, "ROCR")


def test_as_glm_and_val_prob_have_it(stored, patients):
    y, s = patients
    p = expit(4 * s - 2)
    line = calibration_line(y, p, n_resamples=2)
    estimate, low, high = stored["glm in the large"]
    np.testing.assert_allclose(line.in_the_large, (estimate, low, high), rtol=1e-6)
    intercept, slope, *intervals = stored["glm line"]
    np.testing.assert_allclose((line.intercept.value, line.slope.value), (intercept, slope))
    # confint of R: both lower ends, then both upper ends
    lower, upper = np.reshape(intervals, (2, 2))
    ours = [(one.low, one.high) for one in (line.intercept, line.slope)]
    # glm stops when the deviance changes by less than 1e-8 of itself
    np.testing.assert_allclose(ours, np.transpose([lower, upper]), rtol=1e-6, atol=1e-6)
    auc, dxy, brier, *both, _, _, _ = stored["rms val.prob"]
    np.testing.assert_allclose((roc_auc(y, p), 2 * roc_auc(y, p) - 1), (auc, dxy), rtol=1e-7)
    assert Brier(y, p) == pytest.approx(brier, rel=1e-7)
    np.testing.assert_allclose((line.intercept.value, line.slope.value), both, rtol=1e-7)


def test_as_prop_test_has_it(stored, patients):
    """Wilson's interval, without a correction for continuity."""
    low, high = operating_point(*patients, 0.205).tpr[1:]
    np.testing.assert_allclose((low, high), stored["prop.test"], rtol=1e-7)


def test_as_isoreg_has_it(stored, patients):
    """The sum of squares of the fitted values; R's isoreg leaves it to the caller to order tied scores."""
    y, s = patients
    fit = pav(y[np.lexsort((-y, s))])
    assert [fit @ fit] == pytest.approx(stored["isoreg"], rel=1e-7)
    calibrated = PAVCalibrator(interpolation="linear").fit(s, y).transform(s)
    assert [calibrated @ calibrated] == pytest.approx(stored["isoreg"], rel=1e-7)


@pytest.mark.slow
def test_as_r_says_today(stored):
    """Of the packages that are installed here; versions may differ."""
    answer = import_module("experiments.from_r").said()
    if answer is None:
        pytest.skip("Rscript is not installed")
    versions, numbers = answer
    if versions.keys() == {"base"}:
        pytest.skip("R has neither pROC nor ROCR nor rms")
    for name, values in numbers.items():
        np.testing.assert_allclose(values, stored[name], rtol=1e-7, err_msg=name)
