"""The smallest test sets that could have produced a report exactly.

Of most class counts a share of cases says at once that they do not fit: among 40 positives no sensitivity is printed
0.913. Only the others are searched for a matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.scores import ConfusionMatrix, Shape
from scoreproof.reported import Claim

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
    found: list[ConfusionMatrix] = []
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
                    found.append(ConfusionMatrix(tp, total - p - tn, p - tp, tn))
                    break
            if len(found) == listed or tries > most_tries:
                return Smallest(tuple(found), total)
        searched = totals[-1]
    return Smallest(tuple(found), searched)


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
        cell = decide([band(index, one, p, n) for index, one in enumerate(report)]).cell
        if cell is None:
            return None
        first = first or cell
    return first
