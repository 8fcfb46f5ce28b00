"""The choice of a ranker: the simplest that is not found worse, the best, or a name; its alternatives."""

import json
import pickle
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, SGDClassifier
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from aucbook import (
    AP,
    AdditiveRanker,
    compare,
    compare_scores,
    default_rankers,
    load_decision,
    optimal_threshold,
)
from aucbook.model_selection import Choice
from aucbook.model_selection.choice import KINDS, kind_of, simplest, simplicity
from aucbook.reporting.recommendation import advice, not_worse

RANKERS = {
    "forest": RandomForestClassifier(n_estimators=20, random_state=0),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "line": make_pipeline(StandardScaler(), LogisticRegression()),
}


def linear_table(n=240, seed=0):
    """Rows whose log-odds are a weighted sum of the columns."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = (X @ [1.5, 1.0, 0.5, 0.0] + rng.logistic(size=n) > 0).astype(int)
    return X, y


def curved_table(n=600, seed=0):
    """Rows that no weighted sum of the columns ranks: the positives lie in two opposite corners."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = (X[:, 0] * X[:, 1] + 0.2 * rng.normal(size=n) > 0).astype(int)
    return X, y


@pytest.fixture(scope="module")
def result():
    return compare(*linear_table(), RANKERS, max_fpr=0.5)


def compared(ps, rankers, delong=None):
    rows = [
        {"ranker": name, "AUC": 0.9 - 0.01 * i, "low": 0.8, "high": 0.95, "p": p}
        for i, (name, p) in enumerate(zip(rankers, ps))
    ]
    if delong:
        rows = [row | {"p DeLong": p} for row, p in zip(rows, delong)]
    return SimpleNamespace(rows=rows, rankers=rankers, confidence_level=0.95)


FOUR = {
    "forest": RandomForestClassifier(),
    "tree": DecisionTreeClassifier(),
    "curves": AdditiveRanker(),
    "line": LogisticRegression(),
}


# ---------------------------------------------------------------- the rule
@pytest.mark.parametrize(
    "ps, delong, expected",
    [
        ((None, 0.5, 0.5, 0.5), None, "line"),
        ((None, 0.5, 0.5, 0.01), None, "curves"),
        ((None, 0.5, 0.5, 0.5), (None, 0.5, 0.01, 0.01), "tree"),
        ((None, 0.06, 0.04, 0.04), None, "tree"),
        ((None, 0.01, 0.01, 0.01), None, "forest"),
    ],
)
def test_the_simplest_that_no_test_finds_worse(ps, delong, expected):
    result = compared(ps, FOUR, delong)
    assert simplest(result)["ranker"] == expected
    assert expected in [row["ranker"] for row in not_worse(result)]


def test_of_two_equally_simple_rankers_the_better_one():
    rankers = {"forest": FOUR["forest"], "b": FOUR["line"], "a": FOUR["line"]}
    assert simplest(compared((None, 0.5, 0.5), rankers))["ranker"] == "b"


def test_the_order_of_simplicity_of_the_default_rankers():
    rankers = default_rankers()
    order = [
        "logistic regression",
        "pAUC SVM",
        "additive curves",
        "TreeRank",
        "random forest",
        "HistGradientBoosting",
        "ensemble",
    ]
    places = [simplicity(rankers[name]) for name in order]
    assert places == sorted(set(places)) == list(range(len(KINDS) - 1))
    same = [
        ("random forest", "extra trees", "TreeRank forest"),
        ("HistGradientBoosting", "AUCBoost", "MartiRank", "PAV-AdaBoost", "TreeRank boost"),
    ]
    for names in same:
        assert len({simplicity(rankers[name]) for name in names}) == 1
    assert "other" not in map(kind_of, rankers.values())
    assert list(map(kind_of, default_rankers(tune=True).values())) == list(
        map(kind_of, rankers.values())
    )


@pytest.mark.parametrize(
    "ranker, kind",
    [
        (LogisticRegressionCV(), "logistic regression"),
        (SGDClassifier(), "linear model"),
        (CalibratedClassifierCV(SGDClassifier()), "linear model"),
        (GridSearchCV(make_pipeline(StandardScaler(), AdditiveRanker()), {}), "additive model"),
        (RandomizedSearchCV(DecisionTreeClassifier(), {}), "single tree"),
        (ExtraTreesClassifier(), "forest"),
        (GradientBoostingClassifier(), "boosted model"),
        (HistGradientBoostingClassifier(), "boosted model"),
        (VotingClassifier([("line", LogisticRegression())]), "ensemble"),
        (KNeighborsClassifier(), "other"),
        (CalibratedClassifierCV(), "other"),
    ],
)
def test_kinds_of_rankers(ranker, kind):
    assert kind_of(ranker) == kind


@pytest.mark.parametrize("package", ["lightgbm", "xgboost", "catboost"])
def test_boosters_of_other_packages_are_known_without_an_import(package):
    booster = type("Booster", (), {"__module__": f"{package}.sklearn"})()
    assert kind_of(booster) == "boosted model" and "interpret" not in sys.modules


# ---------------------------------------------------------------- on tables
def test_the_default_takes_the_line_where_it_is_not_found_worse(result):
    choice = result.choice
    assert (choice.ranker, choice.rule, choice.is_worse) == ("line", "simplest", False)
    assert choice == result.choose() == result.choose("simplest")
    names = [row["ranker"] for row in not_worse(result) if row["ranker"] != "line"]
    assert [each.ranker for each in choice.alternatives] == names
    assert {*names, *choice.worse, "line"} == set(RANKERS)


def test_the_default_does_not_take_a_line_that_is_found_worse():
    result = compare(*curved_table(), RANKERS)
    choice = result.choose()
    assert "line" in choice.worse and choice.ranker != "line"
    named = result.choose("line")
    assert named.is_worse and named.rule == "named" and named.better_baseline is None
    assert "A test finds it worse than the best" in str(named)


def test_alternatives_have_their_difference_from_the_chosen_one(result):
    for ranker in (None, "best", "tree"):
        choice = result.choose(ranker)
        for each in choice.alternatives:
            test = result.test(each.ranker, choice.ranker)
            assert (each.difference, each.low, each.high) == test[:3]
            assert each.low <= each.difference <= each.high
            assert each.kind == kind_of(RANKERS[each.ranker])


def test_best_is_the_first_of_the_table(result):
    choice = result.choose("best")
    assert choice.ranker == choice.best == result.rows[0]["ranker"] and choice.rule == "best"
    assert "rule: best" in choice.sentences()[0]


class Backwards(GaussianNB):
    """Gives each row the probability of the other class."""

    def predict_proba(self, X):
        return super().predict_proba(X)[:, ::-1]


def test_a_loss_is_better_where_it_is_smaller():
    X, y = linear_table()
    result = compare(X, y, RANKERS | {"backwards": Backwards()}, measures=["brier", AP])
    choice = result.choose("backwards")
    assert result.rows[0]["ranker"] == choice.best and choice.measure == "Brier"
    assert choice.is_worse and choice.better_baseline.difference < 0
    assert "Logistic regression is better" in str(choice)


def test_rankers_named_after_a_rule_are_rankers():
    X, y = linear_table()
    result = compare(X, y, {"best": RANKERS["tree"], "simplest": RANKERS["forest"]})
    assert [result.choose(name).ranker for name in ("best", "simplest")] == ["best", "simplest"]
    assert {result.choose(name).rule for name in ("best", "simplest")} == {"named"}
    assert result.choose().rule == "simplest"


def test_a_single_ranker_is_the_choice():
    choice = compare(*linear_table(), {"line": RANKERS["line"]}).choice
    assert choice.alternatives == choice.worse == ()
    assert choice.sentences() == ["line is the only ranker that was compared."]
    assert "<table" not in choice._repr_html_()


def test_existing_scores_have_no_choice():
    scores = compare_scores([0, 1, 0, 1], {"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    assert scores.choice is None
    with pytest.raises(ValueError, match="no models, so there is nothing to refit"):
        scores.choose()


def test_unknown_names_are_refused(result):
    with pytest.raises(ValueError, match="there is no ranker 'forrest'; did you mean 'forest'"):
        result.choose("forrest")
    with pytest.raises(ValueError, match="did you mean 'best'"):
        result.decide(linear_table()[0], "bets")


# ---------------------------------------------------------------- decide, tables, files
def test_decide_keeps_the_rule(tmp_path):
    X, y = linear_table()
    result = compare(X, y, RANKERS, max_fpr=0.5)
    assert result.decide(X).ranker == "line" and result.choice.rule == "simplest"
    first = result.rows[0]["ranker"]
    assert result.decide(X, "best").ranker == first and result.choice.rule == "best"
    assert result.decide(X, "tree").ranker == "tree" and result.choice.rule == "named"
    result.save(tmp_path)
    stored = json.loads((tmp_path / "table.json").read_text())["choice"]
    assert stored == result.choice.to_dict() and stored["ranker"] == "tree"
    page = (tmp_path / "report.html").read_text()
    assert "was named in place of the rule" in page


def test_a_choice_is_shown_as_text_html_and_frame(result):
    choice = result.choose("best")
    text = str(choice)
    frame = choice.to_frame()
    assert list(frame.columns) == ["kind", "difference", "low", "high"]
    assert list(frame.index) == [each.ranker for each in choice.alternatives]
    header, *rows = choice.cells()
    assert len(rows) == len(frame) and all(len(row) == len(header) == 4 for row in rows)
    assert "95% interval" in text and choice._repr_html_().count("<tr>") == len(rows) + 1
    assert pickle.loads(pickle.dumps(choice)) == choice
    assert isinstance(choice, Choice) and isinstance(json.dumps(choice.to_dict()), str)


def test_names_are_escaped_on_a_page():
    X, y = linear_table()
    result = compare(X, y, {"<b>": RANKERS["line"], "tree": RANKERS["tree"]})
    assert "<b>" not in result.choice._repr_html_()
    alone = compare(X, y, {"<b>": RANKERS["line"]})
    assert "<b>" not in alone.choice._repr_html_()


# ---------------------------------------------------------------- the headline
def headline(result, X, ranker=None, **settings):
    result.decide(X, ranker, **settings)
    return next(advice(result.decision))


def test_what_is_worse_than_logistic_regression_beyond_chance_is_not_headed_use():
    X, y = linear_table(600)
    stump = DecisionTreeClassifier(max_depth=1)
    result = compare(X, y, {"stump": stump, "line": RANKERS["line"]}, max_fpr=0.5)
    first = headline(result, X, "stump")
    assert first.startswith("No model here beats line, whose pAUC(0, 0.5) is better by ")
    assert "This decision: stump, and flag a case" in first and "Use" not in first
    assert headline(result, X).startswith("Use line, and ")


def test_a_difference_by_chance_does_not_withhold_use():
    X, y = linear_table(120)
    result = compare(X, y, RANKERS, max_fpr=0.5)
    forest = result.test("line", "forest")
    assert forest.pvalue > 0.05 and result.choose("forest").better_baseline is None
    assert headline(result, X, "forest").startswith("Use forest, and ")


def test_a_ranker_that_beats_the_policy_is_named_where_the_chosen_does_not():
    X, y = curved_table()
    result = compare(X, y, {name: RANKERS[name] for name in ("forest", "line")})
    costs = {"miss_cost": 4, "alarm_cost": 1}
    first = headline(result, X, "line", **costs)
    assert first.startswith("line does not beat treating all of the cases")
    assert "In the folds of the comparison forest does, by " in first and "Use" not in first
    gains = result.decision.baseline_comparison.advantages
    assert gains["forest"] > 0 >= gains["line"]
    assert result.decision.baseline_comparison.beyond_chance == ("forest",)
    assert headline(result, X, "forest", **costs).startswith("Use forest, and ")
    assert result.decision.baseline_comparison.advantages == {}


@pytest.mark.parametrize("costs, policy", [((9, 1), "all"), ((1, 9), "none")])
def test_no_model_beats_a_policy_on_noise(costs, policy):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3))
    y = rng.permutation(np.arange(300) % 2)
    result = compare(X, y, RANKERS)
    miss, alarm = costs
    first = headline(result, X, miss_cost=miss, alarm_cost=alarm)
    assert first.startswith(f"No model here beats treating {policy} of the cases")
    gains = result.decision.baseline_comparison.advantages
    assert set(gains) == set(RANKERS) and result.decision.baseline_comparison.beyond_chance == ()


def test_within_a_limit_no_model_beats_treating_all():
    X, y = linear_table()
    result = compare(X, y, RANKERS)
    first = headline(result, X, max_fpr=0.05, miss_cost=50, alarm_cost=1)
    assert first.startswith("Within the FPR limit of 5 %, no model here beats treating all")
    assert "The nearest" in first and "Use" not in first


def test_advantages_are_those_of_the_costs_counted_by_hand():
    X, y = curved_table(300)
    result = compare(X, y, {"forest": RANKERS["forest"], "line": RANKERS["line"]})
    decision = result.decide(X, "line", miss_cost=4, alarm_cost=1)
    scores = result.standard_scores["forest"]
    alarms = np.zeros(y.size, bool)
    for k in np.unique(result.fold):
        others = result.fold != k
        best = optimal_threshold(y[others], scores[others], miss_cost=4, alarm_cost=1)
        alarms[~others] = scores[~others] >= best.threshold
    cost = 4 * np.sum(~alarms & (y == 1)) + np.sum(alarms & (y == 0))
    policies = min(4 * y.sum(), (y == 0).sum())
    gain = (policies - cost) / y.size
    assert decision.baseline_comparison.advantages["forest"] == pytest.approx(gain)


def test_the_baselines_are_not_part_of_a_file(tmp_path):
    pytest.importorskip("skops")
    X, y = linear_table()
    result = compare(X, y, {"line": RANKERS["line"]})
    path = result.decide(X, max_fpr=0.3).save(tmp_path / "model.skops")
    assert (
        result.decision.baseline_comparison.advantages == {}
        and load_decision(path).baseline_comparison is None
    )
