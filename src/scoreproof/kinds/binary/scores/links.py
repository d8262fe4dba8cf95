"""Links, from an exact ratio of integers to the value of a score; sums of square roots are compared exactly.

A score is a rational number, or a rational number plus a rational multiple of one square root. Square roots of
different square-free integers are linearly independent over the rationals, so a sum of such values is zero exactly if
all its coefficients are: ties that no number of digits would settle ("the correlations of two folds cancel") are
settled by algebra.

How a score's value follows from its exact ratio of integers.

Every registered score is a strictly increasing function, the *link*, of a ratio of integers. Most scores are
their ratio. The geometric mean, the Fowlkes-Mallows index and the Matthews correlation are signed square roots
of theirs, and the prevalence threshold sqrt(w) / (sqrt(w) + sqrt(1 - w)) is one of w = fpr / (fpr + sens).
Each link has a rational inverse at rational points, so comparing a score with a bound never leaves the
rationals: compare the ratio with ``inverse(bound)``.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, isqrt
from typing import TYPE_CHECKING, Protocol

from scoreproof.errors import InvalidOption
from scoreproof.validation import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


_GUARD_BITS = 64


class Link(Protocol):
    """A strictly increasing function from the exact ratio to the value."""

    name: str

    def inverse(self, value: Fraction) -> Fraction:
        """The ratio whose value is ``value``; beyond the link's range, a ratio no matrix reaches."""

    def floor(self, num: int, den: int, scale: int) -> int:
        """The largest integer m with m <= scale * value(num / den), exactly."""

    def forward(self, ratio: NDArray[np.float64]) -> NDArray[np.float64]:
        """Float values of float ratios."""


class RatioLink:
    """The value is the ratio."""

    name = "ratio"

    def inverse(self, value: Fraction) -> Fraction:
        return value

    def floor(self, num: int, den: int, scale: int) -> int:
        return num * scale // den

    def forward(self, ratio: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio


class SignedRoot:
    """The value is the square root of the ratio, carrying its sign: sgn(r) * sqrt(abs(r))."""

    name = "root"

    def inverse(self, value: Fraction) -> Fraction:
        return value * abs(value)

    def floor(self, num: int, den: int, scale: int) -> int:
        square = abs(num) * scale * scale
        root = isqrt(square // den)
        if num >= 0:
            return root
        return -root if root * root * den == square else -root - 1

    def forward(self, ratio: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        return np.sign(ratio) * np.sqrt(np.abs(ratio))


class Threshold:
    """The prevalence threshold: sqrt(w) / (sqrt(w) + sqrt(1 - w)) of a ratio w in [0, 1]."""

    name = "threshold"

    def inverse(self, value: Fraction) -> Fraction:
        if value < 0:
            return Fraction(-1)
        if value > 1:
            return Fraction(2)
        square = value * value
        return square / (square + (1 - value) ** 2)

    def floor(self, num: int, den: int, scale: int) -> int:
        shift = 2 * (scale.bit_length() + _GUARD_BITS)
        above, below = isqrt(num << shift), isqrt((den - num) << shift)
        guess = scale * above // (above + below)
        while self.inverse(Fraction(guess, scale)) * den > num:
            guess -= 1
        while guess < scale and self.inverse(Fraction(guess + 1, scale)) * den <= num:
            guess += 1
        return guess

    def forward(self, ratio: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        above, below = np.sqrt(ratio), np.sqrt(1 - ratio)
        result: NDArray[np.float64] = above / (above + below)
        return result


RATIO: Link = RatioLink()
ROOT: Link = SignedRoot()
THRESHOLD: Link = Threshold()
LINKS = {link.name: link for link in (RATIO, ROOT, THRESHOLD)}


def link_of(given: str | Link) -> Link:
    """A link by its name, or one of the known ones itself; proofs know no others.

    >>> link_of("root") is ROOT
    True
    """
    link = (
        LINKS.get(given)
        if isinstance(given, str)
        else next((known for known in LINKS.values() if known is given), None)
    )
    if link is None:
        got = repr(given) if isinstance(given, str) else f"{shown(getattr(given, 'name', given))}, a link of one's own"
        raise InvalidOption(
            f"link: expected one of {', '.join(map(repr, LINKS))} (the value is the ratio, its signed square root, or "
            f"the prevalence threshold of it), got {got}; certificates are re-checked with these alone"
        )
    return link
