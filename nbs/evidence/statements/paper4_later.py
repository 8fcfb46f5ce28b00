"""Paper 4 from section V on, with the appendix: its rows, in the paper's order."""

LATER = []
