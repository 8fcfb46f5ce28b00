"""Rankers compared by cross-validation: folds, checks of the data, default rankers, a time budget."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
