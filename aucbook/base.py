"""What every two-class ranker of the book shares. Written by hand: it is needed everywhere and teaches nothing."""
import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data


def check_number(name, value, good, expected, kind=Real):
    "The value; a ValueError that names parameter, expectation and value, unless it is a number (not a bool) for which good(value) holds"
    if not (isinstance(value, kind) and not isinstance(value, bool) and good(value)):
        raise ValueError(f"{name} must be {expected}, got {value!r}")
    return value


def check_whole(name, value, least=1, most=None):
    "The value as an int; a ValueError unless it is a whole number in least .. most"
    within = f"at least {least}" if most is None else f"in {least}..{most}"
    return int(check_number(name, value, lambda v: v >= least and (most is None or v <= most), f"a whole number, {within}", Integral))


def check_positive(name, value, most=np.inf):
    "The value as a float; a ValueError unless it is a finite number in (0, most]"
    expected = "a positive number" if most == np.inf else f"a number in (0, {most}]"
    return float(check_number(name, value, lambda v: 0 < v <= most and v < np.inf, expected))


def warn_if_shares(w):
    "Warn where weights count rows and w (n,), without the zeros, looks as if it had been divided by its sum instead"
    if w.sum() < 0.1 * w.size:
        warnings.warn(f"sample_weight sums to {w.sum():.3g} on {w.size} rows: here weights count rows; divide them by their mean", UserWarning)


class Ranker(ClassifierMixin, BaseEstimator):
    "A scikit-learn classifier of two classes, judged by the order of its `decision_function`; subclasses write that and `fit`"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _check_fit(self, X, y, sample_weight=None, drop=True, **checks):
        """(X, y, w) without the rows of weight 0 (unless drop=False): they must leave no trace, not even a threshold.

        X (n, d) is float64, y (n,) uint8 with 1 for `classes_[1]`, w (n,) float64. Sets `classes_`; `checks` go to
        scikit-learn's validate_data. Raises ValueError unless both classes have weight.
        """
        X, y = validate_data(self, X, y, **{"dtype": np.float64, **checks})
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if self.classes_.size != 2:
            raise ValueError(f"Only binary classification is supported: y has {self.classes_.size} class(es): {self.classes_[:5].tolist()}")
        y = (y == self.classes_[1]).astype(np.uint8)
        w = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if 0 < w.max() < 1e-100 or w.max() > 1e100:     # their sums, squares and products would vanish or overflow
            raise ValueError(f"sample_weight must have its largest value between 1e-100 and 1e100, got {w.max():.3g}: divide by the mean")
        weighs = slice(None) if w.all() else w > 0
        if not 0 < np.count_nonzero(y[weighs]) < len(y[weighs]):
            raise ValueError("sample_weight leaves only one class with weight: both classes must count")
        return (X[weighs], y[weighs], w[weighs]) if drop and not w.all() else (X, y, w)

    def __sklearn_is_fitted__(self):
        "An attribute that `fit` sets at its end: one that failed or was interrupted leaves only what the checks set"
        checked = {"classes_", "n_features_in_", "feature_names_in_"}
        return any(name.endswith("_") and not name.startswith("_") for name in set(vars(self)) - checked)

    def predict(self, X):
        """The class on the positive side of zero, (n,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]
