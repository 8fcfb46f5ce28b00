"""The public names of aucbook.calibration."""

from .calibrators import BetaCalibrator as BetaCalibrator
from .calibrators import CalibratedRanker as CalibratedRanker
from .calibrators import PAVCalibrator as PAVCalibrator
from .calibrators import PlattCalibrator as PlattCalibrator
from .calibrators import PriorShiftCalibrator as PriorShiftCalibrator
from .calibrators import TemperatureCalibrator as TemperatureCalibrator
from .calibrators import VennAbersCalibrator as VennAbersCalibrator
from .displays import plot_triptych as plot_triptych
from .probabilities import MurphyCurve as MurphyCurve
from .probabilities import ReliabilityCurve as ReliabilityCurve
from .probabilities import ScoreDecomposition as ScoreDecomposition
from .probabilities import Triptych as Triptych
from .probabilities import VennAbers as VennAbers
from .probabilities import clipped_brier as clipped_brier
from .probabilities import murphy_curve as murphy_curve
from .probabilities import reliability_curve as reliability_curve
from .probabilities import score_decomposition as score_decomposition
from .probabilities import triptych as triptych
from .probabilities import venn_abers as venn_abers
from .recalibration import CalibrationLine as CalibrationLine
from .recalibration import calibration_line as calibration_line
