"""Tails of χ² and of ratios of two χ², with their error: finite sums in decimals of 90 digits.

P(χ²_m / χ²_k > c) is the incomplete beta function I_x(k/2, m/2) at x = 1/(1 + c), P(χ²_k > x) the incomplete gamma
function Q(k/2, x/2). Both follow from their values for one and two degrees of freedom, two degrees at a time
(Abramowitz and Stegun 1964, 26.4, 26.5 and 26.7): I_x(a + 1, b) = I_x(a, b) - T/a and I_x(a, b + 1) = I_x(a, b) + T/b
with T = x^a (1 - x)^b / B(a, b); Q(a + 1, z) = Q(a, z) + z^a e^-z / Γ(a + 1). Every operation is rounded correctly to 90
digits, so that after fewer than 10^5 of them less than 10^-60 is lost.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

MOST = 2000  # degrees of freedom whose tails are computed, as by the verifier
ERROR = Fraction(1, 10**60)
_FAR = 4000  # of χ²: beyond it tails are those there, or smaller
_CONTEXT = Context(prec=90, rounding=ROUND_HALF_EVEN, Emin=-(10**9), Emax=10**9)
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534212")

Ends = tuple[Fraction, Fraction]


@lru_cache(maxsize=4096)
def ratio_tail(c: Fraction, m: int, k: int) -> Ends:
    """Fractions between which P(χ²_m / χ²_k > c) lies.

    >>> float(ratio_tail(Fraction(484, 2800), 1, 28)[0])  # t(28) = 2.20
    0.036216...
    """
    if c <= 0:
        return Fraction(1), Fraction(1)
    with localcontext(_CONTEXT):
        odds = Decimal(c.numerator) / Decimal(c.denominator)
        x, y = 1 / (1 + odds), odds / (1 + odds)
        a, b = Decimal(1 + (k % 2 == 0)) / 2, Decimal(1 + (m % 2 == 0)) / 2
        if a == b == 1:
            value, term = x, x * y
        elif a == b:
            value, term = 2 * _arcsine(x, y) / _PI, (x * y).sqrt() / _PI
        elif a == 1:
            value, term = 1 - y.sqrt(), x * y.sqrt() / 2
        else:
            value, term = x.sqrt(), x.sqrt() * y / 2
        while 2 * b < m:
            value, term, b = value + term / b, term * y * (a + b) / b, b + 1
        while 2 * a < k:
            value, term, a = value - term / a, term * x * (a + b) / a, a + 1
    return _around(value)


@lru_cache(maxsize=4096)
def chi2_tail(x: Fraction, k: int) -> Ends:
    """Fractions between which P(χ²_k > x) lies.

    >>> float(chi2_tail(Fraction(15508, 1000), 5)[0])
    0.008397...
    """
    if x <= 0:
        return Fraction(1), Fraction(1)
    if x > _FAR:
        return Fraction(0), chi2_tail(Fraction(_FAR), k)[1]
    with localcontext(_CONTEXT):
        z = Decimal(x.numerator) / Decimal(2 * x.denominator)
        small = (-z).exp()
        if k % 2:
            a, term = Decimal(1) / 2, 2 * (z / _PI).sqrt() * small  # z^a e^-z / Γ(a + 1)
            value = 1 - term * _odd_series(z)
        else:
            a, term, value = Decimal(1), z * small, small
        while 2 * a < k:
            value, a = value + term, a + 1
            term = term * z / a
    return _around(value)


def _odd_series(z: Decimal) -> Decimal:
    """1 + 2z/3 + (2z)²/15 + ...: erf √z is 2 √(z/π) e^-z times it."""
    total = term = Decimal(1)
    j = 1
    while term > total * Decimal(10) ** -95:
        term = term * 2 * z / (2 * j + 1)
        total, j = total + term, j + 1
    return total


def _arcsine(x: Decimal, y: Decimal) -> Decimal:
    """arcsin √x = arctan √(x/y), y = 1 - x, after halving the angle ten times."""
    tangent = (x / y).sqrt()
    for _ in range(10):
        tangent = tangent / (1 + (1 + tangent * tangent).sqrt())
    total, power, j = Decimal(0), tangent, 1
    while abs(power) > Decimal(10) ** -95:
        total += power / (j if j % 4 == 1 else -j)
        power, j = power * tangent * tangent, j + 2
    return total * 1024


def _around(value: Decimal) -> Ends:
    exact = Fraction(value)
    return max(Fraction(0), exact - ERROR), min(Fraction(1), exact + ERROR)
