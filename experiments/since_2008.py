"""Ranking trees since 2008: how a forest adds up its trees, and the two-sample test by ranking.

The protocol, written down before the first run:

"aggregation" (Clémençon, Depecker & Vayatis 2013 against an average)
- The sixteen tables of experiments/development.py, the first of its FINAL splits (three were planned; the machine was too busy); of the test
  rows at most ROWS, drawn by class.
- TREES trees `TreeRank(max_depth=6, min_samples_leaf=5)`, each on a bootstrap sample of the training rows and a random
  half of the columns. Their scores of the test rows are added up in four ways: "mean share" (the share of positives in the leaf, one row
  of each class added), "mean rank" (Borda), "median rank" (optimal for Spearman's footrule), and "majority" (for every pair of rows, the
  order of most trees; a row's score is the number of rows that it is above, Copeland's rule, as a stand-in for the median ranking of
  Kendall's distance, which is NP-hard to compute).
- Judged by AUC and by partial AUC over [0, .1] on these test rows; differences from "mean share" table by table, Student's
  interval over tables.

"two_sample" (Remark 14 of Paper 4; Clémençon, Depecker & Vayatis 2009)
- Two samples of SIZE rows each in 5 and (for two of the worlds, for the same reason) in 50 columns, level .05, REPEATS pairs of samples. Worlds with equal laws, chosen to break a test: "normal", "Cauchy"
  (no mean), "few values" (0 or 1 in each column, mostly 0), "unequal" (40 and 360 rows). Worlds that differ: "means"
  (every column shifted by 1 / sqrt(columns) / 2), "one mean" (one column, by .6), "spread" (one column, times 2), "correlation" (neighbouring columns
  in pairs, correlation .6 in one sample only), "few rows" (a twentieth of one sample is shifted by 3 in one column).
- Tests: `signal_test(X, y, measure=AUC())` with logistic regression and with a forest of 50 trees (99 shuffles); energy statistic, all columns together, by
  199 permutations; Kolmogorov-Smirnov in every column, Bonferroni.

Some four minutes of one core.
"""

import warnings

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import ks_2samp, rankdata
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from aucbook import AUC, TreeRank, TreeRankForest, partial_auc, roc_auc
from aucbook.inference import signal_test

from .development import FINAL, TABLES, splits, table
from .store import store

SPLITS = (FINAL[0], 1)
TREES, ROWS = 50, 600
SIZE = 200
REPEATS = 200
LEVEL = 0.05


def added_up(shares, ranks):
    """{rule: score of each row}; shares and ranks: (trees, rows), larger = more likely positive."""
    above = np.zeros((ranks.shape[1], ranks.shape[1]))
    for r in ranks:
        above += np.sign(r[:, None] - r)
    return {
        "mean share": shares.mean(0),
        "mean rank": ranks.mean(0),
        "median rank": np.median(ranks, axis=0),
        "majority": np.sign(above).sum(1),
    }


def leaf_shares(tree, X, y, Z):
    """The share of positives in the leaf of each row of Z, one row of each class added."""
    own, other = tree.decision_function(X), tree.decision_function(Z)
    scores, leaf = np.unique(own, return_inverse=True)
    positives, rows = np.bincount(leaf, y), np.bincount(leaf)
    return ((positives + 1) / (rows + 2))[np.searchsorted(scores, other).clip(0, scores.size - 1)]


def aggregate(X, y, train, test, seed):
    rng = np.random.default_rng(seed)
    if test.size > ROWS:
        keep = max(20, round(ROWS * y[test].mean()))
        by_class = [rng.permutation(test[y[test] == k]) for k in (1, 0)]
        test = np.r_[by_class[0][:keep], by_class[1][: ROWS - keep]]
    shares, ranks = [], []
    for _ in range(TREES):
        rows = rng.choice(train, train.size)
        columns = rng.choice(X.shape[1], (X.shape[1] + 1) // 2, replace=False)
        A, B = X[np.ix_(rows, columns)], X[np.ix_(test, columns)]
        tree = TreeRank(max_depth=6, min_samples_leaf=5).fit(A, y[rows])
        shares.append(leaf_shares(tree, A, y[rows], B))
        ranks.append(rankdata(shares[-1]))
    z = y[test]
    rules = added_up(np.array(shares), np.array(ranks))
    return {
        rule: [round(float(v), 4) for v in (roc_auc(z, s), partial_auc(z, s, max_fpr=0.1))]
        for rule, s in rules.items()
    }


def sample(world, d, rng):
    """(X, y): rows of both samples."""
    m, n = (40, 360) if world == "unequal" else (SIZE, SIZE)
    X = rng.normal(size=(m + n, d))
    if world == "Cauchy":
        X = rng.standard_cauchy((m + n, d))
    elif world == "few values":
        X = (rng.random((m + n, d)) < 0.1).astype(float)
    elif world == "means":
        X[:m] += 0.5 / np.sqrt(d)
    elif world == "one mean":
        X[:m, 0] += 0.6
    elif world == "spread":
        X[:m, 0] *= 2
    elif world == "correlation":
        pairs = d // 2
        one, two = X[:m, 0 : 2 * pairs : 2], X[:m, 1 : 2 * pairs : 2]
        X[:m, 1 : 2 * pairs : 2] = 0.6 * one + 0.8 * two
    elif world == "few rows":
        X[: m // 20, 0] += 3
    return X, np.r_[np.ones(m, int), np.zeros(n, int)]


WORLDS = ("normal", "Cauchy", "few values", "unequal")
WORLDS += ("means", "one mean", "spread", "correlation", "few rows")
COLUMNS = {5: WORLDS, 50: ("means", "correlation")}


def energy_pvalue(X, y, rng, permutations=199):
    D = cdist(X, X)
    labels = np.array([y] + [rng.permutation(y) for _ in range(permutations)], float).T
    a, b = labels / labels.sum(0), (1 - labels) / (1 - labels).sum(0)
    Da, Db = D @ a, D @ b
    statistic = 2 * (a * Db).sum(0) - (a * Da).sum(0) - (b * Db).sum(0)
    return np.mean(statistic >= statistic[0] - 1e-12)


def pvalues(X, y, seed):
    rng = np.random.default_rng([seed, 1])
    found = {}
    for name, ranker in (
        ("ranking, logistic", LogisticRegression()),
        ("ranking, forest", TreeRankForest(50)),
    ):
        found[name] = signal_test(
            X, y, ranker=ranker, measure=AUC(), n_resamples=99, random_state=seed
        ).pvalue
    found["energy"] = energy_pvalue(X, y, rng)
    columns = ks_2samp(X[y == 1], X[y == 0], axis=0, method="asymp").pvalue
    found["Kolmogorov-Smirnov"] = min(1.0, columns.min() * X.shape[1])
    return found


def run(part=None):
    results, inputs = {}, {}
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fits that have not converged
        if part in (None, "aggregation"):
            results["aggregation"] = {}
            for name in tqdm(TABLES, desc="aggregation"):
                X, y, inputs[name] = table(name)
                results["aggregation"][name] = [
                    aggregate(X, y, train, test, k)
                    for k, (train, test) in enumerate(splits(y, SPLITS))
                ]
                print(name, results["aggregation"][name][0], flush=True)
        if part in (None, "two_sample"):
            results["two_sample"] = {}
            for d, worlds in COLUMNS.items():
                for world in tqdm(worlds, desc=f"{d} columns"):
                    k = WORLDS.index(world)
                    rows = []
                    for seed in range(REPEATS):
                        rng = np.random.default_rng([d, k, seed])
                        rows.append(pvalues(*sample(world, d, rng), seed))
                    results["two_sample"][f"{world}, {d}"] = {
                        test: int(sum(row[test] <= LEVEL for row in rows)) for test in rows[0]
                    }
                    print(world, d, results["two_sample"][f"{world}, {d}"], flush=True)
            results["repeats"] = REPEATS
    store("since_2008", results, seeds=[SPLITS[0], range(REPEATS)], inputs=inputs, keep=True)
