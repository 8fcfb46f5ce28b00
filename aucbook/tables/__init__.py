"""From tables of any kind to numbers: columns told apart, encoded, looked over.

Data frames and arrays of any values come in; numbers, and words about their columns, go out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
