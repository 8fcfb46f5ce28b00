"""Naive Bayes, two centroids, the large margin: peers, definitions, the paper's numbers. Contract and bad input: test_documents."""

import numpy as np
import pytest
import scipy.sparse as sp
from documents import corpus
from sklearn.naive_bayes import BernoulliNB

from aucbook import average_precision_11pt
from aucbook.text import BinaryNaiveBayes, Cmass, Cmls
from aucbook.text.word_weights import least_squared_hinge
from aucbook.theory import make_three_words


def test_naive_bayes_is_scikit_learns():
    X, y = corpus()
    ours, peer = BinaryNaiveBayes().fit(X, y), BernoulliNB().fit(X, y)
    log = peer.predict_joint_log_proba(X)
    np.testing.assert_allclose(
        ours.decision_function(X), log[:, 1] - log[:, 0], atol=1e-10
    )  # sums of 60 logarithms
    weights = BinaryNaiveBayes(cut=1.0).fit(X, y).coef_
    np.testing.assert_array_equal(weights, np.where(np.abs(ours.coef_) >= 1, ours.coef_, 0))


@pytest.mark.parametrize("alpha", [5e-324, 1e-20, 1e308])
def test_an_alpha_that_rounding_loses(alpha):
    X, y = corpus()
    X = X.toarray()
    X[:, 3] = 1  # in all documents: without alpha, certainty
    with pytest.raises(ValueError, match="alpha=.* is lost in rounding beside 80 documents"):
        BinaryNaiveBayes(alpha=alpha).fit(X, y)


def test_example_4_3():
    """Table 3 prints .7042 over 1000 random spaces; 200 of them here, and three standard errors."""
    precisions = []
    for seed in range(200):
        X, y = make_three_words(seed)
        precisions.append(
            average_precision_11pt(y, BinaryNaiveBayes().fit(X, y).decision_function(X))
        )
    assert abs(np.mean(precisions) - 0.7042) < 3 * np.std(precisions) / np.sqrt(200)


def test_cmass_is_the_difference_of_the_centres():
    X, y = corpus()
    w = np.random.default_rng(0).random(y.size)
    dense = X.toarray()
    want = np.average(dense[y == 1], 0, w[y == 1]) - np.average(dense[y == 0], 0, w[y == 0])
    np.testing.assert_allclose(Cmass().fit(X, y, w).coef_[0], want, atol=1e-14)


@pytest.mark.parametrize("regularization", [1e-3, 1.0])
def test_cmls_is_at_the_minimum(regularization):
    X, y = corpus()
    w = np.random.default_rng(0).random(y.size)
    model = Cmls(regularization).fit(X, y, w)
    P, sign = (X > 0).toarray().astype(float), 2 * y - 1
    gap = np.maximum(1 - sign * (P @ model.coef_[0] + model.intercept_[0]), 0)
    gradient = 2 * regularization * model.coef_[0] - 2 * P.T @ (w * sign * gap) / w.sum()
    assert (
        np.abs(gradient).max() < 1e-8 and abs((w * sign * gap).sum()) / w.sum() < 1e-8
    )  # tol is 1e-10 of the first gradient
    with pytest.warns(UserWarning, match="max_iter"):
        Cmls(max_iter=1).fit(X, y)


@pytest.mark.parametrize("model", [BinaryNaiveBayes(), Cmass(), Cmls()], ids=str)
def test_coefficients_have_scikit_learns_shapes(model):
    X, y = corpus()
    model.fit(X, y)
    rows = X.toarray() if isinstance(model, Cmass) else X.toarray() > 0
    assert model.coef_.shape == (1, 60) and model.intercept_.shape == (1,)
    np.testing.assert_allclose(
        rows @ model.coef_[0] + model.intercept_[0], model.decision_function(X), atol=1e-12
    )  # sums of 60 terms


def test_the_solver_at_hand_computed_minima():
    v, steps, converged = least_squared_hinge(
        sp.csr_matrix([[1.0], [-1.0]]), np.array([1.0, -1.0]), np.ones(2), np.ones(1), 1e-10, 9
    )
    assert converged and steps <= 3 and v[0] == pytest.approx(0.5)  # (1 - v)^2 + v^2
    v, _, converged = least_squared_hinge(
        sp.csr_matrix([[1.0], [1.0]]),
        np.array([1.0, -1.0]),
        np.array([3.0, 1.0]),
        np.zeros(1),
        1e-10,
        9,
    )
    assert converged and v[0] == pytest.approx(0.5)  # 3 (1 - v)^2 + (1 + v)^2, over 4
    assert not least_squared_hinge(
        sp.csr_matrix([[1.0], [-1.0]]), np.array([1.0, -1.0]), np.ones(2), np.ones(1), 0.0, 1
    )[2]


@pytest.mark.parametrize(
    "model, word",
    [
        (BinaryNaiveBayes(cut=50.0), "lower `cut`"),
        (Cmass(), "centres of the two classes coincide"),
        (Cmls(), "words that differ"),
    ],
)
def test_no_weight_at_all_gives_a_warning(model, word):
    X, y = np.ones((8, 3)), np.arange(8) % 2
    with pytest.warns(
        UserWarning, match="every document will get the same score.*" + word
    ) as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__ and np.ptp(model.decision_function(X)) == 0
