"""What a ranking is worth: the ROC curve and areas below it, the head of the list, counts of data too large for memory, pictures.

Labels and scores come in; a curve, a number or a drawing goes out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
