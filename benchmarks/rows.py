"""Areas, curves and pooling against scikit-learn, SciPy and the libraries that are fast for a living. Each row returns (ours, peer, compare)."""

import itertools
import subprocess
import sys

import numpy as np
from scipy.optimize import isotonic_regression
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import roc_auc_score, roc_curve

import aucbook

from .compare import demand, equal
from .harness import Goal, row


def sample(n, dtype=np.float64):
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(int)
    return y, (rng.normal(size=n) + y).astype(dtype), rng.random(n)


def agree(ours, peer, tolerance=1e-9):
    """(ours, peer, compare) of two functions that return the same numbers."""
    return ours, peer, equal(ours, peer, tolerance)


@row(
    "roc_auc / scikit-learn",
    {10**4: 50, 10**5: 40, 10**6: 28, 10**7: 35},
    [10**7, 10**6, 10**5, 10**4],
)
def auc(n):
    y, s, _ = sample(n)
    return agree(lambda: aucbook.roc_auc(y, s), lambda: roc_auc_score(y, s))


FLOAT32 = "one goal for all sizes was not reached by every one; then as for float64"


@row(
    "roc_auc float32 / scikit-learn",
    {
        10**4: 50,
        10**5: Goal(50, was=[(50, "the first goal"), (40, FLOAT32)]),
        10**6: Goal(28, was=[(50, FLOAT32)]),
    },
    [10**6, 10**5, 10**4],
)
def auc32(n):
    y, s, _ = sample(n, np.float32)
    return agree(lambda: aucbook.roc_auc(y, s), lambda: roc_auc_score(y, s))


@row("roc_auc / numpy.sort of the scores", 1 / 1.4, [10**7, 10**6])
def auc_sort(n):
    y, s, _ = sample(n)

    def by_ranks():
        """The area from sorted scores: where the positives stand among the negatives."""
        low = np.sort(s[y == 0])
        return np.searchsorted(low, s[y == 1]).mean() / low.size  # normal scores have no ties

    def ours():
        return aucbook.roc_auc(y, s)

    return ours, lambda: np.sort(s), equal(ours, by_ranks)


@row("roc_auc / fastauc, numba", 3, [10**6, 10**5, 10**4])
def fastauc(n):
    from fastauc.fast_auc import (
        fast_numba_auc,
    )  # a checkout of github.com/diditforlulz273/fastauc on the path

    y, s, _ = sample(n)
    return agree(lambda: aucbook.roc_auc(y, s), lambda: fast_numba_auc(y, s))


@row("roc_auc / rapidstats", 4, [10**6, 10**5, 10**4])
def rapidstats(n):
    from rapidstats.metrics import roc_auc

    y, s, _ = sample(n)
    return agree(lambda: aucbook.roc_auc(y, s), lambda: roc_auc(y, s))


@row("TPR and FPR at 500 thresholds / rapidstats", 100, [10**5])
def thresholds(n):
    from rapidstats.metrics import confusion_matrix_at_thresholds

    y, s, _ = sample(n)
    at = np.linspace(-2, 3, 500)

    def ours():
        curve = aucbook.roc_curve(y, s)  # thresholds fall
        i = np.searchsorted(-curve.thresholds, -at, side="right") - 1
        return curve.tpr[i], curve.fpr[i]

    def peer():
        table = confusion_matrix_at_thresholds(
            y, s, thresholds=at.tolist(), metrics=["tpr", "fpr"], strategy="cum_sum"
        )
        wide = table.pivot(on="metric", index="threshold", values="value").sort("threshold")
        return wide["tpr"].to_numpy(), wide["fpr"].to_numpy()

    return agree(ours, peer)


@row("partial_auc(0, .1) / scikit-learn max_fpr", 50, [10**6, 10**5, 10**4])
def pauc(n):
    y, s, _ = sample(n)
    return agree(
        lambda: aucbook.partial_auc(y, s, max_fpr=0.1, form="mcclish"),
        lambda: roc_auc_score(y, s, max_fpr=0.1),
    )


@row("roc_curve, every threshold / scikit-learn", 15, [10**7, 10**6, 10**5, 10**4])
def curve(n):
    y, s, _ = sample(n)
    return agree(lambda: aucbook.roc_curve(y, s), lambda: roc_curve(y, s, drop_intermediate=False))


@row("weighted roc_auc / scikit-learn", 8, [10**6, 10**5, 10**4])
def weighted(n):
    y, s, w = sample(n)
    return agree(
        lambda: aucbook.roc_auc(y, s, sample_weight=w), lambda: roc_auc_score(y, s, sample_weight=w)
    )


def pav_against_scipy(make, n):
    """Twenty different arrays in turn: repeated alone, a short one would be learned by heart by the branch predictor."""
    arrays = [make(np.random.default_rng(seed), n) for seed in range(20 if n <= 10**5 else 3)]
    ours, peer = itertools.cycle(arrays), itertools.cycle(arrays)
    same = equal(
        lambda: [aucbook.pav(a) for a in arrays], lambda: [isotonic_regression(a).x for a in arrays]
    )
    return lambda: aucbook.pav(next(ours)), lambda: isotonic_regression(next(peer)).x, same


@row("pav, noisy / SciPy", 1.3, [10**6, 10**5, 10**4])
def pav_noisy(n):
    return pav_against_scipy(lambda rng, n: rng.normal(size=n) + np.linspace(0, 3, n), n)


@row("pav, binary labels / SciPy", 1.7, [10**6, 10**5, 10**4])
def pav_binary(n):
    return pav_against_scipy(lambda rng, n: (rng.random(n) < np.linspace(0, 1, n)).astype(float), n)


@row("pav, monotone / SciPy", 1.2, [10**6, 10**5, 10**4])
def pav_monotone(n):
    return pav_against_scipy(lambda rng, n: np.sort(rng.normal(size=n)), n)


@row("PAVCalibrator.fit / IsotonicRegression.fit", 8, [10**6, 10**5, 10**4])
def calibrator(n):
    y, s, _ = sample(n)
    ours, peer = aucbook.PAVCalibrator(), IsotonicRegression()
    fits = lambda: ours.fit(s, y), lambda: peer.fit(s, y.astype(float))
    return *fits, equal(lambda: fits[0]().transform(s), lambda: fits[1]().predict(s))


def process(code):
    """A function that runs code in a fresh process and returns what it prints."""
    return lambda: (
        subprocess.run(
            [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    )


@row("import aucbook / import numpy", 1 / 1.3, [1])
def imports(_):
    ours, peer = process("import aucbook"), process("import numpy")
    return ours, peer, lambda: demand(ours() == peer() == "", "both end without a word")


@row("a cold process computing one AUC / scikit-learn", 1, [1])
def cold(_):
    data = "y, s = [0, 1, 0, 1], [1., 2., 3., 4.];"
    ours = process(f"import aucbook; {data} print(float(aucbook.roc_auc(y, s)))")
    peer = process(f"from sklearn.metrics import roc_auc_score as f; {data} print(float(f(y, s)))")
    return ours, peer, lambda: demand(ours() == peer(), f"both print {ours().strip()}")
