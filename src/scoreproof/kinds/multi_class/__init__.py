"""Reports on several classes: every class, every average, all of one confusion matrix (or of several, averaged)."""
