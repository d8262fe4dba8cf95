"""The smallest test sets that could have produced a report exactly.

Of most class counts a share of cases says at once that they do not fit: among 40 positives no sensitivity is printed
0.913. Only the others are searched for a matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.scores import ConfusionMatrix, Shape
from scoreproof.reported import Claim

_MOST_TRIES = 2_500
_MOST_TOTAL = 20_000
_LISTED = 5


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
) -> Smallest:
    """The smallest totals, with a prevalence from ``low`` to ``high``, whose class counts fit every one of the reports.

    The matrices are those of the first report.
    """
    found: list[ConfusionMatrix] = []
    shares = [reached for report in reports for reached in _shares(report)]
    (a, b), (c, d) = low.as_integer_ratio(), high.as_integer_ratio()
    tries = 0
    for total in range(1, _MOST_TOTAL + 1):
        for p in range(max(0, -(-a * total // b)), min(total, c * total // d) + 1):
            tries += len(reports)
            for reached in shares:
                if not reached(p, total - p):
                    break
            else:
                cell = _fits(reports, p, total - p)
                if cell is None:
                    continue
                tp, tn = cell
                found.append(ConfusionMatrix(tp, total - p - tn, p - tp, tn))
                break
        if len(found) == listed or tries > most_tries:
            return Smallest(tuple(found), total)
    return Smallest(tuple(found), _MOST_TOTAL)


def _shares(report: tuple[Claim, ...]) -> list[Callable[[int, int], bool]]:
    """For each score of a report whose denominator is known from p and n: whether a whole numerator reaches it."""
    return [_reached(claim) for claim in report if claim.score.shape is Shape.LINEAR]


def _reached(claim: Claim) -> Callable[[int, int], bool]:
    ratio = claim.score.ratio
    ends = claim.score.link.inverse(claim.low), claim.score.link.inverse(claim.high)
    (a, b), (c, d) = (end.as_integer_ratio() for end in ends)

    def reached(p: int, n: int) -> bool:
        denominator: int = ratio(0, n, p, 0)[1]
        return -(-a * denominator // b) <= c * denominator // d

    return reached


def _fits(reports: tuple[tuple[Claim, ...], ...], p: int, n: int) -> tuple[int, int] | None:
    """A cell for the first report, if these class counts fit all reports."""
    first = None
    for report in reports:
        cell = decide([band(index, one, p, n) for index, one in enumerate(report)]).cell
        if cell is None:
            return None
        first = first or cell
    return first
