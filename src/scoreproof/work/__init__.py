"""Time and processes: deadlines, workers."""
