"""scikit-learn's own tests of its random forest, run on `TreeRankForest`.

The tests are those of the installed scikit-learn (sklearn/ensemble/tests/test_forest.py), with the cases of the classifier.
The list of those that do not apply (`differences`) was made with 1.9, and with older ones nothing is run.
"""

import pytest
import sklearn.ensemble
from differences import does_not_apply
from peer_modules import assert_entries_exist, import_with, keep_cases, reaching_tests
from sklearn.utils.fixes import parse_version

from aucbook import TreeRankForest

if parse_version(sklearn.__version__) < parse_version("1.9"):
    pytest.skip("the list is for scikit-learn 1.9 and later", allow_module_level=True)


def RandomForestClassifier(
    n_estimators=100, *, max_depth=None, bootstrap=True, max_samples=None, **parameters
):
    """TreeRankForest with scikit-learn's parameters; it always leaves rows out."""
    if not bootstrap and max_samples is None:
        max_samples = 0.8
    return TreeRankForest(
        n_estimators,
        max_depth=40 if max_depth is None else max_depth,
        max_samples=max_samples,
        **parameters,
    )


MODULE = import_with(
    "sklearn.ensemble.tests.test_forest",
    sklearn.ensemble,
    RandomForestClassifier=RandomForestClassifier,
)
# irises of two kinds
TWO_KINDS = MODULE.iris.target > 0
MODULE.iris.data, MODULE.iris.target = MODULE.iris.data[TWO_KINDS], MODULE.iris.target[TWO_KINDS]
ARGUMENTS = {"name", "Forest", "ForestClass", "ForestClassifier", "ForestEstimator"}
TESTS = reaching_tests([RandomForestClassifier], MODULE)
globals().update(keep_cases(TESTS, ARGUMENTS, [RandomForestClassifier, "RandomForestClassifier"]))
DOES_NOT_APPLY = does_not_apply("test_forest")


def test_every_entry_is_a_test(request):
    assert_entries_exist(request, DOES_NOT_APPLY)
