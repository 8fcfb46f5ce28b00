"""aucbook._validation.checks: accepted input is returned ready for a kernel, refused input is named in the message."""

import ast
import subprocess
import sys
import warnings
from decimal import Decimal
from numbers import Integral

import numpy as np
import pandas as pd
import pytest
from discovery import SMALL_DATA, all_rankers, small
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook import AUCBoost, compare_scores, exact_auc, roc_auc
from aucbook._validation import checks
from aucbook._validation.checks import (
    check_at_least,
    check_between,
    check_choice,
    check_column_scale,
    check_finite,
    check_flag,
    check_input,
    check_integer,
    check_labels,
    check_number,
    check_numbers,
    check_positive,
    check_range,
    check_rates,
    check_scores,
    check_sequence,
    check_weight,
    two_classes,
    warn_if_normalized,
    warn_user,
)

NO_NUMBERS = ("a", None, [1], True, 1j)


# ---- parameters


def test_integers():
    for good in (1, 7, np.int64(3)):
        assert (
            check_integer(good, "n_estimators") == good
            and type(check_integer(good, "n_estimators")) is int
        )
    for bad in (0, 2.5, 3.0, np.nan, np.inf, *NO_NUMBERS):
        with pytest.raises(ValueError) as caught:
            check_integer(bad, "n_estimators")
        assert str(caught.value) == f"n_estimators must be a whole number, at least 1, got {bad!r}"
    assert (
        check_integer(None, "n_bins", 2, 255, optional=True) is None
        and check_integer(2, "n_bins", 2, 255) == 2
        and check_integer(255, "n_bins", 2, 255) == 255
    )
    for bad in (1, 256):
        with pytest.raises(
            ValueError, match=rf"n_bins must be None or a whole number, in 2\.\.255, got {bad}"
        ):
            check_integer(bad, "n_bins", 2, 255, optional=True)


def test_numbers_with_a_condition_of_the_caller():
    assert (
        check_number(4, "k", lambda k: k % 2 == 0, "an even number", Integral) == 4
        and check_number(None, "k", abs, "", optional=True) is None
    )
    for bad in ("a", None, np.nan, -1, [1]):
        with pytest.raises(ValueError, match="tol must be a number, not negative, got "):
            check_number(bad, "tol", lambda t: t >= 0, "a number, not negative")


@pytest.mark.parametrize(
    "call, good, bad, words",
    [
        (
            lambda v: check_positive(v, "C"),
            (1, 1e-300, 1e300, np.float32(2)),
            (0, -1, np.nan, np.inf, *NO_NUMBERS),
            "C must be a positive number, got ",
        ),
        (
            lambda v: check_positive(v, "beta", 1),
            (1, 0.5),
            (1.001, 0),
            r"beta must be a number in \(0, 1\], got ",
        ),
        (
            lambda v: check_at_least(v, "tol"),
            (0, 5.5),
            (-1e-9, np.nan, np.inf, *NO_NUMBERS),
            "tol must be a finite number, at least 0, got ",
        ),
        (
            lambda v: check_at_least(v, "tol", 2, finite=False),
            (2, np.inf),
            (1.9, np.nan),
            "tol must be a number, at least 2, got ",
        ),
        (
            lambda v: check_between(v, "level"),
            (0.5, 1e-9),
            (0, 1, 95, np.nan, *NO_NUMBERS),
            r"level must be a number in \(0, 1\), got ",
        ),
        (
            lambda v: check_between(v, "clip", high=0.5, closed="left"),
            (0, 0.49),
            (0.5, -0.1),
            r"clip must be a number in \[0, 0.5\), got ",
        ),
        (
            lambda v: check_between(v, "rate", closed="right"),
            (1, 0.1),
            (0, 1.1),
            r"rate must be a number in \(0, 1\], got ",
        ),
        (
            lambda v: check_between(v, "share", -1, 2, closed="both", advice=", a share"),
            (-1, 2),
            (3, np.inf),
            r"share must be a number in \[-1, 2\], a share, got ",
        ),
    ],
)
def test_numbers(call, good, bad, words):
    for value in good:
        assert call(value) == value and type(call(value)) is float
    for value in bad:
        with pytest.raises(ValueError, match=words):
            call(value)


def test_optional_values_may_be_none():
    for check in (check_integer, check_positive, check_at_least, check_between):
        assert check(None, "x", optional=True) is None
        with pytest.raises(ValueError, match="x must be None or a .*got 'a'"):
            check("a", "x", optional=True)


def test_choices_and_flags():
    allowed = (False, True, "smooth", None)
    for good in allowed:
        assert check_choice(good, "shake", allowed) is good
    for bad in ("smoot", 2, [True], np.arange(3), np.array("smooth"), AUCBoost(), float("nan")):
        with pytest.raises(ValueError, match="shake must be False, True, 'smooth' or None, got "):
            check_choice(bad, "shake", allowed)
    with pytest.raises(ValueError, match="form must be 'raw', got 'area'"):
        check_choice("area", "form", ["raw"])
    assert check_flag(np.True_, "one_se") is True and check_flag(False, "one_se") is False
    for bad in (0, 1, "yes", None):
        with pytest.raises(ValueError, match="one_se must be True or False, got "):
            check_flag(bad, "one_se")


def test_ranges():
    assert check_range(0, np.float32(0.5)) == (0.0, 0.5)
    for bad in ((0.5, 0.5), (0.3, 0.1), (-0.1, 0.5), (0, 1.1), (np.nan, 1), ("0", 1), (None, 1)):
        with pytest.raises(ValueError, match="min_fpr < max_fpr"):
            check_range(*bad)


# ---- arrays


def test_arrays_of_numbers():
    x = np.arange(6.0).reshape(2, 3)
    assert (
        check_numbers(x, "x") is x
        and check_numbers(3, "x").shape == ()
        and check_numbers([True, 2], "x").tolist() == [1, 2]
    )
    for bad in ("0.5", ["a"], [[1], [1, 2]], 1j, object(), np.array(["2000-01-01"], "M8[D]")):
        with pytest.raises(ValueError, match="x must be a number or an array of numbers, got "):
            check_numbers(bad, "x")
    with pytest.raises(
        ValueError,
        match=r"x must be a number or a one-dimensional array of numbers, got shape \(2, 3\)",
    ):
        check_numbers(x, "x", max_ndim=1)


def test_rates_and_finite_numbers():
    assert check_rates(0) == 0 and check_rates([0, 0.5, 1], "level").tolist() == [0, 0.5, 1]
    for bad, got in (
        (1.5, "1.5"),
        (np.nan, "nan"),
        ([0, 2], "values from 0 to 2"),
        ([-1, 0.5], "values from -1 to 0.5"),
    ):
        with pytest.raises(ValueError, match=rf"level must lie in \[0, 1\], got {got}"):
            check_rates(bad, "level")
    x = np.arange(3.0)
    assert check_finite(x, "x") is x
    with pytest.raises(ValueError, match="x must be finite, got 2 NaN or infinite values"):
        check_finite(np.array([0, np.nan, -np.inf]), "x")


def test_sequences():
    x = np.arange(3.0)
    assert (
        check_sequence(x, "y") is x
        and check_sequence([True, False], "y").dtype == np.float64
        and check_sequence(np.arange(9.0)[::-3], "y").flags.c_contiguous
    )
    for bad in ([], 3.0, [[1.0]], ["a"], [None], [1j]):
        with pytest.raises(
            ValueError,
            match="y must be a non-empty one-dimensional array of real numbers, got shape",
        ):
            check_sequence(bad, "y")


def test_columns_whose_squares_overflow_or_underflow():
    X = np.array([[1.0, 0.0, -3.0], [2.0, 0.0, 1.0]])
    assert (
        check_column_scale(X)
        == check_column_scale(sparse.csr_array(X))
        == check_column_scale(sparse.csr_matrix(X))
        == 3
    )
    for value, size in ((1e160, "large"), (-1e160, "large"), (1e-200, "small")):
        X[1, 1] = value
        for table in (X, sparse.csr_array(X)):
            with pytest.raises(ValueError, match=f"column 1 of X: .*, too {size} to be squared"):
                check_column_scale(table, minimum=1e-100)


# ---- labels, scores, weights


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "f4", "f8", "f2", "U3", "?"])
def test_two_classes_equals_np_unique(dtype):
    rng = np.random.default_rng(0)
    for n in (1, 2, 9):
        y = rng.integers(0, 2, n).astype(dtype)
        codes, classes = two_classes(y)
        np.testing.assert_array_equal(classes, np.unique(y))
        if classes.size == 2:
            np.testing.assert_array_equal(classes[codes], y)


def test_labels_of_any_type_and_the_name_in_the_message():
    for y in (
        [0, 1, 0],
        [-1, 1, -1],
        ["a", "b", "a"],
        [False, True, False],
        np.array(["a", "b", "a"], object),
        [2.5, 7.5, 2.5],
    ):
        codes, classes = check_labels(y)
        assert (
            codes.tolist() == [0, 1, 0]
            and codes.dtype == np.uint8
            and classes.tolist() == sorted(set(np.asarray(y).tolist()))
        )
        codes, classes = check_labels(y, pos_label=np.asarray(y)[0])
        assert (
            codes.tolist() == [1, 0, 1]
            and classes.tolist() == sorted(set(np.asarray(y).tolist()))[::-1]
        )
    with pytest.raises(
        ValueError, match="labels must have exactly two classes, got 6: 0, 1, 2, 3, 4, ..."
    ):
        check_labels(range(6), name="labels")


@pytest.mark.parametrize(
    "dtype", ["?", ">i2", ">i4", "<i4", ">f8", "<f8", ">u1", "f2", ">f4", "longdouble"]
)
def test_labels_of_any_byte_order(dtype):
    labels, classes = check_labels(np.array([0, 1, 0, 1], dtype))
    assert (
        labels.tolist() == [0, 1, 0, 1] and labels.dtype == np.uint8 and classes.tolist() == [0, 1]
    )


@pytest.mark.skipif(
    not hasattr(np.dtypes, "StringDType"), reason="NumPy 1 has no strings of any length"
)
def test_labels_of_numpy_string_dtype():
    labels, classes = check_labels(
        np.array(["ill", "well", "ill"], np.dtypes.StringDType()), pos_label="ill"
    )
    assert labels.tolist() == [1, 0, 1] and classes.tolist() == ["well", "ill"]
    with pytest.raises(
        ValueError, match=r"y_true has 1 missing label, the first in row 1 \(the first is 0\)"
    ):
        check_labels(np.array(["ill", None, "well"], np.dtypes.StringDType(na_object=None)))


def test_all_weights_zero_only_where_allowed():
    assert check_weight([0, 0], n=2, allow_all_zero=True).tolist() == [0, 0]
    with pytest.raises(
        ValueError, match="sample_weight must be finite, non-negative and not all zero$"
    ):
        check_weight([0, 0], n=2)
    for bad in ([0, -1], [0, np.nan]):
        with pytest.raises(ValueError, match="sample_weight must be finite and non-negative$"):
            check_weight(bad, n=2, allow_all_zero=True)


def test_valid_scores_and_weights_are_returned_unchanged():
    s = np.array([1.0, np.inf, -np.inf])
    assert (
        check_scores(s) is s
        and check_scores(s.astype(np.float32)).dtype == np.float32
        and check_scores([True, 2]).dtype == np.float64
    )
    assert check_weight(None, n=3) is None and check_weight(np.ones(3), n=3).tolist() == [1, 1, 1]


def test_rows_of_zero_weight_are_dropped_and_only_ratios_count():
    y, s, w = check_input([0, 1, 1, 0], [1, 2, 3, 4], sample_weight=[5e-324, 1e-323, 0, 5e-324])
    assert (y.tolist(), s.tolist(), (w / w[0]).tolist()) == (
        [0, 1, 0],
        [1, 2, 4],
        [1, 2, 1],
    ) and w.min() > 1e-10
    with pytest.raises(ValueError, match="no weight at all"):
        check_input([0, 1], [1, 2], sample_weight=[0, 1])


def test_name_and_n_are_keyword_only():
    for wrong in (
        lambda: check_scores([1.0], 1),
        lambda: check_weight([1.0], 1),
        lambda: check_labels([0, 1], "a"),
    ):
        with pytest.raises(TypeError):
            wrong()


# ---- warnings


class Warns(ClassifierMixin, BaseEstimator):
    """Stands for a class of the library that warns in a helper of its `fit`."""

    def fit(self, X, y):
        exec(
            "def helper(): warn_user('look here')\nhelper()",
            {"warn_user": warn_user, "__name__": "aucbook.somewhere"},
        )
        self.classes_ = np.unique(y)
        return self


def test_warnings_point_at_the_line_outside_the_library():
    X, y = np.arange(6.0)[:, None], np.arange(6) % 2
    with warnings.catch_warnings(record=True) as direct:
        warnings.simplefilter("always")
        Warns().fit(X, y)
    assert direct[0].filename == __file__  # this class is not of the library, its helper is
    with warnings.catch_warnings(record=True) as piped:
        warnings.simplefilter("always")
        model = make_pipeline(StandardScaler(), AUCBoost(n_estimators=1)).fit(np.ones((6, 1)), y)
    assert model is not None and {w.category for w in piped} <= {UserWarning}
    with pytest.warns(DeprecationWarning, match="other kinds"):
        warn_user("other kinds too", DeprecationWarning)


def test_warnings_point_past_frames_of_scikit_learn():
    code = (
        "import warnings; from aucbook._validation.checks import warn_user\ndef fit(call): call()\n"
    )
    deep = {"__name__": "sklearn.pipeline"}
    exec(code, deep)
    inner = {"__name__": "aucbook.pauc.pauc_svm", "warn_user": warn_user}
    exec("def fit(): warn_user('deep')", inner)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        deep["fit"](inner["fit"])
    assert caught[0].filename == __file__


def test_normalised_weights_raise_a_warning():
    with pytest.warns(
        UserWarning,
        match="sums to 1 on 50 rows: here weights count rows; divide them by their mean",
    ) as caught:
        warn_if_normalized(np.full(50, 0.02))
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_normalized(np.full(50, 0.2)), warn_if_normalized(np.full(8, 1 / 8))


# ---- the module itself


@pytest.mark.parametrize(
    "module",
    [
        "_validation.checks",
        "_base.progress",
        "_numerics.pooling",
        "_numerics.sorting",
        "metrics.roc",
    ],
)
def test_low_level_modules_import_no_heavy_package(module):
    # numba asks for the version of scipy, no more
    heavy = {
        "sklearn",
        "matplotlib",
        "pandas",
        "joblib",
        "tqdm",
        "scipy.linalg",
        "scipy.optimize",
        "scipy.sparse",
        "scipy.special",
        "scipy.stats",
    }
    code = f"import sys, aucbook.{module}; print(*sorted(sys.modules))"
    imported = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert f"aucbook.{module}" in imported and heavy & set(imported) == set()


def test_every_validator_takes_the_value_first_and_its_name_second_or_by_keyword():
    for function in ast.parse(open(checks.__file__, encoding="utf8").read()).body:
        if (
            isinstance(function, ast.FunctionDef)
            and function.name.startswith("check_")
            and function.name not in ("check_range", "check_input")
        ):
            positional = [a.arg for a in function.args.args]
            keywords = [a.arg for a in function.args.kwonlyargs]
            assert positional[1:2] == ["name"] or (len(positional) == 1 and "name" in keywords), (
                function.name
            )


MASKED = np.ma.masked_equal([0.5, -99.0, 0.25, 0.75], -99.0)


@pytest.mark.parametrize(
    "check",
    [
        lambda v: check_scores(v),
        lambda v: check_numbers(v, "x"),
        lambda v: check_sequence(v, "x"),
        lambda v: check_weight(v, n=4),
        lambda v: check_labels(v > 0.4),
        lambda v: checks.check_groups(v, n=4),
        lambda v: AUCBoost(n_estimators=2).fit(v[:, None], [0, 1, 0, 1]),
        lambda v: (
            AUCBoost(n_estimators=2)
            .fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
            .decision_function(v[:, None])
        ),
    ],
)
def test_masked_arrays_are_refused(check):
    with pytest.raises(ValueError, match="is a masked array with 1 masked entry"):
        check(MASKED)
    check(np.ma.masked_array([0.5, 0.1, 0.25, 0.75]))  # a mask that hides nothing


def test_scores_that_floats_would_tie():
    tied = [2**60, 2**60 + 1]
    near = np.array([1, 1 + np.finfo(np.longdouble).eps], np.longdouble)
    for values in (
        tied,
        np.array(tied, np.uint64),
        np.array([2**70, 2**70 + 1], object),
        [Decimal(1), Decimal("1") + Decimal("1e-20")],
    ):
        with pytest.raises(
            ValueError, match=r"rank them first, e.g. np.unique\(y_score, return_inverse=True\)"
        ):
            check_scores(values)
    for values in (tied, [2**70, 2**70 + 1, 3]):
        assert np.unique(values, return_inverse=True)[1].tolist() in (
            [0, 1],
            [1, 2, 0],
        )  # the advice is sound
    if np.finfo(np.longdouble).eps < np.finfo(float).eps:  # not so on every machine
        with pytest.raises(ValueError, match="rank them first"):
            check_scores(near)
    assert check_scores(np.array([0.1, 0.2, 0.2], np.longdouble)).tolist() == [0.1, 0.2, 0.2]
    with pytest.raises(ValueError, match="convert it"):
        check_scores(np.array([1, 2], object))


def test_columns_that_floats_would_tie():
    X, y = (2**60 + np.arange(40))[:, None], np.arange(40) % 2
    with pytest.warns(UserWarning, match="column 0 holds whole numbers beyond 2\\*\\*53"):
        AUCBoost(n_estimators=2).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checks.warn_if_tied(2**60 + 1024 * np.arange(40), "x")
        checks.warn_if_tied(np.arange(40), "x")
        checks.warn_if_tied(np.array(["1", "a", 2.5], object), "x")


@pytest.mark.parametrize("labels", [["control", "case"], np.array([b"no", b"yes"]), ["9", "10"]])
def test_a_warning_names_the_positive_class_of_string_labels(labels):
    later = max(labels)
    later = later if isinstance(later, str) else later.item()
    with pytest.warns(UserWarning, match=f"pos_label not given: using {later!r}") as caught:
        y, classes = check_labels(labels)
    assert caught[0].filename == __file__ and classes.tolist()[1] == later and y.sum() == 1


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], [True, False], ["0", "1"], ["-1", "1"]])
def test_numeric_labels_give_no_warning_on_the_positive_class(labels):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_labels(labels)
        check_labels(["case", "control"], pos_label="case")


@pytest.mark.parametrize("name", all_rankers())
def test_fit_gives_no_warning_on_string_labels(name):
    X, y = SMALL_DATA
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "taking")
        model = small(name).fit(X, np.array(["case", "control"])[y])
    assert model.classes_.tolist() == ["case", "control"]


def test_the_nearest_name_is_found_whatever_its_case():
    names = ["TreeRank boost", "AUCBoost", "additive curves"]
    assert [
        checks.nearest(word, names)
        for word in ("aucboost", "TREERANK BOST", "Additive Curve", "zzz")
    ] == ["AUCBoost", "TreeRank boost", "additive curves", None]
    with pytest.raises(ValueError, match="there is no ranker 'aucboost'; did you mean 'AUCBoost'"):
        checks.check_known("aucboost", "ranker", names)


# ---------------------------------------------------------------- missing values are reported with their row
def missing_labels():
    """Four labels, of which the third is missing, in every form that a table has them."""
    pl = pytest.importorskip("polars")
    pa = pytest.importorskip("pyarrow")
    numbers, words = [1, 0, None, 1], ["yes", "no", None, "yes"]
    yield from (
        numbers,
        tuple(numbers),
        words,
        np.array(numbers, object),
        np.array([1.0, 0.0, np.nan, 1.0]),
    )
    yield from (
        pd.Series(numbers),
        pd.array(numbers, dtype="Int64"),
        pd.Series(words),
        pd.Categorical(words),
    )
    yield from (
        pd.array([True, False, None, True], dtype="boolean"),
        pd.array(words, dtype="string"),
    )
    yield from (
        pl.Series(numbers),
        pl.Series(words),
        pa.array(numbers),
        pa.array(words),
        pa.chunked_array([words]),
    )
    yield from ([1, 0, pd.NA, 1], [1, 0, pd.NaT, 1], [1, 0, float("nan"), 1])
    yield from (
        ["yes", "no", word, "yes"] for word in ("", " ", "NA", "nan", "NULL", "None", "<NA>", "n/a")
    )
    yield np.array(["1", "0", "", "1"])


@pytest.mark.parametrize(
    "labels", list(missing_labels()), ids=lambda labels: f"{type(labels).__name__}"
)
def test_missing_labels_are_reported(labels):
    scores = [1.0, 2.0, 3.0, 4.0]
    for call in (
        lambda: roc_auc(labels, scores),
        lambda: compare_scores(labels, {"s": scores}),
        lambda: exact_auc([([1, 0], [1.0, 2.0]), (labels, scores)]),
        lambda: AUCBoost(n_estimators=1).fit(np.c_[scores], labels),
    ):
        with pytest.raises(
            ValueError, match=r"1 missing label, the first in row 2 \(the first is 0\)"
        ) as error:
            call()
        assert "astype" not in str(error.value) and "masked" not in str(error.value)


@pytest.mark.parametrize(
    "labels", [[1, "0", "1", 0], ["1", 0, 1, "0"], np.array(["a", 1, "b", 0], object)]
)
def test_labels_of_two_types_are_refused(labels):
    for call in (
        lambda: roc_auc(labels, [1.0, 2.0, 3.0, 4.0]),
        lambda: AUCBoost(n_estimators=1).fit(np.c_[[1.0, 2.0, 3.0, 4.0]], labels),
    ):
        with pytest.raises(ValueError, match="labels of two types") as error:
            call()
        assert f"{labels[0]!r} in row 0" in str(error.value) and f"{labels[1]!r} in row 1" in str(
            error.value
        )


@pytest.mark.parametrize(
    "values",
    [
        [1, None, 2, 3],
        [1.0, np.nan, 2.0, 3.0],
        ["a", "NA", "b", "c"],
        ["a", "", "b", "c"],
        np.array(["a", "nan", "b", "c"]),
        pd.array([1, None, 2, 3], dtype="Int64"),
        pd.Categorical(["a", None, "b", "c"]),
        pd.to_datetime(["2020-01-01", None, "2020-01-02", "2020-01-03"]),
    ],
)
def test_missing_groups_are_reported(values):
    for call in (
        checks.check_groups,
        lambda groups, n: compare_scores([0, 1, 0, 1], {"s": range(n)}, groups=groups),
    ):
        with pytest.raises(
            ValueError, match=r"groups has 1 missing value, the first in row 1 \(the first is 0\)"
        ):
            call(values, n=4)


@pytest.mark.parametrize(
    "values", [[1, None, 2], [1.0, np.nan, 2.0], ["1", "NA", "2"], pd.array([1, None, 2], "Int64")]
)
def test_missing_scores_and_weights_are_reported_with_their_row(values):
    with pytest.raises(ValueError, match=r"y_score .*the first in row 1 \(the first is 0\)"):
        check_scores(values)
    with pytest.raises(
        ValueError,
        match=r"sample_weight has 1 missing value, the first in row 1 \(the first is 0\)",
    ):
        check_weight(values, n=3)
