"""A table's columns: kinds, levels, times, SQL terms; reading and writing files."""
