"""A sieve over class counts: the smallest test sets that give a report, and a small matrix near one that fits.

Cones of rates are searched for a direction, and what they give has numbers of cases that no paper has. Every total in
turn is shared out to the four cells by these rates, each cell rounded down or up so that they add up; the first that
fits is near the smallest where all rates that fit are near each other. Large totals, of which most fit, are tried in
steps.

Of most class counts a share of cases says at once that they do not fit: among 40 positives no sensitivity is printed
0.913. Only the others are searched for a matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.scores import ConfusionMatrix, Shape
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


_MOST_TRIES = 2_500
_MOST_TOTAL = 20_000
_PER_TRY = 500  # class counts whose shares are asked while one pair of them is searched for a matrix
_BLOCK = 64
_LISTED = 5
_SAFE = 1 << 62


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest totals that fit, each with a matrix; every smaller total up to ``searched`` is excluded."""

    matrices: tuple[ConfusionMatrix, ...]
    searched: int

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(matrix.p + matrix.n for matrix in self.matrices)


def smallest(
    reports: tuple[tuple[Claim, ...], ...],
    low: Fraction,
    high: Fraction,
    *,
    listed: int = _LISTED,
    most_tries: int = _MOST_TRIES,
    most_total: int = _MOST_TOTAL,
) -> Smallest:
    """The smallest totals, with a prevalence from ``low`` to ``high``, whose class counts fit every one of the reports.

    The matrices are those of the first report. ``most_tries`` class counts are searched for one, and a few more.
    """
    matrices: list[ConfusionMatrix] = []
    shares = [claim for report in reports for claim in report if claim.score.shape is Shape.LINEAR]
    tries, searched = 0, 0
    for totals in _blocks(low, high, most_total, most_tries * _PER_TRY):
        possible: dict[int, list[int]] = {}
        for p, total in _class_counts(totals, low, high, shares):
            possible.setdefault(total, []).append(p)
        for total, positives in possible.items():
            for p in positives:
                tries += len(reports)
                cell = _fits(reports, p, total - p)
                if cell is not None:
                    tp, tn = cell
                    matrices.append(ConfusionMatrix(tp, total - p - tn, p - tp, tn))
                    break
            if len(matrices) == listed or tries > most_tries:
                return Smallest(tuple(matrices), total)
        searched = totals[-1]
    return Smallest(tuple(matrices), searched)


def _blocks(low: Fraction, high: Fraction, most_total: int, most_pairs: int) -> Iterator[range]:
    """Totals that are looked at together, as long as they have not too many class counts."""
    first, pairs, share = 1, 0.0, float(high - low)
    while first <= most_total and pairs < most_pairs:
        last = min(most_total, max(_BLOCK, 3 * first // 2))
        pairs += (last - first + 1) * (1 + share * last)
        yield range(first, last + 1)
        first = last + 1


def _class_counts(totals: range, low: Fraction, high: Fraction, shares: list[Claim]) -> list[tuple[int, int]]:
    """The (p, total) of which a share of cases does not say that they do not fit."""
    (a, b), (c, d) = low.as_integer_ratio(), high.as_integer_ratio()
    ends = [(max(0, -(-a * total // b)), min(total, c * total // d)) for total in totals]
    widths = np.array([max(0, last - first + 1) for first, last in ends])
    starts = np.array([first for first, _ in ends])
    sizes = np.repeat(np.array(totals), widths)
    p = np.arange(len(sizes)) + np.repeat(starts - np.cumsum(widths) + widths, widths)
    for claim in shares:
        possible = _reached(claim, p, sizes - p)
        p, sizes = p[possible], sizes[possible]
    return list(zip(p.tolist(), sizes.tolist(), strict=True))


def _reached(claim: Claim, p: Any, n: Any) -> Any:
    """Whether a whole numerator reaches a share of cases whose denominator is known from p and n."""
    denominator = np.broadcast_to(claim.score.ratio(0, n, p, 0)[1], p.shape)
    (a, b), (c, d) = (claim.score.link.inverse(end).as_integer_ratio() for end in (claim.low, claim.high))
    if max(abs(a), b, abs(c), d) * int(denominator.max(initial=1)) >= _SAFE:
        denominator = denominator.astype(object)
    return -(-a * denominator // b) <= c * denominator // d


def _fits(reports: tuple[tuple[Claim, ...], ...], p: int, n: int) -> tuple[int, int] | None:
    """A cell for the first report, if these class counts fit all reports."""
    first = None
    for report in reports:
        cell = decide([band(index, claim, p, n) for index, claim in enumerate(report)]).cell
        if cell is None:
            return None
        first = first or cell
    return first
