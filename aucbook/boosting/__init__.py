"""Paper 1 (Long and Servedio 2007): weak rankers boosted until the AUC is near 1, and under label noise.

A table with labels comes in; a ranker goes out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
