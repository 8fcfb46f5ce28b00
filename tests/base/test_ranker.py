"""What every ranker inherits from `aucbook._base.ranker.Ranker`."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_info, threadpool_limits

import aucbook._base.ranker as base_ranker
from aucbook import AUCBoost, MartiRank, PAVAdaBoost, scores_of
from aucbook._base.ranker import (
    SCORE_METHODS,
    InterruptedFit,
    fitted_scores,
    limit_blas_threads,
    raise_on_interrupt,
    warn_interrupted,
)
from aucbook.boosting import SMartiRank
from aucbook.pauc import PAUCBoost


@pytest.mark.parametrize(
    "model, name",
    [
        (AUCBoost(n_estimators=2.5), "n_estimators"),
        (AUCBoost(n_estimators="a"), "n_estimators"),
        (AUCBoost(n_bins=2.5), "n_bins"),
        (AUCBoost(n_bins=True), "n_bins"),
        (MartiRank(n_estimators=2.5), "n_estimators"),
        (MartiRank(min_samples="a"), "min_samples"),
        (SMartiRank(draws=0), "draws"),
        (SMartiRank(noise_rate="b"), "noise_rate"),
    ],
)
def test_parameters_of_the_wrong_kind_are_named(model, name):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=name):
        model.fit(X, [0, 1, 0, 1, 0, 1])


@pytest.mark.parametrize("kind", [AUCBoost, MartiRank, SMartiRank, PAVAdaBoost, PAUCBoost])
def test_a_former_name_of_a_parameter_is_answered_with_the_new_one(kind):
    with pytest.raises(TypeError, match=rf"{kind.__name__} takes n_estimators=, not n_rounds="):
        kind(n_rounds=3)


def test_a_fit_that_failed_is_no_fit():
    model = AUCBoost(n_estimators=0)
    with pytest.raises(ValueError):
        model.fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(NotFittedError):
        model.decision_function([[1.0]])


class Answers:
    """An object with the given methods and no fitted attribute."""

    def __init__(self, **methods):
        vars(self).update(methods)


def test_scores_come_from_the_first_method_there_is():
    column = np.array([3.0, 1.0, 2.0])
    table = np.array([[0.9, 0.1], [0.2, 0.8]])
    assert (
        fitted_scores(
            Answers(decision_function=lambda X: column, predict_proba=lambda X: table), None
        )
        is column
    )
    np.testing.assert_array_equal(
        fitted_scores(Answers(predict_proba=lambda X: table), None), [0.1, 0.8]
    )
    everything = (*SCORE_METHODS, "predict")
    np.testing.assert_array_equal(
        fitted_scores(Answers(predict=lambda X: [0, 1]), None, everything), [0, 1]
    )
    with pytest.raises(
        ValueError,
        match="Answers has neither decision_function nor predict_proba: nothing to rank by",
    ):
        fitted_scores(Answers(predict=lambda X: [0, 1]), None)
    with pytest.raises(ValueError, match="Answers has no predict: nothing to rank by"):
        fitted_scores(Answers(), None, ("predict",))


def test_a_user_is_asked_more():
    X, y = np.arange(6.0)[:, None], np.array(list("aababb"))
    model = GaussianNB().fit(X, y)
    np.testing.assert_array_equal(scores_of(model, X), model.predict_proba(X)[:, 1])
    np.testing.assert_array_equal(scores_of(model, X, pos_label="b"), model.predict_proba(X)[:, 1])
    np.testing.assert_array_equal(scores_of(model, X, pos_label="a"), -model.predict_proba(X)[:, 1])
    with pytest.raises(NotFittedError):
        scores_of(GaussianNB(), X)
    with pytest.raises(ValueError, match="fitted to 3 classes"):
        scores_of(GaussianNB().fit(X, [0, 0, 1, 1, 2, 2]), X)
    with pytest.raises(
        ValueError, match=r"pos_label='B' is not a class of GaussianNB: \['a', 'b'\]"
    ):
        scores_of(model, X, pos_label="B")


def blas_threads():
    return [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]


def test_small_data_keep_to_one_thread_and_large_do_not():
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with limit_blas_threads(np.ones((10, 10))):
            assert set(blas_threads()) <= {1}
        with limit_blas_threads(csr_matrix(np.ones((10, 10)))):
            assert set(blas_threads()) <= {1}
        with limit_blas_threads(np.broadcast_to(1.0, (1000, 1000))):
            assert blas_threads() == before
        with limit_blas_threads(np.broadcast_to(1.0, (1000, 1000)), 2):  # ours are at work
            assert set(blas_threads()) <= {1}
        assert blas_threads() == before


def test_an_interrupted_fit_warns_a_user_and_raises_inside_another_fit():
    def warn():
        with pytest.warns(InterruptedFit, match="^3 rounds are kept$") as record:
            warn_interrupted("3 rounds are kept")
        assert record[0].filename == __file__

    warn()
    with pytest.raises(KeyboardInterrupt, match="3 rounds"), raise_on_interrupt():
        with (
            pytest.raises(ValueError, match="of a member"),
            raise_on_interrupt(),
        ):  # a fit within a fit that fails
            raise ValueError("of a member")
        warn_interrupted("3 rounds are kept")
    warn()


@pytest.mark.parametrize("booster", [AUCBoost, MartiRank, PAVAdaBoost])
def test_a_weak_ranker_that_takes_no_weights_is_refused_by_its_name(booster):
    X, y = np.arange(200.0).reshape(100, 2), np.arange(100) % 2
    with pytest.raises(ValueError, match="^KNeighborsClassifier doesn't support sample_weight: "):
        booster(KNeighborsClassifier()).fit(X, y)


class RecordedLimits:
    """Stands for the BLAS libraries, and records when they are limited and restored."""

    def __init__(self):
        self.calls = []

    def limit(self, limits, user_api):
        self.calls.append((limits, user_api))
        return self

    def restore_original_limits(self):
        self.calls.append("restored")


def test_overlapping_blocks_of_threads_limit_blas_once_and_restore_it_last(monkeypatch):
    """The number of threads belongs to the process: the first block to end must not restore it."""
    libraries = RecordedLimits()
    monkeypatch.setattr(base_ranker, "_loaded_libraries", lambda: libraries)
    both_inside = Barrier(2, timeout=60)
    first_left = Event()

    def first():
        with limit_blas_threads(np.ones((10, 10))):
            both_inside.wait()
        first_left.set()

    def second():
        with limit_blas_threads(np.ones((10, 10))):
            both_inside.wait()
            assert first_left.wait(60)
            assert libraries.calls == [(1, "blas")]

    with ThreadPoolExecutor(2) as pool:
        for job in [pool.submit(first), pool.submit(second)]:
            job.result()
    assert libraries.calls == [(1, "blas"), "restored"]
