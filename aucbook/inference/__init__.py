"""How sure a measured area or rate is: intervals, bands, tests of differences, sample sizes.

Labels and scores come in; an estimate with its interval, a p-value or a number of cases goes out.
"""

from .._base.lazy import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
