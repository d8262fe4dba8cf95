"""Distances between two surfaces: Hausdorff, average, and the surface Dice coefficient.

Only surface points matter, so no distance map of the volume is needed (see ``nearest``). The average divides
by the sizes of the *surfaces* (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x, print volumes
there; Yeghiazaryan & Voiculescu 2018, doi:10.1117/1.JMI.5.1.015006, have it right).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Floats, chosen
from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document, jsonable
from scoreproof.metrics.arrays import frozen
from scoreproof.metrics.presentation import html_table, number
from scoreproof.metrics.segmentation.masks import mask_pair, spacing_of
from scoreproof.metrics.segmentation.nearest import nearest_distances
from scoreproof.metrics.segmentation.surface import Kind, SurfaceConvention, surface_of

Combine = Literal["pooled", "directed"]


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceDistances:
    """The distance of every surface point to the other surface, with the point's weight.

    Of two empty masks every summary is NaN; if one is empty distances are infinite and the overlap is 0.
    """

    from_truth: Floats
    from_predicted: Floats
    truth_weights: Floats
    predicted_weights: Floats
    convention: SurfaceConvention
    spacing: tuple[float, ...]

    def hausdorff(self, percentile: float = 100.0, *, combine: Combine | None = None) -> float:
        """The Hausdorff distance, or a percentile in its place, which single stray voxels do not move.

        ``pooled`` takes the percentile of both directions together, ``directed`` the larger of the two
        directions' percentiles. Published figures use the first with surface voxels and the second with
        surface elements, and so does the default. At 100 they agree.
        """
        if not 0 <= percentile <= 100:
            raise InvalidOption(f"percentile must lie between 0 and 100, got {percentile!r}")
        combine = self._combine(combine, "pooled" if self.convention.kind == "voxels" else "directed")
        empty = self._empty()
        if empty is not None:
            return empty
        if combine == "pooled":
            return self._percentile(
                np.r_[self.from_truth, self.from_predicted],
                np.r_[self.truth_weights, self.predicted_weights],
                percentile,
            )
        return max(
            self._percentile(self.from_truth, self.truth_weights, percentile),
            self._percentile(self.from_predicted, self.predicted_weights, percentile),
        )

    def average(self, *, combine: Combine | None = None) -> float:
        """The average symmetric surface distance.

        ``pooled`` (default) divides the sum over both surfaces by their joint size; ``directed`` takes the
        mean of the two directions' averages.
        """
        combine = self._combine(combine, "pooled")
        empty = self._empty()
        if empty is not None:
            return empty
        if combine == "directed":
            return (self.average_from_truth + self.average_from_predicted) / 2
        total = self.from_truth @ self.truth_weights + self.from_predicted @ self.predicted_weights
        return float(total / (self.truth_weights.sum() + self.predicted_weights.sum()))

    @property
    def average_from_truth(self) -> float:
        """The mean distance from the true to the predicted surface."""
        return self._directed(self.from_truth, self.truth_weights)

    @property
    def average_from_predicted(self) -> float:
        """The mean distance from the predicted to the true surface."""
        return self._directed(self.from_predicted, self.predicted_weights)

    def surface_dice(self, tolerance: float = 0.0) -> float:
        """The share of both surfaces that lies within the tolerance of the other (in units of the spacing).

        Distances that exceed the tolerance only by rounding count as within it.
        """
        if not 0 <= tolerance < np.inf:
            raise InvalidOption(f"tolerance must be a distance of at least 0, got {tolerance!r}")
        total = float(self.truth_weights.sum() + self.predicted_weights.sum())
        if total == 0:
            return float("nan")
        reach = tolerance * (1 + 1e-12)
        near = self.truth_weights[self.from_truth <= reach].sum()
        near += self.predicted_weights[self.from_predicted <= reach].sum()
        return float(near / total)

    def to_dict(self) -> dict[str, Any]:
        told = document(self, "spacing average_from_truth average_from_predicted", average=self.average())
        far = {"hausdorff": self.hausdorff(), "hausdorff95": self.hausdorff(95)}
        return {**self.convention.to_dict(), **told, **jsonable(far)}

    def __str__(self) -> str:
        return (
            f"The average symmetric surface distance is {number(self.average())} and the Hausdorff distance "
            f"{number(self.hausdorff())} ({self.convention})."
        )

    def _repr_html_(self) -> str:
        rows = [[self.average(), self.hausdorff(), self.hausdorff(95)]]
        return html_table(str(self.convention), ["average", "Hausdorff", "95th percentile"], rows)

    def _empty(self) -> float | None:
        if self.from_truth.size and self.from_predicted.size:
            return None
        return float("inf") if self.from_truth.size or self.from_predicted.size else float("nan")

    def _directed(self, distances: Floats, weights: Floats) -> float:
        empty = self._empty()
        return float(distances @ weights / weights.sum()) if empty is None else empty

    def _percentile(self, distances: Floats, weights: Floats, percentile: float) -> float:
        if self.convention.kind == "voxels":
            return float(np.percentile(distances, percentile))
        order = np.argsort(distances, kind="stable")
        share = np.cumsum(weights[order]) / weights.sum()
        reached = min(int(np.searchsorted(share, percentile / 100)), distances.size - 1)
        return float(distances[order][reached])

    @staticmethod
    def _combine(choice: Combine | None, default: Combine) -> Combine:
        chosen("combine", choice or default, get_args(Combine))
        return choice or default


def surface_distances(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    spacing: float | Sequence[float] | None = None,
    surface: Kind = "voxels",
    connectivity: int = 1,
) -> SurfaceDistances:
    """Distances between the surfaces of two masks; ``connectivity`` matters to surface voxels only.

    >>> truth, predicted = np.zeros((2, 9, 9), dtype=bool)
    >>> truth[2:6, 2:6] = predicted[2:6, 3:8] = True
    >>> distances = surface_distances(truth, predicted, spacing=0.5)
    >>> distances.hausdorff(), distances.average(), distances.surface_dice(tolerance=0.5)
    (1.0, 0.34615384615384615, 0.8461538461538461)
    """
    actual, guessed = mask_pair(truth, predicted)
    edges = spacing_of(spacing, actual.ndim)
    convention = SurfaceConvention(surface, connectivity if surface == "voxels" else None, actual.ndim)
    first, second = (surface_of(mask, convention, edges) for mask in (actual, guessed))
    return SurfaceDistances(
        frozen(nearest_distances(first.points, second.points, edges)),
        frozen(nearest_distances(second.points, first.points, edges)),
        frozen(first.weights),
        frozen(second.weights),
        convention,
        edges,
    )
