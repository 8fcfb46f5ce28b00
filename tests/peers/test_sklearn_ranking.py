"""scikit-learn's own tests of ROC curves, precision-recall curves and their areas, run on our functions.

The tests are those of the installed scikit-learn (sklearn/metrics/tests/test_ranking.py).
The list of those that do not apply (`differences`) was made with 1.9, and with older ones nothing is run.
"""

import pytest
import sklearn.metrics
from differences import does_not_apply
from peer_modules import assert_entries_exist, import_with, reaching_tests
from sklearn.utils.fixes import parse_version

import aucbook

if parse_version(sklearn.__version__) < parse_version("1.9"):
    pytest.skip("the list is for scikit-learn 1.9 and later", allow_module_level=True)


def roc_curve(y_true, y_score, *, pos_label=None, sample_weight=None, drop_intermediate=True):
    return aucbook.metrics.roc_curve(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        drop_intermediate=drop_intermediate,
    )


def det_curve(y_true, y_score, pos_label=None, sample_weight=None, drop_intermediate=False):
    return aucbook.metrics.det_curve(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        drop_intermediate=drop_intermediate,
    )


def roc_auc_score(
    y_true,
    y_score,
    *,
    average="macro",
    sample_weight=None,
    max_fpr=None,
    multi_class="raise",
    labels=None,
):
    if max_fpr is None or max_fpr == 1:
        return aucbook.roc_auc(y_true, y_score, sample_weight=sample_weight)
    return aucbook.partial_auc(
        y_true, y_score, max_fpr=max_fpr, form="mcclish", sample_weight=sample_weight
    )


def precision_recall_curve(
    y_true, y_score, *, pos_label=None, sample_weight=None, drop_intermediate=False
):
    return aucbook.precision_recall_curve(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        drop_intermediate=drop_intermediate,
    )


def average_precision_score(
    y_true, y_score, *, average="macro", pos_label=None, sample_weight=None
):
    return aucbook.average_precision(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )


OURS = {
    f.__name__: f
    for f in (roc_curve, det_curve, roc_auc_score, precision_recall_curve, average_precision_score)
}
MODULE = import_with("sklearn.metrics.tests.test_ranking", sklearn.metrics, **OURS)
globals().update(reaching_tests(OURS.values(), MODULE))
pytestmark = pytest.mark.filterwarnings("ignore:pos_label not given:UserWarning")
DOES_NOT_APPLY = does_not_apply("test_ranking")


def test_every_entry_is_a_test(request):
    assert_entries_exist(request, DOES_NOT_APPLY)
