"""A comparison within a time limit: predicted times, fewer rows, what is left out, Ctrl-C, and equal results on all rows."""

import json
import os
import signal
import threading
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from command_line import use_rankers
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from aucbook import cli, compare
from aucbook._base.compilation import Compilation
from aucbook._base.ranker import interrupted_after
from aucbook._evaluation.folds import LEAST, FoldResult, LabelledRows, stratified_sample
from aucbook.cli.compare import ranker_in_time
from aucbook.deployment.decision import DecisionSeconds, seconds_without_fits
from aucbook.deployment.performance import FEWEST_RESAMPLES
from aucbook.measures import AUC, Brier
from aucbook.model_selection import CompareOptions
from aucbook.model_selection.fit_process import FittingProcess, Task, TaskResult, run_task
from aucbook.model_selection.time_budget import (
    FIRST,
    Schedule,
    TimeLimit,
    estimate_times,
    in_order,
    in_words,
    predict_seconds,
    run_in_time,
)

RNG = np.random.default_rng(0)
Y = (RNG.random(8000) < 0.3).astype(int)
X = RNG.normal(size=(8000, 3)) + Y[:, None]
HALVES = [(np.arange(4000), np.arange(4000, 8000)), (np.arange(4000, 8000), np.arange(4000))]
CASES = LabelledRows(Y, np.unique(Y), folds=HALVES)


class Sleeps(GaussianNB):
    """A ranker whose fit takes so many seconds for a thousand rows."""

    def __init__(self, seconds=0.0):
        super().__init__()
        self.seconds = seconds

    def fit(self, X, y, sample_weight=None):
        time.sleep(self.seconds * len(X) / 1000)
        return super().fit(X, y, sample_weight)


class Fails(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        raise RuntimeError("no licence")


class Dies(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        os._exit(3)


class Played:
    """A fitting process on a clock that only tasks advance; `law`: name -> seconds of n rows."""

    def __init__(self, law, values=None, cases=CASES):
        self.law = law
        self.values = values or {}
        self.features = {name: (GaussianNB(), X) for name in law}
        self.cases = cases
        self.n_workers = 1
        self.now = 0.0
        self.tasks = []

    def is_ready(self, seconds):
        return True

    def run(self, tasks, seconds):
        spent = 0.0
        results = []
        for task in tasks:
            self.tasks.append(task)
            lasts = self.law[task.name](task.n_train)
            spent += lasts
            _, test = task.rows(self.cases)
            noise = np.random.default_rng(1).normal(size=test.size)
            scores = X[test, 0] + noise * self.values.get(task.name, lambda n: 0.0)(task.n_train)
            done = TaskResult(FoldResult(scores=scores), lasts)
            results.append(done if spent <= seconds else None)
        self.now += min(spent, max(seconds, 0))
        return results


def schedule_of(played, seconds, **settings):
    schedule = Schedule(played, AUC, TimeLimit(seconds, lambda: played.now), **settings)
    schedule.judge_all()
    schedule.add_rows()
    return schedule


@pytest.mark.parametrize(
    "law, low, high",
    [
        (lambda n: 1e-3 * n, 0.98, 1.02),
        (lambda n: 1e-6 * n**2, 0.98, 1.02),
        (lambda n: 0.01, 1.0, 30.0),  # at least linear: too much, of nearly nothing
        (lambda n: 1e-9 * n**3, 0.01, 1.0),  # at most quadratic
    ],
)
def test_times_are_extrapolated_by_their_power(law, low, high):
    timings = {n: law(n) for n in (400, 1600, 6400)}
    assert low <= predict_seconds(timings, 100_000) / law(100_000) <= high
    assert predict_seconds({400: 1.0}, 800) == 2


def test_samples_have_both_classes_and_nest():
    y = np.r_[np.ones(40, int), np.zeros(4000, int)]
    rows = stratified_sample(y, np.arange(10, 4040), 400)
    assert np.unique(rows).size == rows.size and (rows >= 10).all() and (rows < 40).sum() == LEAST
    assert np.isin(rows, stratified_sample(y, np.arange(10, 4040), 1600)).all()
    np.testing.assert_array_equal(stratified_sample(y, np.arange(4040), 4040), np.arange(4040))


def test_a_comparison_without_a_limit_says_how_long_it_takes():
    features = {"bayes": (Sleeps(1e-3), X), "slow": (Sleeps(0.2), X), "fails": (Fails(), X)}
    estimates = estimate_times(features, CASES)
    assert next(iter(estimates.seconds)) == "slow" and estimates.seconds["fails"] == 0
    assert 1.5 < estimates.seconds["slow"] < 10 and str(estimates).startswith("about ")
    words = [in_words(s) for s in (0.2, 59, 200, 4000, 7000, 90_000)]
    assert words == ["1 s", "59 s", "3.3 min", "67 min", "1.9 h", "25 h"]


def test_strong_and_quick_rankers_come_first():
    from aucbook import default_rankers

    features = {name: (ranker, None) for name, ranker in default_rankers().items()}
    names = in_order({"own": (GaussianNB(), None)} | features)
    assert names[0] == "logistic regression" and names[-1] == "ensemble"
    assert names.index("own") < names.index("TreeRank forest")


def test_slow_rankers_get_fewer_rows_and_hopeless_ones_are_left_out():
    law = {"quick": lambda n: 1e-4 * n, "slow": lambda n: 1e-2 * n, "hopeless": lambda n: 10.0 * n}
    played = Played(law)
    schedule = schedule_of(played, 60)
    assert schedule.runs["quick"].n_train == 4000
    assert FIRST <= schedule.runs["slow"].n_train < 4000
    assert schedule.left_out.keys() == {"hopeless"} and played.now <= 60
    everything = schedule_of(Played(law | {"hopeless": lambda n: 1e-4 * n}), 1000)
    assert {run.n_train for run in everything.runs.values()} == {4000} and not everything.left_out


@pytest.mark.parametrize("seconds", [1, 5, 20, 60, 300])
def test_the_time_is_never_overrun(seconds):
    """Also by a ranker whose time rises faster than its samples show."""
    law = {"a": lambda n: 1e-3 * n, "jumps": lambda n: 1e-3 * n if n < 2000 else 10.0 * n}
    played = Played(law)
    schedule_of(played, seconds)
    assert played.now <= seconds * 1.001


def test_time_that_is_left_goes_to_the_more_promising_ranker():
    values = {"poor": lambda n: 5.0, "good": lambda n: 0.5}
    played = Played(dict.fromkeys(values, lambda n: 5e-3 * n), values)
    schedule = Schedule(played, AUC, TimeLimit(120, lambda: played.now))
    for name in values:
        assert schedule.run_folds(name, 1000, 20)
    schedule.add_rows()
    assert schedule.runs["good"].n_train == 4000 and schedule.runs["poor"].n_train == 1000


def test_rankers_whose_kernels_are_compiled_come_first():
    played = Played({"waits": lambda n: 1e-4 * n, "other": lambda n: 1e-4 * n})
    schedule = Schedule(played, AUC, TimeLimit(60, lambda: played.now))

    def is_compiled(name):
        return name == "other" or played.now > 0

    schedule.is_compiled = is_compiled
    schedule.judge_all()
    assert played.tasks[0].name == "other" and schedule.runs.keys() == {"waits", "other"}


def test_a_process_gives_the_same_scores_and_can_be_ended():
    features = {"bayes": (Sleeps(), X), "slow": (Sleeps(100.0), X), "dies": (Dies(), X)}
    process = FittingProcess(features, CASES)
    try:
        (there,) = process.run([Task("bayes", 0, 4000)], 300)
        here = run_task(Task("bayes", 0, 4000), features, CASES)
        np.testing.assert_array_equal(there.result.scores, here.result.scores)
        assert process.run([Task("slow", 0, 4000)], 0.5) == [None] and process.executor is None
        (dead,) = process.run([Task("dies", 0, 4000)], 300)
        assert "died" in dead.result.error
    finally:
        process.stop()


def test_results_on_all_rows_are_those_without_a_limit(tmp_path):
    """Minutes enough for a busy machine: the third ranker would take ten times as long."""
    rankers = {"line": LogisticRegression(), "fails": Fails(), "slow": Sleeps(300.0)}
    options = CompareOptions(minutes=1.5, ignore=["AB12"])
    result = compare(np.abs(X), Y, rankers, cv=2, options=options)
    plain = compare(np.abs(X), Y, {"line": LogisticRegression()}, cv=2)
    assert result.failures == {"fails": "RuntimeError: no licence"}
    assert result.left_out.keys() | result.fewer_rows.keys() == {"slow"}
    np.testing.assert_array_equal(result.scores["line"], plain.scores["line"])
    np.testing.assert_array_equal(result.values["line"], plain.values["line"])
    sentence = "Left out because of" if result.left_out else "Trained on fewer than"
    folder = result.save(tmp_path / "out")
    assert sentence in str(result) and sentence in (folder / "report.html").read_text("utf8")
    document = json.loads((folder / "table.json").read_text("utf8"))
    assert {"left_out", "fewer_rows"} <= document.keys()
    assert result.decide(np.abs(X), "line", max_fpr=0.2).ranker == "line"


@pytest.mark.parametrize("measure", [AUC, Brier()])
def test_tests_stay_paired_on_fewer_rows(measure):
    played = Played({"quick": lambda n: 1e-4 * n, "slow": lambda n: 1e-2 * n})
    schedule = Schedule(played, measure, TimeLimit(60, lambda: played.now))
    schedule.judge_all()
    assert schedule.runs["slow"].n_train < 4000 == schedule.runs["quick"].n_train
    for run in schedule.runs.values():
        assert all(result.scores.size == 4000 for result in run.results)


def test_when_the_time_is_over_at_once_one_ranker_is_judged():
    result = compare(X, Y, cv=2, options=CompareOptions(minutes=1e-6, ignore=["AB12"]))
    assert list(result.values) == ["logistic regression"]
    n_train, largest = result.fewer_rows.get("logistic regression", (4000, 4000))
    assert FIRST <= n_train <= largest == 4000  # all rows, if that is quick


def test_ctrl_c_gives_the_best_so_far():
    features = {"quick": (Sleeps(), X), "slow": (Sleeps(5.0), X)}
    timer = threading.Timer(12, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        timed = run_in_time(features, CASES, AUC, TimeLimit(300))
    finally:
        timer.cancel()
    assert timed.interrupted and "quick" in timed.names


def test_ctrl_c_before_any_result_is_an_interruption(monkeypatch):
    def interrupted(self, tasks, seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(FittingProcess, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_in_time({"quick": (Sleeps(), X)}, CASES, AUC, TimeLimit(300))


def test_time_is_kept_for_all_of_a_decision():
    """Besides its fits: the time of the rest grows with the rows, and is measured on samples."""
    law = {"a": lambda n: 1e-3 * n, "b": lambda n: 1e-3 * n}
    sizes = []

    def rest(n):
        sizes.append(n)
        return 2e-3 * n

    played = Played(law)
    schedule = schedule_of(played, 1000, rest=rest)
    seconds = schedule.decision_seconds("a")
    assert sizes[0] == FIRST and max(sizes) < 8000
    assert seconds.folds == pytest.approx(8) and seconds.last_fit == pytest.approx(8)
    assert 16 <= seconds.rest <= 20 and seconds.total == sum(seconds[:2]) + seconds.rest
    assert schedule.reserve() > seconds.total
    unmeasured = schedule_of(Played(law), 1000).decision_seconds("a").rest
    assert 0 < unmeasured < seconds.rest


def test_time_is_kept_for_the_simplest_ranker_that_may_be_chosen():
    """Also where the best, which is more complex, needs less for its decision."""
    law = {"simple": lambda n: 5e-3 * n, "best": lambda n: 1e-3 * n}
    values = {"simple": lambda n: 0.5, "best": lambda n: 0.5}
    played = Played(law, values)
    played.features["simple"] = (LogisticRegression(), X)
    schedule = schedule_of(played, 1000)
    assert "simple" in schedule.first_choices()
    assert schedule.reserve() > schedule.decision_seconds("simple").total
    played = Played(law, values | {"simple": lambda n: 5.0})
    played.features["simple"] = (LogisticRegression(), X)
    schedule = schedule_of(played, 1000)
    assert schedule.first_choices() == {"best"}
    assert schedule.reserve() < schedule.decision_seconds("simple").total


def test_the_rest_of_a_decision_can_be_timed_on_few_rows_and_with_rare_positives():
    y = np.r_[np.ones(40, int), np.zeros(5000, int)]
    assert 0 < seconds_without_fits(y, 400)


def asked_in_time(seconds, ranker=None, fewer_rows=(), better_baseline=None, **needed):
    """The choice in so many seconds, where "chosen" is the first choice and "other" not worse.

    better_baseline: what is better than "other", if anything is
    """

    def choose(ranker):
        if ranker == "other":
            return SimpleNamespace(better_baseline=better_baseline)
        return SimpleNamespace(ranker="chosen", alternatives=[SimpleNamespace(ranker="other")])

    result = SimpleNamespace(choose=choose, decision_seconds=needed, fewer_rows=fewer_rows)
    return ranker_in_time(result, ranker, seconds)


def test_a_ranker_that_was_taken_for_want_of_time_is_not_called_named():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 2)) + y[:, None]
    result = compare(X, y, {"line": LogisticRegression(), "bayes": GaussianNB()}, cv=3)
    result.decision_seconds = {
        "line": DecisionSeconds(folds=50, last_fit=9, short_fit=9, rest=9),
        "bayes": DecisionSeconds(),
    }
    assert result.choose().ranker == "line"
    ranker = ranker_in_time(result, None, 1)
    result.decide(X, ranker)
    choice = result.choice
    assert (choice.ranker, choice.rule, choice.first_choice) == ("bayes", "in time", "line")
    assert "was taken in place of line, the first choice, with which" in repr(choice)
    assert "named" not in repr(choice)


def test_the_ranker_of_a_decision_is_one_for_which_there_is_time(capsys):
    chosen = DecisionSeconds(folds=50, last_fit=10, short_fit=5, rest=5)
    other = DecisionSeconds(folds=20, last_fit=4, short_fit=2, rest=5)
    needed = {"chosen": chosen, "other": other, "worse": DecisionSeconds()}
    assert asked_in_time(65, **needed) is None  # as it was asked for: the rule stays in the report
    assert asked_in_time(65, "simplest", **needed) == "simplest"
    assert capsys.readouterr().out == ""
    assert asked_in_time(64, **needed) is None  # shortened, which takes 10 s
    few = {"fewer_rows": ["chosen"]}  # rather all rows of another ranker than a few of this one
    assert asked_in_time(64, **few, **needed) == "other"  # not "worse", which would take no time
    assert "with chosen, the first choice, it would take about 65 s" in capsys.readouterr().out
    assert asked_in_time(28, **few, **needed) is None
    assert asked_in_time(64, **few, better_baseline="line", **needed) is None
    assert asked_in_time(9, **needed) == "other"  # shortened: 7 s
    assert asked_in_time(1, **needed) == "other"  # for none: the quickest
    assert asked_in_time(1, chosen=chosen) == "other"  # without timings: nothing is known against


def test_an_interruption_ends_a_context_and_leaves_the_outer_one():
    with interrupted_after(60):
        with pytest.raises(KeyboardInterrupt), interrupted_after(0.1) as inner:
            time.sleep(30)
        assert inner.is_over
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] < 60
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


class Scores(Sleeps):
    """Its scores are no probabilities."""

    def decision_function(self, X):
        p = self.predict_log_proba(X)
        return p[:, 1] - p[:, 0]


@pytest.mark.parametrize("kind", [Sleeps, Scores])
def test_a_decision_that_there_is_little_time_for_is_shorter_and_says_so(kind, tmp_path):
    options = CompareOptions(ignore=["AB12"])
    result = compare(X, Y, {"bayes": kind(0.1)}, cv=3, options=options)
    full = result.decide(X, max_fpr=0.1)
    assert full.shortened == () and result.decide(X, max_fpr=0.1, minutes=60).shortened == ()
    assert result.decision.performance == full.performance
    short = result.decide(X, max_fpr=0.1, minutes=0.02)  # 1.2 s; a fit takes .5 s
    assert len(short.shortened) == 3 and short.surrogate is None
    assert f"rest on {FEWEST_RESAMPLES} resamples" in " ".join(short.shortened)
    assert short.threshold == full.threshold and short.calibration_set == full.calibration_set
    assert short.performance.tpr.value == pytest.approx(full.performance.tpr.value, abs=0.1)
    assert short.performance.mean_probability.value == pytest.approx(Y.mean(), abs=0.02)
    p = short.predict_proba(X)[:, 1]
    np.testing.assert_allclose(p, full.predict_proba(X)[:, 1], atol=0.1)
    page = (result.save(tmp_path / "out") / "report.html").read_text("utf8")
    assert "shortened because of the time limit" in page
    assert all(sentence in page for sentence in short.shortened[1:])


def test_a_shorter_decision_is_trained_on_as_few_rows_as_the_folds():
    options = CompareOptions(ignore=["AB12"])
    result = compare(X, Y, {"bayes": Sleeps()}, cv=3, options=options)
    result.fewer_rows = {"bayes": (1000, 5333)}
    result.decision_seconds = {"bayes": DecisionSeconds(folds=100.0)}
    decision = result.decide(X, max_fpr=0.1, minutes=1)
    assert decision.model.class_count_.sum() == pytest.approx(1000, abs=2)
    assert "on a sample of 1000 rows" in " ".join(decision.shortened)
    result.decision_seconds = {"bayes": DecisionSeconds(last_fit=100.0)}
    without_guarantee = result.decide(X, miss_cost=5, alarm_cost=1, minutes=1)
    assert without_guarantee.model.class_count_.sum() == pytest.approx(1000, abs=2)


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), float("inf"), "ten", True])
def test_invalid_minutes(wrong):
    with pytest.raises(ValueError, match="minutes must be None or a number above 0"):
        compare(X, Y, {"line": LogisticRegression()}, options=CompareOptions(minutes=wrong))


def test_the_command_line_keeps_to_the_time_and_decides(tmp_path, monkeypatch, capsys):
    use_rankers(monkeypatch, {"slow": Sleeps(30.0), "line": LogisticRegression()})
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(X, columns=list("abc")).assign(sick=Y).to_csv("t.csv", index=False)
    common = ["compare", "t.csv", "--label", "sick", "--cv", "2"]
    assert cli.main([*common, "--minutes", "1.5"]) == 0
    output = capsys.readouterr().out
    assert ("Left out because of" in output) != ("Trained on fewer than" in output)
    page = (tmp_path / "aucbook-out" / "report.html").read_text("utf8")
    assert "Use line" in page and "no decision" not in output
    assert not (tmp_path / "aucbook-out" / "checkpoint").exists()
    assert cli.main([*common, "--minutes", "0"]) == 2
    assert "--minutes must be None or a number above 0" in capsys.readouterr().err


def test_a_compilation_that_was_stopped_keeps_no_ranker_waiting():
    compilation = Compilation()
    assert not compilation.has_compiled("TreeRank")
    compilation.stop()
    assert compilation.has_compiled("TreeRank") and not compilation.path.exists()
