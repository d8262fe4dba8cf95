"""Two rows stated to be on one test set whose class counts nobody printed."""
