"""Runs too long for a page: each script here makes the file of nbs/results that has its name. `python -m experiments`."""
