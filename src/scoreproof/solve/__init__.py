"""Searches and bounds that know no confusion matrix."""
