"""Every number that the four papers print, beside a function that computes it: the registry behind the page reproducibility.ipynb.

One module for each paper, in the papers' order; nothing is computed before `judge` is called. The tests of the repository read the same rows.
"""

from . import paper1, paper2, paper3, paper4
from .row import EXACT, HALF3, HALF4, KINDS, STATUSES, Judged, Row, judge

PAPERS = {1: paper1, 2: paper2, 3: paper3, 4: paper4}
rows = [row for paper in PAPERS.values() for row in paper.ROWS]

__all__ = [
    "EXACT",
    "HALF3",
    "HALF4",
    "KINDS",
    "PAPERS",
    "STATUSES",
    "Judged",
    "Row",
    "judge",
    "rows",
]
