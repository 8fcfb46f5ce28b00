"""Sorting, scanning, pooling, areas, bins, column splits, hashing and resampling."""
