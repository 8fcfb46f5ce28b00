"""onnx_models, shapley: pipelines and decisions, whose steps before the ranker keep columns apart."""

import itertools
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler

from aucbook import AdditiveRanker, TreeRankBoost, TreeRankForest, compare
from aucbook.deployment import shap_explanation, to_onnx
from aucbook.tables import TableEncoder

N = 300
RANKERS = {
    "line": LogisticRegression(max_iter=1000),
    "forest": TreeRankForest(8, random_state=0),
    "boosted": TreeRankBoost(10, random_state=0),
    "additive": AdditiveRanker(),
}


def clinic():
    """A table with every kind of column that has a form in ONNX, and its labels."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "dose": np.where(rng.random(N) < 0.2, np.nan, rng.lognormal(size=N)),
            "ward": rng.choice(["north", "south", "0", None], N),
            "visits": rng.poisson(3, N),
            "grade": rng.choice([1, 2, 3], N).astype(object),
            "icu": rng.random(N) < 0.3,
            "seen": rng.choice(pd.date_range("2024-01-01", periods=90).strftime("%Y-%m-%d"), N),
            "always": 1.0,
        }
    )
    table["grade"] = table["grade"].map({1: "I", 2: "II", 3: "III"})
    risk = table["dose"].fillna(1) + table["icu"] + (table["ward"] == "south")
    return table, np.where(risk + rng.logistic(size=N) > 2, "dead", "alive")


def new_rows():
    """The rows of the clinic, altered: unseen levels, no values, values out of range."""
    table, _ = clinic()
    table["dose"] *= 3
    table.loc[3, "ward"] = "west"
    table.loc[4, ["dose", "ward", "grade"]] = None, None, "IV"
    return table


def feed(model, table):
    """Arrays for the inputs of an ONNX model, by their names."""
    text = 8  # onnx.TensorProto.STRING
    arrays = {}
    for column_input in model.graph.input:
        name = column_input.name
        column = table[name]
        if column_input.type.tensor_type.elem_type == text:
            array = column.map(lambda value: "" if pd.isna(value) else str(value)).to_numpy(object)
        elif name == "seen":
            array = (pd.to_datetime(column) - pd.Timestamp("1970-01-01")).dt.days.to_numpy(float)
        else:
            array = column.to_numpy(float)
        arrays[name] = array[:, None]
    return arrays


def run_onnx(model, inputs):
    """Dict of the outputs (n,) of an ONNX model."""
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    names = [output.name for output in session.get_outputs()]
    return {name: values[:, 0] for name, values in zip(names, session.run(names, inputs))}


def quietly(function, *arguments):
    """The result of a function, without warnings of unseen levels and ranges."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments)


@pytest.fixture(scope="module", params=RANKERS)
def decision(request):
    table, y = clinic()
    ranker = make_pipeline(StandardScaler(), RANKERS[request.param])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = compare(table, y, {"ranker": ranker}, cv=3, pos_label="dead")
        return result.decide(table, max_fpr=0.3)


def test_a_decision_is_equal_in_onnx(decision):
    pytest.importorskip("onnx")
    written = to_onnx(decision)
    for rows in (clinic()[0], new_rows(), new_rows()[3:4], new_rows()[4:5]):
        outputs = run_onnx(written, feed(written, rows))
        score = quietly(decision.positive_scores, rows)
        np.testing.assert_allclose(outputs["score"], score, rtol=0, atol=1e-12)
        p = quietly(decision.predict_proba, rows)[:, list(decision.classes_).index("dead")]
        np.testing.assert_allclose(outputs["probability"], p, rtol=0, atol=1e-12)
        sure = np.abs(score - decision.threshold) > 1e-12
        is_alarm = quietly(decision.predict, rows) == "dead"
        np.testing.assert_array_equal(outputs["alarm"][sure], is_alarm[sure])
    about = {prop.key: prop.value for prop in written.metadata_props}
    assert float(about["threshold"]) == decision.threshold
    assert about["positive label"] == "dead" and about["guaranteed"] == "True"


def test_calibration_beyond_the_scores_of_training(decision):
    pytest.importorskip("onnx")
    if not isinstance(decision.model[-1][-1], LogisticRegression):
        pytest.skip("only a linear score leaves its range")
    rows = pd.concat([clinic()[0][:6]] * 2, ignore_index=True)
    rows["dose"] = np.r_[-np.logspace(1, 6, 6), np.logspace(1, 6, 6)]
    written = to_onnx(decision)
    p = run_onnx(written, feed(written, rows))["probability"]
    np.testing.assert_allclose(p, 1 - quietly(decision.predict_proba, rows)[:, 0], atol=1e-12)
    assert ((p > 0) & (p < 1)).all()


def test_values_of_a_decision_add_up_to_its_score(decision):
    pytest.importorskip("shap")
    rows = new_rows()[:30]
    explanation = quietly(shap_explanation, decision, rows, clinic()[0])
    assert explanation.feature_names == list(clinic()[0].columns)
    total = explanation.base_values + explanation.values.sum(axis=1)
    np.testing.assert_allclose(total, quietly(decision.positive_scores, rows), atol=1e-12)
    assert not explanation.values[:, -1].any()  # a column with one value
    assert explanation.data[3, 1] == "west" and explanation.data[0, 2] == rows["visits"].iloc[0]


def shapley_by_definition(score, row, background):
    """(d,) the mean over all orders of columns of what each adds to the mean score."""
    d = row.shape[1]
    values = np.zeros(d)
    means = {}
    for chosen in itertools.chain.from_iterable(
        itertools.combinations(range(d), size) for size in range(d + 1)
    ):
        mixed = background.copy()
        for j in chosen:
            mixed[mixed.columns[j]] = row.iloc[0, j]
        means[chosen] = quietly(score, mixed).mean()
    for j in range(d):
        for chosen in means:
            if j not in chosen:
                weight = math.factorial(len(chosen)) * math.factorial(d - len(chosen) - 1)
                joined = tuple(sorted((*chosen, j)))
                values[j] += weight / math.factorial(d) * (means[joined] - means[chosen])
    return values


@pytest.mark.parametrize("name", RANKERS)
def test_columns_of_the_table_are_the_players(name):
    """A level that is on means that the others are off: encoded columns are no players."""
    pytest.importorskip("shap")
    table, y = clinic()
    table = table[["dose", "ward", "icu"]]
    model = make_pipeline(TableEncoder(), RANKERS[name]).fit(table, y)
    background = table[50:70].reset_index(drop=True)
    explanation = quietly(shap_explanation, model, table[:2], background)
    for i in range(2):
        expected = shapley_by_definition(model.decision_function, table[i : i + 1], background)
        np.testing.assert_allclose(explanation.values[i], expected, atol=1e-12)


def with_holes():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(N, 4))
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 3] = np.nan
    return X, (np.nan_to_num(X[:, 0]) + rng.logistic(size=N) > 0).astype(int)


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "constant"])
@pytest.mark.parametrize("options", [{}, {"add_indicator": True}, {"keep_empty_features": True}])
def test_imputed_and_scaled(strategy, options):
    pytest.importorskip("onnx")
    X, y = with_holes()
    imputer = SimpleImputer(strategy=strategy, **options)
    model = make_pipeline(imputer, StandardScaler(with_mean=False), LogisticRegression())
    model = quietly(model.fit, X, y)
    written = to_onnx(model, probability=True)
    outputs = run_onnx(written, {"X": X})
    np.testing.assert_allclose(outputs["score"], quietly(model.decision_function, X), atol=1e-12)
    np.testing.assert_allclose(
        outputs["probability"], quietly(model.predict_proba, X)[:, 1], atol=1e-12
    )
    pytest.importorskip("shap")
    explanation = quietly(shap_explanation, model, X[:20], X)
    assert explanation.values.shape == (20, 4)
    total = explanation.base_values + explanation.values.sum(axis=1)
    np.testing.assert_allclose(total, quietly(model.decision_function, X[:20]), atol=1e-12)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((PCA(2), LogisticRegression()), "step 'pca' of this Pipeline, PCA, has no such form"),
        ((MinMaxScaler(), LogisticRegression()), "step 'minmaxscaler' of this Pipeline"),
        ((StandardScaler(), GaussianNB()), "step 'gaussiannb' of this Pipeline: the score of"),
        ((SimpleImputer(missing_values=-1), GaussianNB()), "replaces -1 and not NaN"),
        ((FunctionTransformer(), LogisticRegression()), "step 'functiontransformer' of this"),
    ],
)
def test_other_steps_are_refused_by_name(steps, message):
    X, y = with_holes()
    model = make_pipeline(*steps).fit(np.nan_to_num(X), y)
    for convert in (to_onnx, lambda pipeline: shap_explanation(pipeline, X)):
        with pytest.raises(ValueError, match=message):
            convert(model)


def test_a_decision_of_another_ranker_is_refused():
    X, y = with_holes()
    X = np.nan_to_num(X[:, :3])
    decision = compare(X, y, {"bayes": GaussianNB()}, cv=3).decide(X, max_fpr=0.3)
    for convert in (to_onnx, lambda one: shap_explanation(one, X)):
        with pytest.raises(ValueError, match="the score of GaussianNB is neither"):
            convert(decision)


def test_a_text_column_is_refused_by_its_name():
    pytest.importorskip("onnx")
    rng = np.random.default_rng(2)
    words = rng.choice(["cough", "fever", "pain", "rash", "dry", "chest", "ache"], (N, 6))
    table = pd.DataFrame({"note": [" ".join(line) for line in words], "age": rng.normal(size=N)})
    y = (words == "fever").any(axis=1)
    model = make_pipeline(TableEncoder(kinds={"note": "text", "age": "number"}), TreeRankBoost(5))
    model.fit(table, y)
    with pytest.raises(ValueError, match="step TableEncoder: column 'note' is text"):
        to_onnx(model)
    pytest.importorskip("shap")
    explanation = shap_explanation(model, table[:20], table)
    total = explanation.base_values + explanation.values.sum(axis=1)
    np.testing.assert_allclose(total, model.decision_function(table[:20]), atol=1e-12)
    assert explanation.feature_names == ["note", "age"]
