"""What programs outside this repository call: these names, parameters, fields and options stay."""

import dataclasses
import inspect
from importlib import import_module

import matplotlib.pyplot as plt
import pytest
from discovery import MODULES, PUBLIC, all_rankers

import aucbook
from aucbook.cli import parser

# {package: the names that programs import from it}
NAMES = {
    "aucbook": """roc_curve roc_auc partial_auc two_way_auc tpr_at_fpr average_precision
        average_precision_11pt precision_recall_curve precision_at_k recall_at_k enrichment_factor
        bedroc net_benefit auc_interval tpr_interval auc_test pav PAVCalibrator venn_abers
        reliability_curve score_decomposition triptych fpr_threshold optimal_threshold exact_auc
        compare compare_scores load_decision AUCBoost MartiRank PAVAdaBoost PAVAdaBoostFinite
        AdditiveRanker PartialAUCSVM PartialAUCSVMCV TreeRank TreeRankForest TreeRankBoost
        RankingEnsemble TableEncoder AUC PAUC TPR AP Precision Recall EF BEDROC LogAUC TwoWay
        NetBenefit Brier""",
    "aucbook.boosting": "SMartiRank FeatureRanker ProjectionRanker",
    "aucbook.isotonic": "LinearAdaBoost LinearAdaBoostFinite Scorecard",
    "aucbook.pauc": "PAUCBoost GreedyPAUC AsymmetricSVM most_violated_ordering",
    "aucbook.text": "KNNRanker BinaryNaiveBayes Cmass Nscore Cmls",
    "aucbook.inference": "reader_study tpr_sample_size auc_sample_size auc_power signal_test",
    "aucbook.theory": """vc_bound risk_bound shattering_set Binormal GaussianPair
        adaptive_approximation distance_to_optimum""",
    "aucbook.metrics": "binned_counts",
    "aucbook.thresholds": """FprGuarantee guaranteed_thresholds operating_point decision_curve
        subgroups""",
    "aucbook.calibration": "murphy_curve calibration_line",
    "aucbook.trees": "prune shake",
}
# {package.function: parameters that programs name}
PARAMETERS = {
    "aucbook.partial_auc": "y_true y_score min_fpr max_fpr form",
    "aucbook.two_way_auc": "max_fpr min_tpr",
    "aucbook.auc_interval": "scale groups",
    "aucbook.fpr_threshold": "max_fpr confidence_level groups per",
    "aucbook.compare": "X y rankers min_fpr max_fpr cv",
    "aucbook.MartiRank": "noise_rate",
    "aucbook.pauc.most_violated_ordering": "pos_scores neg_scores min_fpr max_fpr",
}
# {package.class: fields and methods of the results}
FIELDS = {
    "aucbook.metrics.RocCurve": "fpr tpr thresholds auc hull youden plot",
    "aucbook.inference.AucInterval": "estimate low high variance",
    "aucbook.inference.AucTest": "statistic pvalue df estimates",
    "aucbook.measures.MeasureTest": "difference low high pvalue",
    "aucbook.model_selection.Comparison": "decide to_frame",
    "aucbook.deployment.Decision": "predict performance",
    "aucbook.deployment.Performance": "fpr tpr precision prevalence to_frame",
    "aucbook.trees.TreeRank": "prune shaken plot",
    "aucbook.inference.RocBand": "plot",
    "aucbook.thresholds.DecisionCurve": "plot",
}
OPTIONS = """--label --pos --min-fpr --max-fpr --guarantee --measure --groups --by --drop --na-values
    --skip-unlabelled --ignore --out --weight --time --rankers --ranker --prevalence --miss-cost
    --alarm-cost --cost-column --budget --cv --repeats --tune --minutes --jobs --seed"""
PAIRS = [(package, name) for package, names in NAMES.items() for name in names.split()]


def find(path):
    package, _, name = path.rpartition(".")
    return getattr(import_module(package), name)


@pytest.mark.parametrize("package, name", PAIRS, ids=[name for _, name in PAIRS])
def test_name(package, name):
    home = import_module(package)
    assert hasattr(home, name) and name in home.__all__


@pytest.mark.parametrize("path", PARAMETERS)
def test_parameters(path):
    assert set(PARAMETERS[path].split()) <= set(inspect.signature(find(path)).parameters)


@pytest.mark.parametrize("path", FIELDS)
def test_fields_and_methods_of_results(path):
    result = find(path)
    known = set(dir(result)) | set(getattr(result, "__annotations__", ()))
    if dataclasses.is_dataclass(result):
        known |= {field.name for field in dataclasses.fields(result)}
    assert set(FIELDS[path].split()) <= known


def test_every_ranker_can_be_fitted_and_scores_rows():
    for ranker in all_rankers().values():
        assert [*inspect.signature(ranker.fit).parameters][:4] == [
            "self",
            "X",
            "y",
            "sample_weight",
        ]


def test_options_of_the_command_line():
    commands = parser()._subparsers._group_actions[0].choices
    assert commands.keys() >= {"compare", "report", "score", "validate", "monitor", "lab"}
    known = {word for action in commands["compare"]._actions for word in action.option_strings}
    assert set(OPTIONS.split()) <= known


def test_a_curve_draws_itself():
    curve = aucbook.roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
    _, ax = plt.subplots()
    display = curve.plot(ax, name="mine", max_fpr=0.5)
    assert display.ax_ is ax and isinstance(display, aucbook.RocCurveDisplay)
    assert display.line_.get_label() == "mine: AUC 0.750,\npAUC 0.500"
    plt.close(ax.figure)


def test_exceptions_can_be_caught_by_name():
    """What is raised, or warned of, is public, but for those that become a message or another one."""
    internal = {"UserError", "InconsistentModelError", "CellError"}
    for module in MODULES.keys() - {"__main__", "_modidx"}:
        for name, value in vars(import_module(f"aucbook.{module}")).items():
            is_ours = getattr(value, "__module__", "").startswith("aucbook.")
            if inspect.isclass(value) and issubclass(value, Exception) and is_ours:
                assert name in PUBLIC or name in internal or name.startswith("_"), name


def test_what_only_the_library_uses_is_not_public():
    for package, names in (("isotonic", "value_codes CurveSum"), ("lab", "write_edition")):
        assert not set(names.split()) & set(import_module(f"aucbook.{package}").__all__)
