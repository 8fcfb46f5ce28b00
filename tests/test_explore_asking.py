"""The explorable of Nscore: self-contained, and its votes, weights and rounds are the library's."""

import re

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from test_explore import SAY

from aucbook.explore import asking_explorer
from aucbook.explore.asking import (
    TITLES,
    WANTED,
    cut_scores,
    pav_scores,
    signed,
    similarities,
    vote_of,
)
from aucbook.text import Nscore

Y = np.array(WANTED)
S = similarities(TITLES)
READ = [SAY, ["texts", ".score"], ["attributes", ".weight", "transform"]]


def numbers(words):
    return [float(v.replace("−", "-")) for v in re.findall(r"[-−+]?\d+\.\d+", words)]


def test_block_is_self_contained():
    html = asking_explorer()._repr_html_()
    assert html == asking_explorer()._repr_html_() and len(html.encode()) < 40_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert (
        html.count("<title>")
        == html.count("<desc>")
        == html.count("<svg") - html.count('aria-hidden="true"')
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: asking_explorer(["a b"] * 3, [0, 1, 0]),
        lambda: asking_explorer(["a b", "b a", "c", "d"], [0, 1, 0, 1]),
        lambda: asking_explorer(["a", "b", "c", "d"], [0, 1, 0]),
        lambda: asking_explorer(["a", "b", "c", "d"], [0, 0, 0, 0]),
        lambda: asking_explorer(["a", "b", "c", "d" * 50], [0, 1, 0, 1]),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match="titles|wanted|class"):
        call()


def test_scripts_off_and_on_a_phone(drive):
    steps = [
        ["shown", ".ax-panels svg", None],
        ["shown", ".ax-controls", None],
        SAY,
        ["width", "body", None],
    ]
    picture, controls, said, width = drive(steps, asking_explorer(), scripts=False, width=390)
    assert picture and not controls and width <= 390
    assert (
        drive([SAY], asking_explorer())[0] == said
    )  # the script's first sentence is the static one


def test_pav_rounds_are_nscore(drive):
    """The documents that Nscore asks, with PAV's curve: its scores round by round."""
    counts = CountVectorizer(token_pattern=r"\S+").fit_transform(TITLES)
    model = Nscore(6).fit(counts, Y)
    steps = [["click", ".ax-pill:nth-child(2)"]]
    for pick in model.picks_:
        steps += [["press", "[name=ask]", "Home"], *pick * [["press", "[name=ask]", "ArrowRight"]]]
        steps += [SAY, ["click", "[name=vote]"], *READ]
    seen = drive(steps, asking_explorer())
    for t, f in enumerate(model.staged_decision_function(counts)):
        before, said, scores, weights = seen[4 * t : 4 * t + 4]
        assert f"ask title {model.picks_[t] + 1}," in before
        assert (
            abs(numbers(before)[1] - model.history_["Z"][t]) <= 0.005 + 1e-6
        )  # two decimals are shown
        np.testing.assert_allclose([numbers(s)[0] for s in scores], f, atol=0.0051)
        D = np.exp(-(2 * Y - 1) * f)
        sizes = [float(w.split("scale(")[1].rstrip(")")) for w in weights]
        np.testing.assert_allclose(
            sizes, np.sqrt(6 * D / D.sum()), atol=0.001
        )  # four decimals of similarity
        assert said.startswith("All 6 scores") == bool((np.where(Y, f, -f) > 0).all())


def test_cuts_are_isotonic_votes_and_start_again(drive):
    steps = []
    expected = []
    f = np.zeros(6)
    for ask, k in ((0, 2), (3, 1), (5, 3), (4, 2)):
        steps += [["press", "[name=ask]", "Home"], *ask * [["press", "[name=ask]", "ArrowRight"]]]
        steps += [
            *(k - 1) * [["press", "[name=k]", "ArrowRight"]],
            SAY,
            ["click", "[name=vote]"],
            *READ,
        ]
        least = sorted(set(S[ask]), reverse=True)[k - 1]
        D = np.exp(-(2 * Y - 1) * f)
        D /= D.sum()
        votes, Z = vote_of(cut_scores(S[ask], Y[ask], least), Y, D)
        best = vote_of(pav_scores(S[ask], Y[ask]), Y, D)[1]
        assert best <= Z + 1e-12  # the best monotone curve
        f = f + votes
        expected.append((int((S[ask] >= least).sum()), signed(votes[ask]), Z, best, f))
    seen = drive([*steps, ["click", "[name=reset]"], *READ], asking_explorer())
    for (count, loud, Z, best, f), before, scores in zip(expected, seen[::4], seen[2::4]):
        assert f"The {count} most like it" in before and loud in before
        np.testing.assert_allclose(
            numbers(before)[2:], [Z, best], atol=0.0051
        )  # two decimals are shown
        np.testing.assert_allclose([numbers(s)[0] for s in scores], f, atol=0.0051)
    assert seen[-2] == 6 * ["0.00"] and set(seen[-1]) == {"translate(16 10) scale(1.000)"}


def test_rows_can_be_pressed(drive):
    said, shown = drive(
        [["click", ".row >> nth=5"], SAY, ["attributes", ".strip", "class"]], asking_explorer()
    )
    assert "ask title 6, not wanted" in said and [c for c in shown if "hidden" not in c] == [
        "strip"
    ]


def test_two_rounds_are_enough_and_one_is_not(drive):
    """What the lesson says of this game."""
    for ask in range(6):
        for least in sorted(set(S[ask]), reverse=True)[:-1]:
            votes, _ = vote_of(cut_scores(S[ask], Y[ask], least), Y, np.full(6, 1 / 6))
            assert not (np.where(Y, votes, -votes) > 1e-9).all()
    steps = []
    for ask in (1, 2):
        steps += [["click", f".row >> nth={ask - 1}"]]
        further = [["press", "[name=k]", "ArrowRight"]]
        cuts = sorted(set(S[ask - 1]), reverse=True)
        steps += (
            next(k for k, least in enumerate(cuts) if (S[ask - 1] >= least).sum() == 4) * further
        )
        steps += [SAY, ["click", "[name=vote]"]]
    first, second, end = drive([*steps, SAY], asking_explorer())
    assert "The 4 most like it" in first and "The 4 most like it" in second
    assert end.startswith("All 6 scores have the right sign after 2 rounds.")
