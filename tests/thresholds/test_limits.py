"""A maximum FPR, a minimum TPR, and both."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

from aucbook import cli, compare, load_decision, partial_auc
from aucbook._evaluation.folds import LabelledRows
from aucbook.deployment.decision import choose_calibration_rows, exchange_classes
from aucbook.reporting.recommendation import advice
from aucbook.thresholds import FprGuarantee, guaranteed_thresholds, tpr_threshold
from aucbook.thresholds.fpr_thresholds import GuaranteeError
from aucbook.thresholds.limits import (
    ClassScores,
    LimitsError,
    attainable_rate,
    negated_threshold,
    threshold_limits,
)

RNG = np.random.default_rng(0)
Y = (RNG.random(1200) < 0.35).astype(int)
X = RNG.normal(size=(1200, 3)) + 0.9 * Y[:, None]
PATIENT = np.arange(1200) // 2


@pytest.fixture(scope="module")
def result():
    return compare(X, Y, {"line": LogisticRegression()}, cv=3)


def test_the_threshold_is_that_of_the_held_out_positives(result):
    decision = result.decide(X, min_tpr=0.9)
    mirrored = exchange_classes(LabelledRows(Y, np.unique(Y)))
    rows = choose_calibration_rows(np.arange(1200), mirrored, FprGuarantee(0.1))
    assert Y[rows].all() and decision.positive_set["positives"] == rows.size
    train = np.setdiff1d(np.arange(1200), rows)
    model = LogisticRegression().fit(X[train], Y[train])
    scores = model.decision_function(X[rows])
    assert decision.threshold == tpr_threshold(np.r_[0, Y[rows]], np.r_[9, scores], 0.9)
    assert decision.max_fpr is None and decision.calibration_set is None
    assert decision.performance.tpr.low < decision.performance.tpr.value
    assert "guaranteed minimum TPR (95 % confidence)" in str(decision)
    assert any("held out of training" in sentence for sentence in decision.sentences())


def test_new_positives_keep_the_minimum():
    """In at most 22 of 200 samples is the TPR of many new rows below the minimum: 10 are expected."""
    rng = np.random.default_rng(1)
    new = rng.normal(size=(20_000, 3)) + 0.9
    guarantee = threshold_limits(None, 0.8, 0.95).miss_guarantee
    broken = 0
    for _ in range(200):
        y = (rng.random(400) < 0.4).astype(int)
        x = rng.normal(size=(400, 3)) + 0.9 * y[:, None]
        mirrored = exchange_classes(LabelledRows(y, np.unique(y)))
        rows = choose_calibration_rows(np.arange(400), mirrored, guarantee)
        train = np.setdiff1d(np.arange(400), rows)
        model = LogisticRegression().fit(x[train], y[train])
        limit = guarantee.threshold(-model.decision_function(x[rows]))
        threshold = negated_threshold(limit.threshold)
        broken += np.mean(model.decision_function(new) >= threshold) < 0.8
    assert broken <= 22


def test_both_limits_hold_together(result):
    decision = result.decide(X, max_fpr=0.5, min_tpr=0.7)
    assert decision.max_fpr == 0.5 and decision.min_tpr == 0.7
    assert decision.confidence_level == 0.95
    assert decision.calibration_set["negatives"] > 100 < decision.positive_set["positives"]
    assert decision.performance.tpr.value > 0.7 and decision.performance.fpr.value < 0.5
    assert "for both limits" in str(decision)


def test_a_simultaneous_guarantee_holds_for_the_chosen_ranker():
    """Twenty columns of noise, the best one chosen with the rows that set its threshold.

    The FPR of a threshold is known exactly. A plain guarantee is exceeded in some 40 of 400 samples.
    """
    rng = np.random.default_rng(0)
    y = np.arange(400) % 4 == 0
    calibration = np.flatnonzero(~y)[:150]
    exceeded = {1: 0, 20: 0}
    for _ in range(400):
        scores = rng.normal(size=(20, y.size))
        best = max(scores, key=lambda score: partial_auc(y, score, max_fpr=0.1))
        for n_rankers in exceeded:
            guarantee = threshold_limits(0.1, None, 0.95, n_rankers=n_rankers).fpr_guarantee
            exceeded[n_rankers] += norm.sf(guarantee.threshold(best[calibration]).threshold) > 0.1
    assert exceeded[20] <= 20 and exceeded[1] > 26  # 20 are allowed; 27 of them have p = .07


@pytest.mark.parametrize("both", [False, True])
def test_levels_of_simultaneous_guarantees_add_up(both):
    limits = threshold_limits(0.1, 0.9 if both else None, 0.95, n_rankers=5)
    each = 1 - limits.fpr_guarantee.confidence_level
    assert each * (10 if both else 5) == pytest.approx(0.05, rel=1e-12)
    assert limits.confidence_level == 0.95 and limits.n_rankers == 5


def test_the_limits_are_those_of_guaranteed_thresholds():
    score = Y + RNG.normal(size=1200)
    limits = threshold_limits(0.5, 0.7, 0.95)
    lowest = limits.fpr_guarantee.threshold(score[Y == 0]).threshold
    highest = negated_threshold(limits.miss_guarantee.threshold(-score[Y == 1]).threshold)
    both = guaranteed_thresholds(Y, score, max_fpr=0.5, min_tpr=0.7)
    assert (lowest, min(lowest, highest)) == (both.threshold, both.negative_below)


@pytest.mark.parametrize("groups", [None, PATIENT])
def test_limits_that_exclude_each_other_say_what_would_do(groups):
    comparison = compare(X, Y, {"line": LogisticRegression()}, cv=3, groups=groups)
    with pytest.raises(LimitsError, match="exclude each other") as caught:
        comparison.decide(X, max_fpr=0.1, min_tpr=0.9)
    assert comparison.decision is None and comparison.no_decision == str(caught.value)
    message = str(caught.value)
    for option in ("min_tpr", "max_fpr"):
        limits = {"max_fpr": 0.1, "min_tpr": 0.9}
        limits[option] = float(message.split(f"{option}=")[1].split(" ")[0])
        assert 0 < limits[option] < 1
    assert "a TPR of at least" in message and "an FPR of at most" in message
    assert comparison.decide(X, max_fpr=0.1).has_limit and comparison.no_decision is None


def test_an_attainable_rate_is_the_upper_limit_of_the_rate():
    from scipy.stats import beta

    scores = RNG.normal(size=300)
    k = int(np.sum(scores >= 0.5))
    rate = attainable_rate(FprGuarantee(0.01), ClassScores(scores), 0.5)
    assert 0 <= rate - beta.ppf(0.95, k + 1, 300 - k) <= 0.001


def test_with_costs_the_threshold_stays_below_the_highest(result):
    free = result.decide(X, miss_cost=1, alarm_cost=1)
    limited = result.decide(X, miss_cost=1, alarm_cost=1, min_tpr=0.95)
    assert limited.threshold == limited.costs["highest_threshold"] < free.threshold
    assert limited.costs["guarantee_cost"] > 0
    sentences = " ".join(limited.sentences())
    assert "The minimum TPR of 95 % costs" in sentences and "treat none was" not in sentences
    cheap = result.decide(X, miss_cost=50, alarm_cost=1, min_tpr=0.5)
    assert cheap.threshold < cheap.costs["highest_threshold"]


def test_a_budget_below_the_minimum_is_refused(result):
    with pytest.raises(LimitsError, match=r"budget of 100 alarms in 1000 cases exclude"):
        result.decide(X, min_tpr=0.9, budget=0.1)
    assert result.decide(X, min_tpr=0.5, budget=0.9).performance.tpr.value > 0.5


def test_too_few_positives_say_how_many_and_what_can_be_guaranteed(result):
    with pytest.raises(GuaranteeError, match=r"needs at least \d+ positives") as caught:
        result.decide(X, min_tpr=0.9999)
    nearest = float(str(caught.value).split("min_tpr=")[1].split(" ")[0])
    assert result.decide(X, min_tpr=nearest - 1e-4).is_guaranteed
    estimated = result.decide(X, min_tpr=0.9999, guarantee=False)
    assert not estimated.is_guaranteed and estimated.positive_set is None


def test_a_decision_with_a_minimum_is_kept_in_a_file(result, tmp_path):
    pytest.importorskip("skops")
    decision = result.decide(X, min_tpr=0.9)
    again = load_decision(decision.save(tmp_path / "model.skops"))
    assert again.min_tpr == 0.9 and again.positive_set == decision.positive_set
    assert np.array_equal(again.predict(X), decision.predict(X))


def write_table(path, shift=0.0):
    rows = X + shift * Y[:, None]
    lines = ["a,b,c,sick"]
    for row, label in zip(rows.round(4).tolist(), Y):
        lines.append(",".join([*map(str, row), "yes" if label else "no"]))
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    "options, code, printed, heading",
    [
        (["--min-tpr", ".9"], 0, "guaranteed minimum TPR", "Recommended decision"),
        (["--min-tpr", ".9", "--max-fpr", ".1"], 1, "--min-tpr 0.", "No decision"),
        (["--min-tpr", ".9", "--budget", ".1"], 1, "--budget 0.", "No decision"),
        (["--min-tpr", ".9999"], 1, "cannot be guaranteed", "Decision without a guarantee"),
    ],
)
def test_the_command_line_and_the_report(tmp_path, capsys, options, code, printed, heading):
    write_table(tmp_path / "t.csv")
    words = ["--label", "sick", "--rankers", "logistic regression", "--cv", "3"]
    out = tmp_path / "out"
    command = ["compare", str(tmp_path / "t.csv"), *words, *options, "--out", str(out)]
    assert cli.main(command) == code
    output = capsys.readouterr().out
    page = (out / "report.html").read_text(encoding="utf8")
    assert printed in output and f"<h2>{heading}</h2>" in page
    assert ("at least 90 %" in page) == (code == 0)
    assert ("Use logistic" in page) == (code == 0)


def test_a_minimum_is_not_judged_by_the_net_benefit_of_treat_all(result):
    """At the threshold probability of a high sensitivity treat all is as good, up to chance."""
    decision = result.decide(X, min_tpr=0.97)
    assert next(advice(decision)).startswith("Use line")
    noise = np.random.default_rng(3).normal(size=X.shape)
    useless = compare(noise, Y, {"line": LogisticRegression()}, cv=3).decide(noise, min_tpr=0.97)
    performance = useless.performance
    is_useless = performance.fpr.value >= performance.tpr.value
    assert next(advice(useless)).startswith("Use") != is_useless
