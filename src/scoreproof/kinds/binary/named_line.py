"""The line of matrices that one printed rate names, and the stretch of it that the other scores leave.

Sensitivity says tp, specificity tn, accuracy their sum: one count then runs free. Every bound on a score that is affine
over affine is a bound on that count, so the scores leave an interval; the matrix in its middle is tried. What the line
does not give is left to the engine. ``many_lines`` is the same for many reports at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from scoreproof.kinds.binary.named_box import NAMING
from scoreproof.kinds.binary.scores import Shape
from scoreproof.reported import Claim

HALF_PLANES = (Shape.LINEAR, Shape.FRACTIONAL)  # the shapes whose bounds are straight


class RateLine(NamedTuple):
    """Matrices (tp, tn) = (start + k step) for k = 0, ..., length."""

    start: tuple[int, int]
    step: tuple[int, int]
    length: int

    def at(self, k: int) -> tuple[int, int]:
        return self.start[0] + k * self.step[0], self.start[1] + k * self.step[1]


def matrix_on_line(claims: tuple[Claim, ...], name: str, count: int, p: int, n: int) -> tuple[int, int] | None:
    """tp and tn in the middle of what is left of the line, which may or may not give every score.

    ``name`` is the rate of the line, ``count`` the right answers that it says.
    """
    line = _line(name, count, p, n)
    low, high = 0, line.length
    ends = line.at(0), line.at(1)
    for claim in claims:
        quantity: Any = claim.quantity
        if quantity.name in NAMING or quantity.shape not in HALF_PLANES:
            continue
        (num, den), (num_next, den_next) = (quantity.ratio(tp, n - tn, p - tp, tn) for tp, tn in ends)
        least, below, most, above = claim.ends
        for value, following in (
            (num * below - least * den, num_next * below - least * den_next),
            (most * den - num * above, most * den_next - num_next * above),
        ):  # not below zero where the claim holds
            slope = following - value
            if slope > 0:
                low = max(low, -(value // slope))
            elif slope < 0:
                high = min(high, value // -slope)
            elif value < 0:
                return None
        if low > high:
            return None
    return line.at((low + high) // 2) if low <= high else None


def _line(name: str, count: int, p: int, n: int) -> RateLine:
    if name == "sens":
        return RateLine((count, 0), (0, 1), n)
    if name == "spec":
        return RateLine((0, count), (1, 0), p)
    first = max(0, count - n)
    return RateLine((first, count - first), (1, -1), min(p, count) - first)
