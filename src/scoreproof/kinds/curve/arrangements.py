"""Local search (Hoos and Stuetzle 2004) over rankings without ties, for AUC, average precision and best accuracy.

A ranking without ties is how many negatives c_1 <= c_2 <= ... <= c_p come before each positive. An operating point and
a best accuracy bound each of them, the AUC says their sum, and the average precision is the mean of i / (i + c_i). With
a given sum it is small if they are all alike and large if the first are small and the last large; on the way from one
to the other it takes nearly everything between. Floats propose; whether a curve gives the report is judged elsewhere.

The i-th positive with c negatives before it adds i / (i + c) to the average precision, the j-th negative after b
positives takes away what it costs all positives after it: either way both areas are sums over the cases of the smaller
class. Where these are few, two at a time are placed anew, wherever both together fit best.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.path import Curve

MOST_POSITIVES = 20_000
_HALVINGS = 30


class Arrangement:
    """How many of the other class come before each case of one class, between bounds that never fall."""

    def __init__(
        self, matrix: ConfusionMatrix, best: int | None = None, touch: int | None = None, *, by_positives: bool = True
    ) -> None:
        import numpy as np

        self.matrix, self.by_positives, p, n = matrix, by_positives, matrix.p, matrix.n
        own, other, count, most = (matrix.tp, matrix.fp, p, n) if by_positives else (matrix.fp, matrix.tp, n, p)
        self.place = np.arange(1, count + 1)
        self.low, self.high = np.where(self.place <= own, 0, other), np.where(self.place <= own, other, most)
        if best is not None:  # no threshold has more right answers, and one has as many
            self.low = np.maximum(self.low, self.place + n - best)
            if touch is not None:
                self.high[:touch] = np.minimum(self.high[:touch], touch + n - best)

    @property
    def possible(self) -> bool:
        return bool((self.low <= self.high).all())

    def precision(self, at: Any) -> float:
        return float((self.place / (self.place + at)).mean())

    def between(self, total: int, precision: float | None) -> Any:
        """All as alike as the bounds let them be, or so far apart that the average precision is about as wanted."""
        import numpy as np

        level, top = 0, int(self.high.max())
        while level < top:  # the first level up to which the sum can be raised
            middle = (level + top) // 2
            enough = np.clip(middle, self.low, self.high).sum() >= total
            level, top = (level, middle) if enough else (middle + 1, top)
        before, least = (np.clip(height, self.low, self.high) for height in (level - 1, level))
        rise = int(least.sum() - before.sum())
        alike = least - (least - before) * ((least.sum() - total) / rise if rise else 0.0)
        widths = self.high - self.low
        apart = self.low + np.clip(total - self.low.sum() - (widths.sum() - np.cumsum(widths)), 0, widths)
        at = _rounded(alike, total)
        if precision is None:
            return at
        start, stop = 0.0, 1.0
        for _ in range(_HALVINGS):
            share = (start + stop) / 2
            at = _rounded((1 - share) * alike + share * apart, total)
            start, stop = (share, stop) if self.precision(at) < precision else (start, share)
        return at

    def curve(self, at: Any, *, half: bool = False) -> Curve:
        """The curve of these places; with ``half`` one positive is tied with the negative before it."""
        operating = (self.matrix.fp, self.matrix.tp)
        corners = {(0, 0), operating, (self.matrix.n, self.matrix.p)}
        for across, places in groupby(range(len(at)), key=lambda place: int(at[place])):
            first, *rest = places
            ends = first, (rest or [first])[-1] + 1
            corners |= {(across, end) if self.by_positives else (end, across) for end in ends}
        vertices = sorted(corners)
        for place in range(1, len(vertices) - 1) if half else ():
            (a, b), (x, y), (c, d) = vertices[place - 1 : place + 2]
            if b == y and x == c and (x, y) != operating:
                vertices[place : place + 1] = sorted({(x - 1, y), (x, y + 1)} - {(a, b), (c, d)})
                break
        return Curve(tuple(vertices), self.matrix)


def _rounded(at: Any, total: int) -> Any:
    """Whole numbers with a given sum, those of the largest fractions rounded up: what never falls then never does."""
    import numpy as np

    whole = np.floor(at + 1e-9).astype(np.int64)
    up = total - int(whole.sum())
    whole[np.argsort(at - whole, kind="stable")[len(whole) - up :]] += 1
    return whole


MOST_PLACED = 60
_STEPS = 150
_STARTS = 6
_PLACES = 300  # of one case that are tried
_SUM_WEIGHT = 10.0


def placed_curves(
    matrix: ConfusionMatrix, half_cells: tuple[int, int], ends: tuple[Fraction, Fraction] | None
) -> Iterator[Curve]:
    """Rankings through a matrix with 2 p n AUC and the average precision between ends, as it seems."""
    import numpy as np

    p, n = matrix.p, matrix.n
    if ends is None or min(p, n) > MOST_PLACED:
        return
    cases = Arrangement(matrix, by_positives=p <= n)
    table = _table(p, n, cases.by_positives)
    sums, odd = sums_of(half_cells, p * n)
    if not cases.by_positives:
        sums = p * n - sums[1] - odd, p * n - sums[0] - odd
    rng = np.random.default_rng(0)
    for _ in range(_STARTS):
        start = np.sort(rng.uniform(size=len(cases.low)))
        at = np.round(cases.low + start * (cases.high - cases.low)).astype(np.int64)
        at = _settled(at, cases.low, cases.high, table, sums, (float(ends[0]), float(ends[1])), rng)
        if at is not None:
            yield cases.curve(at, half=odd)


def sums_of(half_cells: tuple[int, int], cells: int) -> tuple[tuple[int, int], bool]:
    """The sums of negatives before the positives for 2 p n AUC, and whether half a cell is left: a tie of two cases."""
    odd = half_cells[0] == half_cells[1] and half_cells[0] % 2 == 1
    return (cells - half_cells[1] // 2, cells - (half_cells[0] + (0 if odd else 1)) // 2), odd


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
