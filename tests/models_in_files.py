"""Models of every kind that files hold: our rankers, those with estimators as parameters, scikit-learn's, boosters, and decisions."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from discovery import SMALL_DATA, all_rankers, small
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.metrics.pairwise import linear_kernel
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.neighbors import (
    KNeighborsClassifier,
    LocalOutlierFactor,
    NearestCentroid,
    RadiusNeighborsClassifier,
)
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
from sklearn.svm import SVC, LinearSVC, NuSVC, OneClassSVM
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
LINE = LogisticRegression()
MEMBERS = {"forest": small("TreeRankForest"), "curves": small("AdditiveRanker"), "line": LINE}
OURS = {
    **{name: small(name) for name in all_rankers()},
    "RankingEnsemble": small("RankingEnsemble", rankers=MEMBERS),
    "RankingEnsemble of curves": small("RankingEnsemble", combiner="monotone", rankers=MEMBERS),
    "AUCBoost with coins": small("AUCBoost", weak_ranker=TREE, answers="coin"),
    "MartiRank of lines": small("MartiRank", weak_ranker=LINE, routing="random"),
    "LinearAdaBoost of trees": small("LinearAdaBoost", weak_ranker=TREE, constant=True),
    "PAVAdaBoost in bins": small("PAVAdaBoost", n_bins=4),
    "PAVAdaBoostFinite in bins": small("PAVAdaBoostFinite", n_bins=4),
    "Nscore with lines": small("Nscore", link="optimal", weighting=None),
    "KNNRanker of vectors": small("KNNRanker", weighting=None),
    "AdditiveRanker with a pair": small("AdditiveRanker", interactions=1),
    "PAUCBoost with splines": small("PAUCBoost", n_knots=3),
    "TreeRank by lines": small("TreeRank", splitter="linear", max_depth=3),
    "TreeRank by trees": small("TreeRank", splitter="leafrank", max_depth=3),
    "TreeRank by an estimator": small("TreeRank", splitter=LINE, max_depth=3),
    "TreeRank, shaken": small("TreeRank", shake="split", max_depth=3),
    "TreeRankBoost by pairs": small("TreeRankBoost", update="pairwise"),
    "TreeRankBoost as printed": small("TreeRankBoost", update="literal"),
    "TreeRankForest as printed": small(
        "TreeRankForest", smoothing=None, max_samples=None, thresholds="best"
    ),
}
HISTOGRAM = HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5, random_state=0)
OF_SCIKIT_LEARN = {
    "random forest": RandomForestClassifier(3, random_state=0),
    "extra trees": ExtraTreesClassifier(3, random_state=0),
    "gradient boosting": GradientBoostingClassifier(n_estimators=3, random_state=0),
    "tree": TREE,
    "extra tree": ExtraTreeClassifier(random_state=0),
    "histogram": HISTOGRAM,
    "histogram of levels": clone(HISTOGRAM).set_params(categorical_features=[0]),
    "neighbours": KNeighborsClassifier(),
    "neighbours in balls": KNeighborsClassifier(algorithm="ball_tree", weights="distance", p=3),
    "neighbours without a tree": KNeighborsClassifier(algorithm="brute"),
    "neighbours in a radius": RadiusNeighborsClassifier(9.0),
    "outlier factor": LocalOutlierFactor(novelty=True),
    "centroids": NearestCentroid(),
    "network": MLPClassifier(5, max_iter=20, random_state=0),
    "machine": SVC(),
    "machine with polynomials": SVC(kernel="poly", degree=2),
    "nu machine": NuSVC(nu=0.2),
    "one class": OneClassSVM(),
    "isolation forest": IsolationForest(n_estimators=3, random_state=0),
    "calibrated": CalibratedClassifierCV(LinearSVC(), cv=2),
    "calibrated forest": CalibratedClassifierCV(
        RandomForestClassifier(2, random_state=0), method="isotonic", cv=2
    ),
    "line": LINE,
    "ridge": RidgeClassifier(),
    "sgd": SGDClassifier(random_state=0),
    "discriminant": LinearDiscriminantAnalysis(),
    "quadratic discriminant": QuadraticDiscriminantAnalysis(reg_param=0.1),
    "bayes": GaussianNB(),
    "bayes of bits": BernoulliNB(),
    "bayes of counts": MultinomialNB(),
    "process": GaussianProcessClassifier(),
    "boosted stumps": AdaBoostClassifier(n_estimators=3, random_state=0),
    "bag": BaggingClassifier(KNeighborsClassifier(), 3, random_state=0),
    "vote": VotingClassifier([("tree", TREE), ("histogram", HISTOGRAM)], voting="soft"),
    "stack": StackingClassifier([("tree", TREE), ("bayes", GaussianNB())], cv=2),
    "pipeline": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "levels": make_pipeline(KBinsDiscretizer(3), LINE),
    "clusters": make_pipeline(KMeans(3, random_state=0), LINE),
    "kernel of twenty rows": make_pipeline(Nystroem(n_components=20, random_state=0), LinearSVC()),
}
NOT_KEPT = {  # and what is said
    "kernel of one's own": (SVC(kernel=linear_kernel), "function|kernel"),
    "cosine neighbours": (KNeighborsClassifier(metric="cosine"), "metric"),
    "neighbours by a function": (
        KNeighborsClassifier(metric=lambda a, b: abs(a - b).sum()),
        "lambda|metric|kept",
    ),
}


def boosters():
    """Models of the boosters that are installed."""
    models = {}
    try:
        from lightgbm import LGBMClassifier

        models["LightGBM"] = LGBMClassifier(
            n_estimators=3, num_leaves=4, min_child_samples=5, verbose=-1, n_jobs=1
        )
        models["LightGBM, one leaf"] = LGBMClassifier(
            n_estimators=2, min_child_samples=10**6, verbose=-1, n_jobs=1
        )
    except ImportError:
        pass
    try:
        from xgboost import XGBClassifier

        models["XGBoost"] = XGBClassifier(n_estimators=3, max_depth=2, n_jobs=1)
        models["XGBoost, dart"] = XGBClassifier(
            n_estimators=3, max_depth=2, booster="dart", n_jobs=1
        )
    except ImportError:
        pass
    return models


def fitted(model):
    """A clone, fitted to small counts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X, y = (
            array.copy() for array in SMALL_DATA
        )  # some models keep them, and tests alter those
        return (
            clone(model).fit(X)
            if isinstance(model, (IsolationForest, LocalOutlierFactor, OneClassSVM))
            else clone(model).fit(X, y)
        )


def decisions():
    """Decisions of a table of numbers, categories, dates and texts, with and without costs, and of plain numbers."""
    from aucbook import AdditiveRanker, TreeRankForest, compare

    rng = np.random.default_rng(0)
    n = 240
    y = (rng.random(n) < 0.4).astype(int)
    frame = pd.DataFrame(rng.normal(size=(n, 2)) + y[:, None], columns=["age", "dose"]).mask(
        rng.random((n, 2)) < 0.1
    )
    frame["ward"] = rng.choice(["north", "south", "west", None], n, p=[0.5, 0.3, 0.17, 0.03])
    frame["day"] = [
        f"2024-{m:02}-{d:02}" for m, d in zip(rng.integers(1, 13, n), rng.integers(1, 29, n))
    ]
    frame["note"] = [
        f"patient {i} arrived {'coughing' if v else 'well'} today" for i, v in enumerate(y)
    ]
    rankers = {
        "forest": TreeRankForest(3, random_state=0),
        "line": LINE,
        "curves": AdditiveRanker(),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = compare(frame, y, rankers, cv=2)
        X = frame[["age", "dose"]].fillna(0).to_numpy()
        plain = compare(X, np.where(y, "ill", "well"), {"line": LINE}, cv=2, pos_label="ill")
        return {
            "decision of a line": result.decide(frame, "line", max_fpr=0.3),
            "decision of a forest": result.decide(
                frame, "forest", max_fpr=0.3, miss_cost=5, alarm_cost=1
            ),
            "decision of curves": result.decide(
                frame, "curves", max_fpr=0.2, confidence_level=None, budget=0.2
            ),
            "decision of numbers": plain.decide(X, max_fpr=0.3),
        }


def write_all(folder):
    """A file of each."""
    from aucbook.deployment.model_files import write_model

    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, model in {**OURS, **OF_SCIKIT_LEARN, **boosters()}.items():
        write_model(fitted(model), Path(folder) / f"{name}.skops")
    for name, decision in decisions().items():
        decision.save(Path(folder) / f"{name}.skops")
