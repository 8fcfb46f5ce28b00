"""scikit-learn's own tests of calibration, with `PAVCalibrator` inside its CalibratedClassifierCV.

The tests are those of the installed scikit-learn (sklearn/tests/test_calibration.py), with the cases of isotonic calibration.
The list of those that do not apply (`differences`) was made with 1.9, and with older ones nothing is run.
"""

import pytest
import sklearn.calibration
import sklearn.isotonic
from differences import does_not_apply
from peer_modules import assert_entries_exist, import_with, keep_cases, reaching_tests
from sklearn.base import BaseEstimator
from sklearn.utils.fixes import parse_version

from aucbook import PAVCalibrator

if parse_version(sklearn.__version__) < parse_version("1.9"):
    pytest.skip("the list is for scikit-learn 1.9 and later", allow_module_level=True)


class IsotonicRegression(BaseEstimator):
    """Isotonic regression of labels by `PAVCalibrator`, with the parameters of scikit-learn's class."""

    def __init__(self, out_of_bounds="clip"):
        self.out_of_bounds = out_of_bounds

    def fit(self, X, y, sample_weight=None):
        self.calibrator_ = PAVCalibrator("linear").fit(X, y, sample_weight)
        return self

    def predict(self, X):
        return self.calibrator_.transform(X)


MODULE = import_with(
    "sklearn.tests.test_calibration", sklearn.isotonic, IsotonicRegression=IsotonicRegression
)
TESTS = reaching_tests([MODULE.CalibratedClassifierCV, IsotonicRegression], MODULE)
globals().update(keep_cases(TESTS, {"method"}, ["isotonic", "method"]))
DOES_NOT_APPLY = does_not_apply("test_calibration")


@pytest.fixture(autouse=True)
def ours_inside(monkeypatch):
    """CalibratedClassifierCV makes the calibrator of its module."""
    monkeypatch.setattr(sklearn.calibration, "IsotonicRegression", IsotonicRegression)


def test_every_entry_is_a_test(request):
    assert_entries_exist(request, DOES_NOT_APPLY)
