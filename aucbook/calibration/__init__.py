"""Whether probabilities mean what they say: reliability, decomposed scores, Murphy curves, Venn-Abers intervals.

Labels and probabilities come in; curves, numbers and pictures go out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
