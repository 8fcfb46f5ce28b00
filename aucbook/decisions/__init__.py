"""From a score to a decision: thresholds that keep a promise, costs, net benefit.

Labels and scores, with what an alarm costs or may cost, come in; a threshold or a curve of benefits goes out.
"""

from .._core.doors import lazy as _lazy

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
