"""Subgroups: each number against the plain function on its rows, intervals against SciPy and against the truth, in a comparison and on the command line."""

import signal
import warnings
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from command_line import use_rankers
from scipy.sparse import csr_matrix
from scipy.stats import binomtest, norm
from sklearn.naive_bayes import BernoulliNB, GaussianNB

from aucbook import auc_interval, compare, compare_scores
from aucbook.cli import main
from aucbook.reporting.subgroup_report import above_in_words
from aucbook.theory import make_binormal
from aucbook.thresholds import subgroups

RATES = "false positive rate", "true positive rate", "precision"
CALIBRATION = "share of positives", "mean probability", "probabilities"


def clinics(seed=0, n=600):
    """(labels, scores, probabilities, clinic) of two large clinics and one of five rows."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    s = np.round(rng.normal(size=n) + 1.2 * y, 1)  # with ties
    where = rng.choice(["north", "south"], n, p=[0.6, 0.4])
    where = np.where(np.arange(n) < 5, "cabin", where)
    return y, s, 1 / (1 + np.exp(1.5 - s)), where


def test_a_subgroup_above_the_guaranteed_fpr_is_reported():
    y, s, _, where = clinics()
    result = subgroups(y, s + 3 * (where == "north"), where, threshold=1.5)
    (sentence,) = above_in_words(result, 0.3)
    rate = result.rows[0]["false positive rate"]
    assert result.rows[0]["subgroup"] == "north" and sentence.startswith(
        f"In north the false positive rate is {rate[0]:.1%}"
    )
    assert not [*above_in_words(result, 0.999), *above_in_words(None, 0.1)]


def test_a_sparse_matrix_has_no_names_of_columns():
    y, s, _, _ = clinics()
    with pytest.raises(ValueError, match="no column 'clinic'; give 600 names, one per row"):
        compare(csr_matrix(s[:, None]), y, {"bayes": BernoulliNB()}, by="clinic")


@pytest.mark.parametrize("seed", range(3))
def test_the_plain_functions_on_the_rows(seed):
    y, s, p, where = clinics(seed)
    result = subgroups(y, s, where, threshold=1.0, y_prob=p, max_fpr=0.3, confidence_level=0.9)
    assert [row["subgroup"] for row in result.rows] == ["north", "south"]
    flagged = s >= 1.0
    for row in result.rows:
        here = where == row["subgroup"]
        assert (row["rows"], row["positives"]) == (here.sum(), y[here].sum())
        assert row["pAUC(0, 0.3)"] == pytest.approx(
            auc_interval(y[here], s[here], max_fpr=0.3, confidence_level=0.95)[:3]
        )
        for name, hits, among in zip(
            (*RATES, CALIBRATION[0]),
            (flagged, flagged, y, y),
            (y == 0, y == 1, flagged, y >= 0),
            strict=True,
        ):
            exact = binomtest(int(hits[here & among].sum()), int((here & among).sum()))
            ends = exact.proportion_ci(0.95)  # two subgroups at .9 together
            assert row[name] == pytest.approx((exact.statistic, ends.low, ends.high), abs=1e-9)
        assert row["mean probability"] == pytest.approx(p[here].mean())


def test_calibration_says_where_it_is_off():
    y, s, p, where = clinics()
    for shift, word in ((0.4, "too high"), (-0.4, "too low")):
        shifted = np.clip(p + shift * (where == "south"), 0, 1)
        result = subgroups(
            y, s, where, y_prob=np.where(where == "south", shifted, y[where == "north"].mean())
        )
        assert {row["subgroup"]: row["probabilities"] for row in result.rows} == {
            "north": "",
            "south": word,
        }


def test_five_rows_and_one_class_are_named_and_not_drawn():
    y, s, _, where = clinics()
    where = np.where((where == "south") & (y == 1), "sick of the south", where)
    result = subgroups(y, s, where, threshold=1.0)
    assert [row["subgroup"] for row in result.rows] == [
        "north"
    ] and result.min_per_class == 8  # log2(2 * 4 / .05) = 7.3
    five = y[:5].sum()
    assert result.too_small["cabin"] == (five, 5 - five)
    assert result.too_small["south"][0] == 0 and result.too_small["sick of the south"][1] == 0
    text = " ".join(result.sentences())
    assert (
        f"cabin ({five} positives, {5 - five} negatives)" in text
        and "(each by itself with 95.00%)" in text
    )
    labels = [label.get_text() for label in result.plot()[0].get_yticklabels()]
    assert labels == ["north"]


def test_all_too_small():
    y, s, *_ = clinics()
    result = subgroups(y, s, np.arange(y.size), threshold=1.0)
    assert result.rows == [] and len(result.too_small) == y.size and "and 590 more" in repr(result)
    assert "and 590 more" in result._repr_html_()
    with pytest.raises(ValueError, match="nothing to draw"):
        result.plot()


def test_a_threshold_that_flags_no_case():
    y, s, _, where = clinics()
    row = subgroups(y, s, where, threshold=np.inf).rows[0]
    assert row["true positive rate"][:2] == (0, 0) and 0 < row["true positive rate"][2] < 0.1
    assert np.isnan(row["precision"][0]) and row["precision"][1:] == (0, 1)
    everybody = subgroups(y, s, where, threshold=-np.inf).rows[0]
    assert (
        everybody["false positive rate"][2] == 1
        and everybody["precision"][0] == y[where == "north"].mean()
    )


def test_names_as_they_are_written_and_missing_ones():
    y, s, _, where = clinics()
    numbers = np.select([where == "north", where == "south"], [1.0, 2.0], np.nan)
    numbers[:100] = np.nan
    for by in (
        numbers,
        np.array([None if v != v else str(int(v)) for v in numbers], object),
        pd.array(numbers, "Int64"),
    ):
        result = subgroups(y, s, by)
        assert {row["subgroup"] for row in result.rows} == {"1", "2", "(no name)"}
        assert result.rows == subgroups(y, s, numbers).rows
    assert [row["subgroup"] for row in subgroups(y, s, [True, False] * 300).rows] == [
        "False",
        "True",
    ]


def test_markup_stays_text():
    y, s, _, where = clinics()
    result = subgroups(y, s, np.where(where == "north", "<b>$n$</b>", where))
    assert "&lt;b&gt;$n$" in result._repr_html_() and "<b>" not in result._repr_html_()
    result.plot()[0].figure.canvas.draw()  # a dollar is a dollar


def test_groups_are_counted_as_groups():
    y, s, p, where = clinics()

    def thrice(values):
        return np.repeat(values, 3)

    once = subgroups(y, s, where, threshold=1.0, y_prob=p, groups=np.arange(y.size))
    grouped = subgroups(
        *map(thrice, (y, s, where)),
        threshold=1.0,
        y_prob=thrice(p),
        groups=np.arange(3 * y.size) // 3,
    )
    plain = subgroups(y, s, where, threshold=1.0, y_prob=p)
    assert grouped.too_small == once.too_small == plain.too_small
    for copies, alone, each in zip(grouped.rows, once.rows, plain.rows, strict=True):
        assert copies["rows"] == 3 * alone["rows"]
        for name in ("AUC", *RATES, CALIBRATION[0]):
            assert copies[name] == pytest.approx(alone[name], abs=0.02)  # copies add no information
            assert alone[name] == pytest.approx(each[name], abs=0.01)
    one = subgroups(
        y, s, where, threshold=1.0, groups=where
    )  # a centre is one group: nothing is known of others
    assert one.rows == [] and one.too_small["north"] == (1, 1)


def test_turned_labels_and_a_threshold_for_each_row():
    y, s, p, where = clinics()
    words = np.where(y == 1, "a case", "control")
    result = subgroups(
        words, s, where, threshold=np.where(s >= 1, -np.inf, np.inf), y_prob=p, pos_label="a case"
    )
    assert result.rows == subgroups(y, s, where, threshold=1.0, y_prob=p).rows


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"by": ["a"] * 599}, "by must be 600 names"),
        ({"threshold": np.nan}, "none NaN"),
        ({"threshold": [1.0, 2.0]}, "one for each of 600 rows"),
        ({"y_prob": np.full(600, 1.5)}, r"y_prob must lie in \[0, 1\]"),
        ({"y_prob": np.ones(9)}, "y_prob has 9"),
        ({"confidence_level": 1}, "confidence_level must be"),
        ({"max_fpr": 0}, "FPR range"),
        ({"groups": ["g"]}, "groups must be 600 names"),
        ({"y_score": np.full(600, np.nan)}, "contains NaN"),
        ({"y_true": np.ones(600)}, "two classes"),
    ],
)
def test_bad_input(wrong, message):
    y, s, _, where = clinics()
    with pytest.raises(ValueError, match=message):
        subgroups(**{"y_true": y, "y_score": s, "by": where} | wrong)
    with pytest.raises(TypeError, match="min_fpr and max_fpr"):
        subgroups(y, s, where, beta=0.1)


@pytest.mark.parametrize("correlation", [0.0, 0.7])
def test_all_hold_at_once(correlation):
    """Of 250 samples at least .95 less three standard deviations of .014; rows of groups that lie in several subgroups."""
    rng = np.random.default_rng(1)
    tries = 250
    at = 1.0
    mu = 1.3
    share = 0.3
    by = np.tile(np.arange(4), 100)
    group = np.arange(400) // 4
    covered = []
    tpr, fpr = norm.sf(at - mu), norm.sf(at)
    truth = dict(
        zip(RATES, (fpr, tpr, share * tpr / (share * tpr + (1 - share) * fpr)), strict=True)
    )
    truth |= {"AUC": norm.cdf(mu / np.sqrt(2)), "share of positives": share}
    for _ in range(tries):
        y = rng.random(400) < share
        s = (
            mu * y
            + np.sqrt(correlation) * rng.normal(size=100)[group]
            + np.sqrt(1 - correlation) * rng.normal(size=400)
        )
        result = subgroups(
            y,
            s,
            by,
            threshold=at,
            y_prob=np.full(400, share),
            groups=group if correlation else None,
        )
        covered.append(
            [
                all(row[name][1] <= true <= row[name][2] for row in result.rows)
                for name, true in truth.items()
            ]
        )
    assert (np.mean(covered, axis=0) >= 0.95 - 3 * 0.014).all()


# ---------------------------------------------------------------- in a comparison
def table(n=500):
    y, s, _, where = clinics(1, n)
    rng = np.random.default_rng(2)
    return pd.DataFrame({"one": s, "two": s + rng.normal(size=n), "centre": where}), y


def test_compare_by_a_column_and_after_a_decision(tmp_path):
    X, y = table()
    result = compare(X, y, {"bayes": GaussianNB()}, cv=2, by="centre")
    before = result.subgroups
    assert (
        before.too_small.keys() == {"cabin"}
        and "AUC" in before.rows[0]
        and "precision" not in before.rows[0]
    )
    decision = result.decide(X, max_fpr=0.2)
    by_centre = result.subgroups
    assert by_centre is decision.subgroups and {*RATES, *CALIBRATION} < by_centre.rows[0].keys()
    everybody = compare(X, y, {"bayes": GaussianNB()}, cv=2, by=["all"] * y.size)
    assert everybody.decide(X, max_fpr=0.2).threshold == decision.threshold
    (row,) = everybody.subgroups.rows  # one subgroup of all: what the decision expects
    for name in RATES:
        expected = getattr(
            decision.performance,
            {"false positive rate": "fpr", "true positive rate": "tpr"}.get(name, name),
        )
        assert row[name][0] == pytest.approx(expected.value)
    assert row["mean probability"] == pytest.approx(decision.performance.mean_probability.value)
    page = (result.save(tmp_path) / "report.html").read_text(encoding="utf8")
    assert (
        page.index("<h2>Recommended decision")
        < page.index("<h2>Subgroups")
        < page.index("<h2>Predictors")
    )
    assert "cabin (" in page and "held out: in each fold" in page


def test_without_names_nothing_is_reported(tmp_path):
    X, y = table()
    result = compare(X, y, {"bayes": GaussianNB()}, cv=2)
    assert result.subgroups is None and result.decide(X).subgroups is None
    assert "Subgroups" not in (result.save(tmp_path) / "report.html").read_text(encoding="utf8")


def test_names_of_an_array_weights_and_groups(tmp_path):
    X, y = table()
    where = X.pop("centre").to_numpy()
    weight = np.where(np.arange(y.size) < 50, 0.0, 2.0)
    patient = np.arange(y.size) // 2
    options = {"cv": 2, "by": where, "sample_weight": weight, "groups": patient}
    result = compare(X.to_numpy(), y, {"bayes": GaussianNB()}, **options)
    assert sum(row["rows"] for row in result.subgroups.rows) == y.size - 50
    result.decide(X.to_numpy(), max_fpr=0.3)
    assert sum(row["rows"] for row in result.subgroups.rows) == y.size - 50
    assert "Rows are counted without their weights." in (
        result.save(tmp_path) / "report.html"
    ).read_text(encoding="utf8")


def test_scores_that_are_there_already():
    X, y = table()
    result = compare_scores(y, X, by="centre")
    assert list(result.scores) == ["one", "two"]
    first = result.rows[0]["ranker"]
    assert first == "one"
    for row in result.subgroups.rows:
        here = (X["centre"] == row["subgroup"]).to_numpy()
        assert row["AUC"] == pytest.approx(
            auc_interval(y[here], X["one"][here], confidence_level=0.975)[:3], abs=1e-9
        )


def test_a_column_that_is_not_there():
    X, y = table()
    with pytest.raises(ValueError, match="by: there is no column 'center'; did you mean 'centre'?"):
        compare(X, y, {"bayes": GaussianNB()}, by="center")
    with pytest.raises(ValueError, match="no column 'centre'"):
        compare_scores(y, {"one": X["one"]}, by="centre")
    with pytest.raises(ValueError, match="by must be the name of a column, or 500 names"):
        compare(X, y, {"bayes": GaussianNB()}, by=["a"])


# ---------------------------------------------------------------- on the command line
def test_report_by(tmp_path, capsys):
    X, y = table()
    X["y"] = y
    X.loc[:60, "centre"] = ""
    X.to_csv(tmp_path / "scores.csv", index=False)
    out = ["--label", "y", "--out", str(tmp_path / "out")]
    assert main(["report", str(tmp_path / "scores.csv"), *out, "--by", "centre"]) == 0
    output = capsys.readouterr().out
    assert "(no name)" in output and "north" in output and "hold at once" in output
    assert "Subgroups" in (tmp_path / "out/report.html").read_text(encoding="utf8")
    assert main(["report", str(tmp_path / "scores.csv"), *out, "--by", "center"]) == 2
    assert "did you mean 'centre'" in capsys.readouterr().err
    assert main(["compare", "--by", "centre"]) == 2
    assert "--by names a column of a file" in capsys.readouterr().err


def test_compare_by(tmp_path, capsys, monkeypatch):
    X, y = table()
    X["y"] = y
    X.to_csv(tmp_path / "table.csv", index=False)
    use_rankers(monkeypatch, {"bayes": GaussianNB()})
    command = [
        "compare",
        str(tmp_path / "table.csv"),
        "--label",
        "y",
        "--by",
        "centre",
        "--drop",
        "centre",
        "--max-fpr",
        ".3",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert main([*command, "--out", str(tmp_path / "out")]) == 0
    output = capsys.readouterr().out
    assert "500 rows, 2 columns" in output  # the names are no column of the rankers
    assert "false positive rate" in output and "cabin (" in output


def as_before(by):
    """Names by their number of rows, largest first, ties in alphabetical order."""
    names, sizes = np.unique(by, return_counts=True)
    return names[np.argsort(-sizes, kind="stable")].tolist()


@pytest.mark.parametrize("with_groups", [False, True])
def test_numbers_by_sorting_are_those_by_masks(with_groups):
    rng = np.random.default_rng(5)
    n = 900
    y = (rng.random(n) < 0.4).astype(int)
    by = rng.choice([f"clinic {k}" for k in range(25)], n)
    by[:60], s = "clinic x", np.round(rng.normal(size=n) + y, 1)
    groups = rng.integers(0, 300, n) if with_groups else None
    result = subgroups(y, s, by, threshold=1.0, groups=groups)
    assert [*(row["subgroup"] for row in result.rows), *result.too_small] != []
    order = as_before(by)
    assert [row["subgroup"] for row in result.rows] == [
        name for name in order if name not in result.too_small
    ]
    assert list(result.too_small) == [name for name in order if name in result.too_small]
    for row in result.rows:
        here = by == row["subgroup"]
        alone = subgroups(
            y[here],
            s[here],
            by[here],
            threshold=1.0,
            groups=None if groups is None else groups[here],
        )
        assert (
            row["AUC"][0] == alone.rows[0]["AUC"][0]
            and row["precision"][0] == alone.rows[0]["precision"][0]
        )
    for name, units in result.too_small.items():
        here = by == name
        number = np.arange(n) if groups is None else groups
        assert units == tuple(np.unique(number[here & (y == c)]).size for c in (1, 0))


def test_many_names_end_in_seconds_and_print_little():
    """200 000 rows with 100 000 names; by a mask for each name this would take minutes."""
    rng = np.random.default_rng(0)
    n = 200_000
    y, by = (rng.random(n) < 0.4).astype(int), rng.integers(0, 100_000, n)
    with deadline(60):
        result = subgroups(y, rng.normal(size=n) + y, by, threshold=1.0, groups=np.arange(n) // 2)
        text = repr(result)
    assert not result.rows and len(result.too_small) == np.unique(by).size
    assert len(text) < 2000 and f"and {len(result.too_small) - 10} more" in text


def test_long_tables_and_names_are_shortened_where_they_are_printed():
    rng = np.random.default_rng(0)
    n = 20_000
    y = (rng.random(n) < 0.4).astype(int)
    by = np.array([f"{k:03d}" + "x" * 5000 for k in range(100)])[rng.integers(0, 100, n)]
    result = subgroups(y, rng.normal(size=n) + y, by, threshold=1.0)
    assert len(result.rows) == 100 and len(result.cells()) == 101
    for text in (repr(result), result._repr_html_()):
        assert (
            len(text) < 20_000
            and "the 50 largest subgroups; 50 more are in the attribute rows" in text
        )
    assert result.plot()[0].get_ylim()[0] == 49.5
    assert len(list(above_in_words(result, 1e-6))) == 11


@contextmanager
def deadline(seconds):
    """Ends a call that hangs: no measurement, but what would take minutes fails."""

    def late(*_):
        raise TimeoutError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_frames_have_all_digits_and_a_column_for_each_end():
    y, score = make_binormal(60, 90, random_state=0)
    result = subgroups(y, score, ["a", "b", "a"] * 49 + ["c"] * 3, threshold=1.0)
    frame = result.to_frame()
    assert frame.index.tolist() == ["a", "b"] and frame.index.name == "subgroup"
    for row in result.rows:
        ends = frame.loc[row["subgroup"], ["AUC", "AUC low", "AUC high"]]
        assert tuple(ends) == row["AUC"] and frame.loc[row["subgroup"], "rows"] == row["rows"]
    assert subgroups(y, score, range(150), threshold=1.0).to_frame().empty
