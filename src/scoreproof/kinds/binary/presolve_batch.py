"""Presolve (Savelsbergh 1994, doi:10.1287/ijoc.6.4.445) of many reports on one matrix each, on arrays of int64.

Nothing overflows: how large any intermediate value of a score's formula can get is computed beforehand, with the
formula itself, and a row beyond that is left out. What is left out is asked one by one.

The same as ``one_matrix`` does with one report. What its matrix or its line does not show to be possible is refuted by
its box, or asked one by one; what comes out are proofs, which nobody believes before the verifier does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from scoreproof.arrays import Bools, Ints
from scoreproof.kinds.binary.one_matrix import ALL, HALF_PLANES, LOWER, NAMING, UPPER, BoxSide, box_proof
from scoreproof.kinds.binary.scores import Score
from scoreproof.kinds.binary.scores.score import RATIO
from scoreproof.reported import Claim

_MOST_CASES = 28  # bits
_MOST_END = 31  # bits of the ends of an interval
_SAFE = 2**61  # for a product; differences of differences of two of them are taken
_NOTHING = (0, 1, 0, 1, 0, 1)


Numbers = tuple[int, int, int, int, int, int]  # a printed number (units, scale), both ends of its interval


@dataclass(frozen=True, slots=True)
class Texts:
    """One score of many reports: what its different claims say, and for each row which of them it makes (-1: none).

    Claims that cannot be looked at here are None, and their rows are left out.
    """

    score: Score | None  # None if none of the claims can be looked at
    claims: Sequence[Numbers | None]
    codes: Ints


@dataclass(frozen=True, slots=True)
class ClaimColumn:
    """A score's claims as arrays: whether there is one, its printed number, and both ends of its interval."""

    score: Score
    there: Bools
    units: Ints
    scale: Ints
    low: Ints
    below: Ints
    high: Ints
    above: Ints

    def at(self, rows: Ints) -> ClaimColumn:
        """Some of the rows."""
        numbers = (self.units, self.scale, self.low, self.below, self.high, self.above)
        return ClaimColumn(self.score, self.there[rows], *(array[rows] for array in numbers))

    def holds(self, tp: Ints, fp: Ints, fn: Ints, tn: Ints) -> Bools:
        num, den = self.score.ratio(tp, fp, fn, tn)
        inside: Bools = (den > 0) & (num * self.below >= self.low * den) & (num * self.above <= self.high * den)
        return inside | ~self.there


@dataclass(frozen=True, slots=True)
class ReportBatch:
    """Reports of one matrix each, as columns by the scores' own names; ``asked`` says which of them are looked at."""

    p: Ints
    n: Ints
    columns: Mapping[str, ClaimColumn]
    asked: Bools

    @classmethod
    def of(cls, p: Ints, n: Ints, scores: Sequence[Texts]) -> ReportBatch:
        columns, known = _columns(scores, len(p))
        asked = known & (p > 0) & (n > 0) & (p < 1 << _MOST_CASES) & (n < 1 << _MOST_CASES)
        for column in columns.values():
            asked &= ~column.there | (p + n <= _most_cases(column))
        return cls(np.where(asked, p, 1), np.where(asked, n, 1), columns, asked)


def _columns(scores: Sequence[Texts], size: int) -> tuple[dict[str, ClaimColumn], Bools]:
    """The claims as arrays by the scores' own names, and the rows all of whose claims fit into them."""
    known = np.ones(size, dtype=np.bool_)
    columns: dict[str, ClaimColumn] = {}
    for texts in scores:
        there = texts.codes >= 0
        read = np.array([claim is not None for claim in texts.claims] or [False])
        codes = np.where(there, texts.codes, 0)
        known &= read[codes] | ~there
        values = np.array([claim or _NOTHING for claim in texts.claims] or [_NOTHING], dtype=np.int64)
        if texts.score is not None:
            columns[texts.score.name] = ClaimColumn(texts.score, there & read[codes], *values[codes].T)
    return columns, known


def numbers_of(claim: Claim) -> Numbers | None:
    """The printed number and the ends of its interval, if a row with them can be looked at here."""
    if claim.spread is not None or not claim.quantity.builtin:
        return None
    score: Any = claim.quantity
    if getattr(score, "link", None) is not RATIO:
        return None
    numbers = (claim.number.units, claim.number.scale, *claim.ends)
    return numbers if all(abs(number) >> _MOST_END == 0 for number in numbers) else None


def _most_cases(column: ClaimColumn) -> int:
    """How many cases a row may have so that nothing overflows in this column."""
    ends = max(int(np.max(np.abs(end), initial=1)) for end in (column.low, column.below, column.high, column.above))
    reaches = _reaches(column.score)
    return next((1 << bits for bits in range(_MOST_CASES, 0, -1) if reaches[bits] * ends < _SAFE), 0)


@lru_cache(maxsize=256)
def _reaches(score: Score) -> tuple[int, ...]:
    """The largest value on the way to a score's ratio, for cells of at most 1, 2, 4, ... cases."""
    return tuple(_largest(score.ratio(*(_Size(1 << bits),) * 4)) for bits in range(_MOST_CASES + 1))


def _largest(ratio: tuple[Any, Any]) -> int:
    return max(part.most if isinstance(part, _Size) else abs(part) for part in ratio)


class _Size:
    """How large a number may be in size; arithmetic with it keeps the largest value met on the way."""

    def __init__(self, size: int, most: int = 0) -> None:
        self.size, self.most = size, max(size, most)

    def _with(self, other: Any, size: int, size_of_other: int) -> _Size:
        return _Size(size, max(self.most, size_of_other, other.most if isinstance(other, _Size) else 0))

    def __add__(self, other: Any) -> _Size:
        its = other.size if isinstance(other, _Size) else abs(other)
        return self._with(other, self.size + its, its)

    def __mul__(self, other: Any) -> _Size:
        its = other.size if isinstance(other, _Size) else abs(other)
        return self._with(other, self.size * its, its)

    __radd__ = __sub__ = __rsub__ = __add__
    __rmul__ = __mul__


_PLAIN_SCALE = 10**6  # from here on digits may be a machine's, which notes speak of


@dataclass(frozen=True, slots=True)
class PresolvedMatrices:
    """Which rows have a named matrix that gives every claim, and its cells; other rows have no meaning."""

    fits: Bools
    tp: Ints
    fp: Ints
    fn: Ints
    tn: Ints


def presolve_matrices(reports: ReportBatch) -> PresolvedMatrices:
    """The first of the matrices that the printed rates name which gives every claim of its row."""
    p, n, columns, asked = reports.p, reports.n, reports.columns, reports.asked.copy()
    size = len(p)
    scales = [np.where(column.there, column.scale, 0) for column in columns.values()]
    most = np.max(scales, axis=0) if scales else np.zeros(size, dtype=np.int64)
    for scale in scales:  # as many decimals each, and some: then no note is due
        asked &= (scale == 0) | (scale == most)
    asked &= (most > 1) & (most < _PLAIN_SCALE)
    fits = np.zeros(size, dtype=np.bool_)
    cells = [np.zeros(size, dtype=np.int64) for _ in range(4)]
    for tp, tn, named in _named(columns, p, n):
        possible = asked & named & ~fits & (tp >= 0) & (tp <= p) & (tn >= 0) & (tn <= n)
        tp, tn = np.where(possible, tp, 0), np.where(possible, tn, 0)
        tried = (tp, n - tn, p - tp, tn)
        for column in columns.values():
            possible &= column.holds(*tried)
        for cell, value in zip(cells, tried, strict=True):
            cell[possible] = value[possible]
        fits |= possible
    return PresolvedMatrices(fits, *cells)


def _named(columns: Mapping[str, ClaimColumn], p: Ints, n: Ints) -> Iterator[tuple[Ints, Ints, Bools]]:
    """The matrices that the printed rates name, in the order of ``one_matrix``: tp, tn, and for which rows."""
    nobody = np.zeros(len(p), dtype=np.bool_)
    sens, spec, acc = (columns[name].there if name in columns else nobody for name in NAMING)
    zero = np.zeros(len(p), dtype=np.int64)
    tp = _share(columns["sens"], p) if sens.any() else zero
    tn = _share(columns["spec"], n) if spec.any() else zero
    right = _share(columns["acc"], p + n) if acc.any() else zero
    yield tp, tn, sens & spec
    corrected = sens & spec & acc & (right != tp + tn)
    yield tp, right - tp, corrected | (acc & sens & ~spec)
    yield right - tn, tn, corrected | (acc & spec & ~sens)
    for name, count, alone in (
        ("sens", tp, sens & ~spec & ~acc),
        ("spec", tn, spec & ~sens & ~acc),
        ("acc", right, acc & ~sens & ~spec),
    ):
        if alone.any():
            *cells, left = presolve_lines(columns, name, count, p, n)
            yield cells[0], cells[1], alone & left


def _share(column: ClaimColumn, of: Ints) -> Ints:
    """The whole number nearest to the printed share of a count."""
    shares: Ints = (2 * column.units * of + column.scale) // (2 * column.scale)
    return shares


def presolve_lines(
    columns: Mapping[str, ClaimColumn], name: str, count: Ints, p: Ints, n: Ints
) -> tuple[Ints, Ints, Bools]:
    """tp and tn, and in which rows something is left of the line of a rate."""
    first = np.maximum(0, count - n) if name == "acc" else np.zeros_like(count)
    low, high = np.zeros_like(count), {"sens": n, "spec": p, "acc": np.minimum(p, count) - first}[name].copy()
    for other, column in columns.items():
        if other in NAMING or column.score.shape not in HALF_PLANES:
            continue
        (num, den), (num_next, den_next) = (_ratio(column, name, count, first + k, p, n) for k in (0, 1))
        for value, following in (
            (num * column.below - column.low * den, num_next * column.below - column.low * den_next),
            (column.high * den - num * column.above, column.high * den_next - num_next * column.above),
        ):  # not below zero where the claim holds
            slope = following - value
            steep = np.where(slope == 0, 1, np.abs(slope))
            rises, falls = column.there & (slope > 0), column.there & (slope < 0)
            low = np.where(rises, np.maximum(low, -(value // steep)), low)
            high = np.where(falls, np.minimum(high, value // steep), high)
            high = np.where(column.there & (slope == 0) & (value < 0), -1, high)
    tp, tn = _cells(name, count, first + (low + high) // 2)
    return tp, tn, low <= high


def _ratio(column: ClaimColumn, name: str, count: Ints, free: Ints, p: Ints, n: Ints) -> tuple[Ints, Ints]:
    tp, tn = _cells(name, count, free)
    num, den = column.score.ratio(tp, n - tn, p - tp, tn)
    return num, den


def _cells(name: str, count: Ints, free: Ints) -> tuple[Ints, Ints]:
    if name == "sens":
        return count, free
    return (free, count) if name == "spec" else (free, count - free)


_Sides = tuple[Ints, Ints, Ints]  # low, high, and by which claim
_NO_PLACE = 2  # of a matrix at which a score is 0/0


def presolve_boxes(reports: ReportBatch, left: Bools, filled: int | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows among those ``left`` whose box is refuted by one claim, each with the proof."""
    columns = reports.columns
    nobody = np.zeros(len(left), dtype=np.bool_)
    sens, spec, acc = (columns[name].there if name in columns else nobody for name in NAMING)
    asked = left & reports.asked & (sens.astype(np.int8) + spec + acc >= 2)
    for column in columns.values():  # beyond its range a score is refuted in other words
        asked &= ~column.there | ((column.units >= 0) & (column.units <= column.scale))
    rows = np.flatnonzero(asked)
    if not len(rows):
        return
    p, n = reports.p[rows], reports.n[rows]
    columns = {name: column.at(rows) for name, column in columns.items()}
    places = np.cumsum([column.there for column in columns.values()], axis=0) - 1
    by = dict(zip(columns, places.astype(np.int64), strict=True))
    lacks_sens, lacks_spec = (_lacks(columns, name, len(rows)) for name in ("sens", "spec"))
    tp, tn = _sides(columns, by, p, n, lacks_sens, lacks_spec)
    empty = _empty(tp, p) | _empty(tn, n)
    refuting, needed = _refuting(columns, by, tp, tn, p, n, ~(lacks_sens | lacks_spec), filled)
    refuting, needed = np.where(empty, 0, refuting), np.where(empty, ALL, needed)
    refuted = np.flatnonzero(refuting >= 0)
    table = [array[refuted].tolist() for array in (rows, *tp, *tn, refuting, needed, p, n, lacks_sens)]
    for place, low, high, first, least, most, other, *rest, tn_first in zip(*table, strict=True):
        yield place, box_proof(BoxSide(low, high, first), BoxSide(least, most, other), *rest, tn_first=tn_first)


def _lacks(columns: Mapping[str, ClaimColumn], name: str, size: int) -> Bools:
    return ~columns[name].there if name in columns else np.ones(size, dtype=np.bool_)


def _sides(
    columns: Mapping[str, ClaimColumn], by: Mapping[str, Ints], p: Ints, n: Ints, lacks_sens: Bools, lacks_spec: Bools
) -> tuple[_Sides, _Sides]:
    """What two of the rates leave of tp and of tn; the accuracy speaks where one of the others is missing."""
    sens, spec, right = (
        _counted(columns[name], by[name], of) if name in columns else _nothing(p)
        for name, of in zip(NAMING, (p, n, p + n), strict=True)
    )
    tp = _rest(right, spec, n)
    tn = _rest(right, sens, p)
    return _chosen(lacks_sens, tp, sens), _chosen(lacks_spec, tn, spec)


def _counted(column: ClaimColumn, by: Ints, of: Ints) -> _Sides:
    return -(-column.low * of // column.below), column.high * of // column.above, by


def _nothing(like: Ints) -> _Sides:
    return (np.zeros_like(like),) * 3


def _rest(right: _Sides, side: _Sides, of: Ints) -> _Sides:
    """The right answers that are not of a class, by all right answers and those of the class."""
    return right[0] - np.minimum(side[1], of), right[1] - np.maximum(side[0], 0), right[2]


def _chosen(where: Bools, yes: _Sides, no: _Sides) -> _Sides:
    low, high, by = (np.where(where, first, other) for first, other in zip(yes, no, strict=True))
    return low, high, by


def _empty(side: _Sides, of: Ints) -> Bools:
    empty: Bools = (side[0] > of) | (side[1] < 0) | (side[0] > side[1])
    return empty


def _refuting(
    columns: Mapping[str, ClaimColumn],
    by: Mapping[str, Ints],
    tp: _Sides,
    tn: _Sides,
    p: Ints,
    n: Ints,
    apart: Bools,
    filled: int | None,
) -> tuple[Ints, Ints]:
    """The first claim that no matrix of the box gives, by its corners (-1: none), and which sides that takes."""
    a, b = (np.clip(end, 0, p) for end in tp[:2])
    c, d = (np.clip(end, 0, n) for end in tn[:2])
    zero = np.zeros_like(p)
    alone = (a == b) & (c == d)
    refuting, needed = np.full(len(p), -1, dtype=np.int64), np.full(len(p), ALL, dtype=np.int64)
    for name, column in columns.items():
        least, most = _place(column, a, c, p, n), _place(column, b, d, p, n)
        for sides, outside, box in (
            (LOWER, (least == 1) & apart, (a, p, c, n)),
            (UPPER, (most == -1) & apart, (zero, b, zero, d)),
            (ALL, (least == 1) | (most == -1), (a, b, c, d)),
        ):
            shown = (refuting < 0) & column.there & outside
            if filled is not None and shown.any():  # a 0/0 that counts as a number is not monotone
                shown &= _defined(column, box, p, n)
            refuting, needed = np.where(shown, by[name], refuting), np.where(shown, sides, needed)
        excluded = (least == _NO_PLACE) & alone
        if filled is not None:
            excluded &= (column.low > filled * column.below) | (column.high < filled * column.above)
        refuting = np.where((refuting < 0) & column.there & excluded, by[name], refuting)
    return refuting, needed


def _defined(column: ClaimColumn, box: tuple[Ints, Ints, Ints, Ints], p: Ints, n: Ints) -> Bools:
    """Where the score is no 0/0 at the corners of a box."""
    a, b, c, d = box
    defined = np.ones(len(p), dtype=np.bool_)
    for tp in (a, b):
        for tn in (c, d):
            num, den = column.score.ratio(tp, n - tn, p - tp, tn)
            defined &= (num != 0) | (den != 0)
    return defined


def _place(column: ClaimColumn, tp: Ints, tn: Ints, p: Ints, n: Ints) -> Ints:
    """Whether a matrix is right too rarely for its claim (-1), too often (1), or neither."""
    num, den = column.score.ratio(tp, n - tn, p - tp, tn)
    position = (num * column.above > column.high * den).astype(np.int64) - (num * column.below < column.low * den)
    position = np.where(den == 0, np.where(num == 0, _NO_PLACE, 1), position)
    placed: Ints = np.where(position == _NO_PLACE, position, position * column.score.direction)
    return placed
