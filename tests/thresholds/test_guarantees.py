"""Several guarantees at once: against sums and integrals computed otherwise, at the ends, and their coverage for known distributions."""

import inspect
import re
import warnings

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta, binom, binomtest, nhypergeom
from sklearn.linear_model import LogisticRegression

from aucbook import compare, fpr_threshold
from aucbook.theory import make_binormal
from aucbook.thresholds import FprGuarantee, GuaranteeError, guaranteed_thresholds

# every rate that can be guaranteed
NAMES = [
    name
    for name in inspect.signature(guaranteed_thresholds).parameters
    if name.startswith(("max_", "min_")) and name != "max_risk"
]


def candidates(n):
    """0, 1, 2, ... below n, each further than the one before by its root."""
    out = [0]
    while out[-1] + max(1, int(out[-1] ** 0.5)) < n:
        out.append(out[-1] + max(1, int(out[-1] ** 0.5)))
    return out


def exceed(n, j, m, x, c):
    """P(X >= x), X | F ~ Bin(m, min(1, c F)), F ~ Beta(j + 1, n - j), by quadrature."""
    law = beta(j + 1, n - j)
    kink = min(1.0, 1 / c)
    under = quad(
        lambda f: law.pdf(f) * binom.sf(x - 1, m, c * f),
        0,
        kink,
        limit=200,
        points=[min(kink, (j + 1) / (n + 1))],
    )
    return under[0] + law.sf(kink)


def precise(y, s, floor, prevalence, delta=0.05):
    """The score below the lowest candidate threshold with a guaranteed precision; None if there is none."""
    falling = np.sort(s[y == 0])[::-1]
    positives = s[y == 1]
    m = int(np.sum(y == 1))
    c = floor / (1 - floor) * (1 - prevalence) / prevalence
    n = falling.size
    able = [j for j in candidates(n) if exceed(n, j, m, m, c) <= delta]
    passed = [
        falling[j]
        for j in able
        if exceed(n, j, m, int(np.sum(positives > falling[j])), c) <= delta / len(able)
    ]
    return min(passed, default=None)


def precise_here(y, s, floor, delta=0.05):
    """As `precise`, of rows that are a sample of the cases to come."""
    falling = np.append(np.sort(s)[::-1], -np.inf)
    able = [k for k in candidates(falling.size) if k and floor**k <= delta]
    passed = []
    for k in able:
        above = s > falling[k]
        if above.any() and binom.cdf(
            np.sum(above & (y == 0)), np.sum(above), 1 - floor
        ) <= delta / len(able):
            passed.append(falling[k])
    return min(passed, default=None)


def random_problem(seed):
    """(y, s, requirements): random, some of them tied, some of few rows."""
    rng = np.random.default_rng(seed)
    y, s = make_binormal(
        int(rng.integers(1, 80)), int(rng.integers(1, 300)), rng.uniform(0, 3), random_state=seed
    )
    requirements = {
        name: rng.uniform(1e-4, 0.3) if name.startswith("max") else rng.uniform(0.5, 0.9999)
        for name in NAMES
        if rng.random() < 0.5
    } or {"max_fpr": 0.001}
    if rng.random() < 0.5:
        requirements["prevalence"] = rng.uniform(0.01, 0.5)
    return y, np.round(s, int(rng.integers(0, 3))), requirements


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8])
def test_one_rate_alone_is_that_of_fpr_threshold(dtype):
    y, s = make_binormal(30, 200, 1.0, random_state=0)
    s = np.round(20 * s).astype(dtype)
    for rate in (0.02, 0.1, 0.3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of ties, which are meant
            want = fpr_threshold(y, s, rate)
        thresholds = guaranteed_thresholds(y, s, max_fpr=rate)
        assert thresholds.threshold == thresholds.negative_below == want
        assert (
            thresholds.rates["fpr"] == np.mean(s[y == 0] >= want)
            and thresholds.rates["undecided"] == 0
        )


def test_found_positives_are_a_binomial_tail():
    y, s = make_binormal(200, 100, 2.0, random_state=1)
    k = max(
        k for k in range(200) if binom.cdf(k, 200, 0.1) <= 0.05
    )  # so many positives may be cleared
    assert guaranteed_thresholds(y, s, min_tpr=0.9).negative_below == np.sort(s[y == 1])[k]


@pytest.mark.parametrize("seed", range(6))
def test_precision_is_that_of_the_integral(seed):
    rng = np.random.default_rng(seed)
    y, s = make_binormal(40, 120, 2.0, random_state=seed)
    s = np.round(s, 1 + seed % 3)
    floor, prevalence = rng.uniform(0.2, 0.5), rng.uniform(0.1, 0.3)
    want = precise(y, s, floor, prevalence)
    if want is None:
        with pytest.raises(ValueError, match="min_precision=.* cannot be guaranteed"):
            guaranteed_thresholds(y, s, min_precision=floor, prevalence=prevalence)
    else:
        thresholds = guaranteed_thresholds(y, s, min_precision=floor, prevalence=prevalence)
        assert np.array_equal(s >= thresholds.threshold, s > want)


@pytest.mark.parametrize("seed", range(6))
def test_precision_of_a_sample_of_the_cases(seed):
    y, s = make_binormal(80, 160, 2.0, random_state=seed)
    s = np.round(s, 1 + seed % 3)
    want = precise_here(y, s, 0.6)
    assert np.array_equal(s >= guaranteed_thresholds(y, s, min_precision=0.6).threshold, s > want)


def test_the_integral_is_a_test_that_is_known():
    for x in (3, 12, 20):
        assert exceed(40, 4, 25, x, 1.0) == pytest.approx(nhypergeom.sf(x - 1, 65, 25, 5))


def test_alarms_at_a_stated_prevalence():
    y, s = make_binormal(100, 400, 1.5, random_state=2)

    def upper(x):
        return (
            binomtest(int(x.sum()), x.size, alternative="less").proportion_ci(0.975, "exact").high
        )  # one side

    def alarms(v):
        return 0.05 * upper(s[y == 1] > v) + 0.95 * upper(s[y == 0] > v)

    want = next(v for v in np.sort(s)[300:] if alarms(v) <= 0.1)  # alarms are fewer the higher v is
    thresholds = guaranteed_thresholds(y, s, max_alarms=0.1, prevalence=0.05)
    assert np.array_equal(s >= thresholds.threshold, s > want)
    assert thresholds.rates["alarm_rate"] == pytest.approx(
        0.05 * thresholds.rates["tpr"] + 0.95 * thresholds.rates["fpr"]
    )


def test_kinds_share_the_level():
    y, s = make_binormal(200, 400, 2.0, random_state=3)
    both = guaranteed_thresholds(y, s, max_fpr=0.1, min_tpr=0.9)
    assert (
        both.threshold == guaranteed_thresholds(y, s, max_fpr=0.1, confidence_level=0.975).threshold
    )
    assert (
        both.negative_below
        == guaranteed_thresholds(y, s, min_tpr=0.9, confidence_level=0.975).negative_below
    )
    # max_fpr and max_alarms concern one threshold: they do not share the error level
    one = guaranteed_thresholds(y, s, max_fpr=0.1, max_alarms=0.9)
    assert one.threshold == guaranteed_thresholds(y, s, max_fpr=0.1).threshold


def test_rows_between_two_thresholds_are_undecided():
    y, s = make_binormal(200, 400, 1.5, random_state=4)
    thresholds = guaranteed_thresholds(y, s, max_fpr=0.05, min_tpr=0.95)
    low, high = thresholds.negative_below, thresholds.threshold
    assert low < high
    assert thresholds.decide([low - 1, low, np.nextafter(high, -9), high, high + 1]).tolist() == [
        0,
        -1,
        -1,
        1,
        1,
    ]
    assert thresholds.rates["undecided"] == pytest.approx(np.mean((s >= low) & (s < high)))
    assert thresholds.rates["fnr"] == np.mean(s[y == 1] < low) and thresholds.guarantees == {
        "max_fpr": 0.05,
        "min_tpr": 0.95,
    }


def test_no_row_is_undecided_where_one_threshold_is_enough():
    y, s = np.repeat([0, 1], 200), np.arange(400.0)
    thresholds = guaranteed_thresholds(y, s, max_fpr=0.2, min_tpr=0.8)
    assert thresholds.negative_below == thresholds.threshold and set(thresholds.decide(s)) == {0, 1}
    # at a low threshold no negative predictions would be left: the threshold rises instead
    y, s = make_binormal(200, 200, 3.0, random_state=0)
    thresholds = guaranteed_thresholds(y, s, min_precision=0.01, min_npv=0.9, prevalence=0.3)
    assert thresholds.negative_below <= thresholds.threshold and np.any(thresholds.decide(s) == 0)


@pytest.mark.parametrize("block", range(6))
def test_guaranteed_or_refused_with_advice(block):
    for seed in range(10 * block, 10 * block + 10):
        y, s, requirements = random_problem(seed)
        try:
            thresholds = guaranteed_thresholds(y, s, **requirements)
        except ValueError as error:
            advice = str(error).split("; ")[-1]
            if not advice.startswith("easing one"):
                near = re.findall(r"(\w+)=([\d.e-]+)", advice)
                assert near and {name for name, _ in near} <= set(requirements)
                for name, value in near:  # what is said to be possible is
                    eased = float(value) - requirements[name]
                    assert eased > 0 if name.startswith("max") else eased < 0
                    guaranteed_thresholds(y, s, **{**requirements, name: float(value)})
        else:
            assert thresholds.negative_below <= thresholds.threshold
            assert set(thresholds.decide(s)) <= {-1, 0, 1}


def test_the_refusal_names_rows_and_rates():
    y = np.repeat([0, 1], [40, 30])
    with pytest.raises(
        ValueError,
        match=r"from 40 negatives and 30 positives; max_fpr=0.01 needs at least 299 negatives",
    ) as e:
        guaranteed_thresholds(y, np.arange(70), max_fpr=0.01)
    assert str(e.value).endswith("the closest possible value: max_fpr=0.0722")
    with pytest.raises(
        ValueError,
        match="min_tpr=0.99 needs at least 299 positives; the closest possible value: min_tpr=0.904",
    ):
        guaranteed_thresholds(y, np.arange(70), min_tpr=0.99)
    y, s = make_binormal(60, 400, 1.0, random_state=0)
    with pytest.raises(
        ValueError, match="all can be guaranteed with one of these instead: .*min_precision=0"
    ):
        guaranteed_thresholds(y, s, max_fpr=0.05, min_precision=0.9, prevalence=0.1)
    with pytest.raises(
        ValueError, match="easing one of them is not enough, .*: min_precision=0.*min_npv=0"
    ):
        guaranteed_thresholds(y, s, min_precision=0.9, min_npv=0.9999, prevalence=0.02)


def test_uninformative_scores():
    y = np.repeat([0, 1], [300, 100])
    with pytest.raises(ValueError, match="min_precision=0.5 cannot be guaranteed"):
        guaranteed_thresholds(y, np.zeros(400), min_precision=0.5)
    thresholds = guaranteed_thresholds(
        y, np.zeros(400), max_fpr=0.1, min_tpr=0.9
    )  # all scores are tied: every row stays undecided
    assert thresholds.decide([0.0]).tolist() == [-1] and thresholds.rates["undecided"] == 1
    assert np.isnan(thresholds.rates["precision"]) and np.isnan(thresholds.rates["npv"])


@pytest.mark.parametrize(
    "requirement", [{"max_fpr": 0.5}, {"min_precision": 0.5, "prevalence": 0.5}, {"min_npv": 0.5}]
)
def test_two_rows_guarantee_nothing(requirement):
    with pytest.raises(ValueError, match="from 1 negatives and 1 positives"):
        guaranteed_thresholds([0, 1], [0.0, 1.0], **requirement)


def test_bad_input():
    y, s = [0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0]
    with pytest.raises(ValueError, match="no guarantee: give at least one of max_fpr, max_alarms"):
        guaranteed_thresholds(y, s)
    for name in (*NAMES, "prevalence", "confidence_level"):
        for bad in (0, 1, -0.1, 1.5, np.nan, "half"):
            with pytest.raises((ValueError, TypeError), match=name):
                guaranteed_thresholds(y, s, **{"max_fpr": 0.5, name: bad})
    with pytest.raises(ValueError, match="y_score"):
        guaranteed_thresholds(y, [1.0, 2.0, np.inf, 4.0], max_fpr=0.5)
    for labels, scores in (
        (y, s[:3]),
        ([1, 1, 1, 1], s),
        ([0, 1, 2, 1], s),
        (y, [1.0, 2.0, np.nan, 4.0]),
    ):
        with pytest.raises(ValueError):
            guaranteed_thresholds(labels, scores, max_fpr=0.5)


def test_labels_in_words():
    y, s = make_binormal(100, 100, 2.0, random_state=0)
    words = np.where(y == 1, "case", "control")
    thresholds = guaranteed_thresholds(
        words, s, max_fpr=0.2, min_precision=0.2, prevalence=0.1, pos_label="case"
    )
    assert thresholds == guaranteed_thresholds(y, s, max_fpr=0.2, min_precision=0.2, prevalence=0.1)


def test_a_precision_that_is_barely_broken_everywhere_is_refused():
    # positives are 2.99 times as dense at the top, where 3 times is asked for: a precision of a half at a quarter
    rng = np.random.default_rng(0)
    answered = 0
    tries = 80
    y = np.repeat([0, 1], [60, 40])
    for _ in range(tries):
        s = 1 - rng.random(100) / np.where(y == 1, 2.99, 1)
        try:
            guaranteed_thresholds(y, s, min_precision=0.5, prevalence=0.25)
            answered += 1
        except ValueError:
            pass
    assert answered / tries <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / tries)


@pytest.mark.parametrize("n", [1, 2, 40, 99, 2994])
@pytest.mark.parametrize("confidence_level", [0.5, 0.95, 0.99, None])
def test_the_smallest_max_fpr_that_so_many_negatives_guarantee(n, confidence_level):
    y, s = np.r_[1, np.zeros(n)], np.arange(n + 1.0)
    lowest = FprGuarantee(1e-5, confidence_level).smallest_max_fpr(n)
    with pytest.raises(ValueError, match=f"got {n}: add rows, or ask for {lowest:.3g} or more"):
        fpr_threshold(y, s, 1e-5, confidence_level=confidence_level)
    assert np.isfinite(
        fpr_threshold(y, s, min(lowest, 1 - 1e-12), confidence_level=confidence_level)
    )
    with pytest.raises(ValueError, match="needs at least"):
        fpr_threshold(y, s, 0.98 * lowest, confidence_level=confidence_level)


def test_a_comparison_that_cannot_decide_says_what_it_could():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), np.repeat([0, 1], [60, 60])
    X[y == 1] += 1
    result = compare(X, y, {"logistic": LogisticRegression()}, max_fpr=0.1, cv=3)
    with pytest.raises(
        ValueError, match="needs at least 448 negatives, and there are 60"
    ) as refused:
        result.decide(X, max_fpr=0.01)
    nearest = float(re.search(r"max_fpr=([\d.]+) or more", str(refused.value))[1])
    assert result.decide(X, max_fpr=nearest).max_fpr == nearest


@pytest.mark.parametrize(
    "options",
    [
        {"max_fpr": 0.001},
        {"min_tpr": 0.999, "max_fpr": 0.5},
        {"min_precision": 0.99},
        {"risk": lambda y, alarm: (y == 0) & alarm, "max_risk": 0.001},
        {"risk": lambda y, alarm: alarm != y, "max_risk": 0.1, "groups": np.arange(40) // 10},
    ],
)
def test_what_rows_cannot_guarantee_raises_a_guarantee_error(options):
    y = np.repeat([0, 1], 20)
    with pytest.raises(GuaranteeError):
        guaranteed_thresholds(y, np.arange(40) % 20, **options)
