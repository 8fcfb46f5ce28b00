"""Growing on bins: counts are repeated rows, histograms of child and parent, partitions, random splits."""

from typing import NamedTuple

import numpy as np
import pytest
from sklearn.datasets import make_classification

from aucbook._numerics.binning import Bins, store_codes
from aucbook._numerics.hashing import next_bits
from aucbook.trees.growing import (
    BinnedData,
    GrowthLimits,
    Node,
    SplitOptions,
    axis_tree,
    best_bin,
    count_cell,
    counts_of,
    pack_rows,
    partition_rows,
    random_split,
    sample_to_front,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore:overflow encountered:RuntimeWarning"
)  # 64-bit random numbers wrap on purpose; NumPy says so where numba is off


def data(n=300, d=6):
    X, y = make_classification(n, d, n_informative=4, flip_y=0.1, random_state=0)
    return Bins(np.round(X, 1), layout="rows").rows(
        np.round(X, 1), y.astype(np.uint8), None
    )  # ties


def test_counts_are_repeated_rows():
    rows, limits = data(), GrowthLimits(5)
    counts = np.random.default_rng(7).integers(0, 4, rows.y.size).astype(np.uint16)
    repeated = np.repeat(np.arange(counts.size, dtype=np.int32), counts)
    a = axis_tree(rows._replace(w=counts), np.flatnonzero(counts).astype(np.int32), limits)
    b = axis_tree(rows, repeated, limits)
    np.testing.assert_array_equal(a.mass, b.mass)
    np.testing.assert_array_equal(a.threshold, b.threshold)
    np.testing.assert_array_equal(a.rows, b.rows)


@pytest.mark.parametrize("least", [1, 7])
def test_counts_and_weights_grow_the_same_tree(least):
    rows, limits = data(), GrowthLimits(6, least)
    every = np.arange(rows.y.size, dtype=np.int32)
    a = axis_tree(rows, every.copy(), limits)
    b = axis_tree(rows._replace(w=np.ones(every.size)), every.copy(), limits)
    for name in ("column", "threshold", "above", "missing", "left", "mass", "rows"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert a.rows[a.leaves].min() >= least and a.rows[a.leaves].sum() == every.size


def test_random_columns_depend_on_their_seed_alone():
    rows = data()
    every = np.arange(rows.y.size, dtype=np.int32)
    trees = [axis_tree(rows, every.copy(), GrowthLimits(6, columns=2), seed) for seed in (3, 3, 4)]
    np.testing.assert_array_equal(trees[0].column, trees[1].column)
    assert (
        trees[0].column.size != trees[2].column.size or (trees[0].column != trees[2].column).any()
    )
    columns, state = np.arange(6), np.uint64(1)
    for _ in range(20):
        state = sample_to_front(columns, 2, state)
        assert sorted(columns) == list(range(6))


def test_a_child_is_subtracted_from_its_parent():
    bins, _, y, _ = data()[:4]
    columns, few = np.arange(6), np.arange(0, 300, 3, dtype=np.int32)
    for weight, hist in (
        (np.ones(300, np.uint16), np.zeros((2, 6, 256), np.uint64)),
        (np.ones(300), np.zeros((2, 6, 256, 3))),
    ):
        for child, rows in enumerate((np.arange(300, dtype=np.int32), few)):
            known = BinnedData(bins, np.full(6, 255), y, weight)
            items = rows
            if weight.dtype == np.uint16:
                known = known._replace(y=None, weight=None)
                items = pack_rows(rows, y, weight, np.empty(rows.size, np.uint64))
            count_cell(known, items, columns, hist[child], hist[0], child == 1)
        for slot, rows in ((1, few), (0, np.setdiff1d(np.arange(300), few))):
            for j in (
                1,
                4,
            ):  # one of the first four, which are counted together, and one of the others
                line = hist[slot, j]
                if weight.dtype == np.uint16:  # rows and positives in one number
                    line = np.column_stack(
                        [line >> 32, line & 0xFFFFFFFF, (line >> 32) - (line & 0xFFFFFFFF)]
                    )
                expected = [
                    np.bincount(bins[rows, j], share, 256)
                    for share in (np.ones(rows.size), y[rows], 1.0 - y[rows])
                ]
                np.testing.assert_array_equal(line, np.array(expected).T)


def test_rows_move_in_place_and_stay_in_order():
    bins, _, y, _ = data()[:4]
    rows, left = np.arange(300, dtype=np.int32), bins[:, 2] < 40
    for cell in (
        rows,
        pack_rows(rows, y, np.full(300, 65535, np.uint16), np.empty(300, np.uint64)),
    ):
        moved = cell.copy()
        assert partition_rows(moved, bins, 2, 0, 40, np.empty_like(cell)) == left.sum()
        np.testing.assert_array_equal(moved, np.r_[cell[left], cell[~left]])


@pytest.mark.kernel
def test_a_packed_row_brings_its_counts_along():
    y, weight = np.array([0, 1, 1], np.uint8), np.array([7, 0, 65535], np.uint16)
    items = pack_rows(np.array([2, 0, 1], np.int32), y, weight, np.empty(3, np.uint64))
    assert (items & 0xFFFFFFFF).tolist() == [2, 0, 1]
    assert [int(counts_of(i)) for i in items] == [65535 * (2**32 + 1), 7 * 2**32, 0]


def test_of_equal_splits_the_larger_child_wins():
    line = np.array(
        [[1, 0, 1], [1, 1, 0], [1, 0, 1], [1, 1, 0], [0, 0, 0.0]]
    )  # - + - +: above 1 and above 3 are equal
    counts = (line @ [2**32, 1, 0]).astype(np.uint64)
    for kind in (line, counts):
        assert best_bin(kind, 4, Node(2.0, 2.0, 4), 1, False)[:3] == (2, 1, True)
        assert best_bin(kind, 4, Node(2.0, 2.0, 4), 3, False).first_bin == -1


@pytest.mark.kernel
@pytest.mark.parametrize("top", [1, 5])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_a_random_split_counts_the_same_with_packed_rows_and_weights(top, missing):
    """Packed rows, of bits or of more values, whose range is known early or not, against weights."""
    rng = np.random.default_rng(0)
    for trial in range(12):
        X = rng.integers(0, top + 1, (80, 1)) * 1.0
        X[rng.random((80, 1)) < missing] = np.nan
        X[trial % 2 : 9, 0] = trial % (top + 1)  # some cells hold one value only
        y = rng.integers(0, 2, 80).astype(np.uint8)
        weight = rng.integers(1, 4, 80).astype(np.uint16)
        fitted = Bins(X, layout="rows")
        rows = np.arange(80 if trial % 3 else 9, dtype=np.int32)
        m = float(weight[rows] @ y[rows])
        n = float(weight[rows] @ (1 - y[rows]))
        centres, gini = fitted.centres(X), trial % 4 == 0
        bits = rng.integers(2**64, dtype=np.uint64)
        counted = BinnedData(fitted.encode(X), fitted.sizes, None, None)
        items = pack_rows(rows, y, weight, np.empty(rows.size, np.uint64))
        options = SplitOptions(max_depth=1, least=1, n_columns=1, gini=gini)
        packed = random_split(*counted, items, 0, centres, Node(m, n, int(m + n)), options, bits)
        weighted = counted._replace(y=y, weight=weight / 1.0)
        by_weights = random_split(*weighted, rows, 0, centres, Node(m, n, rows.size), options, bits)
        assert packed[1:] == by_weights[1:] and abs(packed[0] - by_weights[0]) <= 1e-12 * max(
            m * n, 1
        )
        if packed[1] >= 0:
            code = counted.bins[rows, 0]
            above = ((code >= packed[1]) & (code < 255)) | ((code == 255) & packed.missing_above)
            left = above if packed.above_is_better else ~above
            w, label = weight[rows][left], y[rows][left]
            assert (packed.positives, packed.negatives) == (w @ label, w @ (1 - label))


class Candidate(NamedTuple):
    """A split that randomised_reference tries, with the rows of its left child among those of the node."""

    criterion: float
    column: int
    left: np.ndarray
    positives: float
    negatives: float


def randomised_reference(X, y, w, limits, seed):
    """An extremely randomised ranking tree in plain Python: (column, weight of the left child's positives, and negatives) of each split.

    In the order of growth: the smaller child is split first. A split threshold lies between the bin centres, as in `Bins.centres`.
    """
    bins = Bins(X, layout="rows").encode(X)
    state = np.uint64(seed)
    columns = np.arange(X.shape[1])
    k = limits.columns
    splits = []

    def candidate(rows, j, bits, m, n):
        """The random split of column j, or None where it leaves too few rows in a child."""
        b = bins[rows, j]
        u = float(bits >> np.uint64(11)) / 2**53
        missing = b == 255
        known = b[~missing]
        missing_above = int(bits) % 2
        if known.size == 0 or (known.min() == known.max() and (not missing.any() or missing_above)):
            return None
        low = known.min()
        high = known.max()
        threshold = limits.centres[j, low] * (1 - u) + limits.centres[j, high] * u
        above = ~missing & ((limits.centres[j, b] > threshold) | (b == high))
        if missing_above:
            above |= missing
        if not limits.least <= above.sum() <= len(rows) - limits.least:
            return None
        p = (w * y)[rows][above].sum()
        q = (w * (1 - y))[rows][above].sum()
        criterion = gain = abs(n * p - m * q)
        if limits.gini:
            criterion = gain**2 / (p + q) / (m + n - p - q)
        if n * p > m * q:
            return Candidate(criterion, j, left=above, positives=p, negatives=q)
        return Candidate(criterion, j, left=~above, positives=m - p, negatives=n - q)

    def grow(rows, depth):
        nonlocal state
        m = (w * y)[rows].sum()
        n = (w * (1 - y))[rows].sum()
        best = None
        if depth == 0 or m == 0 or n == 0 or len(rows) < 2 * limits.least:
            return
        for first in range(0, columns.size, k):
            untried = columns[first:]
            state = np.uint64(sample_to_front(untried, min(k, untried.size), state))
            for j in untried[:k]:
                state, bits = map(np.uint64, next_bits(state))
                split = candidate(rows, j, bits, m, n)
                lowest = 1e-12 * m * n + (best.criterion if best else 0)
                if split is not None and split.criterion > lowest:
                    best = split
            if best:
                break
        if best:
            splits.append((best.column, best.positives, best.negatives))
            children = [rows[best.left], rows[~best.left]]
            for child in children if len(children[0]) < len(children[1]) else children[::-1]:
                grow(child, depth - 1)

    grow(np.arange(len(y)), limits.depth)
    return splits


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0, 0.3])
@pytest.mark.parametrize("gini, least", [(False, 1), (True, 1), (True, 3)])
def test_random_splits_are_those_of_a_plain_reference(weighted, missing, gini, least):
    rng = np.random.default_rng(1)
    for seed in range(10):
        X = np.round(rng.normal(size=(60, 5)), 1)
        y = rng.integers(0, 2, 60).astype(np.uint8)
        X[:, 3] = rng.random(60) < 0.05  # mostly constant in small cells
        X[rng.random(X.shape) < missing] = np.nan
        w = rng.integers(1, 5, 60) / 4 if weighted else None
        fitted = Bins(X, layout="rows")
        limits = GrowthLimits(depth=6, least=least, columns=2, gini=gini, centres=fitted.centres(X))
        tree = axis_tree(fitted.rows(X, y, w), np.arange(60, dtype=np.int32), limits, seed)
        inner, left = np.flatnonzero(tree.left), tree.left[tree.left > 0]
        made = np.argsort(left)
        expected = randomised_reference(X, y, np.ones(60) if w is None else w, limits, seed)
        np.testing.assert_allclose(
            np.column_stack([tree.column[inner], tree.mass[left]])[made],
            expected,
            rtol=1e-12,
            atol=1e-12,
        )
        assert expected and tree.rows[tree.leaves].min() >= least


def sparse_rows(n, w):
    """Bits, counts, values on both sides of a popular 0, missing values, and a dense column."""
    rng = np.random.default_rng(5)
    X = (rng.random((n, 12)) < 0.07) * 1.0
    X[:, 3] *= rng.integers(1, 6, n)
    X[:, 4] *= rng.normal(size=n).round(1)
    X[rng.random(n) < 0.05, 5] = np.nan
    X[rng.random(n) < 0.95, 6] = np.nan
    X[:, 7] = rng.normal(size=n)
    X[:, 8] = 1 - X[:, 8]
    y = (X[:, 0] + X[:, 3] - X[:, 8] + rng.logistic(size=n) > 0).astype(np.uint8)
    fitted = Bins(X, layout="rows")
    rows = fitted.rows(X, y, w)
    stored = store_codes(rows.codes, least=0)
    assert (stored.popular >= 0).sum() == 11 and (stored.bit_lines >= 0).sum() == 7
    return rows, rows._replace(codes=np.asfortranarray(rows.codes), stored=stored), fitted, X


@pytest.mark.kernel
@pytest.mark.parametrize("kind", ["ones", "counts", "weights"])
@pytest.mark.parametrize("search", ["all columns", "some columns", "random", "random, gini"])
def test_stored_codes_grow_the_same_tree(kind, search):
    """Weights are quarters, whose sums are exact: the trees are equal to the last bit."""
    n = 260
    rng = np.random.default_rng(6)
    w = {"ones": None, "counts": rng.integers(1, 4, n), "weights": rng.integers(1, 9, n) / 4}[kind]
    w = w.astype(np.uint16) if kind == "counts" else w
    rows, stored, fitted, X = sparse_rows(n, w)
    limits = GrowthLimits(
        depth=12,
        least=3,
        columns=None if search == "all columns" else 3,
        gini=search == "random, gini",
        centres=fitted.centres(X) if "random" in search else None,
    )
    for seed in range(3):
        sample = np.sort(rng.permutation(n)[:200]).astype(np.int32)
        a = axis_tree(rows, sample.copy(), limits, seed)
        b = axis_tree(stored, sample.copy(), limits, seed)
        assert a.left.size > 9
        for name in ("column", "threshold", "above", "missing", "left", "mass", "rows"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
