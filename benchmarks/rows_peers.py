"""Gradient boosting as people use it, and areas computed in an engine: peers beside which users put this library.

A forest is compared with CatBoost and HistGradientBoosting as they come, on one thread each; polars-ds with the same areas in Polars.
"""

from functools import cache

from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

import aucbook
from aucbook import TreeRankForest

from .compare import as_accurate, demand
from .harness import row
from .rows import agree, sample


@cache
def table(n):
    """((X, y) to learn from, (X, y) to test on)."""
    X, y = make_classification(
        2 * n, 20, n_informative=8, n_redundant=4, flip_y=0.1, class_sep=0.6, random_state=0
    )
    return (X[:n], y[:n]), (X[n:], y[n:])


def fits(n, peer, within=0.005):
    """(ours, peer, compare): n fresh rows know an AUC to .003 where n is 2e4."""
    learn, test = table(n)
    model = TreeRankForest(random_state=0)
    both = (lambda: model.fit(*learn)), (lambda: peer.fit(*learn))
    return *both, as_accurate(*both, *test, within)


def catboost():
    from catboost import CatBoostClassifier

    return CatBoostClassifier(thread_count=1, verbose=0, allow_writing_files=False, random_seed=0)


@row("TreeRankForest() / CatBoost", 4, [2 * 10**4])
def forest_catboost(n):
    return fits(n, catboost())


@row("TreeRankForest() / HistGradientBoosting", 1 / 4, [2 * 10**4])
def forest_hist_gradient(n):
    threadpool_limits(1, user_api="openmp")
    return fits(n, HistGradientBoostingClassifier(random_state=0))


@row("TreeRankForest(max_depth=5) / HistGradientBoosting, 100 trees of 31 leaves", 2, [2 * 10**4])
def shallow_forest_hist_gradient(n):
    """As many trees, of as many leaves: as it comes, one stops early, and the other grows leaves of a few rows."""
    threadpool_limits(1, user_api="openmp")
    learn, _ = table(n)
    forest = TreeRankForest(max_depth=5, random_state=0)
    peer = HistGradientBoostingClassifier(early_stopping=False, random_state=0)

    def compare():
        leaves = max(tree.leaves.size for tree in forest.fit(*learn).trees_)
        rounds = peer.fit(*learn).n_iter_
        return demand(
            leaves <= 32 and rounds == len(forest.trees_) == 100,
            f"100 trees each, of at most {leaves} and 31 leaves",
        )

    return lambda: forest.fit(*learn), lambda: peer.fit(*learn), compare


@row("roc_auc / polars-ds", 5, [10**6, 10**5, 10**4])
def polars_ds(n):
    import polars
    import polars_ds

    y, s, _ = sample(n)
    frame = polars.DataFrame({"y": y, "s": s})

    def peer():
        return frame.select(polars_ds.query_roc_auc("y", "s")).item()

    return agree(lambda: aucbook.roc_auc(y, s), peer)
