"""Sparse tables: every ranker that takes them answers to the last bit as for the table written out; what is too large is refused."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from aucbook import AdditiveRanker, AUCBoost, TreeRank, TreeRankBoost, TreeRankForest, compare
from aucbook._core import binning
from aucbook._core import sparse as tables
from aucbook._core.hashing import hash_rows
from aucbook.boosting import FeatureRanker
from aucbook.comparison.inputs import takes_sparse

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
    "boost": AUCBoost(n_rounds=15),
    "bins": AUCBoost(n_rounds=15, n_bins=255, track_auc=True),
    "coin": AUCBoost(n_rounds=15, answers="coin", random_state=0),
    "column": FeatureRanker(),
    "column of bins": FeatureRanker(16),
    "sum": AdditiveRanker(),
    "sum with pairs": AdditiveRanker(n_bags=2, interactions=2),
}
NO_NAN = {"boost", "bins", "coin", "column", "column of bins"}


def table(kind, n=400, d=12):
    "(X, y) with many zeros; X written out"
    rng = np.random.default_rng(5)
    X = np.where(rng.random((n, d)) < 0.2, {"bits": 1.0, "counts": 0.0, "reals": 0.0, "gaps": 0.0}[kind], 0.0)
    seen = rng.random((n, d)) < 0.3
    if kind == "counts":
        X[seen] = rng.poisson(2, seen.sum())
    elif kind != "bits":
        X[seen] = rng.normal(size=seen.sum())
    if kind == "gaps":
        X[rng.random((n, d)) < 0.05] = np.nan
    y = (np.nan_to_num(X[:, 0] + X[:, 1] - X[:, 2]) + rng.normal(size=n) > 0.5).astype(int)
    return X, y


def in_parts(X):
    "X as CSR in which each entry is stored as two of half the size, in any order, with some zeros"
    whole = sparse.coo_array(X)
    row, column = whole.row, whole.col
    data = np.r_[whole.data / 2, whole.data / 2, 0.0, -0.0]
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
    "More rows than edges are fitted to: rare values beside popular ones, in both forms"
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
                for most in (None, 150):
                    one, two = (binning.Bins(T, n_bins, layout=layout, max_rows=most) for T in (X, S))
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
    logistic = AUCBoost(LogisticRegression(), n_rounds=3)
    assert takes_sparse(logistic) and takes_sparse(AUCBoost()) and not takes_sparse(AUCBoost(GaussianNB()))
    one, two = (clone(logistic).fit(T, y).decision_function(T) for T in (X, sparse.csr_array(X)))
    np.testing.assert_allclose(one, two, rtol=1e-6)
    with pytest.raises(TypeError, match="(?i)sparse"):
        AUCBoost(GaussianNB()).fit(sparse.csr_array(X), y)


def test_too_large(monkeypatch):
    wide = sparse.csr_array((np.ones(120), (np.arange(120), np.arange(120))), shape=(120, 10**7))
    y = np.arange(120) % 2
    monkeypatch.setattr(tables, "MOST_CELLS", 1000)
    small, labels = sparse.random(400, 10, 0.9, "csr", random_state=0), np.arange(400) % 2
    with pytest.raises(ValueError, match="400 x 10 numbers are too many: n_bins=255"):
        AUCBoost().fit(small, labels)
    with pytest.raises(ValueError, match="400 x 10 numbers are too many: splitter='axis'"):
        TreeRank(splitter="linear").fit(small, labels)
    for fit in (binning.Bins, binning.Bins(np.eye(2)).encode, lambda X: TreeRankForest().fit(X, y)):
        with pytest.raises(ValueError, match="a byte for each value here, and 120 x 10000000 are too many"):
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
    dense, thin = (compare(T, y, rankers, cv=2, encode=None) for T in (X, sparse.csr_array(X)))
    assert all(np.array_equal(dense.scores[name], thin.scores[name]) for name in rankers)
