"""What a score is: an exact ratio and a link (Fazekas and Kovács 2024, doi:10.1016/j.asoc.2024.111993).

A score is declared by a ratio in the four cells of a confusion matrix and the *link*, a strictly increasing function of
it. Most scores are their ratio; the geometric mean, the Fowlkes-Mallows index and the Matthews correlation are signed
square roots of theirs, and the prevalence threshold sqrt(w) / (sqrt(w) + sqrt(1 - w)) is one of w = fpr / (fpr + sens).
Each link has a rational inverse at rational points, so comparing a score with a bound never leaves the rationals:
compare the ratio with ``inverse(bound)``. That single formula gives exact comparison, exact digits, and vectorised
floats. The declaration also says in which direction the score moves with tp and tn, which every engine rests on.

A mean of scores is a rational number plus rational multiples of square roots. Those of different square-free integers
are linearly independent over the rationals, so a sum (``Surd``) is zero exactly if all its coefficients are: ties that
no number of digits would settle ("the correlations of two folds cancel") are settled by algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from math import gcd, isqrt
from numbers import Rational
from typing import TYPE_CHECKING, Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.limits import current
from scoreproof.quantities import Quantity
from scoreproof.reported.number import decimal_text
from scoreproof.validation import chosen, shown, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

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


class Link:
    """A strictly increasing function from the exact ratio to the value; here the value is the ratio."""

    name = "ratio"

    def inverse(self, value: Fraction) -> Fraction:
        """The ratio whose value is ``value``; beyond the link's range, a ratio no matrix reaches."""
        return value

    def floor(self, num: int, den: int, scale: int) -> int:
        """The largest integer m with m <= scale * value(num / den), exactly."""
        return num * scale // den

    def forward(self, ratio: NDArray[np.float64]) -> NDArray[np.float64]:
        """Float values of float ratios."""
        return ratio


class SignedRoot(Link):
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


class Threshold(Link):
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


RATIO = Link()
ROOT = SignedRoot()
THRESHOLD = Threshold()
LINKS: dict[str, Link] = {link.name: link for link in (RATIO, ROOT, THRESHOLD)}


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


_FINEST = 10**1200  # printed texts have at most 120 characters and exponents of three digits
Ratio = Callable[[Any, Any, Any, Any], tuple[Any, Any]]
ByClass = Callable[[int, int, int, int], tuple[tuple[int, int, int], tuple[int, int, int]]]


class Shape(Enum):
    """The form of the ratio in (tp, tn) when p and n are fixed."""

    LINEAR = "linear"  #: affine in (tp, tn): its mean over folds needs only totals
    FRACTIONAL = "fractional"  #: affine over affine: every bound on it is a half-plane
    CURVED = "curved"  #: anything else that is monotone


@dataclass(frozen=True, slots=True)
class Score(Quantity):
    """A named function of a confusion matrix.

    ``ratio(tp, fp, fn, tn)`` returns a numerator and a non-negative denominator; where the denominator is zero
    the score is undefined. ``direction`` is +1 if the score never falls when tp or tn grows (the other class's
    count and p, n held fixed), -1 if it never rises; ``declared`` says that only its author's word stands for that.
    ``by_class`` gives what an average over both classes is made of: numerator, denominator and weight of each.

    >>> from scoreproof.kinds.binary.scores import score
    >>> score("mcc").text(743, 1969, 257, 4031, digits=4)
    '0.2980'
    >>> score("recall").name
    'sens'
    """

    ratio: Ratio = field(kw_only=True, repr=False, compare=False)
    link: Link = field(default=RATIO, repr=False, compare=False)
    shape: Shape = Shape.CURVED
    complement: str | None = None
    beta: Fraction | None = None
    declared: bool = False
    by_class: ByClass | None = field(default=None, repr=False, compare=False)

    def compare(self, tp: int, fp: int, fn: int, tn: int, bound: Fraction) -> int | None:
        """The sign of value - bound, exactly; None where the score is undefined."""
        if not isinstance(bound, Rational) or max(abs(bound.numerator), bound.denominator) >= _FINEST:
            raise InvalidOption(f"bound: expected a fraction, got {shown(bound)}")
        if bound.__class__ is not Fraction:  # numbers of numpy overflow
            bound = Fraction(int(bound.numerator), int(bound.denominator))
        num, den = self.ratio(*_counts(tp, fp, fn, tn))
        if den == 0:
            return None
        inverse = self.link.inverse(bound)
        difference: int = num * inverse.denominator - inverse.numerator * den
        return (difference > 0) - (difference < 0)

    def floor(self, tp: int, fp: int, fn: int, tn: int, scale: int) -> int | None:
        """The largest integer not above scale * value, exactly; None where undefined."""
        if scale.__class__ is not int or not 0 < scale < _FINEST:
            scale = whole("scale", scale, at_least=1)
        num, den = self.ratio(*_counts(tp, fp, fn, tn))
        return None if den == 0 else self.link.floor(num, den, scale)

    def enclose(self, tp: int, fp: int, fn: int, tn: int, scale: int) -> tuple[Fraction, Fraction] | None:
        """Rationals of denominator ``scale`` around the value, equal when the value is one of them."""
        if scale.__class__ is not int:
            scale = whole("scale", scale, at_least=1)
        low = self.floor(tp, fp, fn, tn, scale)
        if low is None:
            return None
        exact = self.compare(tp, fp, fn, tn, Fraction(low, scale)) == 0
        return Fraction(low, scale), Fraction(low if exact else low + 1, scale)

    def exact(self, tp: int, fp: int, fn: int, tn: int) -> Surd | None:
        """The value as a sum of square roots; None where undefined."""
        num, den = self.ratio(*_counts(tp, fp, fn, tn))
        if den == 0:
            return None
        if self.link is ROOT:
            return Surd.root(Fraction(abs(num), den)).scaled(Fraction(1 if num >= 0 else -1))
        if self.link is THRESHOLD and den != 2 * num:
            # sqrt(A) / (sqrt(A) + sqrt(B)) = (A - sqrt(A B)) / (A - B), where A = num and A + B = den
            other = den - num
            inverse = Fraction(1, num - other)
            return Surd.rational(num * inverse) + Surd.root(Fraction(num * other)).scaled(-inverse)
        return Surd.rational(Fraction(1, 2) if self.link is THRESHOLD else Fraction(num, den))

    def text(self, tp: int, fp: int, fn: int, tn: int, *, digits: int, rounding: str = "nearest") -> str | None:
        """The value as a paper would print it: rounded to nearest (ties up), floored or ceiled."""
        digits = whole("digits", digits, at_most=current().digits)
        rounding = chosen("rounding", rounding, ("nearest", "floor", "ceil"))
        scale = 10**digits
        if rounding == "nearest":
            twice = self.floor(tp, fp, fn, tn, 2 * scale)
            units = None if twice is None else (twice + 1) // 2
        else:
            units = self.floor(tp, fp, fn, tn, scale)
        if units is None:
            return None
        units += rounding == "ceil" and self.compare(tp, fp, fn, tn, Fraction(units, scale)) != 0
        return decimal_text(units, digits)

    def __call__(self, tp: int, fp: int, fn: int, tn: int) -> float:
        """The value as a float; NaN where undefined."""
        num, den = self.ratio(*_counts(tp, fp, fn, tn))
        if den == 0:
            return float("nan")
        return self.link.floor(num, den, 1 << 80) / (1 << 80)

    def values(self, tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike) -> NDArray[np.float64]:
        """Float values of whole arrays of matrices; NaN where undefined."""
        import numpy as np

        try:
            cells = np.broadcast_arrays(*(np.asarray(cell, dtype=np.float64) for cell in (tp, fp, fn, tn)))
        except (TypeError, ValueError, OverflowError, RecursionError):
            raise InvalidValue("tp, fp, fn, tn: expected numbers, or arrays of numbers of one shape") from None
        num, den = self.ratio(*cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = np.where(den == 0, np.nan, num / den)
            return self.link.forward(quotient)

    def __reduce__(self) -> Any:
        """Formulas do not travel to other processes; a name does."""
        from scoreproof.kinds.binary.scores.registry import score

        return score, (self.name,)


def _counts(tp: int, fp: int, fn: int, tn: int) -> tuple[int, int, int, int]:
    """The four cells, if they are counts; engines come here by the million."""
    plain = tp.__class__ is fp.__class__ is fn.__class__ is tn.__class__ is int
    if plain and tp >= 0 <= fp and fn >= 0 <= tn and tp + fp + fn + tn < _FINEST:
        return tp, fp, fn, tn
    return whole("tp", tp), whole("fp", fp), whole("fn", fn), whole("tn", tn)


def made(
    name: str, title: str, ratio: Ratio, latex: str = "", reference: str = "", synonyms: Sequence[str] = (), **more: Any
) -> Score:
    """A score from its declaration."""
    return Score(name, title, latex, reference, tuple(synonyms), ratio=ratio, **more)
