"""Table encoder: kinds of columns and their encoding; an unreadable value is reported with its column and row."""

import pickle
import tracemalloc
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from aucbook import TableEncoder
from aucbook._evaluation.inputs import takes_missing, takes_sparse
from aucbook._tables.columns import column_kinds, to_table
from aucbook.model_selection import check_table
from aucbook.tables import describe_columns

N = 60
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "number": RNG.normal(size=N),
        "gaps": np.where(RNG.random(N) < 0.2, np.nan, 1.0),
        "whole": RNG.integers(0, 9, N),
        "flag": RNG.random(N) < 0.5,
        "nullable": pd.array([None if i % 7 == 0 else i for i in range(N)], "Int64"),
        "maybe": pd.array([None if i % 5 == 0 else bool(i % 2) for i in range(N)], "boolean"),
        "strings": [str(i) if i % 9 else " NA " for i in range(N)],
        "day": pd.Timestamp("2024-02-28") + pd.to_timedelta(range(N), "D"),
        "zone": pd.date_range("2024-01-01", periods=N, tz="Asia/Tokyo"),
        "iso": [f"2024-02-{1 + i % 28:02}" if i % 6 else None for i in range(N)],
        "wait": pd.to_timedelta(range(N), "h"),
        "ward": RNG.choice(np.array(["north", "south", None], object), N),
        "kind": pd.Categorical(RNG.choice([1, 2, 3], N)),
        "note": [f"the patient of bed {i} slept well" for i in range(N)],
        "same": "x",
        "none": None,
        "nan": np.nan,
    }
)
KINDS = dict.fromkeys(
    ("number", "gaps", "whole", "flag", "nullable", "maybe", "strings", "wait"), "number"
)
KINDS |= dict.fromkeys(("day", "zone", "iso"), "date") | dict.fromkeys(("ward", "kind"), "category")
KINDS |= {"note": "text"} | dict.fromkeys(("same", "none", "nan"), "dropped")


def test_every_kind_of_column():
    assert column_kinds(FRAME) == KINDS
    described = {row["name"]: row for row in describe_columns(FRAME)}
    assert described["gaps"]["missing"] == FRAME["gaps"].isna().mean()
    assert described["strings"]["missing"] == pytest.approx(7 / N)
    assert described["nan"]["remark"] == "nothing but missing values"


def test_numbers_and_days():
    table = to_table(FRAME)
    column = {
        name: table.numbers[:, j]
        for j, name in enumerate(table.names["number"] + table.names["date"])
    }
    np.testing.assert_array_equal(column["nullable"], FRAME["nullable"].astype(float))
    np.testing.assert_array_equal(
        column["strings"], [float(i) if i % 9 else np.nan for i in range(N)]
    )
    np.testing.assert_array_equal(column["wait"], np.arange(N) / 24)
    first = (pd.Timestamp("2024-02-28") - pd.Timestamp(0)).days
    np.testing.assert_array_equal(column["day"], first + np.arange(N))
    assert column["iso"][1] - (pd.Timestamp("2024-02-02") - pd.Timestamp(0)).days == 0 and np.isnan(
        column["iso"][0]
    )


@pytest.mark.parametrize("missing", ["median", "keep"])
def test_new_rows_are_encoded_as_training_rows(missing):
    encoder = TableEncoder(missing).fit(FRAME)
    encoded = encoder.transform(FRAME)
    assert np.isnan(encoded).any() == (missing == "keep") and not np.isinf(encoded).any()
    np.testing.assert_array_equal(
        encoder.transform(FRAME.iloc[5:9, ::-1].assign(more=1)), encoded[5:9]
    )
    np.testing.assert_array_equal(
        clone(encoder).fit(to_table(FRAME)).transform(to_table(FRAME)[5:9]), encoded[5:9]
    )


def test_rare_and_unseen_levels_are_pooled():
    ward = np.array([["a"] * 20 + ["b"] * 20 + ["c", "d", "e"]], object).T
    encoder = TableEncoder(kinds={"0": "category"}).fit(ward)
    by_hand = OneHotEncoder(
        min_frequency=5, handle_unknown="infrequent_if_exist", sparse_output=False
    ).fit(ward)
    new = np.array([["a"], ["c"], ["never seen"], [None]], object)
    assert encoder.transform(new).tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 1]]
    np.testing.assert_array_equal(encoder.transform(ward), by_hand.transform(ward))
    assert TableEncoder(kinds={"0": "category"}).fit(ward[:40]).transform(new).tolist()[2] == [0, 0]


@pytest.mark.parametrize("kinds", [["number"], "number", {"0": "numbers"}])
def test_kinds_given_by_name(kinds):
    with pytest.raises(ValueError, match=r"^kinds.*'number'"):
        TableEncoder(kinds=kinds).fit([[1.0], [2.0]])


def test_the_encoder_learns_from_training_rows_only():
    X = np.array([[1.0], [3.0], [np.nan], [100.0], [np.nan]])
    encoder = TableEncoder().fit(X[:3])
    assert encoder.transform(X[3:]).tolist() == [[100.0, 0.0], [2.0, 1.0]]


def test_a_column_that_is_constant_in_training_only():
    X = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 6.0]])
    assert TableEncoder().fit(X[:2]).transform(X).tolist() == [[1.0], [2.0], [3.0]]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"iso": "2024-02-30"}, "column 'iso', row 0 .*'2024-02-30' is not a date"),
        ({"day": "soon"}, "column 'day', row 0 .*'soon' is not a date"),
        ({"number": "red"}, "column 'number', row 0 .*'red' is not a number"),
        ({"number": np.inf}, "column 'number', row 0 .*infinite"),
    ],
)
def test_new_values_of_another_kind(change, message):
    encoder = TableEncoder().fit(FRAME)
    with pytest.raises(ValueError, match=message):
        encoder.transform(FRAME.iloc[:2].assign(**change))


@pytest.mark.parametrize(
    "X, message",
    [
        (FRAME[["number", "number"]], "two columns are named 'number'"),
        (FRAME[["same", "none"]], "all columns are constant or missing"),
        (FRAME.iloc[:0], "must have rows and columns"),
        (np.ones((3, 2)), "all columns are constant or missing"),
        (np.ones(3), "2D"),
        (pd.DataFrame({"a": ["2024-01-01"] * 19 + ["2024-01-32"]}), "row 19 .*not a date"),
    ],
)
def test_tables_that_cannot_be_encoded(X, message):
    with pytest.raises(ValueError, match=message):
        TableEncoder().fit(X)


def test_a_missing_column_is_named():
    encoder = TableEncoder().fit(FRAME)
    with pytest.raises(ValueError, match="column 'ward' is missing"):
        encoder.transform(FRAME.drop(columns="ward"))
    encoder.transform(FRAME.drop(columns="none"))  # it was not used


@pytest.mark.parametrize(
    "change", [{"missing": "drop"}, {"min_frequency": 0}, {"kinds": {"number": "digit"}}]
)
def test_bad_parameters(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        TableEncoder(**change).fit(FRAME)


def test_remarks():
    odd = pd.DataFrame(
        {"dose": [str(i) for i in range(40)] + ["<5"], "id": [f"p{i}" for i in range(41)]}
    )
    dose, number = describe_columns(odd)
    assert dose["kind"] == "category" and "not '<5'" in dose["remark"]
    assert number["remark"] == "a different value in most rows"


@pytest.mark.parametrize(
    "values", [lambda i: f"{i},25", lambda i: f"{i},250", lambda i: f"{i},250.5"]
)
def test_numbers_with_commas_have_a_remark(values):
    """A frame, or a file whose reader cannot know what its commas are."""
    (column,) = describe_columns(
        pd.DataFrame({"dose": [values(i) for i in range(10, 50)] + ["NA"]})
    )
    assert (
        column["kind"] == "category"
        and "write values like 1234.5 to use the numbers" in column["remark"]
    )


def test_inputs_that_rankers_accept():
    line = make_pipeline(StandardScaler(), LogisticRegression())
    assert not takes_missing(line) and takes_missing(
        make_pipeline(StandardScaler(), RandomForestClassifier())
    )
    assert (
        takes_sparse(LogisticRegression())
        and not takes_missing(object())
        and not takes_sparse(object())
    )


def test_html_and_formulas_in_names_are_only_names():
    X = FRAME[["number", "ward"]].rename(columns={"number": "<b>", "ward": "=1+1"})
    assert TableEncoder().fit(X).kinds_ == {"<b>": "number", "=1+1": "category"}


@pytest.mark.parametrize("missing", ["median", "keep"])
def test_columns_have_names_as_scikit_learn_wants_them(missing):
    encoder = TableEncoder(missing, min_frequency=1).fit(FRAME)
    assert encoder.n_features_in_ == FRAME.shape[1] and encoder.feature_names_in_.tolist() == list(
        FRAME.columns
    )
    names = encoder.get_feature_names_out()
    plain = encoder.transform(FRAME)
    assert (
        names.shape == (plain.shape[1],) and names.dtype == object and len(set(names)) == names.size
    )
    framed = clone(encoder).set_output(transform="pandas").fit(FRAME).transform(FRAME[::-1])
    assert (
        framed.columns.tolist() == names.tolist()
        and framed.index.tolist() == FRAME.index[::-1].tolist()
    )
    np.testing.assert_array_equal(framed[::-1].to_numpy(), plain)
    np.testing.assert_array_equal(encoder.get_feature_names_out(FRAME.columns), names)
    with pytest.raises(ValueError, match="input_features"):
        encoder.get_feature_names_out(["x"] * FRAME.shape[1])
    from_pipeline = make_pipeline(encoder, StandardScaler()).fit(FRAME).get_feature_names_out()
    assert from_pipeline.tolist() == names.tolist()


def test_without_names_columns_are_numbered():
    encoder = TableEncoder(min_frequency=1).fit(FRAME).fit([[1.0, "a"], [None, "b"], [2.0, "a"]])
    assert encoder.n_features_in_ == 2 and not hasattr(encoder, "feature_names_in_")
    assert encoder.get_feature_names_out().tolist() == ["0", "missingindicator_0", "1_a", "1_b"]
    with pytest.raises(NotFittedError):
        TableEncoder().get_feature_names_out()


def test_underscores_in_numbers_are_text():
    values = np.array([["1_000"], ["2_000"], ["2_000"]], object)
    assert column_kinds(values) == {"0": "category"}
    with pytest.raises(ValueError, match="'1_000' is not a number"):
        to_table(values, {"0": "number"})


def test_masked_values_are_missing():
    X = np.ma.masked_equal([[1.0, 5.0], [2.0, -99.0], [3.0, 7.0]], -99.0)
    np.testing.assert_array_equal(to_table(X).numbers, [[1, 5], [2, np.nan], [3, 7]])
    np.testing.assert_array_equal(to_table(X.astype(int)).numbers, [[1, 5], [2, np.nan], [3, 7]])


@pytest.mark.parametrize(
    "form",
    [
        lambda x: x[:, None],
        lambda x: pd.DataFrame({"0": x}),
        lambda x: pd.DataFrame({"0": pd.array(x, "Int64")}),
        lambda x: x.astype(str).astype(object)[:, None],
    ],
)
def test_numbers_that_floats_would_tie(form, recwarn):
    to_table(form(2**60 + np.arange(9)))
    assert any("column" in str(w.message) and "beyond 2**53" in str(w.message) for w in recwarn)
    recwarn.clear()
    to_table(form(2**40 + np.arange(9)))
    assert not len(recwarn)


def test_leaking_columns():
    rng, y = np.random.default_rng(0), np.arange(200) % 2
    frame = pd.DataFrame(
        {
            "age": rng.normal(y),
            "loss": np.where(y, rng.lognormal(size=200), np.nan),
            "cleared": np.where(y, None, rng.choice(["a", "b"], 200)),
            "upside down": -10.0 * y + rng.random(200),
            "code": np.where(y, rng.choice(["C1", "C2"], 200), "Z0"),
            "number": [f"case {i}" for i in range(200)],  # different in each row: an identifier
            "rare": np.where(
                np.arange(200) < 6, rng.random(200), np.nan
            ),  # filled in six rows of both classes
            "luck": np.where(
                np.isin(np.arange(200), [1, 3, 5]), 1.0, np.nan
            ),  # three of one class: no proof
        }
    )
    stops = [check for check in check_table(frame, y) if check.severity == "blocking"]
    assert [(check.code, check.sentence.split("'")[1]) for check in stops] == [
        ("AB1", "upside down"),
        ("AB1", "code"),
        ("AB4", "loss"),
        ("AB4", "cleared"),
    ]
    assert "is filled in 100.0% of the negatives and in none of the others" in stops[3].sentence
    assert all("leave it out" in check.sentence for check in stops)


def test_duplicate_rows():
    frame = pd.DataFrame({"a": [1.0, np.nan, 1.0, 2.0, np.nan], "b": ["x", "y", "x", "x", "y"]})
    rows, y = (lambda *numbers: np.array(numbers)), [1, 1, 0, 1, 0]
    cv = [(rows(0, 1, 2), rows(3, 4)), (rows(1, 3, 4), rows(0, 2))]
    (check,) = (check for check in check_table(frame, y, cv=cv) if check.code == "AB2")
    assert check.sentence.startswith(
        "2 rows are an exact copy of another in every column, and 1 test rows have a copy"
    )
    cv = [(rows(0, 2), rows(1, 4)), (rows(1, 4), rows(0, 2))]
    assert not [check for check in check_table(frame, y, cv=cv) if check.code == "AB2"]


# ---------------------------------------------------------------- levels
WAYS = {  # of writing the wards 1, 2, 3
    "whole": [1, 2, 3],
    "floats": [1.0, 2.0, 3.0],
    "small": np.array([1, 2, 3], np.int8),
    "float32": np.array([1, 2, 3], np.float32),
    "nullable": pd.array([1, 2, 3], "Int64"),
    "categorical": pd.Categorical([1, 2, 3]),
    "categorical floats": pd.Categorical([1.0, 2.0, 3.0]),
    "decimals": [Decimal("1"), Decimal("2.0"), Decimal("3.00")],
    "text": ["1", "2", "3"],
    "text of floats": ["1.0", " 2.0", "3.0\u00a0"],
    "string": pd.array(["1", "2.0", "3"], "string"),
    "category of text": pd.Categorical(["1", "2", "3.0"]),
    "bytes": [b"1", b"2", b"3"],
    "objects": np.array([1, 2.0, "3"], object),
}


@pytest.mark.parametrize("fitted", WAYS)
@pytest.mark.parametrize("new", WAYS)
def test_a_level_is_a_value_whatever_its_type(fitted, new, recwarn):
    column = pd.concat([pd.DataFrame({"ward": WAYS[fitted]})] * 10)
    encoder = TableEncoder(kinds={"ward": "category"}).fit(column)
    np.testing.assert_array_equal(encoder.transform(pd.DataFrame({"ward": WAYS[new]})), np.eye(3))
    assert not recwarn
    with_gap = pd.DataFrame({"ward": [*WAYS[new], None]})
    np.testing.assert_array_equal(encoder.transform(with_gap)[:3], np.eye(3))
    assert "column 'ward': 1 row has no value, which all training rows had" in str(
        recwarn.pop().message
    )


TRUTHS = [
    [True, False],
    np.array([True, False]),
    pd.array([True, False], "boolean"),
    pd.Categorical([True, False]),
    ["True", "False"],
    ["true", "false"],
    ["TRUE", "FALSE"],
    [1, 0],
    [1.0, 0.0],
    ["1", "0"],
    ["1.0", "0.0"],
]


@pytest.mark.parametrize("fitted", TRUTHS, ids=repr)
@pytest.mark.parametrize("new", TRUTHS, ids=repr)
def test_truth_values_are_one_and_zero(fitted, new, recwarn):
    column = pd.concat([pd.DataFrame({"smoker": fitted})] * 10)
    encoder = TableEncoder(kinds={"smoker": "category"}).fit(column)
    encoded = encoder.transform(column)[:2]
    np.testing.assert_array_equal(encoder.transform(pd.DataFrame({"smoker": new})), encoded)
    assert not recwarn and encoded[0, 0] != encoded[1, 0]


def test_days_are_levels_whatever_their_type(recwarn):
    days = [date(2020, 1, 5), date(2020, 2, 6)]
    forms = [
        days,
        pd.to_datetime(days),
        pd.to_datetime(days).tz_localize("UTC"),
        ["2020-01-05", "2020-02-06"],
    ]
    forms += [
        ["2020-01-05 00:00:00", "2020-02-06T00:00"],
        np.array(days, "M8[ns]"),
        pd.Categorical(pd.to_datetime(days)),
    ]
    for fitted in forms:
        encoder = TableEncoder(kinds={"day": "category"}).fit(
            pd.DataFrame({"day": list(fitted) * 10})
        )
        for new in forms:
            np.testing.assert_array_equal(encoder.transform(pd.DataFrame({"day": new})), np.eye(2))
    assert not recwarn


def test_codes_of_text_differ_and_numbers_do_not():
    text = TableEncoder(kinds={"code": "category"}).fit(
        pd.DataFrame({"code": ["1", "01", "1.50", "1.5"] * 5})
    )
    assert text.get_feature_names_out().tolist() == ["code_01", "code_1", "code_1.5", "code_1.50"]
    rows = text.transform(pd.DataFrame({"code": [1, 1.5, "01", "1.50"]}))
    np.testing.assert_array_equal(rows, np.eye(4)[[1, 2, 0, 3]])
    numbers = TableEncoder().fit(pd.DataFrame({"code": pd.Categorical([1, 1.5] * 5)}))
    rows = numbers.transform(pd.DataFrame({"code": ["01", "1.50", "+1", "1.", " 001.5 "]}))
    np.testing.assert_array_equal(rows, np.eye(2)[[0, 1, 0, 0, 1]])


@pytest.mark.parametrize(
    "form", [lambda v: v, lambda v: [str(one) for one in v], lambda v: pd.array(v, "Int64")]
)
def test_whole_numbers_that_floats_would_tie_are_levels_of_their_own(form):
    values = [2**53, 2**53 + 1, 2**60 + 1]
    for X in (pd.DataFrame({"0": form(values * 5)}), np.array(values * 5)[:, None]):
        encoder = TableEncoder(kinds={"0": "category"}).fit(X)
        assert encoder.get_feature_names_out().tolist() == [
            "0_1152921504606846977",
            f"0_{2**53}",
            f"0_{2**53 + 1}",
        ]
        rows = encoder.transform(pd.DataFrame({"0": form([2**53 + 1, 2**53, 2**60 + 1])}))
        np.testing.assert_array_equal(rows, np.eye(3)[[2, 1, 0]])


def test_spellings_of_a_level_are_pooled_in_training():
    mixed = pd.DataFrame(
        {"ward": np.array([1, "1", 1.0, True, "b", "b", "b", " b ", None, "NA"], object)}
    )
    encoder = TableEncoder(min_frequency=1).fit(mixed)
    assert encoder.get_feature_names_out().tolist() == ["ward_", "ward_1", "ward_b"]


def test_unseen_levels_are_counted():
    frame = pd.DataFrame(
        {"ward": ["a"] * 9 + ["b"] * 9 + ["c"], "sex": ["f", "m", "f"] * 6 + ["f"]}
    )
    encoder = TableEncoder().fit(frame)
    new = pd.DataFrame({"ward": ["a", "x", "x", "y", "z", "w", None], "sex": ["f"] * 6 + ["d"]})
    with pytest.warns(UserWarning) as record:
        encoder.transform(new)
    assert [str(one.message) for one in record] == [
        (
            "column 'ward': 5 rows have levels that the training rows did not have ('x', 'y', 'z' and 1 more), "
            "taken as a rare level"
        ),
        "column 'ward': 1 row has no value, which all training rows had; taken as a rare level",
        "column 'sex': 1 row has a level that the training rows did not have ('d'), taken as none of its levels",
    ]


# ---------------------------------------------------------------- columns
def test_columns_without_names_are_counted(recwarn):
    X = np.array([[1.0, "a"], [2.0, "b"], [3.0, "a"]], object)
    encoder = TableEncoder(min_frequency=1).fit(X)
    for wrong in (np.c_[[1, 2, 3], X], X[:, :1], X[:, :1].astype(float)):
        with pytest.raises(
            ValueError, match=f"X has {wrong.shape[1]} features, but TableEncoder is expecting 2"
        ):
            encoder.transform(wrong)
    with pytest.raises(
        ValueError, match="X has 3 features, but TableEncoder is expecting 2 features as input"
    ):
        TableEncoder().fit(FRAME[["number", "ward"]]).transform(np.c_[[1, 2, 3], X])
    assert not recwarn


def test_columns_with_names_are_found_by_name(recwarn):
    frame = FRAME[["number", "ward", "whole"]]
    encoder = TableEncoder().fit(frame)
    encoded = encoder.transform(frame)
    np.testing.assert_array_equal(encoder.transform(frame[["whole", "ward", "number"]]), encoded)
    np.testing.assert_array_equal(encoder.transform(frame.to_numpy(object)), encoded)
    assert not recwarn
    with pytest.warns(
        UserWarning, match="left out: columns 'id', 'label', which the model was not trained on"
    ):
        np.testing.assert_array_equal(
            encoder.transform(frame.assign(label=1, id=2)[["id", *frame, "label"]]), encoded
        )


def test_kinds_of_columns_without_names_given_by_number():
    X = np.array([[1, 5], [2, 5], [1, 6], [2, 7]])
    encoder = TableEncoder(kinds={"1": "number", "0": "category"}, min_frequency=1).fit(X)
    assert encoder.get_feature_names_out().tolist() == ["1", "0_1", "0_2"]
    assert encoder.transform(X)[:, 0].tolist() == [5, 5, 6, 7]


@pytest.mark.parametrize("cell", [{"a": 1}, [1, 2], {1}, np.array([1, 2])])
def test_cells_that_hold_a_container(cell):
    for column in ("number", "ward", "note"):
        bad = FRAME.astype(object)
        bad.at[3, column] = cell
        with pytest.raises(
            (TypeError, ValueError),
            match=f"column '{column}', row 3 .*argument must be a string or a number",
        ):
            TableEncoder().fit(bad)


def texts(n=40):
    """Rows with a text, a number with gaps and a category, and their labels."""
    rng = np.random.default_rng(3)
    y = np.arange(n) % 2
    words = np.array([f"w{i}x" for i in range(30)])
    notes = [" ".join(rng.choice(words[10 * label : 10 * label + 20], 8)) for label in y]
    notes[5] = None
    dose = np.where(rng.random(n) < 0.3, np.nan, rng.normal(5, 2, n))
    return pd.DataFrame({"note": notes, "dose": dose, "ward": rng.choice(["a", "b"], n)}), y


TEXT_KINDS = {"note": "text", "dose": "number", "ward": "category"}


@pytest.mark.parametrize("missing", ["median", "keep"])
def test_sparse_and_dense_rows_agree(missing):
    X, y = texts()
    dense = TableEncoder(missing, kinds=TEXT_KINDS).fit(X, y)
    sparse = TableEncoder(missing, kinds=TEXT_KINDS, sparse=True).fit(X, y)
    new = X[::-1].assign(note=["unseen", None, *X["note"][2:]])
    encoded = sparse.transform(new)
    assert issparse(encoded) and encoded.format == "csr" and encoded.has_canonical_format
    expected = dense.transform(new)
    n_numbers = 1 + (missing == "median")
    scaler = StandardScaler().fit(dense.transform(X)[:, :n_numbers])
    expected[:, :n_numbers] = scaler.transform(expected[:, :n_numbers])
    np.testing.assert_allclose(encoded.toarray(), expected, rtol=1e-12)
    names = sparse.get_feature_names_out()
    assert names.tolist() == dense.get_feature_names_out().tolist()
    assert names.size == encoded.shape[1]
    again = pickle.loads(pickle.dumps(sparse)).transform(new)
    np.testing.assert_array_equal(again.toarray(), encoded.toarray())


def test_the_words_that_differ_most_between_classes_are_kept_whatever_the_order_of_the_rows():
    X, y = texts(200)
    encoder = TableEncoder(kinds={"note": "text"}, max_words=8).fit(X, y)
    vocabulary = set(encoder.words_[0].vocabulary_)
    shared = {f"w{i}x" for i in range(10, 20)}  # of both classes
    assert len(vocabulary) == 8 and not vocabulary & shared
    order = np.random.default_rng(0).permutation(200)
    assert set(clone(encoder).fit(X.iloc[order], y[order]).words_[0].vocabulary_) == vocabulary
    for labels in (None, np.zeros(200), np.linspace(0, 1, 200)):
        by_frequency = clone(encoder).fit(X, labels).words_[0]
        assert len(by_frequency.vocabulary_) == 8 and set(by_frequency.vocabulary_) & shared


@pytest.mark.parametrize("is_sparse", [False, True])
def test_texts_of_one_word_and_texts_without_words(is_sparse):
    kinds = {"note": "text", "dose": "number"}
    one_word = pd.DataFrame({"note": [f"only{i}" for i in range(30)], "dose": range(30)})
    encoder = TableEncoder(kinds=kinds, sparse=is_sparse).fit(one_word, np.arange(30) % 2)
    assert encoder.transform(one_word).shape == (30, 31)  # no word is in two rows: all are kept
    empty = one_word.assign(note=["! ?", None] * 15)
    encoder = TableEncoder(kinds=kinds, sparse=is_sparse).fit(empty, np.arange(30) % 2)
    assert encoder.words_ == [None] and encoder.transform(one_word).shape == (30, 1)
    with pytest.raises(ValueError, match="all columns are constant or missing"):
        TableEncoder(kinds={"note": "text"}, sparse=is_sparse).fit(empty)


def test_fifty_thousand_words_are_never_written_out():
    rng = np.random.default_rng(0)
    n_words = 60_000
    drawn = rng.integers(0, n_words, (3000, 60))
    notes = [" ".join(f"w{i}" for i in row) for row in drawn]
    X = pd.DataFrame({"note": notes, "dose": rng.normal(size=3000)})
    kinds = {"note": "text", "dose": "number"}
    encoder = TableEncoder(kinds=kinds, max_words=50_000, sparse=True)
    tracemalloc.start()
    encoded = encoder.fit_transform(X, rng.random(3000) < 0.1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert encoded.shape[1] > 40_000
    assert peak < 150e6 < 8 * encoded.shape[0] * encoded.shape[1] / 5
