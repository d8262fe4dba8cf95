"""A confusion matrix of several classes as printed, against the scores printed beside it."""
