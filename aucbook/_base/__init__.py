"""Base class of rankers, lazy imports, tables of estimates, figure style, progress bars."""
