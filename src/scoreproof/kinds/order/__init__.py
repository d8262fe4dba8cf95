"""Who is said to be best, or better than another, against the printed numbers."""
