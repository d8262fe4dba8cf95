"""Multipliers for a report that leaves a score out of some set, where it is 0/0: with a bonus for each such set.

Matrices on which a score may be left out lie on the edge: without tp, without tn, with nothing called negative. There
some other score is far from its mean, further than its deviation, or what the other sets can make good, allows. Each
score gives a simple vector that says so (its squares, or its mean, alone); the weights that do best against the least
favourable of these matrices are those of a game between the two. Floats only propose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Flags, Floats
from scoreproof.kinds.binary.engine.averages.targets import Target

_ROUNDS, _PACE = 400, 0.2  # of a game
_ENOUGH = 1.05  # of what must be outweighed, so that rounding does no harm
_LIGHT = 1e-3  # of all weights: what is left out


@dataclass(frozen=True, slots=True)
class EdgeValues:
    """A score on edge matrices of all kinds of sets: its values, where it may be left out, and the sets' weights."""

    target: Target
    value: Floats
    out: Flags
    weight: Floats


@dataclass(frozen=True, slots=True)
class _Vector:
    """A simple vector: how much all sets can add at most (``reach``), and how much less edge matrices do."""

    score: int
    mean: int
    square: int
    reach: float
    lacking: Floats


def _vectors(number: int, edge: EdgeValues, sets: int) -> list[_Vector]:
    target, f, w = edge.target, edge.value, edge.weight
    assert target.mean is not None
    low, high = (float(end) for end in target.mean)
    least, most = (float(end) for end in target.score.range if end is not None)
    # left out it adds nothing, or a 0/0 counts as 0: whichever is more
    up = np.where(edge.out, np.minimum(w * (most - low), w * most), w * (most - f))
    down = np.where(edge.out, np.minimum(w * (high - least), -w * least), w * (f - least))
    found = [_Vector(number, 1, 0, most - low, up), _Vector(number, -1, 0, high - least, down)]
    if target.variance is not None:
        c = float(target.centre)
        variance = float(target.variance[1]) * (sets if target.error else 1)
        each = variance + max(abs(low - c), abs(high - c)) ** 2
        lacking = np.where(edge.out, min(each, c**2), (f - c) ** 2)
        found.append(_Vector(number, 0, -1, sets * each - min(target.ddof) * variance, lacking))
    return [vector for vector in found if vector.reach > 0]


def _played(shares: Floats) -> Floats:
    """Weights of rows whose mixture is large in every column: rows that do well where it is small gain weight."""
    weights = np.zeros(len(shares))
    columns = np.zeros(shares.shape[1])
    for _ in range(_ROUNDS):
        chance = np.exp(-(columns - columns.min()) * _PACE)
        best = int((shares @ (chance / chance.sum())).argmax())
        weights[best] += 1
        columns += np.minimum(shares[best], 10.0)
    weights /= weights.sum()
    weights[weights < _LIGHT] = 0
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def bonus_multipliers(edges: Sequence[EdgeValues], sets: int, factors: float) -> tuple[Floats, Floats, int] | None:
    """Whole multipliers of means and of squares, and the bonus; None if no vectors outweigh every edge matrix.

    ``factors`` is what the multipliers may add up to.
    """
    vectors = [vector for number, edge in enumerate(edges) for vector in _vectors(number, edge, sets)]
    if not vectors:
        return None
    shares = np.stack([vector.lacking / vector.reach for vector in vectors])
    weights = _played(shares) / [vector.reach for vector in vectors]
    whole = np.rint(weights / weights.sum() * factors)
    means, squares = np.zeros(len(edges)), np.zeros(len(edges))
    reach, lacking = 0.0, np.zeros(shares.shape[1])
    for factor, vector in zip(whole, vectors, strict=True):
        if means[vector.score] * vector.mean < 0:
            continue  # the other direction, which was given more, stands
        means[vector.score] += factor * vector.mean
        squares[vector.score] += factor * vector.square
        reach += factor * vector.reach
        lacking += factor * vector.lacking
    if not reach or float(lacking.min()) < _ENOUGH * reach:
        return None
    return means, squares, int((reach + float(lacking.min())) / 2)
