"""Sparse tables: every ranker that takes them answers to the last bit as for the table written out; what is too large is refused."""

import os
import pickle
import re
import resource
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from aucbook import (
    AdditiveRanker,
    AUCBoost,
    TreeRank,
    TreeRankBoost,
    TreeRankForest,
    compare,
    scores_of,
)
from aucbook._evaluation.inputs import takes_sparse
from aucbook._numerics import binning
from aucbook._numerics.hashing import hash_rows
from aucbook._validation import sparse as tables
from aucbook.boosting import FeatureRanker
from aucbook.inference import signal_test
from aucbook.model_selection import CompareOptions
from aucbook.text import BinaryNaiveBayes, KNNRanker, poisson_tf_similarity

RANKERS = {
    "tree": TreeRank(),
    "every value": TreeRank(3, n_bins=None),
    "line": TreeRank(3, splitter="linear"),
    "leafrank": TreeRank(3, splitter="leafrank"),
    "split": TreeRank(3, shake="split"),
    "smooth": TreeRank(shake="smooth", ccp_alpha=1e-4),
    "forest": TreeRankForest(12, random_state=0),
    "bootstrap": TreeRankForest(12, max_samples=None, thresholds="best", n_jobs=2, random_state=0),
    "newton": TreeRankBoost(12, random_state=0),
    "pairwise": TreeRankBoost(update="pairwise"),
    "literal": TreeRankBoost(update="literal"),
    "boost": AUCBoost(n_estimators=15),
    "bins": AUCBoost(n_estimators=15, n_bins=255, track_auc=True),
    "coin": AUCBoost(n_estimators=15, answers="coin", random_state=0),
    "column": FeatureRanker(),
    "column of bins": FeatureRanker(16),
    "sum": AdditiveRanker(),
    "sum with pairs": AdditiveRanker(n_bags=2, interactions=2),
}
NO_NAN = {"boost", "bins", "coin", "column", "column of bins"}


def table(kind, n=400, d=12):
    """(X, y) with many zeros; X written out."""
    rng = np.random.default_rng(5)
    X = np.where(
        rng.random((n, d)) < 0.2, {"bits": 1.0, "counts": 0.0, "reals": 0.0, "gaps": 0.0}[kind], 0.0
    )
    nonzero = rng.random((n, d)) < 0.3
    if kind == "counts":
        X[nonzero] = rng.poisson(2, nonzero.sum())
    elif kind != "bits":
        X[nonzero] = rng.normal(size=nonzero.sum())
    if kind == "gaps":
        X[rng.random((n, d)) < 0.05] = np.nan
    y = (np.nan_to_num(X[:, 0] + X[:, 1] - X[:, 2]) + rng.normal(size=n) > 0.5).astype(int)
    return X, y


def in_parts(X):
    """X as CSR in which each entry is stored as two of half the size, in any order, with some zeros."""
    coo = sparse.coo_array(X)
    row, column = coo.row, coo.col
    data = np.r_[coo.data / 2, coo.data / 2, 0.0, -0.0]
    row, column = np.r_[row, row, 0, 1], np.r_[column, column, 3, 3]
    order = np.argsort(row, kind="stable")
    begins = np.searchsorted(row[order], np.arange(len(X) + 1))
    out = sparse.csr_array((data[order], column[order], begins), shape=X.shape)
    assert not out.has_canonical_format and np.array_equal(out.toarray(), X)
    return out


def assert_same_scores(model, X, y, forms, weight=None):
    one = clone(model).fit(X, y, sample_weight=weight)
    for form in forms:
        other = clone(model).fit(form(X), y, sample_weight=weight)
        for rows in (X, form(X), form(X[:1])):
            expected = one.decision_function(X)[: rows.shape[0]]
            assert np.array_equal(other.decision_function(rows), expected)
            assert np.array_equal(one.decision_function(rows), expected)
        assert other.predict(form(X)).tolist() == one.predict(X).tolist()
    return one, other


FORMS = {
    "bits": [sparse.csr_array, sparse.csc_matrix],
    "counts": [sparse.coo_array, in_parts],
    "reals": [sparse.csr_matrix, in_parts],
    "gaps": [sparse.csr_array],
}


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("name", RANKERS)
@pytest.mark.filterwarnings("ignore:.*is flat|No weak ranker|No row of one class")
def test_a_sparse_table_is_the_table(name, kind):
    if kind == "gaps" and name in NO_NAN:
        with pytest.raises(ValueError, match="NaN"):
            clone(RANKERS[name]).fit(sparse.csr_array(table(kind)[0]), table(kind)[1])
        return
    X, y = table(kind)
    one, other = assert_same_scores(RANKERS[name], X, y, FORMS[kind])
    if hasattr(one, "feature_importances_"):
        assert np.array_equal(one.feature_importances_, other.feature_importances_)
    if name == "reals":
        again = pickle.loads(pickle.dumps(other))
        assert np.array_equal(again.decision_function(X), one.decision_function(X))


@pytest.mark.parametrize("name", RANKERS)
def test_weights(name):
    X, y = table("counts")
    weight = np.random.default_rng(0).integers(0, 3, y.size)
    assert_same_scores(RANKERS[name], X, y, [sparse.csr_array], weight)
    assert_same_scores(RANKERS[name], X, y, [sparse.csr_array], weight / 3 + 0.1)


@pytest.mark.parametrize("name", ["tree", "forest", "newton", "boost", "sum"])
def test_edges_from_some_rows(name):
    """More rows than edges are fitted to: rare values beside popular ones, in both forms."""
    rng = np.random.default_rng(0)
    X = np.where(rng.random((50_001, 3)) < 0.02, rng.normal(size=(50_001, 3)), 0.0)
    X[rng.integers(0, 50_001, 4), 0] = 1e-9
    y = (X[:, 0] > 0) | (rng.random(50_001) < 0.05)
    assert_same_scores(clone(RANKERS[name]), X, y, [sparse.csr_array])


def test_bins_and_hashes():
    for kind in FORMS:
        X, _ = table(kind)
        S = sparse.csr_array(X)
        for n_bins in (2, 3, 16, 255):
            for layout in ("rows", "columns"):
                for max_rows in (None, 150):
                    one, two = (
                        binning.Bins(T, n_bins, layout=layout, max_rows=max_rows) for T in (X, S)
                    )
                    assert all(map(np.array_equal, one.edges, two.edges))
                    assert np.array_equal(one.encode(X), two.encode(S))
                    assert one.encode(S).flags.f_contiguous == (layout == "columns")
                    assert np.array_equal(one.centres(X), two.centres(S), equal_nan=True)
        assert np.array_equal(hash_rows(X, 3), hash_rows(S, 3))
    hole = np.full((30, 2), np.nan)
    hole[:, 1] = np.arange(30) // 10
    one, two = (binning.Bins(T, layout="rows") for T in (hole, sparse.csr_array(hole)))
    assert all(map(np.array_equal, one.edges, two.edges))
    assert np.array_equal(one.centres(hole), two.centres(sparse.csr_array(hole)), equal_nan=True)


@pytest.mark.parametrize("name", ["tree", "forest", "newton", "boost", "sum"])
@pytest.mark.filterwarnings("ignore")
def test_a_table_of_zeros_and_one_row_each(name):
    y = np.arange(8) % 2
    for X in (np.zeros((8, 3)), np.eye(8)):
        assert_same_scores(RANKERS[name], X, y, [sparse.csr_array])


def test_a_weak_ranker_says_whether_it_takes_them():
    X, y = table("counts")
    logistic = AUCBoost(LogisticRegression(), n_estimators=3)
    assert (
        takes_sparse(logistic)
        and takes_sparse(AUCBoost())
        and not takes_sparse(AUCBoost(GaussianNB()))
    )
    one, two = (clone(logistic).fit(T, y).decision_function(T) for T in (X, sparse.csr_array(X)))
    np.testing.assert_allclose(one, two, rtol=1e-6)
    with pytest.raises(TypeError, match="(?i)sparse"):
        AUCBoost(GaussianNB()).fit(sparse.csr_array(X), y)


def test_too_large(monkeypatch):
    wide = sparse.csr_array((np.ones(120), (np.arange(120), np.arange(120))), shape=(120, 10**7))
    y = np.arange(120) % 2
    monkeypatch.setattr(tables, "MAX_DENSE_CELLS", 1000)
    small = sparse.random(400, 10, 0.9, "csr", random_state=0)
    labels = np.arange(400) % 2
    with pytest.raises(ValueError, match="400 x 10 numbers are too many: n_bins=255"):
        AUCBoost().fit(small, labels)
    with pytest.raises(ValueError, match="400 x 10 numbers are too many: splitter='axis'"):
        TreeRank(splitter="linear").fit(small, labels)
    for fit in (binning.Bins, binning.Bins(np.eye(2)).encode, lambda X: TreeRankForest().fit(X, y)):
        with pytest.raises(
            ValueError, match="a byte for each value here, and 120 x 10000000 are too many"
        ):
            fit(wide)


def test_infinite_values_are_refused():
    X, y = table("counts")
    X[3, 4] = np.inf
    for name in ("tree", "forest", "boost", "sum"):
        with pytest.raises(ValueError, match="infinity"):
            clone(RANKERS[name]).fit(sparse.csr_array(X), y)


def test_they_are_compared_without_being_written_out():
    X, y = table("counts")
    rankers = {"forest": RANKERS["forest"], "tree": RANKERS["tree"], "sum": RANKERS["sum"]}
    dense, thin = (
        compare(T, y, rankers, cv=2, options=CompareOptions(encode=None))
        for T in (X, sparse.csr_array(X))
    )
    assert all(np.array_equal(dense.scores[name], thin.scores[name]) for name in rankers)


def edited(form=sparse.csr_matrix, **parts):
    """A sparse table, one number of some of its arrays replaced without a check, as a faulty program does."""
    X, y = table("counts", 80, 6)
    out = form(X)
    for attribute, value in parts.items():
        array = np.array(getattr(out, attribute))
        array[-1 if attribute == "indptr" and value > 0 else 1] = value
        setattr(out, attribute, array)
    return out, y


def with_parts(**parts):
    """A CSR table with some of its arrays replaced."""
    X, y = table("counts", 80, 6)
    out = sparse.csr_matrix(X)
    for attribute, change in parts.items():
        setattr(out, attribute, change(getattr(out, attribute)))
    return out, y


INVALID = {  # name: (table, labels), and what the message names
    "beyond the columns": (edited(indices=77), "column index 77"),
    "just beyond": (edited(indices=6), "column index 6"),
    "negative": (edited(indices=-1), "row . .the first is 0. has the column index -1"),
    "smallest integer": (edited(indices=np.iinfo(np.int32).min), "column index -2147483648"),
    "int64 beyond": (
        with_parts(indices=lambda a: a.astype(np.int64) + 2**40),
        "column index 10995",
    ),
    "float indices": (with_parts(indices=lambda a: a.astype(float)), "whole numbers"),
    "indptr beyond the data": (edited(indptr=10**6), "indptr counts 1000000 entries"),
    "indptr negative": (edited(indptr=-5), "indptr falls at row 0"),
    "indptr not rising": (
        with_parts(indptr=lambda a: np.r_[a[:3], a[5], a[4:]]),
        "indptr falls at row 3",
    ),
    "indptr not from 0": (with_parts(indptr=lambda a: np.r_[1, a[1:]]), "indptr begins with 1"),
    "indptr short": (with_parts(indptr=lambda a: a[:-1]), "indptr has 80 numbers where 81"),
    "data short": (with_parts(data=lambda a: a[:-1]), "and data has"),
    "CSC": (edited(sparse.csc_array, indices=80), "row index 80"),
    "CSC negative": (edited(sparse.csc_matrix, indices=-1), "row index -1"),
    "COO": (edited(sparse.coo_matrix, col=6), "column index 6"),
    "COO row": (edited(sparse.coo_array, row=-3), "row index -3"),
    "BSR": (edited(sparse.bsr_array, indices=99), "block column index 99"),
    "too many columns": (
        (sparse.csr_matrix((80, 2**31)), table("counts", 80, 6)[1]),
        "keep the columns that hold",
    ),
    "too many columns, COO": (
        (sparse.coo_array((80, 2**40)), table("counts", 80, 6)[1]),
        "keep the columns that hold",
    ),
}
SOME = ["tree", "line", "forest", "newton", "boost", "coin", "column of bins", "sum with pairs"]


def in_a_child(call):
    """Outcome of a call in a forked process, which a wrong index may end: no error, or the error and its message."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        outcome = "no error"
        try:
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            call()
        except ValueError as error:
            outcome = f"ValueError: {error}"
        except BaseException as error:
            outcome = f"{type(error).__name__}: {error}"
        os.write(writer, outcome.encode()[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        outcome = pipe.read().decode()
    status = os.waitpid(child, 0)[1]
    assert status == 0, f"ended by signal {os.WTERMSIG(status)}"
    return outcome


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", INVALID)
def test_invalid_indices_are_refused_by_every_ranker(case):
    (wrong, y), words = INVALID[case]
    for name in SOME:
        assert re.search(
            f"ValueError: X .*{words}", in_a_child(lambda: clone(RANKERS[name]).fit(wrong, y))
        ), name


@pytest.fixture(scope="module")
def fitted():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            clone(RANKERS[name]).fit(*table("counts", 80, 6))
            for name in ("tree", "forest", "boost", "sum")
        ]


@pytest.mark.parametrize("case", INVALID)
def test_invalid_indices_are_refused_where_a_model_scores(case, fitted):
    (wrong, _), words = INVALID[case]
    for model in fitted:
        for call in (
            lambda: model.decision_function(wrong),
            lambda: model.predict(wrong),
            lambda: scores_of(model, wrong),
        ):
            assert re.search(f"ValueError: X .*{words}", in_a_child(call)), type(model)


@pytest.mark.parametrize("case", INVALID)
def test_invalid_indices_are_refused_before_other_libraries_see_them(case):
    (wrong, y), words = INVALID[case]
    rankers = {"forest": RandomForestClassifier(5), "line": LogisticRegression()}
    assert re.search(
        f"ValueError: X .*{words}", in_a_child(lambda: compare(wrong, y, rankers, cv=3))
    )
    if case == "negative":
        result = compare(*table("counts", 80, 6), rankers, cv=3)
        assert re.search(
            f"ValueError: X .*{words}",
            in_a_child(lambda: result.decide(wrong, max_fpr=0.5, confidence_level=None)),
        )
        decision = result.decide(
            sparse.csr_matrix(table("counts", 80, 6)[0]), max_fpr=0.5, confidence_level=None
        )
        assert re.search(f"ValueError: X .*{words}", in_a_child(lambda: decision.predict(wrong)))


def test_text_rankers_and_similarities_check_indices():
    wrong, y = edited(indices=77)
    for ranker in (BinaryNaiveBayes(), KNNRanker()):
        assert "column index 77" in in_a_child(lambda: ranker.fit(wrong, y))
    assert "column index 77" in in_a_child(lambda: poisson_tf_similarity(wrong))
    assert "Y is an invalid" in in_a_child(
        lambda: poisson_tf_similarity(table("counts", 80, 6)[0], wrong)
    )
    assert "column index 77" in in_a_child(lambda: signal_test(wrong, y))


@pytest.mark.parametrize("name", SOME)
@pytest.mark.filterwarnings("ignore")
def test_entries_in_any_order_and_of_any_integer(name):
    """Reversed rows, parts that an out-of-date flag hides, entries behind the last one, empty rows, 64-bit and unsigned indices."""
    X, y = table("counts", 80, 6)
    X[5:9] = 0
    expected = clone(RANKERS[name]).fit(X, y).decision_function(X)
    csr = sparse.csr_matrix(X)
    reversed_ = sparse.csr_matrix(X)
    for a, b in zip(csr.indptr[:-1], csr.indptr[1:]):
        reversed_.data[a:b], reversed_.indices[a:b] = (csr.data[a:b][::-1], csr.indices[a:b][::-1])
    parts = in_parts(X)
    parts.has_canonical_format = True  # the flag lies
    longer = sparse.csr_matrix(X)
    longer.data, longer.indices = np.r_[longer.data, 7.0, 8.0], np.r_[longer.indices, 0, 99]
    wide = sparse.csr_matrix(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for form in (
        reversed_,
        parts,
        longer,
        wide,
        sparse.lil_matrix(X),
        sparse.dok_matrix(X),
        sparse.bsr_matrix(X),
        sparse.dia_array(X),
    ):
        before = form.copy()
        scores = clone(RANKERS[name]).fit(form, y).decision_function(form)
        assert np.array_equal(scores, expected), form.format
        assert (before != form).nnz == 0  # the caller's table stays as it is
