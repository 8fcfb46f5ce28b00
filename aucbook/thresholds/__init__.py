"""Decision thresholds: guarantees, costs, net benefit, operating points, subgroups, monitoring."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
