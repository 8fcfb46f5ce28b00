"""Cross-validation: folds, rows in the form that each ranker takes, out-of-fold scores."""
