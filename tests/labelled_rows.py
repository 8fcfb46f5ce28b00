"""Tables of rows with labels 0 and 1, for the tests of several rankers."""

import numpy as np
from sklearn.datasets import make_classification


def two_clouds(m=30, n=60, seed=0, shift=1.5):
    """m positives and n negatives of three normal columns; the first two are shifted, the third is noise."""
    rng = np.random.default_rng(seed)
    X = np.r_[rng.normal(size=(m, 3)) + [shift, shift / 2, 0], rng.normal(size=(n, 3))]
    return X, np.repeat([1, 0], [m, n])


def normal_rows(n=300, seed=0):
    """Three normal columns: the first rises with the label, the second is noise, the third falls."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + y[:, None] * [1, 0, -0.5], y


def tied_normal_rows(n=200, seed=0):
    """`normal_rows` to one decimal."""
    X, y = normal_rows(n, seed)
    return np.round(X, 1), y


def clustered_rows(n=200, seed=0):
    """Six columns of scikit-learn's clusters; one label in ten is wrong, half of the time."""
    return make_classification(n, 6, n_informative=3, flip_y=0.1, random_state=seed)


def tied_clustered_rows(n=300, seed=0, d=6):
    """The same with d columns, four of them informative, to one decimal."""
    X, y = make_classification(n, d, n_informative=4, flip_y=0.1, random_state=seed)
    return np.round(X, 1), y
