"""Interval arithmetic of monotone formulas (Moore 1966): a printed number said to be computed from other printed ones.

Averages, differences, gains, F-scores, shares: each is ``offset + factor v``, where v is a weighted sum of the parts
(``linear``), a root of a product of their powers (``product``), a weighted harmonic mean (``harmonic``) or a whole
number of cases over their number (``share``). A part x may stand for its complement c - x. Every formula rises or falls
in each part (of all but sums the parts are not negative), so its least and its greatest value stand at two corners of
the box of the printed intervals, and it takes every value between them. The claim may also be a bound of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor, prod
from typing import Annotated, Any, ClassVar

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.statement import Called, Entries, StatedFields, Values, listed, printed, short_name, unknown
from scoreproof.kinds.unknown_classes.experiment import above, below
from scoreproof.reported import Claim, Value
from scoreproof.validation import chosen
from scoreproof.work.budget import Budget

MOST_PARTS, MOST_ROOT, MOST_POWER, MOST_SIZE = 1_000, 64, 4, 10**15
_HALVINGS = 100
VALUE = unknown("value")
_ZERO, _ONE = Fraction(0), Fraction(1)
Open = tuple[Fraction | None, Fraction | None]


class Formula(StrEnum):
    """What v is of the parts."""

    LINEAR = "linear"
    PRODUCT = "product"
    HARMONIC = "harmonic"
    SHARE = "share"


class BoundSide(StrEnum):
    """What the claim is of the value: the value itself, not more or not less than it."""

    EQUAL = "equal"
    MOST = "most"
    LEAST = "least"


@dataclass(frozen=True, slots=True)
class RelationProblem(StatedFields):
    """Parts as printed, a formula, and at most one printed value of it; ``name`` says in words what the formula is.

    ``weights`` are the coefficients of a sum, the whole exponents of a product, the weights of a harmonic mean;
    ``complements`` are the constants from which parts are taken off, or None. Of a share ``size`` is the number of
    cases.
    """

    kind: ClassVar[str] = "relation"
    name: Annotated[str, Called("relation")]
    formula: Formula
    parts: Annotated[tuple[Claim, ...], Entries(VALUE)]
    weights: tuple[Fraction, ...]
    complements: tuple[Fraction | None, ...]
    claims: Annotated[tuple[Claim, ...], Called("claim"), Entries(VALUE, alone=True)]
    factor: Fraction = _ONE
    offset: Fraction = _ZERO
    root: int = 1
    size: int | None = None
    bound: BoundSide = BoundSide.EQUAL

    def __post_init__(self) -> None:
        share, count = self.formula is Formula.SHARE, len(self.parts)
        if len(self.claims) > 1:
            raise InvalidOption(f"claims: expected one {self.name} of the parts, got {len(self.claims)}")
        if not (count == 0 if share else 1 <= count <= MOST_PARTS):
            raise InvalidOption(f"parts: expected {'none' if share else f'1 to {MOST_PARTS}'}, got {count}")
        if share != (self.size is not None) or (self.size is not None and not 1 <= self.size <= MOST_SIZE):
            raise InvalidOption(f"size: expected 1 to {MOST_SIZE:,} cases of a share alone, got {self.size}")
        if len(self.weights) != count or len(self.complements) != count:
            raise InvalidOption(f"weights, complements: expected one for each of the {count} parts")
        if self.factor == 0 or not 1 <= self.root <= (MOST_ROOT if self.formula is Formula.PRODUCT else 1):
            raise InvalidOption(f"factor, root: expected a factor and a root, got {self.factor} and {self.root}")
        self._check_weights()

    def _check_weights(self) -> None:
        if self.formula is Formula.PRODUCT and any(w.denominator > 1 or abs(w) > MOST_POWER for w in self.weights):
            raise InvalidOption(f"weights: expected whole exponents up to {MOST_POWER} of a product")
        if self.formula is Formula.HARMONIC and any(weight <= 0 for weight in self.weights):
            raise InvalidOption("weights: expected weights above 0 of a harmonic mean")
        if self.formula is not Formula.LINEAR and any(high < 0 for _, high in self.spans(clipped=False)):
            raise InvalidValue(f"parts: expected numbers that are not negative, of which there is a {self.name}")

    def spans(self, *, clipped: bool = True) -> list[tuple[Fraction, Fraction]]:
        """Where each factor or summand lies, complements taken; of all but sums not below 0."""
        spans = []
        for part, complement in zip(self.parts, self.complements, strict=True):
            low, high = part.low, part.high
            if complement is not None:
                low, high = complement - high, complement - low
            spans.append((max(low, _ZERO) if clipped and self.formula is not Formula.LINEAR else low, high))
        return spans

    def at(self, values: Sequence[Fraction]) -> Fraction | None:
        """v to the power ``root`` at values of the summands or factors; None where it is infinite."""
        if self.formula is Formula.LINEAR:
            return sum((w * x for w, x in zip(self.weights, values, strict=True)), _ZERO)
        if self.formula is Formula.HARMONIC:
            if not all(values):
                return _ZERO
            return sum(self.weights) / sum((w / x for w, x in zip(self.weights, values, strict=True)), _ZERO)
        if any(x == 0 and w < 0 for w, x in zip(self.weights, values, strict=True)):
            return None
        return prod((x ** int(w) for w, x in zip(self.weights, values, strict=True)), start=_ONE)

    def corners(self) -> tuple[list[Fraction], list[Fraction]]:
        """Where v is least and where it is greatest."""
        spans = self.spans()
        rising = [weight >= 0 for weight in self.weights]
        least = [low if rises else high for (low, high), rises in zip(spans, rising, strict=True)]
        return least, [high if rises else low for (low, high), rises in zip(spans, rising, strict=True)]

    def wanted(self) -> Open:
        """Between which ends v lies if the claim is so; None where there is none."""
        claim = self.claims[0]
        ends: list[Fraction | None] = [
            None if self.bound is BoundSide.LEAST else (claim.low - self.offset) / self.factor,
            None if self.bound is BoundSide.MOST else (claim.high - self.offset) / self.factor,
        ]
        return (ends[1], ends[0]) if self.factor < 0 else (ends[0], ends[1])

    def meets(self, low: Fraction, high: Fraction | None) -> bool:
        """Whether powers of v from low to high hold one that the claim allows."""
        least, most = self.wanted()
        if most is not None and ((self.root > 1 and most < 0) or most**self.root < low):
            return False
        return least is None or high is None or (self.root > 1 and least < 0) or least**self.root <= high


def printed_relation(
    name: str,
    parts: Mapping[str, Value | Claim],
    value: Value | Claim,
    *,
    formula: str | Formula = Formula.LINEAR,
    weights: Sequence[int | Fraction] | None = None,
    complements: Sequence[int | Fraction | None] | None = None,
    factor: int | Fraction = 1,
    offset: int | Fraction = 0,
    root: int = 1,
    size: int | None = None,
    bound: str | BoundSide = BoundSide.EQUAL,
    **how: Any,
) -> RelationProblem:
    """The problem of a printed value that is a formula of printed parts, by name; weights are 1 unless they are given.

    >>> problem = printed_relation("mean", {"A": "0.71", "B": "0.73"}, "0.78", factor=Fraction(1, 2))
    >>> KIND.because(problem)
    'the parts give 0.710 to 0.730'
    """
    count = len(parts)
    return RelationProblem(
        short_name(name),
        chosen("formula", formula, Formula),
        tuple(printed(VALUE, text, label, **how) for label, text in parts.items()),
        tuple(map(Fraction, weights)) if weights is not None else (_ONE,) * count,
        tuple(None if c is None else Fraction(c) for c in complements) if complements is not None else (None,) * count,
        (printed(VALUE, value, name, **how),),
        Fraction(factor),
        Fraction(offset),
        root,
        size,
        chosen("bound", bound, BoundSide),
    )


class RelationKind(Kind[RelationProblem, Values]):
    """A printed number that is said to be computed from other printed numbers."""

    name = "relation"
    problem_type = RelationProblem
    witness_type = Values
    names_conflicts = True

    def decide(self, problem: RelationProblem, *, deadline: Budget, seed: int) -> Decision[Values]:
        if problem.formula is Formula.SHARE:
            return _share(problem)
        least, most = problem.corners()
        if not problem.claims:
            return Decision(Values(tuple(most)))
        low, high = problem.at(least), problem.at(most)
        if low is not None and not problem.meets(low, high):
            return Decision(proof={"kind": str(problem.formula)})
        start, end = _ZERO, _ONE
        for _ in range(_HALVINGS):
            for share in (start, end, (start + end) / 2):
                values = tuple(a + share * (b - a) for a, b in zip(least, most, strict=True))
                if self.holds(problem, Values(values)):
                    return Decision(Values(values))
            reached, wanted = problem.at(values), problem.wanted()[0]
            small = reached is not None and wanted is not None and wanted > 0 and reached < wanted**problem.root
            if problem.formula is Formula.LINEAR and reached is not None and wanted is not None:
                small = reached < wanted
            start, end = ((start + end) / 2, end) if small else (start, (start + end) / 2)
        return Decision(reason="no values of the parts were found that give it, and none were excluded")

    def holds(self, problem: RelationProblem, witness: Values) -> bool:
        values = witness.values
        if problem.formula is Formula.SHARE:
            size, ends = problem.size or 1, problem.wanted() if problem.claims else (None, None)
            share = values[0] / size if len(values) == 1 and values[0].denominator == 1 else _ONE * -1
            return 0 <= share <= 1 and (ends[0] or _ZERO) <= share and (ends[1] is None or share <= ends[1])
        if len(values) != len(problem.parts):
            return False
        if not all(low <= value <= high for (low, high), value in zip(problem.spans(), values, strict=True)):
            return False
        reached = problem.at(values)
        return not problem.claims or (reached is not None and problem.meets(reached, reached))

    def subject(self, problem: RelationProblem) -> str:
        if problem.formula is Formula.SHARE:
            return f"a whole number of {problem.size:,} cases"
        word = {BoundSide.EQUAL: "the", BoundSide.MOST: "what is at most the", BoundSide.LEAST: "what is at least the"}
        return f"{word[problem.bound]} {problem.name} of {listed([part.text for part in problem.parts])}"

    def because(self, problem: RelationProblem) -> str:
        digits = max([claim.number.digits for claim in problem.claims], default=2)
        if problem.formula is Formula.SHARE:
            (low, high), size = problem.wanted(), problem.size or 1
            below_middle = floor(((low or _ZERO) + (_ONE if high is None else high)) / 2 * size)
            counts = [k for k in (below_middle, below_middle + 1) if 0 <= k <= size]
            near = [problem.factor * k / size + problem.offset for k in counts]
            return f"the shares next to it are {listed([f'{float(value):.{digits + 2}f}' for value in near])}"
        return f"the parts give {span_shown(problem, digits)}"

    def implied(self, problem: RelationProblem, target: Claim) -> Ends | None:
        if problem.formula is Formula.SHARE or problem.bound is not BoundSide.EQUAL or problem.root > 1:
            return None
        low, high = value_range(problem)
        return None if low is None else (low, high)


def value_range(problem: RelationProblem) -> Open:
    """The least and the greatest value of the formula; of a root as a float, which words alone are made from."""
    ends: list[Fraction | None] = []
    for corner in problem.corners():
        power = problem.at(corner)
        if power is not None and problem.root > 1:
            power = Fraction(float(power) ** (1 / problem.root))
        ends.append(None if power is None else problem.offset + problem.factor * power)
    return (ends[1], ends[0]) if problem.factor < 0 else (ends[0], ends[1])


def span_shown(problem: RelationProblem, digits: int) -> str:
    """The range of the formula in words, rounded outwards to one digit more than so many."""
    low, high = value_range(problem)
    if problem.bound is BoundSide.MOST:
        return f"at most {above(high, digits + 1)}"
    shown_low = "anything" if low is None else below(low, digits + 1)
    return f"at least {shown_low}" if problem.bound is BoundSide.LEAST else f"{shown_low} to {above(high, digits + 1)}"


def _share(problem: RelationProblem) -> Decision[Values]:
    size = problem.size or 1
    low, high = problem.wanted() if problem.claims else (None, None)
    first = max(0, ceil((low or _ZERO) * size))
    last = size if high is None else min(size, floor(high * size))
    return Decision(proof={"kind": "share"}) if first > last else Decision(Values((Fraction(first),)))


KIND = RelationKind()
