"""One ranking tree against one classification tree: 1e5 rows, 20 columns, depth 8."""
from sklearn.datasets import make_classification

from aucbook.treerank import TreeRank

from .harness import row


def data(n):
    return make_classification(n, 20, n_informative=8, flip_y=.1, class_sep=.5, random_state=0)


@row("TreeRank depth 8 / DecisionTreeClassifier", goal=40, sizes=[100_000])
def against_scikit_learn(n):
    from sklearn.tree import DecisionTreeClassifier

    X, y = data(n)
    return lambda: TreeRank(8).fit(X, y), lambda: DecisionTreeClassifier(max_depth=8).fit(X, y)


@row("TreeRank depth 8 / LightGBM's one tree", goal=8, sizes=[100_000])
def against_lightgbm(n):
    import lightgbm as lgb

    X, y = data(n)
    parameters = {"max_depth": 8, "num_leaves": 255, "learning_rate": 1, "verbose": -1, "n_jobs": 1}
    return lambda: TreeRank(8).fit(X, y), lambda: lgb.LGBMClassifier(n_estimators=1, **parameters).fit(X, y)
