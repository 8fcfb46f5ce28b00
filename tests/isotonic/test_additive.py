"""AdditiveRanker: one cycle against the formula, what the bags choose, weights, missing values, constraints, bands, bad input."""

import pickle
import warnings

import numpy as np
import pytest
from contract import broken
from scipy.sparse import csr_matrix
from scipy.sparse import random as sparse_random

from aucbook import AdditiveRanker, pav, roc_auc
from aucbook._numerics.binning import MISSING, Bins
from aucbook.isotonic import additive
from aucbook.isotonic.additive import (
    class_weights,
    level_lines,
    linear_features,
    make_bags,
    refit_columns,
    refit_sparse_columns,
    regression_rows,
    ridge_lines,
)

# with fewer bins than distinct values, edges count rows and no weights
EXPECTED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "a weight of two moves no edge, two rows may move one"
    for kind in ("dense", "sparse")
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [AdditiveRanker(line=False, prior=4.0), AdditiveRanker(n_bags=1), AdditiveRanker(n_bins=4)],
    ids=str,
)
def test_scikit_learns_contract(estimator):
    assert broken(estimator, EXPECTED if estimator.n_bins < 10 else None) == {}


def sample(n=300, seed=0, missing=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    y = (X[:, 0] ** 2 + X[:, 1] + rng.logistic(size=n) > 1) * 1
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


@pytest.mark.kernel
@pytest.mark.parametrize("rate", [1.0, 0.5])
@pytest.mark.parametrize("turn", [1, -1])
def test_one_cycle_is_the_pooled_log_odds_of_the_logistic_weights(rate, turn):
    X, y = sample(120, missing=0.1)
    w, bins = np.random.default_rng(1).random(120), Bins(X, 20)
    codes = bins.encode(X)
    f = np.random.default_rng(2).normal(size=120)
    prior = 0.01
    side, odds = 2.0 * y - 1, np.ones((3, 2, 256))
    u, turns = np.exp(-side * f), np.zeros((3, 2), int)
    turns[:, (1 - turn) // 2] = turn
    refit_columns(codes, y.astype(np.uint8), w, u, odds, bins.sizes, turns, prior, rate, 1e-3)
    for j in range(3):
        share = w / (1 + np.exp(side * f))  # what the logistic loss still sees of each row
        extra, observed = prior * share.sum(), codes[:, j] != MISSING
        p, n = (
            np.bincount(codes[observed & (y == c), j], share[observed & (y == c)], bins.sizes[j])
            for c in (1, 0)
        )
        # with the prior each pool, not each bin, has the examples: pool first, add, pool again
        pooled = pav(p / (p + n), p + n, increasing=turn > 0)
        start = np.flatnonzero(np.r_[True, np.diff(pooled) != 0])
        p, n = np.add.reduceat(p, start) + extra, np.add.reduceat(n, start) + extra
        level = pav(p / (p + n), p + n, increasing=turn > 0)
        votes = np.append(np.repeat(level, np.diff(np.r_[start, pooled.size])), 0.5)
        lost = (
            share[~observed & (y == 1)].sum() + extra,
            share[~observed & (y == 0)].sum() + extra,
        )
        votes[-1] = lost[0] / sum(lost)
        votes = rate * np.log(votes / (1 - votes)) / 2
        f = f + votes[np.minimum(codes[:, j], bins.sizes[j])]
        log_odds = np.log(odds[j, (1 - turn) // 2, : bins.sizes[j]]) * turn
        np.testing.assert_allclose(log_odds, votes[:-1], atol=1e-12)
    np.testing.assert_allclose(u, np.exp(-side * f), rtol=1e-10)


@pytest.mark.parametrize("copies", [1, 200])  # many columns take another way
def test_the_line_is_a_ridge_logistic_regression(copies):
    X, y = sample(400)
    X = np.tile(X, copies)
    w = np.random.default_rng(0).integers(0, 3, 400) * 1.0
    weights = np.column_stack([w, np.ones(400)])  # two regressions side by side
    for table in (X, csr_matrix(X)):
        rows = regression_rows(table, y, weights)
        lines = level_lines(rows)
        for C in (0.01, 0.1, 1.0):
            lines, scores = ridge_lines(rows, C, lines, rows.curvature(lines))
            for line, w, f in zip(lines.T, weights.T, scores.T):
                np.testing.assert_allclose(f, (X - rows.means) @ line[:-1] + line[-1], atol=1e-9)
                off = w * (1 / (1 + np.exp(-f)) - y)
                slopes = np.append(off @ X + line[:-1] / C, off.sum()) / w.sum()  # 0 at the optimum
                assert np.abs(slopes).max() < 2e-5


def test_lines_survive_separable_columns_and_large_weights():
    X, _ = sample(200)
    y = (X[:, 0] > 0) * 1
    for scale in (1e-6, 1.0, 1e6):
        rows = regression_rows(X * 30, y, np.full((200, 1), scale))
        lines, scores = ridge_lines(rows, 1.0, level_lines(rows), rows.curvature(level_lines(rows)))
        assert np.isfinite(lines).all() and roc_auc(y, scores[:, 0]) > 0.99


def test_some_rows_of_a_large_table_choose_the_ridge(monkeypatch):
    y = np.arange(1000) % 4 == 0
    assert additive.rows_for_ridge(y.astype(int)).size == 1000  # of 25,000 all
    monkeypatch.setattr(additive, "RIDGE_ROWS", 200)
    monkeypatch.setattr(additive, "RIDGE_RARE", 100)
    some = additive.rows_for_ridge(y.astype(int))
    assert some.size == 400 and (np.diff(some) > 0).all()  # a hundred of the rarer class
    assert additive.rows_for_ridge((np.arange(1000) % 10 == 0).astype(int)).size == 1000
    X, y = sample(1000)
    bags = make_bags(X, y, np.ones(1000), Bins(X), 3, 100, None)
    straight = linear_features(X, bags.codes, bags.sizes, bags.w, bags.class_weights.sum(2))
    chosen = {}
    for enough in (200, 1000):
        monkeypatch.setattr(additive, "RIDGE_ROWS", enough)
        chosen[enough] = additive.fit_linear_terms(straight, bags)
    C, intercepts, votes, u = chosen[200]
    monkeypatch.setattr(additive, "_RIDGES", (C,))
    of_all = additive.fit_linear_terms(straight, bags)  # all rows fit the lines of that ridge
    np.testing.assert_allclose(votes, of_all[2], atol=2e-3)
    np.testing.assert_allclose(intercepts, of_all[1], atol=2e-3)
    np.testing.assert_allclose(u, of_all[3], rtol=1e-2)
    assert additive.AdditiveRanker(n_jobs=2).fit(X, y).C_ == additive.AdditiveRanker().fit(X, y).C_


def test_lines_see_values_ranks_and_distances():
    X = np.c_[np.r_[np.arange(99.0), 1e9], np.arange(100) % 2, np.ones(100), np.full(100, np.nan)]
    X[7, 0] = np.nan
    bins, w = Bins(X), np.random.default_rng(0).random(100)
    codes = bins.encode(X)
    weights = class_weights(codes, np.arange(100) % 2, w)
    values = linear_features(X, codes, bins.sizes, w, weights.sum(2))
    for k, j in ((0, 1), (1, 0), (2, 0)):
        column = values[k, j, codes[:, j]]
        assert abs(w @ column) < 1e-9 and (column[np.isnan(X[:, j])] == 0).all()
    assert values[0, 0].max() == 3  # an outlier is held
    assert (
        np.ptp(values[1, 0, : bins.sizes[0]]) > 3
        and (np.diff(values[1, 0, : bins.sizes[0]]) > 0).all()
    )
    assert (
        not values[1:, 1].any() and not values[:, 2:].any()
    )  # two values have no ranks, one value has no line


@pytest.mark.kernel
def test_scores_are_votes_and_the_curves_are_theirs():
    X, y = sample(150, missing=0.1)
    model = AdditiveRanker().fit(X, y)
    votes, f = model.votes(X), model.decision_function(X)
    np.testing.assert_allclose(votes.sum(1) + model.intercept_, f, atol=1e-12)
    np.testing.assert_allclose(votes.mean(0), 0, atol=1e-9)  # centred
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-f)))
    for j in range(3):
        curve = model.curve(j)
        at = np.searchsorted(curve.values, X[:, j], side="right") - 1
        np.testing.assert_array_equal(
            np.where(np.isnan(X[:, j]), curve.missing, curve.votes[at]), votes[:, j]
        )
        assert (curve.low <= curve.votes).all() and (curve.votes <= curve.high).all()
        assert model.curves_[j].shape == (5, curve.votes.size + 1)
    assert model.n_cycles_ > 0  # a column turns: the line alone is not enough


def test_a_row_out_of_the_bag_was_not_seen():
    X, y = sample(200)
    model = AdditiveRanker().fit(X, y)
    out_of_bag = model.oob_decision_function_
    assert np.isfinite(out_of_bag).all() and roc_auc(y, out_of_bag) == pytest.approx(
        model.oob_score_
    )
    assert model.oob_score_ < roc_auc(y, model.decision_function(X))
    other = np.where(
        np.arange(200) == 7, 1 - y, y
    )  # its label is not in its own score, except through the choice of parameters and the bags
    assert abs(AdditiveRanker().fit(X, other).oob_decision_function_[7] - out_of_bag[7]) < 1


def test_weights_are_copies_and_the_order_of_rows_does_not_matter():
    X, y = sample(200, missing=0.05)
    w = np.random.default_rng(0).integers(0, 3, 200)
    f = AdditiveRanker().fit(X, y, w).decision_function(X)
    copies = np.random.default_rng(1).permutation(np.repeat(np.arange(200), w))
    np.testing.assert_allclose(
        AdditiveRanker().fit(X[copies], y[copies]).decision_function(X), f, atol=1e-6
    )
    weightless = AdditiveRanker().fit(X, y, w)
    assert np.isnan(weightless.oob_decision_function_[w == 0]).all()
    assert np.isfinite(weightless.oob_decision_function_[w > 0]).all()


def test_the_same_answer_for_any_number_of_threads():
    X, y = sample(300, missing=0.1)
    one, three = (AdditiveRanker(n_jobs=jobs).fit(X, y) for jobs in (None, 3))
    np.testing.assert_array_equal(one.decision_function(X), three.decision_function(X))
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(one)).decision_function(X), one.decision_function(X)
    )


@pytest.mark.parametrize("line", [True, False])
def test_it_finds_what_a_line_cannot_and_what_steps_cannot(line):
    X, y = sample(3000)
    A = X[:1500]
    B = X[1500:]
    a = y[:1500]
    b = y[1500:]
    best = roc_auc(b, B[:, 0] ** 2 + B[:, 1])
    assert roc_auc(b, AdditiveRanker(line=line).fit(A, a).decision_function(B)) > best - 0.02


def test_constraints_hold_the_curves():
    pd = pytest.importorskip("pandas")
    X, y = sample(400, seed=3)
    X = pd.DataFrame(X, columns=["a", "b", "c"])
    for constraint in ({"a": 1, "c": -1}, [1, 0, -1], np.array([1, 0, -1])):
        model = AdditiveRanker(monotonic_cst=constraint).fit(X, y)
        assert (np.diff(model.curve("a").votes) >= 0).all() and (
            np.diff(model.curve("c").votes) <= 0
        ).all()
        assert all(
            (np.diff(curves[:, :-1]) >= 0).all() for curves in model.curves_[:1]
        )  # every bag's
    free = AdditiveRanker().fit(X, y).curve("a").votes
    assert (np.diff(free) < 0).any() and (np.diff(free) > 0).any()
    for constraint, message in (
        ({"z": 1}, "names 'z', but the columns are"),
        ([1, 0], "for each of the 3 columns"),
        ([2, 0, 0], "one of -1, 0 and 1"),
    ):
        with pytest.raises(ValueError, match=message):
            AdditiveRanker(monotonic_cst=constraint).fit(X, y)
    with pytest.raises(ValueError, match="no column names: pass an array"):
        AdditiveRanker(monotonic_cst={"a": 1}).fit(X.to_numpy(), y)


def test_missing_values_vote_for_themselves():
    X, y = sample(600, seed=1)
    X[(y == 1) & (np.arange(600) % 2 == 0), 2] = np.nan  # missing says yes
    model = AdditiveRanker().fit(X, y)
    assert model.curve(2).missing > np.abs(model.curve(2).votes).max()
    assert AdditiveRanker().fit(np.nan_to_num(X), y).curve(2).missing == 0  # unseen: no opinion
    empty = np.c_[X, np.full(600, np.nan), np.ones(600)]
    with_empty = AdditiveRanker().fit(empty, y)
    np.testing.assert_allclose(with_empty.votes(empty)[:, 3:], 0, atol=1e-12)


def test_few_rows_and_few_positives():
    X, y = sample(10)
    y[:2] = 0, 1
    assert np.isfinite(AdditiveRanker().fit(X, y).decision_function(X)).all()
    X, y = sample(60)
    for positives in (1, 2, 3):
        few = np.arange(60) < positives
        model = AdditiveRanker().fit(X, few)
        assert (
            len(model.curves_[0]) == min(positives, 5)
            and np.isfinite(model.decision_function(X)).all()
        )
        assert np.isnan(model.oob_score_) == (positives == 1)
    assert np.isnan(model.curve(0).low).any() == (len(model.curves_[0]) == 1)


def test_separable_and_extreme_columns_stay_finite():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = np.repeat(y[:, None] + 0.1 * rng.random((200, 1)), 300, axis=1)
    f = AdditiveRanker(max_cycles=30).fit(X, y).decision_function(X)
    assert np.isfinite(f).all() and roc_auc(y, f) == 1
    for size in (1e300, 1e-300):
        f = AdditiveRanker().fit(X[:, :2] * size, y).decision_function(X[:, :2] * size)
        assert np.isfinite(f).all() and roc_auc(y, f) == 1


def test_flat_curves_give_a_warning():
    corners = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]] * 20)
    with pytest.warns(UserWarning, match="every curve is flat.*TreeRankForest"):
        AdditiveRanker().fit(corners, [0, 1, 1, 0] * 20)
    with pytest.warns(UserWarning, match="every curve is flat"):
        AdditiveRanker().fit(np.ones((20, 2)), np.arange(20) % 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_bags": 0}, "n_bags must be a whole number"),
        ({"n_bins": 256}, "n_bins must be a whole number, in 2..255"),
        ({"prior": -1}, "prior must be 'oob' or a finite number"),
        ({"prior": "large"}, "prior must be 'oob' or a finite number"),
        ({"line": 1}, "line must be True or False"),
        ({"max_cycles": 0}, "max_cycles must be a whole number"),
    ],
)
def test_bad_parameters_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        AdditiveRanker(**change).fit(*sample(20))


def test_other_bad_input():
    X, y = sample(60)
    with pytest.raises(ValueError, match="infinity"):
        AdditiveRanker().fit(np.where(X > 1, np.inf, X), y)
    model = AdditiveRanker().fit(X, y)
    for column in ("a", 3, -1, True, 0.5):
        with pytest.raises(ValueError, match="no column"):
            model.curve(column)
    for change in ({"max_bins": 1}, {"points_to_double": 0}):
        with pytest.raises(ValueError, match="must be"):
            model.scorecard(**change)


@pytest.mark.parametrize("n_bags", [1, 2, 5])
def test_bags_leave_each_row_out_once(n_bags):
    X, y = sample(60)
    X[30:] = X[:30]
    w = np.random.default_rng(0).random(60) + 0.1
    bags = make_bags(X, y.astype(np.uint8), w, Bins(X), n_bags, 7, None)
    assert bags.validates == (n_bags > 1) and len(bags.weights) == n_bags
    for weights, rows in zip(bags.weights, bags.left_out):
        np.testing.assert_array_equal(np.flatnonzero(weights == 0), rows)
        np.testing.assert_array_equal(weights[weights > 0], w[weights > 0])
    if n_bags > 1:
        assert sorted(np.concatenate(bags.left_out)) == list(range(60))
    # a loss that rises with u: no cycle betters the start; a single bag goes on for the default number of cycles
    loss, cycle, state, u = bags.refit_while_gaining(
        lambda k, u, state: u.__iadd__(1), np.ones((n_bags, 60)), np.zeros((n_bags, 1)), 3
    )
    assert cycle == (3 if n_bags == 1 else 0) and (u == 1 + cycle).all()


def test_words_of_documents_are_warned_of():
    """A sparse table of thousands of columns, more than rows: logistic regression does better."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    words = sparse_random(60, 1200, 0.01, format="csr", random_state=0)
    quick = {"n_bags": 1, "line": False, "max_cycles": 1}
    with pytest.warns(UserWarning, match="a sparse table of 1200 columns and 60 rows"):
        AdditiveRanker(**quick).fit(words, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AdditiveRanker(**quick).fit(csr_matrix(rng.normal(size=(60, 3)) + y[:, None]), y)


def sparse_sample(n=400):
    """Counts of which most are 0, one with missing values, values of both signs, a dense column."""
    rng = np.random.default_rng(3)
    X = np.where(rng.random((n, 8)) < 0.06, rng.integers(1, 5, (n, 8)), 0) * 1.0
    X[rng.random(n) < 0.03, 1] = np.nan
    X[:, 2] *= rng.choice([-1, 1], n)
    X[rng.random(n) < 0.94, 3] = np.nan
    X[:, 4] = rng.normal(size=n)
    X[:, 5] = 1.0
    f = 2 * (X[:, 0] > 1) - X[:, 2] / 2 + X[:, 4] + X[:, 6] - 1
    return X, (f + rng.logistic(size=n) > 0).astype(np.uint8)


def stored_bags(X, y, w):
    bins = Bins(X)
    bags = make_bags(X, y, w, bins, 3, 100, None).with_stored()
    assert (bags.stored.popular >= 0).tolist() == [True] * 4 + [False] + [True] * 3
    assert bags.stored.popular[3] == MISSING
    return bags


@pytest.mark.kernel
@pytest.mark.parametrize("curves", ["both", "rising", "falling"])
def test_a_sparse_cycle_moves_the_rows_by_their_votes_and_popular_codes_not_at_all(curves):
    X, y = sparse_sample()
    rng = np.random.default_rng(4)
    w = rng.random(y.size) + 0.5
    w[:20] = 0.0  # rows left out are scored, too
    bags = stored_bags(X, y, w + (w == 0))
    turns = np.array([[curves != "falling", -(curves != "rising")]] * 8) * 1
    turns[bags.sizes == 1] = 0
    side, f = 2.0 * y - 1, rng.normal(size=y.size)
    u = np.exp(-side * f)
    odds = np.ones((9, 2, 256))
    share = np.empty(y.size)
    for _ in range(2):
        refit_sparse_columns(bags.stored, y, share, w, u, odds, bags.sizes, turns, 0.001, 0.5, 1e-3)
    votes = np.log(odds[:-1, 0]) - np.log(odds[:-1, 1])
    moved = f + np.log(odds[-1, 0, 0]) + sum(votes[j, bags.codes[:, j]] for j in range(8))
    np.testing.assert_allclose(u, np.exp(-side * moved), rtol=1e-9)
    np.testing.assert_allclose(share, w * u / (1 + u), rtol=1e-12)
    for j in np.flatnonzero(bags.stored.popular >= 0):
        np.testing.assert_allclose(votes[j, bags.stored.popular[j]], 0, atol=1e-12)
        known = votes[j, : bags.sizes[j]]
        if curves != "both":
            assert (np.diff(known) * (1 if curves == "rising" else -1) >= -1e-12).all()
    assert np.abs(votes).max() > 0.1


def test_sparse_cycles_and_others_have_the_same_optimum():
    X, y = sparse_sample(2000)
    w = np.ones(y.size)
    bags = stored_bags(X, y, w)
    turns = np.array([[1, 0]] * 8) * (bags.sizes > 1)[:, None]
    losses = []
    for sparse in (False, True):
        u = np.ones(y.size)
        odds = np.ones((9, 2, 256))
        share = np.empty(y.size)
        for _ in range(200):
            terms = w, u, odds, bags.sizes, turns, 1e-6, 0.5, 1e-3
            if sparse:
                refit_sparse_columns(bags.stored, y, share, *terms)
            else:
                refit_columns(bags.codes, y, *terms)
        losses.append(np.mean(np.log1p(u)))
    assert abs(losses[0] - losses[1]) < 1e-3 * losses[0]


def test_sparse_linear_terms_are_those_of_the_dense_table(monkeypatch):
    """The matrix of linear terms is equal, entry by entry, however it is made."""
    monkeypatch.setattr(additive, "_FEW_COLUMNS", 3)
    X, y = sparse_sample()
    X = X[:, [0, 1, 2, 6, 7]]
    w = np.ones(y.size)
    bags = make_bags(X, y, w, Bins(X), 3, 100, None).with_stored()
    known = bags.codes, bags.sizes, w, bags.class_weights.sum(2)
    features = linear_features(X, *known)
    np.testing.assert_array_equal(features, linear_features(csr_matrix(X), *known))
    columns = np.argwhere(features.any(2))
    stored, modes = additive.stored_terms(features, columns, bags)
    M = np.column_stack([features[k, j, bags.codes[:, j]] for k, j in columns])
    np.testing.assert_array_equal(stored.toarray(), M - modes)
    assert stored.nnz == np.count_nonzero(M - modes)
