"""How a score's value follows from its exact ratio of integers.

Every registered score is a strictly increasing function, the *link*, of a ratio of integers. Most scores are
their ratio. The geometric mean, the Fowlkes-Mallows index and the Matthews correlation are signed square roots
of theirs, and the prevalence threshold sqrt(w) / (sqrt(w) + sqrt(1 - w)) is one of w = fpr / (fpr + sens).
Each link has a rational inverse at rational points, so comparing a score with a bound never leaves the
rationals: compare the ratio with ``inverse(bound)``.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from scoreproof.errors import InvalidOption
from scoreproof.validation import shown

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
    found = LINKS.get(given) if isinstance(given, str) else next((one for one in LINKS.values() if one is given), None)
    if found is None:
        got = repr(given) if isinstance(given, str) else f"{shown(getattr(given, 'name', given))}, a link of one's own"
        raise InvalidOption(
            f"link: expected one of {', '.join(map(repr, LINKS))} (the value is the ratio, its signed square root, or "
            f"the prevalence threshold of it), got {got}; certificates are re-checked with these alone"
        )
    return found
