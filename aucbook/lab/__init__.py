"""The book in JupyterLab: copies of its notebooks that JupyterLab shows as the site does."""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
