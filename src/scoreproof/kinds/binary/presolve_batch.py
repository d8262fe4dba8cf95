"""Presolve (Savelsbergh 1994, doi:10.1287/ijoc.6.4.445) of many reports on one matrix each, on arrays of int64.

The same as ``one_matrix`` does with one report. Nothing overflows: how large any intermediate value of a score's
formula can get is computed beforehand, from its polynomials. What is not shown to be possible is asked one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from scoreproof.arrays import Bools, Ints
from scoreproof.kinds.binary.one_matrix import NAMING, named_cells, nearest_count
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score
from scoreproof.kinds.binary.scores.monotone import polynomials
from scoreproof.kinds.binary.scores.score import RATIO
from scoreproof.reported import Claim

_MOST_CASES = 28  # bits
_LARGEST_END = 1 << 31  # of an interval
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
    return numbers if max(map(abs, numbers)) < _LARGEST_END else None


def _most_cases(column: ClaimColumn) -> int:
    """How many cases a row may have so that nothing overflows in this column."""
    ends = max(int(np.max(np.abs(end), initial=1)) for end in (column.low, column.below, column.high, column.above))
    reaches = _reaches(column.score)
    return next((1 << bits for bits in range(_MOST_CASES, 0, -1) if reaches[bits] * ends < _SAFE), 0)


@lru_cache(maxsize=256)
def _reaches(score: Score) -> tuple[int, ...]:
    """A bound of a score's numerator and denominator for cells of at most 1, 2, 4, ... cases.

    No formula of the built-in ratios has terms that cancel each other on the way, so that no value there is larger.
    """
    terms = [part.terms for part in polynomials(score.ratio) or ()]
    return tuple(
        max(sum(abs(factor) << bits * sum(powers) for powers, factor in part.items()) for part in terms)
        for bits in range(_MOST_CASES + 1)
    )


def shown_at_once(problems: Sequence[Any]) -> list[Witness | None]:
    """The witnesses of reports on one test set each, as far as printed rates name them."""
    shown: list[Witness | None] = [None] * len(problems)
    alike: dict[tuple[str, ...], list[int]] = {}
    for place, problem in enumerate(problems):
        alike.setdefault(tuple([claim.quantity.name for claim in problem.claims]), []).append(place)
    for places in alike.values():
        own = [problems[place] for place in places]
        sizes = np.array([(each.experiment.p, each.experiment.n) for each in own], dtype=object)
        p, n = np.minimum(sizes, 1 << _MOST_CASES).astype(np.int64).T
        scores = [_texts(claims) for claims in zip(*(each.claims for each in own), strict=True)]
        fits, cells = presolve_matrices(ReportBatch.of(p, n, scores))
        for place, fit, *matrix in zip(places, fits.tolist(), *(cell.tolist() for cell in cells), strict=True):
            if fit:
                shown[place] = Witness((ConfusionMatrix(*matrix),))
    return shown


def _texts(claims: Sequence[Claim]) -> Texts:
    """What rows say of one score; rows that print the same have one claim."""
    keys = list(map(id, claims))
    different = dict(zip(keys, claims, strict=True))
    numbers = list(map(numbers_of, different.values()))
    places = dict(zip(different, range(len(different)), strict=True))
    score: Any = claims[0].quantity if any(numbers) else None
    return Texts(score, numbers, np.array(list(map(places.__getitem__, keys))))


_PLAIN_SCALE = 10**6  # from here on digits may be a machine's, which notes speak of


def presolve_matrices(reports: ReportBatch) -> tuple[Bools, list[Ints]]:
    """Which rows have a matrix that printed rates name and that gives every claim, and its cells: tp, fp, fn, tn."""
    p, n, columns, asked = reports.p, reports.n, reports.columns, reports.asked.copy()
    size = len(p)
    scales = [np.where(column.there, column.scale, 0) for column in columns.values()]
    most = np.max(scales, axis=0) if scales else np.zeros(size, dtype=np.int64)
    for scale in scales:  # as many decimals each, and some: then no note is due
        asked &= (scale == 0) | (scale == most)
    asked &= (most > 1) & (most < _PLAIN_SCALE)
    fits = np.zeros(size, dtype=np.bool_)
    cells = [np.zeros(size, dtype=np.int64) for _ in range(4)]
    there, counts = [np.zeros(size, dtype=np.bool_)] * 3, [np.zeros(size, dtype=np.int64)] * 3
    for place, (name, of) in enumerate(zip(NAMING, (p, n, p + n), strict=True)):
        if name in columns:
            column = columns[name]
            there[place], counts[place] = column.there, nearest_count(column.units, column.scale, of)
    for tp, tn, named in named_cells(there, *counts):
        possible = asked & named & ~fits & (tp >= 0) & (tp <= p) & (tn >= 0) & (tn <= n)
        tp, tn = np.where(possible, tp, 0), np.where(possible, tn, 0)
        tried = (tp, n - tn, p - tp, tn)
        for column in columns.values():
            possible &= column.holds(*tried)
        for cell, value in zip(cells, tried, strict=True):
            cell[possible] = value[possible]
        fits |= possible
    return fits, cells
