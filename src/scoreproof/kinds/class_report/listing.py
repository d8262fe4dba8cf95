"""Every choice of counts, one class after the other, where they are few.

A choice is given up as soon as the sums it has and the least and greatest that the classes to come can add do not meet
what is asked: the sum of tp + fp is N, that of tp is in its range, every average within its bounds. What is left at the
end is judged exactly. The class with the most counts comes last, where the sum leaves it one tp + fp.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from scoreproof.kinds.class_report.averaging import apart, bounds_at, score_bounds
from scoreproof.kinds.class_report.model import ReportModel
from scoreproof.kinds.class_report.points import Point, Row, TooMany, points
from scoreproof.work.deadline import Deadline

Values = list[tuple[int, int]]
_MOST_CLASSES = 100


class Listing:
    """The search; ``first`` gives the first choice that fits, or None if there is none."""

    def __init__(self, model: ReportModel, rows: list[list[Row]], most_choices: int, deadline: Deadline) -> None:
        sizes = [sum(high - low + 1 for _, low, high in own) for own in rows]
        if sum(sizes) > most_choices or len(rows) > _MOST_CLASSES:
            raise TooMany("too many counts to list")
        self.model, self.left, self.deadline = model, most_choices, deadline
        self.order = sorted(range(len(rows)), key=sizes.__getitem__)
        self.rows = rows
        self.choices: list[dict[int, list[tuple[Point, Values]]]] = []
        for place in self.order:
            by_size: dict[int, list[tuple[Point, Values]]] = {}
            for tp, fp in points(rows[place]):
                by_size.setdefault(tp + fp, []).append(((tp, fp), self._values(place, tp, fp)))
            self.choices.append(by_size)
        self.sizes = [sorted(by_size) for by_size in self.choices]
        self.after = self._suffixes()

    def _values(self, place: int, tp: int, fp: int) -> Values:
        part = self.model.parts[place]
        pairs = []
        for average in self.model.averages:
            weight = average.weights[place]
            low, high = bounds_at(part, average.score, tp, fp) if weight else (0, 0)
            pairs.append((weight * low, weight * high))
        return pairs

    def _suffixes(self) -> list[tuple[tuple[int, int], tuple[int, int], Values]]:
        """What the classes from each on can add: sizes, correct cases, averages."""
        after: list[tuple[tuple[int, int], tuple[int, int], Values]] = [
            ((0, 0), (0, 0), [(0, 0)] * len(self.model.averages))
        ]
        for place, by_size in zip(reversed(self.order), reversed(self.choices), strict=True):
            own = self.rows[place]
            (q_low, q_high), (tp_low, tp_high), values = after[-1]
            added = []
            for average, (low, high) in zip(self.model.averages, values, strict=True):
                weight = average.weights[place]
                least, most = score_bounds(self.model.parts[place], average.score, own) if weight else (0, 0)
                added.append((low + weight * least, high + weight * most))
            sizes = q_low + min(by_size), q_high + max(by_size)
            after.append((sizes, (tp_low + own[0][0], tp_high + own[-1][0]), added))
        return after[::-1]

    def first(self) -> list[Point] | None:
        start: Values = [(0, 0)] * len(self.model.averages)
        return self._below(0, self.model.total, 0, start, [])

    def _below(self, level: int, size: int, right: int, sums: Values, chosen: list[Point]) -> list[Point] | None:
        """A choice for the classes from ``level`` on whose sizes add up to ``size``."""
        if level == len(self.order):
            counts = [point for _, point in sorted(zip(self.order, chosen, strict=True))]
            return counts if self.model.fits(counts) else None
        (q_low, q_high), (tp_low, tp_high), added = self.after[level + 1]
        by_size, sizes = self.choices[level], self.sizes[level]
        for q in sizes[bisect_left(sizes, size - q_high) : bisect_right(sizes, size - q_low)]:
            for (tp, fp), values in by_size[q]:
                self.left -= 1
                if self.left < 0:
                    raise TooMany("too many choices of counts to list")
                if self.left % 1024 == 0:
                    self.deadline.check()
                if right + tp + tp_high < self.model.least or right + tp + tp_low > self.model.most:
                    continue
                new = [(a + c, b + d) for (a, b), (c, d) in zip(sums, values, strict=True)]
                if any(
                    apart(average, a + c, b + d)
                    for average, (a, b), (c, d) in zip(self.model.averages, new, added, strict=True)
                ):
                    continue
                fitting = self._below(level + 1, size - q, right + tp, new, [*chosen, (tp, fp)])
                if fitting is not None:
                    return fitting
        return None
