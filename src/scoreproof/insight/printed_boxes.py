"""Which reports one confusion matrix can stand behind.

A cell (tp, tn) gives each score one value, and a value can be printed as a few neighbouring numbers: one or two if
rounded to nearest, two or three if the rule is unknown. So each cell stands behind a small box of reports, and the
reports that pass a check are the union of the boxes of all cells. Seen this way a whole grid of reports is decided at
once, in whole numbers; floats only propose, and are overruled near a border.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, prod

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds.binary.experiment import Experiment, MeanOfScores, normal_form, sums_matrices, total_counts
from scoreproof.kinds.binary.scores import Score
from scoreproof.kinds.binary.scores.score import RATIO
from scoreproof.reported import Claim, Rounding
from scoreproof.reported.number import Printed, decimal_text, interval

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_SAFE = float(1 << 61)
FAR = 2**62  # beyond any printed value, within 64 bits
_NEAR = 1e-6  # units from a border within which a float is not trusted


@dataclass(frozen=True, slots=True)
class PrintedColumn:
    """One printed score: the worth of its last digit, and how far (in such units) a print may lie from the value."""

    score: Score
    scale: int
    below: Fraction
    above: Fraction

    @classmethod
    def of(cls, score: Score, scale: int, rounding: Rounding | None, eps: Fraction | None) -> PrintedColumn:
        if eps is not None:
            return cls(score, scale, eps * scale, eps * scale)
        low, high = interval(0, 1, rounding or Rounding.ANY)
        return cls(score, scale, high, -low)

    def bounds(self, units: int) -> tuple[Fraction, Fraction]:
        """The closed interval of values that may be printed so."""
        return (units - self.above) / self.scale, (units + self.below) / self.scale


@dataclass(frozen=True, slots=True)
class Boxes:
    """For each cell the least and the greatest printed value of each score."""

    low: Ints  # cells x scores
    high: Ints

    @property
    def volumes(self) -> NDArray[np.float64]:
        """How many reports each cell stands behind."""
        return np.asarray(np.maximum(self.high - self.low + 1, 0).prod(axis=1, dtype=np.float64))

    def within(self, least: Ints, most: Ints) -> Boxes:
        """The parts of the boxes inside a region, empty boxes left out."""
        low, high = np.maximum(self.low, least), np.minimum(self.high, most)
        kept = (low <= high).all(axis=1)
        return Boxes(low[kept], high[kept])

    def reports(self) -> Ints:
        """Every report of every box, one per row; reports of several boxes are repeated."""
        kept = (self.low <= self.high).all(axis=1)
        rows, tops = self.low[kept], self.high[kept]
        for place in range(rows.shape[1]):
            sizes = tops[:, place] - rows[:, place] + 1
            start = np.repeat(np.cumsum(sizes) - sizes, sizes)
            rows, tops = np.repeat(rows, sizes, axis=0), np.repeat(tops, sizes, axis=0)
            rows[:, place] += np.arange(len(rows)) - start
        return rows


def boxes(columns: Sequence[PrintedColumn], p: int, n: int, tp: Ints, tn: Ints, *, zero: bool = False) -> Boxes:
    """The boxes of the given cells; a cell where a score is undefined gets an empty one.

    >>> from scoreproof.kinds.binary.scores import score
    >>> column = PrintedColumn.of(score("acc"), 100, Rounding.ANY, None)
    >>> inside = boxes([column], 1, 2, np.array([1, 0]), np.array([1, 2]))
    >>> inside.low.tolist(), inside.high.tolist()
    ([[66], [66]], [[67], [67]])
    """
    low = np.empty((len(tp), len(columns)), dtype=np.int64)
    high = np.empty_like(low)
    cells = tp, n - tn, p - tp, tn
    for place, column in enumerate(columns):
        low[:, place], high[:, place] = _ends(column, cells, zero)
    return Boxes(low, high)


def _ends(column: PrintedColumn, cells: tuple[Ints, Ints, Ints, Ints], zero: bool) -> tuple[Ints, Ints]:
    score = column.score
    num, den = (np.broadcast_to(part, cells[0].shape) for part in score.ratio(*(c.astype(np.float64) for c in cells)))
    undefined = den == 0
    common = 2 * max(column.below.denominator, column.above.denominator)
    reach = max(column.below, column.above, Fraction(1))
    most = max(float(np.abs(num).max(initial=0)), float(den.max(initial=0)))
    if score.link is RATIO and score.builtin and most * column.scale * common * float(reach) < _SAFE:
        low, high = _whole_ends(column, cells)
    else:
        low, high = _float_ends(column, cells, undefined)
    if undefined.any():
        low[undefined], high[undefined] = 1, 0
        if zero:
            nothing = undefined & (num == 0)
            low[nothing], high[nothing] = -floor(column.below), floor(column.above)
    return low, high


def _whole_ends(column: PrintedColumn, cells: tuple[Ints, Ints, Ints, Ints]) -> tuple[Ints, Ints]:
    """In 64-bit integers: sums and products wrap around and come back where the result fits, as here it does."""
    num, den = (np.broadcast_to(part, cells[0].shape) for part in column.score.ratio(*cells))
    safe = np.where(den == 0, 1, den)
    up, down = column.above, column.below
    high = (num * (column.scale * up.denominator) + up.numerator * safe) // (safe * up.denominator)
    low = -((down.numerator * safe - num * (column.scale * down.denominator)) // (safe * down.denominator))
    return low, high


def _float_ends(column: PrintedColumn, cells: tuple[Ints, Ints, Ints, Ints], undefined: Bools) -> tuple[Ints, Ints]:
    values = np.where(undefined, 0.0, column.score.values(*cells)) * column.scale
    upper, lower = values + float(column.above), values - float(column.below)
    high, low = np.floor(upper), np.ceil(lower)
    guard = _NEAR * np.maximum(1.0, np.abs(values) * 1e-3)
    doubtful = ~undefined & (
        (np.abs(upper - np.rint(upper)) < guard) | (np.abs(lower - np.rint(lower)) < guard) | (np.abs(values) > 1e12)
    )
    low_ends, high_ends = (np.clip(end, -FAR, FAR).astype(np.int64) for end in (low, high))
    for index in np.flatnonzero(doubtful):
        exact = _exact_ends(column, *(int(cell[index]) for cell in cells))
        low_ends[index], high_ends[index] = (max(-FAR, min(FAR, end)) for end in exact)
    return low_ends, high_ends


def _exact_ends(column: PrintedColumn, tp: int, fp: int, fn: int, tn: int) -> tuple[int, int]:
    """The ends for one cell: floor(x + a / b) is floor((floor(b x) + a) / b), so that whole parts are enough."""
    ends = [column.score.enclose(tp, fp, fn, tn, column.scale * r.denominator) for r in (column.below, column.above)]
    (_, top), (bottom, _) = (end or (Fraction(0), Fraction(0)) for end in ends)
    return ceil(top * column.scale - column.below), floor(bottom * column.scale + column.above)


def count_distinct(rows: Ints) -> int:
    """How many different rows there are."""
    return len(np.unique(_keys(rows)))


def contained(rows: Ints, among: Ints) -> Bools:
    """Which rows occur among others."""
    keys = _keys(np.concatenate([rows, among]))
    return np.isin(keys[: len(rows)], keys[len(rows) :])


def _keys(rows: Ints) -> Ints:
    """A number for each row, the same for equal rows only."""
    keys: Ints = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        least = int(column.min(initial=FAR))
        span = int(column.max(initial=-FAR)) - least + 1
        if span * (int(keys.max(initial=0)) + 1) >= FAR:
            column, keys = (np.unique(values, return_inverse=True)[1] for values in (column, keys))
            least, span = 0, len(rows)
        keys = keys * span + (column - least)
    return keys


_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class NearReports:
    """For each reported score the least and the greatest printed value, in units of its last digit."""

    reported: tuple[Claim, ...]
    columns: tuple[PrintedColumn, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many reports there are in all."""
        return prod(max(0, b - a + 1) for a, b in zip(self.least, self.most, strict=True))

    def draw(self, rng: np.random.Generator) -> tuple[int, ...]:
        """One of them, each as likely as any other."""
        return tuple(int(rng.integers(a, b, endpoint=True)) for a, b in zip(self.least, self.most, strict=True))

    def report(self, units: Sequence[int]) -> tuple[Claim, ...]:
        """The given report with other printed values."""
        claims = []
        for claim, column, unit in zip(self.reported, self.columns, units, strict=True):
            (low, high), number, beside = column.bounds(unit), Printed(unit, column.scale), claim.spread
            spread = "" if beside is None else f" ± {decimal_text(beside.units, beside.digits)}"
            text = decimal_text(unit, number.digits) + spread
            claims.append(replace(claim, text=text, number=number, low=low, high=high))
        return tuple(claims)

    def whole(self) -> tuple[Claim, ...]:
        """The scores with the widest bounds any report of the region has."""
        return tuple(
            replace(claim, low=column.bounds(a)[0], high=column.bounds(b)[1])
            for claim, column, a, b in zip(self.reported, self.columns, self.least, self.most, strict=True)
        )

    def behind(self, counts: tuple[int, int], tp: Ints, tn: Ints, *, zero: bool) -> Boxes:
        """Those that the given cells stand behind; cells that stand behind none are left out."""
        ends = np.array(self.least, dtype=np.int64), np.array(self.most, dtype=np.int64)
        return boxes(self.columns, *counts, tp, tn, zero=zero).within(*ends)


def region(reported: Sequence[Claim], within: Fraction) -> NearReports:
    """All reports within a distance of the given one, in each score on its own.

    The distance is absolute for scores with a lower and an upper bound, whose range is not left; for the others it is
    relative to the reported value.

    >>> from scoreproof.reported import report
    >>> inside = region([report("acc", "0.97"), report("lrp", "20.0")], Fraction(1, 20))
    >>> inside.least, inside.most, inside.size
    ((92, 190), (100, 210), 189)
    """
    columns, least, most = [], [], []
    for claim in reported:
        scale = _scale(claim)
        value, (bottom, top) = claim.number.value, claim.score.range
        reach = within if None not in (bottom, top) else max(within * abs(value), Fraction(1, scale))
        low, high = ceil((value - reach) * scale), floor((value + reach) * scale)
        columns.append(PrintedColumn.of(claim.score, scale, claim.rounding, claim.eps))
        least.append(low if bottom is None else max(low, ceil(bottom * scale)))
        most.append(high if top is None else min(high, floor(top * scale)))
    return NearReports(tuple(reported), tuple(columns), tuple(least), tuple(most))


def _scale(claim: Claim) -> int:
    """The worth of the last digit; for numbers given with an eps at least the digits that the eps speaks of."""
    scale = claim.number.scale
    decimal = scale == 10**claim.number.digits
    if claim.eps is None or (decimal and claim.eps == 0):
        return scale
    spoken: int = next((10**k for k in range(_MOST_DIGITS) if 2 * claim.eps * 10**k >= 1), 10**_MOST_DIGITS)
    return max(scale, spoken) if decimal else spoken


def one_matrix(experiment: Experiment) -> tuple[int, int] | None:
    """The class counts of an experiment that amounts to one confusion matrix; None for any other.

    >>> from scoreproof.kinds.binary.experiment import KFold
    >>> one_matrix(KFold(p=20, n=30, k=5, aggregation="score_of_means"))
    (20, 30)
    """
    if sums_matrices(experiment):
        return total_counts(experiment)
    if isinstance(experiment, MeanOfScores):
        form = normal_form(experiment)
        if len(form.sets) == 1 and not form.families and not form.ranges:
            return form.sets[0].p, form.sets[0].n
    return None
