"""The public names of aucbook.boosting, and the rooms they live in."""

from .aucboost import AUCBoost as AUCBoost
from .martirank import MartiRank as MartiRank
from .pictures import plot_program as plot_program
from .smartirank import SMartiRank as SMartiRank
from .weak import FeatureRanker as FeatureRanker
from .weak import ProjectionRanker as ProjectionRanker
