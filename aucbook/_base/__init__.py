"""Base classes of rankers, lazy imports, tables for terminals and notebooks, figure style, progress bars."""
