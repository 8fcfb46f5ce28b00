"""Documents: similarity, neighbours; contract and bad input of every document ranker."""

import os

import numpy as np
import pytest
import scipy.sparse as sp
from contract import broken
from discovery import document_rankers
from documents import corpus
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from aucbook.text import (
    BinaryNaiveBayes,
    Cmass,
    Cmls,
    KNNRanker,
    Nscore,
    PoissonVectors,
    poisson_tf_similarity,
)
from aucbook.text.documents import top_share

compiled = pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="slow without compilation"
)
RANKERS = [
    *(cls() for name, cls in document_rankers().items() if name != "Nscore"),
    Nscore(n_estimators=10),
    Nscore(n_estimators=10, link="linear", weighting=None),
]


@compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator", [RANKERS[-1], PoissonVectors()], ids=str
)  # plain ones: test_rankers
def test_scikit_learns_contract(estimator):
    counts = {"check_class_weight_classifiers": "the check has negative numbers"}
    assert broken(estimator, counts if isinstance(estimator, Nscore) else {}) == {}


def similarity_reference(x, z, idf, alpha=0.0044, rate=0.7):
    """Eq. 49, word by word."""

    def lw(d, tf):
        return 1 / (1 + rate ** (tf - 1) * np.exp(alpha * d.sum()))

    return sum(
        lw(x, x[t]) * lw(z, z[t]) * idf[t] ** 2 for t in range(x.size) if x[t] > 0 and z[t] > 0
    )


def test_similarity_is_equation_49():
    X, _ = corpus(12)
    dense = X.toarray()
    idf = np.log(12 / np.maximum((dense > 0).sum(0), 1)) * ((dense > 0).sum(0) > 0)
    want = [[similarity_reference(a, b, idf) for b in dense] for a in dense]
    np.testing.assert_allclose(poisson_tf_similarity(X), want, rtol=1e-12)
    np.testing.assert_array_equal(poisson_tf_similarity(dense), poisson_tf_similarity(X))
    one = poisson_tf_similarity([[3.0, 0]], [[2.0, 1]], idf=[1.0, 1.0])  # by hand
    assert one[0, 0] == pytest.approx(
        1 / (1 + 0.49 * np.exp(0.0132)) / (1 + 0.7 * np.exp(0.0132)), rel=1e-12
    )


def test_similarity_of_a_huge_count_and_a_long_document_stays_finite():
    assert np.isfinite(poisson_tf_similarity([[1e6, 1], [0, 1e9]], idf=[1, 1])).all()


def knn_reference(S, y, k):
    """Without ties: the relevant ones' similarities among the k most similar."""
    order = np.argsort(-S, axis=1)[:, :k]
    return (np.take_along_axis(S, order, 1) * y[order]).sum(1)


@pytest.mark.parametrize("k", [1, 7, 60, 1000])
def test_neighbours(k):
    X, y = corpus()
    S = poisson_tf_similarity(X)
    np.testing.assert_allclose(
        KNNRanker(k).fit(X, y).decision_function(X), knn_reference(S, y, k), rtol=1e-12
    )


@pytest.mark.kernel
def test_neighbours_tied_at_the_last_place_share_it():
    sim, y = np.array([3.0, 2, 2, 2, 0]), np.array([1, 1, 0, 0, 1])

    def share(k):
        return top_share(sim, np.argsort(-sim, kind="stable"), y, np.ones(5), k)

    np.testing.assert_allclose(
        [share(1.0), share(2.0), share(4.0), share(9.0)], [3, 3 + 2 / 3, 5, 5]
    )


@pytest.mark.parametrize("model", RANKERS, ids=str)
def test_sparse_dense_weights_and_pipeline(model):
    X, y = corpus()
    a, dense = clone(model).fit(X, y).decision_function(X), X.toarray()
    np.testing.assert_array_equal(clone(model).fit(dense, y).decision_function(dense), a)
    np.testing.assert_array_equal(
        clone(model).fit(sp.coo_matrix(X), y).decision_function(sp.csc_matrix(X)), a
    )
    names = np.array(["other", "relevant"])[y]
    assert set(clone(model).fit(X, names).predict(X)) <= set(names)
    w = np.r_[np.ones(60), np.zeros(20)]
    np.testing.assert_allclose(
        clone(model).fit(X, y, w).decision_function(X),
        clone(model).fit(X[:60], y[:60]).decision_function(X),
        atol=1e-9,
    )
    before = X.copy()
    clone(model).fit(X, y).decision_function(X)
    assert (before != X).nnz == 0


def test_texts_through_a_vectoriser():
    texts = ["red fish", "blue fish", "red bird", "green bird", "old red fish", "new blue bird"] * 4
    y = np.array([1, 0, 1, 0, 1, 0] * 4)
    for model in RANKERS:
        assert (
            average_precision_score(
                y,
                make_pipeline(CountVectorizer(), clone(model))
                .fit(texts, y)
                .decision_function(texts),
            )
            > 0.99
        )
    tfidf = make_pipeline(TfidfVectorizer(), Nscore(20, weighting=None)).fit(texts, y)
    assert average_precision_score(y, tfidf.decision_function(texts)) > 0.99
    search = GridSearchCV(
        make_pipeline(CountVectorizer(), KNNRanker()),
        {"knnranker__n_neighbors": [1, 3]},
        scoring="average_precision",
        cv=2,
    )
    assert search.fit(texts, y).best_score_ > 0.9


@pytest.mark.parametrize("model", RANKERS, ids=str)
class TestBadInput:
    def test_texts_and_lists(self, model):
        X, y = corpus(20)
        for texts in (["a b", "c"] * 10, np.array(["a b", "c"] * 10, dtype=object)):
            with pytest.raises(ValueError, match="CountVectorizer"):
                model.fit(texts, y)
        with pytest.raises(ValueError, match="vstack"):
            model.fit(list(X), y)

    def test_mixed_dense_and_sparse_rows(self, model):
        X, y = corpus(20)
        mixed = np.empty(20, dtype=object)
        mixed[:] = [X[i] if i % 2 else list(range(60)) for i in range(20)]
        with pytest.raises(ValueError, match="vstack"):
            model.fit(mixed, y)

    def test_negative_and_not_finite(self, model):
        X, y = corpus(20)
        for bad, word in ((-1.0, "Negative"), (np.nan, "NaN"), (np.inf, "infinity")):
            Z = X.toarray().astype(float)
            Z[3, 4] = bad
            for form in (np.asarray, sp.csr_matrix):
                with pytest.raises(ValueError, match=word):
                    clone(model).fit(form(Z), y)
                with pytest.raises(ValueError, match=word):
                    clone(model).fit(X, y).decision_function(form(Z))

    def test_another_vocabulary(self, model):
        X, y = corpus(20)
        with pytest.raises(ValueError, match="59 features.*60"):
            clone(model).fit(X, y).decision_function(X[:, :59])

    def test_empty_documents(self, model):
        X, y = corpus(20)
        Z = X.tolil()
        Z[7] = 0
        Z = Z.tocsr()
        for documents in (Z, Z.toarray(), Z * 0.5):
            with pytest.warns(UserWarning, match=r"1 empty document\(s\).*row\(s\) 7\. ") as caught:
                fitted = clone(model).fit(documents, y)
            assert caught[0].filename == __file__  # the warning points at the line that called fit
        with pytest.warns(UserWarning, match="1 empty document") as caught:
            scores = fitted.decision_function(Z)
        assert np.isfinite(scores).all() and caught[0].filename == __file__
        if isinstance(model, KNNRanker):
            assert scores[7] == scores.min() == 0  # it ranks last
        if isinstance(model, BinaryNaiveBayes):
            assert scores[7] == fitted.intercept_[0]  # or by what no evidence gives

    def test_labels(self, model):
        X, y = corpus(20)
        with pytest.raises(ValueError, match="binary"):
            clone(model).fit(X, np.arange(20) % 3)
        with pytest.raises(ValueError, match="one class"):
            clone(model).fit(X, y, y)


@pytest.mark.parametrize(
    "model, word",
    [
        (BinaryNaiveBayes(alpha=0), "alpha"),
        (BinaryNaiveBayes(cut=-1), "cut"),
        (Cmls(regularization=0), "regularization"),
        (Cmls(max_iter=0), "max_iter"),
        (KNNRanker(0), "n_neighbors"),
        (KNNRanker(weighting="bm25"), "weighting"),
        (Nscore(0), "n_estimators"),
        (Nscore(xlap=-1), "xlap"),
        (Nscore(link="cubic"), "link"),
        (Nscore(clip=0), "clip"),
        (Nscore(clip=0.5), "clip"),
        (Nscore(n_bins=1), "n_bins"),
        (Nscore(weighting="tfidf"), "weighting"),
        (PoissonVectors(rate_ratio=1), "rate_ratio"),
        (PoissonVectors(alpha=-1), "alpha"),
        (KNNRanker(2.5), "n_neighbors must be a whole number, at least 1, got 2.5"),
        (Nscore(2.5), "n_estimators must be .* got 2.5"),
        (Nscore(xlap=0.5), "xlap must be .* got 0.5"),
        (Nscore(n_bins="a"), "n_bins must be .* got 'a'"),
        (Nscore(clip="a"), "clip must be .* got 'a'"),
        (Nscore(clip=1e-17), "1 - clip is rounded to 1"),
        (Cmls("a"), "regularization"),
        (Cmls(tol="a"), "tol"),
        (Cmls(max_iter=1.5), "max_iter"),
        (BinaryNaiveBayes("a"), "alpha"),
        (BinaryNaiveBayes(cut="a"), "cut"),
        (PoissonVectors("a"), "alpha"),
    ],
)
def test_bad_parameters(model, word):
    with pytest.raises(ValueError, match=word):
        model.fit(*corpus(20))


@pytest.mark.kernel
def test_huge_entries():
    X, y = corpus(20)
    for ranker in (Cmass(), KNNRanker(weighting=None), Nscore(5, weighting=None)):
        with pytest.raises(ValueError, match=r"X has an entry of .*e\+30"):
            clone(ranker).fit(X * 1e300, y)
        with pytest.raises(ValueError, match=r"X has an entry of .*e\+30"):
            clone(ranker).fit(X, y).decision_function(X * 1e300)
        assert np.isfinite(clone(ranker).fit(X * 1e49, y).decision_function(X * 1e49)).all()


def test_bad_similarity():
    with pytest.raises(ValueError, match="same vocabulary"):
        poisson_tf_similarity([[1, 2]], [[1, 2, 3]])
    with pytest.raises(ValueError, match="idf"):
        poisson_tf_similarity([[1, 2]], idf=[1])
    with pytest.raises(ValueError, match="Negative"):
        poisson_tf_similarity([[1, -2]])
    with pytest.raises(ValueError, match="rate"):
        poisson_tf_similarity([[1, 2]], rate_ratio=0)


def test_neighbours_where_every_word_is_in_every_document():
    """Every word in every document: idf is 0 everywhere, all similarities are 0."""
    X, y = np.ones((8, 3)), np.arange(8) % 2
    assert (KNNRanker().fit(X, y).decision_function(X) == 0).all()


def test_vectors_of_words_never_seen():
    vectors = PoissonVectors().fit([[1, 0, 2], [1, 0, 0]])
    assert vectors.idf_[1] == 0 and vectors.idf_[0] == 0
    np.testing.assert_allclose(
        vectors.transform([[0, 5, 1]]).toarray()[0], [0, 0, np.log(2) / (1 + np.exp(0.0044 * 6))]
    )


def test_words_that_separate_no_documents_give_a_warning():
    counts, wanted = [[1, 2], [2, 1], [3, 1], [1, 1]], [1, 1, 0, 0]
    for ranker in (KNNRanker(), KNNRanker(2)):
        with pytest.warns(UserWarning, match="each word is in every document.*all scores are 0"):
            assert not ranker.fit(counts, wanted).decision_function(counts).any()
    assert (
        np.ptp(KNNRanker(60, weighting=None).fit(counts, wanted).decision_function(counts)) > 0
    )  # all are neighbours


def test_vectors_keep_the_names_of_the_words():
    pd = pytest.importorskip("pandas")
    counts = pd.DataFrame([[1, 0, 2], [1, 1, 0]], columns=["red", "blue", "fish"])
    assert PoissonVectors().fit(counts).get_feature_names_out().tolist() == ["red", "blue", "fish"]
    pairs = make_pipeline(CountVectorizer(), PoissonVectors()).fit(["red fish", "blue fish"])
    assert pairs.get_feature_names_out().tolist() == ["blue", "fish", "red"]
