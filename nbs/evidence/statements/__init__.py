"""Every numbered statement of the four papers, typed once: the data behind the page concordance.ipynb and its test.

One module for each paper, in the paper's order and with its own numbers."""

from . import paper1, paper2, paper3, paper4
from .statement import STATUSES, Statement, Trial

PAPERS = {1: paper1, 2: paper2, 3: paper3, 4: paper4}

__all__ = ["PAPERS", "STATUSES", "Statement", "Trial"]
