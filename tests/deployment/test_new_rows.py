"""A decision on new rows: columns are matched by name or counted, levels are values, and new levels are reported."""

import csv

import numpy as np
import pandas as pd
import pytest

from aucbook import AdditiveRanker, TreeRank, cli, compare, load_decision

N = 240
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "x": RNG.normal(size=N).round(2),
        "ward": RNG.choice(["a", "b", "c1", "2"], N),
        "dose": RNG.integers(0, 9, N),
    }
)
Y = (FRAME["x"] + (FRAME["ward"] == "a") + RNG.normal(size=N) > 0.5).astype(int)


def decided(table):
    """A decision for trees on a table."""
    return compare(table, Y, {"ranker": TreeRank(max_depth=3)}, cv=3).decide(table, max_fpr=0.3)


@pytest.fixture(scope="module")
def nameless():
    return decided(FRAME.to_numpy(object))


@pytest.fixture(scope="module")
def named():
    return decided(FRAME)


def test_columns_without_names_are_counted(nameless):
    table = FRAME.to_numpy(object)
    for wrong in (np.c_[np.arange(N), table], table[:, :2], np.c_[table, table]):
        for method in (nameless.decision_function, nameless.predict, nameless.predict_proba):
            with pytest.raises(
                ValueError,
                match=f"X has {wrong.shape[1]} features, .* expecting 3 features as input",
            ):
                method(wrong)


def test_columns_with_names_are_found_in_any_order(named, recwarn):
    expected = named.decision_function(FRAME)
    np.testing.assert_array_equal(named.decision_function(FRAME[["dose", "ward", "x"]]), expected)
    np.testing.assert_array_equal(named.decision_function(FRAME.to_numpy(object)), expected)
    turned = FRAME[["ward", "x", "dose"]].to_numpy(object)
    np.testing.assert_array_equal(named.decision_function(turned, ["ward", "x", "dose"]), expected)
    assert not recwarn
    with pytest.warns(
        UserWarning, match="left out: column 'row', which the model was not trained on"
    ):
        np.testing.assert_array_equal(named.decision_function(FRAME.assign(row=1)), expected)
    with pytest.raises(ValueError, match="column 'ward' is missing; the columns are: x, dose"):
        named.decision_function(FRAME[["x", "dose"]])
    with pytest.raises(ValueError, match="X has 4 features, but Decision is expecting 3"):
        named.decision_function(np.c_[np.arange(N), FRAME.to_numpy(object)])


def test_score_reports_further_columns(named, tmp_path, capsys):
    model, new, out = (str(tmp_path / name) for name in ("model.skops", "new.csv", "scored.csv"))
    named.save(model)
    FRAME[:5].assign(id=range(5), note="x").to_csv(new, index=False)
    assert cli.main(["score", model, new, "--out", out]) == 0
    error = capsys.readouterr().err
    assert "left out: columns 'id', 'note', which the model was not trained on" in error
    # a column that is only copied needs no warning
    assert cli.main(["score", model, new, "--out", out, "--keep", "id", "ward"]) == 0
    error = capsys.readouterr().err
    assert error.count("left out") == 1
    assert "left out: column 'note', which the model was not trained on" in error


def test_a_model_of_plain_numbers_counts_its_columns():
    X = FRAME[["x", "dose"]].to_numpy(float)
    decision = decided(X)
    with pytest.raises(ValueError, match="X has 3 features"):
        decision.decision_function(np.c_[np.arange(N), X])


def test_levels_that_no_training_row_had_are_counted(named):
    new = FRAME[:6].assign(ward=["a", "z", "z", "y", "w", "v"])
    with pytest.warns(
        UserWarning, match=r"column 'ward': 5 rows have levels .* \('z', 'y', 'w' and 1 more\)"
    ):
        named.decision_function(new)


def test_a_file_and_a_frame_get_equal_scores(tmp_path, capsys):
    """A model of the command line has learnt from text; a frame has whole numbers, floats where one is missing, and truth values."""
    frame = FRAME.assign(
        flag=FRAME["dose"] > 4, code=np.where(FRAME["dose"] > 6, "x9", FRAME["dose"].astype(str))
    )
    frame.assign(label=Y).to_csv(tmp_path / "rows.csv", index=False)
    command = [
        "compare",
        str(tmp_path / "rows.csv"),
        "--label",
        "label",
        "--max-fpr",
        ".3",
        "--cv",
        "3",
    ]
    assert cli.main([*command, "--rankers", "additive curves", "--out", str(tmp_path / "out")]) == 0
    decision = load_decision(tmp_path / "out" / "model.skops")
    frame.to_csv(tmp_path / "new.csv", index=False)
    scored = tmp_path / "scored.csv"
    assert (
        cli.main(
            [
                "score",
                str(tmp_path / "out" / "model.skops"),
                str(tmp_path / "new.csv"),
                "--out",
                str(scored),
            ]
        )
        == 0
    )
    capsys.readouterr()
    by_file = np.array([float(row["score"]) for row in csv.DictReader(open(scored))])
    forms = [
        frame,
        frame.astype({"dose": float}),
        frame.astype({"dose": "Int64", "flag": "boolean", "ward": "category"}),
    ]
    mixed = frame.assign(code=[int(word) if word.isdigit() else word for word in frame["code"]])
    for form in [*forms, mixed]:
        np.testing.assert_allclose(decision.decision_function(form), by_file, rtol=0, atol=1e-12)


def test_a_frame_of_categories_and_a_file_get_equal_scores(tmp_path, capsys):
    frame = FRAME.assign(ward=pd.Categorical(FRAME["dose"] % 4))
    decision = compare(frame, Y, {"curves": AdditiveRanker()}, cv=3).decide(frame, max_fpr=0.3)
    decision.save(tmp_path / "model.skops")
    for form in ([*range(4)], ["0.0", "1.0", "2.0", "3.0"], ["00", "01", "+2", "3."]):
        new = pd.DataFrame({"x": 0.0, "ward": form, "dose": 1})
        new.to_csv(tmp_path / "new.csv", index=False)
        command = [
            "score",
            str(tmp_path / "model.skops"),
            str(tmp_path / "new.csv"),
            "--out",
            str(tmp_path / "scored.csv"),
        ]
        assert cli.main(command) == 0 and "not trained on" not in capsys.readouterr().out
        by_file = [float(row["score"]) for row in csv.DictReader(open(tmp_path / "scored.csv"))]
        as_trained = pd.DataFrame({"x": 0.0, "ward": [0, 1, 2, 3], "dose": 1})
        np.testing.assert_allclose(
            by_file, decision.decision_function(as_trained), rtol=0, atol=1e-12
        )
