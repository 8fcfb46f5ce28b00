"""Labels, scores, weights, groups, settings and sparse indices as arrays, or an error that says how to mend them."""
