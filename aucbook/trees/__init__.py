"""Paper 4 (Clemencon and Vayatis 2008): ranking trees, pruned, shaken, bagged, boosted.

A table with labels comes in; a tree or many, and the order of their leaves, goes out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
