"""The public names of aucbook.isotonic."""

from .adaboost import LinearAdaBoost as LinearAdaBoost
from .adaboost import PAVAdaBoost as PAVAdaBoost
from .additive import AdditiveRanker as AdditiveRanker
from .additive import ColumnCurve as ColumnCurve
from .additive import PairTable as PairTable
from .links import IsotonicLink as IsotonicLink
from .links import LinearLink as LinearLink
from .plots import plot_curves as plot_curves
from .regression import PAVCalibrator as PAVCalibrator
from .regression import pav as pav
from .score_combination import LinearAdaBoostFinite as LinearAdaBoostFinite
from .score_combination import PAVAdaBoostFinite as PAVAdaBoostFinite
from .scorecard import Scorecard as Scorecard
