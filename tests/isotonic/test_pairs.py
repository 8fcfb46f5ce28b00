"""Pairs of columns: the scan in two directions and one cycle against slow versions, chance, and the tables of an AdditiveRanker."""

import pickle

import numpy as np
import pytest
from contract import broken
from sklearn.base import clone

from aucbook import AdditiveRanker, roc_auc
from aucbook._numerics.binning import MISSING, Bins
from aucbook.isotonic import plot_curves
from aucbook.isotonic.pairs import (
    COLUMNS,
    GROUPS,
    best_interaction_split,
    count_cells,
    find_pairs,
    group_columns,
    loss_slopes,
    refit_tables,
    remove_main_effects,
    row_groups,
)


@pytest.mark.filterwarnings("ignore:every curve is flat")  # on data of chance
@pytest.mark.slow
def test_scikit_learns_contract():
    assert broken(AdditiveRanker(interactions=3)) == {}


def same_sign(n=600, d=4, seed=0, missing=0.0, digits=9):
    """Labels that follow the sign of the product of the first two columns nine times in ten."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).round(digits)
    y = (X[:, 0] * X[:, 1] > 0) ^ (rng.random(n) < 0.1)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


# ---------------------------------------------------------------- the scan
def test_groups_share_the_rows_that_are_left():
    assert row_groups(np.ones(16), 4).tolist() == np.repeat([0, 1, 2, 3], 4).tolist()
    assert row_groups(np.array([60.0, 10, 10, 10, 10]), 4).tolist() == [0, 1, 2, 3, 3]
    assert row_groups(np.array([97.0, 1, 1, 1]), 8).tolist() == [0, 1, 2, 3]
    assert row_groups(np.array([5.0]), 8).tolist() == [0]
    rng = np.random.default_rng(0)
    for _ in range(50):
        rows = rng.random(rng.integers(1, 255)) ** 4
        group = row_groups(rows, GROUPS)
        assert group[0] == 0 and np.isin(np.diff(group), (0, 1)).all() and group[-1] <= GROUPS - 1


@pytest.mark.kernel
def test_the_missing_are_a_group_of_their_own():
    X = np.c_[np.arange(40.0), np.arange(40) % 2, np.ones(40), np.full(40, np.nan)]
    X[:5, 1] = np.nan
    bins = Bins(X)
    groups, lookup, counts = group_columns(bins.encode(X), bins.sizes, np.ones(40))
    assert counts.tolist() == [8, 3, 1, 2]
    assert (groups[:5, 1] == 2).all() and lookup[:, MISSING].tolist() == [8, 2, 1, 1]
    assert (np.bincount(groups[:, 0]) == 5).all()


def contrast_by_least_squares(m, h, left, low):
    """Twice what the loss gains where four cells may differ freely, beyond two steps."""
    lost = []
    for design in ([left, low, np.ones(m.size)], [left, low, left * low, np.ones(m.size)]):
        A = np.column_stack(design) * np.sqrt(h)[:, None]
        lost.append(
            ((np.sqrt(h) * m - A @ np.linalg.lstsq(A, np.sqrt(h) * m, rcond=None)[0]) ** 2).sum()
        )
    return lost[0] - lost[1]


@pytest.mark.kernel
def test_the_best_split_is_what_least_squares_finds():
    rng = np.random.default_rng(0)
    for _ in range(10):
        a, b = rng.integers(2, 4, 2)
        grid = np.arange(8 * a * b) % (a * b)  # no cell is empty
        first = (grid // b).astype(np.uint8)
        second = (grid % b).astype(np.uint8)
        n = grid.size
        y = rng.integers(0, 2, n).astype(np.uint8)
        w = rng.random(n)
        f = rng.normal(size=n)
        g = np.empty(n)
        h = np.empty(n)
        sums = np.empty((a, b, 2))
        p = 1 / (1 + np.exp(-f))
        total = loss_slopes(y, w, np.exp(-(2.0 * y - 1) * f), g, h)
        np.testing.assert_allclose(g, w * (y - p))
        np.testing.assert_allclose(h, w * p * (1 - p))
        assert total == pytest.approx(np.abs(g).sum())
        count_cells(first, second, g, h, sums)
        for k, mass in enumerate((g, h)):
            for s in range(a):
                for t in range(b):
                    assert sums[s, t, k] == pytest.approx(mass[(first <= s) & (second <= t)].sum())
        slow = {
            (s, t): contrast_by_least_squares(g / h, h, first <= s, second <= t)
            for s in range(a - 1)
            for t in range(b - 1)
        }
        gain, s, t = best_interaction_split(sums, 0.0, np.empty((4, 2)))
        assert gain == pytest.approx(max(slow.values())) == pytest.approx(slow[s, t])
    assert best_interaction_split(np.ones((1, 5, 2)), 1.0, np.empty((4, 2))) == (
        0,
        0,
        0,
    )  # nothing to cut


@pytest.mark.kernel
def test_the_pairs_of_largest_gain_are_found():
    rng, counts = np.random.default_rng(0), np.full(6, 4)
    groups = rng.integers(0, 4, (200, 6)).astype(np.uint8, order="F")
    u = np.ones(200)
    w = np.ones(200)
    y = ((groups[:, 2] > 1) == (groups[:, 5] > 1)).astype(np.uint8)
    y[::3] = ((groups[::3, 1] > 1) == (groups[::3, 3] > 1)).astype(np.uint8)
    assert find_pairs(groups, counts, y, w, u, 0.01, 2).tolist() == [[2, 5], [1, 3]]
    assert len(find_pairs(groups, counts, y, w, u, 0.01, 99)) == 15
    assert find_pairs(groups, counts, y, 1.0 * (np.arange(200) % 3 == 0), u, 0.01, 1).tolist() == [
        [1, 3]
    ]  # by weight
    for k in (0, 1):  # one column has no pair
        assert find_pairs(groups[:, :k], counts[:k], y, w, u, 0.01, 3).shape == (0, 2)
    assert find_pairs(groups, counts, y, w, np.full(200, 1e-100), 0.01, 3).shape == (
        0,
        2,
    )  # nothing is left to say


@pytest.mark.kernel
@pytest.mark.parametrize("rate", [1.0, 0.2])
def test_one_cycle_takes_a_step_at_the_best_split_of_each_table(rate):
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 3, (60, 3)).astype(np.uint8, order="F")
    y = rng.integers(0, 2, 60).astype(np.uint8)
    w = rng.random(60)
    f = rng.normal(size=60)
    prior = 0.02
    side = 2.0 * y - 1
    pairs = np.array([[0, 1], [1, 2]])
    tables = np.zeros((2, 3, 3))
    u = np.exp(-side * f)
    refit_tables(groups, y, w, u, tables, pairs, np.full(3, 3), prior, rate)
    for (i, j), table in zip(pairs, tables):
        p = 1 / (1 + np.exp(-f))
        g = w * (y - p)
        h = w * p * (1 - p)
        best = (0.0, None)
        for s, t in np.ndindex(2, 2):
            cell = 2 * (groups[:, i] > s) + (groups[:, j] > t)
            H = np.bincount(cell, h, 4) + prior * np.abs(g).sum()
            m = np.bincount(cell, g, 4) / H
            best = max(
                best,
                ((m @ [1, -1, -1, 1]) ** 2 / (1 / H).sum(), (rate * m)[cell]),
                key=lambda candidate: candidate[0],
            )
        f = f + best[1]
        np.testing.assert_allclose(table[groups[:, i], groups[:, j]], best[1])
    np.testing.assert_allclose(u, np.exp(-side * f))


def test_a_table_has_no_main_effects():
    rng = np.random.default_rng(0)
    for _ in range(20):
        tables = rng.normal(size=(2, 5, 4))
        rows = rng.integers(0, 3, (5, 4)) * 1.0
        rows[4], tables[:, 4] = 0, 0  # a group without rows
        rows[0] = 1
        rest = tables.copy()
        first, second = remove_main_effects(rest, rows)
        nonempty = np.outer(rows.any(1), rows.any(0))
        np.testing.assert_allclose(
            ((first[:, :, None] + second[:, None]) + rest)[:, nonempty], tables[:, nonempty]
        )
        assert not rest[:, 4].any() and not np.isnan(rest).any()
        for axis in (1, 2):
            np.testing.assert_allclose((rest * rows).sum(axis), 0, atol=1e-12)


# ---------------------------------------------------------------- the ranker
def test_it_finds_what_no_column_says_alone():
    (X, y), (new, truth) = same_sign(), same_sign(3000, seed=1)
    with pytest.warns(UserWarning, match="interactions=5"):
        AdditiveRanker(line=False, prior=1e6).fit(X, y)
    assert roc_auc(truth, AdditiveRanker().fit(X, y).decision_function(new)) < 0.6
    for bags in (1, 5):
        model = AdditiveRanker(bags, interactions=3).fit(X, y)
        assert model.pairs_[0] == (0, 1)
        assert roc_auc(truth, model.decision_function(new)) > 0.87  # the rule itself has .9
    assert model.tables_[0].shape[0] == 5 and AdditiveRanker(interactions=1).fit(X, y).pairs_ == [
        (0, 1)
    ]


@pytest.mark.kernel
def test_votes_of_pairs_follow_those_of_columns():
    X, y = same_sign(300, 3, missing=0.1)
    model = AdditiveRanker(interactions=2, max_cycles=20).fit(X, y)
    votes = model.votes(X)
    assert (0, 1) in model.pairs_ and votes.shape == (300, 3 + len(model.pairs_))
    np.testing.assert_allclose(
        votes.sum(1) + model.intercept_, model.decision_function(X), atol=1e-12
    )
    np.testing.assert_allclose(votes.mean(0), 0, atol=1e-9)
    for k, pair in enumerate(model.pairs_, 3):
        table, turned = model.surface(*pair), model.surface(*pair[::-1])
        np.testing.assert_array_equal(table.votes, turned.votes.T)
        at = []
        for column, starts in zip(pair, table[:2]):
            group = np.searchsorted(starts, X[:, column], side="right") - 1
            at.append(np.where(np.isnan(X[:, column]), starts.size, group))
        np.testing.assert_array_equal(table.votes[tuple(at)], votes[:, k])
        for group in at:  # nothing about either column alone
            np.testing.assert_allclose(np.bincount(group, votes[:, k]), 0, atol=1e-9)


def test_scores_out_of_the_bag_have_their_tables():
    X, y = same_sign()
    model = AdditiveRanker(interactions=3).fit(X, y)
    assert roc_auc(y, model.oob_decision_function_) == pytest.approx(model.oob_score_)
    assert 0.8 < model.oob_score_ < roc_auc(y, model.decision_function(X))


def test_without_a_pair_nothing_changes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = X[:, 0] + np.abs(X[:, 1]) + rng.logistic(size=400) > 1
    signs = [1, 0, 1, 1, 1]  # a pair needs two free columns
    plain, with_pairs = (
        AdditiveRanker(interactions=k, monotonic_cst=signs).fit(X, y) for k in (0, 5)
    )
    assert with_pairs.pairs_ == plain.pairs_ == with_pairs.tables_ == plain.tables_ == []
    np.testing.assert_array_equal(plain.decision_function(X), with_pairs.decision_function(X))
    np.testing.assert_array_equal(plain.oob_decision_function_, with_pairs.oob_decision_function_)
    assert plain.votes(X).shape == (400, 5)


@pytest.mark.parametrize("d", [6, 2 * COLUMNS])
def test_pairs_of_chance_cost_little(d):
    lost = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, new = rng.normal(size=(400, d)), rng.normal(size=(2000, d))
        y, truth = (Z[:, 0] + Z[:, 1] + rng.logistic(size=len(Z)) > 0 for Z in (X, new))
        plain, with_pairs = (
            AdditiveRanker(interactions=k, max_cycles=20).fit(X, y) for k in (0, 5)
        )
        assert len(with_pairs.pairs_) <= 5 and with_pairs.oob_score_ > plain.oob_score_ - 0.01
        lost.append(
            roc_auc(truth, plain.decision_function(new))
            - roc_auc(truth, with_pairs.decision_function(new))
        )
    assert np.mean(lost) < 0.01


def test_of_many_columns_those_that_vary_most_are_asked():
    (X, y), rng = same_sign(1500, COLUMNS + 20), np.random.default_rng(5)
    model = AdditiveRanker(interactions=1, max_cycles=10).fit(
        X, y | (X[:, 0] + X[:, 1] > 1) & (rng.random(1500) < 0.7)
    )
    assert model.pairs_ == [(0, 1)]


def test_weights_are_copies_order_is_nothing_and_threads_agree():
    X, y = same_sign(400, missing=0.05, digits=1)
    w = np.random.default_rng(0).integers(0, 3, 400)
    weighted = AdditiveRanker(interactions=3).fit(X, y, w)
    rows = np.random.default_rng(1).permutation(np.repeat(np.arange(400), w))
    copied = AdditiveRanker(interactions=3).fit(X[rows], y[rows])
    assert weighted.pairs_ == copied.pairs_ != []
    np.testing.assert_allclose(
        copied.decision_function(X), weighted.decision_function(X), atol=1e-6
    )
    three = AdditiveRanker(interactions=3, n_jobs=3).fit(X, y, w)
    np.testing.assert_array_equal(three.decision_function(X), weighted.decision_function(X))
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(three)).decision_function(X), three.decision_function(X)
    )
    assert clone(three).interactions == 3


def test_a_model_with_tables_is_kept_in_a_file(tmp_path):
    pytest.importorskip("skops")
    from aucbook.deployment.model_files import read_model, write_model

    X, y = same_sign(missing=0.05)
    model = AdditiveRanker(interactions=2).fit(X, y)
    back = read_model(write_model(model, tmp_path / "pairs.skops"))
    assert back.pairs_ == model.pairs_ != []
    np.testing.assert_array_equal(back.decision_function(X), model.decision_function(X))


def test_constrained_columns_are_in_no_pair():
    pd = pytest.importorskip("pandas")
    X, y = same_sign()
    X = pd.DataFrame(X, columns=list("abcd"))
    model = AdditiveRanker(interactions=5, monotonic_cst={"a": 1}).fit(X, y)
    assert all(0 not in pair for pair in model.pairs_)
    assert (np.diff(model.curve("a").votes) >= 0).all()
    free = AdditiveRanker(interactions=1).fit(X, y)
    np.testing.assert_array_equal(free.surface("b", "a").votes, free.surface(0, 1).votes.T)


def test_a_missing_value_takes_part():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 3))
    gone = rng.random(800) < 0.4
    y = ((X[:, 1] > 0) ^ gone) ^ (
        rng.random(800) < 0.1
    )  # whether the first is missing turns the second round
    X[gone, 0] = np.nan
    model = AdditiveRanker(interactions=2).fit(X, y)
    assert model.pairs_[0] == (0, 1) and model.oob_score_ > 0.8
    votes = model.surface(0, 1).votes
    assert (votes[-1, 0] > 0 > votes[-1, -2]) and not votes[
        :, -1
    ].any()  # the second was never missing
    f = model.decision_function([[np.nan, -1.0, 0.0], [0.0, -1.0, 0.0], [0.0, np.nan, 0.0]])
    assert f[0] > f[1] and np.isfinite(f).all()


@pytest.mark.filterwarnings("ignore:every curve is flat")
def test_little_to_pair():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    one = rng.normal(size=(60, 1))
    for X in (
        one,
        np.c_[one, np.ones(60)],
        np.c_[one, np.full(60, np.nan)],
        np.ones((60, 2)),
        one[:, [0, 0]],
    ):
        model = AdditiveRanker(interactions=3).fit(X, y)
        assert model.pairs_ == [] and np.isfinite(model.decision_function(X)).all()
    for positives in (1, 2, 3):
        X = rng.normal(size=(30, 3))
        f = AdditiveRanker(interactions=3).fit(X, np.arange(30) < positives).decision_function(X)
        assert np.isfinite(f).all()
    X, y = same_sign(400)
    for size in (1e300, 1e-300):  # the order is all that groups know
        model = AdditiveRanker(interactions=1).fit(X * size, y)
        assert model.pairs_ == [(0, 1)] and np.isfinite(model.decision_function(X * size)).all()
    pure = X[:, 0] * X[:, 1] > 0
    assert np.isfinite(AdditiveRanker(interactions=1).fit(X, pure).decision_function(X)).all()


def test_bad_input_is_answered_in_words():
    X, y = same_sign(300)
    for bad in (-1, True, 2.5, "all", None):
        with pytest.raises(ValueError, match="interactions must be a whole number, at least 0"):
            AdditiveRanker(interactions=bad).fit(X, y)
    model = AdditiveRanker(interactions=1).fit(X, y)
    for pair in ((0, 2), (0, 0)):
        with pytest.raises(ValueError, match=r"no table for 0 and \d: the pairs are \[\(0, 1\)\]"):
            model.surface(*pair)
    with pytest.raises(ValueError, match="no column 'a'"):
        model.surface(0, "a")
    with pytest.raises(ValueError, match="fit one with interactions=0"):
        model.scorecard()


def test_tables_are_drawn_after_the_curves():
    plt = pytest.importorskip("matplotlib.pyplot")
    X, y = same_sign(missing=0.05)
    X[:, 3] = np.arange(len(X)) % 2
    model = AdditiveRanker(interactions=1).fit(X, y)
    axes = plot_curves(model, feature_names=["a", "b", "c", "d"])
    assert [(ax.get_xlabel(), ax.get_ylabel()) for ax in axes] == [
        ("a", "vote"),
        ("b", ""),
        ("c", ""),
        ("d", ""),
        ("a", "b"),
    ]
    drawn = axes[4].collections[0]
    votes = model.surface(0, 1).votes[:-1, :-1]
    np.testing.assert_array_equal(drawn.get_array().ravel(), votes.T.ravel())
    assert (
        drawn.norm.vmin == -drawn.norm.vmax
        and [ax.get_ylabel() for ax in axes[0].figure.axes][-1] == "vote"
    )
    four_axes = plt.subplots(1, 4)[1]
    assert len(plot_curves(model, four_axes, feature_names=list("abcd"))) == 4  # curves alone
    plt.close("all")
