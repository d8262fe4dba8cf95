"""A predicted mask against the true one, of one class or of several: overlap of volumes and distance of surfaces.

Dice, IoU and pixel accuracy are the registered F1, Jaccard index and accuracy of the voxels; SVD and VOE are the
complements of the first two (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x). Of two empty masks all but the
accuracy are 0/0: undefined, unless ``empty="perfect"`` is asked for. "Mean IoU" names three numbers: the mean over the
classes of one image, the mean over images of one class, and the ratio of counts pooled over all images, which benchmark
servers use. All are given. A class that an image shows in neither mask is left out of the means.

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
from numpy.typing import ArrayLike, NDArray

from scoreproof.arrays import Floats, Ints, as_array, numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import document, jsonable, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.metrics.classes import mean
from scoreproof.metrics.labels import class_names, frozen, labels, matrix_of, number, same_shape, small_table
from scoreproof.metrics.surfaces import Kind, SurfaceConvention, SurfaceDistances, mask_pair, surface_distances
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen, real, shown, whole

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
        raise InvalidValue(f"{len(truths)} true and {len(predictions)} predicted images; expected as many, some")
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
