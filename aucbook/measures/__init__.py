"""Performance measures as objects: value, confidence interval, paired test, scorer, metric.

A measure is called like a function, and passed as an object to searches, boosters and tables.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
