"""Reconstruct what was not printed: matrices, prevalence and other scores, as guaranteed ranges."""

from scoreproof.reconstruct.api import reconstruct
from scoreproof.reconstruct.ranges import Range
from scoreproof.reconstruct.result import Reconstruction

__all__ = ["Range", "Reconstruction", "reconstruct"]
