"""Two rows of a regression table stated to be on one test set: its true values have one variance."""
