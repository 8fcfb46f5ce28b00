"""A parameter that many functions share has one text, which stands here.

The docstring of each function stands alone, so it repeats the text; what is particular to the function follows it. To change a
text, change it here: the test names every docstring that has another one.
"""

import inspect
import re

import pytest
from numpydoc.docscrape import NumpyDocString
from test_conventions import CLASSES, FUNCTIONS, METHODS

COLUMN = "array-like of shape (n,)"
LABELS = "Labels of two classes: numbers, bools or strings"
SCORES = "(Finite scores|Scores), larger = more likely positive"
WORKERS = (
    "Number of (workers|threads), as in joblib: None for one, -1 for all processors. "
    "The result does not depend on it."
)
# name: (its types, how its description begins), regular expressions
SHARED = {
    "y_true": (re.escape(COLUMN), LABELS),
    "y_score": (
        re.escape(COLUMN) + "(, or dict of name to array)?",
        f"{SCORES}|Probabilities of the positive class",
    ),
    "y_prob": (
        re.escape(COLUMN) + "(, or dict of name to array)?(, default None)?",
        r"Probabilities of the positive class, (each in \[0, 1\]|above 0 and below 1)",
    ),
    "pos_label": ("label, default None", "The positive class(; None for .*)?[.]"),
    "sample_weight": (
        re.escape(COLUMN) + ", default None",
        "Non-negative weights; None for all 1.",
    ),
    "groups": (
        re.escape(COLUMN) + ", default None",
        "Group of each row, such as its patient; None for independent rows.",
    ),
    "random_state": (
        "int, default 0|int, RandomState, numpy Generator or None, default (None|0)",
        "Seed of ",
    ),
    "n_jobs": ("int, default None", WORKERS),
    "verbose": ("int, default 0", "1 shows a progress bar"),
    "confidence_level": (
        "float( or None)?(, default (0.95|None))?",
        "(Simultaneous c|C)onfidence level of ",
    ),
    "n_resamples": (
        "int, default (200|500|2000)",
        "Number of (bootstrap resamples|samples of labels)",
    ),
    "budget": (
        "float, default None",
        r"The largest share of all cases that may be flagged, in \(0, 1\]; None for no limit.",
    ),
    "ax": ("matplotlib Axes, default None", "Axes to draw on; None for a new figure."),
    "min_fpr, max_fpr": (
        "float, default (0|0.001) and (0.1|1)",
        "The range of false positive rates",
    ),
}
SEED = "int | np.random.RandomState | np.random.Generator | None"
# Other meanings, each with the reason.
OTHERWISE = {
    ("BinnedCounts", "pos_label"): "the rows so far may lack a class",
    ("Decision", "pos_label"): "a number of the result: it is never None",
    ("PrecisionRecallBand.plot", "ax"): "drawn on a curve that is there",
    ("ReliabilityBand.plot", "ax"): "drawn on a curve that is there",
    ("RocBand.plot", "ax"): "drawn on a curve that is there",
    ("auc_query", "pos_label"): "a query cannot look for the larger label in advance",
    ("scores_of", "pos_label"): "the scores are those of a fitted estimator",
    ("signal_test", "n_resamples"): "permutations of the labels, or draws of columns",
}
DOCUMENTED = {**FUNCTIONS, **CLASSES, **METHODS}


def descriptions(value):
    """{names: (type, description)} of the parameters in a docstring."""
    document = NumpyDocString(re.sub(r"(?m)^    ", "", value.__doc__ or "."))
    return {p.name: (p.type, " ".join(" ".join(p.desc).split())) for p in document["Parameters"]}


def differences():
    """(function, parameter): the type and the text that are not the shared ones."""
    others = {}
    for function, value in DOCUMENTED.items():
        for name, (type_, text) in descriptions(value).items():
            types, start = SHARED.get(name, ("", ""))
            if name in SHARED and not (re.fullmatch(types, type_) and re.match(start, text)):
                others[function, name] = f"{type_} | {text}"
    return others


def test_a_parameter_has_one_text():
    assert {key: text for key, text in differences().items() if key not in OTHERWISE} == {}


def test_every_exception_is_needed():
    assert set(OTHERWISE) <= set(differences())


@pytest.mark.parametrize("name", SHARED)
def test_the_text_is_shared(name):
    users = [function for function, value in DOCUMENTED.items() if name in descriptions(value)]
    assert len(users) >= 3


def test_a_seed_has_one_annotation():
    """Where None is a seed, a RandomState and a Generator of NumPy are seeds, too."""
    others = {}
    for function, value in DOCUMENTED.items():
        type_, _ = descriptions(value).get("random_state", ("", ""))
        if "None" in type_:
            parameters = inspect.signature(getattr(value, "__func__", value)).parameters
            annotation = str(parameters["random_state"].annotation).replace("_Seed", SEED)
            if annotation != SEED:
                others[function] = annotation
    assert others == {}


def test_the_positive_class_has_one_annotation():
    others = {}
    for function, value in DOCUMENTED.items():
        if "pos_label" in descriptions(value) and function != "Decision":
            parameters = inspect.signature(getattr(value, "__func__", value)).parameters
            if parameters["pos_label"].annotation != "object":
                others[function] = parameters["pos_label"].annotation
    assert others == {}
