"""Marks such as ? and - in columns of numbers: missing values, named in a warning."""

import csv
import sqlite3
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from aucbook import AdditiveRanker, cli, compare
from aucbook._tables.columns import missing_marks
from aucbook._validation.missing import MISSING_MARKS, is_missing_mark
from aucbook.tables import TableEncoder, describe_columns

MARKS = sorted(MISSING_MARKS)


def column_with(mark, n=60):
    """A column of numbers as text, of which every tenth is a mark."""
    return np.array([mark if i % 10 == 0 else str(i % 13 / 2) for i in range(n)], object)


@pytest.mark.parametrize("mark", [*MARKS, " ? ", "Unknown", "N.A.", "#N/A"])
def test_a_mark_among_numbers_is_missing(mark):
    column = column_with(mark)
    rows = np.c_[column, np.arange(60) % 7].astype(object)
    (about, _) = describe_columns(rows, feature_names=["dose", "age"])
    assert (about["kind"], about["missing"]) == ("number", 0.1)
    assert about["remark"] == f"{mark.strip()!r} in 6 rows taken as missing"
    frame = pd.DataFrame(rows, columns=["dose", "age"])
    with pytest.warns(UserWarning, match=r"column 'dose': '.*' in 6 rows taken as missing"):
        encoded = TableEncoder("keep").fit_transform(frame)
    expected = frame.assign(dose=[np.nan if i % 10 == 0 else i % 13 / 2 for i in range(60)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(encoded, TableEncoder("keep").fit_transform(expected))


@pytest.mark.parametrize("word", ["<0.5", "low", "neg", "+", "x", "1,5", "9 mg"])
def test_other_words_leave_a_column_of_levels(word):
    column = column_with(word)
    assert missing_marks(column) == {} and not is_missing_mark(word)
    rows = np.c_[column, column_with("?")]
    kinds = [about["kind"] for about in describe_columns(rows)]
    assert kinds == ["category", "number"]
    both = np.where(np.arange(60) % 15 == 1, "?", column)
    assert describe_columns(both[:, None])[0]["kind"] == "category"


def test_columns_in_which_a_mark_is_a_level():
    for values in (["1", "-"], ["a", "-", "b"], ["yes", "?"], ["-", "+"], ["?"]):
        assert missing_marks(np.array(values * 30, object)) == {}
        assert describe_columns(np.array(values * 30, object)[:, None])[0]["kind"] != "number"
    assert missing_marks(np.array(["true", "false", "?"], object)) == {"?": 1}
    assert missing_marks(np.array(["1", "2", "?", "-", "?", ""], object)) == {"-": 1, "?": 2}
    assert missing_marks(np.array(["1", "2", ""], object)) == {}


def test_marks_in_new_rows_of_a_column_of_numbers():
    frame = pd.DataFrame({"dose": np.arange(40) % 9 / 2, "ward": ["a", "b"] * 20})
    encoder = TableEncoder("keep").fit(frame)
    new = pd.DataFrame({"dose": ["1.5", "?", "-"], "ward": ["a", "b", "a"]})
    with pytest.warns(UserWarning, match="column 'dose': '-' in 1 row, '\\?' in 1 row taken"):
        rows = encoder.transform(new)
    assert np.isnan(rows[1:, 0]).all() and rows[0, 0] == 1.5
    with pytest.raises(ValueError, match="'high' is not a number"):
        encoder.transform(new.assign(dose=["1.5", "?", "high"]))


def sick_rows(n, seed):
    """(rows of text, labels): a dose with marks, an age."""
    rng = np.random.default_rng(seed)
    y = rng.binomial(1, 0.4, n)
    dose = (rng.normal(size=n) + y).round(2)
    words = np.where(rng.random(n) < 0.15, "?", dose.astype(str))
    return np.c_[words, (50 + 10 * rng.normal(size=n)).round(1).astype(str)].astype(object), y


def test_a_comparison_and_its_query_take_marks_as_missing():
    X, y = sick_rows(300, 0)
    frame = pd.DataFrame(X, columns=["dose", "age"])
    rankers = {"curves": AdditiveRanker(n_bags=1)}
    with pytest.warns(UserWarning, match="column 'dose': '\\?' in"):
        decision = compare(frame, y, rankers, max_fpr=0.3, cv=3).decide(frame)
    cells = [[mark, "50"] for mark in (*MARKS, "NA", "", "0.5", "-0.5", ".5", " ? ")]
    table = pd.DataFrame(cells, columns=["dose", "age"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = decision.decision_function(table)
    missing = expected[len(MARKS)]
    assert (expected[: len(MARKS)] == missing).all() and expected[-1] == missing
    with sqlite3.connect(":memory:") as base:
        table.to_sql("patients", base, index=False)
        scores = [row[-1] for row in base.execute(decision.sql("patients", dialect="sqlite"))]
    np.testing.assert_allclose(scores, decision.positive_scores(table))


def test_the_command_line_names_column_word_and_count(tmp_path, capsys):
    pytest.importorskip("skops")
    X, y = sick_rows(240, 1)
    path = tmp_path / "table.csv"
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([["dose", "age", "sick"], *np.c_[X, y]])
    call = ["compare", path, "--label", "sick", "--max-fpr", ".3", "--cv", "3"]
    call += ["--rankers", "logistic regression", "--out", tmp_path / "out"]
    assert cli.main(list(map(str, call))) in (0, 1)
    n = np.sum(X[:, 0] == "?")
    captured = capsys.readouterr()
    remark = f"'?' in {n} rows taken as missing"
    assert f"column 'dose' (a number): {remark}" in captured.out and remark not in captured.err
    decision = compare(X, y, {"line": LogisticRegression()}, max_fpr=0.3, cv=3).decide(X)
    model = decision.save(tmp_path / "model.skops")
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([["0", "1"], ["-", "50"], ["0.5", "40"]])
    assert cli.main(["score", str(model), str(path), "--out", str(tmp_path / "s.csv")]) == 0
    captured = capsys.readouterr()
    assert "column '0': '-' in 1 row taken as missing" in captured.out + captured.err
