"""`aucbook validate`: a broken guarantee, in the log, the page and the exit code."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest
from sklearn.linear_model import LogisticRegression

from aucbook import cli, compare
from aucbook._numerics import resampling
from aucbook.cli.validate import mean_with_interval, text_with_interval
from aucbook.reporting.provenance import provenance_of
from aucbook.thresholds import GuaranteeTest
from aucbook.thresholds.limits import groups_pvalue, n_to_show_violation

pytest.importorskip("skops")
RNG = np.random.default_rng(0)
Y = (RNG.random(900) < 0.4).astype(int)
X = RNG.normal(size=(900, 3)) + 1.2 * Y[:, None]


@pytest.fixture(scope="module", params=[{"max_fpr": 0.2}, {"min_tpr": 0.9}], ids=str)
def decision(request):
    return compare(X, Y, {"line": LogisticRegression()}, cv=3).decide(X, **request.param)


def write(path, rows, labels):
    lines = ["column_1,column_2,column_3,sick"]
    for row, label in zip(rows.round(4).tolist(), labels):
        lines.append(",".join([*map(str, row), str(label)]))
    path.write_text("\n".join(lines) + "\n")


def shifted(decision):
    """Rows on which the limit of a decision is broken."""
    return X + (0.8 if decision.max_fpr else -0.8)


def validate(decision, rows, folder, capsys):
    model = decision.save(folder / "model.skops")
    write(folder / "new.csv", rows, Y)
    words = ["--label", "sick", "--out", str(folder / "v")]
    code = cli.main(["validate", str(model), str(folder / "new.csv"), *words])
    page = (folder / "v" / "report.html").read_text(encoding="utf8")
    document = json.loads((folder / "v" / "table.json").read_text(encoding="utf8"))
    return code, capsys.readouterr().out, page, document["guarantee_tests"]


def test_a_broken_guarantee_ends_with_1_and_heads_the_page(decision, tmp_path, capsys):
    code, output, page, tests = validate(decision, shifted(decision), tmp_path, capsys)
    assert code == 1 and [test["is_broken"] for test in tests] == [True]
    assert "is broken" in output and "more than chance explains" in output
    assert page.index("The guarantee is broken on these rows") < page.index("<table")
    assert "External validation of a decision" in page


def test_a_kept_guarantee_ends_with_0(decision, tmp_path, capsys):
    code, output, page, tests = validate(decision, X, tmp_path, capsys)
    assert code == 0 and not tests[0]["is_broken"] and " holds: " in output
    assert "These rows keep the" in page


def test_the_api_gives_the_same_tests(decision):
    (broken,) = decision.test_guarantees(shifted(decision), Y)
    (fine,) = decision.test_guarantees(X, Y)
    assert broken.is_broken and not fine.is_broken
    assert broken.rate == ("fpr" if decision.max_fpr else "tpr") and broken.kind == "guaranteed"
    with pytest.raises(ValueError, match="labels"):
        decision.test_guarantees(X, Y + 3)
    with pytest.raises(ValueError, match="rows"):
        decision.test_guarantees(X, Y[:5])


@pytest.mark.parametrize(
    "rate, bound, n_errors, beyond",
    [
        ("fpr", 0.1, 10, False),
        ("fpr", 0.1, 11, True),
        ("fpr", 0.29, 29, False),
        ("tpr", 0.9, 10, False),
        ("tpr", 0.9, 11, True),
    ],
)
def test_within_chance_is_said(rate, bound, n_errors, beyond):
    test = GuaranteeTest(rate, bound, n_errors, 100, 0.3, 0.05, "guaranteed")
    assert test.is_beyond == beyond and not test.is_broken
    assert ("within chance" in test.sentence()) == beyond
    assert ("within chance" in test.title) == beyond
    assert test.value == pytest.approx(n_errors / 100 if rate == "fpr" else 1 - n_errors / 100)


@pytest.mark.parametrize(
    "max_errors, level", [(0.1, 0.05), (0.01, 0.025), (0.3, 0.05), (0.8, 0.05)]
)
def test_few_rows_do_not_prove_that_a_limit_holds(max_errors, level):
    n = n_to_show_violation(max_errors, level)
    for rate, bound in {"fpr": max_errors, "tpr": 1 - max_errors}.items():
        few = GuaranteeTest(rate, bound, 0, n - 1, 1.0, level, "guaranteed")
        enough = GuaranteeTest(rate, bound, 0, n, 1.0, level, "guaranteed")
        assert "is not contradicted: " in few.sentence() and f"about {n} " in few.sentence()
        assert "% holds: " not in few.sentence() and "do not contradict" in few.title
        assert "% holds: " in enough.sentence() and "keep the" in enough.title
    in_groups = GuaranteeTest("fpr", max_errors, 0, n, 1.0, level, "guaranteed", n_groups=n - 1)
    assert f"about {n} groups of negatives could show" in in_groups.sentence()
    violating = min(2 * max_errors, (1 + max_errors) / 2)
    assert in_groups.sentence().endswith(f" probability, a rate of {violating:.1%}.")


@pytest.mark.parametrize("max_errors", [0.1, 0.02, 0.5])
def test_the_number_of_rows_finds_twice_the_errors(max_errors):
    n = n_to_show_violation(max_errors, 0.05)
    rate = min(2 * max_errors, (1 + max_errors) / 2)
    errors = np.arange(n + 1)
    pvalues = np.array([binomtest(int(k), n, max_errors, "greater").pvalue for k in errors])
    assert 0.8 <= binom.pmf(errors, n, rate)[pvalues < 0.05].sum() < 0.9


def test_two_limits_share_the_level():
    both = compare(X, Y, {"line": LogisticRegression()}, cv=3).decide(X, max_fpr=0.5, min_tpr=0.6)
    assert [test.significance_level for test in both.test_guarantees(X, Y)] == [0.025, 0.025]


def test_a_limit_without_a_guarantee_is_called_a_limit():
    test = GuaranteeTest("fpr", 0.1, 60, 100, 1e-9, 0.05, "estimated")
    assert test.is_broken and test.title.startswith("The limit is broken")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    fitted = compare(X, Y, {"line": LogisticRegression()}, cv=3).decide(X, max_fpr=0.2)
    return fitted.save(tmp_path_factory.mktemp("model") / "model.skops")


def validate_labels(model, labels, folder, capsys, *words):
    """(exit code, output, error) of a validation on rows with these labels."""
    write(folder / "new.csv", X, labels)
    call = ["validate", str(model), str(folder / "new.csv"), "--label", "sick"]
    code = cli.main([*call, "--out", str(folder / "v"), *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def table_of(output):
    """The lines of the table, whose second begins with the rates."""
    return [line for line in output.splitlines() if " (" in line and "rate" in line]


@pytest.mark.parametrize(
    "labels, pos",
    [
        (np.where(Y == 1, "case", "control"), "case"),
        (np.where(Y == 1, "A", "B"), "A"),
        (1 - Y, "0"),
        (2 - Y, "1.0"),
        (Y, "1"),
    ],
)
def test_other_labels_give_the_same_validation(model, labels, pos, tmp_path, capsys):
    code, expected, _ = validate_labels(model, Y, tmp_path, capsys)
    assert code == 0
    code, output, error = validate_labels(model, labels, tmp_path, capsys, "--pos", pos)
    assert code == 0 and not error
    assert table_of(output) == table_of(expected) != []
    named = "Positive label of this file: " in output
    assert named == (pos in ("case", "A", "0"))
    document = json.loads((tmp_path / "v" / "table.json").read_text(encoding="utf8"))
    assert document["settings"]["positive label"] == pos.removesuffix(".0")


def test_unlabelled_rows_are_dropped_with_pos_too(model, tmp_path, capsys):
    labels = np.where(Y == 1, "case", "control").astype(object)
    labels[:7] = ""
    code, output, _ = validate_labels(model, labels, tmp_path, capsys, "--pos", "case")
    assert code == 0 and "7 unlabelled rows were dropped" in output


@pytest.mark.parametrize(
    "labels, words, message",
    [
        (np.where(Y == 1, "case", "control"), [], "or name the positive label with --pos"),
        (np.where(Y == 1, "case", "control"), ["--pos", "Case"], "labels there: case, control"),
        (np.full(900, ""), ["--pos", "case"], "missing in all rows"),
        (np.full(900, ""), [], "the label is missing in all of 900 rows, and"),
        (np.full(900, "case"), ["--pos", "case"], "none of 900 labelled rows is negative, and"),
        (np.resize(["a", "b", "c"], 900), ["--pos", "a"], "3 different labels"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(model, labels, words, message, tmp_path, capsys):
    code, _, error = validate_labels(model, labels, tmp_path, capsys, *words)
    assert code == 2 and message in error and error.count("\n") == 1


def test_equal_rows_in_groups_break_a_kept_limit_by_chance_only():
    rng = np.random.default_rng(0)
    code = np.repeat(np.arange(30), 10)
    broken = {"rows": 0, "groups": 0}
    for _ in range(1000):
        is_error = np.repeat(rng.random(30) < 0.1, 10)
        broken["rows"] += binomtest(int(is_error.sum()), 300, 0.1, "greater").pvalue < 0.05
        broken["groups"] += groups_pvalue(is_error, code, 0.1) < 0.05
    assert broken["groups"] <= 50
    assert broken["rows"] > 200


def test_groups_of_unequal_sizes_and_rates_keep_the_level():
    rng = np.random.default_rng(0)
    sizes = np.tile([1, 2, 5, 10], 15)
    code = np.repeat(np.arange(60), sizes)
    broken = 0
    for _ in range(1000):
        rates = rng.beta(0.2, 1.8, size=60)
        broken += groups_pvalue(rng.random(code.size) < rates[code], code, 0.1) < 0.05
    assert broken <= 50


@pytest.mark.parametrize("n_errors", [0, 1, 7, 12, 40])
def test_one_row_a_group_is_the_binomial_test(n_errors):
    is_error = np.arange(40) < n_errors
    expected = binomtest(n_errors, 40, 0.1, "greater").pvalue
    assert groups_pvalue(is_error, np.arange(40), 0.1) == pytest.approx(expected, rel=1e-8)


PATIENT = np.repeat(np.arange(300), 3)


@pytest.fixture(scope="module")
def grouped():
    table = pd.DataFrame(X, columns=["column_1", "column_2", "column_3"])
    comparison = compare(table, Y, {"line": LogisticRegression()}, cv=3, groups=PATIENT)
    return comparison.decide(table, max_fpr=0.2)


def test_rows_of_a_grouped_decision_are_not_taken_as_independent(grouped):
    names = ["column_1", "column_2", "column_3"]
    (alone,) = grouped.test_guarantees(X + 0.8, Y, names)
    assert alone.ignores_groups and alone.is_beyond and not alone.is_broken
    assert "limit was set on grouped rows" in alone.sentence()
    assert "more than chance explains" not in alone.sentence()
    (test,) = grouped.test_guarantees(X + 0.8, Y, names, groups=PATIENT)
    assert test.is_broken and test.n_groups == np.unique(PATIENT[Y == 0]).size
    assert f"{test.n_groups} independent groups" in test.sentence()
    assert test.pvalue > alone.pvalue
    with pytest.raises(ValueError, match="groups"):
        grouped.test_guarantees(X, Y, names, groups=PATIENT[:5])
    with pytest.raises(ValueError, match="groups"):
        grouped.test_guarantees(X, Y, names, groups=[None, *PATIENT[1:]])


def validate_groups(decision, folder, capsys, *words):
    """(exit code, output and error, tests) on rows that break the limit, with a column patient."""
    model = decision.save(folder / "model.skops")
    lines = ["column_1,column_2,column_3,sick,patient"]
    for row, label, patient in zip((X + 0.8).tolist(), Y, PATIENT):
        lines.append(",".join([*map(str, row), str(label), f"p{patient}"]))
    (folder / "new.csv").write_text("\n".join(lines) + "\n")
    call = ["validate", str(model), str(folder / "new.csv"), "--label", "sick"]
    code = cli.main([*call, "--out", str(folder / "v"), *words])
    captured = capsys.readouterr()
    tests = []
    if code in (0, 1) and (folder / "v" / "table.json").exists():
        tests = json.loads((folder / "v" / "table.json").read_text(encoding="utf8"))
        tests = tests["guarantee_tests"]
    return code, captured.out + captured.err, tests


def test_validate_takes_groups(grouped, tmp_path, capsys):
    code, output, tests = validate_groups(grouped, tmp_path, capsys)
    assert code == 0 and tests[0]["ignores_groups"] and "name their column with --groups" in output
    code, output, tests = validate_groups(grouped, tmp_path, capsys, "--groups", "patient")
    assert code == 1 and tests[0]["n_groups"] > 100 and "take the 300 groups" in output
    code, output, _ = validate_groups(grouped, tmp_path, capsys, "--groups", "patients")
    assert code == 2 and "patient" in output
    code, output, _ = validate_groups(grouped, tmp_path, capsys, "--groups", "sick")
    assert code == 2 and "both name" in output


def test_columns_that_the_user_named_are_no_unknown_columns(grouped, tmp_path, capsys):
    about = {"files": [], "not_kept": 0, "versions": ""}
    commands = {
        "--groups site --weight w --drop id when": ("site", "w", "id", "when"),
        "--group site --time=when --cost-col cost": ("site", "when", "cost"),
        "--label outcome --drop id --header": ("outcome", "id"),
    }
    for options, names in commands.items():
        command = f"aucbook compare old.csv {options} --rankers line"
        known = replace(grouped, provenance={"command": command} | about)
        model = str(known.save(tmp_path / "model.skops"))
        rows = pd.DataFrame(X, columns=["column_1", "column_2", "column_3"]).assign(sick=Y)
        further = {name: [f"{name} {i}" for i in range(len(Y))] for name in names}
        rows.assign(**further, note="x").to_csv(tmp_path / "new.csv", index=False)
        words = [model, str(tmp_path / "new.csv")]
        cli.main(["validate", *words, "--label", "sick", "--out", str(tmp_path / "v")])
        output = capsys.readouterr().out
        assert output.count("left out") == 1 and "left out: column 'note', which" in output
        cli.main(["score", *words, "--keep", "sick", "--out", str(tmp_path / "s.csv")])
        error = capsys.readouterr().err
        assert error.count("left out") == 1 and "left out: column 'note', which" in error


def test_a_feature_may_name_the_groups_of_a_validation(grouped, tmp_path, capsys):
    model = str(grouped.save(tmp_path / "model.skops"))
    rows = pd.DataFrame(X.round(1), columns=["column_1", "column_2", "column_3"]).assign(sick=Y)
    rows.to_csv(tmp_path / "new.csv", index=False)
    words = ["validate", model, str(tmp_path / "new.csv"), "--label", "sick"]
    cli.main([*words, "--groups", "column_1", "--out", str(tmp_path / "v")])
    captured = capsys.readouterr()
    assert not captured.err and "groups of rows as independent" in captured.out


def test_validate_finds_the_groups_of_the_comparison(grouped, tmp_path, capsys):
    about = {"files": [], "not_kept": 0, "versions": ""}
    command = "aucbook compare old.csv --label sick --groups patient"
    known = replace(grouped, provenance={"command": command} | about)
    code, output, tests = validate_groups(known, tmp_path, capsys)
    assert code == 1 and tests[0]["n_groups"] > 100 and "column 'patient'" in output


@pytest.mark.parametrize("code", [None, np.arange(6) // 2])
@pytest.mark.parametrize("values", [[0.01, 0.99, 0.98, 0.02, 0.99, 0.97], [0, 0, 0, 0, 0, 0.12]])
def test_intervals_of_probabilities_stay_in_their_range(values, code):
    mean, low, high = mean_with_interval(np.array(values), code, is_bounded=True)
    assert 0 < low < mean < high < 1


@pytest.mark.parametrize("is_bounded", [True, False])
def test_one_value_or_group_has_no_interval(is_bounded):
    for values, code in (([0.4], None), ([1.0], None), ([0.4, 0.3], [7, 7]), ([0.0, 1.0], [7, 7])):
        code = None if code is None else np.array(code)
        _, low, high = mean_with_interval(np.array(values), code, is_bounded)
        assert np.isnan(low) and np.isnan(high)
    assert text_with_interval(0.4, np.nan, np.nan) == "0.400 (no interval)"


@pytest.mark.parametrize("is_bounded", [True, False])
def test_intervals_of_bounded_means_cover(is_bounded):
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(1000):
        _, low, high = mean_with_interval(rng.beta(0.5, 2, size=60), None, is_bounded)
        covered += low <= 0.2 <= high
    assert 930 <= covered <= 970


@pytest.mark.parametrize("is_training_file", [True, False])
def test_rows_of_the_training_are_no_external_validation(
    decision, is_training_file, tmp_path, capsys
):
    write(tmp_path / "new.csv", X, Y)
    origin = provenance_of([tmp_path / "new.csv"], ["compare", "new.csv"])
    rows = X if is_training_file else X + 1e-3
    known = replace(decision, provenance=origin)
    _, output, page, _ = validate(known, rows, tmp_path, capsys)
    beginning = "Caution: new.csv is the file that the model was trained on"
    assert output.startswith(beginning) == is_training_file
    assert ("These rows are not new" in page) == is_training_file
    if is_training_file:
        assert page.index("These rows are not new") < page.index("These rows keep the")


def share_interval(errors, group_size):
    """(low, high) of an observed rate of groups of equal rows; errors: (n_groups,) 0 or 1.

    group_size: None for the interval that takes the rows as independent, ten in each group.
    """
    values = np.repeat(errors, group_size or 10).astype(float)
    code = None if group_size is None else np.repeat(np.arange(errors.size), group_size)
    _, low, high = mean_with_interval(values, code)
    return low, high


def exact_coverage(n_groups, rate, group_size=10):
    """Coverage of the interval of a rate for groups of equal rows, each with an error or none.

    The interval depends on the number of groups with an error alone, which is binomial.
    """
    coverage = 0.0
    for k in range(n_groups + 1):
        low, high = share_interval(np.arange(n_groups) < k, group_size)
        coverage += binom.pmf(k, n_groups, rate) * (low <= rate <= high)
    return coverage


# groups, rate, smallest and largest coverage. Of 30 groups 3 have an error, too few for a normal
# approximation: there the interval is wider than it need be.
COVERAGES = [
    (30, 0.1, 0.95, 1.0),
    (30, 0.3, 0.93, 0.97),
    (100, 0.1, 0.93, 0.97),
    (100, 0.3, 0.93, 0.97),
]


@pytest.mark.parametrize("n_groups, rate, smallest, largest", COVERAGES)
def test_intervals_of_grouped_rates_cover(n_groups, rate, smallest, largest):
    assert smallest <= exact_coverage(n_groups, rate) <= largest
    assert exact_coverage(n_groups, rate, group_size=None) < 0.7


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_wrong_variance_of_groups_misses_the_coverage(factor, monkeypatch):
    right = resampling.cluster_variance_of_mean
    monkeypatch.setattr(resampling, "cluster_variance_of_mean", lambda *rows: factor * right(*rows))
    for n_groups, rate, smallest, largest in COVERAGES[1:]:
        assert not smallest <= exact_coverage(n_groups, rate) <= largest


def test_intervals_of_unequal_groups_cover():
    """Groups of 1 to 10 rows, each with a rate of its own, whose mean is .2."""
    rng = np.random.default_rng(0)
    code = np.repeat(np.arange(80), np.tile([1, 2, 5, 10], 20))
    covered = {"groups": 0, "rows": 0}
    for _ in range(1000):
        values = (rng.random(code.size) < rng.beta(0.4, 1.6, size=80)[code]).astype(float)
        for name, groups in {"groups": code, "rows": None}.items():
            _, low, high = mean_with_interval(values, groups)
            covered[name] += low <= 0.2 <= high
    assert 910 <= covered["groups"] <= 970
    assert covered["rows"] < 850


COMMANDS = ("compare", "report", "score", "monitor", "validate", "warm-up", "lab")


@pytest.mark.parametrize("command", COMMANDS)
def test_options_are_not_abbreviated(command):
    model = ["m.skops", "x.csv"]
    needed = {"score": model, "monitor": model, "validate": [*model, "--label", "y"]}
    words = [command, *needed.get(command, ["x.csv"])]
    for option in ("--grou", "--lab", "--ou", "--por", "--encod"):
        further = cli.parser().parse_known_args([*words, f"{option}=1"])[1]
        assert f"{option}=1" in further
