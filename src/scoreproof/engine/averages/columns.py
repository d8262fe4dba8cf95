"""A mean of scores as a choice of columns.

A *column* is a possible point of an evaluation set: (tp, tn), and p as well when the class counts are unknown. Every
demand on the mean is a bound on a sum over the chosen columns (a *row*): scores, centred squares for reported
deviations, indicators for attained extremes, positives for families of unknown folds, and the plain totals that are
integers. Row values are kept as integers at a power of two per row, rounded outwards, so that every comparison that
matters is between 64-bit integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.engine.averages.targets import Bound, Demand, Target, Undefined, set_groups
from scoreproof.experiment import EvaluationSet
from scoreproof.scores import Score

BITS = 36  # of the largest value of a row
_MARGIN = 1 / 256  # units; float evaluation of a score is off by less than 2**-14 of one
_SQUARE_MARGIN = 1 / 16

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Group:
    """``count`` sets that are alike: their possible points, and their share in each row."""

    indices: tuple[int, ...]
    set: EvaluationSet
    tp: Integers
    tn: Integers
    p: Integers
    low: Integers  # rows x columns, rounded down
    high: Integers  # rounded up

    @property
    def count(self) -> int:
        return len(self.indices)

    @property
    def size(self) -> int:
        return len(self.tp)


@dataclass(frozen=True, slots=True)
class Row:
    """A sum over all sets and its bounds, scaled by ``2**bits``.

    ``integral`` marks an integer total; ``free`` one that the report does not bound, kept for dividing the search.
    """

    name: str
    low: int
    high: int
    bits: int
    integral: bool = False
    free: bool = False


@dataclass(frozen=True, slots=True)
class Model:
    """Groups of columns and rows: choose a column per set so that every row's sum lies in its bounds."""

    demand: Demand
    groups: tuple[Group, ...]
    rows: tuple[Row, ...]

    @property
    def lows(self) -> list[int]:
        return [row.low for row in self.rows]

    @property
    def highs(self) -> list[int]:
        return [row.high for row in self.rows]


def count_columns(demand: Demand) -> int:
    """How many columns an explicit model would have."""
    return sum(_count(demand, one) for one, _ in set_groups(demand.form, demand.bounds))


def _count(demand: Demand, one: EvaluationSet) -> int:
    if one.family is None:
        return (one.p + 1) * (one.n + 1)
    least, most = _positives(demand, one)
    return sum((p + 1) * (one.size - p + 1) for p in range(least, most + 1))


def _positives(demand: Demand, one: EvaluationSet) -> tuple[int, int]:
    assert one.family is not None
    family = demand.form.families[one.family]
    return max(0, one.size - family.n), min(family.p, one.size)


def points(demand: Demand, one: EvaluationSet) -> tuple[Integers, Integers, Integers]:
    """All (p, tp, tn) of an evaluation set."""
    if one.family is None:
        ranges: Iterable[int] = (one.p,)
    else:
        least, most = _positives(demand, one)
        ranges = range(least, most + 1)
    parts = []
    for p in ranges:
        tp, tn = np.meshgrid(
            np.arange(p + 1, dtype=np.int64), np.arange(one.size - p + 1, dtype=np.int64), indexing="ij"
        )
        parts.append((np.full(tp.size, p, dtype=np.int64), tp.ravel(), tn.ravel()))
    stacked = [np.concatenate([part[k] for part in parts]) for k in range(3)]
    return stacked[0], stacked[1], stacked[2]


def values(score: Score, p: Integers, tp: Integers, tn: Integers, size: int) -> Floats:
    """Float values; NaN for 0/0, infinity for x/0."""
    n = size - p
    num, den = score.ratio(*(cell.astype(np.float64) for cell in (tp, n - tn, p - tp, tn)))
    with np.errstate(divide="ignore", invalid="ignore"):
        result = score.link.forward(num / den)
    return np.where((den == 0) & (num == 0), np.nan, result)


def outward(x: Floats, bits: int, margin: float = _MARGIN) -> tuple[Integers, Integers]:
    """Integers around x * 2**bits."""
    scaled = np.ldexp(x, bits)
    return np.floor(scaled - margin).astype(np.int64), np.ceil(scaled + margin).astype(np.int64)


def scaled_bounds(low: Fraction, high: Fraction, bits: int) -> tuple[int, int]:
    """The integers within [low, high] * 2**bits, outwards for a sum of outward-rounded terms."""
    return ceil(low * (1 << bits)), floor(high * (1 << bits))


class _Part:
    """One group while the model is built."""

    def __init__(self, demand: Demand, one: EvaluationSet, indices: list[int]) -> None:
        self.one, self.indices = one, indices
        self.p, self.tp, self.tn = points(demand, one)
        self.keep = np.ones(len(self.tp), dtype=bool)
        self.low: list[Integers] = []
        self.high: list[Integers] = []
        self._cache: dict[str, Floats] = {}

    def values(self, score: Score) -> Floats:
        if score.name not in self._cache:
            self._cache[score.name] = values(score, self.p, self.tp, self.tn, self.one.size)
        return self._cache[score.name]

    def defined(self, score: Score) -> NDArray[np.bool_]:
        return ~np.isnan(self.values(score))

    def add(self, low: Integers, high: Integers) -> None:
        self.low.append(low)
        self.high.append(high)

    def group(self) -> Group:
        keep = self.keep
        shape = (len(self.low), len(self.tp))
        low = np.array(self.low, dtype=np.int64).reshape(shape)
        high = np.array(self.high, dtype=np.int64).reshape(shape)
        return Group(
            tuple(self.indices),
            self.one,
            self.tp[keep],
            self.tn[keep],
            self.p[keep],
            np.ascontiguousarray(low[:, keep]),
            np.ascontiguousarray(high[:, keep]),
        )


def build(demand: Demand) -> Model:
    """The explicit model. Rows come in a fixed order, which certificates rely on."""
    parts = [_Part(demand, one, indices) for one, indices in set_groups(demand.form, demand.bounds)]
    rows: list[Row] = []
    for target in demand.targets:
        _filter(demand, target, parts)
    for bound in demand.bounds:
        _filter_bound(demand, bound, parts)
    common = lcm(*(one.weight.denominator for one in demand.form.sets))
    weights = [int(part.one.weight * common) for part in parts]
    total = sum(weight * len(part.indices) for weight, part in zip(weights, parts, strict=True))
    for target in demand.targets:
        if target.mean is not None:
            rows += _mean_rows(demand, target, parts, weights, total)
    for target in demand.targets:
        if target.variance is not None:
            rows.append(_square_row(demand, target, parts))
    for number, bound in enumerate(demand.bounds):
        if len(bound.weights) > 1:
            rows.append(_bound_row(demand, bound, number, parts))
    for target in demand.targets:
        if target.attained:
            rows += _attained_rows(demand, target, parts)
    for number, family in enumerate(demand.form.families):
        mine = [part for part in parts if part.one.family == number]
        rows.append(_integer_row(f"positives of data set {number + 1}", parts, mine, lambda q: q.p, family.p, family.p))
        for name, has in (("a positive", lambda q: q.p > 0), ("a negative", lambda q: q.p < q.one.size)):
            rows.append(_integer_row(f"folds with {name}", parts, mine, has, 2, family.folds))
    together = [(f"group {number + 1}", [part]) for number, part in enumerate(parts)]
    if len(parts) > 1:
        together.append(("all groups", parts))
    for name, mine in together:
        for what, count in (("tp", _tp), ("tn", _tn), ("tp + tn", _right)):
            most = sum(len(part.indices) * int(count(part).max(initial=0)) for part in mine)
            rows.append(_integer_row(f"{what} of {name}", parts, mine, count, 0, most, free=True))
    return Model(demand, tuple(part.group() for part in parts), tuple(rows))


def _tp(part: _Part) -> Integers:
    return part.tp


def _tn(part: _Part) -> Integers:
    return part.tn


def _right(part: _Part) -> Integers:
    return part.tp + part.tn


def _counted(demand: Demand, part: _Part, score: Score) -> Floats:
    """Values with 0/0 counted as zero where it does not matter or is asked for."""
    return np.nan_to_num(part.values(score), nan=0.0, posinf=0.0)


def _filter(demand: Demand, target: Target, parts: list[_Part]) -> None:
    """Drop columns where the score is not what could be reported, or beyond a reported extreme."""
    for part in parts:
        value = part.values(target.score)
        part.keep &= ~np.isinf(value)
        if demand.undefined is Undefined.EXCLUDE:
            part.keep &= ~np.isnan(value)
        for extreme, is_minimum in ((target.minimum, True), (target.maximum, False)):
            if extreme is not None:
                part.keep &= _beyond(demand, part, target.score, extreme[0] if is_minimum else extreme[1], is_minimum)


def _filter_bound(demand: Demand, bound: Bound, parts: list[_Part]) -> None:
    for part in parts:
        if not set(part.indices) & set(bound.weights):
            continue
        value = part.values(bound.score)
        part.keep &= ~np.isinf(value)
        if demand.undefined is not Undefined.ZERO:
            part.keep &= ~np.isnan(value)
        if len(bound.weights) == 1:
            for limit, is_minimum in zip(bound.interval, (True, False), strict=True):
                if limit is not None:
                    part.keep &= _beyond(demand, part, bound.score, limit, is_minimum)


def _beyond(demand: Demand, part: _Part, score: Score, limit: Fraction, is_minimum: bool) -> NDArray[np.bool_]:
    """Columns not certainly beyond a limit on the score's value; where it is skipped, all."""
    low, high = outward(_counted(demand, part, score), BITS - _magnitude(score, [part]))
    bits = BITS - _magnitude(score, [part])
    inside = high >= ceil(limit * (1 << bits)) if is_minimum else low <= floor(limit * (1 << bits))
    skipped = ~part.defined(score) if demand.undefined is Undefined.SKIP else np.zeros(len(inside), dtype=bool)
    return np.asarray(inside | skipped)


def _magnitude(score: Score, parts: list[_Part], weight: int = 1) -> int:
    """Bits before the point that a score's values need."""
    largest = max(
        float(np.nanmax(np.abs(np.nan_to_num(part.values(score), posinf=0.0)), initial=0.0)) for part in parts
    )
    return max(0, ceil(largest * weight)).bit_length()


def _mean_rows(demand: Demand, target: Target, parts: list[_Part], weights: list[int], total: int) -> list[Row]:
    assert target.mean is not None
    score = target.score
    bits = BITS - _magnitude(score, parts, max(weights))
    low, high = target.mean
    skip = demand.undefined is Undefined.SKIP and any(not part.defined(score)[part.keep].all() for part in parts)
    if not skip:
        for part, weight in zip(parts, weights, strict=True):
            part.add(*outward(_counted(demand, part, score) * weight, bits))
        return [Row(f"mean {score.name}", *scaled_bounds(low * total, high * total, bits), bits)]
    # the mean over the defined sets lies in [low, high]: sum (f - low) >= 0 and sum (f - high) <= 0 over these
    bits -= 1
    most = sum(weights[k] * len(part.indices) for k, part in enumerate(parts)) << (BITS + 1)
    rows = []
    for limit, row in ((low, (0, most)), (high, (-most, 0))):
        for part, weight in zip(parts, weights, strict=True):
            value = np.where(part.defined(score), (_counted(demand, part, score) - float(limit)) * weight, 0.0)
            bottom, top = outward(value, bits, _SQUARE_MARGIN)
            part.add(np.where(part.defined(score), bottom, 0), np.where(part.defined(score), top, 0))
        rows.append(Row(f"mean {score.name} over defined sets", *row, bits))
    rows.append(
        _integer_row(
            f"sets with {score.name}", parts, parts, lambda q: q.defined(score), 1, sum(len(q.indices) for q in parts)
        )
    )
    return rows


def _square_row(demand: Demand, target: Target, parts: list[_Part]) -> Row:
    """The sum of squares about the printed mean: the variance, give or take what rounding the mean allows."""
    assert target.variance is not None
    assert target.mean is not None
    centre = target.centre
    bits = BITS - 2 - 2 * max(_magnitude(target.score, parts), ceil(abs(centre)).bit_length())
    for part in parts:
        square = (_counted(demand, part, target.score) - float(centre)) ** 2
        part.add(*outward(square, bits, _SQUARE_MARGIN))
    low, high = square_bounds(target, len(demand.form.sets))
    return Row(f"squares of {target.score.name}", *scaled_bounds(low, high, bits), bits)


def square_bounds(target: Target, count: int) -> tuple[Fraction, Fraction]:
    """Bounds of the sum of squares about the centre that any admitted variance and mean allow."""
    assert target.variance is not None
    assert target.mean is not None
    divisors = [count - ddof for ddof in target.ddof if count > ddof]
    off = max(abs(target.mean[0] - target.centre), abs(target.mean[1] - target.centre))
    return min(divisors) * target.variance[0], max(divisors) * target.variance[1] + count * off * off


def _bound_row(demand: Demand, bound: Bound, number: int, parts: list[_Part]) -> Row:
    common = lcm(*(weight.denominator for weight in bound.weights.values()))
    weights = [int(bound.weights.get(part.indices[0], Fraction(0)) * common) for part in parts]
    bits = BITS - _magnitude(bound.score, parts, max(weights))
    for part, weight in zip(parts, weights, strict=True):
        low, high = outward(_counted(demand, part, bound.score) * weight, bits)
        part.add(low if weight else np.zeros_like(low), high if weight else np.zeros_like(high))
    total = int(sum(bound.weights.values()) * common)
    least, most = bound.interval
    far = sum(weights[k] * len(part.indices) for k, part in enumerate(parts)) << (BITS + 1)
    return Row(
        f"range {number + 1} of {bound.score.name}",
        -far if least is None else ceil(least * total * (1 << bits)),
        far if most is None else floor(most * total * (1 << bits)),
        bits,
    )


def _attained_rows(demand: Demand, target: Target, parts: list[_Part]) -> list[Row]:
    """At least one set lies within the interval of a reported extreme."""
    rows = []
    sets = sum(len(part.indices) for part in parts)
    for extreme, name in ((target.minimum, "minimum"), (target.maximum, "maximum")):
        if extreme is None:
            continue
        low, high = extreme

        def reaches(part: _Part, low: Fraction = low, high: Fraction = high) -> NDArray[np.bool_]:
            counted = part.defined(target.score) | (demand.undefined is Undefined.ZERO)
            return (
                _beyond(demand, part, target.score, low, True)
                & _beyond(demand, part, target.score, high, False)
                & counted
            )

        rows.append(_integer_row(f"sets at the {name} of {target.score.name}", parts, parts, reaches, 1, sets))
    return rows


def _integer_row(
    name: str,
    parts: list[_Part],
    mine: list[_Part],
    count: Callable[[_Part], NDArray[Any]],
    low: int,
    high: int,
    *,
    free: bool = False,
) -> Row:
    """An exact integer total over some of the groups."""
    counts = [np.asarray(count(part) if part in mine else np.zeros(len(part.tp)), dtype=np.int64) for part in parts]
    largest = max(int(one.max(initial=0)) for one in counts)
    bits = BITS - max(1, largest).bit_length()
    for part, one in zip(parts, counts, strict=True):
        part.add(one << bits, one << bits)
    return Row(name, low << bits, high << bits, bits, integral=True, free=free)
