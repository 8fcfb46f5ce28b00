"""Bins: codes count the edges reached, in either layout; other tables are refused."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aucbook.binning import MISSING, Bins, quantile_edges


@given(
    st.lists(st.one_of(st.floats(width=32), st.integers(0, 5).map(float)), min_size=1, max_size=60), st.integers(2, 255)
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
    assert columns.flags.f_contiguous and rows.flags.c_contiguous and columns.dtype == rows.dtype == np.uint8
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
    "Nine of ten in the period's last row are 1, everybody else is 0: each k-th row would find one value"
    turn = np.arange(period * 500) % period == period - 1
    X = (turn & (np.random.default_rng(0).random(turn.size) < 0.9))[:, None].astype(float)
    assert Bins(X, max_rows=500).sizes.tolist() == [2]


def test_a_pickle_codes_the_same():
    X = table()
    bins = Bins(X, 16)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(bins)).encode(X), bins.encode(X))


@pytest.mark.parametrize(
    "options, word", [({"n_bins": 1}, "n_bins"), ({"n_bins": 256}, "n_bins"), ({"layout": "diagonal"}, "layout")]
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
