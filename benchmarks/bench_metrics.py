"""Metrics: surfaces of large volumes against full distance maps, and the area under a long ROC curve.

The naive way to surface distances erodes the whole volume and makes a distance map of it for each mask;
cropping to the object and asking a k-d tree of its surface needs neither.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from sklearn.metrics import roc_auc_score

from benchmarks.measure import Row, best
from scoreproof.metrics import auc, evaluate_segmentation

_SPACING = (1.0, 0.9, 1.2)


def rows() -> Iterator[Row]:
    """256³ masks with an object of radius 110, and 10^6 scores."""
    truth, predicted = _ball((0, 0, 0), 110), _ball((4, 3, -2), 108)
    naive = best(lambda: _by_distance_maps(truth, predicted), repeats=0)
    for title, options in (
        ("6 neighbours", {"connectivity": 1}),
        ("26 neighbours", {"connectivity": 3}),
        ("surface elements", {"surface": "elements"}),
    ):
        ours = best(
            lambda options=options: evaluate_segmentation(  # type: ignore[misc]
                truth, predicted, spacing=_SPACING, tolerance=1.0, **options
            ),
            repeats=2,
        )
        yield Row(
            f"all segmentation metrics, 256³ masks, {title}",
            ours,
            naive,
            promised_seconds=3.0,
            note="naive: erosion and distance maps of the whole volume",
        )
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, 10**6)
    scores = rng.normal(size=10**6) + labels
    yield Row(
        "AUC of 10^6 cases",
        best(lambda: auc(labels, scores)),
        best(lambda: roc_auc_score(labels, scores), repeats=2),
        note="scikit-learn",
    )


def _ball(shift: tuple[int, int, int], radius: float) -> NDArray[np.bool_]:
    axes = [np.arange(256) - 127.5 - offset for offset in shift]
    x, y, z = np.meshgrid(*axes, indexing="ij", sparse=True)
    inside: NDArray[np.bool_] = x**2 + y**2 + z**2 < radius**2
    return inside


def _by_distance_maps(truth: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> tuple[float, float]:
    """The Hausdorff distance and the average surface distance, the obvious way."""
    surfaces = [mask & ~ndimage.binary_erosion(mask) for mask in (truth, predicted)]
    maps = [ndimage.distance_transform_edt(~surface, sampling=_SPACING) for surface in surfaces]
    pooled = np.concatenate([maps[1][surfaces[0]], maps[0][surfaces[1]]])
    return float(pooled.max()), float(pooled.mean())
