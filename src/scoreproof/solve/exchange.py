"""Exchange search with meet in the middle (Horowitz and Sahni 1974) over whole numbers whose measures add up.

Two numbers at a time are replaced, or many at once, wherever they together bring all sums nearest to their ends: all
pairs are tried at once, and of many all choices for one half are listed, the choice for the other half that brings what
it lacks being looked for in a tree. Floats propose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import Any

from scoreproof.work.budget import Budget

_STEPS = 400
_STEP, _LISTED = 2e-4, 5e-3  # seconds of an exchange of two, and of many
_MANY, _PAIRED = 0.08, 48  # how often many ranks are changed, and among how many
_TABLE = 3_000  # choices of ranks that are listed
_ASIDE, _AMONG = 0.3, 40  # how often one of the best pairs is taken instead of the best, and of how many
_NEAR = 24  # ranks from the first on that are all tried
_FEW = 90  # ranks that are tried at all
_SPREAD = 40  # of them those that a mean rank asks for
Counted = dict[int, int]  # how many queries have each rank


def exchanged(
    ranks: Counted,
    sums: Callable[[Any], Any],
    ends: Sequence[tuple[float, float]],
    known: Sequence[int],
    *,
    last: int | None,
    mean_rank: int | None,
    deadline: Budget,
    seed: int,
) -> Counted:
    """The ranks with pairs exchanged until every sum lies between its ends, or the steps are used up.

    ``sums`` gives what queries of some ranks add to each measure, a row per measure; ``mean_rank`` is the row of the
    mean rank if it is reported; ``known`` are ranks worth trying.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    low, high = np.array(ends, dtype=float).T
    middle, room = (low + high) / 2, np.maximum((high - low) / 2, 1e-12 * np.maximum(1.0, abs(high)))

    def cost(values: Any) -> Any:
        shape = (-1,) + (1,) * (values.ndim - 1)
        off = abs(values - middle.reshape(shape)) / room.reshape(shape)
        return np.log1p(np.maximum(off - 0.9999, 0.0)).sum(axis=0)

    counts = dict(ranks)
    for _ in range(_STEPS):
        deadline.charge(_STEP)
        places = np.array(sorted(counts))
        weights = np.array([counts[int(rank)] for rank in places], dtype=float)
        total = sums(places) @ weights
        if cost(total) == 0 or deadline.passed:
            break
        likely = weights / weights.sum() if rng.random() < 0.5 else None
        pair: tuple[int, ...] = tuple(int(rank) for rank in rng.choice(places, 2, p=likely))
        if pair[0] == pair[1] and counts[pair[0]] < 2:
            if sum(counts.values()) > 1:
                continue
            pair = (pair[0],)
        rest = total - sums(np.array(pair)).sum(axis=1)
        tried = _new_ranks(known, pair, None if mean_rank is None else middle[mean_rank] - rest[mean_rank], last, rng)
        gained = sums(tried)
        queries = int(weights.sum())
        if rng.random() < _MANY and queries >= 4:
            tried, gained = _apart(tried, gained, rng)
            size = _size(len(tried), queries)
            pair = _drawn(rng, counts, 2 * size)
            rest = total - sums(np.array(pair)).sum(axis=1)
            deadline.charge(_LISTED)
            new = _many(rest, tried, gained, size, (middle, room), rng)
        elif len(pair) == 1:
            new = [int(tried[int(np.argmin(cost(rest[:, None] + gained)))])]
        else:
            costs = cost(rest[:, None, None] + gained[:, :, None] + gained[:, None, :])
            least = costs.min()
            if least > 0 and rng.random() < _ASIDE:
                least = np.partition(costs, min(_AMONG, costs.size - 1), axis=None)[min(_AMONG, costs.size - 1)]
            choices = np.argwhere(costs <= least * (1 + 1e-9))
            new = [int(tried[place]) for place in choices[rng.integers(len(choices))]]
        for rank in pair:
            counts[rank] -= 1
            if not counts[rank]:
                del counts[rank]
        for rank in new:
            counts[rank] = counts.get(rank, 0) + 1
    return counts


def _drawn(rng: Any, counts: Counted, number: int) -> tuple[int, ...]:
    """The ranks of so many queries, all of them alike."""
    import numpy as np

    ranks = np.array(sorted(counts))
    drawn = rng.multivariate_hypergeometric([counts[int(rank)] for rank in ranks], number)
    return tuple(int(rank) for rank, times in zip(ranks, drawn, strict=True) for _ in range(times))


def _size(ranks: int, queries: int) -> int:
    """How many queries of so many ranks a table of all their choices has."""
    size = 2
    while 2 * size + 2 <= queries and comb(ranks + size, size + 1) <= _TABLE:
        size += 1
    return size


def _many(rest: Any, tried: Any, gained: Any, size: int, aim: tuple[Any, Any], rng: Any) -> list[int]:
    """Ranks of twice so many queries whose sums, with the rest, come nearest to the middles, in rooms of the claims."""
    import numpy as np
    from scipy.spatial import cKDTree

    middle, room = aim
    table = np.array(list(combinations_with_replacement(range(len(tried)), size)))
    sums = gained[:, table].sum(axis=2) / room[:, None]
    wanted = ((middle - rest) / room)[:, None] - sums
    nearest: tuple[Any, Any] = cKDTree(sums.T).query(wanted.T, p=np.inf)
    distance, partner = nearest
    near = np.flatnonzero(distance <= max(distance.min(), 0.9999))
    best = int(near[rng.integers(len(near))])
    return [int(tried[place]) for place in (*table[best], *table[int(partner[best])])]


def _apart(tried: Any, gained: Any, rng: Any) -> tuple[Any, Any]:
    """Of ranks that add the same to every measure one each, and of these not too many: the first, and some others."""
    import numpy as np

    _, first = np.unique(gained, axis=1, return_index=True)
    first.sort()
    if len(first) > _PAIRED:
        first = np.unique(np.concatenate([first[: _PAIRED // 2], rng.choice(first, _PAIRED // 2)]))
    return tried[first], gained[:, first]


def _new_ranks(known: Sequence[int], pair: Sequence[int], wanted: float | None, last: int | None, rng: Any) -> Any:
    """Ranks to try: the first ones, those worth trying, those of the pair, and what a mean rank leaves for one."""
    import numpy as np

    near = np.arange(1, _NEAR + 1)
    some = np.array(known)
    if len(some) > _FEW and len(pair) > 1:
        some = rng.choice(some, _FEW, replace=False)
    ranks = [near, some, np.array(pair)]
    if wanted is not None:
        ranks.append(np.floor(wanted + 0.5).astype(np.int64) - np.concatenate([[0], np.arange(1, _SPREAD), pair]))
    together = np.unique(np.concatenate(ranks).astype(np.int64))
    return together[(together >= 1) & (together <= (last or together.max()))]
