"""Pages draw at random with a seed: an estimator or a function without one gives other numbers in the next run, and a stored output is stale by chance."""

import ast
import inspect
from importlib import import_module

import nbformat
import pytest
from notebooks import ROOT, notebooks
from sklearn.utils import all_estimators

PATHS = {
    path.relative_to(ROOT / "nbs").with_suffix("").as_posix(): path
    for path in notebooks()
    if "workshop" not in path.parts
}

PACKAGES = (
    "aucbook",
    "aucbook.boosting",
    "aucbook.calibration",
    "aucbook.inference",
    "aucbook.theory",
)


def draws(callable_):
    """Whether another call with the same arguments may give another result."""
    state = inspect.signature(callable_).parameters.get("random_state")
    return state is not None and state.default is None


DRAWS_NOTHING = {  # what has a random_state and, as pages use them, do not draw
    "AUCBoost",
    "DummyClassifier",
    "HistGradientBoostingClassifier",
    "LGBMClassifier",
    "LinearSVC",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MartiRank",
    "PAVAdaBoost",
    "PCA",
    "PartialAUCSVM",
    "PartialAUCSVMCV",
    "TreeRank",
    "TreeRankBoost",
    "TunedThresholdClassifierCV",
    "auc_interval",
    "auc_test",
    "roc_band",
}
LIBRARY = [  # public names, whose random_state is None unless it is given
    (name, public)
    for package in PACKAGES
    for name, public in inspect.getmembers(import_module(package), callable)
]
DRAWING = {  # name -> at which place of the arguments the seed stands
    name: list(inspect.signature(callable_).parameters).index("random_state")
    for name, callable_ in all_estimators() + LIBRARY
    if draws(callable_) and name not in DRAWS_NOTHING
}


def name_of(call):
    return ast.unparse(call.func).split(".")[-1]


def has_seed(call):
    """What stands inside such a call is seeded by it: AdaBoostClassifier(DecisionTreeClassifier(), random_state=0)."""
    keywords = [ast.unparse(keyword) for keyword in call.keywords]
    if "band=None" in keywords or len(call.args) > DRAWING.get(name_of(call), len(call.args)):
        return True
    return any(keyword.startswith(("random_state=", "**")) for keyword in keywords)


def unseeded_estimators(source):
    """The estimators of a cell that draw at random, and whose fit another run would not give again."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    seeded = {node for call in calls if has_seed(call) for node in ast.walk(call)}
    names = [name_of(call) for call in calls if call not in seeded]
    return [name for name in names if name in DRAWING]


def test_unseeded_estimators_are_found():
    tree = "DecisionTreeClassifier()"
    assert unseeded_estimators(tree) == ["DecisionTreeClassifier"]
    assert unseeded_estimators(f"AdaBoostClassifier({tree})") == [
        "AdaBoostClassifier",
        "DecisionTreeClassifier",
    ]
    assert not unseeded_estimators(f"AdaBoostClassifier({tree}, random_state=0)")


def test_unseeded_functions_are_found():
    assert unseeded_estimators("tpr_interval(y, s, fpr=0.1)") == ["tpr_interval"]
    assert not unseeded_estimators("tpr_interval(y, s, fpr=0.1, **settings)")
    assert not unseeded_estimators("tpr_interval(y, s, fpr=0.1, random_state=0)")
    assert unseeded_estimators("make_three_gaussians(3, 50)") == ["make_three_gaussians"]
    assert not unseeded_estimators("make_three_gaussians(3, 50, 0)")
    assert unseeded_estimators("reliability_curve(y, p)") == ["reliability_curve"]
    assert not unseeded_estimators("reliability_curve(y, p, band=None)")


def is_python(source):
    return not source.lstrip().startswith(("%", "!"))


@pytest.mark.parametrize("name", PATHS)
def test_estimators_on_pages_have_a_seed(name):
    cells = nbformat.read(PATHS[name], 4).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    unseeded = {source: unseeded_estimators(source) for source in code if is_python(source)}
    assert not any(unseeded.values()), {
        source: names for source, names in unseeded.items() if names
    }
