"""Measures as values: one object that measures, is sure of it, tests two scores, chooses, stops a booster and heads a column.

Labels and scores come in; a number, an interval or a test goes out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
