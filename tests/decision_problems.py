"""Two data sets for decision curves, which tests of costs and of peers share."""

import numpy as np
from scipy.special import expit
from sklearn.datasets import load_breast_cancer

# the 36 rows of github.com/ddsjoberg/dcurves/issues/18
EVENT = [int(c) for c in "100000110000100000000010110011001110"]
P1 = [
    0.1, 0.03, 0.02, 0.05, 0.01, 0.04, 0.03, 0.06, 0.02, 0.03, 0, 0, 0.11, 0.01, 0.03, 0, 0.01, 0.01,
    0.01, 0, 0, 0, 0.05, 0.01, 0, 0, 0, 0, 0.04, 0, 0.07, 0.01, 0.01, 0, 0, 0,
]  # fmt: skip
AGE = [
    88, 49, 60, 46, 50, 60, 38, 74, 39, 65, 80, 35, 54, 40, 54, 55, 60, 38, 64, 74, 71, 57, 55, 49, 42, 30, 63, 46, 47, 58,
    34, 72, 50, 60, 73, 51,
]  # fmt: skip


def decision_problem(name):
    """(y, {model: probabilities}, thresholds) of the issue's rows, with a score of their age, or of 569 biopsies."""
    if name == "issue":
        return (
            EVENT,
            {"p1": P1, "age": np.round(expit((np.array(AGE) - 70) / 10), 3)},
            [0.02, 0.05, 0.1, 0.3],
        )
    X, benign = load_breast_cancer(return_X_y=True)
    models = {"radius": np.round(expit(X[:, 0] - 15), 2), "texture": expit((X[:, 1] - 20) / 4)}
    return 1 - benign, models, [0.05, 0.25, 0.5, 0.9]
