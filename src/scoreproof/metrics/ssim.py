"""The structural similarity index of two images.

Luminance, contrast and structure are compared in a window around each pixel and averaged (Wang, Bovik, Sheikh
& Simoncelli 2004, doi:10.1109/TIP.2003.819861). Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x)
misprint the formula: the numerator holds the product of the means and the covariance. Software differs in the
window and in the divisor of the covariance, so both are named in the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Floats, as_array, numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.metrics.labels import number, same_shape, small_table
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen, real, shown, whole

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

    def _tables(self) -> list[SmallTable]:
        return [small_table("Structural similarity", ["setting", "value"], list(self.to_dict().items()))]


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
    chosen("window", window, get_args(Window))
    covariance = covariance or ("population" if window == "gaussian" else "sample")
    chosen("covariance", covariance, get_args(Covariance))
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
