"""The explorable of net benefit: its numbers are the library's, and pasted rows are read, or refused with a reason."""

import re

import numpy as np
import pytest
from explorables import SENTENCE, WIDTH

from aucbook import optimal_threshold, roc_auc
from aucbook.explore import alarm_explorer
from aucbook.explore.alarm import COSTS, HEALTHY, PREVALENCES, SICK
from aucbook.thresholds import net_benefit_of_rates

Y = np.repeat([1, 0], [20, 40])
S = np.array(SICK + HEALTHY)
READ = [
    SENTENCE,
    ["text", ".alarms"],
    ["text", ".precision"],
    ["text", ".caught"],
    ["text", ".benefit"],
    ["text", "output"],
]
BEST = ["click", "[name=best]"]
CLINIC = ["click", ".clinic summary"]


def test_one_slider_first_and_others_when_opened(drive):
    steps = [
        ["shown", "[name=miss]"],
        CLINIC,
        ["shown", "[name=miss]"],
        ["click", ".own summary"],
        WIDTH,
    ]
    closed, opened, width = drive(steps, alarm_explorer(), width=390)
    assert not closed
    assert opened
    assert width <= 390


BARS = ["attributes", ".bars", "d"]
CUT = ["attributes", ".cut", "transform"]


def test_histograms_of_both_classes_are_drawn_before_the_curve(drive):
    """A bar for each bin that holds a score; the line is at the slider's threshold."""
    pasted = "\n".join(f"{label} {score}" for label, score in ((1, 4), (1, 5), (0, 4), (0, 0)))
    steps = [BARS, CUT, ["text", ".low"], ["text", ".high"]]
    steps += [
        ["click", ".own summary"],
        ["fill", "[name=pasted]", pasted],
        ["click", "[name=use]"],
        BARS,
        ["text", ".high"],
    ]
    figure = alarm_explorer()
    bars, [cut], low, high, new_bars, new_high = drive(steps, figure)
    edges = np.linspace(S.min(), S.max(), 25)
    for path, label in zip(bars, (1, 0), strict=True):
        assert path.count("Z") == np.count_nonzero(np.histogram(S[Y == label], edges)[0])
        assert f'd="{path}"' in figure._repr_html_()  # also without its script
    assert (low, high, new_high) == ("13", "89", "5")
    assert [path.count("Z") for path in new_bars] == [2, 2]
    threshold = float(re.search(r">([\d.]+)</output>", figure._repr_html_())[1])
    x = float(re.search(r"translate\(([\d.]+)", cut)[1])
    assert x == pytest.approx(60 + 280 * (threshold - 13) / 76, abs=0.01)


@pytest.mark.parametrize("score", [0.0, 3.0, -1e17, 1e300])
def test_equal_scores_have_one_bar_a_class(drive, score):
    (bars,) = drive([BARS], alarm_explorer([1, 0, 0], [score] * 3))
    assert [path.count("Z") for path in bars] == [1, 1] and "NaN" not in "".join(bars)


def test_a_long_name_of_a_class_is_shortened(drive):
    figure = alarm_explorer(["a very long name", "no"], [1.0, 2])
    name = [["text", ".healthy-name"]]
    assert drive(name, figure) == ["a very lo…"] and ">a very lo…<" in figure._repr_html_()


def performance(shown):
    """(alarms per 1000, precision, TPR, net benefit per 1000, threshold) of one reading."""
    _, alarms, precision, caught, net_benefit, threshold = shown
    return [
        float(v) if v not in ("–", "none") else np.inf
        for v in (alarms, precision, caught, net_benefit, threshold)
    ]


def expected(optimum):
    """The same of the library's optimal threshold."""
    precision = np.inf if np.isnan(optimum.precision) else optimum.precision
    return [
        1000 * optimum.alarm_rate,
        precision,
        optimum.tpr,
        1000 * optimum.net_benefit,
        optimum.threshold,
    ]


def test_the_optimal_threshold_is_the_library_s(drive):
    steps = [CLINIC, BEST, *READ]
    settings = [dict(prevalence=0.1, miss_cost=10, budget=0.2)]
    setting = {"prevalence": 0.1, "miss_cost": 10, "alarm_cost": 1, "budget": 0.2}
    for name, key, change in (
        ("budget", "End", {"budget": 1.0}),
        ("miss", "ArrowRight", {"miss_cost": 15}),
        ("miss", "End", {"miss_cost": COSTS[-1]}),
        ("prevalence", "Home", {"prevalence": PREVALENCES[0]}),
        ("false", "End", {"alarm_cost": COSTS[-1]}),
        ("prevalence", "End", {"prevalence": None}),
        ("budget", "Home", {"budget": 0.005}),
    ):
        setting = {**setting, **change}
        steps += [["press", f"[name={name}]", key], *READ]
        settings.append(setting)
    readings = drive(steps, alarm_explorer())
    for i, setting in enumerate(settings):
        np.testing.assert_allclose(
            performance(readings[6 * i : 6 * i + 6]),
            expected(optimal_threshold(Y, S, **setting)),
            atol=0.0501,
            err_msg=str(setting),
        )
        # no step of the curve is that small: nothing is flagged
        assert ("nothing is better" in readings[6 * i]) == (setting["budget"] < 0.01)
        assert ("No threshold within the budget is better" in readings[6 * i]) == (
            setting["budget"] > 0.01
        )


def test_every_threshold_by_keys(drive):
    steps = [["press", "[name=cut]", "Home"]]
    for _ in range(12):
        steps += [*READ, *3 * [["press", "[name=cut]", "ArrowRight"]]]
    readings = drive(steps, alarm_explorer())
    for i in range(12):
        alarms, precision, caught, net_benefit, threshold = performance(readings[6 * i : 6 * i + 6])
        f = np.mean(S[Y == 0] >= threshold)
        t = np.mean(S[Y == 1] >= threshold)
        np.testing.assert_allclose(
            [alarms, precision, caught, net_benefit],
            [
                1000 * (0.1 * t + 0.9 * f),
                0.1 * t / (0.1 * t + 0.9 * f),
                t,
                1000 * net_benefit_of_rates(f, t, 0.1, 10),
            ],
            atol=0.0501,
        )
        assert ("more than the budget allows" in readings[6 * i]) == (alarms > 200)


def test_by_pointer_the_curve_grows_where_the_threshold_has_been(drive):
    def length(d):
        return len(re.findall("[ML]", d[0]))

    been = ["attributes", ".been", "d"]
    steps = [CLINIC, been]
    steps += [["drag", ".here", [-60, 60]], been, SENTENCE]
    steps += [BEST, been]
    steps += [["press", "[name=miss]", "Home"], BEST, been]
    first, dragged, sentence, shown, reset = drive(steps, alarm_explorer())
    assert length(first) == 1 < length(dragged) < length(shown)
    assert "alarms among 1000 people" in sentence
    assert length(reset) > 1


def test_pasted_scores(drive):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    s = np.round(rng.normal(size=500) + y, 1)
    forms = {
        "plain": "\n".join(f"{a} {b}" for a, b in zip(y, s)),
        "names, commas, blank lines": "label,score\r\n"
        + "\r\n\r\n".join(f"{a},{b:e}" for a, b in zip(y, s))
        + "\r\n",
        "score first, minus one": "\n".join(f"{b}\t{2 * a - 1}" for a, b in zip(y, s)),
        "quotes, semicolons": "\n".join(f'"{a + 1}";"{b}"' for a, b in zip(y, s)),
    }
    for form, pasted in forms.items():
        steps = [
            ["click", ".own summary"],
            ["paste", "textarea", pasted],
            ["click", "[name=use]"],
            ["text", ".ax-note"],
            CLINIC,
            BEST,
            ["press", "[name=budget]", "End"],
            *READ,
            ["click", "[name=example]"],
            SENTENCE,
        ]
        note, *shown, back = drive(steps, alarm_explorer())
        assert note.startswith(f"500 rows, {y.sum()} of them positive"), form
        assert f"AUC {roc_auc(y, s):.3f}" in note, form
        np.testing.assert_allclose(
            performance(shown),
            expected(optimal_threshold(y, s, miss_cost=10)),
            atol=0.0501,
            err_msg=form,
        )
        assert back == drive([SENTENCE], alarm_explorer())[0]


def test_twenty_thousand_rows_and_one_more(drive):
    rng = np.random.default_rng(1)
    y = np.arange(20_001) % 2
    s = np.round(rng.normal(size=y.size) + y, 6)
    lines = [f"{a} {b:.9g}" for a, b in zip(y, s)]
    steps = [["click", ".own summary"]]
    for n in (20_000, 20_001):
        steps += [
            ["paste", "textarea", "\n".join(lines[:n])],
            ["click", "[name=use]"],
            ["text", ".ax-note"],
        ]
        if n == 20_000:
            steps += [
                CLINIC,
                ["press", "[name=budget]", "End"],
                BEST,
                *READ,
                ["attributes", ".ax-panels .curve", "d"],
            ]
    note, *shown, drawn, refused = drive(steps, alarm_explorer())
    assert note.startswith("20000 rows, 10000 of them positive")
    np.testing.assert_allclose(
        performance(shown),
        expected(optimal_threshold(y[:-1], s[:-1], miss_cost=10)),
        atol=0.0501,
        rtol=1e-5,
    )
    assert len(drawn[0]) < 40_000  # drawn as finely as a screen can show
    assert refused == "20001 rows: between 2 and 20000 can be used."


REFUSED = {
    "": "Nothing to read yet",
    "   \n\n": "Nothing to read yet",
    "1 0.5": "1 row: between 2 and 20000",
    "1 0.5\n0 0.4 7": "Line 2 has 3 values",
    "1\n0": "Line 1 has 1 value:",
    "1 0.5\n0 many": "Line 2: “many” is not a number",
    "1 0.5\n0 nan": "Line 2: “nan” is not a number",
    "sick score\n1 0.5\nill 0.4": "Line 3: “ill” is not a number",
    "1 0x1F\n0 2": "Line 1: “0x1F” is not a number",
    "1;0,5\n0;0,4": "a decimal point, not a comma",
    "1,\n0,1": "Line 1: a value is missing",
    "1 1e999\n0 2": "Line 1: “1e999” is too large",
    "1 0.5\n1 0.4\n1 0.3": "All labels are 1",
    "1 0.5\n2 0.4\n3 0.3": "The first column has 3 different values, the second 3",
    "<img src=x onerror=alert(1)> 1\n0 1": "Line 1 has 4 values",
    "1 <b>x</b>\n0 1": "Line 1: “<b>x</b>” is not a number",
}


def test_rows_that_cannot_be_read_are_named(drive):
    steps = [["click", ".own summary"]]
    for pasted in REFUSED:
        steps += [["fill", "textarea", pasted], ["click", "[name=use]"], ["text", ".ax-note"]]
    *notes, sentence, has_markup = drive(
        [*steps, SENTENCE, ["shown", ".ax-note b"]], alarm_explorer()
    )
    for (pasted, reason), note in zip(REFUSED.items(), notes, strict=True):
        assert reason in note, (pasted, note)
    # the curve is as it was, and markup is text
    assert sentence == drive([SENTENCE], alarm_explorer())[0]
    assert not has_markup


def test_an_auc_below_one_half_is_reported(drive):
    steps = [
        ["click", ".own summary"],
        ["fill", "textarea", "1 1\n1 2\n0 3\n0 2"],
        ["click", "[name=use]"],
        ["text", ".ax-note"],
    ]
    assert "Below one half" in drive(steps, alarm_explorer())[0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: alarm_explorer([0, 1], [1.0, np.nan]),
        lambda: alarm_explorer([0, 1], np.zeros((2, 2))),
        lambda: alarm_explorer([1, 1], [1.0, 2.0]),
        lambda: alarm_explorer(prevalence=0.15),
        lambda: alarm_explorer(budget=123),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match=".{15}"):
        call()
