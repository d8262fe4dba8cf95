"""A predicted mask against the true one: overlap of the volumes and distance of the surfaces.

Dice, IoU and pixel accuracy are the registered F1, Jaccard index and accuracy of the voxels; SVD and VOE are
the complements of the first two (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x).
Of two empty masks all but the accuracy are 0/0: undefined, unless ``empty="perfect"`` is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from numpy.typing import ArrayLike

from scoreproof.jsonable import document, jsonable, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.metrics.presentation import number, small_table
from scoreproof.metrics.segmentation.distances import SurfaceDistances, surface_distances
from scoreproof.metrics.segmentation.surface import Kind, SurfaceConvention, mask_pair
from scoreproof.metrics.two_classes import matrix_of
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen

Empty = Literal["undefined", "perfect"]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentationEvaluation(Result):
    """Overlap and surface metrics of one pair of masks, with the conventions they were computed under.

    If one mask is empty, Dice and IoU are 0 and the distances infinite.
    """

    matrix: ConfusionMatrix
    dice: float
    iou: float
    pixel_accuracy: float
    surface_dice: float
    average_surface_distance: float
    hausdorff: float
    hausdorff_percentile: float
    tolerance: float
    percentile: float
    empty: Empty
    convention: SurfaceConvention
    spacing: tuple[float, ...]
    distances: SurfaceDistances | None = None  #: not in the document

    _told = "matrix tolerance percentile empty spacing"

    @property
    def svd(self) -> float:
        """The symmetric volume difference, 1 - Dice."""
        return 1 - self.dice

    @property
    def voe(self) -> float:
        """The volumetric overlap error, 1 - IoU."""
        return 1 - self.iou

    @property
    def values(self) -> dict[str, float]:
        """Every metric by name."""
        names = "dice iou svd voe pixel_accuracy surface_dice average_surface_distance hausdorff hausdorff_percentile"
        return {name: getattr(self, name) for name in names.split()}

    def to_dict(self) -> dict[str, Any]:
        told = document(self, self._told, task="segmentation")
        return {**told, **jsonable(self.values), **self.convention.to_dict()}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, {**document, "convention": document})

    def __str__(self) -> str:
        return (
            f"Dice {number(self.dice)}, IoU {number(self.iou)}; surface Dice {number(self.surface_dice)} at tolerance "
            f"{self.tolerance:g}, average symmetric surface distance {number(self.average_surface_distance)}, "
            f"Hausdorff distance {number(self.hausdorff)} ({self.percentile:g}th percentile "
            f"{number(self.hausdorff_percentile)}), by {self.convention}, spacing "
            f"{' x '.join(f'{edge:g}' for edge in self.spacing)}."
        )

    def _tables(self) -> list[SmallTable]:
        return [small_table(str(self.convention), ["metric", "value"], list(self.values.items()))]


def evaluate_segmentation(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    spacing: float | Sequence[float] | None = None,
    tolerance: float = 0.0,
    percentile: float = 95.0,
    surface: Kind = "voxels",
    connectivity: int = 1,
    empty: Empty = "undefined",
) -> SegmentationEvaluation:
    """Evaluate a binary mask in two or three dimensions.

    ``spacing`` is the voxel's edge length (per axis), and gives distances and ``tolerance`` their unit. What
    the surface is, ``surface`` and ``connectivity`` say (see ``SurfaceConvention``). Surface Dice at
    tolerance 0 is the overlap of the surfaces themselves.

    >>> import numpy as np
    >>> truth, predicted = np.zeros((2, 9, 9), dtype=bool)
    >>> truth[2:6, 2:6] = predicted[2:6, 3:7] = True
    >>> result = evaluate_segmentation(truth, predicted, tolerance=1)
    >>> result.dice, result.iou, result.surface_dice, result.hausdorff
    (0.75, 0.6, 1.0, 1.0)
    """
    chosen("empty", empty, get_args(Empty))
    actual, guessed = mask_pair(truth, predicted)
    matrix = matrix_of(actual, guessed)
    distances = surface_distances(actual, guessed, spacing=spacing, surface=surface, connectivity=connectivity)
    perfect = empty == "perfect"

    def settled(value: float, best: float) -> float:
        return best if perfect and math.isnan(value) else value

    return SegmentationEvaluation(
        matrix=matrix,
        dice=settled(score("f1")(*matrix.cells), 1.0),
        iou=settled(score("ji")(*matrix.cells), 1.0),
        pixel_accuracy=score("acc")(*matrix.cells),
        surface_dice=settled(distances.surface_dice(tolerance), 1.0),
        average_surface_distance=settled(distances.average(), 0.0),
        hausdorff=settled(distances.hausdorff(), 0.0),
        hausdorff_percentile=settled(distances.hausdorff(percentile), 0.0),
        tolerance=float(tolerance),
        percentile=float(percentile),
        empty=empty,
        convention=distances.convention,
        spacing=distances.spacing,
        distances=distances,
    )


def dice(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The Sørensen-Dice coefficient of two masks; NaN if both are empty.

    >>> dice([[1, 1], [0, 0]], [[1, 0], [0, 0]])
    0.6666666666666666
    """
    return score("f1")(*matrix_of(*mask_pair(truth, predicted)).cells)


def iou(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The intersection over union (Jaccard index) of two masks; NaN if both are empty.

    >>> iou([[1, 1], [0, 0]], [[1, 0], [0, 0]])
    0.5
    """
    return score("ji")(*matrix_of(*mask_pair(truth, predicted)).cells)
