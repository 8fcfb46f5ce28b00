"""The decorator of all kernels, and the cache that keeps them compiled."""
