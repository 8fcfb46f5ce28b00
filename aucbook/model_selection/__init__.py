"""Comparison of rankers by cross-validation, data checks, default rankers and time limits."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
