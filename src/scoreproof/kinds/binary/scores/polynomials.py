"""Polynomials in the four cells, to run a score's formula on instead of numbers.

A formula of plain arithmetic, called with the cells themselves as polynomials, returns its numerator and denominator in
full: what it computes for every matrix, not for those that were tried. A formula that compares, branches, divides or
takes a minimum cannot be run so, and says so by a ``TypeError``.
"""

from __future__ import annotations

from typing import Any, NoReturn

Exponents = tuple[int, int, int, int]
MOST_DEGREE = 8
_ONE: Exponents = (0, 0, 0, 0)


class Polynomial:
    """Integer coefficients by exponents of (tp, fp, fn, tn).

    >>> tp, fp, fn, tn = CELLS
    >>> ((tp + fn) * (tp - 2)).terms
    {(2, 0, 0, 0): 1, (1, 0, 0, 0): -2, (1, 0, 1, 0): 1, (0, 0, 1, 0): -2}
    """

    __slots__ = ("terms",)

    def __init__(self, terms: dict[Exponents, int]) -> None:
        self.terms = {exponents: factor for exponents, factor in terms.items() if factor}
        if any(sum(exponents) > MOST_DEGREE for exponents in self.terms):
            raise TypeError(f"a polynomial of degree above {MOST_DEGREE}")

    def __add__(self, other: Any) -> Polynomial:
        return combined(self, as_polynomial(other), 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Polynomial:
        return combined(self, as_polynomial(other), -1)

    def __rsub__(self, other: Any) -> Polynomial:
        return combined(as_polynomial(other), self, -1)

    def __neg__(self) -> Polynomial:
        return self * -1

    def __pos__(self) -> Polynomial:
        return self

    def __mul__(self, other: Any) -> Polynomial:
        return Polynomial(multiplied(self.terms, as_polynomial(other).terms))

    __rmul__ = __mul__

    def __pow__(self, power: Any) -> Polynomial:
        if type(power) is not int or not 0 <= power <= MOST_DEGREE:
            raise TypeError(f"a polynomial to the power {power!r}")
        result = as_polynomial(1)
        for _ in range(power):
            result = result * self
        return result

    def __eq__(self, other: object) -> NoReturn:
        self._unknown()

    def _unknown(self, *_: Any) -> NoReturn:
        raise TypeError("a polynomial is not compared, and is neither true nor false")

    __hash__ = _unknown
    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __len__ = __int__ = __float__ = __index__ = _unknown


CELLS = tuple(Polynomial({tuple(int(k == at) for k in range(4)): 1}) for at in range(4))  # type: ignore[dict-item]


def as_polynomial(value: Any) -> Polynomial:
    """A polynomial as it is, a whole number as a constant; nothing else is admitted."""
    if isinstance(value, Polynomial):
        return value
    if type(value) is not int:
        raise TypeError(f"a polynomial with {value!r}, which is no whole number")
    return Polynomial({_ONE: value})


def combined(polynomial: Polynomial, other: Polynomial, factor: int) -> Polynomial:
    """one + factor * other."""
    terms = dict(polynomial.terms)
    for exponents, coefficient in other.terms.items():
        terms[exponents] = terms.get(exponents, 0) + factor * coefficient
    return Polynomial(terms)


def multiplied(polynomial: dict[Exponents, int], other: dict[Exponents, int]) -> dict[Exponents, int]:
    """The terms of a product, of any degree."""
    terms: dict[Exponents, int] = {}
    for (a, b, c, d), factor in polynomial.items():
        for (e, f, g, h), coefficient in other.items():
            exponents = (a + e, b + f, c + g, d + h)
            terms[exponents] = terms.get(exponents, 0) + factor * coefficient
    return terms


def slope(polynomial: Polynomial, gains: int, loses: int) -> Polynomial:
    """The derivative along an exchange: one cell grows as another shrinks."""
    terms: dict[Exponents, int] = {}
    for at, sign in ((gains, 1), (loses, -1)):
        for exponents, factor in polynomial.terms.items():
            if exponents[at]:
                lower = tuple(power - (k == at) for k, power in enumerate(exponents))
                terms[lower] = terms.get(lower, 0) + sign * exponents[at] * factor  # type: ignore[index, arg-type]
    return Polynomial(terms)


def at(polynomial: Polynomial, cells: tuple[int, int, int, int]) -> int:
    """The value for a matrix."""
    return sum(
        factor * cells[0] ** a * cells[1] ** b * cells[2] ** c * cells[3] ** d
        for (a, b, c, d), factor in polynomial.terms.items()
    )
