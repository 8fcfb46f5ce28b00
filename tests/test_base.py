"""What every ranker inherits from `aucbook.base`."""
import numpy as np
import pytest

from aucbook import AUCBoost, Cmls, KNNRanker, LinearAdaBoostFinite, MartiRank, Nscore, PartialAUCSVM, PAVAdaBoost, PAVAdaBoostFinite, TreeRank, TreeRankForest


@pytest.mark.parametrize("weight", [1e308, 1e200, 1e-200, 5e-324])
@pytest.mark.parametrize("ranker", [AUCBoost, Cmls, KNNRanker, LinearAdaBoostFinite, MartiRank, Nscore, PartialAUCSVM, PAVAdaBoost, PAVAdaBoostFinite,
                                    TreeRank, TreeRankForest])
def test_weights_whose_sums_or_squares_leave_floating_point(ranker, weight):
    X, y = np.random.default_rng(0).poisson(2, (30, 3)) + 1.0, np.arange(30) % 2
    with pytest.raises(ValueError, match="sample_weight must have its largest value between"):
        ranker().fit(X, y, sample_weight=np.full(30, weight))
