"""The explorable of Nscore: its votes, weights and rounds are the library's."""

import numpy as np
import pytest
from explorables import SENTENCE, decimals
from sklearn.feature_extraction.text import CountVectorizer

from aucbook.explore import asking_explorer
from aucbook.explore.asking import (
    SMALLEST,
    TITLES,
    WANTED,
    cut_scores,
    pav_scores,
    similarities,
    vote_of,
)
from aucbook.explore.base import signed
from aucbook.text import Nscore

Y = np.array(WANTED)
S = similarities(TITLES)
READ = [SENTENCE, ["texts", ".score"], ["attributes", ".weight", "transform"]]


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


def test_pav_rounds_are_nscore(drive):
    """The documents that Nscore asks, with PAV's curve: its scores round by round."""
    counts = CountVectorizer(token_pattern=r"\S+").fit_transform(TITLES)
    model = Nscore(6).fit(counts, Y)
    steps = [["click", ".ax-pill:nth-child(2)"]]
    for pick in model.picks_:
        steps += [["press", "[name=ask]", "Home"], *pick * [["press", "[name=ask]", "ArrowRight"]]]
        steps += [SENTENCE, ["click", "[name=vote]"], *READ]
    readings = drive(steps, asking_explorer())
    for t, f in enumerate(model.staged_decision_function(counts)):
        before, sentence, scores, weights = readings[4 * t : 4 * t + 4]
        assert f"ask title {model.picks_[t] + 1}," in before
        # two decimals are shown
        assert abs(decimals(before)[1] - model.history_["Z"][t]) <= 0.005 + 1e-6
        np.testing.assert_allclose([decimals(s)[0] for s in scores], f, atol=0.0051)
        D = np.exp(-(2 * Y - 1) * f)
        sizes = [float(w.split("scale(")[1].rstrip(")")) for w in weights]
        # four decimals of similarity
        np.testing.assert_allclose(sizes, np.sqrt(6 * D / D.sum()), atol=0.001)
        assert sentence.startswith("All 6 scores") == bool((np.where(Y, f, -f) > 0).all())


def test_thresholds_give_isotonic_votes_and_start_again(drive):
    steps = []
    expected = []
    f = np.zeros(6)
    for ask, k in ((0, 2), (3, 1), (5, 3), (4, 2)):
        steps += [["press", "[name=ask]", "Home"], *ask * [["press", "[name=ask]", "ArrowRight"]]]
        steps += [
            *(k - 1) * [["press", "[name=k]", "ArrowRight"]],
            SENTENCE,
            ["click", "[name=vote]"],
            *READ,
        ]
        least = sorted(set(S[ask]), reverse=True)[k - 1]
        D = np.exp(-(2 * Y - 1) * f)
        D /= D.sum()
        votes, Z = vote_of(cut_scores(S[ask], Y[ask], least), Y, D)
        _, Z_of_pav = vote_of(pav_scores(S[ask], Y[ask]), Y, D)
        assert Z_of_pav <= Z + 1e-12  # the best monotone votes
        f = f + votes
        expected.append(
            (int((S[ask] >= least).sum()), signed(votes[ask], SMALLEST), Z, Z_of_pav, f)
        )
    readings = drive([*steps, ["click", "[name=reset]"], *READ], asking_explorer())
    for (count, vote, Z, Z_of_pav, f), before, scores in zip(
        expected, readings[::4], readings[2::4]
    ):
        assert f"The {count} most like it" in before
        assert vote in before
        # two decimals are shown
        np.testing.assert_allclose(decimals(before)[2:], [Z, Z_of_pav], atol=0.0051)
        np.testing.assert_allclose([decimals(s)[0] for s in scores], f, atol=0.0051)
    assert readings[-2] == 6 * ["0.00"]
    assert set(readings[-1]) == {"translate(16 10) scale(1.000)"}


def test_rows_can_be_pressed(drive):
    sentence, shown = drive(
        [["click", ".row >> nth=5"], SENTENCE, ["attributes", ".strip", "class"]], asking_explorer()
    )
    assert "ask title 6, not wanted" in sentence
    assert [c for c in shown if "hidden" not in c] == ["strip"]


def test_two_rounds_are_enough_and_one_is_not(drive):
    """What the lesson says of this game."""
    for ask in range(6):
        for least in sorted(set(S[ask]), reverse=True)[:-1]:
            votes, _ = vote_of(cut_scores(S[ask], Y[ask], least), Y, np.full(6, 1 / 6))
            assert not (np.where(Y, votes, -votes) > 1e-9).all()
    steps = []
    for ask in (0, 1):
        thresholds = sorted(set(S[ask]), reverse=True)
        n_further = next(k for k, least in enumerate(thresholds) if (S[ask] >= least).sum() == 4)
        steps += [["click", f".row >> nth={ask}"]]
        steps += n_further * [["press", "[name=k]", "ArrowRight"]]
        steps += [SENTENCE, ["click", "[name=vote]"]]
    first, second, end = drive([*steps, SENTENCE], asking_explorer())
    assert "The 4 most like it" in first
    assert "The 4 most like it" in second
    assert end.startswith("All 6 scores have the right sign after 2 rounds.")
