"""Which detection finds which object.

The detections of one class in one image are taken from the most confident down; each takes the free object it
overlaps most, if the overlap reaches the threshold. That is COCO's rule (Lin et al. 2014,
doi:10.1007/978-3-319-10602-1_48). Objects outside the size range, and crowds, are offered last: what finds
them is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoreproof.arrays import Bools, Floats
from scoreproof.metrics.detection.boxes import Box, box_iou

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
        found = np.zeros((len(thresholds), len(detected)), dtype=bool)
        ignored = np.tile(outside, (len(thresholds), 1))
        for t, threshold in enumerate(thresholds):
            free = [True] * len(truth)
            for d, near in candidates:
                taken = _take(near, _enough(threshold), truth, aside, free)
                if taken is not None:
                    found[t, d], ignored[t, d], free[taken] = True, aside[taken], False
        matches.append(ImageMatches(scores, found, ignored, aside.count(False)))
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
