"""The laboratory: the book in JupyterLab, and its pictures as widgets for data of your own."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
