"""Paper 2, Wilbur, Yeganova and Kim: every numbered statement, in the paper's order.

`NUMBERED` says how far each of the paper's own numberings runs, so that a row that was forgotten shows."""

NUMBERED = {}  # kind: the numbers the paper prints, in order

STATEMENTS = []
