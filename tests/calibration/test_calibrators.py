"""Calibrators: against scikit-learn, betacal, venn-abers and a search; limits, refusals, folds."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from contract import broken
from discovery import all_calibrators
from scipy.special import expit, logit
from scipy.stats import gmean
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

import aucbook.calibration
from aucbook import PAVCalibrator, venn_abers
from aucbook.calibration import (
    BetaCalibrator,
    CalibratedRanker,
    PlattCalibrator,
    PriorShiftCalibrator,
    TemperatureCalibrator,
    VennAbersCalibrator,
)
from aucbook.calibration.calibrators import CALIBRATOR_NAMES, calibrator_in_words, named_calibrator
from aucbook.thresholds import adjust_prevalence

LINES = [PlattCalibrator, BetaCalibrator, TemperatureCalibrator]
CALIBRATORS = [*(cls("scores") for cls in LINES), VennAbersCalibrator(), PAVCalibrator("strict")]
X, Y = load_breast_cancer(return_X_y=True)


def overconfident(seed=0, n=400):
    """Labels, and probabilities whose log-odds are shifted and twice too large."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    y = (rng.random(n) < expit(z)).astype(int)
    return y, expit(2 * z + 0.5)


class Identity(LogisticRegression):
    """A ranker whose score is its column."""

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


def by_scikit_learn(method, z, y, w):
    """Probabilities of the rows by scikit-learn's calibrator for scores z (n,)."""
    ranker = FrozenEstimator(Identity().fit(z[:, None], y))
    fitted = CalibratedClassifierCV(ranker, method=method).fit(z[:, None], y, w)
    return fitted.predict_proba(z[:, None])[:, 1]


# ---------------------------------------------------------------- oracles


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weighted", [False, True])
def test_platt_is_the_sigmoid_of_scikit_learn(seed, weighted):
    y, p = overconfident(seed)
    w = np.random.default_rng(seed).integers(1, 4, y.size) + 0.0 if weighted else None
    theirs = by_scikit_learn("sigmoid", logit(p), y, w)
    # their search ends at a gradient of 1e-6
    np.testing.assert_allclose(PlattCalibrator().fit(p, y, w).transform(p), theirs, atol=2e-5)


@pytest.mark.parametrize("seed", range(4))
def test_temperature_is_that_of_scikit_learn(seed):
    y, p = overconfident(seed)
    try:
        theirs = by_scikit_learn("temperature", logit(p), y, None)
    except ValueError:
        pytest.skip("this scikit-learn has no temperature scaling")
    ours = TemperatureCalibrator(smooth_targets=False).fit(p, y)
    # in two-class form their log-odds are -z and z: half the slope, and the same probabilities
    np.testing.assert_allclose(ours.transform(p), theirs, atol=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_beta_is_betacal(seed):
    betacal = pytest.importorskip("betacal")
    y, p = overconfident(seed)
    p = np.clip(p ** (1 + seed % 3), 1e-6, 1 - 1e-6)
    ours = BetaCalibrator(smooth_targets=False).fit(p, y)
    with warnings.catch_warnings():  # it changes the filters of the process
        theirs = betacal.BetaCalibration().fit(p.reshape(-1, 1), y)
        # a last bit of regularisation, and a search that ends at a gradient of 1e-4
        np.testing.assert_allclose(ours.transform(p), theirs.predict(p), atol=2e-3)
    assert log_loss(y, ours.transform(p)) <= log_loss(y, theirs.predict(p)) + 1e-12


def log_loss(y, p):
    return -np.mean(np.where(y == 1, np.log(p), np.log1p(-p)))


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_venn_abers_is_the_package_venn_abers(seed, tied):
    package = pytest.importorskip("venn_abers")
    y, p = overconfident(seed, 120)
    new = np.random.default_rng(seed).random(50)
    if tied:
        p, new = p.round(1), new.round(1)
    theirs = package.VennAbers()
    theirs.fit(np.column_stack([1 - p, p]), y)
    merged, ends = theirs.predict_proba(np.column_stack([1 - new, new]))
    ours = VennAbersCalibrator().fit(p, y).interval(new)
    np.testing.assert_allclose(ours.low, ends[:, 0], atol=1e-9)
    np.testing.assert_allclose(ours.high, ends[:, 1], atol=1e-9)
    np.testing.assert_allclose(ours.probability, merged[:, 1], atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_venn_abers_is_two_refits_with_weights_too(seed):
    y, p = overconfident(seed, 40)
    w = np.random.default_rng(seed).random(40) + 0.1
    new = np.array([0.03, 0.2, 0.5, 0.97])
    ours = VennAbersCalibrator().fit(p, y, w).interval(new)
    for label, ends in enumerate((ours.low, ours.high)):
        for value, end in zip(new, ends):
            refit = IsotonicRegression().fit(np.r_[p, value], np.r_[y, label], np.r_[w, 1.0])
            assert end == pytest.approx(refit.predict([value])[0], abs=1e-9)
    plain = VennAbersCalibrator().fit(p, y).interval(new)
    for one, other in zip(plain, venn_abers(y, p, new)):
        np.testing.assert_array_equal(one, other)


def smoothed_loss(y, eta):
    n_pos = y.sum()
    n_neg = y.size - n_pos
    target = np.where(y == 1, (n_pos + 1) / (n_pos + 2), 1 / (n_neg + 2))
    return np.mean(np.logaddexp(0, eta) - target * eta)


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_no_other_numbers_are_more_likely(seed, smooth):
    """Also on the boundary, where a coefficient is 0."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=60) - 0.5
    truth = [z, -z, z + z**2, 3 * np.abs(z)][seed % 4]
    y = (rng.random(60) < expit(truth)).astype(int)
    log_p, log_q = -np.logaddexp(0, -z), np.logaddexp(0, z)

    def loss(eta):
        return smoothed_loss(y, eta) if smooth else np.mean(np.logaddexp(0, eta) - y * eta)

    beta = BetaCalibrator("scores", smooth_targets=smooth).fit(z, y)
    platt = PlattCalibrator("scores", smooth_targets=smooth).fit(z, y)
    temperature = TemperatureCalibrator("scores", smooth_targets=smooth).fit(z, y).temperature_
    assert min(beta.a_, beta.b_, platt.slope_, temperature) >= 0
    best_beta = loss(beta.a_ * log_p + beta.b_ * log_q + beta.intercept_)
    best_platt = loss(platt.slope_ * z + platt.intercept_)
    best_temperature = loss(z / temperature)
    for size in (1e-3, 0.05, 1.0):
        for step in rng.normal(0, size, (40, 3)):
            a, b = max(0, beta.a_ + step[0]), max(0, beta.b_ + step[1])
            assert best_beta <= loss(a * log_p + b * log_q + beta.intercept_ + step[2]) + 1e-12
            slope = max(0, platt.slope_ + step[0])
            assert best_platt <= loss(slope * z + platt.intercept_ + step[1]) + 1e-12
            assert best_temperature <= loss(max(0, 1 / temperature + step[0]) * z) + 1e-12


def test_a_family_holds_the_smaller_one():
    """Beta with a = b is Platt; Platt with an intercept of 0 is temperature."""
    y, p = overconfident(n=20_000)
    beta, platt, temperature = (cls().fit(p, y) for cls in LINES[1::-1] + LINES[2:])
    losses = [smoothed_loss(y, logit(c.transform(p))) for c in (beta, platt, temperature)]
    assert losses[0] <= losses[1] <= losses[2]
    assert platt.slope_ == pytest.approx(0.5, abs=0.03)
    assert platt.intercept_ == pytest.approx(-0.25, abs=0.05)
    assert (beta.a_, beta.b_) == pytest.approx((0.5, 0.5), abs=0.1)


# ---------------------------------------------------------------- what all of them keep to


@pytest.mark.parametrize("calibrator", CALIBRATORS, ids=repr)
def test_contract(calibrator):
    y, p = overconfident(n=60)
    s = logit(p)
    fitted = clone(calibrator).fit(s, y)
    new = np.sort(np.r_[s, np.linspace(-50, 50, 31)])
    q = fitted.transform(new)
    assert (np.diff(q) >= -1e-15).all() and q.min() >= 0 and q.max() <= 1
    np.testing.assert_array_equal(fitted.predict_proba(new)[:, 1], q)
    np.testing.assert_array_equal(fitted.predict_proba(new[:, None]), fitted.predict_proba(new))
    np.testing.assert_array_equal(fitted.predict(new), (q >= 0.5).astype(int))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).transform(new), q)
    words = clone(calibrator).fit(s, np.array(["well", "sick"])[1 - y])
    assert words.classes_.tolist() == ["sick", "well"]
    np.testing.assert_array_equal(words.transform(new), q)
    order = np.random.default_rng(1).permutation(60)
    np.testing.assert_allclose(
        clone(calibrator).fit(s[order], y[order]).transform(new), q, rtol=1e-12
    )
    frame = clone(calibrator).set_output(transform="pandas").fit(pd.DataFrame({"s": s}), y)
    assert frame.feature_names_in_.tolist() == ["s"] and frame.n_features_in_ == 1
    column = frame.transform(pd.DataFrame({"s": new}))
    assert list(column.columns) == [f"{type(calibrator).__name__.lower()}0"]
    np.testing.assert_array_equal(column.to_numpy().ravel(), q)
    pipeline = make_pipeline(FunctionTransformer(), clone(calibrator)).fit(s[:, None], y)
    np.testing.assert_array_equal(pipeline.predict_proba(new[:, None])[:, 1], q)
    with pytest.raises(NotFittedError):
        clone(calibrator).transform(new)
    check_estimator(calibrator)  # those of columns; scikit-learn has few for one score a row


@pytest.mark.parametrize("calibrator", CALIBRATORS, ids=repr)
def test_weights_are_repeated_rows(calibrator):
    y, p = overconfident(n=60)
    s = logit(p)
    w = np.random.default_rng(0).integers(0, 4, 60)
    weighted = clone(calibrator).fit(s, y, w)
    repeated = clone(calibrator).fit(np.repeat(s, w), np.repeat(y, w))
    tolerance = 0.02 if calibrator.__class__ is PAVCalibrator else 1e-9  # its delta counts rows
    np.testing.assert_allclose(weighted.transform(s), repeated.transform(s), atol=tolerance)


@pytest.mark.parametrize("calibrator", CALIBRATORS, ids=repr)
@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_scales_and_offsets(calibrator, size):
    """Only temperature and beta calibration read the unit of a score."""
    y, p = overconfident(n=80)
    s = logit(p)
    if type(calibrator) in (TemperatureCalibrator, BetaCalibrator):
        q = clone(calibrator).fit(s * size, y).transform(s * size)
        assert np.isfinite(q).all() and ((q > 0) & (q < 1)).all()
        return
    moved = s * size + 1e3 * size
    np.testing.assert_allclose(
        clone(calibrator).fit(moved, y).transform(moved),
        clone(calibrator).fit(s, y).transform(s),
        atol=1e-6,
    )


@pytest.mark.parametrize("cls", LINES)
def test_probabilities_and_their_log_odds_give_the_same(cls):
    y, p = overconfident()
    np.testing.assert_allclose(
        cls().fit(p, y).transform(p), cls("scores").fit(logit(p), y).transform(logit(p)), rtol=1e-9
    )


# ---------------------------------------------------------------- prevalence, names


@pytest.mark.parametrize("weighted", [False, True])
def test_a_prior_shift_is_that_of_adjust_prevalence(weighted):
    y, p = overconfident()
    w = np.random.default_rng(0).integers(0, 4, y.size) + 0.0 if weighted else None
    prevalence = np.average(y, weights=w)
    fitted = PriorShiftCalibrator(training_prevalence=0.3).fit(p, y, w)
    expected = adjust_prevalence(p, 0.3, prevalence)
    np.testing.assert_allclose(fitted.transform(p), expected, rtol=1e-12)
    by_scores = PriorShiftCalibrator("scores", training_prevalence=0.3).fit(logit(p), y, w)
    np.testing.assert_allclose(by_scores.transform(logit(p)), expected, rtol=1e-12)


def test_without_a_training_prevalence_probabilities_stay():
    y, p = overconfident()
    np.testing.assert_allclose(PriorShiftCalibrator().fit(p, y).transform(p), p, rtol=1e-12)
    ends = PriorShiftCalibrator().fit([0.0, 0.5, 1.0], [0, 0, 1]).transform([0.0, 1.0])
    assert 0 < ends[0] < 1e-300 and 1 - 1e-15 < ends[1] < 1
    with pytest.raises(ValueError, match="1 of 2 probabilities are outside"):
        PriorShiftCalibrator().fit([0.2, 1.2], [0, 1])
    with pytest.raises(ValueError, match="training_prevalence must be"):
        PriorShiftCalibrator(training_prevalence=1).fit(p, y)


@pytest.mark.parametrize("name", CALIBRATOR_NAMES)
@pytest.mark.parametrize("has_log_odds", [False, True])
def test_a_calibrator_by_name_takes_scores_or_probabilities_of_zero_and_one(name, has_log_odds):
    y, p = overconfident()
    s = logit(p) if has_log_odds else np.where(p < 0.02, 0.0, np.where(p > 0.98, 1.0, p))
    fitted = named_calibrator(name, has_log_odds, training_prevalence=0.5).fit(s, y)
    q = fitted.transform(np.sort(s))
    assert (np.diff(q) >= 0).all() and ((q > 0) & (q < 1)).all()
    assert calibrator_in_words(fitted) != type(fitted).__name__


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize("cls", LINES)
def test_separated_classes(cls):
    p, y = [0.1, 0.2, 0.3, 0.7, 0.8, 0.9], [0, 0, 0, 1, 1, 1]
    q = cls(smooth_targets=True).fit(p, y).transform(p)
    assert ((q > 0) & (q < 1)).all()
    with pytest.raises(ValueError, match="threshold separates the classes of these 6 rows"):
        cls(smooth_targets=False).fit(p, y)
    # one tied score between them does not help a fit with an intercept
    if cls is not TemperatureCalibrator:
        with pytest.raises(ValueError, match="take smooth_targets=True"):
            cls(smooth_targets=False).fit([0.1, 0.3, 0.5, 0.5, 0.8], [0, 0, 0, 1, 1])


@pytest.mark.parametrize("cls", LINES)
def test_scores_the_wrong_way_round_give_a_constant(cls):
    p, y = [0.1, 0.2, 0.3, 0.7, 0.8, 0.9], [1, 1, 1, 0, 0, 0]
    for smooth in (True, False):
        q = cls(smooth_targets=smooth).fit(p, y).transform([0.05, 0.5, 0.99])
        np.testing.assert_allclose(q, 0.5)


@pytest.mark.parametrize("inputs", ["probabilities", "scores"])
def test_temperature_scaling_corrects_for_negatives_that_were_left_out_of_training(inputs):
    """Log-odds of a ranker that was trained with a third of the negatives are too high by ln 3."""
    rng = np.random.default_rng(0)
    z = rng.normal(-1.5, 1.5, 20_000)
    y = (rng.random(z.size) < expit(z)).astype(int)
    prevalence = 3 * y.sum() / (3 * y.sum() + (y == 0).sum())
    log_odds = z + np.log(3)
    forecast = log_odds if inputs == "scores" else expit(log_odds)
    plain = TemperatureCalibrator(inputs).fit(forecast, y)
    shifted = TemperatureCalibrator(inputs, training_prevalence=prevalence).fit(forecast, y)
    assert plain.shift_ == 0
    np.testing.assert_allclose(shifted.shift_, -np.log(3))
    assert abs(shifted.temperature_ - 1) < 0.05
    four_errors = 4 * np.sqrt(y.mean() * (1 - y.mean()) / y.size)
    assert abs(shifted.transform(forecast).mean() - y.mean()) < four_errors
    assert abs(plain.transform(forecast).mean() - y.mean()) > four_errors
    with pytest.raises(ValueError, match="training_prevalence"):
        TemperatureCalibrator(training_prevalence=1.0).fit([0.2, 0.4, 0.6, 0.8], [0, 1, 0, 1])


def test_temperature_is_infinite_where_nothing_is_known():
    fitted = TemperatureCalibrator().fit([0.1, 0.2, 0.8, 0.9], [1, 1, 0, 0])
    assert fitted.temperature_ == np.inf


@pytest.mark.parametrize("cls", LINES)
def test_far_scores_stay_between_zero_and_one(cls):
    y, p = overconfident()
    q = cls("scores").fit(logit(p), y).transform([-1e308, 1e308])
    assert 0 < q[0] < 1e-6 and 1 - 1e-6 < q[1] < 1


@pytest.mark.parametrize(
    "calibrator, scores, y, words",
    [
        (PlattCalibrator(), [0, 0.2, 0.7, 1], [0, 1, 0, 1], "2 of 4 probabilities are exactly 0"),
        (BetaCalibrator(), [0.1, 0.2, 0.7, 1], [0, 1, 0, 1], "pass input_clip=1e-6"),
        (TemperatureCalibrator(), [0.1, 0.2, 1.7, -1], [0, 1, 0, 1], "2 of 4 .* outside"),
        (
            PlattCalibrator(),
            [0.1, 0.2, 0.7],
            [0, 0, 1],
            "at least 2 rows of each class, got 1 of class 1",
        ),
        (BetaCalibrator(), [0.1, 0.1, 0.7, 0.7], [0, 1, 0, 1], "at least 3 different .* got 2"),
        (PlattCalibrator("scores"), [3, 3, 3, 3], [0, 1, 0, 1], "at least 2 different .* got 1"),
        (TemperatureCalibrator(), [0.5] * 4, [0, 1, 0, 1], "all probabilities are one half"),
        (PlattCalibrator("odds"), [1, 2], [0, 1], "inputs"),
        (PlattCalibrator(smooth_targets=1), [1, 2], [0, 1], "smooth_targets"),
        (PlattCalibrator(input_clip=0.5), [1, 2], [0, 1], "input_clip"),
        (PlattCalibrator("scores", input_clip=0.1), [1, 2], [0, 1], "leave it None"),
        (VennAbersCalibrator(), [1, np.nan], [0, 1], "NaN"),
        (VennAbersCalibrator(), [1, 2], [1, 1], "two classes"),
        (PlattCalibrator(), [[0.1, 0.9], [0.2, 0.8]], [0, 1], "PlattCalibrator takes one score"),
        (PlattCalibrator(), [0.1, 0.9], None, "PlattCalibrator requires y"),
        (PlattCalibrator(), [0, 1, 0, 1], [0.1, 0.2, 0.7, 0.9], "swapped"),
    ],
)
def test_refusals_name_the_number_that_would_do(calibrator, scores, y, words):
    with pytest.raises(ValueError, match=words):
        calibrator.fit(scores, y)


def test_new_probabilities_are_checked_like_the_first():
    y, p = overconfident()
    fitted = PlattCalibrator().fit(p, y)
    with pytest.raises(ValueError, match="exactly 0 or 1"):
        fitted.transform([0.2, 1.0])
    with pytest.raises(ValueError, match="outside"):
        fitted.transform([1.2])
    clipped = PlattCalibrator(input_clip=1e-3).fit(np.r_[p, 0, 1], np.r_[y, 0, 1])
    assert clipped.transform([0.0, 1e-3])[0] == clipped.transform([1e-3])[0]


# ---------------------------------------------------------------- around a ranker


def test_cross_fitted_is_that_of_scikit_learn():
    # not naive Bayes: probabilities that differ by less than 1e-16 are one value to scikit-learn
    ranker = make_pipeline(StandardScaler(), LogisticRegression())
    ours = CalibratedRanker(ranker, PAVCalibrator("linear")).fit(X, Y)
    theirs = CalibratedClassifierCV(ranker, method="isotonic", cv=5).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    ours = CalibratedRanker(ranker, PlattCalibrator("scores"), cv=3).fit(X, Y)
    theirs = CalibratedClassifierCV(ranker, method="sigmoid", cv=3).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=2e-5)


def test_prefit_leaves_the_ranker():
    naive = GaussianNB().fit(X[:300], Y[:300])
    ours = CalibratedRanker(naive, VennAbersCalibrator(), cv="prefit").fit(X[300:], Y[300:])
    scores = naive.predict_proba(X)[:, 1]
    by_hand = VennAbersCalibrator().fit(scores[300:], Y[300:]).transform(scores)
    np.testing.assert_allclose(ours.predict_proba(X)[:, 1], by_hand, rtol=1e-12)
    assert ours.estimators_ == [naive]
    with pytest.raises(NotFittedError):
        CalibratedRanker(GaussianNB(), cv="prefit").fit(X, Y)
    with pytest.raises(ValueError, match="fitted to the classes"):
        CalibratedRanker(naive, cv="prefit").fit(X, np.where(Y, "yes", "no"))


def test_cross_venn_abers_is_the_geometric_mean():
    cv = StratifiedKFold(4)
    ours = CalibratedRanker(GaussianNB(), VennAbersCalibrator(), cv=cv).fit(X, Y)
    low, high = [], []
    for train, test in cv.split(X, Y):
        model = GaussianNB().fit(X[train], Y[train])
        fold = model.predict_proba(X[test])[:, 1]
        ends = venn_abers(Y[test], fold, model.predict_proba(X)[:, 1])
        low.append(ends.low)
        high.append(ends.high)
    positive = gmean(high, axis=0)
    negative = gmean(1 - np.array(low), axis=0)
    by_hand = positive / (positive + negative)
    np.testing.assert_allclose(ours.predict_proba(X)[:, 1], by_hand, atol=1e-12)


def test_weights_groups_and_frames():
    w = np.random.default_rng(0).integers(1, 4, Y.size) + 0.0
    weighted = CalibratedRanker(GaussianNB(), cv=3).fit(X, Y, w)
    assert not np.allclose(weighted.predict_proba(X), CalibratedRanker(GaussianNB(), cv=3).fit(X, Y).predict_proba(X))  # fmt: skip
    with pytest.raises(ValueError, match="takes no sample_weight"):
        CalibratedRanker(WithoutWeights(), cv=2).fit(X, Y, w)
    groups = np.arange(Y.size) // 4
    training_groups = []

    class Recording(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            training_groups.append(X[:, -1])
            return super().fit(X, y, sample_weight)

    tagged = np.column_stack([X, groups])
    CalibratedRanker(Recording(), cv=3).fit(tagged, Y, groups=groups)
    test_groups = [set(groups) - set(of_fold) for of_fold in training_groups]
    assert len(test_groups) == 3
    n_tested = sum(len(of_fold) for of_fold in test_groups)
    assert n_tested == np.unique(groups).size  # no group is divided
    frame = pd.DataFrame(X[:, :3], columns=list("abc"))
    named = CalibratedRanker(GaussianNB()).fit(frame, Y)
    assert named.feature_names_in_.tolist() == ["a", "b", "c"] and named.n_features_in_ == 3
    assert pickle.loads(pickle.dumps(named)).predict(frame).shape == Y.shape


class WithoutWeights(GaussianNB):
    def fit(self, X, y):
        return super().fit(X, y)


@pytest.mark.parametrize(
    "model, y, words",
    [
        (
            CalibratedRanker(cv=4),
            np.r_[[0] * 3, [1] * (Y.size - 3)],
            "at least 4 .* got 3 of class 0",
        ),
        (CalibratedRanker(cv=1), Y, "cv"),
        (CalibratedRanker(cv="fitted"), Y, "prefit"),
        (CalibratedRanker(cv=KFold(2)), np.sort(Y), "rows of a fold are of one class"),
        (CalibratedRanker(LinearSVC(), PlattCalibrator()), Y, "no probabilities: take PlattCal"),
        (CalibratedRanker(), np.arange(Y.size) % 3, "Only binary"),
        (CalibratedRanker(cv=True), Y, "cv must be a whole number, at least 2"),
        (CalibratedRanker(cv="prefit"), Y, r"pass it as CalibratedRanker\(ranker, cv='prefit'\)"),
        (CalibratedRanker(calibrator="sigmoid"), Y, "there is no calibrator"),
        (CalibratedRanker(calibrator="isotonik"), Y, "did you mean 'isotonic'"),
        (CalibratedRanker(calibrator=IsotonicRegression()), Y, "calibrator must be a calibrator"),
        (CalibratedRanker(LinearSVC(), "none"), Y, "no probabilities"),
    ],
    ids=[
        "rows",
        "one fold",
        "word",
        "one class",
        "no probabilities",
        "three classes",
        "truth value",
        "prefit without a ranker",
        "unknown name",
        "misspelt name",
        "no calibrator",
        "no probabilities by name",
    ],
)
def test_rankers_that_cannot_be_calibrated(model, y, words):
    with pytest.raises(ValueError, match=words):
        model.fit(X, y)


def test_groups_of_another_number_than_rows_are_refused_whatever_the_folds():
    naive = GaussianNB().fit(X, Y)
    for cv in (2, "prefit"):
        with pytest.raises(ValueError, match="groups must be 569 names"):
            CalibratedRanker(naive, cv=cv).fit(X, Y, groups=np.arange(5))


@pytest.mark.parametrize("ranker", [GaussianNB(), LogisticRegression(max_iter=5000)], ids=repr)
@pytest.mark.parametrize("name", CALIBRATOR_NAMES)
def test_a_calibrated_ranker_takes_the_names_of_decide(ranker, name):
    rows = X[:, :3]
    has_log_odds = name != "none" and hasattr(ranker, "decision_function")
    fitted = CalibratedRanker(ranker, name, cv=2).fit(rows, Y)
    folds = StratifiedKFold(2).split(rows, Y)
    for calibrator, (train, _) in zip(fitted.calibrators_, folds):
        expected = named_calibrator(name, has_log_odds, Y[train].mean())
        assert type(calibrator) is type(expected)
        assert calibrator.get_params() == expected.get_params()
    prefit = CalibratedRanker(clone(ranker).fit(rows, Y), name, cv="prefit").fit(rows, Y)
    for model in (fitted, prefit):
        p = model.predict_proba(rows)
        assert np.isfinite(p).all() and p.shape == (Y.size, 2)


@pytest.mark.parametrize("calibrator", [PlattCalibrator("scores"), VennAbersCalibrator(), None])
def test_a_parameter_set_after_the_fit_changes_nothing_before_the_next(calibrator):
    model = CalibratedRanker(LogisticRegression(), calibrator, cv=2).fit(X[:, :2], Y)
    before = model.predict_proba(X[:, :2])
    for other in (PlattCalibrator(), VennAbersCalibrator(), None):
        model.set_params(calibrator=other)
        np.testing.assert_array_equal(model.predict_proba(X[:, :2]), before)


SPLITS = dict.fromkeys(
    (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    "a row of weight 0 is in a fold, a row that is left out is not, as in scikit-learn",
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "calibrator", [None, VennAbersCalibrator()], ids=["isotonic", "venn-abers"]
)
def test_calibrated_ranker_is_an_estimator(calibrator):
    assert not broken(CalibratedRanker(calibrator=calibrator, cv=2), expected=SPLITS)


def test_a_splitter_with_groups():
    groups = np.arange(Y.size) % 7
    model = CalibratedRanker(GaussianNB(), cv=GroupKFold(7)).fit(X, Y, groups=groups)
    assert len(model.estimators_) == 7


def test_all_calibrators_are_imported_from_one_sub_package():
    for name, cls in all_calibrators().items():
        assert getattr(aucbook.calibration, name) is cls, name
