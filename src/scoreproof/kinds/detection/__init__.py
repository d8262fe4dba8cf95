"""Object detection: matched objects, and average precisions that fall with the overlap."""
