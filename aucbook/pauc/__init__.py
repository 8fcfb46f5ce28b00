"""Paper 3 (Narasimhan and Agarwal 2013): training for the range of false positive rates that can be afforded.

A table with labels and a range come in; a ranker, or an objective for a booster, goes out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
