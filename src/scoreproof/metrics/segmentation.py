"""A predicted mask against the true one, of one class or of several: overlap of volumes and distance of surfaces.

Dice, IoU and pixel accuracy are the registered F1, Jaccard index and accuracy of the voxels; SVD and VOE are the
complements of the first two (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x). Of two empty masks all but the
accuracy are 0/0: undefined, unless ``empty="perfect"`` is asked for. "Mean IoU" names three numbers: the mean over the
classes of one image, the mean over images of one class, and the ratio of counts pooled over all images, which benchmark
servers use. All are given. A class that an image shows in neither mask is left out of the means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoreproof.arrays import Floats, Ints, as_array
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import document, jsonable, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.metrics.classes import mean
from scoreproof.metrics.distances import SurfaceDistances, surface_distances
from scoreproof.metrics.labels import class_names, frozen, labels, matrix_of, number, same_shape, small_table
from scoreproof.metrics.surface import Kind, SurfaceConvention, mask_pair
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen, shown

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


@dataclass(frozen=True, slots=True, eq=False)
class SemanticEvaluation(Result):
    """One row per image and one column per class; NaN where an image shows the class in neither mask."""

    classes: tuple[Any, ...]
    tp: Ints
    fp: Ints
    fn: Ints

    @property
    def dice(self) -> Floats:
        return _overlap("dice", self.tp, self.fp, self.fn)

    @property
    def iou(self) -> Floats:
        return _overlap("iou", self.tp, self.fp, self.fn)

    def per_class(self, metric: str = "dice") -> dict[Any, float]:
        """The mean over the images, for each class."""
        table = _overlap(metric, self.tp, self.fp, self.fn)
        return {label: mean(table[:, i], "skip") for i, label in enumerate(self.classes)}

    def per_image(self, metric: str = "dice") -> list[float]:
        """The mean over the classes, for each image."""
        return [mean(row, "skip") for row in _overlap(metric, self.tp, self.fp, self.fn)]

    def pooled(self, metric: str = "dice") -> dict[Any, float]:
        """The value of the counts added over all images, for each class."""
        counts = (cell.sum(axis=0) for cell in (self.tp, self.fp, self.fn))
        return dict(zip(self.classes, _overlap(metric, *counts).tolist(), strict=True))

    def to_dict(self) -> dict[str, Any]:
        both = {
            name: {"table": getattr(self, name), "per_class": self.per_class(name), "per_image": self.per_image(name)}
            | {"pooled": self.pooled(name)}
            for name in ("dice", "iou")
        }
        return document(self, "classes tp fp fn", task="semantic segmentation", images=len(self.tp), **both)

    def __str__(self) -> str:
        means = {name: mean(np.array(list(self.per_class(name).values())), "skip") for name in ("dice", "iou")}
        return (
            f"Over {len(self.tp)} images and {len(self.classes)} classes the mean Dice is {number(means['dice'])} and "
            f"the mean IoU {number(means['iou'])} (mean over classes of the mean over images)."
        )

    def _tables(self) -> list[SmallTable]:
        columns = [self.per_class("dice"), self.per_class("iou"), self.pooled("dice"), self.pooled("iou")]
        rows = [[label, *(column[label] for column in columns)] for label in self.classes]
        header = ["class", "mean Dice", "mean IoU", "pooled Dice", "pooled IoU"]
        return [small_table(f"{len(self.tp)} images", header, rows)]


def evaluate_semantic(
    truths: Sequence[ArrayLike],
    predictions: Sequence[ArrayLike],
    *,
    classes: Sequence[Any] | None = None,
    ignore: Sequence[Any] = (),
) -> SemanticEvaluation:
    """Evaluate label images, given as two equally long sequences of 2-D or 3-D arrays.

    ``classes`` are all labels that occur unless told; ``ignore`` leaves labels (a background) out of the means.

    >>> result = evaluate_semantic([[[0, 1], [2, 2]]], [[[0, 1], [1, 2]]], ignore=[0])
    >>> result.per_class("iou"), result.per_image("dice")
    ({1: 0.5, 2: 0.5}, [0.6666666666666666])
    """
    pairs = _pairs(truths, predictions)
    if classes is None:
        known = sorted({value for pair in pairs for image in pair for value in np.unique(image).tolist()})
    else:
        known = list(class_names("classes", classes))
    left_out = class_names("ignore", ignore)
    wanted = tuple(label for label in known if label not in left_out)
    if not wanted or len(set(wanted)) != len(wanted):
        raise InvalidOption(f"classes={shown(list(wanted))}: at least one class is needed, and none twice")
    matrices = [[matrix_of(a == label, b == label).cells[:3] for label in wanted] for a, b in pairs]
    counts = np.array(matrices, dtype=np.int64)
    return SemanticEvaluation(wanted, *(frozen(counts[:, :, cell].copy()) for cell in range(3)))


def _pairs(truths: Sequence[ArrayLike], predictions: Sequence[ArrayLike]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    if len(truths) != len(predictions) or len(truths) == 0:
        raise InvalidValue(
            f"{len(truths)} true and {len(predictions)} predicted images; as many of both are needed, and at least one"
        )
    pairs = []
    for i, (truth, predicted) in enumerate(zip(truths, predictions, strict=True)):
        ndim = as_array(f"truths[{i}]", truth).ndim
        if ndim not in (2, 3):
            raise InvalidValue(f"truths[{i}]: a mask has 2 or 3 dimensions, got {ndim}; give a list of masks")
        a = labels(f"truths[{i}]", truth, ndim=ndim)
        b = labels(f"predictions[{i}]", predicted, ndim=as_array(f"predictions[{i}]", predicted).ndim)
        same_shape(f"truths[{i}]", a, f"predictions[{i}]", b)
        pairs.append((a, b))
    return pairs


def _overlap(metric: str, tp: Ints, fp: Ints, fn: Ints) -> Floats:
    names = {"dice": "f1", "iou": "ji"}
    return score(names[chosen("metric", metric, tuple(names))]).values(tp, fp, fn, np.zeros_like(tp))
