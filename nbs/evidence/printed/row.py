"""One number that a paper prints, what the library gets, and the judgement: the status follows from the row's kind and the numbers alone."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

HALF3, HALF4 = 5e-4, 5e-5  # half a unit of the third, fourth digit
EXACT = 1e-12  # sums of at most some thousand terms below one, each rounded to 1e-16

KINDS = {  # what stands beside what, and the status if the two agree
    "printed": "reproduced",  # a number of the paper; ours from the same problem
    "stand-in": "stand-in data",  # a number of the paper; ours from other data, as the paper's cannot be had
    "consistency": "consistency",  # a formula or a promise, worked out by us; our code
    "copied": "copied",  # a constant of the paper, typed into our code
}
STATUSES = {
    "reproduced": "printed by the paper, computed by us on the same problem",
    "differs": "the two are further apart than the tolerance; the reason follows",
    "cannot tell": "within the tolerance, but so would zero be",
    "stand-in data": "ours is from other data: another quantity, in parentheses if it has no tolerance",
    "consistency": "our formula and our code agree; the paper prints no number",
    "copied": "a constant typed into our code",
    "not computed": "a number of the paper, and nothing to compute it from",
    "no number": "the paper prints none",
}


class Row(NamedTuple):
    id: str  # p1 to p4 and a name; its link is #num-<id>
    where: str  # "Table 6", "Example 4.1", "Figure 3", "Theorem 2"
    what: str
    printed: float | tuple | Callable | None  # None: the paper prints no number
    ours: Callable | None = None  # computes it; None: nothing to compute
    tolerance: float | tuple | Callable | None = None  # None: not the same quantity
    why: str = ""  # where the tolerance comes from
    data: str = ""
    note: str = ""  # why it differs, or why it cannot be compared
    relation: str = "="  # or "≤", "≥": ours shall be at most, at least this
    chapter: str = ""  # where it is explained, from the folder of all notebooks: "lessons/roc"
    kind: str = "printed"  # one of KINDS


class Judged(NamedTuple):
    row: Row
    printed: float | tuple | None
    ours: float | tuple | None
    tolerance: float | tuple | None
    status: str  # one of STATUSES


def judge(row):
    "Compute a row; its status follows from its kind and the numbers"
    values = row.printed, row.ours, row.tolerance
    printed, ours, tolerance = (v() if callable(v) else v for v in values)
    if printed is None or ours is None:
        return Judged(row, printed, ours, None, "no number" if printed is None else "not computed")
    if tolerance is None:
        return Judged(row, printed, ours, None, KINDS["stand-in"])
    within = lambda value: {
        "=": np.all(np.abs(np.subtract(value, printed)) <= tolerance),
        "≤": np.all(np.subtract(value, printed) <= tolerance),
        "≥": np.all(np.subtract(printed, value) <= tolerance),
    }[row.relation]
    if not within(ours):
        status = "differs"
    elif row.kind == "printed" and np.any(printed) and within(np.zeros_like(printed)):
        status = "cannot tell"
    else:
        status = KINDS[row.kind]
    return Judged(row, printed, ours, tolerance, status)
