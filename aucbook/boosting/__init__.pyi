"""The public names of aucbook.boosting."""

from .aucboost import AUCBoost as AUCBoost
from .martirank import MartiRank as MartiRank
from .plots import plot_program as plot_program
from .smartirank import SMartiRank as SMartiRank
from .weak_rankers import FeatureRanker as FeatureRanker
from .weak_rankers import ProjectionRanker as ProjectionRanker
