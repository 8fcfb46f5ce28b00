"""Arrays of other libraries: read where NumPy can read them, refused in a sentence where it cannot."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from discovery import PUBLIC, SMALL_DATA, all_measures, all_rankers, all_transformers, small
from sklearn.linear_model import LogisticRegression

from aucbook import PAVCalibrator, compare, pav
from aucbook._validation.checks import as_numpy

X, Y = SMALL_DATA
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


class OtherArray:
    """An array of another library, in the memory of the CPU or of another device."""

    def __init__(self, values, on_cpu=True):
        self.values = np.asarray(values)
        self.on_cpu = on_cpu
        self.shape = self.values.shape
        self.ndim = self.values.ndim
        self.dtype = self.values.dtype

    def __dlpack_device__(self):
        return (1, 0) if self.on_cpu else (2, 0)

    def __len__(self):
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        if not self.on_cpu:
            raise TypeError("can't convert cuda:0 device type tensor to numpy")
        return self.values if dtype is None else self.values.astype(dtype)


def refuses(call, name):
    with pytest.raises(ValueError, match=f"^{name} is an array that NumPy cannot read.*CPU"):
        call()


@pytest.mark.parametrize("name", all_rankers())
def test_rankers(name):
    expected = small(name).fit(X, Y).decision_function(X)
    model = small(name).fit(OtherArray(X), OtherArray(Y))
    scores = model.decision_function(OtherArray(X))
    assert type(scores) is np.ndarray
    np.testing.assert_array_equal(scores, expected)
    refuses(lambda: model.decision_function(OtherArray(X, on_cpu=False)), "X")
    refuses(lambda: small(name).fit(OtherArray(X, on_cpu=False), Y), "X")
    refuses(lambda: small(name).fit(X, OtherArray(Y, on_cpu=False)), "y")


@pytest.mark.parametrize("measure", all_measures(), ids=str)
def test_measures(measure):
    p = (X[:, 0] + 1) / (X[:, 0].max() + 2)
    assert measure(OtherArray(Y), OtherArray(p)) == measure(Y, p)
    refuses(lambda: measure(Y, OtherArray(p, on_cpu=False)), "y_(score|prob)")
    refuses(lambda: measure(OtherArray(Y, on_cpu=False), p), "y_true")


@pytest.mark.parametrize("name", all_transformers())
def test_transformers(name):
    transformer = PUBLIC[name]().fit(X, Y)
    got, expected = transformer.transform(OtherArray(X)), transformer.transform(X)
    got, expected = (z.toarray() if hasattr(z, "toarray") else z for z in (got, expected))
    np.testing.assert_array_equal(got, expected)
    refuses(lambda: transformer.transform(OtherArray(X, on_cpu=False)), "X")


def test_calibrators():
    s = X[:, 0]
    calibrator = PAVCalibrator().fit(OtherArray(s), OtherArray(Y))
    p = PAVCalibrator().fit(s, Y).predict_proba(s)
    np.testing.assert_array_equal(calibrator.predict_proba(OtherArray(s)), p)
    np.testing.assert_array_equal(pav(OtherArray(s)), pav(s))
    refuses(lambda: calibrator.predict(OtherArray(s, on_cpu=False)), "scores")
    refuses(lambda: PAVCalibrator().fit(s, OtherArray(Y, on_cpu=False)), "y")


def test_comparisons_and_decisions():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    rows = rng.normal(size=(200, 3)) + y[:, None]
    rankers = {"line": LogisticRegression()}
    expected = compare(rows, y, rankers, cv=3).decide(rows, max_fpr=0.2)
    decision = compare(OtherArray(rows), OtherArray(y), rankers, cv=3).decide(
        OtherArray(rows), max_fpr=0.2
    )
    np.testing.assert_array_equal(
        decision.predict_proba(OtherArray(rows)), expected.predict_proba(rows)
    )
    refuses(lambda: decision.predict(OtherArray(rows, on_cpu=False)), "X")
    refuses(lambda: compare(OtherArray(rows, on_cpu=False), y, rankers), "X")


def test_what_is_no_such_array_stays():
    for values in ([1, 2], "text", None, X):
        assert as_numpy(values, "X") is values
    pa = pytest.importorskip("pyarrow")
    column = pa.array([1, None, 2])
    assert as_numpy(column, "X") is column


PROGRAM = """
import sys, warnings
import numpy as np, sklearn
import array_api_strict
from sklearn.linear_model import LogisticRegression
import aucbook
warnings.simplefilter("ignore")
xp = array_api_strict if sys.argv[1] == "strict" else np
y = np.arange(200) % 2
X = np.random.default_rng(0).normal(size=(200, 3)) + y[:, None]
rankers = {"line": LogisticRegression(), "tree": aucbook.TreeRank(max_depth=2)}
plain = aucbook.compare(X, y, rankers, cv=3).decide(X, "line", max_fpr=0.2)
tree = aucbook.TreeRank(max_depth=2).fit(X, y).decision_function(X)
with sklearn.config_context(array_api_dispatch=True):
    A, b = xp.asarray(X), xp.asarray(y)
    assert np.array_equal(aucbook.TreeRank(max_depth=2).fit(A, b, b + 1).predict(A),
                          aucbook.TreeRank(max_depth=2).fit(X, y, y + 1).predict(X))
    assert np.array_equal(aucbook.TreeRank(max_depth=2).fit(A, b).decision_function(A), tree)
    assert np.array_equal(plain.predict_proba(A), plain.predict_proba(X))
    assert aucbook.roc_auc(b, A[:, 0]) == aucbook.roc_auc(y, X[:, 0])
    assert np.array_equal(aucbook.PAVCalibrator().fit(A[:, :1], b).predict(A[:, :1]),
                          aucbook.PAVCalibrator().fit(X[:, :1], y).predict(X[:, :1]))
    decision = aucbook.compare(A, b, rankers, cv=3).decide(A, "line", max_fpr=0.2)
    assert np.allclose(decision.predict_proba(A), plain.predict_proba(X))
print("fine")
"""


@pytest.mark.parametrize("library", ["numpy", "strict"])
def test_with_scikit_learns_dispatch_on(library):
    """SciPy must know of it before it is imported, so this runs in another process."""
    program = PROGRAM
    if library == "numpy":
        program = PROGRAM.replace("import array_api_strict\n", "")
    else:
        pytest.importorskip("array_api_strict")
    done = subprocess.run(
        [sys.executable, "-c", program, library],
        capture_output=True,
        text=True,
        env=os.environ
        | {"SCIPY_ARRAY_API": "1", "PYTHONPATH": os.pathsep.join([*map(str, sys.path)])},
        cwd=Path(__file__).parent,
    )
    assert done.stdout.strip() == "fine", done.stderr
