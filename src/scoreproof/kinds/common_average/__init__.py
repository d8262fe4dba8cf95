"""Means of scores over parts of which nobody printed the counts: classes, folds, images, documents."""
