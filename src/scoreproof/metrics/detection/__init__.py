"""Object detection: boxes, matching, average precision."""
