"""Isotonic regression, and boosting and additive models of isotonic curves built on it.

After Paper 2 (Wilbur, Yeganova and Kim 2005).
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
