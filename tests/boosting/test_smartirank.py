"""SMartiRank: scikit-learn's contract, the oracle, noise."""

import itertools
import os
import pickle
import tracemalloc

import numpy as np
import pytest
from labelled_rows import normal_rows as sample

from aucbook import roc_auc
from aucbook._base.ranker import InterruptedFit
from aucbook.boosting import SMartiRank
from aucbook.theory import make_flipped

compiled = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="too many rows for uncompiled kernels"
)


def test_a_row_scores_the_same_wherever_it_stands():
    X, y = sample()
    model = SMartiRank(n_estimators=6, random_state=1).fit(X, y)
    s = model.decision_function(X)
    p = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(model.decision_function(X[p]), s[p])
    np.testing.assert_array_equal([model.decision_function(x[None])[0] for x in X[:5]], s[:5])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).decision_function(X), s)
    assert -1 <= s.min() < s.max() <= 1


@pytest.mark.parametrize(
    "change, word",
    [
        ({"noise_rate": 0.5}, "noise_rate"),
        ({"epsilon": 0}, "epsilon"),
        ({"ranking": "x"}, "ranking"),
        ({"noise_rate": 0.49}, "one class is empty"),
    ],
)
def test_bad_parameters_of_smartirank(change, word):
    X, y = np.arange(100.0)[:, None], np.arange(100) < 30
    with pytest.raises(ValueError, match=word):
        SMartiRank(**change).fit(X, y)


def batches(n=1000, noise=0.1, width=21):
    for seed in itertools.count():
        X, y = make_flipped(n, noise, random_state=seed)
        yield X[:, :width], y


@compiled
def test_oracle_callable_or_iterator():
    source = batches()
    a = SMartiRank(n_estimators=4, draws=1000, noise_rate=0.1, random_state=0).fit_oracle(
        lambda: next(source)
    )
    b = SMartiRank(n_estimators=4, draws=1000, noise_rate=0.1, random_state=0).fit_oracle(batches())
    X, _ = next(batches())
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    assert a.n_draws_ == sum(a.draws_by_level_) == 4 * 2000 and a.p_ == pytest.approx(
        0.5, abs=0.05
    )  # 8000 draws: standard error .007


@compiled
def test_a_rare_class_draws_more():
    def rare(rng=np.random.default_rng(0)):
        while True:
            y = (rng.random(1000) < 0.1).astype(int)
            yield rng.normal(size=(1000, 2)) + y[:, None], y

    model = SMartiRank(n_estimators=2, draws=1000, random_state=0).fit_oracle(rare())
    # the share is guessed as 1/2, 1/4, 1/8: 2000 draws, 2000 more, 4000 more, and 8000
    assert model.draws_by_level_ == [8000, 8000]
    assert model.p_ == pytest.approx(0.1, abs=0.03)  # standard error .004


@compiled
def test_earlier_batches_of_a_rare_class_count():
    """The first level of draws that were doubled is that of a table of all rows drawn."""
    rng = np.random.default_rng(0)
    y = (rng.random(40_000) < 0.03).astype(int)
    X = rng.integers(0, 9, size=(40_000, 3)) + y[:, None] * [0.0, 1.0, 2.0]
    batches_of_500 = ((X[k : k + 500], y[k : k + 500]) for k in range(0, 40_000, 500))
    drawn = SMartiRank(n_estimators=1, draws=1000, random_state=0).fit_oracle(batches_of_500)
    (n_drawn,) = drawn.draws_by_level_
    assert n_drawn == 32_000
    table = SMartiRank(n_estimators=1, random_state=0).fit(X[:n_drawn], y[:n_drawn])
    assert drawn.p_ == table.p_
    np.testing.assert_array_equal(drawn.decision_function(X), table.decision_function(X))


def test_a_table_with_a_rare_class_is_read_once_a_level():
    rng = np.random.default_rng(0)
    y = (rng.random(3000) < 0.02).astype(int)
    X = rng.normal(size=(3000, 2)) + 2 * y[:, None]
    model = SMartiRank(n_estimators=3, random_state=0).fit(X, y)
    assert model.draws_by_level_ == [3000, 3000, 3000]
    assert model.p_ == pytest.approx(y.mean()) and roc_auc(y, model.decision_function(X)) > 0.9


@compiled
def test_auto_noise_rate_ranks():
    model = SMartiRank(n_estimators=6, draws=2000, noise_rate="auto", random_state=0).fit_oracle(
        batches()
    )
    X, _, y = make_flipped(2000, 0, random_state=9, return_clean=True)
    assert (
        model.noise_rate_ in (0, 0.1, 0.2, 0.3, 0.4)
        and roc_auc(y, model.decision_function(X)) > 0.75
    )  # chance: .5, sd .013


def test_auto_noise_rate_leaves_out_what_cannot_be():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = (X[:, 0] > 1) ^ (
        rng.random(600) < 0.05
    )  # about a fifth positive: rates of .2 and more would leave none
    model = SMartiRank(n_estimators=4, noise_rate="auto", random_state=0).fit(X, y)
    assert (
        model.noise_rate_ < y.mean() < 0.25
        and roc_auc(X[:, 0] > 1, model.decision_function(X)) > 0.9
    )
    with pytest.raises(ValueError, match="one class is empty"):
        SMartiRank(n_estimators=4, noise_rate=0.3).fit(X, y)


def test_auto_noise_rate_keeps_the_programs_done_when_the_oracle_ends():
    with pytest.warns(UserWarning, match="ended early: 3 of 3.*noise_rate=0"):
        model = SMartiRank(
            n_estimators=3, draws=1000, noise_rate="auto", random_state=0
        ).fit_oracle(itertools.islice(batches(), 10))
    assert model.n_estimators_ == 3 and model.noise_rate_ == 0


def test_oracle_that_ends_early():
    with pytest.warns(UserWarning, match="ended early: 2 of 9"):
        model = SMartiRank(n_estimators=9, draws=1000, random_state=0).fit_oracle(
            itertools.islice(batches(), 5)
        )
    assert (
        model.n_estimators_ == 2 and np.isfinite(model.decision_function(next(batches())[0])).all()
    )
    with pytest.raises(ValueError, match="before the first level"):
        SMartiRank(draws=5000).fit_oracle(itertools.islice(batches(), 2))
    with pytest.raises(ValueError, match="no batch"):
        SMartiRank().fit_oracle(iter([]))


def test_oracle_that_changes():
    wide = itertools.chain(itertools.islice(batches(), 1), batches(width=20))
    with pytest.raises(ValueError, match="21 features"):
        SMartiRank(n_estimators=2, draws=1000).fit_oracle(wide)
    other = itertools.chain(itertools.islice(batches(), 1), [(np.ones((2, 21)), [1, 7])])
    with pytest.raises(ValueError, match="label 7"):
        SMartiRank(n_estimators=2, draws=1000).fit_oracle(other)


@pytest.mark.parametrize("batch", [np.ones((302, 3)), (np.ones((4, 3)),), "Xy", 5])
def test_a_batch_that_is_no_pair_is_refused(batch):
    with pytest.raises(ValueError, match=r"the oracle must return \(X, y\), or yield such pairs"):
        SMartiRank().fit_oracle(iter([batch]))
    later = itertools.chain(itertools.islice(batches(), 1), [batch])
    with pytest.raises(ValueError, match=r"the oracle must return \(X, y\), or yield such pairs"):
        SMartiRank(draws=1000).fit_oracle(later)


def test_rows_given_in_place_of_an_oracle_are_sent_to_fit():
    with pytest.raises(ValueError, match=r"got ndarray; rows in memory go to fit\(X, y\)"):
        SMartiRank().fit_oracle(sample())


@compiled
def test_memory_is_bounded_by_the_batch():
    def peak(draws):
        tracemalloc.start()
        SMartiRank(n_estimators=3, draws=draws, random_state=0).fit_oracle(batches(500))
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(500)  # compiles
    assert peak(8000) < 1.2 * peak(500)  # sixteen times the draws, the same memory


def test_an_interrupted_oracle_leaves_the_levels_done():
    rng, calls = np.random.default_rng(0), []

    def draw():
        calls.append(1)
        if len(calls) > 12:
            raise KeyboardInterrupt
        X = rng.normal(size=(500, 3))
        return X, (X[:, 0] + rng.normal(size=500) > 0).astype(int)

    with pytest.warns(InterruptedFit, match="interrupted"):
        model = SMartiRank(n_estimators=10, draws=500, random_state=0).fit_oracle(draw)
    assert 0 < len(model.levels_) < 10
    assert np.ptp(model.decision_function(rng.normal(size=(20, 3)))) > 0


def test_warnings_point_at_the_line_that_called():
    with pytest.warns(UserWarning, match="beats chance.*may help") as record:
        SMartiRank(n_estimators=2).fit(np.ones((20, 2)), np.arange(20) % 2)
    with pytest.warns(UserWarning, match="ended early") as early:
        SMartiRank(n_estimators=9, draws=1000, random_state=0).fit_oracle(
            itertools.islice(batches(), 5)
        )
    assert {w.filename for w in (*record, *early)} == {__file__}
