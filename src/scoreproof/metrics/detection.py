"""Object detection: boxes, which detection finds which object, and average precision over IoU thresholds.

A box is a corner, a width and a height, as in COCO files (Lin et al. 2014, doi:10.1007/978-3-319-10602-1_48). A crowd
box marks a region of many objects: overlap with it is measured against the detection alone, and nothing found inside it
counts as wrong. The detections of one class in one image are taken from the most confident down; each takes the free
object it overlaps most, if the overlap reaches the threshold: COCO's rule. Objects outside the size range, and crowds,
are offered last: what finds them is neither right nor wrong. mAP@0.5, mAP@0.75 and mAP@[.5:.95] are means over the
classes that have objects (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x); the summary reproduces COCO's
twelve numbers, with its sizes and its limits on detections per image and class.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from scoreproof.arrays import Bools, Floats
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.metrics.classes import mean
from scoreproof.metrics.curves import Interpolation, PrecisionRecallCurve
from scoreproof.metrics.labels import frozen, number, small_table
from scoreproof.results import Result, SmallTable
from scoreproof.validation import declared, real, shown, truth


@dataclass(frozen=True, slots=True)
class Box:
    """An object in an image: true (no score) or detected (with the detector's confidence).

    >>> Box("img1", "cat", (10, 10, 20, 40)).area
    800.0
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
        where = f"box {shown(self.xywh)} in image {shown(self.image)}"
        for name in ("score", "stated_area"):
            if getattr(self, name) is not None:
                real(f"{where}, {name}", getattr(self, name), error=InvalidValue)
        truth("crowd", self.crowd, error=InvalidValue)
        object.__setattr__(self, "xywh", numbers)

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

    ``matched`` and ``ignored`` have one row per IoU threshold and one column per detection.
    """

    scores: Floats
    matched: Bools
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
    """Match the boxes of one image and one class at every threshold, once for each range of sizes."""
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


COCO_THRESHOLDS = tuple(np.linspace(0.5, 0.95, 10).tolist())
_SIZES = {"s": (0.0, 32.0**2), "m": (32.0**2, 96.0**2), "l": (96.0**2, 1e10)}
_MOST = 100


@dataclass(frozen=True, slots=True, eq=False)
class DetectionEvaluation(Result):
    """Average precision per IoU threshold (rows) and class (columns); NaN for a class without objects.

    ``summary`` holds the means under COCO's names: AP, AP50, AP75, APs, APm, APl, AR1, AR10, AR100, ARs, ...
    """

    labels: tuple[Hashable, ...]
    thresholds: tuple[float, ...]
    interpolation: Interpolation
    objects: int
    detections: int
    average_precision: Floats
    summary: Mapping[str, float]

    task: ClassVar[str] = "detection"
    _told = "task *"

    @declared
    def map_at(self, iou: float) -> float:
        """The mean average precision at one IoU threshold."""
        return mean(self.average_precision[self._row(iou)], "skip")

    @declared
    def per_class(self, iou: float | None = None) -> dict[Hashable, float]:
        """The average precision of each class, at one threshold or averaged over all."""
        rows = self.average_precision if iou is None else self.average_precision[[self._row(iou)]]
        return {label: float(rows[:, i].mean()) for i, label in enumerate(self.labels)}

    def _row(self, iou: float) -> int:
        near = np.flatnonzero(np.isclose(self.thresholds, real("iou", iou), rtol=0, atol=1e-9))
        if near.size == 0:
            known = ", ".join(f"{threshold:g}" for threshold in self.thresholds)
            raise InvalidOption(f"iou={shown(iou)} was not evaluated; the thresholds are {known}")
        return int(near[0])

    def __str__(self) -> str:
        span = f"{self.thresholds[0]:g}" + (f":{self.thresholds[-1]:g}" if len(self.thresholds) > 1 else "")
        parts = [f"mAP@[{span}] {number(self.summary['AP'])}"]
        parts += [f"mAP@0.{name[2:]} {number(self.summary[name])}" for name in ("AP50", "AP75") if name in self.summary]
        return f"{', '.join(parts)} over {len(self.labels)} classes and {self.objects} objects."

    def _tables(self) -> list[SmallTable]:
        return [small_table("Detection", ["metric", "value"], list(self.summary.items()))]


def evaluate_detection(
    truth: Iterable[Box],
    detected: Iterable[Box],
    *,
    thresholds: Sequence[float] | None = None,
    interpolation: Interpolation = "coco",
) -> DetectionEvaluation:
    """Evaluate detected boxes (with scores) against true ones, over any number of images and classes.

    ``thresholds`` are IoU thresholds, COCO's .5, .55, ..., .95 unless told. Classes that only the detector knows have
    no average precision and do not enter the means; with no true box at all everything is undefined.

    >>> truth = [Box(1, "cat", (0, 0, 10, 10)), Box(1, "dog", (20, 0, 10, 10))]
    >>> boxes = [Box(1, "cat", (0, 0, 10, 9), score=0.9), Box(1, "dog", (25, 0, 10, 10), score=0.7)]
    >>> print(evaluate_detection(truth, boxes))
    mAP@[0.5:0.95] 0.4500, mAP@0.50 0.5000, mAP@0.75 0.5000 over 2 classes and 2 objects.
    """
    levels = COCO_THRESHOLDS if thresholds is None else tuple(float(value) for value in thresholds)
    if not levels or not all(0 < level <= 1 for level in levels):
        raise InvalidOption(f"thresholds={shown(thresholds)}: IoU thresholds in (0, 1] are needed")
    truth, detected = list(truth), list(detected)
    by_label = _grouped(truth, detected)
    spans = {"": ALL_SIZES, **_SIZES}
    matched = {
        label: [match_image(*image, levels, sizes=tuple(spans.values()), most=_MOST) for image in images]
        for label, images in by_label.items()
    }
    tables = {size: {name: [own[i] for own in sets] for name, sets in matched.items()} for i, size in enumerate(spans)}

    def over(size: str, value: Callable[[PrecisionRecallCurve], float], most: int = _MOST) -> Floats:
        """A number of every curve: a row for each threshold, a column for each class."""
        rows = [[value(_curve(m, row, most)) for m in tables[size].values()] for row in range(len(levels))]
        return np.array(rows, dtype=np.float64).reshape(len(levels), len(by_label))

    def recall(curve: PrecisionRecallCurve) -> float:
        return float(curve.recall[-1]) if curve.tp.size else (0.0 if curve.p else float("nan"))

    precision = {size: over(size, lambda curve: curve.average_precision(interpolation)) for size in spans}
    summary = {"AP": mean(precision[""].ravel(), "skip")}
    for name, level in (("AP50", 0.5), ("AP75", 0.75)):
        near = np.isclose(levels, level, rtol=0, atol=1e-9)
        if near.any():
            summary[name] = mean(precision[""][near][0], "skip")
    summary |= {f"AP{size}": mean(precision[size].ravel(), "skip") for size in _SIZES}
    summary |= {f"AR{most}": mean(over("", recall, most).ravel(), "skip") for most in (1, 10, 100)}
    summary |= {f"AR{size}": mean(over(size, recall).ravel(), "skip") for size in _SIZES}
    sizes = sum(not box.crowd for box in truth), len(detected)
    told = frozen(precision[""]), MappingProxyType(summary)
    return DetectionEvaluation(tuple(by_label), levels, interpolation, *sizes, *told)


_Images = list[tuple[list[Box], list[Box]]]


def _grouped(truth: list[Box], detected: list[Box]) -> dict[Hashable, _Images]:
    """Per class, the true and the detected boxes of each image, images in order."""
    for box in (*truth, *detected):
        if not isinstance(box, Box):
            raise InvalidValue(f"truth and detected: expected boxes (Box), got {shown(box)}")
    for box in detected:
        if box.score is None:
            raise InvalidValue(f"the detected box {box.xywh} in image {shown(box.image)} has no score; expected score=")
    images = _ordered({box.image for box in (*truth, *detected)})
    labels = _ordered({box.label for box in (*truth, *detected)})
    groups: dict[Hashable, dict[Hashable, tuple[list[Box], list[Box]]]] = {label: {} for label in labels}
    for side, boxes in enumerate((truth, detected)):
        for box in boxes:
            groups[box.label].setdefault(box.image, ([], []))[side].append(box)
    return {label: [group[image] for image in images if image in group] for label, group in groups.items()}


def _ordered(names: set[Hashable]) -> list[Hashable]:
    try:
        return sorted(names)  # type: ignore[type-var]
    except TypeError:
        return sorted(names, key=lambda name: (type(name).__name__, str(name)))


def _curve(matches: list[ImageMatches], row: int, most: int) -> PrecisionRecallCurve:
    scores = np.concatenate([match.scores[:most] for match in matches])
    hits = np.concatenate([match.matched[row, :most] for match in matches])
    counted = ~np.concatenate([match.ignored[row, :most] for match in matches])
    order = np.argsort(-scores, kind="stable")
    order = order[counted[order]]
    tp = np.cumsum(hits[order], dtype=np.int64)
    fp = np.arange(1, order.size + 1, dtype=np.int64) - tp
    return PrecisionRecallCurve(scores[order], tp, fp, sum(match.objects for match in matches))
