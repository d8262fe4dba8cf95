"""Errors and explained variance of predicted numbers, of one evaluation or as means over several."""
