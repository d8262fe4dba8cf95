"""A predicted mask against the true one: overlap of volumes and distance of surfaces.

Dice, IoU and pixel accuracy are the registered F1, Jaccard index and accuracy of the voxels; SVD and VOE are the
complements of the first two (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x). Of two empty masks all but the
accuracy are 0/0: undefined, unless ``empty="perfect"`` is asked for. Of several classes ``evaluate_multiclass`` has the
Dice coefficient and IoU (F1 and Jaccard index) of each, from counts pooled over voxels as benchmark servers pool them.

The structural similarity index compares luminance, contrast and structure of two images in a window around each pixel
(Wang, Bovik, Sheikh & Simoncelli 2004, doi:10.1109/TIP.2003.819861). Rainio, Teuho & Klén misprint the formula: the
numerator holds the product of the means and the covariance. Software differs in the window and in the divisor of the
covariance, so both are named in the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Floats, as_array, numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import document, jsonable, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.metrics.labels import matrix_of, number, same_shape, small_table
from scoreproof.metrics.surfaces import Kind, SurfaceConvention, SurfaceDistances, mask_pair, surface_distances
from scoreproof.results import Result, SmallTable
from scoreproof.validation import real, shown, whole

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
    """The Sørensen-Dice coefficient of two masks; NaN if both are empty."""
    return score("f1")(*matrix_of(*mask_pair(truth, predicted)).cells)


def iou(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The intersection over union (Jaccard index) of two masks; NaN if both are empty."""
    return score("ji")(*matrix_of(*mask_pair(truth, predicted)).cells)


Window = Literal["uniform", "gaussian", "global"]
Covariance = Literal["sample", "population"]
_TRUNCATE = 3.5


@dataclass(frozen=True, slots=True)
class StructuralSimilarity(Result):
    """The mean SSIM and the settings that decide its third digit."""

    value: float
    window: Window
    size: int | None
    sigma: float | None
    covariance: Covariance
    data_range: float

    def __str__(self) -> str:
        window = "the whole image" if self.size is None else f"{self.window} windows of {self.size} pixels"
        return (
            f"The structural similarity is {number(self.value)} ({window}, {self.covariance} covariance, "
            f"data range {self.data_range:g})."
        )


def ssim(
    u: ArrayLike,
    v: ArrayLike,
    *,
    data_range: float,
    window: Window = "uniform",
    size: int = 7,
    sigma: float = 1.5,
    covariance: Covariance | None = None,
    k1: float = 0.01,
    k2: float = 0.03,
) -> StructuralSimilarity:
    """The structural similarity of two images in 2-D or 3-D.

    ``data_range`` is the span of possible pixel values (1 for images in [0, 1], 255 for bytes). The window is
    ``uniform`` (of ``size`` pixels a side; sample covariance), ``gaussian`` (of width ``sigma``; population
    covariance, as in the original paper) or ``global`` (the whole image at once). Pixels whose window leaves
    the image are left out of the mean.

    >>> import numpy as np
    >>> image = np.arange(64.0).reshape(8, 8) / 63
    >>> ssim(image, image, data_range=1).value, round(ssim(image, 1 - image, data_range=1).value, 2) < 0
    (1.0, True)
    """
    covariance = covariance or ("population" if window == "gaussian" else "sample")
    for what, value in (("data_range", data_range), ("sigma", sigma), ("k1 and k2", min(k1, k2))):
        real(what, value, above=0)
    if whole("size", size, at_least=1) % 2 == 0:
        raise InvalidOption(f"size: expected an odd number of pixels, got {shown(size)}")
    ndim = as_array("u", u).ndim
    if ndim not in (2, 3):
        raise InvalidValue(f"u: an image has 2 or 3 dimensions, got {ndim}")
    a, b = numbers("u", u, ndim=ndim), numbers("v", v, ndim=ndim)
    same_shape("u", a, "v", b)
    smooth, side = _smoother(window, size, sigma, a.shape)
    points = a.size if side is None else side**ndim
    if covariance == "sample" and points == 1:
        raise InvalidOption("covariance='sample' needs windows of more than one pixel")
    unbias = points / (points - 1) if covariance == "sample" else 1.0
    c1, c2 = (np.square(k * data_range, dtype=np.float64) for k in (k1, k2))
    mean_a, mean_b = smooth(a), smooth(b)
    var_a = unbias * (smooth(a * a) - mean_a**2)
    var_b = unbias * (smooth(b * b) - mean_b**2)
    shared = unbias * (smooth(a * b) - mean_a * mean_b)
    top = (2 * mean_a * mean_b + c1) * (2 * shared + c2)
    local = top / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))
    if side is not None:
        border = (side - 1) // 2
        local = local[tuple(slice(border, length - border) for length in a.shape)]
    width = sigma if window == "gaussian" else None
    return StructuralSimilarity(float(np.mean(local)), window, side, width, covariance, float(data_range))


def _smoother(
    window: Window, size: int, sigma: float, shape: tuple[int, ...]
) -> tuple[Callable[[Floats], Floats], int | None]:
    """The local mean, and the side of its window (None for the whole image)."""
    if window == "global":
        return lambda image: np.asarray(image.mean()), None
    from scipy.ndimage import gaussian_filter, uniform_filter

    side = size if window == "uniform" else 2 * int(_TRUNCATE * sigma + 0.5) + 1
    if min(shape) < side:
        raise InvalidValue(
            f"images of shape {shape} are smaller than the window of {side} pixels; choose a smaller one, or "
            "window='global'"
        )
    if window == "uniform":
        return lambda image: np.asarray(uniform_filter(image, size=side)), side
    return lambda image: np.asarray(gaussian_filter(image, sigma, truncate=_TRUNCATE)), side
