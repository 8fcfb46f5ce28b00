"""Operating points and calibration lines: against closed forms, SciPy and scikit-learn."""

import warnings
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri
from scipy.stats import beta, binom, binomtest
from sklearn.linear_model import LogisticRegression

from aucbook import RocCurveDisplay, fpr_threshold, pav, reliability_curve
from aucbook._base.estimates import Estimate
from aucbook.calibration import calibration_line
from aucbook.inference import roc_band
from aucbook.thresholds import GuaranteeError, OperatingPoint, operating_point, tpr_threshold

# every field with an interval
RATES = [field.name for field in fields(OperatingPoint) if field.type == "Estimate"]


def labels_and_scores(tp, fn, fp, tn):
    """Labels and scores of four counts; the threshold is 1."""
    return np.repeat([1, 1, 0, 0], [tp, fn, fp, tn]), np.repeat(
        [2.0, 0.0, 2.0, 0.0], [tp, fn, fp, tn]
    )


counts = st.tuples(*[st.integers(0, 12)] * 4).filter(lambda c: c[0] + c[1] > 1 and c[2] + c[3] > 1)


@given(counts, st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=80, deadline=None)
def test_shares_equal_scipy(four, confidence_level):
    """Wilson's intervals at the prevalence of the rows."""
    tp, fn, fp, tn = four
    point = operating_point(*labels_and_scores(*four), 1, confidence_level=confidence_level)
    assert (
        point.true_positives,
        point.false_negatives,
        point.false_positives,
        point.true_negatives,
    ) == four
    shares = {
        "tpr": (tp, tp + fn),
        "specificity": (tn, tn + fp),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "accuracy": (tp + tn, sum(four)),
        "alarms_per_1000": (tp + fp, sum(four)),
    }
    for name, (k, n) in shares.items():
        got = np.array(getattr(point, name)) / (1000 if name.startswith("alarms") else 1)
        if n == 0:
            assert np.isnan(got[0])
            assert tuple(got[1:]) == (0, 1)
            continue
        ends = binomtest(k, n).proportion_ci(confidence_level, "wilson")
        np.testing.assert_allclose(got, (k / n, *ends), atol=1e-9)


@given(counts)
@settings(max_examples=80, deadline=None)
def test_likelihood_ratios(four):
    """The limits solve their equation; negated scores exchange the two likelihood ratios."""
    point = operating_point(*labels_and_scores(*four), 1)
    tp, fn, fp, tn = four
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = (
            np.float64(tp / (tp + fn)) / (fp / (fp + tn)),
            np.float64(fn / (tp + fn)) / (tn / (fp + tn)),
        )
    for got, expected_value in zip((point.lr_positive, point.lr_negative), expected):
        np.testing.assert_allclose(got.value, expected_value, equal_nan=True)
        assert np.isnan(expected_value) or got.low <= expected_value <= got.high
    y, s = labels_and_scores(*four)
    negated = operating_point(y, -s, 0)
    np.testing.assert_allclose(negated.lr_positive, point.lr_negative)
    p = np.array(point.tpr)
    q = 1 - np.array(point.specificity)[[0, 2, 1]]

    def excess(t, of_p, of_q):
        return (p[0] - t * q[0]) ** 2 - (p[0] - of_p) ** 2 - t**2 * (q[0] - of_q) ** 2

    if (
        point.lr_positive.low > 0 and point.lr_positive.high < np.inf
    ):  # where 0 is a limit of the interval of p - t q
        assert excess(point.lr_positive.low, p[1], q[2]) == pytest.approx(0, abs=1e-9)
        assert excess(point.lr_positive.high, p[2], q[1]) == pytest.approx(
            0, abs=1e-7 * (1 + point.lr_positive.high**2)
        )


def test_counts_of_zero():
    """No false alarm: an infinite ratio with a finite lower limit; treat none; treat all."""
    clean = operating_point(*labels_and_scores(18, 2, 0, 80), 1, prevalence=0.01)
    assert clean.lr_positive.value == clean.lr_positive.high == np.inf
    assert 10 < clean.lr_positive.low < 100
    assert clean.ppv.value == clean.ppv.high == 1
    assert 0.1 < clean.ppv.low < 0.6
    treat_none = operating_point(*labels_and_scores(3, 4, 5, 6), 9, prevalence=0.3)
    assert treat_none.tpr.value == 0
    assert np.isnan(treat_none.lr_positive.value)
    assert np.isnan(treat_none.ppv.value)
    assert treat_none.ppv[1:] == (0, 1)
    assert treat_none.alarms_per_1000.value == 0
    assert treat_none.lr_negative.value == 1
    treat_all = operating_point(*labels_and_scores(3, 4, 5, 6), -np.inf)
    assert treat_all.tpr.value == treat_all.lr_positive.value == 1
    assert np.isnan(treat_all.npv.value)
    assert treat_all.lr_positive.low < 1 < treat_all.lr_positive.high


@pytest.mark.parametrize("prevalence", [0.001, 0.2, 0.9])
def test_predictive_values_at_a_prevalence(prevalence):
    """Bayes' theorem; the prevalence of the rows gives the same values as no prevalence."""
    counts = (27, 8, 11, 54)
    tp, fn, fp, tn = counts
    point = operating_point(*labels_and_scores(*counts), 1, prevalence=prevalence)
    unadjusted = operating_point(*labels_and_scores(*counts), 1)
    same = operating_point(*labels_and_scores(*counts), 1, prevalence=35 / 100)
    a = 27 / 35
    b = 54 / 65
    assert point.ppv.value == pytest.approx(
        prevalence * a / (prevalence * a + (1 - prevalence) * (1 - b))
    )
    assert point.npv.value == pytest.approx(
        (1 - prevalence) * b / (prevalence * (1 - a) + (1 - prevalence) * b)
    )
    for end in ("low", "high"):
        odds = prevalence / (1 - prevalence) * getattr(point.lr_positive, end)
        assert getattr(point.ppv, end) == pytest.approx(odds / (1 + odds))
    for name in RATES:
        assert getattr(same, name).value == pytest.approx(getattr(unadjusted, name).value)
        assert getattr(point, name).low < getattr(point, name).value < getattr(point, name).high


def test_copies_of_rows_in_groups():
    """A group of copies counts as one row; groups of one row change nothing, up to t."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    s = rng.normal(size=300)
    alone = operating_point(y, s, 0.3)
    single_rows = operating_point(y, s, 0.3, groups=np.arange(300))
    copies = operating_point(
        np.repeat(y, 4), np.repeat(s, 4), 0.3, groups=np.repeat(np.arange(300), 4)
    )
    for name in RATES:
        np.testing.assert_allclose(getattr(single_rows, name), getattr(alone, name), rtol=0.02)
        np.testing.assert_allclose(getattr(copies, name), getattr(alone, name), rtol=0.02)
    named_groups = operating_point(y, s, 0.3, groups=[f"p{i}" for i in range(300)])
    assert named_groups == single_rows
    ungrouped = operating_point(np.repeat(y, 4), np.repeat(s, 4), 0.3)
    assert all(
        getattr(copies, name).high - getattr(copies, name).low
        > 1.5 * (getattr(ungrouped, name).high - getattr(ungrouped, name).low)
        for name in RATES
    )


def test_label_types_and_dtypes():
    y, s = labels_and_scores(5, 3, 2, 7)
    point = operating_point(y, s, 1)
    assert operating_point(np.where(y == 1, "no", "yes"), s, 1, pos_label="no") == point
    for kind in (np.float32, np.float16, int):
        assert operating_point(y, s.astype(kind), 1) == point
    assert operating_point(y, s, 2) == type(point)(**{**vars(point), "threshold": 2.0})


def test_table_of_an_operating_point():
    point = operating_point(*labels_and_scores(26, 15, 14, 58), 1, confidence_level=0.9)
    cells = point.cells()
    assert cells[0] == ["", "90% intervals"]
    assert len(cells) == len(fields(point))
    assert ["PPV", str(point.ppv)] in cells
    assert ["true positives", "26"] in cells
    assert str(point) == repr(point)
    assert '<th scope="row">LR+</th>' in point._repr_html_()
    assert str(point.ppv).startswith("0.65 (")
    assert isinstance(point.ppv, Estimate)


BAD = [
    (dict(threshold=np.nan), "threshold must be a number, got nan"),
    (dict(threshold="high"), "threshold must be a number"),
    (dict(prevalence=0), "prevalence must be .*got 0"),
    (dict(prevalence=1.5), "prevalence"),
    (dict(confidence_level=95), "confidence_level must be .*0.95"),
    (dict(groups=[1, 2]), "5 names of groups"),
    (dict(groups=[1] * 5), "at least two groups"),
    (dict(y_score=[1, 2, np.nan, 4, 5]), "NaN"),
    (dict(y_score=[1, 2, 3]), "same length"),
    (dict(y_true=[0] * 5), "exactly two classes"),
    (dict(y_true=[0, 0, 0, 0, 1]), "two rows of each class, got 1 positive"),
]


@pytest.mark.parametrize("change, message", BAD)
def test_bad_input(change, message):
    good = {"y_true": [0, 0, 1, 1, 1], "y_score": [1, 2, 3, 4, 5], "threshold": 2.5}
    with pytest.raises(ValueError, match=message):
        operating_point(**{**good, **change})


# ---------------------------------------------------------------- a threshold for a minimum TPR
@pytest.mark.parametrize("n", [29, 59, 100, 500])
@pytest.mark.parametrize("confidence_level", [0.9, 0.95, None])
def test_number_of_misses_is_the_largest_allowed(n, confidence_level):
    rng = np.random.default_rng(n)
    scores = np.r_[rng.normal(size=n), [0.0, 1.0]]
    y = np.r_[np.ones(n), 0, 0]
    theta = tpr_threshold(y, scores, 0.9, confidence_level=confidence_level)
    missed = int(np.sum(scores[:n] < theta))
    assert theta in scores[:n].tolist()
    if confidence_level is None:
        assert missed == int((n + 1) / 10 + 1e-9) - 1
    else:  # the true miss rate of the threshold at order statistic k is Beta(k, n + 1 - k)

        def confidence(k):
            return beta.cdf(0.1, k, n + 1 - k)

        assert confidence(missed + 1) >= confidence_level > confidence(missed + 2)
        assert binom.cdf(missed, n, 0.1) <= 1 - confidence_level


def test_tpr_threshold_mirrors_fpr_threshold():
    """With negated scores and exchanged classes the same positives are missed."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 400)
    s = rng.normal(size=400).round(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ties
        missed = s < tpr_threshold(y, s, 0.8)
        assert (missed == (-s >= fpr_threshold(1 - y, -s, 0.2)))[y == 1].all()
        assert tpr_threshold(1 - y, s, 0.8, pos_label=0) == tpr_threshold(y, s, 0.8)


def test_ties_at_the_threshold_are_flagged_with_a_warning():
    y = np.repeat([1, 0], [100, 10])
    s = np.r_[np.zeros(60), np.ones(40), np.zeros(10)]
    with pytest.warns(
        UserWarning,
        match="tied scores at the threshold .* of the misses that min_tpr=0.9 allows go unused",
    ):
        assert tpr_threshold(y, s, 0.9) == 0


@pytest.mark.parametrize(
    "min_tpr, level, message",
    [
        (0.9, 0.95, "needs at least 29 positives, got 28: add rows or lower min_tpr"),
        (0.99, None, "at least 99 positives"),
        (1, 0.95, "min_tpr must be"),
        (0.9, 1.2, "confidence_level must be"),
    ],
)
def test_an_unattainable_tpr_is_refused(min_tpr, level, message):
    labels = np.repeat([1, 0], [28, 5])
    with pytest.raises(ValueError, match=message):
        tpr_threshold(labels, np.arange(33.0), min_tpr, confidence_level=level)
    with pytest.raises(ValueError, match="finite"):
        tpr_threshold(np.repeat([1, 0], [28, 5]), np.r_[np.inf, np.arange(32.0)], 0.5)


# ---------------------------------------------------------------- groups of positives
def test_positives_in_groups_mirror_negatives_in_groups():
    rng = np.random.default_rng(3)
    size = rng.integers(1, 12, 80)
    group = np.repeat([f"patient {i}" for i in range(80)], size)
    s = np.repeat(rng.normal(size=80), size) + 0.5 * rng.normal(size=group.size)
    y = np.r_[np.ones(group.size), 0]
    scores = np.r_[s, 9]
    groups = np.append(group, "well")
    theta = tpr_threshold(y, scores, 0.8, groups=groups)
    flagged = -s >= fpr_threshold(1 - y, -scores, 0.2, groups=groups)
    assert ((s < theta) == flagged).all()
    mixed = rng.permutation(y.size)
    assert tpr_threshold(y[mixed], scores[mixed], 0.8, groups=groups[mixed]) == theta
    assert theta < tpr_threshold(y, scores, 0.8)
    highest = np.array([s[group == name].max() for name in np.unique(group)])
    case = tpr_threshold(y, scores, 0.8, groups=groups, per="case")
    assert case == tpr_threshold(np.r_[np.ones(80), 0], np.r_[highest, 9], 0.8) > theta


@pytest.mark.parametrize("confidence_level", [0.8, 0.95, None])
def test_copies_of_a_positive_count_as_one(confidence_level):
    rng = np.random.default_rng(4)
    s = rng.normal(size=200)
    y = np.r_[np.ones(200), 0]
    options = {"confidence_level": confidence_level}
    alone = tpr_threshold(y, np.r_[s, 9], 0.9, **options)
    assert tpr_threshold(y, np.r_[s, 9], 0.9, groups=np.arange(201), **options) == alone
    copies = np.append(np.repeat(s, 5), 9)
    groups = np.append(np.repeat(np.arange(200), 5), 200)
    labels = np.append(np.ones(1000), 0)
    for per in ("row", "case"):
        assert tpr_threshold(labels, copies, 0.9, groups=groups, per=per, **options) == alone


def test_groups_of_positives_without_a_possible_guarantee_are_refused():
    y = np.r_[np.ones(200), 0]
    s = np.r_[np.random.default_rng(0).normal(size=200), 9]
    with pytest.raises(GuaranteeError, match="at least 29 groups, got 20: add groups or lower"):
        tpr_threshold(y, s, 0.9, groups=np.arange(201) // 10, per="case")
    with pytest.raises(GuaranteeError, match=r"sizes like these, got 20.*10 of the 200 positive"):
        tpr_threshold(y, s, 0.9, groups=np.arange(201) // 10)
    with pytest.raises(GuaranteeError, match="one group"):
        tpr_threshold(y, s, 0.9, groups=np.zeros(201))
    with pytest.raises(ValueError, match="needs groups"):
        tpr_threshold(y, s, 0.9, per="case")
    with pytest.raises(ValueError, match="per"):
        tpr_threshold(y, s, 0.9, groups=np.arange(201), per="patient")
    with pytest.raises(ValueError, match="groups"):
        tpr_threshold(y, s, 0.9, groups=np.arange(7))


def similar_rows(rng):
    """80 groups of four nearly identical rows: (scores, groups)."""
    score = np.repeat(rng.normal(size=80), 4) + 0.05 * rng.normal(size=320)
    return score, np.repeat(np.arange(80), 4)


def large_groups_score_lower(rng):
    """80 groups of one to eight rows, of which larger ones score lower: (scores, groups)."""
    size = rng.integers(1, 9, 80)
    center = rng.normal(size=80) - 0.3 * size
    return np.repeat(center, size) + 0.3 * rng.normal(size=size.sum()), np.repeat(
        np.arange(80), size
    )


@pytest.mark.parametrize("law", [similar_rows, large_groups_score_lower])
@pytest.mark.parametrize("per", ["row", "case"])
def test_the_guarantee_holds_for_groups(law, per):
    """In 200 samples; the true rate is that of 40 000 groups. Without groups it fails."""
    rng = np.random.default_rng(0)
    population = []
    for _ in range(500):
        score, group = law(rng)
        if per == "case":
            score = np.maximum.reduceat(score, np.unique(group, return_index=True)[1])
        population.append(score)
    population = np.concatenate(population)

    def true_tpr(theta):
        return np.mean(population >= theta)

    holds = []
    holds_without = []
    for _ in range(200):
        score, group = law(rng)
        y = np.append(np.ones(score.size), 0)
        scores = np.append(score, 9.0)
        groups = np.append(group, 80)
        holds.append(true_tpr(tpr_threshold(y, scores, 0.8, groups=groups, per=per)) >= 0.8)
        holds_without.append(true_tpr(tpr_threshold(y, scores, 0.8)) >= 0.8)
    assert np.mean(holds) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 200)  # three standard errors
    if per == "row":
        assert np.mean(holds_without) < 0.9


# ---------------------------------------------------------------- calibration lines
def probability_data(seed, n=300, digits=9):
    rng = np.random.default_rng(seed)
    p = expit(rng.normal(-1, 1.5, n)).round(digits).clip(1e-4, 1 - 1e-4)
    return (rng.random(n) < p**1.3).astype(int), p


@pytest.mark.parametrize("seed, digits", [(0, 9), (1, 2), (2, 1)])
def test_slope_and_intercept_equal_scikit_learn(seed, digits):
    y, p = probability_data(seed, digits=digits)
    line = calibration_line(y, p, n_resamples=2)
    fit = LogisticRegression(C=1e12, tol=1e-12, max_iter=1000).fit(logit(p)[:, None], y)
    assert line.slope.value == pytest.approx(fit.coef_[0, 0], abs=1e-5)
    assert line.intercept.value == pytest.approx(fit.intercept_[0], abs=1e-5)
    large = brentq(lambda a: np.sum(y - expit(a + logit(p))), -9, 9)
    assert line.in_the_large.value == pytest.approx(large, abs=1e-9)
    error = 1 / np.sqrt(np.sum(expit(large + logit(p)) * (1 - expit(large + logit(p)))))
    assert line.in_the_large.high - large == pytest.approx(ndtri(0.975) * error)


def test_transformed_probabilities_transform_the_line():
    """Twice the log-odds plus 1 halves the slope; exchanged classes negate the intercept."""
    y, p = probability_data(3)
    line = calibration_line(y, p)
    transformed = calibration_line(y, expit(2 * logit(p) + 1))
    assert transformed.slope.value == pytest.approx(line.slope.value / 2, abs=1e-7)
    assert transformed.intercept.value == pytest.approx(
        line.intercept.value - line.slope.value / 2, abs=1e-7
    )
    other = calibration_line(y, 1 - p, pos_label=0, n_resamples=2)
    np.testing.assert_allclose(other.slope, line.slope, atol=1e-7)
    assert other.intercept.value == pytest.approx(-line.intercept.value, abs=1e-7)


@pytest.mark.parametrize("seed, digits", [(4, 9), (5, 2)])
def test_distances_equal_those_of_the_reliability_curve(seed, digits):
    y, p = probability_data(seed, digits=digits)
    line = calibration_line(y, p, n_resamples=2)
    curve = reliability_curve(y, p, band=None)
    distances = np.repeat(
        abs(curve.probability - curve.frequency), np.rint(curve.weight * y.size).astype(int)
    )
    expected = distances.mean(), np.median(distances), np.quantile(distances, 0.9), distances.max()
    np.testing.assert_allclose((line.ici, line.e50, line.e90, line.emax), expected, atol=1e-12)


def test_ici_by_chance():
    """The expected ICI of calibrated probabilities; that of isotonic frequencies is near 0."""
    y, p = probability_data(6)
    line = calibration_line(y, p, random_state=1)
    assert line == calibration_line(y, p, random_state=1)
    assert 0 < line.ici_by_chance < 0.2
    fitted = pav(y[np.argsort(p, kind="stable")]).clip(0.01, 0.99)
    assert calibration_line(y[np.argsort(p, kind="stable")], fitted).ici < 0.02


def test_calibration_line_with_groups():
    """A group of copies counts as one row; the sandwich variance is near the model-based one."""
    y, p = probability_data(7, 800)
    line = calibration_line(y, p, n_resamples=2)
    single_rows = calibration_line(y, p, groups=np.arange(800), n_resamples=2)
    twice = calibration_line(
        np.tile(y, 2), np.tile(p, 2), groups=np.tile(np.arange(800), 2), n_resamples=2
    )
    np.testing.assert_allclose(twice.slope, single_rows.slope, rtol=1e-6)
    np.testing.assert_allclose(single_rows.slope, line.slope, rtol=0.05)
    assert single_rows.slope.high - single_rows.slope.low > 1.3 * np.ptp(
        calibration_line(np.tile(y, 2), np.tile(p, 2)).slope[1:]
    )


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(y_prob=[0, 0.2, 0.3, 0.4, 0.9]), "1 of y_prob are 0 or 1"),
        (dict(y_prob=[0.1, 0.2, 0.3, 0.4, 1.1]), r"y_prob must lie in \[0, 1\]"),
        (dict(y_prob=[0.1, 0.2, 0.3, 0.4, 0.5]), "separates the classes"),
        (dict(y_prob=[0.5, 0.4, 0.3, 0.2, 0.1]), "separates the classes"),
        (dict(y_prob=[0.3] * 5), "the same for all"),
        (dict(confidence_level=0), "confidence_level"),
        (dict(n_resamples=1), "n_resamples"),
        (dict(groups=[1] * 5), "at least two groups"),
        (dict(y_true=[0, 1, 2, 1, 0]), "exactly two classes"),
    ],
)
def test_bad_probabilities(change, message):
    good = {"y_true": [0, 0, 0, 1, 1], "y_prob": [0.1, 0.5, 0.3, 0.4, 0.6]}
    with pytest.raises(ValueError, match=message):
        calibration_line(**{**good, **change})


# ---------------------------------------------------------------- the plot of a band
def test_plotted_band():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    s = rng.normal(size=60)
    band = roc_band(y, s)
    display = RocCurveDisplay.from_predictions(y, s, band=None)
    ax = band.plot(display.ax_, color="red", label="band")
    (shade,) = ax.collections
    points = shade.get_paths()[0].vertices
    for x, low, high in zip(*band):
        limits = points[np.isclose(points[:, 0], x), 1]
        assert np.isclose(limits, low).any()
        assert np.isclose(limits, high).any()
    assert ax is display.ax_
    assert shade.get_label() == "band"
    assert shade.get_zorder() < display.lines_["ranker"].get_zorder()
