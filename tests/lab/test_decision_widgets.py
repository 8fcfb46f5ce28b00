"""Widgets for decisions: the size of a study, a comparison, a monitor, and all of them for a table."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from widget_parts import pasted

from aucbook import compare, compare_scores, lab
from aucbook.deployment import rate_monitor
from aucbook.inference import auc_power, auc_sample_size, auc_test, tpr_power
from aucbook.inference.power import expected_interval


# ---------------------------------------------------------------- the size of a study
@pytest.fixture(scope="module")
def study():
    return lab.sample_size(0.85, 0.7, prevalence=0.25, correlation=0.5)


def test_the_slider_begins_at_the_smallest_sample():
    widget = lab.sample_size(0.85, 0.7, prevalence=0.25, power=0.8)
    expected = auc_sample_size(0.85, 0.7, power=0.8, ratio=3)
    assert (widget.value.n_pos, widget.value.n_neg) == expected
    assert widget.value.power >= 0.8


def test_power_and_interval_are_those_of_the_library(study):
    cases = study.options("cases")
    for k in (0, len(cases) // 2, -1):
        study.choose(cases=cases[k])
        size = study.value
        assert size.n_pos + size.n_neg == cases[k]
        numbers = {"n_pos": size.n_pos, "n_neg": size.n_neg}
        assert size.power == auc_power(0.85, 0.7, correlation=0.5, **numbers)
        assert (size.low, size.high) == expected_interval(0.85, **numbers)
        assert pasted(study) == size.power


def test_a_question_about_the_tpr():
    widget = lab.sample_size(0.95, 0.5)
    widget.choose(question="one TPR at a fixed FPR")
    size = widget.value
    numbers = {"n_pos": size.n_pos, "n_neg": size.n_neg}
    assert size.power == tpr_power(0.95, 0.5, 0.1, **numbers) == pasted(widget)
    assert widget.chosen("fpr") == 0.1


def test_patients_with_several_cases():
    widget = lab.sample_size(0.9, 0.6, group_size=3, icc=0.5)
    size = widget.value
    assert size.n_pos % 3 == size.n_neg % 3 == 0
    assert pasted(widget) == size.power


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"auc": 0.7}, "no sample size has this power"),
        ({"auc": 1.2}, "auc|value"),
        ({"auc": "high"}, "number"),
        ({"auc": np.nan}, "number"),
        ({"prevalence": 0}, "number in"),
        ({"power": 0.01}, "power must be"),
        ({"group_size": 0}, "group_size"),
    ],
)
def test_a_study_without_an_answer(arguments, message):
    widget = lab.sample_size(**{"auc": 0.8, "versus": 0.7, **arguments})
    assert not widget.picture
    with pytest.raises(ValueError, match=message):
        _ = widget.value


@pytest.mark.parametrize(
    "chosen",
    [
        {"value": None},
        {"value": 0},
        {"value": 0.7},
        {"prevalence": 1},
        {"power": 1},
        {"margin": 5},
        {"group_size": 2.5},
    ],
)
def test_an_impossible_study_keeps_the_picture(chosen):
    study = lab.sample_size(0.9, 0.7, prevalence=0.5)
    picture = study.picture
    with pytest.raises(ValueError, match="number|power|margin|group_size"):
        study.choose(**chosen)
    assert study.picture == picture
    study.choose(**{name: spec["start"] for name, spec in study._specs.items() if name in chosen})
    assert study.message == ""


# ---------------------------------------------------------------- a comparison
@pytest.fixture(scope="module")
def result():
    X, y = make_classification(300, 6, n_informative=2, flip_y=0.2, random_state=1)
    rankers = {"line": LogisticRegression(), "bayes": GaussianNB(), "const": DummyClassifier()}
    return compare(X, y, rankers, max_fpr=0.3, cv=4, repeats=2, pos_label=1)


def test_any_two_rankers_in_any_measure(result):
    widget = lab.comparison(result)
    for first, second in permutations(result.values, 2):
        for k, measure in enumerate(result.measures):
            widget.choose(first=first, second=second, measure=measure.label)
            by_fold = result.fold_values[first][:, k] - result.fold_values[second][:, k]
            assert widget.value.difference == by_fold.mean()
            assert pasted(widget, result=result) == widget.value
            assert widget.value.difference == -result.test(second, first, measure).difference


def test_the_test_of_the_widget_is_that_of_the_rows(result):
    best, *others = result.rows
    for row in others:
        test = result.test(row["ranker"], best["ranker"])
        assert test[:3] == tuple(row[f"difference{end}"] for end in ("", " low", " high"))
        assert test.pvalue <= row["p"]  # the rows adjust it


def test_the_dots_are_the_folds(result):
    dots = lab.comparison(result).picture["panels"][0]["marks"]
    shown = {tuple(mark["x"]) for mark in dots if mark["kind"] == "points" and len(mark["x"]) == 8}
    assert shown == {tuple(float(f"{v:.6g}") for v in values) for values in result.values.values()}


def test_a_ranker_against_itself(result):
    widget = lab.comparison(result)
    widget.choose(second=widget.chosen("first"))
    assert widget.picture["sentence"] == ["Choose two different rankers."]


def test_existing_scores_are_tested_by_their_measure(result):
    scores = {name: result.scores[name] for name in ("line", "bayes")}
    arguments = compare_scores(result.y, scores, max_fpr=0.3, pos_label=1)
    widget = lab.comparison(arguments)
    widget.choose(first="line", second="bayes", measure="AUC")
    expected = auc_test(result.y, scores["line"], scores["bayes"])
    assert widget.value[:4] == expected[:4] == pasted(widget, result=arguments)[:4]


def test_one_score_has_a_row(result):
    arguments = compare_scores(result.y, {"line": result.scores["line"]}, pos_label=1)
    widget = lab.comparison(arguments)
    assert widget.value == arguments.rows[0] == pasted(widget, result=arguments)


@pytest.mark.parametrize("arguments", [None, {"a": [1, 2]}, [1, 2]])
def test_what_is_no_comparison(arguments):
    widget = lab.comparison(arguments)
    assert widget.message.startswith("result must be a Comparison") and not widget.picture


def test_names_and_measures_of_a_comparison(result):
    with pytest.raises(ValueError, match="no ranker 'forest'; .*[Tt]here are: line, bayes"):
        result.test("forest", "line")
    with pytest.raises(ValueError, match="no measure 'brier'; there are: "):
        result.test("bayes", "line", "brier")


# ---------------------------------------------------------------- a monitor
@pytest.fixture(scope="module")
def log():
    rng = np.random.default_rng(0)
    month = np.repeat(np.arange(1, 13), 100)
    rate = np.where(month > 8, 0.3, 0.08)
    label = (rng.random(month.size) < 0.2).astype(float)
    label[-50:] = np.nan
    return {"month": month, "alarm": rng.random(month.size) < rate, "label": label}


def test_the_monitor_is_that_of_the_library(log):
    widget = lab.monitor(log, 0.1, batch="month")
    direct = rate_monitor(log["label"], log["alarm"], bound=0.1, batches=log["month"])
    for monitored in (widget.value, pasted(widget, log=log)):
        assert (monitored.at, monitored.since, monitored.value) == (
            direct.at,
            direct.since,
            direct.value,
        )
        assert np.array_equal(monitored.wealth, direct.wealth)
    assert direct.raised and f"at batch {direct.at}; " in "".join(
        text for text in widget.picture["sentence"] if isinstance(text, str)
    )


def test_counts_by_batch(log):
    monitored = rate_monitor(log["label"], log["alarm"], bound=0.1, batches=log["month"])
    negative = log["label"] == 0
    by_batch = [np.sum(negative & (log["month"] == m)) for m in monitored.batches]
    assert monitored.denominator_by_batch.tolist() == by_batch
    assert monitored.numerator_by_batch.sum() == monitored.numerator


def test_the_counts_up_to_a_batch(log):
    widget = lab.monitor(log, 0.1, batch="month")
    rows = {row[0]: row[1]["terms"][0]["values"] for row in widget.picture["tables"][0]["rows"]}
    negative = (log["label"] == 0) & (log["month"] <= 5)
    assert rows["labelled negatives"][4] == negative.sum()
    assert rows["counted among them"][4] == (negative & log["alarm"]).sum()


def test_every_size_of_batches_can_be_chosen(log):
    widget = lab.monitor(log, 0.1)
    for way in widget.options("batches"):
        widget.choose(batches=way)
        assert pasted(widget, log=log).at == widget.value.at
        assert len(widget.options("until")) <= 301


@pytest.mark.parametrize("bound", [0, 1, None])
def test_a_bound_that_is_none(log, bound):
    widget = lab.monitor(log, 0.1, batch="month")
    with pytest.raises(ValueError, match="bound must be a number"):
        widget.choose(bound=bound)
    with pytest.raises(ValueError, match="bound must be a number"):
        widget.value
    widget.choose(bound=0.1)
    assert widget.value.raised and not widget.message


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ([1, 2], "a data frame or a dict of columns"),
        ({"label": [], "alarm": []}, "no rows"),
        ({"label": [0, 1]}, "no column 'alarm'"),
        ({"label": ["a", "b"], "alarm": [0, 1]}, "must hold 0 and 1"),
        ({"label": [0, 0], "alarm": [0, 2]}, "must hold 0 and 1"),
        ({"label": [0, 0], "alarm": [0]}, "same length"),
    ],
)
def test_a_log_that_is_none(broken, message):
    widget = lab.monitor(broken)
    assert message in widget.message and not widget.picture


def test_a_rate_that_must_not_fall(log):
    widget = lab.monitor(log, 0.3, rate="tpr", batch="month")
    direct = rate_monitor(log["label"], log["alarm"], rate="tpr", bound=0.3, batches=log["month"])
    for monitored in (widget.value, pasted(widget, log=log)):
        assert monitored.wealth.tolist() == direct.wealth.tolist()
    assert "Is the true positive rate at least 0.3?" in repr(widget)
    other = lab.monitor(log, 0.3, rate="tpr", direction="above", batch="month")
    assert pasted(other, log=log).direction == other.value.direction == "above"


@pytest.mark.parametrize("labels", [[0, 1], [None, None], [1, 1], [0, 0]])
def test_a_log_of_two_rows(labels):
    widget = lab.monitor({"label": labels, "alarm": [1, 0]})
    assert not widget.value.raised and "<table>" in widget._repr_html_()


def test_what_a_page_stores_does_not_change_the_value(log):
    widget = lab.monitor(log, 0.1, batch="month")
    before = widget.value
    widget._repr_html_()
    assert widget.value is before
