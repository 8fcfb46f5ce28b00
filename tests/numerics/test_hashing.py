"""Hashes: published values, independence of the place of a row, fair coins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aucbook._numerics.hashing import hash_bits, hash_rows, hash_uniform, mix_bits, next_bits

MASK = 2**64 - 1


def mix_reference(h):
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    h = (h ^ (h >> 27)) * 0x94D049BB133111EB & MASK
    return h ^ (h >> 31)


@given(st.integers(0, MASK))
def test_the_mixer(h):
    assert int(mix_bits(np.uint64(h))) == mix_reference(h)


def test_the_published_stream():
    state, drawn = np.uint64(0), []
    for _ in range(3):
        state, bits = next_bits(np.uint64(state))
        drawn.append(int(bits))
    assert drawn == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]  # splitmix64 from seed 0


def test_a_row_has_one_hash_wherever_it_stands():
    X = np.random.default_rng(0).normal(size=(100, 3))
    order = np.random.default_rng(1).permutation(100)
    hashes = hash_rows(X, 3)
    np.testing.assert_array_equal(hash_rows(X[order], 3), hashes[order])
    np.testing.assert_array_equal(hash_rows(np.asfortranarray(X), 3), hashes)
    np.testing.assert_array_equal(hash_bits(X.view(np.uint64), 3), hashes)
    assert (
        len(set(hashes.tolist())) == 100
        and not np.any(hashes == hash_rows(X, 4))
        and not np.any(hashes == hash_rows(X[:, ::-1], 3))
    )
    np.testing.assert_array_equal(
        hash_rows(np.array([[0.0, 1.0]]), 3), hash_rows(np.array([[-0.0, 1.0]]), 3)
    )


@pytest.mark.parametrize("t", [0, 1, 99])
def test_coins_are_uniform_and_levels_differ(t):
    hashes = hash_rows(np.arange(4000.0)[:, None], 0)
    u, v = hash_uniform(hashes, t), hash_uniform(hashes, t + 1)
    assert u.min() >= 0 and u.max() < 1
    assert (
        abs(u.mean() - 1 / 2) < 0.02
        and abs(u.var() - 1 / 12) < 0.005
        and abs(np.corrcoef(u, v)[0, 1]) < 0.07
    )  # four standard errors
