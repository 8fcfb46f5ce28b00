"""From a prevalence, costs and a budget to a threshold: worked by hand, against counting, and at the ends."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from aucbook import affordable_fpr, best_alarm, move_prevalence, net_benefit, safe_threshold

# nine patients: walk down from 9, three sick of four among the first five
Y, S = [1, 1, 0, 1, 0, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4, 3, 2, 1]


def test_by_hand():
    found = best_alarm(Y, S, prevalence=0.2, miss_cost=4)
    # one false alarm costs a quarter of a miss: at 6 there are 3 of 4 sick and 1 of 5 healthy
    assert found.threshold == 6 and (found.fpr, found.tpr) == (0.2, 0.75)
    assert found.alarms == pytest.approx(0.2 * 0.75 + 0.8 * 0.2) and found.precision == pytest.approx(0.15 / 0.31)
    assert found.net_benefit == pytest.approx(0.2 * 0.75 - 0.25 * 0.8 * 0.2)
    assert best_alarm(Y, S, prevalence=0.2, miss_cost=4, budget=0.3).threshold == 8
    assert best_alarm(Y, S, prevalence=0.2, miss_cost=400).threshold == 3  # nobody may be missed
    assert best_alarm(Y, S, miss_cost=1) == best_alarm(Y, S, miss_cost=7, false_alarm_cost=7)  # only the ratio counts
    assert best_alarm(Y, S, prevalence=4 / 9) == pytest.approx(best_alarm(Y, S))


def test_nobody_rings():
    y = [0, 1, 0, 1, 1, 0, 0, 0, 1]  # the highest score is a false alarm
    for found in (best_alarm(y, S, prevalence=0.001, false_alarm_cost=2000), best_alarm(y, S, budget=0.01)):
        assert found.threshold == math.inf and found.alarms == 0 and found.net_benefit == 0
        assert math.isnan(found.precision)


def test_exact_budget_and_equal_worth():
    # three tenths of all cases, as a sum that is not 0.3 in floating point
    y, s = np.r_[np.ones(5), np.zeros(5)], np.arange(10)[::-1]
    assert best_alarm(y, s, budget=0.1 + 0.2).alarms == pytest.approx(0.3)
    # 4 and 1 are worth the same: one more sick for two more healthy at half the price; the fewer alarms
    assert best_alarm([1, 0, 0, 1], [4, 3, 2, 1], prevalence=0.5, miss_cost=2).threshold == 4


def test_affordable_rate_reaches_the_precision():
    for prevalence, q in ((0.3, 0.5), (0.01, 0.25), (0.001, 0.1)):
        f = affordable_fpr(prevalence, q)
        assert prevalence / (prevalence + (1 - prevalence) * f) == pytest.approx(q)
    assert affordable_fpr(0.6, 0.1) == 1


def test_move_there_and_back():
    p = np.linspace(0, 1, 11)
    np.testing.assert_allclose(move_prevalence(move_prevalence(p, 0.4, 0.03), 0.03, 0.4), p, atol=1e-12)
    assert move_prevalence(0.03, 0.03, 0.2) == pytest.approx(0.2)  # who knows nothing has the prevalence


def test_safe_threshold_is_the_last_that_is_safe():
    for n, fpr in ((99, 0.1), (50, 0.05), (400, 0.05), (58, 0.05), (59, 0.05)):
        y, s = np.r_[1, np.zeros(n)], np.r_[-5.0, np.arange(n)]
        above = int(np.sum(s[1:] >= safe_threshold(y, s, fpr)))
        sure = [k for k in range(1, n + 1) if binom.cdf(k - 1, n, fpr) <= 0.05]
        assert above == (max(sure) - 1 if sure else 0)
        assert math.isinf(safe_threshold(y, s, fpr)) == (not sure)
    # nobody can promise five in a hundred from fewer than 59 healthy: .95 ** 58 is still above .05
    assert not math.isinf(safe_threshold(np.r_[1, np.zeros(59)], np.arange(60), 0.05))


def test_tied_scores_do_not_break_the_promise():
    y, s = np.r_[1, np.zeros(99)], np.r_[3, np.repeat([2, 1], [20, 79])]
    assert safe_threshold(y, s, 0.1) > 2  # the twenty at 2 would ring together


@pytest.mark.parametrize(
    "call",
    [
        lambda: affordable_fpr(0, 0.5),
        lambda: affordable_fpr(0.1, 1),
        lambda: net_benefit(1.2, 0.5, 0.1),
        lambda: net_benefit(0.1, 0.5, 0.1, miss_cost=0),
        lambda: net_benefit(0.1, 0.5, 0.1, false_alarm_cost=float("inf")),
        lambda: best_alarm(Y, S, prevalence=1.0),
        lambda: best_alarm(Y, S, budget=0),
        lambda: best_alarm([1, 1], [1, 2]),
        lambda: best_alarm([0, 1], [1, float("nan")]),
        lambda: safe_threshold(Y, S, 1.0),
        lambda: safe_threshold(Y, S, 0.1, confidence=1),
        lambda: move_prevalence(1.1, 0.1, 0.2),
        lambda: move_prevalence(0.1, 0, 0.2),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match=".{15}"):
        call()
