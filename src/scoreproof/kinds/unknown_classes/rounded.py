"""A small matrix near one that fits: its rates, rounded to whole cases of a total.

Cones of rates are searched for a direction, and what they give has numbers of cases that no paper has. Every total in
turn is shared out to the four cells by these rates, each cell rounded down or up so that they add up; the first that
fits is near the smallest where all rates that fit are near each other. Large totals, of which most fit, are tried in
steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.reported import Claim

_EVERY = (1, 100, 1_000, 5_000, 20_000)  # totals up to the last are tried one by one, between each two together
_MOST, _RISE = 1e13, 1.05
_NEAR = 1e-9  # floats propose what lies so close
_UP = np.array(list(product((0, 1), repeat=4)), dtype=np.int64)


def rounded(
    claims: tuple[Claim, ...], matrix: ConfusionMatrix, holds: Callable[[ConfusionMatrix], bool]
) -> ConfusionMatrix:
    """The first total whose shares, rounded, hold; the matrix itself if none does."""
    rates = np.array(matrix.cells, dtype=np.float64) / (matrix.p + matrix.n)
    for totals in _totals(matrix.p + matrix.n):
        shares = totals[:, None] * rates
        floors = np.floor(shares)
        missing = totals - floors.sum(axis=1)
        which, how = np.nonzero(missing[:, None] == _UP.sum(axis=1))
        cells = floors[which] + _UP[how]
        fits = np.ones(len(cells), dtype=np.bool_)
        for claim in claims:
            values = claim.score.values(*cells.T)
            fits &= (values >= float(claim.low) - _NEAR) & (values <= float(claim.high) + _NEAR)
        for proposal in cells[fits]:
            smaller = ConfusionMatrix(*(int(cell) for cell in proposal))
            if holds(smaller):
                return smaller
    return matrix


def _totals(most: int) -> Iterator[NDArray[np.float64]]:
    """Totals below one, by the numbers that are tried together."""
    for first, last in pairwise(_EVERY):
        yield np.arange(first, min(last, most), dtype=np.float64)
    steps = np.arange(np.log(_EVERY[-1]), np.log(min(_MOST, max(most, 1))), np.log(_RISE))
    yield np.round(np.exp(steps)).astype(np.float64)
