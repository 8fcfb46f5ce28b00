"""Nscore: the definition, Theorem 1, its kernels, the choice of documents, interruption. Contract and bad input: test_documents."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from documents import corpus

from aucbook import PAVCalibrator
from aucbook.isotonic import IsotonicLink
from aucbook.text import Nscore, poisson_tf_similarity
from aucbook.text.nscore import link_fitter, next_to_ask


def nscore_reference(X, y, rounds):
    """Section 7.2 with the PAV link, from the definition; ties in weight go to the document with the largest vector."""
    S, sign = poisson_tf_similarity(X), 2.0 * y - 1
    rank = np.argsort(np.argsort(-np.diag(S), kind="stable"))
    f, picks = np.zeros(y.size), []
    for t in range(1, rounds + 1):
        side = np.flatnonzero(y == (t % 2 == 0))
        D = np.exp(-sign * f)
        i = min(side, key=lambda i: (-D[i].round(12), rank[i]))
        p = PAVCalibrator(clip=1 / y.size).fit(h := sign[i] * S[i], y, D / D.sum()).transform(h)
        f += np.log(p / (1 - p)) / 2
        picks.append(i)
    return picks, f


def test_nscore_follows_the_definition():
    X, y = corpus()
    picks, f = nscore_reference(X, y, 30)
    model = Nscore(n_estimators=30).fit(X, y)
    np.testing.assert_array_equal(model.picks_, picks)
    np.testing.assert_allclose(model.decision_function(X), f, atol=1e-8)
    assert (y[model.picks_[::2]] == 0).all() and (y[model.picks_[1::2]] == 1).all()


@pytest.mark.parametrize("link", ["pav", "linear", "optimal"])
def test_nscore_keeps_theorem_1_and_its_stages(link):
    X, y = corpus()
    model = Nscore(30, link=link, xlap=10, n_bins=8).fit(X, y)
    stages = list(model.staged_decision_function(X))
    errors = [np.mean((2 * y - 1) * f <= 0) for f in stages]
    np.testing.assert_allclose(errors, model.history_["error"])
    assert (model.history_["error"] <= model.history_["bound"] + 1e-12).all()  # 1e-12: rounding
    np.testing.assert_array_equal(stages[-1], model.decision_function(X))
    np.testing.assert_allclose(
        np.mean(np.exp(-(2 * y - 1) * stages[-1])), model.history_["bound"][-1], rtol=1e-9
    )
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(model)).decision_function(X), stages[-1]
    )


def test_no_document_is_asked_again_within_xlap_rounds():
    X, y = corpus()
    for xlap in (0, 5, 2 * y.sum() - 1):
        picks = Nscore(60, link="linear", xlap=xlap).fit(X, y).picks_
        for i in np.unique(picks):
            assert (np.diff(np.flatnonzero(picks == i)) > xlap).all()
    with pytest.raises(ValueError, match=f"xlap can be at most {2 * y.sum() - 1}"):
        Nscore(xlap=2 * y.sum()).fit(X, y)


def test_linear_nscore_without_xlap_locks_on():
    """Section 7.2: the program locks onto a small subset, and boosting becomes ineffective."""
    X, y = corpus(160)
    locked = Nscore(200, link="linear").fit(X, y)
    free = Nscore(200, link="linear", xlap=40).fit(X, y)
    assert np.unique(locked.picks_).size < np.unique(free.picks_).size
    assert locked.history_["bound"][-1] > free.history_["bound"][-1]


def test_nscore_takes_large_weights_and_warns_of_shares():
    X, y = corpus()
    assert np.isfinite(Nscore(20).fit(X, y, np.full(y.size, 1e20)).decision_function(X)).all()
    with pytest.warns(UserWarning, match="sums to 1 on 80 rows: here weights count rows"):
        Nscore(5).fit(X, y, np.full(y.size, 1 / y.size))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Nscore(5, link="linear").fit(X, y, np.full(y.size, 1 / y.size))


def test_uninformative_documents():
    """Every word in every document: idf is 0 everywhere, all similarities are 0."""
    X, y = np.ones((8, 3)), np.arange(8) % 2
    with pytest.warns(UserWarning, match="No document is informative"):
        model = Nscore().fit(X, y)
    assert (model.decision_function(X) == 0).all() and model.n_estimators_ == 0


@pytest.mark.kernel
def test_interruption_keeps_the_rounds(monkeypatch):
    import aucbook.text.nscore as module

    calls, real = [], module.similarity_to_one

    def similar(*arguments):
        calls.append(1)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(module, "similarity_to_one", similar)
    X, y = corpus(20)
    with pytest.warns(UserWarning, match="first 5 of 1000"):
        model = Nscore().fit(X, y)
    assert model.n_estimators_ == 5


def test_large_predictions_come_in_parts():
    X, y = corpus(20)
    tiled = sp.vstack([X] * 210, "csr")  # more than 4096 rows
    model = Nscore(10).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(
            model.decision_function(tiled), np.tile(model.decision_function(X), 210)
        )


@pytest.mark.kernel
@pytest.mark.parametrize("kind", ["random", "tied", "one value"])
def test_votes_and_pools_are_the_calibrators(kind):
    rng = np.random.default_rng(0)
    for _ in range(40):
        n = rng.integers(4, 40)
        h = {
            "random": rng.normal(size=n),
            "tied": rng.integers(0, 6, n) / 2,
            "one value": np.ones(n),
        }[kind]
        D = rng.random(n)
        y = rng.permutation(np.arange(n) % 2).astype(np.uint8)
        link, votes = link_fitter("pav", 0.1, None, n)(h, y, D)
        p = PAVCalibrator(clip=0.1).fit(h, y, D).transform(h)
        np.testing.assert_allclose(votes, np.log(p / (1 - p)) / 2, atol=1e-12)
        other = IsotonicLink(0.1).fit(h, y, D)
        np.testing.assert_array_equal(link.thresholds_, other.thresholds_)
        np.testing.assert_allclose(link.probabilities_, other.probabilities_, atol=1e-12)


@pytest.mark.kernel
def test_next_to_ask_by_hand():
    margin, side = np.array([0.3, -0.2, 0.9, -0.2]), np.array([0, 3, 1])
    assert (
        next_to_ask(side, margin, np.full(4, -np.inf), 1, 0) == 3
    )  # of equals, the first in the list
    assert (
        next_to_ask(side, margin, np.array([-np.inf, 1, 1, 1]), 2, 5) == 0
    )  # the others must rest
    assert next_to_ask(side, margin, np.ones(4), 2, 5) == -1


def test_one_link_a_round():
    X, y = corpus()
    model = Nscore(30).fit(X, y)
    assert len(model.links_) == model.picks_.size == model.n_estimators_
    assert (
        all(link is None or isinstance(link, IsotonicLink) for link in model.links_)
        and model.links_[0] is not None
    )
