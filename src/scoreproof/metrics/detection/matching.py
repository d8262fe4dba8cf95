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

from scoreproof.metrics.arrays import Bools, Floats
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
    sizes: tuple[float, float] = ALL_SIZES,
    most: int = 100,
) -> ImageMatches:
    """Match the boxes of one image and one class at every threshold.

    >>> truth = [Box(1, "a", (0, 0, 10, 10))]
    >>> detected = [Box(1, "a", (0, 0, 10, 9), score=0.8), Box(1, "a", (0, 0, 10, 10), score=0.6)]
    >>> match_image(truth, detected, [0.5, 0.95]).found.tolist()
    [[True, False], [False, True]]
    """
    low, high = sizes
    detected = sorted(detected, key=lambda box: -(box.score or 0.0))[:most]
    aside = np.array([box.crowd or not low <= box.area <= high for box in truth], dtype=bool)
    crowd = np.array([box.crowd for box in truth], dtype=bool)
    overlap = box_iou(detected, truth)
    outside = np.array([not low <= box.area <= high for box in detected], dtype=bool)
    found = np.zeros((len(thresholds), len(detected)), dtype=bool)
    ignored = np.tile(outside, (len(thresholds), 1))
    for t, threshold in enumerate(thresholds):
        free = np.ones(len(truth), dtype=bool)
        for d in range(len(detected)):
            taken = _best(overlap[d], threshold, free & ~aside)
            if taken is None:
                taken = _best(overlap[d], threshold, (free | crowd) & aside)
            if taken is not None:
                found[t, d], ignored[t, d] = True, aside[taken]
                free[taken] = False
    scores = np.array([box.score for box in detected], dtype=np.float64)
    return ImageMatches(scores, found, ignored, int(np.count_nonzero(~aside)))


def _best(overlap: Floats, threshold: float, candidates: Bools) -> int | None:
    """The candidate that overlaps most and enough; of equals the last, as COCO has it."""
    eligible = np.flatnonzero(candidates & (overlap >= min(threshold, 1 - 1e-10)))
    if eligible.size == 0:
        return None
    values = overlap[eligible]
    return int(eligible[np.flatnonzero(values == values.max())[-1]])
