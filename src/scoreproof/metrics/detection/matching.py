"""Bounding boxes, their overlap, and which detection finds which object.

A box is a corner, a width and a height, as in COCO files (Lin et al. 2014, doi:10.1007/978-3-319-10602-1_48);
``Box.from_corners`` takes the other common form. A crowd box marks a region of many objects: overlap with it is
measured against the detection alone, and nothing found inside it counts as wrong.

The detections of one class in one image are taken from the most confident down; each takes the free object it overlaps
most, if the overlap reaches the threshold: COCO's rule. Objects outside the size range, and crowds, are offered last:
what finds them is neither right nor wrong.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from scoreproof.arrays import Bools, Floats
from scoreproof.errors import InvalidValue
from scoreproof.validation import declared, real, shown, truth


@dataclass(frozen=True, slots=True)
class Box:
    """An object in an image: true (no score) or detected (with the detector's confidence).

    >>> Box("img1", "cat", (10, 10, 20, 40)).area
    800.0
    >>> Box.from_corners("img1", "cat", (10, 10, 30, 50), score=0.9).xywh
    (10.0, 10.0, 20.0, 40.0)
    """

    image: Hashable
    label: Hashable
    xywh: tuple[float, float, float, float]
    score: float | None = None
    crowd: bool = False
    stated_area: float | None = None

    def __post_init__(self) -> None:
        for name in ("image", "label"):
            try:
                hash(getattr(self, name))
            except TypeError:
                raise InvalidValue(f"{name}: expected a name or a number, got {shown(getattr(self, name))}") from None
        try:
            numbers = tuple(float(number) for number in self.xywh)
        except (TypeError, ValueError, ArithmeticError):
            numbers = ()
        if len(numbers) != 4 or not all(map(math.isfinite, numbers)) or min(numbers[2:]) < 0:
            raise InvalidValue(
                f"box {shown(numbers or self.xywh)} in image {shown(self.image)}: x, y, width and height are needed, "
                "all finite and the last two not negative"
            )
        for name in ("score", "stated_area"):
            if getattr(self, name) is not None:
                real(
                    f"box {shown(self.xywh)} in image {shown(self.image)}, {name}",
                    getattr(self, name),
                    error=InvalidValue,
                )
        truth("crowd", self.crowd, error=InvalidValue)
        object.__setattr__(self, "xywh", numbers)

    @classmethod
    @declared
    def from_corners(
        cls,
        image: Hashable,
        label: Hashable,
        corners: tuple[float, float, float, float],
        *,
        score: float | None = None,
        crowd: bool = False,
    ) -> Self:
        """A box from its left, top, right and bottom."""
        left, top, right, bottom = corners
        return cls(image, label, (left, top, right - left, bottom - top), score, crowd)

    @property
    def area(self) -> float:
        """The stated area (of the object's outline, in COCO files), else width times height."""
        return self.xywh[2] * self.xywh[3] if self.stated_area is None else self.stated_area


def box_iou(detected: Sequence[Box], truth: Sequence[Box]) -> Floats:
    """The intersection over union of every detected box with every true one.

    >>> box_iou([Box(1, "a", (0, 0, 2, 2))], [Box(1, "a", (1, 0, 2, 2)), Box(1, "a", (5, 5, 1, 1))]).round(4)
    array([[0.3333, 0.    ]])
    """
    d, t = _corners(detected), _corners(truth)
    crowd: Bools = np.array([box.crowd for box in truth], dtype=bool)
    width = np.minimum.outer(d[:, 2], t[:, 2]) - np.maximum.outer(d[:, 0], t[:, 0])
    height = np.minimum.outer(d[:, 3], t[:, 3]) - np.maximum.outer(d[:, 1], t[:, 1])
    common = np.where((width > 0) & (height > 0), width * height, 0.0)
    union = np.where(crowd[None, :], d[:, 4, None], d[:, 4, None] + t[None, :, 4] - common)
    return np.divide(common, union, out=np.zeros_like(common), where=union > 0)


def _corners(boxes: Sequence[Box]) -> Floats:
    """Left, top, right, bottom and size of each box."""
    x, y, width, height = np.array([box.xywh for box in boxes], dtype=np.float64).reshape(-1, 4).T
    return np.stack([x, y, x + width, y + height, width * height], axis=1)


ALL_SIZES = (0.0, float("inf"))


@dataclass(frozen=True, slots=True, eq=False)
class ImageMatches:
    """The detections of one image and class, most confident first.

    ``found`` and ``ignored`` have one row per IoU threshold and one column per detection.
    """

    scores: Floats
    found: Bools
    ignored: Bools
    objects: int


def match_image(
    truth: Sequence[Box],
    detected: Sequence[Box],
    thresholds: Sequence[float],
    *,
    sizes: Sequence[tuple[float, float]] = (ALL_SIZES,),
    most: int = 100,
) -> tuple[ImageMatches, ...]:
    """Match the boxes of one image and one class at every threshold, once for each range of sizes.

    >>> truth = [Box(1, "a", (0, 0, 10, 10))]
    >>> detected = [Box(1, "a", (0, 0, 10, 9), score=0.8), Box(1, "a", (0, 0, 10, 10), score=0.6)]
    >>> match_image(truth, detected, [0.5, 0.95])[0].found.tolist()
    [[True, False], [False, True]]
    """
    detected = sorted(detected, key=lambda box: -(box.score or 0.0))[:most]
    candidates = _candidates(truth, detected, _enough(min(thresholds)))
    scores = np.array([box.score for box in detected], dtype=np.float64)
    matches = []
    for low, high in sizes:
        aside = [box.crowd or not low <= box.area <= high for box in truth]
        outside = np.array([not low <= box.area <= high for box in detected], dtype=bool)
        hits = np.zeros((len(thresholds), len(detected)), dtype=bool)
        ignored = np.tile(outside, (len(thresholds), 1))
        for t, threshold in enumerate(thresholds):
            free = [True] * len(truth)
            for d, near in candidates:
                taken = _take(near, _enough(threshold), truth, aside, free)
                if taken is not None:
                    hits[t, d], ignored[t, d], free[taken] = True, aside[taken], False
        matches.append(ImageMatches(scores, hits, ignored, aside.count(False)))
    return tuple(matches)


def _candidates(
    truth: Sequence[Box], detected: Sequence[Box], least: float
) -> list[tuple[int, list[tuple[float, int]]]]:
    """The detections that overlap anything enough, each with those objects: the largest overlap first, and of
    equal ones the last object first, as COCO has it.
    """
    if not truth or not detected:
        return []
    overlap = box_iou(detected, truth)
    return [
        (d, sorted(((value, g) for g, value in enumerate(row) if value >= least), reverse=True))
        for d, row in enumerate(overlap.tolist())
        if max(row) >= least
    ]


def _take(
    near: list[tuple[float, int]], enough: float, truth: Sequence[Box], aside: list[bool], free: list[bool]
) -> int | None:
    """The free object that overlaps most; only if there is none, one that is set aside."""
    fallback = None
    for overlap, g in near:
        if overlap < enough:
            break
        if not aside[g]:
            if free[g]:
                return g
        elif fallback is None and (free[g] or truth[g].crowd):
            fallback = g
    return fallback


def _enough(threshold: float) -> float:
    """The overlap that counts; a threshold of 1 forgives rounding."""
    return min(threshold, 1 - 1e-10)
