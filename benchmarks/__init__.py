"""Measurements against peers: `python -m benchmarks`. Ratios only, taken in one process with alternating runs."""
