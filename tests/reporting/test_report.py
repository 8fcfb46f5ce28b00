"""The report: a table as text, HTML and CSV, two pictures, names that are escaped, files with all digits."""

import csv
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import same_color
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook import compare, compare_scores
from aucbook._base.estimates import table_html
from aucbook._base.style import BLUE, GREY, ORANGE
from aucbook._validation.messages import printable
from aucbook.metrics import precision_recall_curve, roc_curve
from aucbook.model_selection import Check, CompareOptions
from aucbook.reporting.caveats import caveat_parts, caveats
from aucbook.reporting.guidelines import tripod_cells, van_calster_cells
from aucbook.reporting.recommendation import round_to_sum
from aucbook.reporting.report import (
    MOST_POINTS,
    draw_calibration,
    draw_intervals,
    failed_in_words,
    report_items,
    report_page,
    scale_in_words,
    table_cells,
    table_text,
)

X, Y = make_classification(120, 4, random_state=0)


class OnlyProbabilities(GaussianNB):
    """GaussianNB has no decision_function: the second column of predict_proba is its score."""


def test_table_html_and_files(tmp_path, capsys):
    result = compare(
        X,
        np.where(Y == 1, "no", "yes"),
        {"<i>": OnlyProbabilities(), "bayes": GaussianNB()},
        pos_label="no",
        cv=2,
        options=CompareOptions(verbose=1, ignore=("AB15",)),
    )
    assert "4/4" in capsys.readouterr().err
    assert result.y.sum() == Y.sum() and "fit seconds" in str(result) and "pAUC" not in str(result)
    assert "&lt;i&gt;" in result._repr_html_() and "<td>" in result._repr_html_()
    folder = result.save(tmp_path / "a" / "b")
    rows = list(csv.DictReader(open(folder / "scores.csv")))
    np.testing.assert_array_equal([float(r["bayes"]) for r in rows], result.scores["bayes"])
    assert (folder / "roc.svg").exists() and len(
        list(csv.DictReader(open(folder / "table.csv")))
    ) == 2
    report = (folder / "report.html").read_text(encoding="utf8")
    assert (
        "&lt;i&gt;" in report
        and report.count("data:image/svg+xml;base64,") == 3
        and "http" not in report
    )


@pytest.fixture
def result():
    rng = np.random.default_rng(0)
    return compare_scores(
        Y,
        {
            name: Y * shift + rng.normal(size=Y.size)
            for name, shift in (("good", 2), ("fair", 1.7), ("noise", 0))
        },
        max_fpr=0.3,
    )


def with_rows(result, **changes):
    """A stand-in for a comparison: the first row changed."""
    return SimpleNamespace(
        **{**vars(result), "rows": [{**result.rows[0], **changes}, *result.rows[1:]]}
    )


def test_columns_of_the_table(result):
    assert table_cells(result)[0] == [
        "ranker",
        "pAUC(0, 0.3)",
        "95% interval",
        "minus good",
        "p against the best",
        "AUC",
    ]
    comparison = compare_scores(result.y, result.scores, confidence_level=0.9)
    assert table_cells(comparison)[0] == [
        "ranker",
        "AUC",
        "90% interval",
        "minus good",
        "p against the best",
    ]
    trained = compare(X, Y, {"bayes": GaussianNB()}, cv=2)
    assert (
        trained.table()[0][-1] == "fit seconds"
        and trained.table(times=False)[0][-1] != "fit seconds"
    )


def test_p_values_in_words(result):
    for p, expected in ((None, ""), (0.0009, "< .001"), (0.001, "0.001"), (1.0, "1.000")):
        assert table_cells(with_rows(result, p=p))[1][4] == expected


def test_the_text_is_in_columns(result):
    *lines, failed = table_text(
        SimpleNamespace(**{**vars(result), "failures": {"x": "E: y"}})
    ).splitlines()
    starts = {
        line.index(cell)
        for line, cell in zip(lines[1:], [row[2] for row in table_cells(result)[1:]])
    }
    assert starts == {lines[0].index("95% interval")} and failed == "x failed: E: y"


class Browser(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.tags = []
        self.text = []
        self.attributes = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [value for _, value in attributes]

    def handle_data(self, text):
        self.text.append(text)


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "a & b",
        "{rows} {0}",
        "\u2028 ü 漢",
        "'",
    ],
)
def test_user_input_is_escaped(result, name):
    nasty = SimpleNamespace(
        **{
            **vars(with_rows(result, ranker=name)),
            "values": {name: np.ones(1)},
            "failures": {name: name},
            "method": name,
            "settings": {name: name, "positive label": name},
            "columns": [
                {"name": name, "kind": name, "missing": 0.0, "becomes": name, "remark": name}
            ],
        }
    )
    column = {"name": "a", "kind": "a", "missing": 0.0, "becomes": "a", "remark": "a"}
    harmless = SimpleNamespace(
        **{
            **vars(with_rows(result)),
            "settings": {"a": "a", "positive label": "a"},
            "columns": [column],
        }
    )
    plain = Browser(report_page(harmless, {"roc": b"", "intervals": b""}))
    page = Browser(report_page(nasty, {"roc": b"", "intervals": b""}))
    assert sorted(page.tags) == sorted(
        [*plain.tags, "p", "tr", "th", "td", "li", "details", "summary", "strong", "p"]
    )  # a paragraph, an item and a line of what stands against it more: the failure
    shown = printable(
        name
    )  # the text is there; what would steer a terminal, and a line separator, are not
    assert shown in page.text and f"{shown} failed: {shown}" in page.text
    assert any(value.startswith(shown) for value in page.attributes)
    assert "\u2028" not in shown and shown.strip() == name.strip()  # a space stands for it
    assert Browser(table_html(table_cells(nasty), failed_in_words(nasty))).tags.count("p") == 1


def test_colours_of_the_intervals(result):
    marked = SimpleNamespace(
        **{
            **vars(result),
            "rows": [{**row, "p": p} for row, p in zip(result.rows, (None, 0.5, 0.01))],
        }
    )
    ax = draw_intervals(marked)
    bars = ax.lines[::2]
    assert all(same_color(bar.get_color(), color) for bar, color in zip(bars, (BLUE, GREY, ORANGE)))
    assert [list(bar.get_xdata()) for bar in bars] == [
        [row["low"], row["high"]] for row in result.rows
    ]
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "good",
        "fair",
        "noise",
    ] and ax.get_xlabel() == (
        "pAUC(0, 0.3)\nblue: the best; orange: worse (p < 0.05);\ngrey: not significantly worse"
    )
    plt.close(ax.figure)


def test_figures_on_given_axes(result):
    fig, (left, right) = plt.subplots(1, 2)
    assert result.plot(left).ax_ is left and result.plot_intervals(right) is right
    assert set(result.plot(left).lines_) == {"good", "fair", "noise"}
    plt.close(fig)


def test_saving_leaves_no_figure_open(result, tmp_path):
    before = plt.get_fignums()
    assert sorted(file.name for file in result.save(tmp_path).iterdir()) == [
        "intervals.svg",
        "precision.svg",
        "report.html",
        "roc.svg",
        "scores.csv",
        "table.csv",
        "table.json",
    ]
    assert plt.get_fignums() == before
    rows = list(csv.DictReader(open(tmp_path / "table.csv", encoding="utf8")))
    assert [float(row["pAUC"]) for row in rows] == [row["pAUC"] for row in result.rows]


@pytest.mark.slow
def test_workers_start_without_matplotlib():
    code = "import sys, aucbook.model_selection.comparison; print('matplotlib' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "False"
    )


def test_names_are_not_written_as_formulas(result, tmp_path):
    """Neither a spreadsheet's nor TeX's."""
    names = {"=1+1": "one", r"$\frac{$": "two", "_hidden": "three"}
    renamed = compare_scores(result.y, dict(zip(names, result.scores.values())))
    trained = compare(X, Y, {name: GaussianNB() for name in names}, cv=2)
    for comparison in (renamed, trained):
        comparison.save(tmp_path)
        header = open(tmp_path / "scores.csv", encoding="utf8").readline().strip().split(",")
        assert header == ["row", "fold", "label", "'=1+1", r"$\frac{$", "_hidden"]
        assert "'=1+1" in (tmp_path / "table.csv").read_text(encoding="utf8")
        assert {
            row["ranker"] for row in json.loads((tmp_path / "table.json").read_text())["rows"]
        } == set(names)
        drawn = comparison.plot()
        entries = [text.get_text() for text in drawn.ax_.get_legend().get_texts()]
        assert all(any(name in entry for entry in entries) for name in names), entries
        plt.close(drawn.figure_)


def document_of(result, folder):
    """The table.json of a result, read by a strict reader, and its report.html."""

    def refuse(word):
        raise ValueError(f"{word} is not JSON")

    result.save(folder)
    text = (folder / "table.json").read_text(encoding="utf8")
    page = (folder / "report.html").read_text(encoding="utf8")
    return json.loads(text, parse_constant=refuse), page


def test_programs_read_checks_and_decision_in_table_json(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [300, 100])
    table = np.c_[y + rng.normal(size=400), rng.normal(size=400)]
    y = np.where(y == 1, "sick", "healthy")  # check AB8: which of the words is positive?
    result = compare(table, y, {"bayes": GaussianNB()}, cv=3)
    document, _ = document_of(result, tmp_path)
    assert document["decision"] is document["recommendation"] is None
    decision = result.decide(table, max_fpr=0.3)
    document, page = document_of(result, tmp_path)
    assert document["checks"] == [check._asdict() for check in result.checks] != []
    assert set(document["checks"][0]) == {"code", "title", "sentence", "severity"}
    stored = document["decision"]
    assert (stored["ranker"], stored["threshold"]) == ("bayes", decision.threshold)
    assert stored["limits"] == [{"rate": "fpr", "bound": 0.3, "kind": "guaranteed"}]
    assert stored["confidence_level"] == 0.95
    assert stored["performance"]["tpr"] == decision.performance.tpr._asdict()
    recommendation = document["recommendation"]
    assert recommendation["status"] == "recommended" and not recommendation["blocking_checks"]
    assert recommendation["sentence"].startswith("Use bayes, and flag a case if its score")
    assert f"<h2>{recommendation['title']}</h2>" in page and recommendation["sentence"] in page
    result.checks.append(Check("AB1", "A column repeats the label", "It does.", "blocking"))
    document, page = document_of(result, tmp_path)
    recommendation = document["recommendation"]
    assert recommendation["status"] == "withheld" and recommendation["blocking_checks"] == ["AB1"]
    assert "<h2>No decision is recommended</h2>" in page and recommendation["sentence"] in page


def test_a_decision_that_is_not_recommended_is_strict_json(tmp_path):
    rng = np.random.default_rng(0)
    table = rng.normal(size=(200, 2))
    y = rng.integers(0, 2, size=200)
    result = compare(table, y, {"bayes": GaussianNB()}, cv=3)
    result.decide(table, miss_cost=1, alarm_cost=1e6)
    document, page = document_of(result, tmp_path)
    assert document["recommendation"]["status"] == "not recommended"
    assert document["decision"]["threshold"] == str(result.decision.threshold) == "inf"
    assert document["recommendation"]["title"] in page
    result.decision = None
    result.no_decision = "the time was over"
    document, page = document_of(result, tmp_path)
    assert document["recommendation"]["status"] == "no decision" and document["decision"] is None
    assert "the time was over" in document["recommendation"]["sentence"]


def test_the_page_documents_the_keys_of_table_json(result, tmp_path):
    document, _ = document_of(result, tmp_path)
    page = Path(__file__).parents[2] / "nbs" / "workshop" / "reporting" / "report.ipynb"
    cells = json.loads(page.read_text(encoding="utf8"))["cells"]
    (text,) = ("".join(cell["source"]) for cell in cells if cell["id"] == "json-keys-0")
    table = text.split("The `status`")[0]
    keys = [cell for line in table.splitlines() for cell in line.split("|")[1:2]]
    documented = set(re.findall(r"`(\w+)`", " ".join(keys)))
    assert documented == {*document, "guarantee_tests"}


def test_at_most_six_of_twelve_rankers_are_drawn():
    result = compare(X, Y, {f"bayes {i}": GaussianNB() for i in range(9)}, cv=2)
    drawn = result.plot()
    entries = [text.get_text() for text in drawn.ax_.get_legend().get_texts()]
    assert len(entries) == 7 and entries[-1] == "3 others" and len(drawn.lines_) == 9
    plt.close(drawn.figure_)
    drawn = result.plot_precision()
    assert drawn.ax_.get_xlabel() == "recall"
    plt.close(drawn.figure_)


# ---------------------------------------------------------------- the first screen and its parts
@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_rounded_numbers_add_up(decimals):
    rng = np.random.default_rng(decimals)
    for _ in range(300):
        values = 1000 * rng.dirichlet(np.full(rng.integers(2, 9), 0.4))
        rounded = round_to_sum(values, 1000, decimals)
        assert sum(rounded) == pytest.approx(1000)
        assert np.abs(np.array(rounded) - values).max() < 10.0**-decimals + 1e-9
    assert round_to_sum([202.4, 57.4, 740.2], 1000) == [203, 57, 740]


def test_reasons_are_ordered_by_severity_and_one_line_a_check(result):
    def check(code, severity, sentence="s"):
        return Check(code, f"title of {code}", sentence, severity)

    checks = [check("AB8", "note"), *[check("AB7", "warning")] * 5, check("AB1", "blocking")]
    result = SimpleNamespace(
        **{**vars(result), "checks": checks, "left_out": {"forest": "slow"}, "decision": None}
    )
    reasons = caveats(result)
    assert [reason.code for reason in reasons][:3] == ["AB1", "AB7", "AB8"]
    assert len(reasons[1].sentences) == 5
    assert any(reason.title == "1 ranker not compared" for reason in reasons)
    html = "".join(caveat_parts(reasons))
    assert html.count("<details open>") == 1 and "title of AB7 (5)" in html
    assert "None of the checks" in "".join(caveat_parts([]))


def test_a_decision_without_logistic_regression_beside_it_is_noted():
    line = make_pipeline(StandardScaler(), LogisticRegression())
    for rankers, n_notes in (
        ({"bayes": GaussianNB()}, 1),
        ({"bayes": GaussianNB(), "line": line}, 0),
    ):
        result = compare(X, Y, rankers, max_fpr=0.3, cv=3)
        result.decide(X, "bayes")
        titles = [reason.title for reason in caveats(result)]
        noted = "Logistic regression was not among the rankers compared"
        assert titles.count(noted) == n_notes


def test_two_scores_begin_with_their_difference_and_the_scale(tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    new = rng.normal(size=300) + 1.5 * y
    for other, is_chance in (rng.normal(size=300), False), (new + 0.3 * rng.normal(size=300), True):
        result = compare_scores(y, {"new": new, "old": other}, max_fpr=0.1)
        result.save(tmp_path)
        page = (tmp_path / "report.html").read_text(encoding="utf8")
        second = result.rows[1]
        sentence = f"The first is better by {-second['difference']:.3f} ("
        assert sentence in page and (", within chance." in page) == is_chance
        assert second["difference low"] < 0
        assert "1 at best, and 0.05 for random scores." in page
        assert "300 rows, 150 positives (50.0%); existing scores;" in page
        assert "both are folds of one table" not in page


def test_recall_at_a_share_below_the_prevalence_says_the_largest_possible():
    y = (np.arange(400) < 20).astype(int)
    scores = {"line": np.random.default_rng(0).normal(size=400) + 2 * y}
    for measure, words in (
        ("recall(k=.01)", "recall at 0.01 is at most about 0.2 here"),
        ("ef(k=.01)", "at most about 20 here"),
        ("recall(k=.1)", ""),
        ("recall(k=10)", ""),
    ):
        sentence = scale_in_words(compare_scores(y, scores, measures=[measure]))
        assert words in sentence and bool(sentence) == bool(words)


def test_scores_in_the_opposite_order_are_named():
    y = np.arange(100) % 2
    result = compare_scores(y, {"up": y + 0.1 * np.arange(100), "down": -np.arange(100) - 60 * y})
    reasons = [reason.title for reason in caveats(result) if reason.severity == "warning"]
    assert reasons == ["down ranks in the opposite order"]


def test_every_item_of_the_guidelines_has_an_answer(result):
    for shown in (result, compare(X, Y, {"bayes": GaussianNB()}, cv=3, groups=np.arange(120) // 2)):
        rows = tripod_cells(shown, dict(report_items(shown)))[1:]
        assert [int(row[0].rstrip("abcdefg")) for row in rows] == sorted(
            int(row[0].rstrip("abcdefg")) for row in rows
        )
        assert {int(row[0].rstrip("abcdefg")) for row in rows} == set(range(1, 28))
        assert all(len(row) == 3 and all(row) for row in rows)
        measures = van_calster_cells(shown)[1:]
        assert len([row for row in measures if row[2] == "recommended"]) == 4
        assert all(row[3] for row in measures)


def test_a_decision_that_could_not_be_made_is_in_the_report(result):
    result = SimpleNamespace(**(vars(result) | {"no_decision": "needs 2995 negatives <b>"}))
    page = report_page(result, {"roc": b"", "intervals": b""})
    assert page.index("No decision could be made: needs 2995 negatives &lt;b&gt;") < page.index(
        "Comparison of all rankers"
    )


def test_without_a_decision_the_page_begins_with_the_best(result):
    page = report_page(result, {"roc": b"", "intervals": b""})
    assert page.index("good is the best of 3 rankers") < page.index("What stands against it")


def test_the_calibration_plot_has_observed_rates_and_both_classes():
    comparison = compare(X, Y, {"bayes": GaussianNB()}, cv=3)
    held_out = comparison.decide(X, max_fpr=0.3).held_out
    _, axes = plt.subplots(2, 1)
    ax = draw_calibration(held_out, axes)
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    n_groups = min(10, held_out.p.size // 20)
    assert len(dots) == n_groups
    rows = np.argsort(held_out.p, kind="stable")[: len(held_out.p) // n_groups]
    rate = held_out.cases.y[rows].mean()
    (at,), (height,) = dots[0].get_data()
    assert abs(height - rate) < 0.05 and abs(at - held_out.p[rows].mean()) < 0.05
    bars = np.array([bar.get_height() for bar in axes[1].patches])
    assert bars[bars > 0].sum() == pytest.approx(1) and bars[bars < 0].sum() == pytest.approx(-1)
    plt.close("all")


def test_the_calibration_plot_of_many_rows_has_few_points():
    rng = np.random.default_rng(0)
    p = rng.random(3 * MOST_POINTS)
    y = (rng.random(p.size) < p).astype(int)
    costs = SimpleNamespace(row_weights=lambda y, weight: weight)
    ax = draw_calibration(
        SimpleNamespace(cases=SimpleNamespace(y=y, weight=None), p=p, costs=costs)
    )
    (line,) = (line for line in ax.lines if line.get_label() == "isotonic regression")
    at, height = line.get_data()
    assert at.size == MOST_POINTS and abs(at - np.sort(p)[1::3]).max() < 0.001
    assert abs(height - at).max() < 0.1
    plt.close("all")


def test_rankers_that_a_time_limit_left_out_take_one_sentence(result):
    late = "the time was over first"
    changed = SimpleNamespace(
        failures={},
        left_out={"forest": late, "boost": "a fit to a sample took more than 3 s", "svm": late},
        fewer_rows={"tree": (400, 4000), "line": (2000, 4000), "curves": (400, 4000)},
    )
    left_out, fewer = failed_in_words(changed)
    assert left_out == (
        "Left out because of the time limit: forest, svm (the time was over first); boost (a fit "
        "to a sample took more than 3 s)."
    )
    assert fewer == (
        "Trained on fewer than the 4000 training rows of a fold because of the time limit, and "
        "tested on all rows: line (2000); tree, curves (400)."
    )
    assert failed_in_words(result) == []


def test_curves_of_many_points_are_drawn_by_those_that_can_be_seen():
    rng = np.random.default_rng(0)
    y = np.arange(100_000) % 2
    result = compare_scores(y, {"a": rng.normal(size=y.size) + y})
    roc = roc_curve(y, result.scores["a"])
    precision, recall, _ = precision_recall_curve(y, result.scores["a"])
    for display, x, value in (
        (result.plot(), roc.fpr, roc.tpr),
        (result.plot_precision(), recall, precision),
    ):
        line_x, line_y = display.lines_["a"].get_data()
        assert line_x.size < 20_000 < x.size
        drawn = dict.fromkeys(zip(line_x.tolist(), line_y.tolist()))
        assert drawn.keys() <= dict.fromkeys(zip(x.tolist(), value.tolist())).keys()
        for extreme in (np.fmin, np.fmax):
            of_all = np.full(4001, np.nan)
            of_drawn = np.full(4001, np.nan)
            extreme.at(of_all, (x * 4000).astype(int), value)
            extreme.at(of_drawn, (line_x * 4000).astype(int), line_y)
            np.testing.assert_array_equal(of_drawn, of_all)
    plt.close("all")
