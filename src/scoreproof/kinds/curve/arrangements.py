"""Local search (Hoos and Stuetzle 2004) over rankings without ties, for AUC, average precision and best accuracy.

A ranking without ties is how many negatives c_1 <= c_2 <= ... <= c_p come before each positive. An operating point and
a best accuracy bound each of them, the AUC says their sum, and the average precision is the mean of i / (i + c_i). With
a given sum it is small if they are all alike and large if the first are small and the last large; on the way from one
to the other it takes nearly everything between. Floats propose; whether a curve gives the report is judged elsewhere.

Few positives or few negatives: two of them at a time are placed anew, wherever both together fit best.

The i-th positive with c negatives before it adds i / (i + c) to the average precision, the j-th negative after b
positives takes away what it costs all positives after it: either way the average precision and the AUC are sums over
the cases of the smaller class, and all places of two of them are tried at once. Floats propose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.path import Curve, Vertex

MOST_POSITIVES = 20_000
_HALVINGS = 24


class Arrangement:
    """Numbers of negatives before each positive, between bounds that never fall."""

    def __init__(self, matrix: ConfusionMatrix, best: int | None = None, touch: int | None = None) -> None:
        import numpy as np

        self.matrix, p, n = matrix, matrix.p, matrix.n
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
        return float((self.place / (self.place + before)).mean())

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
        places = np.where(rises <= rest, self.high, self.low)
        return self.adjusted(places, total)

    def adjusted(self, before: Any, total: int) -> Any:
        """The same, changed one by one until the sum is as given: the last are raised, or the first lowered."""
        moved = before.copy()
        missing = total - int(moved.sum())
        while missing:
            was = missing
            most_each = 1 + abs(missing) // len(moved)
            places = range(len(moved) - 1, -1, -1) if missing > 0 else range(len(moved))
            for i in places:
                if missing > 0:
                    most = min(self.high[i], moved[i + 1] if i + 1 < len(moved) else self.high[i])
                    step = min(most_each, missing, int(most - moved[i]))
                else:
                    least = max(self.low[i], moved[i - 1] if i else self.low[i])
                    step = max(-most_each, missing, int(least - moved[i]))
                moved[i] += step
                missing -= step
                if not missing:
                    break
            if missing == was:
                break
        return moved

    def between(self, total: int, low: float, high: float) -> Iterator[Any]:
        """Arrangements of a sum whose average precision is about between two ends; none is promised to fit."""
        import numpy as np

        ends = self.alike(total), self.apart(total)
        wanted = (low + high) / 2
        start, stop = 0.0, 1.0
        places = ends[0]
        for _ in range(_HALVINGS):
            share = (start + stop) / 2
            places = self.adjusted(np.floor((1 - share) * ends[0] + share * ends[1] + 0.5).astype(np.int64), total)
            if self.precision(places) < wanted:
                start = share
            else:
                stop = share
        yield from (places, *ends)

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
    places: list[Vertex] = []
    for place, vertex in enumerate(vertices):
        if places and place + 1 < len(vertices) and vertex != kept:
            (a, b), (c, d) = places[-1], vertices[place + 1]
            if a == vertex[0] == c or b == vertex[1] == d:
                continue
        places.append(vertex)
    return tuple(places)


MOST_PLACED = 60
_STEPS = 150
_STARTS = 4
_PLACES = 300  # of one case that are tried
_SUM_WEIGHT = 10.0


def placed_curves(
    matrix: ConfusionMatrix, half_cells: tuple[int, int], precision: tuple[float, float]
) -> Iterator[Curve]:
    """Rankings through a matrix with 2 p n AUC and the average precision between ends, as it seems."""
    import numpy as np

    p, n = matrix.p, matrix.n
    if min(p, n) > MOST_PLACED:
        return
    by_positives = p <= n
    low, high = _bounds(matrix, by_positives)
    table = _table(p, n, by_positives)
    ends = (half_cells[0] // 2 + half_cells[0] % 2, half_cells[1] // 2)
    odd = ends[0] > ends[1]  # one half cell: a tie of two cases
    if odd:
        ends = (ends[1], ends[1])
    sums = (p * n - ends[1], p * n - ends[0]) if by_positives else (ends[0], ends[1])
    rng = np.random.default_rng(0)
    for _ in range(_STARTS):
        start = np.sort(rng.uniform(size=len(low)))
        at = _settled(np.round(low + start * (high - low)).astype(np.int64), low, high, table, sums, precision, rng)
        if at is not None:
            yield _curve(matrix, at, by_positives, half=odd)


def _bounds(matrix: ConfusionMatrix, by_positives: bool) -> tuple[Any, Any]:
    """The least and the most that comes before each case of the smaller class, for the operating point."""
    import numpy as np

    own, other, most = (matrix.tp, matrix.fp, matrix.n) if by_positives else (matrix.fp, matrix.tp, matrix.p)
    before = np.arange(matrix.p if by_positives else matrix.n) < own
    return np.where(before, 0, other), np.where(before, other, most)


def _table(p: int, n: int, by_positives: bool) -> Any:
    """What each case adds to the average precision, by how many of the other class come before it."""
    import numpy as np

    positives, before = np.arange(1, p + 1), np.arange(n + 1)
    each = positives[:, None] / (positives[:, None] + before[None]) / p
    if by_positives:
        return each
    sums = np.zeros((n + 1, p + 1))
    sums[:, 1:] = np.cumsum(each.T, axis=1)
    places = sums[:-1] - sums[1:]
    places[0] += sums[n, p]  # what is left after all of them
    return places


def _settled(
    at: Any, low: Any, high: Any, table: Any, sums: tuple[int, int], precision: tuple[float, float], rng: Any
) -> Any | None:
    import numpy as np

    number = len(at)
    rows = np.arange(number)
    middle, room = sum(precision) / 2, max((precision[1] - precision[0]) / 2, 1e-15)

    def cost(value: Any, total: Any) -> Any:
        off = np.maximum(abs(value - middle) - 0.95 * room, 0.0) / (room + 1e-3)
        return off + _SUM_WEIGHT * np.maximum(np.maximum(sums[0] - total, total - sums[1]), 0) / (high[-1] + 1)

    for _ in range(_STEPS):
        value, total = table[rows, at].sum(), int(at.sum())
        if cost(value, total) == 0:
            return at
        first, second = sorted(rng.choice(number, 2, replace=False)) if number > 1 else (0, 0)
        ones = _places(at, low, high, first, second, rng)
        if first == second:
            places = cost(value - table[first, at[first]] + table[first, ones], total - at[first] + ones)
            at[first] = ones[int(np.argmin(places))]
            continue
        others = _places(at, low, high, second, first, rng)
        values = value - table[first, at[first]] - table[second, at[second]]
        values = values + table[first, ones][:, None] + table[second, others][None]
        totals = total - at[first] - at[second] + ones[:, None] + others[None]
        places = np.where(ones[:, None] <= others[None], cost(values, totals), np.inf)
        best = places.min()
        choices = np.argwhere(places <= best * (1 + 1e-9))
        lead, other = choices[rng.integers(len(choices))]
        at[first], at[second] = ones[lead], others[other]
        at = np.sort(at)
    return None


def _places(at: Any, low: Any, high: Any, case: int, beside: int, rng: Any) -> Any:
    """Where a case may be, between its neighbours; the one that is moved with it does not count."""
    import numpy as np

    before = case - 1 - (beside == case - 1)
    after = case + 1 + (beside == case + 1)
    least = max(low[case], at[before] if before >= 0 else low[case])
    most = min(high[case], at[after] if after < len(at) else high[case])
    places = np.arange(least, most + 1)
    if len(places) > _PLACES:
        places = np.unique(np.concatenate([rng.choice(places, _PLACES), [at[case]]]))
    return places


def _curve(matrix: ConfusionMatrix, at: Any, by_positives: bool, *, half: bool) -> Curve:
    """The curve of these places; with ``half`` one positive is tied with the negative before it."""
    p, n = matrix.p, matrix.n
    steps = [(int(v), i) for i, v in enumerate(at)] if by_positives else [(j, int(v)) for j, v in enumerate(at)]
    vertices: list[Vertex] = [(0, 0)]
    for x, y in steps:
        vertices += [(x, y), (x, y + 1) if by_positives else (x + 1, y)]
    vertices = sorted({*vertices, (n, p), (matrix.fp, matrix.tp)})
    if half:
        for place in range(1, len(vertices) - 1):
            (a, b), (x, y), (c, d) = vertices[place - 1 : place + 2]
            if b == y and x == c and a < x and y < d and (x, y) != (matrix.fp, matrix.tp):
                cut = {(x - 1, y), (x, y + 1)} - {(a, b), (c, d)}
                vertices = sorted({*vertices, *cut} - {(x, y)})
                break
    return Curve(tuple(vertices), matrix)
