"""Paper 1 (Long and Servedio 2007): boosting for the AUC, also under label noise."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
