"""Problems with a known optimum, distances to it, capacity bounds, and toys of the papers."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
