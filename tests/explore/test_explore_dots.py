"""The explorable of paired differences: its numbers are NumPy's."""

import numpy as np
import pytest
from explorables import SENTENCE, static_sentence

from aucbook.explore import dots_explorer
from aucbook.explore.dots import BAYES, LINE

A = np.array(LINE)
B = np.array(BAYES)
JOINED = "[name=joined]"
WRONG = ["click", "[name=wrong]"]


def test_it_starts_with_mean_and_standard_deviation_of_both():
    for v in (A, B):
        spread = f"{np.cumsum(v)[-1] / v.size:.3f} ± {v.std(ddof=1):.3f}"
        assert spread in static_sentence(dots_explorer())


def test_numbers_fold_by_fold(drive):
    steps = []
    for _ in A:
        steps += [["press", JOINED, "ArrowRight"], SENTENCE]
    readings = drive(steps, dots_explorer())
    for k, sentence in enumerate(readings, 1):
        differences = (A - B)[:k]
        assert f"Fold {k}: " in sentence
        assert f"{abs(differences[-1]):.3f}" in sentence
        if k > 1:
            spread = f"{differences.mean():+.3f} ± {differences.std(ddof=1):.3f}"
            assert f"{spread}, {(differences > 0).sum()} of them above zero" in sentence
    assert readings[-1].endswith("what changes, the mean or the spread?")


def test_different_folds_keep_the_mean_and_not_the_standard_deviation(drive):
    hidden = ["attributes", ".join", "class"]
    first, sentence, last = drive(
        [hidden, ["press", JOINED, "End"], WRONG, SENTENCE, hidden], dots_explorer()
    )
    differences = A - np.roll(B, -5)
    assert f"{(A - B).mean():+.3f} ± {differences.std(ddof=1):.3f}" in sentence
    assert differences.std() > 3 * (A - B).std()
    assert all("hidden" in c for c in first)
    assert not any("hidden" in c for c in last)


@pytest.mark.parametrize(
    "bad", [([0.5, 0.6], [0.5, 0.6]), ([0.5] * 4, [0.5] * 3), ([0.5, np.nan, 0.6], [0.5] * 3)]
)
def test_bad_input_is_named(bad):
    with pytest.raises(ValueError):
        dots_explorer(*bad)


def test_equal_rankers_can_be_drawn(drive):
    (sentence,) = drive([["press", JOINED, "End"], SENTENCE], dots_explorer([0.5] * 3, [0.5] * 3))
    assert "0.000 ± 0.000, 0 of them above zero" in sentence
