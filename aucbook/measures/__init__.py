"""Measures as objects, from labels and scores: values, confidence intervals, tests, search, early stopping.

A measure is called as a function, and is passed as an object to searches, boosters and tables.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
