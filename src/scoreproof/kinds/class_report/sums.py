"""What adding up leaves of the classes: rows trimmed by the sums, and a programme over classes that is exact.

All classes together have as many wrong cases by true class as by given class, so with T correct cases of N the sum of
fp is N - T, and no class has fp + fn above that (see ``matrix``). ``trimmed`` draws from the least and greatest sums
what each class can still have. ``Programme`` decides exactly whether counts exist for one T: class after class it
keeps, for every sum of tp so far, the sums of fp as intervals.
"""

from __future__ import annotations

from scoreproof.kinds.class_report.model import ReportModel
from scoreproof.kinds.class_report.points import Point, Row, TooMany
from scoreproof.work.deadline import Deadline

_ROUNDS = 12
Layer = dict[int, list[tuple[int, int]]]  # sum of tp -> disjoint intervals of the sum of fp


def trimmed(model: ReportModel, rows: list[list[Row]]) -> list[list[Row]] | None:
    """The rows that the least and greatest sums leave; None if they leave a class, or all together, nothing."""
    for _ in range(_ROUNDS):
        if not all(rows):
            return None
        ends = [_ends(own) for own in rows]
        tp_low, tp_high, fp_low, fp_high, q_low, q_high = (sum(column) for column in zip(*ends, strict=True))
        least = max(model.least, tp_low, model.total - fp_high)
        most = min(model.most, tp_high, model.total - fp_low)
        if least > most or not q_low <= model.total <= q_high:
            return None
        kept = []
        for part, own, (a, b, c, d, e, f) in zip(model.parts, rows, ends, strict=True):
            tps = least - (tp_high - b), most - (tp_low - a)
            fps = model.total - most - (fp_high - d), model.total - least - (fp_low - c)
            qs = model.total - (q_high - f), model.total - (q_low - e)
            room = model.total - least - part.support
            kept.append(
                [
                    (tp, low, high)
                    for tp, low, high in (
                        (tp, max(low, fps[0], qs[0] - tp), min(high, fps[1], qs[1] - tp, room + tp))
                        for tp, low, high in own
                        if tps[0] <= tp <= tps[1]
                    )
                    if low <= high
                ]
            )
        if kept == rows:
            return rows
        rows = kept
    return rows if all(rows) else None


def _ends(rows: list[Row]) -> tuple[int, int, int, int, int, int]:
    """Least and greatest tp, fp and tp + fp."""
    return (
        rows[0][0],
        rows[-1][0],
        min(low for _, low, _ in rows),
        max(high for _, _, high in rows),
        min(tp + low for tp, low, _ in rows),
        max(tp + high for tp, _, high in rows),
    )


class Programme:
    """The exact question for one T after the other, with a limit on all the work together."""

    def __init__(self, model: ReportModel, rows: list[list[Row]], most_work: int, deadline: Deadline) -> None:
        self.model, self.rows = model, rows
        self.left = most_work
        self.deadline = deadline

    @property
    def totals(self) -> list[int]:
        """The T that may be, those in the middle first."""
        least = max(self.model.least, sum(own[0][0] for own in self.rows))
        most = min(self.model.most, sum(own[-1][0] for own in self.rows))
        middle = (least + most) // 2
        return sorted(range(least, most + 1), key=lambda right: abs(right - middle))

    def counts_for(self, right: int) -> list[Point] | None:
        """Counts of all classes with so many correct cases, or None if there are none."""
        self._count(sum(map(len, self.rows)))
        wrong = self.model.total - right
        rows = []
        for part, own in zip(self.model.parts, self.rows, strict=True):
            room = wrong - part.support
            fitting = [(tp, low, min(high, room + tp)) for tp, low, high in own if low <= room + tp]
            if not fitting:
                return None
            rows.append(fitting)
        layers = self._layers(rows, right, wrong)
        return None if layers is None else _walk_back(rows, layers, right, wrong)

    def _layers(self, rows: list[list[Row]], right: int, wrong: int) -> list[Layer] | None:
        after = [(0, 0, 0, 0)]  # what the classes to come add: least and greatest tp, least and greatest fp
        for own in reversed(rows):
            a, b, c, d = after[-1]
            tp_low, tp_high, fp_low, fp_high, _, _ = _ends(own)
            after.append((a + tp_low, b + tp_high, c + fp_low, d + fp_high))
        after.reverse()
        layers: list[Layer] = [{0: [(0, 0)]}]
        for place, own in enumerate(rows):
            tp_low, tp_high, fp_low, fp_high = after[place + 1]
            reached: Layer = {}
            for so_far, intervals in layers[-1].items():
                self._count(len(own) * len(intervals))
                for tp, low, high in own:
                    if not right - tp_high <= so_far + tp <= right - tp_low:
                        continue
                    for a, b in intervals:
                        least, most = max(a + low, wrong - fp_high), min(b + high, wrong - fp_low)
                        if least <= most:
                            reached.setdefault(so_far + tp, []).append((least, most))
            if not reached:
                return None
            layers.append({so_far: _joined(intervals) for so_far, intervals in reached.items()})
        return layers

    def _count(self, work: int) -> None:
        self.left -= work
        if self.left < 0:
            raise TooMany("too many sums over the classes")
        self.deadline.check()


def _joined(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same whole numbers as disjoint intervals that do not touch."""
    intervals.sort()
    joined = [intervals[0]]
    for low, high in intervals[1:]:
        if low <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    return joined


def _walk_back(rows: list[list[Row]], layers: list[Layer], right: int, wrong: int) -> list[Point]:
    """A choice of counts that adds up, from the last class to the first."""
    chosen: list[Point] = []
    for place in range(len(rows) - 1, -1, -1):
        tp, fp = _step_back(rows[place], layers[place], right, wrong)
        chosen.append((tp, fp))
        right, wrong = right - tp, wrong - fp
    return chosen[::-1]


def _step_back(rows: list[Row], layer: Layer, right: int, wrong: int) -> Point:
    middle = (rows[0][0] + rows[-1][0]) // 2
    for tp, low, high in sorted(rows, key=lambda row: abs(row[0] - middle)):
        for a, b in layer.get(right - tp, ()):
            least, most = max(low, wrong - b), min(high, wrong - a)
            if least <= most:
                return tp, min(max((low + high) // 2, least), most)
    raise AssertionError("the layers hold a sum that no class makes")
