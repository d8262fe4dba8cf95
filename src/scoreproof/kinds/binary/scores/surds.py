"""Sums of square roots, exactly.

A score is a rational number, or a rational number plus a rational multiple of one square root. Square roots of
different square-free integers are linearly independent over the rationals, so a sum of such values is zero exactly if
all its coefficients are: ties that no number of digits would settle ("the correlations of two folds cancel") are
settled by algebra.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, isqrt

_TRIAL = 10**6


class Surd:
    """A finite sum of rational multiples of square roots of square-free integers.

    >>> (Surd.root(Fraction(1, 2)) * Surd.root(Fraction(1, 8))).sign(Fraction(1, 4))
    0
    """

    __slots__ = ("terms",)

    def __init__(self, terms: dict[int, Fraction]) -> None:
        self.terms = {m: c for m, c in terms.items() if c}

    @classmethod
    def rational(cls, value: Fraction | int) -> Surd:
        return cls({1: Fraction(value)})

    @classmethod
    def root(cls, value: Fraction) -> Surd:
        """The square root of a rational number that is not negative."""
        outside, inside = _square_free(value.numerator * value.denominator)
        return cls({inside: Fraction(outside, value.denominator)})

    def __add__(self, other: Surd) -> Surd:
        terms = dict(self.terms)
        for m, c in other.terms.items():
            terms[m] = terms.get(m, Fraction(0)) + c
        return Surd(terms)

    def __mul__(self, other: Surd) -> Surd:
        terms: dict[int, Fraction] = {}
        for m, c in self.terms.items():
            for k, d in other.terms.items():
                shared = gcd(m, k)
                inside = m * k // (shared * shared)
                terms[inside] = terms.get(inside, Fraction(0)) + c * d * shared
        return Surd(terms)

    def scaled(self, factor: Fraction) -> Surd:
        return Surd({m: c * factor for m, c in self.terms.items()})

    def sign(self, bound: Fraction) -> int:
        """The sign of value - bound, exactly."""
        rest = self + Surd.rational(-bound)
        if not rest.terms:
            return 0
        bits = 64
        while True:
            low = high = Fraction(0)
            for m, c in rest.terms.items():
                root = isqrt(m << (2 * bits))
                ends = (root * c, (root + (root * root != m << (2 * bits))) * c)
                low += min(ends)
                high += max(ends)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            bits *= 2


def _square_free(value: int) -> tuple[int, int]:
    """a and b with value = a^2 b and b square-free (as far as factors below a million go)."""
    outside = inside = 1
    factor = 2
    while factor * factor <= value and factor <= _TRIAL:
        power = 0
        while value % factor == 0:
            value //= factor
            power += 1
        outside *= factor ** (power // 2)
        inside *= factor ** (power % 2)
        factor += 1 if factor == 2 else 2
    root = isqrt(value)
    if root * root == value:
        return outside * root, inside
    return outside, inside * value
