"""What can be known beforehand: problems whose best curve is known, distances to it, capacities, and toys of the papers.

Laws and sizes come in; curves, bounds and samples go out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
