"""Readable models: shape functions, reasons and queries in the user's words; the first screen of the report."""

import json
import re
import shutil
import sqlite3
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from command_line import use_rankers
from scipy import sparse
from scipy.stats import spearmanr
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook import AdditiveRanker, TableEncoder, TreeRankForest, cli, compare, load_decision
from aucbook._base.estimates import Estimate
from aucbook._tables.columns import to_table
from aucbook.deployment.model_files import write_model
from aucbook.deployment.surrogate import (
    AdditiveExplanation,
    encoded_columns,
    fit_surrogate,
    values_in_words,
)
from aucbook.isotonic import plot_curves
from aucbook.reporting.recommendation import advice, policy_cells, why


def visits(n=600, seed=0, when=True):
    """A table with numbers, gaps, a category with a rare level, dates; labels."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {"age": rng.integers(18, 90, n).astype(float), "<b>$x$": rng.normal(size=n)}
    )
    table["ward"] = rng.choice(
        ["surgery", "children's", "emergency", None, "x_y"], n, p=[0.4, 0.3, 0.2, 0.098, 0.002]
    )
    if when:
        table["seen"] = pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    y = (table["age"] / 15 + 2 * (table["ward"] == "emergency") + rng.logistic(size=n) > 5).astype(
        int
    )
    table.loc[rng.random(n) < 0.1, "<b>$x$"] = np.nan
    return table, y.to_numpy()


RANKERS = {
    "curves": AdditiveRanker(),
    "forest": TreeRankForest(n_estimators=20, random_state=0),
    "line": make_pipeline(StandardScaler(), LogisticRegression()),
}
TABLE, Y = visits()


@pytest.fixture(scope="module")
def result():
    return compare(TABLE, Y, RANKERS, max_fpr=0.3, cv=3)


@pytest.fixture(scope="module")
def curves(result):
    return result.decide(TABLE, "curves")


@pytest.fixture(scope="module")
def forest(result):
    return result.decide(TABLE, "forest")


# ---------------------------------------------------------------- names and votes
@pytest.mark.parametrize("missing", ["keep", "median"])
def test_source_of_every_encoded_column(missing):
    """scikit-learn's own names begin with that of the column, or with missingindicator_ and it."""
    table = TABLE.assign(
        note=[f"word{i % 7} and other words again {i}" for i in range(len(TABLE))],
        ward_x=TABLE["age"] * 2,
    )
    encoder = TableEncoder(missing).fit(table)
    made = list(encoded_columns(encoder))
    names = encoder.get_feature_names_out()
    assert len(made) == len(names) and {source for source, _ in made} == set(table.columns)
    for (source, label), name in zip(made, names):
        assert name.removeprefix("missingindicator_").startswith(source) and label.startswith(
            source
        )
    Z, ward = encoder.transform(table), TABLE["ward"].fillna("").to_numpy()
    levels = {label: column for column, (source, label) in zip(Z.T, made) if source == "ward"}
    pooled = levels.pop("ward: another", None)
    words = {label: label.removeprefix("ward = ").replace("ward missing", "") for label in levels}
    assert words
    for label, word in words.items():
        np.testing.assert_array_equal(levels[label] == 1, ward == word)
    if pooled is not None:
        np.testing.assert_array_equal(pooled == 1, ~np.isin(ward, list(words.values())))


def test_votes_of_columns_add_up_to_the_score(curves):
    explanation = curves.explanation()
    votes = explanation.votes(to_table(TABLE, explanation.kinds))
    assert set(votes) == set(TABLE.columns)
    np.testing.assert_allclose(
        sum(votes.values()) + explanation.curves.intercept_,
        curves.decision_function(TABLE),
        atol=1e-9,
    )


def test_values_in_words():
    table = to_table(
        pd.DataFrame(
            {"when": pd.to_datetime(["2021-02-03", None]), "n": [1.5, None], "w": ["a", None]}
        )
    )
    assert values_in_words(table) == {"n": "1.5", "when": "2021-02-03", "w": "a"}
    assert set(values_in_words(table[[1]]).values()) == {"missing"}
    before = to_table(
        pd.DataFrame({"when": pd.to_datetime(["1969-12-31 13:00", "1970-01-01 00:00"])})
    )
    assert values_in_words(before) == {"when": "1969-12-31"}


def test_dates_with_the_day_first_are_read_too(tmp_path):
    table, y = visits(200)
    table["seen"] = table["seen"].dt.strftime("%d/%m/%Y")
    decision = compare(table, y, {"line": LogisticRegression(max_iter=1000)}, max_fpr=0.3).decide(
        table
    )
    explanation = decision.explanation()
    assert (
        explanation.kinds["seen"] == "day/month/year"
        and "seen, days since 1970" in explanation.labels
    )
    day, month, year = table["seen"][0].split("/")
    assert values_in_words(to_table(table, explanation.kinds))["seen"] == f"{year}-{month}-{day}"
    assert set(explanation.votes(to_table(table, explanation.kinds))) == set(table.columns)


# ---------------------------------------------------------------- reasons
def test_reasons_of_an_additive_model_are_its_contributions(curves):
    row = int(np.argmax(curves.decision_function(TABLE)))
    reasons = curves.reasons(TABLE.iloc[[row]], max_columns=2)
    assert curves.surrogate is None and curves.fidelity is None and len(reasons.votes) == 2
    assert sum(v for *_, v in reasons.votes) + reasons.others + reasons.base == pytest.approx(
        reasons.score, abs=1e-9
    )
    everything = curves.reasons(TABLE.iloc[[row]], max_columns=99)
    assert [abs(v) for *_, v in everything.votes] == sorted(
        (abs(v) for *_, v in everything.votes), reverse=True
    )
    assert everything.others == 0 and {name for name, *_ in everything.votes} == set(TABLE.columns)
    assert "an alarm" in reasons.sentences()[0] and len(reasons.sentences()) == 1
    assert str(reasons).splitlines()[-1].startswith("together")
    page = everything._repr_html_()
    assert "&lt;b&gt;$x$" in page and "<b>" not in page


def test_reasons_of_another_model_state_their_fidelity(forest):
    reasons = forest.reasons(TABLE.iloc[[0]])
    assert f"{forest.fidelity['rank correlation']:.2f}" in reasons.sentences()[1]
    assert (
        0.5 < forest.fidelity["rank correlation"] < 1
        and 0.3 < forest.fidelity["alarms in common"] <= 1
    )
    scores = forest.decision_function(TABLE)
    assert forest.fidelity["mean"] == pytest.approx(scores.mean()) and forest.fidelity[
        "spread"
    ] == pytest.approx(scores.std())
    total = float(reasons.cells()[-1][2])
    assert total == pytest.approx(
        forest.surrogate.decision_function(to_table(TABLE.iloc[[0]], forest.explanation().kinds))[
            0
        ],
        abs=0.006,
    )


@pytest.mark.parametrize("product", [False, True], ids=["a sum", "a product breaks it"])
def test_the_fidelity_holds_on_new_rows(product):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(4000, 5))
    y = (X[:, 0] * X[:, 1] if product else X[:, 0] + np.abs(X[:, 1])) + 0.5 * rng.normal(
        size=4000
    ) > 0.5
    score = (
        RandomForestClassifier(50, random_state=0).fit(X[:1000], y[:1000]).predict_proba(X)[:, 1]
    )
    surrogate, fidelity = fit_surrogate(
        X[:1000], lambda rows: score[rows], np.quantile(score[:1000], 0.8)
    )
    new = surrogate.decision_function(X[1000:])
    assert fidelity["rank correlation"] == pytest.approx(
        spearmanr(new, score[1000:]).statistic, abs=0.1
    )
    n_alarms = 600  # as many of the new rows, a fifth
    common = np.isin(np.argsort(-new)[:n_alarms], np.argsort(-score[1000:])[:n_alarms]).mean()
    assert fidelity["alarms in common"] == pytest.approx(common, abs=0.15)
    assert (fidelity["rank correlation"] > 0.8) != product


def test_a_surrogate_of_a_line_is_the_line():
    X = np.random.default_rng(0).normal(size=(1000, 3))
    line = X @ [1.0, -2.0, 0.5]
    surrogate, fidelity = fit_surrogate(X, lambda rows: line[rows], 0.0)
    assert fidelity["rank correlation"] > 0.99 and fidelity["alarms in common"] > 0.95
    votes = AdditiveExplanation(surrogate).votes(to_table(X, AdditiveExplanation(surrogate).kinds))
    assert spearmanr(votes["column 1"], -X[:, 1]).statistic > 0.99


def test_scores_that_are_all_equal_have_a_flat_surrogate():
    X = np.random.default_rng(0).normal(size=(200, 2))
    surrogate, fidelity = fit_surrogate(X, lambda rows: np.ones(rows.size), 0.5)
    assert fidelity["rank correlation"] == 0 and len(AdditiveExplanation(surrogate).draw()) == 0
    assert np.isfinite(surrogate.decision_function(X)).all()


def test_bad_rows_are_refused(curves, forest):
    for decision in (curves, forest):
        for call, word in (
            (lambda d=decision: d.reasons(TABLE), "reasons are for one row, got 600"),
            (lambda d=decision: d.reasons(TABLE.iloc[[0]], max_columns=0), "max_columns"),
            (
                lambda d=decision: d.reasons(TABLE.iloc[[0]].drop(columns="age")),
                "column 'age' is missing",
            ),
        ):
            with pytest.raises(ValueError, match=word):
                call()


def test_models_without_a_surrogate_are_refused():
    rng = np.random.default_rng(0)
    X = sparse.random(200, 20, 0.3, "csr", random_state=0)
    decision = compare(X, rng.integers(0, 2, 200), {"line": LogisticRegression()}, cv=2).decide(
        X, max_fpr=0.3
    )
    assert not decision.can_be_explained
    with pytest.raises(ValueError, match="line has no additive surrogate"):
        decision.reasons(X[:1])


def test_an_array_has_numbered_columns():
    X = TABLE[["age", "<b>$x$"]].fillna(0).to_numpy()
    comparison = compare(X, Y, {name: RANKERS[name] for name in ("curves", "forest")}, cv=3)
    for name in ("curves", "forest"):
        reasons = comparison.decide(X, name, max_fpr=0.3).reasons(X[:1])
        assert {column for column, *_ in reasons.votes} == {"column 0", "column 1"}


@pytest.mark.parametrize("name", ["curves", "forest"])
def test_a_saved_decision_gives_the_same_reasons(result, tmp_path, name):
    pytest.importorskip("skops")
    decision = result.decide(TABLE, name)
    again = load_decision(decision.save(tmp_path / "model.skops"))
    assert again.reasons(TABLE.iloc[[5]]) == decision.reasons(TABLE.iloc[[5]])
    if name == "forest":
        smaller_file = tmp_path / "part.skops"
        assert decision.surrogate[-1].oob_decision_function_.size == 0  # no number of a single row
        write_model({"calibrator": again.calibrator, "costs": again.costs}, smaller_file)
        assert smaller_file.stat().st_size < 200_000


# ---------------------------------------------------------------- a query
def test_a_database_gives_the_same_scores(tmp_path):
    table, y = visits(when=False)
    decision = compare(table, y, {"curves": AdditiveRanker()}, cv=3).decide(table, max_fpr=0.3)
    new = visits(300, 1, when=False)[0]
    new.loc[:2, "ward"] = ["never seen", " surgery ", ""]
    base = sqlite3.connect(":memory:")
    base.execute('CREATE TABLE "new; rows" (age REAL, "<b>$x$" REAL, ward TEXT)')
    values = new.astype(object).where(new.notna(), None).to_numpy().tolist()
    base.executemany('INSERT INTO "new; rows" VALUES (?, ?, ?)', values)
    rows = base.execute(decision.sql("new; rows"))
    assert [column[0] for column in rows.description] == [*new.columns, "score"]
    np.testing.assert_allclose(
        [row[-1] for row in rows], decision.decision_function(new), atol=1e-9
    )


def test_models_without_a_query_are_refused(curves, forest):
    with pytest.raises(ValueError, match="forest is not an additive model"):
        forest.sql("t")
    with pytest.raises(ValueError, match="holds dates or texts"):
        curves.sql("t")


def test_some_columns_of_a_figure():
    model = AdditiveRanker().fit(TABLE[["age", "<b>$x$"]].to_numpy(), Y)
    (ax,) = plot_curves(model, feature_names=["a", "b"], columns=[1])
    assert ax.get_xlabel() == "b" and ax.lines[0].get_ydata()[0] == model.curve(1).votes[0]
    plt.close(ax.figure)


# ---------------------------------------------------------------- the first screen
def test_counts_of_1000_cases_are_consistent(curves):
    e = curves.performance
    assert e.true_positives.value + e.false_positives.value == pytest.approx(e.alarm_rate.value)
    assert e.true_positives.value + e.false_negatives.value == pytest.approx(e.prevalence.value)
    cells = policy_cells(curves)
    header, alarms, true, false, missed, _ = cells
    assert all(len(row) == 4 for row in cells) and header[0] == "in 1000 cases"
    assert (
        alarms[2:] == ["0", "1000"] and true[2] == "0" and missed[3] == "0" and true[3] == missed[2]
    )
    assert int(true[3]) + int(false[3]) == 1000
    here = [int(row[1].split(" (")[0]) for row in cells[1:5]]
    assert here[0] == here[1] + here[2] and here[1] + here[3] == int(true[3])
    assert f"{here[0]} (" in dict(curves.cells())["predicted positive per 1000, held out"]
    shares = e.alarm_rate, e.true_positives, e.false_positives, e.false_negatives
    for share, row in zip(shares, cells[1:]):
        value, low, high = map(float, re.findall(r"[\d.]+", row[1]))
        assert low <= value <= high and value == pytest.approx(1000 * share.value, abs=1)


def test_a_rare_condition_is_counted_with_a_digit(curves):
    rare = replace(
        curves.performance,
        true_positives=Estimate(0.1, 0.08, 0.12),
        false_negatives=Estimate(0.0004, 0.0, 0.0123),
        prevalence=Estimate(0.1004, 0.09, 0.11),
    )
    rare = replace(curves, performance=rare)
    assert policy_cells(rare)[4][1] == "0.4 (0.0 to 12.3)"


def compared_by_hand(ps, names):
    """A comparison with these p-values, whose choice is one sentence."""
    rows = [
        {"ranker": name, "AUC": 0.9 - 0.01 * i, "low": 0.8, "high": 0.95, "p": p}
        for i, (name, p) in enumerate(zip(names, ps))
    ]
    choice = SimpleNamespace(sentences=lambda: ["The rule."])
    return SimpleNamespace(rows=rows, measures=[SimpleNamespace(label="AUC")], choice=choice)


def test_the_reasons_for_a_choice_name_the_next_the_first_and_the_rule():
    result = compared_by_hand((None, 0.5, 0.3, 0.01), ("forest", "tree", "curves", "line"))
    for chosen, words in (
        ("forest", ("first of 4", "The next is tree", "The rule.")),
        ("curves", ("number 3 of 4", "The first is forest", "The rule.")),
        ("line", ("number 4 of 4", "0.030 worse, p = 0.01", "The rule.")),
    ):
        result.decision = SimpleNamespace(ranker=chosen)
        text = " ".join(why(result, "AUC"))
        assert all(word in text for word in words), text
    alone = compared_by_hand((None,), ("line",))
    alone.decision = SimpleNamespace(ranker="line")
    assert len(list(why(alone, "AUC"))) == 1


@pytest.mark.parametrize("name", ["curves", "forest"])
def test_the_report_begins_with_the_decision(result, tmp_path, name):
    decision = result.decide(TABLE, name)
    plt.close("all")
    result.save(tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf8")
    # logistic regression is better than the forest beyond chance, and the page says so first
    order = [
        "Recommended decision" if name == "curves" else "No model is recommended",
        next(advice(decision))[:20],
        "in 1000 cases",
        "Choice of the ranker",
        "Comparison of all rankers",
        "Performance of the decision",
    ]
    places = [
        page.index(word) for word in [*order, "Explanation of the model", "Predictors", "Settings"]
    ]
    assert places == sorted(places) and len(page) < 2_000_000 and "http" not in page
    assert (tmp_path / "curves.svg").exists() and "<b>$x$" not in page
    assert ("As a scorecard in whole points" in page) == (name == "curves") and (
        "rank correlation with the model is" in page
    ) == (name == "forest")
    assert not plt.get_fignums()


@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed")
def test_the_report_fits_a_narrow_screen(result, tmp_path):
    """Nothing but tables, which scroll by themselves, is wider than 390 px."""
    result.decide(TABLE, "curves")
    result.save(tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf8")
    measure = "<script>document.title=[innerWidth,document.documentElement.scrollWidth].join()</script></body>"
    (tmp_path / "page.html").write_text(page.replace("</body>", measure), encoding="utf8")
    call = [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=390,844",
        "--dump-dom",
    ]
    browser = subprocess.run(
        [*call, (tmp_path / "page.html").as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    wide, needed = map(int, re.search(r"<title>(\d+),(\d+)</title>", browser.stdout).groups())
    assert needed <= wide


# ---------------------------------------------------------------- the command line
def call_cli(tmp_path, *options):
    table, y = visits(300, when=False)
    table.assign(sick=y).to_csv(tmp_path / "t.csv", index=False)
    return cli.main(
        [
            "compare",
            str(tmp_path / "t.csv"),
            "--label",
            "sick",
            "--cv",
            "3",
            "--out",
            str(tmp_path / "o"),
            *options,
        ]
    )


@pytest.fixture
def quick(monkeypatch):
    use_rankers(monkeypatch, RANKERS)


def test_rankers_are_named_on_the_command_line(tmp_path, capsys, quick):
    assert (
        call_cli(tmp_path, "--rankers", "line, curves", "--ranker", "curves", "--guarantee", "0.3")
        == 0
    )
    rows = json.loads((tmp_path / "o/table.json").read_text())["rows"]
    assert {row["ranker"] for row in rows} == {"line", "curves"}
    assert re.search(r"(?m)^ranker +curves$", capsys.readouterr().out)


@pytest.mark.parametrize(
    "options, ranker, rule",
    [
        ([], "line|curves", "simplest"),
        (["--ranker", "simplest"], "line|curves", "simplest"),
        (["--ranker", "best"], "line|curves|forest", "best"),
        (["--ranker", "forest"], "forest", "named"),
    ],
)
def test_rules_of_choice_on_the_command_line(tmp_path, capsys, quick, options, ranker, rule):
    assert call_cli(tmp_path, *options, "--guarantee", "0.3") == 0
    printed = capsys.readouterr().out
    assert re.search(rf"(?m)^ranker +({ranker})$", printed)
    choice = json.loads((tmp_path / "o/table.json").read_text())["choice"]
    assert choice["rule"] == rule and re.search(rf"(?m)^ranker +{choice['ranker']}$", printed)
    assert all(each["ranker"] in printed for each in choice["alternatives"])


@pytest.mark.parametrize(
    "options, message",
    [
        (
            ["--rankers", "line,forrest"],
            "there is no ranker 'forrest'; did you mean 'forest'? There are: curves, forest, line",
        ),
        (
            ["--rankers", "line", "--ranker", "forest"],
            "there is no ranker 'forest'; there are: line",
        ),
        (["--ranker", "curve"], "did you mean 'curves'"),
        (["--rankers", "line,"], "there is no ranker ''"),
        (["--scores", "--ranker", "line"], "--ranker is for training"),
    ],
)
def test_wrong_names_are_refused_before_training(tmp_path, capsys, quick, options, message):
    assert call_cli(tmp_path, *options) == 2
    assert message in capsys.readouterr().err and not (tmp_path / "o").exists()
