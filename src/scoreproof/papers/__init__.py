"""A paper: its tables, what they mean, the questions they pose, and what was answered."""
