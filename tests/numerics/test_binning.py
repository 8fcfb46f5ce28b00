"""Bins: a popular value is alone in its bin; codes count the edges reached, in either layout; other tables are refused."""

import pickle

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aucbook import AdditiveRanker, AUCBoost, TreeRank, TreeRankForest, roc_auc
from aucbook._numerics.binning import MISSING, Bins, quantile_edges, store_codes


@given(
    st.lists(st.one_of(st.floats(width=32), st.integers(0, 5).map(float)), min_size=1, max_size=60),
    st.integers(2, 255),
)
def test_bins_count_the_edges_reached(values, n_bins):
    X = np.array(values)[:, None]
    bins = Bins(X, n_bins)
    edges = bins.edges
    expected = np.where(np.isnan(X[:, 0]), 255, np.searchsorted(edges[0], X[:, 0], side="right"))
    np.testing.assert_array_equal(bins.encode(X)[:, 0], expected)


def table(n=300):
    rng = np.random.default_rng(0)
    return np.column_stack(
        [
            rng.normal(size=n),
            rng.integers(0, 4, n),
            np.ones(n),
            np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
        ]
    )


@pytest.mark.parametrize("n_bins", [2, 16, 255])
def test_both_layouts_hold_the_same_codes(n_bins):
    X = table()
    columns, rows = (Bins(X, n_bins, layout=layout).encode(X) for layout in ("columns", "rows"))
    np.testing.assert_array_equal(columns, rows)
    assert (
        columns.flags.f_contiguous
        and rows.flags.c_contiguous
        and columns.dtype == rows.dtype == np.uint8
    )
    np.testing.assert_array_equal(rows == MISSING, np.isnan(X))


def test_sizes_and_table():
    bins = Bins(table(), 16)
    assert bins.sizes.tolist() == [16, 4, 1, 16] == [len(edges) + 1 for edges in bins.edges]
    for fill in (np.nan, np.inf):
        lines = bins.table(fill)
        assert lines.shape == (4, 255)
        for line, edges in zip(lines, bins.edges):
            np.testing.assert_array_equal(line, np.r_[edges, np.full(255 - edges.size, fill)])


def test_repeating_rows_moves_no_edge():
    X = table()
    for a, b in zip(quantile_edges(X, 16), quantile_edges(np.repeat(X, 3, 0), 16)):
        np.testing.assert_array_equal(a, b)


@pytest.mark.kernel
@given(st.lists(st.integers(1, 60), min_size=1, max_size=120), st.integers(2, 60))
@example([1] * 40 + [60] + [1] * 40, 20)
@example([60] + [1] * 80, 20)
@example([1] * 80 + [60], 20)
@example([60, 60] + [1] * 80 + [30], 20)
@example([9, 1] * 30, 20)  # more stretches than bins: twice as many rows are asked for
@example([40, 20, 1, 1, 1, 20, 1, 1, 1], 3)
def test_bins_by_rows(rows, n_bins):
    """The guarantees of the rule, for a column of values 0, 1, 2 … with the given numbers of rows."""
    rows = np.array(rows)
    (edges,) = quantile_edges(np.repeat(np.arange(rows.size), rows)[:, None], n_bins)
    # between neighbours, ascending, and no bin is left unused
    assert np.array_equal(edges % 1, np.full(edges.size, 0.5)) and (np.diff(edges) > 0).all()
    assert edges.size + 1 == min(rows.size, n_bins)
    code = np.searchsorted(edges, np.arange(rows.size), side="right")
    in_bin, values = np.bincount(code, rows), np.bincount(code)

    def parts(popular):
        return np.count_nonzero(popular) + np.count_nonzero(~popular & np.r_[True, popular[:-1]])

    popular = rows * n_bins >= rows.sum()
    if rows.size > n_bins and parts(popular) > n_bins:
        popular = rows * n_bins >= 2 * rows.sum()
    if rows.size > n_bins:
        assert parts(popular) <= n_bins
        assert (values[code[popular]] == 1).all()
    if not (rows * n_bins >= rows.sum()).any():
        # each edge is where a share of the rows ends, less the rest of the value in which it does
        below = np.cumsum(in_bin)[:-1]
        share = np.arange(1, n_bins) * rows.sum() / n_bins
        assert ((below <= share) & (share < below + rows[np.ceil(edges).astype(int)])).all()


@given(
    st.lists(st.one_of(st.floats(width=16), st.sampled_from([0.0, -0.0, 1.0])), min_size=1),
    st.integers(2, 9),
)
def test_edges_of_any_floats(values, n_bins):
    column = np.array(values)
    (edges,) = quantile_edges(column[:, None], n_bins)
    present = np.unique(column[~np.isnan(column)])
    assert edges.size == max(min(present.size, n_bins) - 1, 0) and (np.diff(edges) > 0).all()
    if present.size <= n_bins:
        assert np.array_equal(
            np.searchsorted(edges, present, side="right"), np.arange(present.size)
        )


@pytest.mark.kernel
@given(
    st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 1e-300, 1.0, 5.0, np.inf, np.nan]), min_size=60),
    st.integers(5, 30),
)
def test_popular_among_some_rows_is_alone_among_all(values, max_rows):
    """0 is popular among the rows drawn, as the first stretch holds nothing else; of its neighbours any may be missed."""
    column = np.array([0.0] * (1 + 60 // max_rows) + values[:60])
    bins = Bins(column[:, None], max_rows=max_rows)
    codes = bins.encode(column[:, None]).ravel()
    assert set(column[codes == bins.encode([[0.0]])[0, 0]]) == {0.0}


@pytest.mark.parametrize("width", [1, 3, 100])
def test_rare_neighbours_of_popular_values_are_seen_in_any_column(width):
    X = np.random.default_rng(0).choice([-1.0, 2.0], (3001, width))
    for j in range(width):
        # one row of 3001 each, in a block's middle and in the last rows, which do not fill a block
        X[[100 + j, -1], j] = [3.0, 1.0]
    bins = Bins(X, max_rows=50)
    assert (bins.sizes == 4).all()


def test_without_a_popular_value_distinct_rows_have_equal_bins():
    (edges,) = quantile_edges(np.random.default_rng(0).permutation(1000)[:, None], 40)
    np.testing.assert_array_equal(edges, np.arange(25, 1000, 25) - 0.5)


def perfect(shape, share, n, seed=0):
    """(x, y): a column that separates the classes, of which one or more values are popular."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < round(share * n)
    rng.shuffle(y)
    spread = rng.lognormal(size=n)
    x = {
        "negatives 0": np.where(y, spread, 0),
        "positives 0": np.where(y, 0, -spread),
        "a fee": np.where(y, np.maximum(100, 100 * spread), 0),
        "below 0": np.where(y, -spread, -1000),
        "two popular values": np.where(y, 1 + spread, np.where(rng.random(n) < 0.5, 0, -1)),
        "popular in the middle": np.where(
            y,
            5 + np.where(rng.random(n) < 0.5, 0, spread),
            -np.where(rng.random(n) < 0.5, 0, spread),
        ),
    }[shape]
    return x, y.astype(int)


SHAPES = (
    "negatives 0",
    "positives 0",
    "a fee",
    "below 0",
    "two popular values",
    "popular in the middle",
)
FOUR = (AUCBoost(), TreeRank(), TreeRankForest(n_estimators=10), AdditiveRanker())


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("shape", SHAPES)
def test_codes_lose_no_perfect_column(shape, share):
    for n in (20_000, 100_000):
        x, y = perfect(shape, share, n)
        for seed in range(3 if n > 50_000 else 1):
            x, y = perfect(shape, share, n, seed)
            assert (
                roc_auc(y, x)
                == 1
                == roc_auc(y, Bins(x[:, None], max_rows=25_000).encode(x[:, None]).ravel())
            )


@pytest.mark.slow
@pytest.mark.parametrize("ranker", FOUR, ids=lambda ranker: type(ranker).__name__)
@pytest.mark.parametrize("share", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("n", [20_000, 60_000])
def test_rankers_find_a_perfect_column(ranker, share, n):
    for shape in SHAPES:
        x, y = perfect(shape, share, n)
        w = np.random.default_rng(1).integers(1, 4, n)
        X = np.column_stack([x, np.random.default_rng(2).normal(size=n)])
        for weights in (None, w):
            for table in (X[:, :1], X):
                s = ranker.fit(table, y, weights).decision_function(table)
                assert roc_auc(y, s) == 1, (shape, table.shape, weights is not None)


def test_edges_from_some_rows():
    X = table()
    for a, b in zip(Bins(X, max_rows=151).edges, Bins(X).edges):  # fewer than twice as many: all
        np.testing.assert_array_equal(a, b)
    # one of each hundred rows is drawn, so each hundred has a value of its own
    (edges,) = Bins(np.repeat(np.arange(100.0), 100)[:, None], max_rows=100).edges
    np.testing.assert_array_equal(edges, np.arange(99) + 0.5)
    for a, b in zip(Bins(X, max_rows=100).edges, Bins(X, max_rows=100).edges):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("period", [2, 3, 7, 10])
def test_a_table_in_turns_loses_no_column(period):
    """Nine of ten in the period's last row are 1, everybody else is 0: each k-th row would find one value."""
    turn = np.arange(period * 500) % period == period - 1
    X = (turn & (np.random.default_rng(0).random(turn.size) < 0.9))[:, None].astype(float)
    assert Bins(X, max_rows=500).sizes.tolist() == [2]


def test_a_pickle_codes_the_same():
    X = table()
    bins = Bins(X, 16)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(bins)).encode(X), bins.encode(X))


@pytest.mark.parametrize(
    "options, word",
    [({"n_bins": 1}, "n_bins"), ({"n_bins": 256}, "n_bins"), ({"layout": "diagonal"}, "layout")],
)
def test_bad_parameters(options, word):
    with pytest.raises(ValueError, match=word):
        Bins(table(), **options)


@pytest.mark.parametrize("layout", ["columns", "rows"])
def test_another_width_is_refused(layout):
    bins = Bins(table(), layout=layout)
    for X in (table()[:, :3], np.c_[table(), table()], table()[0]):
        with pytest.raises(ValueError, match="4 columns"):
            bins.encode(X)


def test_stored_codes_and_popular_ones_are_the_table():
    rng = np.random.default_rng(1)
    n, d = 500, 600  # columns are read in blocks of 256
    codes = np.where(rng.random((n, d)) < 0.05, rng.integers(0, 256, (n, d)), 7).astype(np.uint8)
    codes[:, 1::3] = rng.random(codes[:, 1::3].shape) < rng.uniform(0, 0.2, codes[:, 1::3].shape[1])
    codes[:, 5] = rng.integers(0, 256, n)
    codes[:, 6] = MISSING
    stored = store_codes(codes, least=0)
    for j, popular in enumerate(stored.popular):
        entries = slice(stored.begins[j], stored.begins[j + 1])
        n_popular = np.bincount(codes[:, j]).max()
        assert (popular >= 0) == (8 * (n - n_popular) <= n)
        if popular >= 0:
            rows = np.flatnonzero(codes[:, j] != popular)
            np.testing.assert_array_equal(stored.rows[entries], rows)
            np.testing.assert_array_equal(stored.codes[entries], codes[rows, j])
        else:
            assert entries.start == entries.stop
        assert (stored.bit_lines[j] >= 0) == (codes[:, j].max() < 2)
        if stored.bit_lines[j] >= 0:
            bits = np.unpackbits(stored.bits[stored.bit_lines[j]].view(np.uint8), bitorder="little")
            np.testing.assert_array_equal(bits[:n], codes[:, j])
    for i in range(n):
        columns = stored.row_columns[stored.row_begins[i] : stored.row_begins[i + 1]]
        differ = (codes[i] != stored.popular) & (stored.popular >= 0)
        np.testing.assert_array_equal(np.sort(columns), np.flatnonzero(differ))


def test_tables_that_are_small_or_dense_are_not_stored():
    codes = np.zeros((100, 10), np.uint8)
    assert store_codes(codes) is None and store_codes(codes, least=1000) is not None
    codes[:, :5] = np.arange(100)[:, None]
    assert store_codes(codes, least=0) is None
