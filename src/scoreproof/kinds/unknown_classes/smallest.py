"""The smallest test sets that could have produced a report exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.scores import ConfusionMatrix
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
    tries = 0
    for total in range(1, _MOST_TOTAL + 1):
        for p in range(max(0, math.ceil(low * total)), min(total, math.floor(high * total)) + 1):
            tries += len(reports)
            cell = _fits(reports, p, total - p)
            if cell is not None:
                tp, tn = cell
                found.append(ConfusionMatrix(tp, total - p - tn, p - tp, tn))
                break
        if len(found) == listed or tries > most_tries:
            return Smallest(tuple(found), total)
    return Smallest(tuple(found), _MOST_TOTAL)


def _fits(reports: tuple[tuple[Claim, ...], ...], p: int, n: int) -> tuple[int, int] | None:
    """A cell for the first report, if these class counts fit all reports."""
    first = None
    for report in reports:
        cell = decide([band(index, one, p, n) for index, one in enumerate(report)]).cell
        if cell is None:
            return None
        first = first or cell
    return first
