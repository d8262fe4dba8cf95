"""What a set of scores leaves open, whatever their values.

The rates of a confusion matrix have three degrees of freedom. Scores fix as many of them as their gradients are
independent, and a quantity is fixed with them if its gradient depends on theirs. Gradients are exact: the ratio is
evaluated on dual numbers at a point without special symmetry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.kinds.unknown_classes.forms import CellRatio

_POINT = (Fraction(97), Fraction(31), Fraction(43), Fraction(211))


@dataclass(frozen=True, slots=True)
class _Dual:
    """A value and its gradient in the four cells."""

    value: Fraction
    slope: tuple[Fraction, ...]

    def __add__(self, other: Any) -> _Dual:
        other = _dual(other)
        return _Dual(self.value + other.value, tuple(x + y for x, y in zip(self.slope, other.slope, strict=True)))

    __radd__ = __add__

    def __neg__(self) -> _Dual:
        return _Dual(-self.value, tuple(-x for x in self.slope))

    def __sub__(self, other: Any) -> _Dual:
        return self + -_dual(other)

    def __rsub__(self, other: Any) -> _Dual:
        return _dual(other) + -self

    def __mul__(self, other: Any) -> _Dual:
        other = _dual(other)
        slope = tuple(x * other.value + self.value * y for x, y in zip(self.slope, other.slope, strict=True))
        return _Dual(self.value * other.value, slope)

    __rmul__ = __mul__

    def __pow__(self, power: int) -> _Dual:
        result = _dual(1)
        for _ in range(power):
            result = result * self
        return result

    def __abs__(self) -> _Dual:
        return -self if self.value < 0 else self


def _dual(value: Any) -> _Dual:
    return value if isinstance(value, _Dual) else _Dual(Fraction(value), (Fraction(0),) * 4)


def _gradient(ratio: CellRatio) -> list[Fraction]:
    cells = [_Dual(x, tuple(Fraction(int(j == k)) for j in range(4))) for k, x in enumerate(_POINT)]
    num, den = (_dual(part) for part in ratio(*cells))
    return [x * den.value - num.value * y for x, y in zip(num.slope, den.slope, strict=True)]


def _rank(rows: Sequence[Sequence[Fraction]]) -> int:
    rows = [list(row) for row in rows]
    rank = 0
    for column in range(4):
        pivot = next((k for k in range(rank, len(rows)) if rows[k][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for k in range(rank + 1, len(rows)):
            factor = rows[k][column] / rows[rank][column]
            rows[k] = [x - factor * y for x, y in zip(rows[k], rows[rank], strict=True)]
        rank += 1
    return rank


def degrees_fixed(ratios: Sequence[CellRatio]) -> int:
    """How many of the three degrees of freedom these scores fix.

    >>> from scoreproof.kinds.binary.scores import score
    >>> degrees_fixed([score(name).ratio for name in ("sens", "spec", "bm")])
    2
    """
    return _rank([_gradient(ratio) for ratio in ratios])


def fixes(ratios: Sequence[CellRatio], wanted: CellRatio) -> bool:
    """Whether exact values of these scores would leave only isolated values of the wanted one."""
    rows = [_gradient(ratio) for ratio in ratios]
    return _rank([*rows, _gradient(wanted)]) == _rank(rows)
