"""Is there anything here? The share of small p-values where there is nothing, by rankers and measures of any kind; names, seeds, bad input."""

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


def table(seed=0, n=120, d=4, told=(0,)):
    """D normal columns; those `told` have the classes 1.5 apart."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(n) % 2
    X = rng.normal(size=(n, d))
    X[:, list(told)] += 1.5 * y[:, None]
    return X, y


@pytest.mark.parametrize("measure", [None, PAUC(max_fpr=0.1), Precision(k=5), average_precision])
def test_small_p_values_are_as_rare_as_they_say(measure):
    """400 tables of noise; Bayes learns by heart nothing that the judges know. Three standard errors are .033."""
    p = []
    for seed in range(400):
        X, y = table(seed, n=40, told=())
        p.append(
            signal_test(
                X, y, ranker=GaussianNB(), measure=measure, shuffles=39, random_state=seed
            ).pvalue
        )
    for level in (0.05, 0.1, 0.2):
        share, error = np.mean(np.array(p) <= level + 1e-9), np.sqrt(level * (1 - level) / len(p))
        assert level - 3.3 * error < share < level + 3.3 * error


def test_a_telling_column_is_found():
    X, y = table(n=300)
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
    """The label is independent of the first column given the others, which stand for it only in a product."""
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


def rejections(law, model, ranker, seeds=120, **options):
    """How often p is at most .05 for the first column given the others."""
    found = 0
    for seed in range(seeds):
        X, y = law(np.random.default_rng(seed))
        ask = {"ranker": ranker, "measure": AUC, "shuffles": 39, "random_state": seed, **options}
        found += signal_test(X, y, [0], conditional_model=model, **ask).pvalue <= 0.05 + 1e-9
    return found / seeds


@pytest.mark.parametrize("ranker", [LogisticRegression(), GaussianNB()])
@pytest.mark.parametrize(
    "law, model",
    [(product, draw_product), (close_copy, draw_copy), (close_copy, LinearRegression())],
)
def test_the_conditional_test_keeps_its_level_if_the_model_is_right(law, model, ranker):
    """120 tables: .05 and 3.3 standard errors."""
    assert rejections(law, model, ranker) <= 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / 120)


@pytest.mark.parametrize("model", [LinearRegression(), "independent"])
def test_a_wrong_model_rejects_and_the_result_says_what_was_assumed(model):
    """Nobody can know that the columns' product is what the label depends on: the docstring says so."""
    assert rejections(product, model, LogisticRegression(), seeds=20) > 0.9
    X, y = product(np.random.default_rng(0))
    found = signal_test(X, y, [0], conditional_model=model, shuffles=19, random_state=0)
    assert (
        found.conditional_model in " ".join(str(found).split()) and "assumed" in found._repr_html_()
    )


def test_columns_need_a_model_and_a_model_needs_columns():
    X, y = table()
    with pytest.raises(
        ValueError, match="needs conditional_model=, the distribution of these columns"
    ):
        signal_test(X, y, [0])
    with pytest.raises(ValueError, match="pass these, columns="):
        signal_test(X, y, conditional_model="independent")
    for bad in ("normal", 3, LinearRegression, GaussianNB):
        with pytest.raises(ValueError, match="conditional_model"):
            signal_test(X, y, [0], conditional_model=bad, shuffles=19)
    for draw in (
        lambda others, rng: rng.normal(size=3),
        lambda others, rng: rng.normal(size=(len(others), 2)),
    ):
        with pytest.raises(ValueError, match="one row for each test row and one column"):
            signal_test(X, y, [0], conditional_model=draw, shuffles=19)
    gaps = X.copy()
    gaps[3, 0] = np.nan
    with pytest.raises(ValueError, match="missing values"):
        signal_test(gaps, y, [0], conditional_model=LinearRegression(), shuffles=19)
    found = signal_test(gaps, y, [0], conditional_model="independent", shuffles=19, random_state=0)
    assert 0 < found.pvalue <= 1


def test_the_model_is_not_changed_and_seeds_repeat_it():
    X, y = table()
    forest = RandomForestRegressor(5)
    first, second = (
        signal_test(X, y, [0, 1], conditional_model=forest, shuffles=19, random_state=0)
        for _ in range(2)
    )
    assert np.array_equal(first.null, second.null) and forest.random_state is None
    assert not hasattr(forest, "estimators_")
    drawn = lambda others, rng: rng.normal(size=(len(others), 2))
    first, second = (
        signal_test(X, y, [0, 1], conditional_model=drawn, shuffles=19, random_state=0)
        for _ in range(2)
    )
    assert np.array_equal(first.null, second.null)


def test_lines_fit_a_telephone():
    X, y = table(n=120, d=9)
    names = [f"a rather long name of column {j}" for j in range(9)]
    frame = pd.DataFrame(X, columns=names)
    whole = signal_test(frame, y, shuffles=99, random_state=0)
    some = signal_test(
        frame,
        y,
        names[:8],
        conditional_model=make_pipeline(LinearRegression()),
        shuffles=99,
        random_state=0,
    )
    for found in (whole, some):
        assert max(map(len, str(found).splitlines())) <= 44
    assert whole.conditional_model is None and "Pipeline" in some.conditional_model


def test_names_numbers_and_frames_agree():
    X, y = table()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    kinds = [(X, [0, 2]), (frame, ["a", "c"]), (frame, [2, 0]), (sparse.csr_array(X), [0, 2])]
    options = {"conditional_model": "independent", "shuffles": 19, "random_state": 1}
    found = [signal_test(form, y, columns, **options) for form, columns in kinds]
    assert len({(one.estimate, one.pvalue, tuple(one.null)) for one in found}) == 1
    assert found[1].columns == ["a", "c"] and found[0].columns == [0, 2]
    assert signal_test(frame, y, "a", **options).columns == ["a"]


def test_seeds_threads_and_labels():
    X, y = table()
    one, two = (signal_test(X, y, shuffles=50, n_jobs=n_jobs, random_state=3) for n_jobs in (1, 2))
    words = signal_test(
        X, np.where(y == 1, "ill", "well"), pos_label="ill", shuffles=50, random_state=3
    )
    assert one.estimate == two.estimate == words.estimate and np.array_equal(one.null, two.null)
    assert not np.array_equal(one.null, signal_test(X, y, shuffles=50, random_state=4).null)
    forest = RandomForestClassifier(10)
    a, b = (
        signal_test(X, y, ranker=forest, shuffles=19, random_state=0).estimate for _ in range(2)
    )
    assert a == b and forest.random_state is None  # a clone is seeded


def test_what_it_says():
    X, y = table(n=200)
    found = signal_test(X, y, random_state=0)
    assert found.rows == (100, 100) and found.null.size == 1000 and found.expected < found.estimate
    assert "p <= 0.001" in str(found) and "100 training rows" in str(found)
    assert found.plot().get_xlabel().startswith("the measure")
    X, y = table(n=300, told=(0, 1, 2))
    gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    assert (
        signal_test(gaps, y, measure=PAUC(max_fpr=0.2), random_state=0, shuffles=99).pvalue <= 0.05
    )


@pytest.mark.parametrize(
    "change, says",
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
        ({"shuffles": 5}, "shuffles must be a whole number, at least 19"),
        ({"X": np.full((120, 4), np.inf)}, "infinity"),
        ({"X": np.ma.masked_array(np.ones((120, 4)), np.eye(120, 4))}, "masked"),
    ],
)
def test_bad_input(change, says):
    X, y = table()
    call = lambda: signal_test(**{"X": X, "y": y, "shuffles": 19, "random_state": 0, **change})
    if says is None:
        assert call().rows == (59, 61)
        return
    with pytest.raises(ValueError, match=says):
        call()


def test_the_fewest_rows():
    X, y = table(n=8)
    found = signal_test(X, y, shuffles=19, random_state=0)
    assert found.rows == (4, 4) and 0 < found.pvalue <= 1
    found = signal_test(X, y, [1], conditional_model="independent", shuffles=19, random_state=0)
    assert found.null.size == 19
