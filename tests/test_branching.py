"""Branching programs: histograms and cuts of a level against brute force, nodes, the walk by hand."""

import pickle

import numpy as np
import pytest

from aucbook import MartiRank
from aucbook.branching import ConstantNode, CutNode, add_rows, best_cuts


@pytest.mark.parametrize("seed", range(10))
def test_every_node_finds_its_highest_cut(seed):
    rng = np.random.default_rng(seed)
    codes, y = rng.integers(0, 5, (30, 4)).astype(np.uint8), (np.arange(30) % 3 == 0).astype(np.uint8)
    mass, w = rng.random((30, 3)), rng.exponential(size=30)
    positives, negatives = np.zeros((2, 4, 256, 3))
    add_rows(codes[:10], y[:10], mass[:10], w[:10], positives, negatives)  # rows may come in batches
    add_rows(codes[10:], y[10:], mass[10:], w[10:], positives, negatives)
    for i, (f, b, sign, tpr, fpr) in enumerate(best_cuts(positives, negatives, 0.0)):
        p, n = w * mass[:, i] * y, w * mass[:, i] * (1.0 - y)
        for j in range(4):
            np.testing.assert_allclose(
                positives[j, :, i], np.bincount(codes[:, j], p, 256), atol=1e-12
            )  # sums in another order
            np.testing.assert_allclose(negatives[j, :, i], np.bincount(codes[:, j], n, 256), atol=1e-12)
        share = p / p.sum() - n / n.sum()
        assert tpr - fpr == pytest.approx(
            max(abs(share[codes[:, j] >= c].sum()) for j in range(4) for c in range(1, 5)), abs=1e-12
        )
        called = codes[:, int(f)] >= b if sign > 0 else codes[:, int(f)] < b
        assert (tpr, fpr) == pytest.approx((p[called].sum() / p.sum(), n[called].sum() / n.sum()), abs=1e-12)


def test_a_starved_or_hopeless_node_gets_no_cut():
    positives, negatives = np.zeros((2, 1, 256, 3))
    positives[0, 1], negatives[0, 0], negatives[0, 1, 1] = (2, 9, 9), (9, 0, 9), 9
    assert best_cuts(positives, negatives, 2.0)[:, 1].tolist() == [-1, -1, 1]  # few positives, one bin, a cut


def test_nodes_answer():
    X = np.array([[1.0], [2.0], [3.0]])
    upright, upside_down = CutNode(0, 2.0, 1, 1.0, 0.5), CutNode(0, 2.0, -1, 1.0, 0.5)
    np.testing.assert_allclose(upright.right(X), [0, 2 / 3, 2 / 3])
    np.testing.assert_allclose(upside_down.right(X), [2 / 3, 0, 0])
    assert upright.agreement == pytest.approx(1 / 3)
    assert [ConstantNode(answer).right(X).tolist() for answer in (-1, 0, 1)] == [[0] * 3, [0.5] * 3, [1] * 3]
    assert pickle.loads(pickle.dumps(upright)).right(X).tolist() == upright.right(X).tolist()


@pytest.mark.parametrize("ranking, scores", [("bin", [0, 1 / 3, 1 / 3]), ("vote", [1, 1, 1])])
def test_a_program_by_hand(ranking, scores):
    program = MartiRank(ranking=ranking)
    program.levels_, program._random, program.n_features_in_ = (
        [[CutNode(0, 2.0, 1, 1.0, 0.5)], [ConstantNode(1.0), ConstantNode(0.0)]],
        False,
        1,
    )
    X = np.array([[1.0], [2.0], [3.0]])
    *_, last = program.staged_masses(X)
    np.testing.assert_allclose(last, [[0, 1, 0], [0, 2 / 3, 1 / 3], [0, 2 / 3, 1 / 3]], atol=1e-15)
    np.testing.assert_allclose(program.decision_function(X), scores, atol=1e-15)  # index 1 of 2: half of the votes
