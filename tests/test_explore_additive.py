"""The explorable of a sum of curves: self-contained, and its votes, sums and chances are the library's."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from test_explore import SAY, text

from aucbook import AdditiveRanker
from aucbook.explore import additive_explorer
from aucbook.explore.additive import COLUMNS, N_BINS, START, WORDS, fitted_curves

READ = [SAY, ["texts", ".amount"], ["attributes", ".here", "transform"]]


@pytest.fixture(scope="module")
def fitted():
    return fitted_curves()


def number(words):
    return float(words.replace("−", "-"))


def test_block_is_self_contained():
    html = additive_explorer()._repr_html_()
    assert html == additive_explorer()._repr_html_() and len(html.encode()) < 40_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert html.count("<title>") == html.count("<desc>") == html.count("<svg") == 2


def test_its_sum_is_the_library_s(fitted):
    table = load_breast_cancer()
    X = table.data[:, [list(table.feature_names).index(column) for column in COLUMNS]]
    model = AdditiveRanker(n_bins=N_BINS).fit(X, 1 - table.target)
    base, curves = fitted
    rng = np.random.default_rng(0)
    for bins in rng.integers(0, N_BINS, (20, 3)):
        case = [(edges[k] + edges[k + 1]) / 2 for (edges, _), k in zip(curves, bins)]
        score = base + sum(votes[k] for (_, votes), k in zip(curves, bins))
        np.testing.assert_allclose(score, model.decision_function([case])[0], atol=0.021)
    for edges, votes in curves:
        assert (
            len(edges) == len(votes) + 1
            and (np.diff(edges) > 0).all()
            and (np.diff(votes) > 0).all()
        )


def test_two_of_three_can_turn_the_patient(fitted):
    base, curves = fitted
    start = base + sum(votes[k] for (_, votes), k in zip(curves, START))
    least = [start - votes[k] + votes[0] for (_, votes), k in zip(curves, START)]
    assert start > 2 and [sum_ < 0 for sum_ in least] == [True, False, True]


def test_static_figure_shows_the_start(drive):
    steps = [["shown", ".ax-panels svg"], ["shown", ".ax-controls"], ["width", "body"], *READ[1:]]
    picture, controls, width, amounts, spots = drive(
        steps, additive_explorer(), scripts=False, width=390
    )
    assert picture and not controls and width <= 390
    live = drive([*READ, ["width", "body"]], additive_explorer(), width=390)
    assert (
        live[0] == text(additive_explorer()).partition(">")[2]
        and live[1] == amounts
        and live[3] <= 390
    )
    places = [
        [[float(v) for v in re.findall(r"\d+\.?\d*", place)] for place in found]
        for found in (spots, live[2])
    ]
    np.testing.assert_allclose(*places, atol=0.011)


def test_by_keyboard(fitted, drive):
    base, curves = fitted
    steps = []
    for j in range(3):
        steps += [["press", f"[name=v{j}]", "Home"], *READ, ["click", "[name=reset]"]]
    steps += [["press", "[name=v0]", "Home"], ["press", "[name=v1]", "ArrowRight"], *READ]
    seen = drive(steps, additive_explorer())
    for j in range(3):
        said, amounts, _ = seen[3 * j : 3 * j + 3]
        bins = [0 if i == j else k for i, k in enumerate(START)]
        parts = [base, *(votes[k] for (_, votes), k in zip(curves, bins))]
        np.testing.assert_allclose([number(v) for v in amounts], [*parts, sum(parts)], atol=0.0051)
        want = (
            f"by the {WORDS[j]} alone" if sum(parts) < 0 else f"The {WORDS[j]} cannot do it alone"
        )
        assert want in said and f"{round(100 / (1 + np.exp(-sum(parts))))} %" in said
    assert "radius and texture" in seen[-3]
