"""onnx_models: onnxruntime's scores are those of the ranker, row by row."""

import sys
import warnings

import numpy as np
import pytest
from test_score_sums import COMPLETE, DOCUMENTS, WITH_MISSING, fitted, rows_at_thresholds

from aucbook import AdditiveRanker, MartiRank, TreeRank, TreeRankForest
from aucbook.deployment import to_onnx
from aucbook.deployment.score_sums import score_sum


def run_onnx(model, rows, output="score"):
    """Scores (n,) by onnxruntime, from the bytes of the model."""
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run([output], {"X": rows})[0][:, 0]


@pytest.mark.parametrize("name", [*WITH_MISSING, *COMPLETE, *DOCUMENTS])
def test_every_row_has_the_score(name):
    pytest.importorskip("onnx")
    model, rows = fitted(name)
    tested = rows_at_thresholds(score_sum(model), rows)
    scores = model.decision_function(tested)
    atol = 1e-12 * max(1.0, np.abs(scores).max())
    np.testing.assert_allclose(run_onnx(to_onnx(model), tested), scores, rtol=0, atol=atol)


@pytest.mark.parametrize("name", ["tree", "forest", "forest, best splits"])
def test_equal_to_the_last_bit(name):
    pytest.importorskip("onnx")
    model, rows = fitted(name)
    tested = rows_at_thresholds(score_sum(model), rows)
    np.testing.assert_array_equal(run_onnx(to_onnx(model), tested), model.decision_function(tested))


def test_one_row_many_rows_and_missing_rows():
    pytest.importorskip("onnx")
    model, rows = fitted("tables")
    written = to_onnx(model)
    repeated = np.tile(rows, (30, 1))
    np.testing.assert_allclose(
        run_onnx(written, repeated), model.decision_function(repeated), atol=1e-12
    )
    for tested in (rows[:1], np.full((2, 4), np.nan)):
        np.testing.assert_allclose(run_onnx(written, tested), model.decision_function(tested))


def test_probabilities():
    pytest.importorskip("onnx")
    for name in ("curves", "logistic"):
        model, rows = fitted(name)
        written = to_onnx(model, probability=True)
        probabilities = model.predict_proba(rows)[:, 1]
        np.testing.assert_allclose(run_onnx(written, rows, "probability"), probabilities)
    with pytest.raises(ValueError, match="the scores of TreeRank are not log-odds"):
        to_onnx(fitted("tree")[0], probability=True)
    with pytest.raises(ValueError, match="probability"):
        to_onnx(fitted("curves")[0], probability="yes")


def test_the_model_is_described():
    onnx = pytest.importorskip("onnx")
    written = to_onnx(fitted("forest")[0])
    assert isinstance(written, onnx.ModelProto) and written.producer_name == "aucbook"
    (table,) = written.graph.input
    assert table.name == "X" and table.type.tensor_type.shape.dim[1].dim_value == 4
    assert written.SerializeToString() == to_onnx(fitted("forest")[0]).SerializeToString()


def test_refused_with_the_reason():
    rows, labels = np.arange(40.0)[:, None], np.arange(40) % 2
    with pytest.raises(ValueError, match="neither a weighted sum of columns nor a sum over trees"):
        to_onnx(MartiRank().fit(rows, labels))
    with pytest.raises(ValueError, match="splits by several columns"):
        to_onnx(TreeRank(2, splitter="linear").fit(np.c_[rows, rows[::-1] ** 2], labels))
    pytest.importorskip("onnx")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        constant = TreeRank(min_samples_leaf=40).fit(rows, labels)
    with pytest.raises(ValueError, match="every row has the same score"):
        to_onnx(constant)


def test_trees_without_a_split_among_others():
    pytest.importorskip("onnx")
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 2))
    labels = (rows[:, 0] + rng.normal(size=60) > 0).astype(int)
    model = TreeRankForest(8, min_samples_leaf=15, max_depth=1, random_state=0).fit(rows, labels)
    np.testing.assert_array_equal(run_onnx(to_onnx(model), rows), model.decision_function(rows))
    flat = AdditiveRanker(n_bags=1).fit(np.c_[rows[:, 0], np.ones(60)], labels)
    tested = np.c_[rows[:, 0], np.ones(60)]
    np.testing.assert_allclose(run_onnx(to_onnx(flat), tested), flat.decision_function(tested))


def test_onnx_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'aucbook\[onnx\]'"):
        to_onnx(fitted("tree")[0])
