"""Results as text and as HTML: one screen, three significant digits, and the curve where there is one."""

import inspect
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from discovery import PUBLIC

import aucbook
from aucbook._base.estimates import curve_sketch, short_repr, short_value
from aucbook.thresholds import FprGuarantee, guaranteed_thresholds, optimal_threshold

TUPLES = {
    name: cls
    for name, cls in PUBLIC.items()
    if inspect.isclass(cls) and issubclass(cls, tuple) and cls.__repr__ is short_repr
}
OTHER_TEXT = {
    name: cls
    for name, cls in PUBLIC.items()
    if inspect.isclass(cls) and issubclass(cls, tuple) and name not in TUPLES
}


def test_every_public_named_tuple_has_a_text_of_its_own():
    assert len(TUPLES) > 15
    generated = [
        name
        for name, cls in OTHER_TEXT.items()
        if Path(cls.__repr__.__code__.co_filename).parent.name == "collections"
    ]
    assert not generated
    assert all(hasattr(cls, "_repr_html_") for cls in {**TUPLES, **OTHER_TEXT}.values())


@pytest.mark.parametrize("name", TUPLES)
def test_a_result_fits_a_screen(name):
    cls = TUPLES[name]
    result = cls(*[np.linspace(0, 1, 500)] * len(cls._fields))
    assert repr(result) == str(result)
    assert len(repr(result).splitlines()) <= 24 and len(repr(result)) < 1500
    assert repr(result).startswith(f"{name}(")
    page = ElementTree.fromstring(f"<body>{result._repr_html_()}</body>")
    rows = [row.findtext("th") for row in page.iter("tr")][1:]
    assert rows == [field.replace("_", " ") for field in cls._fields]


@pytest.mark.parametrize(
    "value, text",
    [
        (1 / 3, "0.333"),
        (np.float64(1e-9), "1e-09"),
        (12345.6, "12346"),
        (1e300, "1e+300"),
        (np.nan, "nan"),
        (-np.inf, "-inf"),
        (np.int64(123456), "123456"),
        (np.bool_(True), "True"),
        (None, "None"),
        ("a\nb", "'a\\nb'"),
        (np.array(0.25), "0.25"),
        (np.array([]), "[]"),
        (np.array([[1.0, 2.0], [3.0, 4.0]]), "[[1, 2], [3, 4]]"),
        (np.arange(7), "<7 values, 0 to 6>"),
        (np.full(7, np.nan), "<7 values>"),
        (np.array(["a"] * 7), "<7 values>"),
        (np.zeros((3, 4)), "<3 x 4 values, 0 to 0>"),
        ({}, "{}"),
        ({"a": 1}, "<1 entry: a>"),
        ({"a": 1, 2: 3}, "<2 entries: a, 2>"),
    ],
)
def test_values(value, text):
    assert short_value(value) == text


@pytest.mark.parametrize(
    "result",
    [
        FprGuarantee(0.1).threshold(np.repeat([0.3, 1.4], [380, 20])),
        FprGuarantee(0.1).threshold(np.ones(400)),
        optimal_threshold([0, 1, 0, 1], [0.1, 1 / 3, 0.2, np.nextafter(0.5, 1)]),
        guaranteed_thresholds(np.repeat([0, 1], 50), np.arange(100) / 7, max_fpr=0.2, min_tpr=0.8),
    ],
)
def test_a_threshold_has_every_digit(result):
    """Just above a tie, the rounded number would flag all rows of the tie."""
    shown = repr(result).replace("\n", " ")
    for name in ("threshold", "negative_below"):
        if name in result._fields:
            text = repr(float(getattr(result, name)))
            assert re.search(rf"{name}={re.escape(text)}[,)]", shown)
            assert f"<td>{text}</td>" in result._repr_html_()


def test_a_sketch_has_few_points_and_keeps_the_ends():
    x = np.linspace(0, 1, 100_000)
    svg = ElementTree.fromstring(curve_sketch(x, x**2, "a < b"))
    points = svg.find("polyline").get("points").split()
    assert svg.get("aria-label") == "a < b" and len(points) == 200
    assert points[0] == "5.0,115.0" and points[-1] == "115.0,5.0"
    level = ElementTree.fromstring(curve_sketch([0, 1], [2, 2], "level"))
    assert level.find("polyline").get("points") == "5.0,115.0 115.0,115.0"


def test_a_comparison_and_a_tree_have_texts():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    tree = aucbook.TreeRank(2).fit(X, y).tree_
    assert repr(tree) == f"RankTree(leaves={tree.leaves.size}, depth={tree.depth.max()})"
    comparison = aucbook.compare_scores(y, {"one": X[:, 0], "two": X[:, 1]})
    assert repr(comparison) == str(comparison) and "one" in repr(comparison)
