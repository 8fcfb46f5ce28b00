"""All widgets for a table: which views there are, and that each script gives what its view shows."""

import numpy as np
import pandas as pd
import pytest
from widget_parts import pasted

from aucbook import compare_scores, lab
from aucbook.lab.opening import QUICK_RANKERS, column_roles, read_frame


@pytest.fixture(scope="module")
def df():
    rng = np.random.default_rng(0)
    n = 400
    sick = rng.random(n) < 0.3
    return pd.DataFrame(
        {
            "age": rng.normal(60, 10, n) + 8 * sick,
            "marker": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n) + sick),
            "sex": rng.choice(["f", "m"], n),
            "risk": 1 / (1 + np.exp(-(rng.normal(size=n) + 2 * sick - 1))),
            "old score": rng.normal(size=n) + sick,
            "sick": np.where(sick, "yes", "no"),
        }
    )


@pytest.fixture(scope="module")
def widget(df):
    return lab.open(df, label="sick")


def test_what_columns_are_taken_for(df):
    roles = column_roles(df, "sick")
    assert roles.scores == ["risk", "old score"] and roles.probabilities == ["risk"]
    assert roles.features == ["age", "marker", "sex"] and roles.categories == ["sex"]


def test_every_view_of_a_rich_table(widget):
    assert set(widget.options("view")) == {
        "the table",
        "ROC curve",
        "threshold",
        "partial AUC",
        "difference of two scores",
        "calibration",
        "subgroups",
        "rankers compared",
        "ROC curve of the best ranker",
        "threshold of the best ranker",
    }


@pytest.mark.parametrize("score_names", [["age"], []])
def test_scores_may_be_named(df, score_names):
    views = lab.open(df, label="sick", scores=score_names).options("view")
    assert ("ROC curve" in views) == bool(score_names) and "rankers compared" in views


@pytest.mark.parametrize(
    ("view", "attributes"),
    [
        ("ROC curve", ["true_positives", "false_positives", "threshold"]),
        ("difference of two scores", ["difference", "low", "pvalue"]),
        ("rankers compared", ["difference", "low", "pvalue"]),
        ("ROC curve of the best ranker", ["true_positives", "false_positives"]),
    ],
)
def test_the_script_gives_what_the_view_shows(df, widget, view, attributes):
    widget.choose(view=view)
    evaluated = pasted(widget, df=df)
    for name in attributes:
        assert getattr(evaluated, name) == getattr(widget.value, name)


def test_every_script_runs(df, widget):
    for view in widget.options("view"):
        widget.choose(view=view)
        assert widget.message == "" or widget.picture
        pasted(widget, df=df)


def test_a_view_keeps_its_settings(widget):
    widget.choose(view="ROC curve")
    widget.choose(threshold=0.25)
    chosen = widget.value.threshold
    assert abs(chosen - 0.25) < 0.05 and repr(chosen) in widget.script
    widget.choose(view="ROC curve of the best ranker")  # it has a control of the same name
    assert widget.value.threshold != chosen
    widget.choose(view="ROC curve", score="old score")
    assert widget.picture["title"] == "ROC curve of old score"
    widget.choose(score="risk")
    widget._repr_html_()
    assert widget.chosen("view") == "ROC curve"


def test_a_browser_moves_a_slider_of_a_view(widget):
    widget.choose(view="ROC curve", score="risk")
    widget.set_state({"values": {**widget.values, "threshold": 3}})
    assert widget.value.threshold == widget.options("threshold")[3]


def test_the_rankers_are_those_of_compare(df, widget):
    assert set(widget.result.rankers) == set(QUICK_RANKERS)
    best = widget.result.rows[0]["ranker"]
    widget.choose(view="ROC curve of the best ranker")
    scores = widget.result.standard_scores[best]
    positive = df["sick"] == "yes"
    threshold = widget.value.threshold
    assert widget.value.true_positives == np.sum(positive & (scores >= threshold))
    assert compare_scores(positive, {best: scores}, pos_label=True).rows[0]["AUC"] > 0.6


def test_a_page_fits_nothing(df, monkeypatch):
    monkeypatch.setattr("aucbook.lab.opening.compare", None)
    html = lab.open(df, label="sick")._repr_html_()
    assert "run the notebook for it" in html and "400 rows" in html


def test_an_interrupted_fit_keeps_what_was_fitted(df, monkeypatch):
    from aucbook.lab import opening

    calls = []
    compare = opening.compare

    def interrupted(X, y, rankers, **options):
        calls.append(list(rankers))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return compare(X, y, rankers, **options)

    monkeypatch.setattr(opening, "compare", interrupted)
    stopped = lab.open(df, label="sick")
    picture = stopped.picture
    with pytest.raises(ValueError, match="Stopped"):
        stopped.choose(view="rankers compared")
    assert stopped.picture == picture and stopped.progress == -1
    stopped.choose(view="the table")
    stopped.choose(view="rankers compared")
    assert stopped.message == "" and stopped.result.rows


def test_a_file(df, tmp_path):
    path = tmp_path / "patients.csv"
    df.to_csv(path, index=False)
    read = read_frame(path)
    assert read["marker"].isna().sum() == df["marker"].isna().sum()
    np.testing.assert_allclose(read["age"], df["age"])
    widget = lab.open(path, label="sick")
    widget.choose(view="threshold")
    assert f"read_table('{path}')" in widget.code()
    evaluated = pasted(widget)
    assert evaluated.true_positives == widget.value.point.true_positives


def test_rows_without_a_label(df):
    partly = df.copy()
    partly.loc[:9, "sick"] = None
    widget = lab.open(partly, label="sick")
    widget.choose(view="ROC curve")
    assert (
        widget.value.true_positives + widget.value.false_negatives == (partly.sick == "yes").sum()
    )
    assert pasted(widget, df=partly).true_positives == widget.value.true_positives


@pytest.mark.parametrize(
    ("data", "label", "message"),
    [
        ([1, 2], "sick", "a data frame or the path"),
        ("nowhere.csv", "sick", "nowhere.csv"),
        (pd.DataFrame({"sick": [1, 1]}), "sick", "Only one class"),
        (pd.DataFrame({"sick": [1, 2, 3]}), "sick", "exactly two classes"),
        (pd.DataFrame({"sick": [0, 1]}), "sic", "did you mean 'sick'"),
        (pd.DataFrame({"sick": []}), "sick", ""),
    ],
)
def test_a_table_that_is_none(data, label, message):
    widget = lab.open(data, label=label)
    assert not widget.picture and widget.message and message in widget.message


def test_two_rows():
    widget = lab.open(pd.DataFrame({"sick": [0, 1], "risk": [0.1, 0.9], "x": [1, 2]}), label="sick")
    for view in widget.options("view"):
        widget.values = {**widget.values, "view": widget.options("view").index(view)}
        assert widget.picture


def test_many_rescaled_columns_are_features():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((200, 6)), columns=[f"x{j}" for j in range(6)])
    frame["sick"] = frame.x0 > rng.random(200)
    assert lab.open(frame, label="sick").options("view")[1] == "rankers compared"
    frame["risk"] = frame.x0
    assert "ROC curve" in lab.open(frame, label="sick").options("view")
