"""What the papers share: sorting and scanning, pooling, areas, bins, column splits, hashing, resampling."""
