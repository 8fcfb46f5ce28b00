"""aucbook: ranking, partial AUC, isotonic boosting and ranking trees; the library that the book's pages export.

Everyday names are here; every other public name is at the door of its wing (`from aucbook.theory import Binormal`):

metrics      the ROC curve, areas, the head of the list
inference    intervals, bands, tests, sample sizes
isotonic     isotonic regression and what is boosted from it (Paper 2)
calibration  whether probabilities mean what they say
decisions    thresholds that keep a promise, costs, net benefit
boosting     weak rankers boosted (Paper 1)
pauc         training for a range of false positive rates (Paper 3)
trees        ranking trees, pruned, bagged, boosted (Paper 4)
text         rankers of documents (Paper 2, section 6)
theory       problems with a known best curve, capacities, toys
measures     measures as values
tables       from files and data frames to numbers
comparison   which ranker, which threshold, and the report
explore      pictures to play with

Names are imported when they are first used (PEP 562): `import aucbook` costs no more than reading a list.
"""

from ._core.doors import lazy as _lazy

__version__ = "0.3.0"

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
