"""Guarantees of a user's bounded risk: p-values against direct sums, and samples that break them."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from aucbook.thresholds import BoundedRisk, guaranteed_thresholds
from aucbook.thresholds.bounded_risk import betting_pvalue, hoeffding_bentkus_pvalue, unit_losses


def false_alarms(y, alarm):
    return (y == 0) & alarm


def misses(y, alarm):
    return (y == 1) & ~alarm


def sample(n, seed=0, shift=2.0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return y, rng.normal(shift * y)


# ---------------------------------------------------------------- p-values


@pytest.mark.parametrize("alpha", [0.05, 0.3, 0.9])
@pytest.mark.parametrize("seed", range(5))
def test_pvalues_are_their_definitions(alpha, seed):
    rng = np.random.default_rng(seed)
    for x in (rng.random(25), (rng.random(40) < alpha / 2) * 1.0, np.zeros(9), np.ones(3)):
        n, total = x.size, x.sum()
        mean = min(total / n, alpha)
        entropy = sum(a * math.log(a / b) for a, b in ((mean, alpha), (1 - mean, 1 - alpha)) if a)
        binomial = math.e * binom.cdf(math.ceil(total - 1e-9), n, alpha)
        by_hand = min(1, math.exp(-n * entropy), binomial)
        assert hoeffding_bentkus_pvalue(x, alpha) == pytest.approx(by_hand, rel=1e-9)
        bets = np.geomspace(0.02, 1, 30) / (1 - alpha)
        money = np.mean([np.prod(1 + bet * (alpha - x)) for bet in bets])
        expected = 1.0 if money <= 1 else 1 / money
        assert betting_pvalue(x, alpha) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("pvalue", [hoeffding_bentkus_pvalue, betting_pvalue])
@pytest.mark.parametrize("n", [20, 200])
@pytest.mark.parametrize("kind", ["zero or one", "rare", "spread"])
def test_pvalues_are_valid_where_the_mean_is_the_maximum(pvalue, n, kind):
    """Below .05 in at most 5 % of samples: 2000 of them, and three standard errors."""
    rng = np.random.default_rng(1)
    alpha = 0.1
    draws = {
        "zero or one": (rng.random((2000, n)) < alpha) * 1.0,
        "rare": np.where(rng.random((2000, n)) < 0.01, 1.0, (alpha - 0.01) / 0.99),
        "spread": rng.beta(0.5, 4.5, (2000, n)),
    }[kind]
    rejected = np.mean([pvalue(x, alpha) <= 0.05 for x in draws])
    assert rejected <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_each_pvalue_is_the_sharper_one_somewhere():
    steady = np.full(300, 0.08)
    assert betting_pvalue(steady, 0.1) < 0.05 < hoeffding_bentkus_pvalue(steady, 0.1)
    wins = np.r_[np.ones(15), np.zeros(285)]
    assert hoeffding_bentkus_pvalue(wins, 0.1) < betting_pvalue(wins, 0.1)


def test_units_of_groups():
    code = np.array([0, 0, 1, 2, 2, 2])
    losses = np.array([1.0, 0, 1, 0, 0, 0.6])
    np.testing.assert_allclose(unit_losses(losses, code, 3, 0.2, None), [0.5, 1, 0.2])
    units = unit_losses(losses, code, 3, 0.2, 4)
    np.testing.assert_allclose(units, [(1 - 0.4) / 4 + 0.2, 0.8 / 4 + 0.2, 0.2])
    # the mean is at the maximum exactly where the losses are 20 % of the rows
    at_maximum = unit_losses(np.full(6, 0.2), code, 3, 0.2, 4)
    np.testing.assert_allclose(at_maximum, 0.2)


# ---------------------------------------------------------------- the guarantee


def true_false_alarms(threshold, shift=2.0):
    return 0.6 * 0.5 * math.erfc(threshold / math.sqrt(2))


def true_misses(threshold, shift=2.0):
    return 0.4 * 0.5 * math.erfc((shift - threshold) / math.sqrt(2))


def share_broken(risk, truth, max_risk, n, samples=150, **settings):
    """Share of samples whose threshold has a true risk above the maximum, and the refused."""
    broken = refused = 0
    for seed in range(samples):
        y, s = sample(n, seed)
        try:
            result = guaranteed_thresholds(
                y, s, risk=BoundedRisk(risk, **settings), max_risk=max_risk
            )
        except ValueError:
            refused += 1
            continue
        broken += truth(result.threshold) > max_risk
    return broken / samples, refused / samples


@pytest.mark.parametrize("n", [100, 500])
def test_guarantees_hold_on_new_cases(n):
    allowed = 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
    for risk, truth, choose in (
        (false_alarms, true_false_alarms, "lowest"),
        (misses, true_misses, "highest"),
    ):
        broken, refused = share_broken(risk, truth, 0.1, n, choose=choose)
        assert broken <= allowed and refused < 0.5

    def error(y, alarm):
        return false_alarms(y, alarm) | misses(y, alarm)

    broken, _ = share_broken(error, lambda v: true_false_alarms(v) + true_misses(v), 0.16, n)
    assert broken <= allowed


def test_the_naive_threshold_would_break_it():
    """The same law, with the lowest threshold whose mean loss on the rows is acceptable."""
    broken = 0
    for seed in range(150):
        y, s = sample(100, seed)
        falling = np.sort(s)[::-1]
        means = np.array([np.mean(false_alarms(y, s >= v)) for v in falling])
        broken += true_false_alarms(falling[np.flatnonzero(means <= 0.1)[-1]]) > 0.1
    assert broken / 150 > 0.3


def test_larger_risks_give_lower_thresholds_and_more_rows_too():
    y, s = sample(2000)
    thresholds = [
        guaranteed_thresholds(y, s, risk=false_alarms, max_risk=m).threshold
        for m in (0.05, 0.1, 0.3)
    ]
    assert thresholds == sorted(thresholds, reverse=True) and len(set(thresholds)) == 3
    # not far above what would just do
    assert true_false_alarms(thresholds[1]) > 0.06
    result = guaranteed_thresholds(y, s, risk=false_alarms, max_risk=0.1)
    assert result.guarantees == {"max_risk": 0.1} and result.negative_below == result.threshold
    assert result.rates["risk"] == np.mean(false_alarms(y, s >= result.threshold))
    assert set(result.decide(s)) == {0, 1}
    again = guaranteed_thresholds(y, s, risk=false_alarms, max_risk=0.1)
    assert again == result  # the same rows are chosen again


def test_scales_of_losses():
    y, s = sample(800)
    plain = guaranteed_thresholds(y, s, risk=false_alarms, max_risk=0.1)

    def euros(y, alarm):
        return 250.0 * false_alarms(y, alarm)

    scaled = guaranteed_thresholds(y, s, risk=BoundedRisk(euros, 250), max_risk=25)
    assert scaled.threshold == plain.threshold
    assert scaled.rates["risk"] == pytest.approx(250 * plain.rates["risk"])
    cost = np.random.default_rng(0).random(800)

    def by_row(y, alarm):
        return cost * false_alarms(y, alarm)

    cheaper = guaranteed_thresholds(y, s, risk=by_row, max_risk=0.1)
    assert cheaper.threshold < plain.threshold


def test_words_and_single_precision():
    y, s = sample(600)
    words = np.where(y == 1, "sick", "well")
    plain = guaranteed_thresholds(y, s, risk=false_alarms, max_risk=0.2)
    named = guaranteed_thresholds(words, s, risk=false_alarms, max_risk=0.2, pos_label="sick")
    assert named == plain
    single = guaranteed_thresholds(y, s.astype(np.float32), risk=false_alarms, max_risk=0.2)
    assert single.threshold == pytest.approx(plain.threshold, abs=1e-6)


def grouped(n_groups, seed):
    """Sizes tied to the scores: large groups score high."""
    rng = np.random.default_rng(seed)
    log_size = rng.normal(size=n_groups)
    sizes = np.clip(np.round(4 * np.exp(log_size)), 1, 30).astype(int)
    groups = np.repeat(np.arange(n_groups), sizes)
    effect = 0.8 * log_size + 0.6 * rng.normal(size=n_groups)
    scores = np.repeat(effect, sizes) + 0.3 * rng.normal(size=groups.size)
    y = (rng.random(groups.size) < 0.3).astype(int)
    return y, scores, groups


@pytest.mark.parametrize("per", ["case", "row"])
def test_guarantees_hold_where_group_size_is_tied_to_loss(per):
    y, scores, groups = grouped(60_000, 999)
    weight = np.ones(y.size) if per == "row" else 1 / np.bincount(groups)[groups]
    settings = {"per": per} | ({"max_group_size": 30} if per == "row" else {})
    broken = {"with groups": 0, "without": 0}
    for seed in range(100):
        rows = grouped(80, seed)
        for name, of_groups, options in (("with groups", rows[2], settings), ("without", None, {})):
            try:
                threshold = guaranteed_thresholds(
                    *rows[:2],
                    risk=BoundedRisk(false_alarms, **options),
                    max_risk=0.2,
                    groups=of_groups,
                ).threshold
            except ValueError:
                continue
            risk = np.average(false_alarms(y, scores >= threshold), weights=weight)
            broken[name] += risk > 0.2
    assert broken["with groups"] <= 5 + 3 * np.sqrt(100 * 0.05 * 0.95)
    if per == "row":
        assert broken["without"] > 12  # what the bound for independent rows would do


# ---------------------------------------------------------------- refusals


def precision_loss(y, alarm):
    return np.full(y.size, 1 - (y[alarm].mean() if alarm.any() else 1))


@pytest.mark.parametrize(
    "settings, words",
    [
        (dict(risk=false_alarms), "needs max_risk="),
        (dict(max_risk=0.1), "max_risk= needs risk="),
        (dict(risk=false_alarms, max_risk=1.0), "max_risk"),
        (dict(risk=false_alarms, max_risk=0.1, max_fpr=0.1), "by itself, without max_fpr"),
        (dict(risk=false_alarms, max_risk=0.1, prevalence=0.1), "without prevalence"),
        (dict(risk="cost", max_risk=0.1), "^loss must be a function .*risk= is such a function"),
        (dict(risk=lambda y, alarm: 3.0 * alarm, max_risk=0.1), "only a bounded loss"),
        (dict(risk=lambda y, alarm: alarm - 0.5, max_risk=0.1), "loss returned values from -0.5"),
        (dict(risk=lambda y, alarm: np.where(alarm, np.inf, 0), max_risk=0.1), "to inf"),
        (dict(risk=lambda y, alarm: np.where(alarm, np.nan, 0), max_risk=0.1), "NaN for"),
        (dict(risk=lambda y, alarm: 0.5, max_risk=0.1), "one number for each of 200 rows"),
        (dict(risk=precision_loss, max_risk=0.1), "alarms of other rows"),
        (dict(risk=false_alarms, max_risk=0.001), "at least .* if none has a loss"),
        (dict(risk=lambda y, alarm: np.full(y.size, 0.3), max_risk=0.2), "closest .* about 0.[34]"),
        (dict(max_fpr=0.1, groups=np.arange(200) // 2), "fpr_threshold"),
        (dict(), "no guarantee: give at least one of .*, or risk"),
    ],
)
def test_refusals(settings, words):
    y, s = sample(200)
    with pytest.raises(ValueError, match=words):
        guaranteed_thresholds(y, s, **settings)


@pytest.mark.parametrize(
    "options, groups, words",
    [
        (dict(per="row"), None, "per='row' needs groups"),
        (dict(per="row"), np.arange(200) // 5, "largest group of these rows has 5"),
        (dict(per="row", max_group_size=4), np.arange(200) // 5, "a group has 5 rows"),
        (dict(), np.arange(200) // 50, "at least 8 groups"),
    ],
)
def test_groups_without_a_bound(options, groups, words):
    y, s = sample(200)
    with pytest.raises(ValueError, match=words):
        guaranteed_thresholds(
            y, s, risk=BoundedRisk(false_alarms, **options), max_risk=0.3, groups=groups
        )


@pytest.mark.parametrize(
    "options",
    [
        dict(max_loss=0),
        dict(max_loss=np.inf),
        dict(per="patient"),
        dict(choose="best"),
        dict(max_group_size=0),
    ],
)
def test_settings(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        BoundedRisk(false_alarms, **options)


def test_what_needed_says_is_enough():
    """The number of rows in the message lets losses of 0 through, and one row in ten fewer does not."""
    y, s = sample(40)
    with pytest.raises(ValueError, match="at least") as error:
        guaranteed_thresholds(y, s, risk=false_alarms, max_risk=0.02)
    needed = int(str(error.value).split("at least ")[1].split()[0])

    def no_loss(y, alarm):
        return np.zeros(y.size)

    for n, is_given in ((needed + 3, True), (int(0.9 * needed), False)):
        y, s = sample(n)
        try:
            guaranteed_thresholds(y, s, risk=no_loss, max_risk=0.02)
            assert is_given
        except ValueError:
            assert not is_given
