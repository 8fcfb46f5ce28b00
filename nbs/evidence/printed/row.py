"""One number that a paper prints, what the library gets, and the judgement. The status follows from the numbers alone."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

HALF3, HALF4 = 5e-4, 5e-5  # half a unit of the third, fourth digit
EXACT = 1e-12  # sums of at most some thousand terms below one, each rounded to 1e-16


class Row(NamedTuple):
    id: str  # p1 to p4 and a name; its link is #num-<id>
    where: str  # "Table 6", "Example 4.1", "Figure 3", "Theorem 2"
    what: str
    printed: float | tuple | Callable | None  # None: the paper prints no number
    ours: Callable | None = None  # computes it; None: nothing to compute
    tolerance: float | Callable | None = None  # None: not the same quantity
    why: str = ""  # where the tolerance comes from
    data: str = ""
    note: str = ""  # why it differs, or why it cannot be compared
    relation: str = "="  # or "≤", "≥": ours shall be at most, at least this
    chapter: str = ""  # where it is explained, from the folder of all notebooks: "lessons/roc"


class Judged(NamedTuple):
    row: Row
    printed: float | tuple | None
    ours: float | tuple | None
    tolerance: float | None
    status: str


def judge(row):
    "Compute a row; its status follows from the numbers alone"
    values = row.printed, row.ours, row.tolerance
    printed, ours, tolerance = (v() if callable(v) else v for v in values)
    if printed is None or ours is None or tolerance is None:
        status = "no number" if printed is None else "not here"
        return Judged(row, printed, ours, None, status)
    over = np.subtract(ours, printed)
    gap = {"=": np.abs(over), "≤": over, "≥": -over}[row.relation].max()
    status = "reproduced" if gap <= tolerance else "differs"
    return Judged(row, printed, ours, float(tolerance), status)
