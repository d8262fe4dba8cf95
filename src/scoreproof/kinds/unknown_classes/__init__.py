"""Scores of one confusion matrix whose class counts, perhaps also its size, nobody printed."""
