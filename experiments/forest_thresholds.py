"""TreeRankForest with random and with best cuts, beside random forest and ExtraTrees, on the development tables.

Three parts: tuning, each default changed by itself, on the splits that defaults are chosen on; final, what was chosen beside its rivals, all
with a hundred trees, on the other splits; missing, the same after 15 % of the entries were deleted at random. Some minutes of one core.
"""

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from tqdm.auto import tqdm

from aucbook import TreeRankForest

from .development import FINAL, TABLES, TUNING, measured, table
from .store import store

DEFAULTS = {
    "as it comes": {},
    'thresholds="best"': {"thresholds": "best"},
    'thresholds="best", max_samples=None': {"thresholds": "best", "max_samples": None},
    'criterion="ranking"': {"criterion": "ranking"},
    'criterion="ranking", thresholds="best"': {"criterion": "ranking", "thresholds": "best"},
    "max_samples=None": {"max_samples": None},
    "max_samples=0.5": {"max_samples": 0.5},
    "max_features=None": {"max_features": None},
    "max_depth=10": {"max_depth": 10},
    "smoothing=0": {"smoothing": 0},
    "smoothing=5": {"smoothing": 5},
    "beta=1": {"max_fpr": 1.0},
}
RIVALS = {
    "TreeRankForest()": TreeRankForest(random_state=0),
    'TreeRankForest(thresholds="best")': TreeRankForest(thresholds="best", random_state=0),
    "ExtraTreesClassifier()": ExtraTreesClassifier(random_state=0),
    "RandomForestClassifier()": RandomForestClassifier(random_state=0),
}
DELETED, DELETED_SPLITS = 0.15, (0, 5)  # share of the entries; (seed, splits)


def with_gaps(X):
    """X without a share DELETED of its entries."""
    return np.where(np.random.default_rng(0).random(X.shape) < DELETED, np.nan, X)


def run(*parts):
    """All, or only the parts named."""
    variants = {
        name: TreeRankForest(random_state=0, **keywords) for name, keywords in DEFAULTS.items()
    }
    plan = {
        "tuning": (variants, TUNING, lambda X: X),
        "final": (RIVALS, FINAL, lambda X: X),
        "missing": (RIVALS, DELETED_SPLITS, with_gaps),
    }
    out, inputs = {}, {}
    for part in parts or plan:
        rankers, which, change = plan[part]
        out[part] = {}
        for name in tqdm(TABLES, desc=part):
            X, y, inputs[name] = table(name)
            X, out[part][name] = change(X), {}
            for called, ranker in rankers.items():
                out[part][name][called] = measured(ranker, X, y, which)[0]
    store("forest_thresholds", out, seeds=[0, TUNING[0]], inputs=inputs, keep=bool(parts))
