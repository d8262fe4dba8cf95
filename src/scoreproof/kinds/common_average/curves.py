"""Curves that one score of a part is of others, and what their means can be: the theorems of this kind.

F-scores are weighted harmonic means of precision and recall, H(x, y) = (1 + b) x y / (b x + y) with b = beta^2. H is
concave, so the mean of H is at most H of the means; and H >= x + y - 1, because (x + y - 1) (a/x + c/y) with a + c = 1
is 1 - a (1 - y)/x - c (1 - x)/y. Of m parts the least mean is at a corner: every x is 0 or 1 but one, and so is every
y.

The Jaccard index of a part is g(D) = D / (2 - D) of its Dice coefficient D, convex; and D = 2 J / (1 + J), concave.
Both have a positive third derivative, so a parabola through the curve's point at 0 that touches it at x lies below it,
and one through its point at 1 that touches it at x lies above: with the standard deviation of D the mean of a parabola
is known, and so is a bound of the mean of J (the error of Hermite interpolation has the sign of t (t - x)^2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

ZERO, UNIT = Fraction(0), Fraction(1)


def harmonic(x: Fraction, y: Fraction, squared_beta: Fraction = UNIT) -> Fraction:
    """The F-score of precision x and recall y; 0 where both are."""
    below = squared_beta * x + y
    return (1 + squared_beta) * x * y / below if below else ZERO


def least_harmonic(x: Fraction, y: Fraction, squared_beta: Fraction, parts: int | None) -> Fraction:
    """The least mean F-score of parts with these mean precision and recall.

    >>> mean = Fraction(3, 4)
    >>> least_harmonic(mean, mean, UNIT, None), least_harmonic(mean, mean, UNIT, 1)
    (Fraction(1, 2), Fraction(3, 4))
    """
    if parts is None:
        return max(ZERO, x + y - 1)
    return min(cost for cost, *_ in corners(x, y, squared_beta, parts)) / parts


def corners(
    x: Fraction, y: Fraction, squared_beta: Fraction, parts: int
) -> list[tuple[Fraction, list[tuple[int, Fraction, Fraction]]]]:
    """The corners of all choices with these means that may have the least sum of F-scores, as (count, x, y)."""
    (ones_x, rest_x), (ones_y, rest_y) = (divmod(parts * mean, 1) for mean in (x, y))
    alone: list[list[tuple[Fraction, Fraction]]] = []  # the parts at which something is neither 0 nor 1
    for beside_x, beside_y in product((UNIT, ZERO), repeat=2):
        alone.append([(rest_x, beside_x)] * bool(rest_x) + [(beside_y, rest_y)] * bool(rest_y))
    if rest_x and rest_y:
        alone.append([(rest_x, rest_y)])
    found = []
    for odd in alone:
        free = parts - len(odd)
        own_x = int(ones_x) - sum(one == 1 for one, _ in odd)
        own_y = int(ones_y) - sum(other == 1 for _, other in odd)
        if not (0 <= own_x <= free and 0 <= own_y <= free):
            continue
        both = max(0, own_x + own_y - free)
        groups = [(1, *part) for part in odd]
        groups += [(both, UNIT, UNIT), (own_x - both, UNIT, ZERO), (own_y - both, ZERO, UNIT)]
        groups.append((free - own_x - own_y + both, ZERO, ZERO))
        groups = [group for group in groups if group[0]]
        found.append((sum((k * harmonic(a, b, squared_beta) for k, a, b in groups), ZERO), groups))
    return found


@dataclass(frozen=True, slots=True)
class MeanCurve:
    """An increasing curve from (0, 0) to (1, 1) whose third derivative is positive; convex or concave."""

    value: Callable[[Fraction], Fraction]
    slope: Callable[[Fraction], Fraction]
    convex: bool

    def between(self, low: Fraction, high: Fraction, parts: int | None) -> tuple[Fraction, Fraction]:
        """Between which ends the mean of the curve lies if the mean of its argument is from low to high."""
        if self.convex:
            return self.value(low), self._at_corner(high, parts)
        return self._at_corner(low, parts), self.value(high)

    def _at_corner(self, mean: Fraction, parts: int | None) -> Fraction:
        """The mean if all parts but one are at 0 or 1."""
        if parts is None:
            return mean
        whole, rest = divmod(parts * mean, 1)
        return (whole + self.value(rest)) / parts

    def below(self, x: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """The parabola a + b t + c t^2 through the curve at 0 that touches it at x > 0."""
        c = (self.slope(x) * x - self.value(x)) / (x * x)
        return ZERO, self.value(x) / x - c * x, c

    def above(self, x: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """The parabola through the curve at 1 that touches it at x < 1."""
        rest = 1 - x
        c = (1 - self.value(x) - self.slope(x) * rest) / (rest * rest)
        b = self.slope(x) - 2 * c * x
        return self.value(x) - b * x - c * x * x, b, c


#: From what to what a curve leads, by the names of the scores.
CURVES: dict[tuple[str, str], MeanCurve] = {
    ("f1", "ji"): MeanCurve(lambda d: d / (2 - d), lambda d: 2 / (2 - d) ** 2, convex=True),
    ("ji", "f1"): MeanCurve(lambda j: 2 * j / (1 + j), lambda j: 2 / (1 + j) ** 2, convex=False),
}
