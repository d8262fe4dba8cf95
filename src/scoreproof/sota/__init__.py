"""What is the state of the art worth? The best of many classifiers."""
