"""The public names of aucbook.pauc."""

from .baselines import AsymmetricSVM as AsymmetricSVM
from .baselines import GreedyPAUC as GreedyPAUC
from .most_violated import most_violated_ordering as most_violated_ordering
from .most_violated import range_weights as range_weights
from .objectives import pauc_objective as pauc_objective
from .pauc_boost import PAUCBoost as PAUCBoost
from .pauc_svm import PartialAUCSVM as PartialAUCSVM
from .search import PartialAUCSVMCV as PartialAUCSVMCV
