"""Boosted rankers as they come, before and now, beside LightGBM: on the FINAL splits of the development tables. Some minutes."""

from aucbook import AUCBoost, TreeRankBoost

from .development import FINAL, MEASURES, TABLES, measured, table
from .store import store

PACKAGES = ("lightgbm",)
RANKERS = {
    "TreeRankBoost()": TreeRankBoost(random_state=0),
    "TreeRankBoost, 100 pairwise trees of depth 5": TreeRankBoost(
        100, update="pairwise", max_depth=5
    ),
    "TreeRankBoost, 10 pairwise trees of depth 3": TreeRankBoost(update="pairwise"),
    "AUCBoost()": AUCBoost(),
    "AUCBoost, balanced answers": AUCBoost(answers="balanced"),
}


def run():
    from lightgbm import LGBMClassifier

    rankers = RANKERS | {"LightGBM": LGBMClassifier(random_state=0, n_jobs=1, verbose=-1)}
    results = {}
    inputs = {}
    for name in TABLES:
        X, y, inputs[name] = table(name)
        results[name] = {
            called: measured(ranker, X, y, FINAL)[0] for called, ranker in rankers.items()
        }
        print(name, flush=True)
    store(
        "boosting",
        {"measures": list(MEASURES), "tables": results},
        seeds=[FINAL[0]],
        inputs=inputs,
        packages=PACKAGES,
    )
