"""MartiRank and SMartiRank: scikit-learn's contract, routing by x alone, the oracle, noise."""
import itertools
import os
import pickle
import tracemalloc

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from aucbook import AUCBoost, MartiRank, SMartiRank, roc_auc
from aucbook.datasets import make_flipped


compiled = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="too many rows for uncompiled kernels")


@parametrize_with_checks([MartiRank(n_rounds=4), MartiRank(n_rounds=4, routing="random", ranking="vote", random_state=0), SMartiRank(n_rounds=4, random_state=0),
                          MartiRank(DecisionTreeClassifier(max_depth=1), n_rounds=3, random_state=0)])
def test_scikit_learns_contract(estimator, check):
    check(estimator)


def sample(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + y[:, None] * [1, 0, -.5], y


@pytest.mark.kernel
@pytest.mark.parametrize("model", [MartiRank(n_rounds=6), MartiRank(n_rounds=6, routing="random", random_state=1), SMartiRank(n_rounds=6, random_state=1)])
def test_a_row_scores_the_same_wherever_it_stands(model):
    X, y = sample()
    model.fit(X, y)
    s, p = model.decision_function(X), np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(model.decision_function(X[p]), s[p])
    np.testing.assert_array_equal([model.decision_function(x[None])[0] for x in X[:5]], s[:5])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).decision_function(X), s)
    assert -1 <= s.min() < s.max() <= 1


@pytest.mark.kernel
def test_every_node_is_balanced_on_its_own_mass():
    X, y = sample()
    model = MartiRank(n_rounds=5, min_samples=0).fit(X, y)
    mass, share = np.ones((len(X), 1)), np.where(y == 1, 1 / y.sum(), 1 / (1 - y).sum())
    for t, level in enumerate(model.levels_):
        for i, node in enumerate(level):
            q, right = mass[:, i] * share, node.right(X)
            caught, alarmed = (q * right)[y == 1].sum() / q[y == 1].sum(), (q * right)[y == 0].sum() / q[y == 0].sum()
            assert caught + alarmed == pytest.approx(1, abs=1e-9)        # Lemma 4: the same error on both classes
            assert caught - alarmed == pytest.approx(node.r, abs=1e-9)
        mass = model._step(X, mass, None, t)
    assert mass.sum(1) == pytest.approx(np.ones(len(X)))
    np.testing.assert_allclose(mass @ np.arange(6) * 2 / 5 - 1, model.decision_function(X), atol=1e-12)


@pytest.mark.kernel
def test_weights_count_as_repetitions():
    X, y = sample(80)
    w = np.random.default_rng(1).integers(0, 3, 80)
    a = MartiRank(n_rounds=5).fit(X, y, w).decision_function(X)
    b = MartiRank(n_rounds=5).fit(np.repeat(X, w, 0), np.repeat(y, w)).decision_function(X)
    np.testing.assert_allclose(a, b, atol=1e-12)                         # the same sums in another order


@compiled
def test_noise_hurts_it_less_than_aucboost():
    # Issue of the chapter: 20 000 rows, every tenth label wrong. Standard error of an AUC on 5000 test rows is below .004
    X, y = make_flipped(6000, .1, random_state=0)
    Xt, _, yt = make_flipped(5000, 0, random_state=1, return_clean=True)
    marti, boost = (roc_auc(yt, m.fit(X, y).decision_function(Xt)) for m in (MartiRank(n_rounds=20), AUCBoost(n_rounds=20)))
    assert marti > .9 and marti > boost + .08


def test_any_weak_ranker():
    X, y = sample()
    for weak in (LogisticRegression(), DecisionTreeClassifier(max_depth=2)):
        assert roc_auc(y, MartiRank(weak, n_rounds=4, random_state=0).fit(X, y).decision_function(X)) > .75   # the best column alone: .76


@pytest.mark.kernel
def test_constant_features_and_a_class_of_one_warn():
    with pytest.warns(UserWarning, match="beats chance"):
        s = MartiRank(n_rounds=3).fit(np.ones((20, 2)), np.arange(20) % 2).decision_function(np.ones((4, 2)))
    assert np.ptp(s) == 0
    with pytest.warns(UserWarning, match="beats chance"):
        MartiRank(n_rounds=3).fit(np.arange(9.0)[:, None], np.arange(9) == 0)


class Stopper(LogisticRegression):
    calls = 0

    def fit(self, X, y, sample_weight=None):
        Stopper.calls += 1
        if Stopper.calls > 3:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


def test_an_interrupted_fit_is_usable():
    X, y = sample()
    with pytest.warns(UserWarning, match="first 2 of 9 levels"):
        model = MartiRank(Stopper(), n_rounds=9).fit(X, y)
    assert model.n_rounds_ == 2 and roc_auc(y, model.decision_function(X)) > .5


@pytest.mark.parametrize("change, word", [({"n_rounds": 0}, "n_rounds"), ({"ranking": "x"}, "ranking"), ({"routing": "x"}, "routing"), ({"min_samples": -1}, "min_samples")])
def test_bad_parameters_of_martirank(change, word):
    with pytest.raises(ValueError, match=word):
        MartiRank(**change).fit(*sample(30))


@pytest.mark.parametrize("change, word", [({"noise_rate": .5}, "noise_rate"), ({"epsilon": 0}, "epsilon"), ({"weak_ranker": LogisticRegression()}, "single columns"), ({"ranking": "x"}, "ranking"),
                                          ({"noise_rate": .49}, "one class is empty")])
def test_bad_parameters_of_smartirank(change, word):
    X, y = np.arange(100.0)[:, None], np.arange(100) < 30
    with pytest.raises(ValueError, match=word):
        SMartiRank(**change).fit(X, y)


def batches(n=1000, noise=.1, width=21):
    for seed in itertools.count():
        X, y = make_flipped(n, noise, random_state=seed)
        yield X[:, :width], y


@compiled
def test_oracle_callable_or_iterator():
    source = batches()
    a = SMartiRank(n_rounds=4, draws=1000, noise_rate=.1, random_state=0).fit_oracle(lambda: next(source))
    b = SMartiRank(n_rounds=4, draws=1000, noise_rate=.1, random_state=0).fit_oracle(batches())
    X, _ = next(batches())
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    assert a.n_draws_ == sum(a.draws_by_level_) == 4 * 2000 and a.p_ == pytest.approx(.5, abs=.05)   # 8000 draws: standard error .007


@compiled
def test_a_rare_class_draws_more():
    def rare(rng=np.random.default_rng(0)):
        while True:
            y = (rng.random(1000) < .1).astype(int)
            yield rng.normal(size=(1000, 2)) + y[:, None], y
    model = SMartiRank(n_rounds=2, draws=1000, random_state=0).fit_oracle(rare())
    assert model.draws_by_level_[1] >= 4000 and model.p_ == pytest.approx(.1, abs=.03)   # standard error .004


@compiled
def test_auto_noise_rate_ranks():
    model = SMartiRank(n_rounds=6, draws=2000, noise_rate="auto", random_state=0).fit_oracle(batches())
    X, _, y = make_flipped(2000, 0, random_state=9, return_clean=True)
    assert model.noise_rate_ in (0, .1, .2, .3, .4) and roc_auc(y, model.decision_function(X)) > .75   # chance: .5, sd .013


@pytest.mark.kernel
def test_auto_noise_rate_leaves_out_what_cannot_be():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = (X[:, 0] > 1) ^ (rng.random(600) < .05)                          # about a fifth positive: rates of .2 and more would leave none
    model = SMartiRank(n_rounds=4, noise_rate="auto", random_state=0).fit(X, y)
    assert model.noise_rate_ < y.mean() < .25 and roc_auc(X[:, 0] > 1, model.decision_function(X)) > .9
    with pytest.raises(ValueError, match="one class is empty"):
        SMartiRank(n_rounds=4, noise_rate=.3).fit(X, y)


def test_auto_noise_rate_keeps_the_programs_done_when_the_oracle_ends():
    with pytest.warns(UserWarning, match="ended early: 3 of 3.*noise_rate=0"):
        model = SMartiRank(n_rounds=3, draws=1000, noise_rate="auto", random_state=0).fit_oracle(itertools.islice(batches(), 10))
    assert model.n_rounds_ == 3 and model.noise_rate_ == 0


def test_oracle_that_ends_early():
    with pytest.warns(UserWarning, match="ended early: 2 of 9"):
        model = SMartiRank(n_rounds=9, draws=1000, random_state=0).fit_oracle(itertools.islice(batches(), 5))
    assert model.n_rounds_ == 2 and np.isfinite(model.decision_function(next(batches())[0])).all()
    with pytest.raises(ValueError, match="before the first level"):
        SMartiRank(draws=5000).fit_oracle(itertools.islice(batches(), 2))
    with pytest.raises(ValueError, match="no batch"):
        SMartiRank().fit_oracle(iter([]))


def test_oracle_that_changes():
    wide = itertools.chain(itertools.islice(batches(), 1), batches(width=20))
    with pytest.raises(ValueError, match="21 features"):
        SMartiRank(n_rounds=2, draws=1000).fit_oracle(wide)
    other = itertools.chain(itertools.islice(batches(), 1), [(np.ones((2, 21)), [1, 7])])
    with pytest.raises(ValueError, match="label 7"):
        SMartiRank(n_rounds=2, draws=1000).fit_oracle(other)


@compiled
def test_memory_is_bounded_by_the_batch():
    def peak(draws):
        tracemalloc.start()
        SMartiRank(n_rounds=3, draws=draws, random_state=0).fit_oracle(batches(500))
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top
    peak(500)                                                            # compiles
    assert peak(8000) < 1.2 * peak(500)                                  # sixteen times the draws, the same memory


def test_plot(tmp_path):
    X, y = sample()
    ax = MartiRank(n_rounds=5).fit(X, y).plot(X, y)
    assert len(ax.collections) == 6 and ax.get_ylabel() == "level"


def test_an_interrupted_oracle_leaves_the_levels_done():
    rng, calls = np.random.default_rng(0), []

    def draw():
        calls.append(1)
        if len(calls) > 12:
            raise KeyboardInterrupt
        X = rng.normal(size=(500, 3))
        return X, (X[:, 0] + rng.normal(size=500) > 0).astype(int)
    with pytest.warns(UserWarning, match="interrupted"):
        model = SMartiRank(n_rounds=10, draws=500, random_state=0).fit_oracle(draw)
    assert 0 < len(model.levels_) < 10
    assert np.ptp(model.decision_function(rng.normal(size=(20, 3)))) > 0
