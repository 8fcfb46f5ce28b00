"""Paper 2 (Wilbur, Yeganova and Kim 2005): isotonic regression, and boosting and sums of monotone curves built on it.

Scores or columns with labels come in; probabilities, votes and rankers go out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
