"""Several classes of which only the number of all cases is known."""
