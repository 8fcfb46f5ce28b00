"""scikit-learn's tests of what all metrics have in common, run on our measures of two classes.

The tests are those of the installed scikit-learn (sklearn/metrics/tests/test_common.py), with the cases of the metrics that we
have.
The list of those that do not apply (`differences`) was made with 1.9, and with older ones nothing is run.
"""

import functools

import numpy as np
import pytest
import sklearn.metrics
from differences import does_not_apply
from peer_modules import assert_entries_exist, import_with, keep_cases, reaching_tests
from sklearn.utils.fixes import parse_version
from sklearn.utils.validation import check_consistent_length
from test_sklearn_ranking import OURS as CURVES_AND_AREAS

from aucbook import Brier
from aucbook.measures import LogLoss

if parse_version(sklearn.__version__) < parse_version("1.9"):
    pytest.skip("the list is for scikit-learn 1.9 and later", allow_module_level=True)


def brier_score_loss(
    y_true, y_proba, *, sample_weight=None, pos_label=None, labels=None, scale_by_half="auto"
):
    return Brier(y_true, y_proba, pos_label=pos_label, sample_weight=sample_weight)


def log_loss(y_true, y_pred, *, normalize=True, sample_weight=None, labels=None):
    if np.ndim(y_pred) == 2:
        y_pred = np.asarray(y_pred)[:, -1]
    return LogLoss(y_true, y_pred, sample_weight=sample_weight)


def with_lengths_checked(metric):
    """The metric; unequal lengths raise scikit-learn's error, so that the rest of a test is run."""

    @functools.wraps(metric)
    def checked(y_true, y_score, *, sample_weight=None, **options):
        check_consistent_length(y_true, y_score, sample_weight)
        return metric(y_true, y_score, sample_weight=sample_weight, **options)

    return checked


OURS = {**CURVES_AND_AREAS, "brier_score_loss": brier_score_loss, "log_loss": log_loss}
# averages over several classes or labels are no measures of two classes
NAMES = {*OURS, "partial_roc_auc"}
OURS = {name: with_lengths_checked(metric) for name, metric in OURS.items()}
MODULE = import_with("sklearn.metrics.tests.test_common", sklearn.metrics, **OURS)
TARGETS = [*OURS.values(), MODULE.precision_recall_curve_padded_thresholds]
TESTS = reaching_tests(OURS.values(), MODULE)
globals().update(keep_cases(TESTS, {"name", "metric", "metric_name"}, [*NAMES, *TARGETS]))
pytestmark = pytest.mark.filterwarnings("ignore:pos_label not given:UserWarning")
DOES_NOT_APPLY = does_not_apply("test_common")


def test_every_entry_is_a_test(request):
    assert_entries_exist(request, DOES_NOT_APPLY)
