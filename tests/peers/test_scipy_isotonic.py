"""SciPy's own tests of isotonic regression, run on `pav`.

The tests are those of the installed SciPy (scipy/optimize/tests/test_isotonic_regression.py); the list of those that do not apply
was made with 1.17, and with older ones nothing is run.
"""

import numpy as np
import pytest
import scipy.optimize
from peer_modules import assert_entries_exist, import_with, reaching_tests
from sklearn.utils.fixes import parse_version

from aucbook import pav

if parse_version(scipy.__version__) < parse_version("1.17"):
    pytest.skip("the list is for SciPy 1.17 and later", allow_module_level=True)


def isotonic_regression(y, *, weights=None, increasing=True):
    fit = pav(y, weights, increasing=increasing)
    blocks = np.r_[0, np.flatnonzero(np.diff(fit)) + 1, fit.size]
    weights = np.ones(fit.size) if weights is None else np.asarray(weights, float)
    weights_of_blocks = np.add.reduceat(weights, blocks[:-1])
    return scipy.optimize.OptimizeResult(x=fit, weights=weights_of_blocks, blocks=blocks)


MODULE = import_with(
    "scipy.optimize.tests.test_isotonic_regression",
    scipy.optimize,
    isotonic_regression=isotonic_regression,
)
globals().update(reaching_tests([isotonic_regression], MODULE))
DOES_NOT_APPLY = {"errors have other words, and a weight may be zero": ["test_raise_error"]}


def test_every_entry_is_a_test(request):
    assert_entries_exist(request, DOES_NOT_APPLY)
