"""Ranking trees and forests beside CART, random forest, LightGBM and logistic regression.

Two parts: gauss2d, the sample of R's TreeRank beside R's own figure (one minute of one core), and sets, on real sets every fold's AUC and
partial AUC (ten).
"""

import warnings

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from tqdm.auto import tqdm

from aucbook import TreeRank, TreeRankForest, auc_interval, load_dataset, partial_auc, roc_auc
from aucbook.theory import gauss2d_score, make_gauss2d
from aucbook.trees import cross_validated_pruning, prune, shake

from .shared import gauss2d as read_gauss2d
from .shared import gauss2d_samples, scores
from .store import store

PACKAGES = ("lightgbm",)
SETS = (
    "breast_cancer",
    "pima",
    "german_credit",
    "abalone19",
    "spambase",
    "annthyroid",
    "mammography",
    "magic_gamma",
    "letter_A",
    "credit_default",
)
DEPTHS = (2, 4, 6, 8, 12)
LEAF = 5  # fewest rows in a leaf of every single tree and of the random forest
SMOOTHING = 100  # rows, as TreeRank(shake="smooth")
FOREST = {
    "thresholds": "best",
    "criterion": "ranking",
    "max_samples": None,
    "max_depth": 20,
    "max_fpr": 1.0,
    "random_state": 0,
}  # as in the paper
R_TREE = 0.678  # test AUC on Gauss2D of the R package TreeRank, depth 5, cells cut by CART; taken over, not computed
FOLDS = 5
DRAWS = 50  # of Gauss2D's relative; ten of them for forests


def cart_pruned(X, y):
    """CART with its own weakest-link pruning, the price chosen by AUC on three inner folds."""
    tree = DecisionTreeClassifier(max_depth=12, min_samples_leaf=LEAF, random_state=0)
    prices = np.unique(tree.cost_complexity_pruning_path(X, y).ccp_alphas.clip(0))
    prices = prices[np.unique(np.linspace(0, prices.size - 1, 15).astype(int))]
    return GridSearchCV(
        tree,
        {"ccp_alpha": prices},
        scoring="roc_auc",
        cv=StratifiedKFold(3, shuffle=True, random_state=0),
    ).fit(X, y)


def rankers(X, y):
    """(name, fitted) one after the other."""
    from lightgbm import LGBMClassifier

    for D in DEPTHS:
        tree = TreeRank(max_depth=D, min_samples_leaf=LEAF).fit(X, y)
        yield f"TreeRank {D}", tree
        yield f"TreeRank {D}, shaken", shake(tree)
        yield f"TreeRank {D}, smooth", shake(tree, SMOOTHING)
        yield (
            f"CART {D}",
            DecisionTreeClassifier(max_depth=D, min_samples_leaf=LEAF, random_state=0).fit(X, y),
        )
    yield "LeafRank 4", TreeRank(max_depth=4, splitter="leafrank", min_samples_leaf=LEAF).fit(X, y)
    inner = StratifiedKFold(3, shuffle=True, random_state=0)
    yield (
        "TreeRank pruned",
        cross_validated_pruning(TreeRank(max_depth=12, min_samples_leaf=LEAF), X, y, cv=inner),
    )
    smooth = TreeRank(max_depth=12, min_samples_leaf=LEAF, shake="smooth")
    yield "TreeRank pruned, smooth", cross_validated_pruning(smooth, X, y, cv=inner)
    yield "CART pruned", cart_pruned(X, y)
    yield "TreeRank forest", TreeRankForest(**FOREST).fit(X, y)
    yield (
        "TreeRank forest, left to right",
        TreeRankForest(smoothing=None, min_samples_leaf=LEAF, **FOREST).fit(X, y),
    )
    yield (
        "random forest",
        RandomForestClassifier(100, min_samples_leaf=LEAF, random_state=0, n_jobs=1).fit(X, y),
    )
    yield "LightGBM", LGBMClassifier(n_jobs=1, random_state=0, verbose=-1).fit(X, y)
    yield "logistic", make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)).fit(X, y)


def real_sets():
    """(results, checksums)."""
    out, inputs = {}, {}
    for name in tqdm(SETS, desc="trees"):
        data = load_dataset(name)
        X, y = data.data, data.target
        folds = {}
        for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y):
            for method, model in rankers(X[train], y[train]):
                s = scores(model, X[test])
                values = folds.setdefault(method, {"auc": [], "pauc": []})
                values["auc"].append(round(roc_auc(y[test], s), 5))
                values["pauc"].append(round(partial_auc(y[test], s, max_fpr=0.1), 5))
        out[name] = {"n": len(y), "d": X.shape[1], "positives": int(y.sum()), "folds": folds}
        inputs[name] = data.sha256
        tqdm.write(f"{name} { {m: round(float(np.mean(v['auc'])), 3) for m, v in folds.items()} }")
    return out, inputs


def gauss2d():
    """(results, checksums): test AUC on R's own sample, and on fresh draws of the book's relative of it."""
    (X, y), (Z, z), inputs = gauss2d_samples()
    best, inputs["Gauss2D_optroc"] = read_gauss2d("optroc")
    tree = TreeRank(max_depth=5).fit(X, y)
    pruned = cross_validated_pruning(tree, X, y)
    models = {
        "TreeRank 5": tree,
        "TreeRank 5, shaken": shake(tree),
        "TreeRank 5, smooth": shake(tree, SMOOTHING),
        "TreeRank 5, pruned": pruned,
        "TreeRank 5, pruned to 10 leaves": prune(tree, n_leaves=10),
        "TreeRank 5, pruned, one s.e.": cross_validated_pruning(tree, X, y, one_se=True),
        "LeafRank 5": TreeRank(max_depth=5, splitter="leafrank").fit(X, y),
        "CART 5": DecisionTreeClassifier(max_depth=5, random_state=0).fit(X, y),
        "TreeRank forest": TreeRankForest(**FOREST).fit(X, y),
        "TreeRank forest, left to right": TreeRankForest(
            smoothing=None, min_samples_leaf=LEAF, **FOREST
        ).fit(X, y),
        "random forest": RandomForestClassifier(
            100, min_samples_leaf=LEAF, random_state=0, n_jobs=1
        ).fit(X, y),
        "random forest, 100 rows a leaf": RandomForestClassifier(
            100, min_samples_leaf=100, random_state=0, n_jobs=1
        ).fit(X, y),
        "logistic": LogisticRegression().fit(X, y),
    }
    leaves = {
        name: int(model.tree_.leaves.size)
        for name, model in models.items()
        if hasattr(model, "tree_") and isinstance(model, TreeRank)
    }
    fresh = {
        name: []
        for name in (
            "TreeRank 5",
            "CART 5",
            "TreeRank forest",
            "random forest",
            "random forest, 100 rows a leaf",
            "best score",
        )
    }
    F, f = make_gauss2d(20_000, random_state=1000)
    for seed in tqdm(range(DRAWS), desc="gauss2d"):
        A, a = make_gauss2d(2000, random_state=seed)
        fresh["TreeRank 5"].append(roc_auc(f, scores(TreeRank(max_depth=5).fit(A, a), F)))
        fresh["CART 5"].append(
            roc_auc(f, scores(DecisionTreeClassifier(max_depth=5, random_state=0).fit(A, a), F))
        )
        if seed < 10:
            fresh["TreeRank forest"].append(
                roc_auc(f, scores(TreeRankForest(**FOREST).fit(A, a), F))
            )
            for name, least in (("random forest", LEAF), ("random forest, 100 rows a leaf", 100)):
                forest = RandomForestClassifier(
                    100, min_samples_leaf=least, random_state=0, n_jobs=1
                ).fit(A, a)
                fresh[name].append(roc_auc(f, scores(forest, F)))
    fresh["best score"].append(roc_auc(f, gauss2d_score(F)))
    return {
        "n": [len(y), len(z)],
        "optimum": float(np.trapezoid(best[:, 1], best[:, 0])),
        "R": R_TREE,
        "standard error": round(
            float(np.sqrt(auc_interval(z, scores(models["logistic"], Z)).variance)), 5
        ),
        "test": {name: round(roc_auc(z, scores(model, Z)), 5) for name, model in models.items()},
        "leaves": leaves,
        "fresh": {name: np.round(v, 5).tolist() for name, v in fresh.items()},
    }, inputs


def run(*parts):
    """All, or only the parts named."""
    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    for name, part in {"gauss2d": gauss2d, "sets": real_sets}.items():
        if not parts or name in parts:
            result, inputs = part()
            store(
                "trees",
                {name: result},
                seeds=[range(DRAWS), 1000] if name == "gauss2d" else [0],
                inputs=inputs,
                packages=PACKAGES,
                keep=True,
            )
