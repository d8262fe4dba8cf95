"""Many reports about one confusion matrix each, as arrays of int64, to be looked at together.

Nothing overflows: how large any intermediate value of a score's formula can get is computed beforehand, with the
formula itself, and a row beyond that is left out. What is left out is asked one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from scoreproof.arrays import Bools, Ints
from scoreproof.kinds.binary.scores import Score
from scoreproof.kinds.binary.scores.links import RATIO
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
class ManyReports:
    """Reports of one matrix each, as columns by the scores' own names; ``asked`` says which of them are looked at."""

    p: Ints
    n: Ints
    columns: Mapping[str, ClaimColumn]
    asked: Bools

    @classmethod
    def of(cls, p: Ints, n: Ints, scores: Sequence[Texts]) -> ManyReports:
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
