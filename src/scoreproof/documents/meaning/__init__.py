"""What the cells of a table mean: scores, counts, folds, averages, and what could not be read."""
