"""Few positives or few negatives: two of them at a time are placed anew, wherever both together fit best.

The i-th positive with c negatives before it adds i / (i + c) to the average precision, the j-th negative after b
positives takes away what it costs all positives after it: either way the average precision and the AUC are sums over
the cases of the smaller class, and all places of two of them are tried at once. Floats propose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.arranged import gains
from scoreproof.kinds.curve.path import Curve, Vertex

MOST_PLACED = 60
_STEPS = 150
_STARTS = 4
_PLACES = 300  # of one case that are tried
_SUM_WEIGHT = 10.0


def placed_curves(
    matrix: ConfusionMatrix, half_cells: tuple[int, int], precision: tuple[float, float], *, trapezoids: bool
) -> Iterator[Curve]:
    """Rankings through a matrix with 2 p n AUC and the average precision between ends, as it seems."""
    import numpy as np

    p, n = matrix.p, matrix.n
    if min(p, n) > MOST_PLACED:
        return
    by_positives = p <= n
    low, high = _bounds(matrix, by_positives)
    table = _table(p, n, by_positives, trapezoids)
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


def _table(p: int, n: int, by_positives: bool, trapezoids: bool) -> Any:
    """What each case adds to the average precision, by how many of the other class come before it."""
    import numpy as np

    positives, before = np.arange(1, p + 1), np.arange(n + 1)
    each = gains(positives[:, None], before[None], trapezoids) / p
    if by_positives:
        return each
    sums = np.zeros((n + 1, p + 1))
    sums[:, 1:] = np.cumsum(each.T, axis=1)
    found = sums[:-1] - sums[1:]
    found[0] += sums[n, p]  # what is left after all of them
    return found


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
            found = cost(value - table[first, at[first]] + table[first, ones], total - at[first] + ones)
            at[first] = ones[int(np.argmin(found))]
            continue
        others = _places(at, low, high, second, first, rng)
        values = value - table[first, at[first]] - table[second, at[second]]
        values = values + table[first, ones][:, None] + table[second, others][None]
        totals = total - at[first] - at[second] + ones[:, None] + others[None]
        found = np.where(ones[:, None] <= others[None], cost(values, totals), np.inf)
        best = found.min()
        choices = np.argwhere(found <= best * (1 + 1e-9))
        one, other = choices[rng.integers(len(choices))]
        at[first], at[second] = ones[one], others[other]
        at = np.sort(at)
    return None


def _places(at: Any, low: Any, high: Any, case: int, beside: int, rng: Any) -> Any:
    """Where a case may be, between its neighbours; the one that is moved with it does not count."""
    import numpy as np

    before = case - 1 - (beside == case - 1)
    after = case + 1 + (beside == case + 1)
    least = max(low[case], at[before] if before >= 0 else low[case])
    most = min(high[case], at[after] if after < len(at) else high[case])
    found = np.arange(least, most + 1)
    if len(found) > _PLACES:
        found = np.unique(np.concatenate([rng.choice(found, _PLACES), [at[case]]]))
    return found


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
