"""Paper 2 (Wilbur, Yeganova and Kim 2005), section 6: rankers of documents by their words."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
