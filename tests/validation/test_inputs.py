"""Labels and scores in every form that users have, given to every public function and every fit: discovered, so a new one meets them."""

import inspect
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from discovery import PUBLIC, PUBLIC_HOME, all_measures, all_rankers, small
from sklearn.exceptions import DataConversionWarning

from aucbook import PAVCalibrator, auc_test, compare, compare_scores, roc_auc
from aucbook._validation.checks import check_input, check_labels, check_scores, label_array
from aucbook.displays import RocCurveDisplay
from aucbook.model_selection import check_table

pytestmark = pytest.mark.usefixtures("closed_figures")

N = 60
Y = np.arange(N) % 2
S = np.clip(0.5 + 0.1 * np.random.default_rng(0).normal(Y, 1), 0.01, 0.99)
SECOND = np.linspace(0.2, 0.8, N)
# what a function needs besides labels and scores, by the name of the parameter
NEEDED = {
    "fpr": 0.2,
    "k": 0.25,
    "fraction": 0.25,
    "threshold": 0.3,
    "max_fpr": 0.4,
    "min_tpr": 0.3,
    "min_precision": 0.4,
    "new_score": [0.5],
    "by": np.arange(N) % 3,
    "topics": np.arange(N) % 3,
    "fold": np.arange(N) // 15,
    "miss_cost": 1,
}
USEFUL = {"random_state": 0, "n_resamples": 20}
SCORES = ("y_score", "y_prob", "scores", "y_score_1")
# a widget shows what is wrong inside itself, and shows no warning about shapes
WIDGETS = {name for name, home in PUBLIC_HOME.items() if home == "aucbook.lab"}


def _functions():
    """{name: call(y, s)} of every public function, constructor of a display and measure that takes labels and scores."""
    candidates = {name: f for name, f in PUBLIC.items() if inspect.isfunction(f)}
    for name, cls in PUBLIC.items():
        if inspect.isclass(cls) and hasattr(cls, "from_predictions"):
            candidates[f"{name}.from_predictions"] = cls.from_predictions
    for measure in all_measures():
        name = type(measure).__name__.lstrip("_")
        candidates[f"{name}()"] = measure
        candidates[f"{name}.interval"] = measure.interval
        candidates[f"{name}.test"] = measure.test
    calls = {}
    for name, f in candidates.items():
        parameters = inspect.signature(f).parameters
        score = next((word for word in SCORES if word in parameters), None)
        label = next((word for word in ("y_true", "y_true_1", "y") if word in parameters), None)
        if score is None or label is None or "table" in parameters:
            continue
        options = {key: value for key, value in USEFUL.items() if key in parameters}
        for key, parameter in parameters.items():
            is_open = parameter.default is parameter.empty and key in NEEDED
            if is_open:
                options[key] = NEEDED[key]
        calls[name] = _call(name, f, options)
    return calls


def _call(name, f, options):
    """A function of labels and scores that calls f as it wants them."""
    if name in WIDGETS:
        more = [SECOND] if "y_score_2" in inspect.signature(f).parameters else []
        return lambda y, s: _message_raised(f(y, s, *more, **options))
    if name == "compare_scores":
        return lambda y, s: f(y, {"a": s, "b": SECOND}, **options)
    if name in ("auc_test", "topic_test") or name.endswith(".test"):
        return lambda y, s: f(y, s, SECOND, **options)
    if name == "auc_test_unpaired":
        return lambda y, s: f(y, s, Y, SECOND, **options)
    if name in ("guaranteed_thresholds", "subgroup_thresholds"):
        return lambda y, s: f(y, s, max_fpr=0.4, **options)
    if name == "optimal_threshold":
        return lambda y, s: f(y, s, alarm_cost=1, **{**options, "miss_cost": 1})
    return lambda y, s: f(y, s, **options)


def _message_raised(widget):
    """A widget; a ValueError with its message if it could not draw."""
    if not widget.picture:
        raise ValueError(widget.message)
    return widget


FUNCTIONS = _functions()


def columns(values):
    """{form: column} of values (n,) in the types of pandas, polars and pyarrow, in one dimension."""
    series = pd.Series(values, index=np.arange(N)[::-1])
    return {
        "pandas": series,
        "nullable": series.convert_dtypes(),
        "arrow": series.convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.Series("a", values),
        "pyarrow": pa.array(values),
        "chunked": pa.chunked_array([values[:20], values[20:]]),
        "list": values.tolist(),
    }


def one_column_tables(values):
    """{form: table} of values (n,) as tables of shape (n, 1)."""
    frame = pd.DataFrame({"a": values})
    return {
        "array": values[:, None],
        "pandas": frame,
        "nullable": frame.convert_dtypes(),
        "arrow": frame.convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.DataFrame({"a": values}),
        "pyarrow": pa.table({"a": values}),
        "lists": values[:, None].tolist(),
    }


def label_columns():
    """{form: column} of labels of other types, whose larger one is the positive class."""
    text = np.where(Y == 1, "well", "ill")
    return {
        "boolean": pd.Series(Y == 1).astype("boolean"),
        "arrow bool": pd.Series(Y == 1).astype("bool[pyarrow]"),
        "polars bool": pl.Series(Y == 1),
        "category": pd.Series(text).astype("category"),
        "string": pd.Series(text).astype("string"),
        "arrow string": pd.Series(text).astype("string[pyarrow]"),
        "polars category": pl.Series(text.tolist()).cast(pl.Categorical),
        "minus one": pd.Series(2 * Y - 1).astype("Int8"),
    }


def shown_result(result):
    """A result as text: arrays to their last digit."""
    values = getattr(result, "curves_", getattr(result, "curve_", result))
    with np.printoptions(precision=17, threshold=10**6):
        return f"{values}"


def test_the_discovery_finds_functions_of_every_kind():
    assert {"roc_auc", "net_benefit", "auc_test", "compare_scores", "AUC()", "AP.test"} <= set(
        FUNCTIONS
    )
    assert len(FUNCTIONS) > 70


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_columns_of_every_library(name):
    call = FUNCTIONS[name]
    expected = shown_result(call(Y, S))
    for form, labels in {**columns(Y), **label_columns()}.items():
        assert shown_result(call(labels, S)) == expected, form
    for form, scores in columns(S).items():
        assert shown_result(call(Y, scores)) == expected, form


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in WIDGETS])
def test_tables_of_one_column_are_taken_with_scikit_learns_warning(name):
    call = FUNCTIONS[name]
    expected = shown_result(call(Y, S))
    words = r"A column-vector .+ was passed when a 1d array was expected\. Please change the shape"
    for form, labels in one_column_tables(Y).items():
        with pytest.warns(DataConversionWarning, match=words):
            assert shown_result(call(labels, S)) == expected, form
    for form, scores in one_column_tables(S).items():
        with pytest.warns(DataConversionWarning, match=words) as caught:
            assert shown_result(call(Y, scores)) == expected, form
    assert {w.filename for w in caught if w.category is DataConversionWarning} == {__file__}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bad_labels_and_scores_are_named(name):
    call = FUNCTIONS[name]
    cases = [
        (np.zeros(N, int), S, r"must have exactly two classes, got 1: 0\. "),
        (np.full(N, "a"), S, r"must have exactly two classes, got 1: 'a'\. "),
        (np.arange(N) % 3, S, r"got 3: 0, 1, 2\. Of several classes compare one with the rest"),
        (Y[:-1], S, "must have the same length"),
        (np.c_[Y, Y], S, "one-dimensional array, got shape"),
        (pd.Series(Y).astype("Int64").mask(Y * np.arange(N) == 5), S, "1 missing label"),
        (pl.Series([None, *Y[1:].tolist()]), S, "1 missing label"),
        (Y, np.c_[1 - S, S], r"pass the column of the positive class, .*\[:, 1\]"),
        (Y, pd.DataFrame({"no": 1 - S, "yes": S}), r"pass the column of the positive class"),
        (
            Y,
            pd.Series(S).astype("Float64").mask(Y * np.arange(N) == 5),
            "contains NaN|1 missing score",
        ),
        (Y, pl.Series([None, *S[1:].tolist()]), "NaN|missing"),
        (Y, np.where(Y == 1, "well", "ill"), "words: give decision_function or predict_proba"),
    ]
    takes_several = name in {"roc", "pauc"}  # where a DataFrame is one score a column
    for labels, scores, message in cases:
        if takes_several and isinstance(scores, pd.DataFrame):
            continue
        with pytest.raises(ValueError, match=message):
            call(labels, scores)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_swapped_arguments_get_a_hint(name):
    with pytest.raises(ValueError, match=r"order is \(y_true, y_(score|prob)\)"):
        FUNCTIONS[name](S, Y)


@pytest.mark.parametrize("function", [compare, check_table])
def test_swapped_features_and_labels_are_named(function):
    X = np.arange(150.0).reshape(50, 3)
    y = np.arange(50) % 2
    with pytest.raises(ValueError, match=r"y has 3 columns: they seem to be swapped; .*\(X, y\)"):
        function(y, X)
    with pytest.raises(ValueError, match=r"^y must be .* e\.g\. y\[:, 1\]"):
        function(X, np.column_stack([y, y]))


def test_several_scores_given_as_one_meet_a_way_out():
    """`compare_scores` needs names and takes them in any case; `auc_test` takes scores one by one."""
    rng = np.random.default_rng(0)
    y = np.arange(50) % 2
    first, second = rng.random((2, 50))
    for scores in ([first, second], (first, second), np.column_stack([first, second]), first):
        with pytest.raises(ValueError, match="scores must be a dict of name -> scores"):
            compare_scores(y, scores)
    for scores, way in (
        ([first, second], r"auc_test\(y_true, \*scores\)$"),
        (np.column_stack([first, second]), r"auc_test\(y_true, \*scores\.T\)$"),
        ({"a": first, "b": second}, r"\*scores\.values\(\)\), or compare_scores"),
        (first, r"auc_test\(y_true, first, second\)$"),
    ):
        with pytest.raises(ValueError, match=way):
            auc_test(y, scores)
    result = compare_scores(y, {"old": first, "new": second})
    with pytest.raises(ValueError, match="no ranker 'ol'; did you mean 'old'"):
        result.test("ol", "new")
    with pytest.raises(ValueError, match="no measure 'pauk'; did you mean 'pAUC'"):
        result.test("old", "new", "pauk")
    assert result.test("old", "new", "pauc") == result.test("old", "new", "pAUC")
    with pytest.raises(ValueError, match="2 scores of 50 rows; give one, or a dict of names"):
        RocCurveDisplay.from_predictions(y, [first, second])


def test_swapped_arguments_of_whole_numbers_and_words():
    swapped = r"Labels and scores seem to be swapped: their order is \(y_true, y_score\)"
    for labels in (Y, np.where(Y == 1, "well", "ill"), Y[:, None]):
        with pytest.raises(ValueError, match=swapped):
            roc_auc(np.arange(N), labels)
    with pytest.raises(ValueError, match=r"order is fit\(scores, y\)"):
        PAVCalibrator().fit(Y, S)
    with pytest.raises(ValueError, match="Continuous values are scores or targets"):
        roc_auc(S, S)
    # scores of two values, and counts, are no labels
    assert roc_auc(Y, Y) == 1
    with pytest.raises(ValueError, match="Of several classes"):
        roc_auc(np.arange(N) % 3, np.arange(N))


@pytest.mark.parametrize(
    "labels, positive",
    [
        ([0, 1], 1),
        ([-1, 1], 1),
        ([False, True], True),
        ([0.0, 1.0], 1.0),
        (["0", "1"], "1"),
        (["-1", "1"], "1"),
    ],
)
def test_one_is_positive_beside_zero_and_minus_one_without_a_word(labels, positive):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert check_labels(labels)[1][1] == positive


@pytest.mark.parametrize(
    "labels, words",
    [
        ([1, 2], r"using 2 \(the larger label\)"),
        ([0, 2], r"using 2 \(the larger label\)"),
        ([-1, 0], r"using 0 \(the larger label\)"),
        ([-1, 2.5], r"using 2.5 \(the larger label\)"),
        (["1", "2"], r"using '2' \(last in sorted order\)"),
        (["case", "control"], r"using 'control' \(last in sorted order\)"),
    ],
)
def test_of_other_labels_the_larger_is_positive_and_named(labels, words):
    with pytest.warns(UserWarning, match=f"pos_label not given: {words}"):
        assert check_labels(labels)[0].tolist() == [0, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_labels(labels, warn=False)
        assert check_labels(labels, pos_label=labels[0])[0].tolist() == [1, 0]


def test_a_pos_label_that_is_no_label():
    with pytest.raises(ValueError, match=r"pos_label=2 is not a label of y_true; its classes are"):
        roc_auc([0, 1], [1, 2], pos_label=2)


def test_a_matrix_and_tables_of_other_shapes():
    with pytest.warns(DataConversionWarning, match="y_true"):
        assert label_array(np.matrix([[0], [1]])).shape == (2,)
    with pytest.warns(DataConversionWarning, match="y_score"):
        assert check_scores(np.ones((1, 1))).shape == (1,)
    for empty in ([], np.empty((0, 1)), np.empty((0, 2)), np.ones((2, 1, 1)), 3):
        expected = pytest.raises(ValueError, match="non-empty one-dimensional array, got shape")
        with warnings.catch_warnings(), expected:
            warnings.simplefilter("ignore")
            check_scores(empty)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a row is no column
        with pytest.raises(ValueError, match=r"got shape \(1, 2\)"):
            label_array([[0, 1]])


def test_both_at_once_warn_once_each():
    with pytest.warns(DataConversionWarning) as caught:
        check_input(Y[:, None], S[:, None])
    assert [w.category for w in caught] == [DataConversionWarning] * 2


# ---- fit


@pytest.mark.parametrize("name", all_rankers())
def test_labels_of_every_form_in_fit(name):
    X = np.random.default_rng(1).poisson(2.0 + Y[:, None] * [0, 0.5, 1], (N, 3)) + 0.0
    if name == "PAVCalibrator":
        X = X[:, 2]

    def fitted(y):
        model = small(name).fit(X, y)
        return model.decision_function(X)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("error", DataConversionWarning)
        expected = fitted(Y)
        for form, labels in {**columns(Y), **label_columns()}.items():
            np.testing.assert_array_equal(fitted(labels), expected, err_msg=form)
    for form, labels in one_column_tables(Y).items():
        with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
            np.testing.assert_array_equal(fitted(labels), expected, err_msg=form)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_tables_of_one_column_as_labels_of_a_comparison():
    X = np.c_[S, SECOND]
    expected = compare(X, Y, {"first": small("FeatureRanker")}, cv=2).rows[0]["AUC"]
    for labels in (Y[:, None], pd.DataFrame({"a": Y}).convert_dtypes()):
        with pytest.warns(DataConversionWarning):
            compared = compare(X, labels, {"first": small("FeatureRanker")}, cv=2)
        assert compared.rows[0]["AUC"] == expected
    missing = np.where(np.arange(N)[:, None] == 4, np.nan, Y[:, None])
    with pytest.warns(DataConversionWarning):
        result = compare_scores(missing, {"a": S}, skip_unlabelled=True)
    keep = np.arange(N) != 4
    assert result.rows == compare_scores(Y[keep], {"a": S[keep]}).rows


# ---- signatures


def test_labels_come_before_scores_in_every_function():
    for name, f in PUBLIC.items():
        if not inspect.isfunction(f):
            continue
        words = list(inspect.signature(f).parameters)
        labels = [i for i, word in enumerate(words) if word.startswith("y_true")]
        if not labels or "table" in words:
            continue
        assert labels[0] == 0, name
        following = [words[i + 1].rstrip("_12") for i in labels]
        assert set(following) <= {"y_score", "y_prob", "scores", "y_alarm"}, name
        assert words[1:2] != ["sample_weight"], name


def test_rows_come_before_labels_in_every_method_and_function():
    first = {"X", "scores", "h", "column"}
    for name, value in PUBLIC.items():
        members = {name: value}
        if inspect.isclass(value):
            members = {
                f"{name}.{key}": getattr(value, key)
                for key in dir(value)
                if not key.startswith("_") and inspect.isroutine(getattr(value, key, None))
            }
        for key, f in members.items():
            if not (inspect.isfunction(f) or inspect.ismethod(f)):
                continue
            words = [word for word in inspect.signature(f).parameters if word != "self"]
            if "y" in words and "x" not in words and "y_true" not in words and words[0] != "y":
                assert words[words.index("y") - 1] in first, key
