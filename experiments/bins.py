"""What the rule for bins does to the rankers that read them: edges by rows, popular values alone, beside edges by distinct values.

On the TUNING splits of the development tables, every ranker as it comes, but AUCBoost with bins, which it takes by itself above 10,000 rows.
A table whose edges are the same by both rules on every split is not fitted twice. Two minutes of one core.
"""

from unittest.mock import patch

import numpy as np

from aucbook import AdditiveRanker, AUCBoost, MartiRank, TreeRank, TreeRankBoost, TreeRankForest
from aucbook._numerics import binning
from aucbook._numerics.binning import quantile_edges

from .development import MEASURES, TABLES, TUNING, measured, splits, table
from .store import store

RANKERS = {
    "AUCBoost": AUCBoost(n_bins=255),
    "MartiRank": MartiRank(random_state=0),
    "TreeRank": TreeRank(random_state=0),
    "TreeRankForest": TreeRankForest(random_state=0),
    "TreeRankBoost": TreeRankBoost(random_state=0),
    "AdditiveRanker": AdditiveRanker(),
}


def distinct_edges(X, n_bins=255):
    """The rule of before: edges next to quantiles of the distinct values, a list of arrays."""
    edges = []
    for column in np.asarray(X, float).T:
        v = np.unique(column[~np.isnan(column)])
        i = np.arange(1, v.size)
        if v.size > n_bins:
            i = np.linspace(0, v.size, n_bins + 1).astype(int)[1:-1]
        middle = v[i - 1] / 2 + v[i] / 2
        edges.append(np.where(middle > v[i - 1], middle, v[i]))
    return edges


def changed(X):
    """How many columns of training rows X have other edges by the other rule."""
    return sum(not np.array_equal(*pair) for pair in zip(distinct_edges(X), quantile_edges(X)))


def run():
    results, inputs = {}, {}
    for name in TABLES:
        X, y, inputs[name] = table(name)
        results[name] = {
            "columns": X.shape[1],
            "columns with other edges": [changed(X[train]) for train, _ in splits(y)],
        }
        if any(results[name]["columns with other edges"]):
            results[name]["rows"] = {
                called: measured(ranker, X, y)[0] for called, ranker in RANKERS.items()
            }
            with patch.object(binning, "quantile_edges", distinct_edges):
                results[name]["distinct values"] = {
                    called: measured(ranker, X, y)[0] for called, ranker in RANKERS.items()
                }
        print(name, flush=True)
    store("bins", {"measures": list(MEASURES), "tables": results}, seeds=[TUNING[0]], inputs=inputs)
