"""compare: the same folds for all rankers, the same result for any n_jobs; failures are reported."""

import io
import os
import pickle
import re
import signal
import subprocess
import sys
import time
import zipfile

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from aucbook import (
    AUC,
    PAUC,
    PAVCalibrator,
    Precision,
    TableEncoder,
    TreeRankBoost,
    TreeRankForest,
    TwoWay,
    auc_interval,
    auc_test,
    compare,
    compare_scores,
    partial_auc,
    roc_auc,
    tpr_at_fpr,
)
from aucbook._evaluation.folds import Encodings, make_folds, placement_values, training_scale
from aucbook._numerics.resampling import corrected_t
from aucbook._tables.columns import column_kinds, to_table
from aucbook.model_selection import CompareOptions
from aucbook.model_selection.comparison import holm
from aucbook.trees import bagging, treerank_boost

X, Y = make_classification(120, 4, random_state=0)
ORDERED = np.sort(Y)  # folds in this order hold one class
RANKERS = {
    "line": LogisticRegression(),
    "bayes": GaussianNB(),
}  # GaussianNB has no decision_function


def test_rows_are_means_over_folds():
    result = compare(X, Y, RANKERS, max_fpr=0.3, cv=3)
    row = next(r for r in result.rows if r["ranker"] == "line")
    folds = [result.fold == k for k in range(3)]
    assert row["AUC"] == pytest.approx(
        np.mean([roc_auc(Y[f], result.scores["line"][f]) for f in folds])
    )
    assert row["pAUC sd"] == pytest.approx(
        np.std([partial_auc(Y[f], result.scores["line"][f], max_fpr=0.3) for f in folds], ddof=1)
    )
    assert [r["pAUC"] for r in result.rows] == sorted(
        (r["pAUC"] for r in result.rows), reverse=True
    )


@pytest.mark.slow
def test_result_does_not_depend_on_n_jobs():
    a, b = (compare(X, Y, RANKERS, cv=3, n_jobs=n) for n in (1, 2))
    assert all(np.array_equal(a.scores[k], b.scores[k]) for k in RANKERS)


def test_existing_scores_are_compared_by_delong(tmp_path):
    rng = np.random.default_rng(0)
    scores = {
        name: Y * shift + rng.normal(size=Y.size)
        for name, shift in (("good", 2), ("fair", 1), ("noise", 0))
    }
    result = compare_scores(np.where(Y == 1, "no", "yes"), scores, max_fpr=0.3, pos_label="no")
    assert [row["ranker"] for row in result.rows] == [
        "good",
        "fair",
        "noise",
    ] and "fit seconds" not in str(result)
    one = auc_interval(Y, scores["fair"], max_fpr=0.3, form="normalized")
    row = result.rows[1]
    assert (row["pAUC"], row["low"], row["high"]) == one[:3] and row["AUC"] == roc_auc(
        Y, scores["fair"]
    )
    p = [
        auc_test(Y, scores["good"], scores[name], max_fpr=0.3).pvalue for name in ("fair", "noise")
    ]
    assert [r["p"] for r in result.rows[1:]] == pytest.approx(holm(p))
    assert "DeLong" in (result.save(tmp_path) / "report.html").read_text(encoding="utf8")
    for bad, word in (
        ({}, "scores is empty"),
        ({"a": Y[:-1]}, "a"),
        ({"a": np.full(Y.size, np.nan)}, "score 'a'"),
    ):
        with pytest.raises(ValueError, match=word):
            compare_scores(Y, bad)


def test_corrected_t_without_correction_is_the_t_test():
    d = np.random.default_rng(0).normal(0.2, 1, 12)
    plain = stats.ttest_1samp(d, 0)
    # SciPy reaches the same distribution by other functions
    np.testing.assert_allclose(
        corrected_t(d, np.inf, 0.9), (*plain.confidence_interval(0.9), plain.pvalue), rtol=1e-10
    )


@pytest.mark.parametrize("seed", range(20))
def test_holm_equals_the_step_down_procedure(seed):
    rng = np.random.default_rng(seed)
    p = rng.integers(0, 40, rng.integers(1, 9)) / 1000  # ties and zeros among them
    for confidence_level in (0.01, 0.05, 0.2):
        small = p[np.argsort(p)] * np.arange(p.size, 0, -1) <= confidence_level
        first_large = p.size if small.all() else int(np.argmin(small))
        rejected = np.isin(np.arange(p.size), np.argsort(p)[:first_large])
        np.testing.assert_array_equal(holm(p) <= confidence_level, rejected)


def test_corrected_t_and_holm_by_hand():
    d = np.array([0.1, 0.2, 0.3, 0.2])
    low, high, p = corrected_t(d, cv=4)
    se = np.sqrt((1 / 4 + 1 / 3) * d.var(ddof=1))
    assert high - 0.2 == pytest.approx(stats.t.ppf(0.975, 3) * se) and 0.2 - low == pytest.approx(
        high - 0.2
    )
    assert p == pytest.approx(2 * stats.t.sf(0.2 / se, 3))
    assert corrected_t(np.zeros(4), 4)[2] == 1 and corrected_t(np.ones(4), 4)[2] == 0
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    assert holm([]).size == 0


def test_identical_rankers_have_p_value_1():
    result = compare(X, Y, {"a": GaussianNB(), "b": GaussianNB()}, cv=3)
    assert [row["p"] for row in result.rows] == [None, 1.0]


def test_repeats_split_the_rows_again():
    result = compare(X, Y, RANKERS, cv=3, repeats=2)
    line = result.values["line"]
    assert line.size == 6 and not np.array_equal(line[:3], line[3:])
    once = compare(X, Y, RANKERS, cv=3)
    np.testing.assert_array_equal(once.scores["line"], result.scores["line"])
    np.testing.assert_array_equal(once.values["line"], line[:3])


def test_scores_equal_cross_val_predict():
    result = compare(X, Y, RANKERS, cv=3, random_state=5)
    folds = StratifiedKFold(3, shuffle=True, random_state=5)
    line = cross_val_predict(RANKERS["line"], X, Y, cv=folds, method="decision_function")
    bayes = cross_val_predict(RANKERS["bayes"], X, Y, cv=folds, method="predict_proba")[:, 1]
    np.testing.assert_array_equal(result.scores["line"], line)
    np.testing.assert_array_equal(result.scores["bayes"], bayes)


def test_a_comparison_can_be_pickled():
    result = compare(X, Y, {"broken": Broken(), **RANKERS}, cv=2)
    back = pickle.loads(pickle.dumps(result))
    assert (
        back.rows == result.rows and back.failures == result.failures and str(back) == str(result)
    )
    assert all(np.array_equal(back.scores[name], result.scores[name]) for name in RANKERS)


def test_nothing_is_printed_unless_verbose(capsys):
    compare(X, Y, RANKERS, cv=2)
    assert capsys.readouterr() == ("", "")
    compare(X, Y, RANKERS, cv=2, options=CompareOptions(verbose=1))
    output = capsys.readouterr()
    assert "4/4" in output.err and not output.out


class Counting(GaussianNB):
    fits = 0

    def fit(self, X, y):
        Counting.fits += 1
        if Counting.fits == 4:
            raise KeyboardInterrupt
        return super().fit(X, y)


def test_an_interrupted_run_resumes_from_its_checkpoint(tmp_path):
    rankers = {"counting": Counting(), "bayes": GaussianNB()}
    with pytest.raises(KeyboardInterrupt):
        compare(X, Y, rankers, cv=5, options=CompareOptions(checkpoint=tmp_path))
    result = compare(X, Y, rankers, cv=5, options=CompareOptions(checkpoint=tmp_path))
    assert Counting.fits == 6  # three stored, one lost, two more
    np.testing.assert_array_equal(
        result.scores["counting"], compare(X, Y, {"bayes": GaussianNB()}, cv=5).scores["bayes"]
    )


@pytest.mark.parametrize(
    "trees", [TreeRankForest(8, random_state=0), TreeRankBoost(8, random_state=0)]
)
def test_a_partial_fit_is_not_stored_as_a_finished_fold(trees, monkeypatch, tmp_path):
    rankers = {"trees": trees, "bayes": GaussianNB()}
    undisturbed = compare(X, Y, rankers, cv=3)
    grow, calls = bagging.axis_tree, []

    def interrupting(*arguments):
        calls.append(1)
        if len(calls) == 8 + 4:  # half-way through the second fold
            raise KeyboardInterrupt
        return grow(*arguments)

    for module in (bagging, treerank_boost):
        monkeypatch.setattr(module, "axis_tree", interrupting)
    with pytest.raises(KeyboardInterrupt):
        compare(X, Y, rankers, cv=3, options=CompareOptions(checkpoint=tmp_path))
    assert (
        len(list(tmp_path.iterdir())) == 2 and len(calls) == 8 + 4
    )  # both rankers in the first fold
    resumed = compare(X, Y, rankers, cv=3, options=CompareOptions(checkpoint=tmp_path))
    assert len(calls) == 8 + 4 + 2 * 8 and resumed.table(times=False) == undisturbed.table(
        times=False
    )
    assert all(np.array_equal(resumed.scores[name], undisturbed.scores[name]) for name in rankers)
    calls[:] = calls[:8]
    with pytest.raises(KeyboardInterrupt):
        resumed.decide(X, "trees", max_fpr=0.5)
    assert resumed.decision is None


def test_an_interrupt_ends_a_grid_search(monkeypatch):
    grow, calls = bagging.axis_tree, []

    def interrupting(*arguments):
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return grow(*arguments)

    monkeypatch.setattr(bagging, "axis_tree", interrupting)
    with pytest.raises(KeyboardInterrupt):
        compare(
            X, Y, {"search": GridSearchCV(TreeRankForest(8), {"max_depth": [2, 3]}, cv=2)}, cv=2
        )
    assert len(calls) == 5


def unsupported(content):
    """An archive that says it is compressed by an unknown method."""
    at = [i for i in range(len(content)) if content.startswith((b"PK\x03\x04", b"PK\x01\x02"), i)]
    out = bytearray(content)
    for i in at:
        out[i + (8 if content[i + 2] == 3 else 10)] = 99
    return bytes(out)


def encrypted(content):
    """An archive that says it is encrypted."""
    at = [i for i in range(len(content)) if content.startswith((b"PK\x03\x04", b"PK\x01\x02"), i)]
    out = bytearray(content)
    for i in at:
        out[i + (6 if content[i + 2] == 3 else 8)] |= 1
    return bytes(out)


def immense(content):
    """An array that says it has a million million numbers."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, re.sub(rb"\((\d+),\), \}", rb"(1000000000000,), }", old.read(name)))
    return out.getvalue()


@pytest.mark.parametrize(
    "damage", [lambda content: content[:20], unsupported, encrypted, immense, lambda content: b""]
)
def test_a_damaged_checkpoint_is_computed_again(tmp_path, damage):
    first = compare(X, Y, RANKERS, cv=2, options=CompareOptions(checkpoint=tmp_path))
    contents = {file: file.read_bytes() for file in tmp_path.rglob("*.npz")}
    for file, content in contents.items():
        file.write_bytes(damage(content))
        assert file.read_bytes() != content
    with pytest.warns(
        UserWarning, match="a fold kept in .* was damaged, and has been computed again"
    ) as caught:
        again = compare(X, Y, RANKERS, cv=2, options=CompareOptions(checkpoint=tmp_path))
    assert len([w for w in caught if "was damaged" in str(w.message)]) == 1 and not again.failures
    assert all(np.array_equal(first.scores[k], again.scores[k]) for k in RANKERS)
    third = compare(
        X, Y, RANKERS, cv=2, options=CompareOptions(checkpoint=tmp_path)
    )  # which is silent
    assert all(np.array_equal(first.scores[k], third.scores[k]) for k in RANKERS)


def test_a_full_disk_loses_no_result(tmp_path, monkeypatch):
    def full(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.warns(
        UserWarning, match="folds cannot be kept in .*No space left on device"
    ) as caught:
        result = compare(X, Y, RANKERS, cv=2, options=CompareOptions(checkpoint=tmp_path / "kept"))
    assert len(caught) == 1 and not result.failures and len(result.rows) == 2
    assert not list((tmp_path / "kept").iterdir())


def test_a_checkpoint_that_cannot_be_created(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ValueError, match="name a folder that can be written to"):
        compare(X, Y, RANKERS, cv=2, options=CompareOptions(checkpoint=tmp_path / "file" / "kept"))


def test_leakage_and_duplicates_are_reported(tmp_path):
    y, rng = np.arange(200) % 2, np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.normal(y), "loss": np.where(y, rng.lognormal(size=200), 0.0)})
    twice = pd.concat([frame, frame[:40]], ignore_index=True)
    result = compare(twice, np.r_[y, y[:40]], {"line": LogisticRegression()}, cv=2)
    column, copies = (check.sentence for check in result.checks)
    assert column.startswith(
        "Column 'loss' alone ranks with an AUC of 1.000: is it known before the outcome is?"
    )
    assert (
        copies.startswith("40 rows are an exact copy of another in every column, and ")
        and "give groups" in copies
    )
    groups = np.r_[np.arange(200), np.arange(40)]
    assert not compare(
        twice[["age"]], np.r_[y, y[:40]], {"line": LogisticRegression()}, cv=2, groups=groups
    ).checks
    assert not compare(X, Y, RANKERS, cv=2).checks
    assert "</strong> Column &#x27;loss&#x27; alone ranks" in (
        result.save(tmp_path) / "report.html"
    ).read_text(encoding="utf8")


SLOW = """
import sys, time
import numpy as np
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from aucbook import compare
from aucbook.model_selection import CompareOptions

class Slow(GaussianNB):
    def fit(self, X, y):
        with open(sys.argv[1] + "/fits", "a") as f:
            f.write("x")
        time.sleep(.2)
        return super().fit(X, y)

if __name__ == "__main__":
    X, y = make_classification(120, 4, random_state=0)
    result = compare(X, y, {"slow": Slow(), "bayes": GaussianNB()}, cv=4, repeats=2, options=CompareOptions(checkpoint=sys.argv[1] + "/kept", verbose=1))
    np.save(sys.argv[1] + "/scores.npy", result.scores["slow"])
"""


@pytest.mark.slow
def test_a_killed_run_resumes_from_its_checkpoint(tmp_path):
    (tmp_path / "run.py").write_text(SLOW)
    command, fits = [sys.executable, str(tmp_path / "run.py"), str(tmp_path)], tmp_path / "fits"
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not (fits.exists() and len(fits.read_text()) >= 4) and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = len(fits.read_text())
    assert 4 <= before < 8
    subprocess.run(command, check=True, timeout=60, stderr=subprocess.DEVNULL)
    assert len(fits.read_text()) <= 8 + 1  # eight fits, and the one that was cut off
    np.testing.assert_array_equal(
        np.load(tmp_path / "scores.npy"),
        compare(X, Y, {"bayes": GaussianNB()}, cv=4).scores["bayes"],
    )


class Deadly(GaussianNB):
    """Takes its worker process with it."""

    def fit(self, X, y):
        os._exit(1)


@pytest.mark.slow
def test_a_worker_that_dies_is_reported_and_finished_folds_are_stored(tmp_path):
    with pytest.raises(RuntimeError, match="worker process died.*finished folds are kept"):
        compare(
            X,
            Y,
            {"bayes": GaussianNB(), "deadly": Deadly()},
            cv=2,
            n_jobs=2,
            options=CompareOptions(checkpoint=tmp_path),
        )
    with pytest.raises(RuntimeError, match="give a checkpoint"):
        compare(X, Y, {"deadly": Deadly()}, cv=2, n_jobs=2)


class Broken(GaussianNB):
    def fit(self, X, y):
        raise RuntimeError("no licence\nfound")


def test_a_ranker_that_fails_is_reported():
    result = compare(X, Y, {"broken": Broken(), **RANKERS}, cv=2)
    assert result.failures == {"broken": "RuntimeError: no licence"} and len(result.rows) == 2
    assert "broken failed" in str(result) and "broken failed" in result._repr_html_()
    with pytest.raises(ValueError, match="every ranker failed"):
        compare(X, Y, {"broken": Broken()}, cv=2)


class Mute(BaseEstimator):
    """Neither decision_function nor predict_proba."""

    def fit(self, X, y):
        self.fitted_ = True
        return self


def test_a_ranker_without_scores_is_reported():
    result = compare(X, Y, {"mute": Mute(), **RANKERS}, cv=2)
    assert "neither decision_function nor predict_proba" in result.failures["mute"]
    assert {row["ranker"] for row in result.rows} == set(RANKERS)


class Sum(BaseEstimator):
    """Learns nothing, so that it has nothing to show for having been fitted."""

    def fit(self, X, y):
        return self

    def decision_function(self, X):
        return X.sum(1)


def test_a_ranker_without_fitted_attributes():
    result = compare(X, Y, {"sum": Sum(), **RANKERS}, cv=2)
    np.testing.assert_array_equal(result.scores["sum"], X.sum(1))


def test_a_ranker_that_fails_in_a_later_fold_is_excluded(tmp_path):
    class Late(GaussianNB):
        def fit(self, X, y):
            with open(tmp_path / "fits", "a") as file:
                file.write("x")
            if (tmp_path / "fits").stat().st_size == 2:
                raise RuntimeError("tired")
            return super().fit(X, y)

    result = compare(X, Y, {"late": Late(), **RANKERS}, cv=3)
    assert result.failures == {"late": "RuntimeError: tired"} and set(result.scores) == set(
        result.values
    ) == set(RANKERS)


@pytest.mark.parametrize(
    "change, word",
    [
        ({"cv": 1}, "cv"),
        ({"cv": 2.5}, "cv"),
        ({"repeats": 1.5}, "repeats"),
        ({"repeats": 0}, "repeats"),
        ({"options": CompareOptions(confidence_level=1)}, "confidence_level"),
        ({"cv": 100}, "rows of each class"),
        ({"rankers": {}}, "rankers must be"),
        ({"max_fpr": 0}, "min_fpr < max_fpr"),
        ({"y": Y[:-1]}, "same length"),
        ({"X": np.full((120, 2), np.nan)}, "constant or missing"),
        ({"X": np.full((120, 2), np.inf)}, "infinity"),
        ({"X": pd.DataFrame(X, columns=list("abca"))}, "two columns are named 'a'"),
        ({"X": pd.DataFrame({"a": X[:, 0], "b": np.where(Y, X[:, 0], np.inf)})}, "infinite"),
        (
            {"X": pd.DataFrame({"a": ["2024-01-01", "2024-13-01"] * 60})},
            "column 'a', row 1.*not a date",
        ),
        ({"measures": ["area"]}, "unknown measure 'area'"),
        ({"measures": []}, "at least one measure"),
        ({"measures": ["tpr"]}, r"write tpr\(fpr\)"),
        ({"measures": ["twoway(0.2, 1)"]}, "min_tpr"),
        ({"measures": [Precision(k=30)]}, "the smallest fold tests 24 rows"),
        ({"measures": ["precision(k=0)"]}, "at least 1 row"),
        ({"measures": [AUC, "auc"]}, "duplicate measure AUC"),
        ({"cv": "five"}, "cv must be a number of folds"),
        ({"cv": KFold(2)}, "60 training rows, from 60 to 119, have no negatives .one class."),
        ({"cv": [(np.arange(60), np.arange(50, 120))]}, "in training and in test"),
        ({"cv": [(np.arange(60), np.arange(60, 120))]}, "one fold gives no standard error"),
        ({"cv": [(np.arange(60), np.arange(60, 121))] * 2}, "from 0 to 119"),
        ({"cv": [3, 4]}, "no pairs"),
        ({"cv": TimeSeriesSplit(3), "repeats": 2}, "a splitter repeats by itself"),
        ({"groups": np.zeros(119)}, "groups must be 120"),
        ({"groups": np.zeros(120)}, "need as many groups"),
        ({"groups": [None] * 120}, "groups has 120 missing values"),
        ({"groups": np.arange(120) // 8, "cv": StratifiedKFold(2)}, "is in training and in test"),
        ({"sample_weight": -np.ones(120)}, "sample_weight"),
        ({"y": np.zeros(120)}, "two classes"),
    ],
)
def test_invalid_input_is_named(change, word):
    with pytest.raises(ValueError, match=word):
        compare(
            **{
                "X": X,
                "y": ORDERED if isinstance(change.get("cv"), KFold) else Y,
                "rankers": RANKERS,
                **change,
            }
        )


def test_a_checkpoint_that_is_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    X, y = make_classification(100, random_state=0)
    with pytest.raises(ValueError, match="checkpoint must be a folder"):
        compare(
            X[:100],
            y[:100],
            {"logistic": LogisticRegression()},
            cv=2,
            options=CompareOptions(checkpoint=tmp_path / "file"),
        )


# ---------------------------------------------------------------- tables
def messy(n=160, seed=0):
    """A data frame with everything in it, and labels."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, 50 + 9 * y + 9 * rng.normal(size=n)),
            "ward": rng.choice(np.array(["north", "south", None], object), n),
            "when": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, n), "D"),
            "note": [
                f"patient {i} arrived {'coughing' if v and i % 3 else 'well'} today"
                for i, v in enumerate(y)
            ],
            "count": pd.array(np.where(rng.random(n) < 0.1, None, rng.poisson(3, n)), "Int64"),
            "hospital": "ours",
        }
    )
    return frame, y


def test_tables_are_encoded_inside_each_fold():
    frame, y = messy()
    with pytest.warns(UserWarning, match=r"left out: column 'hospital' \(one value in all rows\)"):
        result = compare(frame, y, RANKERS, cv=3)
    assert not result.failures and {row["name"]: row["kind"] for row in result.columns} == {
        "age": "number",
        "ward": "category",
        "when": "date",
        "note": "text",
        "count": "number",
        "hospital": "dropped",
    }
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    kinds = {row["name"]: row["kind"] for row in result.columns}
    by_hand = make_pipeline(TableEncoder(kinds=kinds), GaussianNB())
    for train, test in folds.split(frame, y):
        fitted = by_hand.fit(frame.iloc[train], y[train])
        np.testing.assert_array_equal(
            result.scores["bayes"][test], fitted.predict_proba(frame.iloc[test])[:, 1]
        )


def test_each_ranker_gets_the_form_of_the_table_that_it_takes():
    frame, y = messy()
    frame = frame.drop(columns=["hospital", "note"])
    rankers = {
        "forest": RandomForestClassifier(5, random_state=0),
        "searched": GridSearchCV(
            RandomForestClassifier(5, random_state=0), {"max_depth": [None]}, cv=2
        ),
        "own": make_pipeline(ColumnTransformer([("age", SimpleImputer(), ["age"])]), GaussianNB()),
        "line": LogisticRegression(),
    }
    result = compare(frame, y, rankers, cv=2)
    assert not result.failures
    steps = {name: type(ranker.steps[0][1]).__name__ for name, ranker in result.rankers.items()}
    assert steps == dict.fromkeys(("forest", "searched", "line"), "TableEncoder") | {
        "own": "ColumnTransformer"
    }
    missing = {
        name: result.rankers[name].steps[0][1].missing for name in ("forest", "searched", "line")
    }
    assert missing == {"forest": "keep", "searched": "keep", "line": "median"}
    ages = compare(
        frame[["age"]], y, {"own": rankers["own"]}, cv=2, options=CompareOptions(encode=None)
    )
    np.testing.assert_array_equal(ages.scores["own"], result.scores["own"])


def test_an_object_array_equals_a_data_frame():
    frame, y = messy()
    frame = frame[["age", "ward", "note"]]
    one = compare(frame, y, RANKERS, cv=2)
    two = compare(
        frame.to_numpy(object), y, RANKERS, cv=2, options=CompareOptions(feature_names=list(frame))
    )
    assert all(np.array_equal(one.scores[name], two.scores[name]) for name in RANKERS)


def test_missing_numbers_alone():
    with_gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    result = compare(with_gaps, Y, RANKERS, cv=3)
    mended = make_pipeline(
        SimpleImputer(strategy="median", add_indicator=True), LogisticRegression()
    )
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    by_hand = cross_val_predict(mended, with_gaps, Y, cv=folds, method="decision_function")
    # another memory layout, sums in another order
    np.testing.assert_allclose(result.scores["line"], by_hand, rtol=1e-9)


def test_sparse_matrices():
    result = compare(sparse.csr_array(X), Y, RANKERS, cv=3)  # GaussianNB takes none
    dense = compare(X, Y, RANKERS, cv=3)
    np.testing.assert_allclose(
        result.scores["line"], dense.scores["line"], rtol=1e-6
    )  # a solver's tolerance
    np.testing.assert_array_equal(result.scores["bayes"], dense.scores["bayes"])
    wide = sparse.csr_array((np.ones(120), (np.arange(120), np.arange(120))), shape=(120, 10**6))
    with pytest.raises(ValueError, match="bayes takes no sparse matrix"):
        compare(wide, Y, RANKERS, cv=3)


def test_documents_are_passed_unchanged_without_encoding():
    words = np.where(Y == 1, "cough and fever", "well and gay")
    ranker = make_pipeline(TfidfVectorizer(), LogisticRegression())
    assert (
        compare(list(words), Y, {"words": ranker}, cv=2, options=CompareOptions(encode=None)).rows[
            0
        ]["AUC"]
        == 1
    )


@pytest.mark.slow
def test_a_hundred_thousand_columns():
    wide = np.random.default_rng(0).random((40, 10**5))
    wide[0, 0] = np.nan
    result = compare(wide, np.arange(40) % 2, {"line": LogisticRegression()}, cv=2)
    assert not result.failures and len(result.columns) == 10**5


# ---------------------------------------------------------------- groups, weights, time, measures
def test_a_group_stays_in_one_fold():
    group = np.repeat([f"patient {i}" for i in range(40)], 3)
    for cv in (3, GroupKFold(3)):
        result = compare(X, Y, RANKERS, cv=cv, groups=group)
        for name in np.unique(group):
            assert np.unique(result.fold[group == name]).size == 1
        best, other = (row["ranker"] for row in result.rows)
        scores = [placement_values(Y, result.scores[name], result.fold) for name in (best, other)]
        assert (
            result.rows[1]["p DeLong"]
            == auc_test(Y, *scores, groups=group).pvalue
            != auc_test(Y, *scores).pvalue
        )
        assert "variance for clustered rows" in result.method and "40" in result.settings["groups"]


def test_existing_scores_of_clustered_rows():
    """Copies within a group change nothing; without groups the p-value is too small."""
    rng, group = np.random.default_rng(0), np.repeat(np.arange(40), 3)
    luck = rng.normal(size=(2, 40))[:, group]
    scores = {"a": 2 * Y + luck[0], "b": Y + luck[1]}
    result = compare_scores(Y, scores, max_fpr=0.4, groups=group)
    for row in result.rows:
        assert row["low"] == auc_interval(Y, scores[row["ranker"]], max_fpr=0.4, groups=group).low
    assert (
        result.rows[1]["p"]
        == auc_test(Y, scores["a"], scores["b"], max_fpr=0.4, groups=group).pvalue
    )
    twice = {name: np.tile(s, 2) for name, s in scores.items()}
    again = compare_scores(np.tile(Y, 2), twice, max_fpr=0.4, groups=np.tile(group, 2))
    assert again.rows[1]["p"] == pytest.approx(result.rows[1]["p"], rel=1e-9)
    assert compare_scores(np.tile(Y, 2), twice, max_fpr=0.4).rows[1]["p"] < result.rows[1]["p"]
    with pytest.raises(ValueError, match="groups"):
        compare_scores(Y, scores, groups=group[:-1])


def test_weights_are_used_in_training_and_evaluation():
    weight = 1.0 + np.arange(120) % 3
    result = compare(
        X, Y, {**RANKERS, "neighbours": KNeighborsClassifier()}, cv=3, sample_weight=weight
    )
    assert result.failures == {
        "neighbours": "ValueError: KNeighborsClassifier takes no sample_weight"
    }
    assert "p DeLong" not in result.rows[0] and "takes no weights" in result.method
    folds = [result.fold == k for k in range(3)]
    areas = [
        roc_auc(Y[rows], result.scores["line"][rows], sample_weight=weight[rows]) for rows in folds
    ]
    np.testing.assert_array_equal(result.values["line"], areas)
    model = GaussianNB().fit(X[~folds[0]], Y[~folds[0]], sample_weight=weight[~folds[0]])
    np.testing.assert_array_equal(
        result.scores["bayes"][folds[0]], model.predict_proba(X[folds[0]])[:, 1]
    )


def test_rows_in_order_of_time():
    result = compare(X, Y, RANKERS, cv=TimeSeriesSplit(4))
    assert (
        (result.fold[:24] == -1).all()
        and (result.fold[24:] >= 0).all()
        and len(result.values["line"]) == 4
    )
    assert "p DeLong" not in result.rows[0]  # some rows have no score


def test_a_repeating_splitter_equals_repeats():
    class Again(RepeatedStratifiedKFold):
        def split(self, X, y, groups=None):
            for seed in (0, 1):
                yield from StratifiedKFold(3, shuffle=True, random_state=seed).split(X, y)

    one = compare(X, Y, RANKERS, cv=3, repeats=2)
    two = compare(X, Y, RANKERS, cv=Again())
    assert all(np.array_equal(one.values[name], two.values[name]) for name in RANKERS)
    assert all(np.array_equal(one.scores[name], two.scores[name]) for name in RANKERS)
    assert one.rows[0]["p"] is None and one.rows[1]["p"] == pytest.approx(two.rows[1]["p"])


def test_measures_by_name_and_as_objects():
    measures = [
        "brier",
        TwoWay(min_tpr=0.8),
        "pauc(max_fpr=.1)",
        PAUC(min_fpr=0.1, max_fpr=0.3),
        "AP",
        "precision(k=0.2)",
    ]
    result = compare(X, Y, RANKERS, cv=3, measures=measures)
    assert result.table()[0][1] == "Brier" and result.rows[0]["Brier"] <= result.rows[1]["Brier"]
    for name in RANKERS:
        row = next(row for row in result.rows if row["ranker"] == name)
        for label, measured in (
            ("two-way AUC(1, 0.8)", lambda y, s: partial_auc(1 - y, -s, max_fpr=0.2)),
            ("pAUC(0, 0.1)", lambda y, s: partial_auc(y, s, max_fpr=0.1)),
            ("pAUC(0.1, 0.3)", lambda y, s: partial_auc(y, s, min_fpr=0.1, max_fpr=0.3)),
            ("average precision", average_precision_score),
        ):
            by_fold = [
                measured(Y[result.fold == k], result.scores[name][result.fold == k])
                for k in range(3)
            ]
            assert row[label] == pytest.approx(np.mean(by_fold), rel=1e-12)  # sums in another order
        losses = []
        for k in range(3):
            fold, s = result.fold == k, result.standard_scores[name]
            p = PAVCalibrator("strict").fit(s[~fold], Y[~fold]).transform(s[fold])
            losses.append(np.mean((p - Y[fold]) ** 2))
        assert row["Brier"] == pytest.approx(np.mean(losses), rel=1e-12)


def test_with_few_folds_both_tests_are_reported():
    three = {
        **RANKERS,
        "one column": make_pipeline(FunctionTransformer(lambda X: X[:, :1]), GaussianNB()),
    }
    result = compare(X, Y, three, cv=3, max_fpr=0.4)
    best = result.rows[0]["ranker"]
    others = [row["ranker"] for row in result.rows[1:]]
    placed = {name: placement_values(Y, s, result.fold) for name, s in result.scores.items()}
    p = [auc_test(Y, placed[best], placed[name], max_fpr=0.4).pvalue for name in others]
    assert [row["p DeLong"] for row in result.rows[1:]] == pytest.approx(
        holm(p)
    ) and "p, DeLong" not in str(result)
    assert "p DeLong" not in compare(X, Y, RANKERS, cv=5, repeats=2).rows[0]


def test_mean_curves_are_means_of_curves():
    result = compare(X, Y, RANKERS, cv=3, max_fpr=0.4)
    grid = result.curves["grid"]
    heights = [
        tpr_at_fpr(Y[result.fold == k], result.scores["line"][result.fold == k], grid)
        for k in range(3)
    ]
    mean, low, high = result.curves["roc"]["line"]
    np.testing.assert_allclose(mean, np.mean(heights, axis=0), atol=1e-12)
    at = np.searchsorted(grid, 0.2)
    bounds = corrected_t(np.array(heights)[:, at], 3)[:2]
    np.testing.assert_allclose((low[at], high[at]), np.clip(bounds, 0, 1), atol=1e-12)
    drawn = result.plot()
    labels = [text.get_text() for text in drawn.ax_.get_legend().get_texts()]
    assert labels == [f"{row['ranker']}: {row['pAUC']:.3f}" for row in result.rows]
    assert drawn.ax_.get_xlim()[1] < 0.45
    plt.close(drawn.figure_)


def test_groups_of_one_class_and_of_both():
    """Groups of one class and of both; too few groups for folds or variances are an error."""
    both = np.arange(120) % 30
    result = compare(X, Y, RANKERS, cv=3, groups=both)
    mixed = [g for g in range(30) if len(set(Y[both == g])) == 2]
    assert mixed and result.rows[1]["p DeLong"] is not None and not result.failures
    lonely = np.where(Y == 1, "all the sick", np.arange(120).astype(str))
    with pytest.raises(
        ValueError,
        match="need as many groups with positives and as many with negatives; there are 1 and",
    ):
        compare(X, Y, RANKERS, cv=3, groups=lonely)
    with pytest.raises(
        ValueError, match="two groups with positives and two with negatives, got 1 and"
    ):
        compare_scores(Y, {"a": X[:, 0]}, groups=lonely)


def test_levels_that_are_unseen_in_training():
    """In a test set, and in a new table."""
    ward = np.where(np.arange(120) % 2, "north", "south").astype(object)
    ward[7] = "unseen"
    frame = pd.DataFrame({"a": X[:, 0], "ward": ward})
    result = compare(frame, Y, RANKERS, cv=3)
    assert not result.failures and np.isfinite(result.scores["line"]).all()
    decision = result.decide(frame, "line", max_fpr=0.3)
    assert np.isfinite(decision.decision_function(frame.assign(ward="elsewhere"))).all()


def in_steps(rng, n=200):
    """y, two scores, five folds; each fold's scores are shifted by 1 from those of the fold before."""
    fold, y = np.repeat(range(5), n // 5), np.tile([1, 0, 0, 0], n // 4)
    one, two = (rng.normal(size=n) + y + fold for _ in range(2))
    return y, one, two, fold


def test_auc_of_placement_values_is_the_mean_over_folds():
    y, one, two, fold = in_steps(np.random.default_rng(0))
    by_fold = [roc_auc(y[fold == k], one[fold == k]) for k in range(5)]
    np.testing.assert_allclose(roc_auc(y, placement_values(y, one, fold)), np.mean(by_fold))
    result = compare_scores(y, {"one": one, "two": two}, fold=fold)
    rows = {row["ranker"]: row for row in result.rows}
    np.testing.assert_allclose(rows["one"]["AUC"], np.mean(by_fold))
    assert (
        roc_auc(y, one) < rows["one"]["AUC"] - 0.05
        and "variances, of placement values within folds (existing" in result.method
    )
    assert "variances (existing scores" in compare_scores(y, {"one": one}).method
    moved = compare_scores(y, {"one": one - 7 * fold, "two": np.exp(two)}, fold=fold)
    assert [(row["AUC"], row["p"]) for row in moved.rows] == [
        (row["AUC"], row["p"]) for row in result.rows
    ]
    with pytest.raises(ValueError, match="fold 2.*one class"):
        compare_scores(y, {"one": one}, fold=np.where((fold == 2) & (y == 1), 3, fold))


class Stepped(BaseEstimator, ClassifierMixin):
    """A line whose scale depends on the rows that trained it, as that of many rankers does."""

    def fit(self, X, y):
        self.classes_, self.zero_ = np.unique(y), 100 * X[:, 0].mean()
        return self

    def decision_function(self, X):
        return X[:, 0] + self.zero_


def test_delong_does_not_depend_on_the_scale_of_a_fold():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    X = rng.normal(size=(80, 2)) + y[:, None]
    result = compare(
        X, y, {"one": Stepped(), "two": make_pipeline(FunctionTransformer(np.fliplr), Stepped())}
    )
    best, other = result.rows
    of_fold = [np.flatnonzero(result.fold == k) for k in range(5)]
    moved = {name: s.copy() for name, s in result.scores.items()}
    for k, rows in enumerate(of_fold):  # as if each model had the same scale
        for s in moved.values():
            s[rows] += k - s[rows].mean()
    placed = [placement_values(y, moved[row["ranker"]], result.fold) for row in result.rows]
    assert best["p DeLong"] is None and other["p DeLong"] == auc_test(y, *placed).pvalue
    assert abs(auc_test(y, *result.scores.values()).pvalue - other["p DeLong"]) > 0.01


def test_names_of_rankers_and_values_of_encode_are_checked():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    with pytest.raises(ValueError, match="must be strings, got 1"):
        compare(X, y, {1: GaussianNB()})
    with pytest.raises(ValueError, match="differ as strings, got 1, '1'"):
        compare_scores(y, {1: X[:, 0], "1": X[:, 1]})
    for encode in ("none", False):
        with pytest.raises(ValueError, match=f"'auto', None or a transformer, got {encode!r}"):
            compare(X, y, {"bayes": GaussianNB()}, options=CompareOptions(encode=encode))


def test_groups_are_read_as_by_auc_interval():
    rng = np.random.default_rng(0)
    y, s = np.tile([0, 1], 30), rng.normal(size=60)
    mixed = np.array(
        [k if k % 2 else str(k - 1) for k in np.repeat(range(30), 2)], dtype=object
    )  # 1 and "1" are two
    row = compare_scores(y, {"s": s}, groups=mixed).rows[0]
    interval = auc_interval(y, s, groups=mixed)
    np.testing.assert_allclose([row["low"], row["high"]], [interval.low, interval.high])
    for missing in (
        pd.array(["a", pd.NA] * 30, dtype="string"),
        np.full(60, np.datetime64("NaT")),
        [None] * 60,
    ):
        with pytest.raises(ValueError, match="groups has .* missing values"):
            compare_scores(y, {"s": s}, groups=missing)


# ---- the scale that models of different folds share
class Fitted:
    """A model whose scores are the first column of the rows."""

    def decision_function(self, X):
        return X[:, 0]


@pytest.mark.parametrize("size", [1e-300, 1e-9, 1.0, 1e307])
def test_training_scale_is_mean_and_standard_deviation(size):
    X = size * np.array([[1.0], [3.0], [8.0]])
    w = np.array([2.0, 2.0, 0.0])
    assert training_scale(Fitted(), X[:2]) == pytest.approx((2 * size, size), rel=1e-12)
    assert training_scale(Fitted(), X, w) == pytest.approx((2 * size, size), rel=1e-12)


def test_training_scale_of_infinite_constant_or_probability_scores():
    assert training_scale(Fitted(), np.array([[1.0], [np.inf]])) == (0, 1)
    mean, spread = training_scale(Fitted(), np.full((9, 1), 0.1))
    assert mean == pytest.approx(0.1) and spread > 0.01
    assert training_scale(Fitted(), np.zeros((9, 1))) == (0, 1)
    assert training_scale(GaussianNB().fit(X, Y), X) == (0, 1)


def test_training_scale_uses_at_most_2000_rows():
    X = np.random.default_rng(0).normal(3, 2, (50_000, 1))
    n_scored = []

    def first_column(rows):
        n_scored.append(len(rows))
        return rows[:, 0]

    model = Fitted()
    model.decision_function = first_column
    assert training_scale(model, X) == pytest.approx((3, 2), abs=0.15)  # three standard errors
    assert n_scored == [2000]


@pytest.mark.parametrize(
    "old, new",
    [
        ({"ignore": ("AB1",)}, r"CompareOptions\(ignore="),
        ({"minutes": 3, "feature_names": ["a"]}, r"CompareOptions\(minutes=..., feature_names="),
    ],
)
def test_moved_keywords_name_the_options(old, new):
    with pytest.raises(TypeError, match=new):
        compare(X, Y, RANKERS, **old)


def test_old_calls_raise_an_error_with_the_new_call():
    with pytest.raises(TypeError, match=r"by name: compare\(X, y, rankers, max_fpr=0.1\)"):
        compare(X, Y, RANKERS, 0.1)
    with pytest.raises(TypeError, match="by keyword: min_fpr="):
        compare(X, Y, RANKERS, "auc")
    with pytest.raises(TypeError, match="options must be CompareOptions"):
        compare(X, Y, RANKERS, options={"minutes": 3})


def mixed_table(n=400):
    """A data frame of numbers with missing values and categories, and labels."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(n, 3))
    numbers[rng.random((n, 3)) < 0.2] = np.nan
    frame = pd.DataFrame(numbers, columns=list("abc"))
    frame["ward"] = rng.choice(["north", "south", "east", ""], n)
    y = (np.nan_to_num(numbers[:, 0]) + rng.normal(size=n) > 0).astype(int)
    return frame, y


class WritesIntoItsRows(GaussianNB):
    def fit(self, X, y):
        super().fit(X, y)
        X[:] = 0
        return self


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_the_encoded_rows_of_a_fold_are_shared_and_scores_the_same(n_jobs, monkeypatch):
    X, y = mixed_table()
    rankers = {
        "writes": WritesIntoItsRows(),
        "line": LogisticRegression(),
        "neighbors": KNeighborsClassifier(),
        "forest": RandomForestClassifier(5, random_state=0),  # takes NaN: another encoder
        "tree": RandomForestClassifier(1, random_state=0),
    }
    fitted = []
    fit = TableEncoder.fit

    def counted(self, X, y=None):
        fitted.append(self.missing)
        return fit(self, X, y)

    options = CompareOptions(ignore=["AB12"])
    monkeypatch.setattr(TableEncoder, "fit", counted)
    together = compare(X, y, rankers, cv=3, n_jobs=n_jobs, options=options)
    if n_jobs is None:
        assert sorted(fitted) == ["keep"] * 3 + ["median"] * 3
    for name, ranker in rankers.items():
        alone = compare(X, y, {name: ranker}, cv=3, options=options)
        np.testing.assert_array_equal(together.scores[name], alone.scores[name])
        np.testing.assert_array_equal(together.standard_scores[name], alone.standard_scores[name])


def test_encoded_rows_are_kept_within_their_memory():
    X, y = mixed_table()
    table = to_table(X)
    folds = make_folds(y, 4)
    encoder = TableEncoder("keep", kinds=column_kinds(X))
    first, _ = Encodings(0).of_fold(encoder, table, y, folds[0])
    for max_bytes, saved in ((10**9, [True] * 4), (first.n_bytes, [False] * 4), (0, [False] * 4)):
        encodings = Encodings(max_bytes)
        seconds = [encodings.of_fold(encoder, table, y, fold)[1] for fold in folds * 2]
        assert not any(seconds[:4]) and [s > 0 for s in seconds[4:]] == saved
        assert sum(rows.n_bytes for rows in encodings.rows_of.values()) <= max_bytes
    again = pickle.loads(pickle.dumps(Encodings(10**9)))
    assert again is pickle.loads(pickle.dumps(again))


def test_a_final_model_knows_the_columns_of_the_table():
    X, y = mixed_table()
    result = compare(X, y, {"line": LogisticRegression()}, cv=3)
    model = result.decide(X, max_fpr=0.3).model
    alone = result.rankers["line"].fit(X, y)
    assert model.feature_names_in_.tolist() == alone.feature_names_in_.tolist()
    assert model.n_features_in_ == 4 and model[0].columns_ == alone[0].columns_


def test_a_frame_has_the_rows_and_nan_for_none():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 2
    result = compare_scores(y, {"a": y + rng.normal(size=90), "b": rng.normal(size=90)})
    frame = result.to_frame()
    assert frame.index.name == "ranker" and frame.index.tolist() == ["a", "b"]
    assert np.isnan(frame.loc["a", "p"]) and frame.loc["b", "p"] == result.rows[1]["p"]
    assert list(frame.columns) == list(result.rows[0])[1:]
    alone = compare_scores(y, {"a": y + rng.normal(size=90)}).to_frame()
    assert set(alone.dtypes) == {np.dtype(float)}
