"""Uncertainty of areas and rates: confidence intervals, bands, tests of differences, sample sizes.

From labels and scores: an estimate with its interval, a p-value or a number of cases.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
