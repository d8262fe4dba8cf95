"""Segmentation masks: overlap, surfaces, similarity."""
