"""A call as in an earlier version is refused with a sentence that shows today's."""

import re

import pytest

from aucbook import (
    AdditiveRanker,
    PartialAUCSVMCV,
    auc_interval,
    fpr_threshold,
    optimal_threshold,
    pav,
    reliability_curve,
)
from aucbook._validation.checks import reject_former_calls
from aucbook.calibration import plot_triptych
from aucbook.deployment import Decision
from aucbook.displays import RocCurveDisplay
from aucbook.explore import boosting_explorer, pauc_explorer, pruning_explorer, violated_explorer
from aucbook.inference import ReaderStudy
from aucbook.isotonic import plot_curves
from aucbook.measures import check_measures
from aucbook.model_selection import CompareOptions, Comparison, compare, compare_scores
from aucbook.pauc import pauc_objective
from aucbook.tables import describe_columns
from aucbook.text import PoissonVectors, poisson_tf_similarity
from aucbook.thresholds import decision_curve, net_benefit_of_rates


@pytest.mark.parametrize(
    "function, former, now",
    [
        (compare, "metrics", "measures="),
        (compare, "alpha", "min_fpr and max_fpr"),
        (compare, "level", "options=CompareOptions(confidence_level=...)"),
        (compare, "silence", "options=CompareOptions(ignore=...)"),
        (CompareOptions, "silence", "ignore="),
        (CompareOptions, "level", "confidence_level="),
        (check_measures, "names", "measures="),
        (compare_scores, "metrics", "measures="),
        (compare_scores, "level", "confidence_level="),
        (auc_interval, "level", "confidence_level="),
        (fpr_threshold, "level", "confidence_level="),
        (decision_curve, "level", "confidence_level="),
        (reliability_curve, "level", "confidence_level="),
        (plot_triptych, "level", "confidence_level="),
        (boosting_explorer, "n_rounds", "n_estimators="),
        (pruning_explorer, "price", "ccp_alpha="),
        (pauc_explorer, "beta", "min_fpr and max_fpr"),
        (violated_explorer, "alpha", "min_fpr and max_fpr"),
        (optimal_threshold, "false_alarm_cost", "alarm_cost="),
        (net_benefit_of_rates, "false_alarm_cost", "alarm_cost="),
        (compare, "names", "options=CompareOptions(feature_names=...)"),
        (describe_columns, "names", "feature_names="),
        (pav, "weight", "sample_weight="),
        (pauc_objective, "train_beta", "train_max_fpr="),
        (PartialAUCSVMCV, "betas", "max_fprs="),
        (AdditiveRanker, "n_estimators", "n_bags="),
        (PoissonVectors, "rate", "rate_ratio="),
        (poisson_tf_similarity, "rate", "rate_ratio="),
        (plot_curves, "names", "feature_names="),
    ],
)
def test_a_former_keyword_is_answered_with_todays(function, former, now):
    with pytest.raises(TypeError, match=f"^{function.__name__} takes .*{re.escape(now)}"):
        function(**{former: 1})


@pytest.mark.parametrize(
    "method, former, now",
    [
        (Comparison.decide, "level", "confidence_level="),
        (Decision.reasons, "most", "max_columns="),
        (ReaderStudy.cases_needed, "most", "max_cases="),
        (RocCurveDisplay.plot, "chance", "plot_chance_level="),
    ],
)
def test_a_former_keyword_of_a_method_too(method, former, now):
    with pytest.raises(TypeError, match=rf"^\w+\.{method.__name__} takes {now}, not {former}=$"):
        method(None, **{former: 1})


def test_a_former_keyword_of_a_plot_is_found_on_the_way():
    with pytest.raises(TypeError, match="takes plot_chance_level=, not chance="):
        RocCurveDisplay.from_predictions([0, 1, 0, 1], [1, 2, 3, 4], band=None, chance=False)


def test_each_function_has_its_own_words():
    @reject_former_calls(old="new=")
    def scale(values, new=1, *, min_fpr=0.0, max_fpr=1.0):
        return values, new, min_fpr, max_fpr

    assert scale([2], 3, max_fpr=0.5) == ([2], 3, 0.0, 0.5) and scale.__name__ == "scale"
    with pytest.raises(TypeError, match=r"scale takes new=, not old=$"):
        scale([2], old=3)
    with pytest.raises(TypeError, match="as min_fpr and max_fpr, not as alpha and beta"):
        scale([2], beta=0.1)
    with pytest.raises(TypeError, match=r"by name: .*scale\(values, new, max_fpr=0.1\)"):
        scale([2], 3, 0.1)


def test_a_function_without_a_range_may_take_alpha():
    @reject_former_calls(old="new=")
    def smooth(alpha, new=1):
        return alpha, new

    assert smooth(alpha=2) == (2, 1)
    with pytest.raises(TypeError, match="positional argument"):  # Python's own message
        smooth(1, 2, 3)
