"""Tables and options with a fault: it is in the log and in the report, and in the exit code."""

import html
import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook import cli

N = 400
Y = np.arange(N) % 2


def clean_table():
    """A table whose columns are known before the outcome."""
    rng = np.random.default_rng(0)
    return pd.DataFrame({"age": rng.normal(50 + 8 * Y, 10), "dose": rng.normal(size=N), "sick": Y})


def perfect(table, rng):
    return table.assign(loss=10 * Y + rng.random(N))


def nearly_perfect(table, rng):
    return table.assign(loss=np.where(rng.random(N) < 0.005, 1 - Y, Y) + 0.1 * rng.random(N))


def zero_for_negatives(table, rng):
    """The fee of a collection: 0 for every negative, above 0 for 84 % of the positives."""
    paid = (Y == 1) & (rng.random(N) < 0.84)
    return table.assign(loss=np.where(paid, rng.lognormal(3, 1, N), 0.0))


def beyond_a_gap(table, rng):
    later = (Y == 1) & (rng.random(N) < 0.6)
    return table.assign(loss=np.where(later, rng.uniform(400, 500, N), rng.uniform(0, 100, N)))


def filled_for_positives(table, rng):
    return table.assign(loss=np.where(Y == 1, rng.lognormal(size=N), np.nan))


def filled_for_some_positives(table, rng):
    return table.assign(loss=np.where((Y == 1) & (rng.random(N) < 0.3), 1.0, np.nan))


def filled_for_negatives(table, rng):
    return table.assign(loss=np.where(Y == 0, rng.normal(size=N), np.nan))


def level_of_positives(table, rng):
    lost = (Y == 1) & (rng.random(N) < 0.7)
    return table.assign(loss=np.where(lost, "written off", rng.choice(["a", "b", "c"], N)))


def date_after_the_outcome(table, rng):
    """Closed at the event for positives, and at the end of the study for all negatives."""
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, N), unit="D")
    closed = pd.Series(days).where(Y == 1, pd.Timestamp("2024-12-31"))
    return table.assign(loss=closed.dt.strftime("%Y-%m-%d"))


def copied_rows(table, rng):
    return pd.concat([table, table[:60]])


LEAKS = [
    perfect,
    nearly_perfect,
    zero_for_negatives,
    beyond_a_gap,
    filled_for_positives,
    filled_for_some_positives,
    filled_for_negatives,
    level_of_positives,
    date_after_the_outcome,
    copied_rows,
]


@pytest.fixture(autouse=True)
def one_ranker(monkeypatch):
    line = make_pipeline(StandardScaler(), LogisticRegression())
    monkeypatch.setattr("aucbook.default_rankers", lambda **options: {"line": line})


def run(table, folder, *options):
    """(exit code, text of the report, None without one) of a comparison on the command line."""
    folder.mkdir(exist_ok=True)
    table.to_csv(folder / "table.csv", index=False)
    call = ["compare", folder / "table.csv", "--label", "sick", "--cv", "3", "--out", folder / "o"]
    code = cli.main([*map(str, call), *options])
    page = folder / "o" / "report.html"
    return code, page.read_text(encoding="utf8") if page.exists() else None


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_withholds_the_recommendation(leak, tmp_path, capsys):
    table = leak(clean_table(), np.random.default_rng(1))
    code, page = run(table, tmp_path, "--guarantee", "0.3")
    output = capsys.readouterr().out
    assert code == 1
    assert "No decision is recommended, because of AB" in output
    assert "<h2>No decision is recommended" in page and "Recommended decision" not in page
    assert page.index("<strong>Blocking</strong>") < page.index("Comparison of all rankers")
    assert "decision threshold" not in output and not (tmp_path / "o/model.skops").exists()


def test_a_table_without_fault_has_a_decision(tmp_path, capsys):
    code, page = run(clean_table(), tmp_path, "--guarantee", "0.3")
    assert code == 0 and "Recommended decision" in page and "Blocking" not in page
    assert "Use line, and flag a case if" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--miss-cost", "-3", "--alarm-cost", "1"), "--miss-cost must be a positive number"),
        (("--miss-cost", "3", "--alarm-cost", "0"), "a positive number, got 0"),
        (("--miss-cost", "3"), "--miss-cost is given without --alarm-cost"),
        (("--alarm-cost", "3"), "--alarm-cost is given without --miss-cost"),
        (("--guarantee", "1.2"), "--guarantee must be"),
        (("--budget", "-0.1"), "--budget must be"),
    ],
)
def test_invalid_costs_are_refused_before_the_comparison(options, message, tmp_path, capsys):
    code, page = run(clean_table(), tmp_path, *options)
    assert code == 2 and page is None and message in capsys.readouterr().err


@pytest.mark.parametrize("cost", ["-5", "", "inf"])
def test_a_cost_column_names_the_row(cost, tmp_path, capsys):
    costs = ["3"] * N
    costs[7] = cost  # a positive row
    code, page = run(
        clean_table().assign(fee=costs), tmp_path, "--cost-column", "fee", "--alarm-cost", "1"
    )
    error = capsys.readouterr().err
    assert code == 2 and page is None and "fee" in error and "row 9" in error


def test_a_guarantee_without_enough_negatives_is_said_in_the_report(tmp_path, capsys):
    code, page = run(clean_table(), tmp_path, "--guarantee", "0.001")
    output = capsys.readouterr().out
    # each of three folds is set by the other two: log(.05) / log(.999) = 2994.2 of them
    reason = "cannot be guaranteed: it needs at least 4492 negatives, and there are 200."
    assert code == 1 and reason in output and reason in page
    assert "--guarantee 0.0223 or more" in page  # of 133 negatives, none flagged
    assert output.index(reason) < output.index(
        "maximum FPR on the rows that set the threshold (no guarantee)"
    )
    assert page.index(reason) < page.index("in 1000 cases")
    assert "Use line" not in page and "Recommended decision" not in page


def with_centres(n_centres):
    """A clinical table whose rows come from centres of unequal sizes."""
    rng = np.random.default_rng(3)
    share = np.arange(1, n_centres + 1) / np.arange(1, n_centres + 1).sum()
    return clean_table().assign(centre=rng.choice(n_centres, N, p=share))


@pytest.mark.parametrize(
    ("options", "title", "rule"),
    [
        ((), "Decision without a guarantee", "Without a guarantee: line; flag a case if"),
        (
            ("--miss-cost", "5", "--alarm-cost", "2"),
            "Decision by costs, without a guarantee",
            "Use line, and flag a case if",
        ),
        (
            ("--budget", "0.3"),
            "Decision within a budget, without a guarantee",
            "Use line, and flag a case if",
        ),
    ],
)
def test_too_few_centres_refuse_the_guarantee_and_leave_a_decision(
    options, title, rule, tmp_path, capsys
):
    call = ("--guarantee", "0.1", "--groups", "centre", *options)
    code, page = run(with_centres(10), tmp_path, *call)
    output = capsys.readouterr().out
    assert code == 1 and (tmp_path / "o/model.skops").exists()
    for text in (output, page):
        assert "cannot be guaranteed in new groups: it needs about " in text
        assert "groups of sizes like these, and there are 10, the largest with" in text
        assert "Options: more groups, --guarantee 0." in text
        assert text.index("cannot be guaranteed") < text.index(title) < text.index(rule)
    table = json.loads((tmp_path / "o/table.json").read_text(encoding="utf8"))
    assert table["refused_guarantee"].startswith("A false positive rate of at most 10 %")


def test_so_many_groups_as_the_refusal_asks_for_are_enough(tmp_path, capsys):
    table = with_centres(10)
    run(table, tmp_path, "--guarantee", "0.1", "--groups", "centre")
    output = capsys.readouterr().out
    needed = int(re.search(r"needs about (\d+) groups", output)[1])
    rate = re.search(r"--guarantee (0\.\d+) or more", output)[1]
    call = ("--groups", "centre", "--guarantee")
    assert run(table, tmp_path, *call, rate)[0] == 0
    n_copies = needed // 10 + 2
    copies = [
        table.assign(centre=table.centre + 10 * k, age=table.age + k) for k in range(n_copies)
    ]
    assert run(pd.concat(copies[: needed // 20]), tmp_path, *call, "0.1")[0] == 1
    capsys.readouterr()
    assert run(pd.concat(copies), tmp_path, *call, "0.1")[0] == 0
    assert "The guarantee cannot be given" not in capsys.readouterr().out


def test_missing_scores_are_counted(tmp_path, capsys):
    table = clean_table()[["age", "sick"]].assign(reader=1.0)
    table.loc[[7, 9, 30], "age"] = None
    path = tmp_path / "scores.csv"
    table.to_csv(path, index=False)
    assert cli.main(["report", str(path), "--label", "sick", "--out", str(tmp_path / "o")]) == 2
    sentence = "column 'age', row 9: the value is missing, as in 3 of 400 rows; here numbers are"
    assert sentence in capsys.readouterr().err


def scored_by_age(tmp_path):
    """The model file of a comparison by age and dose."""
    pytest.importorskip("skops")
    assert run(clean_table(), tmp_path, "--guarantee", "0.3")[0] == 0
    return str(tmp_path / "o/model.skops")


def test_a_renamed_column_is_named_with_its_new_name(tmp_path, capsys):
    model = scored_by_age(tmp_path)
    path = tmp_path / "new.csv"
    clean_table().rename(columns={"age": "Age_years"}).to_csv(path, index=False)
    capsys.readouterr()
    for call in (["score", model, path], ["validate", model, path, "--label", "sick"]):
        assert cli.main([*map(str, call), "--out", str(tmp_path / "v")]) == 2
        assert (
            "column 'age' is missing; did you mean 'Age_years'? Then rename it"
            in capsys.readouterr().err
        )


def test_a_batch_on_another_scale_is_in_log_and_report(tmp_path, capsys):
    model = scored_by_age(tmp_path)
    path = tmp_path / "new.csv"
    months = clean_table().assign(age=lambda table: 12 * table["age"])
    months.to_csv(path, index=False)
    capsys.readouterr()
    call = ["validate", model, str(path), "--label", "sick", "--out", str(tmp_path / "v")]
    cli.main(call)
    printed = capsys.readouterr()
    page = html.unescape((tmp_path / "v/report.html").read_text(encoding="utf8"))
    for text in (printed.out, page):
        assert "column 'age': 400 of 400 values lie outside the training range" in text
        assert "400 of 400 scores lie outside" in text


def test_rows_of_a_log_that_contradict_earlier_ones_are_counted_and_named(tmp_path, capsys):
    model = scored_by_age(tmp_path)
    log = tmp_path / "log"
    log.mkdir()
    rows = pd.DataFrame({"case": range(60), "alarm": 0, "label": np.arange(60) % 2})
    rows.to_csv(log / "2024-01.csv", index=False)
    rows[:7].assign(label=1 - rows["label"]).to_csv(log / "2024-02.csv", index=False)
    capsys.readouterr()
    cli.main(["monitor", model, str(log), "--key", "case"])
    assert "7 rows contradict an earlier row of their case (0, 1, 2, …)" in capsys.readouterr().out


def test_rows_of_a_log_without_identifiers_that_differ_in_their_label_only_are_counted(
    tmp_path, capsys
):
    model = scored_by_age(tmp_path)
    scores = np.random.default_rng(0).normal(size=60)
    rows = pd.DataFrame({"score": scores, "site": "a", "label": np.arange(60) % 2})
    log = tmp_path / "log.csv"
    sentence = "7 rows differ from an earlier row in the label only"
    for columns, is_said in (["score", "site", "label"], True), (["site", "label"], False):
        table = pd.concat([rows, rows[:7].assign(label=1 - rows["label"])])
        table.assign(alarm=0)[["alarm", *columns]].to_csv(log, index=False)
        capsys.readouterr()
        cli.main(["monitor", model, str(log)])
        output = capsys.readouterr().out
        assert (sentence in output) == is_said
        assert ("--key" in output) == is_said


def test_rows_of_a_log_that_are_copies_of_earlier_ones_are_named(tmp_path, capsys):
    model = scored_by_age(tmp_path)
    rows = pd.DataFrame({"case": range(60), "alarm": 0, "label": np.arange(60) % 2})
    pd.concat([rows, rows[:3]]).to_csv(tmp_path / "log.csv", index=False)
    for words, is_said in ([], True), (["--key", "case"], False):
        capsys.readouterr()
        cli.main(["monitor", model, str(tmp_path / "log.csv"), *words])
        sentence = "3 rows equal an earlier row in all columns"
        assert (sentence in capsys.readouterr().out) == is_said


@pytest.mark.parametrize(
    "columns, words, message",
    [
        (["case", "label"], [], "has no column 'alarm' or 'score', and --rate fpr needs one"),
        (["alarm", "label"], ["--rate", "calibration"], "has no column 'probability' or 'score'"),
        (
            ["alarm", "label"],
            ["--rate", "calibration", "--direction", "below"],
            "--direction is for a rate, and calibration has none",
        ),
        (["case", "label"], ["--bound", ".1", "--bound", ".2"], "1 value of --rate needs one"),
    ],
)
def test_a_log_that_cannot_be_tested_is_an_error(columns, words, message, tmp_path, capsys):
    model = scored_by_age(tmp_path)
    rows = pd.DataFrame({"case": range(60), "alarm": 0, "label": np.arange(60) % 2})
    rows[columns].to_csv(tmp_path / "log.csv", index=False)
    capsys.readouterr()
    assert cli.main(["monitor", model, str(tmp_path / "log.csv"), *words]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_score_of_a_log_that_is_no_number_is_named_with_its_file(tmp_path, capsys):
    model = scored_by_age(tmp_path)
    (tmp_path / "log.csv").write_text("score,label\n1,0\nhigh,1\n")
    assert cli.main(["monitor", model, str(tmp_path / "log.csv")]) == 2
    error = capsys.readouterr().err
    assert "log.csv, column 'score', row 3: the value is 'high'" in error
    assert "correct or empty it" in error


def test_a_validation_without_positives_names_their_number_and_the_way_on(tmp_path, capsys):
    model = scored_by_age(tmp_path)
    path = tmp_path / "new.csv"
    for label, words in (0, "is positive (1)"), (1, "is negative (0)"):
        clean_table().query(f"sick == {label}").to_csv(path, index=False)
        capsys.readouterr()
        call = ["validate", model, str(path), "--label", "sick", "--out", str(tmp_path / "v")]
        assert cli.main(call) == 2
        error = capsys.readouterr().err
        assert f"none of 200 labelled rows {words}" in error and "aucbook monitor --rate" in error


def test_a_model_without_a_guarantee_is_not_monitored_against_one(tmp_path, capsys):
    pytest.importorskip("skops")
    run(with_centres(10), tmp_path, "--guarantee", "0.1", "--groups", "centre")
    capsys.readouterr()
    log = tmp_path / "log.csv"
    pd.DataFrame({"alarm": [0, 1], "label": [0, 1]}).to_csv(log, index=False)
    assert cli.main(["monitor", str(tmp_path / "o/model.skops"), str(log)]) == 2
    assert "guarantees no false positive rate, as the rows were too few" in capsys.readouterr().err


def test_limits_that_exclude_each_other_are_said(tmp_path, capsys):
    code, page = run(clean_table(), tmp_path, "--guarantee", "0.2", "--budget", "0.001")
    sentence = (
        "No threshold is recommended within the FPR limit of 20 % and the budget of 1 alarm in 1000 "
        "cases: no case may be flagged. One of the 400 held-out rows is 2.5 in 1000: raise the budget."
    )
    output = capsys.readouterr().out
    assert code == 1 and sentence in output and sentence in page
    assert "AB14" not in output  # no alarm, so none that a surrogate could miss
    assert run(clean_table(), tmp_path, "--guarantee", "0.2", "--budget", "0.01")[0] == 0
    # one row may be flagged, but no fold's threshold flags one
    capsys.readouterr()
    code, page = run(clean_table(), tmp_path, "--guarantee", "0.2", "--budget", "0.0026")
    output = capsys.readouterr().out
    held_out = re.search(r"predicted positive per 1000, held out +(\S+)", output)[1]
    assert (code == 1) == (float(held_out) == 0)
    assert ("Use line" in output) == (float(held_out) > 0)


def test_the_cost_of_a_guarantee_is_in_log_and_report(tmp_path, capsys):
    costs = ("--miss-cost", "20", "--alarm-cost", "1")
    code, page = run(clean_table(), tmp_path, "--guarantee", "0.1", *costs)
    assert code == 0
    for text in (capsys.readouterr().out, page):
        assert "The FPR limit of 10 % costs " in text
    assert page.index("The FPR limit of 10 % costs ") < page.index("in 1000 cases")
    assert "without the FPR limit" in page


def test_a_subgroup_of_five_is_a_note(tmp_path, capsys):
    ward = np.where(np.arange(N) < 5, "tiny", np.where(np.arange(N) % 4 < 2, "a", "b"))
    code, page = run(
        clean_table().assign(ward=ward), tmp_path, "--guarantee", "0.3", "--by", "ward"
    )
    assert "tiny (2 positives, 3 negatives). Collect more rows, or join it" in page
    assert code == 0 and "tiny (2 positives, 3 negatives)" in capsys.readouterr().out
    assert "1 subgroup too small to be reported" in page
    assert "tiny (2 positives, 3 negatives)" in page


def test_a_period_without_positives_is_said(tmp_path, capsys):
    table = clean_table().assign(when=np.arange(N))
    table.loc[200:299, "sick"] = 0
    code, page = run(table, tmp_path, "--guarantee", "0.3", "--time", "when")
    error = capsys.readouterr()
    assert code == 2 and page is None, error.out
    assert "100 test rows, from 200 to 299, have no positives" in error.err
    assert "use fewer or other folds; leave out rows whose labels are not yet known" in error.err


@pytest.mark.parametrize("name", ["platt", "venn-abers", "none"])
def test_the_calibrator_of_a_decision_is_in_log_and_report(name, tmp_path, capsys):
    words = {"platt": "Platt scaling", "venn-abers": "Venn–Abers calibration"}
    words = words.get(name, "none, corrected for prevalence only")
    code, page = run(clean_table(), tmp_path, "--guarantee", "0.3", "--calibrator", name)
    assert code == 0 and f"{words}, held out; mean predicted" in html.unescape(page)
    assert re.search(rf"calibration +{words}\n", capsys.readouterr().out)


def test_an_unknown_calibrator_is_refused_before_the_comparison(tmp_path, capsys):
    assert run(clean_table(), tmp_path, "--calibrator", "plat") == (2, None)
    assert "did you mean 'platt'? There are: isotonic, platt" in capsys.readouterr().err
    assert run(clean_table(), tmp_path, "--calibrator", "platt", "--scores")[0] == 2
    assert "--calibrator is for training and deciding" in capsys.readouterr().err


def test_the_words_that_each_ranker_gets_are_reported_and_can_be_limited(
    tmp_path, capsys, monkeypatch
):
    rng = np.random.default_rng(0)
    words = np.array([f"word{i}" for i in range(40)])
    notes = [" ".join(rng.choice(words[: 30 + 10 * y], 12)) for y in Y]
    table = clean_table().assign(note=notes)
    code, page = run(table, tmp_path, "--max-words", "25")
    sentence = "TF-IDF: all words of at least 2 training rows (at most 50000, sparse) for line"
    assert code == 0 and sentence in page
    assert f"column 'note': {sentence}" in capsys.readouterr().out
    monkeypatch.setattr("aucbook.default_rankers", lambda **_: {"bayes": GaussianNB()})
    code, page = run(table, tmp_path / "a", "--max-words", "25")
    sentence = "TF-IDF: the 25 words that differ most between the classes"
    assert code == 0 and sentence in page
    assert f"column 'note': {sentence}" in capsys.readouterr().out
    assert run(clean_table(), tmp_path / "b", "--max-words", "0") == (2, None)
    assert "--max-words" in capsys.readouterr().err
