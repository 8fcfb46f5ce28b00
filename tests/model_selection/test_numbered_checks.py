"""Checks AB1 to AB15: tables that trigger each and that nearly do; ignoring, log, report, CLI."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pandas as pd
import pytest
from command_line import use_rankers
from scipy import sparse
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, TimeSeriesSplit
from sklearn.tree import DecisionTreeClassifier

from aucbook import TableEncoder, cli, compare, compare_scores
from aucbook._evaluation.folds import EvaluationSpec, LabelledRows
from aucbook._tables.columns import column_kinds, inspect_columns, to_table
from aucbook.cli import compare as compare_command
from aucbook.cli import table_input
from aucbook.model_selection import Check, CompareOptions, check_table
from aucbook.model_selection.checks import (
    CHECKS,
    MAX_INTEGER_COLUMNS,
    PAGE,
    CheckContext,
    check_ignored,
    run_checks,
    settings_at_edges,
)
from aucbook.reporting.caveats import SEVERITIES

N = 200
RNG = np.random.default_rng(0)
Y = np.arange(N) % 2
AGE = RNG.normal(Y)
LINE = {"line": LogisticRegression()}


def codes(frame, y=Y, **options):
    return [check.code for check in check_table(pd.DataFrame(frame), y, **options)]


def test_no_check_reports_a_faultless_table():
    assert codes({"age": AGE, "ward": RNG.choice(list("abc"), N)}) == []


# ---------------------------------------------------------------- each check, and what nearly triggers it
@pytest.mark.parametrize(
    "column, is_reported",
    [
        (Y + 0.001 * RNG.random(N), True),
        (-10.0 * Y + RNG.random(N), True),  # upside down
        (np.where(Y, RNG.choice(["C1", "C2"], N), "Z0"), True),
        (
            np.where(np.isin(np.arange(N), [5, 7, 21]), np.nan, Y + 0.001 * RNG.random(N)),
            True,
        ),  # missing may stand on top
        (Y + RNG.normal(size=N), False),
        (
            np.where(RNG.random(N) < 0.1, RNG.choice(["C2", "Z0"], N), np.where(Y, "C2", "Z0")),
            False,
        ),
        (RNG.permutation(np.repeat(["a", "b"], N // 2)), False),
    ],
)
def test_ab1(column, is_reported):
    assert codes({"x": column, "age": AGE}) == ["AB1"] * is_reported


def test_ab1_ignores_rare_levels_that_separate_by_chance():
    """Levels of five rows, five positives in a thousand: by shares with their own row in it the area was .99."""
    y = np.zeros(1000, int)
    y[::200] = 1
    assert "AB1" not in codes(
        {
            "confidence_level": np.repeat([f"L{k}" for k in range(200)], 5),
            "x": RNG.normal(size=1000),
        },
        y,
    )


def test_ab2():
    twice = np.r_[np.arange(N), np.arange(40)]
    (check,) = check_table(AGE[twice, None], Y[twice])
    assert check.severity == "blocking" and check.sentence.startswith(
        "40 rows are an exact copy of another in every column, and "
    )
    with_words = pd.DataFrame(
        {"note": [f"patient {i} has chest pain" for i in twice], "x": AGE[twice].round(1)}
    )
    assert "AB2" in codes(with_words, Y[twice])
    # copies that stay in one fold, and rows that differ in one word of a text
    assert codes({"age": AGE[twice]}, Y[twice], groups=twice) == []
    assert "AB2" not in codes(
        {"note": [f"patient {i} has chest pain" for i in range(240)], "x": AGE[twice].round(1)},
        Y[twice],
    )


@pytest.mark.parametrize(
    "column, is_reported",
    [
        (np.arange(N) + 5000, True),
        (RNG.permutation(N), True),  # as dense as consecutive numbers
        (np.sort(RNG.choice(10**6, N, replace=False)), True),  # rising from row to row
        ([f"case {i}" for i in range(N)], True),
        (RNG.choice(10**6, N, replace=False), False),  # amounts that happen to differ
        (np.arange(N) / 3, False),
        (pd.date_range("2024-01-01", periods=N), False),
        ([f"W{i // 10}" for i in range(N)], False),
    ],
)
def test_ab3(column, is_reported):
    assert codes({"x": column, "age": AGE}) == ["AB3"] * is_reported


@pytest.mark.parametrize(
    "column, is_reported",
    [
        (np.where(Y, RNG.lognormal(size=N), np.nan), True),
        (np.where(Y, None, RNG.choice(["a", "b"], N)), True),
        (np.where(Y, None, [f"said to have been well {i}" for i in range(N)]), True),  # a text
        (
            np.where(np.isin(np.arange(N), [1, 3, 5]), AGE, np.nan),
            False,
        ),  # three of one class: no proof
        (np.where(np.arange(N) < 30, AGE, np.nan), False),
    ],
)
def test_ab4(column, is_reported):
    assert codes({"x": column, "age": AGE}) == ["AB4"] * is_reported
    if is_reported:
        (check,) = check_table(pd.DataFrame({"x": column, "age": AGE}), Y)
        whose = "positives" if pd.Series(column)[1:2].notna().all() else "negatives"
        assert f"'x' is filled in 100.0% of the {whose} and in none of the others" in check.sentence


def test_ab5_in_time():
    later = np.arange(400) >= 200
    y = RNG.random(400) < np.where(later, 0.6, 0.2)
    x, steady = RNG.normal(2.0 * later), RNG.normal(size=400)
    ward = np.where(later, RNG.choice(["c", "d"], 400), RNG.choice(["a", "b"], 400))
    gaps = np.where(later & (RNG.random(400) < 0.7), np.nan, RNG.normal(size=400))
    day = pd.date_range("2024-01-01", periods=400)
    frame = {"x": x, "ward": ward, "gaps": gaps, "steady": steady, "day": day}
    drifts = [
        check
        for check in check_table(pd.DataFrame(frame), y, cv=TimeSeriesSplit(4))
        if check.code == "AB5"
    ]
    assert re.search(
        r"share of positives goes from \S+% in period [12] to \S+% in period [34] of 4",
        drifts[0].sentence,
    )
    assert [check.sentence.split("'")[1] for check in drifts[1:]] == [
        "x",
        "gaps",
        "ward",
    ]  # dates move by nature
    # the same rows, split at random; and a share that differs no more than chance
    assert codes(frame, y) == []
    assert codes({"steady": steady}, RNG.random(400) < 0.2, cv=TimeSeriesSplit(4)) == []


def test_ab5_in_folds():
    place = np.repeat(np.arange(4), 100)
    y = np.arange(400) % 100 < np.array([5, 40, 5, 40])[place]
    (check,) = (
        check
        for check in check_table(RNG.normal(size=(400, 2)), y, cv=GroupKFold(4), groups=place)
        if check.code == "AB5"
    )
    assert "5.0% in fold" in check.sentence and "40.0% in fold" in check.sentence
    assert "AB5" not in codes(
        RNG.normal(size=(400, 2)), RNG.permutation(y), cv=GroupKFold(4), groups=place
    )


def small_sample_checks(m, n0, low=0.0, high=1.0, groups=None):
    y = np.r_[np.ones(m, np.uint8), np.zeros(n0, np.uint8)]
    return run_checks(
        CheckContext(
            LabelledRows(y, np.array([0, 1]), None, groups), EvaluationSpec(low, high, 0.95, [])
        )
    )


def test_ab6():
    (check,) = small_sample_checks(12, 500)
    low, high = binomtest(6, 12).proportion_ci(method="wilson")
    assert (
        check.code == "AB6"
        and f"12 positives: a true positive rate of 50% would have the 95% interval {low:.0%} to {high:.0%}"
        in str(check)
    )
    assert small_sample_checks(30, 500) == []
    (check,) = small_sample_checks(50, 300, 0.0, 0.01)
    assert "3 of 300 negatives lie in false positive rates from 0 to 0.01" in str(
        check
    ) and "0.033 wide" in str(check)
    assert small_sample_checks(50, 300, 0.0, 0.04) == [] and "no range has more" in str(
        small_sample_checks(50, 8)[0]
    )
    ten = np.r_[np.arange(100) % 10, np.arange(100, 300)]
    assert "10 groups with positives" in str(small_sample_checks(100, 200, groups=ten)[0])


def test_ab7():
    patient = np.arange(N) // 2
    sick, sex = (RNG.permutation(np.arange(N // 2) % 2)[patient] for _ in range(2))
    lab = RNG.normal(sick)
    assert codes({"patient": [f"P{k}" for k in patient], "lab": lab}, sick) == ["AB7"]
    number = RNG.permutation(10_000)[patient]
    assert codes({"patient": number, "sex": sex, "lab": lab}, sick) == ["AB7"]
    # with groups; and whole numbers that recur while no other column does
    assert codes({"patient": number, "sex": sex, "lab": lab}, sick, groups=patient) == []
    assert (
        codes({"age": RNG.integers(0, 90, N), "sex": RNG.integers(0, 2, N), "lab": lab}, sick) == []
    )
    # a column that is made of another: one is not enough
    age = RNG.integers(20, 90, N)
    assert codes({"age": age, "decade": age // 10, "lab": lab}, sick) == []
    # it is found among some columns of counts; a hundred are taken for pixels and not searched
    counts = {f"count {k}": RNG.integers(0, 60, N) for k in range(MAX_INTEGER_COLUMNS)}
    some = dict(list(counts.items())[:50])
    assert codes({"patient": number, "sex": sex, "lab": lab} | some, sick) == ["AB7"]
    assert codes({"patient": number, "sex": sex, "lab": lab} | counts, sick) == []


def test_ab8():
    word = np.where(Y, "case", "control")
    (check,) = check_table(AGE[:, None], word)
    assert (
        str(check)
        == "AB8 'control' is used as the positive class, because it is sorted after 'case': give pos_label to choose."
    )
    assert (
        check_table(AGE[:, None], word, pos_label="case") == []
        and check_table(AGE[:, None], Y.astype(str)) == []
    )
    with pytest.warns(UserWarning, match="pos_label not given: using 'control'"):
        result = compare(AGE[:, None], word, LINE, cv=2)
    assert [f.code for f in result.checks] == ["AB8"] and result.settings[
        "positive label"
    ] == "control"


def test_ab8_ignored_gives_no_warning(recwarn):
    word = np.where(Y, "case", "control")
    result = compare(AGE[:, None], word, LINE, cv=2, options=CompareOptions(ignore=["AB8"]))
    assert result.checks == [] and result.settings["ignored checks"] == "AB8" and not recwarn
    assert compare_scores(word, {"age": AGE}, ignore=("AB8",)).checks == [] and not recwarn


def test_ab9(tmp_path):
    rng = np.random.default_rng(0)  # its own: the rows do not depend on other tests
    noisy = np.where(rng.random(600) < 0.1, rng.integers(0, 2, 600), np.tile(Y, 3))
    x = np.c_[np.where(rng.random(600) < 0.5, 0.0, noisy), rng.random(600)]
    rough = compare(x, np.tile(Y, 3), {"stump": DecisionTreeClassifier(max_depth=1)}, cv=2)
    assert rough.checks == []
    for _ in range(2):  # once, however often it decides
        decision = rough.decide(x, max_fpr=0.4, confidence_level=None)
        (check,) = rough.checks
        unused = decision.calibration_set["unused"]
        assert (
            unused >= 0.1
            and check.code == "AB9"
            and f"leaves {unused:.0%} of the guaranteed rate" in check.sentence
        )
    page = (rough.save(tmp_path) / "report.html").read_text(encoding="utf8")
    assert page.index("Recommended decision") < page.index("#ab9") < page.index("Comparison of all")
    fine = compare(x, np.tile(Y, 3), LINE, cv=2)
    assert (
        fine.decide(x, max_fpr=0.4, confidence_level=None).calibration_set["unused"] < 0.1
        and fine.checks == []
    )
    silent = compare(
        x,
        np.tile(Y, 3),
        {"stump": DecisionTreeClassifier(max_depth=1)},
        cv=2,
        options=CompareOptions(ignore=["AB9"]),
    )
    silent.decide(x, max_fpr=0.4, confidence_level=None)
    assert silent.checks == []


@pytest.mark.parametrize("form", [np.asarray, list, pd.DataFrame, sparse.csc_matrix])
def test_ab10(form, tmp_path):
    y, x = Y.astype(object), np.c_[AGE, RNG.random(N)]
    y[[3, 10, 11]] = None, "", np.nan
    labelled = np.delete(np.arange(N), [3, 10, 11])
    with pytest.raises(
        ValueError, match=r"y has 3 missing labels, the first in row 3 .*fill them in, or leave"
    ):
        compare(form(x), y, LINE, cv=2)
    result = compare(
        form(x),
        y,
        LINE,
        cv=2,
        groups=np.arange(N) // 2,
        sample_weight=np.ones(N),
        options=CompareOptions(skip_unlabelled=True),
    )
    assert result.checks == [result.checks[0]] and result.y.tolist() == Y[labelled].tolist()
    assert str(result.checks[0]).startswith(
        "AB10 3 of 200 rows (1.5%) have no label and were dropped"
    )
    same = compare(
        x[labelled],
        Y[labelled],
        LINE,
        cv=2,
        groups=(np.arange(N) // 2)[labelled],
        sample_weight=np.ones(197),
    )
    assert same.rows[0]["AUC"] == pytest.approx(result.rows[0]["AUC"]) and same.checks == []
    decision = result.decide(
        form(x), max_fpr=0.3, confidence_level=None
    )  # the table as it was given
    assert decision.threshold == pytest.approx(
        same.decide(x[labelled], max_fpr=0.3, confidence_level=None).threshold
    )
    rows = pd.read_csv(result.save(tmp_path) / "scores.csv")["row"]
    assert rows.tolist() == labelled.tolist()


def test_missing_words_are_labels_where_given():
    y = np.where(Y, "some", "none")  # a word that is missing in a column is a label here
    assert compare(AGE[:, None], y, LINE, cv=2, pos_label="some").checks == []
    with_nan = np.where(np.arange(N) == 5, np.nan, Y)
    result = compare_scores(with_nan, {"age": AGE}, skip_unlabelled=True)
    assert result.y.size == N - 1 and [f.code for f in result.checks] == ["AB10"]
    with pytest.raises(ValueError, match="y_true has 1 missing label, the first in row 5"):
        compare_scores(with_nan, {"age": AGE})
    with pytest.raises(ValueError, match="X has 199 rows but y has 200"):
        compare(AGE[1:, None], with_nan, LINE, cv=2, options=CompareOptions(skip_unlabelled=True))
    with pytest.raises(ValueError, match="score 'age' has 199 rows but y has 200"):
        compare_scores(with_nan, {"age": AGE[1:]}, skip_unlabelled=True)
    with pytest.raises(ValueError, match="skip_unlabelled must be True or False"):
        compare_scores(with_nan, {"age": AGE}, skip_unlabelled="yes")
    with pytest.raises(ValueError, match="give the same table"):
        compare(AGE[:, None], Y, LINE, cv=2).decide(AGE[1:, None])


# ---------------------------------------------------------------- all checks
def leaky():
    loss = np.where(Y, RNG.lognormal(size=N), 0.0)
    return pd.DataFrame({"age": AGE, "<loss>": loss, "visit": np.arange(N)})


def test_findings_come_before_the_results(tmp_path, capsys):
    result = compare(leaky(), Y, LINE, cv=2, options=CompareOptions(verbose=1))
    leak, name = result.checks
    assert [(check.code, check.severity) for check in (leak, name)] == [
        ("AB1", "blocking"),
        ("AB3", "warning"),
    ]
    first, second, third = capsys.readouterr().out.splitlines()  # before the folds
    assert [first, second] == [str(leak), str(name)]
    assert third.startswith("No decision will be recommended, because of AB1: ")
    assert str(result).startswith(f"{leak}\nranker") and str(name) not in str(result)
    link = f'<a href="{PAGE}#ab1">AB1</a>'
    assert result._repr_html_().startswith(f"<p>{link}") and "&lt;loss&gt;" in leak._repr_html_()
    page = (result.save(tmp_path) / "report.html").read_text(encoding="utf8")
    assert (
        page.index(link) < page.index("<table") and f"{PAGE}#ab3" in page and "<loss>" not in page
    )


def test_checks_can_be_ignored(tmp_path):
    result = compare(leaky(), Y, LINE, cv=2, options=CompareOptions(ignore=("AB1",)))
    assert [check.code for check in result.checks] == ["AB3"] and result.settings[
        "ignored checks"
    ] == "AB1"
    assert "ignored checks" in (result.save(tmp_path) / "report.html").read_text(encoding="utf8")
    assert "ignored checks" not in compare(leaky(), Y, LINE, cv=2).settings
    assert codes(leaky(), ignore=list(CHECKS)) == []


@pytest.mark.parametrize("ignore", ["AB2", ("AB99",), (2,), ["AB1", "ab2"]])
def test_unknown_codes(ignore):
    with pytest.raises(ValueError, match="ignore must be codes from AB1 to AB15"):
        check_ignored(ignore)
    with pytest.raises(ValueError, match="ignore must be codes"):
        compare_scores(Y, {"age": AGE}, ignore=ignore)


def test_a_blocking_check_withholds_the_recommendation(tmp_path):
    result = compare(leaky(), Y, LINE, cv=2)
    with pytest.warns(UserWarning, match="AB1: the estimates may be too good to be true"):
        result.decide(leaky(), max_fpr=0.3)
    page = (result.save(tmp_path) / "report.html").read_text("utf8")
    assert "Recommended decision" not in page and ">Use line" not in page
    assert page.index("No decision is recommended") < page.index("#ab1") < page.index("#ab3")
    assert "--ignore AB1" in page
    ignored = compare(leaky(), Y, LINE, cv=2, options=CompareOptions(ignore=("AB1",)))
    ignored.decide(leaky(), max_fpr=0.3)
    assert "Recommended decision" in (ignored.save(tmp_path) / "report.html").read_text("utf8")


def test_ab2_of_rows_that_have_another_number_or_another_last_digit():
    twice = np.r_[np.arange(N), np.arange(40)]
    noise = np.where(np.arange(twice.size) < N, 0, 1e-10)
    assert "AB2" in codes({"age": AGE[twice] + noise, "x": (AGE**2)[twice]}, Y[twice])
    for identifier in (np.arange(twice.size), [f"r{i}" for i in range(twice.size)]):
        table = {"age": AGE[twice], "x": (AGE**2)[twice], "row": identifier}
        assert {"AB2", "AB3"} <= set(codes(table, Y[twice]))
        (check,) = [c for c in check_table(pd.DataFrame(table), Y[twice]) if c.code == "AB2"]
        assert "in every column but 'row', which name rows, and" in check.sentence


# ---------------------------------------------------------------- AB11 to AB15
WEAK = {f"w{j}": RNG.normal(size=N) + 0.5 * Y for j in range(3)}
NUMBER = RNG.normal(size=N)
DAYS = RNG.integers(0, 900, N)


def on_days(days):
    return pd.to_datetime("2020-01-01") + pd.to_timedelta(days, unit="D")


@pytest.mark.parametrize(
    "columns",
    [
        {"a": Y + 0.33 * RNG.normal(size=N)},
        {"a": -Y + 0.33 * RNG.normal(size=N)},
        {"a": (Y == 1) ^ (np.arange(N) % 50 == 0)},
        {"a": np.where((Y == 1) ^ (np.arange(N) % 50 == 0), "open", "paid")},
        {"a": np.where(Y == 1, 0.02, 1) * NUMBER},  # near zero: no order shows it
        {"a": 4 * NUMBER, "b": 8 * Y - 4 * NUMBER + 0.3 * RNG.normal(size=N)},
        {"a": NUMBER, "b": np.where(Y == 1, 1, -1) * NUMBER},
        {"a": on_days(DAYS), "b": on_days(DAYS + np.where(Y == 1, 3, 40) + DAYS % 7)},
        {"a": DAYS % 20, "b": np.where(Y == 1, DAYS % 20, (DAYS + 7) % 20)},
        {
            "a": np.where(NUMBER > 0, "left", "right"),
            "b": np.where((NUMBER > 0) ^ (Y == 1), "left", "right"),
        },
    ],
)
def test_a_leak_with_noise_or_in_two_columns_is_reported(columns):
    checks = check_table(pd.DataFrame(WEAK | columns), Y)
    assert {check.code for check in checks} & {"AB1", "AB11", "AB15"}


@pytest.mark.parametrize(
    "columns",
    [
        {"a": RNG.normal(size=N) + 2 * Y},  # AUC .92
        {"a": RNG.normal(size=N) + 2.4 * Y, "b": RNG.normal(size=N) + 2.2 * Y},  # among equals
        {"a": NUMBER, "b": NUMBER + RNG.normal(size=N) + 1.5 * Y},
        {"a": DAYS, "b": DAYS + RNG.integers(0, 30, N)},
    ],
)
def test_good_predictors_do_not_outrank_all_others(columns):
    assert "AB15" not in codes(WEAK | columns)


def test_ab15_blocks_from_the_limit_of_ab1_on():
    noisy = {"a": Y + 0.33 * RNG.normal(size=N)}
    two = {"a": NUMBER, "b": np.where(Y == 1, 1, -1) * NUMBER}
    for columns, severity in ((noisy, "warning"), (two, "blocking")):
        checks = check_table(pd.DataFrame(WEAK | columns), Y)
        assert [check.severity for check in checks if check.code == "AB15"] == [severity]


def test_ab15_by_chance_in_small_tables():
    rng = np.random.default_rng(0)
    for _ in range(20):
        y = np.r_[np.ones(5, int), np.zeros(60, int)]
        table = {f"x{j}": rng.normal(size=65) for j in range(12)}
        assert "AB15" not in codes(table, y, cv=2)
        y = np.arange(80) % 2
        table = {f"x{j}": rng.normal(size=80) for j in range(12)}
        assert "AB15" not in codes(table, y, cv=2)


def test_ab11_of_a_value_that_is_hardly_ever_in_the_other_class_and_of_words():
    fee = np.where(share_of_positives(0.8), AGE, 0.0)
    fee[np.flatnonzero(Y == 0)[0]] = 7
    assert "AB11" in codes({"fee": fee, "age": AGE})
    filled = np.where(share_of_positives(0.8), AGE, np.nan)
    filled[np.flatnonzero(Y == 0)[0]] = 7
    assert "AB11" in codes({"report": filled, "age": AGE})
    text = [f"visit {i}, {'chargeback' if y else 'nothing'} noted" for i, y in enumerate(Y)]
    (check,) = [c for c in check_table(pd.DataFrame({"note": text, **WEAK}), Y) if c.code == "AB11"]
    assert "has the word 'chargeback' in 100.0% of the positives" in check.sentence
    plain = [f"visit {i}, {'pain' if i % 3 else 'nothing'} noted" for i in range(N)]
    assert "AB11" not in codes({"note": plain, **WEAK})


def share_of_positives(share):
    """(N,) True for this share of the positives."""
    return (Y == 1) & (np.arange(N) < share * N)


@pytest.mark.parametrize(
    "column, is_reported",
    [
        (np.where(share_of_positives(0.84), RNG.exponential(50, N), 0), True),
        (-np.where(share_of_positives(0.35), RNG.exponential(50, N), 0), True),
        (np.where(share_of_positives(0.2), RNG.exponential(50, N), 0), False),  # too few
        (np.where(share_of_positives(0.6), "written off", RNG.choice(["a", "b"], N)), True),
        (np.where(share_of_positives(0.6), np.nan, RNG.random(N)), True),
        (np.where(share_of_positives(0.6), 2 + RNG.random(N), RNG.random(N)), True),
        (np.where(share_of_positives(0.6), 1.1 + RNG.random(N), RNG.random(N)), False),  # no gap
        (RNG.normal(2.5 * Y), False),  # a good predictor
        (np.where(np.arange(N) == 0, 9, np.where(share_of_positives(0.8), AGE, 0)), True),
        (pd.to_datetime("2024-01-01") + pd.to_timedelta(share_of_positives(0.5) * 90, "D"), True),
    ],
)
def test_ab11(column, is_reported):
    reported = codes({"x": column, "age": AGE})
    assert ("AB11" in reported) == is_reported and "AB1" not in reported


def test_ab11_by_chance_in_small_tables():
    """With four positives, values of positives alone are no surprise."""
    y = np.r_[np.ones(4, int), np.zeros(60, int)]
    fee = np.r_[1.0, 2.0, np.zeros(62)]
    assert codes({"fee": fee, "age": RNG.normal(size=64)}, y, cv=2) == ["AB6"]


def test_ab11_says_how_many():
    fee = pd.DataFrame({"fee": np.where(share_of_positives(0.84), 7.5, 0), "age": AGE})
    (check,) = check_table(fee, Y)
    assert check.sentence.startswith("Column 'fee' is 0 in all negatives, and differs in 84.0% of")
    (check,) = check_table(fee, 1 - Y)
    assert check.sentence.startswith("Column 'fee' is 0 in all positives, and differs in 84.0% of")


def test_ab12():
    noise = pd.DataFrame(RNG.normal(size=(N, 3)), columns=list("abc"))
    result = compare(noise, Y, LINE, cv=5)
    assert [check.code for check in result.checks] == ["AB12"]
    assert result.checks[0].sentence.startswith("Random scores are not excluded: line is")
    # a ranker that learns nothing, beside a column that knows
    constant = {"flat": DecisionTreeClassifier(max_depth=1, min_samples_leaf=90)}
    frame = pd.DataFrame({"lab": RNG.normal(1.5 * Y), "c": RNG.normal(size=N)})
    result = compare(frame, Y, constant, cv=5)
    assert any("Column 'lab' alone is better" in check.sentence for check in result.checks)
    assert compare(frame, Y, LINE, cv=5).checks == []
    assert compare(frame, Y, constant, cv=5, options=CompareOptions(ignore=("AB12",))).checks == []


def test_ab13():
    frame = pd.DataFrame({"lab": RNG.normal(1.5 * Y), "c": RNG.normal(size=N)})
    search = GridSearchCV(LogisticRegression(), {"C": [1e-9, 1e-8, 1e-7]}, scoring="neg_log_loss")
    result = compare(frame, Y, {"search": search}, cv=2)
    result.decide(frame, max_fpr=0.3)
    (check,) = result.checks
    assert check.code == "AB13" and "chose C = 1e-07, the last value" in check.sentence
    assert settings_at_edges(LogisticRegression()) == []


def test_ab14():
    context = CheckContext(None, fidelity={"alarms in common": 0.79})
    (check,) = run_checks(context, stage="decision")
    assert (check.code, check.severity) == ("AB14", "warning") and "79%" in check.sentence
    assert run_checks(context, ["AB14"], stage="decision") == []
    better = CheckContext(None, fidelity={"alarms in common": 0.8})
    assert run_checks(better, stage="decision") == []


def test_at_most_five_results_of_a_check_are_listed():
    frame = pd.DataFrame({f"c{k}": Y + 0.001 * RNG.random(N) for k in range(8)})
    checks = check_table(frame, Y)
    assert (
        len(checks) == 5
        and checks[-1].sentence.endswith("And 3 more.")
        and not checks[0].sentence.endswith("more.")
    )


def test_existing_scores_and_unencoded_tables_get_fewer_checks():
    assert [
        check.code for check in compare_scores(Y[:40], {"age": AGE[:40]}, max_fpr=0.1).checks
    ] == ["AB6", "AB6"]
    assert (
        compare(
            leaky()[["<loss>"]].to_numpy(), Y, LINE, cv=2, options=CompareOptions(encode=None)
        ).checks
        == []
    )
    assert compare(sparse.csr_matrix(leaky()[["<loss>"]]), Y, LINE, cv=2).checks == []


def test_a_table_that_cannot_be_checked():
    with pytest.raises(ValueError, match="X has 199 rows but y has 200"):
        check_table(AGE[1:, None], Y)
    with pytest.raises(ValueError, match="two columns are named 'a'"):
        check_table(np.c_[AGE, AGE], Y, feature_names=["a", "a"])
    with pytest.raises(ValueError, match="exactly two classes"):
        check_table(AGE[:, None], np.ones(N))


def test_every_check_has_a_section_on_its_page(root):
    cells = nbformat.read(root / "nbs/workshop/model_selection/checks.ipynb", 4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert (
        re.findall(r"\{#(ab\d+)\}", prose)
        == [code.lower() for code in CHECKS]
        == [f"ab{k}" for k in range(1, 16)]
    )
    listed = dict(re.findall(r"\| \[(AB\d+)\]\(#ab\d+\) \| .* \| (\w+) \|", prose))
    assert listed == {code: rule.severity for code, rule in CHECKS.items()}
    assert set(listed.values()) == set(SEVERITIES)
    settings = (root / "settings.ini").read_text()
    host, base = (re.search(rf"{name} = (.*)", settings)[1] for name in ("doc_host", "doc_baseurl"))
    assert f"{host}{base}/workshop/model_selection/checks.html" == PAGE
    assert isinstance(Check(*"abc", "note"), tuple)


# ---------------------------------------------------------------- dates that do not begin with the year
@pytest.mark.parametrize(
    "words, kind, days",
    [
        (["14/05/2020", "03/04/2020"], "day/month/year", ["2020-05-14", "2020-04-03"]),
        (["5-14-2020", "3-4-2020"], "month/day/year", ["2020-05-14", "2020-03-04"]),
        (["14.05.2020 13:30", ""], "day/month/year", ["2020-05-14T13:30", "NaT"]),
    ],
)
def test_the_column_distinguishes_day_and_month(words, kind, days):
    X = np.array([words * 10, range(20)], object).T
    assert column_kinds(X)["0"] == kind
    expected = np.array(days, "datetime64[m]").astype("datetime64[s]")
    numbers = to_table(X).numbers[:2, 1]
    np.testing.assert_allclose(
        numbers, np.where(np.isnat(expected), np.nan, expected.astype(float) / 86400)
    )
    encoder = TableEncoder("keep").fit(
        X
    )  # new rows are read as the training rows were, whatever they look like by themselves
    assert (
        encoder.transform(np.array([["03/04/2020", 0]], object))[0, 1]
        == to_table(
            [["2020-04-03" if kind[0] == "d" else "2020-03-04", 1], ["2020-01-01", 2]]
        ).numbers[0, 1]
    )
    with pytest.raises(ValueError, match=f"'31/31/2020' is not a date \\({kind}\\)"):
        encoder.transform(np.array([["31/31/2020", 0]], object))


@pytest.mark.parametrize(
    "words, reason",
    [
        (["05/04/2020", "03/04/2020"], "no row shows whether the day or the month comes first"),
        (["14/05/2020", "05/14/2020"], "the day comes first in some rows, and second in others"),
    ],
)
def test_ambiguous_dates_are_categories(words, reason):
    ((kind, remark),) = inspect_columns(np.array([words * 10], object).T).values()
    assert kind == "category" and reason in remark and "2020-05-14" in remark


# ---------------------------------------------------------------- the command line
@pytest.fixture
def table(tmp_path, monkeypatch):
    use_rankers(monkeypatch, LINE)
    monkeypatch.chdir(tmp_path)
    frame = (
        leaky()
        .rename(columns={"<loss>": "loss"})
        .assign(sick=np.where(Y, "no", "ill"), tube=np.where(Y == 1, "?", "7"))
    )
    frame.to_csv("t.csv", index=False)
    return frame


def run(*extra):
    return cli.main(
        ["compare", "t.csv", "--label", "sick", "--cv", "2", "--guarantee", "0.3", *extra]
    )


def test_the_command_line_reports_and_ignores_checks(table, capsys, recwarn):
    assert run("--drop", "tube") == 1  # a blocking check
    output = capsys.readouterr().out
    page = Path("aucbook-out/report.html").read_text("utf8")
    # before the comparison all checks, with options; again above the table only what blocks
    assert output.count("AB1 Column 'loss' alone ranks") == 2
    assert (
        output.index("AB1 ")
        < output.index("AB3 ")
        < output.rindex("AB1 ")
        < output.index("ranker  ")
    )
    assert output.count("AB3 ") == 1
    assert (
        output.count("AB8 ") == 1 and "give --pos to choose" in output and "pos_label" not in output
    )
    assert (
        "AB8 'no' is used as the positive class" in output
        and "100 positives (no, 50.0%)" in output
        and [str(w.message) for w in recwarn] == []
    )
    assert f"{PAGE}#ab8" in page and "positive class: no" in page and "as given" not in page
    assert run("--drop", "tube", "--ignore", "AB1", "AB3", "--pos", "ill") == 0
    output = capsys.readouterr().out
    assert not re.search(r"AB\d", output) and "100 positives (ill, 50.0%)" in output
    assert (
        json.loads(Path("aucbook-out/table.json").read_text("utf8"))["settings"]["ignored checks"]
        == "AB1, AB3"
    )
    assert run("--ignore", "AB99") == 2
    assert "--ignore must be codes from AB1 to AB15" in capsys.readouterr().err


def test_the_command_line_skips_rows_without_a_label(table, capsys):
    table.loc[[3, 4], "sick"] = None
    table.to_csv("t.csv", index=False)
    assert run() == 2
    assert (
        "row 5: the label is missing, in 2 rows in all; fill them in, or drop such rows with "
        "--skip-unlabelled" in capsys.readouterr().err
    )
    keep = ["--skip-unlabelled", "--drop", "tube", "loss", "visit"]
    assert run(*keep) == 0
    output = capsys.readouterr().out
    assert (
        "198 rows, 1 column" in output
        and output.count("AB10 2 of 200 rows (1.0%) have no label") == 1
    )
    rows = pd.read_csv("aucbook-out/scores.csv")["row"].tolist()
    assert len(rows) == 198 and not {3, 4} & set(rows)
    assert (
        cli.main(
            [
                "report",
                "t.csv",
                "--label",
                "sick",
                "--pos",
                "ill",
                "--skip-unlabelled",
                "--drop",
                "tube",
                "loss",
                "visit",
            ]
        )
        == 0
    )
    assert "AB10 2 of 200 rows" in capsys.readouterr().out


def test_missing_words_of_the_user(table, capsys):
    assert run("--drop", "loss", "visit", "--ignore", "AB1", "AB8") == 0
    assert "AB4" not in capsys.readouterr().out  # a question mark is a level
    table.assign(sick=table["sick"].replace("no", "-9.0")).to_csv("t.csv", index=False)
    arguments = SimpleNamespace(data="t.csv", na_values="?, -9")
    columns = table_input.read_columns(arguments)
    assert set(columns["tube"]) == {"", "7"} and set(columns["sick"]) == {"", "ill"}
    table.to_csv("t.csv", index=False)
    assert run("--drop", "loss", "visit", "--na-values", "?,-9", "--pos", "no") == 1
    out = capsys.readouterr().out
    assert (
        "AB4 Column 'tube' is filled in 100.0% of the negatives" in out
        and "add --ignore AB4" in out
    )
    ignored = ("--na-values", "?,-9", "--pos", "no", "--ignore", "AB4")
    assert run("--drop", "loss", "visit", *ignored) == 0
    capsys.readouterr()
    new, model = table.drop(columns="sick"), "aucbook-out/model.skops"
    for name, gap in (("with.csv", "?"), ("without.csv", "")):
        new.assign(tube=new["tube"].replace("?", gap)).to_csv(name, index=False)
        assert cli.main(["score", model, name, "--out", f"scored-{name}"]) == 0
        assert "column 'tube'" not in capsys.readouterr().out  # no level that it never saw
    assert Path("scored-with.csv").read_text() == Path("scored-without.csv").read_text()
    assert cli.main(["validate", model, "t.csv", "--label", "sick"]) == 0


def test_a_period_without_positives_is_named(table, capsys):
    days = pd.date_range("2024-01-01", periods=N).strftime("%d/%m/%Y")
    order = RNG.permutation(N)
    quiet = table.assign(day=days, sick=np.where(np.arange(N) >= 130, "no", table["sick"]))
    quiet.iloc[order].to_csv("t.csv", index=False)
    assert run("--time", "day", "--pos", "ill") == 2
    error = capsys.readouterr().err
    assert (
        f"rows, from {days[134]} to {days[199]}, have no positives (one class); use fewer" in error
    )
    assert compare_command.time_order(
        ["14/05/2020", "03/06/2020", "02/01/2020"], "day"
    ).tolist() == [2, 0, 1]
    with pytest.raises(
        table_input.UserError, match="column 'day', row 2: the order of times like '05/04/2020'"
    ):
        compare_command.time_order(["05/04/2020", "03/04/2020"], "day")
