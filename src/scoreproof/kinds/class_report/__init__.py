"""A classification report: precision, recall and F1 of every class, all of one confusion matrix."""
