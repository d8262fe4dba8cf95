"""From reports to constraints on a mean of scores, and their relaxation by pooling (Rogers et al. 1991).

Where the sets of a part are alike in their class counts and weigh the same, the mean of a linear score over them is
that of their matrices added up. So what is said of linear scores over parts whose means deviate is said of one matrix
for each part, and a deviation over means of sets becomes one over sets, which every engine knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.engine.averages.constraints import COUNTED, Bound, Constraints, Hexagon, Interval, Target
from scoreproof.kinds.binary.engine.averages.points import bounds_of_parts
from scoreproof.kinds.binary.experiment import Experiment, KFold, ScoreOfMeans, total_counts
from scoreproof.kinds.binary.experiment.normal import (
    EvaluationSet,
    NormalForm,
    Tree,
    members,
    ranged,
    summands,
    weights,
)
from scoreproof.kinds.binary.problem import Averages
from scoreproof.kinds.binary.scores import Shape, score
from scoreproof.reported import Claim
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Divisor, Spread, SpreadOver, Undefined


def pooled(constraints: Constraints) -> Constraints | None:
    """What is said of linear scores, with one set for each part that deviates; None if that is not the same."""
    form, parts = constraints.form, constraints.spread_parts
    if not constraints.deviations_of_means or not all(_alike(constraints, part) for part in parts):
        return None
    linear = tuple(
        replace(target, minimum=None, maximum=None)
        for target in constraints.targets
        if target.mean is not None
        and target.score.builtin
        and target.score.shape is Shape.LINEAR
        and all(target.score.ratio(0, subset.n, subset.p, 0)[1] > 0 for subset in set(form.sets))
    )
    if all(target.variance is None for target in linear):
        return None
    first = [(form.sets[members(part)[0]], len(members(part))) for part in parts]
    sets = tuple(EvaluationSet(each.p * count, each.n * count, Fraction(1, len(parts))) for each, count in first)
    whole = NormalForm(sets, (), (), {}, tuple(range(len(sets))))
    return replace(constraints, form=whole, targets=linear, bounds=(), hexagons={}, spread_over=SpreadOver.FOLDS)


def _alike(constraints: Constraints, part: Tree) -> bool:
    """Whether the sets of a part have the same known class counts and weights, and no bounded summands."""
    own = members(part)
    sets = {(subset.p, subset.n, subset.family) for subset in (constraints.form.sets[index] for index in own)}
    known = len(sets) == 1 and next(iter(sets))[2] is None
    return known and len(set(weights(part).values())) == 1 and not any(index in constraints.hexagons for index in own)


def constraints_of(
    form: NormalForm, reported: Sequence[Claim], averages: Averages, undefined: Undefined
) -> Constraints:
    """Everything the report says, as intervals."""
    over = averages.spread_over if averages.deviating(reported) else SpreadOver.ANY
    if averages.deviating(reported) and len(form.parts) < 2:
        raise InvalidValue(
            "a ± needs at least two parts that are averaged; leave it out, use spread='ignore', or give what a mean of "
            "one part is the mean of"
        )
    if over is SpreadOver.REPEATS and not form.repeats:
        raise InvalidOption("spread_over='repeats' needs repeated folds: KFold(..., repeats=R) with R of at least 2")
    unit = Fraction(0) if averages.fold_digits is None else Fraction(1, 10**averages.fold_digits)
    extremes = {
        side: {claim.score.name: (claim.low - unit, claim.high + unit) for claim in given}
        for side, given in (("minimum", averages.minimum), ("maximum", averages.maximum))
    }
    targets = [_target(claim, averages, extremes, unit) for claim in reported]
    named = {claim.score.name for claim in reported}
    for claim in (*averages.minimum, *averages.maximum):
        if claim.score.name not in named:
            named.add(claim.score.name)
            least, most = (extremes[side].get(claim.score.name) for side in ("minimum", "maximum"))
            targets.append(Target(claim.score, None, minimum=least, maximum=most, attained=averages.attained))
    bounds = []
    for given in form.ranges:
        low, high = _ends(given.score, given.low, given.high)
        widened = (None if low is None else low - unit, None if high is None else high + unit)
        bounds.append(Bound(score(given.score), widened, given.part))
    targets = [_within_parts(target, bounds, form) for target in targets]
    if over is SpreadOver.PARTS and not form.flat:
        bounds += [bound for target in targets for bound in bounds_of_parts(target, form.parts)]
    return Constraints(
        form,
        tuple(targets),
        tuple(bounds),
        undefined,
        {index: _hexagon(experiment) for index, experiment in form.sums.items()},
        SpreadOver.FOLDS if over is SpreadOver.ANY else over,
        averages.extremes_over,
        averages.divisor is Divisor.ANY,
    )


def _within_parts(target: Target, bounds: Sequence[Bound], form: NormalForm) -> Target:
    """A mean lies between the bounds of its direct parts, whichever of them count."""
    intervals = [bound.interval for bound in bounds if bound.score == target.score and bound.part in form.parts]
    if target.mean is None or len(intervals) < len(form.parts):
        return target
    lows, highs = [low for low, _ in intervals if low is not None], [high for _, high in intervals if high is not None]
    low = max(target.mean[0], min(lows)) if len(lows) == len(intervals) else target.mean[0]
    high = min(target.mean[1], max(highs)) if len(highs) == len(intervals) else target.mean[1]
    return replace(target, mean=(low, high))


def _target(claim: Claim, averages: Averages, extremes: Mapping[str, Mapping[str, Interval]], unit: Fraction) -> Target:
    """One score's demands; values that were rounded before they were averaged are off by at most ``unit`` each."""
    variance = None
    if claim.spread is not None and averages.spread is not Spread.IGNORE:
        least, most = spread_interval(claim)
        # the deviation of k numbers in [-unit, unit] is at most unit, and with divisor k - 1 below 3/2 of it
        variance = (max(least - unit * 3 / 2, Fraction(0)) ** 2, (most + unit * 3 / 2) ** 2)
    return Target(
        claim.score,
        (claim.low - unit, claim.high + unit),
        (claim.low + claim.high) / 2,
        variance,
        averages.spread is Spread.ERROR,
        averages.divisor.ddof,
        extremes["minimum"].get(claim.score.name),
        extremes["maximum"].get(claim.score.name),
        averages.attained,
    )


def _ends(name: str, low: Any, high: Any) -> tuple[Fraction | None, Fraction | None]:
    """A range as numbers, widened by how its ends were rounded."""
    ends: list[Fraction | None] = []
    for side, value in enumerate((low, high)):
        ends.append((value.low, value.high)[side] if isinstance(value, Claim) else value)
    if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
        raise InvalidOption(f"ranges: the low end of {name} lies above its high end")
    return ends[0], ends[1]


def _hexagon(experiment: Experiment) -> Hexagon:
    """What ranges of summands leave to their sum."""
    if not ranged(experiment):
        return Hexagon.whole(*total_counts(experiment))
    total = Hexagon((0, 0), (0, 0), (0, 0))
    if isinstance(experiment, ScoreOfMeans) and not experiment.ranges:
        for part in experiment.parts:
            total += _hexagon(part)
        return total
    assert isinstance(experiment, (ScoreOfMeans, KFold))
    for p, n in summands(experiment):
        summand = Hexagon.whole(p, n)
        for name, (low, high) in experiment.ranges.items():
            if score(name).name not in COUNTED:
                raise InvalidOption(
                    f"ranges: {name} of the parts of a score of means; only accuracy, sensitivity, specificity and "
                    "their complements can be bounded there"
                )
            summand = summand.bounded(score(name).name, p, n, *_ends(name, low, high))
        total += summand
    return total
