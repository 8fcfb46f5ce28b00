"""The explorable of a forest: its AUC on new rows and out of bag is the library's."""

import re

import numpy as np
import pytest
from explorables import SENTENCE, static_sentence

from aucbook import TreeRank, roc_auc
from aucbook.explore import forest_explorer
from aucbook.explore.forest import SEEDS


@pytest.fixture(scope="module")
def block():
    return forest_explorer()


def people(rng, n):
    y = np.arange(n) % 2
    return np.round(rng.normal(size=(n, 2)) + 0.9 * y[:, None], 2), y


def expected(seed, trees):
    """AUC of the mean vote on new rows and out of bag, and how many rows are out of bag; trees grow on the resample, with its repeats."""
    Z, z = people(np.random.default_rng(99), 400)
    rng = np.random.default_rng(seed)
    X, y = people(rng, 100)
    votes = np.zeros(400)
    out_of_bag = []
    for _ in range(trees):
        rows = rng.integers(0, 100, 100)
        model = TreeRank(max_depth=3).fit(X[rows], y[rows])

        def vote(A, model=model):
            return model.tree_.scores("fpr")[model.apply(A)]

        votes += vote(Z)
        out_of_bag.append(np.where(np.isin(np.arange(100), rows), np.nan, vote(X)))
    judged = ~np.isnan(out_of_bag).all(0)
    return (
        roc_auc(z, votes.round(9)),
        roc_auc(y[judged], np.nanmean(np.array(out_of_bag)[:, judged], 0).round(9)),
        judged.sum(),
    )


def test_it_starts_with_one_tree(block):
    assert static_sentence(block).startswith("1 tree: 7 different scores")


def test_areas_are_the_library_s_and_out_of_bag_can_be_biased_either_way(drive, block):
    read = [["press", "[name=trees]", "End"], ["click", "[name=unseen]", None], SENTENCE]
    for _ in SEEDS[1:]:
        read += [["click", "[name=other]", None], SENTENCE]
    read += [["press", "[name=trees]", "PageDown"], SENTENCE]
    *sentences, fewer = drive(read, block)
    for sentence, seed, word in zip(
        sentences, SEEDS, ["pessimistic", "optimistic", "about right"], strict=True
    ):
        expected_new, expected_out_of_bag, judged = expected(seed, 50)
        assert sentence.startswith("50 trees")
        assert sentence.endswith(word + ".")
        assert f"{judged} of the 100" in sentence
        areas = [float(v) for v in re.findall(r"area (\d\.\d+)", sentence)]
        np.testing.assert_allclose(areas, [expected_new, expected_out_of_bag], atol=0.0006)
    assert int(fewer.split()[0]) < 50


def test_out_of_bag_is_shown_only_on_request(drive, block):
    hidden = ["attributes", ".unseen, .unseen-areas", "class"]
    before, after = drive([hidden, ["press", "[name=unseen]", " "], hidden], block)
    assert all("hidden" in c for c in before)
    assert not any("hidden" in c for c in after)
