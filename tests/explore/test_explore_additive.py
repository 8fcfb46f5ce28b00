"""The explorable of an additive model: its votes, sums and probabilities are the library's."""

import re

import numpy as np
import pytest
from explorables import SENTENCE
from sklearn.datasets import load_breast_cancer

from aucbook import AdditiveRanker
from aucbook.explore import additive_explorer
from aucbook.explore.additive import COLUMNS, N_BINS, START, WORDS, fitted_curves

READ = [SENTENCE, ["texts", ".amount"], ["attributes", ".here", "transform"]]


@pytest.fixture(scope="module")
def fitted():
    return fitted_curves()


def number(text):
    return float(text.replace("−", "-"))


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
        assert len(edges) == len(votes) + 1
        assert (np.diff(edges) > 0).all()
        assert (np.diff(votes) > 0).all()


def test_two_of_three_can_turn_the_patient(fitted):
    base, curves = fitted
    start = base + sum(votes[k] for (_, votes), k in zip(curves, START))
    lowest = [start - votes[k] + votes[0] for (_, votes), k in zip(curves, START)]
    assert start > 2
    assert [log_odds < 0 for log_odds in lowest] == [True, False, True]


def test_static_figure_shows_the_start(drive):
    _, *static = drive(READ, additive_explorer(), scripts=False)
    _, *live = drive(READ, additive_explorer())
    assert live[0] == static[0]
    places = [
        [[float(v) for v in re.findall(r"\d+\.?\d*", transform)] for transform in transforms]
        for transforms in (static[1], live[1])
    ]
    np.testing.assert_allclose(*places, atol=0.011)


def test_by_keyboard(fitted, drive):
    base, curves = fitted
    steps = []
    for j in range(3):
        steps += [["press", f"[name=v{j}]", "Home"], *READ, ["click", "[name=reset]"]]
    steps += [["press", "[name=v0]", "Home"], ["press", "[name=v1]", "ArrowRight"], *READ]
    readings = drive(steps, additive_explorer())
    for j in range(3):
        sentence, amounts, _ = readings[3 * j : 3 * j + 3]
        bins = [0 if i == j else k for i, k in enumerate(START)]
        parts = [base, *(votes[k] for (_, votes), k in zip(curves, bins))]
        np.testing.assert_allclose([number(v) for v in amounts], [*parts, sum(parts)], atol=0.0051)
        is_enough = sum(parts) < 0
        assert (f"by the {WORDS[j]} alone" in sentence) == is_enough
        assert (f"The {WORDS[j]} cannot do it alone" in sentence) != is_enough
        assert f"{round(100 / (1 + np.exp(-sum(parts))))} %" in sentence
    assert "radius and texture" in readings[-3]
