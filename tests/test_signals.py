"""Is there anything here? The share of small p-values where there is nothing, by rankers and measures of any kind; names, seeds, bad input"""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from aucbook import PAUC, Precision, average_precision
from aucbook.inference import signal_test


def table(seed=0, n=120, d=4, told=(0,)):
    "d normal columns; those `told` have the classes 1.5 apart"
    rng = np.random.default_rng(seed)
    y = rng.permutation(n) % 2
    X = rng.normal(size=(n, d))
    X[:, list(told)] += 1.5 * y[:, None]
    return X, y


@pytest.mark.parametrize("measure", [None, PAUC(max_fpr=0.1), Precision(k=5), average_precision])
def test_small_p_values_are_as_rare_as_they_say(measure):
    "400 tables of noise; Bayes learns by heart nothing that the judges know. Three standard errors are .033"
    p = []
    for seed in range(400):
        X, y = table(seed, n=40, told=())
        p.append(signal_test(X, y, ranker=GaussianNB(), measure=measure, shuffles=39, random_state=seed).pvalue)
    for level in (0.05, 0.1, 0.2):
        share, error = np.mean(np.array(p) <= level + 1e-9), np.sqrt(level * (1 - level) / len(p))
        assert level - 3.3 * error < share < level + 3.3 * error


def test_a_telling_column_is_found():
    X, y = table(n=300)
    wide = PAUC(max_fpr=0.2)
    assert signal_test(X, y, measure=wide, random_state=0).pvalue < 0.01
    assert signal_test(X, y, [0], measure=wide, random_state=0).pvalue < 0.01


def shares(change, seeds=60):
    "How often p is at most .05 for the last of two columns, given the first, and alone; `change` makes it"
    found = {"given": 0, "alone": 0}
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        X, y = table(seed, n=300, d=2)
        X[:, 1] = change(rng, X[:, 0])
        ask = dict(ranker=GaussianNB(), measure=PAUC(max_fpr=0.2), shuffles=39, random_state=seed)
        found["given"] += signal_test(X, y, [1], **ask).pvalue <= 0.05
        found["alone"] += signal_test(X[:, 1:], y, **ask).pvalue <= 0.05
    return found["given"] / seeds, found["alone"] / seeds


def test_a_useless_column_given_a_telling_one():
    "60 tables; 3.3 standard errors are .093"
    given, alone = shares(lambda rng, x: rng.normal(size=x.size))
    assert max(given, alone) < 0.05 + 0.093


def test_a_copy_tells_much_alone_and_little_given_the_original():
    given, alone = shares(lambda rng, x: x + 0.3 * rng.normal(size=x.size))
    assert alone > 0.95 and given < 0.05 + 0.093


def test_names_numbers_and_frames_agree():
    X, y = table()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    kinds = [(X, [0, 2]), (frame, ["a", "c"]), (frame, [2, 0]), (sparse.csr_array(X), [0, 2])]
    found = [signal_test(form, y, columns, shuffles=19, random_state=1) for form, columns in kinds]
    assert len({(one.estimate, one.pvalue, tuple(one.null)) for one in found}) == 1
    assert found[1].columns == ["a", "c"] and found[0].columns == [0, 2]
    assert signal_test(frame, y, "a", shuffles=19, random_state=1).columns == ["a"]


def test_seeds_threads_and_labels():
    X, y = table()
    one, two = (signal_test(X, y, shuffles=50, n_jobs=n_jobs, random_state=3) for n_jobs in (1, 2))
    words = signal_test(X, np.where(y == 1, "ill", "well"), pos_label="ill", shuffles=50, random_state=3)
    assert one.estimate == two.estimate == words.estimate and np.array_equal(one.null, two.null)
    assert not np.array_equal(one.null, signal_test(X, y, shuffles=50, random_state=4).null)
    forest = RandomForestClassifier(10)
    a, b = (signal_test(X, y, ranker=forest, shuffles=19, random_state=0).estimate for _ in range(2))
    assert a == b and forest.random_state is None  # a clone is seeded


def test_what_it_says():
    X, y = table(n=200)
    found = signal_test(X, y, random_state=0)
    assert found.rows == (100, 100) and found.null.size == 1000 and found.expected < found.estimate
    assert "p <= 0.001" in str(found) and "100 rows fitted" in str(found)
    assert found.plot().get_xlabel().startswith("the measure")
    X, y = table(n=300, told=(0, 1, 2))
    gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    assert signal_test(gaps, y, measure=PAUC(max_fpr=0.2), random_state=0, shuffles=99).pvalue <= 0.05


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
        ({"columns": []}, "given the others"),
        ({"columns": [0, 1, 2, 3]}, "given the others"),
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
    assert signal_test(X, y, [1], shuffles=19, random_state=0).null.size == 19
