"""Kinds of columns, and encoding of tables of mixed types as numbers."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
