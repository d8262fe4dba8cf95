"""Many reports at once: the boxes that their printed rates leave, and which claim refutes each of them.

The same as ``named_box`` does with one report, on arrays of int64 that cannot overflow (see ``many``). What comes out
are proofs, which nobody believes before the verifier does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from scoreproof.arrays import Bools, Ints
from scoreproof.kinds.binary.many import ClaimColumn, ManyReports
from scoreproof.kinds.binary.named_box import ALL, LOWER, NAMING, UPPER, BoxSide, box_proof

_Sides = tuple[Ints, Ints, Ints]  # low, high, and by which claim
_NO_PLACE = 2  # of a matrix at which a score is 0/0


def refuting_boxes(reports: ManyReports, left: Bools, filled: int | None) -> Iterator[tuple[int, dict[str, Any]]]:
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
    for place, low, high, one, least, most, other, *rest, tn_first in zip(*table, strict=True):
        yield place, box_proof(BoxSide(low, high, one), BoxSide(least, most, other), *rest, tn_first=tn_first)


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
    low, high, by = (np.where(where, one, other) for one, other in zip(yes, no, strict=True))
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
