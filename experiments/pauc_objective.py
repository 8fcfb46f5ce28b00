"""Does the loss of a range's pairs rank the range better than the log loss? LightGBM with 400 small steps, the same for both, on the
first five FINAL splits of the development tables. The settings were fixed beforehand. Some minutes.
"""

import warnings

from aucbook.pauc import pauc_objective

from .development import FINAL, MEASURES, TABLES, judged, splits, table
from .store import store

PACKAGES = ("lightgbm",)
SPLITS = (FINAL[0], 5)
SETTINGS = {
    "n_estimators": 400,
    "learning_rate": 0.03,
    "num_leaves": 15,
    "min_child_samples": 10,
    "subsample": 0.8,
    "subsample_freq": 1,
    "colsample_bytree": 0.5,
    "reg_lambda": 5.0,
    "random_state": 0,
    "n_jobs": 1,
    "verbose": -1,
}
OBJECTIVES = {
    "log loss": None,
    "top negatives, to the root of beta": pauc_objective(max_fpr=0.1),
    "top negatives, to beta": pauc_objective(max_fpr=0.1, train_max_fpr=0.1),
    "all pairs": pauc_objective(max_fpr=0.1, train_max_fpr=1),
}


def run():
    from lightgbm import LGBMClassifier

    results, inputs = {}, {}
    warnings.simplefilter("ignore")
    for name in TABLES:
        X, y, inputs[name] = table(name)
        results[name] = {called: [] for called in OBJECTIVES}
        for train, test in splits(y, SPLITS):
            for called, objective in OBJECTIVES.items():
                model = LGBMClassifier(objective=objective, **SETTINGS).fit(X[train], y[train])
                found = judged(y[test], model.predict(X[test], raw_score=True))
                results[name][called].append([round(float(v), 4) for v in found])
        print(name, flush=True)
    store(
        "pauc_objective",
        {"measures": list(MEASURES), "settings": SETTINGS, "tables": results},
        seeds=[SPLITS[0]],
        inputs=inputs,
        packages=PACKAGES,
    )
