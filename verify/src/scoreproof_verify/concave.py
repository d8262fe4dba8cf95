"""Areas under ROC curves that the statement says are concave.

A concave curve from (0, 0) to (1, 1) through (x, y), x = 1 - spec, y = sens, has y >= x. It lies above the chords to
the point, so its area is at least (1 - x + y)/2, and that at least one half. A line through the point lies above all
of it. Let the line cut off the corner (0, 1) of the square, from a part b of the left side and a part a of the upper
one: the point divides it, x/a = d and (1 - y)/b = 1 - d. Neither end is outside of the square, since (0, 0) and (1, 1)
lie below the line: a <= 1 and b <= 1, that is x <= d <= y. The triangle a b/2 = x (1 - y)/(2 d (1 - d)) is lost, least
where d is nearest to one half.
"""

from __future__ import annotations

from fractions import Fraction

from scoreproof_verify.formulas import LINEAR, RISES, SAME, Rule
from scoreproof_verify.printed import Spanned
from scoreproof_verify.statement import Claim

Span = tuple[Fraction, Fraction]
_HALF = Fraction(1, 2)
_NO_BORDER = "area"


def most_under(sens: Fraction, spec: Fraction) -> Fraction:
    """The greatest area under a concave curve through a point; 0 if there is none."""
    x, y = 1 - spec, sens
    if y < x:
        return Fraction(0)
    lost = x * (1 - y)
    if lost == 0:
        return Fraction(1)
    divided = sorted((x, _HALF, y))[1]
    return 1 - lost / (2 * divided * (1 - divided))


def area_between(sens: Span, spec: Span, *, one_curve: bool) -> Span:
    """Between which ends the AUC lies, or a mean of it over several curves; the first is larger if there is none."""
    if sens[1] + spec[1] < 1:
        return Fraction(1), Fraction(0)
    least = max(_HALF, (sens[0] + spec[0]) / 2)
    return least, most_under(sens[1], spec[1]) if one_curve else Fraction(1)


def concave_bounds(area: Spanned) -> tuple[Claim, Claim]:
    """What the AUC demands of the operating point: the chords not above it, the best line not below."""
    chords = Rule(lambda t, u, p, n: (n * t + p * u, 2 * n * p), SAME, RISES, LINEAR)
    line = Rule(
        lambda t, u, p, n: most_under(Fraction(t, p), Fraction(u, n)).as_integer_ratio(), SAME, RISES, _NO_BORDER
    )
    return (
        Claim("lowest auc", area.text, _HALF, area.high, chords),
        Claim("highest auc", area.text, area.low, Fraction(2), line),
    )
