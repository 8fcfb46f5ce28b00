"""Intervals: what a variance costs beside the area, and resampled counts beside resampled rows."""

import shutil
import subprocess
import tempfile
import weakref

import numpy as np
from sklearn.metrics import auc, roc_curve

import aucbook
from aucbook import auc_interval, auc_test

from .compare import demand, equal
from .harness import row
from .rows import sample


@row("auc_interval / roc_auc (goal: at most 3 times its time)", 1 / 3, [10**6, 10**5])
def interval(n):
    y, s, _ = sample(n)
    ours, peer = lambda: auc_interval(y, s), lambda: aucbook.roc_auc(y, s)
    return ours, peer, equal(lambda: ours().estimate, peer, 1e-12)


@row("auc_interval(0, .1) / partial_auc", 1 / 2, [10**6])
def interval_range(n):
    y, s, _ = sample(n)

    def ours():
        return auc_interval(y, s, max_fpr=0.1)

    def peer():
        return aucbook.partial_auc(y, s, max_fpr=0.1)

    return ours, peer, equal(lambda: ours().estimate, peer, 1e-12)


def resample_rows(y, s, beta, times, seed=0):
    """The usual loop: draw rows of each class, sort them again with scikit-learn's roc_curve, cut the area at beta."""
    rng = np.random.default_rng(seed)
    pos = s[y == 1]
    neg = s[y == 0]
    areas = []
    labels = np.r_[np.ones(pos.size), np.zeros(neg.size)]
    for _ in range(times):
        again = np.r_[rng.choice(pos, pos.size), rng.choice(neg, neg.size)]
        fpr, tpr, _ = roc_curve(labels, again, drop_intermediate=False)
        stop = np.searchsorted(fpr, beta, side="right")
        areas.append(auc(np.r_[fpr[:stop], beta], np.r_[tpr[:stop], np.interp(beta, fpr, tpr)]))
    return np.array(areas)


@row(
    "bootstrap of pAUC(0, .1), 2000 resamples / resampling with scikit-learn (100 resamples, times 20)",
    20 / 20,
    [10**4],
)
def bootstrap(n):
    y, s, _ = sample(n)

    def ours():
        return auc_interval(y, s, max_fpr=0.1, form="raw", method="bootstrap", random_state=0)

    def compare():
        ratio = ours().variance / resample_rows(y, s, 0.1, 400).var(ddof=1)
        # 400 resamples know a variance to 7 %: three and a half of it
        return demand(
            abs(ratio - 1) < 0.25,
            f"our variance is {ratio:.2f} times that of 400 resamples, allowed .75 to 1.25",
        )

    return ours, lambda: resample_rows(y, s, 0.1, 100), compare


@row("bootstrap of the AUC, 1000 resamples / rapidstats", 3, [10**4])
def bootstrap_whole(n):
    from rapidstats import Bootstrap

    y, s, _ = sample(n)

    def ours():
        return auc_interval(y, s, method="bootstrap", n_resamples=1000, random_state=0)

    def peer():
        return Bootstrap(iterations=1000, seed=0).roc_auc(y, s)

    def compare():
        mine, (low, _, high) = ours(), peer()
        far = max(abs(mine.low - low), abs(mine.high - high)) / (mine.high - mine.low)
        # an end of 1000 resamples is known to about 2 % of the width, and theirs is a percentile without a transform
        return demand(far < 0.1, f"the ends differ by {far:.3f} of the width, allowed .1")

    return ours, peer, compare


@row("paired auc_test / DeLong by a table of all pairs", 20, [4000])
def paired(n):
    y, s, w = sample(n)
    other = s + w

    def table():
        parts = []
        for score in (s, other):
            P, Q = score[y == 1][:, None], score[y == 0]
            psi = (P > Q) + 0.5 * (P == Q)
            parts.append((psi.mean(1), psi.mean(0)))
        d = [parts[0][i] - parts[1][i] for i in (0, 1)]
        return d[0].mean() / np.sqrt(sum(x.var(ddof=1) / x.size for x in d))

    def ours():
        return auc_test(y, s, other)

    return ours, table, equal(lambda: ours().statistic, table)


class R:
    """An R with the package pROC and columns y, s, other in its memory: one process for all calls, as in a session."""

    def __init__(self, *columns):
        if not shutil.which("R"):
            raise ImportError("there is no R")
        command = ["R", "--vanilla", "--no-echo"]
        pipe = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.STDOUT,
            "text": True,
        }
        self.process = subprocess.Popen(command, **pipe)
        weakref.finalize(self, self.process.kill)
        if self.ask("cat(requireNamespace('pROC', quietly = TRUE))") != ["TRUE"]:
            raise ImportError("R has no package pROC")
        with tempfile.NamedTemporaryFile(suffix=".bin") as file:
            np.concatenate(columns).astype(float).tofile(file.name)
            self.ask(
                f"v <- readBin('{file.name}', 'double', {3 * columns[0].size}); dim(v) <- c(length(v) / 3, 3)"
            )
        self.ask("y <- v[, 1]; s <- v[, 2]; other <- v[, 3]")
        self.ask("curve <- function(x) pROC::roc(y, x, levels = c(0, 1), direction = '<')")

    def ask(self, code):
        """The words that R prints for a line of code."""
        self.process.stdin.write(f"{code}; cat('\\ndone\\n')\n")
        self.process.stdin.flush()
        words = []
        for line in self.process.stdout:
            if line == "done\n":
                return words
            words += line.split()
        raise RuntimeError(f"R ended: {' '.join(words)}")


@row("auc_interval / pROC's ci.auc (DeLong)", 20, [10**4, 10**5])
def interval_beside_r(n):
    y, s, _ = sample(n)
    ours, r = lambda: auc_interval(y, s, scale="linear"), R(y, s, s)

    def peer():
        return np.array(
            r.ask("cat(format(as.numeric(pROC::ci.auc(curve(s))), digits = 15))"), float
        )

    return ours, peer, equal(lambda: np.array([ours()[k] for k in (1, 0, 2)]), peer, 1e-9)


@row("paired auc_test / pROC's roc.test (DeLong)", 5, [10**4, 10**5])
def paired_beside_r(n):
    y, s, w = sample(n)
    other = s + w
    ours, r = lambda: auc_test(y, s, other), R(y, s, other)
    code = "cat(format(unname(pROC::roc.test(curve(s), curve(other), method = 'delong')$statistic), digits = 15))"
    return (
        ours,
        lambda: float(r.ask(code)[0]),
        equal(lambda: ours().statistic, lambda: float(r.ask(code)[0]), 1e-9),
    )
