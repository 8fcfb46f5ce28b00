"""What every ranker inherits from `aucbook.base`."""
import warnings

import numpy as np
import pytest

from aucbook import AUCBoost, Cmls, KNNRanker, LinearAdaBoostFinite, MartiRank, Nscore, PartialAUCSVM, PAVAdaBoost, PAVAdaBoostFinite, TreeRank, TreeRankForest
from aucbook.base import check_number, check_whole, warn_if_shares


@pytest.mark.parametrize("weight", [1e308, 1e200, 1e-200, 5e-324])
@pytest.mark.parametrize("ranker", [AUCBoost, Cmls, KNNRanker, LinearAdaBoostFinite, MartiRank, Nscore, PartialAUCSVM, PAVAdaBoost, PAVAdaBoostFinite,
                                    TreeRank, TreeRankForest])
def test_weights_whose_sums_or_squares_leave_floating_point(ranker, weight):
    X, y = np.random.default_rng(0).poisson(2, (30, 3)) + 1.0, np.arange(30) % 2
    with pytest.raises(ValueError, match="sample_weight must have its largest value between"):
        ranker().fit(X, y, sample_weight=np.full(30, weight))


def test_parameters_that_are_no_such_number():
    for good in (1, 7, np.int64(3)):
        check_whole("n_rounds", good)
    for bad in (0, 2.5, 3.0, "a", None, np.nan):
        with pytest.raises(ValueError, match=f"n_rounds must be a whole number, at least 1, got {bad!r}"):
            check_whole("n_rounds", bad)
    for bad in ("a", None, np.nan, -1, [1]):
        with pytest.raises(ValueError, match="tol must be a number, not negative, got "):
            check_number("tol", bad, lambda t: t >= 0, "a number, not negative")


def test_weights_divided_by_their_sum():
    with pytest.warns(UserWarning, match="sums to 1 on 50 rows: here weights count rows; divide them by their mean"):
        warn_if_shares(np.full(50, .02))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_shares(np.full(50, .2)), warn_if_shares(np.full(8, 1 / 8))
