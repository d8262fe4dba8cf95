"""Scores and counts of one confusion matrix against counts printed beside them."""
