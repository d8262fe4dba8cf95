"""Scores of one binary confusion matrix, or of averages over several."""
