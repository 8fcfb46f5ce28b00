"""Monitoring after deployment: the test of a guaranteed false positive rate, a batch and its expectation, a log, a saved model on later rows."""

import csv
import re
from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, binom
from sklearn.linear_model import LogisticRegression

from aucbook import cli, compare
from aucbook.cli import monitor
from aucbook.cli.arguments import UserError
from aucbook.deployment import fpr_monitor


def log_of(counts, n, rate, **options):
    """FprMonitor of months of n negatives with the given numbers of false alarms, which come first."""
    alarms = np.concatenate([np.arange(n) < k for k in counts])
    return fpr_monitor(
        np.zeros(alarms.size), alarms, rate, batches=np.repeat(np.arange(len(counts)), n), **options
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
            fpr_monitor(np.zeros(n), life, rate, confidence_level=confidence_level).raised
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


def test_the_interval_holds_at_all_times():
    rng, p = np.random.default_rng(1), 0.2
    missed = 0
    for _ in range(200):
        life = rng.random(300) < p
        ends = [
            fpr_monitor(np.zeros(n), life[:n], 0.5, confidence_level=0.9)
            for n in (1, 3, 10, 30, 100, 300)
        ]
        missed += any(not interval.low <= p <= interval.high for interval in ends)
    assert missed / 200 < 0.1
    once = beta.ppf([0.025, 0.975], [20, 21], [81, 80])  # Clopper and Pearson: for one look
    interval = log_of([20], 100, 0.5)
    assert interval.low < once[0] < interval.rate == 0.2 < once[1] < interval.high


def test_the_order_within_a_batch_does_not_matter():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 600)
    flagged = rng.random(600) < 0.2
    month = np.repeat(np.arange(6), 100)
    monitor = fpr_monitor(y, flagged, 0.1, batches=month)
    order = np.lexsort((flagged, month))[::-1]
    order = order[np.argsort(month[order], kind="stable")]
    again = fpr_monitor(y[order], flagged[order], 0.1, batches=month[order])
    np.testing.assert_allclose(monitor.wealth, again.wealth)
    assert monitor[:7] == again[:7] and monitor.negatives == (y == 0).sum()


# ---- the log


def test_late_labels_and_duplicate_rows():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    flagged = (rng.random(200) < 0.3).astype(float)
    once = fpr_monitor(y, flagged, 0.1, batches=np.ones(200))
    key, gone = np.arange(200), np.full(200, np.nan)
    parts = [
        (gone, flagged, key, 0),
        (gone, flagged, key, 0),
        (y, gone, key, 1),
        (y, flagged, key, 2),
    ]
    labels, alarms, keys = (np.concatenate([batch[i] for batch in parts]) for i in range(3))
    monitor = fpr_monitor(labels, alarms, 0.1, keys=keys, batches=np.repeat([0, 0, 1, 2], 200))
    np.testing.assert_allclose(monitor.wealth, [1, *once.wealth, *once.wealth])
    assert (
        monitor.repeated == 400
        and monitor.contrary == 0
        and monitor.cases == 200
        and monitor.batches.tolist() == [0, 1, 2]
    )
    before = fpr_monitor(labels[:400], alarms[:400], 0.1, keys=keys[:400])
    assert (before.waiting, before.negatives, before.raised, before.low, before.high) == (
        200,
        0,
        False,
        0,
        1,
    )
    assert (
        np.isnan(before.rate) and before.labelled.sum() == 200 and before.labelled[:, 1].sum() == 0
    )
    against = fpr_monitor([0, 1, None], [1, 1, 0], 0.1, keys=["a"] * 3)
    assert against.contrary == 2 and (against.false_alarms, against.negatives) == (1, 1)


def test_labels_of_any_kind_and_bad_ones():
    words = fpr_monitor(
        ["well", "sick", "", None], [True, True, False, False], 0.1, pos_label="sick"
    )
    assert (words.negatives, words.waiting, words.false_alarms) == (1, 2, 1)
    assert fpr_monitor([], [], 0.1).wealth.size == 0
    for arguments, options, wrong in (
        (([0, 2], [0, 0], 0.1), {}, "or pos_label must name"),
        (([0, 1, 2], [0, 0, 0], 0.1), {"pos_label": 2}, "2 and one other label"),
        (([0, 0], [0.5, 0], 0.1), {}, "y_alarm must hold 0 and 1"),
        (([0, 0], [2, 0], 0.1), {}, "y_alarm must hold 0 and 1"),
        (([0, 0], 1, 0.1), {}, "y_alarm must be a one-dim"),
        (([0, 0], [0], 0.1), {}, "2 rows but y_alarm has 1"),
        (([0, 0], [0, 0], 0.1), {"keys": [1]}, "keys must be 2 names"),
        (([0, 0], [0, 0], 0.1), {"batches": [1, None]}, "batches has 1 missing"),
        (([0, 0], [0, 0], 1), {}, "max_fpr"),
        (([0, 0], [0, 0], 0.1), {"confidence_level": 0}, "confidence_level"),
    ):
        with pytest.raises(ValueError, match=wrong):
            fpr_monitor(*arguments, **options)


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
        "WARNING: the guarantee is broken; detected at 2026-05.csv, probably since 2026-05.csv"
        in output
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
    monitor = fpr_monitor(y, s >= decision.threshold, 0.2, batches=np.arange(600) // 100)
    assert (
        f"({monitor.false_alarms} of {monitor.negatives} negatives)" in output
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
    assert cli.main(["validate", path, data, "--label", "sick", "--out", str(out)]) == 0
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
