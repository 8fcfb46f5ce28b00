"""Spark in local mode gives the same areas, curves and counts as the other engines, to the last bit."""

import shutil

import numpy as np
import pytest

from aucbook import exact_auc, partial_auc, roc_auc
from aucbook.metrics import auc_query, binned_counts

pytest.importorskip("duckdb", reason="DuckDB is not installed")
pl = pytest.importorskip("polars", reason="Polars is not installed")
pytest.importorskip("pyarrow", reason="Arrow is not installed")
sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, which is missing"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet"),
]
RANGES = (0, 1), (0, 0.05), (0.2, 0.7), (0.9, 1)


@pytest.fixture(scope="module")
def spark():
    options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "3"}
    builder = sql.SparkSession.builder.master("local[2]").config(
        map={**options, "spark.driver.host": "127.0.0.1"}
    )
    session = builder.getOrCreate()
    yield session
    session.stop()


def rows(decimals):
    rng = np.random.default_rng(0)
    y = (rng.random(3000) < 0.3).astype(int)
    return y, (rng.normal(size=3000) + y).round(decimals)


@pytest.fixture(scope="module", params=[1, 9], ids=["many ties", "no ties"])
def table(request, spark, tmp_path_factory):
    """(labels, scores, Spark's frame, folder of Parquet files that Spark wrote)."""
    y, s = rows(request.param)
    frame = spark.createDataFrame(
        list(zip(y.tolist(), s.tolist())), "label int, score double"
    ).repartition(4)
    folder = tmp_path_factory.mktemp("spark") / "scores"
    frame.write.parquet(str(folder))
    return y, s, frame, folder


@pytest.mark.parametrize("span", RANGES)
def test_areas_of_what_spark_holds_or_wrote(table, span):
    y, s, frame, folder = table
    options = {"min_fpr": span[0], "max_fpr": span[1]}
    arrow = frame.toArrow()
    areas = {
        exact_auc(source, **options)
        for source in (folder, arrow, pl.from_arrow(arrow), pl.scan_parquet(folder / "*.parquet"))
    }
    assert areas == {partial_auc(y, s, **options)}


def test_counts_and_curves_of_what_spark_holds_or_wrote(table):
    _, _, frame, folder = table
    ours, theirs = binned_counts(folder), binned_counts(frame.toArrow())
    assert ours.auc() == theirs.auc() and ours.auc(max_fpr=0.1) == theirs.auc(max_fpr=0.1)
    for one, other in zip(ours.roc_curve(), theirs.roc_curve()):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("span", RANGES)
def test_spark_runs_the_query(table, spark, span):
    """Counts are equal; the area is a sum of floats in another order."""
    y, s, frame, _ = table
    frame.createOrReplaceTempView("visits")
    query = auc_query("visits", min_fpr=span[0], max_fpr=span[1])
    area, positives, negatives, twice_won, missing = spark.sql(query).first()
    assert area == pytest.approx(partial_auc(y, s, min_fpr=span[0], max_fpr=span[1]), abs=1e-12)
    assert (positives, negatives, missing) == (y.sum(), (1 - y).sum(), 0)
    assert twice_won / (2 * positives * negatives) == roc_auc(y, s)


@pytest.mark.parametrize("words, positive", [(("no", "yes"), "yes"), ((False, True), True)])
def test_labels_of_other_types_and_missing_scores(spark, words, positive):
    y, s = rows(2)
    scores = [None if k < 7 else float(v) for k, v in enumerate(s)]
    kind = "string" if isinstance(positive, str) else "boolean"
    frame = spark.createDataFrame(
        [(words[label], score) for label, score in zip(y, scores)],
        f"`the label` {kind}, score double",
    )
    frame.createOrReplaceTempView("people")
    result = spark.sql(auc_query("people", "`the label`", pos_label=positive)).first()
    assert result.missing == 7
    assert result.area == pytest.approx(roc_auc(y[7:], s[7:]), abs=1e-12)
