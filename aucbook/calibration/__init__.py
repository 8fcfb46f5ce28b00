"""Calibration of probabilities: reliability, proper scores, recalibration and their plots.

All calibrators can be imported from here. `PAVCalibrator`, by isotonic regression, is described
there.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
