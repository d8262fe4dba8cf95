"""Reconstruct what was not printed: matrices, prevalence and other scores, as guaranteed ranges."""

from scoreproof.kinds.multi_class.cell_ranges import CellRange
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.reconstruction.class_cells import ClassCells, reconstruct_classes
from scoreproof.reconstruction.rebuilding import reconstruct
from scoreproof.reconstruction.result import Reconstruction

__all__ = ["CellRange", "ClassCells", "Range", "Reconstruction", "reconstruct", "reconstruct_classes"]
