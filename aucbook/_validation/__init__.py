"""Checks of labels, scores, weights, groups, parameters and sparse tables; missing values."""
