"""What a ± says of sums over the evaluation sets, and of the parts that deviate.

Of m values with divisor m - d the squares about any centre c add up to (m - d) variance + m (their mean - c)^2. Over
single sets that are averaged alike their mean is the printed one, which gives both bounds. If they weigh differently
(nested means), their plain mean f is off the printed one by the sum of (1/m - weight) (value - f), at most the root of
the sum of (1/m - weight)^2 times that of the squares about f (Cauchy and Schwarz). If means of sets deviate, the square
of each about c is at most the weighted mean of the squares of its sets, which gives a lower bound only; but then no
part is further from the mean of all than the root of (m - 1)/m times the sum of squares, as the others are off by as
much in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, isqrt

from scoreproof.kinds.binary.engine.averages.targets import Bound, Demand, Target
from scoreproof.kinds.binary.experiment.normal import Tree

_ROOT_BITS = 40


def root_above(x: Fraction) -> Fraction:
    """The least multiple of 2^-40 whose square is at least x.

    >>> root_above(Fraction(1, 4)), root_above(Fraction(0))
    (Fraction(1, 2), Fraction(0, 1))
    """
    scaled = ceil(x * (1 << 2 * _ROOT_BITS))
    return Fraction(isqrt(scaled - 1) + 1 if scaled > 0 else 0, 1 << _ROOT_BITS)


def square_bounds(target: Target, demand: Demand) -> tuple[Fraction, Fraction | None]:
    """Bounds of the sum of squares about the centre, all sets counted, that any admitted variance and mean allow."""
    assert target.variance is not None
    assert target.mean is not None
    weights = [one.weight for one in demand.form.sets]
    over = len(demand.spread_parts)
    low, high = (end * (over if target.error else 1) for end in target.variance)
    divisors = [over - ddof for ddof in target.ddof if over > ddof]
    if demand.deviations_of_means:
        return min(divisors) * low / (over * max(weights)), None
    off = max(abs(target.mean[0] - target.centre), abs(target.mean[1] - target.centre))
    squares = max(divisors) * high
    uneven = sum(((Fraction(1, over) - weight) ** 2 for weight in weights), Fraction(0))
    return min(divisors) * low, squares + over * (off + root_above(uneven * squares)) ** 2


def furthest(target: Target, count: int) -> Fraction:
    """How far one of so many parts that deviate may be from the mean of all, whichever of them count."""
    assert target.variance is not None
    high = target.variance[1] * (count if target.error else 1)
    return root_above(Fraction((count - 1) * (count - min(target.ddof)), count) * high)


def bounds_of_parts(target: Target, parts: Sequence[Tree]) -> list[Bound]:
    """The means of the parts that deviate are no further from the mean of all than they can be."""
    if target.variance is None or target.mean is None:
        return []
    far = furthest(target, len(parts))
    return [Bound(target.score, (target.mean[0] - far, target.mean[1] + far), part) for part in parts]
