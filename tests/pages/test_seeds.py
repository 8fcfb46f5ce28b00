"""Pages draw at random with a seed: an estimator without one gives other numbers in the next run, and a stored output is stale by chance."""

import ast
import inspect

import nbformat
import pytest
from notebooks import ROOT, notebooks
from sklearn.utils import all_estimators

PATHS = {
    path.relative_to(ROOT / "nbs").with_suffix("").as_posix(): path
    for path in notebooks()
    if "workshop" not in path.parts
}

DRAWS_NOTHING = {  # estimators that have a random_state and, as pages use them, do not draw
    "DummyClassifier",
    "HistGradientBoostingClassifier",
    "LGBMClassifier",
    "LinearSVC",
    "LogisticRegression",
    "LogisticRegressionCV",
    "PCA",
    "TunedThresholdClassifierCV",
}
DRAWING = {
    name
    for name, estimator in all_estimators()
    if "random_state" in inspect.signature(estimator).parameters and name not in DRAWS_NOTHING
}


def has_seed(call):
    """What stands inside such a call is seeded by it: AdaBoostClassifier(DecisionTreeClassifier(), random_state=0)."""
    return any(keyword.arg in ("random_state", None) for keyword in call.keywords)


def unseeded_estimators(source):
    """The estimators of a cell that draw at random, and whose fit another run would not give again."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    seeded = {node for call in calls if has_seed(call) for node in ast.walk(call)}
    names = [ast.unparse(call.func).split(".")[-1] for call in calls if call not in seeded]
    return [name for name in names if name in DRAWING]


def test_unseeded_estimators_are_found():
    tree = "DecisionTreeClassifier()"
    assert unseeded_estimators(tree) == ["DecisionTreeClassifier"]
    assert unseeded_estimators(f"AdaBoostClassifier({tree})") == [
        "AdaBoostClassifier",
        "DecisionTreeClassifier",
    ]
    assert not unseeded_estimators(f"AdaBoostClassifier({tree}, random_state=0)")


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
