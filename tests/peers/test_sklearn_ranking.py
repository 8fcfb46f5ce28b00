"""scikit-learn's own tests of ROC curves, precision-recall curves and their areas, run on our functions.

The tests are those of the installed scikit-learn (sklearn/metrics/tests/test_ranking.py); the list of those that do not apply was
made with 1.9, and with older ones nothing is run.
"""

import pytest
import sklearn.metrics
from peer_modules import assert_entries_exist, expect_failure, import_with, reaching_tests
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
DOES_NOT_APPLY = {
    "two classes, one score: several classes are not ranked": [
        "test_multiclass_ovo_roc_auc_toydata",
        "test_multiclass_ovo_roc_auc_toydata_binary",
        "test_multiclass_ovr_roc_auc_toydata",
        "test_perfect_imperfect_chance_multiclass_roc_auc",
        "test_micro_averaged_ovr_roc_auc",
        "test_roc_auc_score_multiclass_labels_error",
        "test_roc_auc_score_multiclass_error",
        "test_multiclass_ranking_metrics_raise_for_incorrect_shape_of_y_score",
        "test_average_precision_score_multilabel_pos_label_errors",
    ],
    "labels of one class are an error, not a warning and NaN": [
        "test_roc_curve_one_label",
        "test_roc_curve_toydata",
        "test_auc_score_non_binary_class",
        "test_precision_recall_curve_toydata",
        "test_precision_recall_curve_drop_intermediate",
    ],
    "without pos_label the larger label is positive, whatever the labels are, and a message says so": [
        "test_confusion_matrix_at_thresholds_implicit_pos_label[precision_recall_curve]",
        "test_confusion_matrix_at_thresholds_implicit_pos_label[det_curve]",
        "test_det_curve_bad_input[y_true4-y_pred4-pos_label is not specified]",
        "test_confusion_matrix_at_thresholds_implicit_pos_label[roc_curve]",
        "test_confusion_matrix_at_thresholds_implicit_bytes_pos_label",
    ],
    "the same error in other words": [
        "test_confusion_matrix_at_thresholds_multiclass_error[precision_recall_curve]",
        "test_confusion_matrix_at_thresholds_multiclass_error[det_curve]",
        "test_det_curve_bad_input[y_true0-y_pred0-inconsistent numbers of samples]",
        "test_det_curve_bad_input[y_true1-y_pred1-inconsistent numbers of samples]",
        "test_confusion_matrix_at_thresholds_multiclass_error[roc_curve]",
        "test_average_precision_score_binary_pos_label_errors",
        "test_average_precision_score_multiclass_pos_label_errors",
    ],
}


@pytest.fixture
def global_random_seed():
    """scikit-learn's fixture of this name."""
    return 42


@pytest.fixture(autouse=True)
def listed(request):
    expect_failure(request, DOES_NOT_APPLY)


def test_every_entry_is_a_test(request):
    assert_entries_exist(request, DOES_NOT_APPLY)
