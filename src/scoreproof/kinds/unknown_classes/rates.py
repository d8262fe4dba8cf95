"""Rates and prevalence where no sizes are known (Lavazza and Morasca 2023, doi:10.1109/ACCESS.2023.3278996).

Their procedure (section III) solves for the rates of the four cells as if the printed values were exact. Here every
printed value is the interval it stands for, and the answer is a guaranteed range for each quantity, or a proof that no
confusion matrix of any size has these scores.

Of a known total a proof about rates bounds the prevalence first; what is left of p is decided value by value with the
engine for one confusion matrix. If nothing fits, the proofs of all parts together are the certificate:

    ["cut", "total" | "p", v]   two parts: at most v, then above
    ["rates", steps]            no rates with such a prevalence fit (see ``cone_branching``)
    ["grid", steps]             no (tp, tn) fits this one total and p (see ``engine.rectangles``)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.engine.solutions import Solutions
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.unknown_classes.bounds import Bounds
from scoreproof.kinds.unknown_classes.cone_branching import ConeBranching, Step
from scoreproof.kinds.unknown_classes.experiment import BoundedQuantity, Range, basics
from scoreproof.kinds.unknown_classes.forms import UNITS, Vector, demand, weighted
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

_SEARCH = 4_000  # cones until an admissible direction is found, or all are excluded
_TIGHTEN = 220  # cones for tightening the ranges to 1e-4; more if more is asked for
_MOST = 6_000


@dataclass(frozen=True, slots=True)
class Rates:
    """What the scores say about the rates: a witness and ranges, or a proof, or neither within the limits."""

    witness: Vector | None
    proof: list[Step] | None
    ranges: dict[str, Range]
    cover: tuple[tuple[Vector, ...], ...]
    cones: int


def rates(
    reported: tuple[Claim, ...],
    quantities: tuple[BoundedQuantity, ...],
    *,
    prevalence: tuple[Fraction, Fraction] | None = None,
    tightness: float,
    budget: float | Budget,
    most_cones: int | None = None,
    edge: tuple[int, int] | None = None,
) -> Rates:
    """Decide whether rates exist that fit, and bound the quantities, if any, over all that do; on an edge two cells."""
    deadline = Budget.of(budget)
    if most_cones is None:
        most_cones = min(_MOST, round(_TIGHTEN * max(1.0, 1e-4 / tightness) ** 0.5))
    demands = [demand(index, claim) for index, claim in enumerate(reported)]
    planes: list[Vector] = []
    if prevalence is not None:  # low <= (tp + fn) / (tp + fp + fn + tn) <= high
        (a, b), (c, d) = prevalence[0].as_integer_ratio(), prevalence[1].as_integer_ratio()
        planes = [(b - a, -a, b - a, -a), (c - d, c, c - d, c)]
    if edge is not None:
        planes += [weighted(-1, unit, 0, unit) for k, unit in enumerate(UNITS) if k not in edge]
    tree = ConeBranching(demands, planes=planes, deadline=deadline)
    bounds = Bounds(tree, quantities)
    if bounds.find(_SEARCH) is not None:
        bounds.tighten(tightness, tree.cones + most_cones)
    if not tree.leaves:
        return Rates(None, tree.proof(), {}, (), tree.cones)
    ranges = {claim.name: span for claim in quantities if (span := bounds.range(claim)) is not None}
    return Rates(bounds.witness, None, _as_reported(ranges, reported), bounds.cover(), tree.cones)


def _as_reported(ranges: dict[str, Range], reported: tuple[Claim, ...]) -> dict[str, Range]:
    """No score leaves the interval that was reported for it."""
    for claim in reported:
        span = ranges.get(claim.score.name)
        if span is not None:
            low = max(span.low, claim.low)
            high = claim.high if span.high is None else min(span.high, claim.high)
            ranges[claim.score.name] = Range(low, high, span.exact, span.seen_low, span.seen_high)
    return ranges


Span = tuple[Fraction, Fraction]

_FIRST_BOUNDS = 2.0  # seconds for bounds on the prevalence
_SMALL = 120  # totals for which looking at every p is quicker than bounding the prevalence
_WHOLE: Span = (Fraction(0), Fraction(1))


@dataclass(frozen=True, slots=True)
class Group:
    """All matrices with these class counts; ``example`` is one of them."""

    p: int
    n: int
    example: ConfusionMatrix
    _reported: tuple[Claim, ...]
    _filler: int | None = None

    @property
    def solutions(self) -> Solutions:
        """The matrices in compact form."""
        return Solutions(
            [band(index, claim, self.p, self.n) for index, claim in enumerate(self._reported)], filler=self._filler
        )

    @property
    def total(self) -> int:
        return self.p + self.n


class Totals:
    """The class counts that fit reported scores at totals from ``least`` to ``most``."""

    def __init__(
        self, reported: tuple[Claim, ...], least: int, most: int, prevalence: Span | None, deadline: Budget
    ) -> None:
        self.reported = reported
        self.least, self.most = least, most
        self.prevalence = prevalence
        self.deadline = deadline
        self.proof: list[Step] | None = None
        self.span = self._bounded()

    @property
    def late(self) -> bool:
        return self.deadline.passed

    def _bounded(self) -> Span | None:
        """A guaranteed range of the prevalence; None if there is a proof that no rates fit at all."""
        span = self.prevalence or _WHOLE
        if self.most <= _SMALL or any(not claim.score.builtin for claim in self.reported):
            return span
        known = rates(
            self.reported,
            basics()[-1:],
            prevalence=self.prevalence,
            tightness=max(1e-4, 0.5 / self.most),
            budget=self.deadline.within(_FIRST_BOUNDS),
            most_cones=150,
        )
        if known.proof is not None:
            self.proof = [["rates", known.proof]]
            return None
        bounds = known.ranges.get("prevalence")
        if bounds is not None and bounds.high is not None:
            span = max(span[0], bounds.low), min(span[1], bounds.high)
        return span

    def _positives(self, total: int) -> range:
        """The p that are to be looked at."""
        assert self.span is not None
        return range(max(0, math.ceil(self.span[0] * total)), min(total, math.floor(self.span[1] * total)) + 1)

    @property
    def candidates(self) -> int:
        """How many (p, n) are to be looked at."""
        if self.span is None:
            return 0
        if self.most - self.least > 100_000:
            return (self.most - self.least + 1) * (1 + math.floor((self.span[1] - self.span[0]) * self.most))
        return sum(len(self._positives(total)) for total in range(self.least, self.most + 1))

    def groups(self) -> Iterator[Group]:
        """The (p, n) that fit, total by total; stops silently when the budget is spent (see ``late``)."""
        totals = range(self.least, self.most + 1) if self.span is not None else ()
        for p, n in ((p, total - p) for total in totals for p in self._positives(total)):
            if self.late:
                return
            bands = [band(index, claim, p, n) for index, claim in enumerate(self.reported)]
            cell = decide(bands, budget=self.deadline).cell
            if cell is not None:
                tp, tn = cell
                yield Group(p, n, ConfusionMatrix(tp, n - tn, p - tp, tn), self.reported)

    def refute(self) -> list[Step] | None:
        """The proof that no class counts fit, total by total; None if the budget is too small for it."""
        if self.proof is not None:
            return self.proof
        steps: list[Step] = []
        for total in range(self.least, self.most + 1):
            if total < self.most:
                steps.append(["cut", "total", total])
            part = self._refute_total(total)
            if part is None:
                return None
            steps += part
        return steps

    def _refute_total(self, total: int) -> list[Step] | None:
        """p from 0 to ``self.most`` is covered; a part with more positives than cases closes itself."""
        first, last = self._positives(total).start, self._positives(total).stop - 1
        if first > last:
            first = last = self.most + 1
        steps: list[Step] = []
        for low, high, by_rates in ((0, first - 1, True), (first, last, False), (last + 1, self.most, True)):
            if low > min(high, total):
                continue
            if high < self.most:
                steps.append(["cut", "p", high])
            span = Fraction(low, total), min(Fraction(1), Fraction(high, total))
            known = self._rates_in(span) if by_rates else None
            part = self._one_by_one(total, low, high) if known is None else [["rates", known]]
            if part is None:
                return None
            steps += part
        return steps

    def _one_by_one(self, total: int, first: int, last: int) -> list[Step] | None:
        """The proofs for p from ``first`` to ``last``."""
        steps: list[Step] = []
        for p in range(first, min(last, total) + 1):
            bands = [band(index, claim, p, total - p) for index, claim in enumerate(self.reported)]
            solved = decide(bands, budget=self.deadline)
            if solved.proof is None or self.late:
                return None
            if p < last:
                steps.append(["cut", "p", p])
            steps.append(["grid", solved.proof])
        return steps

    def _rates_in(self, span: Span) -> list[Step] | None:
        low, high = span
        if self.prevalence is not None:
            low, high = max(low, self.prevalence[0]), min(high, self.prevalence[1])
            if low > high:
                return [["out"]]
        meeting = None if (low, high) == _WHOLE else (low, high)
        solved = rates(self.reported, (), prevalence=meeting, tightness=1.0, budget=self.deadline)
        return solved.proof
