"""Metrics of rankings: ROC curves and areas, the top of the list, and data larger than memory."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
