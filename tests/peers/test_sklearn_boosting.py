"""scikit-learn's own tests of AdaBoost, run on `PAVAdaBoost`.

The tests are those of the installed scikit-learn (sklearn/ensemble/tests/test_weight_boosting.py).
The list of those that do not apply (`differences`) was made with 1.9, and with older ones nothing is run.
"""

import pytest
import sklearn.ensemble
from differences import does_not_apply
from peer_modules import assert_entries_exist, import_with, reaching_tests
from sklearn.utils.fixes import parse_version

from aucbook import PAVAdaBoost

if parse_version(sklearn.__version__) < parse_version("1.9"):
    pytest.skip("the list is for scikit-learn 1.9 and later", allow_module_level=True)


def AdaBoostClassifier(estimator=None, *, n_estimators=50, random_state=None):
    """PAVAdaBoost with scikit-learn's parameters, and with probabilities."""
    return PAVAdaBoost(
        estimator, n_estimators=n_estimators, probability=True, random_state=random_state
    )


MODULE = import_with(
    "sklearn.ensemble.tests.test_weight_boosting",
    sklearn.ensemble,
    AdaBoostClassifier=AdaBoostClassifier,
)
# irises of two kinds
TWO_KINDS = MODULE.iris.target > 0
MODULE.iris.data, MODULE.iris.target = MODULE.iris.data[TWO_KINDS], MODULE.iris.target[TWO_KINDS]
globals().update(reaching_tests([AdaBoostClassifier], MODULE))
pytestmark = pytest.mark.slow  # sparse tables in ten formats, and forests in each round
DOES_NOT_APPLY = does_not_apply("test_weight_boosting")


def test_every_entry_is_a_test(request):
    assert_entries_exist(request, DOES_NOT_APPLY)
