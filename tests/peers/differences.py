"""Where scikit-learn's own tests find us different: what, why, and which tests.

A test that is listed here has to fail (`expect_failure`), so the list has no difference that is gone. The page "Where we differ from
scikit-learn, and why" has a row for each; `python tests/peers/differences.py` writes its table.
"""

import json
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "nbs/howto/differences.ipynb"
HEADER = "| scikit-learn | aucbook | why | found by |\n|:--|:--|:--|:--|"


@dataclass(frozen=True)
class Difference:
    """One difference, as the page says it.

    tests: {scikit-learn's test module: names of tests, or of single cases with the parameters in brackets}.
    """

    theirs: str
    ours: str
    why: str
    tests: dict[str, list[str]]


FOREST = "[RandomForestClassifier]"
DIFFERENCES = [
    Difference(
        theirs="More than two classes, by averages over classes or pairs (`ovr`, `ovo`)",
        ours="Two classes; a third is an error",
        why="A ranking puts positives before negatives. An average over classes hides which pair is "
        "ranked badly: compare one class with the rest, `y == 2`",
        tests={
            "test_ranking": [
                "test_multiclass_ovo_roc_auc_toydata",
                "test_multiclass_ovo_roc_auc_toydata_binary",
                "test_multiclass_ovr_roc_auc_toydata",
                "test_perfect_imperfect_chance_multiclass_roc_auc",
                "test_micro_averaged_ovr_roc_auc",
                "test_roc_auc_score_multiclass_labels_error",
                "test_roc_auc_score_multiclass_error",
                "test_multiclass_ranking_metrics_raise_for_incorrect_shape_of_y_score",
            ],
            "test_common": [
                "test_normalize_option_multiclass_classification",
                "test_multiclass_sample_weight_invariance",
                "test_continuous_metric_permutation_invariance",
                "test_array_api_classification_mixed_string_numeric_input",
            ],
            "test_forest": [
                "test_dtype_convert",
                "test_forest_feature_importances_sum",
                "test_round_samples_to_one_when_samples_too_low",
            ],
            "test_weight_boosting": [
                "test_iris",
                "test_adaboost_consistent_predict",
                "test_adaboost_decision_function",
            ],
        },
    ),
    Difference(
        theirs="Several columns of labels in one call (multilabel, multioutput), and sparse labels",
        ours="One column of labels",
        why="Each column is a question of its own, with its own threshold: call once for each column",
        tests={
            "test_ranking": ["test_average_precision_score_multilabel_pos_label_errors"],
            "test_common": [
                "test_averaging_multilabel",
                "test_multilabel_sample_weight_invariance",
                "test_continuous_multilabel_multioutput_permutations_invariance",
            ],
            "test_forest": [
                "test_multioutput",
                "test_multioutput_string",
                "test_classes_shape",
                "test_sparse_input",
                "test_class_weight_balanced_and_bootstrap_multi_output",
                "test_forest_y_sparse",
                f"test_class_weight_errors{FOREST}",
            ],
        },
    ),
    Difference(
        theirs="Labels of one class: a warning, and NaN or a constant",
        ours="An error",
        why="Without positives or without negatives there is nothing to rank, and a NaN would be found "
        "only at the end of a long cross-validation. Stratified folds avoid it",
        tests={
            "test_ranking": [
                "test_roc_curve_one_label",
                "test_roc_curve_toydata",
                "test_auc_score_non_binary_class",
                "test_precision_recall_curve_toydata",
                "test_precision_recall_curve_drop_intermediate",
            ],
            "test_calibration": ["test_calibration_prob_sum[True-isotonic]"],
            "test_weight_boosting": ["test_oneclass_adaboost_proba"],
        },
    ),
    Difference(
        theirs="Without `pos_label`, labels other than 0 and 1, or −1 and 1, are an error",
        ours="The last label in sorted order is positive, and a warning names it",
        why="A first look at a table with words as labels should work; the warning says what to write",
        tests={
            "test_ranking": [
                "test_confusion_matrix_at_thresholds_implicit_pos_label[precision_recall_curve]",
                "test_confusion_matrix_at_thresholds_implicit_pos_label[det_curve]",
                "test_confusion_matrix_at_thresholds_implicit_pos_label[roc_curve]",
                "test_confusion_matrix_at_thresholds_implicit_bytes_pos_label",
                "test_det_curve_bad_input[y_true4-y_pred4-pos_label is not specified]",
            ],
            "test_common": ["test_metrics_pos_label_error_str"],
        },
    ),
    Difference(
        theirs="Labels of two types in one column, `'foo'` and `1`",
        ours="An error that names the rows",
        why="Mostly a mistake in reading the table: 1 and '1' would be two classes",
        tests={"test_weight_boosting": ["test_classification_toy", "test_estimator"]},
    ),
    Difference(
        theirs="The words of error messages",
        ours="The same error (`ValueError`, `NotFittedError`) in other words",
        why="A message of ours says what to do, with our names",
        tests={
            "test_ranking": [
                "test_confusion_matrix_at_thresholds_multiclass_error[precision_recall_curve]",
                "test_confusion_matrix_at_thresholds_multiclass_error[det_curve]",
                "test_confusion_matrix_at_thresholds_multiclass_error[roc_curve]",
                "test_det_curve_bad_input[y_true0-y_pred0-inconsistent numbers of samples]",
                "test_det_curve_bad_input[y_true1-y_pred1-inconsistent numbers of samples]",
                "test_average_precision_score_binary_pos_label_errors",
                "test_average_precision_score_multiclass_pos_label_errors",
            ],
            "test_forest": [f"test_unfitted_feature_importances{FOREST}"],
            "test_weight_boosting": ["test_adaboost_classifier_sample_weight_error"],
        },
    ),
    Difference(
        theirs="Sums over rows, `log_loss(normalize=False)`",
        ours="Means over rows",
        why="A measure has an interval and is compared between samples of different sizes. The sum is "
        "the mean times the number of rows",
        tests={"test_common": ["test_normalize_option_binary_classification"]},
    ),
    Difference(
        theirs="`isotonic_regression` of float32 gives float32",
        ours="`pav` computes and returns float64",
        why="Sums of many float32 lose digits, and ties would depend on them",
        tests={"test_isotonic": ["test_isotonic_dtype[float32]"]},
    ),
    Difference(
        theirs="The forest is a sequence of scikit-learn's trees: `len(forest)`, `apply`, "
        "`decision_path`, `estimators_[0].tree_`",
        ours="Trees of our own in `estimators_`",
        why="They are packed for speed and for model files without code, and have other fields than "
        "scikit-learn's trees",
        tests={
            "test_forest": [
                f"test_classification_toy{FOREST}",
                f"test_parallel{FOREST}",
                f"test_min_samples_leaf{FOREST}",
                f"test_warm_start{FOREST}",
                f"test_warm_start_clear{FOREST}",
                f"test_decision_path{FOREST}",
                f"test_little_tree_with_small_max_samples{FOREST}",
            ]
        },
    ),
    Difference(
        theirs="`criterion` of the forest: `'gini'`, `'entropy'`, `'log_loss'`",
        ours="`'gini'` and `'ranking'`",
        why="Two to choose from: the Gini impurity, and the criterion of the paper on ranking trees",
        tests={
            "test_forest": [
                "test_iris_criterion[log_loss-RandomForestClassifier]",
                "test_importances[RandomForestClassifier-log_loss-float64]",
                "test_importances[RandomForestClassifier-log_loss-float32]",
                "test_missing_values_is_resilient[RandomForestClassifier-log_loss]",
                "test_missing_value_is_predictive[RandomForestClassifier-log_loss]",
            ]
        },
    ),
    Difference(
        theirs="Sample weights of the forest: only their ratios count",
        ours="Frequency weights: a row of weight 2 is two equal rows",
        why="`min_samples_leaf` and the smoothing of leaves count rows, so twice all weights is twice "
        "the data",
        tests={
            "test_forest": [
                "test_importances[RandomForestClassifier-gini-float64]",
                "test_importances[RandomForestClassifier-gini-float32]",
            ]
        },
    ),
    Difference(
        theirs="`min_samples_split`, `max_leaf_nodes`, `min_weight_fraction_leaf` and "
        "`min_impurity_decrease` of the forest",
        ours="`max_depth` and `min_samples_leaf`",
        why="Two limits on the size of a tree are enough where its leaves are smoothed",
        tests={
            "test_forest": [
                f"test_min_samples_split{FOREST}",
                f"test_max_leaf_nodes_max_depth{FOREST}",
                f"test_min_weight_fraction_leaf{FOREST}",
                "test_min_impurity_decrease",
            ]
        },
    ),
    Difference(
        theirs="`warm_start` warns where there are no further trees to grow",
        ours="No warning",
        why="The forest is what was asked for: as many trees as before",
        tests={"test_forest": [f"test_warm_start_equal_n_estimators{FOREST}"]},
    ),
    Difference(
        theirs="Each tree gets all rows (`bootstrap=False`), or a sample of any size (`max_samples=1.0` and above)",
        ours="A share of the rows below 1, or a number below theirs, drawn without replacement within each class, or with None a "
        "bootstrap sample: every tree leaves rows out",
        why="No sample lacks a class, and scores of rows left out are what smoothing and calibration are "
        "fitted to",
        tests={
            "test_forest": [
                f"test_max_samples_geq_one{FOREST}",
                f"test_max_samples_bootstrap{FOREST}",
                f"test_max_samples_boundary_classifiers{FOREST}",
                "test_memory_layout",
            ]
        },
    ),
    Difference(
        theirs="`predict_log_proba`",
        ours="`predict_proba`",
        why="Calibrated probabilities may be 0 or 1, whose logarithm is infinite: "
        "`np.log(predict_proba(X))` where that is wanted",
        tests={
            "test_forest": [f"test_probability{FOREST}"],
            "test_weight_boosting": ["test_sparse_classification"],
        },
    ),
    Difference(
        theirs="The parameters of AdaBoost: `estimator`, `learning_rate`",
        ours="`weak_ranker`, and no learning rate",
        why="As in the papers: each round has the weight that minimises its loss",
        tests={"test_weight_boosting": ["test_gridsearch", "test_sample_weights_infinite"]},
    ),
    Difference(
        theirs="`staged_predict` and other results after each round",
        ours="`staged_decision_function`",
        why="A ranking is judged by its scores; labels and probabilities need a calibrator for each round",
        tests={"test_weight_boosting": ["test_staged_predict"]},
    ),
    Difference(
        theirs="AdaBoost hands tables of any shape to its base learner",
        ours="Tables of rows and columns",
        why="Rows and columns are checked once for all rankers, so that messages can name them",
        tests={"test_weight_boosting": ["test_multidimensional_X"]},
    ),
    Difference(
        theirs="Sample weights as small as 1e-263",
        ours="The largest weight must be between 1e-100 and 1e100",
        why="Their sums, squares and products would vanish or overflow. Divided by their mean they mean "
        "the same",
        tests={
            "test_weight_boosting": [
                "test_adaboost_numerically_stable_feature_importance_with_small_weights"
            ]
        },
    ),
    Difference(
        theirs="Private attributes that tests look at (`_sample_weight`, `_validate_y_class_weight`)",
        ours="Others",
        why="They are not part of the interface; our own tests ask the same of `class_weight`",
        tests={
            "test_forest": [
                "test_validate_y_class_weight",
                "test_class_weights_forest",
                f"test_oob_not_computed_twice{FOREST}",
            ]
        },
    ),
]


def does_not_apply(module: str) -> dict[str, list[str]]:
    """{reason: tests} of one of scikit-learn's test modules."""
    return {
        f"{difference.ours}. {difference.why}": difference.tests[module]
        for difference in DIFFERENCES
        if module in difference.tests
    }


def row(difference: Difference) -> str:
    """The row of a difference in the page's table."""
    modules = ", ".join(f"`{module}`" for module in difference.tests)
    return f"| {difference.theirs} | {difference.ours} | {difference.why} | {modules} |"


def table() -> str:
    """The page's table."""
    return "\n".join([HEADER, *map(row, DIFFERENCES)])


def write_page():
    """Replace the table of the page."""
    page = json.loads(PAGE.read_text(encoding="utf8"))
    for cell in page["cells"]:
        if "".join(cell["source"]).startswith(HEADER):
            cell["source"] = table().splitlines(keepends=True)
    PAGE.write_text(json.dumps(page, indent=1, ensure_ascii=False) + "\n", encoding="utf8")


if __name__ == "__main__":
    write_page()
