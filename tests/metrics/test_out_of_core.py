"""Counts that add up, bounds that hold, exact areas from parts, and a cluster that loses a worker."""

import logging
import os
import pickle
import signal
import tracemalloc
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config

from aucbook import AdditiveRanker, TreeRankForest, exact_auc, partial_auc, roc_auc, roc_curve
from aucbook.metrics import BinnedCounts, binned_counts, score_edges


def sample(n=2000, seed=0, decimals=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    return y, (rng.normal(size=n) + y).round(decimals), rng.random(n)


def split(*columns, k=7):
    return list(zip(*(np.array_split(c, k) for c in columns)))


@given(st.integers(0, 10**6), st.integers(2, 40), st.floats(0, 0.9), st.floats(0.01, 0.1))
def test_bounds_hold_for_any_edges(seed, n_bins, alpha, width):
    y, s, w = sample(200, seed, 1)
    counts = BinnedCounts(score_edges(s, n_bins)).update(y, s, w)
    bounds = counts.auc(min_fpr=alpha, max_fpr=alpha + width)
    truth = partial_auc(y, s, min_fpr=alpha, max_fpr=alpha + width, sample_weight=w)
    assert (
        bounds.low - 1e-12 <= truth <= bounds.high + 1e-12
        and bounds.low <= bounds.estimate <= bounds.high
    )  # 1e-12: sums of 200


def test_every_point_is_on_the_curve():
    y, s, _ = sample()
    curve = roc_curve(y, s)
    points = BinnedCounts(score_edges(s, 20)).update(y, s).roc_curve()
    on = {(round(a, 12), round(b, 12)) for a, b in zip(curve.fpr, curve.tpr)}
    assert {(round(a, 12), round(b, 12)) for a, b in zip(points.fpr, points.tpr)} <= on


@pytest.mark.parametrize("alpha, beta", [(0, 1), (0, 0.05), (0.2, 0.3), (0.9, 1)])
@pytest.mark.parametrize("max_rows", [1, 100, 10**7])
def test_exact_is_exact(alpha, beta, max_rows):
    y, s, w = sample()
    parts = split(y, s) + [
        (np.empty(0), np.empty(0)),
        (np.ones(3), np.zeros(3)),
    ]  # an empty part, and one with a single class
    y, s2 = np.r_[y, 1, 1, 1], np.r_[s, 0, 0, 0]
    assert exact_auc(parts, min_fpr=alpha, max_fpr=beta, max_rows=max_rows) == pytest.approx(
        partial_auc(y, s2, min_fpr=alpha, max_fpr=beta), abs=1e-12
    )
    weighted = split(y[:-3], s, w)
    assert exact_auc(weighted, min_fpr=alpha, max_fpr=beta, max_rows=max_rows) == pytest.approx(
        partial_auc(y[:-3], s, min_fpr=alpha, max_fpr=beta, sample_weight=w), abs=1e-12
    )


@pytest.mark.parametrize("max_rows", [1, 100, 10**7])
def test_parts_of_different_kinds(max_rows):
    y, s, w = sample(decimals=1)
    w[:1000] = 1
    parts = [
        (y[:500], s[:500].astype(np.float32)),
        (y[500:1000], s[500:1000]),
        (y[1000:], s[1000:], w[1000:]),
    ]
    s = np.concatenate([chunk[1] for chunk in parts])
    expected = partial_auc(y, s, max_fpr=0.3, sample_weight=w)
    assert exact_auc(parts, max_fpr=0.3, max_rows=max_rows) == pytest.approx(
        expected, abs=1e-12
    )  # sums in another order


def test_whole_numbers_agree_to_the_last_bit():
    y, s, _ = sample(5000, decimals=15)
    assert exact_auc(split(y, s), max_rows=300) == roc_auc(y, s)


@pytest.mark.parametrize(
    "dtype, weighted, bytes_per_row",
    [(np.float32, False, 29), (np.float64, False, 37), (np.float64, True, 54)],
)
def test_rows_take_the_documented_memory(dtype, weighted, bytes_per_row):
    def load(k):
        rng = np.random.default_rng(k)
        y = rng.integers(0, 2, 100_000, dtype=np.uint8)
        score = rng.normal(size=100_000).astype(dtype)
        return (y, score + y, rng.integers(1, 4, y.size)) if weighted else (y, score + y)

    parts, rows = [partial(load, k) for k in range(40)], 2 * 10**6
    exact_auc(parts[:1])  # compiled
    tracemalloc.start()
    area = exact_auc(parts, max_rows=rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    y, score, *weight = (np.concatenate(column) for column in zip(*(read() for read in parts)))
    assert area == roc_auc(y, score, sample_weight=weight[0] if weight else None)
    assert peak < bytes_per_row * rows  # bytes: the docstring says 25, 35 and 50


def test_infinite_scores_and_constant_scores():
    y = np.array([0, 1, 0, 1, 1])
    s = np.array([-np.inf, np.inf, 0, 0, -np.inf])
    assert exact_auc([(y, s)], max_rows=1) == pytest.approx(roc_auc(y, s), abs=1e-15)
    assert exact_auc([(y, np.ones(5))]) == 0.5
    assert binned_counts([(y, np.ones(5))]).auc() == (0.5, 0.0, 1.0)


@pytest.mark.slow
def test_parts_are_loaded_when_needed_and_in_any_number_of_jobs(capsys):
    y, s, _ = sample()
    loads = []
    parts = [lambda a=a, b=b: (loads.append(1), (a, b))[1] for a, b in split(y, s)]
    total = exact_auc(parts, max_fpr=0.1, max_rows=100, verbose=1)
    assert (
        total == pytest.approx(partial_auc(y, s, max_fpr=0.1), abs=1e-12)
        and "groups of bins" in capsys.readouterr().err
    )
    assert len(loads) < len(parts) * (2 + 20)  # the lower scores were never gathered
    assert exact_auc(split(y, s), max_fpr=0.1, max_rows=100, n_jobs=2) == total


@pytest.mark.parametrize("max_rows", [1, 10**7])
def test_a_part_may_weigh_nothing(max_rows):
    y, s, w = sample(200, decimals=1)
    w[:40] = 0
    s[40] = s.max() + 1  # and a score of its own, which gives a group of bins without weight
    w[40] = 0
    parts = [(y[:30], s[:30], w[:30]), (y[30:], s[30:], w[30:])]
    for beta in (0.2, 1):
        expected = partial_auc(y, s, max_fpr=beta, sample_weight=w)
        assert exact_auc(parts, max_fpr=beta, max_rows=max_rows) == pytest.approx(
            expected, abs=1e-12
        )  # sums in another order
    assert not BinnedCounts([0.5]).update([1, 0], [0, 1], [0, 0]).positives.any()
    with pytest.raises(ValueError, match="positives weigh 0, negatives 0"):
        exact_auc([(y, s, 0 * w)])


@pytest.mark.parametrize(
    "y",
    [
        [1.0, 0.0, np.nan],
        pd.array([1, 0, pd.NA]),
        ["a", "b", None],
        np.array(["a", "b", np.nan], object),
    ],
)
def test_missing_labels_are_no_negatives(y):
    with pytest.raises(ValueError, match="part 1: y has 1 missing label.*drop those rows"):
        exact_auc([([1, 0], [1.0, 2.0]), (y, [1.0, 2.0, 3.0])])
    with pytest.raises(ValueError, match="y has 1 missing label"):
        BinnedCounts([0.5], "a").update(y, [1.0, 2.0, 3.0])


@pytest.mark.parametrize("size", [1e-320, 1e-170, 1e-90, 1e90, 1e160, 1e300])
def test_only_ratios_of_weights_count(size):
    y, s, _ = sample(300, decimals=1)
    w = np.random.default_rng(1).integers(0, 4, 300).astype(float)
    for of_pos, of_neg in ((size, size), (size, 1), (1, size)):
        weight = w * np.where(y == 1, of_pos, of_neg)
        for alpha, beta, max_rows in ((0, 1, 10**7), (0.1, 0.4, 10)):
            want = partial_auc(y, s, min_fpr=alpha, max_fpr=beta, sample_weight=w)
            assert exact_auc(
                split(y, s, weight), min_fpr=alpha, max_fpr=beta, max_rows=max_rows
            ) == pytest.approx(want, abs=1e-12)
    with pytest.raises(ValueError, match="more than a float can hold"), np.errstate(over="ignore"):
        exact_auc([(y, s, np.full(300, 1e308))])


def test_a_bad_number_of_bins():
    for n_bins in (1, 2.5, "many"):
        with pytest.raises(ValueError, match="n_bins must be a whole number, at least 2"):
            score_edges([1, 2, 3], n_bins)


def test_counts_add_up_and_travel():
    y, s, _ = sample()
    edges = score_edges(s, 50)
    halves = [BinnedCounts(edges).update(a, b) for a, b in split(y, s, k=2)]
    total = pickle.loads(pickle.dumps(halves[0])) + halves[1]
    assert total.auc(max_fpr=0.2) == BinnedCounts(edges).update(y, s).auc(max_fpr=0.2)


class Fatal:
    """A part that kills its worker the second time it is loaded, when others wait for what was sent with the tasks."""

    def __init__(self, y, s, folder):
        self.y = y
        self.s = s
        self.folder = folder

    def __call__(self):
        for flag in ("loaded", "killed", "loaded again"):
            try:
                (self.folder / flag).touch(exist_ok=False)
                break
            except FileExistsError:
                pass
        if flag == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        return self.y, self.s


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster),
    ):
        yield cluster


@pytest.mark.slow
def test_a_cluster_gives_the_same_answer_even_if_workers_die(cluster, tmp_path):
    y, s, _ = sample(20_000, decimals=15)
    undivided, parts = split(y, s, k=20), split(y, s, k=20)
    for k in (3, 4, 10):
        folder = tmp_path / str(k)
        folder.mkdir()
        parts[k] = Fatal(*parts[k], folder)
    with parallel_config("dask"):
        assert exact_auc(parts, max_fpr=0.1, max_rows=2000) == exact_auc(
            undivided, max_fpr=0.1, max_rows=2000
        )
    assert len(list(tmp_path.glob("*/loaded again"))) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "model", [TreeRankForest(8, random_state=0), AdditiveRanker()], ids=["forest", "additive"]
)
def test_training_in_other_processes_gives_the_same_answer(cluster, model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (3 * abs(X[:, 0]) + rng.normal(size=300) > 2).astype(int)  # no line would do
    here = model.fit(X, y).decision_function(X)
    for backend in ("dask", "loky"):
        with parallel_config(backend, n_jobs=2):
            there = model.fit(X, y).decision_function(X)
        np.testing.assert_array_equal(here, there, backend)


@pytest.mark.parametrize(
    "call, word",
    [
        (lambda: binned_counts([]), "no parts"),
        (lambda: BinnedCounts([1, 1]), "ascend"),
        (lambda: BinnedCounts([1]) + BinnedCounts([2]), "edges"),
        (lambda: exact_auc([(np.ones(3), np.ones(3))]), "both classes"),
        (lambda: exact_auc([(np.ones(3), np.ones(2))]), "part 0.*labels"),
        (lambda: exact_auc([([0, 1], [0, np.nan])]), "part 0.*NaN"),
        (lambda: exact_auc([([0, 1], [0, 1])], max_rows=0), "max_rows"),
        (lambda: exact_auc([([0, 1], [0, 1])], min_fpr=0.5, max_fpr=0.5), "min_fpr < max_fpr"),
        (lambda: score_edges([1.0], 1), "n_bins"),
        (lambda: exact_auc([([0, 1], [0, 1], [-1, 1])]), "part 0.*non-negative"),
        (lambda: exact_auc([(np.empty(0), np.empty(0))]), "both classes"),
    ],
)
def test_bad_input_is_named(call, word):
    with pytest.raises(ValueError, match=word):
        call()


def test_a_part_that_cannot_be_read_is_named():
    with pytest.raises(RuntimeError, match="part 1.*KeyError"):
        binned_counts([([0, 1], [0, 1]), lambda: {}["missing"]], [0.5])
    with pytest.raises(OSError, match="part 0"):
        binned_counts([lambda: open("/no/such/file")], [0.5])


# ---------------------------------------------------------------- labels of all parts together
PARTS = [([1, 0], [2.0, 1.0]), ([1, 0], [3.0, 0.5])]


@pytest.mark.parametrize(
    "chunk, words",
    [
        ((["1", "0"], [3.0, 0.5]), ["part 2", "two types", "0 in one part", "'0' in another"]),
        ((["1"], [3.0]), ["part 2", "two types"]),
        (([2], [3.0]), ["part 2", "exactly two classes, got 3: 0, 1, 2"]),
        (([0, 1, 2], [3.0, 2.0, 1.0]), ["part 2", "exactly two classes, got 3: 0, 1, 2"]),
        (([-1], [3.0]), ["part 2", "got 3: -1, 0, 1"]),
        (([1, None], [3.0, 1.0]), ["part 2", "1 missing label", "row 1 (the first is 0)"]),
        (([1.0, np.nan], [3.0, 1.0]), ["part 2", "1 missing label", "row 1 (the first is 0)"]),
        (
            (pd.array([1, None, 0], dtype="Int64"), [3.0, 1.0, 2.0]),
            ["part 2", "1 missing label", "row 1"],
        ),
        (([1, "0"], [3.0, 1.0]), ["part 2", "two types", "1 in row 0", "'0' in row 1"]),
        (([1, 0], [3.0, np.nan]), ["part 2", "NaN", "row 1 (the first is 0)"]),
        (([1, 0], [3.0]), ["part 2", "same length"]),
        ((1, 0, 1, 0), ["part 2", "expected labels and scores"]),
        (({"y": [0, 1]}), ["part 2", "expected labels and scores"]),
    ],
)
@pytest.mark.parametrize("n_jobs", [None, pytest.param(2, marks=pytest.mark.slow)])
def test_a_part_whose_labels_do_not_go_with_the_others(chunk, words, n_jobs):
    for call in (
        exact_auc,
        partial(exact_auc, max_fpr=0.5),
        binned_counts,
        partial(binned_counts, edges=[0.7, 1.5]),
    ):
        with pytest.raises(ValueError) as error:
            call([*PARTS, chunk], n_jobs=n_jobs)
        assert all(word in str(error.value) for word in words), str(error.value)


def test_numbers_of_several_types_are_one_label():
    parts = [
        ([1, 0], [2.0, 1.0]),
        ([1.0, 0.0], [3.0, 0.5]),
        ([True, False], [1.5, 2.5]),
        (np.uint8([1]), [0.0]),
    ]
    y, s = [1, 0, 1, 0, 1, 0, 1], [2.0, 1.0, 3.0, 0.5, 1.5, 2.5, 0.0]
    assert exact_auc(parts) == roc_auc(y, s)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=2, max_size=30),
    st.integers(1, 5),
)
def test_whatever_the_parts_and_the_names_of_the_classes(rows, size):
    y, s = (list(column) for column in zip(*rows))
    if len(set(y)) < 2:
        return
    for labels in ((1, 2), ("b", "c"), (-3, 0)):
        words = [labels[k] for k in y]
        parts = [(words[k : k + size], s[k : k + size]) for k in range(0, len(y), size)]
        for pos_label in labels:
            assert exact_auc(parts, pos_label=pos_label) == roc_auc(words, s, pos_label=pos_label)
        if labels != ("b", "c"):
            assert exact_auc(parts) == roc_auc(words, s)


def test_counts_ask_for_the_positive_label_where_it_is_not_known():
    assert BinnedCounts([0.5]).update([-1, 1], [0.2, 0.7]).auc().estimate == 1
    assert (
        BinnedCounts([0.5], "yes").update(["no"], [0.2]).update(["yes"], [0.7]).auc().estimate == 1
    )
    with pytest.raises(
        ValueError, match="the label 2, .* say which label is positive, with pos_label="
    ):
        BinnedCounts([0.5]).update([1, 2], [0.2, 0.7])
    with pytest.raises(ValueError, match="pos_label=1 is not a label of y; its classes are"):
        BinnedCounts([0.5], 1).update([0, 2], [0.2, 0.7])
    one, two = BinnedCounts([0.5], 1).update([1], [0.2]), BinnedCounts([0.5], 1).update([0], [0.2])
    assert (one + two).labels == (0, 1)
    with pytest.raises(ValueError, match="exactly two classes, got 3: 0, 1, 2"):
        (one + two).update([2], [0.1])
    with pytest.raises(ValueError, match="two types"):
        one + BinnedCounts([0.5], 1).update(["0"], [0.2])
