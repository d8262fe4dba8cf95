"""From counts that add up to counts that also give the averages: random changes that lead away ever less often.

A change moves one class along tp + fp = const, or two classes so that the sum of tp + fp stays N; both keep the
coupling. Floats say whether a change comes nearer to the averages; what arrives is judged exactly.
"""

from __future__ import annotations

import math
import random

from scoreproof.kinds.class_report.model import ReportModel
from scoreproof.kinds.class_report.points import Point, Row
from scoreproof.work.deadline import Deadline

_WARM = 0.3  # how far a change may lead away at first, in widths of a printed interval
Floats = list[tuple[float, float]]


class Climb:
    """The counts of all classes, and how far their averages are from the printed ones."""

    def __init__(self, model: ReportModel, rows: list[list[Row]], rng: random.Random) -> None:
        self.model, self.rows, self.rng = model, rows, rng
        self.at = [{row[0]: place for place, row in enumerate(own)} for own in rows]
        self.targets = [(float(average.low), float(average.high)) for average in model.averages]

    def from_counts(self, start: list[Point], steps: int, deadline: Deadline) -> list[Point] | None:
        """Counts that give the averages too, or None if so many steps do not lead to any."""
        counts = list(start)
        right = sum(tp for tp, _ in counts)
        values = [self._values(place, point) for place, point in enumerate(counts)]
        sums = [(sum(v[n][0] for v in values), sum(v[n][1] for v in values)) for n in range(len(self.targets))]
        gap = self._gap(sums)
        for step in range(steps):
            if gap == 0 and self.model.fits(counts):
                return counts
            if step % 256 == 0 and deadline.passed:
                return None
            change = self._change(counts)
            if change is None:
                continue
            new_right = right + sum(tp - counts[place][0] for place, (tp, _) in change)
            if not self._coupled(change, new_right):
                continue
            new_values = [(place, self._values(place, point)) for place, point in change]
            new = [
                (
                    a + sum(v[n][0] - values[place][n][0] for place, v in new_values),
                    b + sum(v[n][1] - values[place][n][1] for place, v in new_values),
                )
                for n, (a, b) in enumerate(sums)
            ]
            new_gap = self._gap(new)
            if new_gap <= gap or self.rng.random() < math.exp((gap - new_gap) * steps / (_WARM * (steps - step))):
                for (place, point), (_, v) in zip(change, new_values, strict=True):
                    counts[place], values[place] = point, v
                right, sums, gap = new_right, new, new_gap
        return None

    def _values(self, place: int, point: Point) -> Floats:
        pairs = []
        for average in self.model.averages:
            low, high, den = self.model.parts[place].value(average.score, *point)
            weight = average.weights[place]
            pairs.append((weight * low / den, weight * high / den))
        return pairs

    def _gap(self, sums: Floats) -> float:
        return sum(
            max(0.0, low - high_sum, low_sum - high) / (high - low + 1e-12)
            for (low, high), (low_sum, high_sum) in zip(self.targets, sums, strict=True)
        )

    def _coupled(self, change: list[tuple[int, Point]], right: int) -> bool:
        wrong = self.model.total - right
        return self.model.least <= right <= self.model.most and all(
            fp + self.model.parts[place].support - tp <= wrong for place, (tp, fp) in change
        )

    def _change(self, counts: list[Point]) -> list[tuple[int, Point]] | None:
        """New counts of one class or of two, with the sum of tp + fp as it was."""
        rng, k = self.rng, len(counts)
        first = rng.randrange(k)
        if rng.random() < 0.2:
            moved = self._at_size(first, counts[first], sum(counts[first]))
            return None if moved is None else [(first, moved)]
        second = (first + rng.randrange(1, k)) % k
        tp, low, high = self._row_near(first, counts[first])
        fp = min(max(counts[first][1] + self._jump(high - low), low), high)
        left = sum(counts[first]) + sum(counts[second]) - tp - fp
        other = self._at_size(second, counts[second], left)
        return None if other is None else [(first, (tp, fp)), (second, other)]

    def _jump(self, width: int) -> int:
        """A step of some size, near or far, or none."""
        size = 1 << self.rng.randrange(width.bit_length() + 1)
        return self.rng.choice((-size, 0, size))

    def _row_near(self, place: int, point: Point) -> Row:
        own = self.rows[place]
        index = self.at[place][point[0]] + self._jump(len(own) - 1)
        return own[min(max(index, 0), len(own) - 1)]

    def _at_size(self, place: int, point: Point, size: int) -> Point | None:
        tp, low, high = self._row_near(place, point)
        return (tp, size - tp) if low <= size - tp <= high else None
