"""The kinds of problems: a folder each."""
