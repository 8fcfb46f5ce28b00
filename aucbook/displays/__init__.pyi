"""The public names of aucbook.displays."""

from .curves import DetCurveDisplay as DetCurveDisplay
from .curves import MeanCurve as MeanCurve
from .curves import PrecisionRecallDisplay as PrecisionRecallDisplay
from .curves import RocCurveDisplay as RocCurveDisplay
from .curves import ScoreDistributionDisplay as ScoreDistributionDisplay
from .probabilities import CalibrationDisplay as CalibrationDisplay
from .probabilities import DecisionCurveDisplay as DecisionCurveDisplay
