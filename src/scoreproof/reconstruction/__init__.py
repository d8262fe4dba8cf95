"""Reconstruct what was not printed: matrices, prevalence and other scores, as guaranteed ranges."""

from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.reconstruction.rebuilding import reconstruct
from scoreproof.reconstruction.result import Reconstruction

__all__ = ["Range", "Reconstruction", "reconstruct"]
