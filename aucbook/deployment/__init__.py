"""A fitted decision, its file, its explanation, SQL, and monitoring in use."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
