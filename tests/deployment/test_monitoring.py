"""Monitoring after deployment: tests of rates and of calibration, when something changed, a batch and its expectation, a log, a saved model on later rows."""

import csv
import pickle
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, binom
from sklearn.linear_model import LogisticRegression

from aucbook import cli, compare
from aucbook.cli import monitor
from aucbook.cli.arguments import UserError
from aucbook.deployment import (
    CalibrationMonitor,
    JointMonitor,
    Monitor,
    calibration_monitor,
    rate_monitor,
)
from aucbook.deployment.monitoring import calibration_factors
from aucbook.model_selection import CompareOptions


def log_of(counts, n, rate, **options):
    """Monitor of months of n negatives with the given numbers of false alarms, which come first."""
    alarms = np.concatenate([np.arange(n) < k for k in counts])
    return rate_monitor(
        np.zeros(alarms.size),
        alarms,
        bound=rate,
        batches=np.repeat(np.arange(len(counts)), n),
        **options,
    )


# ---- the game


@pytest.mark.parametrize("rate, size", [(0.5, 2), (0.3, 3), (0.04, 3)])
def test_wealth_is_a_supermartingale_under_the_guarantee(rate, size):
    paths = list(product(range(size + 1), repeat=4))
    wealth = np.array([log_of(path, size, rate).wealth for path in paths])

    def mean(p):
        return np.array([binom.pmf(path, size, p).prod() for path in paths]) @ wealth

    np.testing.assert_allclose(mean(rate), 1, rtol=1e-10)
    assert (np.diff(np.append(1, mean(0.7 * rate))) <= 1e-12).all() and mean(1.3 * rate)[-1] > 1


def test_false_alarm_probability_over_all_paths():
    """All 2^11 runs of eleven negatives, one by one: at the guaranteed rate, and at varying rates below it."""
    rate = 0.3
    confidence_level = 0.8
    n = 11
    lives = np.array(list(product((0, 1), repeat=n)))
    raised = np.array(
        [
            rate_monitor(np.zeros(n), life, bound=rate, confidence_level=confidence_level).raised
            for life in lives
        ]
    )
    for p in (np.full(n, rate), np.linspace(0.1, rate, n), rate * (np.arange(n) % 2)):
        chance = np.where(lives, p, 1 - p).prod(axis=1)
        assert abs(chance.sum() - 1) < 1e-12 and chance @ raised <= 1 - confidence_level
    assert raised.any()


def test_false_alarms_of_long_runs_and_detection_of_a_change():
    rng = np.random.default_rng(0)
    years = [log_of(rng.binomial(50, 0.1, 12), 50, 0.1).raised for _ in range(1000)]
    assert np.mean(years) < 0.05
    late = [
        log_of(rng.binomial(50, np.repeat([0.075, 0.25], [24, 12])), 50, 0.1) for _ in range(50)
    ]
    assert all(alarm.raised and alarm.at >= 24 for alarm in late)
    assert np.median([alarm.since for alarm in late]) in (23, 24, 25)
    assert np.mean([alarm.since_low <= 24 <= alarm.since_high for alarm in late]) >= 0.95


def test_the_interval_holds_at_all_times():
    rng, p = np.random.default_rng(1), 0.2
    missed = 0
    for _ in range(200):
        life = rng.random(300) < p
        ends = [
            rate_monitor(np.zeros(n), life[:n], bound=0.5, confidence_level=0.9)
            for n in (1, 3, 10, 30, 100, 300)
        ]
        missed += any(not interval.low <= p <= interval.high for interval in ends)
    assert missed / 200 < 0.1
    once = beta.ppf([0.025, 0.975], [20, 21], [81, 80])  # Clopper and Pearson: for one look
    interval = log_of([20], 100, 0.5)
    assert interval.low < once[0] < interval.value == 0.2 < once[1] < interval.high


def test_the_order_within_a_batch_does_not_matter():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 600)
    flagged = rng.random(600) < 0.2
    month = np.repeat(np.arange(6), 100)
    monitor = rate_monitor(y, flagged, bound=0.1, batches=month)
    order = np.lexsort((flagged, month))[::-1]
    order = order[np.argsort(month[order], kind="stable")]
    again = rate_monitor(y[order], flagged[order], bound=0.1, batches=month[order])
    np.testing.assert_allclose(monitor.wealth, again.wealth)
    assert (monitor.raised, monitor.at, monitor.since_low) == (
        again.raised,
        again.at,
        again.since_low,
    )
    assert monitor.denominator == (y == 0).sum()


# ---- the log


def test_late_labels_and_duplicate_rows():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    flagged = (rng.random(200) < 0.3).astype(float)
    once = rate_monitor(y, flagged, bound=0.1, batches=np.ones(200))
    key, gone = np.arange(200), np.full(200, np.nan)
    parts = [
        (gone, flagged, key, 0),
        (gone, flagged, key, 0),
        (y, gone, key, 1),
        (y, flagged, key, 2),
    ]
    labels, alarms, keys = (np.concatenate([batch[i] for batch in parts]) for i in range(3))
    monitor = rate_monitor(
        labels, alarms, bound=0.1, keys=keys, batches=np.repeat([0, 0, 1, 2], 200)
    )
    np.testing.assert_allclose(monitor.wealth, [1, *once.wealth, *once.wealth])
    assert (
        monitor.repeated == 400
        and monitor.contrary == 0
        and monitor.cases == 200
        and monitor.batches == [0, 1, 2]
    )
    before = rate_monitor(labels[:400], alarms[:400], bound=0.1, keys=keys[:400])
    assert (before.waiting, before.denominator, before.raised, before.low, before.high) == (
        200,
        0,
        False,
        0,
        1,
    )
    assert (
        np.isnan(before.value) and before.labelled.sum() == 200 and before.labelled[:, 1].sum() == 0
    )
    against = rate_monitor([0, 1, None], [1, 1, 0], bound=0.1, keys=["a"] * 3)
    assert against.contrary == 2 and (against.numerator, against.denominator) == (1, 1)


def test_labels_of_any_kind_and_bad_ones():
    words = rate_monitor(
        ["well", "sick", "", None], [True, True, False, False], bound=0.1, pos_label="sick"
    )
    assert (words.denominator, words.waiting, words.numerator) == (1, 2, 1)
    assert rate_monitor([], [], bound=0.1).wealth.size == 0
    for arguments, options, wrong in (
        (([0, 2], [0, 0]), {}, "or pos_label must name"),
        (([0, 1, 2], [0, 0, 0]), {"pos_label": 2}, "2 and one other label"),
        (([0, 0], [0.5, 0]), {}, "alarms must hold 0 and 1,"),
        (([0, 0], [2, 0]), {}, "alarms must hold 0 and 1,"),
        (([0, 0], 1), {}, "alarms must be a one-dim"),
        (([0, 0], [0]), {}, "labels has 2 rows but alarms has 1"),
        (([0, 0], [0, 0]), {"keys": [1]}, "keys must be 2 names"),
        (([0, 0], [0, 0]), {"batches": [1, None]}, "batches has 1 missing"),
        (([0, 0], [0, 0]), {"bound": 1}, "bound must be a number"),
        (([0, 0], [0, 0]), {"confidence_level": 0}, "confidence_level"),
        (([0, 0], [0, 0]), {"rate": "recall"}, "rate must be 'fpr', 'tpr'"),
        (([0, 0], [0, 0]), {"direction": "up"}, "direction must be 'above' or 'below'"),
    ):
        with pytest.raises(ValueError, match=wrong):
            rate_monitor(*arguments, **{"bound": 0.1, **options})


# ---- the command line


def visits(n, seed, shift=0.0):
    """(X, y): two measurements, and an uninformative ward."""
    rng = np.random.default_rng(seed)
    y = rng.binomial(1, 0.3, n)
    dose = (rng.normal(size=n) + 1.2 * y + shift).round(3)
    return np.array([dose, rng.normal(size=n).round(3), rng.choice(["a", "b"], n)], object).T, y


def write(path, header, rows):
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([header, *rows])
    return str(path)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    pytest.importorskip("skops")
    X, y = visits(900, 0)
    decision = compare(X, y, {"line": LogisticRegression()}, max_fpr=0.2, cv=3).decide(X)
    return str(decision.save(tmp_path_factory.mktemp("model") / "model.skops")), decision


HEADER = ["0", "1", "2"]


def test_score_compares_a_batch_with_the_expectation(model, tmp_path, capsys):
    path, decision = model

    def printed_for(X):
        data = write(tmp_path / "new.csv", HEADER, X)
        assert cli.main(["score", path, data, "--out", str(tmp_path / "o.csv")]) == 0
        return capsys.readouterr().out

    def count_and_range(X):
        pattern = r"positive predictions: (\d+) of \d+ \(expected (\d+) to (\d+)\)"
        return [int(number) for number in re.search(pattern, printed_for(X)).groups()]

    count, low, high = count_and_range(visits(400, 1)[0])
    assert low <= count <= high
    count, _, high = count_and_range(visits(400, 1, shift=1.5)[0])
    assert count > high
    count, low, _ = count_and_range(visits(400, 1, shift=-3)[0])
    assert count < low
    assert "(expected 0 to 1); 0.0% of the values are missing" in printed_for(visits(1, 2)[0])
    gaps = visits(50, 3)[0]
    gaps[:5, 1], gaps[7, 2] = "", "east"
    output = printed_for(gaps)
    assert (
        "3.3% of the values are missing" in output
        and "column '1': 5 missing, none in the comparison; replaced by the median" in output
    )
    assert "column '2': 1 row has a level that the training rows did not have ('east')" in output
    assert printed_for([]).startswith("0 rows scored by line, 0 alarms")
    assert list(csv.reader(open(tmp_path / "o.csv"))) == [["row", "score", "probability", "alarm"]]


def test_score_reports_missing_numbers_beside_dates(tmp_path, capsys):
    """Dates with the day first are numbers, too: new gaps are named by their own columns."""
    pytest.importorskip("skops")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    dates = [f"{day}.{month}.2025" for day, month in rng.integers(1, 13, (199, 2))]
    X = np.array([y + rng.normal(size=200), ["28.2.2025", *dates], rng.normal(size=200)], object).T
    names = ["dose", "seen", "age"]
    result = compare(
        X, y, {"line": LogisticRegression()}, cv=3, options=CompareOptions(feature_names=names)
    )
    decision = result.decide(X)
    path = str(decision.save(tmp_path / "model.skops"))
    new = X[:20].copy()
    new[:3, 2] = ""
    new[5:7, 1] = ""
    data = write(tmp_path / "new.csv", names, new)
    assert cli.main(["score", path, data, "--out", str(tmp_path / "o.csv")]) == 0
    output = capsys.readouterr().out
    for name, count in (("age", 3), ("seen", 2)):
        assert f"column '{name}': {count} missing, none in the comparison" in output


def test_monitor_reads_a_log(model, tmp_path, capsys):
    path, decision = model
    log = tmp_path / "log"
    log.mkdir()

    def month(name, seed, shift, start):
        X, y = visits(200, seed, shift)
        rows = [
            [f"'-{start + i}", s, int(s >= decision.threshold), ""]
            for i, s in enumerate(decision.decision_function(X))
        ]
        write(log / f"{name}.csv", ["case", "score", "alarm", "label"], rows)
        return [[row[0][1:], label] for row, label in zip(rows, y)]

    call = ["monitor", path, str(log), "--key", "case"]
    labels = month("2026-01", 1, 0, 0)
    assert cli.main(call) == 0
    output = capsys.readouterr().out
    assert (
        "200 cases, 200 of them without a label" in output and "no labelled negatives yet" in output
    )
    write(log / "2026-02.csv", ["case", "label"], labels)
    before = {file.name: file.read_bytes() for file in log.iterdir()}
    assert cli.main(call) == 0
    assert "no warning" in (output := capsys.readouterr().out) and "repeated rows" not in output
    (log / "2026-03.csv").write_bytes(
        (log / "2026-01.csv").read_bytes()
    )  # a batch that comes twice
    assert cli.main(call) == 0
    assert "200 repeated rows (the same batch twice?)" in (again := capsys.readouterr().out)
    assert again.splitlines()[2:] == output.splitlines()[1:]
    later = month("2026-04", 4, 1.5, 200)
    write(log / "2026-05.csv", ["case", "label"], later)
    assert cli.main(call) == 1
    output = capsys.readouterr().out
    assert (
        "WARNING: the false positive rate is above 20.0%; detected at 2026-05.csv, probably since "
        "2026-04.csv; it began" in output  # the batch that was scored, not the file of its labels
    )
    assert all((log / name).read_bytes() == content for name, content in before.items())
    # labels of the alarms alone
    alone = tmp_path / "one.csv"
    rows = [
        [i, int(s >= decision.threshold)]
        for i, s in enumerate(decision.decision_function(visits(300, 5)[0]))
    ]
    write(alone, ["case", "alarm", "label"], [[*row, "0" if row[1] else ""] for row in rows])
    cli.main(["monitor", path, str(alone)])
    assert "caution: labels are known for" in capsys.readouterr().out


def test_monitor_takes_scores_and_months_of_one_file(model, tmp_path, capsys):
    path, decision = model
    X, y = visits(600, 6)
    s = decision.decision_function(X)
    rows = [[value, label, f"2026-{i // 100:02}"] for i, (value, label) in enumerate(zip(s, y))]
    data = write(tmp_path / "log.csv", ["score", "sick", "month"], rows)
    cli.main(["monitor", path, data, "--label", "sick", "--batch", "month"])
    output = capsys.readouterr().out
    monitor = rate_monitor(y, s >= decision.threshold, bound=0.2, batches=np.arange(600) // 100)
    assert (
        f"({monitor.numerator} of {monitor.denominator} negatives)" in output
        and f"{monitor.wealth[-1]:.3g}" in output
    )


def test_labels_in_words_and_other_spellings_of_numbers():
    assert monitor.class_codes(
        ["sick", " well", "", "NA"], np.array(["well", "sick"]), "ill", "f"
    ) == [1, 0, None, None]
    assert monitor.class_codes(["1", "0.0", "1e0", "null"], np.array([0.0, 1.0]), "ill", "f") == [
        1,
        0,
        1,
        None,
    ]
    assert monitor.class_codes(["none", "some"], np.array(["none", "some"]), "ill", "f") == [0, 1]
    with pytest.raises(UserError, match="row 3: 'Sick' is neither well nor sick"):
        monitor.class_codes(["sick", "Sick"], np.array(["well", "sick"]), "ill", "f")


def test_a_batch_without_positives(model, tmp_path, capsys):
    path, _ = model
    data = write(tmp_path / "log.csv", ["case", "alarm", "label"], [])
    assert cli.main(["monitor", path, data]) == 0
    assert capsys.readouterr().out.startswith("0 cases, 0 of them without a label")
    (tmp_path / "log.csv").write_text("")
    assert cli.main(["monitor", path, data]) == 2 and "no data" in capsys.readouterr().err


def test_errors_of_monitor(model, tmp_path, capsys):
    path, _ = model
    log = tmp_path / "log"
    log.mkdir()

    def wrong(*options, log=log):
        assert cli.main(["monitor", path, str(log), *options]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        return error

    assert "there is no .csv" in wrong()
    write(log / "a.csv", ["case", "alarm", "label"], [["1", "0", "0"]])
    assert "did you mean 'case'" in wrong("--key", "cass")
    assert "--confidence-level" in wrong("--confidence-level", "2")
    for header, row, message in (
        (
            ["case", "flagged", "visits"],
            ["1", "0", "0"],
            "has neither alarm nor score, nor 'label'",
        ),
        (["number", "alarm"], ["1", "0"], "has no column 'case'"),
        (["case", "alarm"], ["1", "2"], "column 'alarm', row 2: '2' is neither 0 nor 1"),
        (["case", "label"], ["1", "ill"], "column 'label', row 2: 'ill' is neither 0 nor 1"),
        (
            ["case", "score"],
            ["1", "high"],
            "column 'score', row 2: the value is 'high', not a number",
        ),
        (["case", "alarm"], ["", "1"], "row 2: the identifier of the case is missing"),
    ):
        write(log / "b.csv", header, [row])
        assert message in wrong("--key", "case")
    assert "Give --key" in wrong()
    assert "--batch is for a log of one file" in wrong("--key", "case", "--batch", "month")
    assert "there is no file" in wrong(log=tmp_path / "none.csv")


def test_validate_compares_with_the_expected_performance(model, tmp_path, capsys):
    path, decision = model
    X, y = visits(700, 7)
    rows = [[*x, label] for x, label in zip(X, y)] + [[*X[0], ""]]
    data = write(tmp_path / "later.csv", [*HEADER, "sick"], rows)
    out = tmp_path / "out"
    assert cli.main(["validate", path, data, "--label", "sick", "--out", str(out)]) == 0
    output = capsys.readouterr().out
    cells = {row["measure"]: row for row in csv.DictReader(open(out / "validation.csv"))}
    flagged = decision.predict(X) == 1
    assert cells["false positive rate"]["observed"].startswith(f"{flagged[y == 0].mean():.3f} (")
    assert cells["precision"]["observed"].startswith(f"{y[flagged].mean():.3f} (")
    brier = np.mean((decision.predict_proba(X)[:, 1] - y) ** 2)
    assert (
        cells["Brier score"]["observed"].startswith(f"{brier:.3f} (")
        and f"Brier score {brier:.4f}" in output
    )
    benefit = (flagged & (y == 1)).mean() - decision.performance.threshold_probability.value / (
        1 - decision.performance.threshold_probability.value
    ) * (flagged & (y == 0)).mean()
    assert cells["net benefit"]["observed"].startswith(f"{benefit:.3f} (")
    assert (
        "The guaranteed false positive rate of at most 20.0% holds" in output
        and "1 unlabelled row was dropped" in output
    )
    page = (out / "report.html").read_text()
    assert (
        "Expected and observed performance" in page
        and "The guaranteed false positive rate of at most" in page
        and not (out / "model.skops").exists()
    )
    # another place, where all values are higher
    X, y = visits(700, 8, shift=1.5)
    data = write(tmp_path / "later.csv", [*HEADER, "sick"], [[*x, label] for x, label in zip(X, y)])
    assert cli.main(["validate", path, data, "--label", "sick", "--out", str(out)]) == 1
    output = capsys.readouterr().out
    cells = {
        row["measure"]: row["difference"] for row in csv.DictReader(open(out / "validation.csv"))
    }
    assert (
        "of at most 20.0% is broken" in output
        and cells["false positive rate"] == cells["share predicted positive"] == "higher"
    )
    assert cells["prevalence"] == "as expected"
    for header, label, wrong in (
        (HEADER, "sick", "no label 'sick'"),
        ([*HEADER[:2], "x", "sick"], "sick", "column '2' is missing"),
    ):
        data = write(tmp_path / "bad.csv", header, [["1", "2", "a", "0"][: len(header)]] * 3)
        assert cli.main(["validate", path, data, "--label", label, "--out", str(out)]) == 2
        error = capsys.readouterr().err
        assert wrong in error and error.count("\n") == 1


# ---------------------------------------------------------------- the order of files and batches
def log_folder(path, names):
    """A folder of logs whose i-th file has the i-th share of false alarms."""
    path.mkdir()
    for k, (name, share) in enumerate(names):
        rows = "".join(f"{100 * k + i},{int(i < 40 * share)},0\n" for i in range(40))
        (path / f"{name}.csv").write_text("case,alarm,label\n" + rows)
    return str(path)


@pytest.mark.parametrize(
    "names",
    [("2026-2", "2026-10"), ("Dec-25", "Jan-26"), ("2025-Q4", "2026-Q1"), ("2026-W9", "2026-W10")],
)
def test_files_are_batches_in_the_order_of_time(model, tmp_path, capsys, names):
    folder = log_folder(tmp_path / "log", [(names[0], 0.0), (names[1], 1.0)])
    assert cli.main(["monitor", model[0], folder, "--key", "case"]) == 1
    output = capsys.readouterr().out
    assert f"detected at {names[1]}.csv, probably since {names[1]}.csv" in output


def test_files_of_ambiguous_order_are_refused(model, tmp_path, capsys):
    folder = log_folder(tmp_path / "log", [("log 9", 0.0), ("log 10", 1.0)])
    assert cli.main(["monitor", model[0], folder, "--key", "case"]) == 2
    error = capsys.readouterr().err
    assert "which file came first, 'log 10' or 'log 9'?" in error and error.count("\n") == 1


def test_batches_of_one_file_are_in_the_order_of_time(model, tmp_path, capsys):
    rows = [
        f"{month},{i},{int(month == '2026-10')},0\n"
        for i, month in enumerate(["2026-10"] * 40 + ["2026-2"] * 40)
    ]
    path = tmp_path / "log.csv"
    path.write_text("month,case,alarm,label\n" + "".join(rows))
    call = ["monitor", model[0], str(path), "--key", "case", "--batch", "month"]
    assert cli.main(call) == 1
    assert "detected at 2026-10, probably since 2026-10" in capsys.readouterr().out
    path.write_text("month,case,alarm,label\n" + "".join(rows).replace("2026-2,50", ",50"))
    assert (
        cli.main(call) == 2
        and "column 'month', row 52: the batch is missing" in capsys.readouterr().err
    )
    path.write_text(
        "month,case,alarm,label\n" + "".join(f"{'ab'[i % 2]},{i},0,0\n" for i in range(6))
    )
    assert (
        cli.main(call) == 2
        and "row 4: the batch 'a' starts again after 'b'" in capsys.readouterr().err
    )


def test_words_for_missing_values_in_a_log(model, tmp_path, capsys):
    path = tmp_path / "log.csv"
    for word in ("", "NA", "nan", "None", "<NA>", "?", "-9", "-9.0"):
        path.write_text(f"case,score,label\n1,0.1,{word}\n2,{word},0\n3,0.2,0\n")
        assert cli.main(["monitor", model[0], str(path), "--key", "case", "--na-values=?,-9"]) == 0
        assert "3 cases, 2 of them without a label or an alarm yet" in capsys.readouterr().out


# ---------------------------------------------------------------- any rate
def display_html(value):
    """What a notebook shows."""
    return value._repr_html_()


def one_rate(rate, hits):
    """(labels, alarms) in which the rate of 0/1 hits is the share of hits."""
    ones = np.ones(len(hits))
    return {
        "fpr": (0 * ones, hits),
        "tpr": (ones, hits),
        "precision": (hits, ones),
        "npv": (1 - hits, 0 * ones),
        "alarm_rate": (None, hits),
    }[rate]


@pytest.mark.parametrize("rate", ["fpr", "tpr", "precision", "npv", "alarm_rate"])
def test_every_rate_counts_what_it_is_named_after(rate):
    rng = np.random.default_rng(0)
    y, alarm = rng.integers(0, 2, (2, 500))
    expected = {
        "fpr": alarm[y == 0],
        "tpr": alarm[y == 1],
        "precision": y[alarm == 1],
        "npv": 1 - y[alarm == 0],
        "alarm_rate": alarm,
    }[rate]
    monitor = rate_monitor(y, alarm, rate=rate, bound=0.4, batches=np.arange(500) // 50)
    assert (monitor.numerator, monitor.denominator) == (expected.sum(), expected.size)
    assert monitor.numerator_by_batch.sum() == monitor.numerator
    assert monitor.low < monitor.value < monitor.high


@pytest.mark.parametrize("rate", ["fpr", "tpr", "precision", "npv", "alarm_rate"])
@pytest.mark.parametrize("direction", ["above", "below"])
def test_both_directions_are_one_game(rate, direction):
    rng = np.random.default_rng(1)
    good, bad = (0.2, 0.5) if direction == "above" else (0.5, 0.2)
    hits = (rng.random(800) < np.repeat([good, bad], 400)).astype(float)
    months = np.arange(800) // 40
    labels, alarms = one_rate(rate, hits)
    options = {"rate": rate, "bound": 0.35, "direction": direction, "batches": months}
    monitor = rate_monitor(labels, alarms, **options)
    assert monitor.raised and monitor.since_low <= 10 <= monitor.since_high <= monitor.at
    events = hits if direction == "above" else 1 - hits
    bound = 0.35 if direction == "above" else 0.65
    same = rate_monitor(np.zeros(800), events, bound=bound, batches=months)
    np.testing.assert_allclose(monitor.wealth, same.wealth)
    assert (monitor.at, monitor.since_low) == (same.at, same.since_low)


def test_no_label_is_needed_for_the_rate_of_alarms():
    monitor = rate_monitor(None, [1, 0, 0, None], rate="alarm_rate", bound=0.5)
    assert (monitor.numerator, monitor.denominator, monitor.waiting) == (1, 3, 1)


# ---------------------------------------------------------------- batch by batch
def test_updates_equal_the_log_at_once():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 900)
    alarms = (rng.random(900) < np.repeat([0.1, 0.4], 450)).astype(float)
    months = np.arange(900) // 45
    at_once = rate_monitor(y, alarms, bound=0.15, batches=months, keys=np.arange(900))
    monitor = Monitor("fpr", bound=0.15)
    for month in range(20):
        rows = months == month
        back = monitor.update(y[rows], alarms[rows], keys=np.flatnonzero(rows), batches=month)
        assert back is monitor
    np.testing.assert_allclose(monitor.wealth, at_once.wealth, rtol=1e-12)
    for name in ("raised", "at", "since", "since_low", "since_high", "value", "low", "high"):
        assert getattr(monitor, name) == getattr(at_once, name)
    assert monitor.denominator_by_batch.tolist() == at_once.denominator_by_batch.tolist()
    assert np.array_equal(monitor.labelled, at_once.labelled)
    unkeyed = rate_monitor(y, alarms, bound=0.15, batches=months)
    assert np.array_equal(unkeyed.labelled, at_once.labelled)
    assert unkeyed.wealth.tolist() == at_once.wealth.tolist()


def test_labels_that_come_later_count_when_they_come():
    monitor = Monitor("fpr", bound=0.1)
    for month in range(6):
        keys = np.arange(100) + 100 * month
        alarms = (np.arange(100) < (40 if month > 2 else 2)).astype(float)
        monitor.update([None] * 100, alarms, keys=keys, batches=f"scored {month}")
    assert monitor.waiting == 600 and monitor.wealth.tolist() == [1] * 6
    monitor.update(np.zeros(600), [None] * 600, keys=np.arange(600), batches="labels")
    assert monitor.waiting == 0 and monitor.at == "labels"
    assert (monitor.since, monitor.since_high) == ("scored 3", "scored 5")
    assert monitor.denominator_by_batch.tolist() == [100] * 6 + [0]


def test_an_update_that_is_refused_changes_nothing():
    monitor = Monitor("tpr", bound=0.8, pos_label="sick")
    monitor.update(["sick", "well"], [1, 0], keys=["a", "b"])
    before = repr(monitor), monitor.batches, monitor.wealth.tolist()
    for labels, alarms, keys in (
        (["sick"], [2], ["c"]),
        (["sick"], [1], None),
        (["sick", "fine"], [1, 0], ["c", "d"]),
        (["sick"], [1, 0], ["c"]),
        (["sick"], [1], [None]),
    ):
        with pytest.raises(ValueError):
            monitor.update(labels, alarms, keys=keys)
    assert before == (repr(monitor), monitor.batches, monitor.wealth.tolist())


def test_a_rejection_stays():
    monitor = Monitor("fpr", bound=0.1).update(np.zeros(60), np.ones(60), batches="May")
    first = monitor.at, monitor.since_low, monitor.since_high
    monitor.update(np.zeros(2000), np.zeros(2000), batches="June")
    assert monitor.wealth[-1] < 20 and monitor.raised
    assert first == (monitor.at, monitor.since_low, monitor.since_high) == ("May",) * 3


def test_monitors_pickle():
    monitor = rate_monitor([0, 1], [1, 1], bound=0.1, keys=["a", "b"], batches=[0, 0])
    again = pickle.loads(pickle.dumps(monitor))
    again.update([0], [0], keys=["a"])
    assert again.contrary == 1 and monitor.contrary == 0


def test_contradictions_and_empty_periods_are_named():
    monitor = rate_monitor(
        [1, 0, 0, 0],
        [1, 0, 1, 0],
        rate="tpr",
        bound=0.5,
        keys=["p7", "p8", "p9", "p7"],
        batches=["Jan", "Jan", "Feb", "Feb"],
    )
    text = repr(monitor)
    assert "1 row contradicts an earlier row of its case (p7), which is used instead" in text
    assert "1 of 2 batches with labels have no positives (Feb): they say nothing" in text
    assert len(text.splitlines()) < 12
    page = display_html(monitor)
    assert "<table>" in page and "<svg" in page


# ---------------------------------------------------------------- when it broke
def test_the_set_contains_the_change():
    """At the bounds of both sides, where the tests that exclude batches have their full error."""
    rng = np.random.default_rng(3)
    missed = false = 0
    for _ in range(300):
        rates = np.repeat([0.1, 0.1001, 0.3], [8, 12, 10])
        alarms = rng.random((30, 40)) < rates[:, None]
        monitor = rate_monitor(
            np.zeros(alarms.size), alarms.ravel(), bound=0.1, batches=np.repeat(np.arange(30), 40)
        )
        false += monitor.raised and monitor.since_high < 8
        missed += monitor.raised and monitor.since_high >= 8 and monitor.since_low > 8
    assert false / 300 <= 0.05 and missed / 300 <= 0.05


def test_the_set_shrinks_with_the_contrast():
    widths = [
        log_of([round(200 * share)] * 12 + [100] * 3, 200, 0.1).since_low
        for share in (0.1, 0.08, 0.05, 0.02)
    ]
    assert widths == sorted(widths) and widths[0] == 0 and widths[-1] >= 11


# ---------------------------------------------------------------- calibration
@pytest.mark.parametrize("tolerance", [0.0, 0.03, 0.3])
def test_no_bet_gains_while_probabilities_are_calibrated(tolerance):
    rng = np.random.default_rng(4)
    p = np.r_[0, 1, 1e-12, rng.random(200)]
    pivot = rng.random(p.size)
    event, _ = calibration_factors(p, np.ones(p.size), pivot, tolerance)
    other, _ = calibration_factors(p, np.zeros(p.size), pivot, tolerance)
    assert np.isfinite(event).all() and np.isfinite(other).all()
    for share in (-1, -0.5, 0, 1):
        true = np.clip(p + share * tolerance, 0, 1)[:, None]
        assert (true * np.exp(event) + (1 - true) * np.exp(other)).max() < 1 + 1e-8


@pytest.mark.parametrize("form", ["too low", "too high", "too extreme", "too moderate"])
def test_the_form_of_miscalibration_is_named(form):
    rng = np.random.default_rng(5)
    p = rng.uniform(0.1, 0.9, 3000)
    true = {
        "too low": np.minimum(p + 0.2, 1),
        "too high": np.maximum(p - 0.2, 0),
        "too extreme": 0.5 + 0.3 * (p - 0.5),
        "too moderate": np.clip(0.5 + 2.5 * (p - 0.5), 0, 1),
    }[form]
    month = np.arange(3000) // 100
    y = rng.random(3000) < np.where(month < 15, p, true)
    monitor = calibration_monitor(y, p, batches=month, tolerance=0.03)
    assert monitor.raised and monitor.form == form
    assert monitor.since_low <= 15 <= monitor.since_high
    assert f"the probabilities are {form}" in repr(monitor)


def test_calibration_batch_by_batch_with_late_labels():
    rng = np.random.default_rng(6)
    p = rng.random(400)
    y = (rng.random(400) < p).astype(float)
    at_once = calibration_monitor(y, p, batches=np.arange(400) // 100)
    parts = CalibrationMonitor()
    for month in range(4):
        rows = slice(100 * month, 100 * month + 100)
        parts.update(y[rows], p[rows], batches=month)
    np.testing.assert_allclose(parts.wealth, at_once.wealth)
    assert parts.low < parts.value < parts.high
    assert parts.value == pytest.approx(y.mean() - p.mean())
    np.testing.assert_allclose(parts.predicted_by_batch, p.reshape(4, 100).mean(axis=1))
    late = CalibrationMonitor()
    late.update([None] * 400, p, keys=np.arange(400), batches="scored")
    assert late.n == 0 and np.isnan(late.value) and "no labels yet" in repr(late)
    late.update(y, [None] * 400, keys=np.arange(400), batches="labels")
    assert (late.n, late.waiting) == (400, 0) and late.value == pytest.approx(at_once.value)
    assert "<table>" in display_html(late)


def test_what_are_no_probabilities():
    for labels, p, wrong in (
        ([0, 1], [0.5, 1.5], "must lie between 0 and 1, got 0.5 to 1.5; scores have to be"),
        ([0, 1], [[0.5], [0.5]], "one-dimensional"),
        ([0, 1], [0.5], "labels has 2 rows but probabilities has 1"),
        ([0, 2], [0.5, 0.5], "pos_label must name"),
    ):
        with pytest.raises(ValueError, match=wrong):
            calibration_monitor(labels, p)
    with pytest.raises(ValueError, match="tolerance"):
        calibration_monitor(tolerance=0.5)


# ---------------------------------------------------------------- the command line, any rate
def test_monitor_of_any_rate(model, tmp_path, capsys):
    path, decision = model
    X, y = visits(600, 6)
    s, p = decision.decision_function(X), decision.predict_proba(X)[:, 1]
    flagged = s >= decision.threshold
    month = [f"2026-{1 + i // 100:02}" for i in range(600)]
    data = write(tmp_path / "log.csv", ["score", "label", "month"], zip(s, y, month))
    for rate, bound in (("tpr", 0.1), ("precision", 0.1), ("npv", 0.1), ("alarm_rate", 0.9)):
        assert cli.main(["monitor", path, data, "--rate", rate, "--bound", str(bound)]) == 0
        expected = rate_monitor(y, flagged, rate=rate, bound=bound)
        assert f"({expected.numerator} of {expected.denominator} " in capsys.readouterr().out
    call = ["monitor", path, data, "--batch", "month", "--rate", "tpr", "--bound", ".99"]
    assert cli.main(call) == 1
    output = capsys.readouterr().out
    assert "WARNING: the true positive rate is below 99.0%; detected at 2026-0" in output
    assert cli.main([*call[:3], "--rate", "tpr"]) == 2
    error = capsys.readouterr().err
    assert "--rate tpr needs --bound, the smallest acceptable rate" in error
    assert f"on held-out rows it was {decision.performance.tpr.value:.1%}" in error
    assert cli.main([*call, "--direction", "above"]) == 0
    assert "bound: at most 99.0%" in capsys.readouterr().out
    # probabilities, or those of the scores
    assert cli.main(["monitor", path, data, "--rate", "calibration"]) == 0
    from_scores = capsys.readouterr().out
    assert f"mean predicted {p.mean():.1%}, observed {y.mean():.1%} of 600 cases" in from_scores
    data = write(tmp_path / "p.csv", ["probability", "label"], zip(p, y))
    assert cli.main(["monitor", path, data, "--rate", "calibration"]) == 0
    assert capsys.readouterr().out == from_scores
    data = write(tmp_path / "p.csv", ["probability", "label"], zip(p / 4, y))
    assert cli.main(["monitor", path, data, "--rate", "calibration", "--tolerance", "0"]) == 1
    assert "the probabilities are too low, by more than 0" in capsys.readouterr().out
    # without any label
    data = write(tmp_path / "log.csv", ["alarm"], [[0]] * 40)
    assert cli.main(["monitor", path, data, "--rate", "alarm_rate", "--bound", ".5"]) == 0
    assert "alarm rate 0.0% (0 of 40 cases)" in capsys.readouterr().out


def test_scores_on_another_scale_are_named(model, tmp_path, capsys):
    path, decision = model
    X, y = visits(300, 7)
    s = decision.decision_function(X)
    rows = [[v, int(v >= decision.threshold), label, "Jan"] for v, label in zip(s, y)]
    rows += [[1000 + v, 1, label, "Feb"] for v, label in zip(s, y)]
    rows += [[v, int(v < decision.threshold), label, "Mar"] for v, label in zip(s, y)]
    data = write(tmp_path / "log.csv", ["score", "alarm", "label", "month"], rows)
    call = ["monitor", path, data, "--rate", "tpr", "--bound", ".01", "--batch", "month"]
    cli.main(call)
    lines = capsys.readouterr().out.splitlines()
    (scale,) = [line for line in lines if "lie outside" in line]
    assert scale.startswith("Feb: 300 of 300 scores lie outside ")
    (other,) = [line for line in lines if "differ from score >=" in line]
    assert other.startswith("Mar: 300 of 300 alarms differ")
    X[:, 0] = 1000 * X[:, 0].astype(float)  # millimetres for metres
    data = write(tmp_path / "new.csv", HEADER, X)
    assert cli.main(["score", path, data, "--out", str(tmp_path / "o.csv")]) == 0
    assert re.search(r"\d+ of 300 scores lie outside .* units", capsys.readouterr().out)


def test_renamed_columns_are_suggested(model, tmp_path, capsys):
    path, _ = model

    def error(*call):
        assert cli.main(list(map(str, call))) == 2
        message = capsys.readouterr().err
        assert message.count("\n") == 1
        return message

    log = write(tmp_path / "log.csv", ["alarm", "outcome", "patient"], [[1, 0, "a"]])
    assert "has no column 'outcom'; did you mean 'outcome'?" in error(
        "monitor", path, log, "--label", "outcom", "--key", "patient"
    )
    assert "no column 'result_come' of labels; did you mean 'outcome'? Give --label" in error(
        "monitor", path, log, "--label", "result_come", "--key", "patient"
    )
    assert "no column 'death' of labels; the columns are: outcome. Give --label" in error(
        "monitor", path, log, "--label", "death", "--key", "patient"
    )
    assert "no column 'pateint'; did you mean 'patient'?" in error(
        "monitor", path, log, "--label", "outcome", "--key", "pateint"
    )
    assert "no column 'mont'; the columns are:" in error(
        "monitor", path, log, "--label", "outcome", "--batch", "mont"
    )


def test_a_renamed_column_of_a_model_is_suggested(tmp_path, capsys):
    pytest.importorskip("skops")
    X, y = visits(200, 9)
    X = pd.DataFrame(X, columns=["dose", "age", "ward"])
    decision = compare(X, y, {"line": LogisticRegression()}, max_fpr=0.2, cv=3).decide(X)
    path = str(decision.save(tmp_path / "model.skops"))
    X = X.to_numpy()
    data = write(tmp_path / "new.csv", ["dose_mg", "age", "ward"], X)
    assert cli.main(["score", path, data, "--out", str(tmp_path / "o.csv")]) == 2
    assert "column 'dose' is missing; did you mean 'dose_mg'?" in capsys.readouterr().err
    data = write(tmp_path / "new.csv", ["x", "age", "ward"], X)
    assert cli.main(["score", path, data, "--out", str(tmp_path / "o.csv")]) == 2
    assert "column 'dose' is missing; the columns are: x, age, ward" in capsys.readouterr().err


# ---------------------------------------------------------------- several rates
def test_several_rates_in_one_call(model, tmp_path, capsys):
    path, decision = model
    rows = []
    for month in range(1, 9):
        X, y = visits(150, month, 1.5 if month > 5 else 0.0)
        score, alarm = decision.decision_function(X), decision.predict(X)
        rows += [[f"2026-{month}", *three] for three in zip(score, alarm, y)]
    log = write(tmp_path / "log.csv", ["month", "score", "alarm", "label"], rows)
    call = ["monitor", path, log, "--batch", "month", "--rate", "fpr", "--rate", "tpr=.3"]
    assert cli.main([*call, "--rate", "calibration=.1"]) == 1
    output = capsys.readouterr().out
    months, scores, alarms, labels = (np.array(column) for column in zip(*rows))
    p = decision.calibrator.predict_proba(scores.astype(float))[:, 1]
    joint = JointMonitor(
        [Monitor("fpr", bound=0.2), Monitor("tpr", bound=0.3), CalibrationMonitor(tolerance=0.1)]
    ).update(labels.astype(int), alarms.astype(int), p, batches=months)
    assert output.startswith("\n".join(joint.sentences()))
    assert "WARNING: the false positive rate is above 20.0%; named at 2026-" in output
    # a bound for each rate without one, in their order
    ordered = ["--rate", "fpr", "--rate", "tpr", "--bound", ".2", "--bound", ".3"]
    assert cli.main([*call[:5], *ordered]) == 1
    two = capsys.readouterr().out
    assert "bound: at most 20.0%" in two and "bound: at least 30.0%" in two
    for options, message in (
        (["--rate", "fpr", "--rate", "tpr", "--bound", ".8"], "--bound is given 1 time, and 2"),
        (["--rate", "fpr", "--rate", "tpr"], "--rate tpr needs --bound"),
        (["--rate", "calibration", "--bound", ".1"], "--bound is given 1 time, and 0"),
        (["--rate", "fpr", "--rate", "tpr=.5", "--direction", "above"], "--direction is for"),
        (["--rate", "fpr", "--rate", "fpr=.1"], "fpr above is watched twice"),
        (["--rate", "fpr=1.5"], "--bound"),
    ):
        assert cli.main([*call[:5], *options]) == 2
        assert message in capsys.readouterr().err
    for value in ("recall", "tpr=high"):
        with pytest.raises(SystemExit):
            cli.main([*call[:5], "--rate", value])
        assert value.partition("=")[2] in capsys.readouterr().err
