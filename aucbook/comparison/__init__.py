"""Which ranker to use, and when it should ring: rankers compared in folds, the verdict, the report, models in files.

A table with labels comes in; a comparison, a decision and a report go out.
"""

from .._core.doors import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
