"""Join the dots of the folds: self-contained, usable by keys, and its numbers are NumPy's."""

import numpy as np
import pytest
from test_explore import SAY

from aucbook.explore import dots_explorer
from aucbook.explore.dots import BAYES, LINE

A, B = np.array(LINE), np.array(BAYES)
JOINED, WRONG = "[name=joined]", ["click", "[name=wrong]"]


def test_block_is_self_contained():
    html = dots_explorer()._repr_html_()
    assert html == dots_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert html.count("<title>") == html.count("<desc>") == html.count("<svg") == 2


def test_scripts_off_and_phone(drive):
    steps = [["shown", ".ax-panels svg"], ["shown", ".ax-controls"], SAY, ["width", "body"]]
    picture, controls, said, width = drive(steps, dots_explorer(), scripts=False, width=390)
    assert picture and not controls and width <= 390
    assert drive([SAY], dots_explorer())[0] == said  # the script's first sentence is the static one
    for v in (A, B):
        assert f"{np.cumsum(v)[-1] / v.size:.3f} ± {v.std(ddof=1):.3f}" in said


def test_numbers_fold_by_fold(drive):
    steps = []
    for _ in A:
        steps += [["press", JOINED, "ArrowRight"], SAY]
    seen = drive(steps, dots_explorer())
    for k, said in enumerate(seen, 1):
        gaps = (A - B)[:k]
        assert f"Fold {k}: " in said and f"{abs(gaps[-1]):.3f}" in said
        if k > 1:
            assert (
                f"{gaps.mean():+.3f} ± {gaps.std(ddof=1):.3f}, {(gaps > 0).sum()} of them above zero"
                in said
            )
    assert seen[-1].endswith("what changes, the mean or the spread?")


def test_different_folds_keep_the_mean_and_not_the_spread(drive):
    hidden = ["attributes", ".join", "class"]
    first, said, last = drive(
        [hidden, ["press", JOINED, "End"], WRONG, SAY, hidden], dots_explorer()
    )
    gaps = A - np.roll(B, -5)
    assert (
        f"{(A - B).mean():+.3f} ± {gaps.std(ddof=1):.3f}" in said and gaps.std() > 3 * (A - B).std()
    )
    assert all("hidden" in c for c in first) and not any("hidden" in c for c in last)


@pytest.mark.parametrize(
    "bad", [([0.5, 0.6], [0.5, 0.6]), ([0.5] * 4, [0.5] * 3), ([0.5, np.nan, 0.6], [0.5] * 3)]
)
def test_bad_input_is_named(bad):
    with pytest.raises(ValueError):
        dots_explorer(*bad)


def test_equal_rankers_can_be_drawn(drive):
    (said,) = drive([["press", JOINED, "End"], SAY], dots_explorer([0.5] * 3, [0.5] * 3))
    assert "0.000 ± 0.000, 0 of them above zero" in said
