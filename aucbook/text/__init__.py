"""Paper 2, section 6: rankers of documents by the words they hold."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
