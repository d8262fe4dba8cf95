"""Jensen's inequality (1906, doi:10.1007/BF02418571) and its sharp forms: how means over common parts bound each other.

F-scores are weighted harmonic means of precision and recall, H(x, y) = (1 + b) x y / (b x + y) with b = beta^2. H is
concave, so the mean of H is at most H of the means; and H >= x + y - 1, because (x + y - 1) (a/x + c/y) with a + c = 1
is 1 - a (1 - y)/x - c (1 - x)/y. Of m parts the least mean is at a corner: every x is 0 or 1 but one, and so is every
y.

The Jaccard index of a part is g(D) = D / (2 - D) of its Dice coefficient D, convex; and D = 2 J / (1 + J), concave.
Both have a positive third derivative, so a parabola through the curve's point at 0 that touches it at x lies below it,
and one through its point at 1 that touches it at x lies above: with the standard deviation of D the mean of a parabola
is known, and so is a bound of the mean of J (the error of Hermite interpolation has the sign of t (t - x)^2).

Each bound holds for every choice of parts, and of common weights where their number is not known; so a claim outside of
it is impossible, and the name of the relation with the score is the whole proof. With a standard deviation the bound is
that of a parabola, whose coefficients the proof carries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from scoreproof.kinds.common_average.problem import CommonAverageProblem
from scoreproof.kinds.statement import Span
from scoreproof.kinds.unknown_classes.experiment import above, below
from scoreproof.reported import Claim

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
    (ones_x, rest_x), (ones_y, rest_y) = (divmod(parts * mean, 1) for mean in (x, y))
    corners: list[list[tuple[Fraction, Fraction]]] = []  # the parts at which something is neither 0 nor 1
    for beside_x, beside_y in product((UNIT, ZERO), repeat=2):
        corners.append([(rest_x, beside_x)] * bool(rest_x) + [(beside_y, rest_y)] * bool(rest_y))
    if rest_x and rest_y:
        corners.append([(rest_x, rest_y)])
    sums = []
    for odd in corners:
        free = parts - len(odd)
        own_x = int(ones_x) - sum(precision == 1 for precision, _ in odd)
        own_y = int(ones_y) - sum(recall == 1 for _, recall in odd)
        if 0 <= own_x <= free and 0 <= own_y <= free:
            sums.append(max(0, own_x + own_y - free) + sum((harmonic(a, b, squared_beta) for a, b in odd), ZERO))
    return min(sums) / parts


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


_WHOLE: Span = (ZERO, UNIT)
_PAIR = ("sens", "spec")

#: Of a score the relations with others, and the ends of its mean from the ends of theirs.
_LINEAR: dict[str, tuple[tuple[str, tuple[str, ...], Callable[..., Span]], ...]] = {
    "ji": (("overlap", ("ppv", "sens"), lambda x, y: (max(ZERO, x[0] + y[0] - 1), min(x[1], y[1]))),),
    "acc": (
        ("rates", _PAIR, lambda x, y: (max(ZERO, x[0] + y[0] - 1), min(UNIT, x[1] + y[1]))),
        ("balanced", ("bacc",), lambda x: (max(ZERO, 2 * x[0] - 1), min(UNIT, 2 * x[1]))),
        ("informed", ("bm",), lambda x: (max(ZERO, x[0]), min(UNIT, x[1] + 1))),
    ),
    "bacc": (("rates", _PAIR, lambda x, y: ((x[0] + y[0]) / 2, (x[1] + y[1]) / 2)),),
    "bm": (
        ("rates", _PAIR, lambda x, y: (x[0] + y[0] - 1, x[1] + y[1] - 1)),
        ("balanced", ("bacc",), lambda x: (2 * x[0] - 1, 2 * x[1] - 1)),
    ),
}
_FINE = 10**6  # denominators of the points where parabolas touch
_MORE_DIGITS = 2  # than were printed, for what follows from other claims


@dataclass(frozen=True, slots=True)
class MeanBounds:
    """Between which ends the mean of a score lies by a relation with others, and the proofs that carry it."""

    score: str
    low: Fraction
    high: Fraction
    others: tuple[str, ...]
    below: dict[str, Any]  # the proof that a claim below the low end is impossible
    above: dict[str, Any]


def broken(problem: CommonAverageProblem) -> tuple[dict[str, Any], MeanBounds | None] | None:
    """The proof that no common average gives the claims, and the bounds it is about; None if every relation holds."""
    for claim in problem.claims:
        if claim.beyond_range:
            return {"kind": "range", "score": claim.quantity.name}, None
    for claim in problem.claims:
        variance = problem.variance(claim)
        if variance is not None and variance[0] > _most_variance(problem.means[claim.quantity.name]):
            return {"kind": "deviation", "score": claim.quantity.name}, None
    # of Dice and Jaccard the second is said to be out of place: it is the one that follows
    for claim in sorted(problem.claims, key=lambda claim: claim.quantity.name != "ji"):
        low, high = problem.means[claim.quantity.name]
        for bounds in bounds_on(problem, claim.quantity.name, claim):
            if high < bounds.low:
                return bounds.below, bounds
            if low > bounds.high:
                return bounds.above, bounds
    return None


def bounds_on(problem: CommonAverageProblem, name: str, target: Claim) -> Iterator[MeanBounds]:
    """Every bound on the mean of a score from the other claims."""
    means = {score: span for score, span in problem.means.items() if score != name}
    beta = getattr(target.quantity, "beta", None)
    parts = problem.experiment.parts
    if beta is not None:
        pair = ("npv", "spec") if name.endswith("n") else ("ppv", "sens")
        (x0, x1), (y0, y1) = (means.get(score, _WHOLE) for score in pair)
        squared = Fraction(beta) ** 2
        yield _bounds("harmonic", name, means, pair, least_harmonic(x0, y0, squared, parts), harmonic(x1, y1, squared))
    for relation, others, ends in _LINEAR.get(name, ()):
        if len(others) == 2 or others[0] in means:
            known = (means.get(score, _WHOLE) for score in others)
            yield _bounds(relation, name, means, others, *ends(*known))
    for (start, end), curve in CURVES.items():
        if end == name and start in means:
            low, high = curve.between(*means[start], parts)
            yield _bounds("curve", name, means, (start,), low, high)
            yield from _parabolas(problem, name, start, curve)


def _bounds(
    relation: str, name: str, means: dict[str, Span], pair: tuple[str, ...], low: Fraction, high: Fraction
) -> MeanBounds:
    proofs = [{"kind": "bound", "relation": relation, "score": name, "side": side} for side in ("below", "above")]
    return MeanBounds(name, low, high, tuple(score for score in pair if score in means), *proofs)


def _parabolas(problem: CommonAverageProblem, name: str, start: str, curve: MeanCurve) -> Iterator[MeanBounds]:
    """What the deviation of one of Dice and Jaccard says about the mean of the other."""
    claim = next(claim for claim in problem.claims if claim.quantity.name == start)
    variance = problem.variance(claim)
    if variance is None:
        return
    low, high = problem.means[start]
    for mean, spread in {(low, variance[0]), ((low + high) / 2, variance[0]), (high, variance[1]), (low, variance[1])}:
        for side, touch in (
            ("below", None if mean <= 0 else mean + spread / mean),
            ("above", None if mean >= 1 else mean - spread / (1 - mean)),
        ):
            x = None if touch is None else Fraction(round(touch * _FINE), _FINE)
            if x is None or not (0 < x <= 1 if side == "below" else 0 <= x < 1):
                continue
            a, b, c = curve.below(x) if side == "below" else curve.above(x)
            end = mean_of_parabola((a, b, c), (low, high), variance, side)
            proof = {
                "kind": "parabola",
                "from": start,
                "score": name,
                "side": side,
                "touch": str(x),
                "coefficients": [str(a), str(b), str(c)],
            }
            ends = (end, UNIT) if side == "below" else (ZERO, end)
            yield MeanBounds(name, *ends, (start,), proof, proof)


def mean_of_parabola(
    coefficients: tuple[Fraction, Fraction, Fraction], mean: Span, variance: Span, side: str
) -> Fraction:
    """The least (side below) or largest mean of a + b t + c t^2 over all t of such mean and variance."""
    a, b, c = coefficients
    spread = variance[0] if (side == "below") == (c >= 0) else variance[1]
    places = [*mean]
    if c and mean[0] < -b / (2 * c) < mean[1]:
        places.append(-b / (2 * c))
    values = [a + b * t + c * (spread + t * t) for t in places]
    return min(values) if side == "below" else max(values)


def _most_variance(mean: Span) -> Fraction:
    """The largest variance of values from 0 to 1 with such a mean."""
    low, high = mean
    t = min(max(Fraction(1, 2), low), high)
    return t * (1 - t)


def in_words(problem: CommonAverageProblem) -> str:
    """Why no common average gives the claims, in one sentence; empty if every relation holds."""
    contradiction = broken(problem)
    if contradiction is None:
        return ""
    proof, bounds = contradiction
    claim = next(claim for claim in problem.claims if claim.quantity.name == proof["score"])
    if bounds is None:
        if proof["kind"] == "range":
            return claim.beyond_range or ""
        return f"{claim}: values from 0 to 1 with such a mean do not deviate that much"
    others = [other for other in problem.claims if other.quantity.name in bounds.others]
    given = " and ".join(f"mean {other.name} {other.text}" for other in others)
    digits = claim.number.digits + _MORE_DIGITS
    if proof["side"] == "below":
        limit = f"at least {below(bounds.low, digits)}"
    else:
        limit = f"at most {above(bounds.high, digits)}"
    return f"no common average gives these: with {given} the mean {claim.name} is {limit}, and {claim.text} is printed"
