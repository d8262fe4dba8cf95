"""Aggregation of alike folds to totals (Rogers, Plante, Wong and Evans 1991, doi:10.1287/opre.39.4.553).

For accuracy, sensitivity, specificity, their complements, informedness and balanced accuracy, c folds of one type
(p, n) act as a single set with c p positives and c n negatives: any total can be distributed over them, also if the
tp, the tn and the number right of every fold are bounded (see ``Hexagon``). So a mean over a hundred folds is a small
problem in whole numbers, two for each *block* of alike folds: totals TP and TN within a box, and rows that bound
weighted sums of them. Balanced folds of unknown overlap are four blocks and one more unknown: how many folds have an
odd case of both classes.

Whether a linear score is 0/0 depends on a fold's class counts alone. So each admitted treatment is a problem of its
own, a *case*, in which all weights are fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import ceil, floor, gcd, lcm
from typing import Any, NamedTuple

from scoreproof.kinds.binary.engine.averages.constraints import (
    COUNTED,
    Constraints,
    Hexagon,
    by_score,
    extremes_of_parts,
    treatments,
)
from scoreproof.kinds.binary.experiment.normal import Family, Tree, weights
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import Score
from scoreproof.solve.integer_rows import IntegerRow, reach

_FEW_BLOCKS = 4  # whose rows are kept exactly
_SOME_BLOCKS, _SHORT = 9, 1 << 64  # whose rows are kept exactly, too, if numbers below this clear them
_BITS = 96

Treatments = dict[str, str]  # by score: how its 0/0 counts
Ends = tuple[Fraction | None, Fraction | None]


@dataclass(slots=True)
class SetBlock:
    """Alike folds (p, n): ``count`` of them, or ``count + slope * J`` with J the overlap of their family."""

    p: int
    n: int
    members: tuple[int, ...]  # the sets it stands for; those of a family are shared by its four blocks
    count: int
    hexagon: Hexagon  # what every fold keeps to
    others: tuple[tuple[Score, Ends], ...]  # bounds on every fold that no hexagon expresses
    slope: int = 0
    family: int | None = None


@dataclass(slots=True)
class FoldTotals:
    """Blocks of folds, rows in whole numbers, and the box of the variables.

    Variables 2 b and 2 b + 1 are TP and TN of block b; behind them comes the overlap of each family.
    """

    constraints: Constraints
    blocks: list[SetBlock]
    families: list[int]
    bits: int | None  # of the coefficients where they are not exact
    complete: bool  # whether a point that fits every row always gives a witness
    rows: list[IntegerRow] = field(default_factory=list)
    least: list[int] = field(default_factory=list)
    most: list[int] = field(default_factory=list)

    def overlap_of(self, family: int) -> int:
        """The variable that is the overlap of a family."""
        return 2 * len(self.blocks) + self.families.index(family)


def applies(constraints: Constraints) -> bool:
    """Whether totals can speak of these folds: their class counts are known or balanced."""
    return all(family.rule is FoldRule.BALANCED for family in constraints.form.families)


def cases(constraints: Constraints) -> Iterator[Treatments]:
    """Every way to count the 0/0 of scores on sets that lack a class; none if a score could not be reported."""
    ways: dict[str, list[str]] = {}
    for score, target, _ in by_score(constraints):
        lacking = undefined_sets(constraints, score)
        if lacking:
            vanishes = target is not None and len(lacking) == len(constraints.form.sets)
            ways[score.name] = [
                way for way in treatments(score, constraints.undefined) if not (vanishes and way == "skip")
            ]
    for chosen in product(*ways.values()):
        yield dict(zip(ways, chosen, strict=True))


def undefined_sets(constraints: Constraints, score: Score) -> set[int]:
    """The sets without one of the classes on which a score is 0/0 whatever the matrix.

    Numerators and denominators are of degree two at most, so three points of each such line of matrices tell.
    """

    def nowhere(p: int, n: int) -> bool:
        ends = {(0, 0), (p // 2, n // 2), (p, n)}
        return all(score.ratio(tp, n - tn, p - tp, tn) == (0, 0) for tp, tn in ends)

    return {
        index
        for index, subset in enumerate(constraints.form.sets)
        if not (subset.p and subset.n) and subset.family is None and nowhere(subset.p, subset.n)
    }


def skipped(constraints: Constraints, score: Score, treatment: Treatments) -> frozenset[int]:
    """The sets that are left out of the means of a score."""
    return frozenset(undefined_sets(constraints, score) if treatment.get(score.name) == "skip" else ())


class _Average(NamedTuple):
    """A mean that is bounded: of which score, over which sets with which weights."""

    score: Score
    ends: Ends
    weights: dict[int, Fraction]


def _averages(constraints: Constraints, treatment: Treatments) -> list[_Average]:
    asked: list[tuple[Score, Ends, Tree]] = [
        (target.score, target.mean, constraints.form.tree) for target in constraints.targets if target.mean is not None
    ]
    asked += [
        (bound.score, bound.interval, bound.part)
        for bound in (*constraints.bounds, *extremes_of_parts(constraints))
        if not isinstance(bound.part, int)
    ]
    averages = []
    known: dict[Any, dict[int, Fraction]] = {}  # most scores share their weights
    for score, ends, tree in asked:
        left_out = skipped(constraints, score, treatment)
        if (id(tree), left_out) not in known:
            known[id(tree), left_out] = weights(tree, left_out)
        if known[id(tree), left_out]:
            averages.append(_Average(score, ends, known[id(tree), left_out]))
    return averages


def _fold_bounds(constraints: Constraints, treatment: Treatments) -> dict[int, dict[Score, Ends]]:
    """By set: the bounds on its own scores, from ranges and from extremes over single sets."""
    bounds: dict[int, dict[Score, Ends]] = {}

    def add(index: int, score: Score, low: Fraction | None, high: Fraction | None) -> None:
        if index in skipped(constraints, score, treatment):
            return
        of_set = bounds.setdefault(index, {})
        least, most = of_set.get(score, (None, None))
        lows, highs = [x for x in (low, least) if x is not None], [x for x in (high, most) if x is not None]
        of_set[score] = (max(lows, default=None), min(highs, default=None))

    for bound in constraints.bounds:
        if isinstance(bound.part, int):
            add(bound.part, bound.score, *bound.interval)
    for target in constraints.targets:
        if target.minimum is not None or target.maximum is not None:
            for part in constraints.extreme_parts:
                if isinstance(part, int):
                    add(part, target.score, target.minimum and target.minimum[0], target.maximum and target.maximum[1])
    return bounds


def fold_hexagon(p: int, n: int, given: Hexagon | None, bounds: Mapping[Score, Ends]) -> Hexagon:
    """The tp, tn and number right that bounds on a fold's accuracy, sensitivity and specificity leave."""
    hexagon = given or Hexagon.whole(p, n)
    for score, ends in bounds.items():
        if score.name in COUNTED:
            hexagon = hexagon.bounded(score.name, p, n, *ends)
    return hexagon


def build(constraints: Constraints, treatment: Treatments) -> FoldTotals:
    """Blocks in the order of their first fold; base rows for means, for parts, for blocks."""
    averages = _averages(constraints, treatment)
    blocks = _blocks(constraints, treatment, averages)
    families = sorted({block.family for block in blocks if block.family is not None})
    attained = any(target.attained and (target.minimum or target.maximum) for target in constraints.targets)
    complete = not attained and not any(block.others for block in blocks)
    totals = FoldTotals(constraints, blocks, families, None if _short(blocks, averages) else _BITS, complete)
    _bound(totals)
    raw = [_mean_row(totals, average, treatment.get(average.score.name)) for average in averages]
    means = len(raw)
    for at in range(len(blocks)):
        raw += _block_rows(totals, at)
    for number, row in enumerate(raw):
        unit = tuple(int(k == number) for k in range(len(raw)))
        totals.rows.append(_whole(totals, *row, unit, totals.bits if number < means else None))
    return totals


def _bound(totals: FoldTotals) -> None:
    """The box of the variables: what the folds of a block can add up to, and the overlap of a family."""
    for block in totals.blocks:
        ends = (0,) if block.family is None else overlap(totals.constraints, block.family)
        sizes = [block.count + block.slope * end for end in ends]
        for low, high in (block.hexagon.tp, block.hexagon.tn):
            totals.least.append(min([size * low for size in sizes]))
            totals.most.append(max([size * high for size in sizes]))
    for family in totals.families:
        low, high = overlap(totals.constraints, family)
        totals.least.append(low)
        totals.most.append(high)


def _short(blocks: Sequence[SetBlock], averages: Sequence[_Average]) -> bool:
    """Whether the whole numbers of exact rows stay short: those of few blocks, or of some small ones."""
    if len(blocks) <= _FEW_BLOCKS:
        return True
    if len(blocks) > _SOME_BLOCKS or any(block.family is not None for block in blocks):
        return False
    common = lcm(*(max(1, block.p) * max(1, block.n) * (block.p + block.n) for block in blocks))
    shares = {average.weights.get(block.members[0], Fraction(1)) for average in averages for block in blocks}
    return lcm(common, *(share.denominator for share in shares)) < _SHORT


def overlap(constraints: Constraints, family: int) -> tuple[int, int]:
    """How many folds of a family may have an odd case of both classes: at least, at most."""
    whole = constraints.form.families[family]
    more, extra = odd_cases(whole)
    return max(0, more + extra - whole.folds), min(more, extra)


def odd_cases(family: Family) -> tuple[int, int]:
    """How many folds of a balanced family have one more positive, and how many one more negative."""
    return family.p % family.folds, family.n % family.folds


def _blocks(constraints: Constraints, treatment: Treatments, averages: Sequence[_Average]) -> list[SetBlock]:
    bounds = _fold_bounds(constraints, treatment)
    kinds: dict[Any, list[int]] = {}
    codes = [_coded(weights) for weights in {id(average.weights): average.weights for average in averages}.values()]
    limits = {index: tuple(sorted((score.name, ends) for score, ends in own.items())) for index, own in bounds.items()}
    for index, subset in enumerate(constraints.form.sets):
        shares = tuple([code.get(index) for code in codes])
        key = (subset.p, subset.n, subset.family, limits.get(index), constraints.hexagons.get(index), shares)
        kinds.setdefault(key, []).append(index)
    blocks = []
    for (p, n, family, _, given, _), members in kinds.items():
        of_sets = bounds.get(members[0], {})
        others = tuple((score, ends) for score, ends in of_sets.items() if score.name not in COUNTED)
        if family is None:
            blocks.append(SetBlock(p, n, tuple(members), len(members), fold_hexagon(p, n, given, of_sets), others))
            continue
        whole = constraints.form.families[family]
        more, extra = odd_cases(whole)
        for a, b, count, slope in (
            (1, 1, 0, 1),
            (1, 0, more, -1),
            (0, 1, extra, -1),
            (0, 0, whole.folds - more - extra, 1),
        ):
            hexagon = fold_hexagon(p + a, n + b, None, of_sets)
            blocks.append(SetBlock(p + a, n + b, tuple(members), count, hexagon, others, slope, family))
    return blocks


def _coded(weights: Mapping[int, Fraction]) -> dict[int, int]:
    """A number for each different weight; most sets share one object, and fractions are slow to compare."""
    by_value: dict[Fraction, int] = {}
    by_object: dict[int, int] = {}
    coded = {}
    for index, weight in weights.items():
        code = by_object.get(id(weight))
        if code is None:
            code = by_object[id(weight)] = by_value.setdefault(weight, len(by_value))
        coded[index] = code
    return coded


Ratio = tuple[int, int]  # numerator and denominator, not reduced, which is slow
Raw = tuple[Sequence[Ratio], Fraction | None, Fraction | None]


def _mean_row(totals: FoldTotals, average: _Average, way: str | None) -> Raw:
    a: list[Ratio] = [(0, 1)] * len(totals.least)
    constant = Fraction(0)
    for at, block in enumerate(totals.blocks):
        weight = average.weights.get(block.members[0])
        if weight is None:
            continue
        base, east, north, den = linear_parts(average.score, block.p, block.n)
        if den == 0:
            base, east, north, den = _filled(way, block.p, block.n)
        num, den = weight.numerator, weight.denominator * den
        if east:
            a[2 * at] = num * east, den
        if north:
            a[2 * at + 1] = num * north, den
        if not base:
            continue
        constant += Fraction(num * block.count * base, den)
        if block.family is not None:
            shared = totals.overlap_of(block.family)
            a[shared] = (Fraction(*a[shared]) + Fraction(num * block.slope * base, den)).as_integer_ratio()
    low, high = average.ends
    return a, None if low is None else low - constant, None if high is None else high - constant


def linear_parts(score: Score, p: int, n: int) -> tuple[int, int, int, int]:
    """A linear score of one fold as (base + east tp + north tn) / den."""
    ratio = score.ratio
    base, den = ratio(0, n, p, 0)
    return base, ratio(1, n, p - 1, 0)[0] - base, ratio(0, n - 1, p, 1)[0] - base, den


def _filled(way: str | None, p: int, n: int) -> tuple[int, int, int, int]:
    """What counts in place of a 0/0, in the same form; "present" is the recall of the class there is."""
    if way == "present":
        return (0, 1, 0, p) if p else (0, 0, 1, n)
    return (1, 0, 0, 1) if way == "one" else (0, 0, 0, 1)


def _block_rows(totals: FoldTotals, at: int) -> list[Raw]:
    """What every fold of a block keeps to, where the box of the variables does not say it."""
    block = totals.blocks[at]
    wanted: list[tuple[int, int, Any, Any]] = []
    if block.family is not None:
        wanted += [(1, 0, *block.hexagon.tp), (0, 1, *block.hexagon.tn)]
    (a, b), (c, d), (e, f) = block.hexagon.tp, block.hexagon.tn, block.hexagon.right
    if e > a + c or f < b + d:
        wanted.append((1, 1, e, f))
    for score, (low, high) in block.others:
        base, east, north, den = linear_parts(score, block.p, block.n)
        if den:
            ends = (None if low is None else low * den - base, None if high is None else high * den - base)
            wanted.append((east, north, *ends))
    rows: list[Raw] = []
    for east, north, low, high in wanted:
        for end, is_low in ((low, True), (high, False)):
            if end is None:
                continue
            row: list[Ratio] = [(0, 1)] * len(totals.least)
            row[2 * at], row[2 * at + 1] = (east, 1), (north, 1)
            if block.family is not None:
                row[totals.overlap_of(block.family)] = (-end * block.slope).as_integer_ratio()
            side = Fraction(end) * block.count
            rows.append((row, side, None) if is_low else (row, None, side))
    return rows


def _whole(
    totals: FoldTotals,
    a: Sequence[Ratio],
    low: Fraction | None,
    high: Fraction | None,
    y: tuple[int, ...],
    bits: int | None,
) -> IntegerRow:
    """A row in whole numbers: denominators cleared (or cut to so many bits), bounds rounded inwards."""
    if bits is None:
        common = lcm(*(den for _, den in a))
        cleared = [num * (common // den) for num, den in a]
        shared = gcd(*cleared) or 1
        scale = Fraction(common, shared)
        whole, loss = tuple(x // shared for x in cleared), 0
    else:
        scale = Fraction(1 << bits)
        # rounded down, a coefficient loses less than one unit: the lower bound gives way to that
        whole, loss = tuple((num << bits) // den for num, den in a), sum(totals.most)
    ends = reach(whole, totals.least, totals.most) if low is None or high is None else (0, 0)
    return IntegerRow(
        whole, ends[0] if low is None else ceil(low * scale) - loss, ends[1] if high is None else floor(high * scale), y
    )
