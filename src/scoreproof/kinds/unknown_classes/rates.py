"""Nothing known but the scores: which rates, which prevalence, which other scores?

The procedure of Lavazza and Morasca (2023, doi:10.1109/ACCESS.2023.3278996), section III, solves for the rates of
the four cells as if the printed values were exact. Here every printed value is the interval it stands for, and the
answer is a guaranteed range for each quantity, or a proof that no confusion matrix of any size has these scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scoreproof.kinds.unknown_classes.bounds import Bounds
from scoreproof.kinds.unknown_classes.cone import Vector
from scoreproof.kinds.unknown_classes.demands import demand
from scoreproof.kinds.unknown_classes.paving import Paving, Step, scaling, unchanged
from scoreproof.kinds.unknown_classes.quantities import BoundedQuantity
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

_SEARCH = 4_000  # cones until an admissible direction is found, or all are excluded
_TIGHTEN = 220  # cones for tightening the ranges to 1e-4; more if more is asked for
_MOST = 6_000
_SHARES = {"truth": ("sens", "spec"), "answer": ("ppv", "npv")}


@dataclass(frozen=True, slots=True)
class Rates:
    """What the scores say about the rates: a witness and ranges, or a proof, or neither within the limits."""

    witness: Vector | None
    proof: list[Step] | None
    ranges: dict[str, Range]
    cover: tuple[tuple[Vector, ...], ...]
    tight: bool
    cones: int


def prevalence_planes(low: Fraction, high: Fraction) -> list[Vector]:
    """The half-spaces low <= (tp + fn) / (tp + fp + fn + tn) <= high."""
    (a, b), (c, d) = low.as_integer_ratio(), high.as_integer_ratio()
    return [(b - a, -a, b - a, -a), (c - d, c, c - d, c)]


def rates(
    reported: tuple[Claim, ...],
    quantities: tuple[BoundedQuantity, ...],
    *,
    prevalence: tuple[Fraction, Fraction] | None = None,
    tightness: float,
    budget: float | Budget,
    bounds_wanted: bool = True,
    most_cones: int | None = None,
) -> Rates:
    """Decide whether rates exist that fit, and bound the quantities over all that do."""
    deadline = Budget.of(budget)
    if most_cones is None:
        most_cones = min(_MOST, round(_TIGHTEN * max(1.0, 1e-4 / tightness) ** 0.5))
    demands = [demand(index, one) for index, one in enumerate(reported)]
    planes = [] if prevalence is None else prevalence_planes(*prevalence)
    free = scaling(demands) if not planes else None
    paving = Paving(demands, planes=planes, free=free, deadline=deadline)
    fixed = tuple(one for one in quantities if free is None or one.name in unchanged(free))
    bounds = Bounds(paving, fixed if bounds_wanted else ())
    witness = bounds.find(_SEARCH)
    if not paving.leaves:
        return Rates(None, paving.proof(), {}, (), True, paving.cones)
    if witness is None or not bounds_wanted:
        ranges = {one.name: span for one in fixed if bounds_wanted and (span := bounds.range(one)) is not None}
        return Rates(witness, None, ranges, bounds.cover(), False, paving.cones)
    bounds.tighten(tightness, paving.cones + most_cones)
    ranges = _ranges(bounds, fixed)
    witness = witness or bounds.witness
    tight, cones = bounds.finished, paving.cones
    if free is not None and len(fixed) < len(quantities):
        varying = tuple(one for one in quantities if one not in fixed)
        shares = [plane for name in _SHARES[free] if name in ranges for plane in _share_planes(name, ranges[name])]
        paving = Paving(demands, planes=shares, deadline=deadline)
        bounds = Bounds(paving, varying)
        bounds.find(most_cones)
        bounds.tighten(tightness, paving.cones + most_cones)
        ranges |= _ranges(bounds, varying)
        tight, cones = tight and bounds.finished, cones + paving.cones
    return Rates(witness, None, _as_reported(ranges, reported), bounds.cover(), tight, cones)


def _ranges(bounds: Bounds, quantities: tuple[BoundedQuantity, ...]) -> dict[str, Range]:
    return {one.name: span for one in quantities if (span := bounds.range(one)) is not None}


def _share_planes(name: str, span: Range) -> list[Vector]:
    """The half-spaces that keep a share of two cells in its range."""
    i, j = {"sens": (0, 2), "spec": (3, 1), "ppv": (0, 1), "npv": (3, 2)}[name]
    assert span.high is not None
    planes = []
    for sign, bound in ((1, span.low), (-1, span.high)):
        plane = [0, 0, 0, 0]
        plane[i], plane[j] = sign * (bound.denominator - bound.numerator), -sign * bound.numerator
        planes.append((plane[0], plane[1], plane[2], plane[3]))
    return planes


def _as_reported(ranges: dict[str, Range], reported: tuple[Claim, ...]) -> dict[str, Range]:
    """No score leaves the interval that was reported for it."""
    for one in reported:
        span = ranges.get(one.score.name)
        if span is not None:
            low = max(span.low, one.low)
            high = one.high if span.high is None else min(span.high, one.high)
            ranges[one.score.name] = Range(low, high, span.exact, span.seen_low, span.seen_high)
    return ranges
