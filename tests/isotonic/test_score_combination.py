"""PAVAdaBoostFinite and LinearAdaBoostFinite: contract, the paper's numbers, convergence, bad input."""

import pickle
import warnings

import numpy as np
import pytest
from contract import broken
from labelled_rows import tied_normal_rows as sample
from sklearn.exceptions import ConvergenceWarning

from aucbook import PAVAdaBoost, PAVAdaBoostFinite, average_precision_11pt, roc_auc
from aucbook.isotonic import LinearAdaBoostFinite, plot_curves
from aucbook.theory import make_alternating, make_groups

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


FEWER_BINS = {  # than distinct values: edges count rows and no weights
    "check_sample_weight_equivalence_on_dense_data": "a weight of two moves no edge, two rows may move one"
}
PURE_BLOCK = {"check_class_weight_classifiers": "a block without negatives stays positive"}
LINE = {"check_class_weight_classifiers": "a line through zero cannot give all to one class"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator, expected",
    [
        (
            PAVAdaBoostFinite("both", n_bins=8, prior=1.0, learning_rate=0.3, max_cycles=3),
            FEWER_BINS,
        ),
        (PAVAdaBoostFinite("auto", max_cycles=3), PURE_BLOCK),
        (PAVAdaBoostFinite("both", n_bins=16, prior=8, learning_rate=0.3, n_folds=3), {}),
        (LinearAdaBoostFinite(), LINE),
    ],
    ids=str,
)
def test_scikit_learns_contract(estimator, expected):
    assert broken(estimator, expected) == {}


@pytest.mark.kernel
def test_examples_of_the_paper():
    for example, pav, linear in (("4.1", 0.8603623, None), ("4.2", 0.6984848, 0.300)):
        X, y = make_groups(example)
        assert average_precision_11pt(
            y, PAVAdaBoostFinite().fit(X, y).decision_function(X)
        ) == pytest.approx(pav, abs=5e-8)
        if linear:
            with pytest.warns(UserWarning, match="all coefficients are 0.*PAVAdaBoostFinite"):
                model = LinearAdaBoostFinite().fit(X, y)
            assert (
                model.coef_.shape == (1, 2)
                and model.intercept_.shape == (1,)
                and (model.coef_ == 0).all()
                and average_precision_11pt(y, model.decision_function(X))
                == pytest.approx(linear, abs=1e-12)
            )
    X, y = make_groups("4.1")
    assert average_precision_11pt(
        y, LinearAdaBoostFinite(max_cycles=1).fit(X, y).decision_function(X)
    ) == pytest.approx(0.823, abs=5e-4)
    assert average_precision_11pt(
        y, LinearAdaBoostFinite().fit(X, y).decision_function(X)
    ) == pytest.approx(0.652, abs=5e-4)


@pytest.mark.kernel
@pytest.mark.parametrize("k", [2, 3, 4])
def test_theorem_5_scores(k):
    X, y = make_alternating(k, 2)
    lam = np.log(1 / 0.1 - 1) / 2
    scores = PAVAdaBoostFinite(clip=0.1, max_cycles=3000, tol=0).fit(X, y).decision_function(X)
    np.testing.assert_allclose(scores, (2 * y - 1) * lam / (k - 1), atol=1e-6)


@pytest.mark.parametrize("direction", ["increasing", "auto", "both"])
def test_objective_never_rises_and_votes_add_up(direction):
    X, y = sample(120)
    model = PAVAdaBoostFinite(direction).fit(X, y)
    assert (np.diff(model.objective_) <= 1e-12).all() and 0 <= model.certificate_ + 1e-12 < 1e-2
    f = model.decision_function(X)
    np.testing.assert_allclose(model.votes(X).sum(1), f)
    assert np.mean(np.exp(-(2 * y - 1) * f)) == pytest.approx(model.objective_[-1], rel=1e-9)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).decision_function(X), f)
    for j, turn, values, votes in model.curves_:
        assert (np.diff(values) > 0).all() and (turn * np.diff(votes) >= -1e-12).all()
        assert model.curve(j)[1].size == values.size


def test_no_monotone_curves_do_better():
    """Random monotone curves within the same bounds never have a smaller objective: the minimum is global."""
    X, y = sample(40)
    model = PAVAdaBoostFinite(clip=0.1, max_cycles=2000, tol=1e-12).fit(X, y)
    lam = np.log(9) / 2
    rng = np.random.default_rng(1)
    sign = 2 * y - 1
    best = model.votes(X)
    for _ in range(300):
        other = np.column_stack(
            [
                np.interp(s, np.unique(s), np.sort(rng.uniform(-lam, lam, np.unique(s).size)))
                for s in X.T
            ]
        )
        for t in (1e-3, 0.1, 1):
            f = ((1 - t) * best + t * other).sum(1)
            assert np.mean(np.exp(-sign * f)) >= model.objective_[-1] - 1e-9


def test_interpolation_between_and_outside():
    model = PAVAdaBoostFinite(clip=0.1).fit([[0.0], [0], [1], [1]], [0, 0, 1, 1])
    loud = np.log(9) / 2
    np.testing.assert_allclose(
        model.decision_function([[-5], [0], [0.3], [0.9], [1], [7]]),
        [-loud, -loud, 0, 0, loud, loud],
        atol=1e-12,
    )


def test_turned_scores():
    X, y = sample(120)
    a = PAVAdaBoostFinite("auto").fit(X, y).decision_function(X)
    b = PAVAdaBoostFinite("auto").fit(-X, y).decision_function(-X)
    np.testing.assert_allclose(a, b, atol=1e-9)


def falling():
    """Three columns: rising, falling, chance."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    return rng.normal(size=(400, 3)) + np.outer(y, [1, -1, 0]), y


def test_falling_columns_are_named_and_nothing_else_changes():
    X, y = falling()
    with pytest.warns(UserWarning, match=r"^column 1 \(AUC 0.18\): .*direction='auto'") as caught:
        model = PAVAdaBoostFinite(n_bins=8).fit(X, y)
    assert caught[0].filename == __file__  # it points at the line that called fit
    assert (
        np.ptp(model.curve(1)[1]) < 0.2 < np.ptp(model.curve(0)[1])
    )  # as the warning says: nearly flat
    pandas = pytest.importorskip("pandas")
    with pytest.warns(UserWarning, match=r"^column 'second' \(AUC"):
        PAVAdaBoostFinite(n_bins=8).fit(
            pandas.DataFrame(X, columns=["first", "second", "third"]), y
        )
    with pytest.warns(UserWarning, match="column 0 .*, 1 .*, 2 .*, 3 .* and 2 more: larger"):
        PAVAdaBoostFinite(n_bins=8).fit(np.tile(X[:, [1]], 6), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        for quiet in (PAVAdaBoostFinite("auto", n_bins=8), PAVAdaBoostFinite("both", n_bins=8)):
            quiet.fit(X, y)
        PAVAdaBoostFinite(n_bins=8).fit(X[:, [0, 2]], y)
        PAVAdaBoostFinite(n_bins=8).fit(X[:8], y[:8])  # eight rows prove nothing


def test_flat_curves_and_zero_coefficients_give_a_warning():
    X, y = np.repeat([[2.0], [1.0]], 10, 0), np.repeat([0, 1], 10)
    with pytest.warns(UserWarning, match="every curve is flat.*direction='auto'"):
        assert np.ptp(PAVAdaBoostFinite().fit(X, y).decision_function(X)) == 0
    corners = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]] * 9)
    either = np.array([0, 1, 1, 0] * 9)
    with pytest.warns(UserWarning, match="every curve is flat.*interactions"):
        PAVAdaBoostFinite("both").fit(corners, either)
    with pytest.warns(UserWarning, match="all scores are constant"):
        LinearAdaBoostFinite().fit(np.ones((20, 2)), y)


def test_bins_and_new_values():
    X, y = sample(120)
    model = PAVAdaBoostFinite(n_bins=4, prior=1.0, learning_rate=0.5).fit(X, y)
    assert np.isfinite(model.decision_function(1e9 * X)).all()
    assert all(values.size <= 4 for _, _, values, _ in model.curves_)
    assert len(plot_curves(model, feature_names=["a", "b", "c"])) == 3


def test_curves_that_are_held_back():
    """Two curves a column, a prior, a share of each refit, cycles chosen on held-out rows: a column may turn, and the order of rows does not matter."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    y = (X[:, 0] ** 2 + rng.normal(size=600) > 1).astype(int)
    model = PAVAdaBoostFinite("both", n_bins=192, prior=8, learning_rate=0.3, n_folds=3)
    f = model.fit(X[:400], y[:400]).decision_function(X[400:])
    assert (
        roc_auc(y[400:], f) > 0.75 and 1 <= model.n_cycles_ < 100
    )  # the truth x^2 has .83 on these rows, x itself .5
    np.testing.assert_allclose(model.votes(X).sum(1) + model.intercept_, model.decision_function(X))
    rows = rng.permutation(400)
    np.testing.assert_allclose(model.fit(X[rows], y[rows]).decision_function(X[400:]), f, atol=1e-9)
    few = model.fit([[1.0], [2], [3]], [0, 1, 1])
    assert np.isfinite(few.decision_function([[2.0]])).all()  # too few rows for folds
    assert len(plot_curves(model.fit(np.c_[X, np.ones(600)], y))) == 4  # a constant column


@pytest.mark.parametrize(
    "change, word",
    [
        ({"direction": "down"}, "direction"),
        ({"clip": 0}, "clip"),
        ({"clip": 0.5}, "clip"),
        ({"n_bins": 0}, "n_bins"),
        ({"max_cycles": 0}, "max_cycles"),
        ({"tol": -1}, "tol"),
        ({"learning_rate": 0}, "learning_rate"),
        ({"prior": -1}, "prior"),
        ({"prior": np.nan}, "prior"),
        ({"n_folds": 1}, "n_folds"),
        ({"max_cycles": 1.5}, "max_cycles must be a whole number, at least 1, got 1.5"),
        ({"n_bins": "a"}, "n_bins must be .* got 'a'"),
        ({"n_bins": 8.5}, "n_bins"),
        ({"clip": "a"}, "clip must be .* got 'a'"),
        ({"clip": 1e-17}, "1 - clip is rounded to 1"),
        ({"tol": "a"}, "tol"),
        ({"prior": "a"}, "prior"),
        ({"learning_rate": "a"}, "learning_rate"),
        ({"n_folds": 2.5}, "n_folds must be .* got 2.5"),
    ],
)
def test_bad_parameters(change, word):
    with pytest.raises(ValueError, match=word):
        PAVAdaBoostFinite(**change).fit(*sample(20))


@pytest.mark.kernel
def test_weights_that_sum_to_one_give_a_warning_and_large_ones_none():
    X, y = sample(120)
    share = np.full(y.size, 1 / y.size)
    for model in (PAVAdaBoostFinite(), PAVAdaBoostFinite(clip=0.01, prior=1.0)):
        with pytest.warns(UserWarning, match="sums to 1 on 120 rows: here weights count rows"):
            model.fit(X, y, share)
    for quiet in (PAVAdaBoostFinite(clip=0.01), LinearAdaBoostFinite()):
        with warnings.catch_warnings():
            (
                warnings.simplefilter("error", UserWarning),
                warnings.simplefilter("ignore", ConvergenceWarning),
            )
            quiet.fit(X, y, share)
    assert np.isfinite(
        PAVAdaBoostFinite().fit(X, y, 1e15 * y.size * share).decision_function(X)
    ).all()


def test_scores_whose_squares_overflow():
    X, y = sample(20)
    with pytest.raises(ValueError, match=r"e\+30.* too large"):
        LinearAdaBoostFinite().fit(X * 1e300, y)


@pytest.mark.kernel
def test_both_boosters_interpolate_equally():
    """One score, one refit: the finite form is one round of the booster, between the training scores too."""
    X, y = sample(120)
    between = np.linspace(X[:, 0].min() - 1, X[:, 0].max() + 1, 301)[:, None]
    finite = PAVAdaBoostFinite().fit(X[:, :1], y).decision_function(between)
    np.testing.assert_allclose(
        PAVAdaBoost(n_estimators=1).fit(X[:, :1], y).decision_function(between), finite, atol=1e-9
    )


def test_bad_data():
    X, y = sample(20)
    with pytest.raises(ValueError, match="(?i)infinity"):
        PAVAdaBoostFinite().fit(np.where(X > 1, np.inf, X), y)
    with pytest.raises(ValueError, match="one class"):
        PAVAdaBoostFinite().fit(X, y, sample_weight=y)
    with pytest.warns(UserWarning, match="constant"):
        assert np.ptp(PAVAdaBoostFinite().fit(np.ones((20, 2)), y).decision_function(X[:, :2])) == 0


@pytest.mark.filterwarnings("default")
def test_linear_form_on_separable_scores():
    """No minimum: it stops where every row has a vote of 10, says so, and counts a weight as so many rows."""
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(16, 10)), rng.integers(1, 6, 16)
    y = (X @ rng.normal(size=10) > 0).astype(int)
    with pytest.warns(ConvergenceWarning, match="separate the classes"):
        weighted = LinearAdaBoostFinite().fit(X, y, w)
    with pytest.warns(ConvergenceWarning, match="separate the classes"):
        repeated = LinearAdaBoostFinite().fit(np.repeat(X, w, 0), np.repeat(y, w))
    assert weighted.separated_ and not weighted.converged_ and weighted.n_cycles_ < 1000
    assert ((2 * y - 1) * weighted.decision_function(X)).min() >= 10 and weighted.objective_[
        -1
    ] <= np.exp(-10)
    np.testing.assert_allclose(
        repeated.coef_, weighted.coef_, rtol=1e-6
    )  # a step ends where Z changes by 1e-14 of itself: about 1e-7 of a coefficient
    X, y = sample(120)
    assert not LinearAdaBoostFinite().fit(X, y).separated_


@pytest.mark.filterwarnings("default")
def test_open_gap_warns():
    with pytest.warns(ConvergenceWarning, match="one more refit"):
        PAVAdaBoostFinite(max_cycles=1, tol=0).fit(*sample(120))
