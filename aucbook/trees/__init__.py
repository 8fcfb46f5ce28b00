"""Paper 4 (Clémençon and Vayatis 2008): ranking trees, pruned, re-ordered, bagged, boosted."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
