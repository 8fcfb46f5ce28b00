"""Branching programs: histograms and splits of a level against brute force, nodes, predictions by hand."""

import pickle

import numpy as np
import pytest

from aucbook import MartiRank
from aucbook.boosting.branching import (
    ConstantNode,
    CutNode,
    add_rows,
    best_cuts,
    corrected,
    cut_nodes,
    standard_error,
    true_rates,
)


@pytest.mark.parametrize("seed", range(10))
def test_every_node_finds_its_highest_cut(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 5, (30, 4)).astype(np.uint8)
    y = (np.arange(30) % 3 == 0).astype(np.uint8)
    mass, w = rng.random((30, 3)), rng.exponential(size=30)
    positives, negatives = np.zeros((2, 4, 256, 3))
    add_rows(
        codes[:10], y[:10], mass[:10], w[:10], positives, negatives
    )  # rows may be added in batches
    add_rows(codes[10:], y[10:], mass[10:], w[10:], positives, negatives)
    for i, (f, b, sign, tpr, fpr) in enumerate(best_cuts(positives, negatives)):
        p, n = w * mass[:, i] * y, w * mass[:, i] * (1.0 - y)
        for j in range(4):
            np.testing.assert_allclose(
                positives[j, :, i], np.bincount(codes[:, j], p, 256), atol=1e-12
            )  # sums in another order
            np.testing.assert_allclose(
                negatives[j, :, i], np.bincount(codes[:, j], n, 256), atol=1e-12
            )
        share = p / p.sum() - n / n.sum()
        assert tpr - fpr == pytest.approx(
            max(abs(share[codes[:, j] >= c].sum()) for j in range(4) for c in range(1, 5)),
            abs=1e-12,
        )
        called = codes[:, int(f)] >= b if sign > 0 else codes[:, int(f)] < b
        assert (tpr, fpr) == pytest.approx(
            (p[called].sum() / p.sum(), n[called].sum() / n.sum()), abs=1e-12
        )


def test_a_node_without_one_class_gets_no_cut():
    positives, negatives = np.zeros((2, 1, 256, 3))
    positives[0, 1] = (0, 9, 9)
    negatives[0, 0] = (9, 0, 9)
    negatives[0, 1, 1] = 9
    assert best_cuts(positives, negatives)[:, 1].tolist() == [
        -1,
        -1,
        1,
    ]  # no positives, one bin, a cut


@pytest.mark.parametrize("eta", [0, 0.1, 0.45])
def test_flipped_masses_and_rates_come_back(eta):
    rng = np.random.default_rng(0)

    def with_flipped_labels(positives, negatives):
        """Counts when a share eta of the labels is wrong."""
        return ((1 - eta) * positives + eta * negatives, (1 - eta) * negatives + eta * positives)

    positives, negatives = 1e6 * (1 + rng.random(2))
    tpr = 0.3 + 0.7 * rng.random(20)
    fpr = 0.3 * rng.random(20)
    m, n = with_flipped_labels(positives, negatives)
    tp, fp = with_flipped_labels(positives * tpr, negatives * fpr)
    np.testing.assert_allclose(corrected(m, n, eta), (positives, negatives), rtol=1e-12)
    np.testing.assert_allclose(true_rates(m, n, tp / m, fp / n, eta), (tpr, fpr), atol=1e-12)
    # noise makes all differences smaller by one factor: the choice stays the same
    noisy_difference = tp / m - fp / n
    assert np.argmax(noisy_difference) == np.argmax(tpr - fpr)
    assert np.ptp((tpr - fpr) / noisy_difference) < 1e-9


def test_a_rare_class_is_held_to_be_one_standard_error():
    # 100 rows, fewer of them positive by their labels than noise alone would make: a corrected mass of -5
    assert corrected(16.0, 84.0, 0.2)[0] == pytest.approx(-20 / 3) and standard_error(
        16.0, 84.0, 0.2
    ) == pytest.approx(20 / 3)
    tpr, fpr = true_rates(16.0, 84.0, 0.25, 0.15, 0.2)
    assert (tpr, fpr) == pytest.approx(
        (0.25 + 0.02 / 0.6 * 84 / (20 / 3), 0.15 - 0.02 / 0.6 * 16 / (320 / 3))
    )
    assert true_rates(16.0, 84.0, 0.9, 0.1, 0.2)[0] == 1


def test_where_no_cut_is_found_a_coin_or_the_only_class():
    positives, negatives = np.zeros((2, 1, 256, 3))
    positives[0, 0], negatives[0, 0] = (
        (500, 105, 20),
        (500, 895, 20),
    )  # both classes; noise alone; starved

    def answers(rate):
        return [
            node.answer
            for node in cut_nodes(positives, negatives, [np.empty(0)], np.arange(3) == 2, rate)
        ]

    assert answers(0.1) == [0, -1, 0] and answers(0.0) == [0, 0, 0]


def test_nodes_answer():
    X = np.array([[1.0], [2.0], [3.0]])
    upright = CutNode(0, 2.0, 1, 1.0, 0.5)
    upside_down = CutNode(0, 2.0, -1, 1.0, 0.5)
    np.testing.assert_allclose(upright.right(X), [0, 2 / 3, 2 / 3])
    np.testing.assert_allclose(upside_down.right(X), [2 / 3, 0, 0])
    assert upright.agreement == pytest.approx(1 / 3)
    assert [ConstantNode(answer).right(X).tolist() for answer in (-1, 0, 1)] == [
        [0] * 3,
        [0.5] * 3,
        [1] * 3,
    ]
    assert pickle.loads(pickle.dumps(upright)).right(X).tolist() == upright.right(X).tolist()


@pytest.mark.parametrize("ranking, scores", [("bin", [0, 1 / 3, 1 / 3]), ("vote", [1, 1, 1])])
def test_a_program_by_hand(ranking, scores):
    program = MartiRank(ranking=ranking)
    program.levels_ = [[CutNode(0, 2.0, 1, 1.0, 0.5)], [ConstantNode(1.0), ConstantNode(0.0)]]
    program._random = False
    program.n_features_in_ = 1
    X = np.array([[1.0], [2.0], [3.0]])
    *_, last = program.staged_masses(X)
    np.testing.assert_allclose(last, [[0, 1, 0], [0, 2 / 3, 1 / 3], [0, 2 / 3, 1 / 3]], atol=1e-15)
    np.testing.assert_allclose(
        program.decision_function(X), scores, atol=1e-15
    )  # index 1 of 2: half of the votes
