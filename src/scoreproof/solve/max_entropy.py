"""Distributions of greatest entropy under given sums (Jaynes 1957, doi:10.1103/PhysRev.106.620), by Newton's method.

There are as many unknowns as sums: the chance of a point is that of a base distribution, tilted exponentially by what
the point contributes to the sums.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.work.budget import Budget

_NEWTON, _CLOSE, _USABLE = 60, 0.05, 3.0
_PLAY = 0.5  # half-widths by which sums are off as well as not
_VALUED = 4e-5  # seconds of shares, beside their size


def tilted(
    shares: Sequence[Floats],
    counts: Sequence[int],
    middle: Floats,
    half: Floats,
    base: Sequence[Floats],
    deadline: Budget,
) -> list[Floats] | None:
    """The shares of points of greatest entropy relative to a base whose sums are the wanted ones; None if none are."""
    rows = len(middle)
    scale = np.sqrt(np.mean([own.var(axis=1) for own in shares], axis=0)) + 1e-12
    tables = [own / scale[:, None] for own in shares]
    wanted = middle / scale
    play = (_PLAY * half / scale) ** 2  # sums need not be the middles exactly, which together may be out of reach

    def value(at: Floats) -> tuple[float, Floats, Floats, list[Floats]]:
        deadline.charge(_VALUED)
        cost, slope, curve = float(at @ (play * at / 2 - wanted)), play * at - wanted, np.diag(play)
        weights = []
        for table, start, count in zip(tables, base, counts, strict=True):
            power = at @ table + start
            top = float(power.max())
            weight = np.exp(power - top)
            total = float(weight.sum())
            weight /= total
            mean = table @ weight
            away = table - mean[:, None]
            cost += count * (top + float(np.log(total)))
            slope = slope + count * mean
            curve += count * (away * weight) @ away.T
            weights.append(weight)
        return cost, slope, curve, weights

    def far(at: Floats, slope: Floats) -> float:
        """How far the sums are from the middles, in half-widths."""
        return float(np.abs((slope - play * at) * scale / half).max())

    at = np.zeros(rows)
    cost, slope, curve, weights = value(at)
    damping = 1e-6
    least = sum(count * float(start.min()) for start, count in zip(base, counts, strict=True)) - rows / _PLAY**2 / 2
    for _ in range(_NEWTON):
        if cost < least or deadline.passed:  # no chances have less entropy
            return None
        if float(np.abs(slope * scale / half).max()) < _CLOSE:
            break
        ridge = (damping + 1e-14) * (float(np.trace(curve)) / rows + 1e-9)
        try:
            step = -np.linalg.solve(curve + ridge * np.eye(rows), slope)
        except np.linalg.LinAlgError:
            return None
        for halving in range(25):
            there = value(at + step / 2**halving)
            if there[0] < cost - 1e-12:
                break
        else:
            damping *= 100
            if damping > 1e3:
                break
            continue
        at = at + step / 2**halving
        cost, slope, curve, weights = there
        damping = max(damping / 10, 1e-12)
    return weights if far(at, slope) < _USABLE else None


def binomial(count: Floats, hits: Floats, chance: float) -> Floats:
    """Logarithms of binomial probabilities, by a table of logarithms of factorials."""
    table = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, int(count.max(initial=0)) + 1)))])
    n, k = count.astype(np.int64), hits.astype(np.int64)
    return np.asarray(table[n] - table[k] - table[n - k] + k * np.log(chance) + (n - k) * np.log(1 - chance))
