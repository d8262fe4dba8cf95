"""Rankings with an AUC, an average precision and a best accuracy at once, proposed number by number.

A ranking without ties is how many negatives c_1 <= c_2 <= ... <= c_p come before each positive. An operating point and
a best accuracy bound each of them, the AUC says their sum, and the average precision is the mean of i / (i + c_i). With
a given sum it is small if they are all alike and large if the first are small and the last large; on the way from one
to the other it takes nearly everything between, and single exchanges (one more here, one fewer there) do the rest.
Floats propose; whether a curve gives the report is judged exactly, elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.path import Curve, Vertex

MOST_POSITIVES = 20_000
_HALVINGS = 24
_EXCHANGES = 40


def gains(place: Any, before: Any, trapezoids: bool) -> Any:
    """The precision at a positive, by how many negatives are before it; of trapezoids the mean with the one before.

    >>> import numpy as np
    >>> gains(np.array([1, 2]), np.array([0, 1]), False), gains(np.array([1, 2]), np.array([0, 1]), True)
    (array([1.        , 0.66666667]), array([1.        , 0.58333333]))
    """
    import numpy as np

    own = place / (place + before)
    if not trapezoids:
        return own
    there = np.maximum(place + before - 1, 1)
    return (own + np.where(place + before == 1, 1.0, (place - 1) / there)) / 2


class Arrangement:
    """Numbers of negatives before each positive, between bounds that never fall."""

    def __init__(
        self, matrix: ConfusionMatrix, best: int | None = None, touch: int | None = None, *, trapezoids: bool = False
    ) -> None:
        import numpy as np

        self.matrix, self.trapezoids, p, n = matrix, trapezoids, matrix.p, matrix.n
        self.place = np.arange(1, p + 1)
        before = self.place <= matrix.tp
        self.low, self.high = np.where(before, 0, matrix.fp), np.where(before, matrix.fp, n)
        if best is not None:  # no threshold has more right answers, and one has as many
            self.low = np.maximum(self.low, self.place + n - best)
            if touch is not None:
                self.high[:touch] = np.minimum(self.high[:touch], touch + n - best)
            self.high = np.minimum(self.high, n)

    @property
    def possible(self) -> bool:
        return bool((self.low <= self.high).all())

    @property
    def sums(self) -> tuple[int, int]:
        return int(self.low.sum()), int(self.high.sum())

    def precision(self, before: Any) -> float:
        return float(gains(self.place, before, self.trapezoids).mean())

    def alike(self, total: int) -> Any:
        """All at one level as far as the bounds let them, with a given sum."""
        import numpy as np

        low, high = 0, self.matrix.n
        while low < high:
            level = (low + high) // 2
            if np.clip(level, self.low, self.high).sum() < total:
                low = level + 1
            else:
                high = level
        return self.adjusted(np.clip(low, self.low, self.high), total)

    def apart(self, total: int) -> Any:
        """The first as small and the last as large as the bounds let them be, with a given sum."""
        import numpy as np

        rises = np.cumsum((self.high - self.low)[::-1])[::-1]
        rest = total - int(self.low.sum())
        found = np.where(rises <= rest, self.high, self.low)
        return self.adjusted(found, total)

    def adjusted(self, before: Any, total: int) -> Any:
        """The same, changed one by one until the sum is as given: the last are raised, or the first lowered."""
        found = before.copy()
        missing = total - int(found.sum())
        while missing:
            was = missing
            most_each = 1 + abs(missing) // len(found)
            places = range(len(found) - 1, -1, -1) if missing > 0 else range(len(found))
            for i in places:
                if missing > 0:
                    most = min(self.high[i], found[i + 1] if i + 1 < len(found) else self.high[i])
                    step = min(most_each, missing, int(most - found[i]))
                else:
                    least = max(self.low[i], found[i - 1] if i else self.low[i])
                    step = max(-most_each, missing, int(least - found[i]))
                found[i] += step
                missing -= step
                if not missing:
                    break
            if missing == was:
                break
        return found

    def between(self, total: int, low: float, high: float) -> Iterator[Any]:
        """Arrangements of a sum whose average precision is about between two ends; none is promised to fit."""
        import numpy as np

        ends = self.alike(total), self.apart(total)
        wanted = (low + high) / 2
        start, stop = 0.0, 1.0
        found = ends[0]
        for _ in range(_HALVINGS):
            share = (start + stop) / 2
            found = self.adjusted(np.floor((1 - share) * ends[0] + share * ends[1] + 0.5).astype(np.int64), total)
            if self.precision(found) < wanted:
                start = share
            else:
                stop = share
        yield from (self.exchanged(found, low, high), *ends)

    def exchanged(self, before: Any, low: float, high: float) -> Any:
        """The same sum with single negatives moved from before one positive to before another, for the precision."""
        import numpy as np

        found = before.copy()
        for _ in range(_EXCHANGES):
            missing = (low + high) / 2 - self.precision(found)
            if abs(missing) <= (high - low) / 2 * 0.9:
                break
            up, down = self._free(found)
            if not len(up) or not len(down):
                break
            place = self.place
            lost = (place[up] / (place[up] + found[up] + 1) - place[up] / (place[up] + found[up])) / len(found)
            won = (place[down] / (place[down] + found[down] - 1) - place[down] / (place[down] + found[down])) / len(
                found
            )
            order = np.argsort(won)
            near = np.clip(np.searchsorted(won[order], missing - lost), 0, len(down) - 1)
            off = abs(missing - lost - won[order][near])
            off[up == down[order][near]] = np.inf
            chosen = int(np.argmin(off))
            if not off[chosen] < abs(missing):
                break
            found[up[chosen]] += 1
            found[down[order][near[chosen]]] -= 1
            if (np.diff(found) < 0).any():
                return before
        return found

    def _change(self, found: Any, places: Any, step: int) -> Any:
        """By how much the precision changes with one number more, or less."""
        own, now = self.place[places], found[places]
        return (gains(own, now + step, self.trapezoids) - gains(own, now, self.trapezoids)) / len(found)

    def _free(self, found: Any) -> tuple[Any, Any]:
        """Which may be one larger, and which one smaller."""
        import numpy as np

        after = np.append(found[1:], self.matrix.n)
        ahead = np.insert(found[:-1], 0, 0)
        up = np.flatnonzero((found < self.high) & (found < after))
        return up, np.flatnonzero((found > self.low) & (found > ahead))

    def curve(self, before: Any, *, half: bool = False) -> Curve:
        """The curve of an arrangement; with ``half`` one positive is tied with the negative before it."""
        p, n = self.matrix.p, self.matrix.n
        vertices: list[Vertex] = [(0, 0)]
        tied = next((i for i in range(p) if half and before[i] > (before[i - 1] if i else 0)), None)
        for i in range(p):
            across = int(before[i])
            if i == tied:
                vertices.append((across - 1, i))
            else:
                vertices.append((across, i))
            vertices.append((across, i + 1))
        vertices.append((n, p))
        vertices.append((self.matrix.fp, self.matrix.tp))
        return Curve(_bare(sorted(set(vertices)), (self.matrix.fp, self.matrix.tp)), self.matrix)


def _bare(vertices: list[Vertex], kept: Vertex) -> tuple[Vertex, ...]:
    """Without vertices on a straight side of the walk."""
    found: list[Vertex] = []
    for place, vertex in enumerate(vertices):
        if found and place + 1 < len(vertices) and vertex != kept:
            (a, b), (c, d) = found[-1], vertices[place + 1]
            if a == vertex[0] == c or b == vertex[1] == d:
                continue
        found.append(vertex)
    return tuple(found)
