"""Widgets for decisions: the size of a study, a comparison, a monitor, and all of them for a table."""

import numpy as np
import pytest

from aucbook import lab
from aucbook.inference import auc_power, auc_sample_size, tpr_power
from aucbook.inference.power import expected_interval


def pasted(widget, **names):
    """What the last line of a widget's code evaluates to."""
    *lines, last = widget.code().strip().splitlines()
    exec("\n".join(lines), names)
    return eval(last, names)


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
    ("given", "message"),
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
def test_a_study_without_an_answer(given, message):
    widget = lab.sample_size(**{"auc": 0.8, "versus": 0.7, **given})
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
