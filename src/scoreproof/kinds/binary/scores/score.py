"""What a score is: one declaration from which everything else follows.

A score is declared by a ratio of integers in the four cells of a confusion matrix and a link (see ``links``).
That single formula gives exact comparison, exact digits, and vectorised floats. The declaration also says in
which direction the score moves with tp and tn, which every engine rests on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.scores.links import RATIO, ROOT, THRESHOLD, Link, Surd
from scoreproof.limits import current
from scoreproof.quantities import Quantity
from scoreproof.validation import chosen, shown, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

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

    @property
    def proviso(self) -> str:
        """Under what condition verdicts about this score hold; empty if its direction is proved."""
        return f"if {self.name} is monotone as declared" if self.declared else ""

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
        if rounding == "floor":
            units = self.floor(tp, fp, fn, tn, scale)
        elif rounding == "ceil":
            units = self.floor(tp, fp, fn, tn, scale)
            if units is not None and self.compare(tp, fp, fn, tn, Fraction(units, scale)) != 0:
                units += 1
        else:
            twice = self.floor(tp, fp, fn, tn, 2 * scale)
            units = None if twice is None else (twice + 1) // 2
        if units is None:
            return None
        sign = "-" if units < 0 else ""
        ones, rest = divmod(abs(units), scale)
        return f"{sign}{ones}.{rest:0{digits}d}" if digits else f"{sign}{ones}"

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
    name: str,
    title: str,
    ratio: Ratio,
    latex: str = "",
    reference: str = "",
    synonyms: tuple[str, ...] = (),
    **more: Any,
) -> Score:
    """A score from its declaration."""
    return Score(name, title, latex, reference, synonyms, ratio=ratio, **more)
