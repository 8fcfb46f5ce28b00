"""Displays with scikit-learn's interface: curves and score distributions, with confidence bands."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
