"""One module per format, each from a source to tables; imported when the format is met."""
