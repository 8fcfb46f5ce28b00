"""The sections of rendered pages, and the index of the search."""
