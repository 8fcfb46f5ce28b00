"""What is measured. Each row returns (ours, peer); results are compared before anything is timed."""

import itertools
import subprocess
import sys

import numpy as np
from scipy.optimize import isotonic_regression
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import roc_auc_score, roc_curve

import aucbook

from .harness import row


def sample(n, dtype=np.float64):
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(int)
    return y, (rng.normal(size=n) + y).astype(dtype), rng.random(n)


def agree(ours, peer, tolerance=1e-9):
    a, b = ours(), peer()
    assert np.allclose(a, b, rtol=0, atol=tolerance), (a, b)
    return ours, peer


@row("roc_auc / scikit-learn", {10**4: 50, 10**5: 40, 10**6: 28, 10**7: 35}, [10**7, 10**6, 10**5, 10**4])
def auc(n):
    y, s, _ = sample(n)
    return agree(lambda: aucbook.roc_auc(y, s), lambda: roc_auc_score(y, s))


@row("roc_auc float32 / scikit-learn", {10**4: 50, 10**5: 40, 10**6: 28}, [10**6, 10**5, 10**4])
def auc32(n):
    y, s, _ = sample(n, np.float32)
    return agree(lambda: aucbook.roc_auc(y, s), lambda: roc_auc_score(y, s))


@row("roc_auc / numpy.sort of the scores", 1 / 1.4, [10**7, 10**6])
def auc_sort(n):
    y, s, _ = sample(n)
    return lambda: aucbook.roc_auc(y, s), lambda: np.sort(s)


@row("partial_auc(0, .1) / scikit-learn max_fpr", 50, [10**6, 10**5, 10**4])
def pauc(n):
    y, s, _ = sample(n)
    return agree(lambda: aucbook.partial_auc(y, s, 0, 0.1, form="mcclish"), lambda: roc_auc_score(y, s, max_fpr=0.1))


@row("roc_curve, every threshold / scikit-learn", 15, [10**7, 10**6, 10**5, 10**4])
def curve(n):
    y, s, _ = sample(n)
    return (
        agree(lambda: aucbook.roc_curve(y, s), lambda: roc_curve(y, s, drop_intermediate=False))
        if n < 10**7
        else (lambda: aucbook.roc_curve(y, s), lambda: roc_curve(y, s, drop_intermediate=False))
    )


@row("weighted roc_auc / scikit-learn", 8, [10**6, 10**5, 10**4])
def weighted(n):
    y, s, w = sample(n)
    return agree(lambda: aucbook.roc_auc(y, s, sample_weight=w), lambda: roc_auc_score(y, s, sample_weight=w))


def pav_against_scipy(make, n):
    "Twenty different arrays in turn: repeated alone, a short one would be learned by heart by the branch predictor."
    arrays = [make(np.random.default_rng(seed), n) for seed in range(20 if n <= 10**5 else 3)]
    ours, peer = itertools.cycle(arrays), itertools.cycle(arrays)
    agree(lambda: aucbook.pav(arrays[0]), lambda: isotonic_regression(arrays[0]).x)
    return lambda: aucbook.pav(next(ours)), lambda: isotonic_regression(next(peer)).x


@row("pav, noisy / SciPy", 1.3, [10**6, 10**5, 10**4])
def pav_noisy(n):
    return pav_against_scipy(lambda rng, n: rng.normal(size=n) + np.linspace(0, 3, n), n)


@row("pav, binary labels / SciPy", 1.7, [10**6, 10**5, 10**4])
def pav_binary(n):
    return pav_against_scipy(lambda rng, n: (rng.random(n) < np.linspace(0, 1, n)).astype(float), n)


@row("pav, monotone / SciPy", 0.8, [10**6, 10**5, 10**4])
def pav_monotone(n):
    return pav_against_scipy(lambda rng, n: np.sort(rng.normal(size=n)), n)


@row("PAVCalibrator.fit / IsotonicRegression.fit", 6, [10**6, 10**5, 10**4])
def calibrator(n):
    y, s, _ = sample(n)
    ours, peer = aucbook.PAVCalibrator(), IsotonicRegression()
    return lambda: ours.fit(s, y), lambda: peer.fit(s, y.astype(float))


def process(code):
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


@row("import aucbook / import numpy", 1 / 1.3, [1])
def imports(_):
    return process("import aucbook"), process("import numpy")


@row("a cold process computing one AUC / scikit-learn", 1, [1])
def cold(_):
    data = "y, s = [0, 1, 0, 1], [1., 2., 3., 4.];"
    return process(f"import aucbook; {data} aucbook.roc_auc(y, s)"), process(
        f"from sklearn.metrics import roc_auc_score as f; {data} f(y, s)"
    )
