"""Permutation tests of signal: level and power, columns by name and number, seeds, bad input."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from aucbook import AUC, PAUC, Precision, average_precision
from aucbook.inference import signal_test


def simulated_table(seed=0, n=120, d=4, informative=(0,)):
    """d normal columns; the class means of the informative ones are 1.5 apart."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(n) % 2
    X = rng.normal(size=(n, d))
    X[:, list(informative)] += 1.5 * y[:, None]
    return X, y


@pytest.mark.parametrize("measure", [None, PAUC(max_fpr=0.1), Precision(k=5), average_precision])
def test_level_without_signal(measure):
    """In 400 tables of noise the share of small p-values is that of the level, up to error."""
    p = []
    for seed in range(400):
        X, y = simulated_table(seed, n=40, informative=())
        p.append(
            signal_test(
                X, y, ranker=GaussianNB(), measure=measure, n_resamples=39, random_state=seed
            ).pvalue
        )
    for level in (0.05, 0.1, 0.2):
        share = np.mean(np.array(p) <= level + 1e-9)
        error = np.sqrt(level * (1 - level) / len(p))
        assert level - 3.3 * error < share < level + 3.3 * error


@pytest.mark.parametrize("law", ["few values", "Cauchy", "one group small", "all rows equal"])
def test_level_as_a_two_sample_test(law):
    """Two samples of the same law: ties, no mean, unequal sizes, a constant score."""
    p = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        m, n = (8, 60) if law == "one group small" else (20, 20)
        if law == "few values":
            X = (rng.random((m + n, 5)) < 0.1).astype(float)
        elif law == "Cauchy":
            X = rng.standard_cauchy((m + n, 5))
        elif law == "one group small":
            X = rng.normal(size=(m + n, 5))
        else:
            X = np.ones((m + n, 5))
        y = np.repeat([1, 0], [m, n])
        test = signal_test(
            X, y, ranker=LogisticRegression(), measure=AUC(), n_resamples=19, random_state=seed
        )
        p.append(test.pvalue)
    for level in (0.05, 0.2):
        error = np.sqrt(level * (1 - level) / len(p))
        assert np.mean(np.array(p) <= level + 1e-9) < level + 3.3 * error


def test_an_informative_column_is_detected():
    X, y = simulated_table(n=300)
    wide = PAUC(max_fpr=0.2)
    assert signal_test(X, y, measure=wide, random_state=0).pvalue < 0.01
    for model in (
        "independent",
        LinearRegression(),
        lambda others, rng: rng.normal(size=len(others)),
    ):
        assert (
            signal_test(X, y, [0], conditional_model=model, measure=wide, random_state=0).pvalue
            < 0.01
        )


def product(rng, n=400):
    """The label is independent of the first column given the product of two others."""
    z = rng.normal(size=(n, 3))
    known = z[:, 0] * z[:, 1]
    x = known + 0.3 * rng.normal(size=n)
    return np.column_stack([x, z]), (known + 0.5 * rng.normal(size=n) > 0.3).astype(int)


def close_copy(rng, n=400):
    """The first column is another one with noise."""
    z = rng.normal(size=(n, 3))
    return np.column_stack([z[:, 0] + 0.1 * rng.normal(size=n), z]), (
        z[:, 0] + rng.normal(size=n) > 0
    ).astype(int)


def draw_product(others, rng):
    return others[:, 0] * others[:, 1] + 0.3 * rng.normal(size=len(others))


def draw_copy(others, rng):
    return others[:, 0] + 0.1 * rng.normal(size=len(others))


def rejection_rate(simulate, model, ranker, seeds=120, **options):
    """How often p is at most .05 for the first column given the others."""
    n_rejected = 0
    for seed in range(seeds):
        X, y = simulate(np.random.default_rng(seed))
        settings = {
            "ranker": ranker,
            "measure": AUC,
            "n_resamples": 39,
            "random_state": seed,
            **options,
        }
        n_rejected += (
            signal_test(X, y, [0], conditional_model=model, **settings).pvalue <= 0.05 + 1e-9
        )
    return n_rejected / seeds


@pytest.mark.parametrize("ranker", [LogisticRegression(), GaussianNB()])
@pytest.mark.parametrize(
    "simulate, model",
    [(product, draw_product), (close_copy, draw_copy), (close_copy, LinearRegression())],
)
def test_level_of_the_conditional_test_under_the_true_model(simulate, model, ranker):
    """120 tables: .05 and 3.3 standard errors."""
    assert rejection_rate(simulate, model, ranker) <= 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / 120)


@pytest.mark.parametrize("model", [LinearRegression(), "independent"])
def test_a_wrong_model_rejects_and_is_named_in_the_result(model):
    """Both models miss the product of two columns, on which the label depends."""
    assert rejection_rate(product, model, LogisticRegression(), seeds=20) > 0.9
    X, y = product(np.random.default_rng(0))
    result = signal_test(X, y, [0], conditional_model=model, n_resamples=19, random_state=0)
    assert result.conditional_model in " ".join(str(result).split())
    assert "assumed" in result._repr_html_()


def test_columns_need_a_model_and_a_model_needs_columns():
    X, y = simulated_table()
    with pytest.raises(
        ValueError, match="needs conditional_model=, the distribution of these columns"
    ):
        signal_test(X, y, [0])
    with pytest.raises(ValueError, match="pass these, columns="):
        signal_test(X, y, conditional_model="independent")
    for bad in ("normal", 3, LinearRegression, GaussianNB):
        with pytest.raises(ValueError, match="conditional_model"):
            signal_test(X, y, [0], conditional_model=bad, n_resamples=19)
    for draw in (
        lambda others, rng: rng.normal(size=3),
        lambda others, rng: rng.normal(size=(len(others), 2)),
    ):
        with pytest.raises(ValueError, match="one row for each test row and one column"):
            signal_test(X, y, [0], conditional_model=draw, n_resamples=19)
    with_missing = X.copy()
    with_missing[3, 0] = np.nan
    with pytest.raises(ValueError, match="missing values"):
        signal_test(with_missing, y, [0], conditional_model=LinearRegression(), n_resamples=19)
    result = signal_test(
        with_missing, y, [0], conditional_model="independent", n_resamples=19, random_state=0
    )
    assert 0 < result.pvalue <= 1


def test_the_model_is_not_changed_and_seeds_repeat_it():
    X, y = simulated_table()
    forest = RandomForestRegressor(5)
    first, second = (
        signal_test(X, y, [0, 1], conditional_model=forest, n_resamples=19, random_state=0)
        for _ in range(2)
    )
    assert np.array_equal(first.null, second.null)
    assert forest.random_state is None
    assert not hasattr(forest, "estimators_")

    def drawn(others, rng):
        return rng.normal(size=(len(others), 2))

    first, second = (
        signal_test(X, y, [0, 1], conditional_model=drawn, n_resamples=19, random_state=0)
        for _ in range(2)
    )
    assert np.array_equal(first.null, second.null)


def test_lines_have_at_most_44_columns():
    X, y = simulated_table(n=120, d=9)
    names = [f"a rather long name of column {j}" for j in range(9)]
    frame = pd.DataFrame(X, columns=names)
    of_table = signal_test(frame, y, n_resamples=99, random_state=0)
    of_columns = signal_test(
        frame,
        y,
        names[:8],
        conditional_model=make_pipeline(LinearRegression()),
        n_resamples=99,
        random_state=0,
    )
    for result in (of_table, of_columns):
        assert max(map(len, str(result).splitlines())) <= 44
    assert of_table.conditional_model is None
    assert "Pipeline" in of_columns.conditional_model


def test_columns_by_name_and_by_number():
    X, y = simulated_table()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    kinds = [(X, [0, 2]), (frame, ["a", "c"]), (frame, [2, 0]), (sparse.csr_array(X), [0, 2])]
    options = {"conditional_model": "independent", "n_resamples": 19, "random_state": 1}
    results = [signal_test(form, y, columns, **options) for form, columns in kinds]
    assert len({(one.estimate, one.pvalue, tuple(one.null)) for one in results}) == 1
    assert results[1].columns == ["a", "c"]
    assert results[0].columns == [0, 2]
    assert signal_test(frame, y, "a", **options).columns == ["a"]


def test_seeds_threads_and_labels():
    X, y = simulated_table()
    one, two = (
        signal_test(X, y, n_resamples=50, n_jobs=n_jobs, random_state=3) for n_jobs in (1, 2)
    )
    words = signal_test(
        X, np.where(y == 1, "ill", "well"), pos_label="ill", n_resamples=50, random_state=3
    )
    assert one.estimate == two.estimate == words.estimate
    assert np.array_equal(one.null, two.null)
    assert not np.array_equal(one.null, signal_test(X, y, n_resamples=50, random_state=4).null)
    forest = RandomForestClassifier(10)
    a, b = (
        signal_test(X, y, ranker=forest, n_resamples=19, random_state=0).estimate for _ in range(2)
    )
    # a clone is seeded
    assert a == b
    assert forest.random_state is None


def test_printed_result():
    X, y = simulated_table(n=200)
    result = signal_test(X, y, random_state=0)
    assert result.rows == (100, 100)
    assert result.null.size == 1000
    assert result.expected < result.estimate
    assert "p <= 0.001" in str(result)
    assert "100 training rows" in str(result)
    assert result.plot().get_xlabel().startswith("the measure")
    X, y = simulated_table(n=300, informative=(0, 1, 2))
    with_missing = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    assert (
        signal_test(
            with_missing, y, measure=PAUC(max_fpr=0.2), random_state=0, n_resamples=99
        ).pvalue
        <= 0.05
    )


@pytest.mark.parametrize(
    "change, message",
    [
        ({"y": [0, 1] * 59 + [1, 1]}, None),
        ({"y": [0] * 117 + [1] * 3}, "one class has 3 rows"),
        ({"y": [0, 1] * 50}, "100 labels but X has 120 rows"),
        ({"y": [0, 1, 2] * 40}, "exactly two classes"),
        ({"columns": [7]}, "no column 7"),
        ({"columns": ["age"]}, "no column 'age'"),
        ({"columns": [True]}, "no column True"),
        ({"columns": []}, "some but not all columns"),
        ({"columns": [0, 1, 2, 3]}, "some but not all columns"),
        ({"n_resamples": 5}, "n_resamples must be a whole number, at least 19"),
        ({"X": np.full((120, 4), np.inf)}, "infinity"),
        ({"X": np.ma.masked_array(np.ones((120, 4)), np.eye(120, 4))}, "masked"),
    ],
)
def test_bad_input(change, message):
    X, y = simulated_table()
    arguments = {"X": X, "y": y, "n_resamples": 19, "random_state": 0, **change}
    if message is None:
        assert signal_test(**arguments).rows == (59, 61)
        return
    with pytest.raises(ValueError, match=message):
        signal_test(**arguments)


def test_smallest_table():
    X, y = simulated_table(n=8)
    result = signal_test(X, y, n_resamples=19, random_state=0)
    assert result.rows == (4, 4)
    assert 0 < result.pvalue <= 1
    result = signal_test(X, y, [1], conditional_model="independent", n_resamples=19, random_state=0)
    assert result.null.size == 19
