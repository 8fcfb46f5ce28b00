"""scikit-learn's own tests of isotonic regression, with `pav` doing the fitting, also inside its IsotonicRegression.

The tests are those of the installed scikit-learn (sklearn/tests/test_isotonic.py).
The list of those that do not apply (`differences`) was made with 1.9, and with older ones nothing is run.
"""

import numpy as np
import pytest
import sklearn.isotonic
from differences import does_not_apply
from peer_modules import assert_entries_exist, import_with, reaching_tests
from sklearn.utils.fixes import parse_version

from aucbook import pav

if parse_version(sklearn.__version__) < parse_version("1.9"):
    pytest.skip("the list is for scikit-learn 1.9 and later", allow_module_level=True)


def isotonic_regression(y, *, sample_weight=None, y_min=None, y_max=None, increasing=True):
    fit = pav(y, sample_weight, increasing=increasing)
    return fit if y_min is None and y_max is None else np.clip(fit, y_min, y_max)


MODULE = import_with(
    "sklearn.tests.test_isotonic", sklearn.isotonic, isotonic_regression=isotonic_regression
)
TARGETS = [isotonic_regression, sklearn.isotonic.IsotonicRegression]
globals().update(reaching_tests(TARGETS, MODULE))
DOES_NOT_APPLY = does_not_apply("test_isotonic")


@pytest.fixture(autouse=True)
def ours_inside(monkeypatch):
    """IsotonicRegression.fit calls the function of its module."""
    monkeypatch.setattr(sklearn.isotonic, "isotonic_regression", isotonic_regression)


def test_every_entry_is_a_test(request):
    assert_entries_exist(request, DOES_NOT_APPLY)
