"""aucbook._numerics.sorting: packed keys, orders, scans and counts against sorts and loops that share no code with them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_samples import samples
from sklearn import metrics

from aucbook import roc_auc
from aucbook._numerics.sorting import (
    best_youden_split,
    count_keys,
    count_pairs,
    key_label,
    radix_sort,
    scan,
    scan_from_origin,
    sort_order,
    sorted_keys,
    weigh_pairs,
)


@given(samples())
def test_sort_order_is_stable(sample):
    _, s, _ = sample
    np.testing.assert_array_equal(sort_order(s), np.argsort(s, kind="stable"))


@pytest.mark.kernel
def test_scores_that_differ_in_their_last_bits():
    s = 1 + np.random.default_rng(0).permutation(5000) * 2.0**-52
    np.testing.assert_array_equal(sort_order(s), np.argsort(s, kind="stable"))
    y = (np.arange(5000) % 2).astype(np.uint8)
    assert roc_auc(y, s) == pytest.approx(
        metrics.roc_auc_score(y, np.argsort(np.argsort(s))), abs=1e-12
    )


def numbers_to_sort(n):
    """Name -> (n,) floats, some of them chosen to defeat a radix sort."""
    rng = np.random.default_rng(0)
    close = 1 + rng.permutation(n) * 2.0**-52
    far = close.copy()
    far[n // 2] = 1e300  # takes all the upper bits for itself
    return {
        "normal": rng.normal(size=n),
        "tied": rng.integers(-5, 5, n) * 1.0,
        "close": close,
        "far": far,
        "equal": np.ones(n),
        "two": np.where(rng.random(n) < 0.5, -1e300, 1e-300),
        "32 bits": rng.normal(size=n).astype(np.float32),
        "32 bits, tied": rng.integers(-5, 5, n).astype(np.float32),
    }


@pytest.mark.parametrize("n", [1, 2, 7, 4000])
@pytest.mark.parametrize("tag", [0, 1])
@pytest.mark.parametrize("name", numbers_to_sort(1))
def test_a_radix_sort_equals_numpys(name, tag, n):
    x = numbers_to_sort(n)[name]
    keys = x.view(f"i{x.itemsize}").copy()
    radix_sort(keys, tag)
    np.testing.assert_array_equal(keys, np.sort(x).view(keys.dtype))


@pytest.mark.kernel
def test_a_radix_sort_of_few_numbers():
    for name, x in numbers_to_sort(12).items():
        keys = x.view(f"i{x.itemsize}").copy()
        radix_sort(keys, 1)
        np.testing.assert_array_equal(keys, np.sort(x).view(keys.dtype), err_msg=name)


@pytest.mark.parametrize("is_faster", [False, True])
@pytest.mark.parametrize("name", ["normal", "tied", "far", "32 bits"])
def test_areas_and_orders_do_not_depend_on_the_sort(name, is_faster, monkeypatch):
    monkeypatch.setattr("aucbook._numerics.sorting.RADIX_ROWS", 100)
    monkeypatch.setattr("aucbook._numerics.sorting.is_radix_faster", lambda n: is_faster)
    s = numbers_to_sort(3000)[name]
    y = (np.random.default_rng(1).random(3000) < 0.3).astype(np.uint8)
    np.testing.assert_array_equal(sort_order(s), np.argsort(s, kind="stable"))
    keys, _ = sorted_keys(s, y)
    order = np.lexsort((y, -s.astype(float)))
    assert [int(key_label(key)) for key in keys] == y[order].tolist()


def test_scan_leaves_its_input_alone():
    y, s = np.array([0, 1, 1], np.uint8), np.array([3.0, 1.0, 2.0])
    scan(y, s), scan(y, s, np.ones(3))
    assert list(y) == [0, 1, 1] and list(s) == [3, 1, 2]


@given(samples(weights=False))
def test_keys_carry_scores_and_labels(sample):
    y, s, _ = sample
    keys, values = sorted_keys(s, y.astype(np.uint8))
    order = np.lexsort((y, -s.astype(float)))  # from the top, within a tie the negatives first
    assert [int(key_label(key)) for key in keys] == y[order].tolist()
    if values is not None:  # a score had no code: its ranks were packed
        size = np.abs(s.astype(np.float64))
        assert (
            s.dtype == np.float32
            or not ((size > 2.0**-512) & (size < 2.0**511) | (size == 0)).all()
        )
        np.testing.assert_array_equal(values, np.unique(s))


@given(samples(weights=False))
def test_counts_are_those_of_the_groups(sample):
    y, s, _ = sample
    p, q = np.zeros(len(y), np.int32), np.zeros(len(y), np.int32)
    k = count_keys(sorted_keys(s, y.astype(np.uint8))[0], p, q)
    groups = np.unique(s)[::-1]
    assert p[:k].tolist() == [int(((s == g) & (y == 1)).sum()) for g in groups]
    assert q[:k].tolist() == [int(((s == g) & (y == 0)).sum()) for g in groups]


@given(samples())
def test_pairs_are_counted_one_by_one(sample):
    y, s, w = sample
    w = np.ones(len(y)) if w is None else w
    won = 2.0 * (s[y == 1][:, None] > s[y == 0]) + (s[y == 1][:, None] == s[y == 0])
    twice, n = count_pairs(sorted_keys(s, y.astype(np.uint8))[0])
    assert (int(twice), int(n)) == (won.sum(), (y == 0).sum())
    wins, m, n = weigh_pairs(s, sort_order(s), y.astype(np.uint8), w)
    assert (2 * wins, m, n) == (w[y == 1] @ won @ w[y == 0], w @ y, w @ (1 - y))  # quarters: exact


@given(samples())
def test_a_scan_from_its_origin(sample):
    y, s, w = sample
    y = y.astype(np.uint8)
    thresholds, *counts = scan_from_origin(y, s, w, None, None)
    assert (thresholds[0], counts[0][0], counts[1][0]) == (np.inf, 0, 0)
    for m, n in ((1, 1), (3, 7)) if w is None else ():
        again, *rates = scan_from_origin(y, s, None, m, n)
        assert (again == thresholds).all() and all(
            (r == c / k).all() for r, c, k in zip(rates, counts, (m, n))
        )
    weights = np.ones(len(y)) if w is None else w
    for t, tp, fp in zip(*scan(y, s, w)):
        assert (tp, fp) == (weights[(s >= t) & (y == 1)].sum(), weights[(s >= t) & (y == 0)].sum())


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-8, 8)), min_size=1, max_size=15))
def test_best_cut_is_the_best_of_all(rows):
    rows.sort(key=lambda row: row[0])
    s = np.array([a for a, _ in rows], float)
    signed = np.array([b for _, b in rows]) / 16
    cuts = [
        (0.0, s.size),
        *((signed[i:].sum(), i) for i in range(s.size) if i == 0 or s[i - 1] != s[i]),
    ]
    assert best_youden_split(s, signed) == max(
        cuts
    )  # sixteenths: exact; the highest cut of several


def test_too_many_shared_high_bits_fall_back_to_an_ordinary_sort():
    s = 1 + np.random.default_rng(1).permutation(60_000) * 2.0**-52
    np.testing.assert_array_equal(sort_order(s), np.argsort(s, kind="stable"))
    np.testing.assert_array_equal(sort_order(s[::-1].copy()), np.argsort(s[::-1], kind="stable"))
