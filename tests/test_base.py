"""What every ranker inherits from `aucbook.base`."""
import warnings

import numpy as np
import pytest

from sklearn.exceptions import NotFittedError

from aucbook import AUCBoost, MartiRank, SMartiRank
from aucbook.checks import check_number, check_whole, warn_if_shares


@pytest.mark.parametrize("model, name", [(AUCBoost(n_rounds=2.5), "n_rounds"), (AUCBoost(n_rounds="a"), "n_rounds"), (AUCBoost(n_bins=2.5), "n_bins"), (AUCBoost(n_bins=True), "n_bins"),
                                         (MartiRank(n_rounds=2.5), "n_rounds"), (MartiRank(min_samples="a"), "min_samples"), (SMartiRank(draws=0), "draws"), (SMartiRank(noise_rate="b"), "noise_rate")])
def test_parameters_of_the_wrong_kind_are_named(model, name):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=name):
        model.fit(X, [0, 1, 0, 1, 0, 1])


def test_a_fit_that_failed_is_no_fit():
    model = AUCBoost(n_rounds=0)
    with pytest.raises(ValueError):
        model.fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(NotFittedError):
        model.decision_function([[1.0]])


def test_parameters_that_are_no_such_number():
    for good in (1, 7, np.int64(3)):
        check_whole(good, "n_rounds")
    for bad in (0, 2.5, 3.0, "a", None, np.nan):
        with pytest.raises(ValueError, match=f"n_rounds must be a whole number, at least 1, got {bad!r}"):
            check_whole(bad, "n_rounds")
    for bad in ("a", None, np.nan, -1, [1]):
        with pytest.raises(ValueError, match="tol must be a number, not negative, got "):
            check_number(bad, "tol", lambda t: t >= 0, "a number, not negative")


def test_weights_divided_by_their_sum():
    with pytest.warns(UserWarning, match="sums to 1 on 50 rows: here weights count rows; divide them by their mean"):
        warn_if_shares(np.full(50, .02))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_shares(np.full(50, .2)), warn_if_shares(np.full(8, 1 / 8))
