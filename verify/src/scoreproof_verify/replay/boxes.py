"""What one evaluation set can add to a sum of scores, squares and positives: bounds on boxes of (p, tp, tn).

Boxes are six lists of whole numbers: the least and the most p, tp and tn. Values of scores are floats rounded
outwards to whole units of 2**-30 (by far more than their error), and sums are 64-bit integers in units of 2**-36.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import product
from math import ceil, floor
from typing import Any, NamedTuple

from scoreproof_verify.arrays import Flags, Floats, Ints, np
from scoreproof_verify.documents import integer, list_of
from scoreproof_verify.formulas import Rule

Sides = list[Ints]  # the least and the most p, tp and tn of boxes
BITS = 36
_VALUE_BITS = 30
_LINEAR_MARGIN = 40  # binary digits; sums of linear scores are off by less than 2**-47 of their largest terms
_MARGIN = 1 / 16  # units; floats are off by less than 2**-18 of one
NOTHING = -(1 << 62)  # less than any share


class Option(NamedTuple):
    """The cases of a set, and the fewest and most positives among them."""

    size: int
    least: int
    most: int


def tidied(option: Option, boxes: Sides) -> Sides:
    """Boxes met with tp <= p and tn <= size - p; empty ones dropped."""
    p, q, a, b, c, d = boxes
    b, d = np.minimum(b, q), np.minimum(d, option.size - p)
    p, q = np.maximum(p, a), np.minimum(q, option.size - c)
    return kept([p, q, a, b, c, d], (p <= q) & (a <= b) & (c <= d))


def kept(boxes: Sides, at: Any) -> Sides:
    """Some of them: a mask, places, or a slice."""
    return [side[at] for side in boxes]


def joined(first: Sides, second: Sides) -> Sides:
    return [np.concatenate(sides) for sides in zip(first, second, strict=True)]


def halved(option: Option, boxes: Sides) -> Sides:
    """Each box in two along its relatively longest side."""
    # over what lengths of the sides scores change alike: as many cases, or, if classes are open, as are reached
    scales: list[Any] = [1, max(option.least, 1), max(option.size - option.least, 1)]
    if option.least < option.most:
        p, tp, tn = ((boxes[2 * k] + boxes[2 * k + 1]) / 2 for k in range(3))
        reached = tp + np.maximum(option.size - p - tn, 0)
        scales = [np.maximum(scale, 1) for scale in (2 * p, p, np.minimum(option.size - p, reached))]
    p, tp, tn = ((boxes[2 * k + 1] - boxes[2 * k]) / scale for k, scale in enumerate(scales))
    by_p = (p >= tp) & (p >= tn)
    by_tp = ~by_p & (tp >= tn)
    first, second = [], []
    for k, here in enumerate((by_p, by_tp, ~(by_p | by_tp))):
        low, high = boxes[2 * k], boxes[2 * k + 1]
        cut = (low + high) // 2
        first += [low, np.where(here, cut, high)]
        second += [np.where(here, cut + 1, low), high]
    both = joined(first, second)
    return both if option.least == option.most else tidied(option, both)  # sides are independent then


def middles(option: Option, boxes: Sides) -> Sides:
    """The cell in the middle of each box, as a box, or one near it that the option has."""
    p = (boxes[0] + boxes[1]) // 2
    tp = np.minimum((boxes[2] + boxes[3]) // 2, p)
    tn = np.minimum((boxes[4] + boxes[5]) // 2, option.size - p)
    return [p, p, tp, tp, tn, tn]


def single(boxes: Sides) -> Flags:
    alike: list[Flags] = [boxes[k] == boxes[k + 1] for k in (0, 2, 4)]
    return alike[0] & alike[1] & alike[2]


class LinearScore(NamedTuple):
    """mean * f + square * (f - centre)^2 of a score that is affine in (tp, tn)."""

    rule: Rule
    mean: int
    square: int
    centre: Fraction


def _linear_upper(scores: Sequence[LinearScore], option: Option, boxes: Sides) -> Ints:
    """At most what linear scores add together, times 2**BITS: floats, widened by far more than their error."""
    p, q, a, b, c, d = (side.astype(np.float64) for side in boxes)
    positives = (p,) if option.least == option.most else (p, q)
    places = list(product(positives, (a, b), (c, d)))
    most = [np.full(len(p), 0.0) for _ in places]
    beside = np.full(len(p), 0.0)
    margin = 0.0
    for rule, mean, square, centre in scores:
        about = float(centre)
        values = [rule.values(tp, tn, p, option.size - p)[0] - about for p, tp, tn in places]
        low, high = (values[0], values[-1])[:: rule.direction]
        middle = (low + high) / 2
        slope, less = (low + high, low * high) if square > 0 else (2 * middle, middle * middle)
        beside += mean * about - square * less
        margin += (abs(mean) + 4 * abs(square)) * 2.0**-_LINEAR_MARGIN
        for corner, value in zip(most, values, strict=True):
            corner += (mean + square * slope) * value
    whole: Ints = np.ceil((reduce(np.maximum, most) + beside + margin) * 2.0**BITS).astype(np.int64)
    return whole


@dataclass(frozen=True, slots=True)
class Term:
    """mean * f + square * (f - centre)^2 + aside, for a score f on one set."""

    rule: Rule
    mean: int
    square: int
    centre: Fraction
    aside: Fraction
    fill: tuple[int, int] | None
    known: bool
    skips: bool
    harmonic: bool

    def upper(self, cells: _Cells) -> tuple[Ints, Flags]:
        """At most this, times 2**BITS, on each box, and whether it has any value there."""
        low, high, possible = self._ends(cells)
        unit = 1 << _VALUE_BITS
        left = np.floor(low * unit - _MARGIN).astype(np.int64) - ceil(self.centre * unit)
        right = np.ceil(high * unit + _MARGIN).astype(np.int64) - floor(self.centre * unit)
        # mean * f = mean * centre + mean * (f - centre)
        most = self._quadratic(left, right) + ceil((self.mean * self.centre + self.aside) * (1 << BITS))
        if not self.skips:
            return most, possible
        out = cells.hole(self.rule)
        if self.harmonic:
            out = out | (cells.fewest[0 if self.rule.harmonic == "tp" else 3] == 0)
        most = np.where(out, np.where(possible, np.maximum(most, 0), 0), most)
        return most, possible | out

    def _quadratic(self, left: Ints, right: Ints) -> Ints:
        """The most of mean x + square x^2 for x between two ends, in units of 2**-BITS (the ends of 2**-30)."""
        ends = [self._at(left), self._at(right)]
        most = np.maximum(*ends)
        if self.square >= 0:
            return most
        vertex = Fraction(self.mean, -2 * self.square) * (1 << _VALUE_BITS)
        peak = ceil(Fraction(self.mean**2, -4 * self.square) * (1 << BITS))
        return np.where((left <= ceil(vertex)) & (right >= floor(vertex)), peak, most)

    def _at(self, x: Ints) -> Ints:
        """mean x + square x^2, rounded up."""
        squared = x * x
        shift = 2 * _VALUE_BITS - BITS
        up = -((-squared) >> shift) if self.square > 0 else squared >> shift
        return self.mean * (x << (BITS - _VALUE_BITS)) + self.square * up

    def _ends(self, cells: _Cells) -> tuple[Floats, Floats, Flags]:
        """Between what the score lies on each box, and where it has any value that counts."""
        rule = self.rule
        least, most = float(rule.least or 0), float(rule.most or 0)
        (high, high_hole), (low, low_hole) = (cells.value(rule, best=best) for best in (True, False))
        if rule.direction < 0:
            high, high_hole, low, low_hole = low, low_hole, high, high_hole
        high, low = np.where(high_hole, most, high), np.where(low_hole, least, low)
        if not self.known and rule.link == "ratio" and rule.least == -1:
            # kappa falls with fp and fn only where it is not negative (others of this form lose nothing of weight)
            high = np.where(cells.single, high, np.maximum(high, 0.0))
            low = np.where(~cells.single & (low < 0), least, low)
        hole = cells.hole(rule)
        surely = cells.single & hole  # one cell, and it is 0/0
        possible = ~surely if self.fill is None else np.full(len(hole), True)
        if self.fill is not None:
            a, b = map(float, self.fill)
            low = np.where(surely, a, np.where(hole, np.minimum(low, a), low))
            high = np.where(surely, b, np.where(hole, np.maximum(high, b), high))
        return low, high, possible


class _Cells:
    """The best and the worst four cells of boxes, from which scores are bounded."""

    def __init__(self, option: Option, boxes: Sides) -> None:
        p, q, a, b, c, d = (side.astype(np.float64) for side in boxes)
        size = float(option.size)
        few_fn, many_fn = np.maximum(0.0, p - b), np.maximum(0.0, q - a)
        few_fp, many_fp = np.maximum(0.0, size - q - d), np.maximum(0.0, size - p - c)
        self._best, self._worst = (b, few_fp, few_fn, d), (a, many_fp, many_fn, c)
        self.fewest = (a, few_fp, few_fn, c)
        self.single = single(boxes)

    def value(self, rule: Rule, *, best: bool) -> tuple[Floats, Flags]:
        """A score at the best or the worst cells, and where it is 0/0 there."""
        tp, fp, fn, tn = self._best if best else self._worst
        value, _, den = rule.values(tp, tn, tp + fn, tn + fp)
        return np.where(den == 0, 0.0, value), den == 0

    def hole(self, rule: Rule) -> Flags:
        """Boxes in which a score may be 0/0: denominators only grow with each cell, so the fewest of each tell."""
        tp, fp, fn, tn = self.fewest
        den = rule.ratio(tp, tn, tp + fn, tn + fp)[1]
        hole: Flags = np.broadcast_arrays(den, tp)[0] == 0
        return hole


@dataclass(frozen=True, slots=True)
class Share:
    """All that a set adds, with class counts of one option."""

    option: Option
    linear: tuple[LinearScore, ...]
    terms: tuple[Term, ...]
    fixed: int
    slope: int  # for each positive
    barred: tuple[Rule, ...]  # other scores that are claimed and may not be 0/0

    def start(self) -> Sides:
        size, least, most = self.option
        return tidied(self.option, [np.array([side]) for side in (least, most, 0, most, 0, size - least)])

    def at(self, peak: Any) -> int:
        """What one cell [p, tp, tn] adds at most; less than anything if it is none of this option's."""
        p, tp, tn = (integer(value, "a peak") for value in list_of(peak, 3, 3, "a peak is malformed"))
        size, least, most = self.option
        if not (least <= p <= most and 0 <= tp <= p and 0 <= tn <= size - p):
            return NOTHING
        return int(self.upper([np.array([side]) for side in (p, p, tp, tp, tn, tn)])[0])

    def upper(self, boxes: Sides) -> Ints:
        """An upper bound on each box."""
        cells = _Cells(self.option, boxes)
        total = _linear_upper(self.linear, self.option, boxes) + self.fixed
        total = total + np.maximum(self.slope * boxes[0], self.slope * boxes[1])
        possible = np.full(len(total), True)
        for rule in self.barred:
            possible &= ~(cells.single & cells.hole(rule))
        for term in self.terms:
            value, has_one = term.upper(cells)
            total = total + value
            possible &= has_one
        return np.where(possible, total, NOTHING)
