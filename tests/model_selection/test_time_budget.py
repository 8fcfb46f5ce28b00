"""Time budget of a comparison: expected times, the rankers that are left out, and equal results for the others."""

import json

import numpy as np
import pandas as pd
import pytest
from command_line import use_rankers
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from aucbook import cli, compare
from aucbook._evaluation.folds import LabelledRows
from aucbook.model_selection import CompareOptions
from aucbook.model_selection import time_budget as budget
from aucbook.model_selection.time_budget import (
    ENOUGH,
    FIRST,
    LEAST,
    estimate_fit_times,
    in_words,
    plan,
    stratified_sample,
)

NOW = [0.0]
RNG = np.random.default_rng(0)
Y = (RNG.random(4000) < 0.3).astype(int)
X = RNG.normal(size=(4000, 3)) + Y[:, None]
HALVES = [(np.arange(2000), np.arange(2000, 4000)), (np.arange(2000, 4000), np.arange(2000))]
CASES = LabelledRows(Y, np.unique(Y), folds=HALVES)


def clock():
    return NOW[0]


class Takes(GaussianNB):
    """A ranker whose fit takes seconds(rows) on the clock of this page."""

    def __init__(self, seconds=None):
        super().__init__()
        self.seconds = seconds

    def fit(self, X, y, sample_weight=None):
        NOW[0] += self.seconds(len(X))
        return super().fit(X, y, sample_weight)


class Fails(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        raise RuntimeError("no licence")


@pytest.fixture
def stopped(monkeypatch):
    """The clock of a comparison moves with the fits of `Takes` alone."""
    monkeypatch.setattr(budget.time, "perf_counter", clock)
    monkeypatch.setitem(plan.__kwdefaults__ or {}, "clock", clock)
    monkeypatch.setattr(plan, "__defaults__", (None, None, clock))


@pytest.mark.parametrize(
    "duration, low, high",
    [
        (lambda n: 1e-3 * n, 0.98, 1.02),
        (lambda n: 1e-6 * n**2, 0.98, 1.02),
        (lambda n: 1e-4 * n * np.log(n), 0.95, 1.05),
        (lambda n: 0.01, 1.0, 3.0),  # at least linear: too much, of nearly nothing
        (lambda n: 1e-9 * n**3, 0.3, 1.0),  # at most quadratic
    ],
)
def test_times_are_extrapolated_by_their_power(duration, low, high):
    folds, all_rows = estimate_fit_times(Takes(duration), X, CASES, clock)
    assert (
        low <= folds / 2 / duration(2000) <= high
        and low / 2 <= all_rows / duration(4000) <= 2 * high
    )


def test_folds_in_time_order_have_growing_training_sets():
    folds = [(np.arange(k), np.arange(k, k + 500)) for k in (500, 1000, 1500)]

    def duration(n):
        return 1e-6 * n**2

    seconds, all_rows = estimate_fit_times(
        Takes(duration), X, LabelledRows(Y, np.unique(Y), folds=folds), clock
    )
    assert seconds == pytest.approx(duration(500) + duration(1000) + duration(1500), rel=0.02)
    assert all_rows == pytest.approx(duration(4000), rel=0.02)


def test_samples_grow_until_a_fit_takes_half_a_second():
    sizes = []
    estimate_fit_times(Takes(lambda n: sizes.append(n) or ENOUGH / 1000 * n), X, CASES, clock)
    assert sizes == [
        FIRST,
        FIRST,
        2 * FIRST,
        4 * FIRST,
    ]  # the first compiles; 1600 rows take longer than enough
    sizes.clear()
    estimate_fit_times(Takes(lambda n: sizes.append(n) or 2 * ENOUGH), X, CASES, clock)
    assert sizes == [FIRST, FIRST, 2 * FIRST]  # a power takes two
    rows = stratified_sample(np.r_[np.ones(40, int), np.zeros(4000, int)], np.arange(10, 4040), 400)
    assert np.unique(rows).size == rows.size and (rows >= 10).all() and (rows < 40).sum() == LEAST


def test_small_tables_and_rankers_that_fail():
    few = LabelledRows(Y[:60], np.unique(Y), folds=[(np.arange(40), np.arange(40, 60))])
    assert estimate_fit_times(Takes(lambda n: 0.01 * n), X[:60], few, clock) == pytest.approx(
        (0.4, 0.6)
    )
    assert estimate_fit_times(Fails(), X, CASES, clock) == (0, 0)


def test_the_fastest_rankers_come_first_and_workers_share_the_time():
    rankers = {"b": (Takes(lambda n: 0.02 * n), X), "a": (Takes(lambda n: 0.01 * n), X)}
    one_worker = plan(rankers, CASES, 1, None, clock)
    two_workers = plan(rankers, CASES, 2, None, clock)
    assert list(one_worker.seconds) == ["a", "b"] and one_worker.seconds["a"] == pytest.approx(
        40, rel=0.05
    )
    assert two_workers.seconds["b"] == pytest.approx(one_worker.seconds["b"] / 2)
    # 48 s of samples; 40 for a and 80 to decide for it; 80 for b and 160 to decide for it
    for minutes, left in ((5.5, set()), (5.4, {"b"}), (2.9, {"b"})):
        assert plan(rankers, CASES, 1, minutes, clock).left_out.keys() == left
    assert str(one_worker).startswith("about 2 min, and up to 2.7 min to decide: b ")
    assert str(plan(rankers, CASES, 1, 3, clock)).startswith(
        "about 40 s, and up to 80 s to decide: a "
    )
    with pytest.raises(
        ValueError,
        match=r"minutes=2.7 is too short for every ranker. a is the fastest: it would take about 40 s, and 80 s to decide",
    ):
        plan(rankers, CASES, 1, 2.7, clock)
    assert [in_words(s) for s in (0.2, 59, 200, 4000, 7000, 90_000)] == [
        "1 s",
        "59 s",
        "3.3 min",
        "67 min",
        "1.9 h",
        "25 h",
    ]


@pytest.mark.parametrize("table", [np.asarray, pd.DataFrame, sparse.csr_matrix])
def test_rankers_left_out_are_reported_and_change_no_result(table, stopped, tmp_path):
    rankers = {"slow": Takes(lambda n: 0.03 * n), "quick": LogisticRegression()}
    features = table(np.abs(X))
    result, plain = (compare(features, Y, {n: rankers[n] for n in names}, cv=2, options=CompareOptions(minutes=m)) for names, m in
                     ((("slow", "quick"), 1), (("quick",), None)))  # fmt: skip
    assert result.left_out.keys() == {"slow"} and not result.failures and not plain.left_out
    assert "too long for 1 min" in result.left_out[
        "slow"
    ] and "slow is left out: it would take about" in str(result)
    (row,), (other,) = result.rows, plain.rows
    assert {k: v for k, v in row.items() if k != "seconds"} == {
        k: v for k, v in other.items() if k != "seconds"
    }
    np.testing.assert_array_equal(result.scores["quick"], plain.scores["quick"])
    folder = result.save(tmp_path / "out")
    page = (folder / "report.html").read_text("utf8")
    assert "slow is left out" in page and json.loads((folder / "table.json").read_text("utf8"))[
        "left_out"
    ].keys() == {"slow"}
    assert result.decide(features, max_fpr=0.2).ranker == "quick"


def test_a_limit_too_short_for_every_ranker(stopped):
    with pytest.raises(ValueError, match="is too short for every ranker. slow"):
        compare(X, Y, {"slow": Takes(lambda n: n)}, cv=2, options=CompareOptions(minutes=2))


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), float("inf"), "ten", True])
def test_invalid_minutes(wrong):
    with pytest.raises(ValueError, match="minutes must be None or a number above 0"):
        compare(X, Y, {"line": LogisticRegression()}, options=CompareOptions(minutes=wrong))


def test_the_command_line_prints_the_plan(tmp_path, monkeypatch, capsys, stopped):
    rankers = {"slow": Takes(lambda n: 0.03 * n), "line": LogisticRegression()}
    use_rankers(monkeypatch, rankers)
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(X, columns=list("abc")).assign(sick=Y).to_csv("t.csv", index=False)
    assert cli.main(["compare", "t.csv", "--label", "sick", "--cv", "2", "--minutes", "2"]) == 0
    output = capsys.readouterr().out
    assert (
        "about 1 s, and up to 1 s to decide: line 1 s" in output
        and output.count("slow is left out: it would take about") == 2
    )
    assert cli.main(["compare", "t.csv", "--label", "sick", "--minutes", "0"]) == 2
    assert "--minutes must be None or a number above 0" in capsys.readouterr().err
    use_rankers(monkeypatch, {"slow": rankers["slow"]})
    assert cli.main(["compare", "t.csv", "--label", "sick", "--cv", "2", "--minutes", "0.5"]) == 2
    assert "--minutes 0.5 is too short for every ranker" in capsys.readouterr().err
