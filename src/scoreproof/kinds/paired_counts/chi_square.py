"""The tail of χ² with one degree of freedom between two fractions.

With z = √(x/2) the tail is 1 - erf z, and erf z = √(2x/π) s(x), s(x) = 1 - x/2/(1! 3) + (x/2)²/(2! 5) - ..., an
alternating series whose partial sums lie on either side of its value once its terms fall. So everything is rational but
π and the root, and both are bounded by fractions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

_PI = (Fraction(31415926535897932384626433832, 10**28), Fraction(31415926535897932384626433833, 10**28))
_FAR = 100  # beyond it the tail lies below 2e-23
_SMALL = Fraction(2, 10**23)
_SCALE = 10**60
_NEGLIGIBLE = 10**20  # units of the scale


@lru_cache(maxsize=4096)
def one_degree(x: Fraction) -> tuple[Fraction, Fraction]:
    """Fractions between which P(χ² >= x) lies, less than 1e-20 apart.

    >>> low, high = one_degree(Fraction(3841458820694124, 10**15))
    >>> f"{float(low):.12f}", float(high - low) < 1e-20
    ('0.050000000000', True)
    """
    if x <= 0:
        return Fraction(1), Fraction(1)
    if x > _FAR:
        return Fraction(0), _SMALL
    half = x.numerator * _SCALE // (2 * x.denominator)  # x/2 in units of 1/_SCALE, rounded down
    low = _erf(half, up=False)
    high = _erf(half + 1, up=True)
    return max(Fraction(0), 1 - high), min(Fraction(1), 1 - low)


def _erf(half: int, *, up: bool) -> Fraction:
    """erf √(half / _SCALE), rounded down or up; it grows with ``half``. All numbers are in units of 1/_SCALE."""
    term, total, k = _SCALE, _SCALE, 0
    while True:
        k += 1
        term = term * half // (k * _SCALE)
        part = term // (2 * k + 1)
        total += -part if k % 2 else part
        if k * _SCALE > half and part < _NEGLIGIBLE:
            break
    # What the series leaves out; and a unit lost in a term grows by at most e^(x/2) in the later ones.
    slack = part + 2 + (k + 1) ** 2 * 3 ** (half // _SCALE + 1)
    pi = _PI[0 if up else 1]
    root = isqrt(4 * half * _SCALE * pi.denominator // pi.numerator) + up
    return Fraction(root * (total + slack if up else max(0, total - slack)), _SCALE**2)
