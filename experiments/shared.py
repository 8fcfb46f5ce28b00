"""What several experiments need: the scores of any classifier, and the files of the R package TreeRank."""

import hashlib
import os
from pathlib import Path

import numpy as np


def scores(model, X):
    """(n,) scores of a fitted classifier, larger = more likely the second class."""
    return (
        model.decision_function(X)
        if hasattr(model, "decision_function")
        else model.predict_proba(X)[:, 1]
    )


def gauss2d(part):
    """(table, sha256) of treerank/Gauss2D_<part>.csv in the folder AUCBOOK_DATA; two columns and a label, or a curve's two columns."""
    raw = (Path(os.environ["AUCBOOK_DATA"]) / "treerank" / f"Gauss2D_{part}.csv").read_bytes()
    return np.loadtxt(raw.decode().splitlines()[1:], delimiter=","), hashlib.sha256(raw).hexdigest()


def gauss2d_samples():
    """((X, y) to learn from, (X, y) to test on, dict of checksums)."""
    (learn, a), (test, b) = gauss2d("learn"), gauss2d("test")
    halves = [(table[:, :2], table[:, 2].astype(int)) for table in (learn, test)]
    return *halves, {"Gauss2D_learn": a, "Gauss2D_test": b}
