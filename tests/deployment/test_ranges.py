"""Training ranges of a decision, and columns of new rows that leave them."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from aucbook import cli, compare, load_decision
from aucbook.deployment.ranges import outside_in_words, training_ranges

RNG = np.random.default_rng(0)
N = 400
Y = np.tile([0, 1], N // 2)
TABLE = pd.DataFrame(
    {
        "glucose": RNG.normal(100 + 20 * Y, 15),
        "age": RNG.integers(20, 80, N),
        "constant": np.full(N, 3.0),
        "ward": np.where(RNG.random(N) < 0.5, "a", "b"),
    }
)


@pytest.fixture(scope="module")
def decision():
    return compare(TABLE, Y, {"bayes": GaussianNB()}, cv=3).decide(TABLE, max_fpr=0.3)


def sentences(decision, X):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        decision.positive_scores(X)
    return [str(w.message) for w in caught if "outside the training range" in str(w.message)]


def test_numeric_columns_have_ranges(decision):
    assert set(decision.ranges) == {"glucose", "age"}  # a constant column is not in the model
    low, high, count = decision.ranges["age"]
    assert TABLE["age"].min() <= low < high <= TABLE["age"].max() and count < N


@pytest.mark.parametrize("n", [1, 3, 100])
@pytest.mark.parametrize("factor", [1000, -1000])
def test_another_scale_is_named_with_its_numbers(decision, n, factor):
    batch = TABLE[:n].assign(glucose=factor * TABLE["glucose"][:n])
    (sentence,) = sentences(decision, batch)
    assert sentence.startswith(f"column 'glucose': {n} of {n} value")
    assert f"{batch['glucose'].max():.6g}" in sentence


def test_a_smaller_scale_is_named(decision):
    (sentence,) = sentences(decision, TABLE[:50].assign(glucose=TABLE["glucose"] / 1000))
    assert "50 of 50 values lie" in sentence


def test_rows_like_those_of_training_are_not_named(decision):
    assert sentences(decision, TABLE) == []


def test_constant_columns_are_not_judged(decision):
    assert sentences(decision, TABLE.assign(constant=7e6)) == []
    constant = training_ranges(np.full((50, 1), 3.0))
    assert constant == {"0": (3.0, 3.0, 50)}
    assert list(outside_in_words(constant, np.full((50, 1), 9e9))) == []


def test_missing_values_are_not_outside(decision):
    assert sentences(decision, TABLE.assign(glucose=np.nan)) == []


def test_arrays_have_ranges_too():
    X = RNG.normal(size=(200, 3))
    y = np.tile([0, 1], 100)
    of_array = compare(X, y, {"bayes": GaussianNB()}, cv=3).decide(X, max_fpr=0.4)
    assert len(of_array.ranges) == 3
    assert len(sentences(of_array, X * [1, 1000, 1])) == 1


@pytest.mark.parametrize(("n", "m"), [(30, 5), (200, 50), (50, 400)])
def test_chance_is_rarely_named(n, m):
    count = 0
    for _ in range(300):
        x = RNG.normal(size=(n + m, 4))
        count += any(outside_in_words(training_ranges(x[:n]), x[n:]))
    assert count <= 3


def test_a_saved_model_has_the_ranges(decision, tmp_path, capsys):
    pytest.importorskip("skops")
    path = decision.save(tmp_path / "model.skops")
    assert load_decision(path).ranges == decision.ranges
    TABLE[:60].assign(glucose=1000 * TABLE["glucose"]).to_csv(tmp_path / "new.csv", index=False)
    call = ["score", str(path), str(tmp_path / "new.csv"), "--out", str(tmp_path / "s.csv")]
    assert cli.main(call) == 0
    output = capsys.readouterr()
    text = output.out + output.err
    assert text.count("column 'glucose': 60 of 60 values lie outside the training range") == 1
    assert "'constant'" not in text
