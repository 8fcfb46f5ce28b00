"""Paper 3 (Narasimhan and Agarwal 2013): training for the partial AUC."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
