"""Integer program in columns (Dantzig and Wolfe 1960, doi:10.1287/opre.8.1.101): one chosen for each evaluation set.

A *column* is a possible point of an evaluation set: its class counts, (tp, tn), and for scores that are 0/0 there one
of the admitted ways to count that. Every constraints on the mean is a bound on a sum over the chosen columns (a *row*):
scores, centred squares for reported deviations, indicators for attained extremes, class counts for families of open
folds, and the plain totals that are integers. ModelRow values are kept as integers at a power of two per row, rounded
outwards, so that every comparison that matters is between 64-bit integers.

Where sets are left out of a mean (0/0 skipped), the mean m over the others lies in [low, high] if the sum of (f - low)
over them is not negative and that of (f - high) not positive. In nested means the levels lose different shares; there
a set left out counts as some value between the smallest and the largest, which is what a mean without it amounts to.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.arrays import Bools, Ints
from scoreproof.kinds.binary.engine.averages.constraints import (
    Bound,
    Constraints,
    Target,
    TooManyPoints,
    by_score,
    can_be_listed,
    extremes_of_parts,
    set_groups,
    treatments,
)
from scoreproof.kinds.binary.engine.averages.dual_bound import Model, ModelRow
from scoreproof.kinds.binary.engine.averages.points import (
    BITS,
    PartColumns,
    magnitude,
    not_beyond,
    outward,
    square_bounds,
)
from scoreproof.kinds.binary.experiment import FoldRule
from scoreproof.kinds.binary.experiment.normal import Tree
from scoreproof.kinds.binary.scores import Score
from scoreproof.work.budget import NEVER, Budget

_SQUARE_MARGIN = 1 / 16
_COUNTS: tuple[Callable[[PartColumns], Ints], ...] = (
    lambda part: part.tp,
    lambda part: part.tn,
    lambda part: part.tp + part.tn,
)


def count_columns(constraints: Constraints) -> int:
    """How many columns an explicit model would have."""
    ways = prod(max(1, len(treatments(score, constraints.undefined))) for score, _, _ in by_score(constraints))
    return sum(
        (p + 1) * (n + 1) * (ways if 0 in (p, n) else 1)
        for subset, _ in set_groups(constraints)
        for p, n in constraints.form.class_counts(subset)
    )


def build(constraints: Constraints, deadline: Budget = NEVER) -> Model:
    """The explicit model. Rows come in a fixed order, which certificates rely on."""
    parts = [PartColumns(constraints, subset, indices, deadline) for subset, indices in set_groups(constraints)]
    for target in constraints.targets:
        _filter(constraints, target, parts)
    if not can_be_listed(constraints, sum(len(part.tp) for part in parts)):
        raise TooManyPoints
    rows: list[ModelRow] = []
    if any(target.mean is not None and target.mean[0] > target.mean[1] for target in constraints.targets):
        parts[0].keep(np.zeros(len(parts[0].tp), dtype=bool))  # no mean is outside the bounds of its parts
    for target in constraints.targets:
        if target.mean is not None:
            rows += _mean_rows(constraints, target, parts)
    for target in constraints.targets:
        if target.variance is not None:
            rows += _square_rows(constraints, target, parts)
    for bound in (*constraints.bounds, *extremes_of_parts(constraints)):
        if not isinstance(bound.part, int):
            rows += _bound_rows(bound, parts)
    for target in constraints.targets:
        if target.attained and all(isinstance(part, int) for part in constraints.extreme_parts):
            rows += _attained_rows(target, parts)
    rows += _family_rows(constraints, parts)
    rows += _count_rows(parts)
    for part in parts:
        part.settle()
    return Model(constraints, tuple(parts), tuple(rows))


def _count_rows(parts: list[PartColumns]) -> list[ModelRow]:
    """Whole numbers that a search may divide at: counts of each group and of all."""
    rows = []
    for counted in [[part] for part in parts] + ([parts] if len(parts) > 1 else []):
        for count in _COUNTS:
            most = sum(part.count * int(count(part).max(initial=0)) for part in counted)
            rows.append(_integer_row(parts, counted, count, 0, most, free=True))
    return rows


def _filter(constraints: Constraints, target: Target, parts: list[PartColumns]) -> None:
    """Drop columns beyond a reported extreme."""
    alone = {part for part in constraints.extreme_parts if isinstance(part, int)}
    if not alone:
        return
    for part in parts:
        if part.indices[0] in alone:
            for extreme, is_minimum in ((target.minimum, True), (target.maximum, False)):
                if extreme is not None:
                    part.keep(not_beyond(part, target.score, extreme[0] if is_minimum else extreme[1], is_minimum))


def _whole_weights(shares: list[Fraction]) -> tuple[list[int], int]:
    """Weights without their common denominator, and that denominator."""
    common = lcm(*(share.denominator for share in shares))
    return [int(share * common) for share in shares], common


def _mean_rows(constraints: Constraints, target: Target, parts: list[PartColumns]) -> list[ModelRow]:
    assert target.mean is not None
    shares = [part.subset.weight for part in parts]
    return _average_rows(target.score, target.mean, parts, shares, flat=constraints.form.flat)


def _bound_rows(bound: Bound, parts: list[PartColumns]) -> list[ModelRow]:
    inside = bound.weights
    shares = [inside.get(part.indices[0], Fraction(0)) for part in parts]
    return _average_rows(bound.score, bound.interval, parts, shares, flat=_is_flat(bound.part), may_vanish=True)


def _is_flat(part: Tree) -> bool:
    return isinstance(part, tuple) and all(isinstance(piece, int) for piece in part)


def _average_rows(
    score: Score,
    interval: tuple[Fraction | None, Fraction | None],
    parts: list[PartColumns],
    shares: list[Fraction],
    *,
    flat: bool,
    may_vanish: bool = False,
) -> list[ModelRow]:
    """Rows that bound a weighted mean of a score, by how sets may be left out of it."""
    weights, total = _whole_weights(shares)
    far = sum(weight * part.count for weight, part in zip(weights, parts, strict=True)) << (BITS + 1)
    scored = [(part, part.scores[score.name], weight) for part, weight in zip(parts, weights, strict=True)]
    skipping = any(weight and part.skips(score) for part, _, weight in scored)
    bits = BITS - magnitude(score, parts, max(weights))
    low, high = interval
    if bits <= 1:  # values so large that the whole numbers of a row would have no digits left for them
        return []
    if skipping and flat:
        # the mean over the sets that count lies in [low, high]: see the head of this module
        bits -= 1
        rows = []
        for limit, row in ((low, (0, far)), (high, (-far, 0))):
            if limit is not None:
                for part, counted, weight in scored:
                    around = outward((counted.value - float(limit)) * weight, bits, _SQUARE_MARGIN)
                    part.add(*(np.where(counted.counts & (weight > 0), end, 0) for end in around))
                rows.append(ModelRow(*row, bits))
        if not may_vanish:
            everyone = sum(part.count for part in parts)
            rows.append(_integer_row(parts, parts, lambda q: q.scores[score.name].counts, 1, everyone))
        return rows
    reach: tuple[float, float] = (0.0, 0.0)
    if skipping:
        seen = [float(x) for x in interval if x is not None] if may_vanish else []
        for _, counted, weight in scored:
            if weight and counted.counts.any():
                values = counted.value[counted.counts]
                seen += [float(values.min()), float(values.max())]
        reach = (min(seen, default=0.0), max(seen, default=0.0))
        bits = BITS - max(0, ceil(max(map(abs, reach)) * max(weights))).bit_length() - 1
        if bits <= 1:
            return []
    for part, counted, weight in scored:
        bottom = outward(np.where(counted.counts, counted.value, reach[0]) * weight, bits)[0]
        top = outward(np.where(counted.counts, counted.value, reach[1]) * weight, bits)[1]
        part.add(bottom if weight else np.zeros_like(bottom), top if weight else np.zeros_like(top))
    least = -far if low is None else ceil(low * total * (1 << bits))
    return [ModelRow(least, far if high is None else floor(high * total * (1 << bits)), bits)]


def _square_rows(constraints: Constraints, target: Target, parts: list[PartColumns]) -> list[ModelRow]:
    """The sum of squares about the printed mean: the variance, give or take what rounding the mean allows.

    Of m values with mean in [low, high], the sum of squares about the centre c is (m - ddof) variance + m (mean - c)^2.
    """
    assert target.variance is not None
    assert target.mean is not None
    centre = target.centre
    scored = [(part, part.scores[target.score.name]) for part in parts]
    skipping = any(part.skips(target.score) for part in parts)
    bits = BITS - 2 - 2 * max(magnitude(target.score, parts), ceil(abs(centre)).bit_length())
    if bits < skipping:  # squares so large that no digit is left to tell them by
        raise TooManyPoints
    squares = [(counted.value - float(centre)) ** 2 for _, counted in scored]
    count = len(constraints.form.sets)
    low, high = target.variance
    far = count << (BITS + 3)
    off = max(abs(target.mean[0] - centre), abs(target.mean[1] - centre)) ** 2
    if not skipping:
        least, most = square_bounds(target, constraints)
        for (part, _), square in zip(scored, squares, strict=True):
            part.add(*outward(square, bits, _SQUARE_MARGIN))
        top = far if most is None else floor(most * (1 << bits))
        return [ModelRow(ceil(least * (1 << bits)), top, bits)]
    bits -= 1
    rows = []
    ends = [(low, (ceil(-max(target.ddof) * low * (1 << bits)), far))]
    if constraints.deviations_of_means:  # which may be left out as a whole; what deviates are at least two
        ends = [(Fraction(0), (ceil((2 - max(target.ddof)) * low * (1 << bits)), far))]
    elif constraints.form.flat:  # else the mean of the sets that count is not the printed one
        limit = high * (count if target.error else 1)
        ends.append((limit + off, (-far, floor(-min(target.ddof) * limit * (1 << bits)))))
    for limit, row in ends:
        for (part, counted), square in zip(scored, squares, strict=True):
            around = outward(square - float(limit), bits, _SQUARE_MARGIN)
            part.add(*(np.where(counted.counts, end, 0) for end in around))
        rows.append(ModelRow(*row, bits))
    return rows


def _attained_rows(target: Target, parts: list[PartColumns]) -> list[ModelRow]:
    """At least one set lies within the interval of a reported extreme."""
    rows = []
    sets = sum(part.count for part in parts)
    for extreme in (target.minimum, target.maximum):
        if extreme is None:
            continue

        def reaches(part: PartColumns, extreme: tuple[Fraction, Fraction] = extreme) -> Bools:
            low, high = (
                not_beyond(part, target.score, end, first) for end, first in zip(extreme, (True, False), strict=True)
            )
            return np.asarray(low & high & part.scores[target.score.name].counts)

        rows.append(_integer_row(parts, parts, reaches, 1, sets))
    return rows


def _family_rows(constraints: Constraints, parts: list[PartColumns]) -> list[ModelRow]:
    """What the folds of a data set share: its cases, and by some rules both classes in at least two folds."""
    rows = []
    for number, family in enumerate(constraints.form.families):
        folds = [part for part in parts if part.subset.family == number]
        rows.append(_integer_row(parts, folds, lambda q: q.p, family.p, family.p))
        if family.rule is FoldRule.BALANCED:
            rows.append(_integer_row(parts, folds, lambda q: q.n, family.n, family.n))
        if family.rule is FoldRule.TRAINABLE:
            both: tuple[Callable[[PartColumns], Bools], ...] = (lambda q: q.p > 0, lambda q: q.n > 0)
            rows += [_integer_row(parts, folds, has, 2, family.folds) for has in both]
    return rows


def _integer_row(
    parts: list[PartColumns],
    counted: list[PartColumns],
    count: Callable[[PartColumns], NDArray[Any]],
    low: int,
    high: int,
    *,
    free: bool = False,
) -> ModelRow:
    """An exact integer total over some of the groups."""
    counts = [np.asarray(count(part) if part in counted else np.zeros(len(part.tp)), dtype=np.int64) for part in parts]
    largest = max(int(column.max(initial=0)) for column in counts)
    bits = BITS - max(1, largest).bit_length()
    for part, column in zip(parts, counts, strict=True):
        part.add(column << bits, column << bits)
    return ModelRow(low << bits, high << bits, bits, integral=True, free=free)
